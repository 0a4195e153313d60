"""What changes a fighter is told on its page with where it comes from: numbers, hands, keywords, weapons, abilities."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from rules.force import Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma
from rules.parts.sheet import FighterSheet
from rules.price import Price
from rules.registry import system
from rules.vocabulary.fighter import ImmuneEffect, StatEffect
from rules.vocabulary.kit import HandsEffect, ItemKeywordEffect, RangeEffect
from tests import stories as s

GAME = system("trench-crusade")
EDITIONS = GAME.editions()


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


def sheet(edition: str, profile: str, *kit: str, list_id: str = "new-antioch", **how: Any) -> FighterSheet:
    content = GAME.content(edition)
    pieces = tuple(ForceItem(f"i{n}", item, "found") for n, item in enumerate(kit))
    fighter = ForceFighter("f1", "Ilse", profile, kit=pieces, **how)
    force = Force("trench-crusade", edition, list_id, fighters=(fighter,), strongbox=Price())
    (line,) = GAME.documents.sheet(content, force).fighters
    return line


@pytest.mark.parametrize("edition", EDITIONS)
def test_hands_are_told_used_of_had_with_what_takes_them(edition):
    shooting, fighting = sheet(edition, "yeoman", "bolt-action-rifle").hands
    assert (shooting.used, shooting.had, shooting.uses) == (2, 2, ("Bolt-Action Rifle 2",))
    assert (fighting.used, fighting.had, fighting.uses) == (0, 2, ())


def test_a_shield_beside_its_weapon_is_told_to_take_no_hand():
    shooting, fighting = sheet("1.6.3", "yeoman", "automatic-shotgun", "trench-shield").hands
    assert shooting.uses == ("Automatic Shotgun 2", "Trench Shield 0 (SHIELD COMBO)")
    assert (shooting.used, fighting.uses) == (2, ("Trench Shield 1",))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_change_of_the_number_of_hands_names_its_cause(edition):
    lines = sheet(edition, "lieutenant", traumas=(ForceTrauma("t1", "lost-arm"),)).hands
    assert any("Lost Arm" in line.causes and line.had == 1 for line in lines)
    (pool,) = sheet(edition, "amalgam").hands
    (effect,) = [e for e in GAME.content(edition).profiles["amalgam"].effects if isinstance(e, HandsEffect)]
    assert (pool.label, pool.had, pool.causes) == ("Hands", effect.pool, ("Amalgam",))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_trauma_that_changes_a_number_stands_under_it(edition):
    content, seen = GAME.content(edition), 0
    for trauma in content.pack.traumas:
        changed = [e for e in trauma.effects if isinstance(e, StatEffect)]
        if changed:
            causes = " ".join(
                cause for *_, cause in sheet(edition, "lieutenant", traumas=(ForceTrauma("t1", trauma.id),)).stats
            )
            assert trauma.name in causes, trauma.id
            seen += 1
    assert seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_changes_a_weapon_is_told_with_its_cause(edition):
    (gun,) = sheet(edition, "lieutenant", "automatic-pistol", skills=(ForceSkill("s1", "far-shot"),)).weapons
    far = GAME.content(edition).skills["far-shot"]
    (longer,) = [e for e in far.effects if isinstance(e, RangeEffect)]
    assert gun.causes == (f"+{longer.add_inches}″: {far.name}",)
    content = GAME.content(edition)
    gains = [e for e in content.skills["hip-shot"].effects if isinstance(e, ItemKeywordEffect)]
    (rifle,) = sheet(edition, "lieutenant", "bolt-action-rifle", skills=(ForceSkill("s1", "hip-shot"),)).weapons
    assert any("Hip" in cause for cause in rifle.causes) == bool(set(gains[0].gain) & set(rifle.keywords.split(", ")))


def test_what_a_fighter_is_not_affected_by_names_its_cause():
    content, seen = GAME.content("1.6.3"), 0
    for item in content.pack.items:
        if any(isinstance(e, ImmuneEffect) for e in item.effects):
            seen += 1
            assert item.name in {cause for _, cause in sheet("1.6.3", "yeoman", item.id).immune}
    assert seen


@pytest.mark.django_db
def test_the_page_tells_hands_and_the_words_of_keywords(client, ada):
    warband = s.small_warband(ada)
    fighter = s.hire(warband, "Yeoman", name="Ottla")
    client.force_login(ada)
    here = reverse("fighter-show", args=[fighter.pk])
    page = text(client.get(here))
    assert "Hands: ranged 2 of 2, melee 0 of 2." in page
    content = GAME.content(warband.terms.edition)
    assert unescape(content.keywords["new-antioch"].words) in page
    part = text(client.get(here, {"part": "panel"}, headers={"HX-Request": "true", "HX-Target": "div#x"}))
    assert part.lstrip().startswith(f'<div class="panel" id="fighter_panel_{fighter.pk}"')
    assert unescape(content.keywords["new-antioch"].words) in part


@pytest.mark.django_db
def test_a_closed_block_fetches_its_panel_and_stays_small(client, ada):
    warband = s.camp(ada)
    client.force_login(ada)
    answer = client.get(reverse("warband-show", args=[warband.pk]))
    cards = answer.content.count(b'<details class="unit"')
    assert answer.content.count(b"?part=panel") == cards >= 3
    assert b"data-panel" not in answer.content
    assert len(answer.content) < 20_000 + cards * 2_000


@pytest.mark.django_db
def test_words_of_keywords_ask_the_database_no_more_for_more_fighters(client, ada, django_assert_max_num_queries):
    few, many = s.found(ada, name="Few"), s.found(ada, name="Many")
    first = s.hire(few, "Yeoman")
    for _ in range(6):
        last = s.hire(many, "Yeoman")
    client.force_login(ada)
    counts = []
    for fighter in (first, last):
        here = reverse("fighter-show", args=[fighter.pk]) + "?part=panel"
        client.get(here, headers={"HX-Request": "true"})
        with django_assert_max_num_queries(20) as asked:
            client.get(here, headers={"HX-Request": "true"})
        counts.append(len(asked))
    assert counts[0] == counts[1]
