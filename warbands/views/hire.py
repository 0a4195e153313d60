"""Views that hire, copy and dismiss fighters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.parts.offer import Offer
from warbands.access import warband_for
from warbands.forms import CopyForm, WayForm
from warbands.idempotency import new_token
from warbands.labels import word
from warbands.models import Warband
from warbands.pages.addresses import href_of
from warbands.pages.fighter import part_page
from warbands.pages.hire import hire_address, hire_page
from warbands.pages.offers import must_choose, row_key
from warbands.pages.parts import hire_parts
from warbands.pages.roster import read_roster
from warbands.pages.widgets import Link
from warbands.services.copy_fighter import copy_fighter
from warbands.services.hire import hire_fighters, part_fighter
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, renewed, respond
from warbands.views.builder import is_beside, show_hire_beside, show_roster
from warbands.views.fetch import fighter_for, fresh_roster, present_row
from warbands.views.offers import BRIEF, OOB, choosing_form, find_of, offer_form, stood_order, take_of
from warbands.views.parts import render_parts
from warbands.views.roster import warband_address


@login_required
@require_http_methods(["GET", "POST"])
def fighter_hire(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    if request.method != "POST":
        return _show_hire(request, warband)
    wanted = request.POST.get("offer", "") or request.POST.get("several", "")
    offer = read_roster(warband).hire_offer(wanted)
    form = offer_form(request, offer, named=True)
    tried = attempt(
        request,
        form,
        lambda: hire_fighters(
            warband=warband,
            offer_id=form.cleaned_data["offer"],
            times=form.cleaned_data.get("times", 1),
            name=form.cleaned_data.get("name", ""),
            choices=getattr(form, "chosen", None),
            actor=request.user,
            **form.once,
        ),
    )

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show_hire(request, warband, notice, status, form=None if tried.done else form)

    # If the fighter was hired with the default choices, they can still be changed: link to them beside the success message.
    open_still = tried.done and offer is not None and offer.choices and not must_choose(offer)
    choose = f"{href_of('choice-list', pk)}#choices_{tried.result[0].pk}" if open_still else ""
    return respond(
        request,
        tried,
        show,
        onward=_onward(request, warband, wanted),
        said=_hired_words(warband, offer, tried),
        choose=choose,
        rename=_rename_href(warband, tried),
    )


def _onward(request: HttpRequest, warband: Warband, wanted: str) -> str:
    """Return where a hire leads without htmx: to the row that was pressed, on the roster to the roster."""
    if request.POST.get("at") == "roster":
        return warband_address(warband.pk)
    return f"{hire_address(warband, find=find_of(request))}#{row_key(wanted)}"


def _hired_words(warband: Warband, offer: Offer | None, tried: Attempt) -> str:
    if not tried.done or offer is None:
        return ""
    took = capfirst(word(warband.terms, "hired", _("hired")))
    names = [fighter.name for fighter in tried.result]
    if names == [offer.name]:
        return f"{took} {offer.name}."
    count = f"{len(names)} × " if len(names) > 1 else ""
    return f"{took} {count}{offer.name}: {', '.join(names)}."


def _rename_href(warband: Warband, tried: Attempt) -> str:
    """Return the page on which those just hired get other names: one fighter's own, else the roster."""
    if not tried.done:
        return ""
    if len(tried.result) == 1:
        return href_of("fighter-rename", tried.result[0].pk)
    return warband_address(warband.pk, tried.result[0].pk)


def _show_hire(
    request: HttpRequest, warband: Warband, notice: Notice | None = None, status: int = 200, *, form: Any = None
) -> HttpResponse:
    if is_beside(request):
        return show_hire_beside(request, warband, notice, status, form=form)
    page = hire_page(
        fresh_roster(warband) if request.method == "POST" else read_roster(warband),
        take=take_of(request, form),
        find=find_of(request),
        order=stood_order(request),
    )
    opened = choosing_form(page.hires.opened, form, page.seen, named=True)
    context = {
        "page": page,
        "hires": page.hires,
        "bar": page.bar,
        "notice": notice,
        "form": opened,
        "brief": page.brief,
    }
    return render_parts(
        request,
        "warbands/hire.html",
        context,
        hire_parts(page),
        partial="hire",
        oob=OOB,
        oob_whole=BRIEF,
        status=status,
    )


# --- one fighter more, or one less ----------------------------------------------------------------------------------------


def _copy_words(profile: str, *, has_shop: bool) -> list[str]:
    if not has_shop:
        return [_("Takes one more {profile}, at full strength.").format(profile=profile)]
    return [
        _("Hires another {profile} with the same bought kit and upgrades.").format(profile=profile),
        _("The history lists what the copy can't have."),
    ]


@login_required
@require_http_methods(["GET", "POST"])
def fighter_copy(request: HttpRequest, pk: int) -> HttpResponse:
    warband, _pk = fighter_for(request.user, pk, "edit")
    row = present_row(read_roster(warband), pk)
    form = CopyForm(request.POST or None, initial={"seen": warband.version, "token": new_token()})
    back = Link(warband.name, warband_address(warband.pk, pk))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = fresh_roster(warband)
        context = {
            "title": _("Copy {name}").format(name=row.name),
            "back": back,
            "here": href_of("fighter-copy", pk),
            "words": _copy_words(fresh.profile_name(row), has_shop=fresh.shops),
            "form": renewed(form, fresh.warband.version) if form.is_bound else form,
            "button": _("Copy {name}").format(name=row.name),
            "notice": notice,
        }
        return render_page(request, "warbands/act.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried = attempt(
        request,
        form,
        lambda: copy_fighter(
            fighter=row,
            name=form.cleaned_data["name"],
            times=form.cleaned_data["times"] or 1,
            actor=request.user,
            **form.once,
        ),
    )
    onward = warband_address(warband.pk, tried.result[0].pk) if tried.done else ""
    return respond(request, tried, show, onward=onward, warband=warband)


@login_required
@require_http_methods(["GET", "POST"])
def fighter_dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    warband, _pk = fighter_for(request.user, pk, "edit")
    row = present_row(read_roster(warband), pk)
    form = WayForm(request.POST or None)
    here = f"fighter_panel_{pk}_here" if request.htmx and "here" in {**request.GET, **request.POST} else ""  # type: ignore[attr-defined]

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = part_page(fresh_roster(warband), row, chosen=request.POST.get("way", ""))
        notice = notice or (
            Notice("problem", _("Choose how {name} leaves.").format(name=row.name)) if status == 422 else None
        )
        context = {"page": page, "notice": notice, "token": new_token(), "place": here}
        template = "warbands/parts/part_here.html" if here else "warbands/part.html"
        return render_page(request, template, context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried = attempt(
        request, form, lambda: part_fighter(fighter=row, way=form.cleaned_data["way"], actor=request.user, **form.once)
    )
    if here and tried.done:
        add_success_message(request, tried.event, warband=warband)
        return show_roster(request, warband)
    return respond(request, tried, show, onward=warband_address(warband.pk), warband=warband)
