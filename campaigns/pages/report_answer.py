"""The page that shows a report to confirm or dispute, also at the table, and for an administrator to decide a dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.dice_record import taken_back_words
from campaigns.models import ANSWERED, REPORTED, Battle, Report, Side
from campaigns.pages.battle_sides import flags
from campaigns.pages.formatting import against, until
from campaigns.pages.report_lines import ReportLine, fighter_names, report_line
from campaigns.report_link import MINUTES, answer_token
from campaigns.report_prefill import logged_losses, otherwise, table_state
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name, who_answers
from campaigns.services.report_parts import waits_for
from config.qr import code_of
from rules.formatting import joined
from warbands.pages.widgets import Link, ProblemRow


@dataclass(frozen=True, slots=True)
class Answerer:
    """A side that has not answered yet and for which the user may answer."""

    pk: int
    label: str


@dataclass(frozen=True, slots=True)
class ReportToConfirm:
    """A report to confirm at the table, with a short-lived link for another phone and the people who may confirm on this one."""

    address: str
    code: SafeString
    words: str
    people: tuple[Answerer, ...]


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    pk: int
    title: str
    versus: str
    back: Link
    here: str
    dispute_href: str
    version_href: str
    decide_href: str
    status: str
    number: int
    report: ReportLine | None
    versions: tuple[ReportLine, ...]
    version_pks: tuple[int, ...]
    answerers: tuple[Answerer, ...]
    confirm_all: bool
    may_dispute: bool
    decides: bool
    told: str
    until_words: str
    flags: tuple[tuple[str, tuple[ProblemRow, ...]], ...]
    hand_over: ReportToConfirm | None
    log_href: str
    otherwise: tuple[str, ...]  # differences between the report and the table's log


def _versus(battle: Battle, sides: list[Side]) -> str:
    known = battle.scenario_id or battle.scenario_name
    return f"{scenario_name(battle)}, {against(sides)}" if known else against(sides)


def _until_words(battle: Battle) -> str:
    if not battle.confirm_by:
        return ""
    return _("Without an answer {until_day}, it counts as confirmed.").format(until_day=until(battle.confirm_by))


def confirm_page(
    battle: Battle, sides: list[Side], mine: Side | None, *, administers: bool, plays: Mapping[int, bool], site: str
) -> ConfirmPage:
    """Build the page. Four queries; `sides` come from `read_sides`.

    `plays` maps the id of a side to whether the user plays it. `site` is the base URL for links.
    """
    reports = list(
        Report.objects.live()
        .filter(battle=battle)
        .select_related("by", "by_side__seat", "by_side__warband")
        .order_by("number", "pk")
    )
    names = fighter_names(sides)
    standing = next((report for report in reversed(reports) if report.stands), None)
    is_open = battle.status == Battle.Status.REPORTED
    shown = _shown(battle, reports, standing)
    rolls = taken_back_words(battle, sides)
    versions = tuple(report_line(report, battle, sides, names, rolls) for report in shown)
    by_side = standing.by_side if standing is not None else None
    waiting = waits_for(battle, sides, by_side) if is_open else []
    report_href = reverse("battle-report", args=[battle.pk])
    return ConfirmPage(
        pk=battle.pk,
        title=_title(battle, standing),
        versus=_versus(battle, sides),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        here=reverse("report-confirm", args=[battle.pk]),
        dispute_href=reverse("report-dispute", args=[battle.pk]),
        version_href=f"{report_href}?dispute=1",
        decide_href=f"{report_href}?decide=1",
        status=battle.status,
        number=standing.number if standing is not None else 0,
        report=next(iter(versions), None),
        versions=versions,
        version_pks=tuple(report.pk for report in shown),
        answerers=tuple(_answerers(waiting, plays, administers)),
        confirm_all=administers and len(waiting) > 1,
        may_dispute=is_open and not battle.campaign.is_friendly and _may_dispute(standing, mine),
        decides=administers and battle.status == Battle.Status.DISPUTED,
        told=_answer_words(battle, mine, waiting, administers),
        until_words=_until_words(battle) if is_open else "",
        flags=tuple((side_name(side), problems) for side in sides if (problems := flags(side))),
        hand_over=_hand_over(standing, waiting, plays, site),
        log_href=f"{reverse('battle-track', args=[battle.pk])}?tab=log",
        otherwise=_other_in_log(battle, standing),
    )


def _shown(battle: Battle, reports: list[Report], standing: Report | None) -> list[Report]:
    """Return the standing report, and during a dispute also the versions proposed against it."""
    if standing is None:
        return []
    if battle.status != Battle.Status.DISPUTED:
        return [standing]
    return [standing, *(each for each in reports if not each.stands and each.number > standing.number)]


def _may_dispute(standing: Report | None, mine: Side | None) -> bool:
    if mine is None or mine.confirmed_at is not None:
        return False
    return standing is None or standing.by_side_id != mine.pk


def _other_in_log(battle: Battle, standing: Report | None) -> tuple[str, ...]:
    """List the differences between the report and the table's log. One query for a played battle."""
    table = table_state(battle) if standing is not None and battle.kind == Battle.Kind.PLAYED else None
    if standing is None or table is None:
        return ()
    return otherwise(table, standing.data, logged_losses(battle, table))


def _hand_over(
    standing: Report | None, waiting: list[Side], plays: Mapping[int, bool], site: str
) -> ReportToConfirm | None:
    """Return how other players confirm at the table, or None if no other player with an account has to answer."""
    others = [side for side in waiting if not side.is_guest and side.seat.user_id and not plays.get(side.pk, False)]
    if standing is None or not others:
        return None
    address = site + reverse("report-answer", args=[answer_token(standing)])
    names = joined(str(side.seat.user) for side in others)

    return ReportToConfirm(
        address=address,
        code=code_of(address),
        words=_(
            "{names} can read the report on their own phone after signing in. The code works for {minutes} minutes."
        ).format(names=names, minutes=MINUTES),
        people=tuple(Answerer(side.pk, str(side.seat.user)) for side in others),
    )


def _title(battle: Battle, standing: Report | None) -> str:
    if standing is None:
        return scenario_name(battle)
    by = side_name(standing.by_side) if standing.by_side is not None else str(standing.by or _("An administrator"))
    return _("Report by {by}").format(by=by)


def _answerers(waiting: list[Side], plays: Mapping[int, bool], administers: bool) -> Iterator[Answerer]:
    for side in waiting:
        if plays.get(side.pk, False):
            yield Answerer(side.pk, _("Confirm"))
        elif administers:
            yield Answerer(side.pk, _("Confirm for {side}").format(side=side_name(side)))


def _answer_words(battle: Battle, mine: Side | None, waiting: list[Side], administers: bool) -> str:
    if battle.status in ANSWERED:
        return _("This report is confirmed.")
    if battle.status == Battle.Status.VOID:
        return _("This battle is void.")
    if battle.status == Battle.Status.DISPUTED and not administers:
        return _("An administrator decides. Only the disputed parts wait.")
    if battle.status not in REPORTED:
        return _("This battle is not reported yet.")
    if mine is not None and mine.confirmed_at is not None and waiting:
        return ngettext(
            "{players} can answer. {count} answer open.", "{players} can answer. {count} answers open.", len(waiting)
        ).format(players=capfirst(joined(who_answers(side) for side in waiting)), count=len(waiting))
    return ""
