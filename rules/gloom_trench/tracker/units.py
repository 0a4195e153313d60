"""A unit at the table as the rules need it: its models with the number left of each sort, its figures, and the effect
of damage.

The facts `models`, `weapons`, `orders`, `rules` and the figures never change in a battle. The counted facts are
`<slug>_left`, `recorded_damage`, `waiting_damage` and `waiting_models`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.parse import slug
from rules.gloom_trench.resolvers import dice, saves, units
from rules.gloom_trench.resolvers.activation import is_tested
from rules.resolvers.normaliser import plain
from rules.tracker.state import TableFighter
from rules.translation import gettext as _

STRESS = "stress"
FIGURES = ("combat", "damage", "defence", "save", "wounds", "command")
OBSCURING = "obscuring"
BANDS = ("short", "medium", "long")


def _names(row: Mapping[str, Any], key: str = "keywords") -> list[str]:
    return [str(name) for name in row.get(key) or ()]


def unit_facts(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the tracker stores of a unit, from its view's facts.

    The facts are `kind`, `data`, `counts`, `left`, `weapons`, `formation_points` and `scale`.
    """
    data = told.get("data") or {}
    models = _models(told, data.get("models") or ())
    rules = data.get("special_rules") or ()
    return {
        **{figure: data.get(figure) for figure in FIGURES},
        "tactics": data.get("tactics_range"),
        "keywords": _names(data),
        "models": models,
        "weapons": [_weapon(row) for row in data.get("weapons") or ()],
        "orders": [{"name": str(row["name"])} for row in data.get("unit_orders") or ()],
        "rules": [{"name": str(row["name"]), "effect": str(row.get("effect") or "")} for row in rules],
        "formation_points": int(told.get("formation_points") or 0),
        "scale": str(told.get("scale") or ""),
        **laid_facts(models),
    }


def _models(told: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the sorts of model that came, with the number left of each."""
    counts, left, weapons = (told.get(key) or {} for key in ("counts", "left", "weapons"))
    models: dict[str, dict[str, Any]] = {}
    for row in rows:
        name = str(row["name"])
        came = int(counts.get(name, 0))
        standing = min(int(left.get(name, came)), came)
        if standing and name not in models:
            models[name] = {
                "slug": slug(name),
                "name": name,
                "full": standing,
                "leader": bool(row.get("squad_leader")),
                "weapon": weapons.get(name, ""),
                "keywords": _names(row),
                **{figure: row[figure] for figure in FIGURES if row.get(figure) not in (None, "")},
            }
    return list(models.values())


def laid_facts(models: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the counted figures and states of a unit at the start of a battle."""
    return {
        **{f"{model['slug']}_left": model["full"] for model in models},
        "recorded_damage": 0, "recorded_on": "", "waiting_damage": 0, "waiting_models": 0, "waiting_bound": -1, "dug_in": False,
        "morale_due": 0, "keeps_to": "", "owed": {}, "opposed": "", "aimed": "",
    }  # fmt: skip


def _weapon(row: Mapping[str, Any]) -> dict[str, Any]:
    bands = [
        [row[f"{band}_range"], row[f"{band}_die"]]
        for band in BANDS
        if row.get(f"{band}_range") and row.get(f"{band}_die")
    ]
    told = {"name": str(row["name"]), "bands": bands, "dice": int(row.get("dice_per_model") or 1)}
    return {**told, "special": str(row["special"])} if row.get("special") else told


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of model within a unit: how many it came with and how many are left."""

    slug: str
    name: str
    full: int
    left: int
    leader: bool
    weapon: str
    wounds: int
    told: Mapping[str, Any]

    @property
    def words(self) -> str:
        """Return the strength as text: "5 of 7 Rifle"."""
        return (
            _("{left} of {full} {what}").format(left=self.left, full=self.full, what=self.name)
            if self.left < self.full
            else f"{self.full} {self.name}"
        )


@dataclass(frozen=True, slots=True)
class TrackedWeapon:
    """A weapon of some models of a unit, and how many of those models are left."""

    place: int
    name: str
    bands: tuple[tuple[float, dice.Die], ...]
    per_model: int
    bearers: int

    def die_at(self, distance: float) -> dice.Die | None:
        """Return the die at that distance, or None out of range."""
        return next((die for reach, die in self.bands if distance <= reach), None)

    @property
    def words(self) -> str:
        """Return the weapon as text: "Rifle: 8 D12, 16 D8"."""
        bands = ", ".join(f"{reach:g} {die}" for reach, die in self.bands)
        return f"{self.name}: {bands}" + (
            _(", {per_model} dice each").format(per_model=self.per_model) if self.per_model > 1 else ""
        )


@dataclass(frozen=True, slots=True)
class Allotted:
    """Allocated damage: models left by slug, the recorded damage and its sort, and what the owner still has to place."""

    left: Mapping[str, int]
    recorded: int
    on: str
    waiting: int


@dataclass(frozen=True, slots=True)
class Troop:
    """A unit in the tracker. A guest's unit without figures has no models; see `known`."""

    fighter: TableFighter

    @property
    def key(self) -> str:
        return self.fighter.key

    @property
    def name(self) -> str:
        return self.fighter.name

    @property
    def side(self) -> str:
        return self.fighter.side

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.fighter.facts

    @property
    def known(self) -> bool:
        """Return whether its figures are known."""
        return bool(self.facts.get("models"))

    @property
    def stress(self) -> int:
        return self.fighter.markers.get(STRESS, 0)

    @property
    def models(self) -> tuple[Sort, ...]:
        """Return its sorts of model in the order of the profile."""
        facts = self.facts
        usual = int(facts.get("wounds") or 1)
        return tuple(
            Sort(
                row["slug"], row["name"], row["full"], int(facts.get(f"{row['slug']}_left", 0)), row["leader"], row["weapon"],
                int(row.get("wounds") or usual), row,
            )
            for row in facts.get("models") or ()
        )  # fmt: skip

    @property
    def standing(self) -> tuple[Sort, ...]:
        """Return the sorts with at least one model left."""
        return tuple(model for model in self.models if model.left)

    @property
    def size(self) -> int:
        return sum(model.left for model in self.models)

    @property
    def capacity(self) -> int:
        """Return the damage that the unit can still take."""
        return sum(model.left * model.wounds for model in self.models) - int(self.facts.get("recorded_damage") or 0)

    @property
    def waiting(self) -> bool:
        facts = self.facts
        return self.fighter.fights and bool(facts.get("waiting_damage") or facts.get("waiting_models"))

    @property
    def owed(self) -> Mapping[str, Any]:
        """Return the saves that its owner has to make, {} for none (see `owed.owe`)."""
        return (self.facts.get("owed") or {}) if self.fighter.fights else {}

    @property
    def had_leader(self) -> bool:
        return any(model.leader for model in self.models)

    @property
    def has_leader(self) -> bool:
        return any(model.leader for model in self.standing)

    def has(self, keyword: str) -> bool:
        return any(plain(word) == plain(keyword) for word in self.facts.get("keywords") or ())

    @property
    def tactics(self) -> float | None:
        """Return the distance within which it lets others use their orders, or None if it does not."""
        told = self.facts.get("tactics")
        return float(told) if self.has("Commander") and told is not None else None

    @property
    def small(self) -> bool:
        return self.known and (self.has("Small Unit") or self.size <= units.SMALL_MOST)

    @property
    def weapons(self) -> tuple[TrackedWeapon, ...]:
        """Return the weapons of its models. A sort that names none carries the first."""
        rows = self.facts.get("weapons") or ()
        names = [str(row["name"]) for row in rows]
        bearers = [0] * len(rows)
        for model in self.standing:
            if rows:
                bearers[names.index(model.weapon) if model.weapon in names else 0] += model.left
        return tuple(
            TrackedWeapon(
                place, row["name"], tuple((reach, die) for reach, die in row["bands"]), row["dice"], bearers[place]
            )
            for place, row in enumerate(rows)
            if bearers[place] and row["bands"]
        )

    @property
    def orders(self) -> tuple[str, ...]:
        return tuple(row["name"] for row in self.facts.get("orders") or ())

    @property
    def obscurings(self) -> tuple[str, ...]:
        """Return its rules that make friends near it Obscured."""
        return tuple(row["name"] for row in self.facts.get("rules") or () if row["effect"] == OBSCURING)

    def figure(self, name: str) -> Any:
        """Return Save or Damage, which the rules use only for a whole unit.

        It is the models' value if all that are left share it.
        """
        found = {model.told.get(name, self.facts.get(name)) for model in self.standing}
        return found.pop() if len(found) == 1 else self.facts.get(name)

    @property
    def save(self) -> str:
        return self.figure("save") or "D6"

    @property
    def damage(self) -> int:
        """Return the damage that a failed save against it does in melee."""
        return int(self.figure("damage") or 1)

    def told(self) -> dict[str, Any]:
        """Return the unit as input of the rules. Its sorts are named by their slugs."""
        facts = self.facts
        return {
            "name": self.name[:120],
            "keywords": list(facts.get("keywords") or ())[:40],
            "models": [
                {
                    "name": model.slug, "count": model.left, "wounds": model.wounds,
                    **{figure: model.told[figure] for figure in ("command", "combat", "defence") if figure in model.told},
                }
                for model in self.standing
            ],
            **{figure: facts[figure] for figure in FIGURES if facts.get(figure) not in (None, "")},
            "save": self.save, "damage": self.damage, "stress": self.stress, "recorded_damage": int(facts.get("recorded_damage") or 0),
            "recorded_on": facts.get("recorded_on") or None, "dug_in": bool(facts.get("dug_in")),
        }  # fmt: skip

    def command(self, content: CustomContent) -> int:
        """Return the Command it uses."""
        own = self.facts.get("command")
        groups = tuple(
            units.Group(name=m.slug, count=m.left, command=m.told.get("command", own)) for m in self.standing
        )
        return units.unit_command(content, units.Unit(models=groups, command=own)) if groups else 0

    def tests(self, content: CustomContent) -> bool:
        """Return whether it would test for Stress if it were activated now."""
        return is_tested(content, self.command(content), self.stress, "none")

    def test_words(self, content: CustomContent) -> str:
        """Return the odds of its Stress Test, or "" if it takes none."""
        if not self.known or not self.tests(content):
            return ""
        flat = self.command(content) - self.stress
        plainly, pointed = dice.TargetThrow("D8", flat), dice.TargetThrow("D12", flat)
        words = (
            _("{need}+ on a D8, {percent}").format(need=plainly.need, percent=percent(plainly.odds)) if plainly.odds else _("a D8 cannot pass it")
        )  # fmt: skip
        more = (
            _("{need}+ on a D12, {percent}").format(need=pointed.need, percent=percent(pointed.odds))
            if pointed.odds
            else _("nor can a D12")
        )
        return _("Stress Test: {words}; with a point {more}").format(words=words, more=more)

    def hurt(self, damage: int, first: str = "", bound: int = -1) -> Allotted:
        """Return the damage as allocated: first where some is recorded, then to the named sort.

        The owner's decisions stay open.

        `bound`: models that can be lost (the lighter part of mixed cover), -1 for any. Excess damage is lost.
        """
        models = self.models
        left = {model.slug: model.left for model in models}
        recorded, on = int(self.facts.get("recorded_damage") or 0), str(self.facts.get("recorded_on") or "")
        if not recorded:
            on = ""
        while damage > 0 and any(left.values()) and bound != 0:
            whom = _next_hurt(left, on if recorded else "", first)
            if not whom:
                return Allotted(left, recorded, on, damage)
            if whom == first and not (recorded and whom == on):
                first = ""
            place = next(place for place, model in enumerate(models) if model.slug == whom)
            groups = tuple(units.Group(name=m.slug, count=left[m.slug], wounds=m.wounds) for m in models)
            done = saves.allocated(
                groups, 1, recorded, place if recorded else None, damage, (place,), None if bound < 0 else bound
            )
            left[whom] -= done.lost[place]
            bound -= done.lost[place] if bound >= 0 else 0
            recorded, on = done.recorded, whom if done.recorded else ""
            damage = done.discarded
        return Allotted(left, recorded, on, 0)

    def words(self) -> str:
        """Return what is left of it as text: "5 of 7 Rifle, 1 NCO"."""
        return ", ".join(model.words for model in self.models)


def _next_hurt(left: Mapping[str, int], recorded_on: str, chosen: str) -> str:
    """Return the sort that takes damage next, or "" if the owner decides.

    It is the one with recorded damage, the chosen one, or the only one left.
    """
    standing = [slug for slug, count in left.items() if count]
    named = next((slug for slug in (recorded_on, chosen) if slug in standing), "")
    return named or (standing[0] if len(standing) == 1 else "")


def percent(share: Fraction | float) -> str:
    """Format a share as a percentage: "37.5 %"."""
    return f"{round(float(share) * 100, 1):g} %"
