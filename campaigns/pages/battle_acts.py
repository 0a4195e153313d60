"""The actions open to a user on a battle, most important first."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.battle_sheet import unprintable_on_sheet
from campaigns.models import AHEAD, REPORTED, Battle, Campaign, Side
from campaigns.pages.formatting import until
from campaigns.pages.odds import draws_crib
from campaigns.services.common import side_name, who_answers
from campaigns.services.report_drafts import waiting_drafts
from rules.formatting import joined
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class BattleActs:
    """The user's main action, the other actions, and a sentence if they are waiting for somebody else.

    If the actions include the battle sheet, `letter_words` names the letters on it that none of the fonts has.
    """

    main: Link | None
    others: tuple[Link, ...] = ()
    told: str = ""
    letter_words: str = ""


def battle_acts(battle: Battle, sides: list[Side], mine: Side | None, administers: bool) -> BattleActs:
    """Return the actions open to this user. Two queries for a battle to report, otherwise none."""
    acts = mine is not None or administers
    links: list[Link] = []
    told = letter_words = ""
    if battle.status in AHEAD and acts:
        links, told = _links_ahead(battle, sides, mine), _muster_words(battle, sides, mine)
        links = [*_draft_links(battle, mine, administers), *links]
        letter_words = unprintable_on_sheet(battle, sides, mine)
    elif battle.status in REPORTED and acts:
        links, told = _links_reported(battle, sides, mine, administers), _answer_words(battle, sides, mine)
    elif battle.status == Battle.Status.MUSTERED and battle.campaign.rosters == Campaign.Rosters.OPEN:
        links = [Link(_("Watch the table"), reverse("battle-track", args=[battle.pk]))]
    return BattleActs(links[0] if links else None, tuple(links[1:]), told, letter_words)


def _links_ahead(battle: Battle, sides: list[Side], mine: Side | None) -> list[Link]:
    muster = reverse("force-select", args=[battle.pk])
    if battle.campaign.is_friendly and _waits_for_opponent(sides):
        invite = Link(_("Invite the other player"), reverse("friendly-invite", args=[battle.pk]))
        return [invite, Link(_("Set up and get ready"), muster)]
    report = Link(_("Report the battle"), reverse("battle-report", args=[battle.pk]))
    if battle.status == Battle.Status.MUSTERED:
        table = Link(_("To the table"), reverse("battle-track", args=[battle.pk]))
        links = [table, report, Link(_("See both forces"), muster)]
    elif mine is None or mine.ready_at is None:
        links = [Link(_("Set up and get ready"), muster), report]
    else:
        links = [report, Link(_("See both forces"), muster)]
    links.append(Link(_("Battle sheet"), reverse("battle-print", args=[battle.pk])))
    links.append(Link(_("Upload a filled-in sheet"), reverse("sheet-bring", args=[battle.pk])))
    if mine is not None and draws_crib(battle):
        links.append(Link(_("Crib of odds"), f"{reverse('crib-print')}?battle={battle.pk}"))
    return links


def _draft_links(battle: Battle, mine: Side | None, administers: bool) -> list[Link]:
    """Return a link to each draft of the report that this user may accept. One query."""
    report = reverse("battle-report", args=[battle.pk])
    return [
        Link(_("Read the report draft for {side}").format(side=side_name(draft.side)), f"{report}?draft={draft.pk}")
        for draft in waiting_drafts(battle)
        if administers or (mine is not None and draft.side_id == mine.pk)
    ]


def _waits_for_opponent(sides: list[Side]) -> bool:
    return any(side.seat_id is not None and side.seat.claim_token for side in sides)


def _links_reported(battle: Battle, sides: list[Side], mine: Side | None, administers: bool) -> list[Link]:
    answer = reverse("report-confirm", args=[battle.pk])
    is_open = battle.status == Battle.Status.REPORTED
    has_answered = mine is not None and mine.confirmed_at is not None
    links = []
    if battle.status == Battle.Status.DISPUTED and administers:
        links.append(Link(_("Decide the dispute"), answer))
    elif is_open and (administers or not has_answered):
        links.append(Link(_("Read and answer the report"), answer))
    links += _after_links(battle, sides, mine, administers)
    if administers or is_open:
        links.append(Link(_("Amend the report"), f"{reverse('battle-report', args=[battle.pk])}?amend=1"))
    if is_open and has_answered:
        links.append(Link(_("Have it confirmed here"), answer))
    return links


def _muster_words(battle: Battle, sides: list[Side], mine: Side | None) -> str:
    if battle.status != Battle.Status.SCHEDULED or mine is None or mine.ready_at is None:
        return ""
    late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
    if not late:
        return ""
    return ngettext("You are ready. {players} is not.", "You are ready. {players} are not.", len(late)).format(
        players=joined(late)
    )


def _answer_words(battle: Battle, sides: list[Side], mine: Side | None) -> str:
    if battle.status != Battle.Status.REPORTED or mine is None or mine.confirmed_at is None:
        return ""
    others = [who_answers(side) for side in sides if side.confirmed_at is None]
    if not others or not battle.confirm_by:
        return ""
    return _("Sent. {players} can answer {until_day}. After that, the report counts as confirmed.").format(
        players=capfirst(joined(others)), until_day=until(battle.confirm_by)
    )


def _after_links(battle: Battle, sides: list[Side], mine: Side | None, administers: bool) -> list[Link]:
    links: list[Link] = []
    for side in sides:
        sequence = next(iter(side.post_battles.all()), None)
        if sequence is None or side.warband is None:
            continue
        own = mine is not None and side.pk == mine.pk
        if not own and not administers:
            continue

        href = reverse("post-battle-show", args=[battle.pk, side.warband_id])
        label = _("Continue the post-battle")
        if sequence.started_at is None:
            label = _("Start the post-battle")
        elif sequence.closed_at:
            label = _("See the post-battle")
        link = Link(label if own else f"{label}: {side.warband.name}", href)
        links.insert(0, link) if own and sequence.closed_at is None else links.append(link)
    return links
