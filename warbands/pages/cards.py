"""Fighter cards. Each shows one fighter in the shape that `components/fighter_card.html` renders."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.utils.text import capfirst

from rules.force import ForceFighter, GainedWord
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet, WeaponLine
from warbands.idempotency import new_token
from warbands.labels import word
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.formatting import plural, sentence
from warbands.pages.roster import ITEM_KINDS, KEYWORD_KINDS, SKILL_KINDS, TRAUMA_KINDS, UPGRADE_KINDS, Roster


@dataclass(frozen=True, slots=True)
class Stat:
    """One characteristic. `state` is printed, raised or lowered."""

    label: str
    value: str
    state: str
    cause: str


@dataclass(frozen=True, slots=True)
class CardWord:
    """A keyword with its rules page. `state` is printed, gained or lost."""

    name: str
    href: str
    state: str
    cause: str


@dataclass(frozen=True, slots=True)
class WordMeaning:
    name: str
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class Box:
    """An experience box. `advance` marks the boxes that give a skill."""

    number: int
    filled: bool
    advance: bool


@dataclass(frozen=True, slots=True)
class Experience:
    boxes: tuple[Box, ...]
    words: str
    next_words: str = ""


@dataclass(frozen=True, slots=True)
class ScarBox:
    filled: bool
    fatal: bool


@dataclass(frozen=True, slots=True)
class KitWord:
    name: str
    href: str
    note: str


@dataclass(frozen=True, slots=True)
class CardButton:
    """A menu entry: a link, or a form with one button if `post` is true."""

    label: str
    href: str
    post: bool = False
    danger: bool = False
    fields: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class FighterCard:
    """One fighter as a card. `state` is ready, problem, changed, misses, captive, dead or readonly."""

    pk: int
    key: str
    name: str
    href: str
    profile_name: str
    rating_words: str
    elite: bool
    leader: bool
    stats: tuple[Stat, ...]
    keywords: tuple[CardWord, ...]
    kit: tuple[KitWord, ...]
    kit_words: str
    upgrades: tuple[str, ...]
    skills: tuple[str, ...]
    chosen: tuple[str, ...]
    scars: tuple[str, ...]
    scar_boxes: tuple[ScarBox, ...]
    experience: Experience | None
    problems: tuple[str, ...]
    state: str
    state_words: str
    acts: bool
    kit_href: str
    more: tuple[CardButton, ...]
    glossary: tuple[WordMeaning, ...] = ()
    kit_label: str = "Kit"
    facts: tuple[str, ...] = ()  # lines of the sheet shown on the card if nothing is carried
    asks_words: bool = False  # whether the fighter's page explains keywords


STATS_ON_A_CARD = 4


def card_of(
    roster: Roster, key: str, *, acts: bool, changed: str = "", whole: bool = False, links: bool = True
) -> FighterCard:
    """Return one fighter of the roster as a card. No queries.

    `acts` adds the possible acts. `whole` adds keywords and the base. Without `links` nothing links to the fighter's own page.
    """
    fighter, row, sheet, view = roster.force.fighter(key), roster.row(key), roster.sheets[key], roster.views.get(key)
    names = roster.names
    problems = problem_words(roster, row)
    state, state_words = _state(roster, fighter, row, changed, wrong=bool(problems), acts=acts)
    upgrades, skills, scars = _learned(roster, fighter)
    carried = [(item, roster.item_name(item)) for item in (view.kit if view else fighter.kit)]
    card = FighterCard(
        pk=row.pk,
        key=f"fighter_card_{row.pk}",
        name=row.name,
        href=href_of("fighter-show", row.pk) if links else "",
        profile_name=profile_beside(row.name, sheet.profile_name),
        rating_words=sheet.rating_words,
        elite=bool(view and view.elite),
        leader=bool(view and view.leader),
        stats=stats_of(sheet),
        keywords=(),
        kit=(),
        kit_words=", ".join(name for _, name in carried),
        upgrades=upgrades,
        skills=skills,
        chosen=tuple(f"{name}: {words}" for name, words in sheet.chosen),
        facts=tuple(": ".join(filter(None, pair)) for pair in sheet.short),
        scars=scars,
        scar_boxes=scar_boxes(sheet) if sheet.scars else (),
        experience=experience_of(sheet) if sheet.experience else None,
        problems=problems,
        state=state,
        state_words=state_words,
        acts=acts,
        kit_href=kit_href(roster, row) if acts else "",
        kit_label=kit_label(roster),
        more=menu_of(roster, row) if acts else (),
        asks_words=links and bool(sheet.glossary),
    )
    if not whole:
        return replace(card, stats=card.stats[:STATS_ON_A_CARD]) if roster.shops else card
    return replace(
        card,
        keywords=keyword_words(roster, sheet.keywords),
        kit=tuple(KitWord(name, names.href(item.item, *ITEM_KINDS), "") for item, name in carried),
        experience=experience_of(sheet),
        glossary=meanings(roster, sheet),
        asks_words=False,
    )


def _learned(roster: Roster, fighter: ForceFighter) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    name = roster.names.name
    return (
        tuple(name(upgrade.upgrade, *UPGRADE_KINDS) for upgrade in fighter.upgrades),
        tuple(name(skill.skill, *SKILL_KINDS) for skill in fighter.skills),
        tuple(name(trauma.trauma, *TRAUMA_KINDS) for trauma in fighter.traumas),
    )


def meanings(roster: Roster, sheet: FighterSheet) -> tuple[WordMeaning, ...]:
    """Return the keywords of a fighter and its weapons, once each, with our summaries."""
    return tuple(WordMeaning(entry.name, entry.words, roster.names.address(entry)) for entry in sheet.glossary)


def problem_words(roster: Roster, row: Fighter) -> tuple[str, ...]:
    """Return the problems of a fighter without the fighter's name, which is the heading above them."""
    found = roster.problems_by_fighter.get(str(row.pk), ())
    return tuple(capfirst(problem.message.removeprefix(f"{row.name}: ")) for problem in found)


def profile_and_rating(name: str, sheet: FighterSheet) -> str:
    """Return the profile and rating of a fighter, as shown beside its name: "Yeoman, 30 d"."""
    return ", ".join(filter(None, (profile_beside(name, sheet.profile_name), sheet.rating_words)))


def weapon_facts(line: WeaponLine) -> list[str]:
    """Return the range, hands and keywords of a weapon, as far as it has any."""
    hands = plural(int(line.hands_words), "hand") if line.hands_words.isdigit() else line.hands_words
    return [text for text in (line.range_words, hands, line.keywords) if text not in ("", "-", "–")]


def stats_of(sheet: FighterSheet) -> tuple[Stat, ...]:
    return tuple(
        Stat(label, value, state, cause.removeprefix(f"{value} = ")) for label, value, state, cause in sheet.stats
    )


def keyword_words(roster: Roster, words: tuple[GainedWord, ...]) -> tuple[CardWord, ...]:
    names = roster.names
    return tuple(
        CardWord(
            word.name, names.href(word.id, *KEYWORD_KINDS) or names.href_of_name(word.name), word.state, word.cause
        )
        for word in words
    )


def experience_of(sheet: FighterSheet) -> Experience | None:
    """Return the experience boxes, None for fighters that gain no experience."""
    if sheet.experience is None or not sheet.experience_cap:
        return None
    due = set(sheet.advances_at)
    boxes = tuple(Box(n, n <= sheet.experience, n in due) for n in range(1, sheet.experience_cap + 1))
    coming = next((n for n in sorted(due) if n > sheet.experience), None)
    return Experience(
        boxes=boxes,
        words=f"experience {sheet.experience} of {sheet.experience_cap}",
        next_words=f"next skill at {coming}" if coming else "no further skill",
    )


def scar_boxes(sheet: FighterSheet) -> tuple[ScarBox, ...]:
    """Return the scar boxes. The last one is fatal."""
    if sheet.scars is None:
        return ()
    return tuple(ScarBox(n < sheet.scars, n == sheet.scar_limit) for n in range(sheet.scar_limit + 1))


def kit_href(roster: Roster, row: Fighter) -> str:
    """Return the page that equips a fighter; without a shop the page of its choices; "" if there is neither."""
    if roster.shops:
        return href_of("kit-buy", row.pk)
    if str(row.pk) in roster.choosing:
        return f"{href_of('choice-list', roster.warband.pk)}#choices_{row.pk}"
    return ""


def kit_label(roster: Roster) -> str:
    return "Kit" if roster.shops else word(roster.warband.terms, "settle", "Choices")


def upgrades_href(roster: Roster, row: Fighter, *, alone: bool = False) -> str:
    """Return the address of a fighter's upgrades, "" if that page would be empty. No queries.

    With `alone`, the page needs the upgrades of this fighter only, so the rules are not queried for the others.
    """
    if not roster.shops:
        return ""
    fighter = roster.force.fighter(str(row.pk))
    has_any = (
        fighter.upgrades
        or (bool(roster.upgrade_offers(fighter.key)) if alone else fighter.key in roster.upgradable)
        or roster.choices_to_make(row)
    )
    return href_of("upgrade-buy", row.pk) if has_any else ""


def menu_of(roster: Roster, row: Fighter) -> tuple[CardButton, ...]:
    pk, seen = row.pk, str(roster.warband.version)

    def post(label: str, name: str, **fields: str) -> CardButton:
        return CardButton(label, href_of(name, pk), post=True, fields={"seen": seen, "token": new_token(), **fields})

    upgrades = upgrades_href(roster, row)
    return (
        *([CardButton("Upgrades", upgrades)] if upgrades else []),
        CardButton("Rename", href_of("fighter-rename", pk)),
        CardButton("Note", href_of("fighter-note", pk)),
        post("Move up", "fighter-move", direction="up"),
        post("Move down", "fighter-move", direction="down"),
        CardButton("Copy", href_of("fighter-copy", pk)),
        CardButton("Part ways", href_of("fighter-dismiss", pk), danger=True),
    )


def _state(
    roster: Roster, fighter: ForceFighter, row: Fighter, changed: str, *, wrong: bool, acts: bool
) -> tuple[str, str]:
    if row.status == Fighter.Status.CAPTIVE:
        return "captive", sentence(row.left_reason or "Held by the other side")
    if row.status != Fighter.Status.ACTIVE:
        return "dead", sentence(row.left_reason or row.get_status_display())
    if fighter.lifeless:
        return "misses", "Lies lifeless until it is brought back."
    if fighter.misses_battle and fighter.misses_battle == roster.force.battles.next_number:
        return "misses", "Misses the next battle."
    if (spent := roster.sheets[fighter.key].spent_words) and fighter.active:
        return "misses", spent
    if wrong:
        return ("problem" if acts else "readonly"), ""
    if changed == str(row.pk):
        return "changed", ""
    return ("ready" if acts else "readonly"), ""
