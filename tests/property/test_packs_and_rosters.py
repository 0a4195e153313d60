"""Properties of packs and rosters: packs round-trip; any roster the offers let one build is legal; documents lose nothing."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.content.load import load_pack, pack_folder, packs
from rules.content.schema import Pack
from rules.force import Force, ForceFighter, ForceItem, ForceUpgrade
from rules.problems import Refusal
from rules.registry import system
from rules.vocabulary import Price

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")
LISTS = tuple(choice.id for choice in GAME.lists(CONTENT) if not choice.third_party)


@pytest.mark.parametrize(("game", "edition"), packs())
def test_a_pack_goes_to_json_and_back(game: str, edition: str) -> None:
    pack = load_pack(pack_folder(game, edition))
    assert msgspec.json.decode(msgspec.json.encode(pack), type=Pack) == pack
    assert msgspec.convert(msgspec.to_builtins(pack), Pack) == pack
    assert hash(pack.profiles) == hash(load_pack(pack_folder(game, edition)).profiles)


@st.composite
def built(draw: st.DrawFn) -> Force:
    """A warband past its founding, built by taking open offers at random."""
    rich = Price(ducats=5000, glory=60)
    force = Force(
        "trench-crusade", "1.6.3", draw(st.sampled_from(LISTS)), founding=False, strongbox=rich, mode="one-off"
    )
    for turn in range(draw(st.integers(1, 9))):
        hires = [o for o in GAME.hire_offers(CONTENT, force) if o.state == "open"]
        if turn == 0:
            hires = [o for o in hires if CONTENT.profile_offers[o.id].leader]
        if not hires:
            break
        offer = draw(st.sampled_from(hires))
        chosen = {c.key: draw(st.sampled_from([value for value, _ in c.options])) for c in offer.choices if c.options}
        outfit = GAME.outfit(CONTENT, force, offer.id, chosen)
        key = f"f{turn}"
        kit = tuple(ForceItem(f"{key}-k{n}", piece.item, "mandatory") for n, piece in enumerate(outfit))
        recruit = ForceFighter(
            key, f"{offer.name} {turn}", offer.ref, offer.id, offer.price, hired_as=offer.hired_as, kit=kit, choices=chosen, state={"joined": 0}
        )  # fmt: skip
        force = replace(force, fighters=(*force.fighters, recruit))
        for n in range(draw(st.integers(0, 4))):
            wares = [
                o
                for o in GAME.item_offers(CONTENT, force, key)
                if o.state == "open" and o.kind == "item" and not o.choices
            ]
            if not wares:
                break
            ware = draw(st.sampled_from(wares))
            row = force.fighter(key)
            force = force.with_fighter(
                replace(row, kit=(*row.kit, ForceItem(f"{key}-i{n}", ware.ref, "bought", ware.id, ware.price)))
            )
        upgrades = [o for o in GAME.upgrade_offers(CONTENT, force, key) if o.state == "open" and not o.choices]
        if upgrades and draw(st.booleans()):
            taken = draw(st.sampled_from(upgrades))
            if GAME.follows(CONTENT, force, key, taken.id):
                continue
            row = force.fighter(key)
            option = draw(st.sampled_from([value for value, _ in taken.options])) if taken.options else ""
            force = force.with_fighter(
                replace(row, upgrades=(ForceUpgrade("u1", taken.ref, taken.id, taken.price, option),))
            )
    return force


@settings(max_examples=30, deadline=None)
@given(built())
def test_what_open_offers_build_breaks_nothing_but_what_comes_with_the_next_purchase(force: Force) -> None:
    """Open offers add no finding; a fighter may still lack what it must carry, and a list its least numbers."""
    found = {p.code for p in GAME.check(CONTENT, force).problems}
    assert found <= {"needs", "too-few", "choice"}


@settings(max_examples=30, deadline=None)
@given(built())
def test_the_rating_is_the_sum_of_what_was_charged(force: Force) -> None:
    charged = Price()
    for fighter in force.fighters:
        paid = [fighter.paid, *(i.paid for i in fighter.kit), *(u.paid for u in fighter.upgrades)]
        charged = Price(
            ducats=charged.ducats + sum(p.ducats for p in paid), glory=charged.glory + sum(p.glory for p in paid)
        )
    assert GAME.rating(CONTENT, force) == charged


@settings(max_examples=20, deadline=None)
@given(built())
def test_a_document_loses_nothing(force: Force) -> None:
    written = GAME.write_document(CONTENT, force)
    again, problems = GAME.read_document(written)
    assert problems == ()
    assert GAME.write_document(CONTENT, again) == {**written, "founding": again.founding}
    before, after = GAME.check(CONTENT, force), GAME.check(CONTENT, replace(again, strongbox=force.strongbox))
    assert before.rating == after.rating
    assert [p.code for p in before.problems] == [p.code for p in after.problems]
    assert GAME.sheet(CONTENT, force).list_words == GAME.sheet(CONTENT, again).list_words


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 9999) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "profile", "kit", "item", "scope"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = (
    "faction",
    "variant",
    "fighters",
    "stash",
    "battles",
    "budget",
    "scope",
    "force",
    "wants",
    "choices",
    "patron",
    "campaign",
    "house_rules",
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
def test_no_document_crashes_the_judge(document: dict) -> None:
    """Whatever is sent: an answer, or a refusal with a sentence."""
    asked = {"game": "trench-crusade", "faction": "New Antioch", **document}
    try:
        answer = GAME.judge(asked)
    except Refusal:
        return
    assert answer["legal"] == (not answer["problems"])
