"""The page that offers the options for printing a sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.problems import Refusal
from warbands.labels import has_shop, headcount_of, labels_of
from warbands.models import Fighter, PrintSetup, Terms, Warband
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pdf_fonts import unprintable_words
from warbands.print_options import CARD_SIZES, LAYOUTS, LOOKS, PAPERS, Paper, PrintOptions
from warbands.printing import sheet_choices, words_on_paper


def paper_words(paper: Paper) -> str:
    return _("Letter") if paper == "Letter" else paper


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
    layouts: tuple[SheetOption, ...]
    cards: tuple[SheetOption, ...]
    card_sizes: tuple[SheetOption, ...]
    card_parts: tuple[SheetOption, ...]
    sheets: tuple[SheetOption, ...]
    ticks: tuple[SheetOption, ...]
    unlinked_words: str
    unlinked_help: str
    is_unlinked: bool

    @property
    def prints_cards(self) -> bool:
        """Return whether any choice about cards differs from none at all; the page then shows them unfolded."""
        return any(choice.chosen for choice in self.cards)


@dataclass(frozen=True, slots=True)
class PrintPage:
    name: str
    here: str
    back_href: str
    text_href: str
    book_href: str
    meta: str
    options: PrintChoices
    rules: tuple[HouseRule, ...]
    letter_words: str
    fighters: tuple[SheetOption, ...]
    fighters_label: str
    setups: tuple[SheetOption, ...]
    setup_name: str

    @property
    def shows_a_setup(self) -> bool:
        """Return whether the choices are those of a kept set-up."""
        return any(setup.chosen for setup in self.setups)


LAYOUT_WORDS = {
    "page": gettext_lazy("One page: up to eight fighters on a side, with one block for identical fighters"),
    "full": gettext_lazy("Full: every fighter with all its rules, across the page"),
    "table": gettext_lazy("Table: every weapon of the force in one list"),
}
CARD_SIZE_WORDS = {"small": gettext_lazy("63 × 88 mm"), "big": gettext_lazy("95 × 138 mm")}
CARD_PART_WORDS = {
    "weapons": gettext_lazy("Weapons"),
    "rules": gettext_lazy("Kit, abilities, skills and scars in words, not by name alone"),
    "keyword_rules": gettext_lazy("Keywords in words"),
    "notes": gettext_lazy("Notes on the fighter"),
    "experience": gettext_lazy("Boxes for experience"),
    "scars": gettext_lazy("Boxes for scars"),
    "portrait": gettext_lazy("On the back, a place for a portrait"),
}
LOOK_WORDS = {
    "full": gettext_lazy("With shading"),
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
    is_joined: bool = False,
) -> PrintChoices:
    """Build the options, with the values of `options`. `more` holds extra checkboxes of the page. No queries.

    Sheets that are joined (`is_joined`) are for paper: they have no fields to fill in.

    `unlinked` holds the label of the checkbox that omits the link, and what happens otherwise.
    "{private}" in it becomes what a link does not show. Empty words become those of a roster.
    """
    unlinked = (
        unlinked
        if unlinked[0]
        else (
            _("No link and no code on the sheet"),
            _("Without this, a code on the sheet opens this version, without {private}."),
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
            SheetOption("markers", _("Boxes to tick during a battle"), options.with_markers),
            SheetOption("notes", _("Notes on the warband and on its fighters"), options.with_notes),
            SheetOption("blank", _("An empty line for each fighter, for tonight's finds"), options.with_blank),
            SheetOption("fields", _("Fields to fill in on a screen, in place of boxes and lines"), options.with_fields),
        )
    cards = (
        SheetOption("cards", _("Cards to cut out, one for identical fighters"), options.with_cards),
        SheetOption("backs", _("Backs"), options.with_backs),
        SheetOption("rules_cards", _("Cards of the keywords used"), options.with_rules_cards),
        SheetOption("blank_cards", _("Empty cards to write on"), options.with_blank_cards),
    )
    if is_joined:
        ticks = tuple(tick for tick in ticks if tick.value != "fields")
    return PrintChoices(
        papers=tuple(SheetOption(paper, paper_words(paper), paper == options.paper) for paper in PAPERS),
        looks=tuple(SheetOption(look, str(LOOK_WORDS[look]), look == options.look) for look in LOOKS),
        look_label=look_label or _("Look"),
        layouts=()
        if own
        else tuple(SheetOption(layout, str(LAYOUT_WORDS[layout]), layout == options.layout) for layout in LAYOUTS),
        cards=() if own else cards,
        card_sizes=()
        if own
        else tuple(SheetOption(size, str(CARD_SIZE_WORDS[size]), size == options.card_size) for size in CARD_SIZES),
        card_parts=_card_parts(terms, options),
        sheets=tuple(
            SheetOption(sheet.id, f"{sheet.name}: {sheet.words}", sheet.usual if chosen is None else sheet.id in chosen)
            for sheet in own
        ),
        ticks=(*ticks, *more),
        unlinked_words=unlinked[0],
        unlinked_help=unlinked[1].format(private=_("money and notes") if has_shop(terms) else _("notes")),
        is_unlinked=is_unlinked,
    )


def _card_parts(terms: Terms, options: PrintOptions) -> tuple[SheetOption, ...]:
    own = terms.game.print_sheets
    named = CARD_PART_WORDS if own is None else {part.id: part.name for part in own.card_parts(terms.content)}
    return tuple(SheetOption(part, str(words), part in options.card_parts) for part, words in named.items())


def print_page(warband: Warband, options: PrintOptions, *, setup_name: str = "") -> PrintPage:
    """Build the page. At most seven queries. `letter_words` names the characters that no font of the sheets has."""
    here = reverse("roster-print", args=[warband.pk])
    own = bool(sheet_choices(warband.terms))
    return PrintPage(
        name=warband.name,
        here=here,
        back_href=reverse("warband-show", args=[warband.pk]),
        text_href=reverse("warband-text", args=[warband.pk]),
        book_href=reverse("warband-book", args=[warband.pk]),
        meta=_("{headcount}, version {version}").format(headcount=headcount_of(warband), version=warband.version),
        options=print_choices(warband.terms, options),
        rules=active_rules(warband.terms),
        letter_words=unprintable_words(words_on_paper(warband)),
        fighters=_fighters(warband, options),
        fighters_label=_("Cards for these units") if own else _("Fighters to print"),
        setups=tuple(
            SheetOption(f"{here}?{urlencode({'setup': setup.name})}", setup.name, setup.name == setup_name)
            for setup in PrintSetup.objects.filter(warband=warband)
        ),
        setup_name=setup_name,
    )


def _fighters(warband: Warband, options: PrintOptions) -> tuple[SheetOption, ...]:
    """Return the fighters on the roster, ticked if they are printed. One query."""
    rows = Fighter.objects.live().filter(warband=warband, status__in=(Fighter.Status.ACTIVE, Fighter.Status.CAPTIVE))
    return tuple(
        SheetOption(str(pk), name, options.fighters is None or str(pk) in options.fighters)
        for pk, name in rows.order_by("position", "pk").values_list("pk", "name")
    )


def with_all(warband: Warband, options: PrintOptions) -> PrintOptions:
    """Return the options with fighters of this roster alone; where all were ticked, those hired later count too. One query.

    Raises Refusal if none of them is on the roster.
    """
    if options.fighters is None:
        return options
    on_roster = _fighters(warband, options)
    if all(choice.chosen for choice in on_roster):
        return replace(options, fighters=None)
    ticked = tuple(choice.value for choice in on_roster if choice.chosen)
    if not ticked:
        raise Refusal(_("Choose a fighter."), mend=_("Tick those to print."), code="fighter")
    return replace(options, fighters=ticked)
