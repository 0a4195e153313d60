"""Ways into a pack that the campaign phase needs: entries by id, and every effect at work in a warband with its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.content.compiled import Content
from rules.content.names import keyword_base
from rules.content.schema import ArmyList, CampaignNumbers, ItemOffer, Skill, Trauma
from rules.effects import views
from rules.force import FighterView, Force, ForceFighter, ForceItem
from rules.legality.warband import examine, raised
from rules.vocabulary import ChooseEffect, Effect, ItemTest


class CampaignIndex:
    """The content of an edition as the campaign phase reads it. Made once per content (`book`)."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.pack = content.pack
        self.campaign: CampaignNumbers = content.campaign
        self.lists: dict[str, ArmyList] = {key: one.army for key, one in content.lists.items()}
        self.rules, self.abilities, self.profiles = content.rules, content.abilities, content.profiles
        self.profile_offers, self.items, self.item_offers = content.profile_offers, content.items, content.item_offers
        self.upgrades, self.upgrade_offers = content.upgrades, content.upgrade_offers
        self.skills, self.skill_tables, self.traumas = content.skills, content.skill_tables, content.traumas
        self.locations, self.lasting, self.patrons = content.locations, content.lasting, content.patrons
        self.deeds, self.scenarios = content.deeds, content.scenarios

    def trauma_at(self, number: int) -> Trauma:
        """The trauma that a D66 of this number reaches. Raises KeyError where the chart has a gap."""
        for trauma in self.pack.traumas:
            if trauma.first <= number <= trauma.last:
                return trauma
        raise KeyError(number)

    def scenario_name(self, scenario: str) -> str:
        """The name of a scenario, or the id itself where the pack does not know it."""
        return self.scenarios[scenario].name if scenario in self.scenarios else scenario

    def faction(self, list_id: str) -> str:
        """The id of the faction a list belongs to (its own id for a faction's own list)."""
        return self.lists[list_id].faction or list_id

    def is_open_to(self, list_id: str, lists: tuple[str, ...], *, base_list_only: bool = False) -> bool:
        """Whether one of `lists` names this list or, unless `base_list_only`, its faction."""
        return list_id in lists or (not base_list_only and self.faction(list_id) in lists)

    def armoury(self, list_id: str) -> tuple[ItemOffer, ...]:
        """The armoury entries of one list, as house rules leave them."""
        return self.content.lists[list_id].item_offers

    def offer_of(self, list_id: str, item: str) -> ItemOffer | None:
        """How a list offers an item: the entry bought with ducats where there are several. None where it does not."""
        entries = sorted((o for o in self.armoury(list_id) if o.item == item), key=lambda o: (not o.price.ducats, o.id))
        return entries[0] if entries else None

    def fits(self, test: ItemTest, offer: ItemOffer) -> bool:
        """Whether an armoury entry passes a test of items (what it says of a carrier is left out)."""
        item = self.items[offer.item]
        return (
            test.item in ("", item.id)
            and test.category in ("", item.category)
            and test.slot in ("", item.slot)
            and (not test.group or test.group in item.groups)
            and (not test.keyword or test.keyword in item.keywords)
            and not (test.lacks_keyword and any(test.lacks_keyword in (k, keyword_base(k)) for k in item.keywords))
            and (not test.weapon or item.weapon)
            and (not test.limited or offer.limit is not None)
            and (not test.restricted or bool(offer.who.only_for or offer.who.and_also))
            and (test.over_ducats is None or offer.price.ducats > test.over_ducats)
            and (not test.for_glory or bool(offer.price.glory))
        )

    def skills_of(self, tables: tuple[str, ...]) -> tuple[str, ...]:
        """The skills of some tables or patrons, in their order; "exploration" stands for all exploration skills, "" rows are left out."""
        found: dict[str, None] = {}
        for table in tables:
            if table in self.skill_tables:
                found.update((row.skill, None) for row in self.skill_tables[table].rows if row.skill)
            elif table in self.patrons:
                found.update((skill, None) for skill in self.patrons[table].skills)
            elif table.startswith("exploration"):
                found.update((s.id, None) for s in self.pack.skills if s.kind == "exploration")
        return tuple(found)


def book(content: Content) -> CampaignIndex:
    """The book of a compiled content. Kept with it."""
    kept = content.cache.get("campaign-book")
    if not isinstance(kept, CampaignIndex):
        kept = content.cache["campaign-book"] = CampaignIndex(content)
    return kept


def fighter_views(content: Content, force: Force) -> Mapping[str, FighterView]:
    """Every fighter after all effects, by key, as the effects engine sees it."""
    return views(content, force)


@dataclass(frozen=True, slots=True)
class CarriedEffect:
    """One effect at work: under a stable key, with the name a player knows it by, and its bearer ("" for the warband)."""

    key: str
    name: str
    effect: Effect
    fighter: str = ""
    skill_kind: str = ""


def skill_picks(skill: Skill, choices: Mapping[str, Any]) -> tuple[str, ...]:
    """The skills picked through a skill that lets its bearer choose one."""
    picks: list[str] = []
    for effect in skill.effects:
        if isinstance(effect, ChooseEffect) and effect.of == "skill":
            kept = choices.get(effect.key, ())
            picks.extend([kept] if isinstance(kept, str) else [str(pick) for pick in kept])
    return tuple(picks)


def known_skills(known: CampaignIndex, fighter: ForceFighter) -> frozenset[str]:
    """Every skill a fighter has, those picked through another skill included."""
    found: set[str] = set()
    for held in fighter.skills:
        found.add(held.skill)
        if held.skill in known.skills:
            found.update(skill_picks(known.skills[held.skill], held.choices))
    return frozenset(found)


def full_skills(known: CampaignIndex, force: Force, key: str) -> frozenset[str]:
    """The skills that as many fighters have as may have them, this one left aside."""
    limited = {skill.id: skill.most for skill in known.pack.skills if skill.most is not None}
    others = [known_skills(known, f) for f in force.fighters if f.active and f.key != key] if limited else []
    return frozenset(skill for skill, most in limited.items() if sum(skill in held for held in others) >= most)


def _of_items(known: CampaignIndex, kit: Iterable[ForceItem], fighter: str) -> Iterator[CarriedEffect]:
    for held in kit:
        item = known.items.get(held.item)
        for place, effect in enumerate(item.effects if item else ()):
            yield CarriedEffect(
                f"{fighter or 'stash'}-{held.key}-{place}", item.name if item else held.item, effect, fighter
            )


def _of_fighter(known: CampaignIndex, fighter: ForceFighter) -> Iterator[CarriedEffect]:
    profile = known.profiles.get(fighter.profile)
    if profile is not None:
        for place, effect in enumerate(profile.effects):
            yield CarriedEffect(f"{fighter.key}-profile-{place}", profile.name, effect, fighter.key)
        for ability_id in profile.abilities:
            ability = known.abilities.get(ability_id)
            for place, effect in enumerate(ability.effects if ability else ()):
                name = ability.name if ability else ability_id
                yield CarriedEffect(f"{fighter.key}-{ability_id}-{place}", name, effect, fighter.key)
    for taken in fighter.upgrades:
        for upgrade_id in (taken.upgrade, taken.option):
            upgrade = known.upgrades.get(upgrade_id)
            for place, effect in enumerate(upgrade.effects if upgrade else ()):
                name = upgrade.name if upgrade else upgrade_id
                yield CarriedEffect(f"{fighter.key}-{taken.key}-{upgrade_id}-{place}", name, effect, fighter.key)
    for learned in fighter.skills:
        skill = known.skills.get(learned.skill)
        if skill is None:
            continue
        for skill_id in (skill.id, *skill_picks(skill, learned.choices)):
            part = known.skills.get(skill_id)
            for place, effect in enumerate(part.effects if part else ()):
                name, kind = (part.name, part.kind) if part else (skill_id, "")
                yield CarriedEffect(f"{fighter.key}-{learned.key}-{skill_id}-{place}", name, effect, fighter.key, kind)
    for suffered in fighter.traumas:
        trauma = known.traumas.get(suffered.trauma)
        for place, effect in enumerate(trauma.effects if trauma else ()):
            name = trauma.name if trauma else suffered.trauma
            yield CarriedEffect(f"{fighter.key}-{suffered.key}-{place}", name, effect, fighter.key)
    yield from _of_items(known, fighter.kit, fighter.key)


def sources(known: CampaignIndex, force: Force) -> tuple[CarriedEffect, ...]:
    """Every effect at work in a warband: of its list's rules, its lasting finds, its active fighters and its stash."""
    found: list[CarriedEffect] = []
    for rule_id in known.lists[force.list].rules:
        rule = known.rules.get(rule_id)
        for place, effect in enumerate(rule.effects if rule else ()):
            found.append(CarriedEffect(f"rule-{rule_id}-{place}", rule.name if rule else rule_id, effect))
    for lasting_id in force.lasting:
        lasting = known.lasting.get(lasting_id)
        for place, effect in enumerate(lasting.effects if lasting else ()):
            found.append(
                CarriedEffect(f"lasting-{lasting_id}-{place}", lasting.name if lasting else lasting_id, effect)
            )
    for fighter in force.fighters:
        if fighter.active:
            found.extend(_of_fighter(known, fighter))
    found.extend(_of_items(known, force.stash, ""))
    return tuple(found)


def held(force: Force, item: str) -> int:
    """How many of an item the warband owns, carried by active fighters or in the stash; one lost and at work still counts as well."""
    carried = sum(1 for f in force.fighters if f.active for i in f.kit if i.item == item and i.origin != "mandatory")
    return carried + sum(1 for i in (*force.stash, *force.lost) if i.item == item)


def limit_of(known: CampaignIndex, force: Force, offer: ItemOffer) -> int | None:
    """The LIMIT of an armoury entry for this warband, with what raises it. None: any number."""
    limit = known.content.limit_of(offer.limit, offer.id, offer.item)
    return None if limit is None else limit + raised(examine(known.content, force), offer.id, offer.item)
