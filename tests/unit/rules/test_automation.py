"""The list in the docs of what the app does and what the sheet reminds of: whole, current, and with no third category."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from rules import vocabulary as v
from rules.content.campaign_entries import Deed, Location, LocationOption, Trauma
from rules.content.overlays.states import newest_official
from rules.content.schema import Ability, ItemEntry, Keyword, Skill
from rules.fighters.kit import CarriedItem
from rules.force import Force, ForceFighter, ForceSkill, ForceTrauma
from rules.price import Price
from rules.registry import system
from rules.trench_crusade.automation import (
    by_effects,
    does,
    is_named,
    of_deed,
    of_entry,
    of_item,
    of_keyword,
    of_option,
    of_skill,
    of_trauma,
)
from rules.trench_crusade.resolvers.weapon_lines import terms_of
from rules.trench_crusade.table_only import AT_AN_ATTACK

GAME = system("trench-crusade")
EDITIONS = (*GAME.editions(), "1.0 newest")  # and the newest official state
ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "what-the-app-does.md"
UNINTERPRETING = {"check.py", "browse.py", "does.py"}


def content(edition: str) -> Any:
    number, _, newest = edition.partition(" ")
    return GAME.content(number, newest_official(GAME.id, number) if newest else ())


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_in_neither_category(edition):
    neither = [f"{one.kind} {one.id} ({one.name})" for one in does(content(edition)) if not one.how]
    assert not neither, "in neither category: " + ", ".join(neither)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_option_skill_trauma_and_deed_is_on_the_list(edition):
    pack = content(edition).pack
    listed = [(one.kind, one.id) for one in does(content(edition))]
    wanted = (
        [("skill", x.id) for x in pack.skills]
        + [("trauma", x.id) for x in pack.traumas]
        + [("deed", x.id) for x in pack.deeds]
    )
    assert set(wanted) <= set(listed)
    assert sum(kind == "location" for kind, _ in listed) == sum(max(1, len(x.options)) for x in pack.locations)
    assert len(listed) > 200


def test_an_entry_in_neither_category_is_noticed():
    made = content("1.6.3")
    assert of_skill(made, Skill("x", "X", "Does something.")) == ("", False)
    assert of_skill(made, Skill("x", "X", "", effects=(v.ReminderEffect(),))) == ("", False)
    assert of_skill(made, Skill("x", "X", "Luck.", kind="exploration")) == ("", False)
    assert of_option(made, Location("x", "X", "common", 1), LocationOption("y", "Y", "Nothing yet.")) == ("", False)
    assert of_option(
        made, Location("x", "X", "common", 1), LocationOption("y", "Y", "", (v.LastingReward("no-such"),))
    ) == ("", False)
    assert of_deed(Deed("x", "X", "Do it.", glory=0)) == ("", False)


def test_what_is_done_and_what_is_told_are_kept_apart():
    assert by_effects((v.ReminderEffect(),), "words") == ("sheet", False)
    assert by_effects((v.StatEffect("melee", 1),), "words") == ("app", False)
    assert by_effects((v.StatEffect("melee", 1), v.ReminderEffect()), "words") == ("app", True)
    assert of_trauma(Trauma("x", "X", 11, 11, "words", effects=(v.ReminderEffect(),))) == ("sheet", False)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_stands_on_the_sheet_does_stand_there(edition):
    made = content(edition)
    seen = 0
    for one in does(made):
        if one.kind not in ("skill", "trauma") or not (one.how == "sheet" or one.besides):
            continue
        skill = one.kind == "skill"
        entry = (made.skills if skill else made.traumas)[one.id]
        if skill and entry.kind == "exploration":
            continue
        fighter = ForceFighter(
            "f1", "Ilse", "lieutenant",
            skills=(ForceSkill("s1", one.id),) if skill else (),
            traumas=() if skill else (ForceTrauma("t1", one.id),),
        )  # fmt: skip
        force = Force("trench-crusade", made.edition, "new-antioch", fighters=(fighter,), strongbox=Price())
        (line,) = GAME.documents.sheet(made, force).fighters
        assert any(name == entry.name and words.startswith(entry.words) for name, words in line.lines), one
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("union", [v.Effect, v.Reward], ids=["effects", "rewards"])
def test_every_word_that_counts_as_done_is_interpreted_somewhere(union):
    sources = [
        path.read_text("utf-8")
        for folder in (
            "rules",
            "rules/fighters",
            "rules/legality",
            "rules/offers",
            "rules/trench_crusade",
            "rules/trench_crusade/steps",
            "rules/trench_crusade/resolvers",
        )
        for path in (ROOT / folder).glob("*.py")
        if path.name not in UNINTERPRETING
    ]
    text = "\n".join(sources)
    words = [kind.__name__ for kind in get_args(union) if kind is not v.ListedEffect]  # asks for nothing to be done
    assert len(words) > 10
    assert not [word for word in words if not re.search(rf"\b{word}\b", text)]


def test_the_page_of_the_docs_is_what_the_packs_say():
    assert PAGE.read_text("utf-8") == GAME.campaign.what_it_does(), (
        "run: python manage.py what_it_does > docs/what-the-app-does.md"
    )


# Texts that speak of dice of attacks or injuries and change none: an ACTION or a fall of their own, and what another entry calculates.
OF_THEIR_OWN = {
    "the-price-of-greed", "day-of-his-wrath", "athletic", "sarcophagus-mine", "improvised-trap", "devour-the-guilty", "winged-staff",
    "preserve-the-loot", "chewa", "saga-headhunter", "the-bereaved", "anchorite-armoury", "heretic-legionnaire",
    "armed-prisoners",
}  # fmt: skip
SPEAKS = re.compile(
    r"(?i)(hit|attack|shot|shoot|injur)[^.;:]*[+\-−]\d (INJURY )?(DICE|MODIFIER)|[+\-−]\d (INJURY )?(DICE|MODIFIER)[^.;:]*(attack|injur|to hit|shot)"
)
WORDS_OF_NUMBERS = (v.AttackEffect, v.NaturalEffect, v.StatEffect, v.ItemKeywordEffect, v.KeywordEffect)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_text_that_speaks_of_dice_of_attacks_is_calculated_or_named(edition):
    pack = content(edition).pack
    left = []
    seen = 0
    for table in ("rules", "abilities", "items", "upgrades", "skills", "traumas", "lasting"):
        for entry in getattr(pack, table):
            if (table == "items" and entry.weapon) or not SPEAKS.search(entry.words):
                continue
            seen += 1
            calculated = any(isinstance(effect, WORDS_OF_NUMBERS) for effect in entry.effects)
            named = any(isinstance(e, v.ReminderEffect) and e.when in AT_AN_ATTACK for e in entry.effects)
            if not calculated and not named and entry.id not in OF_THEIR_OWN:
                left.append(f"{table} {entry.id}: {entry.words}")
    assert not left, "\n".join(left)
    assert seen > 60


LISTED = {
    "demonic-aura", "pack-loyalty", "creators-shadow", "chemical-conditioning", "low-on-the-blood-chain", "heretic-legionnaire",
    "knight-companion-of-the-fly", "heretic-raider-legionnaire",
}  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
def test_listed_is_no_way_out_for_a_text_that_changes_a_roll(edition):
    pack = content(edition).pack
    for table in ("abilities", "items", "upgrades", "skills", "traumas", "lasting"):
        for entry in getattr(pack, table):
            if not any(isinstance(effect, v.ListedEffect) for effect in entry.effects):
                continue
            if table == "items" and entry.weapon:
                held = CarriedItem(entry, -1, "", content(edition).item_keywords[entry.id], None)
                assert not terms_of(content(edition), held).left, entry.id
            else:
                assert entry.id in LISTED, entry.id


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_text_of_the_pack_is_on_the_list(edition):
    pack = content(edition).pack
    listed = {(one.kind, one.id) for one in does(content(edition))}
    for table, kind in (
        ("rules", "rule"), ("profiles", "profile"), ("abilities", "ability"), ("upgrades", "upgrade"), ("items", "item"),
        ("keywords", "keyword"), ("lasting", "lasting"),
    ):  # fmt: skip
        assert {(kind, entry.id) for entry in getattr(pack, table)} <= listed


def test_texts_of_every_kind_in_neither_category_are_noticed():
    made = content("1.6.3")
    assert of_entry(Ability("x", "X", "Hits harder.")) == ("", False)
    assert of_entry(Ability("x", "X", "Hits harder.", effects=(v.AttackEffect(hit=1),))) == ("app", False)
    assert of_item(made, ItemEntry("x", "X", "equipment", "equipment", summary="Hits harder.")) == ("", False)
    weapon = msgspec.structs.replace(made.items["trench-club"], summary="Hits harder.", effects=())
    assert of_item(made, weapon) == ("", False)
    assert of_item(made, msgspec.structs.replace(weapon, modifiers=("hits harder",))) == ("app", True)
    assert of_keyword(Keyword("x", "X", "Does something.")) == ("", False)
    assert is_named((v.ReminderEffect(when="attack"),))
    assert not is_named((v.ReminderEffect(when="attack"), v.AttackEffect(hit=1)))
    assert is_named((v.ReminderEffect(when="attack", rest="More."), v.AttackEffect(hit=1)))
    assert not is_named((v.ReminderEffect(when="turn"),))
