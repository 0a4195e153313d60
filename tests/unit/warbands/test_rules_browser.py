"""The rules browser: every entry on a page of its own, found by name, told whole, compared between editions, without a query."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from rules.browse import RuleDetail, RuleEntry, differences
from rules.registry import system
from tests import stories as s
from warbands.models import Terms
from warbands.pages.rule_links import names_of
from warbands.pages.rules import PER_PAGE, find_entry, rules_page, search

GAME = "trench-crusade"
EDITIONS = system(GAME).editions()
KINDS = {
    "list", "profile", "item", "upgrade", "ability", "keyword", "skill", "trauma", "rule", "location", "reference", "lasting",
    "patron", "deed", "scenario", "skill-table", "table",
}  # fmt: skip

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


def here(edition: str, kind: str, id_: str) -> str:
    return reverse("rule-show", args=[GAME, edition, kind, id_])


def found(edition: str, words: str, kind: str = "") -> list[str]:
    return [entry.name for entry in search(names_of(Terms(system=GAME, edition=edition)), words, kind)]


def detail(edition: str, kind: str, id_: str) -> RuleDetail:
    game = system(GAME)
    told: RuleDetail | None = game.rulebook.entry(game.content(edition), kind, id_)
    assert told is not None
    return told


def fact(told: RuleDetail, label: str) -> list[str]:
    return [ref.words for one in told.facts if one.label == label for ref in one.values]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_entry_of_every_kind_is_told_whole_and_what_it_names_has_a_page(edition):
    game = system(GAME)
    content = game.content(edition)
    entries: tuple[RuleEntry, ...] = game.rulebook.entries(content)
    known = {(entry.kind, entry.id) for entry in entries}
    assert {kind for kind, _ in known} >= KINDS
    named = 0
    for entry in entries:
        told = game.rulebook.entry(content, entry.kind, entry.id)
        assert told is not None, entry
        assert entry.words or told.facts or told.tables, f"{entry.kind} {entry.id} says nothing"
        refs = [ref for one in told.facts for ref in one.values]
        refs += [ref for table in told.tables for row in table.rows for cell in row for ref in cell]
        for ref in refs:
            assert not ref.kind or (ref.kind, ref.id) in known, (entry, ref)
            named += bool(ref.kind)
        assert all(len(row) == len(table.heads) for table in told.tables for row in table.rows)
    assert named > len(entries)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_entry_of_the_pack_is_in_the_browser(edition):
    content = system(GAME).content(edition)
    known = {(entry.kind, entry.id) for entry in system(GAME).rulebook.entries(content)}
    pack = content.pack
    for kind, table in (
        ("profile", pack.profiles),
        ("item", pack.items),
        ("random-part", pack.random_parts),
        ("deed", pack.deeds),
    ):
        assert {(kind, entry.id) for entry in table} <= known
    assert {("table", f"scenarios-{stage.id}") for stage in pack.campaign.stages} <= known
    assert {("table", "trauma-chart"), ("table", "battle-limits"), ("table", "rare-locations")} <= known


def test_names_are_found_without_accents_in_any_case_by_short_names_and_by_words_in_any_order():
    assert found("1.6.3", "STOSS", "list") == ["Stoßtruppen of the Free State of Prussia"]
    assert "Machine Gun" in found("1.6.3", "gun mach")
    assert found("1.6.3", "mole")[:1] == ["Infiltrator"]
    short = next(i for i in system(GAME).content("1.6.3").pack.lists if i.short)
    assert short.name in found("1.6.3", short.short, "list")
    assert found("1.6.3", "qqq") == []
    assert found("1.6.3", "...") == []
    assert found("1.6.3", "bayon")[0].startswith("Bayon")


def test_a_long_kind_can_be_read_to_its_end():
    pages = []
    page = rules_page(GAME, "1.6.3", kind="item")
    number = 1
    while True:
        pages.append([line.name for line in page.lines])
        if not page.pager or not page.pager.next_href:
            break
        number += 1
        page = rules_page(GAME, "1.6.3", kind="item", page=number)
    names = [name for one in pages for name in one]
    assert len(names) == page.count > PER_PAGE
    assert len(rules_page(GAME, "1.6.3", kind="item", page=9999).lines) == len(pages[-1])


def test_an_entry_stands_in_the_list_beside_it():
    last = search(names_of(Terms(system=GAME, edition="1.6.3")), "", "item")[-1]
    page = rules_page(GAME, "1.6.3", kind="item", entry=last)
    assert [line.name for line in page.lines if line.current] == [last.name]


def test_kit_tells_what_it_works_with():
    assert "Bolt-Action Rifle" in fact(detail("1.6.3", "item", "bayonet"), "Works with")
    assert "Bayonet" in fact(detail("1.6.3", "item", "bolt-action-rifle"), "Works with")
    assert "Trench Shield" in fact(detail("1.6.3", "item", "bayonet"), "Works with")
    assert "Machine Gun" not in fact(detail("1.6.3", "item", "bayonet"), "Works with")


def test_kit_tells_the_lists_that_sell_it_with_price_limit_and_holder():
    (table,) = [one for one in detail("1.6.3", "item", "machine-armour").tables if one.caption == "Sold by"]
    rows = {ref.id: [row[n][0].words for n in (1, 2, 3)] for row in table.rows for ref in row[0]}
    assert rows["new-antioch"] == ["50 d", "1", "only ELITE fighters"]


def test_a_list_tells_its_fighters_kit_upgrades_and_rules():
    told = detail("1.6.3", "list", "new-antioch")
    captions = [table.caption for table in told.tables]
    assert captions[:3] == ["Rules", "Fighters", "Mercenaries"]
    assert {"Ranged weapons", "Melee weapons", "Armour", "Equipment", "Upgrades"} <= set(captions)
    fighters = {row[0][0].words: [cell[0].words for cell in row[1:]] for row in told.tables[1].rows}
    assert fighters["Yeoman"] == ["30 d", "any"]
    assert fighters["Lieutenant"] == ["70 d", "exactly 1"]


def test_tables_stand_whole():
    (table,) = detail("1.0", "table", "trauma-chart").tables
    faces = [row[0][0].words for row in table.rows]
    assert faces[0] == "11"
    assert faces[-1].endswith("66")
    (limits,) = detail("1.6.3", "table", "battle-limits").tables
    assert [cell[0].words for cell in limits.rows[0]] == ["1", "700 d", "10"]


def test_editions_are_compared_in_words_and_figures():
    lines = {
        one.label: (one.here, one.there)
        for one in differences(detail("1.6.3", "list", "new-antioch"), detail("1.0", "list", "new-antioch"))
    }
    assert lines["Resurrection Engine"] == ("12 g, LIMIT 1, anyone", "11 g, LIMIT 1, anyone")
    assert lines["Founded with"][0] != lines["Founded with"][1]
    assert "Yeoman" not in lines
    assert differences(detail("1.0", "keyword", "heavy"), detail("1.0", "keyword", "heavy")) == ()
    # capitals are no difference
    chart = {
        one.label
        for one in differences(detail("1.6.3", "table", "trauma-chart"), detail("1.0", "table", "trauma-chart"))
    }
    assert "15" not in chart


def test_the_page_shows_what_differs_and_links_there(client):
    page = text(client.get(here("1.6.3", "list", "new-antioch")))
    assert f'href="{here("1.0", "list", "new-antioch")}"' in page
    assert "11 g, LIMIT 1" in page
    assert f'href="{here("1.6.3", "profile", "yeoman")}"' in page


def test_third_party_entries_are_marked(client):
    assert "third-party" in text(client.get(here("1.6.3", "list", "red-brigade")))
    assert "third-party" in text(client.get(reverse("rule-list", args=[GAME, "1.6.3"]), {"find": "red brig"}))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_browser_asks_the_database_nothing(client, edition, django_assert_num_queries):
    addresses = [
        reverse("rule-list", args=[GAME, edition]),
        here(edition, "item", "bayonet"),
        here(edition, "list", "new-antioch"),
        here(edition, "item", "no-such"),
    ]
    for address in addresses:
        client.get(address)
        with django_assert_num_queries(0):
            client.get(address)


def test_what_is_unknown_is_404_and_tells_what_is_near_and_where_it_stands(client):
    answer = client.get(here("1.0", "random-part", "tunnels"))
    assert answer.status_code == 404
    assert f'href="{here("1.6.3", "random-part", "tunnels")}"' in text(answer)
    near = client.get(here("1.6.3", "item", "trench-shields"))
    assert near.status_code == 404
    assert "Trench Shield" in text(near)
    assert client.get(here("1.6.3", "x" * 200, "-" * 300)).status_code == 404


@pytest.mark.parametrize(
    "query", ["page=0", "page=-1", "page=9" * 30, "page=x", "find=%F0%9F%92%A3", "terms=1", "terms=x", "battle=-1"]
)
def test_odd_addresses_show_the_list(client, query):
    assert client.get(f"{reverse('rule-list', args=[GAME, '1.6.3'])}?{query}").status_code == 200


def test_house_rules_are_shown_to_those_who_play_under_them_alone(client, ada, dora):
    terms = s.terms(threshold_add=100)
    s.found(ada, terms=terms)
    address = here("1.6.3", "table", "battle-limits")
    client.force_login(dora)
    assert "house rule" not in text(client.get(address, {"terms": terms.pk}))
    client.force_login(ada)
    page = text(client.get(address, {"terms": terms.pk}))
    assert "800 d (house rule; the book: 700 d)" in page
    assert "This page includes the campaign's house rules." in page
    assert f"terms={terms.pk}" in page
    assert "house rule" not in text(client.get(address))


def test_links_under_house_rules_lead_to_pages_under_them(ada):
    terms = s.terms(threshold_add=100)
    s.found(ada, terms=terms)
    names = names_of(terms)
    assert names.href("bayonet", "item").endswith(f"?terms={terms.pk}")
    assert names_of(Terms(system=GAME, edition="1.6.3")).href("bayonet", "item").endswith("/bayonet/")
    assert find_entry(GAME, "1.6.3", "item", "bayonet") is not None
