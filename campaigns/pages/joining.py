"""The pages for claiming a seat, and for bringing a warband into one or starting one there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.latecomers import late_start
from campaigns.models import Campaign, Seat
from campaigns.pages.formatting import edition_words
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import ListChoice
from warbands.labels import has_shop, word, worth_of
from warbands.models import Terms, Warband
from warbands.pages.addresses import with_query
from warbands.pages.formatting import battles_words, money, problems_words
from warbands.pages.ready_warbands import ReadyGroup, ready_groups
from warbands.pages.rule_links import names_of
from warbands.pages.start import suggested_name
from warbands.pages.widgets import Link
from warbands.verdicts import judged

FOUND, LATER, BROUGHT = "found", "later", "brought"
READY_MADE = "ready-made"  # one of the ready warbands, to be chosen on a page of its own


@dataclass(frozen=True, slots=True)
class Bringable:
    """A decision card for bringing a warband. `closed_reason` says why it cannot be brought, "" if it can."""

    value: str
    title: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    closed_reason: str
    chosen: bool
    name: str = "bring"


def bring_options(campaign: Campaign, user: Any, chosen: str = "") -> tuple[Bringable, ...]:
    """Return the options for the seat's warband. Two queries.

    The user's own warbands come first, with the reason if they cannot be brought. Then follow taking a ready one, starting a
    new one and importing one.
    """
    rows = list(own_options(campaign, user, chosen))
    usual = chosen or next((row.value for row in rows if row.chosen), FOUND)
    if has_ready(campaign):
        rows.append(Bringable(READY_MADE, _("Use a ready warband"), (), (), "", usual == READY_MADE))
    rows.append(Bringable(FOUND, _("Build my own"), (), (), "", usual == FOUND))
    ways = _("from paper, a text or a file") if campaign.terms.game.text_import is not None else _("from a file")
    rows.append(Bringable(BROUGHT, _("Import one"), (ways,), (), "", usual == BROUGHT))
    return tuple(rows)


def own_options(campaign: Campaign, user: Any, chosen: str = "") -> tuple[Bringable, ...]:
    """Return the user's own warbands, each with the reason if it cannot be brought; the first open one is chosen. Two queries."""
    warbands = (
        judged(Warband.objects.kept().filter(owner=user).select_related("terms").order_by("name", "pk")[:40])
        if user is not None and user.pk is not None
        else []
    )
    seated = dict(
        Seat.objects.live()
        .filter(warband__in=[warband.pk for warband in warbands])
        .exclude(status=Seat.Status.LEFT)
        .values_list("warband_id", "campaign__name")
    )
    lists = {
        choice.id: _closed(campaign, choice) for choice in campaign.terms.game.founding.lists(campaign.terms.content)
    }
    options = [
        _bringable(campaign.terms, warband, seated.get(warband.pk, ""), lists.get(warband.list_id, ""))
        for warband in warbands
    ]
    open_ones = [value for value, _title, _gains, closed in options if not closed]
    usual = chosen or (open_ones[0] if open_ones else "")
    return tuple(Bringable(value, title, gains, (), closed, value == usual) for value, title, gains, closed in options)


def _bringable(terms: Terms, warband: Warband, plays_in: str, shut: str) -> tuple[str, str, tuple[str, ...], str]:
    closed = ""
    if warband.mode != Warband.Mode.CAMPAIGN:
        closed = _("for single battles only.")
    elif warband.terms.system != terms.system:
        closed = _("it is for {game}; this campaign plays {other}.").format(
            game=warband.terms.game.name, other=terms.game.name
        )
    elif warband.terms.edition != terms.edition:
        closed = _("edition {edition}; this campaign plays {other}.").format(
            edition=warband.terms.edition, other=terms.edition
        )
    elif shut:
        closed = shut
    elif plays_in:
        closed = _("it plays in {campaign}.").format(campaign=plays_in)
    lines = names_of(warband.terms).list_words(warband.list_id)
    state = problems_words(warband.problem_count) if warband.problem_count else _("legal")
    if warband.is_founding:
        state = _("new, {state}").format(state=state)
    return str(warband.pk), warband.name, (f"{lines}; {worth_of(warband)}, {state}",), closed


def late_words(campaign: Campaign) -> str:
    """Describe what a player who joins now receives, "" while nobody has fought. One query."""
    choices = campaign.terms.game.founding.lists(campaign.terms.content)
    start = late_start(campaign, choices[0].id) if choices else None
    if start is None or not start.battles or start.budget is None:
        return ""
    if not has_shop(campaign.terms):
        return _("The others have fought. You start level: {battles} credited.").format(
            battles=battles_words(start.battles)
        )
    words = (
        _("You start with {price} and {experience} experience, to catch up with the others.")
        if start.experience
        else _("You start with {price}, to catch up with the others.")
    )
    return words.format(price=money(start.budget), experience=start.experience)


# --- claiming ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimPage:
    campaign: str
    seat: str
    words: str
    warband_words: str
    seat_href: str
    here: str
    sign_in_href: str
    sign_up_href: str


def claim_page(seat: Seat, user: Any, here: str) -> ClaimPage:
    """Build the page of a claim link. One query for a signed-in user."""
    mine = None
    if user.is_authenticated:
        mine = Seat.objects.live().filter(campaign=seat.campaign_id, user=user).exclude(status=Seat.Status.LEFT).first()
    warband = seat.warband
    after = urlencode({"next": here})
    return ClaimPage(
        campaign=seat.campaign.name,
        seat=seat.name,
        words=edition_words(seat.campaign),
        warband_words=_("It comes with {warband}, {worth}.").format(warband=warband.name, worth=worth_of(warband))
        if warband is not None
        else _("You choose a warband afterwards."),
        seat_href=reverse("seat-show", args=[mine.pk]) if mine is not None else "",
        here=here,
        sign_in_href=f"{reverse('account_login')}?{after}",
        sign_up_href=f"{reverse('account_signup')}?{after}",
    )


# --- founding for a seat -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListLine:
    name: str
    temper: str
    href: str
    start_words: str
    closed: str
    third_party: bool


@dataclass(frozen=True, slots=True)
class FactionLines:
    name: str
    temper: str
    lists: tuple[ListLine, ...]


@dataclass(frozen=True, slots=True)
class SeatFoundPage:
    """The page that founds a warband for a seat in two steps: the list, then name and patron."""

    seat: str
    campaign: str
    step: int
    here: str
    back: Link
    late_words: str
    factions: tuple[FactionLines, ...] = ()
    chosen: ListChoice | None = None
    list_words: str = ""
    start_words: str = ""
    changes: tuple[str, ...] = ()
    asks: tuple[ChoiceAsked, ...] = ()
    patrons: tuple[tuple[str, str], ...] = ()
    called: str = "warband"  # the game's word for a force, in lower case
    alone: bool = False  # whether there is only one list
    suggested: str = ""  # a name for the warband
    ready_href: str = ""  # where the ready warbands are, "" where there are none

    @property
    def title(self) -> str:
        return _("Start a {called}").format(called=self.called)


def seat_found_page(seat: Seat, list_id: str, user: Any) -> SeatFoundPage:
    """Build the page of a step for the seat's player, or an administrator. At most three queries."""
    campaign = seat.campaign
    back = Link(_("My place") if seat.user_id == user.pk else seat.name, reverse("seat-show", args=[seat.pk]))
    terms = campaign.terms
    choices = terms.game.founding.lists(terms.content)
    here = reverse("seat-found", args=[seat.pk])
    ready_href = ready_address(seat.pk) if has_ready(campaign) else ""
    alone = len(choices) == 1
    list_id = list_id or (choices[0].id if alone else "")
    chosen = next((choice for choice in choices if choice.id == list_id and not _closed(campaign, choice)), None)
    if chosen is None:
        bases = [choice for choice in choices if not choice.faction or choice.faction == choice.id]
        return SeatFoundPage(
            seat=seat.name,
            campaign=campaign.name,
            step=1,
            here=here,
            back=back,
            late_words=late_words(campaign),
            called=word(terms, "warband_within", "warband"),
            ready_href=ready_href,
            factions=tuple(_faction(campaign, base, choices, here) for base in bases),
        )
    late = late_start(campaign, chosen.id)
    return SeatFoundPage(
        seat=seat.name,
        campaign=campaign.name,
        step=2,
        here=f"{here}?{urlencode({'list': chosen.id})}",
        back=back if alone else Link(_("Faction and list"), here),
        late_words=late_words(campaign),
        called=word(terms, "warband_within", "warband"),
        ready_href=ready_href if alone else "",
        alone=alone,
        chosen=chosen,
        suggested=suggested_name(terms.game, terms.content, chosen.id, seat.user) if seat.user is not None else "",
        list_words=names_of(terms).list_words(chosen.id),
        start_words=money(late.budget or chosen.start) if has_shop(terms) else "",
        changes=chosen.changes,
        asks=chosen.choices,
        patrons=chosen.patrons,
    )


# --- a ready warband for a seat ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatReadyPage:
    """The ready warbands that a seat may take, official lists first."""

    seat: str
    campaign: str
    here: str
    back: Link
    late_words: str
    called: str
    found_href: str
    ready: tuple[ReadyGroup, ...]


def ready_address(seat: int) -> str:
    """Return where the ready warbands for a seat are."""
    return with_query(reverse("seat-found", args=[seat]), {"way": READY_MADE})


def has_ready(campaign: Campaign) -> bool:
    """Return whether the campaign's rules have ready warbands. No queries."""
    terms = campaign.terms
    return bool(terms.game.founding.samples(terms.content))


def seat_ready_page(seat: Seat, user: Any) -> SeatReadyPage:
    """Build the page of the ready warbands for the seat's player, or an administrator. At most three queries."""
    campaign, terms = seat.campaign, seat.campaign.terms
    return SeatReadyPage(
        seat=seat.name,
        campaign=campaign.name,
        here=ready_address(seat.pk),
        back=Link(_("My place") if seat.user_id == user.pk else seat.name, reverse("seat-show", args=[seat.pk])),
        late_words=late_words(campaign),
        called=word(terms, "warband_within", "warband"),
        found_href=reverse("seat-found", args=[seat.pk]),
        ready=ready_groups(terms.game, terms.edition, terms.content, overlays=terms.overlays, with_closed=False),
    )


def _closed(campaign: Campaign, choice: ListChoice) -> str:
    if not choice.closed:
        return ""
    let_in = campaign.terms.in_force.get("third_party")
    return (
        _("third-party list, not allowed in this campaign.")
        if choice.third_party and not let_in
        else _("not allowed in this campaign.")
    )


def _faction(campaign: Campaign, base: ListChoice, choices: tuple[ListChoice, ...], here: str) -> FactionLines:
    members = [base, *(choice for choice in choices if choice.faction == base.id and choice.id != base.id)]
    return FactionLines(
        name=base.name,
        temper=base.temper,
        lists=tuple(
            ListLine(
                name=_("Standard") if choice.id == base.id and len(members) > 1 else choice.name,
                temper="" if choice.id == base.id and len(members) > 1 else choice.temper,
                href=f"{here}?{urlencode({'list': choice.id})}",
                start_words=money(choice.start),
                closed=_closed(campaign, choice),
                third_party=choice.third_party,
            )
            for choice in members
        ),
    )
