"""Services for names, notes, order and choices of a roster, and to archive, disband, restore or hand over a warband."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.parts.choice import Choosing
from rules.problems import Refusal
from warbands.adapters import PRESENT
from warbands.draft_acts import draftable
from warbands.labels import listed
from warbands.models import Change, Delegate, Fighter, Item, Warband
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.rights import refuse_act
from warbands.services.common import (
    acting,
    clean_name,
    clean_text,
    content_of,
    game_of,
    held_item,
    roster_fighter,
    settle_choices,
)
from warbands.services.consequences import carry_out
from warbands.services.founding import army_list, checked_patron


@draftable
def rename_fighter(*, fighter: Fighter, name: str, actor: Any, token: str = "", seen: int | None = None) -> Fighter:
    """Rename a fighter. Raises Refusal if the name is empty, too long or unchanged."""
    with acting(fighter.warband, kind="rename", actor=actor, token=token, seen=seen) as act:
        row = roster_fighter(act, fighter)
        before, after = row.name, clean_name(name)
        if before == after:
            raise Refusal(_("{name} has that name already.").format(name=before), code="no-change")
        act.change(row, name=after)
        act.say(_("{{who}} renamed {before} to {after}.").format(before=before, after=after))
    fighter.name = after
    return fighter


@draftable
def note_fighter(*, fighter: Fighter, notes: str, actor: Any, token: str = "", seen: int | None = None) -> Fighter:
    """Replace a fighter's note. Raises Refusal if it is too long or unchanged."""
    with acting(fighter.warband, kind="note", actor=actor, token=token, seen=seen) as act:
        row = roster_fighter(act, fighter)
        text = clean_text(notes, what=_("The note"), longest=2000, lines=True, field="notes")
        if text == row.notes:
            raise Refusal(_("The note says that already."), code="no-change")
        act.change(row, notes=text)
        words = _("{{who}} wrote a note on {name}.") if text else _("{{who}} deleted the note on {name}.")
        act.say(words.format(name=row.name))
    fighter.notes = text
    return fighter


@draftable
def move_fighter(
    *,
    fighter: Fighter,
    actor: Any,
    direction: str = "",
    position: int | None = None,
    token: str = "",
    seen: int | None = None,
) -> Fighter:
    """Move a fighter up or down within its section of the roster, or to a position in it, counted from 1.

    Raises:
        Refusal: the fighter is there already.
    """
    with acting(fighter.warband, kind="move", actor=actor, token=token, seen=seen) as act:
        row = roster_fighter(act, fighter)
        rows = list(Fighter.objects.live().filter(warband=act.warband, status__in=PRESENT))
        sheet = game_of(act).documents.sheet(content_of(act), act.force())
        section = {shown.key: shown.section for shown in sheet.fighters}
        mine = section.get(str(row.pk))
        peers = [peer for peer in rows if section.get(str(peer.pk)) == mine]
        here = next(place for place, peer in enumerate(peers) if peer.pk == row.pk)
        there = position - 1 if position is not None else here + {"up": -1, "down": 1}.get(direction, 0)
        there = max(0, min(len(peers) - 1, there))
        if there == here:
            raise Refusal(_("{name} is there already.").format(name=row.name), code="no-change")
        order = [peer for peer in peers if peer.pk != row.pk]
        order.insert(there, row)
        queue = iter(order)
        for place, standing in enumerate(next(queue) if peer in peers else peer for peer in rows):
            act.change(standing, position=place)
        up = _("{{who}} moved {name} up the roster.")
        down = _("{{who}} moved {name} down the roster.")
        act.say((up if there < here else down).format(name=row.name))
    fighter.refresh_from_db(fields=["position"])
    return fighter


@draftable
def change_warband(
    *,
    warband: Warband,
    actor: Any,
    name: str | None = None,
    patron: str | None = None,
    notes: str | None = None,
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Warband:
    """Change name, patron, notes and the list's choices. None leaves a value unchanged.

    Patron and choices can change freely while founding; later, only missing ones can be set.

    Raises:
        Refusal: nothing changes, or a value is invalid.
    """
    with acting(warband, kind="change", actor=actor, token=token, seen=seen) as act:
        done = [
            *_rename_warband(act, name),
            *_change_patron(act, patron),
            *_write_notes(act, notes),
            *_change_choices(act, choices or {}),
        ]
        if not done:
            raise Refusal(_("Nothing was changed."), code="no-change")
        act.say("{who} " + "; ".join(done) + ".")
    warband.refresh_from_db()
    return warband


def _rename_warband(act: Recorder, name: str | None) -> Iterator[str]:
    row = act.warband
    if name is not None and (cleaned := clean_name(name, what=_("The warband's name"))) != row.name:
        yield _("renamed {before} to {after}").format(before=row.name, after=cleaned)
        act.change(row, name=cleaned)


def _change_patron(act: Recorder, patron: str | None) -> Iterator[str]:
    row = act.warband
    if patron is None or patron == row.patron:
        return
    chosen = army_list(row.terms, row.list_id)
    checked_patron(chosen, patron)
    _refuse_settled(row, row.patron, _("The patron can't change after building."))
    patron_name = dict(chosen.patrons).get(patron)
    words = _("chose {patron} as patron of {name}") if patron_name else _("left {name} without a patron")
    yield words.format(patron=patron_name, name=row.name)
    act.change(row, patron=patron)


def _write_notes(act: Recorder, notes: str | None) -> Iterator[str]:
    row = act.warband
    if (
        notes is not None
        and (text := clean_text(notes, what=_("The note"), longest=4000, lines=True, field="notes")) != row.notes
    ):
        yield _("wrote notes on {name}").format(name=row.name)
        act.change(row, notes=text)


def _change_choices(act: Recorder, choices: Mapping[str, Any]) -> Iterator[str]:
    questions = game_of(act).choices(content_of(act), act.force()) if choices else ()
    for key, value in choices.items():
        choosing = next((c for c in questions if c.row == "warband" and c.asked.key == key), None)
        if choosing is None:
            raise Refusal(_("This choice isn't offered."), code="unknown-option")
        if _choose(act, act.warband, choosing, value):
            words = _("decided “{choice}”") if value else _("cleared “{choice}”")
            yield words.format(choice=choosing.asked.words)


def _choice_words(row: Any, chosen: str, source: str) -> str:
    """Return the sentence of the history; it names the fighter, or the fighter that carries the item."""
    bearer = row.fighter if isinstance(row, Item) else row if isinstance(row, Fighter) else None
    if bearer is None:
        return _("{{who}} chose {chosen} ({source}).").format(chosen=chosen, source=source)
    words = _("{{who}} chose {chosen} for {name} ({source}).")
    return words.format(chosen=chosen, name=bearer.name, source=source)


@draftable
def set_choice(
    *,
    row: Warband | Fighter | Item,
    key: str,
    value: Any,
    actor: Any,
    entry: str = "",
    token: str = "",
    seen: int | None = None,
) -> Warband | Fighter | Item:
    """Make or change one choice of a warband's list, a fighter or an item. An empty value clears an optional choice.

    `entry` is the key of the fighter's upgrade or skill with the choice, "" for a choice of its profile. Choices can
    change freely while founding; later, only missing ones, and those that the rules let change between battles.

    Raises:
        Refusal: there is no such choice, the value is not one of its options, or the choice can no longer change.
    """
    warband = row if isinstance(row, Warband) else row.warband
    with acting(warband, kind="choose", actor=actor, token=token, seen=seen) as act:
        fresh: Any = _holder(act, row)
        questions = game_of(act).choices(content_of(act), act.force())
        choosing = next(
            (c for c in questions if _is_asked_of(c, fresh) and _entry_of(c) == entry and c.asked.key == key), None
        )
        if choosing is None:
            raise Refusal(_("This choice isn't offered."), code="unknown-option")
        if not _choose(act, fresh, choosing, value):
            raise Refusal(_("This is chosen already."), code="no-change")
        options = dict(choosing.asked.options)
        made = value if isinstance(value, list | tuple) else [value]
        chosen = listed([options.get(str(one), str(one)) for one in made if one]) or _("nothing")
        act.say(_choice_words(fresh, chosen, choosing.source))
    row.refresh_from_db()
    return row


def _holder(act: Recorder, row: Warband | Fighter | Item) -> Warband | Fighter | Item:
    if isinstance(row, Warband):
        return act.warband
    return roster_fighter(act, row) if isinstance(row, Fighter) else held_item(act, row)


def _is_asked_of(choosing: Choosing, row: Warband | Fighter | Item) -> bool:
    if isinstance(row, Warband):
        return choosing.row == "warband"
    if isinstance(row, Fighter):
        return choosing.row == "fighter" and choosing.fighter == str(row.pk)
    return choosing.row == "item" and choosing.item == str(row.pk)


def _entry_of(choosing: Choosing) -> str:
    """Return the key of the upgrade or skill that has the choice, "" for a choice of the row itself."""
    return choosing.path[1] if len(choosing.path) > 2 else ""


def _choose(act: Recorder, row: Warband | Fighter | Item, choosing: Choosing, value: Any) -> bool:
    asked = choosing.asked
    before = choosing.chosen
    after = settle_choices([asked], {asked.key: value}).get(asked.key)
    if before == (tuple(after) if isinstance(after, list) else (after,) if after is not None else ()):
        return False
    if not asked.any_time and not choosing.wrong:
        _refuse_settled(act.warband, before, _("“{choice}” can't change after building.").format(choice=asked.words))
    act.set_leaf(row, choosing.path, after)
    for value, follows in choosing.follows:
        if value == (after or ""):
            carry_out(act, act.warband, follows)
    return True


def _refuse_settled(warband: Warband, before: Any, words: str) -> None:
    if before and not warband.is_founding:
        raise Refusal(words, mend=_("Undo the entry that decided it."), code="closed")


# --- archive, disband, restore, new owner -----------------------------------------------------------------------------


def disband_warband(
    *, warband: Warband, actor: Any, reason: str = "", token: str = "", seen: int | None = None
) -> Warband:
    """Disband a warband for good. It stays readable, with its history. An undo brings it back."""
    with acting(warband, kind="disband", actor=actor, token=token, seen=seen) as act:
        refuse_act(actor, act.warband, "disband")
        act.change(act.warband, status=Warband.Status.DISBANDED)
        why = clean_text(reason, what=_("The reason"), longest=200, field="reason")
        words = _("{{who}} disbanded {name}: {why}.") if why else _("{{who}} disbanded {name}.")
        act.say(words.format(name=act.warband.name, why=why.rstrip(".")))
    return warband


def archive_warband(*, warband: Warband, actor: Any, token: str = "", seen: int | None = None) -> Warband:
    """Archive a warband: it no longer appears in the usual lists, but can be read and restored."""
    with acting(warband, kind="archive", actor=actor, token=token, seen=seen) as act:
        act.change(act.warband, status=Warband.Status.ARCHIVED)
        act.say(_("{{who}} archived {name}.").format(name=act.warband.name))
    return warband


def restore_warband(*, warband: Warband, actor: Any, token: str = "", seen: int | None = None) -> Warband:
    """Restore an archived or disbanded warband to its earlier status. Raises Refusal if it is neither."""
    with recording(warband, kind="restore", actor=actor, token=token, seen=seen) as act:
        row = act.warband
        if row.status not in (Warband.Status.ARCHIVED, Warband.Status.DISBANDED):
            raise Refusal(_("{name} is not archived.").format(name=row.name), code="no-change")
        away = row.status
        refuse_act(actor, row, "disband" if away == Warband.Status.DISBANDED else "archive")
        last = Change.objects.filter(label=row._meta.label, row_id=row.pk, field="status").order_by("-pk").first()
        before = last.before if last is not None else Warband.Status.CAMP
        act.change(row, status=before)
        act.say(_("{{who}} restored {name}.").format(name=row.name), **{"from": away})
    return warband


def change_owner(act: Recorder, warband: Warband, owner: Any) -> None:
    """Give the warband to another owner inside an act, and remove its delegates."""
    act.change(warband, owner=owner, lends_rights=False)
    for delegate in Delegate.objects.live().filter(warband=warband):
        act.change(delegate, is_undone=True)
