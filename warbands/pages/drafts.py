"""The pages of drafts: a warband's drafts, one draft with what it changes, and two drafts side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from warbands.draft_acts import read_acts
from warbands.draft_context import mount_of
from warbands.drafting import DraftRun
from warbands.idempotency import new_token
from warbands.labels import has_shop, labels_of, word, worth_words
from warbands.models import Event, RosterDraft, Warband
from warbands.pages.addresses import with_query
from warbands.pages.formatting import day, in_full, sentence
from warbands.pages.roster import UPGRADE_KINDS, Roster, read_roster
from warbands.pages.widgets import Link, ProblemRow, problem_rows
from warbands.services.drafts import MOST_DRAFTS, sentence_of


def changes_words(count: int) -> str:
    return ngettext("{count} change", "{count} changes", count).format(count=count)


def roster_in(draft: RosterDraft) -> str:
    """Return the address of the roster in a draft."""
    return mount_of(draft.pk) + reverse("warband-show", args=[draft.warband_id])


# --- the band -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftBand:
    """What stands on every page of a draft: that nothing is saved, how many changes there are, and how to apply them."""

    name: str
    count_words: str
    clash_words: str
    href: str
    drop_href: str
    seen: int
    revision: int
    token: str
    may_apply: bool


def draft_band(run: DraftRun) -> DraftBand:
    """Build the band. No queries."""
    draft, clashes = run.draft, len(run.clashes)
    href = reverse("draft-show", args=[draft.pk])
    return DraftBand(
        name=draft.name,
        count_words=changes_words(len(run.acts)),
        clash_words=_clash_words(clashes),
        href=href,
        drop_href=f"{href}#drop",
        seen=run.real_version,
        revision=draft.revision,
        token=new_token(),
        may_apply=bool(run.acts) and not clashes,
    )


def _clash_words(count: int) -> str:
    if not count:
        return ""
    return ngettext("{count} change doesn't work any more.", "{count} changes don't work any more.", count).format(
        count=count
    )


# --- what a roster looks like, and how two of them differ -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FighterLook:
    """A fighter as far as a draft may change it. `lines` are its parts in words, repeated as often as it has them."""

    key: str
    name: str
    profile_name: str
    rating_words: str
    lines: tuple[str, ...]
    stats: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RosterLook:
    """The state of a roster in the figures and fighters that two drafts are compared by."""

    figures: tuple[tuple[str, str], ...]
    problems: tuple[ProblemRow, ...]
    fighters: Mapping[str, FighterLook]
    stash: tuple[str, ...]


def look_of(roster: Roster) -> RosterLook:
    """Return what a roster looks like now. No queries."""
    warband, labels = roster.warband, labels_of(roster.warband.terms)
    figures = []
    if has_shop(warband.terms):
        over = roster.strongbox.ducats < 0 or roster.strongbox.glory < 0
        figures.append((_("Over budget") if over else _("Left to spend"), capfirst(in_full(roster.strongbox))))
    rating = roster.verdict.rating
    figures += [
        (labels["rating"], worth_words(warband.terms, rating.ducats, rating.glory) or "0"),
        (capfirst(word(warband.terms, "rows", _("fighters"))), str(len(roster.force.fighters))),
        (_("Problems"), str(len(roster.verdict.errors)) if roster.verdict.errors else _("none")),
    ]
    return RosterLook(
        figures=tuple(figures),
        problems=problem_rows(roster),
        fighters={fighter.key: _fighter_look(roster, fighter.key) for fighter in roster.force.fighters},
        stash=tuple(roster.item_name(item) for item in roster.force.stash),
    )


def _fighter_look(roster: Roster, key: str) -> FighterLook:
    fighter, sheet, view = roster.force.fighter(key), roster.sheets[key], roster.views.get(key)
    upgrades = (roster.names.name(upgrade.upgrade, *UPGRADE_KINDS) for upgrade in fighter.upgrades)
    chosen = (f"{name}: {words}" for name, words in sheet.chosen)
    return FighterLook(
        key=key,
        name=fighter.name,
        profile_name=sheet.profile_name,
        rating_words=sheet.rating_words,
        lines=(*upgrades, *(roster.item_name(item) for item in (view.kit if view else fighter.kit)), *chosen),
        stats=tuple((label, value) for label, value, *_rest in sheet.stats),
    )


@dataclass(frozen=True, slots=True)
class FighterChange:
    """One fighter that a draft changes. `mark` is new, changed or gone."""

    name: str
    mark: str
    mark_words: str
    words: str
    lines: tuple[str, ...]
    href: str = ""


def changes_between(before: RosterLook, after: RosterLook, mount: str = "") -> tuple[FighterChange, ...]:
    """Return the fighters that differ, and the stash if it differs. `mount` is where the pages of `after` are."""
    rows = []
    for key, now in after.fighters.items():
        was = before.fighters.get(key)
        href = mount + reverse("fighter-show", args=[int(key)]) if mount else ""
        if was is None:
            rows.append(FighterChange(now.name, "new", _("new"), _titled(now), _counted(now.lines), href))
        elif was != now:
            rows.append(FighterChange(now.name, "changed", _("changed"), _titled(now), _differences(was, now), href))
    for key, was in before.fighters.items():
        if key not in after.fighters:
            rows.append(FighterChange(was.name, "gone", _("gone"), _titled(was), ()))
    if stash := _more_and_less(before.stash, after.stash):
        rows.append(FighterChange(_("Stash"), "changed", _("changed"), "", stash))
    return tuple(rows)


def _titled(look: FighterLook) -> str:
    return ", ".join(filter(None, (look.profile_name if look.profile_name != look.name else "", look.rating_words)))


def _counted(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name} ×{count}" if count > 1 else name for name, count in Counter(lines).items())


def _differences(was: FighterLook, now: FighterLook) -> tuple[str, ...]:
    renamed = [_("was {name}").format(name=was.name)] if was.name != now.name else []
    before = dict(was.stats)
    stats = [f"{label} {before[label]} → {value}" for label, value in now.stats if before.get(label, value) != value]
    return (*renamed, *_more_and_less(was.lines, now.lines), *stats)


def _more_and_less(was: Iterable[str], now: Iterable[str]) -> tuple[str, ...]:
    before, after = Counter(was), Counter(now)
    return (
        *(f"+ {name}" for name in _counted((after - before).elements())),
        *(f"\N{MINUS SIGN} {name}" for name in _counted((before - after).elements())),
    )


@dataclass(frozen=True, slots=True)
class FigurePair:
    """One figure today and in a draft."""

    label: str
    today: str
    then: str

    @property
    def differs(self) -> bool:
        return self.today != self.then


def _figures(today: RosterLook, then: RosterLook) -> tuple[FigurePair, ...]:
    return tuple(
        FigurePair(label, before, after)
        for (_label, before), (label, after) in zip(today.figures, then.figures, strict=True)
    )


# --- one draft ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActRow:
    """One change of a draft. `reason` says why it does not work any more, "" if it works."""

    number: int
    words: str
    reason: str
    mend: str
    token: str


@dataclass(frozen=True, slots=True)
class DraftPage:
    pk: int
    name: str
    warband_name: str
    here: str
    change_href: str
    back_href: str
    roster_href: str
    moved: tuple[str, ...]
    figures: tuple[FigurePair, ...]
    acts: tuple[ActRow, ...]
    clashes: tuple[ActRow, ...]
    changes: tuple[FighterChange, ...]
    problems: tuple[ProblemRow, ...]
    others: tuple[Link, ...]
    apply_words: str
    clear_words: str
    count_words: str
    seen: int
    revision: int
    token: str
    drop_token: str
    apply_token: str


def draft_page(run: DraftRun, today: RosterLook) -> DraftPage:
    """Build the page of one draft while it runs. Six queries on top of the run."""
    draft = run.draft
    then = look_of(read_roster(run.warband()))
    here = reverse("draft-show", args=[draft.pk])
    acts = _act_rows(run)
    clashes = tuple(act for act in acts if act.reason)
    return DraftPage(
        pk=draft.pk,
        name=draft.name,
        warband_name=draft.warband.name,
        here=here,
        change_href=reverse("draft-change", args=[draft.pk]),
        back_href=reverse("draft-list", args=[draft.warband_id]),
        roster_href=roster_in(draft),
        moved=_moved(run),
        figures=_figures(today, then),
        acts=acts,
        clashes=clashes,
        changes=changes_between(today, then, mount_of(draft.pk)),
        problems=then.problems,
        others=_others(draft),
        apply_words=_("Apply {changes}").format(changes=changes_words(len(acts))),
        clear_words=_("Remove {changes}").format(changes=changes_words(len(clashes))),
        count_words=changes_words(len(acts)),
        seen=run.real_version,
        revision=draft.revision,
        token=new_token(),
        drop_token=new_token(),
        apply_token=new_token(),
    )


def _act_rows(run: DraftRun) -> tuple[ActRow, ...]:
    clashes = {clash.act.number: clash for clash in run.clashes}
    rows = []
    for act in run.acts:
        clash = clashes.get(act.number)
        rows.append(
            ActRow(
                number=act.number,
                words=sentence(sentence_of(run.told.get(act.number, act.told))),
                reason=clash.reason if clash else "",
                mend=clash.mend if clash else "",
                token=new_token(),
            )
        )
    return tuple(rows)


MOVES_TOLD = 3


def _moved(run: DraftRun) -> tuple[str, ...]:
    """Return what happened to the roster since the draft was last edited, the last few acts. One query, none if nothing."""
    draft = run.draft
    if draft.base == run.real_version:
        return ()
    since = Event.objects.filter(
        subjects__warband=draft.warband_id, subjects__number__gt=draft.base, subjects__number__lte=run.real_version
    )
    return tuple(event.told for event in since.order_by("-pk")[:MOVES_TOLD])


def _others(draft: RosterDraft) -> tuple[Link, ...]:
    compare = reverse("draft-compare", args=[draft.warband_id])
    others = RosterDraft.objects.filter(warband=draft.warband_id).exclude(pk=draft.pk).only("name")
    return tuple(Link(other.name, with_query(compare, {"a": draft.pk, "b": other.pk})) for other in others)


# --- all drafts of a warband ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftRow:
    name: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class DraftListPage:
    warband_name: str
    lead_words: str
    limit_words: str
    here: str
    back_href: str
    rows: tuple[DraftRow, ...]
    compare_href: str
    full_words: str
    token: str


def drafts_of(warband: Warband) -> tuple[DraftRow, ...]:
    """Return a warband's drafts, the oldest first. One query."""
    drafts = RosterDraft.objects.filter(warband=warband).select_related("owner").defer("outcome")
    return tuple(
        DraftRow(
            draft.name,
            reverse("draft-show", args=[draft.pk]),
            _("{changes}, by {who}, {day}").format(
                changes=changes_words(len(read_acts(draft.acts))), who=draft.owner, day=day(draft.changed_at)
            ),
        )
        for draft in drafts
    )


def _lead_words(warband: Warband) -> tuple[str, str]:
    """Return what a draft is for, and what it can't do."""
    if not has_shop(warband.terms):
        return (
            _("In a draft you take and dismiss units as usual. Your force doesn't change until you apply the draft."),
            _("You can't roll dice, replace losses or finish building in a draft."),
        )
    return (
        _("In a draft you hire, buy and swap as usual. Your roster doesn't change until you apply the draft."),
        _("You can't roll dice, collect rewards or finish building in a draft."),
    )


def draft_list_page(warband: Warband) -> DraftListPage:
    """Build the list of a warband's drafts. One query."""
    rows = drafts_of(warband)
    full = len(rows) >= MOST_DRAFTS
    lead, limits = _lead_words(warband)
    return DraftListPage(
        warband_name=warband.name,
        lead_words=lead,
        limit_words=limits,
        here=reverse("draft-list", args=[warband.pk]),
        back_href=reverse("warband-show", args=[warband.pk]),
        rows=rows,
        compare_href=reverse("draft-compare", args=[warband.pk]) if len(rows) > 1 else "",
        full_words=_("A warband has at most {count} drafts. Drop one first.").format(count=MOST_DRAFTS) if full else "",
        token=new_token(),
    )


# --- two drafts side by side ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftColumn:
    """One of the two drafts: how many of its changes do not work any more, and its problems."""

    name: str
    href: str
    clash_words: str
    problems: tuple[ProblemRow, ...]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    label: str
    today: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ComparedFighter:
    """A fighter that the two drafts treat differently; None where a draft does nothing to it, and what that means."""

    name: str
    else_words: str
    first: FighterChange | None
    second: FighterChange | None


@dataclass(frozen=True, slots=True)
class Pick:
    value: int
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ComparePage:
    warband_name: str
    here: str
    back_href: str
    first_picks: tuple[Pick, ...]
    second_picks: tuple[Pick, ...]
    columns: tuple[DraftColumn, ...]
    figures: tuple[ComparedRow, ...]
    fighters: tuple[ComparedFighter, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A draft that was run, and what its roster looked like."""

    draft: RosterDraft
    look: RosterLook
    clashes: int


def compare_page(
    warband: Warband, drafts: Sequence[RosterDraft], today: RosterLook, first: Tried, second: Tried
) -> ComparePage:
    """Build the page of two drafts side by side. No queries."""
    columns = tuple(
        DraftColumn(
            each.draft.name, reverse("draft-show", args=[each.draft.pk]), _clash_words(each.clashes), each.look.problems
        )
        for each in (first, second)
    )
    return ComparePage(
        warband_name=warband.name,
        here=reverse("draft-compare", args=[warband.pk]),
        back_href=reverse("draft-list", args=[warband.pk]),
        first_picks=_picks(drafts, first.draft),
        second_picks=_picks(drafts, second.draft),
        columns=columns,
        figures=tuple(
            ComparedRow(label, now, one, other)
            for (_l, now), (label, one), (_m, other) in zip(
                today.figures, first.look.figures, second.look.figures, strict=True
            )
        ),
        fighters=_compared(today, first.look, second.look),
    )


def _picks(drafts: Sequence[RosterDraft], chosen: RosterDraft) -> tuple[Pick, ...]:
    return tuple(Pick(draft.pk, draft.name, draft.pk == chosen.pk) for draft in drafts)


def _compared(today: RosterLook, first: RosterLook, second: RosterLook) -> tuple[ComparedFighter, ...]:
    """Return the fighters that differ between two drafts, a hire of the same name and profile side by side."""
    one, other = (_by_fighter(changes_between(today, look)) for look in (first, second))
    rows = ((key, one.get(key), other.get(key)) for key in dict.fromkeys([*one, *other]))
    return tuple(
        ComparedFighter(name, _("not hired") if (mine or theirs).mark == "new" else _("as today"), mine, theirs)  # type: ignore[union-attr]
        for name, mine, theirs in rows
        if mine != theirs
    )


def _by_fighter(rows: Iterable[FighterChange]) -> dict[str, FighterChange]:
    found: dict[str, FighterChange] = {}
    for row in rows:
        name, number = row.name, 2
        while name in found:
            name, number = f"{row.name} ({number})", number + 1
        found[name] = row
    return found
