"""The reader that turns an untrusted roster document into a force.

It accepts names and ids. An unknown name becomes a problem with similar names. A document that cannot be read at all
raises Refusal with the field path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.choices import LINK
from rules.content.compiled import Content
from rules.content.names import plain
from rules.content.overlays.states import TAKEN_AWAY, overlays_of
from rules.content.schema import Upgrade
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.formatting import listed
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.translation import gettext
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.content import DOCUMENT_EDITION, GAME, content_of, held_words
from rules.trench_crusade.documents.completion import complete, with_hired
from rules.trench_crusade.documents.schema import (
    FighterDoc,
    ItemDoc,
    PriceDoc,
    RosterDoc,
    SkillDoc,
    TraumaDoc,
    UpgradeDoc,
    decode,
)
from rules.trench_crusade.namesakes import variant_named
from rules.trench_crusade.rekey import as_read
from rules.vocabulary import BecomesEffect, ChooseEffect, DemotedEffect


def read_document(document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
    """Return a roster document as a force, with the problems found in it. Raises Refusal if it is unreadable."""
    _, force, problems = read_with_content(document)
    return force, problems


def read_with_content(document: Mapping[str, Any]) -> tuple[Content, Force, tuple[Problem, ...]]:
    """Read a document like `read_document`, and also return the content that the document plays under."""
    data = decode(document)
    past = next((id_ for id_ in data.overlays if id_.startswith(TAKEN_AWAY)), "")
    if past:
        raise Refusal(
            gettext("{state} is a state of the past. It can be read, not played.").format(state=past), code="history"
        )
    try:
        content = content_of(data.edition or DOCUMENT_EDITION, tuple(data.overlays), data.house_rules)
    except KeyError as error:
        raise Refusal(
            gettext("Nothing called {error} is kept here (at $.overlays).").format(error=error), code="unknown-edition"
        ) from error
    reader = RosterReader(content, data)
    reader.tell_held(data.overlays)
    force = reader.force()
    return content, force, tuple(reader.problems)


def _parent_of(content: Content, option: str) -> Upgrade | None:
    return next((upgrade for upgrade in content.pack.upgrades if option in upgrade.options), None)


def _without_option(upgrades: Sequence[ForceUpgrade], upgrade: str) -> int | None:
    """Return the place of an upgrade that still asks for an option."""
    return next((i for i, taken in enumerate(upgrades) if taken.upgrade == upgrade and not taken.option), None)


class RosterReader:
    """Reads one document and collects a problem for everything it cannot understand."""

    def __init__(self, content: Content, data: RosterDoc) -> None:
        self.content = content
        self.data = data
        self.problems: list[Problem] = []
        self.list = ""

    def tell_held(self, overlays: Sequence[str]) -> None:
        """Say which of the overlays that a document names change nothing, since the edition holds them."""
        edition = self.content.edition
        known = overlays_of(GAME, edition)
        for id_ in dict.fromkeys(overlays):
            if id_ in known and known[id_].head.in_base:
                self.problems.append(Problem("overlay-held", held_words(edition, id_), item=id_, severity="warning"))

    def unknown(self, kind: str, text: str, near: Sequence[str], fighter: str = "", key: str = "") -> None:
        """Add a problem for an unknown name, with the names it may stand for."""
        where = f" ({fighter})" if fighter else ""
        fix = gettext("Is it {near}?").format(near=listed(near, "or")) if near else ""
        self.problems.append(
            Problem(
                "unknown-name",
                gettext("No {kind} is called “{text}”{where}.").format(kind=kind, text=text, where=where),
                fix,
                "",
                fighter,
                text,
                key,
            )
        )

    def find(self, kind: str, text: str, fighter: str = "", key: str = "", said: str = "") -> str:
        """Return the id of a name, or "" after adding a problem."""
        found = self.content.resolve(kind, text, self.list)
        if isinstance(found, str):
            return found
        self.unknown(said or kind, text, found, fighter, key)
        return ""

    def force(self) -> Force:
        data, content = self.data, self.content
        self.list = self._list()
        patron = self.find("patron", data.patron) if data.patron else ""
        for entry in data.unread:
            if entry.get("kind") == "line":  # entries of other kinds stay in place, under the name they had
                near = [str(guess) for guess in entry.get("guesses") or ()]
                self.unknown("entry", str(entry.get("said", "")), near[:3])
        fighters = [self._fighter(n, fighter) for n, fighter in enumerate(data.fighters, 1)]
        force = Force(
            game=GAME,
            edition=content.edition,
            list=self.list,
            mode=data.mode,
            name=data.name,
            patron=patron,
            founding=not data.battles.fought if data.founding is None else data.founding,
            budget=data.budget.price if data.budget else None,
            battles=Battles(data.battles.fought, data.battles.credited),
            fighters=tuple(fighter for fighter in fighters if fighter.profile),
            stash=self._items("stash-", data.stash),
            choices={**(self._said_as_variant(self.list) if self.list else {}), **self._choices(data.choices or {})},
            lost=self._items("lost-", data.lost),
        )
        force = self._campaign(with_hired(content, force))
        return as_read(content, complete(content, force)) if self.list else force

    # --- the list

    def _list(self) -> str:
        data, content = self.data, self.content
        faction = content.resolve_faction(data.faction)
        if not isinstance(faction, str):
            self._unknown_list("faction", data.faction, faction)
            return ""
        if not data.variant or self._said_as_variant(faction):
            return faction
        variant = variant_named(content, faction, data.variant) or content.resolve("list", data.variant)
        if not isinstance(variant, str):
            own = [army.army.id for army in content.lists.values() if army.army.faction == faction]
            near = variant or tuple(content.name("list", army_id) for army_id in own)[:3]
            self._unknown_list("variant", data.variant, near)
            return ""
        army = content.lists[variant].army
        if faction not in (army.faction, army.id):
            words = gettext("{name} is no list of {name_2}.").format(
                name=army.name, name_2=content.name("list", faction)
            )
            fix = gettext("Its faction is {name}.").format(name=content.name("list", army.faction or army.id))
            self.problems.append(Problem("not-offered", words, fix, army.name))
        return variant

    def _unknown_list(self, kind: str, text: str, near: Sequence[str]) -> None:
        """Add a problem for a list that is in none of the books, or only in books that this app does not have."""
        if not isinstance(self.content.resolve("other-list", text), str):
            self.unknown(kind, text, near)
            return
        words = gettext("{text} is not in the books kept here yet.").format(text=text)
        self.problems.append(Problem("not-offered", words, gettext("Choose another list."), self.content.pack.name))

    def _said_as_variant(self, faction: str) -> dict[str, str]:
        """Return a list's choice among its rules if the document gives it as the variant."""
        content, wanted = self.content, self.content.id_of("rule", self.data.variant or "")
        if not wanted:
            return {}
        for rule in content.lists[faction].rules:
            for effect in rule.effects:
                if isinstance(effect, ChooseEffect) and effect.of == "list-rule" and wanted in effect.options:
                    return {effect.key: wanted}
        return {}

    # --- choices

    def _choices(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return choices with names replaced by ids where they name a rule, an item or an armoury entry."""
        found: dict[str, Any] = {}
        for key, value in given.items():
            if key == LINK:  # a fighter or a piece, whatever its name
                found[key] = value
                continue
            values = value if isinstance(value, list) else [value]
            read = [self._choice(str(x)) if isinstance(x, str) else x for x in values]
            found[key] = read if isinstance(value, list) else read[0]
        return found

    def _choice(self, text: str) -> str:
        if text in self.content.item_offers or text in self.content.profile_offers:
            return text
        for kind in ("rule", "item", "ability", "skill", "upgrade", "profile"):
            found = self.content.resolve(kind, text, self.list)
            if isinstance(found, str):
                return found
        return text

    # --- fighters

    def _fighter(self, number: int, data: FighterDoc) -> ForceFighter:
        key = f"f{number}"
        profile = self._profile(data, key)
        name = data.name or (self.content.profiles[profile].name if profile else data.profile)
        carried, taken = self._in_their_place(data)
        kit = self._items(f"{key}-i", carried, name, key)
        upgrades = self._upgrades(key, name, taken)
        through = data.offer if data.offer in (*self.content.profile_offers, *self.content.item_offers) else ""
        if not through:
            through, upgrades = self._turned(key, profile, upgrades)
        skills = self._skills(key, name, data.skills)
        traumas = self._traumas(key, name, data.traumas)
        demoted = data.demoted
        if demoted is None:
            wounds = [self.content.traumas[trauma.trauma] for trauma in traumas]
            demoted = any(has_effect(wound, DemotedEffect) for wound in wounds) and not data.promoted
        return ForceFighter(
            key=key,
            name=name,
            profile=profile,
            offer=through,
            paid=_paid(data.paid),
            count=data.count,
            status=data.status,
            kit=kit,
            upgrades=upgrades,
            skills=skills,
            traumas=traumas,
            scars=data.scars,
            experience=data.experience,
            advances=data.advances,
            promoted=data.promoted,
            demoted=demoted,
            misses_battle=data.misses_battle,
            lifeless=data.lifeless,
            choices=self._choices(data.choices),
            state={} if data.joined is None else {"joined": data.joined},
        )

    def _in_their_place(self, data: FighterDoc) -> tuple[list[str | ItemDoc], list[str | UpgradeDoc]]:
        """Return kit and upgrades; an item named among the upgrades is kit, an upgrade named among the kit is an upgrade.

        Books print some kit of a single profile as an option of that profile.
        """

        def known(kind: str, text: str) -> bool:
            return isinstance(self.content.resolve(kind, text, self.list), str)

        kit: list[str | ItemDoc] = []
        upgrades: list[str | UpgradeDoc] = []
        for piece in data.kit:
            if isinstance(piece, str) and not known("item", piece) and known("upgrade", piece):
                upgrades.append(piece)
            else:
                kit.append(piece)
        for taken in data.upgrades:
            if isinstance(taken, str) and not known("upgrade", taken) and known("item", taken):
                kit.append(taken)
            else:
                upgrades.append(taken)
        return kit, upgrades

    def _skills(self, key: str, name: str, entries: Iterable[str | SkillDoc]) -> tuple[ForceSkill, ...]:
        found = []
        for n, entry in enumerate(entries, 1):
            learned = SkillDoc(entry) if isinstance(entry, str) else entry
            skill = self.find("skill", learned.skill, name, key)
            if skill:
                found.append(ForceSkill(f"s{n}", skill, self._choices(learned.choices)))
        return tuple(found)

    def _traumas(self, key: str, name: str, entries: Iterable[str | TraumaDoc]) -> tuple[ForceTrauma, ...]:
        found = []
        for n, entry in enumerate(entries, 1):
            suffered = TraumaDoc(entry) if isinstance(entry, str) else entry
            trauma = self.find("trauma", suffered.trauma, name, key)
            if trauma:
                scar = self.content.traumas[trauma].scar if suffered.scar is None else suffered.scar
                found.append(ForceTrauma(f"t{n}", trauma, scar, suffered.details, suffered.battle))
        return tuple(found)

    def _profile(self, data: FighterDoc, key: str) -> str:
        """Return the profile that is meant.

        If a name fits two profiles, prefer the one hired through the named entry, then the list's own.
        """
        through = self.content.profile_offers.get(data.offer)
        meant = self.content.profiles.get(through.profile) if through else None
        if meant and plain(data.profile) in (plain(meant.id), plain(meant.name)):
            return meant.id
        return self.find("profile", data.profile, data.name, key)

    def _turned(
        self, key: str, profile: str, upgrades: tuple[ForceUpgrade, ...]
    ) -> tuple[str, tuple[ForceUpgrade, ...]]:
        """Return the entry behind a profile that nobody hires but an upgrade of the list creates.

        Also return the fighter's upgrades including that one.
        """
        army = self.content.lists.get(self.list) if self.list else None
        if army is None or not profile or profile in army.by_profile:
            return "", upgrades
        for entry in army.upgrade_offers:
            effects = self.content.upgrades[entry.upgrade].effects
            if not any(isinstance(e, BecomesEffect) and e.profile == profile for e in effects):
                continue
            hires = next((h for t in entry.who.only_for if (h := army.by_profile.get(t.profile))), ())
            if hires:
                taken = any(u.upgrade == entry.upgrade for u in upgrades)
                more = () if taken else (ForceUpgrade(f"{key}-turned", entry.upgrade, entry.id),)
                return hires[0].id, (*upgrades, *more)
        return "", upgrades

    def _items(
        self, prefix: str, entries: Iterable[str | ItemDoc], fighter: str = "", fighter_key: str = ""
    ) -> tuple[ForceItem, ...]:
        found = []
        for n, entry in enumerate(entries, 1):
            piece = ItemDoc(entry) if isinstance(entry, str) else entry
            item = self.find("item", piece.item, fighter, fighter_key)
            if item:
                offer = piece.offer if piece.offer in self.content.item_offers else ""
                choices = self._choices(piece.choices)
                found.append(ForceItem(f"{prefix}{n}", item, piece.origin, offer, _paid(piece.paid), choices))
        return tuple(found)

    def _upgrades(self, key: str, name: str, entries: Iterable[str | UpgradeDoc]) -> tuple[ForceUpgrade, ...]:
        """Return the upgrades. The name of an option stands for the upgrade with that option."""
        content = self.content
        on_list = content.lists[self.list].by_upgrade if self.list else {}
        found: list[ForceUpgrade] = []
        for n, entry in enumerate(entries, 1):
            taken = UpgradeDoc(entry) if isinstance(entry, str) else entry
            upgrade = self.find("upgrade", taken.upgrade, name, key)
            if not upgrade:
                continue
            option = self.find("upgrade", taken.option, name, key, "option") if taken.option else ""
            parent = _parent_of(content, upgrade)
            if parent is not None and upgrade not in on_list:
                index = _without_option(found, parent.id)
                if index is not None:
                    found[index] = replace(found[index], option=upgrade)
                    continue
                upgrade, option = parent.id, upgrade
            elif found and found[-1].option and found[-1].upgrade == upgrade and not option:
                continue
            offer = taken.offer if taken.offer in content.upgrade_offers else ""
            choices = self._choices(taken.choices)
            found.append(ForceUpgrade(f"u{n}", upgrade, offer, _paid(taken.paid), option, choices))
        return tuple(found)

    # --- between the battles

    def _lasting(self, entries: Iterable[str | Mapping[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for n, entry in enumerate(entries, 1):
            one = {"id": entry} if isinstance(entry, str) else entry
            id_ = self.find("lasting", str(one.get("id", "")), said=gettext("lasting effect"))
            if id_:
                found[f"l{n}"] = {"id": id_, "choices": one.get("choices") or {}}
        return found

    def _campaign(self, force: Force) -> Force:
        data = self.data.campaign
        if data is None:
            return force
        lasting = self._lasting(data.lasting)
        named = data.locations if isinstance(data.locations, dict) else dict.fromkeys(data.locations, "")
        locations = {id_: option for text, option in named.items() if (id_ := self.find("location", text))}
        learned = [id_ for text in data.exploration_skills if (id_ := self.find("skill", text))]
        last = self.content.resolve("scenario", data.last_scenario) if data.last_scenario else ""
        state: dict[str, Any] = {
            "lasting": lasting,
            "locations": locations,
            "last_scenario": last if isinstance(last, str) else data.last_scenario,
            "reinforced_last": data.reinforced_last,
        }
        optional = {"reinforcing": data.reinforcing, "shop_until": data.shop_until}
        state |= {key: value for key, value in optional.items() if value is not None}
        return replace(
            force,
            lasting=tuple(one["id"] for one in lasting.values()),
            locations=tuple(locations),
            exploration_skills=tuple(learned),
            promotion_misses=data.promotion_misses,
            state=state,
        )


def _paid(price: PriceDoc | None) -> Price:
    return price.price if price else Price()
