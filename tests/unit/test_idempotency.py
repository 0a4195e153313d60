"""Only tokens that the site drew for this person count."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.test.utils import override_settings
from django.urls import resolve, reverse

from tests import stories as s
from tests.conftest import PASSWORD
from tests.forms import ACTORS, MORE, Form, elsewhere, forms_of, pages_of
from tests.scene import addresses, make_scene, rolled_back, routes
from tests.scene_pages import sent_to
from warbands.idempotency import WITHOUT_TOKEN, is_ours, new_token
from warbands.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def sent(client: Client, address: str, **data: Any) -> Any:
    """A form as a stranger to our tests would send it: nothing is put in the place of its token."""
    return client.generic("POST", address, urlencode(data), "application/x-www-form-urlencoded")


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def token_on(client: Client, address: str) -> str:
    """The token of the form that a page shows."""
    return str(client.get(address).context["token"])


@pytest.fixture
def ready(ada: Any) -> tuple[Any, str]:
    """A warband of Ada's that is being built, and the page that ends that."""
    warband = s.found(ada)
    return warband, reverse("warband-ready", args=[warband.pk])


# On the page of signing in, in development only; a guest's; sent by a script alone.
NOT_IN_THE_SCENE = {
    "demo-login",
    "account-keep",
    "device-add",
    "site-rules",
    "site-rules-report",
    "site-campaigns",
    "site-campaign",
}
MADE_UP = (
    "x",
    "t" * 20,
    "t" * 64,
    "t" * 300,
    "AAAAAAAAAAAA." + "0" * 24,
    "AAAAAAAAAAAA." + "0" * 24 + ".0",
    "..",
    "é" * 12 + "." + "0" * 24,
    "' OR 1=1 --",
    " ",
)


@pytest.mark.parametrize("token", MADE_UP)
def test_a_token_that_somebody_made_up_is_refused_with_a_sentence(ready: tuple[Any, str], ada: Any, token: str) -> None:
    _, address = ready
    before = Event.objects.count()
    answer = sent(signed_in(ada), address, token=token)
    assert answer.status_code == 400
    assert "made for you" in answer.content.decode()
    assert Event.objects.count() == before


@pytest.mark.parametrize("data", [{}, {"token": ""}], ids=["none", "empty"])
def test_an_act_without_a_token_is_refused(ready: tuple[Any, str], ada: Any, data: dict[str, str]) -> None:
    warband, address = ready
    before = Event.objects.count()
    answer = sent(signed_in(ada), address, **data)
    assert answer.status_code == 400
    assert "made for you" in answer.content.decode()
    assert Event.objects.count() == before
    assert s.fresh(warband).is_founding


def test_signing_in_and_out_needs_none(ada: Any) -> None:
    client = Client()
    assert sent(client, reverse("account_login"), login="ada", password=PASSWORD).status_code == 302
    assert sent(client, reverse("account-show"), paper_size="A4", colour_scheme="dark").status_code == 302
    assert sent(client, reverse("account_logout")).status_code == 302


def test_every_form_of_the_site_carries_a_token_that_counts_or_is_told_to_need_none() -> None:
    carrying, without = set(), set()

    def look(key: str, forms: list[Form], user: Any) -> None:
        for form in forms:
            name = resolve(urlsplit(form.action).path).url_name
            given = form.fields.get("token", [""])
            (carrying if any(given) else without).add(name)
            assert not any(given) or all(is_ours(token, user) for token in given), (key, form.action)

    with rolled_back():
        scene = make_scene()
        for key in {*ACTORS, *MORE, *elsewhere(scene)}:  # others act there, or forms stand at further addresses
            client, forms = pages_of(key, scene)
            look(key, forms, get_user(client))
        users, there = scene.users, addresses(scene)
    for who in ("owner", "administrator"):
        for key, page in sent_to(who).items():
            look(key, forms_of(page.html, there[key]), users[who])
    assert {"warband-ready", "battle-report", "seat-show", "battle-schedule"} <= carrying
    assert without == WITHOUT_TOKEN - NOT_IN_THE_SCENE
    assert not carrying & WITHOUT_TOKEN


def test_an_address_that_needs_no_token_is_there_and_takes_forms() -> None:
    names = {entry.name: entry for entry in routes().values()}
    assert names.keys() >= WITHOUT_TOKEN


def test_the_token_of_a_page_counts_for_its_reader_alone(ready: tuple[Any, str], ada: Any, ben: Any) -> None:
    _, address = ready
    token = token_on(signed_in(ada), address)
    assert is_ours(token, ada)
    assert not is_ours(token, ben)
    other = s.found(ben, name="The Choir")
    assert sent(signed_in(ben), reverse("warband-change", args=[other.pk]), name="X", token=token).status_code == 400
    assert sent(Client(), reverse("account_login"), login="a", password="b", token=token).status_code == 400


def test_a_spent_token_is_still_answered_with_already_done(ada: Any) -> None:
    warband = s.small_warband(ada)
    client = signed_in(ada)
    fighter = s.fighter(warband, "Ottla")
    address = reverse("fighter-rename", args=[fighter.pk])
    page = client.get(address)
    token = page.context["form"].initial["token"]
    first = sent(client, address, name="Ludmila", token=token)
    assert first.status_code == 302
    again = client.generic(
        "POST", address, urlencode({"name": "Ludmila", "token": token}), "application/x-www-form-urlencoded"
    )
    assert again.status_code == 200
    assert "done already" in again.content.decode()


def test_an_ending_of_the_pages_own_makes_a_further_token(ada: Any, ben: Any) -> None:
    drawn = new_token()
    assert is_ours(f"{drawn}.0123456789abcdef", ada)
    assert not is_ours(f"{drawn}.", ada)
    assert not is_ours(f"{drawn}.0.0", ada)
    assert not is_ours(f"{drawn}.{'0' * 25}", ada)
    assert len(f"{drawn}.{'0' * 24}") <= 64


def test_tokens_outlive_a_new_key_while_the_former_one_is_named(ada: Any, settings: Any) -> None:
    drawn, former = new_token(), settings.SECRET_KEY
    with override_settings(SECRET_KEY="another-key-of-this-site", SECRET_KEY_FALLBACKS=[former]):
        assert is_ours(drawn, ada)
    with override_settings(SECRET_KEY="another-key-of-this-site", SECRET_KEY_FALLBACKS=[]):
        assert not is_ours(drawn, ada)


def test_no_script_makes_up_a_token_out_of_nothing() -> None:
    scripts = Path(__file__).parents[2] / "static" / "js"
    for path in scripts.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert "freshToken()" not in text, path.name
