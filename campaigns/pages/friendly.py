"""The pages of friendly battles: start one or enter a code, invite the other player, accept, and the lines on the desk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.guests import is_guest, keep_address
from campaigns.models import AHEAD, Battle, Campaign, Seat, Side
from campaigns.pages.battle_queries import read_battles, sides_of
from campaigns.pages.desk_waits import Wait
from campaigns.pages.formatting import against, on_day
from campaigns.pages.options import SelectOption
from campaigns.scenarios import scenario_name
from config.qr import code_of
from warbands.labels import edition_name
from warbands.models import Terms, Warband
from warbands.pages.widgets import Link

MAX_WARBANDS = 60
MAX_BATTLES = 40
OPEN = tuple(str(status) for status in (*AHEAD, Battle.Status.REPORTED))


@dataclass(frozen=True, slots=True)
class FriendlyLine:
    """One friendly battle in a list."""

    title: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class FriendlyPage:
    """Start a friendly battle, or enter a code. `battles` are those of the chosen warband, or of all of the user's."""

    warbands: tuple[SelectOption, ...]
    found: Link
    battles: tuple[FriendlyLine, ...]


@dataclass(frozen=True, slots=True)
class InvitePage:
    """The way for the other player: a link, a code, a QR code. `own` are warbands with which the user may play both sides."""

    here: str
    back: Link
    edition: str
    address: str
    code: str
    drawn: SafeString
    own: tuple[SelectOption, ...]


@dataclass(frozen=True, slots=True)
class AcceptPage:
    """A friendly battle to accept. `sign_in_href` is "" for somebody with an account."""

    here: str
    edition: str
    asked_by: str
    warband: str
    own: tuple[SelectOption, ...]
    found: Link
    sign_in_href: str
    sign_up_href: str  # "" for a guest too: the other address keeps what the guest has
    invite: Link | None  # for whoever set it up


def spoken(code: str) -> str:
    """Return a code as it is shown: "K7MQ-2XYA"."""
    return f"{code[:4]}-{code[4:]}"


def friendly_page(user: Any, chosen: str) -> FriendlyPage:
    """Build the page. Two queries, four with battles. `chosen` is the id of a warband."""
    own = _own(user)
    wanted = [warband.pk for warband in own if str(warband.pk) == chosen]
    return FriendlyPage(
        warbands=tuple(_option(warband, chosen) for warband in own),
        found=Link(_("Start a warband"), reverse("warband-found")),
        battles=_lines(user, wanted),
    )


def invite_page(battle: Battle, user: Any, site: str) -> InvitePage | None:
    """Build the page; None once the other side is taken. Two queries."""
    side = battle.sides.live().filter(warband=None).select_related("seat").first()
    if side is None or not side.seat.claim_token:
        return None
    address = reverse("friendly-accept", args=[side.seat.claim_token])
    return InvitePage(
        here=reverse("friendly-invite", args=[battle.pk]),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        edition=_edition(battle.campaign.terms),
        address=site + address,
        code=spoken(side.seat.claim_token),
        drawn=code_of(site + address),
        own=_fitting(battle, user),
    )


def accept_page(seat: Seat, user: Any) -> AcceptPage:
    """Build the page for a free seat. Three queries, two for a visitor."""
    here = reverse("friendly-accept", args=[seat.claim_token])
    battle = Battle.objects.live().get(sides__seat=seat, sides__is_undone=False)
    battle.campaign = seat.campaign
    first = battle.sides.live().exclude(seat=seat).select_related("seat__user", "warband").get()
    terms = seat.campaign.terms
    sign_in = sign_up = ""
    if is_guest(user):
        sign_in = keep_address(here)
    elif not user.is_authenticated:
        after = urlencode({"next": here})
        sign_in, sign_up = f"{reverse('account_login')}?{after}", f"{reverse('account_signup')}?{after}"
    is_mine = user.pk is not None and first.seat.user_id == user.pk
    return AcceptPage(
        here=here,
        edition=_edition(terms),
        asked_by=first.seat.name,
        warband=first.warband.name if first.warband is not None else "",
        own=() if sign_in else _fitting(battle, user),
        found=Link(
            _("Start a warband"),
            f"{reverse('warband-found')}?{urlencode({'game': f'{terms.system}/{terms.edition}'})}",
        ),
        sign_in_href=sign_in,
        sign_up_href=sign_up,
        invite=Link(_("Invite somebody"), reverse("friendly-invite", args=[battle.pk])) if is_mine else None,
    )


def friendly_waits(user: Any) -> tuple[Wait, ...]:
    """Return the open friendly battles of a user as lines of the desk. One query, another with battles."""
    waits = []
    for battle in _battles(user, (), OPEN):
        sides = sides_of(battle)
        free = next((side for side in sides if side.warband_id is None), None)
        name, label = ("friendly-invite", _("Invite")) if free is not None else ("battle-show", _("Open"))
        title = _("Friendly battle: {against}").format(against=against(sides))
        href = reverse(name, args=[battle.pk])
        waits.append(
            Wait(
                f"friendly_{battle.pk}", "crossed-swords", title, scenario_name(battle), href, label, battle.created_at
            )
        )
    return tuple(waits)


def _edition(terms: Terms) -> str:
    return edition_name(terms.system, terms.edition)


def _own(user: Any) -> list[Warband]:
    kept = Warband.objects.kept().filter(owner=user).select_related("terms").order_by("name", "pk")
    return list(kept[:MAX_WARBANDS])


def _option(warband: Warband, chosen: str = "") -> SelectOption:
    words = f"{warband.name}, {_edition(warband.terms)}"
    return SelectOption(str(warband.pk), words, str(warband.pk) == chosen)


def _fitting(battle: Battle, user: Any) -> tuple[SelectOption, ...]:
    """Return the user's warbands of the battle's game and edition that are not in it."""
    terms = battle.campaign.terms
    there = set(battle.sides.live().values_list("warband", flat=True))
    fit = (each for each in _own(user) if (each.terms.system, each.terms.edition) == (terms.system, terms.edition))
    return tuple(_option(warband) for warband in fit if warband.pk not in there)


def _battles(user: Any, warbands: Collection[int], status: Collection[str] = ()) -> tuple[Battle, ...]:
    sides = Side.objects.live().filter(
        battle__campaign__kind=Campaign.Kind.FRIENDLY, battle__is_undone=False, battle__campaign__is_undone=False
    )
    sides = (
        sides.filter(warband__in=warbands) if warbands else sides.filter(Q(seat__user=user) | Q(warband__owner=user))
    )
    if status:
        sides = sides.filter(battle__status__in=status)
    # Somebody who plays both sides has two rows of a battle.
    rows = sides.order_by("-battle_id").select_related("battle__campaign__terms")[: 2 * MAX_BATTLES]
    campaigns = {side.battle_id: side.battle.campaign for side in rows}
    return read_battles(list(campaigns)[:MAX_BATTLES], list(campaigns.values()))


def _lines(user: Any, warbands: Collection[int]) -> tuple[FriendlyLine, ...]:
    return tuple(
        FriendlyLine(against(sides_of(battle)), reverse("battle-show", args=[battle.pk]), _line_words(battle))
        for battle in sorted(_battles(user, warbands), key=lambda battle: -battle.pk)
    )


def _line_words(battle: Battle) -> str:
    won = next((side for side in sides_of(battle) if side.result == Side.Result.WON), None)
    parts = [
        _("Friendly"),
        battle.get_status_display().lower(),
        _("{name} won").format(name=won.warband.name) if won is not None and won.warband is not None else "",
        on_day(battle.played_on),
    ]
    return ", ".join(part for part in parts if part)
