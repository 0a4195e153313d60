"""The quick reference of A Trench Too Far: one page in our own words.

The figures come from the printed tables and the rules of the table.

Source: A Trench Too Far core rules, "Orders", "Fire", "Saves", "Tolerance", "Disruption", "Assault", "Recover",
"Tanks", "End of turn".
"""

from __future__ import annotations

from typing import Any

from rules.custom.content import CustomContent
from rules.custom.reference import ReferencePart
from rules.formatting import signed
from rules.translation import gettext
from rules.trench_too_far.charts import (
    MOVEMENT,
    POSITIONS,
    PRONE_INCHES,
    QUALITIES,
    RELIABILITY,
    TANK_CLASSES,
    TANK_LEAST_INCHES,
    TANK_MOST_INCHES,
    TANK_WEAPON,
    TANK_WEAPONS,
    WEAPONS,
    ChartWeapon,
)
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import BACK_INCHES, DECIDES
from rules.trench_too_far.resolvers.attack_dice import save_number
from rules.trench_too_far.resolvers.fire import JAM_ONES
from rules.trench_too_far.resolvers.fire_inputs import SaveTarget
from rules.trench_too_far.resolvers.morale import BASE_GAP, COMMAND, LIGHT_COMMAND, LIGHT_GAP
from rules.trench_too_far.resolvers.orders import NEAR_ENEMY, TANK_NEAR
from rules.trench_too_far.resolvers.tanks import FIRST_TEST
from rules.trench_too_far.resolvers.targets import CLOSE_INCHES

ORDERS = (
    ("move", "Move"),
    ("fire", "Fire"),
    ("assault", "Assault"),
    ("advance", "Advance"),
    ("defend", "Defend"),
    ("recover", "Recover"),
)


def orders_of(content: CustomContent) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return each order with what platoons do, what weapons teams do, and the number they hit on."""
    no_fire = choice(content, "recover-fire") == "none"
    told = {
        "move": (f"move, march with no enemy within {NEAR_ENEMY}″, or retreat at that rate; one fires from where it stands", "all move but one that fires", "5+"),
        "fire": ("fire; one may move instead", "fire, special modes too; one may move instead", "5+"),
        "assault": ("assault at the March rate", "covering fire, or move", "5+"),
        "advance": ("move and fire, in either order", "HMG only if it stays; LMG moves and fires on 6, or stays on 5+; no special modes", "6"),
        "defend": ("stay; fire at the closest; no counterattack move", "the same", "5+"),
        "recover": ("test, replace, relocate 2″, remnants", "relocate 2″", "no fire" if no_fire else "5+"),
    }  # fmt: skip
    return tuple(
        (label, tuple(zip(("Platoons", "Teams", "Hits"), told[key], strict=True))) for key, label in ORDERS
    )  # fmt: skip


def reference_parts(content: CustomContent) -> tuple[ReferencePart, ...]:
    """Return the parts in the order of the page."""
    return (
        _activation(content),
        _orders(content),
        _disruption(content),
        _movement(),
        _saves(content),
        _fire(content),
        _tolerance(content),
        _weapons(),
        _assault(content),
        _tanks(content),
        _end(content),
    )


def _activation(content: CustomContent) -> ReferencePart:
    most = {"most": "more than half of its platoons", "any": "any of its platoons", "all": "all of its platoons"}[
        choice(content, "aggressive-company")
    ]
    return ReferencePart(
        "A company acts",
        lines=(
            ("First", "a D6 up to its number of Shocked platoons: Disrupted this turn. Held to Defend last turn: Defend."),
            ("Aggressive", f"({most}): it must Assault with an enemy within {NEAR_ENEMY}″ of its commander and fewer than half its bases in cover."),
            ("Disrupted", "an order but Defend and Recover needs 4+, else Defend. Ending on Defend, a 1 holds it there."),
            ("Spread", f"bases {BASE_GAP}″ apart at most, Light infantry {LIGHT_GAP}″, Close order touching; {COMMAND}″ from the command base, Light infantry {LIGHT_COMMAND}″. Else stranded."),
            ("Initiative", gettext("D6, +1 attacker, −1 mostly militia; higher chooses who begins, then companies in turn.")),
        ),
    )  # fmt: skip


def _orders(content: CustomContent) -> ReferencePart:
    rows = tuple((label, *(words for _, words in told)) for label, told in orders_of(content))
    return ReferencePart("Orders", ("", "Platoons", "Weapons teams", "Hits"), rows)


def _movement() -> ReferencePart:
    rows = tuple((rate.name, f"{rate.standard_inches:g}″", f"{rate.march_inches:g}″") for rate in MOVEMENT)
    return ReferencePart(
        "Movement",
        ("", "Move", "March, retreat"),
        (*rows, ("Prone, on foot", f"{PRONE_INCHES}″", "–"), ("Tank", f"{TANK_LEAST_INCHES}–{TANK_MOST_INCHES}″, its own", "–")),
    )  # fmt: skip


def _saves(content: CustomContent) -> ReferencePart:
    def save(**how: Any) -> str:
        number, _ = save_number(content, SaveTarget(**how))
        return "–" if number is None else f"{number}+"

    rows = tuple(
        (place.name, save(position=place.id), save(position=place.id, defend=True), save(position=place.id, indirect=True))
        for place in POSITIONS
    )  # fmt: skip
    return ReferencePart(
        "Saves",
        ("", "Save", "On Defend", "Indirect"),
        rows,
        (
            ("At least", f"snipers, scouts, remnants Prone {save(position='closed', always_prone=True)}; heavy teams Cover {save(position='closed', heavy_team=True)}. Overhead cover keeps {save(position='cover', indirect=True, overhead=True)} against indirect fire. A sniper leaves {save(sniper_shot=True)}."),
        ),
    )  # fmt: skip


def _fire(content: CustomContent) -> ReferencePart:
    special = "Fire orders only" if choice(content, "special-fire") == "fire" else "any order but Advance"
    free = (
        "spared by Heavy infantry, Raiders and teams that stay"
        if choice(content, "heavy-infantry-advance") == "all"
        else "spared by Raiders and teams that stay"
    )
    return ReferencePart(
        "Fire",
        lines=(
            ("5+ hits", gettext("6 on Advance ({free}), Shocked, harassing, sniper, refused assault, damaged vehicle. Artillery " "hits Close order on 4+.").format(free=free)),
            ("Target", f"within {CLOSE_INCHES}″ the closest; Shocked, Defending and stranded always the closest. A heavy team farther off: 4+ to make it out."),
            ("Rifle Drill", "on Fire +1 die, +2 at full strength."),
            ("Special", f"harassing and blind fire: {special}; blind from half the range on. An HMG with {JAM_ONES} natural 1s jams and is gone."),
        ),
    )  # fmt: skip


def _tolerance(content: CustomContent) -> ReferencePart:
    scope = "in the turn" if choice(content, "shock-scope") == "turn" else "of one attack"
    count = "before its losses" if choice(content, "tolerance-bases") == "before" else "left after its losses"
    return ReferencePart(
        "Tolerance and Shock",
        lines=(
            ("Tolerance", f"bases {count}; +1 Outstanding Officer, Determined, Veteran; +2 Stubborn, Defend; +1 trenches, unless flanked or under mortars or guns."),
            ("Shocked", f"with more attack dice {scope} than that; the first die of a platoon on Advance is free. Close order with two bases left shrugs it off on 5+."),
            ("Then", "it only moves straight away, fires at the closest on 6."),
        ),
    )  # fmt: skip


def _weapons() -> ReferencePart:
    def far(weapon: ChartWeapon) -> str:
        reach = "sight" if weapon.range_inches is None else f"{weapon.range_inches:g}″"
        return f"{reach} ({weapon.harassing_inches:g}″)" if weapon.harassing_inches else reach

    def dice(weapon: ChartWeapon) -> str:
        more = f", {weapon.close_attacks} to {weapon.close_range_inches:g}″" if weapon.close_attacks else ""
        return f"{weapon.attacks}{more}"

    rows, told = [], set()
    for weapon in WEAPONS:
        tank = TANK_WEAPON.get(weapon.id)
        told |= {tank.id} if tank else set()
        against = (
            (f"{tank.range_inches:g}″", str(tank.attacks), signed(tank.save_modifier)) if tank else ("–", "–", "–")
        )
        rows.append((weapon.name, far(weapon), dice(weapon), *against))
    for tank in TANK_WEAPONS:
        if tank.id not in told:
            rows.append((tank.name, "–", "–", f"{tank.range_inches:g}″", str(tank.attacks), signed(tank.save_modifier)))
    return ReferencePart("Weapons", ("", "Range", "Dice", "Tanks", "Dice", "Save"), tuple(rows))


def _assault(content: CustomContent) -> ReferencePart:
    beaten = "; a beaten attacker is not Shocked" if choice(content, "beaten-attacker") == "steady" else ""
    fall = "March" if choice(content, "fall-back") == "march" else "standard"
    return ReferencePart(
        "Assault",
        ("", "Dice"),
        (
            ("Each base", "1"),
            ("Cavalry", "2"),
            ("Assault, Veteran", "+1 each"),
            ("Once: Outstanding Officer, Grenades", "+1 each"),
            ("Each heavy weapons team", "+1"),
            ("Tank", "its machine guns, 1 at least"),
        ),
        (
            ("Go in", gettext("Fresh platoons do; others test morale, Close order +1, Aggressive as Stubborn. Refused: fire within 8″ on 6.")),
            ("Meet it", f"in the open test morale, or fall back a {fall} move, Shocked."),
            ("Fight", gettext("5+, Engineers and close combat weapons 4+; no saves. {decides} bases in one roll: the loser " "goes back {back_inches}″, Shocked{beaten}. If not, the opponent rolls.").format(decides=DECIDES, back_inches=BACK_INCHES, beaten=beaten)),
        ),
    )  # fmt: skip


def _disruption(content: CustomContent) -> ReferencePart:
    until = "a new commander" if choice(content, "leaderless-rally") == "replacement" else "a new commander, or a rally"
    return ReferencePart(
        "Disruption",
        ("", "When", "Until"),
        (
            ("Commander killed", "always", until),
            ("Heavy guns, gas", "always", "rally or Recover"),
            (f"Medium guns, tank within {TANK_NEAR}″", "D6 5+", "rally or Recover"),
            ("Shocked platoons", "on activation", "end of the turn"),
        ),
    )


def _tanks(content: CustomContent) -> ReferencePart:
    saves = ", ".join(f"{rated.name.lower().removesuffix(' tank')} {rated.target}+" for rated in TANK_CLASSES)
    runs = ", ".join(f"{rated.name.lower()} {rated.target}+" for rated in RELIABILITY)
    again = "once more: Damaged" + (
        " (a Damaged one: destroyed)" if choice(content, "tank-cascade") == "cascades" else ""
    )
    return ReferencePart(
        "Tanks",
        ("D6", "Damage"),
        (
            ("1–2", f"immobilised; {again}"),
            ("3–4", "Damaged, hits on 6 only; once more: destroyed"),
            ("5–6", "destroyed"),
        ),
        (
            ("Save", gettext("{saves}; in assault −1 from Engineers and anti-tank rifles only.").format(saves=saves)),
            ("Moves", f"from turn {FIRST_TEST}: {runs}; −1 crossing a trench; failed: immobilised."),
        ),
    )  # fmt: skip


def _end(content: CustomContent) -> ReferencePart:
    quality = ", ".join(f"{rated.name} {rated.target}+" for rated in QUALITIES)
    recover = "" if choice(content, "disrupted-recover") == "test" else " unless Disrupted"
    return ReferencePart(
        "Recover, and the turn's end",
        lines=(
            ("Morale", f"{quality}."),
            ("Recover", gettext("Shocked platoons test{recover}; a new commander; 2″ moves; Disruption ends; a D6 for each " "infantry base lost, 5+ a Remnant.").format(recover=recover)),
            ("Turn end", gettext("5+ rallies each Shocked platoon of a company not Disrupted, then each Disrupted company with a commander. A 6 frees each immobilised vehicle. Tallies back to 0.")),
        ),
    )  # fmt: skip
