"""Everything that a whole roster breaks, and what a change adds to it."""

from __future__ import annotations

from collections.abc import Iterator

from rules import vocabulary as v
from rules.choices import of_item, of_list
from rules.content.compiled import opener_of
from rules.fighters.frame import PAIRS
from rules.fireteams import fireteam_findings
from rules.formatting import first, listed
from rules.legality.armoury import (
    borne_findings,
    early_find_findings,
    item_limit_findings,
    kit_rule_findings,
    stash_findings,
)
from rules.legality.fighter import fighter_findings, open_choice, worth_findings
from rules.legality.finding import Finding, Placed
from rules.legality.hiring import (
    career_findings,
    elite_findings,
    entry_findings,
    group_findings,
    leader_findings,
    unknown_profile_findings,
)
from rules.legality.roster_state import RosterState
from rules.legality.upgrades import others_findings, upgrade_limit_findings
from rules.translation import gettext as _

_NOTHING_FOUND = ("", "", "")  # an entry in the sizes, so that a roster without findings is not examined again


def roster_findings(roster: RosterState, *, purchase: bool = False) -> list[Placed]:
    """Return everything the roster breaks.

    `purchase` adds the findings that only prevent a purchase: groups that would outnumber the others. While founding,
    everybody was just bought, so these findings are always included.
    """
    found = [*map(Placed, _list_findings(roster)), *map(Placed, unknown_profile_findings(roster))]
    found += entry_findings(roster, purchase=purchase)
    found += map(Placed, leader_findings(roster))
    found += map(Placed, group_findings(roster, purchase=purchase))
    found += map(Placed, elite_findings(roster))
    found += career_findings(roster)
    for fighter, who in roster.people:
        own = who.remembered.findings
        if own is None:
            own = fighter_findings(roster.content, roster.frame, fighter, who)
        found += [Placed(finding, fighter) for finding in (*own, *worth_findings(who))]
    found += item_limit_findings(roster)
    found += stash_findings(roster)
    found += early_find_findings(roster)
    found += kit_rule_findings(roster)
    found += map(Placed, borne_findings(roster))
    found += upgrade_limit_findings(roster)
    found += others_findings(roster, purchase=purchase)
    found += map(Placed, _choice_findings(roster))
    if roster.force.choices.get(PAIRS):
        found += map(Placed, fireteam_findings(roster))
    return found


def _list_findings(roster: RosterState) -> Iterator[Finding]:
    army, content, force = roster.frame.list, roster.content, roster.force
    if army.closed:
        code = "third-party" if army.army.third_party else "banned"
        yield Finding(code, army.closed, _("Choose another list."), _("House rules"), subject="list")
    patrons = (*army.army.patrons, *(p for c in roster.frame.of(v.OpensPatronsEffect) for p in c.effect.patrons))
    left_behind = force.patron in content.patrons and force.patron not in {p.id for p in content.pack.patrons}
    if force.patron and force.patron not in patrons and patrons and not left_behind:
        name = content.name("patron", force.patron)
        names = listed((content.name("patron", p) for p in patrons), "or")
        opener = opener_of(content, army.army, force.patron)
        mend = (
            _("{first} would open it; else choose {names}.").format(first=first(opener), names=names)
            if opener
            else _("Choose {names}.").format(names=names)
        )
        yield Finding(
            "patron",
            _("{name} is no patron of {name_2}.").format(name=name, name_2=army.army.name),
            mend,
            army.army.name,
            subject="patron",
        )


def _choice_findings(roster: RosterState) -> Iterator[Finding]:
    """Yield findings for open or invalid choices of the list and of pieces in the stash.

    Even a roster document has to state the choices of a list.
    """
    explicit = roster.force.strongbox is not None
    required = {cause.effect.key for cause in roster.frame.of(v.ChooseEffect)}
    for asking in of_list(roster.content, roster.frame, roster.force.choices):
        finding = open_choice(asking, explicit or asking.choosing.asked.key in required)
        if finding is not None:
            yield finding
    for piece in roster.force.stash:
        for asking in of_item(roster.content, roster.frame.list, piece):
            finding = open_choice(asking, explicit)
            if finding is not None:
                yield finding._replace(item_key=piece.key, subject=f"{finding.subject}-{piece.key}")


def new_findings(before: RosterState, after: RosterState) -> list[Placed]:
    """Return the findings that a change adds or makes worse, except about money."""
    sizes = before.sizes
    if not sizes:  # compute once: the same warband is compared with every offer
        sizes[_NOTHING_FOUND] = 0
        for placed in roster_findings(before, purchase=True):
            sizes[placed.identity] = max(sizes.get(placed.identity, 0), placed.finding.size)
    found = roster_findings(after, purchase=True)
    return [placed for placed in found if placed.finding.size > sizes.get(placed.identity, 0)]
