"""Moves a campaign with all its warbands to another state of its edition, and shows beforehand what that changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Campaign, PostBattle, Side
from campaigns.scenarios import deeds_of, scenario_name
from rules.game import GameContent
from rules.parts.states import WarbandChange
from rules.problems import Refusal
from warbands.models import Terms, Warband
from warbands.recording import recording
from warbands.services.states import content_of_state, foresee, move_to_state


def move_campaign(
    *, campaign: Campaign, overlays: Sequence[str], policy: str, actor: Any, edition: str = "", token: str = ""
) -> Campaign:
    """Move the campaign and every warband under its terms. One act, which one undo takes back. Raises Refusal."""
    terms = campaign.terms
    if refusal := hindrance(campaign, edition):
        raise refusal
    warbands, battles = warbands_under(terms), _live_battles(campaign)
    there = content_of_state(terms, overlays, edition)
    renamed = renamed_scenarios(battles, there)
    left = _left_of_battles(battles, there)
    rows = (terms, *(each.battle for each in renamed), *warbands)
    with recording(campaign, *rows, kind="state", actor=actor, for_name="", token=token) as act:
        locked = [act.row(warband) for warband in warbands]
        words = move_to_state(act, act.row(terms), locked, overlays, policy, edition, left)
        for each in renamed:
            row = act.row(each.battle)
            act.change(row, scenario_id=each.scenario_id, scenario_name=each.scenario_name)
            act.set_leaf(row, ("found",), None, field="muster")
        act.say(_("{{who}} moved {campaign}: {words}").format(campaign=campaign.name, words=words))
    return campaign


@dataclass(frozen=True, slots=True)
class RenamedScenario:
    """A planned battle whose scenario the other state lacks, or has again. Without an id it is known by name only."""

    battle: Battle
    scenario_id: str
    scenario_name: str


def renamed_scenarios(battles: Iterable[Battle], there: GameContent) -> list[RenamedScenario]:
    """Return the planned battles whose scenario has no counterpart in another content, or has one again."""
    found = []
    for battle in battles:
        if battle.status not in AHEAD:
            continue
        then = _scenario_names(battle, there)
        ids = {name: id_ for id_, name in then.items()}
        if battle.scenario_id and battle.scenario_id not in then:
            found.append(RenamedScenario(battle, "", scenario_name(battle)))
        elif not battle.scenario_id and battle.scenario_name in ids:
            found.append(RenamedScenario(battle, ids[battle.scenario_name], ""))
    return found


def _scenario_names(battle: Battle, content: GameContent) -> dict[str, str]:
    return {each.id: each.name for each in battle.campaign.terms.game.battle.scenarios(content)}


def _left_of_battles(battles: Iterable[Battle], there: GameContent) -> dict[str, dict[str, Any]]:
    """Return the scenarios and deeds of battles that another content does not have, by kind and id."""
    names: dict[str, Any] = {}
    deeds: dict[str, Any] = {}
    for battle in battles:
        if battle.status in AHEAD:
            continue
        if battle.scenario_id and battle.scenario_id not in _scenario_names(battle, there):
            names[battle.scenario_id] = scenario_name(battle)
        campaign = battle.campaign.terms.game.campaign
        then = {deed.id for deed in campaign.deeds(there, battle.scenario_id)} if campaign is not None else set()
        deeds |= {deed.id: asdict(deed) for deed in deeds_of(battle) if deed.id not in then}
    return {"scenarios": names, "deeds": deeds}


def _live_battles(campaign: Campaign) -> list[Battle]:
    """Return the battles of a campaign, with its terms. One query."""
    rows = list(Battle.objects.live().filter(campaign=campaign).order_by("pk"))
    for row in rows:
        row.campaign = campaign
    return rows


def scenarios_by_name(campaign: Campaign, overlays: Sequence[str], edition: str = "") -> tuple[str, ...]:
    """Return the scenarios of planned battles that another state does not have. One query. Raises Refusal."""
    there = content_of_state(campaign.terms, overlays, edition)
    found = renamed_scenarios(_live_battles(campaign), there)
    return tuple(dict.fromkeys(each.scenario_name for each in found if each.scenario_name))


def hindrance(campaign: Campaign, edition: str = "") -> Refusal | None:
    """Return why the campaign cannot move to another state of this edition now; None if it can. Up to four queries."""
    if campaign.terms.coming:
        return Refusal(
            _("House rules are planned for later."), mend=_("Let them begin, or cancel them first."), code="coming"
        )
    return _unfinished(campaign) if edition not in ("", campaign.terms.edition) else None


def _unfinished(campaign: Campaign) -> Refusal | None:
    """Return the refusal while a battle is mustered or its steps are open: another edition has other steps."""
    sides = Side.objects.live().filter(battle__campaign=campaign, battle__is_undone=False)
    still = PostBattle.objects.live().filter(side__in=sides, closed_at=None)
    if names := _names(sides.filter(pk__in=still.values("side"))):
        return Refusal(
            _("Steps after a battle are still open for {names}.").format(names=names),
            mend=_("Another edition has other steps. Under Reminders you can ask them to finish."),
            code="unfinished",
        )
    if names := _names(sides.filter(battle__status=Battle.Status.MUSTERED)):
        return Refusal(
            _("A battle is ready and not reported: {names}.").format(names=names),
            mend=_("Report it before another edition, or take Ready back."),
            code="unfinished",
        )
    return None


def _names(sides: QuerySet[Side]) -> str:
    """Return the warbands of these sides, and who plays each. One query."""
    found = sides.filter(warband__isnull=False).select_related("warband__owner").order_by("pk")
    told = dict.fromkeys(
        f"{side.warband.name} ({side.warband.owner})" if side.warband.owner else side.warband.name
        for side in found
        if side.warband is not None
    )
    return ", ".join(told)


def foresee_campaign(
    campaign: Campaign, overlays: Sequence[str], edition: str = ""
) -> list[tuple[Warband, WarbandChange]]:
    """Return what another state would change for each warband of the campaign. Raises Refusal. Three queries."""
    return foresee(campaign.terms, warbands_under(campaign.terms), overlays, edition)


def warbands_under(terms: Terms) -> list[Warband]:
    """Return the warbands that play under these terms, in the order of their names. One query."""
    return list(Warband.objects.live().filter(terms=terms).select_related("terms").order_by("name", "pk"))
