"""The exact odds of every attack of one roster on another: each fighter, each weapon, each target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import msgspec

from rules.force import Force
from rules.game import Game, GameContent
from rules.parts.attacks import AttacksPart
from rules.parts.unit_attacks import MINE, THEIRS, UnitAsks, UnitAttacksPart
from rules.problems import Refusal
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _

DISTANCE = "distance"


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """One attack: who with what at whom, and the exact chance of every result.

    `chances` are by result; `parts` of a unit's attack are by what is counted, then by result. `told` are the answers that hold here.
    `left_out` are texts that the odds do not count, and `closed` says why there are none.
    """

    attacker: str
    attacker_profile: str
    weapon: str
    way: str
    target: str
    target_profile: str
    told: Mapping[str, str] = field(default_factory=dict, hash=False)
    chances: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    parts: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict, hash=False)
    causes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    closed: str = ""


def roster_odds(
    game: Game,
    content: GameContent,
    mine: Force,
    theirs: Force,
    told: Mapping[str, str],
    *,
    only: tuple[str, str] = ("", ""),
) -> Iterator[AttackOdds]:
    """Yield the odds of every attack of `mine` on `theirs`. `told` are answers about the table, by key; one that an attack does not
    ask for does not count there. `only` are the names of the one who attacks and of the one attacked, "" for all.

    Raises Refusal for a game whose attacks are described by hand, for an unknown name, and for an answer that no attack asks for.
    """
    if game.attacks is None and game.unit_attacks is None:
        raise Refusal(_("{game} has no odds between rosters.").format(game=game.name), code="no-odds")
    asked: set[str] = set()
    who, whom = (_keys(force, name) for force, name in zip((mine, theirs), only, strict=True))
    if game.attacks is not None:
        yield from _fighters(game, game.attacks, content, (mine, who), (theirs, whom), told, asked)
    elif game.unit_attacks is not None:
        yield from _units(game.unit_attacks, content, (mine, who), (theirs, whom), told, asked)
    if unknown := sorted(told.keys() - asked):
        words = _("No attack here asks for “{name}”. Asked for: {known}.")
        raise Refusal(words.format(name=unknown[0], known=", ".join(sorted(asked)) or "–"), code="no-choice")


def _fighters(
    game: Game,
    attacks: AttacksPart[GameContent],
    content: GameContent,
    mine: tuple[Force, Set[str]],
    theirs: tuple[Force, Set[str]],
    told: Mapping[str, str],
    asked: set[str],
) -> Iterator[AttackOdds]:
    (force, who), (targets, whom) = mine, theirs
    numbers = {name: _number(name, value) for name, value in told.items()}
    known: dict[bytes, Mapping[str, Fraction]] = {}
    for fighter in force.fighters:
        for arm in attacks.arms(content, force, fighter.key) if fighter.key in who else ():
            for target in targets.fighters:
                if target.key not in whom:
                    continue
                plan = attacks.situation(content, (force, fighter.key), arm.key, (targets, target.key), numbers)
                toggles = {toggle.key: toggle for toggle in plan.toggles}
                asked.update(toggles)
                key = msgspec.json.encode([plan.rule, plan.given], order="sorted")
                closed = ""
                try:
                    if key not in known:
                        known[key] = game.resolvers.odds(content, plan.rule, plan.given).outcomes
                except Refusal as refusal:
                    closed = str(refusal)
                yield AttackOdds(
                    attacker=fighter.name,
                    attacker_profile=game.profile_name(content, fighter.profile, fighter.state),
                    weapon=arm.name,
                    way=arm.words if arm.words == arm.kind else f"{arm.kind} {arm.words}".strip(),
                    target=target.name,
                    target_profile=game.profile_name(content, target.profile, target.state),
                    told={name: value for name, value in told.items() if name in toggles},
                    chances=known.get(key, {}),
                    causes=plan.causes,
                    left_out=tuple(words for _whose, words in plan.unreckoned),
                    closed=closed,
                )


def _keys(force: Force, name: str) -> frozenset[str]:
    """Return the keys of those that attack or are attacked. Raises Refusal if nobody has the name."""
    wanted = name.strip().casefold()
    keys = frozenset(row.key for row in force.fighters if row.active and (not wanted or row.name.casefold() == wanted))
    if wanted and not keys:
        known = ", ".join(row.name for row in force.fighters if row.active)
        raise Refusal(
            _("No one on the roster is called “{name}”. Known: {known}.").format(name=name.strip()[:40], known=known),
            code="unknown-name",
        )
    return keys


def _number(name: str, value: str) -> int:
    plain = {"true": "1", "false": "0"}.get(value, value).replace("−", "-")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
        raise Refusal(_("“{value}” is no whole number (at {name}).").format(value=value[:12], name=name), code="number")
    return int(plain)


def _units(
    part: UnitAttacksPart[GameContent],
    content: GameContent,
    mine: tuple[Force, Set[str]],
    theirs: tuple[Force, Set[str]],
    told: Mapping[str, str],
    asked: set[str],
) -> Iterator[AttackOdds]:
    """Yield the attacks of units, at each distance where none is told."""
    table = part.facing(content, mine[0], theirs[0])
    mine_units = [unit for unit in table.of(MINE) if unit.key.partition(":")[2] in mine[1]]
    their_units = [unit for unit in table.of(THEIRS) if unit.key.partition(":")[2] in theirs[1]]
    for unit in mine_units:
        for target in their_units:
            for way in part.ways(content, table, unit.key, target.key):
                asks = part.asks(content, table, unit.key, target.key, way.key)
                asked.update(ask.key for ask in asks)
                for answers in _distances(asks, told):
                    yield _unit(part, content, table, unit, target, (way.key, way.name), answers)


def _distances(asks: tuple[UnitAsks, ...], told: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the answers for each distance that is asked for, once where it is told or not asked for."""
    held = {ask.key: told[ask.key] for ask in asks if ask.key in told}
    for ask in asks:
        if ask.key in held and ask.answer(held) != held[ask.key].strip():
            words = _("“{value}” is no answer to {name}.").format(value=held[ask.key][:20], name=ask.key)
            known = ", ".join(value for value, _words in ask.options)
            raise Refusal(words, mend=_("Known: {known}.").format(known=known) if known else "", code="no-choice")
    distance = next((ask for ask in asks if ask.key == DISTANCE and ask.options), None)
    if distance is None or DISTANCE in held:
        yield held
        return
    for value, _words in distance.options:
        yield {**held, DISTANCE: value}


def _unit(
    part: UnitAttacksPart[GameContent],
    content: GameContent,
    table: TableState,
    unit: TableFighter,
    target: TableFighter,
    way: tuple[str, str],
    answers: Mapping[str, str],
) -> AttackOdds:
    key, name = way
    found = AttackOdds(unit.name, unit.profile_name, "", name, target.name, target.profile_name, told=answers)
    try:
        odds = part.odds(content, table, unit.key, target.key, key, answers)
    except Refusal as refusal:
        return replace(found, closed=str(refusal))
    return replace(
        found,
        chances=dict(odds.chances),
        parts={spread.label: dict(spread.shares) for spread in odds.spreads},
        causes=odds.causes,
        left_out=tuple(words for _whose, words in odds.unreckoned),
    )


def document_of(row: AttackOdds) -> dict[str, Any]:
    """Return a row as JSON: chances as fractions in lowest terms, and as percentages beside them."""

    def shares(found: Mapping[str, Fraction]) -> dict[str, str]:
        return {name: str(share) for name, share in found.items()}

    def percent(found: Mapping[str, Fraction]) -> dict[str, float]:
        return {name: round(float(share) * 100, 4) for name, share in found.items()}

    told: dict[str, Any] = {
        "attacker": row.attacker, "attacker_profile": row.attacker_profile, "weapon": row.weapon, "way": row.way,
        "target": row.target, "target_profile": row.target_profile, "told": dict(row.told),
    }  # fmt: skip
    if row.closed:
        return {**told, "closed": row.closed}
    if row.parts:
        told["parts"] = {
            label: {"outcomes": shares(found), "percent": percent(found)} for label, found in row.parts.items()
        }
    if row.chances or not row.parts:
        told |= {"outcomes": shares(row.chances), "percent": percent(row.chances)}
    return {**told, "causes": list(row.causes), "left_out": list(row.left_out)}
