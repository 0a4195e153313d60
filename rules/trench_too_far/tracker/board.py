"""What the table shows of this game and offers: the board, prompts, words on units, and what each may do now."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.formatting import dice_words
from rules.tracker.rolls import Badge, BoardLine, Prompt, TableOffer
from rules.tracker.state import TableFighter, TableState
from rules.trench_too_far.charts import NAMES, QUALITY, RELIABLE, TANK_CLASS, WEAPON, moves
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.attack_dice import save_number
from rules.trench_too_far.resolvers.inputs import SaveTarget
from rules.trench_too_far.resolvers.several import strikes
from rules.trench_too_far.resolvers.tolerance import tolerance_of
from rules.trench_too_far.tracker.allowed import (
    ORDERS,
    PERMITS,
    active,
    barred_activation,
    barred_assault,
    barred_fire,
    barred_move,
    barred_prone,
    everybody_acted,
    is_ordered,
    waiting,
)
from rules.trench_too_far.tracker.assaults import (
    RECEPTION,
    fight_of,
    joinable,
    on_foot,
    sides_of,
    standing,
)
from rules.trench_too_far.tracker.companies import (
    closed_order,
    has_to_recover,
    is_keen,
    must_defend,
    needs_disruption_roll,
)
from rules.trench_too_far.tracker.move import ORDER_WORDS, POSITION_WORDS, percent
from rules.trench_too_far.tracker.platoons import inches, positions_open, ways_to_move
from rules.trench_too_far.tracker.turns import (
    CARDS,
    cards_left,
    left_open,
    rallies,
    rally_is_on,
)
from rules.trench_too_far.tracker.units import (
    FIRE,
    bases,
    commander_alive,
    disrupted,
    fighting,
    has,
    is_disrupted,
    is_fresh,
    is_heavy,
    is_outstanding,
    is_shocked,
    kind_of,
    leader_of,
    leaders,
    now,
    order_of,
    parts_of,
    platoon_of,
    remnant_dice,
    shocked_platoons,
    start_bases,
    type_of,
    vehicles,
)

DISRUPTED_WORDS = {
    "this-turn": "Disrupted this turn", "until-rallied": "Disrupted until it rallies", "until-replaced": "Disrupted until its commander is replaced",
}  # fmt: skip
MOST_NAMED = 4
MOST_LABEL = 40


# --- prompts


def prompts(content: HasReadings, state: TableState) -> Iterator[Prompt]:
    """What the table asks for now."""
    if state.facts.get("mode") != CARDS and not state.initiative and len(state.sides) > 1:
        yield Prompt("initiative", f"Turn {state.turn}: who has the initiative?", roll="initiative")
    yield from _fight_prompts(content, state)
    if rally_is_on(state):
        for side in state.sides:
            if rallies(content, state, side.key):
                yield Prompt(
                    "rally",
                    f"{side.name} rallies: Shocked platoons and Disrupted companies 5+, vehicles 6.",
                    side.key,
                    "rally",
                )
    done = everybody_acted(state) and bool(state.initiative or state.facts.get("mode") == CARDS)
    if done and not any(rally_is_on(state) and rallies(content, state, side.key) for side in state.sides):
        last = state.turn_limit and state.turn >= state.turn_limit
        yield Prompt(
            "limit",
            f"Turn {state.turn} is over{', and it was the last' if last else ''}. Look whether anybody has won.",
        )


def _fight_prompts(content: HasReadings, state: TableState) -> Iterator[Prompt]:
    fight = fight_of(state)
    if fight is None:
        return
    by, on = standing(state, fight["by"]), standing(state, fight["on"])
    if not by or not on:
        yield Prompt("alarm", "One side of the assault is gone.", roll="part")
    elif fight["step"] == RECEPTION:
        first = on[0]
        words = f"{by[0].name} assaults {first.name}: does it stand? {NAMES[platoon_of(state, first).quality]}, in the open a morale test."
        yield Prompt("alarm", words, first.side, "reception", {"fighter": first.key})
    else:
        both = sides_of(state)
        if both and both[0] and both[1] and any(kind_of(each) != TANKS for each in (*both[0], *both[1])):
            mine, theirs = both
            back = fight["step"] != "strike"
            words = f"{mine[0].name} strikes {'back at' if back else 'at'} {theirs[0].name}: {_blow_words(content, state, mine, theirs)}"
            if joinable(state):
                words += ' Friends within 6" may join first.'
            yield Prompt("alarm", words, mine[0].side, "blow", {"fighter": mine[0].key})
        else:
            yield Prompt("alarm", "Nobody is left to strike a blow.", roll="part")


def _blow_words(content: HasReadings, state: TableState, mine: list[TableFighter], theirs: list[TableFighter]) -> str:
    if not on_foot(theirs):
        return "each hit has its save, each failed one damages."
    groups = strikes(content, tuple(fighting(state, each) for each in mine))
    odds = {0: Fraction(1)}  # of 0, 1, and 2 or more hits
    for dice, hit in groups:
        for _ in range(dice):
            each = Fraction(7 - hit, 6)
            following: dict[int, Fraction] = {}
            for hits, share in odds.items():
                following[hits] = following.get(hits, Fraction(0)) + share * (1 - each)
                following[min(2, hits + 1)] = following.get(min(2, hits + 1), Fraction(0)) + share * each
            odds = following
    told = ", ".join(f"{dice_words(dice)} at {hit}{'' if hit == 6 else '+'}" for dice, hit in groups)
    ends = sum(
        (share for hits, share in odds.items() if hits >= min(2, sum(bases(each) for each in on_foot(theirs)))),
        Fraction(0),
    )
    return f"{told}; it is decided in {percent(ends)}."


# --- offers


def offers(content: HasReadings, state: TableState) -> Iterator[TableOffer]:
    """Rolls and moves on offer now."""
    yield from _table_offers(content, state)
    for fighter in state.fighters:
        yield from _unit_offers(content, state, fighter)


def _table_offers(content: HasReadings, state: TableState) -> Iterator[TableOffer]:
    cards = state.facts.get("mode") == CARDS
    current = active(state)
    if current:
        leader = state.fighter(current)
        if is_ordered(state, leader) and not fight_of(state):
            roll = "done-roll" if order_of(leader) == "defend" else "done"
            kind = "Company done" if kind_of(leader) == COMPANY else "Done"
            closed = ""
            if has_to_recover(state, leader):
                closed = "It was ordered to Recover. Roll that first."
                yield TableOffer(
                    "recover", "Recover", leader.side, given={"fighter": leader.key}, at_once=True, main=True
                )
            yield TableOffer(
                roll, kind, leader.side, given={"fighter": leader.key}, at_once=True, closed=closed, main=not closed
            )
        if fight_of(state):
            yield from _fight_offers(state)
            if joinable(state):
                fight = fight_of(state) or {}
                yield TableOffer("join", "Friends join", state.fighter(fight["on"][0]).side)
            yield TableOffer("part", "End the fight", at_once=True)
        return
    called = cards and any(now(state, each, "card") and not each.acted and each.fights for each in state.fighters)
    able = [each for side in state.sides for each in waiting(state, side.key) if not barred_activation(state, each)]
    if len(able) == 1:
        roll = "begin" if needs_disruption_roll(content, state, able[0]) else "activate"
        label = f"Activate {able[0].name}"[:MOST_LABEL]
        yield TableOffer(roll, label, able[0].side, given={"fighter": able[0].key}, at_once=True, main=True)
    if cards and cards_left(state) and not called:
        yield TableOffer("draw", "Draw a card", at_once=True, main=True)
        yield TableOffer("card", "A card of mine")
    if everybody_acted(state) and (state.initiative or cards):
        late = any(rally_is_on(state) and rallies(content, state, side.key) for side in state.sides)
        if not late and not (state.turn_limit and state.turn >= state.turn_limit):
            yield TableOffer("next-turn", f"Turn {state.turn + 1}", at_once=True, main=True)
        return
    if not cards and state.initiative:
        for side in state.sides:
            if side.key != state.acting and waiting(state, side.key):
                yield TableOffer("pass", f"{side.name} acts", given={"acts": side.key}, at_once=True)
    if state.initiative or cards:
        yield TableOffer("skip", f"End turn {state.turn} here", at_once=True, open=left_open(content, state))
    if not state.initiative:
        yield TableOffer("setup", "Set up")


def _fight_offers(state: TableState) -> Iterator[TableOffer]:
    """What is due in an assault, under the thumb of whoever has to roll it."""
    fight = fight_of(state) or {}
    both = sides_of(state)
    if fight["step"] == RECEPTION:
        first = state.fighter(fight["on"][0])
        works = first.facts.get("position") == "entrenched"
        yield TableOffer(
            "reception", "Does it stand?", first.side, given={"fighter": first.key}, at_once=works, main=True
        )
    elif both and both[0] and on_foot([*both[0], *both[1]]):
        label = "Strike" if fight["step"] == "strike" else "Strike back"
        yield TableOffer("blow", label, both[0][0].side, given={"fighter": both[0][0].key}, at_once=True, main=True)


def _unit_offers(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[TableOffer]:
    key = fighter.key
    if fighter.fights or (kind_of(fighter) == COMPANY and not fighter.out):
        leader = leader_of(state, fighter)
        if leader.key == key:
            yield from _leader_offers(content, state, fighter)
        if active(state) == leader.key and is_ordered(state, leader) and not fight_of(state):
            yield from _acting_offers(content, state, fighter)
        early = state.turn == 1 and not active(state) and not any(each.acted for each in state.fighters)
        if early and has(fighter, "infiltration") and not fighter.facts.get("infiltrated"):
            yield TableOffer("infiltrate", "Infiltrate", fighter=key, at_once=True)
    yield TableOffer("right", "Put right", fighter=key)


def _leader_offers(content: HasReadings, state: TableState, leader: TableFighter) -> Iterator[TableOffer]:
    key = leader.key
    if not active(state):
        why = barred_activation(state, leader)
        if not why:
            roll = "begin" if needs_disruption_roll(content, state, leader) else "activate"
            yield TableOffer(roll, "Activate", fighter=key, at_once=True, main=True)
        elif not leader.acted:
            yield TableOffer("activate", "Activate", fighter=key, closed=why)
        return
    if active(state) != key:
        return
    if not is_ordered(state, leader):
        yield from _order_offers(content, state, leader)
    elif has_to_recover(state, leader):
        yield TableOffer("recover", "Recover", fighter=key, at_once=True, main=True)


def _order_offers(content: HasReadings, state: TableState, leader: TableFighter) -> Iterator[TableOffer]:
    key = leader.key
    if must_defend(state, leader):
        roll = "order-roll" if is_disrupted(leader) else "order"
        yield TableOffer(roll, "Defend, as it must", fighter=key, given={"order": "defend"}, at_once=True, main=True)
        return
    if is_disrupted(leader):
        yield TableOffer("order-roll", "Give an order, 4+ keeps it", fighter=key, main=True)
        return
    keen = is_keen(content, state, leader)
    for order in ORDERS:
        closed = closed_order(state, leader, order)
        asks = keen and order != "assault"
        yield TableOffer(
            "order",
            ORDER_WORDS[order],
            fighter=key,
            given={"order": order},
            at_once=not asks,
            closed=closed,
            main=order == "assault" and keen,
        )


def _acting_offers(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[TableOffer]:
    key, order = fighter.key, order_of(leader_of(state, fighter))
    if order == "assault" and kind_of(fighter) == "platoon":
        why = barred_assault(content, state, fighter)
        yield TableOffer("assault", "Assault", fighter=key, closed=why, main=not why)
    if kind_of(fighter) != COMPANY:
        why = barred_fire(content, state, fighter)
        if not why or order not in ("recover", "assault"):
            yield TableOffer("fire", "Fire", fighter=key, closed=why, main=not why)
        if not why and _teams_to_find(state, fighter):
            yield TableOffer("identify", "Make out a team", fighter=key)
    why = barred_move(content, state, fighter)
    if kind_of(fighter) == TANKS:
        yield TableOffer("drive-free" if state.turn < 3 else "drive", "Drive", fighter=key, closed=why)
    elif why:
        if order != "defend":
            yield TableOffer("move", "Move", fighter=key, closed=why)
    else:
        way = ways_to_move(state, fighter)[0]
        far, no = inches(content, state, fighter, way)
        if fighter.facts.get("position", "dispersed") in ("dispersed", "closed") and not no:
            yield TableOffer("move", f'Move {far:g}"', fighter=key, given={"how": way, "position": "-"}, at_once=True)
        yield TableOffer("move", "Move and \u2026", fighter=key)
    if kind_of(fighter) != COMPANY and not barred_prone(state, fighter) and "prone" in positions_open(fighter):
        lies = fighter.facts.get("position") == "prone"
        yield TableOffer("prone", "Get up" if lies else "Go prone", fighter=key, at_once=True)


def _teams_to_find(state: TableState, fighter: TableFighter) -> bool:
    """Whether an enemy weapons team stands that it has not looked for this turn."""
    seen = {fighter.facts.get("identified"), fighter.facts.get("unidentified")}
    return any(
        is_heavy(each) and each.fights and each.side != fighter.side and f"{state.turn}:{each.key}" not in seen
        for each in state.fighters
    )


# --- the board


def board(content: HasReadings, state: TableState) -> Iterator[BoardLine]:
    """Who is active with what order, the deck, and how far each side is."""
    current = active(state)
    if current:
        leader = state.fighter(current)
        order = order_of(leader) if is_ordered(state, leader) else ""
        words = PERMITS[order] if order else "gives its order"
        yield BoardLine(leader.name, order.upper() or "ACTIVE", words)
    if state.facts.get("mode") == CARDS:
        left = cards_left(state)
        extra = [name.capitalize() for name in ("rally", "artillery") if name in left]
        yield BoardLine("Deck", f"{len(left)} left", f"{' and '.join(extra)} in it" if extra else "")
    for side in state.sides:
        heads = leaders(state, side.key)
        if not heads:
            continue
        late = [each for each in heads if not each.acted]
        names = ", ".join(each.name for each in late[:MOST_NAMED]) + (
            f" and {len(late) - MOST_NAMED} more" if len(late) > MOST_NAMED else ""
        )
        marks = [
            word
            for word, stands in (("attacks", side.facts.get("attacker")), ("mostly militia", side.facts.get("militia")))
            if stands
        ]
        words = f"yet to act: {names}" if late else "all have acted"
        yield BoardLine(
            "Companies", f"{len(heads) - len(late)} of {len(heads)}", "; ".join([words, *marks]), side=side.key
        )


# --- words on a unit


def tolerance(content: HasReadings, state: TableState, fighter: TableFighter) -> int:
    """The Tolerance of a platoon as it stands."""
    return tolerance_of(content, platoon_of(state, fighter))[0]


def badges(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Short words on the closed row."""
    if fighter.out or not fighter.there:
        return
    kind = kind_of(fighter)
    if kind == COMPANY:
        yield from _company_badges(state, fighter)
        return
    if leader_of(state, fighter).key == fighter.key:
        yield from _led_badges(state, fighter)
    if kind == TANKS:
        yield Badge(f"{bases(fighter)} of {start_bases(fighter)}")
        for mark, word in (("i", "immobilised"), ("d", "damaged")):
            count = sum(mark in how for _, _, how in vehicles(fighter) if how != "x")
            if count:
                yield Badge(f"{count} {word}", "alarm")
    else:
        place = POSITION_WORDS[str(fighter.facts.get("position", "dispersed"))]
        count = bases(fighter)
        yield Badge(place if kind == "team" else f"{count} base{'' if count == 1 else 's'}, {place}")
    tally = fighter.markers.get(FIRE, 0)
    if tally and kind == "platoon" and not is_shocked(fighter):
        yield Badge(f"fire {tally} of {tolerance(content, state, fighter)}")
    if is_shocked(fighter):
        yield Badge("SHOCKED", "alarm")
    if fighter.facts.get("stranded"):
        yield Badge("stranded", "alarm")
    did = [word for word in ("moved", "fired", "assaulted") if now(state, fighter, word)]
    if did:
        yield Badge(", ".join(did))


def _company_badges(state: TableState, leader: TableFighter) -> Iterator[Badge]:
    yield from _led_badges(state, leader)
    if not commander_alive(leader):
        yield Badge("COMMANDER DEAD", "alarm")


def _led_badges(state: TableState, leader: TableFighter) -> Iterator[Badge]:
    order = order_of(leader)
    if active(state) == leader.key:
        yield Badge(f"acts: {order.upper()}" if is_ordered(state, leader) else "acts")
    elif order:
        yield Badge(f"{order.upper()}{', done' if leader.acted else ''}")
    elif leader.acted:
        yield Badge("done")
    if is_disrupted(leader) and commander_alive(leader):
        yield Badge("DISRUPTED", "alarm")


def lines(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[str]:
    """What is told when a row is open."""
    leader = leader_of(state, fighter)
    kind = kind_of(fighter)
    if kind == COMPANY:
        yield from _company_lines(state, fighter)
        return
    if leader.key == fighter.key:
        yield from _led_lines(state, fighter)
    if kind == TANKS:
        for _, vehicle, how in vehicles(fighter):
            guns = [f"{vehicle['machine_guns']} MG"] if vehicle["machine_guns"] else []
            guns += [gun["name"] for gun in vehicle["guns"]]
            mark = {
                "x": "destroyed",
                "i": "immobilised",
                "d": "Damaged: hits on 6",
                "id": "immobilised and Damaged: hits on 6",
            }.get(how, "runs")
            figures = f'saves {TANK_CLASS[vehicle["class"]]}+, {vehicle["movement"]:g}", breaks down below {RELIABLE[vehicle["reliability"]]}+'
            yield f"{vehicle['name']}: {mark}; {figures}; {', '.join(guns) or 'no guns'}"
        if is_shocked(fighter):
            yield "Shocked: straight back, fires at the closest at 6"
        return
    yield _figures(content, state, fighter)
    yield _weapons(fighter)
    if kind == "platoon":
        limit, tally = tolerance(content, state, fighter), fighter.markers.get(FIRE, 0)
        whole = choice(content, "shock-scope") == "turn"
        more = max(0, limit - (tally if whole else 0) + 1)
        over = f"{more} more {'die shocks' if more == 1 else 'dice shock'} it" if more else "any more fire shocks it"
        if not whole:
            over = f"{more} dice of one attack shock it"
        yield f"Fire taken {tally} of {limit}{'' if is_shocked(fighter) else '; ' + over}"
    if is_shocked(fighter):
        yield "Shocked: straight back from all it sees, fires at the closest at 6"
    if fighter.facts.get("stranded"):
        yield "Stranded: moves only to rejoin, else stays and fires at the closest"
    if kind == "platoon" and not is_fresh(fighter) and not is_shocked(fighter):
        target = 2 if has(fighter, "aggressive") else QUALITY[str(fighter.facts.get("quality") or "steady")]
        yield f"Not fresh: {max(1, target - has(fighter, 'close-order'))}+ to assault"


def _figures(content: HasReadings, state: TableState, fighter: TableFighter) -> str:
    """Quality, save and rates in a line."""
    quality = str(fighter.facts.get("quality") or "steady")
    kind = type_of(fighter)
    number, _ = save_number(content, SaveTarget(
        position=fighter.facts.get("position", "dispersed"), always_prone=kind in ("sniper", "remnant") or has(fighter, "scouts"),
        heavy_team=is_heavy(fighter), defend=order_of(leader_of(state, fighter)) == "defend",
    ))  # fmt: skip
    rate = moves(kind)
    traits = [NAMES.get(trait, trait.replace("-", " ").capitalize()) for trait in fighter.facts.get("traits", ())]
    traits += [
        word
        for key, word in (("grenades", "grenades"), ("close_combat_weapons", "close combat weapons"))
        if fighter.facts.get(key)
    ]
    words = f'{NAMES[quality]} {QUALITY[quality]}+; saves {"on " + str(number) + "+" if number else "nothing"}; moves {rate.standard_inches:g}", {rate.march_inches:g}" on the march'
    return f"{words}; {', '.join(traits)}" if traits else words


def _weapons(fighter: TableFighter) -> str:
    found = []
    for part in parts_of(fighter):
        count, weapon = fighter.markers.get(part["id"], 0), part["weapon"]
        own = weapon.get("own")
        book = WEAPON.get(str(weapon.get("id")))
        if own is not None:
            reach, attacks = own.get("range"), own.get("attacks") or 0
        else:
            reach, attacks = (book.range_inches, book.attacks) if book else (None, 0)
        far = f'{reach:g}", ' if reach else ""
        found.append(
            f"{count} of {part['start']} {part['name']} ({far}{attacks} each)"
            if attacks
            else f"{count} of {part['start']} {part['name']}"
        )
    return "; ".join(found)


def _company_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    if not commander_alive(leader):
        yield "Its commander is dead: Recover names another, never Outstanding"
    else:
        yield (
            "Outstanding Officer: +1 Tolerance, +1 die in assaults"
            if is_outstanding(leader)
            else "Commander: an ordinary officer"
        )
    yield from _led_lines(state, leader)
    count = remnant_dice(state, leader)
    if count:
        likely = percent(1 - Fraction(2, 3) ** count)
        yield f"{count} {'base' if count == 1 else 'bases'} lost: Recover rolls for Remnants, at least one {likely}"


def _led_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    order = order_of(leader)
    if order:
        yield f"{ORDER_WORDS[order]}: {PERMITS[order]}"
    if must_defend(state, leader) and not is_ordered(state, leader):
        yield "The last roll keeps it on Defend this turn"
    elif leader.facts.get("must_defend", 0) == state.turn + 1:
        yield "It must take Defend next turn"
    if is_disrupted(leader):
        yield f"{DISRUPTED_WORDS[disrupted(leader)]}: orders but Defend and Recover take a 4+, 1 in 2"
    elif not leader.acted and active(state) != leader.key:
        count = len(shocked_platoons(state, leader))
        if count:
            yield f"{count} Shocked: Disrupted at its activation in {percent(Fraction(min(6, count), 6))}"
