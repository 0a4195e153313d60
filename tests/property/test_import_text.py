"""Texts in and out: what is written as text is read back as it was, and whatever is pasted, every line is accounted for."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.problems import Refusal
from rules.registry import system
from tests.drills import examples, sampled

GAME = system("trench-crusade")
CONTENT = GAME.content("1.6.3")
LISTS = [choice.id for choice in GAME.founding.lists(CONTENT)]
NAMES = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüßé", min_size=9, max_size=14).map(str.capitalize)


@st.composite
def rosters(draw: Any) -> tuple[str, dict[str, Any]]:
    """A roster document of any list, with kit, skills and scars of any kind."""
    list_id = draw(st.sampled_from(LISTS))
    army = CONTENT.lists[list_id]
    profiles = sorted({CONTENT.profiles[o.profile].name for o in army.profile_offers})
    items = sorted(
        {
            CONTENT.items[o.item].name
            for o in army.item_offers
            if not CONTENT.items[o.item].name.startswith("Trench Dog")
        }
    )
    skills = sorted(
        {s.name for s in CONTENT.pack.skills if s.kind != "exploration"} - {x.name for x in CONTENT.pack.upgrades}
    )
    wounds = sorted(t.name for t in CONTENT.pack.traumas if t.id not in ("dead", "captured"))
    rows = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=5, unique=True)):
        profile = draw(st.sampled_from(profiles))
        kit = draw(st.lists(st.sampled_from(items), max_size=4)) if items else []
        own = {
            o.upgrade
            for o in army.upgrade_offers
            if any(t.profile == army.names["profile"].get(profile) for t in o.who.only_for)
        }
        kit = [piece for piece in kit if not any(CONTENT.name("upgrade", u) == piece for u in own)]
        rows.append({
            "name": name, "profile": profile, "kit": [{"item": k, "origin": draw(st.sampled_from(["bought", "found"]))} for k in kit],
            "upgrades": [], "skills": draw(st.lists(st.sampled_from(skills), max_size=2, unique=True)),
            "traumas": draw(st.lists(st.sampled_from(wounds), max_size=2, unique=True)), "experience": draw(st.integers(0, 18)),
            "promoted": draw(st.booleans()), "status": "active",
        })  # fmt: skip
    base = army.army.faction or army.army.id
    return list_id, {
        "game": "trench-crusade", "edition": "1.6.3", "faction": CONTENT.name("list", base), "name": "The Tested",
        "variant": army.army.name if army.army.faction else None, "fighters": rows, "stash": [], "patron": None,
        "battles": {"fought": 3, "credited": 0},
    }  # fmt: skip


def plainly(row: dict[str, Any]) -> tuple[Any, ...]:
    kit = [(k, "bought") if isinstance(k, str) else (k["item"], k["origin"]) for k in row["kit"]]
    wounds = [t if isinstance(t, str) else t["trauma"] for t in row["traumas"]]
    return row["name"], row["profile"], kit, row["skills"], wounds, row["experience"], row["promoted"]


@settings(max_examples=examples(50))
@given(rosters())
def test_a_roster_written_as_text_is_read_back_as_it_was(made):
    list_id, document = made
    text = GAME.documents.write_text(CONTENT, document)
    read = GAME.text_import.read_text(CONTENT, text)
    assert read.unread == (), text
    assert read.list_id == list_id
    assert [plainly(row) for row in read.document["fighters"]] == [plainly(row) for row in document["fighters"]], text
    assert read.document["battles"]["fought"] == 3


def test_the_samples_survive_as_text():
    for sample, _, list_id, _ in sampled(GAME.founding.samples(CONTENT), 10):
        document = GAME.founding.sample(CONTENT, sample)
        read = GAME.text_import.read_text(CONTENT, GAME.documents.write_text(CONTENT, document))
        assert read.unread == (), sample
        assert read.list_id == list_id
        before, _ = GAME.documents.read_document(document)
        after, _ = GAME.documents.read_document(read.document)
        assert [(f.name, f.profile, [i.item for i in f.kit]) for f in after.fighters] == [
            (f.name, f.profile, [i.item for i in f.kit]) for f in before.fighters
        ], sample
        assert [[u.option or u.upgrade for u in f.upgrades] for f in after.fighters] == [
            [u.option or u.upgrade for u in f.upgrades] for f in before.fighters
        ], sample


def test_an_upgrade_named_like_a_piece_stays_an_upgrade_for_those_who_count_as_its_profile():
    content = GAME.content("1.0")
    document = GAME.founding.sample(content, "red-thistle")
    read = GAME.text_import.read_text(content, GAME.documents.write_text(content, document)).document
    assert [row["upgrades"] for row in read["fighters"]] == [row.get("upgrades", []) for row in document["fighters"]]
    assert ["Machine Armour"] in [row["upgrades"] for row in read["fighters"]]


PIECES = st.sampled_from([
    "Yeoman", "3x ", "Lieutenant", " - ", ": ", ", ", "(", ")", "[30 ducats]", "\n", "\n  • ", "Bayonet", "Bolt-Action Rifle", "Ottla", "XP 4",
    "Stash", "ELITE", "Total: 700", "New Antioch", "Skills:", "Leg Wound", "“", "”", " x2", "+", "++", "#", "**", "2 glory", "Patron: ", "|", "ß",
])  # fmt: skip


@settings(max_examples=examples(50))
@given(st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=200)))
def test_whatever_is_pasted_every_line_is_accounted_for(text):
    try:
        read = GAME.text_import.read_text(CONTENT, text)
    except Refusal:
        return
    lines = read.reading.lines
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert (
        len(lines) == len(text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n"))
        or not lines[-1].text.strip()
    )
    open_lines = {line.number for line in lines if line.kind == "open"}
    assert {phrase.line for _, phrase in read.reading.open()} == open_lines
    GAME.documents.judge(
        {k: x for k, x in read.document.items() if k != "faction"} | {"faction": read.document["faction"] or "x"}
    )


@settings(max_examples=examples(50))
@given(st.lists(PIECES, max_size=30).map("".join))
def test_leaving_everything_open_out_settles_a_text(text):
    try:
        read = GAME.text_import.read_text(CONTENT, text, "new-antioch")
    except Refusal:
        return
    for _ in range(5):
        answers = {phrase.key: "-" for _, phrase in read.reading.open()}
        if not answers:
            break
        read = GAME.text_import.read_text(CONTENT, text, "new-antioch", {**answers})
        if not read.reading.open():
            break
    assert read.reading.open() == ()
