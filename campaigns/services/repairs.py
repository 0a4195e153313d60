"""The services by which an administrator repairs what went wrong: money, experience, scars, finds, kit, the fallen, battles
credited, standings, or a whole warband.

Each repair has a reason, which the history tells, and can be undone like any other act. The rules of the game check
the result; its prices and steps do not apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Seat
from campaigns.services.common import rehearsed
from rules.consequences import GainsItem, LosesItems, SetFighter, SetWarband
from rules.price import Price
from rules.problems import Refusal
from warbands.adapters import PRESENT, force_of
from warbands.labels import has_shop, name_of
from warbands.models import Event, EventSubject, Fighter, Item, Warband
from warbands.models.event import PART_OF, PARTS
from warbands.recorder import Recorder
from warbands.recording import lock_rows, recording, refuse_put_away
from warbands.services.consequences import carry_out
from warbands.undo import is_live, rows_of, undo

MOST_MONEY = 9999
MOST_COUNT = 99
MAX_BACK = 200  # acts that one repair takes back


def repair_money(*, seat: Seat, actor: Any, ducats: int, glory: int, words: str, token: str = "") -> Event:
    """Put money into the strongbox (positive) or take it out. Raises Refusal for nothing, and for more than is there."""
    words = _reason(words)
    if not ducats and not glory:
        raise Refusal(_("Enter an amount."), code="no-change", field="ducats")
    if max(abs(ducats), abs(glory)) > MOST_MONEY:
        wrong = "ducats" if abs(ducats) > MOST_MONEY else "glory"
        raise Refusal(_("Up to {most} at once.").format(most=MOST_MONEY), code="count", field=wrong)
    with recording(*_subjects(seat), kind="repair-money", actor=actor, token=token) as act:
        warband = _warband(act)
        act.move_money(warband, ducats, glory, _("Correction: {words}").format(words=words))
        amount = _signed(ducats, glory)
        act.say(
            _("{{who}} corrected the money of {name}: {amount}. “{words}”").format(
                name=warband.name, amount=amount, words=words
            )
        )
    return act.event


def top_up(*, seat: Seat, ducats: int, actor: Any, words: str, token: str = "") -> Event:
    """Give a warband that fell behind money, within the book's limit: with it, the warband is worth no more than its threshold.

    Raises Refusal for more than `top_up_room`, and where there is none.
    """
    words = _reason(words)
    if ducats < 1:
        raise Refusal(_("Enter an amount."), code="no-change", field="ducats")
    with recording(*_subjects(seat), kind="repair-topup", actor=actor, token=token) as act:
        warband = _warband(act)
        room = top_up_room(warband)
        if room is None or not room.ducats:
            raise Refusal(_("{name} has reached its limit.").format(name=warband.name), code="no-room")
        if ducats > room.ducats:
            raise Refusal(
                _("Up to {most} d: the limit of its next battle is {threshold} d.").format(
                    most=room.ducats, threshold=room.threshold
                ),
                code="count",
                field="ducats",
            )
        act.move_money(warband, ducats, 0, _("Top-up: {words}").format(words=words))
        act.say(
            _("{{who}} topped {name} up by {ducats} d, to at most {threshold} d. “{words}”").format(
                name=warband.name, ducats=ducats, threshold=room.threshold, words=words
            )
        )
    return act.event


@dataclass(frozen=True, slots=True)
class Room:
    """How many ducats a warband may be given, so that it stays within the threshold of its next battle."""

    threshold: int
    ducats: int


def top_up_room(warband: Warband) -> Room | None:
    """Return what a top-up may give, None in games that limit no roster's worth. A few queries."""
    terms = warband.terms
    if not has_shop(terms):
        return None
    threshold = terms.game.limits(terms.content, force_of(warband)).threshold
    if threshold is None:
        return None
    return Room(threshold, max(0, threshold - warband.rating_ducats - warband.strongbox_ducats))


def repair_fighter(
    *,
    seat: Seat,
    fighter: Fighter,
    actor: Any,
    words: str,
    experience: int | None = None,
    scars: int | None = None,
    token: str = "",
) -> Event:
    """Set a fighter's experience or its number of scars. Raises Refusal if nothing changes or the game has no such number."""
    words = _reason(words)
    with recording(*_subjects(seat), kind="repair-fighter", actor=actor, token=token) as act:
        warband = _warband(act)
        wanted = {"experience": experience, "scars": scars}
        told = {
            "experience": _("experience {number}"),
            "scars": _("scars {number}"),
        }
        row = Fighter.objects.live().filter(pk=fighter.pk, warband=warband).first()
        changed = (
            []
            if row is None
            else [
                (name, number)
                for name, number in wanted.items()
                if number is not None and row.state.get(name) != number
            ]
        )
        if not changed:
            raise Refusal(_("Nothing changed."), code="no-change")
        _refuse_counts(**dict(changed))
        carry_out(act, warband, [SetFighter(str(fighter.pk), (name,), number, words) for name, number in changed])
        figures = ", ".join(told[name].format(number=number) for name, number in changed)
        act.say(
            _("{{who}} corrected {fighter}: {figures}. “{words}”").format(
                fighter=fighter.name, figures=figures, words=words
            )
        )
    return act.event


def repair_scars(
    *,
    seat: Seat,
    fighter: Fighter,
    actor: Any,
    words: str,
    add: str = "",
    remove: str = "",
    detail: str = "",
    token: str = "",
) -> Event:
    """Take a scar from a fighter (`remove`, a key), give one (`add`, an id of the edition), or replace one by another.

    `detail` is what the scar asks. Raises Refusal for neither, for a scar or detail that is not known, and in games without scars.
    """
    words = _reason(words)
    _refuse_nothing(add, remove)
    with recording(*_subjects(seat), kind="repair-scar", actor=actor, token=token) as act:
        warband = _warband(act)
        corrections, content = _corrections(warband), warband.terms.content
        row = Fighter.objects.live().filter(pk=fighter.pk, warband=warband).first()
        if row is None:
            raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
        fought = int(warband.state.get("fought") or 0)
        does = corrections.correct_scars(
            content, str(row.pk), row.state, add=add, remove=remove, detail=detail, battle=fought, why=words
        )
        gone = dict(corrections.scars_borne(content, row.state)).get(remove, "")
        told = _swapped(gone, dict(corrections.scar_choices(content)).get(add, ""))
        carry_out(act, warband, does)
        act.say(
            _("{{who}} corrected the scars of {fighter}: {told}. “{words}”").format(
                fighter=row.name, told=told, words=words
            )
        )
    return act.event


def repair_finds(*, seat: Seat, actor: Any, words: str, add: str = "", remove: str = "", token: str = "") -> Event:
    """Note a find of the edition for a warband (`add`, a key), take one away (`remove`), or replace one by another.

    Money and items that it brought stay as they are. Raises Refusal as `repair_scars` does.
    """
    words = _reason(words)
    _refuse_nothing(add, remove)
    with recording(*_subjects(seat), kind="repair-find", actor=actor, token=token) as act:
        warband = _warband(act)
        corrections, content = _corrections(warband), warband.terms.content
        does = corrections.correct_finds(content, warband.state, add=add, remove=remove, why=words)
        gone = dict(corrections.finds_held(content, warband.state)).get(remove, "")
        told = _swapped(gone, dict(corrections.find_choices(content)).get(add, ""))
        carry_out(act, warband, does)
        act.say(
            _("{{who}} corrected the finds of {name}: {told}. “{words}”").format(
                name=warband.name, told=told, words=words
            )
        )
    return act.event


def repair_strength(
    *, seat: Seat, fighter: Fighter, part: str, left: int, actor: Any, words: str, token: str = ""
) -> Event:
    """Set how many models or bases of a unit are left. Raises Refusal beyond its full strength, and in games without units."""
    words = _reason(words)
    with recording(*_subjects(seat), kind="repair-strength", actor=actor, token=token) as act:
        warband = _warband(act)
        row = Fighter.objects.live().filter(pk=fighter.pk, warband=warband).first()
        parts = {key: (name, now, full) for key, name, now, full in losable(warband, row)} if row is not None else {}
        if row is None or part not in parts:
            raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
        name, now, full = parts[part]
        if not 0 <= left <= full:
            raise Refusal(_("A number from 0 to {most}.").format(most=full), code="count", field="left")
        if left == now:
            raise Refusal(_("Nothing changed."), code="no-change")
        carry_out(act, warband, [SetFighter(str(row.pk), ("left", part), left, words)])
        act.say(
            _("{{who}} corrected {fighter}: {name}, {left} of {full} left. “{words}”").format(
                fighter=row.name, name=name, left=left, full=full, words=words
            )
        )
    return act.event


def bring_fighter_back(*, seat: Seat, fighter: Fighter, actor: Any, words: str, token: str = "") -> Event:
    """Bring a fighter who died or left back to the roster, without the kit that was lost with it."""
    words = _reason(words)
    with recording(*_subjects(seat), kind="repair-return", actor=actor, token=token) as act:
        warband = _warband(act)
        row = Fighter.objects.live().filter(pk=fighter.pk, warband=warband).first()
        if row is None or row.status in PRESENT:
            raise Refusal(_("{fighter} is on the roster.").format(fighter=fighter.name), code="present")
        act.change(row, status=Fighter.Status.ACTIVE, left_at=None, left_reason="")
        act.say(_("{{who}} brought {fighter} back. “{words}”").format(fighter=row.name, words=words))
    return act.event


def give_item(*, seat: Seat, item_id: str, actor: Any, words: str, token: str = "") -> Event:
    """Put an item of the books into the stash, as found. Raises Refusal for an item that the edition does not have."""
    words = _reason(words)
    with recording(*_subjects(seat), kind="repair-item", actor=actor, token=token) as act:
        warband = _warband(act)
        if item_id not in {key for key, _ in items_of(warband)}:
            raise Refusal(_("This edition has no such item."), code="unknown-item")
        carry_out(act, warband, [GainsItem(item=item_id, origin=str(Item.Origin.FOUND), reason=words)])
        name = name_of(warband.terms, "item", item_id)
        act.say(_("{{who}} gave {name} to {warband}. “{words}”").format(name=name, warband=warband.name, words=words))
    return act.event


def take_item(*, seat: Seat, item: Item, actor: Any, words: str, token: str = "") -> Event:
    """Take an item away from a warband, without money."""
    words = _reason(words)
    with recording(*_subjects(seat), kind="repair-item", actor=actor, token=token) as act:
        warband = _warband(act)
        carry_out(act, warband, [LosesItems((str(item.pk),), words)])
        name = name_of(warband.terms, "item", item.item_id)
        act.say(_("{{who}} took {name} from {warband}. “{words}”").format(name=name, warband=warband.name, words=words))
    return act.event


def credit_battles(*, seat: Seat, count: int, actor: Any, words: str, token: str = "") -> Event:
    """Set how many battles a warband is credited that it did not fight, as for latecomers."""
    words = _reason(words)
    _refuse_counts(count=count)
    with recording(*_subjects(seat), kind="repair-credit", actor=actor, token=token) as act:
        warband = _warband(act)
        if int(warband.state.get("credited") or 0) == count:
            raise Refusal(_("Nothing changed."), code="no-change")
        carry_out(act, warband, [SetWarband(("credited",), count, words)])
        told = ngettext(
            "{{who}} credited {name} with {count} battle. “{words}”",
            "{{who}} credited {name} with {count} battles. “{words}”",
            count,
        )
        act.say(told.format(name=warband.name, count=count, words=words))
    return act.event


def correct_standings(*, seat: Seat, points: int, actor: Any, words: str, token: str = "") -> Event:
    """Set the points by which a seat's place in the standings differs from what its battles brought."""
    words = _reason(words)
    if abs(points) > MOST_MONEY:
        raise Refusal(_("Up to {most} at once.").format(most=MOST_MONEY), code="count", field="points")
    with recording(seat.campaign, seat, kind="repair-standings", actor=actor, token=token) as act:
        row: Seat = act.row(seat)
        if row.corrected_points == points:
            raise Refusal(_("Nothing changed."), code="no-change")
        act.change(row, corrected_points=points)
        if row.warband is not None:
            act.also_told_to(row.warband)
        act.say(
            _("{{who}} corrected the standings of {name}: {points} points. “{words}”").format(
                name=row.name, points=f"{points:+d}".replace("-", "−"), words=words
            )
        )
    return act.event


@dataclass(frozen=True, slots=True)
class PutBack:
    """The acts that putting a warband back takes back, newest first, as sentences, and the act that did it."""

    undone: tuple[str, ...]
    event: Event | None = None


def preview_put_back(*, seat: Seat, version: int, actor: Any) -> PutBack:
    """Return what `put_back` would undo, without saving anything. Raises Refusal as `put_back` does."""
    return rehearsed(lambda: put_back(seat=seat, version=version, actor=actor, words=_("Preview")))


def put_back(*, seat: Seat, version: int, actor: Any, words: str, token: str = "") -> PutBack:
    """Put a warband back to an earlier version, by undoing everything that changed it since, newest first.

    One undo brings all of that forward again. Raises Refusal for a version that is not earlier, for too many acts,
    and where an act cannot be undone; the message names that act.
    """
    words = _reason(words)
    warband = seat.warband
    if warband is None:
        raise Refusal(_("No warband yet."), code="no-warband")
    with transaction.atomic():
        # All that the undos may lock at once, and in order: a post-battle that is taken back has its battle locked first.
        own = {(row._meta.label, row.pk) for row in _subjects(seat)}
        lock_rows(own | rows_of([event.pk for event in _since(warband, version)]))
        since = _since(warband, version)
        if not since:
            raise Refusal(_("Nothing changed since version {version}.").format(version=version), code="no-change")
        if len(since) > MAX_BACK:
            raise Refusal(_("That's more than {most} entries.").format(most=MAX_BACK), code="count")
        parts = []
        for event in since:
            if is_live(event):
                parts.append(_undone(event, actor))
        with recording(*_subjects(seat), kind="repair-version", actor=actor, token=token) as act:
            row = _warband(act)
            act.say(
                _("{{who}} put {name} back to version {version}. “{words}”").format(
                    name=row.name, version=version, words=words
                ),
                **{PARTS: [part.pk for part in parts]},
            )
        for part in parts:
            part.data[PART_OF] = act.event.pk
            part.save(update_fields=["data"])
    return PutBack(tuple(part.root.told for part in parts), act.event)


def _undone(event: Event, actor: Any) -> Event:
    try:
        return undo(event=event, actor=actor, by_right=False, guarded=False)
    except Refusal as refusal:
        raise Refusal(
            _("{told} This can't be undone: {why}").format(told=event.told, why=refusal.message),
            mend=_("Choose a later version."),
            code="stands",
        ) from refusal


def _since(warband: Warband, version: int) -> list[Event]:
    """Return the acts in effect that changed a warband after this version, newest first, without undos. One query."""
    subjects = EventSubject.objects.filter(warband=warband, number__gt=version, is_news=False)
    events = Event.objects.filter(pk__in=subjects.values("event"), undoes=None)
    return list(events.order_by("-pk"))


# --- what the page offers -----------------------------------------------------------------------------------------------------


def items_of(warband: Warband) -> list[tuple[str, str]]:
    """Return the items of a warband's books: id and name, by name."""
    terms = warband.terms
    entries = terms.game.rulebook.entries(terms.content)
    return sorted({(entry.id, entry.name) for entry in entries if entry.kind == "item"}, key=lambda each: each[1])


def losable(warband: Warband, fighter: Fighter) -> tuple[tuple[str, str, int, int], ...]:
    """Return what is left of a unit: key, name, how many are left, how many there are at full strength. None for other games."""
    profiles = warband.terms.game.profiles
    return profiles.losable(warband.terms.content, fighter.state) if profiles is not None else ()


def numbers_of(warband: Warband) -> frozenset[str]:
    """Return which of "experience", "scars" and "credited" the warband's game keeps. No queries."""
    terms = warband.terms
    state = terms.game.state
    tried = {
        "experience": lambda: state.fighter_state(terms.content, {"experience": 1}),
        "scars": lambda: state.fighter_state(terms.content, {"scars": 1}),
        "credited": lambda: state.warband_state(terms.content, {"credited": 1}),
    }
    return frozenset(name for name, attempt in tried.items() if _keeps(attempt, name))


def _keeps(attempt: Any, name: str) -> bool:
    try:
        return name in attempt()
    except Refusal:
        return False


# --- inside -------------------------------------------------------------------------------------------------------------------


def _reason(words: str) -> str:
    words = " ".join(words.split())[:200]
    if not words:
        raise Refusal(_("Give a reason."), code="no-words", field="words")
    return words


def _subjects(seat: Seat) -> list[Any]:
    if seat.warband is None:
        raise Refusal(_("No warband yet."), code="no-warband")
    return [seat.campaign, seat, seat.warband]


def _warband(act: Recorder) -> Warband:
    refuse_put_away(act.warband)
    return act.warband


def _corrections(warband: Warband) -> Any:
    corrections = warband.terms.game.corrections
    if corrections is None:
        raise Refusal(_("This game has nothing of that kind."), code="no-such-thing")
    return corrections


def _refuse_nothing(*chosen: str) -> None:
    if not any(chosen):
        raise Refusal(_("Choose something first."), code="no-change")


def _swapped(gone: str, new: str) -> str:
    if gone and new:
        return _("{new} instead of {gone}").format(new=new, gone=gone)
    return _("{new} added").format(new=new) if new else _("{gone} removed").format(gone=gone)


def _refuse_counts(**numbers: int) -> None:
    for field, number in numbers.items():
        if not 0 <= number <= MOST_COUNT:
            raise Refusal(_("A number from 0 to {most}.").format(most=MOST_COUNT), code="count", field=field)


def _signed(ducats: int, glory: int) -> str:
    parts = [
        ("+" if amount > 0 else "−") + str(price)
        for amount, price in ((ducats, Price(ducats=abs(ducats))), (glory, Price(glory=abs(glory))))
        if amount
    ]
    return ", ".join(parts)
