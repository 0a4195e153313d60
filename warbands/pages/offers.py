"""Offers as rows of one line each: what it is, what it is for, what it costs, and one button; locked ones fold by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.parts.choice import ChoiceAsked
from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.pages.cards import Stat
from warbands.pages.formatting import asked
from warbands.pages.terms import ExplainedTerm

MONEY = ("money", "glory")  # the locks of those that cost too much
LOCKS = ("limit", "hands", "money", "fighter", "glory", "other")  # in the order of their folds
BULK = 3  # as many as the second button of a hire takes


@dataclass(frozen=True, slots=True)
class Button:
    """An act: a button of the page's form (`name`, `value`), a form of its own (`url`), or a link (`href`)."""

    label: str
    url: str = ""
    href: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, hash=False)
    name: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One offer in the shape that `components/offer_row.html` renders.

    `taken` says how many are taken, `what` is the second line, `words` stand in the opened row, `limit_words` below them. A row
    without `action` is locked; `label` is what its button says then.
    """

    key: str
    id: str
    name: str
    href: str
    taken: str
    what: str
    price_words: str
    stats: tuple[Stat, ...]
    words: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    state: str
    reason: str
    mend: str
    action: Button | None
    label: str
    token: str = ""
    bulk: Button | None = None
    opened: bool = False
    asks: tuple[ChoiceAsked, ...] = ()
    limit_words: str = ""

    @property
    def lasting(self) -> OfferRow:
        """Return the row without its state, which is what a brief row draws."""
        return replace(
            self, taken="", what="", state="", reason="", mend="", action=None, label="", token="", limit_words=""
        )


@dataclass(frozen=True, slots=True)
class LockedLine:
    name: str
    href: str
    words: str
    price_words: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Offers that are locked for one kind of reason, as one line that opens."""

    key: str
    words: str
    lines: tuple[LockedLine, ...]
    open: bool
    means: str = ""  # explains the reason


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """Offers under one heading. With `folds_away` the rows lie in a line that opens: `open` says whether it is."""

    key: str
    name: str
    count_words: str
    rows: tuple[OfferRow, ...]
    folds: tuple[Fold, ...]
    term: ExplainedTerm | None = None  # explains the name
    folds_away: bool = False
    open: bool = False

    @property
    def row_names(self) -> str:
        """Return what lies in the group, for a line that opens it."""
        return ", ".join(row.name for row in self.rows)


def asks_of(offer: Offer) -> tuple[ChoiceAsked, ...]:
    """Return all choices that an offer asks for. Its own option comes first, under the key "option"."""
    own = (ChoiceAsked("option", offer.option_words or _("Choose one"), offer.options),) if offer.options else ()
    return (*own, *offer.choices)


def must_choose(offer: Offer) -> bool:
    return any(not asked_for.optional for asked_for in asks_of(offer))


def offer_row(
    offer: Offer,
    *,
    verb: str,
    done: str,
    action: Button,
    taken: int = 0,
    bulk: Button | None = None,
    choose_href: str = "",
    href: str = "",
    opened: str = "",
    with_price: bool = True,
    key: str = "",
    fighter: str = "",
    counted: bool = True,
) -> OfferRow:
    """Return one offer as a row.

    `verb` stands on its button, `done` on the button of one that is taken and at its limit. `taken` is how many the page's
    subject has. If a choice must be made first, the button is a link to `choose_href`. `fighter` is the name in the page's
    heading, which is removed from the start of each reason.
    """
    is_open, chooses = offer.state != "closed", must_choose(offer)
    if chooses and choose_href:
        action, bulk = Button(_("{verb}…").format(verb=verb), href=choose_href), None
    reason, fix = _why(offer, fighter)
    return OfferRow(
        key=row_key(key or offer.id),
        id=offer.id,
        name=offer.name,
        href=href,
        taken=_taken_words(offer, taken) if counted else "",
        what=_problem_words(offer, reason) if offer.state == "problem" else what_words(offer),
        price_words=asked(offer.price) if with_price else "",
        stats=tuple(Stat(*stat) for stat in offer.statline),
        words=tuple(capfirst(line) for line in offer.details if line),
        rules=offer.rules,
        state={"open": "open", "problem": "open_problem", "closed": "locked"}[offer.state],
        reason=reason,
        mend=fix,
        action=action if is_open else None,
        label=done if taken and not is_open else verb,
        token=new_token() if action.url else "",
        bulk=bulk if _takes_more(offer) and not chooses else None,
        opened=bool(opened) and opened == offer.id and is_open and chooses,
        asks=asks_of(offer),
        limit_words=limit_words(offer) if counted else "",
    )


def row_key(offer: str) -> str:
    """Return the id of an offer's row on its page."""
    return f"offer_{slugify(offer)}"


def what_words(offer: Offer) -> str:
    """Return the second line of an offer: what it is for."""
    return offer.purpose or (offer.details[0] if offer.details else "")


def _problem_words(offer: Offer, reason: str) -> str:
    """Return in a few words what problem an offer would cause; the opened row says it in full."""
    if offer.lock in MONEY:
        return _("Over budget")
    return _("No free hand or place") if offer.lock == "hands" else reason.removesuffix(".")


def _takes_more(offer: Offer) -> bool:
    return offer.limit is None or offer.limit >= BULK


def _taken_words(offer: Offer, taken: int) -> str:
    """Return how many are taken, with the limit if that is what the number counts towards: "2 of 5", "1 of 1, full", "3"."""
    if not taken:
        return ""
    if offer.limit is None or taken != offer.held:
        return str(taken)
    words = _("{taken} of {limit}, full") if taken >= offer.limit else _("{taken} of {limit}")
    return words.format(taken=taken, limit=offer.limit)


def limit_words(offer: Offer) -> str:
    if offer.limit is None:
        return _("No limit.")
    return _("LIMIT {limit}: the most you may have. You have {taken}.").format(taken=offer.held, limit=offer.limit)


def _why(offer: Offer, fighter: str) -> tuple[str, str]:
    """Return what stands in the way of an offer, and what would help.

    How much money is left stands in the bar. If each row said what it lacks, each purchase would change all of them.
    """
    if offer.lock in MONEY and offer.state != "open":
        return _("Costs more than you have."), ""
    problem = offer.problems[0] if offer.problems else None
    reason = offer.reason or (problem.message if problem else "")
    fix = offer.mend or (problem.mend if problem else "")
    if offer.state == "problem" and offer.name in fix:
        fix = ""  # returning an item that is not bought yet does not help
    return capfirst(reason.removeprefix(f"{fighter}: ")) if fighter else reason, fix


# --- which offers stand as rows, and which fold -------------------------------------------------------------------------------


def found(offers: Iterable[Offer], find: str) -> tuple[Offer, ...]:
    """Return the offers that a search finds: by name, by what they are for, and by the words of their rules."""
    wanted = [word.removesuffix("s") for word in find.casefold().split()]
    return (
        tuple(offer for offer in offers if all(word in _haystack(offer) for word in wanted)) if wanted else (*offers,)
    )


def _haystack(offer: Offer) -> str:
    rules = (text for pair in offer.rules for text in pair)
    return " ".join((offer.name, offer.purpose, *offer.details, *rules)).casefold()


def standing(offers: Iterable[Offer], order: Sequence[str], taken: Counter[str]) -> frozenset[str]:
    """Return the ids of the offers that stand as rows: the open ones and those that are taken.

    After a press these are the rows that stood before it (`order`), whatever is open now, so that nothing moves.
    """
    if order:
        return frozenset(order)
    return frozenset(o.id for o in offers if o.state != "closed" or (taken[o.id] and o.lock == "limit"))


def grouped(
    offers: Iterable[Offer],
    make: Callable[[Offer], OfferRow],
    *,
    stands: frozenset[str],
    headings: Callable[[Offer], str],
    counts: Mapping[str, str] | None = None,
    terms: Mapping[str, ExplainedTerm | None] | None = None,
    held_glory: int = 0,
    glory: ExplainedTerm | None = None,
    find: str = "",
    href: Callable[[Offer], str] = lambda offer: "",
    folded: Sequence[str] = (),
    locked_last: bool = False,
    fighter: str = "",
) -> tuple[OfferGroup, ...]:
    """Return the offers under their headings: rows first, then what is locked, folded by reason.

    A search opens the folds in which it found something. `terms` explain headings, `glory` the reason of that fold. Rows under the
    headings in `folded` fold away until one of them is taken. `locked_last`: what is locked folds once for all headings.
    `fighter` is the name in the page's heading.
    """
    groups: dict[str, list[Offer]] = {}
    for offer in found(offers, find):
        groups.setdefault(headings(offer), []).append(offer)
    made: list[OfferGroup] = []
    last: list[Offer] = []
    for name, members in groups.items():
        key = slugify(name) or "all"
        rows = tuple(make(offer) for offer in members if offer.id in stands)
        locked = [offer for offer in members if offer.id not in stands]
        folds: tuple[Fold, ...] = ()
        if locked_last:
            last += locked
        else:
            folds = _folds("" if rows else name, key, locked, held_glory, glory, bool(find), href, fighter)
        is_open = bool(find) or any(row.taken or row.opened for row in rows)
        made.append(
            OfferGroup(
                key, name, (counts or {}).get(name, ""), rows, folds, (terms or {}).get(name), name in folded, is_open
            )
        )
    if last:
        made.append(
            OfferGroup("locked", "", "", (), _folds("", "locked", last, held_glory, glory, bool(find), href, fighter))
        )
    return tuple(group for group in made if group.rows or group.folds)


def _folds(
    name: str,
    group: str,
    locked: Sequence[Offer],
    held_glory: int,
    glory: ExplainedTerm | None,
    is_open: bool,
    href: Callable[[Offer], str],
    fighter: str,
) -> tuple[Fold, ...]:
    folds = []
    for lock in LOCKS:
        members = [offer for offer in locked if (offer.lock or "other") == lock]
        if members:
            lines = tuple(LockedLine(o.name, href(o), _locked_words(o, fighter), asked(o.price)) for o in members)
            words = _fold_words(lock, len(members), held_glory)
            means = glory.words if glory is not None and lock == "glory" else ""
            if name and lock != "glory":
                words = f"{name}: {words}"
            folds.append(Fold(f"{group}_{lock}", words, lines, is_open, means))
    return tuple(folds)


def _locked_words(offer: Offer, fighter: str) -> str:
    """Return why one folded offer is locked. The fold's own line says it already where only money is short."""
    if offer.lock in MONEY:
        return what_words(offer)
    return f"{capfirst(offer.reason.removeprefix(f'{fighter}: '))} {offer.mend}".strip()


def _fold_words(lock: str, count: int, glory: int) -> str:
    words = {
        "limit": ngettext("{n} more, at its limit", "{n} more, at their limit", count),
        "hands": ngettext("{n} more needs a free hand or place", "{n} more need a free hand or place", count),
        "money": ngettext("{n} more costs more than you have", "{n} more cost more than you have", count),
        "fighter": ngettext("{n} more for other fighters", "{n} more for other fighters", count),
        "glory": ngettext("{n} more for glory; you have {glory}", "{n} more for glory; you have {glory}", count),
        "other": ngettext("{n} more, locked for now", "{n} more, locked for now", count),
    }[lock]
    return words.format(n=count, glory=glory)


def order_of(groups: Iterable[OfferGroup]) -> str:
    """Return the ids of the rows of a page, as its form sends them so that they stay where they are."""
    return " ".join(row.id for group in groups for row in group.rows)


def opened_row(groups: Iterable[OfferGroup]) -> OfferRow | None:
    return next((row for group in groups for row in group.rows if row.opened), None)
