"""The site owner suspends accounts, hides public pages and reads reports; each with a reason, and each is taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import HiddenPage, Suspension, User
from accounts.site_owner import suspend
from campaigns.models import Campaign
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.conftest import person
from tests.module_story import story
from tests.pressing import sure
from tests.scene import Scene, addresses, make_scene
from warbands.idempotency import new_token
from warbands.models import ProblemReport

pytestmark = pytest.mark.django_db


@story
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def owner(client: Any) -> Any:
    """A client of the site owner."""
    olga = person("olga")
    olga.is_staff = True
    olga.save()
    client.force_login(olga)
    return client


def press(client: Client, name: str, *args: Any, **sent: Any) -> Any:
    return client.post(reverse(name, args=args), {"token": new_token(), **sent})


def test_a_suspended_person_is_signed_out_and_reads_why(owner: Any, ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    ada.set_password("long-enough-44")
    ada.save()
    theirs = Client()
    theirs.force_login(ada)
    assert theirs.get(reverse("account-show")).status_code == 200
    assert "Give a reason" in press(owner, "person-show", ada.pk, act="suspend").content.decode()
    assert press(owner, "person-show", ada.pk, act="suspend", reason="Insults").status_code == 302
    assert theirs.get(reverse("account-show")).status_code == 302
    assert not [row for row in Session.objects.all() if row.get_decoded().get("_auth_user_id") == str(ada.pk)]
    cache.clear()
    answer = Client().post(reverse("account_login"), {"login": "ada", "password": "long-enough-44"})
    assert answer.status_code == 403
    assert "Insults" in answer.content.decode()
    administrator = Client()
    administrator.force_login(cleo)
    assert administrator.get(reverse("warband-show", args=[club.warband(ada).pk])).status_code == 200
    assert press(owner, "person-show", ada.pk, act="suspend", reason="Again").status_code == 422
    page = owner.get(reverse("person-show", args=[ada.pk])).content.decode()
    assert "suspended by olga" in page
    assert club.campaign.name in page
    assert press(owner, "person-show", ada.pk, act="lift").status_code == 302
    assert press(owner, "person-show", ada.pk, act="lift").status_code == 422
    assert Client().post(reverse("account_login"), {"login": "ada", "password": "long-enough-44"}).status_code == 302
    assert theirs.get(reverse("account-show")).status_code == 302  # the old session stays ended
    row = Suspension.objects.get()
    assert (row.reason, str(row.ended_by)) == ("Insults", "olga")


def test_nobody_suspends_themselves_or_another_site_owner(owner: Any, ada: Any, cleo: Any) -> None:
    olga = User.objects.get(username="olga")
    with pytest.raises(Refusal, match="yourself"):
        suspend(user=olga, reason="x", actor=olga)
    cleo.is_superuser = True
    cleo.save()
    with pytest.raises(Refusal, match="runs this site"):
        suspend(user=cleo, reason="x", actor=olga)


def test_a_hidden_page_is_gone_for_strangers_and_its_owner_reads_why(owner: Any, scene: Scene) -> None:
    at = addresses(scene)
    public = {
        "campaign": (at["campaign-watch slug"], at["battle-watch slug pk"], at["watch-show code"]),
        "warband": (at["warband-watch slug"], at["warband-watch-version slug version"]),
        "profile": (at["profile-write pk"],),
    }
    told = {
        "campaign": ("administrator", at["campaign-administer pk"]),
        "warband": ("owner", at["warband-share pk"]),
        "profile": ("owner", at["profile-write pk"]),
    }
    for kind, pages in public.items():
        reader = scene.client("player" if kind == "profile" else "visitor")
        for page in pages:
            assert reader.get(page).status_code == 200, page
        address = f"http://testserver{pages[0]}"
        assert press(owner, "site-hidden", act="hide", address=address).status_code == 422
        assert press(owner, "site-hidden", act="hide", address=address, reason="Rude name").status_code == 302
        for page in pages:
            assert reader.get(page).status_code == 404, page
        who, there = told[kind]
        assert "Rude name" in scene.client(who).get(there).content.decode()
        assert "Rude name" in scene.client(who).get(reverse("notification-list")).content.decode()
        row = HiddenPage.objects.get(kind=kind, ended_at=None)
        assert press(owner, "site-hidden", act="show", row=row.pk).status_code == 302
        for page in pages:
            assert reader.get(page).status_code == 200, page
        assert "is public again" in scene.client(who).get(reverse("notification-list")).content.decode()
    assert owner.get(reverse("site-hidden")).content.decode().count("shown again") == 3
    assert press(owner, "site-hidden", act="hide", address="/rules/", reason="x").status_code == 422


def test_reports_are_read_and_settled(owner: Any, ada: Any) -> None:
    made = ProblemReport.objects.create(
        by=ada, page="/x/", release="r", words="Odd.", document={"a": 1}, token="t" * 12
    )
    assert "Odd." in owner.get(reverse("site-desk")).content.decode()
    assert owner.get(reverse("problem-show", args=[made.pk]) + "?as=json").json() == {"a": 1}
    assert press(owner, "problem-show", made.pk, state="gone").status_code == 422
    assert press(owner, "problem-show", made.pk, state="done", note="Mended.").status_code == 302
    assert "Odd." not in owner.get(reverse("site-desk")).content.decode()
    assert "Odd." in owner.get(reverse("site-desk") + "?state=done").content.decode()
    assert sure(owner, reverse("problem-show", args=[made.pk]), {"act": "delete"}).status_code == 302
    assert not ProblemReport.objects.exists()
    owner.force_login(ada)
    for name, *args in (("site-desk",), ("site-people",), ("site-hidden",), ("problem-show", made.pk)):
        assert owner.get(reverse(name, args=args)).status_code == 404


def test_lists_ask_as_much_for_many(owner: Any, ada: Any) -> None:
    def asked(name: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert owner.get(reverse(name)).status_code == 200
        return len(queries)

    def more(number: int) -> None:
        suspend(user=person(f"rude{number}"), reason="Rude", actor=olga)
        HiddenPage.objects.create(kind="campaign", row=number, reason="Rude", by=olga)
        ProblemReport.objects.create(by=ada, release="r", words="Odd.", token=f"token-{number:06}")

    olga = User.objects.get(username="olga")
    names = ("site-desk", "site-people", "site-hidden")
    more(1)
    few = [asked(name) for name in names]
    for number in range(2, 8):
        more(number)
    assert [asked(name) for name in names] == few
    assert "rude3" in owner.get(reverse("site-people") + "?find=rude3").content.decode()
    assert Campaign.objects.count() == 0
