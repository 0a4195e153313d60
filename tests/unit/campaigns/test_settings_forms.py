"""The form of the house rules: each field has a name, a unit and an example that it takes, and a wrong line is named by its number."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.pages.house_rules import faults_in, id_of
from campaigns.services.open import open_campaign
from campaigns.settings_forms import RulesForm
from campaigns.settings_schema import house_settings
from rules.registry import systems
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Terms
from warbands.pages.house_rules import label_of

pytestmark = pytest.mark.django_db

EDITIONS = [(game.id, edition) for game in systems() for edition in game.editions()]


def filled(terms: Terms, **sent: str) -> RulesForm:
    """The form with these fields, as it is sent."""
    return RulesForm(
        {"token": new_token(), **sent},
        settings=house_settings(terms)[0],
        find=lambda name: id_of(name, terms),
        label=label_of,
        faults=lambda key, value: faults_in(terms, key, value),
    )


@pytest.mark.parametrize(("system", "edition"), EDITIONS)
def test_each_example_is_taken_as_it_is_shown(system: str, edition: str) -> None:
    terms = Terms(system=system, edition=edition)
    shown = [setting for setting in house_settings(terms)[0] if setting.kind != "yes-no"]
    assert shown
    for setting in shown:
        assert setting.example, setting.key
        name = f"{setting.key}_ducats" if setting.kind == "price" else setting.key
        form = filled(terms, **{name: setting.example})
        assert form.is_valid(), (setting.key, form.errors)
        assert form.chosen[setting.key] not in (None, "", 0, [], {}), setting.key
        field = form[name].field
        assert setting.example in unescape(str(field.help_text))


@story
def campaign(cleo: Any) -> Campaign:
    return open_campaign(actor=cleo, name="The Long Winter", edition="1.6.3")


@pytest.mark.parametrize(
    ("field", "given", "told"),
    [
        ("thresholds", "1: 900\nBayonet: 4", "Line 2, “Bayonet: 4”: write a battle number"),
        ("thresholds", "300: 900", "Line 1, “300: 900”: battles are numbered from 1 to 99."),
        ("field_strengths", "3: 12000", "Line 1, “3: 12000”: write a number from 0 to 9999."),
        ("limits", "Bayonet: 4\n\n3: 900", "Line 3, “3: 900”: “3” isn't in the rules."),
        ("limits", "Bayonet", "Line 1, “Bayonet”: write a name, a colon and a number"),
        ("prices", "Bayonet: cheap", "Line 1, “Bayonet: cheap”: write a name, a colon and a price"),
        ("banned", "Bayonet\nDeath Ray", "Line 2, “Death Ray”: “Death Ray” isn't in the rules."),
        ("elite_cap", "-3", "At least 0."),
    ],
)
def test_a_wrong_line_is_named_at_its_field(
    client: Client, campaign: Campaign, cleo: Any, field: str, given: str, told: str
) -> None:
    client.force_login(cleo)
    here = f"{reverse('house-rule-list', args=[campaign.pk])}?edit=rules"
    answer = client.post(here, {field: given, "token": "t-1", "act": "write"})
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    _before, _sep, after = page.partition(f'id="id_{field}_error"')
    assert told in after.partition("</div>")[0]
    campaign.terms.refresh_from_db()
    assert campaign.terms.house_rules == {}


def test_every_wrong_line_is_told_at_once(campaign: Campaign) -> None:
    form = filled(campaign.terms, limits="Bayonet 3\nBayonet: 4\nDeath Ray: 1")
    assert not form.is_valid()
    assert [error.partition(",")[0] for error in form.errors["limits"]] == ["Line 1", "Line 3"]


def test_a_number_under_its_least_is_answered_with_a_true_minus() -> None:
    form = filled(Terms(system="trench-crusade", edition="1.0"), threshold_add="-99999")
    assert form.errors["threshold_add"] == ["At least −2000."]
