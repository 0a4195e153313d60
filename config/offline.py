"""Offline use: the service worker, the web manifest, and the page that is shown when nothing else is available.

Each response also says for whom it may be stored, and a browser stores nothing if the person said that the computer is
not theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.access import public
from config.static_files import HashedStatic, bundled_parts

# --- responses ----------------------------------------------------------------------------------------------------------

BORROWED = "borrowed"  # session key: this is not the person's own computer
READER, KEEP = "X-Reader", "X-Keep"
READER_COOKIE = "reader"  # tells the worker who is signed in; it sees neither sessions nor late responses
NOBODY = "none"

# Pages that people open during a game. Pages with secret links or password fields are not included.
KEPT = frozenset(
    {
        "desk-show",
        "warband-list",
        "warband-show",
        "fighter-hire",
        "stash-show",
        "ledger-list",
        "history-show",
        "roster-print",
        "fighter-show",
        "kit-buy",
        "upgrade-buy",
        "campaign-list",
        "campaign-show",
        "round-show",
        "house-rule-list",
        "battle-show",
        "force-select",
        "battle-track",
        "battle-report",
        "report-confirm",
        "post-battle-show",
        "post-battle-resolve",
        "capture-settle",
        "rule-list",
        "rule-show",
    }
)
BESIDE = frozenset({"attack-list"})  # data that is kept with a page, and goes with it
SIGNS_OUT = frozenset({"account_logout", "account-delete"})
EVERYTHING = '"cache", "storage"'


def is_borrowed(request: HttpRequest) -> bool:
    """Return whether this session is on a computer that is not the person's own. Reads the session only if there is one."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and bool(request.session.get(BORROWED))


class OnDevice:
    """Middleware that marks each page with its reader and whether a device may store it.

    A borrowed computer stores nothing, and signing out clears what is stored.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code < 500:  # an error page must not need the database
            _mark(request, response)
        return response


def _mark(request: HttpRequest, response: HttpResponse) -> None:
    name = request.resolver_match.view_name if request.resolver_match else ""
    borrowed = is_borrowed(request)
    signed_in = request.user.is_authenticated
    if borrowed:
        response["Cache-Control"] = "no-store"
    elif "Cache-Control" not in response and signed_in:
        # The back button shows the page as it was; all else is revalidated, and no proxy serves it to other people.
        response["Cache-Control"] = "private, no-cache"
    if name in SIGNS_OUT and response.status_code == 302 and not signed_in:
        response["Clear-Site-Data"] = EVERYTHING
    _tell_worker(request, response, borrowed=borrowed)
    if (_is_page(response) or name in BESIDE) and not request.headers.get("HX-Request"):
        _name_reader(request, response, keeps=name in KEPT | BESIDE, reads=signed_in and not borrowed)


def _is_page(response: HttpResponse) -> bool:
    return str(response.get("Content-Type", "")).startswith("text/html")


def _name_reader(request: HttpRequest, response: HttpResponse, *, keeps: bool, reads: bool) -> None:
    response[READER] = str(request.user.pk) if reads else NOBODY
    if reads and keeps and request.method == "GET" and response.status_code == 200:
        response[KEEP] = "yes"


def _tell_worker(request: HttpRequest, response: HttpResponse, *, borrowed: bool) -> None:
    """Set the worker's cookie to the person who is signed in, for as long as the session. On pages and redirects."""
    if response.status_code != 302 and not _is_page(response):
        return
    told = request.COOKIES.get(READER_COOKIE, "")
    if request.user.is_authenticated and not borrowed:
        if told != str(request.user.pk):
            begins = request.session.modified and not request.session.get_expire_at_browser_close()
            response.set_cookie(
                READER_COOKIE,
                str(request.user.pk),
                max_age=request.session.get_expiry_age() if begins else None,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
            )
    elif told:
        response.delete_cookie(READER_COOKIE, samesite="Lax")


# --- the worker -----------------------------------------------------------------------------------------------------------

STATIC_FILES = Path(settings.BASE_DIR) / "static"
WORKER_PARTS = (
    "worker/shell.js",
    "worker/readers.js",
    "worker/pages.js",
    "worker/beside.js",
    "worker/push.js",
    "worker/main.js",
)
# Files that every page uses. Fonts beyond Western Europe and pictures are cached when a page first requests them.
SHELL = ("css/*.css", "css/components/*.css", "js/*.js", "vendor/*.js", "fonts/*-latin-[0-9]*.woff2", "img/*.svg")
NOT_ON_PAGES = frozenset({"css/styleguide.css", "css/print.css"})


def shell() -> list[str]:
    """Return the URLs of all static files that pages use; if they are bundled, only those of the bundles."""
    names = sorted(path.relative_to(STATIC_FILES).as_posix() for glob in SHELL for path in STATIC_FILES.glob(glob))
    left_out = set(NOT_ON_PAGES)
    if isinstance(staticfiles_storage, HashedStatic):
        bundled = bundled_parts(lambda name: (STATIC_FILES / name).read_text(encoding="utf-8"))
        left_out |= {part for parts in bundled.values() for part in parts}
    return [static(name) for name in names if name not in left_out]


@public(reason="It is a script, the same for everybody; a worker must be fetched without a person.")
@require_safe
def worker_show(request: HttpRequest) -> HttpResponse:
    """Show the service worker, at the root so that it covers every page.

    Its parts are static files; this adds the data that they need.
    """
    offline = reverse("offline-show")
    facts = {
        "offline": offline,
        "static": staticfiles_storage.base_url,
        "reader": READER_COOKIE,
        "icon": static("img/app-192.png"),
        "shell": [offline, *shell()],
        "version": hashlib.sha256(render_to_string("offline.html").encode()).hexdigest()[:12],
    }
    parts = ", ".join(json.dumps(static(part)) for part in WORKER_PARTS)
    script = f"self.facts = {json.dumps(facts)};\nimportScripts({parts});\n"
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@public(reason="It is what a device shows without network, and names nobody.")
@require_safe
def offline_show(request: HttpRequest) -> HttpResponse:
    """Show the page for URLs never opened on this device: a list of those that were, which the device fills in."""
    return render(request, "offline.html")


# --- the installed app ----------------------------------------------------------------------------------------------------

PAPER_DARK = "#161410"


@public(reason="It is the name and the icons of the app.")
@require_safe
def manifest_show(request: HttpRequest) -> HttpResponse:
    icons = [
        {"src": static(f"img/app-{kind}{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for kind, purpose in (("", "any"), ("maskable-", "maskable"))
        for size in (192, 512)
    ]
    return JsonResponse(
        {
            "id": "/",
            "name": "Muster Roll",
            "short_name": "Muster Roll",
            "description": gettext("Build your warband. Run the campaign. Print the roster."),
            "lang": "en",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER_DARK,
            "theme_color": PAPER_DARK,
            "icons": icons,
            "shortcuts": [
                {"name": name, "url": reverse(place)}
                for name, place in (
                    (gettext("Warbands"), "warband-list"),
                    (gettext("Campaigns"), "campaign-list"),
                    (gettext("Rules"), "rule-list"),
                )
            ],
        },
        content_type="application/manifest+json",
    )
