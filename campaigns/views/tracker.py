"""The views of a battle's table: its page, its acts, the small updates that phones poll, and the form of a roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import (
    Role,
    TableRead,
    battle_for,
    known_role,
    table_by_slug,
    table_for,
    table_read,
    table_read_by_slug,
)
from campaigns.models import Battle, Side, Table, TableAct
from campaigns.pages.attack_rows import attack_rows, open_hands
from campaigns.pages.tracker import EmptyTablePage, TablePage, table_page, version_of
from campaigns.pages.tracker_best import best_shots
from campaigns.pages.tracker_board import TYPED, roll_href
from campaigns.pages.tracker_cards import sides_shown
from campaigns.pages.tracker_log import newest_acts
from campaigns.pages.tracker_roll import (
    FACE,
    HERE,
    KEPT,
    TOLD,
    data_of,
    faces_typed,
    kept_faces,
    roll_page,
    sent_faces,
    wrong_faces,
)
from campaigns.pages.tracker_update import changed_deeds, changes_cards, needs_reload, read_since, update_of
from campaigns.services.common import live_sides
from campaigns.services.tracker import (
    MoreDice,
    MoreResults,
    act_at_table,
    begin_table,
    dice_wanted,
    hands_of,
    lay_anew,
    roll_at_table,
    take_in_muster,
    tracker_of,
    undo_at_table,
)
from campaigns.tracker_forms import TableForm
from config.access import login_required, public
from config.bare import NothingNew
from config.htmx import render_page
from config.recent import Newest
from rules.problems import Refusal
from rules.tracker.state import read_state
from warbands.idempotency import new_token
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, tried_form

ROW = "campaigns/parts/table_fighter_update.html"
BLANK_LINES = re.compile(r"\s*\n\s*")  # page and updates are as small as can be
FOR_A_DAY = "private, max-age=86400, immutable"
AWAY = "away"  # asked by a phone that keeps a form for later
UPDATE = "X-Table"  # the header with which a phone asks for an update instead of the page
DRAWN: Newest[tuple[str, str, bool]] = Newest(
    200
)  # rendered pieces, the version they lead to, whether more are waiting


@login_required
@require_http_methods(["GET", "POST"])
def battle_track(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the table of a battle and act on it: markers, activations, fighters out of action, points, deeds, dice, the log."""
    if request.method == "GET" and request.headers.get(UPDATE) and "since" in request.GET:
        return _update(request, pk)
    if request.method != "POST":
        return _show(request, table_for(request.user, pk), None, 200)
    battle = battle_for(request.user, pk, to="play")
    form = TableForm(request.POST)
    try:
        tried = tried_form(request, form, lambda: _act(request, battle, form))
    except RollPending as asking:
        return (_ask_phone if request.headers.get(UPDATE) else _ask_for_dice)(request, battle, asking)
    if request.headers.get(UPDATE):
        return _answer_phone(request, battle, tried, form)
    if not tried.done:
        return _show(request, battle, tried.notice, tried.status)
    if form.pressed[0] in ("roll", "do", "end"):
        messages.success(request, str(tried.result.told))
    if form.pressed[0] == "end":
        return redirect("battle-report", pk)
    return redirect(_onward(request, pk, form, tried.result))


@login_required
@require_safe
def attack_list(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """Show the rows of all attacks of this person's sides, for a phone without a line. An address of other rows is not found."""
    battle = battle_for(request.user, pk, to="play")
    table, sides = Table.objects.filter(battle=battle).first(), live_sides(battle)
    hands = _hands(request, battle, sides, table)
    document = None
    if table is not None:
        document = attack_rows(battle, sides, open_hands(battle, read_state(table.state), hands), digest)
    if document is None:
        raise Http404(_("These attacks are no longer up to date."))
    return HttpResponse(document, content_type="application/json", headers={"Cache-Control": FOR_A_DAY})


@public(reason="The table of a battle, read only, in a campaign that its administrators show to whoever has the link.")
@require_safe
def table_watch(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the table of a battle, and its updates, to spectators."""
    return watched_table(request, read=lambda: table_read_by_slug(slug, pk), fetch=lambda: table_by_slug(slug, pk))


def watched_table(
    request: HttpRequest, *, read: Callable[[], TableRead | None], fetch: Callable[[], Battle], code: str = ""
) -> HttpResponse:
    """Respond to a spectator with the table or what changed. `read` tells its version, `fetch` its battle; both check the link."""
    since = request.GET.get("since") if request.headers.get(UPDATE) else None
    if since is not None and _is_shown(read(), since):
        return NothingNew()
    battle = fetch()
    if since is not None:
        return _pieces(request, battle, since, None, 200, by_link=True, code=code)
    return _show(request, battle, None, 200, by_link=True, code=code)


def _act(request: HttpRequest, battle: Battle, form: TableForm) -> Any:
    once = {"battle": battle, "actor": request.user, "token": form.cleaned_data["token"]}
    kind, *rest = form.pressed
    if kind == "begin":
        return begin_table(**once)
    if kind == "anew":
        return lay_anew(**once)
    if kind == "relay":
        return take_in_muster(**once)
    if kind == "undo":
        return undo_at_table(number=read_number(rest[0] if rest else "") or 0, **once)
    if kind == "do":
        roll, data = form.one_press
        return roll_at_table(roll=roll, data=data, source="app", **once)
    if kind == "roll":
        return _roll(request, form, once)
    return act_at_table(data=form.act_data(), turn=form.shown_turn, **once)


class RollPending(Exception):
    """Raised when a roll waits for dice or for further answers. `more` names the dice, `sent` is the form data if a face is impossible.

    `told` are the results told so far.
    """

    def __init__(
        self,
        roll: str,
        data: dict[str, str],
        more: MoreDice | None = None,
        sent: dict[str, str] | None = None,
        told: tuple[int, ...] = (),
    ) -> None:
        self.roll, self.data, self.more, self.sent, self.told = roll, data, more, sent, told


def _roll(request: HttpRequest, form: TableForm, once: dict[str, Any]) -> Any:
    """Roll, using the typed dice that there are. Raises Refusal, or RollPending if something is missing."""
    roll, source, data = form.cleaned_data["roll"], form.cleaned_data["source"], data_of(request.POST)
    once = once | {"turn": form.shown_turn, "saw": form.cleaned_data["saw"]}
    if source == "look":
        if not Table.objects.filter(battle=once["battle"]).exists():
            raise Refusal(_("Tracking hasn't started."), mend=_("Start tracking first."), code="no-table")
        raise RollPending(roll, data)
    if form.cleaned_data["result"]:
        try:
            return roll_at_table(roll=roll, data=data, source="told", rows=form.rows, **once)
        except MoreResults as missing:
            raise RollPending(roll, data, told=missing.rows) from None
    if source == "device":
        return roll_at_table(roll=roll, data=data, source=source, faces=kept_faces(form.cleaned_data[KEPT]), **once)
    if source != "typed":
        return roll_at_table(roll=roll, data=data, source=source, **once)
    faces, sent = kept_faces(form.cleaned_data[KEPT]), request.POST.dict()
    if TYPED in sent or any(name.startswith(FACE) for name in sent):
        more = dice_wanted(battle=once["battle"], roll=roll, data=data, faces=faces)
        if more is not None and wrong_faces(more.need, sent):
            raise RollPending(roll, data, more, sent)
        faces += sent_faces(more.need, sent) if more is not None else ()
    try:
        return roll_at_table(roll=roll, data=data, source=source, faces=faces, **once)
    except MoreDice as more:
        raise RollPending(roll, data, more) from None


def _ask_phone(request: HttpRequest, battle: Battle, asking: RollPending) -> HttpResponse:
    """Tell a phone which form asks for the rest, within its page: the faces typed before stand in its URL, the impossible ones too."""
    response = _pieces(request, battle, request.GET.get("since", ""), None, 200)
    wrong = {name: face for name, face in (asking.sent or {}).items() if name.startswith(FACE)}
    if asking.sent is not None:  # where no face is chosen at all, the first one is missing
        wrong = {f"{FACE}1": "", **wrong}
    response["X-Table-Then"] = f"{_asking_href(reverse('battle-track', args=[battle.pk]), asking, wrong)}&{HERE}=1"
    return response


def _asking_href(here: str, asking: RollPending, wrong: Mapping[str, str]) -> str:
    """Return the URL of the form that asks for what a roll still waits for."""
    if asking.more is None:
        told = {TOLD: ",".join(map(str, asking.told))} if asking.told else {}
        return roll_href(here, asking.roll, {**asking.data, **told})
    faces = ",".join(str(face) for face in faces_typed(asking.more.draws))
    given = {**asking.data, **({KEPT: faces} if faces else {}), **wrong}
    return roll_href(here, asking.roll, given, typed=True)


def _ask_for_dice(request: HttpRequest, battle: Battle, asking: RollPending) -> HttpResponse:
    """Ask for the next dice on a separate page with a URL. An impossible face is answered without a redirect."""
    here = reverse("battle-track", args=[battle.pk])
    if asking.more is None:
        if request.htmx:  # type: ignore[attr-defined]
            return _show_roll(request, battle, Table.objects.get(battle=battle), None, 200, asking)
        return redirect(_asking_href(here, asking, {}))
    if asking.sent is not None:
        return _show_roll(request, battle, Table.objects.get(battle=battle), None, 422, asking)
    return redirect(_asking_href(here, asking, {}))


def _onward(request: HttpRequest, pk: int, form: TableForm, done: Any) -> str:
    here = reverse("battle-track", args=[pk])
    if then := _then(here, done):
        return then
    fighter = form.fighter if isinstance(done, TableAct) else ""
    if fighter:
        return f"{here}?{urlencode({'open': fighter})}#f{fighter}"
    tab = request.GET.get("tab", "") or request.POST.get("tab", "")
    return f"{here}?{urlencode({'tab': tab})}" if tab else here


def _then(here: str, done: Any) -> str:
    """Return the form of the roll that follows an act at once, such as the next of several attacks; "" if there is none."""
    if not isinstance(done, TableAct) or not done.data.get("then"):
        return ""
    return roll_href(here, done.data["roll"], done.data["then"])


# --- the page ------------------------------------------------------------------------------------------------------------------


def _role(request: HttpRequest, battle: Battle) -> Role:
    """Return the role that was loaded with the battle, or read it."""
    return known_role(request.user, battle)


def _plays(request: HttpRequest, battle: Battle) -> bool:
    role = _role(request, battle)
    return bool(role.sides) or role.runs


def _hands(request: HttpRequest, battle: Battle, sides: list[Side], table: Table | None) -> frozenset[str]:
    if table is None:  # everybody who plays in the battle may set it up
        return frozenset(str(side.pk) for side in sides) if _plays(request, battle) else frozenset()
    return hands_of(request.user, battle, sides, read_state(table.state), _role(request, battle))


def _page(
    request: HttpRequest,
    battle: Battle,
    table: Table | None,
    *,
    by_link: bool = False,
    code: str = "",
    newest: list[TableAct] | None = None,
    with_cards: bool = True,
    sides: list[Side] | None = None,
) -> TablePage | EmptyTablePage:
    sides = live_sides(battle) if sides is None else sides
    hands, own = frozenset[str](), frozenset[str]()
    if not by_link:
        hands = _hands(request, battle, sides, table)
        own = frozenset(str(pk) for pk in _role(request, battle).sides)
    tab, opened, deed_for = _looked_at(request)
    return table_page(
        battle, sides, table, hands, own,
        tab=tab, opened=opened, deed_for=deed_for, by_link=by_link, code=code, newest=newest, reader=request.user.pk, with_cards=with_cards,
    )  # fmt: skip


def _looked_at(request: HttpRequest) -> tuple[str, str, str]:
    """Return what the URL selects: the tab, the fighter, and for whom a deed is written."""
    return request.GET.get("tab", ""), request.GET.get("open", ""), request.GET.get("deed", "")


def _show(
    request: HttpRequest, battle: Battle, notice: Notice | None, status: int, *, by_link: bool = False, code: str = ""
) -> HttpResponse:
    if request.method == "POST":
        battle.refresh_from_db(fields=["status"])
    table = Table.objects.filter(battle=battle).first()
    if "roll" in request.GET and table is not None and not by_link and _plays(request, battle):
        return _show_roll(request, battle, table, notice, status)
    if "best" in request.GET and table is not None and not by_link and _plays(request, battle):
        return _show_best(request, battle, table)
    page = _page(request, battle, table, by_link=by_link, code=code)
    context = {"page": page, "notice": notice, "token": new_token(), "tokens": [new_token() for _ in range(3)]}
    response = render_page(request, "campaigns/table.html", context, status=status)
    response.content = BLANK_LINES.sub("\n", response.content.decode())
    return response


def _show_roll(
    request: HttpRequest,
    battle: Battle,
    table: Table,
    notice: Notice | None,
    status: int,
    asking: RollPending | None = None,
) -> HttpResponse:
    sides = live_sides(battle)
    hands = _hands(request, battle, sides, table)
    asked = request.POST if request.method == "POST" else request.GET
    roll, given = asking.roll if asking else request.GET["roll"], data_of(asked)
    more, sent = (asking.more, asking.sent) if asking else (None, None)
    kept: tuple[int, ...] = ()
    try:
        kept = kept_faces(asked.get(KEPT, ""))
        if TYPED in request.GET and request.method == "GET":
            more = dice_wanted(battle=battle, roll=roll, data=given, faces=kept)
            sent = {name: face for name, face in request.GET.items() if name.startswith(FACE)}
    except Refusal as refusal:
        notice = Notice("problem", refusal.message, refusal.mend)
    try:
        page = roll_page(
            battle,
            tracker_of(battle, sides),
            read_state(table.state),
            hands,
            roll,
            given,
            kept=kept,
            more=more,
            sent=sent,
            answered=request.method == "POST",
            told=_told_rows(asked.get(TOLD, "")),
            away=AWAY in request.GET,
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("battle-track", battle.pk)
    context = {"page": page, "notice": notice, "token": new_token(), "in_place": bool(request.htmx) and HERE in asked}  # type: ignore[attr-defined]
    return render_page(request, "campaigns/table_roll.html", context, partials=["t_roll", "t_bearing"], status=status)


def _show_best(request: HttpRequest, battle: Battle, table: Table) -> HttpResponse:
    """Show the best attacks on one fighter: within its card, or as a page of their own."""
    sides = live_sides(battle)
    hands = _hands(request, battle, sides, table)
    shown = sides_shown(battle, sides, hands)
    try:
        page = best_shots(battle, tracker_of(battle, sides), read_state(table.state), hands, shown, request.GET["best"])
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("battle-track", battle.pk)
    part = "campaigns/parts/table_best.html" if request.htmx else "campaigns/table_best.html"  # type: ignore[attr-defined]
    return render(request, part, {"page": page})


def _told_rows(text: str) -> tuple[int, ...]:
    """Return the results told so far; nothing if they cannot be read."""
    words = text.split(",")
    return tuple(map(int, words)) if all(word.isascii() and word.isdigit() and len(word) < 3 for word in words) else ()


# --- updates -------------------------------------------------------------------------------------------------------------------


def _update(request: HttpRequest, pk: int) -> HttpResponse:
    """Respond with what changed since a version, or with a bare 204 if nothing did: one query, besides those for the person."""
    since = request.GET["since"]
    if _is_shown(table_read(request.user, pk), since):
        return NothingNew()
    return _pieces(request, table_for(request.user, pk), since, None, 200)


def _is_shown(table: TableRead | None, since: str) -> bool:
    """Return whether this is the version that a phone shows."""
    return table is not None and version_of(table.version, table.status) == since


def _answer_phone(request: HttpRequest, battle: Battle, tried: Attempt, form: TableForm) -> HttpResponse:
    """Respond to a phone's act with the changes, and with the reason if the act failed. Ending the battle leads to the report."""
    if tried.done and form.pressed[0] == "end":
        response = HttpResponse()
        response["X-Table-Go"] = reverse("battle-report", args=[battle.pk])
        return response
    status = 200 if tried.done or tried.status == 200 else tried.status
    done = tried.result if tried.done and isinstance(tried.result, TableAct) else None
    response = _pieces(request, battle, request.GET.get("since", ""), tried.notice, status, done=done)
    if then := _then(reverse("battle-track", args=[battle.pk]), tried.result):
        response["X-Table-Then"] = f"{then}&{HERE}=1"
    return response


def _pieces(
    request: HttpRequest,
    battle: Battle,
    since: str,
    notice: Notice | None,
    status: int,
    *,
    by_link: bool = False,
    code: str = "",
    done: TableAct | None = None,
) -> HttpResponse:
    """Respond with the pieces of the page that changed. Each piece is an element that replaces the one with its id.

    They are rendered once for all viewers with the same role at the same table who have the same version. `done` is the act of this very
    request: its table and sides, read under the lock, are not read again.
    """
    table = done.table if done is not None else _table_now(battle)
    if done is not None:  # there are acts at a mustered battle alone
        battle.status = Battle.Status.MUSTERED
    held = read_since(since)
    if table is None:
        return _reload(request, notice, status)
    terms = battle.campaign.terms
    role = None if by_link else _role(request, battle)
    # The bar undoes one's own press.
    reader = request.user.pk if role is not None and (role.sides or role.runs) else None
    key: tuple[Any, ...] = (table.pk, table.begun_at, table.version, battle.status, since, role, *_looked_at(request))
    key += (by_link, code, battle.campaign.dice, terms.pk, terms.version, reader)
    is_shared = notice is None and status == 200
    if is_shared and (known := DRAWN.get(key)) is not None:
        return _drawn(*known)
    newest = newest_acts(table, held[0]) if held is not None else []
    acts = [act for act in reversed(newest) if held is not None and act.number > held[0]]
    closed_since = version_of(table.version, battle.status).endswith("x") != since.endswith("x")
    if held is None or closed_since or needs_reload(acts):
        return _reload(request, notice, status)
    sides = getattr(done, "sides_read", None)
    page = _page(
        request, battle, table, by_link=by_link, code=code, newest=newest, with_cards=changes_cards(acts), sides=sides
    )
    assert isinstance(page, TablePage)
    deeds = changed_deeds(acts, newest)
    html, version = _render_pieces(request, page, acts, held[1], notice, deeds)
    if is_shared:
        DRAWN.keep(key, (html, version, version != page.version))
    return _drawn(html, version, version != page.version, status)


def _table_now(battle: Battle) -> Table | None:
    """Return the table of a battle, and give the battle its status of now. One query."""
    table = Table.objects.filter(battle=battle).annotate(battle_status=F("battle__status")).first()
    if table is not None:
        battle.status = table.battle_status
    return table


def _reload(request: HttpRequest, notice: Notice | None, status: int) -> HttpResponse:
    """Tell a phone to load the whole page, which then shows the notice."""
    if notice is not None:
        messages.error(request, f"{notice.words} {notice.mend}".strip())
    return HttpResponse(status=status, headers={"X-Table-Reload": "1"})


def _render_pieces(
    request: HttpRequest,
    page: TablePage,
    acts: list[TableAct],
    offset: int,
    notice: Notice | None,
    deeds: frozenset[str],
) -> tuple[str, str]:
    touched = {key for act in acts for key in act.touched}
    rows = {row.key: row for pane in page.panes for row in pane.fighters if row.key in touched}
    drawn = {
        key: BLANK_LINES.sub("\n", render_to_string(ROW, {"row": row, "panel": True})) for key, row in rows.items()
    }
    context: dict[str, Any] = {
        "page": page,
        "notice": notice,
        "deeds": [deed for deed in page.deeds if deed.id in deeds],
    }
    beside = BLANK_LINES.sub("\n", render_to_string("campaigns/parts/table_beside.html", context, request))
    sizes = {key: len(text.encode()) for key, text in drawn.items()}
    update = update_of(page, acts, offset, sizes, len(beside.encode()))
    pieces = [drawn[row.key] if panel else render_to_string(ROW, {"row": row}) for row, panel in update.rows]
    context = {"update": update, "rows": pieces, "beside": beside}
    return BLANK_LINES.sub("\n", render_to_string("campaigns/table_update.html", context, request)), update.version


def _drawn(html: str, version: str, more: bool, status: int = 200) -> HttpResponse:
    """Respond with pieces that bring a page to this version; with `more` the phone asks again."""
    headers = {"X-Table-Version": version, **({"X-Table-More": "1"} if more else {})}
    return HttpResponse(html, status=status, headers=headers)
