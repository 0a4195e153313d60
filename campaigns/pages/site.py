"""The site owner's pages: reported problems, people, and public pages that are hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Exists, OuterRef, Q
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from accounts.models import HiddenPage, Suspension, User
from campaigns.models import Campaign, Seat
from campaigns.services.hiding import MODELS
from rules.problems import Refusal
from warbands.models import ProblemReport, Profile, ShareLink
from warbands.pages.formatting import day
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.widgets import Tab

PER_PAGE = 40


@dataclass(frozen=True, slots=True)
class ProblemLine:
    pk: int
    title: str
    meta: str
    state: str


@dataclass(frozen=True, slots=True)
class PersonLine:
    pk: int
    name: str
    username: str
    meta: str
    suspended: str


@dataclass(frozen=True, slots=True)
class SiteLogLine:
    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class HiddenLine:
    pk: int
    name: str
    kind: str
    meta: str
    reason: str
    is_over: bool


def site_tabs(here: str) -> tuple[Tab, ...]:
    places = (
        (_("Problems"), "site-desk"),
        (_("People"), "site-people"),
        (_("Hidden pages"), "site-hidden"),
        (_("Rules"), "site-rules"),
        (_("Campaigns"), "site-campaigns"),
    )
    return tuple(Tab(label, reverse(name), current=name == here) for label, name in places)


def problem_lines(state: str, page: int) -> tuple[tuple[ProblemLine, ...], Pager | None]:
    """Return the reports in this state ("" for those that are not done), newest first. Two queries."""
    rows = ProblemReport.objects.select_related("by").defer("document")
    rows = rows.filter(state=state) if state in ProblemReport.State.values else rows.exclude(state="done")
    found: Slice[Any] = cut(rows, page, PER_PAGE, reverse("site-desk"), {"state": state} if state else {})
    return tuple(
        ProblemLine(
            each.pk,
            each.words[:120] or each.page or _("Without words"),
            ", ".join(part for part in (each.page, str(each.by or _("a visitor")), day(each.made_at)) if part),
            each.get_state_display(),
        )
        for each in found.rows
    ), found.pager


def people_lines(find: str, page: int) -> tuple[tuple[PersonLine, ...], Pager | None]:
    """Return people by a part of their name or e-mail address; those who are suspended first. Two queries."""
    rows = User.objects.with_account()
    if find:
        rows = rows.filter(Q(username__icontains=find) | Q(first_name__icontains=find) | Q(email__icontains=find))
    told = rows.annotate(open=Exists(Suspension.objects.filter(user=OuterRef("pk"), ended_at=None)))
    state = {"find": find} if find else {}
    found: Slice[Any] = cut(
        told.order_by("-open", "username"), page, PER_PAGE, reverse("site-people"), state, counted=rows
    )
    return tuple(
        PersonLine(
            each.pk,
            str(each),
            each.username,
            _("joined {day}").format(day=day(each.date_joined)),
            _("suspended") if each.open else "" if each.is_active else _("closed"),
        )
        for each in found.rows
    ), found.pager


def suspension_log(user: User) -> tuple[SiteLogLine, ...]:
    """Return what was done to an account, newest first. One query."""
    lines = []
    for each in Suspension.objects.filter(user=user).select_related("by", "ended_by"):
        words = _("{day}: suspended by {by}").format(day=day(each.made_at), by=each.by or _("a former site owner"))
        if each.ended_at is not None:
            words += "; " + _("lifted {day} by {by}").format(
                day=day(each.ended_at), by=each.ended_by or _("a former site owner")
            )
        lines.append(SiteLogLine(words, each.reason))
    return tuple(lines)


def places_of(user: User) -> tuple[str, ...]:
    """Return the campaigns in which a person has a place. One query."""
    live = Seat.objects.live().filter(user=user, campaign__kind=Campaign.Kind.SERIES).exclude(status=Seat.Status.LEFT)
    return tuple(live.values_list("campaign__name", flat=True))


def hidden_lines() -> tuple[HiddenLine, ...]:
    """Return the hidden pages and those that were, newest first. Four queries at most."""
    rows = list(HiddenPage.objects.select_related("by", "ended_by")[:200])
    names = {
        kind: dict(
            model._base_manager.filter(pk__in=[row.row for row in rows if row.kind == kind]).values_list("pk", "name")
        )
        for kind, model in MODELS.items()
    }
    return tuple(
        HiddenLine(
            each.pk,
            names[each.kind].get(each.row, _("no longer there")),
            each.get_kind_display(),
            _("hidden {day} by {by}").format(day=day(each.made_at), by=each.by or _("a former site owner")),
            each.reason,
            each.ended_at is not None,
        )
        for each in rows
    )


def page_at(address: str) -> tuple[Any, int]:
    """Return what stands at a public address: its kind and id. At most one query. Raises Refusal for another address."""
    try:
        match = resolve(urlsplit(address.strip()).path)
    except (Resolver404, ValueError):
        raise _unknown() from None
    slug, pk = match.kwargs.get("slug"), match.kwargs.get("pk")
    first = match.route.split("/")[0]
    if first == "c" and slug:
        found = Campaign.objects.live().filter(slug=slug).values_list("pk", flat=True).first()
        kind = HiddenPage.Kind.CAMPAIGN
    elif first == "s" and slug:
        found = ShareLink.objects.live().filter(slug=slug).values_list("warband", flat=True).first()
        kind = HiddenPage.Kind.WARBAND
    elif first == "library" and isinstance(pk, int):
        found = Profile.objects.live().filter(pk=pk).values_list("pk", flat=True).first()
        kind = HiddenPage.Kind.PROFILE
    else:
        raise _unknown()
    if found is None:
        raise _unknown()
    return kind, int(found)


def _unknown() -> Refusal:
    return Refusal(
        _("No public page has this address."),
        mend=_("Copy it from a public campaign, a shared roster or a shared profile."),
        code="address",
        field="address",
    )
