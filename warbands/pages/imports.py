"""The pages that import a warband: the ways to do it, one fighter typed from paper, the overview, and a pasted text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.import_text import KEPT, LEFT_OUT, Phrase, TextRoster
from rules.price import Price
from rules.problems import Problem
from rules.registry import PACKAGES, system, systems
from rules.transcription import PaperBook, PaperFighter
from warbands.host import host
from warbands.import_targets import ImportTarget
from warbands.labels import labels_of
from warbands.models import PaperDraft, Terms
from warbands.pages.formatting import clock, day, figure, money
from warbands.pages.recognised import recognised_words
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import BudgetBar, Figure, Link, ProblemRow, rules_figure
from warbands.services.paper_check import PaperCheck
from warbands.text_import import explanation_of

OTHER = "other"


def with_place(address: str, place: ImportTarget | None, name: str) -> str:
    return f"{address}?for={name}" if place is not None else address


# --- ways to import -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftLine:
    pk: int
    name: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class BringPage:
    title: str
    back: Link
    meta: str
    ways: tuple[tuple[str, str, Link], ...]
    file_href: str  # where a file of another app is sent, "" for games that read none
    untyped_words: str  # why some games can only be imported as a document
    drafts: tuple[DraftLine, ...]


def bring_page(user: Any, place: ImportTarget | None, name: str) -> BringPage:
    """Build the page that lists the ways to import. One query, two without a place."""
    ways = (
        (_("From paper"), _("One short page per fighter. You can stop and continue any time."), Link(_("Enter from paper"), with_place(reverse("paper-begin"), place, name))),
        (_("From text"), _("Text from another list builder, or your own notes. One fighter per line."), Link(_("Paste a text"), with_place(reverse("paper-text"), place, name))),
        (_("From this app"), _("The .json file from Export, with history and ledger."), Link(_("Import a file"), with_place(reverse("warband-import"), place, name))),
    )  # fmt: skip
    typed = place is None or place.terms.game.text_import is not None
    untyped = next((explanation_of(g) for g in systems() if g.text_import is None), "")
    # The user's own drafts, and those that an administrator brought for the user's places, or for this place.
    places = [name] if name else host().places_with_drafts(user)
    whose = Q(owner=user, is_shared=False) | Q(is_shared=True, place__in=places)
    rows = PaperDraft.objects.filter(whose, again=None).select_related("warband")[:60]
    return BringPage(
        title=_("Import a warband"),
        back=_back(place),
        meta=place.words if place is not None else "",
        ways=ways if typed else ways[-1:],
        file_href=with_place(reverse("paper-text"), place, name) if typed else "",
        untyped_words=untyped if place is None or not typed else "",
        drafts=tuple(_line(row) for row in rows if _is_listed(row)),
    )


def _back(place: ImportTarget | None) -> Link:
    return (
        Link(place.back_label, place.back_href) if place is not None else Link(_("Warbands"), reverse("warband-list"))
    )


def _is_listed(draft: PaperDraft) -> bool:
    """Return whether a draft waits and has pages. An export in a game that reads no text is imported as it stands."""
    if draft.system not in PACKAGES or system(draft.system).text_import is None:
        return False
    return draft.warband is None or draft.warband.is_undone


def _line(draft: PaperDraft) -> DraftLine:
    count = len(draft.data.get("fighters") or ())
    settling = bool(draft.text or draft.original) and not count
    href = reverse("paper-settle" if settling else "paper-show", args=[draft.pk])
    words = (
        draft.original_name or _("a pasted text")
        if settling
        else ngettext("{count} fighter", "{count} fighters", count).format(count=count)
    )
    if draft.is_shared:
        words = _("{words}, uploaded by an administrator").format(words=words)
    return DraftLine(
        draft.pk,
        draft.name,
        href,
        _("{words}, saved {day}, {clock}").format(
            words=words, day=day(draft.changed_at), clock=clock(draft.changed_at)
        ),
    )


# --- lists to choose from ----------------------------------------------------------------------------------------------------


def list_options(terms: Terms) -> list[tuple[str, list[tuple[str, str]]]]:
    choices = terms.game.founding.lists(terms.content)
    names = names_of(terms)
    groups: dict[str, list[tuple[str, str]]] = {}
    for choice in choices:
        base = choice.faction or choice.id
        is_standard = base == choice.id and any(c.faction == base and c.id != base for c in choices)
        label = (
            _("Standard list")
            if is_standard
            else _("{choice}, third-party").format(choice=choice.name)
            if choice.third_party
            else choice.name
        )
        groups.setdefault(names.lists[base].name, []).append(
            (
                choice.id,
                _("{name}: standard list").format(name=names.lists[base].name) if is_standard else label,
            )
        )
    return list(groups.items())


def games() -> tuple[tuple[str, str], ...]:
    """Return every game that can be imported from paper, in every edition, as "game/edition" and its name."""
    return tuple(
        (f"{g.id}/{edition}", f"{g.name} {edition}")
        for g in systems()
        for edition in g.editions()
        if g.text_import is not None
    )


# --- a draft ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TranscribedLine:
    key: str
    name: str
    href: str
    words: str
    rating: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A draft in short: its fighters, their total, and the next links. `names` feeds suggestions for the text fields."""

    title: str
    origin: str
    meta: str
    back: Link
    fighters: tuple[TranscribedLine, ...]
    bar: BudgetBar
    overview_href: str
    warband_href: str
    add_href: str
    text_href: str
    recognised: str
    facts: tuple[tuple[str, str], ...]
    unread: tuple[ProblemRow, ...]
    notes: tuple[ProblemRow, ...]
    problems: tuple[ProblemRow, ...]
    judged: bool
    done_href: str
    labels: Mapping[str, str]
    names: tuple[tuple[str, tuple[Any, ...]], ...] = ()


def paper_page(
    draft: PaperDraft,
    check: PaperCheck,
    terms: Terms,
    place: ImportTarget | None,
    *,
    fresh: str,
    book: PaperBook | None = None,
) -> PaperPage:
    """Build the overview of a draft. `fresh` is the key for the next fighter. No queries."""
    data = check.data
    rating = check.verdict.rating if check.verdict is not None else Price()
    overview = reverse("paper-show", args=[draft.pk])
    labels = labels_of(terms)
    wrong = len(check.problems) + len(check.reading.unread)
    bar = BudgetBar(
        figures=(
            Figure(labels["rating"], money(rating)),
            Figure(capfirst(labels.get("fighters", _("fighters"))), str(len(data.fighters))),
            rules_figure(wrong, overview + "#problems"),
        ),
        main=None,
    )
    warband = draft.warband
    list_words = names_of(terms).list_words(data.list_id) if data.list_id else _("no list chosen yet")
    return PaperPage(
        title=data.name or (_("Warband from paper") if not (draft.text or draft.original) else _("Warband from text")),
        origin=_("From a file") if draft.original else _("From text") if draft.text else _("From paper"),
        meta=f"{list_words}, {place.words}" if place is not None else list_words,
        back=Link(_("Import a warband"), with_place(reverse("warband-bring"), place, draft.place)),
        fighters=_fighter_lines(draft, check),
        bar=bar,
        overview_href=overview,
        warband_href=reverse("paper-warband", args=[draft.pk]),
        add_href=reverse("paper-fighter", args=[draft.pk, fresh]),
        text_href=reverse("paper-settle", args=[draft.pk]) if draft.text or draft.original else "",
        recognised=recognised_words(draft),
        facts=_facts(check, labels, place is not None),
        unread=_problems(draft, check, check.reading.unread),
        notes=_problems(draft, check, check.reading.notes),
        problems=_problems(draft, check, check.problems),
        judged=check.verdict is not None,
        done_href=reverse("warband-show", args=[warband.pk]) if warband is not None and not warband.is_undone else "",
        labels=labels,
        names=typed_names(book) if book is not None else (),
    )


def _fighter_lines(draft: PaperDraft, check: PaperCheck) -> tuple[TranscribedLine, ...]:
    wrong = {p.fighter_key for p in check.reading.unread} | {check.keys.get(p.fighter_key, "") for p in check.problems}
    known = {key: number for number, key in check.keys.items()}
    views = check.verdict.views if check.verdict is not None else {}
    return tuple(
        _fighter_line(draft, fighter, views.get(known.get(fighter.key, "")), fighter.key in wrong)
        for fighter in check.data.fighters
    )


def _problems(draft: PaperDraft, check: PaperCheck, problems: Sequence[Problem]) -> tuple[ProblemRow, ...]:
    return tuple(_problem(draft, check, problem) for problem in problems)


def _fighter_line(draft: PaperDraft, fighter: PaperFighter, view: Any, wrong: bool) -> TranscribedLine:
    kit = ", ".join(piece.text for piece in fighter.kit)
    past = ", ".join((*fighter.skills, *(w.text for w in fighter.wounds)))
    if fighter.experience:
        past = _("experience {experience}").format(experience=fighter.experience) + (f", {past}" if past else "")
    status = "" if fighter.status == "active" else fighter.status
    words = "; ".join(x for x in (fighter.profile, status, kit, past) if x)
    return TranscribedLine(
        key=fighter.key,
        name=fighter.name or fighter.profile or _("A fighter"),
        href=reverse("paper-fighter", args=[draft.pk, fighter.key]),
        words=words,
        rating=money(view.rating) if view is not None else "",
        wrong=wrong,
    )


def _facts(check: PaperCheck, labels: Mapping[str, str], scored: bool) -> tuple[tuple[str, str], ...]:
    data = check.data
    left = check.verdict.left if check.verdict is not None else None
    founding = check.reading.document["founding"]
    held = "" if founding else "0 d"
    if data.ducats is not None or data.glory is not None:
        held = money(Price(ducats=data.ducats or 0, glory=data.glory or 0))
    elif founding and left is not None:
        held = money(left)
    facts = [
        # Before the list is chosen, nobody knows what a new warband has.
        *([(labels["strongbox"], held)] if held else []),
        (labels["rating"], money(check.verdict.rating) if check.verdict else "0 d"),
        (f"{labels['battle']}s", figure(data.fought)),
    ]
    if scored:
        facts += [
            (_("Victory points"), figure(data.points)),
            (_("Won, drawn, lost"), f"{data.won}, {data.drawn}, {data.lost}"),
        ]
    if data.patron:
        facts.append((_("Patron"), data.patron))
    return tuple(facts)


def _problem(draft: PaperDraft, check: PaperCheck, problem: Problem) -> ProblemRow:
    key = (
        problem.fighter_key
        if any(f.key == problem.fighter_key for f in check.data.fighters)
        else check.keys.get(problem.fighter_key, "")
    )
    href = reverse("paper-fighter", args=[draft.pk, key]) if key else reverse("paper-warband", args=[draft.pk])
    named = problem.fighter if problem.fighter and not problem.message.startswith(problem.fighter) else ""
    return ProblemRow(sentence=problem.message, mend=problem.mend, source=problem.source, href=href, fighter_name=named)


def of_fighter(page_problems: Sequence[Problem], key: str) -> tuple[Problem, ...]:
    return tuple(problem for problem in page_problems if problem.fighter_key == key)


def typed_names(book: PaperBook) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    return tuple((name, getattr(book, name)) for name in PaperBook.__slots__)


# --- a pasted text ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settling:
    """A phrase to settle: its possible meanings, the answer so far, and a field for any other name."""

    key: str
    said: str
    fighter: str
    options: tuple[tuple[str, str], ...]
    chosen: str
    other: str
    wrong: str
    book: str


@dataclass(frozen=True, slots=True)
class TextRow:
    number: int
    text: str
    kind: str
    read_as: str
    settle: tuple[Settling, ...]
    owner: str = ""


@dataclass(frozen=True, slots=True)
class SettlePage:
    here: str
    back: Link
    meta: str
    recognised: str
    rows: tuple[TextRow, ...]
    folded: tuple[TextRow, ...]
    waiting: int
    first_open: int  # the line of the first name to check
    fighters: int
    remarks: tuple[str, ...]
    list_id: str
    list_words: str
    asks_list: bool
    names: tuple[tuple[str, tuple[Any, ...]], ...]


KIND_WORDS = {
    "profile": gettext_lazy("profile"),
    "item": gettext_lazy("kit"),
    "upgrade": gettext_lazy("upgrade"),
    "skill": gettext_lazy("skill"),
    "trauma": gettext_lazy("scar or trauma"),
    "list": gettext_lazy("list"),
}
BOOKS = {
    "profile": gettext_lazy("profiles"),
    "patron": gettext_lazy("patrons"),
    "scenario": gettext_lazy("scenarios"),
    "location": gettext_lazy("locations"),
    "lasting": gettext_lazy("lasting"),
    "exploration": gettext_lazy("exploration"),
}


def settle_page(
    draft: PaperDraft,
    roster: TextRoster,
    book: PaperBook,
    place: ImportTarget | None,
    *,
    others: Mapping[str, str],
    tried: bool,
    list_words: str,
) -> SettlePage:
    """Build the page that settles a pasted text. No queries.

    `others` holds names typed instead of a guess. `tried` says that the form was submitted, so open phrases are errors.
    """
    settled: dict[int, list[Settling]] = {}
    answered = dict(draft.answers)
    for fighter, phrase in _asked(roster, answered):
        settled.setdefault(phrase.line, []).append(_settling(fighter, phrase, answered, others, tried))
    rows = tuple(
        TextRow(line.number, line.text, line.kind, line.read_as, tuple(settled.get(line.number, ())), line.owner)
        for line in roster.reading.lines
        if line.kind != "blank"
    )
    # The lines of a file that bring nothing have no place among the others, as those of a text have.
    folded = tuple(row for row in rows if row.kind == "passed") if draft.original else ()
    return SettlePage(
        here=reverse("paper-settle", args=[draft.pk]),
        back=Link(_("Import a warband"), with_place(reverse("warband-bring"), place, draft.place)),
        meta=place.words if place is not None else "",
        recognised=recognised_words(draft),
        rows=tuple(row for row in rows if row not in folded),
        folded=folded,
        waiting=len(roster.reading.open()),
        first_open=next((phrase.line for _whose, phrase in roster.reading.open()), 0),
        fighters=len(roster.document["fighters"]),
        remarks=roster.remarks,
        list_id=roster.list_id,
        list_words=list_words,
        asks_list=not roster.list_id or bool(draft.data.get("list_id")),
        names=typed_names(book),
    )


def _asked(roster: TextRoster, answered: Mapping[str, str]) -> list[tuple[str, Phrase]]:
    """Return the phrases to settle, including those already answered, so that the user can change an answer."""
    return [(f, p) for f, p in roster.reading.phrases() if p.open or p.left_out or p.key in answered]


def _settling(
    fighter: str, phrase: Phrase, answered: Mapping[str, str], others: Mapping[str, str], tried: bool
) -> Settling:
    near = {m.value: f"{m.name} ({KIND_WORDS[m.kind]})" if m.kind in KIND_WORDS else m.name for m in phrase.near}
    if phrase.meaning is not None:
        near.setdefault(phrase.meaning.value, phrase.meaning.name)
    answer = answered.get(phrase.key, "")
    chosen = (
        answer
        if answer in near or answer in (LEFT_OUT, KEPT)
        else OTHER
        if answer
        else phrase.guess.value
        if phrase.guess
        else ""
    )
    other = others.get(phrase.key, "") or (answer if chosen == OTHER else "")
    wrong = ""
    if tried and phrase.open:
        wrong = (
            _("Not recognised: “{other}”.").format(other=other)
            if other
            else _("Choose what it is, keep it as a custom entry, or skip it.")
        )
    book = BOOKS.get(phrase.kinds[0], "kit")
    return Settling(phrase.key, phrase.text, fighter, tuple(near.items()), chosen, other, wrong, book)
