"""Fighter cards: one fighter in the shape that `components/fighter_card.html` draws."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.text import capfirst

from rules.force import ForceFighter, GainedWord
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet
from warbands.idempotency import new_token
from warbands.labels import word
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.formatting import sentence
from warbands.pages.roster import ITEM_KINDS, KEYWORD_KINDS, SKILL_KINDS, TRAUMA_KINDS, UPGRADE_KINDS, Roster


@dataclass(frozen=True, slots=True)
class Stat:
    """One characteristic: `state` is printed, raised or lowered."""

    label: str
    value: str
    state: str
    cause: str


@dataclass(frozen=True, slots=True)
class CardWord:
    """A keyword with its rules page: `state` is printed, gained or lost."""

    name: str
    href: str
    state: str
    cause: str


@dataclass(frozen=True, slots=True)
class WordMeaning:
    """A keyword with our words for it and its rules page."""

    name: str
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class Box:
    """A box of experience; `advance` marks those where a skill falls due."""

    number: int
    filled: bool
    advance: bool


@dataclass(frozen=True, slots=True)
class Experience:
    """A row of boxes, and the same told in words."""

    boxes: tuple[Box, ...]
    words: str
    next_words: str = ""


@dataclass(frozen=True, slots=True)
class ScarBox:
    """A box for a scar; the last one is fatal."""

    filled: bool
    fatal: bool


@dataclass(frozen=True, slots=True)
class KitWord:
    """A carried piece with its rules page."""

    name: str
    href: str
    note: str


@dataclass(frozen=True, slots=True)
class CardButton:
    """An entry of a menu: a link, or a form with one button when `post`."""

    label: str
    href: str
    post: bool = False
    danger: bool = False
    fields: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class FighterCard:
    """One fighter as a card. `state`: ready, problem, changed, misses, captive, dead or readonly."""

    pk: int
    key: str
    name: str
    href: str
    profile_name: str
    rating_words: str
    elite: bool
    leader: bool
    role_words: str
    section: str
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
    facts: tuple[str, ...] = ()  # lines of the sheet that stand on the card, where nothing is carried
    asks_words: bool = False  # whether there are keywords whose meaning the fighter's page tells


STATS_ON_A_CARD = 4


def card_of(
    roster: Roster, key: str, *, acts: bool, changed: str = "", whole: bool = False, links: bool = True
) -> FighterCard:
    """One fighter of the roster as a card. No queries.

    `acts` adds what may be done; `whole` adds keywords and the base; without `links` nothing leads to the fighter's own page.
    """
    fighter, row, sheet, view = roster.force.fighter(key), roster.row(key), roster.sheets[key], roster.views.get(key)
    problems = problem_words(roster, row)
    state, words = _state(roster, fighter, row, bool(problems), changed)
    names = roster.names
    stats = stats_of(sheet)
    carried = view.kit if view else fighter.kit
    called = [roster.item_name(item) for item in carried]
    kit = tuple(
        KitWord(name, names.href(item.item, *ITEM_KINDS), "")
        for name, item in zip(called, carried, strict=True)
        if whole
    )
    return FighterCard(
        pk=row.pk,
        key=f"fighter_card_{row.pk}",
        name=row.name,
        href=href_of("fighter-show", row.pk) if links else "",
        profile_name=profile_beside(row.name, sheet.profile_name),
        rating_words=sheet.rating_words,
        elite=bool(view and view.elite),
        leader=bool(view and view.leader),
        role_words=sheet.role_words,
        section=sheet.section,
        stats=stats if whole or not roster.shops else stats[:STATS_ON_A_CARD],
        keywords=keyword_words(roster, sheet.keywords) if whole else (),
        kit=kit,
        kit_words=", ".join(called),
        upgrades=tuple(names.name(upgrade.upgrade, *UPGRADE_KINDS) for upgrade in fighter.upgrades),
        skills=tuple(names.name(skill.skill, *SKILL_KINDS) for skill in fighter.skills),
        chosen=tuple(f"{name}: {words}" for name, words in sheet.chosen),
        facts=tuple(f"{name}: {words}" if name and words else name or words for name, words in sheet.short),
        scars=tuple(names.name(trauma.trauma, *TRAUMA_KINDS) for trauma in fighter.traumas),
        scar_boxes=scar_boxes(sheet) if sheet.scars else (),
        experience=experience_of(sheet) if sheet.experience or (whole and sheet.experience is not None) else None,
        problems=problems,
        state=state if acts or state not in ("ready", "problem") else "readonly",
        state_words=words,
        acts=acts,
        kit_href=kit_href(roster, row) if acts else "",
        kit_label=kit_label(roster),
        more=menu_of(roster, row) if acts else (),
        glossary=meanings(roster, sheet) if whole else (),
        asks_words=links and not whole and bool(sheet.glossary),
    )


def meanings(roster: Roster, sheet: FighterSheet) -> tuple[WordMeaning, ...]:
    """The keywords that a fighter and its weapons name, once each, with our words."""
    return tuple(WordMeaning(entry.name, entry.words, roster.names.address(entry)) for entry in sheet.glossary)


def problem_words(roster: Roster, row: Fighter) -> tuple[str, ...]:
    """What is wrong with a fighter, without the name that stands over it."""
    found = roster.problems_by_fighter.get(str(row.pk), ())
    return tuple(capfirst(problem.message.removeprefix(f"{row.name}: ")) for problem in found)


def stats_of(sheet: FighterSheet) -> tuple[Stat, ...]:
    """The characteristics of a sheet line."""
    return tuple(
        Stat(label, value, state, cause.removeprefix(f"{value} = ")) for label, value, state, cause in sheet.stats
    )


def keyword_words(roster: Roster, words: tuple[GainedWord, ...]) -> tuple[CardWord, ...]:
    """Keywords with their rules pages."""
    names = roster.names
    return tuple(
        CardWord(
            word.name, names.href(word.id, *KEYWORD_KINDS) or names.href_of_name(word.name), word.state, word.cause
        )
        for word in words
    )


def experience_of(sheet: FighterSheet) -> Experience | None:
    """The experience boxes, None for fighters that gain none."""
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
    """The scar boxes, the last of them fatal."""
    if sheet.scars is None:
        return ()
    return tuple(ScarBox(n < sheet.scars, n == sheet.scar_limit) for n in range(sheet.scar_limit + 1))


def kit_href(roster: Roster, row: Fighter) -> str:
    """Where a fighter is equipped; where nothing is bought, what it may choose; "" where there is neither."""
    if roster.shops:
        return href_of("kit-buy", row.pk)
    if str(row.pk) in roster.choosing:
        return f"{href_of('choice-list', roster.warband.pk)}#choices_{row.pk}"
    return ""


def kit_label(roster: Roster) -> str:
    """What that page is called."""
    return "Kit" if roster.shops else word(roster.warband.terms, "settle", "Choices")


def upgrades_href(roster: Roster, row: Fighter, *, alone: bool = False) -> str:
    """The address of a fighter's upgrades; nothing where that page would be empty. No queries.

    `alone`: the page asks about no other fighter, so the rules are not asked about the others either.
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
    """What else may be done with a fighter on the roster."""
    pk, seen = row.pk, str(roster.warband.version)

    def post(label: str, name: str, **fields: str) -> CardButton:
        return CardButton(label, href_of(name, pk), post=True, fields={"seen": seen, "token": new_token(), **fields})

    upgrades = upgrades_href(roster, row)
    acts = [
        *([CardButton("Upgrades", upgrades)] if upgrades else []),
        CardButton("Rename", href_of("fighter-rename", pk)),
        CardButton("Note", href_of("fighter-note", pk)),
        post("Move up", "fighter-move", direction="up"),
        post("Move down", "fighter-move", direction="down"),
        CardButton("Copy", href_of("fighter-copy", pk)),
        CardButton("Part ways", href_of("fighter-dismiss", pk), danger=True),
    ]
    return tuple(acts)


def _state(roster: Roster, fighter: ForceFighter, row: Fighter, wrong: bool, changed: str) -> tuple[str, str]:
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
        return "problem", ""
    if changed == str(row.pk):
        return "changed", ""
    return "ready", ""
