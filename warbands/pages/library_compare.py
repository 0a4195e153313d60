"""The page that asks what happens to profiles of a file which differ from those of the same name."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from warbands.pages.addresses import with_query
from warbands.pages.formatting import day
from warbands.pages.library import shelf_of
from warbands.pages.widgets import Link
from warbands.services.library_import import Coming, LibraryAsks

WAY_WORDS = (
    ("replace", gettext_lazy("Replace mine")),
    ("another", gettext_lazy("Import as another")),
    ("keep", gettext_lazy("Keep mine, skip this")),
)


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """A profile that differs: `field` is the name of its choice in the form."""

    field: str
    name: str
    words: str
    mine: Link


@dataclass(frozen=True, slots=True)
class ComparePage:
    here: str
    back: Link
    words: str
    rows: tuple[DifferingRow, ...]
    ways: tuple[tuple[str, str], ...]
    others: tuple[str, ...]  # what happens without a question


def compare_page(game: str, asks: LibraryAsks) -> ComparePage:
    """Build the page from what the service asks. No queries."""
    shelf = shelf_of(game)
    kinds = {kind.id: kind.name for kind in shelf.kinds} if shelf is not None else {}
    query = {"game": game} if shelf is not None else {}
    return ComparePage(
        here=with_query(reverse("profile-import"), query),
        back=Link(_("Library"), with_query(reverse("profile-list"), query)),
        words=asks.message,
        rows=tuple(_row(each, kinds) for each in asks.coming if each.state == "differs"),
        ways=tuple((way, str(words)) for way, words in WAY_WORDS),
        others=tuple(_others(asks)),
    )


def _row(each: Coming, kinds: dict[str, str]) -> DifferingRow:
    assert each.mine is not None
    fields = ", ".join(each.fields) or _("Name")
    words = _("{kind}; other here: {fields}. Yours changed {day}.").format(
        kind=kinds.get(each.profile.kind, each.profile.kind), fields=fields, day=day(each.mine.changed_at)
    )
    mine = Link(_("Show mine"), reverse("profile-write", args=[each.mine.pk]))
    return DifferingRow(f"way_{each.place}", each.profile.name, words, mine)


def _others(asks: LibraryAsks) -> list[str]:
    new = sum(each.state == "new" for each in asks.coming)
    equal = sum(each.state == "equal" for each in asks.coming)
    found = []
    if new:
        found.append(
            ngettext("{count} new profile is added.", "{count} new profiles are added.", new).format(count=new)
        )
    if equal:
        words = ngettext("{count} is already in your library.", "{count} are already in your library.", equal)
        found.append(words.format(count=equal))
    return found
