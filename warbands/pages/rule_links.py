"""An index of the names in the rulebooks and the addresses of their rules pages."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.browse import RuleEntry
from rules.content.names import plain
from rules.game import GameContent
from rules.parts.founding import ListChoice
from warbands.models import Terms

KEPT = 32


@dataclass(frozen=True, slots=True)
class RuleLinks:
    """An index of the entries of one content. It is built once and cached while the content is in use."""

    content: GameContent
    entries: tuple[RuleEntry, ...]
    system: str
    edition: str
    by_id: dict[tuple[str, str], RuleEntry] = field(hash=False)
    by_name: dict[str, RuleEntry] = field(hash=False)
    any_kind: dict[str, RuleEntry] = field(hash=False)
    lists: dict[str, ListChoice] = field(hash=False)
    terms: str = ""  # the query string of the terms whose house rules the pages show; "" for the book
    spelled: tuple[tuple[RuleEntry, str], ...] = field(
        default=(), hash=False
    )  # each entry with its names in the spelling used for searches
    _addresses: dict[tuple[str, str], str] = field(default_factory=dict, hash=False)

    def entry(self, ref: str, *kinds: str) -> RuleEntry | None:
        """Return the entry with this id: of the first of these kinds that has it, else of any kind."""
        for kind in kinds:
            if found := self.by_id.get((kind, ref)):
                return found
        return self.any_kind.get(ref)

    def name(self, ref: str, *kinds: str) -> str:
        """Return the name of an entry in the books; for an unknown id, the id as words."""
        found = self.entry(ref, *kinds)
        return found.name if found else ref.replace("-", " ").capitalize()

    def href(self, ref: str, *kinds: str) -> str:
        """Return the rules page of the entry with this id, "" if there is none."""
        found = self.entry(ref, *kinds)
        return self.address(found) if found else ""

    def href_of_name(self, name: str) -> str:
        """Return the rules page of the entry with this name, "" if there is none."""
        found = self.by_name.get(name.casefold())
        return self.address(found) if found else ""

    def address(self, entry: RuleEntry) -> str:
        key = entry.kind, entry.id
        if key not in self._addresses:
            query = f"?{self.terms}" if self.terms else ""
            self._addresses[key] = reverse("rule-show", args=[self.system, self.edition, *key]) + query
        return self._addresses[key]

    def list_name(self, list_id: str) -> str:
        """Return the name of a list alone: "Eire Rangers"."""
        chosen = self.lists.get(list_id)
        return chosen.name if chosen is not None else self.list_words(list_id)

    def list_words(self, list_id: str) -> str:
        """Return the name of a list as titles show it: "New Antioch, standard list", "New Antioch, Eire Rangers"."""
        chosen = self.lists.get(list_id)
        if chosen is None:
            return list_id.replace("-", " ").capitalize()
        base = self.lists.get(chosen.faction)
        if base is None or base.id == chosen.id:
            has_variants = any(other.faction == chosen.id and other.id != chosen.id for other in self.lists.values())
            return _("{chosen}, standard list").format(chosen=chosen.name) if has_variants else chosen.name
        return f"{base.name}, {chosen.name}"


_kept: dict[tuple[int, str], RuleLinks] = {}


def terms_query(terms: Terms) -> str:
    """Return the query string of terms with overlays or house rules in force, "" for none.

    It includes the number of the next battle if rules come into force at a battle. The overlays stand in it by id, so
    that a link keeps its state for everybody.
    """
    told = [f"state={','.join(terms.overlays)}"] if terms.overlays else []
    if not terms.pk or not terms.in_force:
        return "".join(told)
    by_battle = terms.at_battle and any(change.get("battle") for change in terms.coming)
    mine = [f"terms={terms.pk}", *([f"battle={terms.at_battle}"] if by_battle else [])]
    return "&".join((*mine, *told))


def names_of(terms: Terms) -> RuleLinks:
    """Return the names under these terms. No queries.

    The index is built once per content, and once per terms if house rules are in force.
    """
    content = terms.content
    under = terms_query(terms)
    key = id(content), under
    found = _kept.get(key)
    if found is not None and found.content is content:
        return found
    game = terms.game
    entries = tuple(game.rulebook.entries(content))
    names = RuleLinks(
        content=content,
        entries=entries,
        system=terms.system,
        edition=terms.edition,
        by_id={(entry.kind, entry.id): entry for entry in entries},
        by_name={entry.name.casefold(): entry for entry in reversed(entries)},
        any_kind={entry.id: entry for entry in reversed(entries)},
        lists={choice.id: choice for choice in game.founding.lists(content)},
        terms=under,
        spelled=tuple((entry, " ".join(plain(name) for name in (entry.name, *entry.also))) for entry in entries),
    )
    if len(_kept) >= KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[key] = names
    return names
