"""Fighter cards. Each shows one fighter in the shape that `components/fighter_card.html` renders."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.force import ForceFighter
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet, WeaponLine
from warbands.draft_context import mark_in_draft
from warbands.labels import word
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.formatting import sentence
from warbands.pages.roster import SKILL_KINDS, TRAUMA_KINDS, UPGRADE_KINDS, Roster


@dataclass(frozen=True, slots=True)
class Stat:
    """One characteristic. `state` is printed, raised or lowered."""

    label: str
    value: str
    state: str
    cause: str


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
class CardButton:
    """A menu entry: a link, or a form with one button if `post` is true. `opens_here`: where it stands, what it asks opens in place."""

    label: str
    href: str
    post: bool = False
    danger: bool = False
    fields: dict[str, str] = field(default_factory=dict, hash=False)
    opens_here: bool = False


@dataclass(frozen=True, slots=True)
class FighterCard:
    """One fighter as a dense block that opens in place. `state` is ready, problem, misses, captive, dead or readonly.

    `href` is the page on which the block is open, "" if its panel is in the page already. `panel` is what the open block shows.
    """

    pk: int
    key: str
    name: str
    href: str
    profile_name: str
    rating_words: str
    elite: bool
    leader: bool
    stats: tuple[Stat, ...]
    kit_words: str
    life_words: str
    problems: tuple[str, ...]
    state: str
    state_words: str
    draft_mark: str = ""  # new or changed, in a draft
    load_href: str = ""
    panel: object = None
    opened: bool = False


STATS_ON_A_CARD = 4


def card_of(roster: Roster, key: str, *, acts: bool) -> FighterCard:
    """Return one fighter of the roster as a closed block. No queries. `acts` says whether the reader may act on the warband."""
    fighter, row, sheet, view = roster.force.fighter(key), roster.row(key), roster.sheets[key], roster.views.get(key)
    problems = problem_words(roster, row)
    state, state_words = _state(roster, fighter, row, wrong=bool(problems), acts=acts)
    stats = stats_of(sheet)
    return FighterCard(
        pk=row.pk,
        key=f"fighter_card_{row.pk}",
        name=row.name,
        href=opened_href(roster.warband.pk, row.pk),
        load_href=href_of("fighter-show", row.pk) + "?part=panel",
        profile_name=profile_beside(row.name, sheet.profile_name),
        rating_words=sheet.rating_words,
        elite=bool(view and view.elite),
        leader=bool(view and view.leader),
        stats=stats[:STATS_ON_A_CARD] if roster.shops else stats,
        kit_words=_kit_words(roster, fighter, sheet),
        life_words=_life_words(roster, fighter, sheet),
        problems=problems,
        state=state,
        state_words=state_words,
        draft_mark=mark_in_draft(fighter),
    )


def _kit_words(roster: Roster, fighter: ForceFighter, sheet: FighterSheet) -> str:
    """Return what the fighter carries, in one line; in games without a shop the lines of its sheet."""
    if not roster.shops:
        return " · ".join(": ".join(filter(None, pair)) for pair in sheet.short)
    view = roster.views.get(fighter.key)
    return ", ".join(roster.item_name(item) for item in (view.kit if view else fighter.kit)) or _("No equipment yet")


def _life_words(roster: Roster, fighter: ForceFighter, sheet: FighterSheet) -> str:
    """Return experience, skills, upgrades, choices and scars, in one line."""
    upgrades, skills, scars = learned(roster, fighter)
    parts = [experience_short(sheet), ", ".join((*upgrades, *skills))]
    parts.append("; ".join(f"{name}: {words}" for name, words in sheet.chosen))
    if sheet.scars:
        count = ngettext("{count} scar", "{count} scars", sheet.scars).format(count=sheet.scars)
        parts.append(f"{count}: {', '.join(scars)}" if scars else count)
    return " · ".join(filter(None, parts))


def experience_short(sheet: FighterSheet) -> str:
    """Return the experience and when the next skill comes: "XP 6, skill at 7"; "" for fighters that gain none."""
    if sheet.experience is None or not sheet.experience_cap:
        return ""
    coming = next((n for n in sorted(sheet.advances_at) if n > sheet.experience), None)
    if coming is None:
        return _("XP {have}").format(have=sheet.experience)
    return _("XP {have}, skill at {coming}").format(have=sheet.experience, coming=coming)


def opened_href(warband: int | str, fighter: int | str) -> str:
    """Return the roster with this fighter open."""
    return f"{href_of('warband-show', warband)}?fighter={fighter}#fighter_card_{fighter}"


def learned(roster: Roster, fighter: ForceFighter) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names of a fighter's upgrades, skills and traumas."""
    name = roster.names.name
    return (
        tuple(name(upgrade.upgrade, *UPGRADE_KINDS) for upgrade in fighter.upgrades),
        tuple(name(skill.skill, *SKILL_KINDS) for skill in fighter.skills),
        tuple(name(trauma.trauma, *TRAUMA_KINDS) for trauma in fighter.traumas),
    )


def problem_words(roster: Roster, row: Fighter) -> tuple[str, ...]:
    """Return the problems of a fighter without the fighter's name, which is the heading above them."""
    found = roster.problems_by_fighter.get(str(row.pk), ())
    return tuple(capfirst(problem.message.removeprefix(f"{row.name}: ")) for problem in found)


def profile_and_rating(name: str, sheet: FighterSheet) -> str:
    """Return the profile and rating of a fighter, as shown beside its name: "Yeoman, 30 d"."""
    return ", ".join(filter(None, (profile_beside(name, sheet.profile_name), sheet.rating_words)))


def weapon_facts(line: WeaponLine) -> list[str]:
    """Return the range, hands and keywords of a weapon, as far as it has any."""
    hands = (
        ngettext("{count} hand", "{count} hands", int(line.hands_words)).format(count=line.hands_words)
        if line.hands_words.isdigit()
        else line.hands_words
    )
    return [text for text in (line.range_words, hands, line.keywords) if text not in ("", "-", "–")]


def stats_of(sheet: FighterSheet) -> tuple[Stat, ...]:
    return tuple(
        Stat(label, value, state, cause.removeprefix(f"{value} = ")) for label, value, state, cause in sheet.stats
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
        words=_("Experience {have} of {cap}").format(have=sheet.experience, cap=sheet.experience_cap),
        next_words=_("next skill at {coming}").format(coming=coming) if coming else _("no further skill"),
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
    return _("Add kit") if roster.shops else word(roster.warband.terms, "settle", _("Choices"))


def upgrades_href(roster: Roster, row: Fighter) -> str:
    """Return the address of a fighter's upgrades, "" if that page would be empty. No queries."""
    if not roster.shops:
        return ""
    fighter = roster.force.fighter(str(row.pk))
    has_any = fighter.upgrades or roster.upgrade_offers(fighter.key) or roster.choices_to_make(row)
    return href_of("upgrade-buy", row.pk) if has_any else ""


def _state(roster: Roster, fighter: ForceFighter, row: Fighter, *, wrong: bool, acts: bool) -> tuple[str, str]:
    if row.status == Fighter.Status.CAPTIVE:
        return "captive", sentence(row.left_reason or _("Held by the opponent"))
    if row.status != Fighter.Status.ACTIVE:
        return "dead", sentence(row.left_reason or row.get_status_display())
    if fighter.lifeless:
        return "misses", _("Lifeless until revived.")
    if fighter.misses_battle and fighter.misses_battle == roster.force.battles.next_number:
        return "misses", _("Misses the next battle.")
    if (spent := roster.sheets[fighter.key].spent_words) and fighter.active:
        return "misses", spent
    if wrong:
        return ("problem" if acts else "readonly"), ""
    return ("ready" if acts else "readonly"), ""
