"""Moves warbands to another state of their edition: its overlays, what was paid, and what has no counterpart there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, get_args

from django.utils.translation import gettext as _

from rules.force import Force
from rules.parts.states import StatesPart, WarbandChange
from rules.price import ZERO, Price
from rules.problems import Refusal
from warbands.adapters import forces_of
from warbands.host import host
from warbands.labels import edition_name
from warbands.models import Fighter, Item, Terms, Warband
from warbands.pins import pin_changes, pinned_copies, pins_of
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.services.house_overlays import know_overlays

# Keep what was paid; give back what costs less now; or do that and charge what costs more.
Policy = Literal["keep", "refund", "settle"]
POLICIES: tuple[str, ...] = get_args(Policy)
NOTHING: Mapping[str, Mapping[str, Any]] = MappingProxyType({})


def states_of(terms: Terms) -> StatesPart[Any]:
    """Return the states of the game. Raises Refusal for a game without any."""
    part = terms.game.states
    if part is None:
        raise Refusal(_("No dated changes are known for {game}.").format(game=terms.game.name), code="no-states")
    return part


def foresee(
    terms: Terms, warbands: Sequence[Warband], overlays: Sequence[str], edition: str = ""
) -> list[tuple[Warband, WarbandChange]]:
    """Return what another state would change for each of these warbands. Nothing is saved. Two queries.

    `edition`: of the other state, "" for the same. Raises Refusal for an edition or overlays that cannot be taken.
    """
    part, edition = states_of(terms), known_edition(terms, edition)
    know_overlays(terms.system, edition, overlays)
    wanted = part.ordered(edition, tuple(overlays))
    forces = forces_of(warbands)
    return changes_for(part, [(warband, forces[warband.pk]) for warband in warbands], wanted, edition)


def changes_for(
    part: StatesPart[Any], rosters: Sequence[tuple[Warband, Force]], overlays: Sequence[str], edition: str
) -> list[tuple[Warband, WarbandChange]]:
    """Return what another state would change for each of these warbands under its own house rules.

    What has no counterpart is kept by a move. So the problems and the worth then are told as they are with it.
    """
    found, left = [], dict[str, dict[tuple[str, str], list[Any]]]()
    for warband, force in rosters:
        terms = warband.terms
        here, there = content_as_pinned(terms), terms.game.content(edition, overlays, terms.in_force)
        found.append((warband, force, here, part.roster_changes(here, there, force)))
        kept = left.setdefault(_mark(terms.in_force), {})
        kept |= {(table, _id_of(row)): [table, row] for table, row in part.kept(here, there, force)}
    changes = []
    for warband, force, here, change in found:
        terms = warband.terms
        if change.missing and (rows := left[_mark(terms.in_force)]):
            there = terms.game.content(edition, overlays, _keeping(terms.in_force, rows.values()))
            then = part.roster_changes(here, there, force)
            change = replace(change, new=then.new, gone=then.gone, after=then.after, rating_after=then.rating_after)
        changes.append((warband, change))
    return changes


def _mark(house_rules: Mapping[str, Any]) -> str:
    return json.dumps(house_rules, sort_keys=True)


def content_as_pinned(terms: Terms) -> Any:
    """Return the content with each overlay as it was when these terms pinned it. One query if one changed since."""
    copies = pinned_copies(terms)
    if not copies:
        return terms.content
    return states_of(terms).with_copies(terms.edition, terms.at_hand, terms.in_force, copies)


def content_of_state(terms: Terms, overlays: Sequence[str], edition: str = "") -> Any:
    """Return the content of another state under the house rules of these terms. Raises Refusal for an unknown one."""
    part, edition = states_of(terms), known_edition(terms, edition)
    know_overlays(terms.system, edition, overlays)
    return terms.game.content(edition, part.ordered(edition, tuple(overlays)), terms.in_force)


def known_edition(terms: Terms, edition: str) -> str:
    """Return the edition, that of the terms for "". Raises Refusal for an unknown one."""
    if edition and edition not in terms.game.editions():
        raise Refusal(
            _("There is no {system} {edition} here.").format(system=terms.game.name, edition=edition[:20]),
            code="unknown-edition",
        )
    return edition or terms.edition


def change_state(
    *, warband: Warband, overlays: Sequence[str], policy: str, actor: Any, edition: str = "", token: str = ""
) -> Warband:
    """Move one warband that plays in no campaign, with terms of its own. One act, which one undo takes back.

    Raises Refusal.
    """
    refuse_in_campaign(warband)
    with recording(warband, kind="own-state", actor=actor, token=token) as act:
        row, terms = act.row(warband), warband.terms
        own = act.create(
            Terms(
                system=terms.system,
                edition=terms.edition,
                overlays=list(terms.overlays),
                pins=deepcopy(terms.pins),
                house_rules=deepcopy(terms.in_force),
                version=terms.version,
            )
        )
        act.also_about(own)
        words = move_to_state(act, own, [row], overlays, policy, edition)
        act.change(row, terms=own)
        act.say(_("{{who}} moved {warband}: {words}").format(warband=warband.name, words=words))
    warband.refresh_from_db()
    return warband


def refuse_in_campaign(warband: Warband) -> None:
    """Raise Refusal for a warband that plays in a campaign, whose terms hold for all of its warbands."""
    if host().sheet_campaign(warband) is not None:
        raise Refusal(_("Its campaign decides which rules are played."), code="campaign")


def move_to_state(
    act: Recorder,
    terms: Terms,
    warbands: Sequence[Warband],
    overlays: Sequence[str],
    policy: str,
    edition: str = "",
    battles: Mapping[str, Mapping[str, Any]] = NOTHING,
) -> str:
    """Move locked terms and all warbands under them to another state, and return what was done in words.

    What a warband holds and the other state does not have is kept as an entry of its own. `battles`: what battles were
    about that the other state does not have, by kind and id. Raises Refusal.
    """
    if policy not in POLICIES:
        raise Refusal(_("Say what happens to what was paid."), code="policy")
    part, edition = states_of(terms), known_edition(terms, edition)
    know_overlays(terms.system, edition, overlays)
    wanted = part.ordered(edition, tuple(overlays))
    if (edition, list(wanted)) == (terms.edition, terms.overlays) and not pin_changes(terms):
        raise Refusal(_("This is played already."), mend=_("Choose another state."), code="no-change")
    forces = forces_of(warbands)
    content = terms.game.content(edition, wanted, terms.in_force)
    changes: dict[int, WarbandChange] = {}
    left: dict[tuple[str, str], list[Any]] = {}
    for warband in warbands:
        here, force = content_as_pinned(warband.terms), forces[warband.pk]
        changes[warband.pk] = part.roster_changes(here, content, force)
        left |= {(table, _id_of(row)): [table, row] for table, row in part.kept(here, content, force)}
    act.change(
        terms,
        edition=edition,
        overlays=list(wanted),
        pins=pins_of(terms.system, edition, wanted),
        house_rules=_keeping(terms.house_rules, left.values(), battles),
        version=terms.version + 1,
    )
    for warband in warbands:
        _settle(act, warband, forces[warband.pk], changes[warband.pk], policy)
    return _told(part, terms, changes.values(), left)


def _id_of(row: Any) -> str:
    return str(row["id"])


def _keeping(
    rules: Mapping[str, Any], left: Iterable[list[Any]], battles: Mapping[str, Mapping[str, Any]] = NOTHING
) -> dict[str, Any]:
    """Return house rules that remember the entries without a counterpart. They are held, and no longer on offer."""
    rows = list(left)
    kept = dict(rules.get("kept") or {})
    if rows:
        known = {(row[0], _id_of(row[1])): row for row in kept.get("withdrawn") or ()}
        known |= {(row[0], _id_of(row[1])): row for row in rows}
        kept["withdrawn"] = list(known.values())
    if any(battles.values()):
        told = kept.get("battles") or {}
        kept["battles"] = {kind: {**(told.get(kind) or {}), **found} for kind, found in battles.items()}
    return {**rules, "kept": kept} if kept else dict(rules)


def _settle(act: Recorder, warband: Warband, force: Force, change: WarbandChange, policy: str) -> None:
    """Give back and charge what the policy says, row by row, and note what is still owed."""
    if policy == "keep":
        return
    paid = _paid(force)
    ducats = glory = 0
    for row in change.prices:
        was = paid.get((row.kind, row.key), ZERO)
        cheaper = Price(was.ducats - row.after.ducats, was.glory - row.after.glory)
        if not was or not cheaper or (min(cheaper.ducats, cheaper.glory) < 0 and policy == "refund"):
            continue
        _pay_row(act, row.kind, row.key, row.after)
        ducats, glory = ducats + cheaper.ducats, glory + cheaper.glory
    owed = ZERO
    if not warband.is_founding:
        owed = Price(max(0, -(warband.strongbox_ducats + ducats)), max(0, -(warband.strongbox_glory + glory)))
    act.move_money(warband, ducats + owed.ducats, glory + owed.glory, _("Prices of another state of the rules"))
    if owed:
        words = _("Still owes {owed} for the new prices.").format(owed=owed)
        act.change(warband, notes=f"{warband.notes}\n{words}".strip())


def _paid(force: Force) -> dict[tuple[str, str], Price]:
    """Return what was paid for each row, by kind and key."""
    paid = {("item", piece.key): piece.paid for piece in force.stash}
    for fighter in force.fighters:
        paid["fighter", fighter.key] = fighter.paid
        paid |= {("item", piece.key): piece.paid for piece in fighter.kit}
        paid |= {("upgrade", f"{fighter.key}/{taken.key}"): taken.paid for taken in fighter.upgrades}
    return paid


def _pay_row(act: Recorder, kind: str, key: str, price: Price) -> None:
    """Set what was paid for a row."""
    if kind != "upgrade":
        model: Any = Fighter if kind == "fighter" else Item
        act.change(model.objects.get(pk=int(key)), paid_ducats=price.ducats, paid_glory=price.glory)
        return
    fighter, _stroke, upgrade = key.partition("/")
    way = ("upgrades", upgrade)
    leaves = (("state", (*way, "ducats"), price.ducats), ("state", (*way, "glory"), price.glory))
    act.write(Fighter.objects.get(pk=int(fighter)), {}, leaves)


def _told(
    part: StatesPart[Any], terms: Terms, changes: Iterable[WarbandChange], left: Mapping[tuple[str, str], Any]
) -> str:
    titles = {info.id: info.title for info in part.overlays(terms.edition)}
    taken = ", ".join(titles.get(id_) or str((terms.pins.get(id_) or {}).get("title", id_)) for id_ in terms.overlays)
    name = edition_name(terms.system, terms.edition)
    words = _("now {edition}.").format(edition=name)
    if taken:
        words = _("now {edition} with {titles}.").format(edition=name, titles=taken)
    names = list(dict.fromkeys(row.name for change in changes for row in change.missing))
    if left and names:
        words += " " + _("Kept as entries of their own: {names}.").format(names=", ".join(names))
    return words
