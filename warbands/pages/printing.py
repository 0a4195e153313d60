"""The page that offers the options for printing a sheet."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from warbands.labels import has_shop, headcount_of, labels_of
from warbands.models import Terms, Warband
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pdf_fonts import unprintable_words
from warbands.print_options import LOOKS, PAPERS, PrintOptions
from warbands.printing import sheet_choices, words_on_paper


@dataclass(frozen=True, slots=True)
class SheetOption:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PrintChoices:
    """The options of `components/print_options.html`.

    They are paper, look, and either the sheets of a game that has its own layouts, or the parts of a roster.
    """

    papers: tuple[SheetOption, ...]
    looks: tuple[SheetOption, ...]
    look_label: str
    sheets: tuple[SheetOption, ...]
    ticks: tuple[SheetOption, ...]
    unlinked_words: str
    unlinked_help: str
    is_unlinked: bool


@dataclass(frozen=True, slots=True)
class PrintPage:
    name: str
    here: str
    back_href: str
    text_href: str
    meta: str
    options: PrintChoices
    rules: tuple[HouseRule, ...]
    letter_words: str


LOOK_WORDS = {
    "full": gettext_lazy("Full"),
    "ink": gettext_lazy("Ink saver"),
    "large": gettext_lazy("Large print"),
}


def print_choices(
    terms: Terms,
    options: PrintOptions,
    *,
    look_label: str = "",
    glossary_words: str = "",
    unlinked: tuple[str, str] = ("", ""),
    is_unlinked: bool = False,
    more: tuple[SheetOption, ...] = (),
) -> PrintChoices:
    """Build the options, with the values of `options`. `more` holds extra checkboxes of the page. No queries.

    `unlinked` holds the label of the checkbox that omits the link, and what happens otherwise.
    "{private}" in it becomes what a link does not show. Empty words become those of a roster.
    """
    unlinked = (
        unlinked
        if unlinked[0]
        else (
            _("No link and no code on the sheet"),
            _("Without this, a code on each page opens this version, without {private}."),
        )
    )
    own = sheet_choices(terms)
    labels = labels_of(terms)
    chosen = options.sheets
    ticks: tuple[SheetOption, ...] = ()
    if not own:
        ticks = (
            SheetOption(
                "stash",
                _("The {stash}, with lines to write on").format(stash=labels["stash_within"]),
                options.with_stash,
            ),
            SheetOption(
                "glossary", glossary_words or _("The rules this roster uses, once each"), options.with_glossary
            ),
            SheetOption("gone", _("The dead and the dismissed"), options.with_gone),
            SheetOption("cards", _("Cards of 63 × 88 mm to cut out, one for each fighter"), options.with_cards),
        )
    return PrintChoices(
        papers=tuple(SheetOption(paper, paper, paper == options.paper) for paper in PAPERS),
        looks=tuple(SheetOption(look, str(LOOK_WORDS[look]), look == options.look) for look in LOOKS),
        look_label=look_label or _("Look"),
        sheets=tuple(
            SheetOption(sheet.id, f"{sheet.name}: {sheet.words}", sheet.usual if chosen is None else sheet.id in chosen)
            for sheet in own
        ),
        ticks=(*ticks, *more),
        unlinked_words=unlinked[0],
        unlinked_help=unlinked[1].format(private=_("purse and notes") if has_shop(terms) else _("notes")),
        is_unlinked=is_unlinked,
    )


def print_page(warband: Warband, options: PrintOptions) -> PrintPage:
    """Build the page. At most five queries. `letter_words` names the characters that no font of the sheets has."""
    return PrintPage(
        name=warband.name,
        here=reverse("roster-print", args=[warband.pk]),
        back_href=reverse("warband-show", args=[warband.pk]),
        text_href=reverse("warband-text", args=[warband.pk]),
        meta=_("{headcount}, version {version}").format(headcount=headcount_of(warband), version=warband.version),
        options=print_choices(warband.terms, options),
        rules=active_rules(warband.terms),
        letter_words=unprintable_words(words_on_paper(warband)),
    )
