"""The site owner asks what other rules would change for every warband; a task works it out, and goes on where one was killed."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pypdf import PdfReader

from campaigns.models import StateReport, StateReportRow
from campaigns.models.state_report import KEPT_FOR, MOST_TRIES, SILENT_AFTER
from campaigns.pages import site_rules
from campaigns.services import state_comparing, state_reports
from campaigns.services.state_comparing import work_at_report
from campaigns.services.state_reports import start_report
from campaigns.services.states import foresee_campaign
from campaigns.tasks import watch_report
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.conftest import person
from tests.module_story import story
from warbands.models import Terms, Warband
from warbands.pages.states import report_of
from warbands.services.founding import copy_sample

pytestmark = pytest.mark.django_db
GAME, EDITION, SULTANATE = "trench-crusade", "1.0", "tc-2026-04-iron-sultanate"


@story
def made(ada: Any, ben: Any, cleo: Any, dora: Any) -> c.Club:
    club = c.club(cleo, edition=EDITION, overlays=())
    for player, sample in ((ada, "bronze-gate"), (ben, "lantern-wardens")):
        c.joins(club, player, sample=sample)
    terms = Terms.objects.create(system=GAME, edition="1.6.3")
    copy_sample(actor=dora, owner=dora, terms=terms, sample_id="lantern-wardens")
    return club


def asked(actor: Any, **how: Any) -> StateReport:
    report, is_new = start_report(
        **{"system": GAME, "edition": EDITION, "overlays": [SULTANATE], "actor": actor, **how}
    )
    assert is_new
    return report


def finished(report: StateReport) -> dict[int, StateReportRow]:
    work_at_report(report.pk)
    report.refresh_from_db()
    assert report.status == "done", report.why
    return {row.warband_id: row for row in report.rows.select_related("warband")}  # type: ignore[attr-defined]


@pytest.fixture
def owner(client: Any) -> Any:
    olga = person("olga")
    olga.is_staff = True
    olga.save()
    client.force_login(olga)
    return client


def test_every_warband_has_its_row_as_its_campaign_would_show_it(made: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    rows = finished(asked(ada))
    assert len(rows) == Warband.objects.kept().count()
    for warband, change in foresee_campaign(made.campaign, [SULTANATE]):
        report = report_of(warband, change)
        row = rows[warband.pk]
        assert row.data["words"] == report.words
        assert [line["after"] for line in row.data["lines"]] == [line.after for line in report.lines]
        assert row.place == made.campaign.name
    assert rows[made.warband(ada).pk].kind in ("worse", "other")
    assert rows[made.warband(ben).pk].kind == "same"
    (other,) = (row for row in rows.values() if row.warband.owner == dora)
    assert (other.place, other.kind != "same") == ("", True)


def test_a_worker_that_was_killed_loses_and_doubles_nothing(
    made: c.Club, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {pk: row.data for pk, row in finished(asked(ada)).items()}
    StateReport.objects.all().delete()
    monkeypatch.setattr(state_comparing, "BATCH", 1)
    report, real = asked(ada), state_comparing._row
    seen: list[Any] = []

    def killed(*given: Any) -> Any:
        seen.append(given)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr(state_comparing, "_row", killed)
    with pytest.raises(KeyboardInterrupt):
        work_at_report(report.pk)
    report.refresh_from_db()
    assert (report.status, report.done) == ("running", 1)
    watch_report.call(report.pk)  # somebody may be at work: only look again later
    assert len(seen) == 2
    StateReport.objects.update(told_at=timezone.now() - SILENT_AFTER - timedelta(seconds=1))
    watch_report.call(report.pk)
    report.refresh_from_db()
    assert (report.status, report.done) == ("done", len(whole))
    assert {row.warband_id: row.data for row in report.rows.all()} == whole  # type: ignore[attr-defined]


def test_warbands_at_which_workers_stop_again_and_again_end_the_report(made: c.Club, ada: Any) -> None:
    report = asked(ada)
    StateReport.objects.update(tries=MOST_TRIES - 1, told_at=timezone.now() - SILENT_AFTER - timedelta(seconds=1))
    watch_report.call(report.pk)
    report.refresh_from_db()
    assert (report.status, report.done) == ("failed", 0)


def test_a_warband_whose_rules_are_broken_does_not_stop_the_others(made: c.Club, ada: Any) -> None:
    Terms.objects.filter(pk=made.campaign.terms_id).update(house_rules={"thresholds": {"one": "two"}})
    rows = finished(asked(ada))
    assert rows[made.warband(ada).pk].kind == "broken"
    assert "Not compared" in rows[made.warband(ada).pk].data["words"]
    assert [row.kind for row in rows.values()].count("broken") == 2


def test_one_report_of_a_game_is_at_work_and_none_is_older_than_a_week(made: c.Club, ada: Any) -> None:
    report = asked(ada)
    again, is_new = start_report(system=GAME, edition=EDITION, overlays=[], actor=ada)
    assert (again.pk, is_new) == (report.pk, False)
    assert DBTaskResult.objects.filter(task_path="campaigns.tasks.compare_states").count() == 1
    StateReport.objects.update(told_at=timezone.now() - SILENT_AFTER - timedelta(seconds=1))
    other = asked(ada)
    assert list(StateReport.objects.all()) == [other]
    StateReport.objects.update(status="done", asked_at=timezone.now() - KEPT_FOR - timedelta(seconds=1))
    last = asked(ada)
    assert list(StateReport.objects.all()) == [last]
    for how in ({"edition": "3.0"}, {"overlays": ["moonbeam"]}, {"system": "gloom-trench"}):
        with pytest.raises(Refusal):
            start_report(**{"system": GAME, "edition": EDITION, "overlays": [], "actor": ada, **how})


def printed_text(content: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def test_the_page_starts_shows_filters_hands_out_and_deletes(
    owner: Any, made: c.Club, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = reverse("site-rules")
    assert "Compare all warbands" in owner.get(here).content.decode()
    assert owner.post(here, {"base": "trench-crusade/9"}).status_code == 422
    assert owner.post(here, {"base": "trench-crusade/1.0", "with": "moonbeam"}).status_code == 422
    answer = owner.post(here, {"base": "trench-crusade/1.0", "with": [SULTANATE]})
    report = StateReport.objects.get()
    there = reverse("site-rules-report", args=[report.pk])
    assert answer["Location"] == there
    assert "Queued: 3 warbands." in owner.get(there).content.decode()
    Warband.objects.filter(pk=made.warband(ada).pk).update(name="=HYPERLINK(1)")
    finished(report)
    shown = owner.get(there).content.decode()
    assert "Brazen Bull" in shown
    assert "Nothing changes for 1 warband." in shown
    assert owner.get(there, {"kind": "broken", "page": "x"}).status_code == 200
    part = owner.get(there, headers={"HX-Request": "true", "HX-Target": "div#report_progress"}).content.decode()
    assert "Show the report" in part
    paper = owner.get(there, {"as": "pdf", "kind": "x"})
    assert paper["Content-Type"] == "application/pdf"
    printed = " ".join(printed_text(paper.content).split())
    assert "2 warbands would change." in printed
    assert "Brazen Bull" in printed
    monkeypatch.setattr(site_rules, "MOST_PRINTED", 1)
    printed = " ".join(printed_text(owner.get(there, {"as": "pdf"}).content).split())
    assert "The first 1 of 2 warbands. The table (CSV) has them all." in printed
    table = b"".join(owner.get(there, {"as": "csv"}).streaming_content).decode()
    assert "Brazen Bull,price,100 d,115 d" in table
    assert "'=HYPERLINK(1)" in table
    assert ",=HYPERLINK" not in table
    assert owner.post(there).status_code == 302
    assert not StateReport.objects.exists()
    assert owner.get(there).status_code == 404


def test_to_everybody_else_the_pages_do_not_exist(made: c.Club, ada: Any, cleo: Any) -> None:
    report = asked(ada)
    for who in (ada, cleo):
        client = Client()
        client.force_login(who)
        for there in (reverse("site-rules"), reverse("site-rules-report", args=[report.pk])):
            assert client.get(there).status_code == 404
            assert client.post(there).status_code == 404


def test_a_long_report_takes_no_more_queries(owner: Any, made: c.Club, ada: Any, dora: Any) -> None:
    report = asked(ada)
    finished(report)
    there = reverse("site-rules-report", args=[report.pk])

    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            owner.get(there)
        return len(captured)

    few = count()
    rows = list(report.rows.all())  # type: ignore[attr-defined]
    terms = Terms.objects.create(system=GAME, edition=EDITION)
    for _number in range(8):
        warband = copy_sample(actor=dora, owner=dora, terms=terms, sample_id="lantern-wardens")
        StateReportRow.objects.create(report=report, warband=warband, kind="other", data=rows[0].data)
    assert count() == few


def test_two_who_start_at_the_same_moment_get_one_report(
    made: c.Club, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, seen = state_reports.warbands_of, []

    def overtaken(system: str) -> Any:
        if not seen:
            seen.append(StateReport.objects.create(system=system, edition=EDITION))
        return counted(system)

    monkeypatch.setattr(state_reports, "warbands_of", overtaken)
    report = asked(ada)
    assert list(StateReport.objects.filter(status__in=StateReport.AT_WORK)) == [report]
