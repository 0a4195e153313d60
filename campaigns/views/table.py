"""The table of a battle: its page, its acts, the small updates that phones ask for, and the form of a roll."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from campaigns.access import battle_for, plays_at, sides_played
from campaigns.models import Battle, Side, Table, TableAct
from campaigns.pages.battle import read_sides
from campaigns.pages.table import (
    RollPage,
    TablePage,
    acts_since,
    asks_for_reload,
    data_of,
    faces_of,
    read_since,
    roll_page,
    table_page,
    update_of,
    version_of,
)
from campaigns.services.table import act_at_table, begin_table, hands_of, lay_anew, roll_at_table, undo_at_table
from campaigns.table_form import TableForm
from campaigns.views.acting import tried_form
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from rules.table.tracker import read_state
from warbands.numbers import read_number
from warbands.tokens import new_token
from warbands.views.acting import Attempt, Notice

ROW = "campaigns/parts/table_fighter_update.html"
UPDATE = "X-Table"  # a phone asks for an update, not for the page


@login_required
@require_http_methods(["GET", "POST"])
def battle_track(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the table of a battle: markers, who acted, who is out, points, deeds, dice, the log."""
    if request.method == "GET" and request.headers.get(UPDATE) and "since" in request.GET:
        return _update(request, pk)
    battle = battle_for(request.user, pk, to="play")
    if request.method != "POST":
        return _show(request, battle, None, 200)
    form = TableForm(request.POST)
    tried = tried_form(request, form, lambda: _act(request, battle, form))
    if request.headers.get(UPDATE):
        return _answer_phone(request, battle, tried, form)
    if not tried.done:
        return _show(request, battle, tried.notice, tried.status)
    if form.pressed[0] in ("roll", "end"):
        messages.success(request, str(tried.result.told))
    if form.pressed[0] == "end":
        return redirect("battle-report", pk)
    return redirect(_onward(request, pk, form, tried.result))


def _act(request: HttpRequest, battle: Battle, form: TableForm) -> Any:
    once = {"battle": battle, "actor": request.user, "token": form.cleaned_data["token"]}
    kind, *rest = form.pressed
    if kind == "begin":
        return begin_table(**once)
    if kind == "anew":
        return lay_anew(**once)
    if kind == "undo":
        return undo_at_table(number=read_number(rest[0] if rest else "") or 0, **once)
    if kind == "roll":
        source = form.cleaned_data["source"]
        faces = faces_of(form.cleaned_data["faces"]) if source == "typed" else ()
        return roll_at_table(
            roll=form.cleaned_data["roll"], data=data_of(request.POST.dict()), source=source, faces=faces, **once
        )
    return act_at_table(data=form.act_data(), **once)


def _onward(request: HttpRequest, pk: int, form: TableForm, done: Any) -> str:
    """Back to the same fighter."""
    here = reverse("battle-track", args=[pk])
    fighter = form.fighter if isinstance(done, TableAct) else ""
    if fighter:
        return f"{here}?{urlencode({'open': fighter})}#f{fighter}"
    tab = request.GET.get("tab", "") or request.POST.get("tab", "")
    return f"{here}?{urlencode({'tab': tab})}" if tab else here


# --- the page ------------------------------------------------------------------------------------------------------------------


def _hands(request: HttpRequest, battle: Battle, sides: list[Side], table: Table | None) -> frozenset[str]:
    if table is None:
        return frozenset(str(side.pk) for side in sides)  # whoever is here may lay it
    return hands_of(request.user, battle, sides, read_state(table.state))


def _page(request: HttpRequest, battle: Battle, table: Table | None) -> TablePage:
    sides = read_sides(battle)
    own = frozenset(str(pk) for pk in sides_played(request.user, battle))
    data = request.GET
    return table_page(
        battle, sides, table, _hands(request, battle, sides, table), own,
        tab=data.get("tab", ""), opened=data.get("open", ""), deed_for=data.get("deed", ""),
    )  # fmt: skip


def _show(request: HttpRequest, battle: Battle, notice: Notice | None, status: int) -> HttpResponse:
    if request.method == "POST":
        battle.refresh_from_db()
    table = Table.objects.filter(battle=battle).first()
    if "roll" in request.GET and table is not None:
        return _show_roll(request, battle, table, notice, status)
    page = _page(request, battle, table)
    context = {"page": page, "notice": notice, "token": new_token(), "tokens": [new_token() for _ in range(3)]}
    return render_page(request, "campaigns/table.html", context, status=status)


def _show_roll(request: HttpRequest, battle: Battle, table: Table, notice: Notice | None, status: int) -> HttpResponse:
    sides = read_sides(battle)
    hands = _hands(request, battle, sides, table)
    given = data_of(request.POST.dict() if request.method == "POST" else request.GET.dict())
    try:
        page: RollPage = roll_page(battle, read_state(table.state), hands, request.GET["roll"], given)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("battle-track", battle.pk)
    return render_page(
        request, "campaigns/table_roll.html", {"page": page, "notice": notice, "token": new_token()}, status=status
    )


# --- updates -------------------------------------------------------------------------------------------------------------------


def _update(request: HttpRequest, pk: int) -> HttpResponse:
    """What changed since a version: 204 without a body where nothing did. Three queries then, besides who is signed in."""
    since = request.GET["since"]
    if plays_at(request.user, pk):
        found = Table.objects.filter(battle=pk).values_list("version", "battle__status").first()
        if found is not None and version_of(*found) == since:
            return HttpResponse(status=204)
    battle = battle_for(request.user, pk, to="play")
    return _pieces(request, battle, since, None, 200)


def _answer_phone(request: HttpRequest, battle: Battle, tried: Attempt, form: TableForm) -> HttpResponse:
    """What a phone hears of its act: the changes, or why it was not done, with the changes. The end leads to the report."""
    if tried.done and form.pressed[0] == "end":
        response = HttpResponse()
        response["X-Table-Go"] = reverse("battle-report", args=[battle.pk])
        return response
    battle.refresh_from_db()
    status = 200 if tried.done or tried.status == 200 else tried.status
    return _pieces(request, battle, request.GET.get("since", ""), tried.notice, status)


def _pieces(request: HttpRequest, battle: Battle, since: str, notice: Notice | None, status: int) -> HttpResponse:
    """The pieces of the page that changed, each an element with the id of the one it takes the place of."""
    table = Table.objects.filter(battle=battle).first()
    held = read_since(since)
    now = version_of(table.version, battle.status) if table is not None else ""
    acts = acts_since(table, held[0]) if table is not None and held is not None else []
    closed_since = now.endswith("x") != since.endswith("x")
    if table is None or held is None or closed_since or asks_for_reload(acts):
        response = HttpResponse(status=status)
        response["X-Table-Reload"] = "1"
        if notice is not None:
            messages.error(request, f"{notice.words} {notice.mend}".strip())
        return response
    page = _page(request, battle, table)
    touched = {key for act in acts for key in act.touched}
    rows = {row.key: row for pane in page.panes for row in pane.fighters if row.key in touched}
    drawn = {key: render_to_string(ROW, {"row": row, "panel": True}) for key, row in rows.items()}
    update = update_of(page, acts, held[1], {key: len(text.encode()) for key, text in drawn.items()})
    pieces = [drawn[row.key] if panel else render_to_string(ROW, {"row": row}) for row, panel in update.rows]
    context = {"page": page, "update": update, "rows": pieces, "notice": notice}
    html = render_to_string("campaigns/table_update.html", context, request)
    response = HttpResponse(html, status=status)
    response["X-Table-Version"] = update.version
    return response
