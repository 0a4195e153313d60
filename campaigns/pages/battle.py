"""One battle: where it stands, its sides, its reports, and what can be done next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone

from campaigns.battle_result import COUNTED_BY
from campaigns.models import Battle, Campaign, Capture, PostBattle, Report, Side
from campaigns.pages.battle_acts import REPORTED, battle_acts
from campaigns.pages.formatting import against, battle_state, on_day, until
from campaigns.pages.rule_links import rules_of
from campaigns.report_data import placing
from campaigns.scenarios import deeds_of, scenario_name, scenario_of
from campaigns.services.common import listed, side_name, who_answers
from campaigns.services.reports import POINTS_BY
from campaigns.settings_schema import BY_KEY, setting_of
from warbands.labels import word
from warbands.models import Event
from warbands.pages.formatting import clock, day, plural
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link

AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)


@dataclass(frozen=True, slots=True)
class BattleStage:
    """One stage of a battle's life."""

    label: str
    words: str
    state: str  # done, current, later, broken


@dataclass(frozen=True, slots=True)
class Flag:
    """A problem of a mustered roster, as the other side reads it."""

    sentence: str
    mend: str
    source: str
    href: str
    fighter_name: str


@dataclass(frozen=True, slots=True)
class SideLine:
    """One side of a battle."""

    pk: int
    name: str
    href: str
    player_words: str
    list_words: str
    role_words: str
    ready_words: str
    is_ready: bool
    result_words: str
    points: str
    number_words: str
    problems: tuple[Flag, ...]
    since: tuple[Flag, ...]  # what an attacker who mustered later brought about
    settled_words: str
    settle_href: str
    after: Link | None
    after_words: str
    confirmed_words: str
    mine: bool
    may_unready: bool


@dataclass(frozen=True, slots=True)
class ReportLine:
    """What a report says, line by line."""

    number: int
    by: str
    when: str
    result: str
    score: str
    lines: tuple[tuple[str, str], ...]
    words: str
    dispute_words: str
    stands: bool


@dataclass(frozen=True, slots=True)
class BattlePage:
    """One battle."""

    pk: int
    title: str
    versus: str
    campaign: Link
    round: Link | None
    round_words: str  # the round where it is no link
    words: str
    state_words: str
    stages: tuple[BattleStage, ...]
    scenario: tuple[tuple[str, str], ...]
    scenario_words: str
    rules: tuple[Link, ...]  # the pages of its scenario and deeds
    sides: tuple[SideLine, ...]
    report: ReportLine | None
    reports: tuple[ReportLine, ...]
    main: Link | None
    others: tuple[Link, ...]
    letter_words: str  # the letters of the names on its battle sheet that no font has
    told: str
    since: tuple[tuple[str, str], ...]  # what stands wrong with one's own force since, and where it is taken back
    captures: tuple[Link, ...]
    news: tuple[tuple[str, str], ...]
    administers: bool
    may_move: bool
    may_cancel: bool
    may_record: bool
    may_void: bool
    void_href: str
    stands: tuple[str, ...]
    points_agreed: tuple[tuple[str, str], ...]
    unplayed_words: tuple[str, ...]
    planned_for: str
    rounds: tuple[tuple[str, str], ...]
    round_number: str
    kind_choices: tuple[tuple[str, str], ...]


def read_sides(battle: Battle) -> list[Side]:
    """The sides of a battle with seat, warband, snapshot and sequence: two queries."""
    sides = (
        battle.sides.live()
        .select_related("seat__user", "warband__terms", "warband__owner", "snapshot")
        .order_by("place", "pk")
    )
    rows = list(sides.prefetch_related(Prefetch("post_battles", queryset=PostBattle.objects.live())))
    for side in rows:
        side.battle = battle
    return rows


def battle_page(battle: Battle, user: Any, *, administers: bool, mine: Side | None) -> BattlePage:
    """Build the page: seven queries on top of fetching, one more where its battle sheet is on offer."""
    sides = read_sides(battle)
    reports = list(
        Report.objects.live().filter(battle=battle).select_related("by", "by_side__seat").order_by("number", "pk")
    )
    names = fighter_names(sides) if reports else {}
    lines = [report_line(report, battle, sides, names) for report in reports]
    standing = [line for line in lines if line.stands]
    scenario = scenario_of(battle) if battle.scenario_id else None
    acts = battle_acts(battle, sides, mine, administers)
    open_kind = battle.status in AHEAD
    events = (
        Event.objects.filter(occasion=battle.occasion, undoes__isnull=True, undone_by__isnull=True)
        .exclude(kind__in=QUIET)
        .order_by("-pk")[:8]
    )
    rounds = (
        tuple(
            (str(n), f"Round {n}")
            for n in battle.campaign.rounds.live().filter(is_closed=False).values_list("number", flat=True)
        )
        if open_kind
        else ()
    )
    return BattlePage(
        pk=battle.pk,
        title=scenario_name(battle) if scenario is not None or battle.scenario_name else against(sides),
        versus=against(sides),
        campaign=Link(battle.campaign.name, reverse("campaign-show", args=[battle.campaign_id])),
        round=Link(
            f"Round {battle.round.number}", reverse("round-show", args=[battle.campaign_id, battle.round.number])
        )
        if battle.round
        else None,
        round_words="",
        words=_when(battle),
        state_words=battle_state(battle),
        stages=_stages(battle, sides),
        scenario=_scenario_lines(scenario),
        scenario_words=scenario.words if scenario is not None else "",
        rules=rules_of(battle),
        sides=tuple(_side_line(battle, side, sides, user, administers) for side in sides),
        report=standing[-1] if standing else None,
        reports=tuple(line for line in lines if not standing or line is not standing[-1]),
        main=acts.main,
        others=acts.others,
        letter_words=acts.letter_words,
        told=acts.told,
        since=_since(battle, [mine] if mine is not None else []),
        captures=_captures(battle),
        news=tuple((f"{day(event.at)}, {clock(event.at)}", event.told) for event in events),
        administers=administers,
        may_move=open_kind and (administers or mine is not None),
        may_cancel=open_kind and (administers or mine is not None),
        may_record=open_kind and (administers or mine is not None),
        may_void=administers and battle.status in REPORTED,
        void_href=reverse("battle-void", args=[battle.pk]),
        stands=_stands(battle),
        points_agreed=tuple((f"points_{side.pk}", side_name(side)) for side in sides),
        unplayed_words=_unplayed_words(battle),
        planned_for=battle.planned_for.isoformat() if battle.planned_for else "",
        rounds=rounds,
        round_number=str(battle.round.number) if battle.round else "",
        kind_choices=tuple(
            choice for choice in Battle.Kind.choices if choice[0] not in (Battle.Kind.PLAYED, Battle.Kind.BYE)
        ),
    )


def watched_battle_page(battle: Battle) -> BattlePage:
    """The page for spectators: what was played and how it ended, without acts, rosters, disputes or captives. Seven queries."""
    page = battle_page(battle, AnonymousUser(), administers=False, mine=None)
    return replace(
        page,
        campaign=Link(battle.campaign.name, reverse("campaign-watch", args=[battle.campaign.slug])),
        round=None,
        round_words=page.round.label if page.round is not None else "",
        sides=tuple(replace(side, href="", problems=(), since=(), settled_words="", after=None) for side in page.sides),
        report=replace(page.report, dispute_words="") if page.report is not None else None,
        reports=(),
        main=_watched(battle),
        others=(),
        told="",
        since=(),
        captures=(),
    )


def _watched(battle: Battle) -> Link | None:
    """Where spectators follow a battle while it is played."""
    if battle.status != Battle.Status.MUSTERED or battle.campaign.rosters != Campaign.Rosters.OPEN:
        return None
    return Link("Watch the table", reverse("table-watch", args=[battle.campaign.slug, battle.pk]))


QUIET = ("roll", "choose", "step", "fought", "force", "scenario", "attacker", "write", "close", "reopen")


def _when(battle: Battle) -> str:
    if battle.kind == Battle.Kind.BYE:
        return "a bye, no win"
    if battle.played_on is not None:
        how = "played" if battle.kind == Battle.Kind.PLAYED else battle.get_kind_display().lower()
        return f"{how}, {on_day(battle.played_on)}" if how != "played" else f"played {on_day(battle.played_on)}"
    return f"set for {on_day(battle.planned_for)}" if battle.planned_for else "no day set"


def _stands(battle: Battle) -> tuple[str, ...]:
    """What was not undone when the battle was voided. One query, none for any other battle."""
    if battle.status != Battle.Status.VOID:
        return ()
    voided = Event.objects.filter(occasion=battle.occasion, kind="void").order_by("-pk").first()
    return tuple(str(line) for line in voided.data.get("stands", ())) if voided is not None else ()


UNPLAYED = (Battle.Kind.WALK_OVER, Battle.Kind.NO_SHOW, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


def _unplayed_words(battle: Battle) -> tuple[str, ...]:
    """What each way of not playing a battle counts for in this campaign. No queries."""
    words = []
    for kind in UNPLAYED:
        counted = dict(BY_KEY[COUNTED_BY[kind]].options)[setting_of(battle.campaign, COUNTED_BY[kind])]
        key = POINTS_BY.get(kind)
        points = f"{plural(setting_of(battle.campaign, key), 'point')} where none are agreed; " if key else ""
        words.append(f"{dict(Battle.Kind.choices)[kind]}: {points}{counted}.")
    return tuple(words)


def _captures(battle: Battle) -> tuple[Link, ...]:
    held = Capture.objects.live().filter(battle=battle, status=Capture.Status.HELD).select_related("fighter")
    return tuple(
        Link(f"{capture.fighter.name} is held by {capture.captor_name}", reverse("capture-settle", args=[capture.pk]))
        for capture in held
    )


# --- stages ----------------------------------------------------------------------------------------------------------------------


def _stages(battle: Battle, sides: list[Side]) -> tuple[BattleStage, ...]:
    if battle.status == Battle.Status.CANCELLED:
        return (BattleStage("Set up", "", "done"), BattleStage("Called off", "", "broken"))
    order = ["set", "mustered", "reported", "confirmed", "closed"]
    reached = {
        Battle.Status.SCHEDULED: 1,
        Battle.Status.MUSTERED: 2,
        Battle.Status.REPORTED: 3,
        Battle.Status.DISPUTED: 3,
        Battle.Status.CONFIRMED: 4,
        Battle.Status.CLOSED: 5,
        Battle.Status.VOID: 5,
    }[Battle.Status(battle.status)]
    musters = [side for side in sides if not side.is_guest]
    ready = sum(1 for side in musters if side.ready_at is not None)
    waiting = [who_answers(side) for side in sides if side.confirmed_at is None]
    words = {
        "set": "",
        "mustered": f"{ready} of {len(musters)} ready" if reached == 1 else "",
        "reported": "",
        "confirmed": f"waits for {listed(waiting)} {until(battle.confirm_by)}".strip()
        if reached == 3 and waiting
        else "",
        "closed": _sequences_words(sides) if reached == 4 else "",
    }
    labels = {
        "set": "Set up",
        "mustered": "Mustered",
        "reported": "Reported",
        "confirmed": "Confirmed",
        "closed": "Closed",
    }
    stages = []
    for place, key in enumerate(order):
        state = "done" if place < reached else "current" if place == reached else "later"
        label = labels[key]
        if key == "confirmed" and battle.status == Battle.Status.DISPUTED:
            label, state = "Disputed", "broken"
        stages.append(BattleStage(label, words[key] if state in ("current", "broken") else "", state))
    if battle.status == Battle.Status.VOID:
        stages[-1] = BattleStage("Void", "counts for nothing", "broken")
    return tuple(stages)


def _sequences_words(sides: list[Side]) -> str:
    open_ones = [
        side_name(side) for side in sides for sequence in side.post_battles.all() if sequence.closed_at is None
    ]
    return f"post-battle open: {listed(open_ones)}" if open_ones else ""


# --- sides ------------------------------------------------------------------------------------------------------------------------


def _side_line(battle: Battle, side: Side, sides: list[Side], user: Any, administers: bool) -> SideLine:
    warband = side.warband
    sequence = next(iter(side.post_battles.all()), None)
    own = (
        not side.is_guest
        and user.pk is not None
        and user.pk in {side.seat.user_id, warband.owner_id if warband else None}
    )
    after_words = ""
    if sequence is not None and battle.status != Battle.Status.VOID:
        after_words = (
            "closed"
            if sequence.closed_at
            else f"{plural(len(sequence.done), 'step')} done"
            if sequence.started_at
            else "not begun"
        )
    role = {True: "attacks", False: "defends", None: ""}[side.is_attacker]
    problems = flags(side)
    words = ""
    if side.ready_at is not None:
        version = f", v{side.snapshot.version}" if side.snapshot is not None else ""
        words = f"ready since {day(side.ready_at)} {clock(side.ready_at)}{version}"
    elif battle.status in AHEAD and not side.is_guest:
        words = "not ready"
    confirmed = ""
    if side.confirmed_at is not None and battle.status in REPORTED:
        confirmed = f"confirmed {day(side.confirmed_at)} {clock(side.confirmed_at)}"
        if side.confirmed_by is not None and not side.is_guest and side.confirmed_by_id != side.seat.user_id:
            confirmed += f" by {side.confirmed_by}"
    return SideLine(
        pk=side.pk,
        name=side_name(side),
        href=reverse("warband-show", args=[warband.pk])
        if warband is not None and (own or administers or _open_to(battle, side))
        else "",
        player_words="a guest"
        if side.is_guest
        else ""
        if side_name(side) == side.seat.name
        else f"led by {side.seat.name}",
        list_words=names_of(warband.terms).list_words(warband.list_id) if warband is not None else side.guest_keyword,
        role_words=role,
        ready_words=words,
        is_ready=side.ready_at is not None,
        result_words=side.get_result_display() if side.result else "",
        points=""
        if side.points is None
        else str(side.points) + (f" + {side.campaign_points}" if side.campaign_points else ""),
        number_words=f"battle {side.number}" if side.number else "",
        problems=problems,
        since=since_muster(side) if side.ready_at is not None else (),
        settled_words=settled_words(side) if problems else "",
        settle_href=reverse("flag-settle", args=[battle.pk])
        if problems and administers and battle.status not in (Battle.Status.VOID, Battle.Status.CANCELLED)
        else "",
        after=Link("Post-battle", reverse("post-battle-show", args=[battle.pk, side.warband_id]))
        if sequence is not None and (own or administers)
        else None,
        after_words=after_words,
        confirmed_words=confirmed,
        mine=own,
        may_unready=side.ready_at is not None and battle.status in AHEAD and (own or administers),
    )


def _open_to(battle: Battle, side: Side) -> bool:
    return battle.campaign.rosters == Campaign.Rosters.OPEN


def flags(side: Side) -> tuple[Flag, ...]:
    """The problems with which a side's roster was frozen. No queries."""
    return _flags_of(side.snapshot.problems) if side.snapshot is not None else ()


def _since(battle: Battle, sides: Sequence[Side]) -> tuple[tuple[str, str], ...]:
    """What to tell those who mustered before an attacker, while their force can be taken back."""
    if battle.status not in AHEAD:
        return ()
    here = reverse("force-select", args=[battle.pk])
    return tuple(
        (since_words(side), f"{here}?side={side.pk}#force")
        for side in sides
        if side.ready_at is not None and side.force.get("since")
    )


def since_words(side: Side) -> str:
    """What an attacker who mustered after a side makes of its force, "" where nothing. No queries."""
    return " ".join(flag.sentence for flag in since_muster(side))


def since_muster(side: Side) -> tuple[Flag, ...]:
    """What is wrong with a side's force since an attacker mustered after it. No queries."""
    return _flags_of(side.force.get("since") or ())


def _flags_of(problems: Iterable[Mapping[str, Any]]) -> tuple[Flag, ...]:
    return tuple(
        Flag(
            str(found.get("message", "")),
            str(found.get("mend", "")),
            str(found.get("source", "")),
            "",
            ""
            if str(found.get("message", "")).startswith(found.get("fighter") or "\0")
            else str(found.get("fighter", "")),
        )
        for found in problems
    )


def settled_words(side: Side) -> str:
    """How the problems of a side were settled: "cleo let it stand, Sat 14 Nov 21:40: “…”"; "" while nobody did."""
    flag = side.force.get("flag")
    if not flag:
        return ""
    at = timezone.localtime(datetime.fromisoformat(flag["at"]))
    what = "let it stand" if flag["way"] == "stands" else "asks to mend it from now on"
    return f"{flag['by']} {what}, {day(at)} {clock(at)}: “{flag['words']}”"


def _scenario_lines(scenario: Any) -> tuple[tuple[str, str], ...]:
    if scenario is None or not scenario.described:
        return ()
    lines = (
        ("Forces", scenario.force_words),
        ("Deployment", scenario.deployment_words),
        ("Length", scenario.length_words),
        ("Victory", scenario.victory_words),
        ("Special", scenario.special_words),
    )
    return tuple(line for line in lines if line[1])


# --- reports -----------------------------------------------------------------------------------------------------------------------


def fighter_names(sides: list[Side]) -> dict[str, str]:
    """Fighters of all sides by key, whoever they were. One query."""
    from warbands.models import Fighter

    ids = [side.warband_id for side in sides if side.warband_id]
    return {str(pk): name for pk, name in Fighter.objects.filter(warband__in=ids).values_list("pk", "name")}


def report_line(report: Report, battle: Battle, sides: list[Side], names: dict[str, str]) -> ReportLine:
    """A report in words. No queries."""
    data = report.data
    by_key = {str(side.pk): side for side in sides}
    deeds = {deed.id: deed.name for deed in deeds_of(battle)}
    points = data.get("points", {})
    told = " : ".join(str(points.get(str(side.pk), 0)) for side in sides)
    if len(sides) == 2:
        told = f"{side_name(sides[0])} {told} {side_name(sides[1])}"
    else:
        told = ", ".join(f"{side_name(side)} {points.get(str(side.pk), 0)}" for side in sides)
    lines: list[tuple[str, str]] = []
    if len(sides) > 2:
        places = placing(data, sides)
        ranked = sorted(by_key, key=lambda key: places.get(key, 0))
        lines.append(("Places", ", ".join(f"{places[key]} {side_name(by_key[key])}" for key in ranked)))
    for key, side in by_key.items():
        out = data.get("out", {}).get(key, {})
        extra = data.get("campaign_points", {}).get(key, 0)
        if extra:
            lines.append((f"Campaign points, {side_name(side)}", str(extra)))
        if side.warband_id is not None or out:
            lines.append(
                (
                    f"Out, {side_name(side)}",
                    listed(_out_words(fighter, by, key, by_key, names) for fighter, by in out.items()) or "nobody",
                )
            )
    done = [
        f"{deeds.get(deed, deed)}: {names.get(fighter, '') or side_name(by_key[key])}"
        for deed, key, fighter in data.get("deeds", ())
        if key in by_key
    ]
    for key, rows in (data.get("losses") or {}).items():
        told_losses = [f"{names.get(fighter, 'somebody')}: {_lost_words(lost)}" for fighter, lost in rows.items()]
        if key in by_key:
            lines.append((f"Lost, {side_name(by_key[key])}", "; ".join(told_losses)))
    if done or word(battle.campaign.terms, "glory", "Glory"):
        lines.append(("Deeds", "; ".join(done) or "none"))
    used = sum(len(items) for items in data.get("used", {}).values())
    if used:
        lines.append(("Used up", plural(used, "piece")))
    winner = by_key.get(str(data.get("winner") or ""))
    result = (
        f"{side_name(winner)} won" if winner is not None else "Drawn" if data.get("outcome") == "drawn" else "No winner"
    )
    author = side_name(report.by_side) if report.by_side is not None else "An administrator"
    if report.by is not None:
        own = report.by_side is None or report.by_side.is_guest or report.by_side.seat.user_id == report.by_id
        author = str(report.by) if own else f"{report.by}, for {author}"
    return ReportLine(
        number=report.number,
        by=author,
        when=f"{day(report.sent_at)}, {clock(report.sent_at)}",
        result=result,
        score=told,
        lines=tuple(lines),
        words=str(data.get("words", "")),
        dispute_words=report.dispute_words,
        stands=report.stands,
    )


def _lost_words(lost: Mapping[str, int]) -> str:
    return listed(f"{n} {name}" for name, n in lost.items())


def _out_words(fighter: str, by: str, key: str, sides: dict[str, Side], names: dict[str, str]) -> str:
    name = names.get(fighter, "somebody")
    if len(sides) > 2 and by in sides and by != key:
        return f"{name} (by {side_name(sides[by])})"
    if by == key:
        return f"{name} (by its own side)"
    if not by:
        return f"{name} (a fall, or unknown)"
    return name
