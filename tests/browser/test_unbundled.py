"""Static files one by one, as development serves them; all other tests of pages load them bundled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from config.static_files import BUNDLES
from tests.served import BundledStatic

pytestmark = pytest.mark.django_db(transaction=True)

STATIC = Path(settings.BASE_DIR) / "static"


def test_every_script_and_sheet_is_loaded_and_works(
    browser: Any, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BundledStatic, "bundles", ())
    context = browser.new_context(base_url=live_server.url, service_workers="block")  # with nothing in its cache
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/styleguide/")
    toasts = page.locator("#toast [data-toast]")
    before = toasts.count()
    toasts.first.get_by_role("button", name="Close").click()
    expect(toasts).to_have_count(before - 1)
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)")
    scripts = {f"/static/js/{path.name}" for path in (STATIC / "js").glob("*.js")}
    assert set(loaded) >= {*scripts, *(f"/static/{name}" for name in BUNDLES)}
    assert len(loaded) > 70
    context.close()
    assert not complaints, complaints
