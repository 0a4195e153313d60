"""Why one named thing may not be bought now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.eligibility import holder_words
from rules.formatting import plural
from rules.legality.kit import is_locked
from rules.legality.roster_state import RosterState
from rules.legality.upgrades import rules_that_open
from rules.offers.hires import hire_offers
from rules.offers.items import item_offers
from rules.offers.upgrades import upgrade_offers
from rules.parts.offer import Offer, OfferState
from rules.problems import Problem
from rules.translation import gettext as _

_EASIEST_FIRST: dict[OfferState, int] = {"open": 0, "problem": 1, "closed": 2}


def purchase_problems(roster: RosterState, wants: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return the problems that prevent this purchase now, empty if there are none.

    `wants`: {"fighter": key or "", and one of "item", "profile", "upgrade": id}.
    """
    content, force = roster.content, roster.force
    key = wants.get("fighter", "")
    kind = next((each for each in ("profile", "upgrade") if each in wants), "item")
    wanted = wants.get(kind, "")
    offers: tuple[Offer, ...]
    if kind == "profile":
        offers = hire_offers(content, force) + tuple(o for o in item_offers(content, force) if o.kind == "hire")
    elif kind == "upgrade":
        offers = upgrade_offers(content, force, key)
    else:
        offers = item_offers(content, force, key)
    matching = [o for o in offers if wanted in (o.ref, o.id)]
    fighter = next((f for f in roster.fighters if f.key == key), None)
    about = Problem("", "", source=roster.frame.list.army.name, item=content.name(kind, wanted), fighter_key=key)
    about = replace(about, fighter=fighter.name if fighter else "")
    if not matching:
        return (_not_offered(roster, kind, wanted, about),)
    best = min(matching, key=lambda o: _EASIEST_FIRST[o.state])
    if best.state == "open":
        return ()
    return tuple(dict.fromkeys(_standing_alone(found, about) for found in best.problems))


def _standing_alone(found: Problem, about: Problem) -> Problem:
    text = found.message
    if about.item not in text and not found.fighter:
        text = f"{about.item}: {text[:1].lower()}{text[1:]}"
    alone = replace(found, message=text, source=found.source or about.source)
    if alone.fighter or not about.fighter:
        return alone
    return replace(alone, fighter=about.fighter, fighter_key=about.fighter_key, item=alone.item or about.item)


def _not_offered(roster: RosterState, kind: str, wanted: str, about: Problem) -> Problem:
    name, fighter = about.item, about.fighter
    if kind == "item" and any(f.key == about.fighter_key and is_locked(who) for f, who in roster.people):
        text = _("{fighter} keeps to the kit that comes with it.").format(fighter=fighter)
        return replace(about, code="fixed-kit", message=text, mend=_("Buy it for someone else."))
    entries = roster.frame.upgrade_entries(wanted) if kind == "upgrade" else ()
    if entries:
        text = _("{name} is not for {fighter}: {who}.").format(
            name=name, fighter=fighter, who=holder_words(entries[0].who, roster.content)
        )
        return replace(about, code="only-for", message=text, mend=_("Choose another fighter."))
    rules = rules_that_open(roster.content, roster.frame, wanted) if kind == "upgrade" else ""
    text = _("{name} is not on offer to {source}.").format(name=name, source=about.source)
    if rules:
        text = _("{name} is for a warband under {rules}.").format(name=name, rules=rules)
    elif kind == "profile":
        text = _("{names} are not on offer to {source}.").format(names=plural(name), source=about.source)
    return replace(about, code="not-offered", message=text)
