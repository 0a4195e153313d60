"""The pages of a campaign's seats and of one seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.kept_drafts import KeptDraft, kept_for
from campaigns.models import Administrator, Campaign, Invitation, Seat
from campaigns.pages.joining import Bringable, bring_options, has_ready, ready_address
from campaigns.services.contact_notes import notes_on
from campaigns.services.join import captives_left_behind
from campaigns.services.opening_score import opening_of, score_words
from campaigns.settings_schema import setting_of
from config.qr import code_of
from warbands.import_targets import Score
from warbands.labels import figures_short, worth_of
from warbands.models import Warband
from warbands.pages.formatting import day, problems_words
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.verdicts import judged

PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class SeatLine:
    pk: int
    name: str
    href: str
    player_words: str
    warband: Link | None
    warband_words: str
    state_words: str
    claim_address: str
    list_words: str
    withdrawn: bool
    bring_href: str


OPENING_FIELDS = (
    ("points", gettext_lazy("Victory points")),
    ("games", gettext_lazy("Battles")),
    ("won", gettext_lazy("Won")),
    ("drawn", gettext_lazy("Drawn")),
    ("lost", gettext_lazy("Lost")),
)


def _running_href(seat: Seat) -> str:
    return f"{reverse('warband-bring')}?for=seat:{seat.pk}"


@dataclass(frozen=True, slots=True)
class AdministratorLine:
    user_pk: int
    name: str
    only: bool


@dataclass(frozen=True, slots=True)
class PlayersPage:
    campaign: str
    pk: int
    here: str
    seats: tuple[SeatLine, ...]
    count: int
    pager: Pager | None
    administrators: tuple[AdministratorLine, ...]
    invite_address: str
    invite_code: str
    claim_links: str  # a line for each unclaimed place: its name and its link


def players_page(campaign: Campaign, site: str, *, page: int = 1) -> PlayersPage:
    """Build the page. Five queries. `site` is the base URL for links."""
    here = reverse("player-list", args=[campaign.pk])
    rows = Seat.objects.live().filter(campaign=campaign).select_related("user", "warband__terms", "warband__owner")
    part: Slice[Seat] = cut(rows.order_by("pk"), page, PER_PAGE, here, {}, "seats")
    judged(seat.warband for seat in part.rows)
    people = list(Administrator.objects.live().filter(campaign=campaign).select_related("user").order_by("pk"))
    invite = invite_address(campaign, site)
    return PlayersPage(
        campaign=campaign.name,
        pk=campaign.pk,
        here=here,
        seats=tuple(_line(seat, site) for seat in part.rows),
        count=part.count,
        pager=part.pager,
        administrators=tuple(AdministratorLine(row.user_id, str(row.user), len(people) == 1) for row in people),
        invite_address=invite,
        invite_code=code_of(invite) if invite else "",
        claim_links=_claim_links(campaign, site),
    )


def _claim_links(campaign: Campaign, site: str) -> str:
    """Return the claim links of all pages as text to copy, "" for fewer than two. One query."""
    open_ones = Seat.objects.live().filter(campaign=campaign, user=None).exclude(claim_token="")
    named = [(seat.name, _claim_address(seat, site)) for seat in open_ones.order_by("pk")]
    lines = [f"{name}: {address}" for name, address in named if address]
    return "\n".join(lines) if len(lines) > 1 else ""


def invite_address(campaign: Campaign, site: str) -> str:
    """Return the invitation link for taking a seat, "" if there is none. One query."""
    invitation = Invitation.objects.live().filter(campaign=campaign, is_revoked=False).order_by("-pk").first()
    return site + reverse("campaign-join", args=[invitation.token]) if invitation is not None else ""


def _line(seat: Seat, site: str) -> SeatLine:
    warband = seat.warband
    link, words = None, _("no warband yet")
    if warband is not None:
        link = Link(warband.name, reverse("warband-show", args=[warband.pk]))
        words = f"{names_of(warband.terms).list_words(warband.list_id)}; {worth_of(warband)}"
        if warband.problem_count:
            words += f", {problems_words(warband.problem_count)}"
    return SeatLine(
        pk=seat.pk,
        name=seat.name,
        href=reverse("seat-show", args=[seat.pk]),
        player_words="unclaimed" if seat.user_id is None else "" if str(seat.user) == seat.name else str(seat.user),
        warband=link,
        warband_words=words,
        state_words="" if seat.status == Seat.Status.PLAYING else seat.get_status_display().lower(),
        claim_address=_claim_address(seat, site),
        list_words=seat.get_list_state_display().lower() if seat.list_state else "",
        withdrawn=seat.status == Seat.Status.LEFT,
        bring_href=_running_href(seat) if seat.warband is None and seat.status != Seat.Status.LEFT else "",
    )


def _claim_address(seat: Seat, site: str) -> str:
    if seat.user_id is not None or not seat.claim_token or seat.status == Seat.Status.LEFT:
        return ""
    return site + reverse("seat-claim", args=[seat.claim_token])


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A contact note, and who wrote it when."""

    pk: int
    words: str
    meta: str


@dataclass(frozen=True, slots=True)
class SeatPage:
    pk: int
    seen: int | None
    name: str
    campaign: Link
    here: str
    found_href: str
    ready_href: str
    running_href: str
    opening: tuple[tuple[str, str, int], ...]
    opening_words: str
    player_words: str
    warband: Link | None
    warband_words: str
    founding_href: str
    problems: int
    can_bring: bool
    bring: tuple[Bringable, ...]
    kept: KeptDraft | None
    status: str
    status_words: str
    administers: bool
    mine: bool
    claim_address: str
    list_checked: bool
    list_state: str
    list_state_words: str
    list_words: str
    can_submit: bool
    can_answer: bool
    captives: tuple[Link, ...]
    warband_pk: int
    can_hand_over: bool
    contact_notes: tuple[NoteLine, ...]


@dataclass(frozen=True, slots=True)
class WarbandPart:
    """What the page of a seat tells of its warband. The defaults are those of a seat without one."""

    pk: int = 0
    version: int | None = None
    link: Link | None = None
    words: str = ""
    founding_href: str = ""
    problems: int = 0
    has_owner: bool = False


SENDABLE = (Seat.ListState.OPEN, Seat.ListState.RETURNED)


def seat_page(seat: Seat, user: Any, *, administers: bool, site: str, chosen: str = "") -> SeatPage:
    """Build the page of a seat. Four queries, one more for an administrator, and one where a warband may be brought."""
    campaign, warband = seat.campaign, seat.warband
    judged([warband])
    seated = campaign.status == Campaign.Status.RUNNING and seat.status != Seat.Status.LEFT
    can_bring = seated and (warband is None or warband.is_put_away)
    mine = seat.user_id == user.pk
    part = _warband_part(warband) if warband is not None else WarbandPart()
    checked = bool(setting_of(campaign, "lists_looked_at"))
    owner = seat.user if seat.user_id is not None else None
    opening = opening_of(seat)
    return SeatPage(
        pk=seat.pk,
        seen=part.version,
        name=seat.name,
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        here=reverse("seat-show", args=[seat.pk]),
        found_href=reverse("seat-found", args=[seat.pk]),
        ready_href=ready_address(seat.pk) if has_ready(campaign) else "",
        running_href=_running_href(seat),
        opening=tuple((n, w, getattr(seat, f"opening_{n}")) for n, w in OPENING_FIELDS),
        opening_words=score_words(opening) if opening != Score() else "",
        player_words=_("Not claimed yet.") if owner is None else _("Played by {owner}.").format(owner=owner),
        warband=part.link,
        warband_words=part.words or _("No warband yet."),
        founding_href=part.founding_href,
        problems=part.problems,
        can_bring=can_bring,
        bring=bring_options(campaign, owner, chosen) if can_bring and owner is not None else (),
        kept=kept_for(seat) if can_bring else None,
        status=seat.status,
        status_words=seat.get_status_display(),
        administers=administers,
        mine=mine,
        claim_address=_claim_address(seat, site) if administers else "",
        list_checked=checked,
        list_state=seat.list_state,
        list_state_words=seat.get_list_state_display(),
        list_words=seat.list_words,
        can_submit=checked and warband is not None and seat.list_state in SENDABLE,
        can_answer=administers and seat.list_state == Seat.ListState.SUBMITTED,
        captives=_captives(seat) if seat.status == Seat.Status.LEFT else (),
        warband_pk=part.pk,
        can_hand_over=(mine or administers) and seated and part.has_owner,
        contact_notes=_contact_notes(seat) if administers else (),
    )


def _contact_notes(seat: Seat) -> tuple[NoteLine, ...]:
    return tuple(
        NoteLine(note.pk, note.words, f"{note.by or _('A former administrator')}, {day(note.made_at)}")
        for note in notes_on(seat)
    )


def _warband_part(warband: Warband) -> WarbandPart:
    link = Link(warband.name, reverse("warband-show", args=[warband.pk]))
    return WarbandPart(
        pk=warband.pk,
        version=warband.version,
        link=link,
        words=f"{names_of(warband.terms).list_words(warband.list_id)}; {figures_short(warband)}",
        founding_href=link.href if warband.is_founding else "",
        problems=warband.problem_count,
        has_owner=warband.owner_id is not None,
    )


def _captives(seat: Seat) -> tuple[Link, ...]:
    return tuple(
        Link(
            _("{fighter} of {warband}, held by {captor_name}").format(
                fighter=capture.fighter, warband=capture.warband, captor_name=capture.captor_name
            ),
            reverse("capture-settle", args=[capture.pk]),
        )
        for capture in captives_left_behind(seat)
    )
