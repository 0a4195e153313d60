"""The views of gazettes and of the closing ceremony: read, edit, print, and for spectators."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import campaign_by_slug, campaign_for, is_administrator
from campaigns.models import Campaign, Publication
from campaigns.pages.publications import (
    POSTER_PAPERS,
    edit_page,
    facts_of,
    issue_of,
    poster_pdf,
    publication_of,
    publication_page,
    round_of,
    sent_left_out,
    usual_title,
)
from campaigns.season_forms import PublicationForm
from campaigns.services.publications import save_publication, withdraw_publication
from campaigns.views.acting import respond
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.views.acting import Notice, attempt, renewed


@login_required
@require_safe
def publication_show(request: HttpRequest, pk: int, which: str) -> HttpResponse:
    """Show a publication to everybody in the campaign; a draft to its administrators alone."""
    campaign = campaign_for(request.user, pk)
    row, edits = _readable(request, campaign, which)
    page = publication_page(row, public=False, edits=edits)
    return render_page(request, "campaigns/publication.html", {"page": page})


@login_required
@require_safe
def publication_print(request: HttpRequest, pk: int, which: str) -> HttpResponse:
    """Return the poster of a publication as PDF, on A4, A3 or Letter."""
    row, _edits = _readable(request, campaign_for(request.user, pk), which)
    return _poster(request, row)


@public(reason="What a campaign published, if its administrators show it to whoever has the link.")
@require_safe
def publication_watch(request: HttpRequest, slug: str, which: str) -> HttpResponse:
    row = _published(campaign_by_slug(slug), which)
    page = publication_page(row, public=True)
    return render_page(request, "campaigns/publication.html", {"page": page})


@public(reason="The poster of that page.")
@require_safe
def publication_watch_print(request: HttpRequest, slug: str, which: str) -> HttpResponse:
    return _poster(request, _published(campaign_by_slug(slug), which))


@login_required
@require_http_methods(["GET", "POST"])
def publication_edit(request: HttpRequest, pk: int, which: str) -> HttpResponse:
    """Write a gazette or the closing ceremony: choose its facts, preview, save as a draft, publish, withdraw."""
    campaign = campaign_for(request.user, pk, to="administer")
    found = round_of(campaign, which)
    row = publication_of(campaign, found)
    kept = {"title": row.title, "opening": row.opening, "closing": row.closing} if row is not None else {}
    initial = {"title": usual_title(campaign, found), **kept, "token": new_token()}
    form = PublicationForm(request.POST or None, initial=initial)
    act = request.POST.get("act", "")
    left_out: Any = row.left_out if row is not None else []
    if request.method == "POST" and act != "withdraw":
        left_out = sent_left_out([fact.key for fact in facts_of(campaign, found)], request.POST.getlist("facts"))

    def show(notice: Notice | None, status: int, issue: Any = None) -> HttpResponse:
        fresh = publication_of(campaign, found)
        shown = renewed(form) if form.is_bound and act != "withdraw" else PublicationForm(initial=initial)
        context = {
            "page": edit_page(campaign, found, fresh, left_out),
            "form": shown,
            "notice": notice,
            "issue": issue,
            "withdraw_token": new_token(),
        }
        return render_page(request, "campaigns/publication_edit.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if act == "preview":
        if not form.is_valid():
            return show(None, 422)
        return show(None, 200, issue_of(campaign, found, left_out=left_out, **form.words))

    def do() -> Any:
        once = {"actor": request.user, "token": sent.cleaned_data["token"]}
        if act == "withdraw":
            if row is None:
                raise Refusal(_("Nothing is published here."), code="gone")
            return withdraw_publication(publication=row, **once)
        if act not in ("save", "publish"):
            raise Refusal(_("Choose something first."))
        return save_publication(
            campaign=campaign, found=found, left_out=left_out, publishes=act == "publish", **form.words, **once
        )

    sent: Any = ActForm(request.POST) if act == "withdraw" else form
    tried = attempt(request, sent, do)
    leads = "publication-show" if act == "publish" else "publication-edit"
    return respond(request, tried, show, onward=reverse(leads, args=[pk, which]))


def _readable(request: HttpRequest, campaign: Campaign, which: str) -> tuple[Publication, bool]:
    """Return a publication for a reader of the campaign, and whether they may edit it. Raises Http404."""
    found = round_of(campaign, which)
    edits = is_administrator(request.user, campaign)
    row = publication_of(campaign, found, published=not edits)
    if row is None:
        raise Http404(_("Nothing was published here."))
    return row, edits


def _published(campaign: Campaign, which: str) -> Publication:
    row = publication_of(campaign, round_of(campaign, which), published=True)
    if row is None:
        raise Http404(_("Nothing is shown here."))
    return row


def _poster(request: HttpRequest, row: Publication) -> HttpResponse:
    paper = request.GET.get("paper") or "A4"
    if paper not in POSTER_PAPERS:
        raise Http404(_("Paper is A4, A3 or Letter."))
    response = HttpResponse(poster_pdf(row, paper), content_type="application/pdf")
    name = slugify(f"{row.campaign.name} {row.which}") or "poster"
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
