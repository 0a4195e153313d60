"""Validation of a report's data: sides, points, who took part, who was taken out and by whom, deeds, and kit used up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, Side
from campaigns.scenarios import deeds_of, open_to
from campaigns.services.common import live_sides, side_name
from rules.parts.battle import DeedChoice
from rules.problems import Refusal
from warbands.models import Fighter, Item
from warbands.parsing import read_number

MAX_POINTS = 999
OUTCOMES = ("won", "drawn", "none")
KEYS = {
    "winner",
    "outcome",
    "points",
    "campaign_points",
    "places",
    "took_part",
    "out",
    "losses",
    "deeds",
    "used",
    "words",
}


def checked_report(battle: Battle, data: Mapping[str, Any], sides: Sequence[Side] | None = None) -> dict[str, Any]:
    """Return the report's data in the form in which it is stored, with defaults filled in. At most four queries.

    The mustered force took part unless the data say otherwise. An illegal roster is accepted; a report that
    contradicts itself is not.

    Raises Refusal with a message that names the field.
    """
    sides = list(sides) if sides is not None else live_sides(battle)
    unknown = set(data) - KEYS
    if unknown:
        raise Refusal(_("A report has no “{field}”.").format(field=sorted(unknown)[0]), code="unknown-field")
    by_key = {str(side.pk): side for side in sides}
    winner, outcome = _winner(data, by_key)
    took_part = _took_part(data.get("took_part") or {}, by_key)
    places = _places(data.get("places") or {}, by_key, winner)
    losses = _losses(data.get("losses") or {}, by_key, took_part)
    return {
        "winner": winner,
        "outcome": outcome,
        **({"places": places} if places else {}),
        "points": _points(data.get("points") or {}, by_key, _("Victory points"), "points"),
        "campaign_points": _points(data.get("campaign_points") or {}, by_key, _("Campaign points"), "extra"),
        "took_part": took_part,
        "out": _out(data.get("out") or {}, by_key, took_part),
        **({"losses": losses} if losses else {}),
        "deeds": _deeds(battle, data.get("deeds") or (), by_key, took_part),
        "used": _used(data.get("used") or {}, by_key),
        "words": str(data.get("words") or "").strip()[:2000],
    }


def placing(data: Mapping[str, Any], sides: Sequence[Side]) -> dict[str, int]:
    """Return the place of each side by side id: as reported, else the winner first and the others by points. Equal points share a place."""
    told = data.get("places") or {}
    if told:
        return {str(key): int(place) for key, place in told.items()}
    points, winner = data.get("points", {}), data.get("winner")
    ranks = {str(side.pk): (str(side.pk) == winner, int(points.get(str(side.pk), 0))) for side in sides}
    return {key: 1 + sum(1 for other in ranks.values() if other > mine) for key, mine in ranks.items()}


def mustered(side: Side) -> tuple[str, ...]:
    """Return the keys of the fighters that a side musters: the chosen ones except those that a roll keeps out."""
    kept_out = side.force.get("kept_out", [])
    return tuple(key for key in side.force.get("taken", ()) if key not in kept_out)


def roster_keys(side: Side) -> dict[str, str]:
    """Return the fighters that a report may name for a side, as a dict of key to name. One query."""
    if side.warband_id is None:
        return {}
    rows = Fighter.objects.live().filter(warband=side.warband_id).exclude(status=Fighter.Status.RETURNED)
    return {str(pk): name for pk, name in rows.values_list("pk", "name")}


def _winner(data: Mapping[str, Any], sides: Mapping[str, Side]) -> tuple[str | None, str]:
    winner = data.get("winner")
    winner = str(winner) if winner not in (None, "") else None
    outcome = str(data.get("outcome") or ("won" if winner else "drawn"))
    if outcome not in OUTCOMES:
        raise Refusal(_("Result: “{outcome}” is not one of the choices.").format(outcome=outcome), code="winner")
    if outcome == "won" and winner is None:
        raise Refusal(_("Result: choose who won."), code="winner")
    if winner is not None and winner not in sides:
        raise Refusal(_("Result: the winner is not one of the sides."), code="winner")
    if outcome != "won":
        winner = None
    return winner, outcome


def _places(given: Mapping[str, Any], sides: Mapping[str, Side], winner: str | None) -> dict[str, int]:
    wanted = {str(key): value for key, value in given.items() if value not in (None, "")}
    if not wanted:
        return {}
    places: dict[str, int] = {}
    for key in sides:
        label = _("Place of {side}").format(side=side_name(sides[key]))
        try:
            places[key] = int(wanted.pop(key, 0))
        except (TypeError, ValueError):
            places[key] = 0
        if not 1 <= places[key] <= len(sides):
            raise Refusal(
                _("{label}: enter a whole number from 1 to {most}.").format(label=label, most=len(sides)),
                code="places",
                field=f"place_{key}",
            )
    if wanted:
        _side(next(iter(wanted)), sides, _("Places"))
    if winner is not None and [key for key, place in places.items() if place == 1] != [winner]:
        raise Refusal(
            _("Places: {side} won, so only it can be first.").format(side=side_name(sides[winner])),
            code="places",
            field=f"place_{winner}",
        )
    return places


def _points(given: Mapping[str, Any], sides: Mapping[str, Side], label: str, field: str) -> dict[str, int]:
    points = dict.fromkeys(sides, 0)
    for key, value in given.items():
        side = _side(key, sides, label)
        try:
            number = int(value if value not in (None, "") else 0)
        except (TypeError, ValueError):
            number = -1
        if isinstance(value, bool) or not 0 <= number <= MAX_POINTS or (isinstance(value, float) and value != number):
            raise Refusal(
                _("{label} of {side}: enter a whole number from 0 to {most}.").format(
                    label=label, side=side_name(side), most=MAX_POINTS
                ),
                code="points",
                field=f"{field}_{key}",
            )
        points[str(key)] = number
    return points


def _took_part(given: Mapping[str, Any], sides: Mapping[str, Side]) -> dict[str, list[str]]:
    for key in given:
        _side(key, sides, _("Took part"))
    found: dict[str, list[str]] = {}
    for key, side in sides.items():
        keys = [str(k) for k in given[key]] if key in given else list(mustered(side))
        known = roster_keys(side) if keys else {}
        for fighter in keys:
            if fighter not in known:
                raise Refusal(
                    _("Took part: {side} has no such fighter.").format(side=side_name(side)), code="took-part"
                )
        found[key] = list(dict.fromkeys(keys))
    return found


def _out(
    given: Mapping[str, Any], sides: Mapping[str, Side], took_part: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {key: {} for key in sides}
    for key, fighters in given.items():
        side = _side(key, sides, _("Out of Action"))
        for fighter, by in dict(fighters).items():
            if str(fighter) not in took_part[str(key)]:
                raise Refusal(
                    _("Out of Action: a fighter named for {side} did not take part.").format(side=side_name(side)),
                    code="out",
                )
            by = "" if by in (None, "") else str(by)
            if by and by not in sides:
                raise Refusal(_("Out of Action: the side that did it isn't in this battle."), code="out-by")
            found[str(key)][str(fighter)] = by
    return found


def _losses(
    given: Mapping[str, Any], sides: Mapping[str, Side], took_part: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, dict[str, int]]]:
    """Return what rows of several models lost, by side, fighter and name, without zeros. One query per side."""
    losses: dict[str, dict[str, dict[str, int]]] = {}
    for key, rows in given.items():
        side = _side(key, sides, _("Losses"))
        claimed = {str(fighter): dict(lost) for fighter, lost in dict(rows).items() if lost}
        if not claimed or side.warband is None:
            continue
        terms, profiles = side.warband.terms, side.warband.terms.game.profiles
        numbers = [number for number in map(read_number, claimed) if number is not None]
        states = dict(Fighter.objects.filter(pk__in=numbers, warband=side.warband_id).values_list("pk", "state"))
        for fighter, lost in claimed.items():
            if fighter not in took_part[str(key)]:
                raise Refusal(
                    _("Losses: a fighter named for {side} did not take part.").format(side=side_name(side)),
                    code="losses",
                )
            parts = profiles.losable(terms.content, states[int(fighter)]) if profiles is not None else ()
            if row := _row_losses(parts, lost, f"lost_{key}_{fighter}"):
                losses.setdefault(str(key), {})[fighter] = row
    return losses


def _row_losses(parts: Sequence[tuple[str, str, int, int]], lost: Mapping[Any, Any], row_field: str) -> dict[str, int]:
    """Return how many of each part a row lost. `parts` are (id, name, left, full); `lost` names them by id or name.

    `row_field` begins the names of the row's fields.

    Raises Refusal for an unknown part or an invalid number.
    """
    names = {part: name for part, name, _, _ in parts} | {name: name for _, name, _, _ in parts}
    maximum = {name: full for _, name, _, full in parts}
    row = {}
    for part, value in lost.items():
        if value in (None, "", 0, "0"):
            continue
        name, number = names.get(str(part), ""), read_number(str(value))
        if not name:
            raise Refusal(_("Losses: “{part}” can't be lost there.").format(part=str(part)[:60]), code="losses")
        if number is None or number > maximum[name]:
            raise Refusal(
                _("Losses: {name}: enter a whole number from 0 to {most}.").format(name=name, most=maximum[name]),
                code="losses",
                field=f"{row_field}_{part}",
            )
        if number:
            row[name] = number
    return row


def _deeds(
    battle: Battle,
    given: Sequence[Sequence[Any]],
    sides: Mapping[str, Side],
    took_part: Mapping[str, Sequence[str]],
) -> list[list[str]]:
    if not given:
        return []
    known = {deed.id: deed for deed in deeds_of(battle)}
    deeds: dict[str, list[str]] = {}
    for entry in given:
        deed_id, key, fighter = str(entry[0]), str(entry[1]), str(entry[2] or "") if len(entry) > 2 else ""
        deed = known.get(deed_id)
        if deed is None:
            raise Refusal(_("Deeds: “{deed}” is not a deed of this battle.").format(deed=deed_id), code="deed")
        side = _side(key, sides, deed.name)
        if deed_id in deeds:
            raise Refusal(_("{deed}: only the first fighter gets it.").format(deed=deed.name), code="deed-twice")
        _refuse_deed(deed, side, fighter, took_part[key])
        deeds[deed_id] = [deed_id, key, "" if deed.by_warband else fighter]
    return list(deeds.values())


def _refuse_deed(deed: DeedChoice, side: Side, fighter: str, took_part: Sequence[str]) -> None:
    """Raise Refusal if this side or fighter cannot have done the deed. One query for a deed of one profile."""
    if not open_to(deed, side):
        words = _("{deed}: only the attacker can do it, and {side} defends.")
        if side.is_attacker:
            words = _("{deed}: only the defender can do it, and {side} attacks.")
        raise Refusal(words.format(deed=deed.name, side=side_name(side)), code="deed")
    if fighter and fighter not in took_part:
        raise Refusal(
            _("{deed}: the fighter named for {side} did not take part.").format(deed=deed.name, side=side_name(side)),
            code="deed",
        )
    if not fighter and not deed.by_warband and not side.is_guest:
        raise Refusal(
            _("{deed}: choose the fighter of {side} who did it.").format(deed=deed.name, side=side_name(side)),
            code="deed",
        )
    if deed.needs_profile and not _is_of(deed.needs_profile, fighter):
        raise Refusal(
            _("{deed} is not open to the fighter named for {side}.").format(deed=deed.name, side=side_name(side)),
            code="deed",
        )


def _is_of(profile: str, fighter: str) -> bool:
    number = read_number(fighter)
    return number is not None and Fighter.objects.filter(pk=number, profile_id=profile).exists()


def _used(given: Mapping[str, Any], sides: Mapping[str, Side]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, items in given.items():
        side = _side(key, sides, _("Used up"))
        wanted = list(dict.fromkeys(str(item) for item in items))
        if not wanted:
            continue
        numbers = [number for number in map(read_number, wanted) if number is not None]
        held = set(
            Item.objects.live()
            .filter(warband=side.warband_id, pk__in=numbers)
            .exclude(status__in=[Item.Status.SOLD, Item.Status.RETURNED])  # used-up items may already be gone
            .values_list("pk", flat=True)
        )
        if len(numbers) != len(wanted) or not set(numbers) <= held:
            raise Refusal(
                _("Used up: {side} does not hold one of these pieces.").format(side=side_name(side)), code="used"
            )
        found[str(key)] = wanted
    return found


def _side(key: Any, sides: Mapping[str, Side], label: str) -> Side:
    side = sides.get(str(key))
    if side is None:
        raise Refusal(_("{label}: that is not one of the sides.").format(label=label), code="unknown-side")
    return side
