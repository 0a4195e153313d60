"""The verdict on a roster document, as the console prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.checker import check
from rules.content.compiled import Content
from rules.content.names import nearest, plain
from rules.fighters.frame import frame_of
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import listed
from rules.parts.verdict import Verdict
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.translation import gettext as _
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.documents.schema import RosterDoc, decode
from rules.trench_crusade.documents.writer import price_row


def judge(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a document in its scope. Raises Refusal if the document is unreadable."""
    data = decode(document)
    content, force, unread = read_with_content(document)
    problems = list(unread)
    if not force.list:
        return _answer(Verdict((), Price(), None), problems)
    wants: dict[str, str] = {}
    taken: list[str] | None = None
    scenario = ""
    if data.scope == "purchase":
        wants = _wants(content, force, data, problems)
        if not wants:
            return _answer(check(content, force), problems)
        force = _making_room(content, force, wants)
    elif data.scope == "fielding":
        if data.force is not None:
            taken = _taken(force, data.force, problems)
        if data.scenario:
            scenario = _resolved(content, force, "scenario", data.scenario, problems)
    verdict = check(
        content, force, scope=data.scope, wants=wants, taken=taken, scenario=scenario, attacker=data.attacker
    )
    found = [problem for problem in verdict.problems if problem.code != "no-leader" or not _may_lead(data, force)]
    return _answer(verdict, (*problems, *found))


def _may_lead(data: RosterDoc, force: Force) -> bool:
    """Return whether somebody of the document could not be read: it may be the leader."""
    return len(force.fighters) < len(data.fighters)


def _answer(verdict: Verdict, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the verdict as plain data. What only warns is told in `notes`, and makes no roster illegal."""
    notes = [problem.message for problem in problems if problem.warns]
    problems = [problem for problem in problems if not problem.warns]
    answer: dict[str, Any] = {
        "legal": not problems,
        "rating": price_row(verdict.rating),
        "left": None if verdict.left is None else price_row(verdict.left),
        "problems": [
            {
                "code": problem.code,
                "fighter": problem.fighter or None,
                "item": problem.item or None,
                "message": problem.message,
                "mend": problem.mend,
                "source": problem.source,
            }
            for problem in problems
        ],
    }
    if verdict.fielded is not None:
        answer["fielded"] = price_row(verdict.fielded)
    return {**answer, "notes": notes} if notes else answer


def _unknown(kind: str, text: str, near: Sequence[str]) -> Problem:
    mend = _("Is it {near}?").format(near=listed(near, "or")) if near else ""
    return Problem("unknown-name", _("No {kind} is called “{text}”.").format(kind=kind, text=text), mend, "", "", text)


def _resolved(content: Content, force: Force, kind: str, text: str, problems: list[Problem]) -> str:
    """Return the id of a name, or "" after adding a problem."""
    found = content.resolve(kind, text, force.list)
    if isinstance(found, str):
        return found
    problems.append(_unknown(kind, text, found))
    return ""


# --- a purchase


def _wants(content: Content, force: Force, data: RosterDoc, problems: list[Problem]) -> dict[str, str]:
    """Return what to buy and for whom, by id. Empty if a name is unknown."""
    wants = data.wants or {}
    kinds = [kind for kind in ("item", "profile", "upgrade") if wants.get(kind)]
    odd = sorted(set(wants) - {"fighter", "item", "profile", "upgrade"})
    if len(kinds) != 1 or odd:
        what = _("unknown field `{odd}`").format(odd=odd[0]) if odd else _("name one of item, profile or upgrade")
        raise Refusal(_("The document cannot be read at $.wants: {what}.").format(what=what), code="unreadable")
    kind = kinds[0]
    wanted = {kind: _resolved(content, force, kind, wants[kind], problems)}
    buyer = wants.get("fighter") or ""
    if buyer and plain(buyer) != "stash":
        keys = _taken(force, [buyer], problems)
        if not keys or not _may_buy(content, force, force.fighter(keys[0]), problems):
            return {}
        wanted["fighter"] = keys[0]
    elif kind == "upgrade":
        raise Refusal(
            _("The document cannot be read at $.wants.fighter: an upgrade is for a fighter."), code="unreadable"
        )
    return wanted if wanted[kind] else {}


def _may_buy(content: Content, force: Force, buyer: ForceFighter, problems: list[Problem]) -> bool:
    if buyer.status in ("active", "captive"):
        return True
    words = _("{name} is no longer on the roster ({status}).").format(name=buyer.name, status=buyer.status)
    problems.append(
        Problem("only-for", words, _("Buy it for someone else."), content.name("list", force.list), buyer.name)
    )
    return False


def _making_room(content: Content, force: Force, wants: Mapping[str, str]) -> Force:
    """Return the force before a purchase.

    During founding, swappable kit that the document does not mention gives way to what replaces it.
    """
    key, item = wants.get("fighter", ""), wants.get("item", "")
    if not key or not item or not force.founding:
        return force
    fighter = force.fighter(key)
    said = tuple(i for i in fighter.kit if not (i.origin == "mandatory" and i.key.startswith(f"{key}-k")))
    if len(said) == len(fighter.kit):
        return force
    trial = replace(fighter, kit=(*said, ForceItem("(wanted)", item)))
    given_back = facts(content, frame_of(content, force), trial).removed_sets
    if not given_back:
        return force
    choices = {**fighter.choices, **{f"returned-{kit.id}": True for kit in given_back}}
    return force.with_fighter(replace(fighter, kit=said, choices=choices))


# --- a fielded force


def _taken(force: Force, names: Sequence[str], problems: list[Problem]) -> list[str]:
    """Return the keys of the named fighters, each once.

    Match the exact name first, then its plain spelling, then the key.
    """
    left = list(force.fighters)
    keys = []
    for name in names:
        by_name = (f for f in left if f.name == name)
        by_spelling = (f for f in left if plain(f.name) == plain(name))
        by_key = (f for f in left if f.key == name)
        match = next(by_name, None) or next(by_spelling, None) or next(by_key, None)
        if match is not None:
            left.remove(match)
            keys.append(match.key)
        elif any(plain(f.name) == plain(name) for f in force.fighters):
            source = f"Campaign rules {force.edition}"
            problems.append(
                Problem(
                    "duplicate",
                    _("{name} is named twice.").format(name=name),
                    _("Name each fighter once."),
                    source,
                    name,
                )
            )
        else:
            near = nearest(name, {plain(f.name): f.key for f in left}, {f.key: f.name for f in left})
            problems.append(_unknown("fighter", name, near))
    return keys
