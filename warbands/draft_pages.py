"""Middleware that serves a roster's pages inside a draft: the same views, on the roster as the draft would have it.

`/drafts/7/warbands/3/hire/` is answered as `/warbands/3/hire/`, while draft 7 runs. What the view writes becomes a
change of the draft. Then everything is rolled back, and the change is stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django_htmx.http import HttpResponseClientRedirect

from config.errors import page_not_found
from warbands.access import draft_for
from warbands.draft_acts import read_acts
from warbands.draft_context import lives_in_drafts, match_of, mount_of
from warbands.drafting import trying
from warbands.gone import SubjectGone
from warbands.guard import explain
from warbands.models import RosterDraft
from warbands.services.drafts import keep_acts

_MOUNTED = re.compile(r"/drafts/(\d{1,18})(/(?:warbands|fighters|items)/.+)", re.ASCII)
_ADDRESSES = ("Location", "HX-Redirect", "HX-Push-Url", "HX-Replace-Url")
BAND = "components/draft_band.html"


class Drafts:
    """Middleware of drafts. It stands last, so that it runs around the view alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        found = _MOUNTED.fullmatch(request.path_info)
        if found is None:
            return self.get_response(request)
        match = match_of(found[2])
        if match is None or not lives_in_drafts(match):
            return _outside(request, found[2])
        request.path_info = found[2]
        if not request.user.is_authenticated:
            return self.get_response(request)  # it asks to sign in, and leads back here
        try:
            return self._inside(request, found[1])
        except SubjectGone as gone:
            return explain(request, gone)

    def _inside(self, request: Any, pk: str) -> HttpResponse:
        with transaction.atomic():
            draft = draft_for(request.user, pk, locked=request.method == "POST")
            if _pressed_before(request, draft):
                return _done_before(request, draft)
            with trying(draft, request.user, only_to_show=request.method != "POST") as run:
                request.draft_run = run
                response = self.get_response(request)
            keep_acts(run)
        _mount_addresses(response, mount_of(draft.pk))
        if run.added:
            draft.refresh_from_db()
        _add_band(request, response)
        return response


def _pressed_before(request: HttpRequest, draft: RosterDraft) -> bool:
    token = request.POST.get("token", "") if request.method == "POST" else ""
    return bool(token) and any(act.token == token for act in read_acts(draft.acts))


def _done_before(request: Any, draft: RosterDraft) -> HttpResponse:
    messages.info(request, gettext("This was done already."))
    back = mount_of(draft.pk) + reverse("warband-show", args=[draft.warband_id])
    if request.htmx:
        return HttpResponseClientRedirect(request.htmx.current_url_abs_path or back)
    return redirect(back)


def _outside(request: HttpRequest, address: str) -> HttpResponse:
    """Lead out of the draft to a page that it does not have; an act there is not found."""
    if request.method in ("GET", "HEAD"):
        query = request.META.get("QUERY_STRING", "")
        return redirect(f"{address}?{query}" if query else address)
    return page_not_found(request, Exception())


def _mount_addresses(response: HttpResponse, mount: str) -> None:
    for name in _ADDRESSES:
        address = response.headers.get(name, "")
        match = match_of(address) if address.startswith("/") else None
        if match is not None and lives_in_drafts(match):
            response.headers[name] = mount + address


def _add_band(request: Any, response: HttpResponse) -> None:
    """Bring the band up to date on a page that htmx changes in part."""
    is_part = request.method == "POST" and request.htmx and response.status_code in (200, 422) and request.htmx.target
    if is_part and b"</html>" not in response.content[-200:]:
        response.write(render_to_string(BAND, {"oob": True}, request))
