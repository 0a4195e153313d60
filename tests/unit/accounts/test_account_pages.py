"""One's own page: preferences, export, deletion."""

import json

import pytest
from django.contrib import messages
from django.db.models import ProtectedError

from accounts import data, deletion
from accounts.data import AppData, register_app
from accounts.models import User
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


class Hats(AppData):
    """An app that knows of hats."""

    name = "hats"

    def exports(self, user):
        return {"hats": [{"colour": "red", "owner": user.username}]}

    def deletion_blockers(self, user):
        return [SETTLE_FIRST]


SETTLE_FIRST = "You alone administer The Winter; name another administrator first."


@pytest.fixture
def hats(monkeypatch):
    """Its share beside those of the site, for this test alone."""
    monkeypatch.setattr(data, "_apps", dict(data._apps))
    register_app(Hats())


@pytest.mark.parametrize("address", ["/account/", "/account/export/", "/account/delete/"])
def test_a_visitor_is_asked_to_sign_in_first(client, address):
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.url == f"/accounts/login/?next={address}"


def test_a_visitor_with_htmx_is_sent_to_a_whole_sign_in_page(client):
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/warbands/"}
    answer = client.post("/account/", headers=headers)
    assert answer.headers["HX-Redirect"] == "/accounts/login/?next=/warbands/"


def test_preferences_are_kept(client, ada):
    client.force_login(ada)
    answer = client.post("/account/", {"paper_size": "Letter", "colour_scheme": "dark"}, follow=True)
    ada.refresh_from_db()
    assert (ada.paper_size, ada.colour_scheme) == ("Letter", "dark")
    assert 'data-scheme="dark"' in answer.content.decode()


COPIES = ["ben", "BEN", "Ｂen", "b\u0435n", "be\u200bn", "The  Bell", "the\u00a0bell", "THE\u3000BELL", " The Bell "]


@pytest.mark.parametrize("name", COPIES)
def test_a_name_that_copies_another_persons_is_refused(client, ada, ben, name):
    User.objects.filter(pk=ben.pk).update(first_name="The Bell")
    client.force_login(ada)
    answer = client.post("/account/", {"first_name": name, "paper_size": "A4", "colour_scheme": "auto"})
    assert answer.status_code == 422
    assert "already uses that name" in answer.content.decode()
    ada.refresh_from_db()
    assert ada.first_name == ""


@pytest.mark.parametrize(
    ("name", "kept"), [("ada", "ada"), ("Ada", "Ada"), ("Ada  of the\u00a0Weir", "Ada of the Weir"), ("", "")]
)
def test_ones_own_names_and_free_ones_are_kept(client, ada, ben, name, kept):
    User.objects.filter(pk=ada.pk).update(first_name="Ada")
    client.force_login(ada)
    answer = client.post("/account/", {"first_name": name, "paper_size": "A4", "colour_scheme": "auto"})
    assert answer.status_code == 302
    ada.refresh_from_db()
    assert ada.first_name == kept


def test_nobody_enlists_under_the_name_another_is_known_by(client, ben):
    User.objects.filter(pk=ben.pk).update(first_name="TheBell")
    form = {"username": "thebell", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/accounts/signup/", form)
    assert "already uses that name" in answer.content.decode()
    assert not User.objects.filter(username="thebell").exists()
    assert client.post("/accounts/signup/", form | {"username": "thebells"}).status_code == 302


def test_an_unknown_paper_is_refused_and_nothing_is_written(client, ada):
    client.force_login(ada)
    answer = client.post("/account/", {"paper_size": "A0", "colour_scheme": "dark"})
    ada.refresh_from_db()
    assert answer.status_code == 422
    assert (ada.paper_size, ada.colour_scheme) == ("A4", "auto")


def test_the_export_is_one_file_with_every_share(client, ada, hats):
    client.force_login(ada)
    answer = client.get("/account/export/")
    told = json.loads(answer.content)
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert told["hats"] == [{"colour": "red", "owner": "ada"}]
    assert told["account"]["user_name"] == "ada"
    assert "password" not in answer.content.decode()


def test_two_apps_cannot_share_a_name(hats):
    class OtherHats(AppData):
        name = "hats"

    with pytest.raises(ValueError, match="'hats'"):
        register_app(OtherHats())


def test_deleting_asks_for_the_password(client, ada):
    client.force_login(ada)
    answer = client.post("/account/delete/", {"password": "wrong"})
    assert answer.status_code == 422
    assert "Wrong password" in answer.content.decode()
    assert User.objects.filter(pk=ada.pk).exists()


def test_deleting_removes_the_person_and_signs_out(client, ada):
    client.force_login(ada)
    answer = client.post("/account/delete/", {"password": PASSWORD})
    assert answer.status_code == 302
    assert not User.objects.filter(username="ada").exists()
    assert [str(message) for message in messages.get_messages(answer.wsgi_request)] == ["Your account is deleted."]
    assert client.get("/account/").status_code == 302


def test_what_must_be_settled_first_stands_in_the_way(client, ada, hats):
    sentence = SETTLE_FIRST
    client.force_login(ada)
    assert sentence in client.get("/account/delete/").content.decode()
    answer = client.post("/account/delete/", {"password": PASSWORD})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert User.objects.filter(pk=ada.pk).exists()


def test_a_row_that_others_need_stays_without_name_or_address(ada, monkeypatch):
    def protected(self, *args, **kwargs):
        raise ProtectedError("A battle needs it.", {self})

    monkeypatch.setattr(User, "delete", protected)
    assert deletion.delete_account(ada) == []
    left = User.objects.get(pk=ada.pk)
    assert left.username == f"former player {ada.pk}"
    assert (left.email, left.is_active, left.has_usable_password()) == ("", False, False)


def test_guessing_the_password_of_an_open_session_is_slowed_down(client, ada):
    client.force_login(ada)
    statuses = [client.post("/account/delete/", {"password": f"guess {n}"}).status_code for n in range(12)]
    assert statuses[0] == 422
    assert statuses[-1] == 429
