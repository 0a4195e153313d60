"""The privacy page names every table that holds something about a person, and every page leads there."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import models
from django.urls import reverse

from config.privacy import KEPT, NOT_PERSONAL

# Names of fields in which people, or words of theirs, stand.
TELLING = ("words", "notes", "email", "actor", "user", "owner", "by", "for_name", "sentence", "reason")


def labels() -> set[str]:
    return {model._meta.label for model in apps.get_models() if not model._meta.label.startswith("tests")}


def test_every_table_is_on_the_page_or_says_nothing_about_people() -> None:
    listed = [label for entry in KEPT for label in entry.tables]
    assert len(listed) == len(set(listed))
    assert set(listed) & set(NOT_PERSONAL) == set()
    assert set(listed) | set(NOT_PERSONAL) == labels(), "config/privacy.py: say what is kept, for whom and how long."


@pytest.mark.parametrize("label", sorted(NOT_PERSONAL))
def test_what_is_left_out_leads_to_nobody(label: str) -> None:
    fields = apps.get_model(label)._meta.concrete_fields
    assert not [field.name for field in fields if field.related_model is get_user_model()]
    assert not [field.name for field in fields if isinstance(field, models.EmailField)]
    free = {field.name for field in fields if isinstance(field, models.CharField | models.TextField)}
    assert not free & set(TELLING), label


@pytest.mark.django_db
def test_the_page_is_a_press_away_from_everywhere(client: Any) -> None:
    here = reverse("privacy-show")
    page = client.get(here).content.decode()
    for entry in KEPT:
        assert f'id="{entry.key}"' in page
    for there in ("/", reverse("account_signup"), reverse("rule-list"), "/nowhere/"):
        assert f'href="{here}"' in client.get(there).content.decode(), there
    assert client.get(reverse("account_signup")).content.decode().count(f'href="{here}"') == 2
