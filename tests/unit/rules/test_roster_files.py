"""Roster files of other programs: what they are, what becomes of each line, and what is refused."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import re
import resource
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rules.problems import Refusal
from rules.roster_files.opening import TABLE_HEAD, open_file
from rules.trench_crusade.roster_files.read import RosterFile, read_roster_file
from rules.trench_crusade.roster_files.report import read_report
from rules.trench_crusade.roster_files.write import write_roster
from tests import roster_files as made
from tests.drills import WHOLE
from tests.roster_files import model, pick, roster, weapon

Answer = dict[str, Any]


def answer(data: bytes, **options: str) -> Answer:
    return read_report(data, **options)[0]


def rows(told: Answer, *states: str) -> list[str]:
    return [row["source"] for row in told["lines"] if row["state"] in states]


XML = made.as_xml(made.choir())
FORMS = {
    "roster.json": made.as_json(made.choir()),
    "roster.ros": XML.encode(),
    "with a mark": b"\xef\xbb\xbf" + XML.encode(),
    "UTF-16": XML.replace("UTF-8", "UTF-16").encode("utf-16"),
    "roster.rosz": made.zipped(("anything.ros", XML.encode())),
    "in a folder": made.zipped(("a/b/c", XML.encode())),
    "CRLF": XML.replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_one_roster_is_the_same_in_every_form(name: str) -> None:
    told = answer(FORMS[name])
    assert told["roster"] == answer(FORMS["roster.json"])["roster"]
    assert told["edition"] == "1.0"
    assert not rows(told, "unknown", "guessed")


def test_a_roster_brings_its_fighters_kit_and_campaign() -> None:
    told = answer(FORMS["roster.ros"])["roster"]
    assert (told["faction"], told["variant"], told["patron"]) == (
        "The Principality of New Antioch",
        None,
        "Warrior Saint",
    )
    assert told["record"] == {"strongbox": {"ducats": 21, "glory": 3}}
    assert told["campaign"] == {"locations": {"Skull of a Saint": ""}, "exploration_skills": ["Extra Dice"]}
    assert told["stash"] == ["Trench Knife", "Trench Knife"]
    leader, promoted, *pair = told["fighters"]
    assert (leader["name"], leader["experience"], leader["skills"], leader["traumas"]) == (
        "Edda Voss",
        4,
        ["Sharp Eyes"],
        ["Leg Wound"],
    )
    assert (promoted["name"], promoted["profile"], promoted["promoted"]) == ("1917", "Yeoman", True)
    assert [(row["profile"], row["kit"]) for row in pair] == [("Yeoman", ["Bolt-Action Rifle"])] * 2


def test_a_name_that_looks_like_a_number_is_a_name() -> None:
    tree = made.choir()
    tree["forces"][0]["selections"][2]["customName"] = 1917  # as New Recruit writes it in JSON
    assert answer(made.as_json(tree))["roster"]["fighters"][1]["name"] == "1917"


def test_the_four_states_add_up_to_the_lines_and_every_selection_is_one() -> None:
    tree = made.choir()
    told = answer(made.as_json(tree))
    assert sum(Counter(row["state"] for row in told["lines"]).values()) == len(told["lines"])

    def names(row: dict[str, Any]) -> list[str]:
        return [row["name"], *(name for below in row.get("selections", []) for name in names(below))]

    text = "\n".join(row["source"] for row in told["lines"])
    for selection in tree["forces"][0]["selections"]:
        for name in names(selection):
            assert name.replace("\xa0", " ").split(" [")[0] in text


def test_what_became_of_a_line_is_at_that_place_of_the_document() -> None:
    told = answer(FORMS["roster.ros"])
    for row in told["lines"]:
        if row["became"] and "." in row["became"] and row["became"].startswith("fighters"):
            at, name = row["became"].split(".")
            fighter = told["roster"]["fighters"][int(at[9:-1])]
            field, index = name[:-1].split("[")
            assert row["meaning"] in str(fighter[field][int(index)])


def test_prices_are_compared_fighter_by_fighter() -> None:
    told = answer(made.as_json(roster(model("Lieutenant", weapon("Automatic Pistol", 25), price=70, part="Elite"))))
    assert told["totals"] == {
        "printed": {"ducats": 95, "glory": 0},
        "ours": {"ducats": 90, "glory": 0},
        "differences": [{"fighter": "Lieutenant", "printed": 95, "ours": 90}],
    }


@pytest.mark.parametrize(
    ("said", "entry", "profile"),
    [
        ("Trench Mole", "f2c3-86d1-5924-093f", "Yeoman"),
        ("Quite Another Name", "f2c3-86d1-5924-093f", "Yeoman"),
        ("Sister of Something", "e578-1122-47cb-10ad", "Lieutenant"),
    ],
)
def test_the_id_of_an_entry_tells_a_fighter_that_was_renamed(said: str, entry: str, profile: str) -> None:
    told = answer(made.as_json(roster(model(said, price=30, entryId=f"a::b::{entry}"))))
    assert told["roster"]["fighters"][0]["profile"] == profile
    assert not rows(told, "unknown", "guessed")


def test_what_is_unknown_is_told_and_left_out_and_what_is_near_is_a_guess() -> None:
    told = answer(
        made.as_json(
            roster(model("Yeoman", weapon("Bolt-Acton Rifle", 10), pick("Zzyzx Charm", group="Upgrades"), price=30))
        )
    )
    assert told["roster"]["fighters"][0]["kit"] == ["Bolt-Action Rifle"]
    assert [source.split(": ")[1] for source in rows(told, "guessed")] == ["Bolt-Acton Rifle"]
    assert [source.split(": ")[1] for source in rows(told, "unknown")] == ["Zzyzx Charm"]


def test_a_unit_around_one_model_is_one_fighter() -> None:
    inner = pick("Mamluk Faris", glory=4, type="model")
    told = answer(
        made.as_json(
            roster(
                pick(
                    "Mamluk Faris",
                    inner,
                    type="unit",
                    categories=[{"name": "Mercenary", "primary": True}],
                    customName="Jamal",
                )
            )
        )
    )
    assert [row["name"] for row in told["roster"]["fighters"]] == ["Jamal"]
    assert told["totals"]["differences"] == []


def test_without_group_names_the_ids_of_the_groups_tell() -> None:
    tree = made.choir()
    enabled = tree["forces"][0]["selections"][0]["selections"][0]["selections"]
    for row, group in zip(enabled, ("e10f-3251-be80-f32f", "6de0-2f63-f1b6-1824", "ce06-c033-5a6b-c1d4"), strict=False):
        del row["group"]
        row["entryGroupId"] = f"link::{group}"
    assert answer(made.as_json(tree))["roster"] == answer(FORMS["roster.json"])["roster"]


@pytest.mark.parametrize(
    ("tree", "edition"),
    [
        (roster(model("Yeoman", price=30), revision=17), "1.0"),
        (roster(model("Yeoman", price=30), revision=15), "1.6.3"),
        (roster(model("Azeb", price=25), catalogue="Iron Sultanate", revision=16), "1.6.3"),
        (roster(model("Yeoman", pick("Frag Grenades", price=7, group="Grenades"), price=30), revision=16), "1.0"),
        (roster(model("Jabirean Alchemist", price=55), catalogue="Iron Sultanate", revision=16), "1.0"),
    ],
)
def test_the_edition_is_found_out_and_the_reason_told(tree: dict[str, Any], edition: str) -> None:
    told = answer(made.as_json(tree))
    assert told["edition"] == edition
    assert told["why"]


def test_a_raised_catalogue_says_that_the_edition_is_the_current_one() -> None:
    tree = roster(model("Azeb", price=25), catalogue="Iron Sultanate", revision=16)
    tree["forces"][0]["catalogueRevision"] = 13
    assert answer(made.as_json(tree))["edition"] == "1.0"


TEXT = """\
New Antioch - Mud Choir - [143 Ducats, 3 Glory Points]

# ++ Warband ++ [143 Ducats, 3 Glory Points]
## Configuration
Campaign Rules: Enabled, Warrior Saint, 3x Unleveraged Glory, 21x Warchest of Ducats
Pile of Stuff [0 Ducats]: 2x Trench Knife [2 Ducats]

## Elite [95 Ducats]
Edda - of the Mill - Lieutenant [90 Ducats]: Automatic Pistol [20Ducats], 4x Experience, Sharp Eyes [6], Leg Wound [31]

## Troop [48 Ducats]
2x Yeoman [70 Ducats]: 2x Bolt-Action Rifle [10 Ducats]
Pip - Trench Mole [30 Ducats]

Created with New Recruit
"""


def test_the_text_of_new_recruit_brings_the_same() -> None:
    told = answer(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert told["format"] == "newrecruit-text"
    read = told["roster"]
    assert (read["name"], read["faction"], read["patron"]) == (
        "Mud Choir",
        "The Principality of New Antioch",
        "Warrior Saint",
    )
    assert [(row["name"], row["profile"]) for row in read["fighters"]] == [
        ("Edda - of the Mill", "Lieutenant"), ("Yeoman", "Yeoman"), ("Yeoman 2", "Yeoman"), ("Pip", "Yeoman"),
    ]  # fmt: skip
    assert [row["kit"] for row in read["fighters"]] == [
        ["Automatic Pistol"],
        ["Bolt-Action Rifle"],
        ["Bolt-Action Rifle"],
        [],
    ]
    assert read["fighters"][0]["traumas"] == ["Leg Wound"]
    assert read["record"] == {"strongbox": {"ducats": 21, "glory": 3}}
    assert not rows(told, "unknown")


def test_a_save_of_trench_companion_and_its_envelope_bring_the_same() -> None:
    bare = answer(json.dumps(made.save()).encode())
    sent = {"id": 1, "warband_id": "7", "warband_data": json.dumps(made.save())}
    wrapped = answer(json.dumps(sent).encode())
    assert (bare["format"], wrapped["format"]) == ("companion-save", "companion-envelope")
    assert wrapped["roster"] == bare["roster"]
    read = bare["roster"]
    assert (read["faction"], read["patron"], read["battles"]["fought"]) == ("Trench Pilgrims", "Warrior Saint", 2)
    assert read["record"] == {"strongbox": {"ducats": 44, "glory": 2}}
    assert read["campaign"] == {
        "promotion_misses": 1,
        "locations": {"Moonshine Stash": ""},
        "exploration_skills": ["Lucky"],
    }
    assert [(row["name"], row["status"], row["promoted"]) for row in read["fighters"]] == [
        ("Ruth", "active", False), ("Amos", "active", True), ("Ned", "dead", False), ("Tob", "captive", False),
    ]  # fmt: skip
    assert (read["fighters"][0]["skills"], read["fighters"][0]["traumas"], read["fighters"][0]["scars"]) == (
        ["Parry"],
        ["Leg Wound"],
        2,
    )
    assert not rows(bare, "unknown", "guessed")


def test_the_export_for_tabletop_simulator_names_no_list_so_it_is_a_guess() -> None:
    rifle = {"equipment-name": "Bolt-Action Rifle", "equipment-id": "eq_boltactionrifle"}
    fighter = {
        "model-name": "War Prophet",
        "model-id": "md_warprophet",
        "name": "Ruth",
        "cost": {"ducats": 90, "glory": 0},
        "equipment": [rifle],
    }
    told = answer(json.dumps({"warband-name": "Barefoot", "ducat-bank": 4, "models": [fighter]}).encode())
    assert (told["format"], told["roster"]["faction"]) == ("companion-tts", "Trench Pilgrims")
    assert told["lines"][0]["state"] == "guessed"


def test_a_document_of_this_app_is_read_by_the_same_door() -> None:
    told = answer(json.dumps(DOCUMENT).encode())
    assert (told["format"], told["edition"], told["roster"]) == ("roster-document", "1.0", DOCUMENT)
    assert not rows(told, "unknown", "guessed")
    odd = {**DOCUMENT, "stash": ["Zzyzx Charm"]}
    assert rows(answer(json.dumps(odd).encode()), "unknown") == ["stash[0]: Zzyzx Charm"]
    with pytest.raises(Refusal, match="another game"):
        answer(json.dumps({**DOCUMENT, "game": "gloom-trench"}).encode())


def test_an_answer_settles_a_name_and_left_out_is_noted() -> None:
    data = made.as_json(roster(model("Yeoman", pick("Zzyzx Charm", group="Upgrades"), price=30)))
    open_now = read_roster_file(data).reading.open()
    (key,) = [phrase.key for _whose, phrase in open_now]
    read: RosterFile = read_roster_file(data, answers={key: "item:gas-mask"})
    assert read.document["fighters"][0]["kit"] == ["Gas Mask"]
    assert not read_roster_file(data, answers={key: "-"}).unread


DEEP = b'{"roster":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001
HOSTILE = {
    "nothing": (b" \n", "empty"),
    "three megabytes": (b"x" * 3_000_000, "larger than 2 MB"),
    "a bomb": (made.zipped(("a.ros", b"<roster>" + b" " * 14_000_000)), "12 MB"),
    "a zip in a zip": (made.zipped(("a.zip", made.zipped(("b.ros", b"<roster/>")))), "another archive"),
    "two members": (made.zipped(("a.ros", b"<roster/>"), ("b.ros", b"<roster/>")), "2 files"),
    "a zip that takes much to unpack": (
        made.zipped(("a.ros", XML.encode()), how=zipfile.ZIP_LZMA),
        "packed in an unusual way. Pack it again",
    ),
    "another such zip": (made.zipped(("a.ros", XML.encode()), how=zipfile.ZIP_BZIP2), "packed in an unusual way"),
    "half a zip": (made.zipped(("a.ros", XML.encode()))[:200], "damaged"),
    "an outside entity": (
        b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster>&x;</roster>',
        "document type",
    ),
    "half of the XML": (XML.encode()[:900], "damaged"),
    "deep XML": (b"<roster>" + b"<forces>" * 200 + b"</forces>" * 200 + b"</roster>", "deeper"),
    "wide XML": (b"<roster>" + b"<a/>" * 50_000 + b"</roster>", "longer than any roster"),
    "XML of instructions": (b"<roster>" + b"<?a?>" * 50_000 + b"</roster>", "longer than any roster"),
    "wide JSON": (b'{"roster": [' + b"[]," * 200_000 + b"1]}", "more parts than any roster"),
    "many lines": (b"a\n" * 30_000, "more than 20000 lines"),
    "a long cell": (f"{TABLE_HEAD}\na,{'x' * 140_000}".encode(), "table is damaged"),
    "deep JSON": (DEEP, "60 deep"),
    "not a number": (b'{"roster": {"forces": [], "x": NaN}}', "damaged"),
    "half of the JSON": (made.as_json(made.choir())[:500], "damaged"),
    "a list": (b"[1, 2]", "list"),
    "other JSON": (b'{"hello": 1}', "no roster"),
    "another game": (
        made.as_json({**made.choir(), "gameSystemId": "sys-x", "gameSystemName": "Some Other Wargame"}),
        "Some Other Wargame",
    ),
    "game data": (b'<catalogue xmlns="x"/>', "game data"),
    "a web page": (b"<!DOCTYPE html><html><body>Roster</body></html>", "web page"),
    "a PDF": (b"%PDF-1.7 ...", "PDF"),
    "a picture": (b"\x89PNG\r\n", "PNG"),
    "letters of another code": ("Мюллер - Йомен".encode("cp1251"), "UTF-8"),
    "nobody": (made.as_json(roster()), "no fighters"),
    "too many": (made.as_json(roster(*[model("Yeoman", price=30, number=90)] * 4)), "200 fighters"),
    "too much": (made.as_json(roster(model("Yeoman", *[weapon("Musket", 5)] * 6_000, price=30))), "5000 entries"),
    "the old compendium": (b'{"Members": [], "Armoury": [], "PayChest": 3}', "Compendium"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_roster_is_refused_in_a_sentence(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(Refusal, match=words):
        read_roster_file(data)


def test_a_text_of_many_escapes_takes_no_memory_by_the_letter() -> None:
    data = b'{"game": "' + rb"\u00e9" * 330_000 + b'"}'
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert open_file(data).format == "roster-document"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held < 50 * 1024


def test_a_wrong_word_for_the_format_is_refused() -> None:
    with pytest.raises(Refusal, match="not companion-save"):
        read_roster_file(FORMS["roster.ros"], wanted="companion-save")


def maimed(data: bytes, draw: random.Random) -> bytes:
    """Return a file with a few bytes, a stretch or a value of it changed."""
    kept = bytearray(data)
    kind = draw.randrange(5)
    at = draw.randrange(len(kept))
    if kind == 0:
        return bytes(kept[:at])
    if kind == 1:
        for _number in range(draw.randrange(1, 20)):
            kept[draw.randrange(len(kept))] = draw.randrange(256)
        return bytes(kept)
    if kind == 2:
        del kept[at : at + draw.randrange(1, 300)]
        return bytes(kept)
    if kind == 3 and not data.startswith(b"{"):
        odd = draw.choice([b'number="1e309" x="', b'value="nan" y="', b'name="'])
        return data.replace(draw.choice([b'number="', b'value="', b'name="']), odd, draw.randrange(1, 5))
    try:
        tree = json.loads(data)
    except ValueError:
        return bytes(reversed(kept))
    _maim(tree, draw)
    return json.dumps(tree).encode()


def _maim(tree: Any, draw: random.Random) -> None:
    odd: list[Any] = [None, [], {}, "", -1, 10**30, 1.5, True, "x" * 3000, [1], [[]], {"a": 1}, "\ud800"]
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        if draw.random() < 0.03:
            tree[key] = draw.choice(odd)
        else:
            _maim(tree[key], draw)


def test_maimed_files_are_read_or_refused_and_never_break_anything() -> None:
    draw = random.Random(18)
    whole = [*FORMS.values(), TEXT.encode(), json.dumps(made.save()).encode()]
    ends: Counter[str] = Counter()
    for _number in range(10_000 if WHOLE else 150):
        try:
            json.dumps(answer(maimed(draw.choice(whole), draw)), ensure_ascii=False).encode()
            ends["read"] += 1
        except Refusal as refusal:
            ends["refused" if str(refusal).strip() else "without a word"] += 1
    assert not ends["without a word"]
    assert ends["read"] > 20
    assert ends["refused"] > 20


# --- the way out ---------------------------------------------------------------------------------------------------------


def parts_of(document: Answer) -> list[tuple[str, str, list[str]]]:
    return [(row["name"], row["profile"], sorted(row["kit"])) for row in document["fighters"]]


DOCUMENT: Answer = answer(made.as_json(made.choir()))["roster"]


@pytest.mark.parametrize(
    ("form", "seen_as"), [("trench-companion", "companion-text"), ("tts", "companion-tts"), ("text", "text")]
)
def test_what_is_written_is_read_back_equal(form: str, seen_as: str) -> None:
    told = answer(write_roster(DOCUMENT, form).encode(), edition="1.0")
    assert told["format"] == seen_as
    assert parts_of(told["roster"]) == parts_of(DOCUMENT)
    assert told["totals"]["differences"] == []
    assert told["roster"]["record"] == DOCUMENT["record"]


def test_the_text_of_trench_companion_has_its_lines_in_their_order() -> None:
    lines = write_roster({**DOCUMENT, "patron": None}, "trench-companion").split("\n")
    assert lines[:6] == [
        "## Mud Choir ##",
        " ",
        "Faction: The Principality of New Antioch",
        "Rating: 195 Ducats | 0 Glory",
        "Patron: None",
        " ",
    ]
    assert lines[lines.index("Edda Voss - Lieutenant") + 1 :][:4] == [
        "• Cost: 90 Ducats | 0 Glory", "• Equipment: Automatic Pistol", "• Skills: Sharp Eyes", "• Injuries: Leg Wound",
    ]  # fmt: skip
    assert "Stashed Ducats: 21" in lines
    assert "Unspent Glory: 3" in lines


def test_a_table_has_a_row_for_each_fighter_and_no_formula() -> None:
    fighters = [{**DOCUMENT["fighters"][0], "name": "=1+1"}, *DOCUMENT["fighters"][1:]]
    table = list(csv.DictReader(io.StringIO(write_roster({**DOCUMENT, "fighters": fighters}, "csv"))))
    assert [row["name"] for row in table] == ["'=1+1", "1917", "Yeoman", "Yeoman 2"]
    assert (table[0]["ducats"], table[0]["kit"], table[1]["promoted"]) == ("90", "Automatic Pistol", "yes")


def test_discord_messages_fit_and_show_signs_as_signs() -> None:
    many = [{**DOCUMENT["fighters"][2], "name": f"*Yeoman* number {n} of the long line"} for n in range(60)]
    messages = write_roster({**DOCUMENT, "fighters": many}, "discord").split("\n\n----\n\n")
    assert len(messages) > 1
    assert all(len(message) <= 2_000 for message in messages)
    assert "".join(messages).count("\\*Yeoman\\*") == 60


def test_the_console_writes_a_form_and_refuses_what_it_has_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roster").write_text(json.dumps(DOCUMENT))
    call_command("write_roster", str(tmp_path / "roster"), "--format", "discord")
    assert "**Mud Choir**" in capsys.readouterr().out
    (tmp_path / "other").write_text("[1]")
    (tmp_path / "older").write_text(json.dumps({**DOCUMENT, "edition": "1.6.3"}))
    for file, form in (("roster", "runes"), ("older", "battlescribe"), ("other", "csv")):
        with pytest.raises(CommandError) as error:
            call_command("write_roster", str(tmp_path / file), "--format", form)
        assert error.value.returncode == 2


def console(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, *options: str) -> tuple[int, Answer]:
    (tmp_path / "file").write_bytes(data)
    try:
        call_command("read_roster", str(tmp_path / "file"), *options)
    except SystemExit as end:
        return int(end.code or 0), json.loads(capsys.readouterr().out)
    return 0, json.loads(capsys.readouterr().out)


def test_the_console_ends_with_0_for_a_file_that_matched_and_1_for_an_open_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert console(tmp_path, capsys, FORMS["roster.rosz"])[0] == 0
    code, told = console(
        tmp_path, capsys, made.as_json(roster(model("Yeoman", pick("Zzyzx Charm"), price=30))), "--edition", "1.0"
    )
    assert code == 1
    assert told["edition"] == "1.0"


@pytest.mark.parametrize("options", [(), ("--format", "text"), ("--edition", "0.9"), ("--list", "nobody")])
def test_the_console_ends_with_2_and_a_sentence(options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    data = FORMS["roster.ros"] if options else b"\x00\x01"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with pytest.raises(CommandError) as error:
        call_command("read_roster", "-", *options)
    assert error.value.returncode == 2


# --- what a choice makes of a fighter --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "chosen", "group", "profile"),
    [
        ("Grail Thrall", "Winged", "Thrall Type", "Fly Thrall"),
        ("Grail Thrall", "Grounded", "Thrall Type", "Grail Thrall"),
        ("Plague Knight", "The Executor", "Role", "Executor"),
    ],
)
def test_a_choice_below_a_fighter_makes_it_another_kind(said: str, chosen: str, group: str, profile: str) -> None:
    tree = roster(model(said, pick(chosen, group=group), price=30), catalogue="Black Grail")
    told = answer(made.as_json(tree))
    assert told["roster"]["fighters"][0]["profile"] == profile
    assert told["roster"]["fighters"][0]["kit"] == []
    assert not rows(told, "unknown")


def test_a_choice_that_is_the_name_of_a_kind_makes_the_fighter_one() -> None:
    tree = roster(model("Trench Cleric", pick("Holy Warrior", group="Upgrades"), price=60))
    assert answer(made.as_json(tree))["roster"]["fighters"][0]["profile"] == "Holy Warrior"


def test_a_rank_with_its_choice_is_one_upgrade_with_the_price_of_both() -> None:
    rank = pick("Legionnaire", pick("Ranged", price=10), price=5, group="Upgrades")
    told = answer(made.as_json(roster(model("Heretic Trooper", rank, price=30), catalogue="Heretic Legion")))
    assert told["roster"]["fighters"][0]["upgrades"] == ["Ranged Legionnaire"]
    assert told["totals"]["printed"] == {"ducats": 45, "glory": 0}


def test_another_word_is_another_thing_however_like_the_rest_is() -> None:
    told = answer(made.as_json(roster(model("Yeoman", pick("Trench Shrine", group="Equipment"), price=30))))
    assert [source.split(": ")[1] for source in rows(told, "unknown")] == ["Trench Shrine"]


# --- what messengers, other systems and other languages do to a text ---------------------------------------------------------

PASTED = (
    "New Antioch - Mud Choir - [140 Ducats, 2 Glory Points]\n\n# ++ Warband ++ [140 Ducats, 2 Glory Points]\n"
    "## Configuration\nCampaign Rules: Disabled\n\n## Elite [105 Ducats, 2 Glory Points]\n"
    "Märta - Lieutenant [105 Ducats, 2 Glory Points]: Automatic Pistol [20 Ducats], Standard Armour [15 Ducats]\n\n"
    "## Troop [35 Ducats]\nYeoman [35 Ducats]: Bolt-Action Rifle [5 Ducats]\n"
)
VARIED = {
    "in a fence": f"My list:\n```text\n{PASTED}\n```\nsee you".encode(),
    "quoted": "\n".join(f"> {line}" for line in PASTED.split("\n")).encode(),
    "with stars": re.sub(r"(?m)^(#.*)$", r"**\1**", PASTED).encode(),
    "of Windows": PASTED.replace("\n", "\r\n").encode("cp1252"),
    "with a comma for decimals": re.sub(r"(\d+) Ducats", r"\1,0 Ducats", PASTED).encode(),
    "with a point for decimals": re.sub(r"(\d+) Ducats", r"\1.00 Ducats", PASTED).encode(),
    "without spaces": re.sub(r"(\d+) (Ducats|Glory)", r"\1\2", PASTED).encode(),
    "with other spaces": PASTED.replace(" Ducats", "\xa0Ducats").encode(),
    "without its second line": re.sub(r"(?m)^# \+\+.*\n", "", PASTED).encode(),
}


@pytest.mark.parametrize("name", VARIED)
def test_a_text_is_the_same_however_it_was_sent(name: str) -> None:
    told = answer(VARIED[name])
    assert told["format"] == "newrecruit-text"
    assert told["roster"]["fighters"] == answer(PASTED.encode())["roster"]["fighters"]
    assert [(row["name"], row["profile"], row["kit"]) for row in told["roster"]["fighters"]] == [
        ("Märta", "Lieutenant", ["Automatic Pistol", "Standard Armour"]),
        ("Yeoman", "Yeoman", ["Bolt-Action Rifle"]),
    ]
    assert not rows(told, "guessed")


@pytest.mark.parametrize(
    "name", ["#3", "Big Mac: the loud", "Ruth; the 2nd", "Brother - of no house", "Amos, son of Obed"]
)
def test_a_name_of_the_text_keeps_its_signs(name: str) -> None:
    told = answer(PASTED.replace("Märta - ", f"{name} - ").encode())
    assert [(row["name"], row["profile"]) for row in told["roster"]["fighters"]] == [
        (name, "Lieutenant"),
        ("Yeoman",) * 2,
    ]


def test_a_fence_without_the_second_line_is_the_same_text() -> None:
    text = re.sub(r"(?m)^# \+\+.*\n", "", PASTED)
    assert answer(f"```\n{text}\n```".encode())["format"] == "newrecruit-text"


@pytest.mark.parametrize(("said", "edition"), [("Double Handed Blunt Weapon", "1.6.3"), ("Great Hammer/Maul", "1.0")])
def test_the_edition_whose_words_a_text_uses_is_the_likelier(said: str, edition: str) -> None:
    lines = ["## Wardens ##", "Faction: Trench Pilgrims", "Rating: 90 Ducats | 0 Glory", "## Elites ##", "War Prophet"]
    text = "\n".join((*lines, "• Cost: 90 Ducats | 0 Glory", f"• Equipment: {said}"))
    assert answer(text.encode())["edition"] == edition


def test_prices_with_a_comma_and_two_forces_are_one_roster() -> None:
    tree = made.choir()
    force = tree["forces"][0]
    for row in force["selections"]:
        for price in row.get("costs", []):
            price["value"] = f"{price['value']},0"
    half = len(force["selections"]) // 2
    other = {**force, "selections": force["selections"][half:]}
    tree["forces"] = [{**force, "selections": force["selections"][:half]}, other]
    told = answer(made.as_json(tree))
    assert told["roster"]["fighters"] == answer(made.as_json(made.choir()))["roster"]["fighters"]
    assert told["totals"]["differences"] == []


def test_without_any_id_a_promoted_fighter_is_known_by_the_rest_of_its_name() -> None:
    tree = roster(
        model("Commissioned Officer Yeoman", pick("Elite Promotion", group="Advancement"), price=30, part="Elite")
    )
    (row,) = answer(made.as_json(tree))["roster"]["fighters"]
    assert (row["profile"], row["promoted"]) == ("Yeoman", True)


def test_bytes_that_are_no_text_are_no_text_of_windows_either() -> None:
    with pytest.raises(Refusal, match="not text"):
        answer(bytes(range(128, 256)) * 20)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https://trench-companion.com/warband/detail/123", "press Export and then Full"),
        (" https://www.newrecruit.eu/app/list/abc\n", "In New Recruit open the list"),
        ("http://example.org/x", "Export the roster there"),
    ],
)
def test_a_pasted_link_says_where_the_export_is(link: str, words: str) -> None:
    with pytest.raises(Refusal, match="Nothing is fetched") as refused:
        answer(link.encode())
    assert words in refused.value.mend


# --- how long a text takes that is none ---------------------------------------------------------------------------------------

_DRAW = random.Random(18)
_WORDS = [
    "the",
    "quick",
    "brown",
    "fox",
    "trench",
    "rifle",
    "armour",
    "holy",
    "grail",
    "pistol",
    "sword",
    "captain",
    "priest",
    "heretic",
    "machine",
    "gun",
    "gas",
    "mask",
    "saint",
]


def _junk(words: int) -> str:
    return " ".join(_DRAW.choice(_WORDS) for _ in range(words))


_HEAD = "Wardens\nNew Antioch\nYeoman\n"
_OF_NEW_RECRUIT = "New Antioch - Junk - [10 Ducats]\n# ++ Warband ++ [10 Ducats]\n## Troop [3 Ducats]\n"
SLOW = {
    "499 lines of words": "\n".join(_junk(6) for _ in range(499)),
    "499 lines of kit": _HEAD + "\n".join(f"- {_junk(3)}" for _ in range(495)),
    "many commas": _HEAD + "\n".join("- " + ", ".join(_junk(2) for _ in range(12)) for _ in range(160)),
    "many colons": _HEAD + "\n".join(": a" * 190 for _ in range(50)),
    "many prices": _HEAD + "\n".join("1 ducats, " * 55 for _ in range(50)),
    "many quotes": _HEAD + "\n".join(("'" + "a'a " * 100)[:500] for _ in range(55)),
    "many brackets": _HEAD + "\n".join("(" * 200 + ")" * 200 for _ in range(60)),
    "many dashes of New Recruit": _OF_NEW_RECRUIT + "\n".join(" - ".join(["ab"] * 900) for _ in range(100)),
    "many costs of New Recruit": _OF_NEW_RECRUIT + "\n".join("[1 a, " * 600 for _ in range(100)),
    "one long line": "x y " * 25_000,
    "many short lines": "ab\n" * 10_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_text_that_is_no_roster_takes_no_second(name: str) -> None:
    answer(b"Wardens\nNew Antioch\nYeoman: Axxe")  # the books are ready
    took = []
    for _again in range(2):  # another process may make one of them slow
        before = time.process_time()
        with contextlib.suppress(Refusal):
            read_report(SLOW[name].encode())
        took.append(time.process_time() - before)
    assert min(took) < 1
