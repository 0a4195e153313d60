"""The history of a warband in sentences, and the page that undoes one of its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from warbands.access import may
from warbands.event_context import occasions_told
from warbands.labels import has_shop, word
from warbands.models import Change, Event, EventSubject, LedgerEntry, Profile, Warband
from warbands.pages.addresses import href_of
from warbands.pages.formatting import clock, day, signed
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.widgets import Link, Tab, stashed, tabs_of
from warbands.rights import Roles, closed_message, is_open_to, right_to_undo, roles_at_hand, roles_in
from warbands.undo import refusal_to_undo, refusals_to_undo
from warbands.undo_blockers import FIGHTER, EventStanding, leaning_on, standings

PER_PAGE = 40
FILTERS = (
    ("all", gettext_lazy("All")),
    ("ledger", gettext_lazy("Ledger")),
    ("fighters", gettext_lazy("Fighters")),
    ("undone", gettext_lazy("Undone")),
)


@dataclass(frozen=True, slots=True)
class EventRow:
    pk: int
    time: str
    sentence: str
    dice: str
    undo_href: str
    leaned: int
    undone_words: str
    who_can: str


@dataclass(frozen=True, slots=True)
class Evening:
    words: str
    href: str
    events: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    name: str
    tabs: tuple[Tab, ...]
    filters: tuple[Tab, ...]
    evenings: tuple[Evening, ...]
    pager: Pager | None
    empty_words: str
    book_href: str
    earlier: Link | None
    later: Link | None


def history_page(warband: Warband, *, user: object, which: str, page: int, acts: bool) -> HistoryPage:
    """Build the history page: nineteen queries at most, however many events and battles."""
    chosen = which if which in dict(FILTERS) else "all"
    here = href_of("history-show", warband.pk)
    part: Slice[EventSubject] = cut(
        _filtered(warband, chosen), page, PER_PAGE, here, {} if chosen == "all" else {"show": chosen}
    )
    events = _with_subjects(part.rows, warband)
    found = standings(events, warband)
    live = [event for event in events if found[event.pk].live] if acts else []
    closed = {**_not_theirs(live, user, warband), **_final(live)}
    rows = [
        (event, event_row(found[event.pk], user=user, acts=acts, home=warband, closed=closed.get(event.pk, "")))
        for event in events
    ]
    return HistoryPage(
        name=warband.name,
        tabs=tabs_of(warband, "history", stashed=stashed(warband), acts=acts),
        filters=tuple(
            Tab(_filter_words(warband, key, words), here if key == "all" else f"{here}?show={key}", key == chosen)
            for key, words in FILTERS
            if key != "ledger" or has_shop(warband.terms)
        ),
        evenings=_evenings(rows),
        pager=part.pager,
        empty_words={"undone": _("Nothing was undone."), "ledger": _("No money has moved yet.")}.get(
            chosen, _("Nothing has happened yet.")
        ),
        book_href=reverse("warband-book", args=[warband.pk]),
        earlier=_other(warband.copied_from, user, _("Before that: {name}"))
        if part.pager is None or not part.pager.next_href
        else None,
        later=_other(warband.copies.live().first(), user, _("Goes on as: {name}")) if part.page == 1 else None,
    )


def _other(other: Warband | None, user: Any, words: str) -> Link | None:
    """Return the link to the history of the warband that one carries on, or that carries it on, if the reader may see it."""
    if other is None or other.is_undone or not may(user, other, "read"):
        return None
    return Link(words.format(name=other.name), href_of("history-show", other.pk))


def _filter_words(warband: Warband, key: str, usual: str) -> str:
    return capfirst(word(warband.terms, "rows", usual)) if key == "fighters" else usual


def _about(warband: Warband) -> QuerySet[EventSubject]:
    """Return the subject rows of a warband with their events, newest first. Uses the index on a row and its events."""
    about = EventSubject.objects.filter(label=Warband._meta.label, row_id=warband.pk)
    return about.select_related("event").order_by("-event_id")


def _filtered(warband: Warband, which: str) -> QuerySet[EventSubject]:
    about = _about(warband)
    if which == "undone":
        return about.filter(event__undoes__isnull=False)
    about = about.filter(event__undoes__isnull=True)
    if which == "ledger":
        return about.filter(Exists(LedgerEntry.objects.filter(event=OuterRef("event_id"), warband=warband)))
    if which == "fighters":
        return about.filter(Exists(Change.objects.filter(event=OuterRef("event_id"), label=FIGHTER)))
    return about


def _with_subjects(about: Sequence[EventSubject], home: Warband) -> list[Event]:
    """Return the events of these subject rows of a warband, with all their subjects.

    One query, two if other warbands are among the subjects.
    """
    events = [subject.event for subject in about]
    prefetch_related_objects(events, "subjects")
    others = []
    for subject in (each for event in events for each in event.subjects.all()):
        if subject.warband_id == home.pk:
            subject.warband = home
        elif subject.warband_id:
            others.append(subject)
    prefetch_related_objects(others, "warband")
    return events


def _final(events: Sequence[Event]) -> dict[int, str]:
    refusals = refusals_to_undo([event for event in events if not event.undoes_id])
    return {pk: str(refusal) for pk, refusal in refusals.items()}


def _not_theirs(events: Sequence[Event], user: Any, home: Warband) -> dict[int, str]:
    """Return why this reader, who may act on the warband, may not undo some events, by event id.

    At most one query and those of `roles_in`.
    """
    rows = [(event, right_to_undo(event)) for event in events]
    mine = getattr(user, "pk", None)

    def closed_to(roles: Roles) -> dict[int, str]:
        return {
            event.pk: closed_message(row)
            for event, row in rows
            if not is_open_to(row, roles, home, made=event.actor_id is not None and event.actor_id == mine)
        }

    closed = closed_to(roles_at_hand(user, home))
    return closed and closed_to(roles_in(user, home))


def event_row(standing: EventStanding, *, user: object, acts: bool, home: Warband, closed: str = "") -> EventRow:
    """Return one event as a line of a history. No queries; prefetch its subjects. `closed` says why it cannot be undone from here."""
    event, live = standing.event, standing.live
    foreign = _foreign_warbands(event, user, home) if acts and live else []
    may_undo = acts and live and not closed
    return EventRow(
        pk=event.pk,
        time=clock(event.at),
        sentence=event.told,
        dice=str(event.data.get("dice_words", "")),
        undo_href=href_of("event-undo", event.pk) if may_undo and not foreign else "",
        leaned=len(standing.leaning) if may_undo else 0,
        undone_words="" if live else _undone_by(standing.undone_by, event),
        who_can=_who_can(foreign, closed) if acts and live else "",
    )


def _foreign_warbands(event: Event, user: object, home: Warband) -> list[Warband]:
    touched = (subject.warband for subject in event.subjects.all() if subject.warband_id not in (None, home.pk))
    return [each for each in touched if each is not None and each.owner_id != getattr(user, "pk", None)]


def _who_can(foreign: Sequence[Warband], closed: str) -> str:
    """Return why an event that is not undone has no Undo button, "" if it has one."""
    return closed or (
        _("It also changed {warband}. An administrator can undo it.").format(warband=foreign[0]) if foreign else ""
    )


def _undone_by(undoing: Event | None, event: Event) -> str:
    """Return who undid an event and when, with the date if it was another day."""
    if undoing is None:
        return ""
    same_day = timezone.localtime(undoing.at).date() == timezone.localtime(event.at).date()
    moment = clock(undoing.at) if same_day else f"{day(undoing.at)} {clock(undoing.at)}"
    return _("Undone by {who}, {moment}.").format(who=undoing.who.rstrip(","), moment=moment)


def _evenings(rows: Sequence[tuple[Event, EventRow]]) -> tuple[Evening, ...]:
    """Group the rows by evening and battle. One query if there is a battle."""
    groups: list[tuple[tuple[str, str], str, str, list[EventRow]]] = []
    told = occasions_told(event.occasion for event, _ in rows)
    for event, row in rows:
        words, href = told[event.occasion]
        key = (day(event.at), words)
        if not groups or groups[-1][0] != key:
            groups.append(
                (key, _("{day}, after {battle}").format(day=key[0], battle=words) if words else key[0], href, [])
            )
        groups[-1][3].append(row)
    return tuple(Evening(words, href, tuple(events)) for _, words, href, events in groups)


def last_events(warband: Warband, *, user: object, acts: bool, count: int = 5) -> tuple[EventRow, ...]:
    """Return the newest events of a warband that are not undone, without the events that depend on them.

    Two or three queries, and those of `refusals_to_undo`.

    One more query if most of the newest events were undone. An undo is always newer than its event, so it was read before it.
    """
    newest: list[EventSubject] = []
    looked = count
    while True:
        looked *= 6
        newest = list(_about(warband)[:looked])
        undoings = {each.event.undoes_id: each.event for each in newest if each.event.undoes_id}
        stand = [each for each in newest if not each.event.undoes_id and _is_live(each.event_id, undoings)][:count]
        if len(stand) == count or len(newest) < looked:
            break
    events = _with_subjects(stand, warband)
    closed = {**_not_theirs(events, user, warband), **_final(events)} if acts else {}
    return tuple(
        event_row(
            EventStanding(event, True, None, ()), user=user, acts=acts, home=warband, closed=closed.get(event.pk, "")
        )
        for event in events
    )


def undone_events(warband: Warband, among: Collection[int]) -> dict[int, Event]:
    """Return those of these events of a warband that are undone, each with the event that undid it. One query, none if `among` is empty."""
    if not among:
        return {}
    later = _about(warband).filter(event_id__gt=min(among), event__undoes__isnull=False)
    undoings = {subject.event.undoes_id: subject.event for subject in later}
    return {pk: undoings[pk] for pk in among if not _is_live(pk, undoings)}


def _is_live(pk: int, undoings: Mapping[int | None, Event]) -> bool:
    """Return whether an event is in force, given the events that undid it and each other."""
    return pk not in undoings or not _is_live(undoings[pk].pk, undoings)


# --- undo -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UndoPage:
    pk: int
    sentence: str
    when: str
    restores: tuple[str, ...]
    leaners: tuple[EventRow, ...]
    undone_words: str
    closed_words: str
    back_href: str
    back_label: str
    seen: int
    label: str

    @property
    def open(self) -> bool:
        return not self.leaners and not self.undone_words and not self.closed_words


def undo_page(event: Event, home: Warband | Profile) -> UndoPage:
    """Build the page that undoes one event. Seven queries, six more if it touched rows besides this warband or profile."""
    standing = standings([event], home)[event.pk]
    key = (home._meta.label, home.pk)
    alone = all(subject.is_news or (subject.label, subject.row_id) == key for subject in event.subjects.all())
    leaners: Sequence[Event] = standing.leaning
    if standing.live and not alone:
        leaners = leaning_on(event)  # later acts of another warband or battle may depend on it too
    undoing = None if standing.live else standing.undone_by
    page = "history-show" if isinstance(home, Warband) else "profile-write"
    return UndoPage(
        pk=event.pk,
        sentence=event.told,
        when=f"{day(event.at)}, {clock(event.at)}",
        restores=_restores(event),
        leaners=tuple(_leaner(leaner) for leaner in reversed(leaners)),  # in the order in which to undo them
        closed_words=str(refusal_to_undo(event) or "") if standing.live and not event.undoes_id else "",
        undone_words=_("Undone by {who}, {day} {clock}.").format(
            who=undoing.who.rstrip(","), day=day(undoing.at), clock=clock(undoing.at)
        )
        if undoing
        else "",
        back_href=href_of(page, home.pk) + f"#event_{event.pk}",
        back_label=_("History") if isinstance(home, Warband) else home.name,
        seen=home.version,
        label=_("Redo") if event.undoes_id else _("Undo"),
    )


def _leaner(event: Event) -> EventRow:
    return EventRow(
        pk=event.pk,
        time=clock(event.at),
        sentence=event.told,
        dice="",
        undo_href=href_of("event-undo", event.pk),
        leaned=0,
        undone_words="",
        who_can="",
    )


def _restores(event: Event) -> tuple[str, ...]:
    moved: dict[str, tuple[int, int]] = {}
    for entry in event.ledger.select_related("warband"):
        ducats, glory = moved.get(entry.warband.name, (0, 0))
        moved[entry.warband.name] = (ducats - entry.ducats, glory - entry.glory)
    lines = [
        _("The strongbox of {name}: {amount}").format(name=name, amount=_signed_words(ducats, glory))
        for name, (ducats, glory) in moved.items()
        if ducats or glory
    ]
    made: Counter[str] = Counter()
    changed: dict[str, set[int]] = {}
    for change in event.changes.exclude(field="is_undone"):
        if change.field:
            changed.setdefault(change.label, set()).add(change.row_id)
        else:
            made[change.label] += 1
    lines += [
        ngettext("{things} it added is removed", "{things} it added are removed", number).format(
            things=_things(label, number)
        )
        for label, number in made.items()
    ]
    return (
        *lines,
        *(_("{things} changed back").format(things=_things(label, len(ids))) for label, ids in changed.items()),
    )


def _signed_words(ducats: int, glory: int) -> str:
    parts = [f"{signed(ducats, 0)} d"] if ducats else []
    return ", ".join([*parts, signed(0, glory)] if glory else parts)


def _things(label: str, count: int) -> str:
    if label not in THINGS:
        return ngettext("{count} entry", "{count} entries", count).format(count=count)
    return THINGS[label] % {"count": count}  # a lazy plural takes its number this way


THINGS = {
    "warbands.Fighter": ngettext_lazy("%(count)d fighter", "%(count)d fighters", "count"),
    "warbands.Item": ngettext_lazy("%(count)d piece of kit", "%(count)d pieces of kit", "count"),
    "warbands.Warband": ngettext_lazy("%(count)d warband", "%(count)d warbands", "count"),
    "warbands.Profile": ngettext_lazy("%(count)d profile", "%(count)d profiles", "count"),
    "warbands.Promise": ngettext_lazy("%(count)d reward", "%(count)d rewards", "count"),
    "warbands.Delegate": ngettext_lazy("%(count)d delegate", "%(count)d delegates", "count"),
    "warbands.ShareLink": ngettext_lazy("%(count)d share link", "%(count)d share links", "count"),
    "warbands.Terms": ngettext_lazy("%(count)d set of terms", "%(count)d sets of terms", "count"),
    "campaigns.Campaign": ngettext_lazy("%(count)d campaign", "%(count)d campaigns", "count"),
    "campaigns.Seat": ngettext_lazy("%(count)d place", "%(count)d places", "count"),
    "campaigns.Round": ngettext_lazy("%(count)d round", "%(count)d rounds", "count"),
    "campaigns.Battle": ngettext_lazy("%(count)d battle", "%(count)d battles", "count"),
    "campaigns.Side": ngettext_lazy("%(count)d side of a battle", "%(count)d sides of a battle", "count"),
    "campaigns.Report": ngettext_lazy("%(count)d report", "%(count)d reports", "count"),
    "campaigns.PostBattle": ngettext_lazy("%(count)d post-battle", "%(count)d post-battles", "count"),
    "campaigns.Capture": ngettext_lazy("%(count)d captive", "%(count)d captives", "count"),
    "campaigns.RansomOffer": ngettext_lazy("%(count)d ransom offer", "%(count)d ransom offers", "count"),
    "campaigns.Invitation": ngettext_lazy("%(count)d invitation", "%(count)d invitations", "count"),
    "campaigns.Administrator": ngettext_lazy("%(count)d administrator", "%(count)d administrators", "count"),
}
