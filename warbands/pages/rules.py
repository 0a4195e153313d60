"""The rules browser: every named thing of an edition with our summary of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from rules.registry import system, systems
from rules.system import RuleEntry
from rules.vocabulary import Price
from warbands.pages.bars import Link, Tab
from warbands.pages.words import asked, plural

MOST = 60


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One named thing in the list."""

    name: str
    href: str
    kind: str
    words: str
    current: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """What the books say of a thing besides our summary: "Lists", "New Antioch 2 d"."""

    label: str
    values: tuple[tuple[str, str], ...]  # words, rules page


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The list of named things, and the open one if there is one."""

    title: str
    here: str
    game: str
    edition: str
    editions: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    find: str
    kinds: tuple[Tab, ...]
    kind: str
    lines: tuple[EntryLine, ...]
    count: int
    count_words: str
    more_words: str
    entry: RuleEntry | None = None
    entry_kind: str = ""
    facts: tuple[Fact, ...] = ()
    back: Link | None = None


def editions() -> tuple[tuple[str, str], ...]:
    """Every game in each of its editions, the default first."""
    return tuple((game.id, edition) for game in systems() for edition in game.editions())


def rules_page(
    game_id: str, edition: str, *, find: str = "", kind: str = "", entry: RuleEntry | None = None
) -> RulesPage:
    """Build the rules browser. No queries."""
    game = system(game_id)
    content = game.content(edition)
    entries = game.entries(content)
    here = reverse("rule-list", args=[game_id, edition])
    wanted = find.casefold().strip()
    kinds: dict[str, int] = {}
    for one in entries:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    chosen = kind if kind in kinds else ""
    matching = [
        one for one in entries if (not wanted or wanted in one.name.casefold()) and (not chosen or one.kind == chosen)
    ]
    matching.sort(key=lambda one: (not one.name.casefold().startswith(wanted), _sorted_under(one.name), one.kind))
    state = {"find": find} if find else {}

    def address(name: str) -> str:
        query = urlencode({**state, **({"kind": name} if name else {})})
        return f"{here}?{query}" if query else here

    shown = matching[:MOST]
    return RulesPage(
        title=f"{game.name} {edition}" if len(game.editions()) > 1 or edition[:1].isdigit() else game.name,
        here=here,
        game=game_id,
        edition=edition,
        editions=tuple(
            (
                reverse("rule-list", args=[one, its]),
                f"{system(one).name} {its}"
                if len(system(one).editions()) > 1 or its[:1].isdigit()
                else system(one).name,
                (one, its) == (game_id, edition),
            )
            for one, its in editions()
        ),
        find=find,
        kinds=(
            Tab("All", address(""), not chosen),
            *(Tab(kind_words(name), address(name), name == chosen, number) for name, number in kinds.items()),
        ),
        kind=chosen,
        lines=tuple(
            EntryLine(
                one.name,
                reverse("rule-show", args=[game_id, edition, one.kind, one.id]),
                kind_words(one.kind, one=True),
                one.words,
                one is entry,
            )
            for one in shown
        ),
        count=len(matching),
        count_words=plural(len(matching), "entry", "entries"),
        more_words=f"The first {MOST} of {len(matching)} stand here. A longer word finds the rest."
        if len(matching) > MOST
        else "",
        entry=entry,
        entry_kind=kind_words(entry.kind, one=True) if entry else "",
        facts=_facts(game_id, edition, entry) if entry else (),
        back=Link("Rules", here) if entry else None,
    )


def _sorted_under(name: str) -> str:
    """The name without the signs it may begin with."""
    return name.lstrip("'‘’“”+-−()").casefold()


def find_entry(game_id: str, edition: str, kind: str, slug: str) -> RuleEntry | None:
    """The named thing at this address, None where there is none."""
    game = system(game_id)
    return next((one for one in game.entries(game.content(edition)) if one.kind == kind and one.id == slug), None)


KIND_WORDS = {
    "kit": ("Kit", "kit"),
    "item": ("Kit", "kit"),
    "profile": ("Profiles", "profile"),
    "upgrade": ("Upgrades", "upgrade"),
    "keyword": ("Keywords", "keyword"),
    "ability": ("Abilities", "ability"),
    "skill": ("Skills", "skill"),
    "trauma": ("Traumas", "trauma"),
    "location": ("Locations", "location"),
    "patron": ("Patrons", "patron"),
    "deed": ("Deeds", "glorious deed"),
    "scenario": ("Scenarios", "scenario"),
    "list": ("Lists", "list"),
    "rule": ("Rules", "rule"),
}


def kind_words(kind: str, *, one: bool = False) -> str:
    """What a kind of entry is called, many or one."""
    many, single = KIND_WORDS.get(kind, (kind.replace("-", " ").capitalize(), kind.replace("-", " ")))
    return single if one else many


# --- facts from the pack's normal form -------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _document(game_id: str, edition: str) -> Mapping[str, Any]:
    game = system(game_id)
    return game.document(game.content(edition))


def _facts(game_id: str, edition: str, entry: RuleEntry) -> tuple[Fact, ...]:
    document = _document(game_id, edition)
    table = {"profile": "profiles", "kit": "kit", "item": "kit", "upgrade": "upgrades"}.get(entry.kind)
    found = next((one for one in document.get(table, ()) if one.get("id") == entry.id), None) if table else None
    if found is None:
        return ()
    lists = {}
    for faction in document.get("factions", ()):
        lists[faction["id"], None] = faction["name"]
        for variant in faction.get("variants", ()):
            lists[faction["id"], variant["id"]] = variant["name"]
    facts = []
    if stats := found.get("statline"):
        facts.append(Fact("Profile", tuple((words, "") for words in _stat_words(stats))))
    if found.get("range_inches"):
        facts.append(Fact("Range", ((f'{found["range_inches"]}"', ""),)))
    hands = found.get("hands") or {}
    if any(hands.values()):
        facts.append(Fact("Hands", tuple((f"{where} {number}", "") for where, number in hands.items() if number)))
    game = system(game_id)
    by_name = {one.name.casefold(): one for one in game.entries(game.content(edition))}
    for label, key in (("Keywords", "keywords"), ("Abilities", "abilities")):
        words = tuple(
            (str(name), _address(game_id, edition, by_name.get(str(name).casefold()))) for name in found.get(key, ())
        )
        if words:
            facts.append(Fact(label, words))
    if offers := tuple(_offer_words(found.get("offers", ()), lists)):
        facts.append(Fact("Lists", tuple((words, "") for words in offers)))
    return tuple(facts)


def _stat_words(stats: Mapping[str, Any]) -> Iterable[str]:
    yield f'movement {stats.get("movement_inches")}" {stats.get("movement", "")}'.strip()
    for name in ("ranged", "melee"):
        value = stats.get(name)
        yield f"{name} –" if value is None else f"{name} {value:+d} DICE".replace("-", "−")
    yield f"armour {stats.get('armour', 0)}".replace("-", "−")
    if bases := stats.get("base_mm"):
        yield f"base {'/'.join(str(size) for size in bases)} mm"


def _offer_words(offers: Iterable[Mapping[str, Any]], lists: Mapping[tuple[str, Any], str]) -> Iterable[str]:
    """One line per price and condition, with the lists that share it."""
    shared: dict[str, list[str]] = {}
    for offer in offers:
        name = lists.get((offer.get("faction", ""), offer.get("variant")))
        if not name:
            continue
        price = offer.get("price") or {}
        words = asked(Price(ducats=price.get("ducats", 0), glory=price.get("glory", 0)))
        most = offer.get("most", offer.get("limit"))
        if most is not None:
            words += f", at most {most}"
        who = offer.get("who")
        if who and who != "anyone":
            words += f", {who}"
        shared.setdefault(words, []).append(name)
    for words, names in shared.items():
        yield f"{words}: {', '.join(names)}"


def _address(game_id: str, edition: str, entry: RuleEntry | None) -> str:
    return reverse("rule-show", args=[game_id, edition, entry.kind, entry.id]) if entry else ""
