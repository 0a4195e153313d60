"""Overlays from other places: an operator's folder, and the console that checks, compares and tries them."""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules.content.overlays import states
from rules.registry import system

EXAMPLES = json.loads((Path(__file__).parent / "overlay_examples.json").read_text("utf-8"))
HEAD = '[overlay]\nid = "{id}"\ntitle = "Of the table"\ndate = "2026-11"\nstatus = "house"\nsource = "us"\nsummary = "w"\nafter = ["tc-2026-04-grenades"]\n'
PRICE = '[[changes]]\ntable = "item_offers"\nentry = "new-antioch-incendiary-grenades"\nfield = "price"\nfrom = {{ ducats = {before} }}\nto = {{ ducats = 40 }}\nreason = "Dear here."\n'


def written(folder: Path, id_: str, before: int = 15) -> Path:
    place = folder / "trench_crusade" / "v1_0" / id_
    place.mkdir(parents=True)
    (place / "overlay.toml").write_text(HEAD.format(id=id_) + PRICE.format(before=before), "utf-8")
    return place


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(states, "_more", [])
    monkeypatch.setattr(states, "_own", {})
    yield tmp_path
    monkeypatch.undo()
    states.forget()


def said(*command: str) -> str:
    out = StringIO()
    call_command("content", *command, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.django_db
def test_an_operator_drops_an_overlay_in_and_a_bad_one_is_left_out_with_its_fault(site: Path) -> None:
    written(site, "of-the-table")
    written(site, "of-nowhere", before=99)
    (site / "trench_crusade" / "v1_0" / "torn.toml").write_text("[overlay", "utf-8")
    states.look_also_in(site)
    part = system("trench-crusade").states
    assert part is not None
    shown = {info.id: info.status for info in part.overlays("1.0")}
    assert shown["of-the-table"] == "house"
    assert not {"of-nowhere", "torn"} & set(shown)
    faults = [str(fault) for fault in states.skipped("trench-crusade", "1.0")]
    assert any("of-nowhere/overlay.toml, entry new-antioch-incendiary-grenades" in fault for fault in faults)
    assert any(fault.startswith("torn.toml") for fault in faults)
    assert "of-the-table" not in part.newest("1.0")
    with pytest.raises(CommandError, match="of-nowhere"):
        said("check", "trench-crusade/1.0")


HEADED = '[overlay]\nid = "bad"\ntitle = "T"\ndate = "2026-11"\nstatus = "house"\nsource = "s"\nsummary = "w"\n'
BAD = {
    "after itself": (HEADED + 'after = ["bad"]\n', "entry bad, $.overlay.after: names itself"),
    "after one that is nowhere": (HEADED + 'after = ["moon"]\n', "$.overlay.after: no overlay is called moon"),
    "replaces one that is nowhere": (HEADED + 'replaces = ["moon"]\n', "$.overlay.replaces: no overlay is called moon"),
    "only with one that is nowhere": (
        HEADED + PRICE.format(before=15) + 'only_with = ["moon"]\n',
        "$.changes.only_with: no overlay is called moon",
    ),
    "the id of another": (HEADED.replace('"bad"', '"tc-2026-04-grenades"'), "$.overlay.id: there is one of this id"),
    "an id that leaves its folder": (HEADED.replace('"bad"', '"../bad"'), "$.overlay.id: Expected `str` matching"),
    "no such month": (HEADED.replace("2026-11", "2026-13"), "$.overlay.date: Expected `str` matching"),
    "no such status": (HEADED.replace("house", "final"), "$.overlay.status: Invalid enum value"),
    "nested too deeply": (HEADED + "x = " + "[" * 3000 + "]" * 3000, "is nested too deeply"),
    "too large": (HEADED + "# " + "x" * 2_000_000, "the file is too large; 2 MB is the most"),
    "a piece that is nowhere": (
        HEADED + '[[item_offers]]\nid = "z"\nitem = "moon"\nlists = ["new-antioch"]\nprice = { ducats = 1 }\n',
        "item_offers z: item names moon",
    ),
    "withdraws what others name": (
        HEADED + '[[withdrawn]]\ntable = "items"\nentry = "grenades"\nreason = "r"\n',
        "item names grenades, which is no entry of items",
    ),
    "one field of two without an order": (
        HEADED + PRICE.format(before=15),
        "entry new-antioch-incendiary-grenades, $.item_offers.price: tc-2026-04-grenades changes this field too",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_overlay_is_told_with_its_place_and_left_out_whole(bad: str, site: Path, tmp_path: Path) -> None:
    text, words = BAD[bad]
    file = tmp_path / "bad.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(CommandError) as caught:
        said("check", str(file))
    assert caught.value.returncode == 2
    assert words in str(caught.value)
    assert "bad" not in states.overlays_of("trench-crusade", "1.0")


def test_a_folder_in_which_nothing_can_be_read_stops_nothing_else(site: Path) -> None:
    place = written(site, "of-the-table").parent
    (place / "dangling.toml").symlink_to(site / "nowhere")
    (place / "folder").mkdir()
    (place / "folder" / "inner.toml").mkdir()
    (place / "deep.toml").write_text("x = " + "[" * 3000 + "]" * 3000, "utf-8")
    states.look_also_in(site)
    assert "of-the-table" in states.overlays_of("trench-crusade", "1.0")
    told = " ".join(str(fault) for fault in states.skipped("trench-crusade", "1.0"))
    for file in ("dangling.toml", "folder/inner.toml", "deep.toml"):
        assert file in told


def test_an_operator_s_overlays_may_name_each_other_and_official_ones_stand_together(site: Path) -> None:
    place = written(site, "of-the-table").parent
    text = (place / "of-the-table" / "overlay.toml").read_text("utf-8")
    named = text.replace('"of-the-table"', '"a-first"').replace('["tc-2026-04-grenades"]', '["of-the-table"]')
    (place / "a-first.toml").write_text(named, "utf-8")
    for id_ in ("said-once", "said-twice"):
        (place / f"{id_}.toml").write_text(
            text.replace('"of-the-table"', f'"{id_}"').replace('"house"', '"official"'), "utf-8"
        )
    states.look_also_in(site)
    known = states.overlays_of("trench-crusade", "1.0")
    assert list(known).index("of-the-table") < list(known).index("a-first")
    assert "said-once" in known
    assert "said-twice" not in known
    assert any(fault.file == "said-twice.toml" for fault in states.skipped("trench-crusade", "1.0"))
    assert (
        "said-once" in states.state_of("trench-crusade", "1.0", states.newest_official("trench-crusade", "1.0")).tokens
    )


def test_the_console_checks_tries_and_compares(site: Path, tmp_path: Path) -> None:
    place = written(site, "of-the-table")
    roster = tmp_path / "roster.json"
    roster.write_text(json.dumps(EXAMPLES["cases"][0]["roster"]), "utf-8")
    said("check", str(place))
    told = said("try", str(place), "--roster", str(roster))
    assert "Ida: Incendiary Grenades: price: 15 d → 40 d" in told
    assert "bought for less: -50 ducats" in told
    lines = said("diff", "trench-crusade/1.0", "trench-crusade/1.0+tc-2026-04-court-hotfix").splitlines()
    assert any("Malebranche Sword" in line and "50 d" in line and "35 d" in line for line in lines)
    assert said("diff", "trench-crusade/1.0", "trench-crusade/1.0") == ""


@pytest.mark.parametrize(
    "command",
    [
        ("diff", "trench-crusade/1.0", "trench-crusade/1.0+moonbeam"),
        ("try", "nowhere", "--roster", "r.json"),
        ("trench-crusade/1.0-tc-1.0.1",),
        ("check", "trench-crusade/9.9"),
    ],
)
@pytest.mark.django_db
def test_the_console_says_what_it_does_not_know(command: tuple[str, ...], site: Path) -> None:
    with pytest.raises(CommandError):
        said(*command)


def test_every_state_loads_within_its_budget() -> None:

    game = system("trench-crusade")
    part = game.states
    assert part is not None
    states.forget()
    began, held = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for edition in game.editions():
        game.content(edition)
        for info in part.overlays(edition):
            if not info.in_base:
                game.content(edition, (info.id,))
        game.content(edition, part.newest(edition))
    assert time.process_time() - began < 3  # under 1 s on a machine of its own
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held < 90 * 1024
