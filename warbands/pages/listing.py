"""The list of the user's warbands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.price import Price
from warbands.labels import figures_of, has_shop, headcount_of, mark_of
from warbands.models import Profile, Warband
from warbands.pages.addresses import href_of
from warbands.pages.formatting import figure
from warbands.pages.library import shelves
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.sharing_groups import sharing_groups_of
from warbands.verdicts import judged

PER_PAGE = 40


@dataclass(frozen=True, slots=True)
class WarbandLine:
    name: str
    href: str
    list_words: str
    mark: str
    figures: str
    state_words: str
    problems: int


@dataclass(frozen=True, slots=True)
class ListPage:
    """The warbands that a user owns or acts for. `past` holds those disbanded or archived."""

    mine: tuple[WarbandLine, ...]
    past: tuple[WarbandLine, ...]
    pager: Pager | None
    empty_words: str
    main: Link
    other: Link
    import_href: str
    library_href: str


def list_page(user: object, *, page: int = 1) -> ListPage:
    """Build the list, with `nothing_yet` if it is empty.

    Three queries, and two more if a house rule has come into force since the figures were stored.
    """
    held = Warband.objects.held_by(user).select_related("terms", "owner").order_by("name", "pk")
    part: Slice[Warband] = cut(held.kept(), page, PER_PAGE, reverse("warband-list"), {})
    past = list(held.filter(status__in=[Warband.Status.DISBANDED, Warband.Status.ARCHIVED])[:PER_PAGE])
    judged([*part.rows, *past])
    found = reverse("warband-found")
    return ListPage(
        mine=tuple(_line(warband, user) for warband in part.rows),
        past=tuple(_line(warband, user) for warband in past),
        pager=part.pager,
        empty_words="" if part.count else nothing_yet(user),
        main=Link(_("Start a warband"), found),
        other=Link(_("Use a ready warband"), f"{found}#ready"),
        import_href=reverse("warband-bring"),
        library_href=reverse("profile-list"),
    )


def nothing_yet(user: Any) -> str:
    """Return the text for a user without warbands, which depends on the games they play.

    One query, and those of `sharing_groups_of`.
    """
    written = {shelf.game.id for shelf in shelves()}
    plays = {circle.system for circle in sharing_groups_of(user)}
    plays |= set(Profile.objects.live().filter(owner=user).values_list("system", flat=True).distinct())
    if plays and plays <= written:
        return _("No force yet. Build one from your library.")
    return _("No warband yet. Start with a ready one or build your own.")


def _line(warband: Warband, user: object) -> WarbandLine:
    rating = Price(ducats=warband.rating_ducats, glory=warband.rating_glory)
    spends = has_shop(warband.terms)
    if not spends:
        state = (
            _("new")
            if warband.is_founding
            else _("in camp")
            if warband.status == Warband.Status.CAMP
            else warband.get_status_display().lower()
        )
    elif warband.is_founding:
        left = warband.strongbox_ducats
        words = _("new, {figure} d left") if left >= 0 else _("new, {figure} d over")
        state = words.format(figure=figure(abs(left)))
    elif warband.status == Warband.Status.CAMP:
        state = _("in camp, {figure} d left").format(figure=figure(warband.strongbox_ducats))
    else:
        state = warband.get_status_display().lower()
    if warband.owner_id != getattr(user, "pk", None):
        words = _("for {owner}, {state}") if warband.owner else _("unclaimed, {state}")
        state = words.format(owner=warband.owner, state=state)
    glory = f" {rating.glory} g" if rating.glory else ""
    return WarbandLine(
        name=warband.name,
        href=href_of("warband-show", warband.pk),
        list_words=names_of(warband.terms).list_words(warband.list_id),
        mark=mark_of(warband),
        figures=f"{rating.ducats} d{glory}, {headcount_of(warband)}" if spends else figures_of(warband),
        state_words=state,
        problems=warband.problem_count,
    )
