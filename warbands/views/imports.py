"""Views that import a warband: typed page by page from paper, or pasted as text and settled line by line."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from rules.import_text import KEPT, LEFT_OUT, TextRoster
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from rules.transcription import PaperFighter, paper_data
from warbands.gone import SubjectGone
from warbands.idempotency import new_token
from warbands.import_targets import ImportTarget, place_for
from warbands.labels import labels_of
from warbands.models import PaperDraft, Terms
from warbands.pages.imports import (
    OTHER,
    bring_page,
    games,
    list_options,
    of_fighter,
    paper_page,
    settle_page,
    typed_names,
    with_place,
)
from warbands.pages.other_editions import other_editions, undecided_editions
from warbands.pages.rule_links import names_of
from warbands.services.own_files import own_file
from warbands.services.paper_check import check_draft, terms_of
from warbands.services.transcription import (
    LONGEST,
    bring_from_paper,
    discard_draft,
    keep_answers,
    keep_fighter,
    keep_warband,
    leave_fighter,
    read_by,
    read_draft,
    start_draft,
    start_reading,
    take_if_clear,
    take_text,
)
from warbands.text_import import explanation_of, text_import_of
from warbands.transcription_forms import BringForm, PaperFighterForm, PaperWarbandForm, PasteForm
from warbands.views.acting import Notice, add_success_message, attempt, renewed, told_of
from warbands.views.own_files import bring_own
from warbands.views.roster import warband_address

LONGEST_KEY = 24


def draft_for(user: Any, pk: int) -> tuple[PaperDraft, ImportTarget | None, Terms]:
    """Return a draft, its target and its terms: the user's own, or one for a place that the user may act for.

    Two queries and those of its target. Raises SubjectGone, also for another user's draft.
    """
    draft = (
        PaperDraft.objects.filter(pk=pk)
        .filter(Q(owner=user) | Q(is_shared=True))
        .select_related("owner", "warband", "again__terms")
        .first()
    )
    if draft is not None and draft.owner_id != user.pk and not _acts_for_place(user, draft.place):
        draft = None
    if draft is None or draft.system not in PACKAGES or draft.edition not in system(draft.system).editions():
        raise SubjectGone(_("No such draft. It was finished or discarded."), back=reverse("warband-bring"))
    place = place_for(user, draft.place)
    return draft, place, terms_of(draft, place)


def _acts_for_place(user: Any, place: str) -> bool:
    try:
        return place_for(user, place) is not None
    except (Http404, PermissionDenied):
        return False


def fresh_key() -> str:
    return secrets.token_hex(4)


@login_required
@require_safe
def warband_bring(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("for", "")
    page = bring_page(request.user, place_for(request.user, name), name)
    form = PasteForm(initial={"token": new_token()})
    form.fields["file"].required = True  # here there is nothing else to send
    return render_page(request, "warbands/paper_bring.html", {"page": page, "form": form})


# --- off paper ----------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def paper_begin(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("for", "")
    place = place_for(request.user, name)
    if place is not None and place.terms.game.text_import is None:
        return redirect(with_place(reverse("warband-import"), place, name))
    game, edition = _game(request, place)
    if place is None and request.POST.get("act") == "game":
        return redirect(f"{reverse('paper-begin')}?game={game}/{edition}")
    terms = place.terms if place is not None else Terms(system=game, edition=edition)
    form = PaperWarbandForm(
        request.POST or None, lists=list_options(terms), labels=labels_of(terms), scored=place is not None
    )

    def keep() -> PaperDraft:
        return start_draft(owner=request.user, system_id=game, edition=edition, place=name, data=form.paper())

    kept, notice = _kept(request, form, keep)
    if kept is not None:
        return redirect("paper-fighter", kept.pk, fresh_key())
    return _show_warband(request, form, terms, place, None, notice, name, f"{game}/{edition}")


def _game(request: HttpRequest, place: ImportTarget | None) -> tuple[str, str]:
    if place is not None:
        return place.terms.system, place.terms.edition
    known = [value for value, _ in games()]
    wanted = request.POST.get("game", "") or request.GET.get("game", "")
    game, _, edition = (wanted if wanted in known else known[0]).partition("/")
    return game, edition


def _kept(request: HttpRequest, form: Any, keep: Callable[[], Any]) -> tuple[Any, Notice | None]:
    """Save what was typed: return (the result, None), or (None, the notice that says why it was not saved)."""
    if request.method != "POST":
        return None, None
    if not form.is_valid():
        return None, None
    try:
        return keep(), None
    except Refusal as refusal:
        return None, told_of(refusal, form, request)


@login_required
@require_http_methods(["GET", "POST"])
def paper_warband(request: HttpRequest, pk: int) -> HttpResponse:
    draft, place, terms = draft_for(request.user, pk)
    more = 3 if request.GET.get("rows") else 0
    form = PaperWarbandForm(
        request.POST or None,
        kept=paper_data(draft.data),
        lists=list_options(terms),
        labels=labels_of(terms),
        scored=place is not None,
        more=more,
    )
    kept, notice = _kept(request, form, lambda: keep_warband(draft=draft, data=form.paper()))
    if kept is not None:
        act = request.POST.get("act", "")
        if act == "rows":
            return redirect(reverse("paper-warband", args=[pk]) + "?rows=more#more")
        return redirect("paper-fighter", pk, fresh_key()) if act == "next" else redirect("paper-show", pk)
    return _show_warband(request, form, terms, place, draft, notice)


def _show_warband(
    request: HttpRequest,
    form: PaperWarbandForm,
    terms: Terms,
    place: ImportTarget | None,
    draft: PaperDraft | None,
    notice: Notice | None,
    name: str = "",
    game: str = "",
) -> HttpResponse:
    chosen = form["list_id"].value() or ""
    context: dict[str, Any] = {
        "form": form,
        "notice": notice,
        "names": typed_names(text_import_of(terms.game).paper_book(terms.content, str(chosen))),
        "draft": draft,
        "games": games() if draft is None and place is None else (),
        "game": game,
        "place": place,
        "back_href": with_place(reverse("warband-bring"), place, name),
    }
    if draft is not None:
        context["page"] = paper_page(draft, check_draft(draft, terms), terms, place, fresh=fresh_key())
    return render_page(request, "warbands/paper_warband.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "POST"])
def paper_fighter(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    draft, place, terms = draft_for(request.user, pk)
    if len(key) > LONGEST_KEY:
        raise Http404(_("No such fighter."))
    data = paper_data(draft.data)
    fighter = next((f for f in data.fighters if f.key == key), None)
    if request.method == "POST" and request.POST.get("act") == "remove":
        leave_fighter(draft=draft, key=key)
        return redirect("paper-show", pk)
    shown = fighter or _alike(data.fighters, request.GET.get("like", ""))
    form = PaperFighterForm(request.POST or None, fighter=shown, more=3 if request.GET.get("rows") else 0)
    kept, notice = _kept(request, form, lambda: keep_fighter(draft=draft, fighter=form.fighter(key)))
    if kept is not None:
        return _onward(request, kept, terms, key)
    check = check_draft(draft, terms)
    page = paper_page(
        draft,
        check,
        terms,
        place,
        fresh=fresh_key(),
        book=text_import_of(terms.game).paper_book(terms.content, data.list_id),
    )
    unread = of_fighter(check.reading.unread, key) if fighter is not None else ()
    number = next((n for n, f in enumerate(data.fighters, 1) if f.key == key), len(data.fighters) + 1)
    context = {
        "page": page,
        "form": form,
        "notice": notice,
        "unread": unread,
        "told": "|".join(problem.item for problem in unread)[:400],
        "number": number,
        "heading": f"{capfirst(page.labels['fighter'])} {number}",
        "known": fighter is not None,
        "here": reverse("paper-fighter", args=[pk, key]),
    }
    return render_page(request, "warbands/paper_fighter.html", context, status=422 if form.is_bound else 200)


def _alike(fighters: list[PaperFighter], key: str) -> PaperFighter | None:
    like = next((f for f in fighters if f.key == key), None)
    return PaperFighter("", profile=like.profile, kit=list(like.kit)) if like is not None else None


def _onward(request: HttpRequest, draft: PaperDraft, terms: Terms, key: str) -> HttpResponse:
    """Redirect after a fighter is saved: to the next page, or back if a name on it is unknown and the user was not warned yet."""
    pk, act = draft.pk, request.POST.get("act", "next")
    unread = of_fighter(check_draft(draft, terms).reading.unread, key)
    told = "|".join(problem.item for problem in unread)[:400]
    if act == "rows":
        return redirect(reverse("paper-fighter", args=[pk, key]) + "?rows=more#kit")
    if unread and request.POST.get("told", "") != told:
        return redirect("paper-fighter", pk, key)
    if act == "done":
        return redirect("paper-show", pk)
    onward = reverse("paper-fighter", args=[pk, fresh_key()])
    return redirect(f"{onward}?like={key}" if act == "alike" else onward)


@login_required
@require_http_methods(["GET", "POST"])
def paper_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the whole draft with what the rules say about it. One act imports it, another discards it."""
    try:
        draft, place, terms = draft_for(request.user, pk)
    except SubjectGone:
        if request.method != "POST" or request.POST.get("act") != "discard":
            raise
        messages.info(request, _("This draft was discarded already."))  # second click; tells nothing of others' drafts
        return redirect("warband-bring")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = paper_page(draft, check_draft(draft, terms), terms, place, fresh=fresh_key())
        others = undecided_editions(draft, terms, place) if not page.done_href else ()
        context = {"page": page, "notice": notice, "form": BringForm(initial={"token": new_token()}), "others": others}
        return render_page(request, "warbands/paper.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if request.POST.get("act") == "discard":
        if draft.owner_id != request.user.pk:
            return show(Notice("problem", _("An administrator brought this file. Only they can discard it.")), 422)
        discard_draft(draft=draft)
        messages.success(request, _("Draft of {draft} discarded.").format(draft=draft.name))
        return redirect(with_place(reverse("warband-bring"), place, draft.place))
    form = BringForm(request.POST)

    def bring() -> Any:
        return bring_from_paper(
            draft=draft,
            actor=request.user,
            place=place,
            leave_out=form.cleaned_data["leave_out"],
            token=form.cleaned_data["token"],
        )

    tried = attempt(request, form, bring)
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event)
    return redirect(warband_address(tried.result.pk))


# --- from a pasted text ----------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def paper_text(request: HttpRequest) -> HttpResponse:
    """Accept a pasted text. The next page shows each line beside its interpretation."""
    name = request.GET.get("for", "")
    place = place_for(request.user, name)
    if place is not None and place.terms.game.text_import is None and request.method != "POST":
        return redirect(with_place(reverse("warband-import"), place, name))
    game, edition = _game(request, place)
    terms = place.terms if place is not None else Terms(system=game, edition=edition)
    form = PasteForm(
        request.POST or None,
        request.FILES or None,
        games=games() if place is None else (),
        initial={"game": f"{game}/{edition}", "token": new_token()},
    )
    if request.method == "POST" and form.is_valid() and (own := own_file(form.cleaned_data["data"])) is not None:
        tried, onward = bring_own(request, own, place, form)
        return onward or _show_paste(request, form, tried.notice, place, terms, name)

    def keep() -> PaperDraft:
        with transaction.atomic():
            sent = form.cleaned_data
            return start_reading(
                owner=request.user,
                data=sent["data"],
                name=str(sent.get("name") or ""),
                terms=terms,
                place=place,
                place_name=name,
            )

    kept, notice = _kept(request, form, keep)
    if kept is not None:
        return _after_reading(kept, place)
    return _show_paste(request, form, notice, place, terms, name)


def _show_paste(
    request: HttpRequest,
    form: PasteForm,
    notice: Notice | None,
    place: ImportTarget | None,
    terms: Terms,
    name: str,
) -> HttpResponse:
    context = {
        "form": renewed(form) if form.is_bound else form,
        "notice": notice,
        "place": place,
        "explained": explanation_of(terms.game),
        "back_href": with_place(reverse("warband-bring"), place, name),
    }
    return render_page(request, "warbands/paper_text.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "POST"])
def paper_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show each pasted line beside its interpretation, let the user settle unknown phrases, and turn the text into fighters."""
    draft, place, terms = draft_for(request.user, pk)
    if not draft.text and not draft.original:
        return redirect("paper-show", pk)
    if request.method != "POST":
        return _show_settle(request, draft, place, terms, read_draft(draft, terms))
    if request.POST.getlist("edition") or request.POST.get("act") == "reread":
        return _reread(request, draft, place, terms)
    answers, others = _answers(request)
    if request.POST.get("act") == "custom":
        answers = {key: answer or KEPT for key, answer in answers.items()}
    list_id = request.POST.get("list_id", "")
    if list_id not in {choice.id for choice in terms.game.founding.lists(terms.content)}:
        list_id = ""
    draft = keep_answers(draft=draft, answers={**draft.answers, **answers}, list_id=list_id)
    roster = read_draft(draft, terms)
    if roster.reading.open() or not roster.list_id or request.POST.get("act") == "keep":
        tried = request.POST.get("act") != "keep"
        return _show_settle(request, draft, place, terms, roster, others=others, tried=tried)
    try:
        data = text_import_of(terms.game).paper_of(terms.content, roster)
        take_text(draft=draft, data=data)
    except Refusal as refusal:
        return _show_settle(
            request, draft, place, terms, roster, tried=True, notice=Notice("problem", refusal.message, refusal.mend)
        )
    if draft.again_id is not None:
        return redirect("warband-again-compare", draft.again_id, pk)
    return redirect("paper-show", pk)


def _reread(request: HttpRequest, draft: PaperDraft, place: ImportTarget | None, terms: Terms) -> HttpResponse:
    """Read the text by the edition or as the list that the person names. The edition of a campaign or a roster stays."""
    edition = request.POST.get("edition", "")
    if place is not None or draft.again_id is not None or edition not in terms.game.editions():
        edition = draft.edition
    list_id = request.POST.get("list_id", "")
    known = {choice.id for choice in terms.game.founding.lists(terms.content)}
    is_kept = edition == draft.edition and list_id in known
    draft = read_by(draft=draft, edition=edition, list_id=list_id if is_kept else "")
    if request.POST.get("act") == "reread":
        return redirect("paper-settle", draft.pk)
    return _after_reading(draft, place)


def _after_reading(draft: PaperDraft, place: ImportTarget | None) -> HttpResponse:
    """Go to the lines, or, where nothing in a file is open or differs, straight to the fighters."""
    terms = terms_of(draft, place)
    roster = read_draft(draft, terms)
    if draft.format == "text" or roster.remarks or not take_if_clear(draft, terms, roster):
        return redirect("paper-settle", draft.pk)
    return redirect("paper-show", draft.pk)


def _answers(request: HttpRequest) -> tuple[dict[str, str], dict[str, str]]:
    """Return the answers by phrase, and the other names typed by phrase. An answer is one of the guesses, "left out" or "kept"."""
    answers: dict[str, str] = {}
    others: dict[str, str] = {}
    for name in request.POST:
        if not name.startswith("a_"):
            continue
        key, value = name[2:], request.POST.get(name, "")
        typed = request.POST.get(f"o_{key}", "")
        other = "".join(character for character in typed if character.isprintable()).strip()[:LONGEST]
        if other:
            others[key] = other
        answers[key] = other if value == OTHER else value if value in (LEFT_OUT, KEPT) or ":" in value else ""
    return answers, others


def _show_settle(
    request: HttpRequest,
    draft: PaperDraft,
    place: ImportTarget | None,
    terms: Terms,
    roster: TextRoster,
    *,
    others: dict[str, str] | None = None,
    tried: bool = False,
    notice: Notice | None = None,
) -> HttpResponse:
    book = text_import_of(terms.game).paper_book(terms.content, roster.list_id)
    words = names_of(terms).list_words(roster.list_id) if roster.list_id else ""
    page = settle_page(draft, roster, book, place, others=others or {}, tried=tried, list_words=words)
    if tried and notice is None:
        count = page.waiting + (not page.list_id)
        notice = Notice(
            "problem",
            ngettext("{count} question to answer.", "{count} questions to answer.", count).format(count=count),
        )
    context = {
        "page": page,
        "notice": notice,
        "lists": list_options(terms),
        "left_out": LEFT_OUT,
        "kept": KEPT,
        "other": OTHER,
        "others": other_editions(draft, roster, terms, place),
        "editions": []
        if place is not None or draft.again_id is not None
        else [(each, f"{terms.game.name} {each}") for each in terms.game.editions()],
        "edition": draft.edition,
    }
    return render_page(request, "warbands/paper_settle.html", context, status=422 if tried else 200)
