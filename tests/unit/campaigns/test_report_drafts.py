"""Reports that others send: the code on a battle sheet, the draft that comes by it, and who makes it count."""

from __future__ import annotations

import io
import logging
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.models import Battle, Campaign, Report, ReportCode, ReportDraft, Side
from campaigns.services.open import change_campaign
from campaigns.services.report_drafts import (
    MOST_WAITING,
    hand_out_report_code,
    refuse_report_draft,
    renew_report_code,
    revoke_report_code,
    send_report_draft,
)
from campaigns.services.reports import send_report
from campaigns.services.rounds import cancel_battle
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    made = c.club(cleo, ada, ben)
    change_campaign(campaign=made.campaign, actor=cleo, settings={"code_without_account": True})
    return c.fresh_battle(c.mustered(made, ada, ben))


def code_of(battle: Battle, ada: Any) -> str:
    return hand_out_report_code(side=c.side(battle, ada))


def there(code: str) -> str:
    return reverse("report-by-code", args=[code])


def form(battle: Battle, ada: Any, **more: Any) -> dict[str, Any]:
    mine = c.side(battle, ada)
    return {"token": new_token(), "result": str(mine.pk), f"points_{mine.pk}": "7", "words": "By the wire", **more}


def sent(battle: Battle, ada: Any) -> ReportDraft:
    return send_report_draft(
        side=c.side(battle, ada), actor=None, data=c.report_data(battle, ada), code=code_of(battle, ada)
    )


def test_opening_spends_nothing_and_sending_once_makes_one_draft_that_counts_for_nothing(
    battle: Battle, ada: Any
) -> None:
    visitor, address = Client(), there(code_of(battle, ada))
    for _ in range(2):
        page = visitor.get(address)
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        assert page["X-Robots-Tag"] == "noindex"
    assert "Content-Encoding" not in visitor.get(address, headers={"accept-encoding": "gzip"})
    assert "Send the draft" in page.content.decode()
    data = form(battle, ada)
    wrong = visitor.post(address, {**data, "result": "", "token": new_token()})
    assert (wrong.status_code, ReportDraft.objects.count()) == (422, 0)
    answer = visitor.post(address, data)
    assert (answer.status_code, "waits now" in answer.content.decode()) == (200, True)
    again = visitor.post(address, data)  # the same form twice
    assert again.status_code == 200
    spent = visitor.post(address, {**data, "token": new_token()})
    assert spent.status_code == 422
    assert "A code works once." in spent.content.decode()
    assert visitor.get(address).status_code == 410
    draft = ReportDraft.objects.get()
    assert (draft.by, draft.state, draft.data["points"][str(c.side(battle, ada).pk)]) == (None, "waiting", 7)
    assert c.fresh_battle(battle).status == Battle.Status.MUSTERED
    assert not Report.objects.exists()


def test_without_the_campaigns_leave_it_takes_the_sides_player_or_an_administrator(
    battle: Battle, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    Campaign.objects.update(settings={})
    address = there(code_of(battle, ada))
    answer = Client().get(address)
    assert answer["Location"].startswith("/accounts/")
    for user, status in ((ada, 200), (cleo, 200), (ben, 403), (dora, 403)):
        client = Client()
        client.force_login(user)
        assert client.get(address).status_code == status
        if status == 403:
            assert client.post(address, form(battle, ada)).status_code == 403
    assert not ReportDraft.objects.exists()
    client.force_login(ada)
    draft = client.post(address, form(battle, ada, token=""))  # without a token it is no act
    assert draft.status_code == 400


def test_the_code_dies_with_the_battle_and_by_hand(battle: Battle, ada: Any, ben: Any, cleo: Any) -> None:
    mine, visitor = c.side(battle, ada), Client()
    first = code_of(battle, ada)
    assert hand_out_report_code(side=mine) == first  # printed again it is the same
    revoke_report_code(side=mine)
    assert visitor.get(there(first)).status_code == 404
    second = code_of(battle, ada)
    third = renew_report_code(side=mine)
    assert len({first, second, third}) == 3
    assert [visitor.get(there(code)).status_code for code in (second, third)] == [404, 200]
    Side.objects.filter(pk=mine.pk).update(is_undone=True)
    assert visitor.get(there(third)).status_code == 404
    Side.objects.filter(pk=mine.pk).update(is_undone=False)
    Battle.objects.filter(pk=battle.pk).update(is_undone=True)
    assert visitor.get(there(third)).status_code == 404
    Battle.objects.filter(pk=battle.pk).update(is_undone=False)
    for status in ("reported", "confirmed", "closed", "void", "cancelled", "disputed"):
        Battle.objects.filter(pk=battle.pk).update(status=status)
        assert visitor.get(there(third)).status_code == 410, status
        assert visitor.post(there(third), form(battle, ada)).status_code == 410
    Battle.objects.filter(pk=battle.pk).update(status="scheduled")
    Campaign.objects.update(rosters="muster")
    answer = visitor.get(there(third))
    assert answer.status_code == 410
    assert "hidden" in answer.content.decode()
    assert not ReportDraft.objects.exists()


def test_a_draft_is_accepted_by_the_ordinary_report(battle: Battle, ada: Any, ben: Any, client: Client) -> None:
    draft = sent(battle, ada)
    client.force_login(ada)
    here = f"{reverse('battle-report', args=[battle.pk])}?draft={draft.pk}"
    assert here.replace("&", "&amp;") in client.get(reverse("desk-show")).content.decode()
    assert here in client.get(reverse("battle-show", args=[battle.pk])).content.decode()
    page = client.get(here)
    panel = page.context["draft"]
    assert ("Result", f"{c.side(battle, ada).warband.name} won") in [(line.label, line.draft) for line in panel.lines]
    assert "Accept and send" in page.content.decode()
    answer = client.post(reverse("battle-report", args=[battle.pk]), form(battle, ada, draft=draft.pk))
    assert answer.status_code == 302
    draft.refresh_from_db()
    report = Report.objects.get()
    assert (draft.state, report.by, report.by_side_id) == ("accepted", ada, c.side(battle, ada).pk)
    assert c.fresh_battle(battle).status == Battle.Status.REPORTED
    assert not client.get(reverse("desk-show")).content.decode().count("?draft=")


def test_an_administrator_accepts_as_the_side_and_the_other_side_may_not(
    battle: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    draft, client = sent(battle, ada), Client()
    here = reverse("battle-report", args=[battle.pk])
    client.force_login(ben)
    assert client.get(f"{here}?draft={draft.pk}").status_code == 403
    assert client.post(here, form(battle, ada, draft=draft.pk)).status_code == 403
    assert (
        client.post(reverse("report-draft-refuse", args=[battle.pk, draft.pk]), {"token": new_token()}).status_code
        == 403
    )
    client.force_login(cleo)
    assert client.post(here, form(battle, ada, draft=draft.pk)).status_code == 302
    assert Report.objects.get().by_side_id == c.side(battle, ada).pk
    answer = client.post(here, form(battle, ada, draft=draft.pk))
    assert answer.status_code in (302, 422)
    assert Report.objects.count() == 1


def test_a_refused_draft_says_why_and_can_be_taken_up_again(
    battle: Battle, ada: Any, cleo: Any, client: Client
) -> None:
    draft = sent(battle, ada)
    client.force_login(ada)
    refuse = reverse("report-draft-refuse", args=[battle.pk, draft.pk])
    answer = client.post(refuse, {"token": new_token(), "reason": " "})
    page = answer.content.decode()
    assert (answer.status_code, page.count('aria-invalid="true"'), page.count("Give a reason.")) == (422, 1, 2)
    assert re.search(r'name="reason" [^>]*aria-describedby="wrong"', page)
    assert f'name="draft" value="{draft.pk}"' in page  # the form that it fills in stands below
    assert client.post(refuse, {"token": new_token(), "reason": "Not our battle"}).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.refused_words) == ("refused", "Not our battle")
    with pytest.raises(Refusal, match="refused"):
        refuse_report_draft(draft=draft, actor=cleo, words="Again")
    with pytest.raises(Refusal, match="This draft was refused"):
        send_report(battle=battle, actor=ada, by_side=c.side(battle, ada), data=c.report_data(battle, ada), draft=draft)
    assert not Report.objects.exists()
    undo(event=Event.objects.get(kind="report-refuse"), actor=ada)
    draft.refresh_from_db()
    assert (draft.state, draft.refused_words) == ("waiting", "")


def test_undoing_a_draft_gives_its_code_back(battle: Battle, ada: Any) -> None:
    code = code_of(battle, ada)
    sent(battle, ada)
    assert Client().get(there(code)).status_code == 410
    undo(event=Event.objects.get(kind="report-draft"), actor=ada)
    assert Client().get(there(code)).status_code == 200
    sent(battle, ada)
    assert ReportDraft.objects.live().count() == 1


def test_drafts_of_a_side_do_not_pile_up(battle: Battle, ada: Any) -> None:
    mine = c.side(battle, ada)
    rows = [ReportDraft(battle=battle, side=mine, data={}) for _ in range(MOST_WAITING)]
    ReportDraft.objects.bulk_create(rows)
    with pytest.raises(Refusal, match="wait already"):
        sent(battle, ada)


def test_a_cancelled_battle_takes_no_draft(battle: Battle, ada: Any, cleo: Any) -> None:
    code = code_of(battle, ada)
    cancel_battle(battle=battle, actor=cleo, words="Snow")
    with pytest.raises(Refusal, match="cancelled"):
        send_report_draft(side=c.side(battle, ada), actor=None, data=c.report_data(battle, ada), code=code)


def test_too_many_tries_from_one_address_must_wait(battle: Battle, ada: Any, settings: Any) -> None:
    settings.REPORT_CODE_LIMIT = (2, 600)
    address = there(code_of(battle, ada))
    visitor = Client(REMOTE_ADDR="203.0.113.77")
    found = [visitor.get(there("x" * 24)).status_code, visitor.get(address).status_code]
    refused = visitor.post(address, form(battle, ada))
    assert [*found, refused.status_code] == [404, 200, 429]
    assert int(refused["Retry-After"]) > 0


def test_no_log_holds_the_code(battle: Battle, ada: Any, settings: Any) -> None:
    from logging.config import dictConfig

    code, heard = code_of(battle, ada), io.StringIO()
    kept = {name: (logging.getLogger(name).handlers[:], logging.getLogger(name).level) for name in ("", "django")}
    try:
        dictConfig({**settings.LOGGING, "incremental": False})
        for handler in logging.getLogger("django").handlers:
            handler.setStream(heard)  # type: ignore[attr-defined]
        assert Client().post(there(code), form(battle, ada, result="")).status_code == 422
    finally:
        for name, (handlers, level) in kept.items():
            logging.getLogger(name).handlers[:] = handlers
            logging.getLogger(name).setLevel(level)
    assert "Unprocessable" in heard.getvalue()
    assert code not in heard.getvalue()


@pytest.mark.slow
@pytest.mark.one_database
def test_the_sheet_carries_the_code_of_its_own_side(battle: Battle, ada: Any, cleo: Any, client: Client) -> None:
    here = reverse("battle-print", args=[battle.pk])
    client.force_login(ada)
    page = client.get(here)
    assert [state.words for state in page.context["page"].codes] == ["none yet"]
    plain = client.post(here, {"chosen": "1"})
    assert plain["Content-Type"] == "application/pdf"
    assert not ReportCode.objects.exists()
    pdf = client.post(here, {"chosen": "1", "code": "on", "look": "ink"})
    assert "no-store" in pdf["Cache-Control"]
    code = ReportCode.objects.get()
    assert code.side_id == c.side(battle, ada).pk
    text = " ".join(PdfReader(io.BytesIO(pdf.content)).pages[0].extract_text().split())
    assert "Report by phone" in text
    assert "Report by phone" not in PdfReader(io.BytesIO(plain.content)).pages[0].extract_text()
    assert client.post(here, {"chosen": "1", "paper": "A3"}).status_code == 422
    client.post(here, {"revoke": code.side_id})
    assert [state.words for state in client.get(here).context["page"].codes] == ["revoked"]
    other = next(side for side in battle.sides.all() if side.pk != code.side_id)
    client.post(here, {"renew": other.pk})  # not hers
    assert ReportCode.objects.count() == 1
    client.force_login(cleo)
    client.post(here, {"renew": other.pk})
    assert ReportCode.objects.count() == 2
