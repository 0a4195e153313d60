"""Pasted rosters of Trench Crusade: its names and the words its list builders use, and the roster document that comes of a text."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.content.compiled import Content
from rules.content.names import plain
from rules.fighters.views import views
from rules.import_reader import read_text
from rules.import_text import CLOSE, Phrase, PhraseMeaning, TextFighter, TextReading, TextRoster, Words
from rules.price import Price
from rules.problems import Refusal
from rules.trench_crusade.content import GAME
from rules.trench_crusade.documents.reader import RosterReader
from rules.trench_crusade.documents.schema import decode
from rules.vocabulary import AsksEffect, CountsAsEffect

MOST_ASKED = 400
_ARTICLE = re.compile(r"^\s*(?:an?|the|his|her|its|one)\s+", re.IGNORECASE)
ALIASES: Mapping[str, Mapping[str, str]] = {
    "item": {
        "boltactionrifles": "bolt-action-rifle", "rifle": "bolt-action-rifle", "smg": "submachine-gun", "mg": "machine-gun", "lmg": "machine-gun",
        "rpg": "rocket-propelled-grenade", "pistol": "pistol-revolver", "sword": "sword-axe", "axe": "sword-axe", "polearm": "trench-polearm",
        "club": "trench-club", "knife": "knife-dagger", "dagger": "knife-dagger", "trenchknife": "knife-dagger", "greatsword": "greatsword-greataxe",
        "greataxe": "greatsword-greataxe", "helmet": "combat-helmet", "mask": "gas-mask", "gasmasks": "gas-mask", "medikit": "medi-kit",
        "medkit": "medi-kit", "shield": "trench-shield", "grenade": "grenades", "knives": "knife-dagger", "gasgrenade": "gas-grenades", "incendiarygrenade": "incendiary-grenades",
        "semiautorifle": "semi-automatic-rifle", "autopistol": "automatic-pistol", "autorifle": "automatic-rifle", "autoshotgun": "automatic-shotgun",
        "scope": "sniper-scope", "flag": "troop-flag", "instrument": "musical-instrument", "shovels": "shovel",
    },
    "profile": {"mechanizedinfantry": "mechanised-heavy-infantry", "mhi": "mechanised-heavy-infantry", "ahi": "anointed-heavy-infantry"},
}  # fmt: skip

WORDS = Words(
    headings={
        "elite": "elite", "elites": "elite", "elitemodels": "elite", "eliteunits": "elite", "leader": "elite", "leaders": "elite", "hq": "elite",
        "troop": "troop", "troops": "troop", "troopers": "troop", "infantry": "troop", "trooperunits": "troop", "models": "troop", "units": "troop",
        "fighters": "troop", "warband": "troop", "roster": "troop", "members": "troop", "warbandmembers": "troop", "warbandroster": "troop",
        "mercenary": "mercenary", "mercenaries": "mercenary", "hired": "mercenary", "hiredswords": "mercenary", "specialists": "troop",
        "special": "troop", "captives": "troop", "forglory": "mercenary",
        "stash": "stash", "armoury": "stash", "armory": "stash", "unassigned": "stash", "unassignedequipment": "stash", "unequipped": "stash",
        "storage": "stash", "inventory": "stash", "campstash": "stash", "warbandstash": "stash", "treasury": "stash",
        "locations": "locations", "exploredlocations": "locations", "explorations": "locations", "explorationskills": "exploration",
        "lastingeffects": "lasting",
        "dead": "dead", "thedead": "dead", "deadfighters": "dead", "deadmodels": "dead", "fallen": "dead", "thefallen": "dead", "killed": "dead",
        "killedinaction": "dead", "graveyard": "dead", "memorial": "dead",
        "lostcaptured": "captive", "lostandcaptured": "captive", "captured": "captive", "capturedfighters": "captive", "captive": "captive",
        "reserves": "reserve", "reserve": "reserve", "inreserve": "reserve", "retired": "retired",
        "modifiers": "passed", "fireteams": "passed", "fireteam": "passed",
    },
    labels={
        "warband": "name", "warbandname": "name", "rostername": "name", "listname": "name", "name": "fighter", "model": "fighter",
        "modelname": "fighter", "fighter": "fighter", "character": "fighter", "profile": "profile", "unit": "profile", "type": "profile",
        "unittype": "profile", "modeltype": "profile", "class": "profile", "role": "profile",
        "faction": "list", "list": "list", "armylist": "list", "army": "list", "variant": "list", "warbandvariant": "list", "subfaction": "list",
        "force": "list", "factionvariant": "list", "detachment": "list", "patron": "patron", "warbandpatron": "patron",
        "kit": "kit", "gear": "kit", "equipment": "kit", "battlekit": "kit", "wargear": "kit", "weapons": "kit", "weapon": "kit", "ranged": "kit",
        "melee": "kit", "rangedweapons": "kit", "rangedweapon": "kit", "meleeweapons": "kit", "meleeweapon": "kit", "armour": "kit", "armor": "kit",
        "items": "kit", "other": "kit", "loadout": "kit", "shield": "kit", "headgear": "kit", "grenades": "kit", "gloryitems": "kit",
        "upgrades": "upgrades", "upgrade": "upgrades", "upgradeschoices": "upgrades", "upgradesandchoices": "upgrades", "choices": "upgrades", "options": "upgrades", "powers": "upgrades", "goeticpowers": "upgrades",
        "skills": "skills", "skill": "skills", "advances": "skills", "advancements": "skills", "campaignskills": "skills",
        "scars": "traumas", "battlescars": "traumas", "traumas": "traumas", "trauma": "traumas", "injuries": "traumas", "injury": "traumas",
        "scarsandtraumas": "traumas", "wounds": "traumas",
        "cost": "cost", "totalcost": "cost", "price": "cost", "value": "cost", "worth": "cost", "rating": "cost", "warbandrating": "cost",
        "xp": "experience", "exp": "experience", "experience": "experience", "experiencepoints": "experience", "numberofscars": "scars",
        "stash": "stash", "armoury": "stash", "armory": "stash", "unassigned": "stash", "instash": "stash", "storage": "stash",
        "stashedducats": "held", "ducatsinstash": "held", "unspentducats": "held", "unspentglory": "glory", "stashedglory": "glory",
        "ducats": "ducats", "remainingducats": "ducats", "ducatsleft": "ducats", "ducatsheld": "ducats", "remaining": "money", "unspent": "money", "left": "money", "paychest": "money", "strongbox": "money",
        "treasury": "money", "glory": "glory", "glorypoints": "glory", "glorypts": "glory", "gloryleft": "glory",
        "battles": "fought", "games": "fought", "battlesfought": "fought", "gamesplayed": "fought", "campaignround": "fought",
        "victorypoints": "points", "vp": "points", "campaignpoints": "points", "record": "record", "wins": "won", "won": "won", "draws": "drawn",
        "drawn": "drawn", "losses": "lost", "lost": "lost", "failedpromotions": "misses", "promotionfailures": "misses", "missedpromotions": "misses",
        "lastscenario": "scenario", "locations": "locations", "exploredlocations": "locations", "explored": "locations",
        "explorationskills": "exploration", "lastingeffects": "lasting", "lasting": "lasting",
    },
    passed=frozenset({
        "keywords", "keyword", "abilities", "ability", "tags", "movement", "move", "mv", "m", "rg", "ml", "ar", "base", "basesize", "statline",
        "stats", "rangeddice", "meleedice", "rules", "specialrules", "total", "totalducats", "totalglory", "totals", "viewonline", "threshold", "thresholdvalue", "fieldstrength", "modelcount", "models", "size", "elites", "elite", "troops",
        "mercenaries", "date", "created", "createdby", "createdwith", "exported", "exportedfrom", "version", "edition", "game", "gamesystem",
        "player", "owner", "author", "notes", "description", "lore", "spent", "points", "budget", "limit", "ducatlimit", "maxducats",
        "startingducats", "battlesize", "gametype", "gamemode", "mode", "configuration", "forcetype", "kills", "rank",
    }),
    flags={
        "promoted": "promoted", "captive": "captive", "captured": "captive", "dead": "dead", "killed": "dead", "retired": "retired", "leader": "role",
        "elite": "role", "troop": "role", "mercenary": "role", "strong": "role", "tough": "role",
    },
    titles=(
        "trenchcrusade", "trenchcrusade*", "trenchcompanion*", "trenchcompendium*", "createdwith*", "createdin*", "generatedby*", "generatedwith*",
        "exportedfrom*", "exportedby*", "madewith*", "builtwith*", "newrecruit*", "battlescribe*", "warband", "armyroster", "armylist", "warbandlist",
        "standard", "campaign", "oneoff", "configuration", "options", "plainlist", "ledby*", "asitstands*", "unofficial*", "mainlist", "mainfaction", "corerules*",
    ),
    ducats=("ducats", "ducat", "duc", "d", "đ", "pts", "pt", "points", "point"),
    glory=("glory points", "glory point", "glory", "gp", "g"),
    statline=re.compile(
        r"\b(?:mv|movement|move)\b\W{0,3}\d|^\W*\d+[\"”″]\s*[/|,]|\b(?:rg|ranged)\b\W{0,3}[+\-−]?\d.*\b(?:ml|melee)\b\W{0,3}[+\-−]?\d", re.IGNORECASE
    ),
)  # fmt: skip


@dataclass(frozen=True)
class ImportNames:
    """The names of an edition as one list reads them: its own entries come first."""

    content: Content
    list_id: str = ""
    asked: dict[tuple[str, tuple[str, ...]], tuple[tuple[float, PhraseMeaning], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def exact(self, text: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """The entry with this name, in the singular or plural; its own list's first, then the edition's."""
        wanted = tuple(dict.fromkeys(_spellings(text)))
        if not wanted:
            return None
        for kind in kinds:
            for table in self._tables(kind):
                for spelling in wanted:
                    if spelling in table:
                        return self._meaning(kind, table[spelling])
            for spelling in wanted:
                if (id_ := ALIASES.get(kind, {}).get(spelling)) and self._here(kind, id_):
                    return self._meaning(kind, id_)
        return None

    def near(self, text: str, kinds: Iterable[str]) -> tuple[tuple[float, PhraseMeaning], ...]:
        """Entries with names like this one, the likest first; those of the own list a little before others."""
        wanted, kinds = plain(text), tuple(kinds)
        if len(wanted) < 2 or len(wanted) > 60:
            return ()
        if (wanted, kinds) not in self.asked:
            if len(self.asked) >= MOST_ASKED:  # far more than any roster misspells
                return ()
            self.asked[wanted, kinds] = self._near(wanted, kinds)
        return self.asked[wanted, kinds]

    def _near(self, wanted: str, kinds: tuple[str, ...]) -> tuple[tuple[float, PhraseMeaning], ...]:
        best: dict[tuple[str, str], float] = {}
        matcher = difflib.SequenceMatcher(None, "", wanted, autojunk=False)
        scores: dict[str, float] = {}
        for kind in kinds:
            for rank, table in enumerate(self._tables(kind)):
                for spelling, id_ in table.items():
                    if spelling not in scores:
                        scores[spelling] = _likeness(matcher, wanted, spelling)
                    if scores[spelling] >= CLOSE:
                        best[kind, id_] = max(best.get((kind, id_), 0.0), scores[spelling] - 0.02 * rank)
        ordered = sorted(best.items(), key=lambda x: (-x[1], x[0]))
        return tuple((score, self._meaning(kind, id_)) for (kind, id_), score in ordered[:8])

    def by_value(self, value: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """The entry that an answer names: "item:bayonet", or any name of it."""
        kinds = tuple(dict.fromkeys(kinds))
        kind, _, id_ = value.partition(":")
        if kind in kinds and any(id_ in table.values() for table in self._tables(kind)):
            return self._meaning(kind, id_)
        return self.exact(value, kinds)

    def _tables(self, kind: str) -> Sequence[Mapping[str, str]]:
        kind = "skill" if kind == "exploration" else kind
        known = self.content.names.get(kind, {})
        if self.list_id in self.content.lists:
            return (self.content.lists[self.list_id].names.get(kind, {}), known)
        return (known,)

    def _here(self, kind: str, id_: str) -> bool:
        return id_ in self.content.display.get(kind, {})

    def _meaning(self, kind: str, id_: str) -> PhraseMeaning:
        return PhraseMeaning(kind, id_, self.content.name("skill" if kind == "exploration" else kind, id_))


def _spellings(text: str) -> Iterable[str]:
    """The plain spellings that a text stands for: as it is, without an article, in singular and plural."""
    for form in (text, _ARTICLE.sub("", text)):
        said = plain(form)
        if not said:
            continue
        yield said
        if said.endswith("men"):
            yield said[:-3] + "man"
        if said.endswith("ies"):
            yield said[:-3] + "y"
        if said.endswith("es") and len(said) > 4:
            yield said[:-2]
        if said.endswith("s") and len(said) > 3:
            yield said[:-1]
        yield said + "s"


def _likeness(matcher: difflib.SequenceMatcher[str], wanted: str, known: str) -> float:
    """How like two plain spellings are (0 to 1); one inside the other counts for much."""
    shorter, longer = sorted((len(wanted), len(known)))
    if shorter > 3 and (wanted in known or known in wanted):
        return 0.66 + 0.34 * shorter / longer
    if shorter < longer * 0.4:
        return 0.0
    matcher.set_seq1(known)
    if matcher.real_quick_ratio() < CLOSE or matcher.quick_ratio() < CLOSE:
        return 0.0
    return matcher.ratio()


# --- the text, read ------------------------------------------------------------------------------------------------------


def read_roster(content: Content, text: str, list_id: str = "", answers: Mapping[str, str] | None = None) -> TextRoster:
    """Read a pasted roster. `list_id` settles the list where the text does not name it. Raises Refusal for what is no text."""
    first = read_text(text, ImportNames(content, list_id), WORDS, answers)
    found = list_id or list_of(content, first)
    reading = read_text(text, ImportNames(content, found), WORDS, answers) if found and found != list_id else first
    unread = _unread(content, reading, found)
    document = document_of(content, reading, found)
    if unread:
        document["unread"] = list(unread)
    return TextRoster(found, reading, document, unread, remarks_of(content, reading, document, found))


def list_of(content: Content, reading: TextReading) -> str:
    """The list a text names (a variant before its faction), else the only one that fits most of its profiles; "" when that is open."""
    named = [p.meaning.id for p in reading.lists if p.meaning is not None and p.meaning.id in content.lists]
    for id_ in named:
        if content.lists[id_].army.faction:
            return id_
    if named:
        return named[0]
    if any(p.open for p in reading.lists) or any(p.meaning for p in reading.lists):
        return ""
    said = [plain(f.profile.text) for f in reading.fighters]
    scores = {
        id_: sum(s in one.names["profile"] and one.names["profile"][s] in one.by_profile for s in said)
        for id_, one in content.lists.items()
        if not one.closed
    }
    most = max(scores.values(), default=0)
    best = [id_ for id_, score in scores.items() if score == most]
    plain_lists = [id_ for id_ in best if not content.lists[id_].army.faction]
    if not most:
        return ""
    if len(best) == 1:
        return best[0]
    return plain_lists[0] if len(plain_lists) == 1 else ""


def _unread(content: Content, reading: TextReading, list_id: str) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    lines = {line.number: line.text.strip() for line in reading.lines}
    if not list_id and not any(p.open for p in reading.lists):
        known = [x.army.name for x in content.lists.values() if not x.army.faction]
        named = next((p.text for p in reading.lists), "")
        found.append({"line": 0, "text": "", "said": named, "fighter": "", "kind": "faction", "guesses": known})
    for fighter, phrase in reading.open():
        guesses = [m.name for m in phrase.near]
        kind = "line" if phrase.key.endswith(".0") else phrase.kinds[0]
        text = lines.get(phrase.line, "")
        found.append(
            {
                "line": phrase.line,
                "text": text,
                "said": phrase.text,
                "fighter": fighter,
                "kind": kind,
                "guesses": guesses,
            }
        )
    return tuple(found)


# --- the document --------------------------------------------------------------------------------------------------------


def document_of(content: Content, reading: TextReading, list_id: str) -> dict[str, Any]:
    """The roster document of a text. What nobody knows stays in its place under the name it has in the text."""
    army = content.lists[list_id].army if list_id else None
    faction = (army.faction or army.id) if army else ""
    facts = {key: int(value) for key, value in reading.facts.items() if value.isdigit()}
    fought, credited = facts.get("fought", 0), facts.get("credited", 0)
    said = " ".join(p.text for p in reading.lists if p.meaning is None or not list_id)
    document: dict[str, Any] = {
        "game": GAME,
        "edition": content.edition,
        "faction": content.name("list", faction) if faction else said,
        "variant": army.name if army and army.faction else None,
        "name": reading.name,
        "mode": "campaign",
        "scope": "roster",
        "battles": {"fought": fought, "credited": credited},
        "patron": None,
        "fighters": [],
        "stash": [],
    }
    if reading.patron is not None and not reading.patron.left_out:
        document["patron"] = reading.patron.meaning.name if reading.patron.meaning else reading.patron.text
    taken: Counter[str] = Counter()
    for fighter in (f for f in reading.fighters if not f.profile.left_out):
        document["fighters"] += _rows(content, list_id, fighter, taken)
    for phrase in reading.stash:
        if not phrase.left_out:
            document["stash"] += [_piece(phrase)] * (phrase.count or 1)
    campaign = _campaign(content, reading, facts)
    if campaign:
        document["campaign"] = campaign
    if "ducats" in facts or "glory" in facts:
        document["record"] = {"strongbox": {"ducats": facts.get("ducats", 0), "glory": facts.get("glory", 0)}}
    return document


def _campaign(content: Content, reading: TextReading, facts: Mapping[str, int]) -> dict[str, Any]:
    part: dict[str, Any] = {}
    if facts.get("misses"):
        part["promotion_misses"] = facts["misses"]
    for phrase in reading.extras:
        if phrase.left_out:
            continue
        name = phrase.meaning.name if phrase.meaning else phrase.text
        if "scenario" in phrase.kinds:
            part["last_scenario"] = phrase.meaning.id if phrase.meaning else phrase.text
        elif "location" in phrase.kinds:
            part.setdefault("locations", {})[name] = location_option(
                content, phrase.meaning.id if phrase.meaning else "", phrase.detail
            )
        elif "lasting" in phrase.kinds:
            part.setdefault("lasting", []).append(name)
        else:
            part.setdefault("exploration_skills", []).append(name)
    return part


def location_option(content: Content, location: str, text: str) -> str:
    """The option of a location that a text means, "" where it means none."""
    options = content.locations[location].options if location in content.locations else ()
    return next((o.id for o in options if plain(text) and plain(text) in (plain(o.id), plain(o.name))), "")


def _rows(content: Content, list_id: str, fighter: TextFighter, taken: Counter[str]) -> list[dict[str, Any]]:
    """The rows of a fighter, or of several alike: kit that is counted goes round, kit without a number goes to each."""
    rows = []
    profile = fighter.profile.meaning
    name = profile.name if profile else fighter.profile.text
    for number in range(fighter.count):
        base = fighter.name or name
        taken[base] += 1
        row: dict[str, Any] = {
            "name": base if taken[base] == 1 else f"{base} {taken[base]}",
            "profile": profile_word(content, list_id, profile, name),
            "kit": [],
            "upgrades": [],
            "skills": [],
            "traumas": [],
            "experience": fighter.experience,
            "promoted": fighter.promoted or _promoted(content, fighter),
            "status": fighter.status,
        }
        if fighter.scars is not None:
            row["scars"] = fighter.scars
        for phrase in fighter.phrases:
            if not phrase.left_out:
                for _ in range(_share(phrase, number, fighter.count)):
                    _put(content, list_id, row, phrase, profile)
        rows.append(row)
    return rows


def profile_word(content: Content, list_id: str, profile: PhraseMeaning | None, said: str) -> str:
    """A profile as a document names it: by id where its name means another one on this list."""
    if profile is None:
        return said
    return profile.name if content.resolve("profile", profile.name, list_id) == profile.id else profile.id


def _promoted(content: Content, fighter: TextFighter) -> bool:
    """A troop that the text lists among the ELITE was promoted."""
    profile = content.profiles.get(fighter.profile.meaning.id) if fighter.profile.meaning else None
    return fighter.section == "elite" and profile is not None and profile.role == "troop"


def _share(phrase: Phrase, number: int, of: int) -> int:
    """How many of a phrase's pieces go to fighter `number` of `of` alike."""
    if phrase.count is None or of == 1:
        return phrase.count or 1
    return phrase.count // of + (number < phrase.count % of)


def _put(content: Content, list_id: str, row: dict[str, Any], phrase: Phrase, profile: PhraseMeaning | None) -> None:
    meaning = meant(content, list_id, profile.id if profile else "", phrase)
    kind = meaning.kind if meaning else phrase.kinds[0]
    name = meaning.name if meaning else phrase.text
    if kind == "upgrade":
        row["upgrades"].append(name)
    elif kind in ("skill", "exploration"):
        row["skills"].append(name)
    elif kind == "trauma":
        details = trauma_details(content, meaning.id, phrase.detail)[0] if meaning else {}
        row["traumas"].append({"trauma": name, "details": details} if details else name)
    elif kind == "profile":
        row["kit"].append(name)
    else:
        row["kit"].append(_piece(phrase))


def _piece(phrase: Phrase) -> str | dict[str, Any]:
    name = phrase.meaning.name if phrase.meaning else phrase.text
    return {"item": name, "origin": phrase.origin} if phrase.origin else name


def meant(content: Content, list_id: str, profile: str, phrase: Phrase) -> PhraseMeaning | None:
    """What a phrase means for this profile: one word may name a piece and an upgrade, and the upgrade made for the profile wins."""
    meaning = phrase.meaning
    if meaning is None or meaning.kind not in ("item", "upgrade"):
        return meaning
    other = meaning_for(content, list_id, profile, meaning.name)
    return other or meaning


def meaning_for(content: Content, list_id: str, profile: str, text: str) -> PhraseMeaning | None:
    """The item or upgrade that a name means for this profile. None where it is neither."""
    names = ImportNames(content, list_id)
    item, upgrade = names.exact(text, ("item",)), names.exact(text, ("upgrade",))
    if upgrade is not None and item is not None:
        offers = content.lists[list_id].by_upgrade.get(upgrade.id, ()) if list_id else ()
        known = content.profiles.get(profile)
        own = known.effects if known is not None else ()
        passes_for = {profile} | {e.profile for e in own if isinstance(e, CountsAsEffect) and e.profile}
        return upgrade if any(t.profile in passes_for for o in offers for t in o.who.only_for) else item
    return item or upgrade


def trauma_details(content: Content, trauma: str, text: str) -> tuple[dict[str, Any], str]:
    """The details that a trauma asks for out of words ("left"; "Heretic; Hill 223"), and what of them nobody knows."""
    asks = _asks(content, trauma)
    if asks is None:
        return {}, text.strip()
    details: dict[str, Any] = {}
    strange: list[str] = []
    for part in (p.strip() for p in re.split(r"[;,/]", text) if p.strip()):
        option = next((o for o in asks.options if plain(o) == plain(part.removesuffix(" hand"))), None)
        scenario = content.resolve("scenario", part)
        if option is not None:
            details[asks.key] = option
        elif asks.of == "factions" and (keyword := faction_keyword(content, part)):
            details[asks.key] = keyword
        elif asks.of == "factions" and isinstance(scenario, str):
            details["scenario"] = scenario
        else:
            strange.append(part)
    return details, ", ".join(strange)


def _asks(content: Content, trauma: str) -> AsksEffect | None:
    return next((e for e in content.traumas[trauma].effects if isinstance(e, AsksEffect)), None)


def faction_keyword(content: Content, text: str) -> str:
    """The keyword of the faction that a name means, "" for none."""
    wanted = plain(text)
    every: tuple[Any, ...] = (*content.pack.lists, *content.pack.other_lists)
    for one in every:
        if wanted and wanted in (plain(one.name), plain(one.id), plain(one.keyword), plain(getattr(one, "short", ""))):
            base = content.lists[one.faction].army if getattr(one, "faction", "") in content.lists else one
            return str(one.keyword or base.keyword)
    return ""


def trauma_asks(content: Content, trauma: str) -> tuple[str, tuple[str, ...]]:
    """What a trauma asks for in words and the answers that are known, ("", ()) where it asks for nothing."""
    asks = _asks(content, trauma)
    if asks is None:
        return "", ()
    if asks.of != "factions":
        return asks.words, tuple(asks.options)
    every: tuple[Any, ...] = (*content.pack.lists, *content.pack.other_lists)
    factions = [x.keyword for x in every if not getattr(x, "faction", "")]
    return asks.words, tuple(dict.fromkeys((*factions, *asks.options)))


# --- where text and books part -----------------------------------------------------------------------------------------


def remarks_of(content: Content, reading: TextReading, document: Mapping[str, Any], list_id: str) -> tuple[str, ...]:
    """What the text says otherwise than the books: prices that differ, and what was concluded rather than read."""
    found: list[str] = []
    if not list_id:
        return ()
    if not any(p.meaning for p in reading.lists):
        found.append(f"No list is named; the profiles are those of {content.name('list', list_id)}.")
    totals = _ratings(content, document)
    worth: list[Price] = []
    place = 0
    for fighter in (f for f in reading.fighters if not f.profile.left_out):
        rating = totals[place] if place < len(totals) else None
        if fighter.status == "active" and fighter.section != "reserve":
            worth += [r for r in totals[place : place + fighter.count] if r is not None]
        place += fighter.count
        found += _fighter_remarks(content, list_id, fighter, rating)
    for phrase in reading.stash:
        found += _price_remarks(content, list_id, phrase, "in the stash")
    ours = Price(sum(r.ducats for r in worth), sum(r.glory for r in worth))
    said = reading.rating
    if said is not None and totals and not reading.open() and said != ours and not _one_coin(said, {ours}):
        found.append(f"The text says that all are worth {said}, the books {ours}.")
    return tuple(found)


def _ratings(content: Content, document: Mapping[str, Any]) -> list[Price | None]:
    """What each fighter is worth by the books; nothing where the document holds more than a roster can."""
    try:
        data = decode({k: x for k, x in document.items() if k not in ("unread", "record")})
    except Refusal:
        return []
    force = RosterReader(content, data).force()
    known = views(content, force)
    rated = {f.key: known[f.key].rating for f in force.fighters if f.key in known}
    return [rated.get(f"f{n}") for n in range(1, len(document["fighters"]) + 1)]


def _fighter_remarks(content: Content, list_id: str, fighter: TextFighter, rating: Price | None) -> list[str]:
    found: list[str] = []
    name = fighter.name or fighter.profile.text
    profile = fighter.profile.meaning
    if _promoted(content, fighter) and not fighter.promoted:
        found.append(f"{name} stands among the ELITE: read as promoted.")
    if fighter.section == "reserve":
        found.append(f"{name} stands among the reserves: read as on the roster.")
    if fighter.section == "captive":
        found.append(f"{name} is lost or captured: read as captive.")
    if profile is not None and fighter.total is not None and rating is not None:
        each = {rating, Price(rating.ducats * fighter.count, rating.glory * fighter.count)}
        if fighter.total not in each and not (fighter.total and _one_coin(fighter.total, each)):
            found.append(f"{name}: the text says {fighter.total} with everything, the books {rating}.")
    if profile is not None and fighter.prices and rating is not None:
        offers = content.lists[list_id].by_profile.get(profile.id, ())
        known = {o.price for o in offers} | {content.hire_price(o) for o in offers} | {rating}
        every = {Price(p.ducats * n, p.glory * n) for p in known for n in {1, fighter.count}}
        if not any(p in every or _one_coin(p, every) for p in fighter.prices):
            alone = f", {offers[0].price} without kit" if offers and offers[0].price != rating else ""
            found.append(f"{name}: the text says {fighter.prices[0]}, the books {rating}{alone}.")
    for phrase in fighter.phrases:
        found += _price_remarks(content, list_id, phrase, name)
        if phrase.meaning is not None and phrase.meaning.kind == "trauma" and phrase.detail:
            strange = trauma_details(content, phrase.meaning.id, phrase.detail)[1]
            if strange:
                found.append(f"{phrase.meaning.name} of {name}: “{strange}” says nothing the books ask for.")
    return found


def _one_coin(price: Price, known: set[Price]) -> bool:
    """Whether a price agrees with one of those known in the only coin that it names."""
    if price.glory and price.ducats:
        return False
    return any(price.ducats == p.ducats if price.ducats else price.glory == p.glory for p in known)


def _price_remarks(content: Content, list_id: str, phrase: Phrase, where: str) -> list[str]:
    if not phrase.prices or phrase.meaning is None or phrase.meaning.kind not in ("item", "upgrade"):
        return []
    army, ref = content.lists[list_id], phrase.meaning.id
    offers: Sequence[Any] = army.by_item.get(ref, ()) if phrase.meaning.kind == "item" else army.by_upgrade.get(ref, ())
    for_other = [o for o in army.upgrade_offers if content.name("upgrade", o.upgrade) == phrase.meaning.name]
    known = {o.price for o in (*offers, *for_other)}
    if not known:
        return []
    if ref in content.swappable:
        known.add(Price(ducats=content.swappable[ref]))
    every = {Price(p.ducats * n, p.glory * n) for p in known for n in {1, phrase.count or 1}} | {Price()}
    if any(p in every or _one_coin(p, every) for p in phrase.prices):
        return []
    price = min(known, key=lambda p: (p.glory, p.ducats))
    return [f"{phrase.meaning.name} ({where}): the text says {phrase.prices[0]}, the list {price}."]


PRESENT = ("active", "captive")


# --- writing -------------------------------------------------------------------------------------------------------------


def write_text(content: Content, document: Mapping[str, Any]) -> str:
    """A roster document as text in the form that is read: one fighter a line, then kit, skills and scars below.

    Names that would be read as something else ("Ilse - the Bold", "Stash") stand on lines of their own, under "Called:".
    """
    document = _whole(document)
    text = _written(content, document, apart=False)
    rows = [row for row in document["fighters"] if row["status"] in PRESENT]
    read = read_roster(content, text).document
    names = [str(document.get("name") or "Warband"), *(row["name"] for row in rows)]
    if [read["name"], *(row["name"] for row in read["fighters"])] == names and all(
        (now["profile"], len(now["kit"])) == (row["profile"], len(row["kit"]))
        for now, row in zip(read["fighters"], rows, strict=True)
    ):
        return text
    return _written(content, document, apart=True)


def _whole(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with what may be left out filled in."""
    usual = {"status": "active", "promoted": False, "experience": 0, "kit": []}
    return {
        "variant": None,
        "stash": [],
        **document,
        "fighters": [{**usual, **row} for row in document["fighters"]],
    }


def _written(content: Content, document: Mapping[str, Any], *, apart: bool) -> str:
    """The text, with names before their profiles or (`apart`) on lines of their own."""
    name = str(document.get("name") or "Warband")
    lines = [f"Called: {name}" if apart else name, f"Faction: {document['variant'] or document['faction']}"]
    if document.get("patron"):
        lines.append(f"Patron: {document['patron']}")
    fought = document.get("battles", {}).get("fought", 0)
    if fought:
        lines.append(f"Battles fought: {fought}")
    strongbox = (document.get("record") or {}).get("strongbox")
    if strongbox:
        lines.append(f"Strongbox: {strongbox['ducats']} ducats, {strongbox['glory']} glory")
    lines.append("")
    for row in document["fighters"]:
        if row["status"] not in PRESENT:
            continue
        marks = [word for word, on in (("promoted", row["promoted"]), ("captive", row["status"] == "captive")) if on]
        profile = content.name("profile", row["profile"]) if row["profile"] in content.profiles else row["profile"]
        alone = apart or row["name"] == profile
        lines.append((profile if alone else f"{row['name']} - {profile}") + "".join(f" ({mark})" for mark in marks))
        if apart and row["name"] != profile:
            lines.append(f"  Called: {row['name']}")
        lines += [f"  • {_told(piece, 'item')}" for piece in row["kit"]]
        for label, key, kind in (
            ("Upgrades", "upgrades", "upgrade"),
            ("Skills", "skills", "skill"),
            ("Scars", "traumas", "trauma"),
        ):
            if row.get(key):
                lines.append(f"  {label}: " + ", ".join(_told(x, kind) for x in row[key]))
        if row["experience"]:
            lines.append(f"  Experience: {row['experience']}")
        lines.append("")
    if document["stash"]:
        lines += ["Stash", *(f"  • {_told(piece, 'item')}" for piece in document["stash"]), ""]
    campaign = document.get("campaign") or {}
    for label, key in (("Locations", "locations"), ("Exploration skills", "exploration_skills")):
        if campaign.get(key):
            lines.append(f"{label}: " + ", ".join(content.name("location", x) for x in campaign[key]))
    return "\n".join(lines).rstrip() + "\n"


def _told(entry: Any, kind: str) -> str:
    if isinstance(entry, str):
        return entry
    name = str(entry.get("option") or entry[kind])
    if entry.get("origin") in ("found", "looted", "granted"):
        return f"{name} ({entry['origin']})"
    hand = (entry.get("details") or {}).get("hand")
    return f"{name} ({hand})" if hand else name


EXPLAINED = """\
A roster as text: one fighter a line, its kit behind it or on the lines below.

  The Lantern Wardens                         the first line that is nothing else: the warband's name
  Faction: New Antioch - Eire Rangers         or a line with nothing but the list's name; Variant: and Patron: likewise
  Battles fought: 3 / Strongbox: 40 ducats, 2 glory / Failed promotions: 1 / Last scenario: Hill 223
  ELITE, TROOPS, MERCENARIES, STASH           headings; also # Elites, ++ Troops ++, with counts and prices behind

  Ilse Brandt - Lieutenant (70): Automatic Pistol (20), Sword/Axe, Standard Armour
  Yeoman "Ottla" [30 ducats]: Bolt-Action Rifle, Bayonet
  3x Yeoman: Bolt-Action Rifle                three alike; "Yeoman x3" and "3 Yeomen" too
  Matthias, Yeoman
    • Bolt-Action Rifle                       bullets (• - * + o) or deeper lines are kit of the fighter above
    • 2x Grenades
    Gas Mask (found)                          bought is meant where nothing stands behind
    Skills: Sharp Eyes                        also Upgrades:, Kit:, Weapons:, Scars: Leg Wound, Hand Wound (left)
    Called: Ilse - the Bold                   a name as it stands, where it would read as something else
    XP: 4                                     also "4 XP", "promoted", "captive"
  Stash: Gas Mask, 2x Grenades                or a heading STASH with lines below
  Locations: Trench Merchant (Trade)          also Exploration skills:, Lasting effects:

Names may be short or long; case, punctuation, accents and plurals do not matter. Prices ("(45)", "45 ducats", "[45d]", "2 glory") are not
taken over but compared. Totals, statlines, keywords and abilities are passed over, since the books know them.
Of three alike, "3x Bayonet" is one each, "2x Bayonet" goes to the first two, "Bayonet" without a number to each.
What nobody knows is not dropped: it stands in its place under its own name, and under "unread" with its line and the nearest names.
"""
