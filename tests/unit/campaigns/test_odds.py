"""The odds page: whose fighters, which switches, exact figures; links that are given away; the crib of a battle."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from urllib.parse import parse_qs, urlparse

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from campaigns.models import Campaign
from campaigns.pages.crib import crib
from campaigns.services.rounds import open_round
from rules.registry import system
from tests import campaign_stories as c
from tests.drills import sampled
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Fighter
from warbands.print_options import PAPERS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def club(ada, ben, cleo):
    made = c.club(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)
    open_round(campaign=made.campaign, actor=cleo)
    return made


def first(club, user):
    return Fighter.objects.live().filter(warband=club.warband(user)).order_by("position", "pk").first()


def page(client, **query):
    answer = client.get(reverse("odds-show"), query)
    assert answer.status_code == 200, answer.content[:300]
    return answer.content.decode()


def figures(html):
    return dict(re.findall(r"<span>([A-Z][a-z ]+)</span>\s*<svg.*?<b class=\"figure\">([\d.]+ %)</b>", html, re.S))


def test_the_figures_are_the_resolvers(client, club, ada):
    client.force_login(ada)
    row, warband = first(club, ada), club.warband(ada)
    terms = warband.terms
    found = page(client, mine=row.pk, theirs="heretic-legion.heretic-trooper", cover=1)
    told = figures(found)
    assert set(told) == {"Missed", "No effect", "Minor hit", "Down", "Out"}
    from warbands.adapters import force_of

    game, content, force = terms.game, terms.content, force_of(warband)
    arm = game.attacks.arms(content, force, str(row.pk))[0]
    foe = game.attacks.bare_force(content, "heretic-trooper", "heretic-legion")
    plan = game.attacks.situation(content, (force, str(row.pk)), arm.key, (foe, "1"), {"cover": 1})
    chances = game.resolvers.odds(content, plan.rule, plan.given).outcomes
    assert told["Out"] == f"{float(chances.get('out-of-action', Fraction(0))) * 100:.1f} %"
    assert told["Missed"] == f"{float(chances['failure']) * 100:.1f} %"
    assert "Cover" in found


def test_each_switch_moves_the_figures(client, club, ada):
    client.force_login(ada)
    mine = {"mine": first(club, ada).pk, "theirs": "heretic-legion.heretic-trooper"}
    plain = figures(page(client, **mine))
    for switch in ("cover", "long_range", "elevated", "down", "target_down", "bloodbath"):
        assert figures(page(client, **mine, **{switch: 1})) != plain, switch
    for number in (
        "dice",
        "injury_dice",
        "blood_spent",
        "blessing_spent",
        "injury_blood_spent",
        "injury_blessing_spent",
    ):
        assert figures(page(client, **mine, **{number: 2})) != plain, number
    assert figures(page(client, **mine, dice="nonsense", cover="")) == plain
    for number in (
        "dice",
        "injury_dice",
        "blood_spent",
        "blessing_spent",
        "injury_blood_spent",
        "injury_blessing_spent",
    ):
        most = 12 if number.endswith("blood_spent") else 6  # blood and infection may be mixed
        assert figures(page(client, **mine, **{number: 999})) == figures(page(client, **mine, **{number: most})), number
        assert figures(page(client, **mine, **{number: -999}))


def test_a_stranger_asks_in_vain_and_a_visitor_signs_in(client, club, ada, dora):
    address = f"{reverse('odds-show')}?mine={first(club, ada).pk}"
    assert client.get(address).status_code == 302
    client.force_login(dora)
    assert client.get(address).status_code == 404
    assert "Start a warband first" in page(client)
    client.force_login(ada)
    for wrong in ("x", "999999999", "1" * 40):
        assert client.get(reverse("odds-show"), {"mine": wrong}).status_code == 404
    for wrong in ("no-list.nobody", "heretic-legion.nobody", "x"):
        assert client.get(reverse("odds-show"), {"theirs": wrong}).status_code == 404
    assert client.get(reverse("odds-show"), {"arm": "spoon:melee"}).status_code == 200


def test_an_opponent_of_a_battle_ahead_may_be_aimed_at(client, club, ada, ben):
    c.battle(club, ada, ben, scenario="")
    foe = first(club, ben)
    client.force_login(ada)
    found = page(client, mine=first(club, ada).pk, theirs=foe.pk)
    assert f'<option value="{foe.pk}" selected>' in found
    assert "Crib" in found


def test_a_situation_is_given_away_as_a_link(client, club, ada):
    client.force_login(ada)
    found = page(client, mine=first(club, ada).pk, theirs="heretic-legion.heretic-trooper", cover=1)
    href = re.search(r'href="([^"]*shared=[^"]*)"', found)[1].replace("&amp;", "&")
    client.logout()
    answer = client.get(href)
    assert answer.status_code == 200
    given = answer.content.decode()
    assert figures(given) == figures(found)
    assert "<form" not in given.split("<main")[1].split("</main>")[0]
    shared = parse_qs(urlparse(href).query)["shared"][0]
    for wrong in (shared[:-3] + "abc", "x", shared + "y" * 9000):
        assert client.get(reverse("odds-show"), {"shared": wrong}).status_code == 404


def test_the_page_asks_the_same_of_the_database_whatever_it_shows(client, club, ada, ben):
    client.force_login(ada)
    row = first(club, ada)

    def queries(**query):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page(client, mine=row.pk, **query)
        return len([q for q in asked.captured_queries if not q["sql"].startswith(("BEGIN", "SAVEPOINT", "RELEASE"))])

    queries()
    alone = queries(theirs="heretic-legion.heretic-trooper")
    assert alone <= 15
    assert queries(theirs="new-antioch.yeoman", cover=1, dice=2) == alone


def test_the_crib_holds_every_weapon_against_every_kind(client, club, ada, ben, dora):
    row = c.battle(club, ada, ben, scenario="")
    address = f"{reverse('crib-print')}?battle={row.pk}"
    client.force_login(ada)
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert client.get(reverse("crib-print")).status_code == 404
    assert client.get(f"{address}&paper=A3").status_code == 400
    client.force_login(dora)
    assert client.get(address).status_code == 404


def test_every_weapon_line_is_read_or_named():
    """What is printed on a weapon is either reckoned with, or told as not in the figures. New wordings show up here."""
    from rules.fighters.kit import CarriedItem
    from rules.trench_crusade.resolvers.weapon_lines import terms_of

    game = system("trench-crusade")
    for edition in game.editions():
        content = game.content(edition)
        for item in content.pack.items:
            if not item.weapon:
                continue
            terms = terms_of(content, CarriedItem(item, -1, "bought", content.item_keywords[item.id], None))
            for term in terms.left:
                numeric = re.match(
                    r"^[+-]\d+ (DICE|INJURY DICE|INJURY MODIFIER|to injuries|DICE to (hit|injuries))$", term
                )
                assert numeric is None, (edition, item.id, term)


def test_the_crib_names_what_it_does_not_include(club, ada, ben):
    """Texts that count only once the table says so stand on paper by their names."""
    row = c.battle(club, ada, ben, scenario="")
    mine, theirs = c.side(row, ada), c.side(row, ben)
    assert mine.warband is not None
    assert theirs.warband is not None
    found = crib(row, mine, [theirs], ada)
    assert found.left
    assert all(":" not in name for name in found.left)
    assert len(set(found.left)) == len(found.left)


def test_the_crib_has_a_row_for_each_weapon_and_a_column_for_each_kind_on_one_page(client, club, ada, ben):
    """All against whom every chance is equal share a column, and no two columns are equal."""
    row = c.battle(club, ada, ben, scenario="")
    mine, theirs = c.side(row, ada), c.side(row, ben)
    found = crib(row, mine, [theirs], ada)
    (table,) = found.tables
    columns = [(kind.armour, kind.is_marked, *cells) for kind, cells in zip(
        table.kinds, zip(*(line.cells for line in table.rows), strict=True), strict=True
    )]  # fmt: skip
    assert len(set(columns)) == len(columns) > 1
    told = " ".join(kind.names for kind in table.kinds)
    assert all(fighter.name in told for fighter in theirs.warband.fighters.all())
    own = " ".join(line.who for line in table.rows)
    assert all(fighter.name in own for fighter in mine.warband.fighters.all())
    for line in table.rows:
        for cell in line.cells:
            assert 0 <= int(cell.out) <= int(cell.lead) <= 100
            assert not cell.cover or int(cell.cover) <= int(cell.lead)
            assert bool(cell.cover) <= ("melee" not in line.weapon)
    assert any(cell.cover and cell.long for line in table.rows for cell in line.cells)
    assert not all(line.is_marked for line in table.rows)
    client.force_login(ada)
    for paper in sampled(PAPERS, 1, always=["Letter"]):  # the lower one
        pdf = client.get(f"{reverse('crib-print')}?battle={row.pk}&paper={paper}").content
        assert len(PdfReader(io.BytesIO(pdf)).pages) == 1


def test_the_crib_says_what_the_odds_page_says(club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    mine, theirs = c.side(row, ada), c.side(row, ben)
    (table,) = crib(row, mine, [theirs], ada).tables
    terms = row.campaign.terms
    own, foes = (force_of(side.warband) for side in (mine, theirs))
    line = table.rows[0]
    shooter = next(fighter for fighter in own.fighters if fighter.name in line.who)
    arm = terms.game.attacks.arms(terms.content, own, shooter.key)[0]
    for kind, cell in zip(table.kinds, line.cells, strict=True):
        target = next(fighter for fighter in foes.fighters if fighter.name in kind.names)
        for told, figure in (({}, cell.lead), ({"cover": 1}, cell.cover), ({"long_range": 1}, cell.long)):
            if figure:
                case = terms.game.attacks.situation(
                    terms.content, (own, shooter.key), arm.key, (foes, target.key), told
                )
                chances = terms.game.resolvers.odds(terms.content, case.rule, case.given).outcomes
                assert figure == f"{float(chances.get('down', 0) + chances.get('out-of-action', 0)) * 100:.0f}"


# --- several attacks, and who answers best -------------------------------------------------------------------------------------


def options(html, name):
    found = re.search(rf'<select name="{name}".*?</select>', html, re.S)
    return re.findall(r'<option value="([^"]*)"', found[0]) if found else []


def rows(html, head):
    section = re.search(rf'aria-labelledby="{head}".*?</section>', html, re.S)
    return (
        re.findall(r'<td class="figure">([\d.]+) %</td><td class="figure">([\d.]+) %</td>', section[0])
        if section
        else []
    )


def test_attacks_follow_one_another(client, club, ada):
    client.force_login(ada)
    mine = {"mine": first(club, ada).pk, "theirs": "heretic-legion.heretic-trooper"}
    plain = page(client, **mine)
    ways = [value for value in options(plain, "then1") if value]
    assert ways
    assert not rows(plain, "chain_head")
    assert not options(plain, "then2")
    found = page(client, **mine, then1=ways[0])
    assert options(found, "then2")
    (one, two) = rows(found, "chain_head")
    assert float(two[0]) > float(one[0])
    assert float(two[1]) > float(one[1])
    assert figures(found) == figures(plain)
    assert float(one[0]) == float(figures(plain)["Out"].removesuffix(" %"))


def test_the_second_attack_finds_what_the_first_left(client, club, ada):
    """The odds of two ACTIONS are those of the rules, not those of two attacks on a target that stands."""
    from warbands.adapters import force_of

    client.force_login(ada)
    row, warband = first(club, ada), club.warband(ada)
    game, content, force = warband.terms.game, warband.terms.content, force_of(warband)
    key = game.attacks.arms(content, force, str(row.pk))[0].key
    foe = game.attacks.bare_force(content, "heretic-trooper", "heretic-legion")
    odds = game.attacks.chain_odds(content, (force, str(row.pk)), [(key, {}), (key, {})], (foe, "1"))
    found = page(client, mine=row.pk, arm=key, theirs="heretic-legion.heretic-trooper", then1=key)
    out = f"{float(odds[1].outcomes['out-of-action']) * 100:.1f}"
    assert rows(found, "chain_head")[1][0] == out


def test_an_unknown_second_attack_gets_a_sentence(client, club, ada):
    client.force_login(ada)
    for wrong in ("spoon:melee", "x|charged", "|", "unarmed:melee|asleep"):
        answer = client.get(reverse("odds-show"), {"mine": first(club, ada).pk, "then1": wrong})
        assert answer.status_code == 422, wrong
        assert "This fighter has no such attack." in answer.content.decode()


def test_my_fighters_stand_in_the_order_in_which_they_answer(client, club, ada):
    client.force_login(ada)
    mine = {"mine": first(club, ada).pk, "theirs": "heretic-legion.heretic-trooper"}
    assert "Best attackers" in page(client, **mine)
    found = page(client, **mine, answers=1)
    outs = [float(out) for out, _ in rows(found, "answers_head")]
    assert outs == sorted(outs, reverse=True)
    active = Fighter.objects.live().filter(warband=club.warband(ada), status=Fighter.Status.ACTIVE)
    assert len(outs) == active.count()
    assert all(row.name in found for row in active)


def test_sequences_and_answers_ask_nothing_more_of_the_database(client, club, ada):
    client.force_login(ada)
    mine = {"mine": first(club, ada).pk, "theirs": "heretic-legion.heretic-trooper"}
    way = next(value for value in options(page(client, **mine), "then1") if value)

    def queries(**query):
        with CaptureQueriesContext(connection) as asked:
            page(client, **mine, **query)
        return len(asked)

    alone = queries()
    assert queries(then1=way) == queries(answers=1) == queries(then1=way, answers=1) == alone
