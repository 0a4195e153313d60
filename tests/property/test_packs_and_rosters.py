"""Properties of packs and rosters: packs round-trip; any roster the offers let one build is legal; documents lose nothing."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.content.compiled import Content
from rules.content.load import load_pack, pack_folder, packs
from rules.content.schema import Pack
from rules.force import Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from tests.drills import examples


def looking(count: int) -> settings:
    """So many examples, and ten times as many under the profile that explores."""
    return settings(max_examples=examples(count) * max(1, settings.default.max_examples // 100), deadline=None)


GAME = system("trench-crusade")
CONTENTS = {edition: GAME.content(edition) for edition in GAME.editions()}
LISTS = tuple(
    (edition, choice.id)
    for edition, content in CONTENTS.items()
    for choice in GAME.founding.lists(content)
    if not content.lists[choice.id].closed
)
# Open offers may leave these: what a fighter still lacks or a list asks for comes with a later purchase, a choice is asked afterwards.
UNFINISHED = {"needs", "too-few", "choice"}


@pytest.mark.parametrize(("game", "edition"), packs())
def test_a_pack_goes_to_json_and_back(game: str, edition: str) -> None:
    pack = load_pack(pack_folder(game, edition))
    assert msgspec.json.decode(msgspec.json.encode(pack), type=Pack) == pack
    assert msgspec.convert(msgspec.to_builtins(pack), Pack) == pack
    assert hash(pack.profiles) == hash(load_pack(pack_folder(game, edition)).profiles)


def test_there_are_lists_of_every_edition_to_build() -> None:
    assert {edition for edition, _ in LISTS} == set(CONTENTS)
    for edition, content in CONTENTS.items():
        factions = {content.lists[army].faction for at, army in LISTS if at == edition}
        assert len(factions) >= 6


def content_of(force: Force) -> Content:
    return CONTENTS[force.edition]


@st.composite
def built(draw: st.DrawFn) -> Force:
    """A warband of any open list past its founding, built by taking open offers at random."""
    rich = Price(ducats=5000, glory=60)
    edition, army = draw(st.sampled_from(LISTS))
    content = CONTENTS[edition]
    force = Force("trench-crusade", edition, army, founding=False, strongbox=rich, mode="one-off")
    force = draw(chosen_by_the_list(content, force))
    for turn in range(draw(st.integers(1, 9))):
        hires = [o for o in GAME.hire_offers(content, force) if o.state == "open"]
        if turn == 0:
            hires = [o for o in hires if content.profile_offers[o.id].leader]
        if not hires:
            break
        offer = draw(st.sampled_from(hires))
        chosen = {c.key: draw(st.sampled_from([value for value, _ in c.options])) for c in offer.choices if c.options}
        outfit = GAME.shop.outfit(content, force, offer.id, chosen)
        key = f"f{turn}"
        kit = tuple(ForceItem(f"{key}-k{n}", piece.item, "mandatory") for n, piece in enumerate(outfit))
        recruit = ForceFighter(
            key, f"{offer.name} {turn}", offer.ref, offer.id, offer.price, hired_as=offer.hired_as, kit=kit, choices=chosen, state={"joined": 0}
        )  # fmt: skip
        force = replace(force, fighters=(*force.fighters, recruit))
        for n in range(draw(st.integers(0, 4))):
            wares = [
                o
                for o in GAME.shop.item_offers(content, force, key)
                if o.state == "open" and o.kind == "item" and not o.choices
            ]
            if not wares:
                break
            ware = draw(st.sampled_from(wares))
            row = force.fighter(key)
            force = force.with_fighter(
                replace(row, kit=(*row.kit, ForceItem(f"{key}-i{n}", ware.ref, "bought", ware.id, ware.price)))
            )
        upgrades = [o for o in GAME.shop.upgrade_offers(content, force, key) if o.state == "open" and not o.choices]
        if upgrades and draw(st.booleans()):
            taken = draw(st.sampled_from(upgrades))
            if GAME.shop.follows(content, force, key, taken.id):
                continue
            row = force.fighter(key)
            option = draw(st.sampled_from([value for value, _ in taken.options])) if taken.options else ""
            force = force.with_fighter(
                replace(row, upgrades=(ForceUpgrade("u1", taken.ref, taken.id, taken.price, option),))
            )
    return force


@st.composite
def chosen_by_the_list(draw: st.DrawFn, content: Content, force: Force) -> Force:
    """The force with what its list asks chosen at random: a rule first, then what that asks; picks from other lists among them."""
    for _ in range(2):
        for choosing in GAME.choices(content, force):
            values = [value for value, _ in choosing.asked.options]
            if choosing.chosen or choosing.row != "warband" or not values:
                continue
            count = choosing.asked.count
            kept = draw(
                st.lists(st.sampled_from(values), min_size=min(count, len(values)), max_size=count, unique=True)
            )
            force = replace(
                force, choices={**force.choices, choosing.path[-1]: kept[0] if len(kept) == 1 else tuple(kept)}
            )
    return force


@looking(60)
@given(built())
def test_what_open_offers_build_breaks_nothing_but_what_comes_with_the_next_purchase(force: Force) -> None:
    """Open offers add no finding; a fighter may still lack what it must carry, and a list its least numbers."""
    problems = GAME.check(content_of(force), force).problems
    assert [str(p) for p in problems if p.code not in UNFINISHED] == []


@looking(30)
@given(built())
def test_the_rating_is_the_sum_of_what_was_charged(force: Force) -> None:
    charged = Price()
    for fighter in force.fighters:
        paid = [fighter.paid, *(i.paid for i in fighter.kit), *(u.paid for u in fighter.upgrades)]
        charged = Price(
            ducats=charged.ducats + sum(p.ducats for p in paid), glory=charged.glory + sum(p.glory for p in paid)
        )
    assert GAME.check(content_of(force), force).rating == charged


@looking(30)
@given(built())
def test_a_document_loses_nothing(force: Force) -> None:
    content = content_of(force)
    written = GAME.documents.write_document(content, force)
    again, problems = GAME.documents.read_document(written)
    assert problems == ()
    assert GAME.documents.write_document(content, again) == {**written, "founding": again.founding}
    before, after = GAME.check(content, force), GAME.check(content, replace(again, strongbox=force.strongbox))
    assert before.rating == after.rating
    assert [p.code for p in before.problems] == [p.code for p in after.problems]
    assert GAME.documents.sheet(content, force).list_words == GAME.documents.sheet(content, again).list_words


LOADOUTS = tuple(f"loadout-{kit.id}" for kit in CONTENTS["1.0"].profiles["mamluk-faris"].kit if kit.one_of)
NONSENSE = st.sampled_from(["", "no-such-thing", "²", "0", "-1", "9" * 5000, "new-antioch", "ELITE"])


@st.composite
def mutated(draw: st.DrawFn) -> Force:
    """A built warband with a few things done to it that no offer would do."""
    force = draw(built())
    content = content_of(force)
    tables = {
        name: st.sampled_from(sorted(getattr(content, name))) | NONSENSE
        for name in (
            "profiles",
            "profile_offers",
            "items",
            "item_offers",
            "upgrades",
            "upgrade_offers",
            "skills",
            "traumas",
        )
    }
    origins = st.sampled_from(["bought", "found", "looted", "mandatory", "starting"])
    choices = st.dictionaries(
        st.sampled_from(["base", "base-optional", "link", "item", "raise", "returned", "loadout-weapons", "power"]),
        NONSENSE | st.lists(NONSENSE, max_size=2),
        max_size=3,
    )
    for step in range(draw(st.integers(1, 6))):
        if not force.fighters:
            break
        row = draw(st.sampled_from(force.fighters))
        key = f"m{step}"
        match draw(st.integers(0, 11)):
            case 0:
                force = force.with_fighter(
                    replace(row, profile=draw(tables["profiles"]), offer=draw(st.just("") | tables["profile_offers"]))
                )
            case 1:
                piece = ForceItem(
                    key,
                    draw(tables["items"]),
                    draw(origins),
                    draw(st.just("") | tables["item_offers"]),
                    choices=draw(choices),
                )
                force = force.with_fighter(replace(row, kit=(*row.kit, piece)))
            case 2:
                force = force.with_fighter(replace(row, kit=row.kit[draw(st.integers(0, 3)) :]))
            case 3:
                known = draw(tables["upgrades"])
                taken = ForceUpgrade(
                    key,
                    known,
                    draw(st.just("") | tables["upgrade_offers"]),
                    Price(),
                    draw(st.just("") | tables["upgrades"]),
                )
                force = force.with_fighter(replace(row, upgrades=(*row.upgrades, taken, taken)))
            case 4:
                learned = ForceSkill(key, draw(tables["skills"]), choices=draw(choices))
                force = force.with_fighter(replace(row, skills=(*row.skills, learned)))
            case 5:
                suffered = ForceTrauma(key, draw(tables["traumas"]), details=draw(choices))
                force = force.with_fighter(replace(row, traumas=(*row.traumas, suffered)))
            case 6:
                force = force.with_fighter(
                    replace(
                        row,
                        promoted=draw(st.booleans()),
                        demoted=draw(st.booleans()),
                        scars=draw(st.none() | st.integers(0, 9)),
                    )
                )
            case 7:
                force = force.with_fighter(
                    replace(
                        row, status=draw(st.sampled_from(["active", "captive", "dead", "gone"])), choices=draw(choices)
                    )
                )
            case 8:
                force = replace(force, fighters=(*force.fighters, replace(row, key=key)))
            case 9:
                force = replace(force, fighters=tuple(f for f in force.fighters if f is not row))
            case 10:
                lists = st.sampled_from(sorted(content.lists)) | NONSENSE
                force = replace(
                    force, list=draw(lists), choices={**force.choices, **draw(choices)}, patron=draw(NONSENSE)
                )
            case _:
                piece = ForceItem(
                    key,
                    draw(tables["items"]),
                    draw(origins),
                    draw(st.just("") | tables["item_offers"]),
                    choices=draw(choices),
                )
                force = replace(
                    force,
                    stash=(*force.stash, piece),
                    strongbox=draw(st.none() | st.just(Price(-5, 3))),
                    founding=draw(st.booleans()),
                )
    return force  # fmt: skip


@looking(60)
@given(mutated())
def test_no_roster_however_broken_crashes_the_checker(force: Force) -> None:
    """Every problem is told with its sentence; a broken roster can still be looked at, fielded and offered to."""
    content = content_of(force)
    verdict = GAME.check(content, force)
    assert all(p.code and p.message for p in verdict.problems)
    assert GAME.check(content, force, scope="fielding").problems is not None
    if force.list not in content.lists:
        assert {p.code for p in verdict.problems} == {"unknown-name"}
        return
    assert len(list(verdict.views.values())) == sum(f.profile in content.profiles for f in force.fighters)
    assert [o.name for o in GAME.hire_offers(content, force)]
    assert all(choosing.asked.key for choosing in GAME.choices(content, force))


@pytest.mark.parametrize("figure", ["²", "9" * 5000, "-1", "٣"])
def test_a_number_that_is_none_picks_nothing(figure: str) -> None:
    document = {
        "game": "trench-crusade", "edition": "1.0", "faction": "New Antioch",
        "fighters": [{"name": "Baris", "profile": "Mamluk Faris", "choices": dict.fromkeys(LOADOUTS, figure)}],
    }  # fmt: skip
    assert LOADOUTS
    assert not GAME.documents.judge(document)["legal"]


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


@looking(200)
@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
def test_no_document_crashes_the_judge(document: dict) -> None:
    """Whatever is sent: an answer, or a refusal with a sentence."""
    asked = {"game": "trench-crusade", "faction": "New Antioch", **document}
    try:
        answer = GAME.documents.judge(asked)
    except Refusal:
        return
    assert answer["legal"] == (not answer["problems"])
