"""Views of the library of profiles that players write: browse, write, copy, share, archive and export them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import HiddenPage
from accounts.site_owner import hidden_words
from config.access import login_required
from config.htmx import render_page
from rules.custom.exchange import write_profiles
from rules.custom.parse import blank
from rules.custom.profiles import CustomProfile, ProfileKind, ProfileProblem
from warbands.access import profile_for, profile_right, profiles_of
from warbands.adapters import written_profile
from warbands.forms import ActForm
from warbands.founding_forms import AwayForm, ShareProfileForm
from warbands.idempotency import new_token
from warbands.models import Profile
from warbands.pages.library import OWN, Shelf, fill_of, form_page, library_page, reading_page, shelf_of
from warbands.pages.profile_form import sent_data, with_row, without_row
from warbands.recording import event_of_token
from warbands.services.library import (
    bring_back_profile,
    change_profile,
    copy_profile,
    put_away_profile,
    read_written,
    share_profile,
    take_defaults,
    unshare_profile,
    write_profile,
)
from warbands.views.acting import Attempt, Notice, add_success_message, attempt
from warbands.views.fetch import whole_number

# --- the list -----------------------------------------------------------------------------------------------------------


@login_required
@require_safe
def profile_list(request: HttpRequest) -> HttpResponse:
    return _list(request)


def _list(request: HttpRequest, game: str = "", notice: Notice | None = None, status: int = 200) -> HttpResponse:
    page = library_page(
        request.user,
        game=game or request.GET.get("game", ""),
        whose=request.GET.get("whose", OWN),
        kind=request.GET.get("kind", ""),
        find=" ".join(request.GET.get("find", "")[:60].split()),
        page=whole_number(request, "page"),
    )
    if page is None:
        raise Http404(_("No game here has profiles to write."))
    context = {"page": page, "notice": notice, "token": new_token()}
    return render_page(request, "library/profile_list.html", context, partials=["profile_list"], status=status)


@login_required
@require_POST
def profile_take(request: HttpRequest, game: str) -> HttpResponse:
    shelf = _shelf(game)
    form = ActForm(request.POST)
    idents = request.POST.getlist("profile")
    if request.POST.get("act") == "all":
        kind = request.POST.get("kind", "")
        idents = [one.id for one in shelf.profiles.default_profiles(shelf.content) if not kind or one.kind == kind]

    def do() -> Any:
        return take_defaults(
            owner=request.user, actor=request.user, system_id=game, idents=idents, token=form.cleaned_data["token"]
        )

    tried = attempt(request, form, do)
    if not tried.done:
        return _list(request, game, tried.notice, tried.status)
    add_success_message(request, tried.event)
    return redirect(f"{reverse('profile-list')}?game={game}")


# --- one profile --------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def profile_new(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    shelf = _shelf(game)
    found = shelf.kind(kind)
    if found is None:
        raise Http404(_("No such kind of profile."))
    if request.method != "POST":
        return _form(request, shelf, found, name="", data=blank(found.fields))

    def keep(name: str, data: dict[str, Any], form: ActForm) -> Profile:
        return write_profile(
            owner=request.user,
            actor=request.user,
            system_id=shelf.game.id,
            edition=shelf.edition,
            kind=found.id,
            name=name,
            data=data,
            token=form.cleaned_data["token"],
        )

    return _sent(request, shelf, found, keep)


@login_required
@require_http_methods(["GET", "POST"])
def profile_write(request: HttpRequest, pk: int) -> HttpResponse:
    profile = profile_for(request.user, pk, to="edit" if request.method == "POST" else "read")
    return _write(request, profile)


def _write(request: HttpRequest, profile: Profile) -> HttpResponse:
    shelf, kind = _place_of(profile)
    if request.method != "POST":
        return _show(request, profile)

    def keep(name: str, data: dict[str, Any], form: ActForm) -> Profile:
        return change_profile(profile=profile, actor=request.user, name=name, data=data, **form.once)

    return _sent(request, shelf, kind, keep, profile)


def _sent(
    request: HttpRequest,
    shelf: Shelf,
    kind: ProfileKind,
    keep: Callable[[str, dict[str, Any], ActForm], Profile],
    profile: Profile | None = None,
) -> HttpResponse:
    """Answer the form of a profile: add or remove a row, redraw the card of what is typed, or save the profile."""
    name, data = request.POST.get("name", ""), sent_data(kind.fields, request.POST)
    act, __, what = request.POST.get("act", "save").partition(":")
    if act != "save":
        fresh = _rows(request, shelf, kind, data, act, what)
        return _form(request, shelf, kind, profile=profile, name=name, data=data, fresh=fresh)
    __, problems = read_written(shelf.game.id, shelf.edition, kind.id, name, data)
    form = ActForm(request.POST)
    if problems and form.is_valid() and event_of_token(form.cleaned_data["token"]) is None:
        return _form(request, shelf, kind, profile=profile, name=name, data=data, problems=problems, status=422)
    tried = attempt(request, form, lambda: keep(name, data, form))
    if tried.done:
        add_success_message(request, tried.event)
        return redirect("profile-write", tried.result.pk)
    if (done := _done_by(form)) is not None:
        messages.info(request, tried.notice.words if tried.notice else _("This was done already."))
        return redirect("profile-write", done.pk)
    fresh_row = Profile.objects.live().select_related("owner").filter(pk=profile.pk).first() if profile else None
    return _form(
        request,
        shelf,
        kind,
        profile=fresh_row or profile,
        name=name,
        data=data,
        notice=tried.notice,
        status=tried.status,
    )


def _done_by(form: ActForm) -> Profile | None:
    """Return the profile of a form that was submitted before; None if it was not."""
    event = event_of_token(form.cleaned_data.get("token")) if form.is_valid() else None
    return next(iter(profiles_of(event)), None) if event else None


def _rows(request: HttpRequest, shelf: Shelf, kind: ProfileKind, data: dict[str, Any], act: str, what: str) -> str:
    """Run a button inside the form: add a row, fill one from the library, or remove one. Return the path of a new row, else ""."""
    added = False
    if act == "add":
        added = with_row(kind, data, what)
    elif act == "remove":
        without_row(kind, data, what)
    elif act == "fill" and (source := _fill_source(request, shelf, kind, what)) is not None:
        if what:
            added = with_row(kind, data, what, source)
        else:
            data.update({key: value for key, value in source.data.items() if key in data})
    return f"{what}.{len(data[what]) - 1}" if added else ""


def _fill_source(request: HttpRequest, shelf: Shelf, kind: ProfileKind, what: str) -> CustomProfile | None:
    """Return the library profile chosen to be copied into a field, or into the profile itself (`what` is "")."""
    of = next((of for of, field in kind.fills if field == what), "")
    wanted = request.POST.get(f"from.{what}", "")
    return next((one for one in fill_of(request.user, shelf, kind).get(of, ()) if one.id == wanted), None)


def _form(
    request: HttpRequest,
    shelf: Shelf,
    kind: ProfileKind,
    *,
    profile: Profile | None = None,
    name: str,
    data: dict[str, Any],
    problems: tuple[ProfileProblem, ...] = (),
    notice: Notice | None = None,
    fresh: str = "",
    status: int = 200,
) -> HttpResponse:
    owns = profile is None or profile_right(request.user, profile) == "own"
    page = form_page(
        request.user, shelf, kind, profile=profile, name=name, data=data, problems=problems, owns=owns, fresh=fresh
    )
    context = {"page": page, "notice": notice, "token": new_token(), "tokens": [new_token() for _ in range(3)]}
    if profile is not None and profile.terms_id is not None:
        context["hidden_words"] = hidden_words(HiddenPage.Kind.PROFILE, profile.pk)
    shown = request.POST.get("act") == "show"
    return render_page(
        request,
        "library/profile_form.html",
        context,
        partials=["profile_fields", "profile_card"],
        oob=[] if shown else ["library/parts/beside.html"],  # the card shows added and removed rows too
        status=status,
    )


def _show(request: HttpRequest, profile: Profile, notice: Notice | None = None, status: int = 200) -> HttpResponse:
    """Show a profile to this user: its form, or its card."""
    shelf, kind = _place_of(profile)
    right = profile_right(request.user, profile)
    if right in ("edit", "own"):
        data, _ = shelf.profiles.read_profile(shelf.content, kind.id, profile.data)
        return _form(
            request, shelf, kind, profile=profile, name=profile.name, data=dict(data), notice=notice, status=status
        )
    page = reading_page(request.user, shelf, written_profile(profile, reader=request.user.pk), profile)
    return _card(request, page, notice, status)


def _card(request: HttpRequest, page: Any, notice: Notice | None, status: int) -> HttpResponse:
    return render_page(
        request, "library/profile.html", {"page": page, "notice": notice, "token": new_token()}, status=status
    )


@login_required
@require_POST
def profile_copy(request: HttpRequest, pk: int) -> HttpResponse:
    profile = profile_for(request.user, pk)
    form = ActForm(request.POST)

    def do() -> Any:
        return copy_profile(
            source=profile,
            owner=request.user,
            actor=request.user,
            system_id=profile.system,
            edition=profile.edition,
            token=form.cleaned_data["token"],
        )

    return _onward(
        request, form, attempt(request, form, do), lambda notice, status: _show(request, profile, notice, status)
    )


@login_required
@require_http_methods(["GET", "POST"])
def profile_default(request: HttpRequest, game: str, ident: str) -> HttpResponse:
    shelf = _shelf(game)
    found = next((one for one in shelf.profiles.default_profiles(shelf.content) if one.id == ident), None)
    if found is None:
        raise Http404(_("The game has no such profile."))
    page = reading_page(request.user, shelf, found)
    if request.method != "POST":
        return _card(request, page, None, 200)
    form = ActForm(request.POST)

    def do() -> Any:
        return copy_profile(
            source=found,
            owner=request.user,
            actor=request.user,
            system_id=shelf.game.id,
            edition=shelf.edition,
            token=form.cleaned_data["token"],
        )

    return _onward(
        request, form, attempt(request, form, do), lambda notice, status: _card(request, page, notice, status)
    )


@login_required
@require_POST
def profile_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Share a profile in a campaign, or stop sharing it.

    Only the owner may share it; the people who run the campaign may also stop sharing it.
    """
    way = request.POST.get("way", "")
    profile = profile_for(request.user, pk, to="edit" if way == "unshare" else "own")
    form = ShareProfileForm(request.POST)

    def do() -> Any:
        token = form.cleaned_data["token"]
        if form.cleaned_data["way"] == "unshare":
            return unshare_profile(profile=profile, actor=request.user, token=token)
        return share_profile(profile=profile, terms=form.cleaned_data["terms"] or 0, actor=request.user, token=token)

    tried = attempt(request, form, do)
    if tried.done and profile_right(request.user, tried.result) is None:
        add_success_message(request, tried.event)
        return redirect("profile-list")
    return _onward(request, form, tried, lambda notice, status: _show(request, _again(profile), notice, status))


@login_required
@require_POST
def profile_away(request: HttpRequest, pk: int) -> HttpResponse:
    profile = profile_for(request.user, pk, to="own")
    form = AwayForm(request.POST)

    def do() -> Any:
        act = bring_back_profile if form.cleaned_data["way"] == "back" else put_away_profile
        return act(profile=profile, actor=request.user, token=form.cleaned_data["token"])

    tried = attempt(request, form, do)
    if tried.done and tried.result.is_away:
        add_success_message(request, tried.event)
        return redirect(f"{reverse('profile-list')}?game={profile.system}")
    return _onward(request, form, tried, lambda notice, status: _show(request, _again(profile), notice, status))


def _again(profile: Profile) -> Profile:
    return Profile.objects.select_related("owner").get(pk=profile.pk)


def _onward(
    request: HttpRequest, form: ActForm, tried: Attempt, show: Callable[[Notice | None, int], HttpResponse]
) -> HttpResponse:
    """Redirect to the profile that an act created or changed, with a success message; else show the page again with the reason."""
    if tried.done:
        add_success_message(request, tried.event)
        return redirect("profile-write", tried.result.pk)
    notice = tried.notice or Notice("problem", _("This could not be read."), _("Reload the page."))
    return show(notice, tried.status)


# --- documents ----------------------------------------------------------------------------------------------------------


@login_required
@require_safe
def profile_export(request: HttpRequest) -> HttpResponse:
    shelf = _shelf(request.GET.get("game", ""))
    asked = request.GET.get("profile", "")
    if asked:
        profile = profile_for(request.user, asked)
        if profile.system != shelf.game.id:
            raise Http404(_("No such profile of this game."))
        rows, name = [profile], slugify(profile.name) or "profile"
    else:
        mine = Profile.objects.kept().filter(owner=request.user, system=shelf.game.id, edition=shelf.edition)
        rows, name = list(mine.order_by("kind", "name", "pk")), f"{shelf.game.id}-library"
    document = write_profiles(shelf.game.id, shelf.edition, ((row.kind, row.name, row.data) for row in rows))
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


# --- inside -------------------------------------------------------------------------------------------------------------


def _shelf(game: str) -> Shelf:
    shelf = shelf_of(game)
    if shelf is None:
        raise Http404(_("No such game, or its books hold every profile."))
    return shelf


def _place_of(profile: Profile) -> tuple[Shelf, ProfileKind]:
    shelf = _shelf(profile.system)
    kind = shelf.kind(profile.kind)
    if kind is None or profile.edition not in shelf.game.editions():
        raise Http404(_("The game has no such kind of profile any more."))
    return shelf, kind
