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
    ("move", gettext("Move")),
    ("fire", gettext("Fire")),
    ("assault", gettext("Assault")),
    ("advance", gettext("Advance")),
    ("defend", gettext("Defend")),
    ("recover", gettext("Recover")),
)


def orders_of(content: CustomContent) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return each order with what platoons do, what weapons teams do, and the number they hit on."""
    no_fire = choice(content, "recover-fire") == "none"
    told = {
        "move": (gettext("move, march with no enemy within {near_enemy}″, or retreat at that rate; one fires from where "
"it stands").format(near_enemy=NEAR_ENEMY), gettext("all move but one that fires"), "5+"),
        "fire": (gettext("fire; one may move instead"), gettext("fire, special modes too; one may move instead"), "5+"),
        "assault": (gettext("assault at the March rate"), gettext("covering fire, or move"), "5+"),
        "advance": (gettext("move and fire, in either order"), gettext("HMG only if it stays; LMG moves and fires on 6, or stays on 5+; no special modes"), "6"),
        "defend": (gettext("stay; fire at the closest; no counterattack move"), gettext("the same"), "5+"),
        "recover": (gettext("test, replace, relocate 2″, remnants"), gettext("relocate 2″"), gettext("no fire") if no_fire else "5+"),
    }  # fmt: skip
    return tuple(
        (label, tuple(zip((gettext("Platoons"), gettext("Teams"), gettext("Hits")), told[key], strict=True))) for key, label in ORDERS
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
        gettext("A company acts"),
        lines=(
            (gettext("First"), gettext("a D6 up to its number of Shocked platoons: Disrupted this turn. Held to Defend last turn: Defend.")),
            (gettext("Aggressive"), gettext("({most}): it must Assault with an enemy within {near_enemy}″ of its commander and fewer than "
"half its bases in cover.").format(most=most, near_enemy=NEAR_ENEMY)),
            (gettext("Disrupted"), gettext("an order but Defend and Recover needs 4+, else Defend. Ending on Defend, a 1 holds it there.")),
            (gettext("Spread"), gettext("bases {base_gap}″ apart at most, Light infantry {light_gap}″, Close order touching; {command}″ "
"from the command base, Light infantry {light_command}″. Else stranded.").format(base_gap=BASE_GAP, light_gap=LIGHT_GAP, command=COMMAND, light_command=LIGHT_COMMAND)),
            (gettext("Initiative"), gettext("D6, +1 attacker, −1 mostly militia; higher chooses who begins, then companies in turn.")),
        ),
    )  # fmt: skip


def _orders(content: CustomContent) -> ReferencePart:
    rows = tuple((label, *(words for _, words in told)) for label, told in orders_of(content))
    return ReferencePart(gettext("Orders"), ("", gettext("Platoons"), gettext("Weapons teams"), gettext("Hits")), rows)


def _movement() -> ReferencePart:
    rows = tuple((rate.name, f"{rate.standard_inches:g}″", f"{rate.march_inches:g}″") for rate in MOVEMENT)
    return ReferencePart(
        gettext("Movement"),
        ("", gettext("Move"), gettext("March, retreat")),
        (*rows, (gettext("Prone, on foot"), f"{PRONE_INCHES}″", "–"), (gettext("Tank"), gettext("{tank_least_inches}–{tank_most_inches}″, its own").format(tank_least_inches=TANK_LEAST_INCHES, tank_most_inches=TANK_MOST_INCHES), "–")),
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
        gettext("Saves"),
        ("", gettext("Save"), gettext("On Defend"), gettext("Indirect")),
        rows,
        (
            (gettext("At least"), gettext("snipers, scouts, remnants Prone {save}; heavy teams Cover {save_2}. Overhead cover keeps "
"{save_3} against indirect fire. A sniper leaves {save_4}.").format(save=save(position='closed', always_prone=True), save_2=save(position='closed', heavy_team=True), save_3=save(position='cover', indirect=True, overhead=True), save_4=save(sniper_shot=True))),
        ),
    )  # fmt: skip


def _fire(content: CustomContent) -> ReferencePart:
    special = (
        gettext("Fire orders only") if choice(content, "special-fire") == "fire" else gettext("any order but Advance")
    )
    free = (
        gettext("spared by Heavy infantry, Raiders and teams that stay")
        if choice(content, "heavy-infantry-advance") == "all"
        else gettext("spared by Raiders and teams that stay")
    )
    return ReferencePart(
        gettext("Fire"),
        lines=(
            (gettext("5+ hits"), gettext("6 on Advance ({free}), Shocked, harassing, sniper, refused assault, damaged vehicle. Artillery " "hits Close order on 4+.").format(free=free)),
            (gettext("Target"), gettext("within {close_inches}″ the closest; Shocked, Defending and stranded always the closest. A heavy "
"team farther off: 4+ to make it out.").format(close_inches=CLOSE_INCHES)),
            (gettext("Rifle Drill"), gettext("on Fire +1 die, +2 at full strength.")),
            (gettext("Special"), gettext("harassing and blind fire: {special}; blind from half the range on. An HMG with {jam_ones} "
"natural 1s jams and is gone.").format(special=special, jam_ones=JAM_ONES)),
        ),
    )  # fmt: skip


def _tolerance(content: CustomContent) -> ReferencePart:
    scope = gettext("in the turn") if choice(content, "shock-scope") == "turn" else gettext("of one attack")
    count = (
        gettext("before its losses")
        if choice(content, "tolerance-bases") == "before"
        else gettext("left after its losses")
    )
    return ReferencePart(
        gettext("Tolerance and Shock"),
        lines=(
            (gettext("Tolerance"), gettext("bases {count}; +1 Outstanding Officer, Determined, Veteran; +2 Stubborn, Defend; +1 trenches, "
"unless flanked or under mortars or guns.").format(count=count)),
            (gettext("Shocked"), gettext("with more attack dice {scope} than that; the first die of a platoon on Advance is free. Close "
"order with two bases left shrugs it off on 5+.").format(scope=scope)),
            (gettext("Then"), gettext("it only moves straight away, fires at the closest on 6.")),
        ),
    )  # fmt: skip


def _weapons() -> ReferencePart:
    def far(weapon: ChartWeapon) -> str:
        reach = "sight" if weapon.range_inches is None else f"{weapon.range_inches:g}″"
        return f"{reach} ({weapon.harassing_inches:g}″)" if weapon.harassing_inches else reach

    def dice(weapon: ChartWeapon) -> str:
        more = (
            gettext(", {close_attacks} to {close_range_inches:g}″").format(
                close_attacks=weapon.close_attacks, close_range_inches=weapon.close_range_inches
            )
            if weapon.close_attacks
            else ""
        )
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
    return ReferencePart(
        gettext("Weapons"),
        ("", gettext("Range"), gettext("Dice"), gettext("Tanks"), gettext("Dice"), gettext("Save")),
        tuple(rows),
    )


def _assault(content: CustomContent) -> ReferencePart:
    beaten = gettext("; a beaten attacker is not Shocked") if choice(content, "beaten-attacker") == "steady" else ""
    fall = gettext("March") if choice(content, "fall-back") == "march" else "standard"
    return ReferencePart(
        gettext("Assault"),
        ("", gettext("Dice")),
        (
            (gettext("Each base"), "1"),
            (gettext("Cavalry"), "2"),
            (gettext("Assault, Veteran"), gettext("+1 each")),
            (gettext("Once: Outstanding Officer, Grenades"), gettext("+1 each")),
            (gettext("Each heavy weapons team"), "+1"),
            (gettext("Tank"), gettext("its machine guns, 1 at least")),
        ),
        (
            (gettext("Go in"), gettext("Fresh platoons do; others test morale, Close order +1, Aggressive as Stubborn. Refused: fire within 8″ on 6.")),
            (gettext("Meet it"), gettext("in the open test morale, or fall back a {fall} move, Shocked.").format(fall=fall)),
            (gettext("Fight"), gettext("5+, Engineers and close combat weapons 4+; no saves. {decides} bases in one roll: the loser " "goes back {back_inches}″, Shocked{beaten}. If not, the opponent rolls.").format(decides=DECIDES, back_inches=BACK_INCHES, beaten=beaten)),
        ),
    )  # fmt: skip


def _disruption(content: CustomContent) -> ReferencePart:
    until = (
        gettext("a new commander")
        if choice(content, "leaderless-rally") == "replacement"
        else gettext("a new commander, or a rally")
    )
    return ReferencePart(
        gettext("Disruption"),
        ("", gettext("When"), gettext("Until")),
        (
            (gettext("Commander killed"), "always", until),
            (gettext("Heavy guns, gas"), "always", gettext("rally or Recover")),
            (
                gettext("Medium guns, tank within {tank_near}″").format(tank_near=TANK_NEAR),
                "D6 5+",
                gettext("rally or Recover"),
            ),
            (gettext("Shocked platoons"), gettext("on activation"), gettext("end of the turn")),
        ),
    )


def _tanks(content: CustomContent) -> ReferencePart:
    saves = ", ".join(f"{rated.name.lower().removesuffix(' tank')} {rated.target}+" for rated in TANK_CLASSES)
    runs = ", ".join(f"{rated.name.lower()} {rated.target}+" for rated in RELIABILITY)
    again = gettext("once more: Damaged") + (
        gettext(" (a Damaged one: destroyed)") if choice(content, "tank-cascade") == "cascades" else ""
    )
    return ReferencePart(
        gettext("Tanks"),
        ("D6", gettext("Damage")),
        (
            ("1–2", gettext("immobilised; {again}").format(again=again)),
            ("3–4", gettext("Damaged, hits on 6 only; once more: destroyed")),
            ("5–6", "destroyed"),
        ),
        (
            (gettext("Save"), gettext("{saves}; in assault −1 from Engineers and anti-tank rifles only.").format(saves=saves)),
            (gettext("Moves"), gettext("from turn {first_test}: {runs}; −1 crossing a trench; failed: immobilised.").format(first_test=FIRST_TEST, runs=runs)),
        ),
    )  # fmt: skip


def _end(content: CustomContent) -> ReferencePart:
    quality = ", ".join(f"{rated.name} {rated.target}+" for rated in QUALITIES)
    recover = "" if choice(content, "disrupted-recover") == "test" else gettext(" unless Disrupted")
    return ReferencePart(
        gettext("Recover, and the turn's end"),
        lines=(
            (gettext("Morale"), f"{quality}."),
            (gettext("Recover"), gettext("Shocked platoons test{recover}; a new commander; 2″ moves; Disruption ends; a D6 for each " "infantry base lost, 5+ a Remnant.").format(recover=recover)),
            (gettext("Turn end"), gettext("5+ rallies each Shocked platoon of a company not Disrupted, then each Disrupted company with a commander. A 6 frees each immobilised vehicle. Tallies back to 0.")),
        ),
    )  # fmt: skip
