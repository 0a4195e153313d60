"""Rosters that leave in the forms of other programs, read back by readers that share nothing with the app's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from rules.content.compiled import Content
from rules.content.names import plain
from rules.fighters.views import views
from rules.force import Force
from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.roster_files.catalogue import catalogues
from rules.trench_crusade.roster_files.report import read_report
from rules.trench_crusade.roster_files.write import WRITERS, left_out, write_roster
from tests import second_readers
from tests.drills import WHOLE, sampled
from tests.second_readers import (
    SecondRoster,
    read_companion_text,
    read_csv,
    read_discord,
    read_plain,
    read_ros,
    read_save,
    read_tts,
)

GAME = system("trench-crusade")
SAMPLES = [
    (edition, sample[0]) for edition in GAME.editions() for sample in GAME.founding.samples(GAME.content(edition))
]
CAMPAIGN: dict[str, Any] = {
    "game": "trench-crusade", "edition": "1.0", "faction": "The Principality of New Antioch", "name": "Mud & <Choir>",
    "patron": "Warrior Saint", "battles": {"fought": 2},
    "fighters": [
        {"name": "Edda Voss", "profile": "Lieutenant", "kit": ["Automatic Pistol", "Reinforced Armour"], "experience": 4,
         "skills": ["Sharp Eyes"], "traumas": ["Leg Wound"]},
        {"name": "Otto", "profile": "Yeoman", "kit": ["Bolt-Action Rifle", "Bayonet"], "promoted": True},
        {"name": "Jens", "profile": "Yeoman", "kit": ["Trench Knife"], "status": "dead"},
    ],
    "stash": ["Trench Knife", "Trench Knife"],
    "campaign": {"locations": ["Skull of a Saint"], "exploration_skills": ["Extra Dice"]},
    "record": {"strongbox": {"ducats": 21, "glory": 3}},
}  # fmt: skip

Reader = Callable[[str], SecondRoster]


def sample(edition: str, name: str) -> dict[str, Any]:
    return dict(GAME.founding.sample(GAME.content(edition), name))


def told(document: dict[str, Any]) -> tuple[Content, Force]:
    content, force, _problems = read_with_content(document)
    return content, force


def shape(document: dict[str, Any]) -> Any:
    """What every form can carry: fighters on the roster with bought kit, upgrades, skills and traumas; stash and list."""
    _content, force = told(document)
    fighters = [
        (
            row.name, row.profile, row.experience, row.promoted,
            sorted(piece.item for piece in row.kit if piece.origin != "mandatory"),
            sorted(taken.option or taken.upgrade for taken in row.upgrades),
            sorted(learned.skill for learned in row.skills), sorted(wound.trauma for wound in row.traumas),
        )
        for row in force.fighters if row.status == "active"
    ]  # fmt: skip
    return fighters, sorted(piece.item for piece in force.stash), force.list, force.patron


def without(document: dict[str, Any], gone: tuple[str, ...]) -> Any:
    """The shape of a roster without what a form told it leaves out, by the names in it."""
    fighters, stash, list_id, patron = shape(document)
    content, _force = told(document)
    names = {label.partition(": ")[0]: label for label in gone}
    kept = []
    for row in fighters:
        label = f"{row[0]} - {content.name('profile', row[1])}"
        if label in gone:
            continue
        missing = {plain(one.partition(": ")[2]) for one in gone if one.startswith(f"{label}: ")}
        assert label not in names or missing
        lists = [
            [id_ for id_ in row[at] if plain(content.name(kind, id_)) not in missing]
            for at, kind in ((4, "item"), (5, "upgrade"), (6, "skill"), (7, "trauma"))
        ]
        kept.append((*row[:4], *lists))
    stash = [id_ for id_ in stash if f"{content.name('item', id_)} in the stash" not in gone]
    list_id = content.faction(list_id) if content.name("list", list_id) in gone else list_id
    return kept, stash, list_id, patron


@pytest.mark.parametrize(
    "name", sampled([name for edition, name in SAMPLES if edition == "1.0"], 12, always=["black-tide"])
)
def test_a_ros_holds_the_roster_but_for_what_it_names(name: str) -> None:
    document = sample("1.0", name)
    gone = left_out(document, "battlescribe")
    text = write_roster(document, "battlescribe")
    back, _clean = read_report(text.encode())
    assert not [row for row in back["lines"] if row["state"] in ("guessed", "unknown")]
    assert shape(back["roster"]) == without(document, gone)
    second = read_ros(text)
    assert len(second.fighters) == len(back["roster"]["fighters"])
    assert all(re.sub(r" \(\d+\)$", "", one.rpartition(": ")[2]) in second.facts["notes"] for one in gone)
    assert second.facts["sum"] == second.ducats
    assert len(gone) <= 2  # of some thirty things


def test_a_ros_names_every_entry_by_its_links_as_the_data_does() -> None:
    text = write_roster(CAMPAIGN, "battlescribe")
    second = read_ros(text)
    assert second.facts["catalogue"] == ("707d-5bdf-586e-f704", "New Antioch")
    pistol = "fe98-2c76-abee-13dd::91c1-e8c2-83bb-e2c7::dd81-2753-664d-92e1::967c-6555-a460-6957::f294-f3b2-5577-bc17"
    bayonet = "2a56-df62-c8c1-9bc0"
    ids = second.facts["ids"]
    assert {"e578-1122-47cb-10ad", "7346-84e3-dbbb-296d", pistol} <= set(ids)
    assert [one for one in ids if one.endswith(f"::{bayonet}")]
    edda, otto = second.fighters
    assert (edda.name, edda.kind, edda.experience, edda.has) == (
        "Edda Voss", "Lieutenant", 4, ["Automatic Pistol", "Leg Wound", "Reinforced Armour", "Sharp Eyes"]
    )  # fmt: skip
    assert otto.has == ["Bayonet", "Bolt-Action Rifle"]
    assert second.stash == ["Trench Knife", "Trench Knife"]
    rules = second.facts["Campaign Rules"]
    assert {("Warrior Saint", 1), ("Unleveraged Glory", 3), ("Warchest of Ducats", 21), ("Extra Dice", 1)} <= set(rules)
    assert "Jens (dead)" in second.facts["notes"]
    assert "battles fought: 2" in second.facts["notes"]
    assert second.name == "Mud & <Choir>"
    assert write_roster(CAMPAIGN, "battlescribe") == text  # the same roster has the same ids


def test_of_the_older_edition_and_of_no_faction_there_is_no_ros() -> None:
    older = {**CAMPAIGN, "edition": "1.6.3", "patron": None, "campaign": None}
    with pytest.raises(Refusal, match=r"no longer has edition 1\.6\.3"):
        write_roster(older, "battlescribe")


def test_every_way_through_the_data_ends_at_an_entry() -> None:
    for catalogue in catalogues().values():
        top = catalogue.top()
        assert len(top) > 10
        for choice in top:
            for below in catalogue.below(choice):
                assert below.entry_id.count("::") == len(below.prefix)
                assert below.group_id == "" or below.groups


@pytest.mark.parametrize(("edition", "name"), sampled(SAMPLES, 22))
def test_the_json_of_trench_companion_holds_the_whole_roster(edition: str, name: str) -> None:
    document = sample(edition, name)
    text = write_roster(document, "trench-companion-json")
    back, _clean = read_report(text.encode())
    assert (back["format"], back["edition"]) == ("companion-save", edition)
    assert shape(back["roster"]) == shape(document)
    second = read_save(text)
    assert (second.ducats, second.glory) == (
        sum(row.ducats for row in second.fighters),
        sum(row.glory for row in second.fighters),
    )


def test_the_json_of_trench_companion_keeps_the_campaign() -> None:
    second = read_save(write_roster(CAMPAIGN, "trench-companion-json"))
    assert [(row.name, row.kind, row.status, row.experience) for row in second.fighters] == [
        ("Edda Voss", "md_lieutenant", "active", 4),
        ("Otto", "md_yeoman", "active", 0),
        ("Jens", "md_yeoman", "dead", 0),
    ]
    assert {"sk_sharpeyes", "in_legwound"} <= set(second.fighters[0].has)
    assert second.facts["spare"] == (21, 3)
    assert (second.facts["round"], second.facts["patron"]) == (3, "pt_warriorsaint")
    assert second.facts["faction"] == "fc_newantioch"
    assert second.stash == ["Trench Knife", "Trench Knife"]


FORMS: dict[str, Reader] = {
    "trench-companion": read_companion_text,
    "tts": read_tts,
    "csv": read_csv,
    "discord": read_discord,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("edition", "name"), SAMPLES[::5])
def test_each_other_form_names_every_fighter_with_all_it_has(form: str, edition: str, name: str) -> None:
    document = sample(edition, name)
    content, force = told(document)
    second = FORMS[form](write_roster(document, form))
    known = views(content, force)
    wanted = {
        row.name: sorted(
            [content.name("item", piece.item) for piece in known[row.key].kit]
            + [content.name("upgrade", taken.option or taken.upgrade) for taken in row.upgrades]
        )
        for row in force.fighters
    }
    assert {row.name: [one for one in row.has if one] for row in second.fighters} == wanted
    assert [plain(row.kind) for row in second.fighters if form == "csv"] == [
        plain(known[row.key].profile_name) for row in force.fighters if form == "csv"
    ]


@pytest.mark.parametrize(("edition", "name"), SAMPLES[::3])
def test_the_plain_text_names_every_fighter_with_what_was_bought(edition: str, name: str) -> None:
    document = sample(edition, name)
    content, force = told(document)
    second = read_plain(write_roster(document, "text"))
    assert second.name == force.name
    assert [row.name for row in second.fighters] == [row.name for row in force.fighters]
    for row, member in zip(second.fighters, force.fighters, strict=True):
        assert plain(content.name("profile", member.profile)).startswith(plain(row.kind))  # a variant's name is longer
        bought = [content.name("item", piece.item) for piece in member.kit if piece.origin == "bought"]
        assert set(map(plain, bought)) <= {plain(re.sub(r" \(\w+\)$", "", one)) for one in row.has} | {
            plain(one) for one in row.has
        }
    assert len(second.stash) == len(force.stash)


def test_the_plain_text_and_discord_keep_experience_stash_and_money() -> None:
    second = read_plain(write_roster(CAMPAIGN, "text"))
    edda, otto = second.fighters
    assert (edda.name, edda.kind, edda.experience) == ("Edda Voss", "Lieutenant", 4)
    assert {"Automatic Pistol", "Sharp Eyes", "Leg Wound"} <= set(edda.has)
    assert otto.has == ["Bayonet", "Bolt-Action Rifle"]
    assert second.stash == ["Trench Knife", "Trench Knife"]
    assert second.facts["Strongbox"] == "21 ducats, 3 glory"
    assert second.facts["Exploration skills"] == "Extra Dice"
    discord = read_discord(write_roster(CAMPAIGN, "discord"))
    assert [(row.name, row.kind, row.experience) for row in discord.fighters] == [
        ("Edda Voss", "Lieutenant", 4),
        ("Otto", "Yeoman", 0),
    ]
    assert discord.stash == ["Trench Knife", "Trench Knife"]


@pytest.mark.parametrize("form", WRITERS)
def test_every_form_comes_in_again_without_an_open_line(form: str) -> None:
    for edition, name in SAMPLES[:: 4 if WHOLE else 8]:
        if form == "battlescribe" and edition != "1.0":
            continue
        document = sample(edition, name)
        back, _clean = read_report(write_roster(document, form).encode())
        open_ones = [row["source"] for row in back["lines"] if row["state"] == "unknown"]
        assert open_ones == [], (name, form)
        assert len(back["roster"]["fighters"]) == len(document["fighters"]), (name, form)


def test_the_table_brings_experience_states_and_promotions_back() -> None:
    back, _clean = read_report(write_roster({**CAMPAIGN, "name": ""}, "csv").encode())
    assert back["format"] == "roster-table"
    assert (back["lines"][0]["state"], back["edition"]) == ("matched", "1.0")
    assert shape(back["roster"])[0] == shape(CAMPAIGN)[0]
    assert [(row["name"], row["status"]) for row in back["roster"]["fighters"]][-1] == ("Jens", "dead")


KEEPING = ("trench-companion-json", "text", "discord", "csv", "tts")  # forms of ours, or with a place for what we add


@pytest.mark.parametrize("form", KEEPING)
@pytest.mark.parametrize(("edition", "name"), SAMPLES[:: 4 if WHOLE else 12])
def test_edition_list_and_patron_come_back(form: str, edition: str, name: str) -> None:
    document = sample(edition, name)
    back, _clean = read_report(write_roster(document, form).encode())
    assert back["edition"] == edition, back["why"]
    list_id, patron = shape(document)[2:]
    assert shape(back["roster"])[2] == list_id
    assert form == "csv" or shape(back["roster"])[3] == patron


def test_a_table_without_our_columns_is_read_as_before() -> None:
    rows = [row.split(",") for row in write_roster({**CAMPAIGN, "name": ""}, "csv").splitlines()]
    older = "\n".join(",".join(row[:12]) for row in rows)
    back, _clean = read_report(older.encode())
    assert back["lines"][0]["state"] == "guessed"  # it names no list
    assert back["roster"]["faction"] == CAMPAIGN["faction"]


def test_the_second_readers_use_nothing_of_the_app() -> None:
    source = second_readers.__file__
    with open(source, encoding="utf-8") as file:
        text = file.read()
    assert not re.search(r"^(?:from|import) (?:rules|warbands|campaigns)", text, re.MULTILINE)
