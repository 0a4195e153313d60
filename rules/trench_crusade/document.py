"""Roster documents: read with distrust, written without loss, and judged for the console.

Names and ids are accepted; what nobody knows becomes a problem with near names. A document that cannot be read at all raises Refusal
with the field path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from rules import vocabulary as v
from rules.checker import check
from rules.choices import LINK
from rules.content.compiled import Content, ListContent
from rules.content.extra import entries_named
from rules.content.house import read_house_rules
from rules.content.names import plain
from rules.fighters.foreign import foreign_candidates, foreign_key
from rules.fighters.frame import frame_of
from rules.fighters.matching import holder_fits
from rules.fighters.work_out import facts
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.formatting import listed
from rules.legality.warband import with_offers
from rules.offers import bought_fighter
from rules.parts.verdict import Verdict
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.trench_crusade.content import DOCUMENT_EDITION, EDITIONS, GAME, content_of
from rules.trench_crusade.rekey import as_read, as_written
from rules.visible import refuse_unseen_names

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


# Far beyond what anybody fields, and little enough to be worked out while others wait to write.
MOST_FIGHTERS, MOST_PIECES, MOST_IN_STASH = 120, 60, 400


class _RosterDoc(msgspec.Struct, forbid_unknown_fields=True):
    """Base of a document's parts: unknown keys are told, not dropped."""


class PriceDoc(_RosterDoc):
    ducats: Count = 0
    glory: Count = 0


class BattlesDoc(_RosterDoc):
    fought: Count = 0
    credited: Count = 0


class ItemDoc(_RosterDoc):
    item: str
    origin: Literal["bought", "found", "looted", "starting", "granted", "mandatory"] = "bought"
    offer: str = ""
    paid: PriceDoc | None = None
    choices: dict[str, Any] = {}


class UpgradeDoc(_RosterDoc):
    upgrade: str
    option: str = ""
    offer: str = ""
    paid: PriceDoc | None = None
    choices: dict[str, Any] = {}


class SkillDoc(_RosterDoc):
    skill: str
    choices: dict[str, Any] = {}


class TraumaDoc(_RosterDoc):
    trauma: str
    scar: bool | None = None
    details: dict[str, Any] = {}
    battle: Count = 0


class FighterDoc(_RosterDoc):
    profile: str
    name: str = ""
    kit: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    upgrades: Annotated[list[str | UpgradeDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    skills: Annotated[list[str | SkillDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    traumas: Annotated[list[str | TraumaDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    scars: Count | None = None
    experience: Count = 0
    advances: Count = 0
    promoted: bool = False
    demoted: bool | None = None
    misses_battle: Count = 0
    lifeless: bool = False
    joined: Count | None = None
    status: Literal["active", "captive", "dead", "dismissed", "retired", "sold", "left"] = "active"
    offer: str = ""
    paid: PriceDoc | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 1
    choices: dict[str, Any] = {}


class CampaignDoc(_RosterDoc):
    """What a warband keeps between battles beyond its fighters."""

    promotion_misses: Count = 0
    lasting: list[str | dict[str, Any]] = []
    locations: dict[str, str] | list[str] = {}
    exploration_skills: list[str] = []
    last_scenario: str = ""
    reinforced_last: bool = False
    reinforcing: dict[str, Count] | None = None
    shop_until: int | str | None = None


class RosterDoc(_RosterDoc):
    """A roster document, as the console and the import read it."""

    game: str
    faction: str
    edition: str = ""
    variant: str | None = None
    name: str = ""
    mode: Literal["campaign", "one-off"] = "campaign"
    scope: Literal["roster", "purchase", "fielding"] = "roster"
    budget: PriceDoc | None = None
    battles: BattlesDoc = msgspec.field(default_factory=BattlesDoc)
    force: list[str] | None = None
    scenario: str | None = None
    attacker: bool | None = None
    wants: dict[str, str] | None = None
    patron: str | None = None
    choices: dict[str, Any] | None = None
    fighters: Annotated[list[FighterDoc], msgspec.Meta(max_length=MOST_FIGHTERS)] = []
    stash: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_IN_STASH)] = []
    lost: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_IN_STASH)] = []
    campaign: CampaignDoc | None = None
    founding: bool | None = None
    house_rules: dict[str, Any] | None = None
    overlays: list[str] = []
    unread: list[dict[str, Any]] = []  # what a text held that nobody knows, as `import_text` writes it
    record: Any = None


def decode(document: Mapping[str, Any]) -> RosterDoc:
    """The document typed. Raises Refusal with the field path, or for a game or edition nobody keeps here."""
    try:
        data = msgspec.convert(document, RosterDoc)
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        raise Refusal(f"The document cannot be read at {at.strip('`') or '$'}: {words}.", code="unreadable") from error
    if data.game != GAME:
        raise Refusal(f"The document is for “{data.game}”, not for {GAME} (at $.game).", code="unknown-game")
    if data.edition and data.edition not in EDITIONS:
        raise Refusal(
            f"No edition “{data.edition}” is kept here (at $.edition); known: {', '.join(EDITIONS)}.",
            code="unknown-edition",
        )
    own = entries_named(read_house_rules(data.house_rules).extra)
    refuse_unseen_names(data.name, *(fighter.name for fighter in data.fighters), *(entry.name for entry in own))
    return data


class RosterReader:
    """Reads one document; gathers what it could not understand."""

    def __init__(self, content: Content, data: RosterDoc) -> None:
        self.content = content
        self.data = data
        self.problems: list[Problem] = []
        self.list = ""

    def unknown(self, kind: str, text: str, near: Sequence[str], fighter: str = "", key: str = "") -> None:
        """Note a name nobody knows, with what it may have meant."""
        where = f" ({fighter})" if fighter else ""
        mend = f"Is it {listed(near, 'or')}?" if near else ""
        self.problems.append(
            Problem("unknown-name", f"No {kind} is called “{text}”{where}.", mend, "", fighter, text, key)
        )

    def find(self, kind: str, text: str, fighter: str = "", key: str = "", said: str = "") -> str:
        """The id of a name, or "" with a problem noted."""
        found = self.content.resolve(kind, text, self.list)
        if isinstance(found, str):
            return found
        self.unknown(said or kind, text, found, fighter, key)
        return ""

    def force(self) -> Force:
        """The document as a force."""
        data, content = self.data, self.content
        self.list = self._list()
        patron = self.find("patron", data.patron) if data.patron else ""
        for entry in data.unread:
            if entry.get("kind") == "line":  # the others stand in their places, under the name they had
                near = [str(x) for x in entry.get("guesses") or ()]
                self.unknown("entry", str(entry.get("said", "")), near[:3])
        fighters = tuple(self._fighter(n, f) for n, f in enumerate(data.fighters, 1))
        stash = tuple(x for n, i in enumerate(data.stash, 1) if (x := self._item(f"stash-{n}", i)) is not None)
        lost = tuple(x for n, i in enumerate(data.lost, 1) if (x := self._item(f"lost-{n}", i)) is not None)
        budget = Price(ducats=data.budget.ducats, glory=data.budget.glory) if data.budget else None
        force = Force(
            game=GAME, edition=content.edition, list=self.list, mode=data.mode, name=data.name, patron=patron,
            founding=not data.battles.fought if data.founding is None else data.founding, budget=budget,
            battles=Battles(data.battles.fought, data.battles.credited),
            fighters=tuple(f for f in fighters if f.profile), stash=stash,
            choices={**(self._said_as_variant(self.list) if self.list else {}), **self._choices(data.choices or {})},
            lost=lost,
        )  # fmt: skip
        force = _with_hired(content, force)
        force = self._campaign(force)
        if self.list:
            force = as_read(content, settle(content, force))
        return force

    def _list(self) -> str:
        data, content = self.data, self.content
        faction = content.resolve("list", data.faction)
        if not isinstance(faction, str):
            other = content.resolve("other-list", data.faction)
            if isinstance(other, str):
                self._not_here(data.faction)
            else:
                self.unknown("faction", data.faction, faction)
            return ""
        if not data.variant:
            return faction
        if self._said_as_variant(faction):
            return faction
        variant = content.resolve("list", data.variant)
        if not isinstance(variant, str):
            other = content.resolve("other-list", data.variant)
            if isinstance(other, str):
                self._not_here(data.variant)
            else:
                own = {plain(x.army.name): x.army.id for x in content.lists.values() if x.army.faction == faction}
                self.unknown(
                    "variant", data.variant, variant or tuple(content.name("list", i) for i in own.values())[:3]
                )
            return ""
        army = content.lists[variant].army
        if faction not in (army.faction, army.id):
            self.problems.append(Problem(
                "not-offered", f"{army.name} is no list of {content.name('list', faction)}.",
                f"Its faction is {content.name('list', army.faction or army.id)}.", army.name,
            ))  # fmt: skip
        return variant

    def _said_as_variant(self, faction: str) -> dict[str, str]:
        """What a list chooses among its rules, where the document gives it as the variant."""
        content, wanted = self.content, self.content.resolve("rule", self.data.variant or "")
        for rule in content.lists[faction].rules:
            for effect in rule.effects:
                if isinstance(effect, v.ChooseEffect) and effect.of == "list-rule" and wanted in effect.options:
                    return {effect.key: str(wanted)}
        return {}

    def _not_here(self, name: str) -> None:
        self.problems.append(
            Problem(
                "not-offered",
                f"{name} is not in the books kept here yet.",
                "Choose another list.",
                self.content.pack.name,
            )
        )

    def _choices(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Choices with names turned into ids where they name a rule, an item or an armoury entry."""
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

    def _fighter(self, place: int, data: FighterDoc) -> ForceFighter:
        content, key = self.content, f"f{place}"
        profile = self._profile(data, key)
        name = data.name or (content.profiles[profile].name if profile else data.profile)
        kit = tuple(x for n, i in enumerate(data.kit, 1) if (x := self._item(f"{key}-i{n}", i, name, key)) is not None)
        upgrades = self._upgrades(key, name, data.upgrades)
        through = data.offer if data.offer in (*content.profile_offers, *content.item_offers) else ""
        if not through:
            through, upgrades = self._turned(key, profile, upgrades)
        skills = []
        for n, entry in enumerate(data.skills, 1):
            learned = SkillDoc(entry) if isinstance(entry, str) else entry
            skill = self.find("skill", learned.skill, name, key)
            if skill:
                skills.append(ForceSkill(f"s{n}", skill, self._choices(learned.choices)))
        traumas = []
        for n, wound in enumerate(data.traumas, 1):
            suffered = TraumaDoc(wound) if isinstance(wound, str) else wound
            trauma = self.find("trauma", suffered.trauma, name, key)
            if trauma:
                scar = content.traumas[trauma].scar if suffered.scar is None else suffered.scar
                traumas.append(ForceTrauma(f"t{n}", trauma, scar, suffered.details, suffered.battle))
        demoted = data.demoted
        if demoted is None:
            wounds = [e for t in traumas for e in content.traumas[t.trauma].effects]
            demoted = any(isinstance(e, v.DemotedEffect) for e in wounds) and not data.promoted
        return ForceFighter(
            key=key, name=name, profile=profile, offer=through,
            paid=Price(ducats=data.paid.ducats, glory=data.paid.glory) if data.paid else Price(), count=data.count, status=data.status,
            kit=kit, upgrades=upgrades, skills=tuple(skills), traumas=tuple(traumas), scars=data.scars, experience=data.experience,
            advances=data.advances, promoted=data.promoted, demoted=demoted, misses_battle=data.misses_battle, lifeless=data.lifeless,
            choices=self._choices(data.choices), state={} if data.joined is None else {"joined": data.joined},
        )  # fmt: skip

    def _profile(self, data: FighterDoc, key: str) -> str:
        """The profile meant: of two that one name fits, the one that the entry named was hired through; else the list's own."""
        through = self.content.profile_offers.get(data.offer)
        meant = self.content.profiles.get(through.profile) if through else None
        if meant and plain(data.profile) in (plain(meant.id), plain(meant.name)):
            return meant.id
        return self.find("profile", data.profile, data.name, key)

    def _turned(
        self, key: str, profile: str, upgrades: tuple[ForceUpgrade, ...]
    ) -> tuple[str, tuple[ForceUpgrade, ...]]:
        """The entry behind a profile that nobody hires but an upgrade of the list turns fighters into, and that upgrade with the others."""
        army = self.content.lists.get(self.list) if self.list else None
        if army is None or not profile or profile in army.by_profile:
            return "", upgrades
        for entry in army.upgrade_offers:
            effects = self.content.upgrades[entry.upgrade].effects
            if not any(isinstance(e, v.BecomesEffect) and e.profile == profile for e in effects):
                continue
            hires = next((h for t in entry.who.only_for if (h := army.by_profile.get(t.profile))), ())
            if hires:
                taken = any(u.upgrade == entry.upgrade for u in upgrades)
                more = () if taken else (ForceUpgrade(f"{key}-turned", entry.upgrade, entry.id),)
                return hires[0].id, (*upgrades, *more)
        return "", upgrades

    def _item(self, key: str, entry: str | ItemDoc, fighter: str = "", fighter_key: str = "") -> ForceItem | None:
        piece = ItemDoc(entry) if isinstance(entry, str) else entry
        item = self.find("item", piece.item, fighter, fighter_key)
        if not item:
            return None
        offer = piece.offer if piece.offer in self.content.item_offers else ""
        paid = Price(ducats=piece.paid.ducats, glory=piece.paid.glory) if piece.paid else Price()
        return ForceItem(key, item, piece.origin, offer, paid, self._choices(piece.choices))

    def _upgrades(self, key: str, name: str, entries: Iterable[str | UpgradeDoc]) -> tuple[ForceUpgrade, ...]:
        """Upgrades; one named by its option stands for the upgrade with that option."""
        content = self.content
        found: list[ForceUpgrade] = []
        for n, entry in enumerate(entries, 1):
            taken = UpgradeDoc(entry) if isinstance(entry, str) else entry
            upgrade = self.find("upgrade", taken.upgrade, name, key)
            if not upgrade:
                continue
            option = self.find("upgrade", taken.option, name, key, "option") if taken.option else ""
            parent = next((u for u in content.pack.upgrades if upgrade in u.options), None)
            on_list = content.lists[self.list].by_upgrade if self.list else {}
            if parent is not None and upgrade not in on_list:
                held = next((place for place, u in enumerate(found) if u.upgrade == parent.id and not u.option), None)
                if held is not None:
                    found[held] = replace(found[held], option=upgrade)
                    continue
                upgrade, option = parent.id, upgrade
            elif found and found[-1].option and found[-1].upgrade == upgrade and not option:
                continue
            offer = taken.offer if taken.offer in content.upgrade_offers else ""
            paid = Price(ducats=taken.paid.ducats, glory=taken.paid.glory) if taken.paid else Price()
            found.append(ForceUpgrade(f"u{n}", upgrade, offer, paid, option, self._choices(taken.choices)))
        return tuple(found)

    def _campaign(self, force: Force) -> Force:
        data = self.data.campaign
        if data is None:
            return force
        lasting: dict[str, Any] = {}
        for n, entry in enumerate(data.lasting, 1):
            text = entry if isinstance(entry, str) else str(entry.get("id", ""))
            id_ = self.find("lasting", text, said="lasting effect")
            if id_:
                choices = {} if isinstance(entry, str) else entry.get("choices") or {}
                lasting[f"l{n}"] = {"id": id_, "choices": choices}
        places = data.locations if isinstance(data.locations, dict) else dict.fromkeys(data.locations, "")
        locations = {id_: option for text, option in places.items() if (id_ := self.find("location", text))}
        learned = [id_ for text in data.exploration_skills if (id_ := self.find("skill", text))]
        last = self.content.resolve("scenario", data.last_scenario) if data.last_scenario else ""
        state: dict[str, Any] = {
            "lasting": lasting, "locations": locations, "last_scenario": last if isinstance(last, str) else data.last_scenario,
            "reinforced_last": data.reinforced_last,
        }  # fmt: skip
        if data.reinforcing is not None:
            state["reinforcing"] = data.reinforcing
        if data.shop_until is not None:
            state["shop_until"] = data.shop_until
        return replace(
            force, lasting=tuple(x["id"] for x in lasting.values()), locations=tuple(locations), exploration_skills=tuple(learned),
            promotion_misses=data.promotion_misses, state=state,
        )  # fmt: skip


def settle(content: Content, force: Force) -> Force:
    """The force with what a document leaves unsaid: entries each fighter and piece was bought through, swappable kit, foreign picks."""
    force = _with_picks(content, force)
    frame = frame_of(content, force)
    present = [_as_bought(content, force, f) for f in force.fighters if f.status in ("active", "captive")]
    entries = {f.key: f for f in with_offers(content, frame, present)}
    fighters = []
    used: Counter[str] = Counter(i.offer for f in present for i in f.kit if i.offer)
    used.update(i.offer for i in force.stash if i.offer)
    for row in force.fighters:
        fighter = entries.get(row.key, row)
        who = facts(content, frame, fighter)
        kit: list[ForceItem] = []
        for place, held in enumerate(who.held):
            piece = fighter.kit[held.row] if held.row >= 0 else None
            if held.included is not None and held.included.fixed:
                continue
            if held.included is not None:
                kit.append(ForceItem(piece.key if piece else f"{fighter.key}-k{place}", held.item.id, "mandatory"))
            elif piece is not None and piece.origin == "bought" and not piece.offer:
                foreign = (*frame.foreign.get("", ()), *frame.foreign.get(fighter.key, ()))
                known = (*frame.list.by_item.get(piece.item, ()), *(o for o in foreign if o.item == piece.item))
                fitting = [o for o in known if holder_fits(o.who, who, content, item=piece.item, owned=True)] or list(
                    known
                )
                fitting.sort(key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))
                free = next(
                    (o for o in fitting if o.limit is None or used[o.id] < o.limit), fitting[0] if fitting else None
                )
                if free is not None:
                    used[free.id] += 1
                kit.append(replace(piece, offer=free.id if free else ""))
            elif piece is not None:
                kit.append(piece)
        choices = dict(fighter.choices)
        for gone in who.removed_sets:
            choices[f"returned-{gone.id}"] = True
        for included in who.profile.kit:
            if included.one_of and f"loadout-{included.id}" not in choices:
                had = Counter(h.item.id for h in who.held if h.included is included)
                had.subtract(included.items)
                pick = next((n for n, alt in enumerate(included.one_of) if Counter(alt) == +had), 0)
                choices[f"loadout-{included.id}"] = str(pick)
        upgrades = tuple(_with_entry(content, force, u, who, fighter) for u in fighter.upgrades)
        paid = fighter.paid
        if who.removed_sets and not paid:
            paid = who.profile_price
        fighters.append(
            replace(
                fighter,
                kit=tuple(kit),
                choices=choices,
                upgrades=upgrades,
                paid=paid,
                hired_as=_hired_as(content, fighter),
            )
        )
    return replace(force, fighters=tuple(fighters))


def _with_hired(content: Content, force: Force) -> Force:
    """Pieces that hire a fighter (a dog), listed as kit or in the stash, stand on the roster as that fighter."""
    joined: list[ForceFighter] = []

    def kept(pieces: tuple[ForceItem, ...]) -> tuple[ForceItem, ...]:
        for piece in pieces:
            profile = bought_fighter(content.items[piece.item])
            if profile:
                key = f"f{len(force.fighters) + len(joined) + 1}"
                joined.append(ForceFighter(key, content.profiles[profile].name, profile, piece.offer))
        return tuple(p for p in pieces if not bought_fighter(content.items[p.item]))

    fighters = tuple([replace(f, kit=kept(f.kit)) for f in force.fighters])
    stash = kept(force.stash)
    return replace(force, fighters=(*fighters, *joined), stash=stash) if joined else force


def _as_bought(content: Content, force: Force, fighter: ForceFighter) -> ForceFighter:
    """A fighter that no recruitment entry offers but an armoury entry does (a dog), with that entry; not yet while founding."""
    army = content.lists[force.list]
    early = force.mode == "campaign" and not force.battles.fought and not force.battles.credited
    if fighter.offer or fighter.profile in army.by_profile or early:
        return fighter
    hires = (o for o in army.item_offers if bought_fighter(content.items[o.item]) == fighter.profile)
    entry = next(hires, None)
    return replace(fighter, offer=entry.id) if entry else fighter


def _hired_as(content: Content, fighter: ForceFighter) -> str:
    offer = content.profile_offers.get(fighter.offer)
    if offer is not None:
        return offer.hired_as
    return "item" if fighter.offer in content.item_offers else fighter.hired_as


def _with_entry(content: Content, force: Force, taken: ForceUpgrade, who: Any, fighter: ForceFighter) -> ForceUpgrade:
    if taken.offer:
        return taken
    from rules.legality.fighter import as_recruited

    offers = content.lists[force.list].by_upgrade.get(taken.upgrade, ())
    before = as_recruited(who, fighter)
    fitting = (o for o in offers if holder_fits(o.who, who, content) or holder_fits(o.who, before, content))
    offer = next(fitting, offers[0] if offers else None)
    return replace(taken, offer=offer.id) if offer else taken


def _with_own_picks(content: Content, army: ListContent, fighter: ForceFighter) -> ForceFighter:
    """The fighter with what its upgrades let it pick from other lists, where the document does not say: what it carries of that kind."""
    strange = [i.item for i in fighter.kit if i.origin == "bought" and _is_strange(content, army, fighter, i.item)]
    taken = []
    for upgrade in fighter.upgrades:
        effects = content.upgrades[upgrade.upgrade].effects if upgrade.upgrade in content.upgrades else ()
        for effect in effects:
            if not isinstance(effect, v.ForeignPickEffect) or not effect.own or upgrade.choices.get("item"):
                continue
            known = foreign_candidates(content, army, effect)
            picked = next((o for item in strange for o in known if o.item == item), None)
            if picked is not None:
                upgrade = replace(upgrade, choices={**upgrade.choices, "item": picked.id})
                strange = [item for item in strange if item != picked.item]
        taken.append(upgrade)
    return replace(fighter, upgrades=tuple(taken))


def _is_strange(content: Content, army: ListContent, fighter: ForceFighter, item: str) -> bool:
    """Whether the own list sells this to nobody, or to other profiles only."""
    effects = content.profiles[fighter.profile].effects if fighter.profile in content.profiles else ()
    names = {fighter.profile} | {e.profile for e in effects if isinstance(e, v.CountsAsEffect)}
    return all(
        bool(o.who.only_for) and all(t.profile and t.profile not in names for t in o.who.only_for)
        for o in army.by_item.get(item, ())
    )


def _with_picks(content: Content, force: Force) -> Force:
    """Where a list may pick from others and the document does not say what: the pieces it holds that its own list lacks."""
    army = content.lists[force.list]
    held = [i for f in force.fighters for i in f.kit if i.origin == "bought"] + [
        i for i in force.stash if i.origin == "bought"
    ]
    force = replace(
        force, fighters=tuple(_with_own_picks(content, army, f) if f.upgrades else f for f in force.fighters)
    )
    strange = list(dict.fromkeys(i.item for i in held if i.item not in army.by_item))
    if not strange:
        return force
    choices = dict(force.choices)
    for cause in frame_of(content, force).of(v.ForeignPickEffect):
        effect: v.ForeignPickEffect = cause.effect
        key = foreign_key(cause.source, effect)
        if effect.own or key in choices:
            continue
        known = foreign_candidates(content, army, effect)
        picked = [o.id for item in strange if (o := next((o for o in known if o.item == item), None)) is not None][
            : effect.count
        ]
        if picked:
            choices[key] = picked[0] if effect.count == 1 else picked
            strange = [i for i in strange if i not in {content.item_offers[p].item for p in picked}]
    return replace(force, choices=choices)


def read_document(document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
    """A roster document as a force, with what could not be understood. Raises Refusal when it is unreadable."""
    _, force, problems = _read(document)
    return force, problems


def _read(document: Mapping[str, Any]) -> tuple[Content, Force, tuple[Problem, ...]]:
    data = decode(document)
    try:
        content = content_of(data.edition or DOCUMENT_EDITION, tuple(data.overlays), data.house_rules)
    except KeyError as error:
        raise Refusal(f"Nothing called {error} is kept here (at $.overlays).", code="unknown-edition") from error
    reader = RosterReader(content, data)
    force = reader.force()
    return content, force, tuple(reader.problems)


def judge(document: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on a document in its scope, as the console prints it. Raises Refusal when it is unreadable."""
    data = decode(document)
    content, force, unread = _read(document)
    problems = list(unread)
    wants: dict[str, str] = {}
    taken: list[str] | None = None
    scenario = ""
    if force.list:
        if data.scope == "purchase":
            wants = _wants(content, force, data, problems)
            force = _making_room(content, force, wants)
        if data.scope == "fielding" and data.force is not None:
            taken = _taken(force, data.force, problems)
        if data.scope == "fielding" and data.scenario:
            found = content.resolve("scenario", data.scenario)
            if isinstance(found, str):
                scenario = found
            else:
                problems.append(_unknown("scenario", data.scenario, found))
    verdict = Verdict((), Price(), None)
    if force.list and not (data.scope == "purchase" and not wants):
        verdict = check(
            content, force, scope=data.scope, wants=wants, taken=taken, scenario=scenario, attacker=data.attacker
        )
    elif force.list:
        verdict = replace(check(content, force), problems=())
    return _answer(verdict, (*problems, *verdict.problems))


def _answer(verdict: Verdict, problems: Sequence[Problem]) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "legal": not problems,
        "rating": _price(verdict.rating),
        "left": None if verdict.left is None else _price(verdict.left),
        "problems": [
            {
                "code": p.code,
                "fighter": p.fighter or None,
                "item": p.item or None,
                "message": p.message,
                "mend": p.mend,
                "source": p.source,
            }
            for p in problems
        ],
    }
    if verdict.fielded is not None:
        answer["fielded"] = _price(verdict.fielded)
    return answer


def _unknown(kind: str, text: str, near: Sequence[str]) -> Problem:
    mend = f"Is it {listed(near, 'or')}?" if near else ""
    return Problem("unknown-name", f"No {kind} is called “{text}”.", mend, "", "", text)


def _wants(content: Content, force: Force, data: RosterDoc, problems: list[Problem]) -> dict[str, str]:
    given = data.wants or {}
    kinds = [k for k in ("item", "profile", "upgrade") if given.get(k)]
    odd = sorted(set(given) - {"fighter", "item", "profile", "upgrade"})
    if len(kinds) != 1 or odd:
        what = f"unknown field `{odd[0]}`" if odd else "name one of item, profile or upgrade"
        raise Refusal(f"The document cannot be read at $.wants: {what}.", code="unreadable")
    kind = kinds[0]
    wanted: dict[str, str] = {}
    found = content.resolve(kind, given[kind], force.list)
    if isinstance(found, str):
        wanted[kind] = found
    else:
        problems.append(_unknown(kind, given[kind], found))
    whom = given.get("fighter") or ""
    if whom and plain(whom) != "stash":
        keys = _taken(force, [whom], problems)
        if not keys:
            return {}
        buyer = force.fighter(keys[0])
        if buyer.status not in ("active", "captive"):
            problems.append(Problem(
                "only-for", f"{buyer.name} is no longer on the roster ({buyer.status}).", "Buy it for someone else.",
                content.name("list", force.list), buyer.name,
            ))  # fmt: skip
            return {}
        wanted["fighter"] = keys[0]
    elif kind == "upgrade":
        raise Refusal("The document cannot be read at $.wants.fighter: an upgrade is for a fighter.", code="unreadable")
    return wanted if kind in wanted else {}


def _making_room(content: Content, force: Force, wants: Mapping[str, str]) -> Force:
    """The force before a purchase: while founding, swappable kit the document left unsaid gives way to what takes its place."""
    key, item = wants.get("fighter", ""), wants.get("item", "")
    if not key or not item or not force.founding:
        return force
    fighter = force.fighter(key)
    said = tuple(i for i in fighter.kit if not (i.origin == "mandatory" and i.key.startswith(f"{key}-k")))
    if len(said) == len(fighter.kit):
        return force
    trial = replace(fighter, kit=(*said, ForceItem("(wanted)", item)))
    gone = facts(content, frame_of(content, force), trial).removed_sets
    if not gone:
        return force
    choices = {**fighter.choices, **{f"returned-{kit.id}": True for kit in gone}}
    return force.with_fighter(replace(fighter, kit=said, choices=choices))


def _taken(force: Force, names: Sequence[str], problems: list[Problem]) -> list[str]:
    """Keys of the fighters named: by name, each fighter once, or by key."""
    left = list(force.fighters)
    keys = []
    for name in names:
        match = next((f for f in left if f.name == name), None) or next(
            (f for f in left if plain(f.name) == plain(name)), None
        )
        match = match or next((f for f in left if f.key == name), None)
        if match is None and any(plain(f.name) == plain(name) for f in force.fighters):
            twice = f"{name} is named twice."
            problems.append(
                Problem("duplicate", twice, "Name each fighter once.", f"Campaign rules {force.edition}", name)
            )
            continue
        if match is None:
            from rules.content.names import nearest

            near = nearest(name, {plain(f.name): f.key for f in left}, {f.key: f.name for f in left})
            problems.append(_unknown("fighter", name, near))
            continue
        left.remove(match)
        keys.append(match.key)
    return keys


# --- writing ---------------------------------------------------------------------------------------------------------------


def _price(price: Price) -> dict[str, int]:
    return {"ducats": price.ducats, "glory": price.glory}


def write_document(content: Content, force: Force) -> dict[str, Any]:
    """The roster document of a force, with the names of the books; reading it gives the same force back (keys aside)."""
    force = as_written(content, force)
    army = content.lists[force.list].army if force.list in content.lists else None
    faction = content.lists[force.list].faction if army else force.list
    document: dict[str, Any] = {
        "game": GAME,
        "edition": content.edition,
        "faction": content.name("list", faction),
        "variant": content.name("list", force.list) if army and army.faction else None,
        "name": force.name,
        "mode": force.mode,
        "scope": "roster",
        "founding": force.founding,
        "budget": _price(force.budget) if force.budget is not None and not force.battles.fought else None,
        "battles": {"fought": force.battles.fought, "credited": force.battles.credited},
        "force": None,
        "patron": content.name("patron", force.patron) if force.patron else None,
        "choices": dict(force.choices),
        "fighters": [_fighter(content, force, f) for f in force.fighters],
        "stash": [_item(content, i, force.list) for i in force.stash],
    }
    if force.lost:
        document["lost"] = [_item(content, i, force.list) for i in force.lost]
    foreign = army is not None and army.third_party
    foreign = foreign or any(
        content.profiles[f.profile].third_party for f in force.fighters if f.profile in content.profiles
    )
    if foreign and content.house.third_party:
        document["house_rules"] = {"third_party": True}
    campaign = _campaign_part(content, force)
    if campaign:
        document["campaign"] = campaign
    return document


def _campaign_part(content: Content, force: Force) -> dict[str, Any]:
    kept = {str(x.get("id")): x for x in (force.state.get("lasting") or {}).values()}
    places: Mapping[str, str] = force.state.get("locations") or {}
    part: dict[str, Any] = {}
    if force.promotion_misses:
        part["promotion_misses"] = force.promotion_misses
    if force.lasting:
        part["lasting"] = [{"id": x, "choices": (kept.get(x) or {}).get("choices") or {}} for x in force.lasting]
    if force.locations:
        part["locations"] = {x: places.get(x, "") for x in force.locations}
    if force.exploration_skills:
        part["exploration_skills"] = [content.name("skill", x) for x in force.exploration_skills]
    for key in ("last_scenario", "reinforced_last", "reinforcing", "shop_until"):
        if force.state.get(key):
            part[key] = force.state[key]
    return part


def _fighter(content: Content, force: Force, fighter: ForceFighter) -> dict[str, Any]:
    choices = dict(fighter.choices)
    frame = frame_of(content, force) if force.list in content.lists else None
    if frame is not None and fighter.profile in content.profiles:
        for gone in facts(content, frame, fighter, explicit=force.strongbox is not None).removed_sets:
            choices[f"returned-{gone.id}"] = True
    row: dict[str, Any] = {
        "name": fighter.name,
        "profile": content.name("profile", fighter.profile),
        "kit": [_item(content, i, force.list) for i in fighter.kit],
        "upgrades": [_upgrade(content, u) for u in fighter.upgrades],
        "skills": [
            {"skill": content.name("skill", s.skill), "choices": dict(s.choices)}
            if s.choices
            else content.name("skill", s.skill)
            for s in fighter.skills
        ],
        "traumas": [
            {"trauma": content.name("trauma", t.trauma), "scar": t.scar, "details": dict(t.details), "battle": t.battle}
            for t in fighter.traumas
        ],
        "scars": fighter.scars if fighter.scars is not None else sum(t.scar for t in fighter.traumas),
        "experience": fighter.experience,
        "promoted": fighter.promoted,
        "status": fighter.status,
    }
    if fighter.offer:
        row["offer"] = fighter.offer
    if fighter.demoted or any(
        isinstance(e, v.DemotedEffect) for t in fighter.traumas for e in _effects(content, t.trauma)
    ):
        row["demoted"] = fighter.demoted
    for key, value in (
        ("advances", fighter.advances),
        ("misses_battle", fighter.misses_battle),
        ("lifeless", fighter.lifeless),
        ("choices", choices),
    ):
        if value:
            row[key] = value
    if fighter.count != 1:
        row["count"] = fighter.count
    if fighter.state.get("joined") is not None:
        row["joined"] = fighter.state["joined"]
    # two profiles may share a name within a game: the entry it was hired through tells which is meant
    if content.resolve("profile", row["profile"], force.list) != fighter.profile:
        row["profile"] = fighter.profile
    return row


def _effects(content: Content, trauma: str) -> Sequence[v.Effect]:
    return content.traumas[trauma].effects if trauma in content.traumas else ()


def _item(content: Content, piece: ForceItem, list_id: str) -> str | dict[str, Any]:
    name = content.name("item", piece.item)
    if content.resolve("item", name, list_id) != piece.item:
        name = piece.item
    if piece.origin == "bought" and not piece.choices and not piece.offer:
        return name
    row: dict[str, Any] = {"item": name, "origin": piece.origin}
    if piece.offer:
        row["offer"] = piece.offer
    if piece.choices:
        row["choices"] = dict(piece.choices)
    return row


def _upgrade(content: Content, taken: ForceUpgrade) -> str | dict[str, Any]:
    name = content.name("upgrade", taken.upgrade)
    if not (taken.option or taken.choices or taken.offer):
        return name
    row: dict[str, Any] = {"upgrade": name}
    if taken.option:
        row["option"] = content.name("upgrade", taken.option)
    if taken.offer:
        row["offer"] = taken.offer
    if taken.choices:
        row["choices"] = dict(taken.choices)
    return row
