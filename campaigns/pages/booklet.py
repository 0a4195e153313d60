"""The page of a campaign's booklet, with its options, progress and file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.booklet import (
    PARTS_OF_A_NIGHT,
    BookletOptions,
    battles_ahead,
    has_scenarios,
    open_round_of,
    seats_with_rosters,
)
from campaigns.models import Booklet, Campaign, Round, Side
from warbands.models import Fighter
from warbands.pages.formatting import battles_words, day, sheets_words
from warbands.pages.printing import PrintChoices, SheetOption, print_choices
from warbands.pages.widgets import Link
from warbands.pdf_fonts import BEYOND_LATIN, unprintable_words

PATIENCE = timedelta(seconds=20)
MAX_RARE = 300


@dataclass(frozen=True, slots=True)
class BookletProgress:
    key: str
    words: str
    value: int
    max: int
    state: str
    href: str


@dataclass(frozen=True, slots=True)
class WarbandLeftOut:
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class BookletPage:
    """The page of the booklet. `strip` is the progress in the form that the campaign desk shows."""

    name: str
    here: str
    home: Link
    task: BookletProgress | None
    strip: BookletProgress | None
    meta: str
    left_out: tuple[WarbandLeftOut, ...]
    is_at_work: bool
    what: tuple[SheetOption, ...]
    options: PrintChoices
    letter_words: str
    link_href: str


def latest_booklet(campaign: Campaign) -> Booklet | None:
    """Return the campaign's booklet from the last week, without its file, or None. One query."""
    found: Booklet | None = Booklet.objects.kept().filter(campaign=campaign).select_related("asked_by").first()
    return found


def booklet_page(campaign: Campaign, options: BookletOptions | None, paper: str) -> BookletPage:
    """Build the page. At most six queries, seven if there are battles ahead.

    `options` are those of the current request. If None, the page uses those of the latest booklet, or the defaults. `letter_words` names
    the letters that none of the sheets' fonts has.
    """
    booklet = latest_booklet(campaign)
    if options is None:
        options = BookletOptions.of(booklet.options) if booklet is not None else BookletOptions.read({}, paper=paper)
    found = open_round_of(campaign)
    rosters, battles = seats_with_rosters(campaign).count(), battles_ahead(found).count()
    here = reverse("booklet-print", args=[campaign.pk])
    what = _parts(campaign, options, found, rosters, battles)
    sheets = options.sheets
    return BookletPage(
        name=campaign.name,
        here=here,
        home=Link(_("Campaign desk"), reverse("campaign-administer", args=[campaign.pk])),
        task=booklet_progress(booklet, campaign, "booklet_progress", again=f"{here}#again") if booklet else None,
        strip=booklet_progress(booklet, campaign, "booklet_strip", again=here) if booklet else None,
        meta=_asked(booklet) if booklet is not None else "",
        left_out=tuple(WarbandLeftOut(entry["name"], entry["why"]) for entry in booklet.left_out) if booklet else (),
        is_at_work=booklet is not None and booklet.status in Booklet.AT_WORK and not booklet.is_silent,
        what=what,
        link_href=reverse("printer-link", args=[campaign.pk]),
        options=print_choices(
            campaign.terms,
            sheets,
            look_label=_("Roster style"),
            glossary_words=_("Rules used by each roster"),
            unlinked=(
                _("No links and no codes on the rosters"),
                _("Without this, a code on each page opens that version of the roster, without {private}."),
            ),
            is_unlinked=not options.with_links,
            is_joined=True,
            more=(
                *(
                    (
                        SheetOption(
                            "codes",
                            _("A code on each battle sheet that opens its report form"),
                            options.with_codes,
                        ),
                    )
                    if battles
                    else ()
                ),
                SheetOption(
                    "leaves",
                    _("Blank pages for printing on both sides, so each sheet starts on a new leaf"),
                    options.on_new_leaves,
                ),
            ),
        ),
        letter_words=unprintable_words((campaign.name, *_rare_words(campaign, found if battles else None))),
    )


def _parts(
    campaign: Campaign, options: BookletOptions, found: Round | None, rosters: int, battles: int
) -> tuple[SheetOption, ...]:
    """Return the parts that there are tonight, in the order of the file."""
    words = {
        "standings": _("The standings"),
        "rosters": ngettext("The rosters: {count} warband", "The rosters: {count} warbands", rosters).format(
            count=rosters
        ),
        "blank_battles": _("An empty battle sheet"),
    }
    if found is not None:
        words["pairings"] = _("The pairings of round {number}").format(number=found.number)
    if found is not None and battles:
        words["battles"] = _("The battle sheets of round {number}: {battles} to come").format(
            number=found.number, battles=battles_words(battles)
        )
    if has_scenarios(campaign):
        words["scenarios"] = _("Scenarios of the next battles. All scenarios if none is chosen")
    return tuple(
        SheetOption(name, words[name], getattr(options, f"with_{name}")) for name in PARTS_OF_A_NIGHT if name in words
    )


def _rare_words(campaign: Campaign, ahead: Round | None) -> Iterator[str]:
    """Yield names and notes with non-Latin letters from rosters and from guests of battles ahead, at most `MAX_RARE` of each.

    Two queries, three if `ahead` is given. The database filters out texts that our fonts can print.
    """
    seats = seats_with_rosters(campaign)
    rare = Q(warband__name__regex=BEYOND_LATIN) | Q(warband__notes__regex=BEYOND_LATIN)
    for texts in seats.filter(rare).values_list("warband__name", "warband__notes")[:MAX_RARE]:
        yield from texts
    here = Fighter.objects.live().filter(warband__in=seats.values("warband"), status__in=("active", "captive"))
    yield from here.filter(name__regex=BEYOND_LATIN).values_list("name", flat=True)[:MAX_RARE]
    if ahead is not None:
        guests = Side.objects.filter(battle__in=battles_ahead(ahead), guest_name__regex=BEYOND_LATIN)
        yield from guests.values_list("guest_name", flat=True)[:MAX_RARE]


def booklet_progress(booklet: Booklet, campaign: Campaign, key: str, *, again: str, file: str = "") -> BookletProgress:
    """Return the progress of a booklet. No queries.

    `again` is the URL for requesting another one, `file` that of the PDF; without it, the one for administrators.
    """
    state, href = str(booklet.status), again if file else reverse("booklet-print", args=[campaign.pk])
    sheets = sheets_words(booklet.count)
    if booklet.is_silent:
        state, href = "failed", again
        words = _("The worker hasn't answered for ten minutes. You can create the booklet again.")
    elif booklet.status == Booklet.Status.QUEUED:
        words = _("Queued: {sheets}.").format(sheets=sheets)
        if booklet.asked_at < timezone.now() - PATIENCE:
            words = _("Queued: {sheets}. Waiting for the worker.").format(sheets=sheets)
    elif booklet.status == Booklet.Status.RUNNING:
        words = _("{done} of {sheets} done.").format(done=booklet.done, sheets=sheets)
    elif booklet.status == Booklet.Status.DONE:
        href = file or reverse("booklet-download", args=[campaign.pk])
        drawn = booklet.count - len(booklet.left_out)
        words = _("The booklet is ready: {drawn} on {pages}.").format(
            drawn=sheets_words(drawn),
            pages=ngettext("{count} page", "{count} pages", booklet.pages).format(count=booklet.pages),
        )
        if booklet.left_out:
            left_out = _("{sheets} left out.").format(sheets=sheets_words(len(booklet.left_out)))
            words = f"{words} {left_out}"
    else:
        href, words = again, booklet.why
    return BookletProgress(key, words, booklet.done, max(1, booklet.count), state, href)


def _asked(booklet: Booklet) -> str:
    when = timezone.localtime(booklet.asked_at)
    return _("Created for {user}, {day} {when:%H:%M}. Kept for a week.").format(
        user=booklet.asked_by or _("a former player"), day=day(booklet.asked_at), when=when
    )
