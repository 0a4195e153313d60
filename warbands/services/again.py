"""Brings a roster again: what differs since it was last brought, and the chosen differences taken over in one act."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.force import Force, ForceFighter, ForceItem
from rules.price import Price
from rules.problems import Refusal
from rules.roster_changes import OF_WARBAND, RosterChange, changes_of, match_fighters, more_and_less, replaced
from rules.roster_files.carried import EVERYTHING, carried
from warbands.adapters import force_of
from warbands.document_history import DocumentHistory
from warbands.models import Fighter, ImportedFile, Item, PaperDraft, Warband
from warbands.recorder import Recorder
from warbands.services.common import acting, clean_name
from warbands.services.originals import digest_of, keep_file, keys_read
from warbands.services.paper_check import PaperCheck, check_draft
from warbands.services.transcription import keep_answers, read_draft, start_reading, take_if_clear
from warbands.services.write_force import ForceWriter
from warbands.text_import import roster_of_draft, text_import_of

MONEY = "money"
NOT_TAKEN = ("status:captive", "status:active", "left", "hired")  # told, but decided elsewhere


@dataclass(frozen=True, slots=True)
class Comparison:
    """A roster here beside its file. `changes` are told; those in `open` may be taken over, those in `advised` are ticked.

    `older` are reasons to think that the file is older than the roster. `rows` are the matched fighters here, by their
    number in the file, and `strongbox` what the file has in it.
    """

    check: PaperCheck
    here: Force
    there: Force
    changes: tuple[RosterChange, ...]
    open: frozenset[str]
    advised: frozenset[str]
    rows: Mapping[int, str] = field(hash=False)
    strongbox: Price | None = None
    older: tuple[str, ...] = ()
    last: ImportedFile | None = None


def start_again(*, warband: Warband, owner: Any, data: bytes, name: str) -> PaperDraft:
    """Read a file to be compared with a warband. Earlier unfinished ones of this person are dropped.

    Raises Refusal if it is no roster, or of a game that reads no files.
    """
    text_import_of(warband.terms.game)
    with transaction.atomic():
        PaperDraft.objects.filter(owner=owner, again=warband).delete()
        draft = start_reading(
            owner=owner,
            data=data,
            name=name,
            terms=warband.terms,
            has_fixed_edition=True,
            again=warband,
            is_shared=False,
        )
        draft = keep_answers(draft=draft, answers={}, list_id=warband.list_id)
        take_if_clear(draft, warband.terms, read_draft(draft, warband.terms))
    draft.refresh_from_db()
    return draft


def compare(draft: PaperDraft, warband: Warband) -> Comparison:
    """Return the roster here beside the one in the draft. Seven queries. Raises Refusal if the draft has open names."""
    terms = warband.terms
    check = check_draft(draft, terms)
    if check.force is None or not check.force.fighters:
        raise Refusal(_("Nothing to compare yet."), mend=_("Answer the open names first."), code="open")
    roster = roster_of_draft(draft, terms.game, terms.content, check.data.list_id, draft.answers)
    keys = keys_read(roster.reading, check)
    last = ImportedFile.objects.filter(warband=warband).exclude(brought={}).defer("data").first()
    base, known, brought = _baseline(warband, last)
    here = force_of(warband, gone=True)
    there = _without_file_money(check.force)
    rows = match_fighters(there.fighters, keys, here.fighters, known)
    here_now = replace(here, fighters=tuple(row for row in here.fighters if row.status in ("active", "captive")))
    untold = EVERYTHING - carried(draft.format or "text", roster.reading, there)
    changes = changes_of(base=base, here=here_now, there=there, rows=rows, brought=brought, untold=untold)
    # Outside a campaign nobody can hold a captive: an import makes it active, which is no change to tell.
    changes = [one for one in changes if (one.aspect, one.side, one.there) != ("status", "here", "captive")]
    money = _held_there(check)
    if money is not None and money != warband.strongbox:
        was = _facts(last)
        side = "differs" if was is None else "file" if was == warband.strongbox else "here" if was == money else "both"
        changes.append(RosterChange(MONEY, MONEY, side, here=warband.strongbox, there=money))  # type: ignore[arg-type]
    older = _older(draft, warband, last, here, check)
    may = frozenset(change.key for change in changes if _may_take(change))
    doubtful = replaced(changes)
    advised = frozenset(
        change.key
        for change in changes
        if change.key in may and change.side == "file" and change.aspect != "gone" and not older
        if change.fighter not in doubtful
    )
    return Comparison(check, here_now, there, tuple(changes), may, advised, rows, money, older, last)


def _without_file_money(force: Force) -> Force:
    return replace(force, strongbox=None)


def _held_there(check: PaperCheck) -> Price | None:
    if check.data.ducats is None and check.data.glory is None:
        return None
    return Price(ducats=check.data.ducats or 0, glory=check.data.glory or 0)


def _facts(last: ImportedFile | None) -> Price | None:
    facts = (last.brought.get("facts") or {}) if last is not None else {}
    if facts.get("ducats") is None and facts.get("glory") is None:
        return None
    return Price(ducats=facts.get("ducats") or 0, glory=facts.get("glory") or 0)


def _baseline(warband: Warband, last: ImportedFile | None) -> tuple[Force | None, dict[str, str], dict[str, int]]:
    """Return the roster as last brought, the key here for each id of the other program, and each one's number in it."""
    if last is None:
        return None, {}, {}
    document, keys, pks = (last.brought.get(name) for name in ("document", "keys", "pks"))
    try:
        base, _problems = warband.terms.game.documents.read_document(document or {})
    except Refusal:  # written by an earlier version of the app
        return None, {}, {}
    rows = [str(pk) for pk in pks or ()]
    known = {key: row for key, row in zip(keys or (), rows, strict=False) if key}
    return base, known, {row: at for at, row in enumerate(rows)}


def _may_take(change: RosterChange) -> bool:
    return change.aspect not in NOT_TAKEN and f"{change.aspect}:{change.there}" not in NOT_TAKEN


def _older(
    draft: PaperDraft, warband: Warband, last: ImportedFile | None, here: Force, check: PaperCheck
) -> tuple[str, ...]:
    """Return why the file seems older than the roster: brought before, fewer battles, or battles here since."""
    found = []
    data = bytes(draft.original) if draft.original else draft.text.encode("utf-8", "surrogatepass")
    same = ImportedFile.objects.filter(warband=warband, digest=digest_of(data)).defer("data").first()
    if same is not None and last is not None and same.pk != last.pk:
        found.append(_("This very file was brought before a newer one."))
    fought, told = here.battles.fought, check.data.fought
    if told and told < fought:
        found.append(
            ngettext(
                "The file knows {told} battle; this roster has fought {fought}.",
                "The file knows {told} battles; this roster has fought {fought}.",
                told,
            ).format(told=told, fought=fought)
        )
    elif last is not None and (since := fought - int(_fought_then(last))) > 0:
        found.append(
            ngettext(
                "{since} battle was fought here since the last file.",
                "{since} battles were fought here since the last file.",
                since,
            ).format(since=since)
        )
    return tuple(found)


def _fought_then(last: ImportedFile) -> int:
    if "fought" in last.brought:
        return int(last.brought["fought"])
    return int(((last.brought.get("document") or {}).get("battles") or {}).get("fought") or 0)


def take_over(
    *,
    draft: PaperDraft,
    warband: Warband,
    chosen: Collection[str],
    actor: Any,
    token: str = "",
    seen: int | None = None,
) -> Warband:
    """Take the chosen differences over in one act, which one undo reverts, and keep the file with the warband.

    Raises:
        Refusal: nothing is chosen, a difference no longer exists, or the strongbox would fall below zero.
    """
    with acting(warband, kind="again", actor=actor, token=token, seen=seen) as act:
        found = compare(draft, act.warband)
        wanted = [change for change in found.changes if change.key in chosen and change.key in found.open]
        if not wanted:
            raise Refusal(_("Nothing is chosen."), mend=_("Tick what to apply."), code="empty")
        taking = _Taking(act, found)
        for change in wanted:
            taking.take(change)
        taking.finish()
        count = len(wanted)
        words = ngettext(
            "{{who}} took over {count} change from {file}.", "{{who}} took over {count} changes from {file}.", count
        )
        act.say(words.format(count=count, file=draft.original_name or _("a text")))
    pks = [_pk(taking.rows.get(at)) for at in range(len(found.there.fighters))]
    kept = keep_file(draft, warband, actor, pks, found.check)
    if kept is not None:
        kept.brought["fought"] = taking.here.battles.fought
        kept.save(update_fields=["brought"])
    PaperDraft.objects.filter(pk=draft.pk).delete()
    return warband


def _pk(key: str | None) -> int | None:
    return int(key) if key else None


class _Taking:
    """Takes differences over. Pieces that one place loses and another gains move; the rest is added or leaves."""

    def __init__(self, act: Recorder, found: Comparison) -> None:
        self.act, self.found, self.warband = act, found, act.warband
        game, content = self.warband.terms.game, self.warband.terms.content
        self.game, self.content = game, content
        there = replace(found.there, founding=self.warband.is_founding)
        self.there = game.shop.priced(content, there) if game.shop is not None else there
        self.writer = ForceWriter(act, self.warband, self.there)
        self.here = found.here
        self.rows = dict(found.rows)
        self.mine = {row.key: row for row in found.here.fighters}
        self.pool: dict[str, list[Item]] = {}
        self.wanted: list[tuple[ForceItem, str, Fighter | None]] = []
        self.new: list[int] = []
        self.strongbox: Price | None = None

    def take(self, change: RosterChange) -> None:
        if change.aspect == "new":
            self.new.append(change.row)
        elif change.aspect == "gone":
            self.part(change.fighter)
        elif change.aspect == "stash":
            self.kit(None, self.found.here.stash, self.there.stash, "")
        elif change.aspect == "patron":
            self.act.change(self.warband, patron=change.there)
        elif change.aspect == MONEY:
            self.strongbox = change.there
        elif change.aspect in OF_WARBAND:
            self.of_campaign(change.aspect)
        else:
            self.of_fighter(change)

    def of_campaign(self, aspect: str) -> None:
        """Take over one thing that the campaign brought: what both have keeps its place and its choice."""
        after = _with_campaign(self.here, self.there, aspect)
        old, new = (self.game.state.write_warband_state(self.content, force) for force in (self.here, after))
        for path, value in _leaves(old, new):
            self.act.set_leaf(self.warband, path, value)
        self.here = after

    def of_fighter(self, change: RosterChange) -> None:
        row = Fighter.objects.live().get(pk=int(change.fighter), warband=self.warband)
        theirs, ours = self.there.fighters[change.row], self.mine[change.fighter]
        if change.aspect == "name":
            self.act.change(row, name=clean_name(change.there))
        elif change.aspect == "kit":
            self.kit(row, ours.kit, theirs.kit, theirs.key)
        elif change.aspect == "profile":
            self.act.change(row, profile_id=theirs.profile, offer_id=theirs.offer, hired_as=theirs.hired_as)
        elif change.aspect == "status":
            self.leave(row, change.there)
        else:
            after = _with(ours, theirs, change.aspect)
            self.state(row, ours, after)
            self.mine[change.fighter] = after

    def state(self, row: Fighter, before: ForceFighter, after: ForceFighter) -> None:
        old, new = (self.game.state.write_state(self.content, fighter) for fighter in (before, after))
        for path, value in _leaves(old, new):
            self.act.set_leaf(row, path, value)
        if self.warband.is_founding:
            paid = {taken.key for taken in before.upgrades}
            price = [taken.paid for taken in after.upgrades if taken.key not in paid]
            back = {taken.key for taken in after.upgrades}
            refund = [taken.paid for taken in before.upgrades if taken.key not in back]
            self.act.pay(_total(price), reason=_("As in the file"), warband=self.warband)
            self.act.earn(_total(refund), reason=_("As in the file"), warband=self.warband)

    def kit(self, row: Fighter | None, ours: Any, theirs: Any, key: str) -> None:
        more, less = more_and_less(_bought(ours), _bought(theirs))
        held = list(Item.objects.live().filter(warband=self.warband, fighter=row, status=Item.Status.HELD))
        for item_id in less:
            piece = next((one for one in held if one.item_id == item_id), None)
            if piece is not None:
                held.remove(piece)
                self.pool.setdefault(item_id, []).append(piece)
        pieces = [piece for piece in theirs if piece.origin not in ("mandatory", "granted")]
        for item_id in more:
            piece_there = next(one for one in pieces if one.item == item_id)
            self.wanted.append((piece_there, key, row))

    def part(self, key: str) -> None:
        """Let a fighter go who is gone from the file: bought kit goes to the stash."""
        row = Fighter.objects.live().get(pk=int(key), warband=self.warband)
        for item in Item.objects.live().filter(fighter=row, status=Item.Status.HELD):
            if item.origin == Item.Origin.MANDATORY:
                self.act.change(item, fighter=None, status=Item.Status.LOST)
            else:
                self.act.change(item, fighter=None)
        founding = self.warband.is_founding
        status = Fighter.Status.RETURNED if founding else Fighter.Status.DISMISSED
        self.act.change(row, status=status, left_at=timezone.now(), left_reason=_("Gone from the file"))
        if founding:
            self.act.earn(row.paid, reason=_("As in the file"), warband=self.warband)

    def leave(self, row: Fighter, status: str) -> None:
        """Let a fighter leave who is dead or has left in the file, with its kit."""
        for item in Item.objects.live().filter(fighter=row, status=Item.Status.HELD):
            self.act.change(
                item, fighter=None, status=Item.Status.LOST, why=_("Lost with {fighter}").format(fighter=row.name)
            )
        self.act.change(row, status=status, left_at=timezone.now(), left_reason=_("As in the file"))

    def finish(self) -> None:
        """Write what was gathered: pieces that move, pieces that are new, those that leave, and new fighters."""
        paid: list[Price] = []
        for piece, key, row in self.wanted:
            moving = self.pool.get(piece.item) or []
            if moving:
                self.act.change(moving.pop(0), fighter=row)
            else:
                paid.append(
                    self.writer.write_item(replace(piece, key=f"{key}+{len(paid)}"), key, row, DocumentHistory({}))
                )
        founding = self.warband.is_founding
        for piece in (one for rest in self.pool.values() for one in rest):
            self.act.change(piece, fighter=None, status=Item.Status.RETURNED if founding else Item.Status.SOLD)
            if founding:
                self.act.earn(piece.paid, reason=_("As in the file"), warband=self.warband)
        self.writer.charge(paid, _("As in the file"))
        self.hire()
        if self.strongbox is not None:  # after what the changes cost: in the end it is as in the file
            held = self.act.row(self.warband).strongbox
            more = Price(ducats=self.strongbox.ducats - held.ducats, glory=self.strongbox.glory - held.glory)
            self.act.earn(more, reason=_("As in the file"), warband=self.warband)

    def hire(self) -> None:
        if not self.new:
            return
        members = tuple(self.there.fighters[at] for at in self.new)
        writer = ForceWriter(self.act, self.warband, replace(self.there, fighters=members, stash=()))
        start = self.warband.fighters.count()
        for number, member in enumerate(members):
            writer.write_fighter(member, start + number, DocumentHistory({}))
        writer.link_choices()
        for at, member in zip(self.new, members, strict=True):
            self.rows[at] = str(writer.fighters[member.key].pk)


def _bought(pieces: Any) -> list[str]:
    return [piece.item for piece in pieces if piece.origin not in ("mandatory", "granted")]


def _with(ours: ForceFighter, theirs: ForceFighter, aspect: str) -> ForceFighter:
    """Return a fighter here with one aspect as in the file. What both have keeps its own key and choices."""
    if aspect in ("experience", "promoted"):
        one: Any = {aspect: getattr(theirs, aspect)}
        return replace(ours, **one)
    if aspect == "scars":
        return replace(ours, scars=theirs.scars if theirs.scars is not None else sum(w.scar for w in theirs.traumas))
    kept, rest = [], list(getattr(ours, aspect))
    for number, row in enumerate(getattr(theirs, aspect)):
        alike = next((one for one in rest if _id(one) == _id(row)), None)
        if alike is not None:
            rest.remove(alike)
            kept.append(alike)
        else:
            taken = {one.key for one in (*getattr(ours, aspect), *kept)}
            key = next(name for at in range(number, number + 200) if (name := f"{aspect[0]}b{at}") not in taken)
            kept.append(replace(row, key=key))
    several: Any = {aspect: tuple(kept)}
    changed = replace(ours, **several)
    return replace(changed, scars=theirs.scars) if aspect == "traumas" else changed


def _with_campaign(here: Force, there: Force, aspect: str) -> Force:
    """Return the roster here with one thing of the campaign as in the file."""
    if aspect == "fought":
        return replace(here, battles=replace(here.battles, fought=there.battles.fought))
    if aspect == "misses":
        return replace(here, promotion_misses=there.promotion_misses)
    more, less = more_and_less(getattr(here, aspect), getattr(there, aspect))
    rest = list(getattr(here, aspect))
    for id_ in less:
        rest.remove(id_)
    several: Any = {aspect: (*rest, *more)}
    kept, found = here.state.get(aspect), there.state.get(aspect)
    if aspect == "locations" and isinstance(kept, Mapping) and isinstance(found, Mapping):
        several["state"] = {**here.state, aspect: {**found, **kept}}
    return replace(here, **several)


def _id(row: Any) -> str:
    return str(
        getattr(row, "option", "")
        or next(getattr(row, name) for name in ("upgrade", "skill", "trauma") if hasattr(row, name))
    )


def _leaves(old: Any, new: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Return the leaves that differ, with their paths; None for one that is gone."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return [
            leaf
            for name in dict.fromkeys((*old, *new))
            for leaf in _leaves(old.get(name), new.get(name), (*path, name))
        ]
    return [(path, new)] if old != new else []


def _total(prices: list[Price]) -> Price:
    return Price(ducats=sum(price.ducats for price in prices), glory=sum(price.glory for price in prices))
