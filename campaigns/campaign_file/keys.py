"""Where keys of rows stand inside JSON: declared here for each field, so that a campaign file can mark them.

A place that is missing here would name another row on another server. `tests/unit/campaigns/test_campaign_file_keys.py`
plays with keys that can't be mistaken for other numbers, and finds each place that is not declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaigns.campaign_file.marks import escaped, mark_of

BATTLE, SIDE = "campaigns.Battle", "campaigns.Side"
EVENT, FIGHTER, ITEM = "warbands.Event", "warbands.Fighter", "warbands.Item"
PROFILE = "warbands.Profile"

Known = Callable[[str, int], bool]  # whether a campaign file has the row with this label and key


@dataclass(frozen=True, slots=True)
class Shape:
    """What stands at one place.

    A text or a number is read by `text`; an object by `keys`, and what it holds by `named`, `patterns` of names, and
    `values` for all others; a list by `places`, or by `each` for all that it holds.

    `text` are patterns with the label that each named group holds a key of. The first pattern that fits counts. Only a
    row of the file is meant where `sure` is not set: what stands there may be another number.
    """

    text: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()
    keys: Shape | None = None
    values: Shape | None = None
    named: Mapping[str, Shape] = field(default_factory=dict)
    patterns: tuple[tuple[re.Pattern[str], Shape], ...] = ()
    each: Shape | None = None
    places: tuple[Shape, ...] = ()
    sure: bool = True

    def at(self, name: str) -> Shape | None:
        """Return the shape of what stands under this name of an object."""
        if name in self.named:
            return self.named[name]
        return next((shape for pattern, shape in self.patterns if pattern.fullmatch(name)), self.values)

    def in_list(self, place: int) -> Shape | None:
        return self.places[place] if place < len(self.places) else self.each


def key(*labels: str, sure: bool = True) -> Shape:
    """The key of a row of one of these models, perhaps with a part of it: "12+3", as kit that came with a fighter."""
    return Shape(text=tuple((re.compile(r"(-?[0-9]+)(?:\+.*)?"), (label,)) for label in labels), sure=sure)


def within(pattern: str, *labels: str) -> Shape:
    return Shape(text=((re.compile(pattern, re.DOTALL), labels),))


def one_of(*shapes: Shape) -> Shape:
    return Shape(text=tuple(each for shape in shapes for each in shape.text), sure=all(s.sure for s in shapes))


def listed(shape: Shape) -> Shape:
    return Shape(each=shape)


def mapping(keys: Shape | None = None, values: Shape | None = None, **named: Shape) -> Shape:
    return Shape(keys=keys, values=values, named=named)


def either(*shapes: Shape) -> Shape:
    """A place where a text, an object and a list of these shapes may stand."""
    found: dict[str, Any] = {"text": (), "sure": all(shape.sure for shape in shapes)}
    for shape in shapes:
        found["text"] += shape.text
        found |= {name: getattr(shape, name) for name in ("keys", "values", "each") if getattr(shape, name) is not None}
        found["named"] = {**found.get("named", {}), **shape.named}
    return Shape(**found)


_side, _fighter, _item = key(SIDE), key(FIGHTER), key(ITEM)
_task = one_of(
    within(
        r"income-([0-9]+)-b([0-9]+)-(?:[a-z]+-)*?(?:advance|trauma|revived)-([0-9]+)(?:-.*)?", FIGHTER, BATTLE, FIGHTER
    ),
    within(r"(?:advance|casualty|trauma|teach|income|ransom|back|raise|newer|replace)-([0-9]+)(?:-.*)?", FIGHTER),
    within(r"used-([0-9]+)", ITEM),
)
# What an act added to a fighter has the act in its key: "b12-advance-5-2".
_source = one_of(
    within(r"b([0-9]+)-(?:[a-z]+-)*?(?:advance|trauma|revived)-([0-9]+)(?:-.*)?", BATTLE, FIGHTER),
    within(r"b([0-9]+)(?:-.*)?", BATTLE),
    within(r"(?:[a-z]+-)*?(?:advance|trauma|revived)-([0-9]+)(?:-.*)?", FIGHTER),
)
_battle_side = mapping(
    side=_side,
    took_part=listed(_fighter),
    out=listed(_fighter),
    out_by=mapping(_fighter, _side),
    losses=mapping(_fighter),
    deeds=listed(listed(key(FIGHTER, sure=False))),
    used_up=listed(_item),
)
_aftermath = mapping(battle=within(r"b([0-9]+)", BATTLE), mine=_battle_side, others=listed(_battle_side))
# What a player chose after a battle stands under the name of the question. Numbers stand under other names than these.
_some = key(FIGHTER, sure=False)
_answers = Shape(
    keys=within(r"([0-9]+):.*", FIGHTER),
    patterns=(
        (re.compile(r"(?:.*-)?(?:dice|shares)"), mapping(_fighter)),
        (
            re.compile(r"(?:.*-)?(?:who|patient|pupils?|given-up|freed|otherwise|die-[0-9]+|model-[0-9]+-[0-9]+)"),
            either(_fighter, listed(_fighter)),
        ),
        (re.compile(r"captor|attacker|decider"), _side),
        (re.compile(r".*link"), either(key(FIGHTER, ITEM, sure=False), listed(key(FIGHTER, ITEM, sure=False)))),
        (re.compile(r".*scars?"), either(_source, listed(_source))),
        (re.compile(r"reward-[0-9]+-[0-9]+"), key(ITEM, sure=False)),
    ),
    values=listed(_some),
)
_record = mapping(
    draws=mapping(_task),
    choices=mapping(_task, _answers),
    written=mapping(_task, key(EVENT)),
    before=mapping(_task, _aftermath),
)
_choices = mapping(
    link=either(key(FIGHTER, ITEM, sure=False), listed(key(FIGHTER, ITEM, sure=False))),
    company=_fighter,
    fireteams=listed(either(_fighter, listed(_fighter))),
)
_taken = mapping(_source, mapping(choices=_choices))
_report = mapping(
    winner=_side,
    points=mapping(_side),
    campaign_points=mapping(_side),
    places=mapping(_side),
    took_part=mapping(_side, listed(_fighter)),
    out=mapping(_side, mapping(_fighter, _side)),
    losses=mapping(_side, mapping(_fighter)),
    deeds=listed(Shape(places=(Shape(), _side, _fighter))),
    used=mapping(_side, listed(_item)),
)
# At the table one row may be several fighters ("12-2"), and a guest's fighters have the key of its side ("g3-1").
_at_table = one_of(within(r"([0-9]+)(?:[-+].*)?", FIGHTER), within(r"g([0-9]+)-.*", SIDE))
_facts = Shape(
    keys=one_of(within(r"near_([0-9]+)(?:[-+].*)?", FIGHTER), within(r"(?:militia|tp|chits)_([0-9]+)", SIDE)),
    named={"aimed": _at_table, "company": _fighter, "target": _at_table},
)
_table = mapping(
    sides=listed(mapping(key=_side, keeper=_side, facts=_facts)),
    fighters=listed(
        mapping(key=_at_table, of=_fighter, side=_side, out_by=_side, kit=listed(mapping(key=_item)), facts=_facts)
    ),
    deeds=listed(mapping(side=_side, fighter=_at_table)),
    initiative=_side,
    acting=_side,
    facts=_facts,
)
_act = mapping(
    state=_table,
    fighter=_at_table,
    target=_at_table,
    side=_side,
    keeper=_side,
    by=_side,
    item=_item,
    initiative=_side,
    acting=_side,
    attackers=mapping(_side),
    effects=listed(mapping(fighter=_at_table, by=_side, facts=_facts)),
    side_effects=listed(mapping(side=_side, facts=_facts)),
)

SHAPES: dict[str, Shape] = {
    "campaigns.Battle.muster": mapping(choices=mapping(values=mapping(attacker=_side, decider=_side))),
    "campaigns.PostBattle.aftermath": _aftermath,
    "campaigns.PostBattle.record": _record,
    "campaigns.Publication.left_out": listed(
        one_of(
            within(r"([0-9]+)-out-([0-9]+)", BATTLE, SIDE),
            within(r"([0-9]+)-died-([0-9]+)", BATTLE, FIGHTER),
            within(r"([0-9]+)-deed-.*-([0-9]+)", BATTLE, SIDE),
            within(r"([0-9]+)-.*", BATTLE),
        )
    ),
    "campaigns.Report.data": _report,
    "campaigns.ReportDraft.data": _report,
    "campaigns.Side.force": mapping(taken=listed(_fighter), kept_out=listed(_fighter), rolls=mapping(_fighter)),
    "campaigns.Table.state": _table,
    "campaigns.TableAct.data": _act,
    "campaigns.TableAct.touched": listed(_at_table),
    "warbands.Event.data": mapping(task=_task, undoings=listed(key(EVENT)), belongs_to=key(EVENT)),
    "warbands.Event.occasion": within(r"battle:([0-9]+)", BATTLE),
    "warbands.Fighter.offer_id": within(r".*--([0-9]+)", PROFILE),
    "warbands.Fighter.profile_id": within(r".*--([0-9]+)", PROFILE),
    "warbands.Fighter.state": mapping(choices=_choices, skills=_taken, traumas=_taken, upgrades=_taken),
    "warbands.ImportedFile.brought": mapping(pks=listed(_fighter)),
    "warbands.Item.state": mapping(choices=_choices),
    "warbands.Promise.data": mapping(fighter=_fighter, battle=within(r"b([0-9]+)", BATTLE)),
    "warbands.Snapshot.problems": listed(mapping(fighter_key=_fighter, item_key=_item)),
    "warbands.Snapshot.sheet": mapping(fighters=listed(mapping(key=_fighter))),
    "warbands.Warband.state": mapping(choices=_choices, lasting=mapping(_source, mapping(choices=_choices))),
}


# JSON that holds no key of a row.
KEYLESS = frozenset(
    {
        "campaigns.Campaign.settings",
        "campaigns.CampaignPreset.data",
        "campaigns.PostBattle.done",
        "campaigns.ReportDraft.unread",
        "campaigns.TableAct.dice",  # the identity of a sealed throw is what it was rolled from, with the keys of then
        "warbands.PrintSetup.options",
        "warbands.Profile.data",
        "warbands.Snapshot.document",
        "warbands.Terms.coming",
        "warbands.Terms.house_rules",
        "warbands.Terms.overlays",
        "warbands.Terms.pins",
    }
)


def marked(where: str, value: Any, known: Known, path: tuple[str, ...] = ()) -> Any:
    """Return a value of a field ("app.Model.field") with its keys marked. `path` leads to it inside the field's JSON."""
    shape = SHAPES.get(where)
    for name in path:
        shape = shape.at(name) if shape is not None else None
    return _marked(shape, value, known)


def marked_path(where: str, path: str, known: Known) -> str:
    """Return a path inside a field's JSON with its keys marked."""
    shape, names = SHAPES.get(where), []
    for name in path.split("/") if path else ():
        names.append(_text(shape.keys if shape is not None else None, name, known))
        shape = shape.at(name) if shape is not None else None
    return "/".join(map(str, names))


def _marked(shape: Shape | None, value: Any, known: Known) -> Any:
    if isinstance(value, dict):
        return {
            _text(shape.keys if shape is not None else None, name, known): _marked(
                shape.at(name) if shape is not None else None, inner, known
            )
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [
            _marked(shape.in_list(place) if shape is not None else None, each, known)
            for place, each in enumerate(value)
        ]
    if isinstance(value, str):
        return _text(shape, value, known)
    if isinstance(value, int) and not isinstance(value, bool) and shape is not None and shape.text and shape.sure:
        return mark_of(shape.text[0][1][0], value, number=True)
    return value


def _text(shape: Shape | None, text: str, known: Known) -> str:
    for pattern, labels in shape.text if shape is not None else ():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        places = [(found.span(group), label) for group, label in enumerate(labels, 1) if found[group] is not None]
        if not shape.sure and not all(known(label, int(text[a:b])) for (a, b), label in places):  # type: ignore[union-attr]
            continue
        written, at = "", 0
        for (start, end), label in places:
            written += escaped(text[at:start]) + mark_of(label, text[start:end])
            at = end
        return written + escaped(text[at:])
    return escaped(text)
