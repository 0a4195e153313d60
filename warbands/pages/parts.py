"""The parts of a page that a press may change one by one: what each looks like, and which of them differ from what the page shows.

A page of rows tells in its form what its parts look like (`told`). The form sends that back with each press, so an answer holds the
parts that differ from what that page really shows, whoever changed them. If other parts stand there than before, all of the page is sent.
Of a row that only changed its state, the state is enough for a page whose script can lay it over the row.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from warbands.pages.hire import Brief, HirePage, HireRows
from warbands.pages.kit import KitPage, KitPiece
from warbands.pages.offers import OfferGroup, OfferRow
from warbands.pages.shop import OfferPress, Shop
from warbands.pages.stash import StashPage
from warbands.pages.upgrades import UpgradePage

DIGEST_BYTES = 5  # of one part: two looks of one part are taken for the same once in 10^12
LASTING_BYTES = 3  # of what a row keeps: it matters only for a row of which the whole look differs
ROW = "components/offer_row.html"


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page: the id of its element, the template that draws it from `values`, and what it looks like.

    `looks` leaves out what no reader sees: one-use tokens and the version of the roster. Equal looks have equal `repr`. `lasting` is the
    look without what the template `brief` draws; "" for a part that is always drawn as a whole.
    """

    id: str
    template: str
    values: Mapping[str, Any]
    looks: object
    lasting: object = None
    brief: str = ""

    @property
    def told(self) -> str:
        """Return what the part looks like; behind a colon, what of that lasts."""
        return f"{_digest(self.looks)}:{_digest(self.lasting, LASTING_BYTES)}" if self.brief else _digest(self.looks)

    def again(self, told: str) -> PagePart:
        """Return the part as it is drawn over one that told `told`: briefly if only its state differs."""
        lasts = self.brief and told.partition(":")[2] == self.told.partition(":")[2]
        return replace(self, template=self.brief) if lasts else self


@dataclass(frozen=True, slots=True)
class PageParts:
    """The parts of a page of rows, in order, and its form, which every answer renews.

    `frame` is what else stands there: if it changes, all of the page has to be drawn again.
    """

    parts: tuple[PagePart, ...]
    press: OfferPress
    bought: tuple[str, ...] = ()
    frame: tuple[object, ...] = ()

    @property
    def told(self) -> str:
        """Return what the page looks like, as its form sends it."""
        frame = (tuple(part.id for part in self.parts), self.press.address, self.frame)
        return ".".join((_digest(frame), *(part.told for part in self.parts)))

    def differing(self, told: str, *, brief: bool = False) -> tuple[PagePart, ...] | None:
        """Return the parts that look different from a page that told `told`; None if all of it has to be drawn again.

        `brief`: rows may be drawn without what did not change.
        """
        there, here = told.split("."), self.told.split(".")
        if there[0] != here[0] or len(there) != len(here):
            return None
        differ = [(part, old) for part, old, new in zip(self.parts, there[1:], here[1:], strict=True) if old != new]
        return tuple(part.again(old) if brief else part for part, old in differ)


def _digest(looks: object, size: int = DIGEST_BYTES) -> str:
    return urlsafe_b64encode(blake2b(repr(looks).encode(), digest_size=size).digest()).decode().rstrip("=")


def kit_parts(page: KitPage) -> PageParts:
    """Return the parts of a fighter's kit page."""
    drawn_from = {"page": page}
    head = (page.name, page.stats, page.profile_words, page.hands_words)
    carried = (page.problems, _pieces(page.carried), page.upgrades_href, tuple(_row(row) for row in page.from_stash))
    return PageParts(
        (
            PagePart("kit_head", "warbands/parts/kit_head.html", drawn_from, head),
            PagePart("kit_carried", "warbands/parts/kit_carried.html", drawn_from, carried),
            *_shop_parts(page.shop),
            _brief(page.brief),
        ),
        page.shop.press,
        page.shop.bought,
        _shop_frame(page.shop),
    )


def shop_parts(shop: Shop) -> PageParts:
    """Return the parts of a shop beside the roster."""
    return PageParts(tuple(_shop_parts(shop)), shop.press, shop.bought, _shop_frame(shop))


def stash_parts(page: StashPage) -> PageParts | None:
    """Return the parts of the stash page; None for readers, who cannot press anything."""
    if page.shop is None:
        return None
    drawn_from, purse = {"page": page}, page.purse
    money = (purse.ducats, purse.glory) if purse else None
    top = (money, _pieces(page.pieces), page.empty_words, page.promises, page.camp_href, page.camp_words)
    entries = (purse.rows, purse.entry_count) if purse else ()
    return PageParts(
        (
            PagePart("stash_top", "warbands/parts/stash_top.html", drawn_from, top),
            *_shop_parts(page.shop),
            PagePart("stash_ledger", "warbands/parts/stash_ledger.html", drawn_from, entries),
        ),
        page.shop.press,
        page.shop.bought,
        (*_shop_frame(page.shop), page.open_words),
    )


def upgrade_parts(page: UpgradePage) -> PageParts:
    """Return the parts of a fighter's upgrades page."""
    choices = tuple((choice.key, choice.words, choice.options) for choice in page.choices)
    taken = tuple(replace(one, give_back=one.give_back and replace(one.give_back, fields={})) for one in page.taken)
    top = PagePart(
        "upgrades_top", "warbands/parts/upgrades_top.html", {"page": page}, (choices, taken, page.empty_words)
    )
    return PageParts((top, *_rows(page.groups, page.press)), page.press)


def hire_parts(page: HirePage) -> PageParts:
    """Return the parts of the hiring page."""
    rows = hire_rows_parts(page.hires)
    return replace(rows, parts=(*rows.parts, _brief(page.brief)))


def hire_rows_parts(hires: HireRows) -> PageParts:
    """Return the parts of what may be hired."""
    return PageParts(tuple(_rows(hires.groups, hires.press)), hires.press, frame=(hires.find, hires.empty_words))


def _shop_parts(shop: Shop) -> Iterator[PagePart]:
    target, drawn_from = shop.press.target, {"shop": shop}
    kits = (shop.kits, shop.same, shop.same_words)
    yield PagePart(f"{target}_presets", "warbands/parts/presets.html", drawn_from, kits)
    yield from _rows(shop.groups, shop.press)
    yield PagePart(f"{target}_others", "warbands/parts/also.html", drawn_from, shop.also)


def _shop_frame(shop: Shop) -> tuple[object, ...]:
    return (shop.find, shop.empty_words, shop.sections)


def _rows(groups: Iterable[OfferGroup], press: OfferPress) -> Iterator[PagePart]:
    for group in groups:
        place, drawn_from = f"{press.target}_{group.key}", {"group": group, "target": press.target}
        if group.rows and not group.folds_away:
            head = (group.name, group.count_words, group.term)
            yield PagePart(f"{place}_head", "warbands/parts/group_head.html", drawn_from, head)
        for row in group.rows:
            yield PagePart(row.key, ROW, {"offer": row, "press_form": press.form}, row, row.lasting, f"{ROW}#brief")
        folds = (bool(group.rows), group.folds)
        yield PagePart(f"{place}_folds", "warbands/parts/offer_folds.html", drawn_from, folds)


def _row(row: OfferRow) -> OfferRow:
    """Return a row without the hidden fields of its own form."""
    if row.action is None or not row.action.url:
        return row
    return replace(row, token="", action=replace(row.action, fields={}))


def _pieces(pieces: Sequence[KitPiece]) -> tuple[KitPiece, ...]:
    return tuple(replace(piece, acts=tuple(replace(act, fields={}) for act in piece.acts)) for piece in pieces)


def _brief(brief: tuple[Brief, ...]) -> PagePart:
    return PagePart("roster_brief", "warbands/parts/roster_brief.html", {"brief": brief}, brief)
