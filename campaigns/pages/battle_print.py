"""The page that prints the sheet of a battle: paper and look, and the code by which others report it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.battle_sheet import unprintable_on_sheet
from campaigns.models import AHEAD, Battle, ReportCode, Side
from campaigns.pages.formatting import against
from campaigns.services.common import side_name
from campaigns.services.report_drafts import spent_sides
from campaigns.settings_schema import setting_of
from warbands.pages.printing import LOOK_WORDS, SheetOption
from warbands.pages.widgets import Link
from warbands.print_options import LOOKS, PAPERS, PrintOptions


@dataclass(frozen=True, slots=True)
class CodeState:
    """The code of one side: how it stands, in words, and whether one is in use that can be revoked."""

    pk: int
    name: str
    words: str
    in_use: bool


@dataclass(frozen=True, slots=True)
class BattlePrintPage:
    """`codes` is empty for a battle that has its report: no code opens anything then."""

    here: str
    back: Link
    meta: str
    papers: tuple[SheetOption, ...]
    looks: tuple[SheetOption, ...]
    with_all: bool
    may_print_all: bool
    with_code: bool
    fillable: bool
    codes: tuple[CodeState, ...]
    code_words: str
    letter_words: str


def battle_print_page(
    battle: Battle,
    sides: Sequence[Side],
    mine: Side | None,
    options: PrintOptions,
    *,
    administers: bool,
    with_all: bool = False,
    with_code: bool = True,
    fillable: bool = False,
) -> BattlePrintPage:
    """Build the page. Three queries."""
    open_to_all = bool(setting_of(battle.campaign, "code_without_account"))
    return BattlePrintPage(
        here=reverse("battle-print", args=[battle.pk]),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        meta=against(sides),
        papers=tuple(SheetOption(paper, paper, paper == options.paper) for paper in PAPERS),
        looks=tuple(SheetOption(look, str(LOOK_WORDS[look]), look == options.look) for look in LOOKS),
        with_all=with_all,
        may_print_all=administers and mine is not None,
        with_code=with_code,
        fillable=fillable,
        codes=_codes(sides if mine is None or administers else [mine]) if battle.status in AHEAD else (),
        code_words=_("Anybody who scans it can send one report for its side, without an account.")
        if open_to_all
        else _("The side's player or an administrator can send one report with it, signed in."),
        letter_words=unprintable_on_sheet(battle, sides, mine),
    )


def _codes(sides: Sequence[Side]) -> tuple[CodeState, ...]:
    keys = [side.pk for side in sides]
    kept = {code.side_id: code for code in ReportCode.objects.filter(side__in=keys)}
    spent = spent_sides(kept.values())
    found = []
    for side in sides:
        code = kept.get(side.pk)
        words = _("none yet")
        if code is not None and not code.code:
            words = _("revoked")
        elif code is not None:
            words = _("used for a report") if side.pk in spent else _("in use")
        in_use = code is not None and bool(code.code) and side.pk not in spent
        found.append(CodeState(side.pk, side_name(side), words, in_use))
    return tuple(found)
