"""The library of profiles that players write: the list, the page of one profile to read or edit, and its acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import HiddenPage
from accounts.site_owner import is_hidden
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.game import Game, GameContent
from rules.parts.profiles import ProfilesPart
from rules.registry import systems
from warbands.adapters import written_profile
from warbands.models import Event, Profile
from warbands.pages.addresses import filled, href_of, with_query
from warbands.pages.formatting import clock, day
from warbands.pages.history import EventRow
from warbands.pages.paging import Pager, Slice, cut, slice_of
from warbands.pages.profile_form import DrawnGroup, Wrong, drawn, wrongs
from warbands.pages.widgets import Link, Tab
from warbands.sharing_groups import sharing_groups_of
from warbands.undo_blockers import EventStanding, standings

PER_PAGE = 40
LAST_EVENTS = 8
OWN, SHARED, BUILT_IN, AWAY = "own", "shared", "game", "away"
LABELS = {
    OWN: gettext_lazy("Own"),
    SHARED: gettext_lazy("Shared"),
    BUILT_IN: gettext_lazy("The game's"),
    AWAY: gettext_lazy("Archived"),
}


@dataclass(frozen=True, slots=True)
class Shelf:
    game: Game
    profiles: ProfilesPart[GameContent]
    edition: str
    content: GameContent
    kinds: tuple[ProfileKind, ...]

    def kind(self, key: str) -> ProfileKind | None:
        """Return a kind of profile, None for an unknown one."""
        return next((kind for kind in self.kinds if kind.id == key), None)

    def card(self, profile: CustomProfile) -> ProfileCard:
        """Return a profile as a card. Reads its data again, so that fields missing from the stored data are filled in."""
        data, _ = self.profiles.read_profile(self.content, profile.kind, profile.data)
        return self.profiles.profile_card(
            self.content, CustomProfile(profile.id, profile.kind, profile.name, data, profile.origin, profile.version)
        )


def shelves() -> tuple[Shelf, ...]:
    """Return the games in which players write profiles. No queries."""
    found = []
    for game in systems():
        if game.profiles is not None:
            edition = game.editions()[0]
            content = game.content(edition, (), {})
            kinds = game.profiles.profile_kinds(content)
            found.append(Shelf(game, game.profiles, edition, content, kinds))
    return tuple(found)


def shelf_of(game_id: str) -> Shelf | None:
    """Return the shelf of this game, None for a game without one."""
    return next((shelf for shelf in shelves() if shelf.game.id == game_id), None)


# --- the list -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One profile in a line. `ident` is set if the profile may be selected for copying."""

    name: str
    href: str
    subtitle: str
    marks: tuple[str, ...]
    worth: str
    ident: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    title: str
    here: str
    games: tuple[Tab, ...]
    shelves: tuple[Tab, ...]
    kinds: tuple[Tab, ...]
    whose: str
    kind: str
    find: str
    state: tuple[tuple[str, str], ...]
    lines: tuple[ProfileLine, ...]
    count_words: str
    pager: Pager | None
    empty_words: str
    new: tuple[Link, ...]
    export_href: str
    import_href: str
    take_href: str
    built_in_href: str
    rules: Link | None


def _owner_tabs(shelf: Shelf, wanted: WantedEntries, counts: Mapping[str, int]) -> tuple[Tab, ...]:
    """Return the tabs by whose the profiles are. The archive has one while something is in it, or it is shown."""
    return tuple(
        Tab(label, wanted.href(shelf, whose=key, kind=""), key == wanted.whose, counts[key])
        for key, label in LABELS.items()
        if key != AWAY or counts[AWAY] or wanted.whose == AWAY
    )


def _kind_tabs(shelf: Shelf, wanted: WantedEntries) -> tuple[Tab, ...]:
    kinds = (Tab(each.plural, wanted.href(shelf, kind=each.id), each is wanted.kind) for each in shelf.kinds)
    return (Tab(_("All"), wanted.href(shelf, kind=""), wanted.kind is None), *kinds)


def library_page(
    user: Any, *, game: str = "", whose: str = OWN, kind: str = "", find: str = "", page: int = 1
) -> LibraryPage | None:
    """Build the list; None if no game has profiles to write. At most six queries, and those of `sharing_groups_of`."""
    known = shelves()
    if not known:
        return None
    shelf = next((one for one in known if one.game.id == game), None) or _usual_shelf(user, known)
    groups = {group.terms: group.name for group in sharing_groups_of(user, shelf.game.id)}
    profiles = Profile.objects.live().filter(system=shelf.game.id)
    rows = {
        OWN: profiles.filter(owner=user, is_away=False),
        SHARED: profiles.filter(~is_hidden(HiddenPage.Kind.PROFILE, "pk"), terms__in=groups, is_away=False).exclude(
            owner=user
        ),
        AWAY: profiles.filter(owner=user, is_away=True),
    }
    counts = {
        OWN: rows[OWN].count(),
        SHARED: rows[SHARED].count() if groups else 0,
        BUILT_IN: len(shelf.profiles.default_profiles(shelf.content)),
        AWAY: rows[AWAY].count(),
    }
    whose = whose if whose in counts else OWN
    chosen = shelf.kind(kind)
    wanted = WantedEntries(whose, chosen, find, page)
    if whose == BUILT_IN:
        part = _built_in_lines(shelf, wanted)
    else:
        part = _lines(shelf, rows[whose], wanted, reader=user.pk, groups=groups)
    return LibraryPage(
        title=shelf.game.name,
        here=reverse("profile-list"),
        games=tuple(Tab(one.game.name, _list_href(one), one is shelf) for one in known),
        shelves=_owner_tabs(shelf, wanted, counts),
        kinds=_kind_tabs(shelf, wanted),
        whose=whose,
        kind=wanted.kind_id,
        find=find,
        state=tuple((key, value) for key, value in wanted.query(shelf).items() if key != "find"),
        lines=part.lines,
        count_words=ngettext("{count} profile", "{count} profiles", part.count).format(count=part.count),
        pager=part.pager,
        empty_words=_empty_words(shelf, wanted),
        new=tuple(
            Link(each.name, reverse("profile-new", args=[shelf.game.id, each.id]))
            for each in ((chosen,) if chosen else shelf.kinds)
        ),
        export_href=_export_href(shelf) if counts[OWN] else "",
        import_href=with_query(reverse("profile-import"), {"game": shelf.game.id}),
        take_href=reverse("profile-take", args=[shelf.game.id]),
        built_in_href=wanted.href(shelf, whose=BUILT_IN, kind="", find=""),
        rules=Link(
            _("Rules of {game}").format(game=shelf.game.name), reverse("rule-list", args=[shelf.game.id, shelf.edition])
        ),
    )


@dataclass(frozen=True, slots=True)
class WantedEntries:
    whose: str
    kind: ProfileKind | None
    find: str
    page: int

    @property
    def kind_id(self) -> str:
        return self.kind.id if self.kind else ""

    def query(self, shelf: Shelf, **changed: str) -> dict[str, str]:
        state = {"game": shelf.game.id, "whose": self.whose, "kind": self.kind_id, "find": self.find}
        return filled(**{**state, **changed})

    def href(self, shelf: Shelf, **changed: str) -> str:
        return with_query(reverse("profile-list"), self.query(shelf, **changed))


@dataclass(frozen=True, slots=True)
class _Part:
    lines: tuple[ProfileLine, ...]
    count: int
    pager: Pager | None


def _usual_shelf(user: Any, known: Sequence[Shelf]) -> Shelf:
    """Return the game in which this user last wrote a profile, else the first game. One query."""
    last = Profile.objects.kept().filter(owner=user).order_by("-changed_at").values_list("system", flat=True).first()
    return next((shelf for shelf in known if shelf.game.id == last), known[0])


def _empty_words(shelf: Shelf, wanted: WantedEntries) -> str:
    if wanted.find:
        return _("Nothing found for “{find}”. Try a shorter word.").format(find=wanted.find)
    things = wanted.kind.plural.lower() if wanted.kind else "profiles"
    return {
        OWN: _("You have no {things} yet. {game} has no published lists: write one, or copy one of the game's.").format(
            things=things, game=shelf.game.name
        ),
        SHARED: _("No one has shared {things} in your campaigns.").format(things=things),
        BUILT_IN: _("The game has no ready-made {things}.").format(things=things),
        AWAY: _("Nothing is archived."),
    }[wanted.whose]


def _lines(
    shelf: Shelf, rows: QuerySet[Profile], wanted: WantedEntries, *, reader: int, groups: Mapping[int, str]
) -> _Part:
    if wanted.kind is not None:
        rows = rows.filter(kind=wanted.kind.id)
    for word in wanted.find.split():
        rows = rows.filter(name__icontains=word)
    rows = rows.select_related("owner").order_by("name", "pk")
    part: Slice[Profile] = cut(rows, wanted.page, PER_PAGE, reverse("profile-list"), wanted.query(shelf))
    lines = tuple(_line(shelf, written_profile(row, reader=reader), row, groups) for row in part.rows)
    return _Part(lines, part.count, part.pager)


def _built_in_lines(shelf: Shelf, wanted: WantedEntries) -> _Part:
    words = wanted.find.casefold().split()
    found = [
        profile
        for profile in shelf.profiles.default_profiles(shelf.content)
        if wanted.kind_id in ("", profile.kind) and all(word in profile.name.casefold() for word in words)
    ]
    part = slice_of(found, wanted.page, PER_PAGE, reverse("profile-list"), wanted.query(shelf))
    return _Part(tuple(_line(shelf, profile) for profile in part.rows), part.count, part.pager)


def _line(
    shelf: Shelf, profile: CustomProfile, row: Profile | None = None, groups: Mapping[int, str] | None = None
) -> ProfileLine:
    known = shelf.kind(profile.kind)
    card = shelf.card(profile) if known else None
    figures = dict(card.figures) if card else {}
    marks = list(filter(None, [mark_of(profile)]))
    if row is not None and row.terms_id:
        there = (groups or {}).get(row.terms_id, _("a campaign you left"))
        marks.append(_("shared in {there}").format(there=there) if profile.origin == "own" else there)
    return ProfileLine(
        name=profile.name,
        href=href_of("profile-write", row.pk) if row else reverse("profile-default", args=[shelf.game.id, profile.id]),
        subtitle=card.subtitle if card else profile.kind,
        marks=tuple(marks),
        worth=figures.get("Points", ""),
        ident="" if row else profile.id,
    )


def mark_of(profile: CustomProfile) -> str:
    """Return words for the origin of a profile; "" for the user's own."""
    if profile.origin == "shared":
        return _("by {by}").format(by=profile.by) if profile.by else _("of the campaign")
    return {"sample": _("invented sample"), "book": _("from the rules")}.get(profile.origin, "")


# --- one profile --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sharing:
    name: str  # the campaign it is shared in, "" for none
    options: tuple[tuple[str, str], ...]  # value, words
    may_share: bool


@dataclass(frozen=True, slots=True)
class ProfilePage:
    pk: int  # 0 for a new profile and for one of the game's own
    title: str
    name: str
    kind_words: str
    back: Link
    here: str
    card: ProfileCard
    mark: str
    told: str  # what the profile is, if it is not the user's own
    owns: bool = False
    away: bool = False
    groups: tuple[DrawnGroup, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    name_error: str = ""
    seen: int | None = None
    sharing: Sharing | None = None
    events: tuple[EventRow, ...] = ()
    copy_href: str = ""
    export_href: str = ""
    # label, kind, options: what may be copied into the profile's own fields
    fills: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()


def fill_of(user: Any, shelf: Shelf, kind: ProfileKind, *, but: int = 0) -> dict[str, list[CustomProfile]]:
    """Return the profiles that may be copied into a profile of this kind, by kind.

    One query and those of `sharing_groups_of`; none if nothing may be copied.
    """
    wanted = {of for of, _ in kind.fills}
    if not wanted:
        return {}
    found: dict[str, list[CustomProfile]] = {of: [] for of in wanted}
    terms = [group.terms for group in sharing_groups_of(user, shelf.game.id)]
    rows = Profile.objects.kept().filter(system=shelf.game.id, kind__in=wanted).exclude(pk=but)
    for row in rows.filter(Q(owner=user) | Q(terms__in=terms)).select_related("owner").order_by("name", "pk"):
        profile = written_profile(row, reader=user.pk)
        data, _ = shelf.profiles.read_profile(shelf.content, row.kind, row.data)
        found[row.kind].append(CustomProfile(profile.id, row.kind, row.name, data, profile.origin, by=profile.by))
    for profile in shelf.profiles.default_profiles(shelf.content):
        if profile.kind in wanted:
            found[profile.kind].append(profile)
    return found


def form_page(
    user: Any,
    shelf: Shelf,
    kind: ProfileKind,
    *,
    profile: Profile | None = None,
    name: str,
    data: Mapping[str, Any],
    problems: Sequence[ProfileProblem] = (),
    owns: bool = True,
    fresh: str = "",
) -> ProfilePage:
    """Build the form of a profile that this user may edit, or of a new one (`profile` is None). At most eleven queries."""
    fill = fill_of(user, shelf, kind, but=profile.pk if profile else 0)
    values, __ = shelf.profiles.read_profile(shelf.content, kind.id, data)
    page = ProfilePage(
        pk=0,
        title=_("New {kind}").format(kind=kind.name.lower()),
        name=name,
        kind_words=f"{kind.name}, {shelf.game.name}",
        back=_back(shelf),
        here=reverse("profile-new", args=[shelf.game.id, kind.id]),
        card=shelf.profiles.profile_card(shelf.content, CustomProfile("", kind.id, name, values)),
        mark="",
        told="",
        owns=owns,
        groups=drawn(kind, data, problems, fill, fresh),
        wrong=wrongs(kind, problems),
        name_error=next((problem.message for problem in problems if problem.path == "name"), ""),
        fills=tuple(
            (
                next(each.name for each in shelf.kinds if each.id == of),
                of,
                tuple((one.id, one.name) for one in fill[of]),
            )
            for of, field in kind.fills
            if not field and fill[of]
        ),
    )
    if profile is None:
        return page
    is_own = profile.owner_id == user.pk
    return replace(
        page,
        pk=profile.pk,
        title=profile.name,
        here=href_of("profile-write", profile.pk),
        told=""
        if is_own
        else _("Written by {author}. You can change it because you run the campaign it is shared in.").format(
            author=profile.owner or _("a former player")
        ),
        away=profile.is_away,
        seen=profile.version,
        sharing=_sharing(user, profile, may_share=owns and is_own and not profile.is_away),
        events=_events(profile),
        copy_href=href_of("profile-copy", profile.pk),
        export_href=_export_href(shelf, profile),
    )


def reading_page(user: Any, shelf: Shelf, profile: CustomProfile, row: Profile | None = None) -> ProfilePage:
    """Build the page to read and copy a profile: another user's shared one, or one of the game's own. No queries."""
    kind = shelf.kind(profile.kind)
    default = reverse("profile-default", args=[shelf.game.id, profile.id])
    told = {
        "sample": _("Invented by us for trying things out. It isn't an official profile."),
        "book": _("From the rules of {game}. Copy it to change its figures.").format(game=shelf.game.name),
    }.get(profile.origin, _("Shared in one of your campaigns. Copy it to change it."))
    return ProfilePage(
        pk=row.pk if row else 0,
        title=profile.name,
        name=profile.name,
        kind_words=f"{kind.name if kind else profile.kind}, {shelf.game.name}",
        back=_back(shelf, SHARED if row else BUILT_IN),
        here=href_of("profile-write", row.pk) if row else default,
        card=shelf.card(profile),
        mark=mark_of(profile),
        told=told,
        copy_href=href_of("profile-copy", row.pk) if row else default,
        export_href=_export_href(shelf, row) if row else "",
    )


def _list_href(shelf: Shelf, whose: str = "") -> str:
    return with_query(reverse("profile-list"), filled(game=shelf.game.id, whose=whose))


def _back(shelf: Shelf, whose: str = "") -> Link:
    return Link(_("Library"), _list_href(shelf, whose))


def _export_href(shelf: Shelf, profile: Profile | None = None) -> str:
    query = filled(game=shelf.game.id, profile=str(profile.pk) if profile else "")
    return with_query(reverse("profile-export"), query)


def _sharing(user: Any, profile: Profile, *, may_share: bool) -> Sharing:
    groups = {group.terms: group.name for group in sharing_groups_of(user, profile.system)}
    return Sharing(
        name=groups.get(profile.terms_id, _("a campaign you left")) if profile.terms_id else "",
        options=tuple((str(terms), name) for terms, name in groups.items() if terms != profile.terms_id),
        may_share=may_share,
    )


def _events(profile: Profile) -> tuple[EventRow, ...]:
    """Return the last events of a profile, newest first. Five queries."""
    events = list(
        Event.objects.filter(subjects__label=Profile._meta.label, subjects__row_id=profile.pk, undoes__isnull=True)
        .order_by("-pk")
        .distinct()[:LAST_EVENTS]
    )
    found = standings(events, profile)
    return tuple(_event_row(found[event.pk]) for event in events)


def _event_row(standing: EventStanding) -> EventRow:
    event = standing.event
    undoing = None if standing.live else standing.undone_by
    return EventRow(
        pk=event.pk,
        time=clock(event.at),
        sentence=event.told,
        dice=day(event.at),
        undo_href=href_of("event-undo", event.pk) if standing.live else "",
        leaned=len(standing.leaning) if standing.live else 0,
        undone_words=_("Undone by {who}.").format(who=undoing.who.rstrip(",")) if undoing else "",
        who_can="",
    )
