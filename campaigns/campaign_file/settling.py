"""The end of an import: who administers the campaign here, which places can be claimed, and whether its pages can be read."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battle_result import aftermath_of
from campaigns.campaign_file.contents import in_parts
from campaigns.chronicle import awards, champions, round_facts
from campaigns.models import Administrator, Battle, Campaign, PostBattle, Round, Seat, Side, Table
from campaigns.report_data import mustered
from campaigns.scenarios import scenario_of
from campaigns.sequence import StepSequence
from campaigns.services.common import live_sides, new_link
from campaigns.services.sealed_dice import seal_dice
from campaigns.settings_schema import settings_of
from campaigns.standings import standings
from rules.tracker.state import read_state
from warbands.adapters import force_of
from warbands.chain import LINKS
from warbands.models import Warband
from warbands.recording import recording


def settle(campaigns: list[Campaign], campaign: Campaign, *, actor: User | None, links: dict[str, str]) -> None:
    """Record that a campaign came from a file: its administrator here, and a claim link for each place without a player.

    `links` is what the links of each chain come to. A battle that goes on at the table gets a new seal.
    """
    for table in Table.objects.filter(battle__campaign__in=campaigns).exclude(seal="").filter(dice_seed=None):
        seal_dice(table)
    with recording(*campaigns, kind="campaign-move", actor=actor, for_name="") as act:
        for each in campaigns:
            row = act.row(each)
            known = Administrator.objects.live().filter(campaign=row, user=actor) if actor is not None else None
            if known is not None and not known.exists():
                act.create(Administrator(campaign=row, user=actor))
            for seat in Seat.objects.live().filter(campaign=row, user=None, claim_token="").exclude(status="left"):
                act.change(seat, claim_token=new_link())
        act.say(_("{{who}} brought {name} here from a file.").format(name=campaign.name), **{LINKS: links})


def refuse_unreadable(campaigns: list[Campaign], warbands: Iterable[int]) -> None:
    """Read what the pages read. Whatever a row holds that the site can't read comes out as an exception here, not there."""
    for campaign in campaigns:
        standings(campaign)
        champions(campaign)
        awards(campaign)
        settings_of(campaign)
        for found in Round.objects.live().filter(campaign=campaign):
            round_facts(campaign, found)
        sides = Side.objects.live().filter(battle__campaign=campaign)
        for battle in Battle.objects.live().filter(campaign=campaign).select_related("campaign__terms"):
            scenario_of(battle)
            live_sides(battle)
        for side in sides.select_related("battle__campaign__terms", "seat", "warband__terms"):
            mustered(side)
            if side.snapshot_id is not None or side.result:
                aftermath_of(side.battle, side)
        for post_battle in (
            PostBattle.objects.live().filter(side__battle__campaign=campaign).select_related("warband__terms")
        ):
            if post_battle.aftermath:
                StepSequence(post_battle).standings()
        for table in Table.objects.filter(battle__campaign=campaign):
            read_state(table.state)
    for part in in_parts(warbands):
        for warband in Warband.objects.filter(pk__in=part).select_related("terms"):
            force_of(warband, gone=True)
