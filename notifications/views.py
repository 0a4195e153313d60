"""Views of a person's notifications: the list with its choices, adding a device, and stopping e-mails by a link."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from config.access import login_required, public
from config.offline import is_borrowed
from notifications.kinds import kind_of, kinds
from notifications.models import Channel
from notifications.pages import notification_page
from notifications.services import (
    add_device,
    choose,
    read_stop_link,
    remove_device,
    see_all,
    send_test,
    stop_emails,
)
from rules.problems import Refusal


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def notification_list(request: HttpRequest) -> HttpResponse:
    """Show what a person was told, and their choices. A POST keeps the choices, removes a device or sends a test."""
    if request.method == "POST":
        if not _acted(request, request.POST.get("press", "")):
            return _shown(request, 422)
        return redirect("notification-list")
    answer = _shown(request, 200)
    see_all(request.user)  # type: ignore[arg-type]
    return answer


def _shown(request: HttpRequest, status: int) -> HttpResponse:
    context = {"page": notification_page(request.user, shows_all="all" in request.GET), "wrong": status != 200}
    return render(request, "notifications/list.html", context, status=status)


def _acted(request: HttpRequest, press: str) -> bool:
    """Do what was pressed; return whether it could be read."""
    user: Any = request.user
    if press == "test":
        send_test(user)
        messages.success(request, _("A test is on its way."))
    elif press.startswith("remove-") and press[7:].isascii() and press[7:].isdigit() and len(press) < 25:
        remove_device(user, int(press[7:]))
        messages.success(request, _("Device removed."))
    elif press == "save":
        chosen = {kind.key: request.POST.get(f"kind-{kind.key}", "") for kind in kinds()}
        if request.POST.get("pace") not in ("daily", "at-once") or not set(chosen.values()) <= set(Channel.values):
            return False
        choose(user, channels=chosen, at_once=request.POST["pace"] == "at-once")
        messages.success(request, _("Saved."))
    else:
        return False
    return True


@login_required
@never_cache
@require_POST
def device_add(request: HttpRequest) -> HttpResponse:
    """Keep the subscription that the page's script sends. Refusals are told as text, which the page shows."""
    if is_borrowed(request):
        return JsonResponse({"words": _("You said that this computer isn't yours.")}, status=422)
    try:
        sent = json.loads(request.body if request.content_type == "application/json" else b"")
        keys = sent["keys"]
        texts = {
            "endpoint": sent["endpoint"],
            "p256dh": keys["p256dh"],
            "auth": keys["auth"],
            "name": sent.get("name", ""),
        }
        if not all(isinstance(text, str) and "\0" not in text for text in texts.values()):
            raise TypeError
        texts["endpoint"].encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return JsonResponse({"words": _("The browser sent something that can't be read.")}, status=422)
    try:
        add_device(request.user, **texts)  # type: ignore[arg-type]
    except Refusal as refusal:
        return JsonResponse({"words": str(refusal)}, status=422)
    messages.success(request, _("This device is added."))
    return JsonResponse({"words": ""})


@public(reason="Whoever got an e-mail stops the next one with one press, signed in or not; the link is signed.")
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def notification_stop(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the link of an e-mail stops. A POST stops it: also the one that mail programs send by themselves."""
    found = read_stop_link(code)
    if found is None:
        raise Http404(_("This link isn't from this site."))
    user, kind = found
    is_done = request.method == "POST"
    only = kind if is_done and request.POST.get("press") == "kind" else ""
    if is_done:
        stop_emails(user, only)
    context = {
        "is_done": is_done,
        "kind": str(kind_of(kind).label) if kind else "",
        "stopped": str(kind_of(only).label) if only else "",
        "here": request.path,
    }
    response = render(request, "notifications/stop.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response
