"""Cards and sheets of a force with own profiles: one block for each unit, in the words of its own profile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.browse import RuleEntry
from rules.custom import browse
from rules.custom.browse import CustomGameBook
from rules.custom.check import points_limit, rating
from rules.custom.content import CustomContent
from rules.custom.force_rules import COUNT, ForceRules
from rules.custom.parse import slug
from rules.custom.post_battle import spent_words
from rules.custom.profiles import CustomProfile
from rules.custom.units import ForceUnit
from rules.force import Force, GainedWord
from rules.formatting import quantity
from rules.parts.choice import Choosing
from rules.parts.sheet import FighterSheet, RosterSheet
from rules.translation import gettext as _

POINTS = _("Points")  # shown as the worth of the unit, not as a characteristic


def points_words(points: int) -> str:
    """Return points as short text: "40 pts", "1 pt"; "" for none."""
    return quantity(points, "pt") if points else ""


def strength_words(unit: ForceUnit) -> str:
    """Return the members of the unit as text: "7 Rifleman, 1 NCO", and "5 of 7 Rifleman" if it carries losses."""
    parts = []
    for name, n in unit.counts.items():
        left = unit.left[name]
        parts.append(_("{left} of {n} {name}").format(left=left, n=n, name=name) if left < n else f"{n} {name}")
    return ", ".join(parts)


@dataclass(frozen=True)
class SheetWriter:
    """Writes the sheet of one force with one content."""

    rules: ForceRules
    content: CustomContent
    force: Force
    book: CustomGameBook

    def sheet(self) -> RosterSheet:
        """Return the sheet of the whole force. Units that left it come last."""
        rules, force = self.rules, self.force
        order = {kind.id: index for index, kind in enumerate(rules.kinds)}
        units = sorted(
            rules.units(force, active=False), key=lambda u: (not u.fighter.active, order.get(u.kind, len(order)))
        )
        made = [choosing for choosing in rules.force_choices(force) if choosing.chosen]
        settled = tuple(": ".join(_chosen(choosing)) for choosing in made)
        keywords = (word for unit in units if unit.fighter.active for word in rules.keywords(unit))
        return RosterSheet(
            title=force.name,
            list_words=str(force.choices.get("faction") or rules.list_name),
            edition_words=rules.name,
            figures=self._rating_figure(),
            limits=(),
            fighters=tuple(self._unit(unit) for unit in units),
            stash=(),
            notes=(((_("The force"), settled),) if settled else ()) + rules.force_notes(force),
            misses=None,
            glossary=self._glossary(keywords),
            next_battle=force.battles.next_number if force.mode == "campaign" else 0,
        )

    def _rating_figure(self) -> tuple[tuple[str, str], ...]:
        limit, points = points_limit(self.content, self.force), rating(self.rules.units(self.force)).ducats
        if limit is not None:
            return ((POINTS, _("{points} of {limit}").format(points=points, limit=limit)),)
        return ((POINTS, str(points)),) if points else ()

    def _unit(self, unit: ForceUnit) -> FighterSheet:
        rules = self.rules
        kind = next((kind for kind in rules.kinds if kind.id == unit.kind), None)
        card = rules.profiles.profile_card(
            CustomProfile(unit.profile, unit.kind, unit.profile_name, unit.data, version=unit.version)
        )
        keywords, weapons = rules.keywords(unit), rules.armed(self.force, unit)
        strength = ((_("Strength"), strength_words(unit)),) if unit.counts else ()
        carried = tuple((weapon.name, weapon.short_words or weapon.range_words) for weapon in weapons if weapon.carried)
        return FighterSheet(
            key=unit.key,
            name=unit.name,
            profile_name=unit.profile_name,
            role_words=card.subtitle,
            section=kind.plural if kind is not None else _("Units"),
            rating_words=points_words(unit.worth),
            stats=tuple(
                (label, value, "printed", "")
                for label, value in card.figures
                if label != POINTS and label not in rules.counted
            ),
            keywords=tuple(GainedWord(slug(word), word) for word in keywords),
            weapons=weapons,
            lines=(*strength, *rules.lines(unit, card)),
            status=unit.fighter.status,
            chosen=self._chosen_by(unit),
            glossary=self._glossary(keywords),
            spent_words=spent_words(self.content) if unit.spent else "",
            short=(*strength, *rules.short_lines(unit, card), *carried),
        )

    def _chosen_by(self, unit: ForceUnit) -> tuple[tuple[str, str], ...]:
        choices = unit.fighter.choices
        return tuple(
            _chosen(choosing)
            for choosing in self.rules.unit_choices(self.force, unit.fighter)
            if choices.get(choosing.asked.key) and not choosing.asked.key.startswith(COUNT)
        )

    def _glossary(self, names: Iterable[str]) -> tuple[RuleEntry, ...]:
        """Return our summaries of these names, if the game's rules pages have them."""
        return browse.glossary(self.book, names)


def _chosen(choosing: Choosing) -> tuple[str, str]:
    return choosing.asked.words.rstrip(".?"), ", ".join(choosing.chosen_words)
