"""The cards of the fighters at the table: figures, weapons, abilities and keywords, from the rosters that were made ready.

They are part of the page from the start, so that any fact of any fighter is read without a request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Campaign, Side
from campaigns.pages.tracker_board import TableView, roll_href
from rules.force import Force
from rules.parts.sheet import FighterSheet, WeaponLine
from rules.tracker.state import TableFighter
from warbands import rules_cache
from warbands.adapters import forces_of
from warbands.pages.cards import Stat, experience_short, stats_of, weapon_facts
from warbands.pages.widgets import Link

MAX_BRIEF = 3
SHORT_FIGURES = 8  # letters
LENGTHS = ("″", " mm", " MU")


@dataclass(frozen=True, slots=True)
class CardWeapon:
    """A weapon: its range and terms in a line, its rules in words, and the attacks that start from it."""

    name: str
    facts: str
    words: str
    acts: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class KeywordNote:
    """A keyword with its meaning. `id` is its anchor on the page."""

    id: str
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class TableCard:
    """What is known of one fighter. `keywords` stand once on the page, in `TablePage.keywords`; the card refers to them."""

    key: str
    name: str
    statline: tuple[Stat, ...]
    weapons: tuple[CardWeapon, ...]
    entries: tuple[tuple[str, str], ...]
    keywords: tuple[KeywordNote, ...]
    life_words: str
    kind: str = ""
    best: Link | None = None
    odds: Link | None = None

    @property
    def arms(self) -> str:
        """Return what it fights with, for its closed row on a wide screen."""
        far_first = sorted(self.weapons, key=lambda weapon: not weapon.facts[:1].isdigit())
        return ", ".join(weapon.name for weapon in far_first if weapon.facts)

    @property
    def brief(self) -> tuple[Stat, ...]:
        """Return the figures that stand in its closed row on a wide screen: the first ones that are no length."""
        return tuple(stat for stat in self.statline if not stat.value.endswith(LENGTHS))[:MAX_BRIEF]

    @property
    def figures(self) -> str:
        return " ".join(stat.value or "–" for stat in self.brief)

    @property
    def is_short(self) -> bool:
        """Return whether the figures stand alone in that row, and need little room."""
        return not self.arms and len(self.figures) <= SHORT_FIGURES


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a table by fighter, and every keyword that they name."""

    of: Mapping[str, TableCard] = field(default_factory=dict)
    keywords: tuple[KeywordNote, ...] = ()


def sides_shown(
    battle: Battle, sides: Sequence[Side], hands: Collection[str], *, by_code: bool = False
) -> frozenset[str]:
    """Return the sides whose rosters the reader of a table may see: their own, and what the campaign shows. No queries.

    Whoever reads the table of a battle under way may see both, as both are ready; but not with the link that is handed out to anybody.
    """
    known = {str(side.pk) for side in sides if side.warband is not None}
    is_ready = battle.status == Battle.Status.MUSTERED and not by_code
    if battle.campaign.rosters == Campaign.Rosters.OPEN or is_ready:
        return frozenset(known)
    return frozenset(known & set(hands))


def cards_of(view: TableView, sides: Sequence[Side], shown: Collection[str]) -> Cards:
    """Return the cards of these sides' fighters. Two queries, three if players write their own profiles."""
    warbands = {str(side.pk): side.warband for side in sides if side.warband is not None and str(side.pk) in shown}
    forces = forces_of(warbands.values())
    by_side = {key: (warband.terms, forces[warband.pk]) for key, warband in warbands.items()}
    tracker = view.tracker.bound(lambda key: by_side[key][1] if key in by_side else None)
    here = TableView(tracker, view.state, view.hands, view.here, view.campaign, view.offers)
    found: dict[str, TableCard] = {}
    for key, (terms, force) in by_side.items():
        sheets = _sheets(terms, force)
        for fighter in view.state.of(key):
            if fighter.row in sheets and not fighter.joined:
                found[fighter.key] = _card(here, fighter, sheets[fighter.row], sides[0].battle_id)
    named = {word.id: word for card in found.values() for word in card.keywords if word.words}
    return Cards(found, tuple(sorted(named.values(), key=lambda word: word.name)))


def _sheets(terms: object, force: Force) -> dict[str, FighterSheet]:
    return {row.key: row for row in rules_cache.sheet(terms.game, terms.content, force).fighters}  # type: ignore[attr-defined]


def _card(view: TableView, fighter: TableFighter, sheet: FighterSheet, battle: int) -> TableCard:
    told = dict(sheet.lines)
    acts = _attacks(view, fighter) if fighter.side in view.hands else {}
    weapons = [_weapon(line, told, acts.pop(line.name, ())) for line in sheet.weapons if line.carried]
    weapons += [CardWeapon(name, "", "", links) for name, links in acts.items()]
    armed = {weapon.name for weapon in weapons}
    if view.tracker.armaments(view.state, fighter):  # the panel shows them as they are now
        weapons = []
    card = TableCard(
        key=fighter.key,
        name=fighter.name,
        statline=tuple(stats_of(sheet)),
        weapons=tuple(weapons),
        entries=tuple((name, words) for name, words in sheet.lines if name not in armed and (name or words)),
        keywords=tuple(_keywords(sheet)),
        life_words=_life_words(sheet),
        best=_best_link(view, fighter),
        odds=_odds_link(view, fighter, battle),
    )
    return replace(card, kind=_kind(card, sheet))


def _kind(card: TableCard, sheet: FighterSheet) -> str:
    """Return a short word for all that a card tells but its name, equal for fighters who are alike."""
    arms = tuple((weapon.name, weapon.facts, weapon.words) for weapon in card.weapons)
    told = (sheet.profile_name, card.statline, arms, card.entries, card.keywords, card.life_words)
    return f"{crc32(repr(told).encode()):x}"


def _best_link(view: TableView, fighter: TableFighter) -> Link | None:
    """Return the link to the best attacks on a fighter, for a player whose game knows the odds."""
    game = view.campaign.terms.game
    if not view.hands or not fighter.fights or (game.attacks is None and game.unit_attacks is None):
        return None
    words = _("Who threatens it most?") if fighter.side in view.hands else _("My best shot at it")
    if game.unit_attacks is not None and fighter.side not in view.hands:
        words = _("My best answer to it")
    return Link(words, f"{view.here}?{urlencode({'best': fighter.key})}")


def _odds_link(view: TableView, fighter: TableFighter, battle: int) -> Link | None:
    """Return the link to a unit's odds as the table stands, against the target that it aimed at last."""
    if not view.hands or not fighter.fights or view.campaign.terms.game.unit_attacks is None:
        return None
    return Link(_("Odds"), f"{reverse('odds-show')}?{urlencode({'table': battle, 'mine': fighter.key})}")


def _attacks(view: TableView, fighter: TableFighter) -> dict[str, tuple[Link, ...]]:
    """Return the attacks of a fighter by the name of the weapon that they are made with."""
    found: dict[str, tuple[Link, ...]] = {}
    for offer in view.tracker.weapon_attacks(view.state, fighter):
        given = {"fighter": fighter.key, **offer.given}
        link = Link(offer.label, roll_href(view.here, offer.roll, given))
        found[offer.weapon] = (*found.get(offer.weapon, ()), link)
    return found


def _weapon(line: WeaponLine, told: Mapping[str, str], acts: tuple[Link, ...]) -> CardWeapon:
    facts = ", ".join(filter(None, (*weapon_facts(line)[:-1], line.effect_words, *weapon_facts(line)[-1:])))
    changed = _("Changed: {causes}.").format(causes="; ".join(line.causes)) if line.causes else ""
    return CardWeapon(line.name, facts, " ".join(filter(None, (told.get(line.name, ""), changed))), acts)


def _keywords(sheet: FighterSheet) -> Iterator[KeywordNote]:
    """Yield the keywords of a fighter, then those of what it carries. A lost keyword is left out."""
    words = {entry.name: entry.words for entry in sheet.glossary}
    for keyword in sheet.keywords:
        if keyword.state != "lost":
            yield _keyword(keyword.name, words.pop(keyword.name, ""))
        else:
            words.pop(keyword.name, None)
    for name, meaning in words.items():
        yield _keyword(name, meaning)


def _keyword(name: str, words: str) -> KeywordNote:
    return KeywordNote(f"w_{slugify(name)}", name, words)


def _life_words(sheet: FighterSheet) -> str:
    """Return experience, choices, scars and what it is immune to: "XP 6, skill at 7 · 1 scar"."""
    parts = [experience_short(sheet), *(f"{name}: {words}" for name, words in sheet.chosen)]
    if sheet.scars:
        parts.append(ngettext("{count} scar", "{count} scars", sheet.scars).format(count=sheet.scars))
    parts += [_("Not affected by {keyword}: {cause}").format(keyword=word, cause=cause) for word, cause in sheet.immune]
    return " · ".join(filter(None, parts))
