"""Reading packs: what is wrong is told with file, entry and field, all at once; every pack in the tree is sound."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from rules.content.check import check_pack
from rules.content.compiled import compile_content
from rules.content.house import read_house_rules
from rules.content.load import PackError, load_pack, pack_folder, packs
from rules.content.names import keyword_base, plain
from tests.unit.rules.weir import FOLDER

HEAD = 'game = "g"\nedition = "e"\nname = "n"\n'


def faults(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    return [str(fault) for fault in caught.value.faults]


def test_the_invented_pack_is_sound() -> None:
    assert check_pack(load_pack(FOLDER), FOLDER) == ()


def test_a_wrong_type_names_file_entry_and_field(tmp_path: Path) -> None:
    wrong = '[[profile_offers]]\nid = "a-spear"\nprofile = "spear"\nlists = ["x"]\nprice = { ducats = "many" }\n'
    found = faults(tmp_path, a=HEAD, b=wrong)
    assert found == ["b.toml, entry a-spear, $.profile_offers[0].price.ducats: Expected `int`, got `str`"]


def test_an_unknown_key_and_an_unknown_table_are_told(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        a=HEAD,
        b='[[keywords]]\nid = "x"\nname = "X"\nsummary = "s"\ncolour = "red"\n',
        c="[[weapons]]\nid = 'y'\n",
    )
    assert found == [
        "b.toml, entry x, $.keywords[0]: Object contains unknown field `colour`",
        "c.toml, $.weapons: no such table",
    ]


def test_bad_toml_names_its_line(tmp_path: Path) -> None:
    assert "line 2" in faults(tmp_path, a=HEAD, b="[[items]]\nid = = 3\n")[0]


def test_every_fault_is_told_not_only_the_first(tmp_path: Path) -> None:
    found = faults(tmp_path, b='[[keywords]]\nid = "X X"\nname = "X"\nsummary = "s"\n[[skills]]\nid = "k"\n')
    assert len(found) == 5
    assert sum("missing" in f for f in found) == 4


def test_an_empty_folder_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError):
        load_pack(tmp_path)


def test_dangling_ids_doubles_and_gaps_are_listed_at_once() -> None:
    pack = load_pack(FOLDER)
    offer = msgspec.structs.replace(pack.item_offers[0], id="w-pistol", item="moonbeam", lists=("nowhere",))
    profile = msgspec.structs.replace(pack.profiles[0], keywords=("SHINY",), abilities=("humming",))
    trauma = msgspec.structs.replace(pack.traumas[0], last=31)
    limits = msgspec.structs.replace(pack.campaign, limits=pack.campaign.limits[1:])
    broken = msgspec.structs.replace(
        pack,
        item_offers=(*pack.item_offers, offer),
        profiles=(profile, *pack.profiles[1:]),
        traumas=(trauma, *pack.traumas[1:]),
        campaign=limits,
        samples=(msgspec.structs.replace(pack.samples[0], document="lost.json"),),
    )
    found = "\n".join(check_pack(broken, FOLDER))
    for words in (
        "item_offers: w-pistol is defined 2 times",
        "names moonbeam",
        "names nowhere",
        "names SHINY",
        "names humming",
        "traumas: no result for 32, 33, 34, 35, 36",
        "must run from battle 1 without a gap",
        "no file lost.json",
    ):
        assert words in found


def test_there_is_something_to_check() -> None:
    assert ("trench-crusade", "1.6.3") in packs()


@pytest.mark.parametrize(("game", "edition"), packs())
def test_every_pack_is_sound(game: str, edition: str) -> None:
    folder = pack_folder(game, edition)
    assert check_pack(load_pack(folder), folder) == ()


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("Sword/Axe", "sword / axe"),
        ("Stosstruppen", "Stoßtruppen"),
        ("Eire", "Éire"),
        ("PISTOL - REVOLVER", "Pistol / Revolver"),
    ],
)
def test_case_accents_and_punctuation_do_not_matter(typed: str, same: str) -> None:
    assert plain(typed) == plain(same)


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("BLAST (3)", "BLAST"),
        ('BLAST 3"', "BLAST"),
        ("BLAST (X)", "BLAST"),
        ("FIRE", "FIRE"),
        ("+1 DICE", "DICE"),
        ("-2 INJURY MODIFIER", "INJURY MODIFIER"),
        ("CLEAVE 2", "CLEAVE"),
        ("AMMUNITION (FIRE)", "AMMUNITION"),
        ("NEGATE FEAR", "NEGATE FEAR"),
    ],
)
def test_a_keyword_without_its_parameter(word: str, base: str) -> None:
    assert keyword_base(word) == base


def test_a_family_of_keywords_explains_each_of_them() -> None:
    pack = load_pack(FOLDER)
    family = msgspec.structs.replace(pack.keywords[0], id="negate", name="NEGATE [KEYWORD]")
    signed = msgspec.structs.replace(pack.keywords[0], id="plus-minus-dice", name="+/- DICE")
    item = msgspec.structs.replace(pack.items[0], keywords=("NEGATE FIRE", "+1 DICE"))
    widened = msgspec.structs.replace(pack, keywords=(*pack.keywords, family, signed), items=(item, *pack.items[1:]))
    assert check_pack(widened) == ()
    compiled = compile_content(widened, read_house_rules({}))
    assert [compiled.keyword_id(k) for k in item.keywords] == ["negate", "plus-minus-dice"]
    assert [compiled.keyword(k) for k in item.keywords] == ["NEGATE FIRE", "+1 DICE"]
    assert compiled.item_keywords[item.id] == {"NEGATE FIRE", "+/- DICE"}
    wrong = msgspec.structs.replace(item, keywords=("NEGATIVE FIRE",))
    assert check_pack(msgspec.structs.replace(widened, items=(wrong, *pack.items[1:]))) == (
        f"items {item.id}: keywords names NEGATIVE FIRE, which is no entry of keywords",
    )


def test_what_an_armoury_stipulates_counts_like_a_keyword_and_is_explained() -> None:
    pack = load_pack(FOLDER)
    item = msgspec.structs.replace(pack.items[0], keywords=(), stipulations=("SHIELD COMBO",))
    with_item = msgspec.structs.replace(pack, items=(item, *pack.items[1:]), reference=())
    assert check_pack(with_item) == (
        f"items {item.id}: stipulations names SHIELD COMBO, which is no entry of stipulations",
    )
    told = msgspec.structs.replace(pack.keywords[0], id="shield-combo", name="Shield Combo")
    explained = msgspec.structs.replace(with_item, reference=(told,))
    assert check_pack(explained) == ()
    assert compile_content(explained, read_house_rules({})).item_keywords[item.id] == {"SHIELD COMBO"}


def test_a_purpose_has_at_most_six_words_and_is_no_keyword_alone() -> None:
    pack = load_pack(FOLDER)
    long = msgspec.structs.replace(pack.items[0], purpose="It is good for a few things")
    bare = msgspec.structs.replace(pack.items[1], purpose="HEAVY")
    found = check_pack(msgspec.structs.replace(pack, items=(long, bare, *pack.items[2:])))
    assert set(found) == {
        f"items {long.id}: purpose has 7 words; 6 fit",
        f"items {bare.id}: purpose is a keyword alone; say what it does",
    }
