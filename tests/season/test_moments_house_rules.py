"""House rules and time: a club changes its rules in mid-campaign, and the camp after a battle is read strictly."""

from __future__ import annotations

from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.pages.players import seat_page
from campaigns.services.battle_setup import choose_attacker
from campaigns.services.house_rules import change_house_rules, preview_house_rules, settle_due_rules
from campaigns.services.join import submit_list
from campaigns.services.muster import make_side_ready, take_force
from campaigns.services.post_battle import finish_step
from rules.content.load import load_pack, pack_folder
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, LedgerEntry, Snapshot, Terms, Warband
from warbands.reconcile import differences
from warbands.undo import undo
from warbands.verdicts import judged

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BANNED = {"banned": ["lieutenant"]}


def terms_of(made: c.Club) -> Terms:
    return Terms.objects.get(pk=made.campaign.terms_id)


def rules_page(made: c.Club, part: str = "") -> str:
    here = reverse("house-rule-list", args=[made.campaign.pk])
    return f"{here}?edit={part}" if part else here


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def campaign_of(made: c.Club) -> Campaign:
    return Campaign.objects.select_related("terms").get(pk=made.campaign.pk)


def test_moment_19_the_preview_names_who_becomes_illegal_and_why(
    client: Client, made: c.Club, cleo: Any, ada: Any
) -> None:
    client.force_login(cleo)
    answer = client.post(rules_page(made, "rules"), {"banned": "Lieutenant", "token": "t-1", "act": "preview"})
    assert answer.status_code == 200
    (seen,) = [row for row in preview_house_rules(made.campaign, BANNED) if row.new]
    assert seen.warband.pk == made.warband(ada).pk
    page = text(answer)
    assert f"{seen.warband.name} would become illegal." in page
    assert all(problem.message in page for problem in seen.new)
    assert terms_of(made).house_rules == {}
    assert terms_of(made).version == 1


def test_moment_19_a_reason_of_many_fighters_is_told_once_with_their_names(
    client: Client, made: c.Club, cleo: Any, ada: Any
) -> None:
    client.force_login(cleo)
    page = text(client.post(rules_page(made, "rules"), {"banned": "Standard Armour", "token": "t-1", "act": "preview"}))
    (seen,) = [
        row
        for row in preview_house_rules(made.campaign, {"banned": ["standard-armour"]})
        if row.warband.pk == made.warband(ada).pk
    ]
    sentence = "Standard Armour is left out by a house rule."
    names = [problem.fighter for problem in seen.new if problem.message == sentence]
    assert len(names) > 1
    assert f"{', '.join(names[:-1])} and {names[-1]}: {sentence}" in page
    assert f"{sentence} {sentence}" not in page


def forces_seen(made: c.Club, house_rules: dict[str, Any], **when: Any) -> dict[str, list[tuple[int, list[str]]]]:
    """For each warband with forces: how many problems each has now, and the codes of what a change would add."""
    return {
        row.warband.name: [(len(force.now), [problem.code for problem in force.new]) for force in row.forces]
        for row in preview_house_rules(made.campaign, house_rules, **when)
        if row.forces
    }


def test_moment_19_the_preview_judges_forces_mustered_and_drafted(
    client: Client, made: c.Club, cleo: Any, ada: Any, ben: Any
) -> None:
    row = c.battle(made, ada, ben, planned_for=timezone.localdate() + timedelta(days=3))
    going = c.side(row, ada)
    fighters = list(made.warband(ada).fighters.live().values_list("pk", flat=True))
    take_force(side=going, fighters=[str(pk) for pk in fighters[:2]], actor=ada)
    make_side_ready(side=c.side(row, ben), actor=ben)
    # three may go: the draft of two stands, the mustered force does not
    assert forces_seen(made, {"field_strengths": {"1": 3}}) == {
        made.warband(ada).name: [(0, [])],
        made.warband(ben).name: [(0, ["field-strength"])],
    }
    tight = {"threshold_add": 50 - threshold(made.warband(ben))}
    (ada_seen, ben_seen) = preview_house_rules(made.campaign, tight)
    assert [problem.code for problem in ada_seen.forces[0].new] == ["threshold"]
    assert [problem.code for problem in ben_seen.forces[0].new] == ["threshold"]
    # the roster itself stays legal: only what is fielded is capped
    assert (ada_seen.new, [problem.code for problem in ada_seen.whole]) == ((), ["threshold"])

    client.force_login(cleo)
    sent = {"field_strengths": "1: 3", "token": "t-1", "act": "preview"}
    page = unescape(text(client.post(rules_page(made, "rules"), sent)))
    assert f"The force of {made.warband(ben).name} for Hill 223 would become illegal." in page
    assert "Ready for Hill 223, and fixed unless Ready is withdrawn: legal now, 1 problem then." in page
    assert "the field strength of battle 1 is 3" in page
    assert "would become illegal. The force" not in page  # no roster does
    assert Snapshot.objects.get(warband=made.warband(ben), reason__contains="Hill").problems == []


def test_moment_19_the_preview_touches_only_forces_for_which_the_change_will_hold(
    made: c.Club, ada: Any, ben: Any
) -> None:
    today = timezone.localdate()
    c.battle(made, ada, ben, planned_for=today + timedelta(days=3))
    few = {"field_strengths": {"1": 3, "2": 3}}
    names = {made.warband(player).name for player in (ada, ben)}
    assert forces_seen(made, few).keys() == names
    assert forces_seen(made, few, day=today + timedelta(days=3)).keys() == names
    assert forces_seen(made, few, day=today + timedelta(days=4)) == {}
    assert forces_seen(made, few, battle=1).keys() == names
    assert forces_seen(made, few, battle=2) == {}
    # a roster is measured by the battle from which the change holds
    (whole, _) = [row.whole for row in preview_house_rules(made.campaign, few, battle=2)]
    assert [problem.message for problem in whole if "battle 2 is 3" in problem.message]
    with pytest.raises(Refusal, match="starts tomorrow at the earliest"):
        preview_house_rules(made.campaign, few, day=today)


def test_moment_19_the_preview_runs_four_queries_for_any_club(
    made: c.Club, ada: Any, ben: Any, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(4):
        preview_house_rules(made.campaign, BANNED)
    for _ in range(2):
        row = c.battle(made, ada, ben, scenario="trench-warfare")
        choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    with django_assert_num_queries(4):
        preview_house_rules(made.campaign, BANNED)


def test_moment_19_a_rule_from_a_day_holds_that_day_and_not_before(
    client: Client, made: c.Club, cleo: Any, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(cleo)
    day = timezone.localdate() + timedelta(days=7)
    sent = {"banned": "Lieutenant", "holds": "day", "holds_day": day.isoformat()}
    assert (
        client.post(rules_page(made, "rules"), {**sent, "holds_day": "2020-01-01", "token": "t-0"}).status_code == 422
    )
    assert client.post(rules_page(made, "rules"), {**sent, "token": "t-1"}).status_code == 302
    assert "Banned: Lieutenant" in text(client.get(rules_page(made)))
    assert terms_of(made).in_force == {}
    assert made.warband(ada).problem_count == 0
    assert terms_of(made).version == 2

    monkeypatch.setattr(timezone, "localdate", lambda *_: day)
    assert terms_of(made).in_force == BANNED
    warband = made.warband(ada)
    assert not warband.terms.game.check(warband.terms.content, s.force_of(warband)).legal
    assert [campaign.pk for campaign in settle_due_rules()] == [made.campaign.pk]
    assert terms_of(made).house_rules == BANNED
    assert terms_of(made).coming == []
    assert made.warband(ada).problem_count > 0
    s.assert_reconciled(made.warband(ada))
    assert settle_due_rules() == []


def test_moment_19_every_page_tells_the_truth_on_the_day_before_anybody_acts(
    client: Client, made: c.Club, cleo: Any, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = timezone.localdate() + timedelta(days=1)
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=BANNED, day=day)
    warband = made.warband(ada)
    pages = [
        (ada, reverse("desk-show")),
        (ada, reverse("warband-list")),
        (cleo, reverse("player-list", args=[made.campaign.pk])),
    ]
    expected = len(warband.terms.game.check(under(warband.terms, BANNED), s.force_of(warband)).problems)
    told = f"{expected} problem{'s' if expected > 1 else ''}"
    for person, page in pages:
        client.force_login(person)
        assert told not in text(client.get(page)), page
    monkeypatch.setattr(timezone, "localdate", lambda *_: day)
    for person, page in pages:
        client.force_login(person)
        assert told in text(client.get(page)), page
    assert seat_page(made.seat(ada), ada, administers=False, site="").problems == expected
    assert made.warband(ada).problem_count == 0  # nothing was written
    assert [each.problem_count for each in judged([made.warband(ada)])] == [expected]
    assert differences(made.warband(ada)) == []
    with pytest.raises(Refusal, match=f"still has problems: {expected}"):
        submit_list(seat=made.seat(ada), actor=ada)


def test_figures_out_of_date_are_worked_out_in_two_queries_and_those_that_hold_in_none(
    made: c.Club, cleo: Any, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    day = timezone.localdate() + timedelta(days=1)
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=BANNED, day=day)
    rows = list(Warband.objects.select_related("terms"))
    assert len(rows) == 2
    with django_assert_num_queries(0):
        judged(rows)
    monkeypatch.setattr(timezone, "localdate", lambda *_: day)
    with django_assert_num_queries(2):
        judged(rows)
    with django_assert_num_queries(0):
        judged([*rows, None])


def under(terms: Terms, house_rules: dict[str, Any]) -> Any:
    return terms.game.content(terms.edition, tuple(terms.overlays), house_rules)


def test_moment_19_what_is_to_come_is_told_where_people_read_the_rules(client: Client, made: c.Club, cleo: Any) -> None:
    pages = [reverse("campaign-show", args=[made.campaign.pk]), reverse("campaign-administer", args=[made.campaign.pk])]
    client.force_login(cleo)
    assert all(" planned" not in text(client.get(page)) for page in pages)
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=BANNED, battle=5)
    assert all("1 change planned" in text(client.get(page)) for page in pages)


def test_moment_19_a_rule_from_a_battle_holds_for_each_warband_as_it_comes_there(
    made: c.Club, cleo: Any, ada: Any, ben: Any
) -> None:
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"threshold_add": 50}, battle=2)
    for player in (ada, ben):
        assert made.warband(player).terms.in_force == {}
    before = threshold(made.warband(ada))
    row = c.mustered(made, ada, ben)
    kept = list(Snapshot.objects.order_by("pk").values("pk", "document", "sheet", "problems"))
    c.fight(row, ada, ada)
    c.begin(row, ada)
    assert made.warband(ada).terms.in_force == {"threshold_add": 50}
    assert made.warband(ben).terms.in_force == {}
    assert campaign_of(made).terms.in_force == {}
    assert threshold(made.warband(ada)) > before
    assert list(Snapshot.objects.order_by("pk").values("pk", "document", "sheet", "problems")) == kept
    s.assert_reconciled(made.warband(ada))


def threshold(warband: Warband) -> int:
    return warband.terms.game.limits(warband.terms.content, s.force_of(warband)).threshold


def test_moment_19_nothing_is_repriced_and_a_frozen_roster_keeps_what_held(
    made: c.Club, cleo: Any, ada: Any, ben: Any
) -> None:
    c.mustered(made, ada, ben)
    moved = list(LedgerEntry.objects.order_by("pk").values_list("pk", "ducats", "glory"))
    kept = list(Snapshot.objects.order_by("pk").values("pk", "document", "sheet", "problems"))
    worth = made.warband(ada).rating_ducats
    change_house_rules(
        campaign=made.campaign, actor=cleo, house_rules={**BANNED, "budget": {"ducats": 500, "glory": 0}}
    )
    assert list(LedgerEntry.objects.order_by("pk").values_list("pk", "ducats", "glory")) == moved
    assert list(Snapshot.objects.order_by("pk").values("pk", "document", "sheet", "problems")) == kept
    assert made.warband(ada).rating_ducats == worth
    assert made.warband(ada).problem_count > 0


def test_moment_19_changes_are_undone_and_taken_back_by_administrators_only(
    client: Client, made: c.Club, cleo: Any, ada: Any
) -> None:
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=BANNED)
    last = Event.objects.filter(kind="house-rules").latest("pk")
    client.force_login(ada)
    assert client.post(rules_page(made), {"undo": last.pk, "token": "t-1"}).status_code == 403
    assert client.get(reverse("event-undo", args=[last.pk])).status_code == 403
    client.force_login(cleo)
    assert client.post(rules_page(made), {"undo": last.pk, "token": "t-2"}).status_code == 302
    assert terms_of(made).house_rules == {}
    assert made.warband(ada).problem_count == 0
    assert client.post(rules_page(made), {"undo": last.pk, "token": "t-3"}).status_code == 422

    change_house_rules(campaign=campaign_of(made), actor=cleo, house_rules={"threshold_add": 50}, battle=4)
    version = terms_of(made).coming[0]["version"]
    invited = text(Client().get(reverse("campaign-join", args=[c.link(made.campaign)])))
    assert "For each warband from its battle 4 on: Change to every threshold: +50." in invited
    assert client.post(rules_page(made), {"drop": version, "token": "t-4"}).status_code == 302
    assert terms_of(made).coming == []
    assert client.post(rules_page(made), {"drop": version, "token": "t-5"}).status_code == 422


def test_moment_19_the_only_player_of_a_campaign_undoes_no_house_rules_from_the_history(
    client: Client, cleo: Any, ada: Any
) -> None:
    alone = c.club(cleo, ada)
    change_house_rules(campaign=alone.campaign, actor=cleo, house_rules={"elite_cap": 4})
    address = reverse("event-undo", args=[Event.objects.latest("pk").pk])
    client.force_login(ada)
    assert client.post(address, {"token": "t-1"}).status_code == 403
    assert terms_of(alone).house_rules == {"elite_cap": 4}


def test_moment_19_a_change_from_now_puts_aside_what_was_to_come_for_the_same_setting(made: c.Club, cleo: Any) -> None:
    later = {"threshold_add": 50, "elite_cap": 4}
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=later, day=date(2999, 1, 1))
    change_house_rules(campaign=campaign_of(made), actor=cleo, house_rules={"threshold_add": 20})
    assert terms_of(made).house_rules == {"threshold_add": 20}
    (change,) = terms_of(made).coming
    assert change["rules"] == {"elite_cap": 4}
    undo(event=Event.objects.latest("pk"), actor=cleo)
    assert terms_of(made).house_rules == {}
    assert terms_of(made).coming[0]["rules"] == later


def test_moment_19_every_reading_of_the_book_is_a_setting_with_a_sentence(
    client: Client, made: c.Club, cleo: Any
) -> None:
    rules, readings = terms_of(made).game.rulebook.house_settings(terms_of(made).content)
    offered = {setting.key: setting for setting in (*rules, *readings)}
    notes = load_pack(pack_folder("trench-crusade", "1.6.3")).notes
    named = {note.setting for note in notes if note.setting}
    assert named
    assert named <= offered.keys()
    client.force_login(cleo)
    page = text(client.get(rules_page(made)))
    for key in named:
        assert offered[key].words.strip()
        assert offered[key].words.split("'")[0] in page


def test_the_daily_command_tells_of_rules_that_came_into_force(
    made: c.Club, cleo: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    day = timezone.localdate() + timedelta(days=1)
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"elite_cap": 4}, day=day)
    monkeypatch.setattr(timezone, "localdate", lambda *_: day)
    call_command("confirm_silent")
    assert "house rules changed today: 1" in capsys.readouterr().out


# --- the strict camp ---------------------------------------------------------------------------------------------------


def test_a_strict_camp_opens_its_doors_one_step_at_a_time(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, house_rules={"readings": {"camp": "strict"}})
    row = c.mustered(made, ada, ben)
    c.fight(row, ada, ada)
    c.resolve(row, ada, until="hire")
    warband = made.warband(ada)
    piece = next(
        item for item in warband.items.live().filter(status="held", fighter__isnull=False) if item.origin == "bought"
    )
    with pytest.raises(Refusal, match=r"Selling isn't possible yet: the post-battle is at “Recruit”.*“Trade” opens it"):
        s.sell(piece)
    with pytest.raises(Refusal, match="“Move kit” opens it"):
        s.give(piece, None)
    finish_step(post_battle=c.sequence_row(row, ada), step="hire", actor=ada)
    s.sell(piece)
    with pytest.raises(Refusal, match=r"Hiring isn't possible yet.*Its step is over"):
        s.hire(made.warband(ada), "Yeoman")
    for step in ("trade", "glory"):
        finish_step(post_battle=c.sequence_row(row, ada), step=step, actor=ada)
    other = next(
        item for item in warband.items.live().filter(status="held", fighter__isnull=False) if item.origin == "bought"
    )
    s.give(other, None)
    finish_step(post_battle=c.sequence_row(row, ada), step="reallocate", actor=ada)
    s.hire(made.warband(ada), "Yeoman")


def test_one_camp_step_opens_every_door_at_once(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.mustered(made, ada, ben)
    c.fight(row, ada, ada)
    c.begin(row, ada)
    piece = made.warband(ada).items.live().filter(status="held", fighter__isnull=False, origin="bought").first()
    assert piece is not None
    s.sell(piece)
    assert made.warband(ada).items.get(pk=piece.pk).status == "sold"
