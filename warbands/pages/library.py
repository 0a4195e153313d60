"""The library of written profiles: the list, one profile to read or to write, and what may be done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.urls import reverse

from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.game import Game, GameContent
from rules.parts.profiles import Profiles
from rules.registry import systems
from warbands.adapters import written_profile
from warbands.models import Event, Profile
from warbands.pages.addresses import href_of
from warbands.pages.formatting import clock, day, plural
from warbands.pages.history import EventRow
from warbands.pages.paging import Pager, Slice, cut, pager_of
from warbands.pages.profile_form import DrawnGroup, Wrong, drawn, wrongs
from warbands.pages.widgets import Link, Tab
from warbands.sharing_groups import sharing_groups_of
from warbands.undo_blockers import EventStanding, standings

PER_PAGE = 40
LAST_EVENTS = 8
OWN, SHARED, BUILT_IN, AWAY = "own", "shared", "game", "away"


@dataclass(frozen=True, slots=True)
class Shelf:
    """A game whose profiles players write, in its edition."""

    game: Game
    profiles: Profiles[GameContent]
    edition: str
    content: GameContent
    kinds: tuple[ProfileKind, ...]

    def kind(self, key: str) -> ProfileKind | None:
        """A kind of profile, None for an unknown one."""
        return next((kind for kind in self.kinds if kind.id == key), None)

    def card(self, profile: CustomProfile) -> ProfileCard:
        """A profile as a card, read anew, so that fields it was kept without are filled in."""
        data, _ = self.profiles.read_profile(self.content, profile.kind, profile.data)
        return self.profiles.profile_card(
            self.content, CustomProfile(profile.id, profile.kind, profile.name, data, profile.origin, profile.version)
        )


def shelves() -> tuple[Shelf, ...]:
    """The games whose profiles players write. No queries."""
    found = []
    for game in systems():
        if game.profiles is not None:
            edition = game.editions()[0]
            content = game.content(edition, (), {})
            kinds = game.profiles.profile_kinds(content)
            found.append(Shelf(game, game.profiles, edition, content, kinds))
    return tuple(found)


def shelf_of(game_id: str) -> Shelf | None:
    """One of them by its game, None for any other game."""
    return next((shelf for shelf in shelves() if shelf.game.id == game_id), None)


# --- the list -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One profile in a line. `ident` is set where it may be ticked to be copied."""

    name: str
    href: str
    subtitle: str
    marks: tuple[str, ...]
    worth: str
    ident: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """One game's library: own profiles, shared ones, the game's own, or those put away."""

    title: str
    game: str
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


def library_page(
    user: Any, *, game: str = "", whose: str = OWN, kind: str = "", find: str = "", page: int = 1
) -> LibraryPage | None:
    """Build the list; None where no game has profiles to write. Six queries at the most, and those of `sharing_groups_of`."""
    known = shelves()
    if not known:
        return None
    shelf = next((one for one in known if one.game.id == game), None) or _usual_shelf(user, known)
    here = reverse("profile-list")
    mine = Profile.objects.kept().filter(owner=user, system=shelf.game.id)
    away = Profile.objects.live().filter(owner=user, system=shelf.game.id, is_away=True)
    circles = {circle.terms: circle.name for circle in sharing_groups_of(user, shelf.game.id)}
    shared = Profile.objects.kept().filter(system=shelf.game.id, terms__in=circles).exclude(owner=user)
    built_in = shelf.profiles.default_profiles(shelf.content)
    counts = {OWN: mine.count(), SHARED: shared.count() if circles else 0, BUILT_IN: len(built_in), AWAY: away.count()}
    whose = whose if whose in counts else OWN
    chosen = shelf.kind(kind)
    state = {"game": shelf.game.id, "whose": whose, "kind": chosen.id if chosen else "", "find": find}

    def address(**changed: str) -> str:
        return f"{here}?{urlencode({key: value for key, value in {**state, **changed}.items() if value})}"

    given = {key: value for key, value in state.items() if value}
    if whose == BUILT_IN:
        lines, count, pager = _built_in_lines(shelf, built_in, chosen, find, page, here, given)
    else:
        rows = {OWN: mine, SHARED: shared, AWAY: away}[whose]
        lines, count, pager = _lines(shelf, rows, chosen, find, page, here, given, reader=user.pk, circles=circles)
    labels = {OWN: "Own", SHARED: "Shared", BUILT_IN: "The game's", AWAY: "Put away"}
    return LibraryPage(
        title=shelf.game.name,
        game=shelf.game.id,
        here=here,
        games=tuple(Tab(one.game.name, f"{here}?{urlencode({'game': one.game.id})}", one is shelf) for one in known),
        shelves=tuple(
            Tab(label, address(whose=key, kind=""), key == whose, counts[key])
            for key, label in labels.items()
            if key != AWAY or counts[AWAY] or whose == AWAY
        ),
        kinds=(
            Tab("All", address(kind=""), chosen is None),
            *(Tab(each.plural, address(kind=each.id), each is chosen) for each in shelf.kinds),
        ),
        whose=whose,
        kind=chosen.id if chosen else "",
        find=find,
        state=tuple((key, value) for key, value in given.items() if key != "find"),
        lines=lines,
        count_words=plural(count, "profile", "profiles"),
        pager=pager,
        empty_words=_empty_words(shelf, whose, find, chosen),
        new=tuple(
            Link(each.name, reverse("profile-new", args=[shelf.game.id, each.id]))
            for each in ((chosen,) if chosen else shelf.kinds)
        ),
        export_href=f"{reverse('profile-export')}?{urlencode({'game': shelf.game.id})}" if counts[OWN] else "",
        import_href=f"{reverse('profile-import')}?{urlencode({'game': shelf.game.id})}",
        take_href=reverse("profile-take", args=[shelf.game.id]),
        built_in_href=address(whose=BUILT_IN, kind="", find=""),
        rules=_rules_link(shelf),
    )


def _usual_shelf(user: Any, known: Sequence[Shelf]) -> Shelf:
    """The game in which this person wrote last, else the first. One query."""
    last = Profile.objects.kept().filter(owner=user).order_by("-changed_at").values_list("system", flat=True).first()
    return next((shelf for shelf in known if shelf.game.id == last), known[0])


def _rules_link(shelf: Shelf) -> Link | None:
    return Link(f"Rules of {shelf.game.name}", reverse("rule-list", args=[shelf.game.id, shelf.edition]))


def _empty_words(shelf: Shelf, whose: str, find: str, kind: ProfileKind | None) -> str:
    if find:
        return f"Nothing is called “{find}” here. A shorter word finds more."
    things = kind.plural.lower() if kind else "profiles"
    return {
        OWN: f"No {things} of your own yet. {shelf.game.name} has no published lists: write one, or copy one of the game's.",
        SHARED: f"Nobody shared {things} in a campaign of yours.",
        BUILT_IN: f"The game brings no {things} of its own.",
        AWAY: "Nothing is put away.",
    }[whose]


def _lines(
    shelf: Shelf,
    rows: QuerySet[Profile],
    kind: ProfileKind | None,
    find: str,
    page: int,
    here: str,
    state: Mapping[str, str],
    *,
    reader: int,
    circles: Mapping[int, str],
) -> tuple[tuple[ProfileLine, ...], int, Pager | None]:
    if kind is not None:
        rows = rows.filter(kind=kind.id)
    for word in find.split():
        rows = rows.filter(name__icontains=word)
    part: Slice[Profile] = cut(rows.select_related("owner").order_by("name", "pk"), page, PER_PAGE, here, state)
    lines = tuple(_line(shelf, written_profile(row, reader=reader), row, circles) for row in part.rows)
    return lines, part.count, part.pager


def _built_in_lines(
    shelf: Shelf,
    profiles: Iterable[CustomProfile],
    kind: ProfileKind | None,
    find: str,
    page: int,
    here: str,
    state: Mapping[str, str],
) -> tuple[tuple[ProfileLine, ...], int, Pager | None]:
    words = find.casefold().split()
    found = [
        profile
        for profile in profiles
        if (kind is None or profile.kind == kind.id) and all(word in profile.name.casefold() for word in words)
    ]
    last = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), last)
    start = (page - 1) * PER_PAGE
    shown = found[start : start + PER_PAGE]
    lines = tuple(_line(shelf, profile) for profile in shown)
    return lines, len(found), pager_of(page, last, len(found), start, len(shown), PER_PAGE, here, state)


def _line(
    shelf: Shelf, profile: CustomProfile, row: Profile | None = None, circles: Mapping[int, str] | None = None
) -> ProfileLine:
    known = shelf.kind(profile.kind)
    card = shelf.card(profile) if known else None
    figures = dict(card.figures) if card else {}
    marks = [mark_of(profile)] if mark_of(profile) else []
    if row is not None and row.terms_id:
        there = (circles or {}).get(row.terms_id, "a campaign that you left")
        marks.append(f"shared in {there}" if profile.origin == "own" else there)
    return ProfileLine(
        name=profile.name,
        href=href_of("profile-write", row.pk) if row else reverse("profile-default", args=[shelf.game.id, profile.id]),
        subtitle=card.subtitle if card else profile.kind,
        marks=tuple(marks),
        worth=figures.get("Points", ""),
        ident="" if row else profile.id,
    )


def mark_of(profile: CustomProfile) -> str:
    """Where a profile comes from, in words; "" for one's own."""
    if profile.origin == "shared":
        return f"by {profile.by}" if profile.by else "of the campaign"
    return {"sample": "invented sample", "book": "from the rules"}.get(profile.origin, "")


# --- one profile --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sharing:
    """Where a profile is shared, and where it may be."""

    name: str  # the campaign it is shared in, "" for none
    options: tuple[tuple[str, str], ...]  # value, words
    may_share: bool
    may_unshare: bool


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """One profile: its card, and where it may be changed its form."""

    pk: int  # 0 for a new one, and for the game's own
    title: str
    name: str
    kind: str
    kind_words: str
    back: Link
    here: str
    card: ProfileCard
    mark: str
    told: str  # what it is, where it is not one's own
    writes: bool = False
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
    fills: tuple[
        tuple[str, str, tuple[tuple[str, str], ...]], ...
    ] = ()  # label, kind, options: for the profile's own fields


def fill_of(user: Any, shelf: Shelf, kind: ProfileKind, *, but: int = 0) -> dict[str, list[CustomProfile]]:
    """What may be copied into a profile of this kind, by kind. One query and those of `sharing_groups_of`; none where nothing may."""
    wanted = {of for of, _ in kind.fills}
    if not wanted:
        return {}
    found: dict[str, list[CustomProfile]] = {of: [] for of in wanted}
    terms = [circle.terms for circle in sharing_groups_of(user, shelf.game.id)]
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
    """The form of a profile that this person may change, or of a new one (`profile` None). Eleven queries at the most."""
    fill = fill_of(user, shelf, kind, but=profile.pk if profile else 0)
    title = profile.name if profile else f"New: {kind.name.lower()}"
    values, _ = shelf.profiles.read_profile(shelf.content, kind.id, data)
    shown = CustomProfile("", kind.id, name, values)
    return ProfilePage(
        pk=profile.pk if profile else 0,
        title=title,
        name=name,
        kind=kind.id,
        kind_words=f"{kind.name}, {shelf.game.name}",
        back=_back(shelf),
        here=href_of("profile-write", profile.pk) if profile else reverse("profile-new", args=[shelf.game.id, kind.id]),
        card=shelf.profiles.profile_card(shelf.content, shown),
        mark="",
        told=f"{profile.owner or 'Nobody'} wrote it; you look after the campaign it is shared in."
        if profile and not _is_own(user, profile)
        else "",
        writes=True,
        owns=owns,
        away=bool(profile and profile.is_away),
        groups=drawn(kind, data, problems, fill, fresh),
        wrong=wrongs(kind, problems),
        name_error=next((problem.message for problem in problems if problem.path == "name"), ""),
        seen=profile.version if profile else None,
        sharing=_sharing(user, profile, owns) if profile else None,
        events=_events(profile) if profile else (),
        copy_href=href_of("profile-copy", profile.pk) if profile else "",
        export_href=_export_href(shelf, profile) if profile else "",
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


def reading_page(user: Any, shelf: Shelf, profile: CustomProfile, row: Profile | None = None) -> ProfilePage:
    """A profile to read and to copy: somebody else's that is shared, or one of the game's own. No queries."""
    kind = shelf.kind(profile.kind)
    told = {
        "sample": "Invented, to try things out with. It is nobody's official profile.",
        "book": f"From the rules of {shelf.game.name}. Copy it to change its figures.",
    }.get(profile.origin, "Shared in a campaign of yours. Copy it to change it.")
    return ProfilePage(
        pk=row.pk if row else 0,
        title=profile.name,
        name=profile.name,
        kind=profile.kind,
        kind_words=f"{kind.name if kind else profile.kind}, {shelf.game.name}",
        back=_back(shelf, SHARED if row else BUILT_IN),
        here=href_of("profile-write", row.pk) if row else reverse("profile-default", args=[shelf.game.id, profile.id]),
        card=shelf.card(profile),
        mark=mark_of(profile),
        told=told,
        copy_href=href_of("profile-copy", row.pk)
        if row
        else reverse("profile-default", args=[shelf.game.id, profile.id]),
        export_href=_export_href(shelf, row) if row else "",
    )


def _is_own(user: Any, profile: Profile) -> bool:
    return bool(profile.owner_id == user.pk)


def _back(shelf: Shelf, whose: str = "") -> Link:
    state = {"game": shelf.game.id, **({"whose": whose} if whose else {})}
    return Link("Library", f"{reverse('profile-list')}?{urlencode(state)}")


def _export_href(shelf: Shelf, profile: Profile) -> str:
    return f"{reverse('profile-export')}?{urlencode({'game': shelf.game.id, 'profile': profile.pk})}"


def _sharing(user: Any, profile: Profile, owns: bool) -> Sharing:
    circles = sharing_groups_of(user, profile.system)
    there = next((circle for circle in circles if circle.terms == profile.terms_id), None)
    name = there.name if there else "a campaign that you left" if profile.terms_id else ""
    return Sharing(
        name=name,
        options=tuple((str(circle.terms), circle.name) for circle in circles if circle.terms != profile.terms_id),
        may_share=owns and not profile.is_away and _is_own(user, profile),
        may_unshare=bool(profile.terms_id),
    )


def _events(profile: Profile) -> tuple[EventRow, ...]:
    """The last acts on a profile, newest first. Five queries."""
    label = Profile._meta.label
    events = list(
        Event.objects.filter(subjects__label=label, subjects__row_id=profile.pk, undoes__isnull=True)
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
        undone_words=f"Undone by {undoing.who.rstrip(',')}." if undoing else "",
        who_can="",
    )
