"""Everything about one's warbands is in the file with all of one's data; the administration site only shows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.serializers.json import DjangoJSONEncoder
from django.test import RequestFactory

from accounts.export import exported_data
from rules.transcription import PaperData
from tests import stories as s
from warbands.services.transcription import start_draft

pytestmark = pytest.mark.django_db


def test_ones_warbands_are_in_ones_data(ada: Any, ben: Any) -> None:
    s.small_warband(ada)
    s.found(ben, name="The Choir")
    data = json.loads(json.dumps(exported_data(ada), cls=DjangoJSONEncoder))
    (warband,) = data["warbands"]
    assert warband["record"]["name"] == "The Lantern Wardens"
    assert len(warband["record"]["events"]) == 5
    assert sum(row["ducats"] for row in warband["record"]["ledger"]) == warband["record"]["strongbox"]["ducats"]


def test_a_roster_that_is_being_copied_off_paper_is_in_ones_data(ada: Any, ben: Any) -> None:
    start_draft(owner=ada, system_id="trench-crusade", edition="1.6.3", data=PaperData(name="The Lantern Wardens"))
    (draft,) = json.loads(json.dumps(exported_data(ada), cls=DjangoJSONEncoder))["paper"]
    assert draft["typed"]["name"] == "The Lantern Wardens"
    assert exported_data(ben)["paper"] == []


def test_an_export_takes_as_many_queries_for_many_fighters(ada: Any, django_assert_num_queries: Any) -> None:
    from warbands.services.documents import export_document

    warband = s.small_warband(ada)
    for count in (0, 4):
        for _ in range(count):
            s.hire(warband, "Yeoman")
        now = s.fresh(warband)
        with django_assert_num_queries(8):
            export_document(now)


def test_the_administration_site_writes_nothing(ada: Any) -> None:
    ada.is_superuser = True
    request = RequestFactory().get("/")
    request.user = ada
    models = list(apps.get_app_config("warbands").get_models())
    shown = [model for model in models if admin.site.is_registered(model)]
    assert {"Event", "LedgerEntry", "Warband"} <= {model.__name__ for model in shown}
    for model in shown:
        site = admin.site._registry[model]
        allowed = (
            site.has_add_permission(request),
            site.has_change_permission(request),
            site.has_delete_permission(request),
        )
        assert allowed == (False, False, False)
        for inline in getattr(site, "inlines", ()):
            assert not inline(model, admin.site).has_add_permission(request)
