"""The names of an edition, and the terms of its list builders, as pasted rosters spell them."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules.content.compiled import Content
from rules.content.names import plain
from rules.import_text import CLOSE, PhraseMeaning, Words

MOST_ASKED = 100  # misspelt names of one reading; far more than any roster has
MOST_KEPT, MOST_KNOWN = 300, 4_000  # words whose likes, and texts whose meaning, are remembered
LEAST_FOR_PAIRS, LEAST_SHARED = (
    6,
    2,
)  # letters of a name that is looked up by pairs of them; pairs that like names share
_ARTICLE = re.compile(r"^\s*(?:an?|the|his|her|its|one)\s+", re.IGNORECASE)
ALIASES: Mapping[str, Mapping[str, str]] = {
    "item": {
        "boltactionrifles": "bolt-action-rifle", "rifle": "bolt-action-rifle", "smg": "submachine-gun", "mg": "machine-gun", "lmg": "machine-gun",
        "rpg": "rocket-propelled-grenade", "pistol": "pistol-revolver", "sword": "sword-axe", "axe": "sword-axe", "polearm": "trench-polearm",
        "club": "trench-club", "knife": "knife-dagger", "dagger": "knife-dagger", "trenchknife": "knife-dagger", "greatsword": "greatsword-greataxe",
        "greataxe": "greatsword-greataxe", "greatswordaxe": "greatsword-greataxe", "greathammermaul": "double-handed-blunt-weapon",
        "greathammer": "double-handed-blunt-weapon", "greatmaul": "double-handed-blunt-weapon", "maul": "double-handed-blunt-weapon", "helmet": "combat-helmet", "mask": "gas-mask", "gasmasks": "gas-mask", "medikit": "medi-kit",
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
        "truppen": "troop", "truppe": "troop", "soldner": "mercenary", "soldaten": "troop", "anfuhrer": "elite", "vorrat": "stash", "lager": "stash",
        "gefallene": "dead", "gefallen": "dead", "tote": "dead", "gefangene": "captive", "orte": "locations",
        "tropas": "troop", "tropa": "troop", "mercenarios": "mercenary", "alijo": "stash", "almacen": "stash", "muertos": "dead", "caidos": "dead",
        "capturados": "captive", "lider": "elite", "lugares": "locations",
        "troupes": "troop", "troupe": "troop", "mercenaires": "mercenary", "morts": "dead", "lieux": "locations",
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
        "stash": "stash", "armoury": "stash", "armory": "stash", "unassigned": "stash", "instash": "stash", "pileofstuff": "stash", "storage": "stash",
        "stashedducats": "held", "ducatsinstash": "held", "unspentducats": "held", "unspentglory": "glory", "stashedglory": "glory",
        "ducats": "ducats", "remainingducats": "ducats", "ducatsleft": "ducats", "ducatsheld": "ducats", "remaining": "money", "unspent": "money", "left": "money", "paychest": "money", "strongbox": "money",
        "treasury": "money", "glory": "glory", "glorypoints": "glory", "glorypts": "glory", "gloryleft": "glory",
        "battles": "fought", "games": "fought", "battlesfought": "fought", "gamesplayed": "fought", "campaignround": "fought",
        "victorypoints": "points", "vp": "points", "campaignpoints": "points", "record": "record", "wins": "won", "won": "won", "draws": "drawn",
        "drawn": "drawn", "losses": "lost", "lost": "lost", "failedpromotions": "misses", "promotionfailures": "misses", "missedpromotions": "misses",
        "kriegsbande": "name", "fraktion": "list", "armee": "list", "schutzpatron": "patron", "dukaten": "ducats", "ruhm": "glory", "ruhmpunkte": "glory",
        "ausrustung": "kit", "waffen": "kit", "fernkampf": "kit", "nahkampf": "kit", "rustung": "kit", "verbesserungen": "upgrades",
        "erfahrung": "experience", "erfahrungspunkte": "experience", "ep": "experience", "fertigkeiten": "skills", "fahigkeiten": "skills",
        "verletzungen": "traumas", "narben": "traumas", "kosten": "cost", "gesamtkosten": "cost", "vorrat": "stash", "lager": "stash", "schlachten": "fought", "siege": "won",
        "banda": "name", "faccion": "list", "lista": "list", "ducados": "ducats", "gloria": "glory", "puntosdegloria": "glory",
        "equipo": "kit", "armas": "kit", "armadura": "kit", "mejoras": "upgrades", "experiencia": "experience", "px": "experience", "habilidades": "skills",
        "heridas": "traumas", "lesiones": "traumas", "cicatrices": "traumas", "coste": "cost", "costo": "cost", "precio": "cost", "alijo": "stash", "batallas": "fought",
        "bande": "name", "liste": "list", "ducs": "ducats", "gloire": "glory", "equipement": "kit", "armes": "kit", "armure": "kit", "ameliorations": "upgrades",
        "competences": "skills", "blessures": "traumas", "cout": "cost", "prix": "cost",
        "nombre": "fighter", "nom": "fighter", "typ": "profile", "tipo": "profile", "modell": "fighter", "modelo": "fighter", "modele": "fighter",
        "status": "status", "state": "status", "condition": "status", "zustand": "status", "estado": "status", "etat": "status",
        "debt": "debt", "debts": "debt", "owes": "debt", "owed": "debt", "schulden": "debt", "deuda": "debt", "deudas": "debt", "dettes": "debt",
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
        "fallen": "dead", "kia": "dead", "rip": "dead", "tot": "dead", "gefallen": "dead", "muerto": "dead", "muerta": "dead", "mort": "dead", "morte": "dead",
        "gefangen": "captive", "capturado": "captive", "capturada": "captive", "befordert": "promoted", "ascendido": "promoted",
        "elite": "role", "troop": "role", "mercenary": "role", "strong": "role", "tough": "role",
    },
    titles=(
        "trenchcrusade", "trenchcrusade*", "trenchcompanion*", "trenchcompendium*", "createdwith*", "createdin*", "generatedby*", "generatedwith*",
        "exportedfrom*", "exportedby*", "madewith*", "builtwith*", "newrecruit*", "battlescribe*", "warband", "armyroster", "armylist", "warbandlist",
        "standard", "campaign", "oneoff", "configuration", "options", "plainlist", "ledby*", "asitstands*", "unofficial*", "mainlist", "mainfaction", "corerules*",
    ),
    ducats=(
        "ducats", "ducat", "duc", "d", "đ", "pts", "pt", "points", "point", "dukaten", "dukat", "ducados", "ducado", "punkte", "puntos",
    ),
    glory=("glory points", "glory point", "glory", "gp", "g", "ruhmpunkte", "ruhm", "gloria", "gloire"),
    statline=re.compile(
        r"\b(?:mv|movement|move)\b\W{0,3}\d|^\W*\d+[\"”″]\s*[/|,]|\b(?:rg|ranged)\b\W{0,3}[+\-−]?\d.*\b(?:ml|melee)\b\W{0,3}[+\-−]?\d", re.IGNORECASE
    ),
)  # fmt: skip


@dataclass(frozen=True)
class ImportNames:
    """The names of an edition from the viewpoint of one list: its own entries come first."""

    content: Content
    list_id: str = ""
    asked: dict[tuple[str, tuple[str, ...]], tuple[tuple[float, PhraseMeaning], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    known: dict[tuple[str, tuple[str, ...]], PhraseMeaning | None] = field(
        default_factory=dict, compare=False, repr=False
    )

    def exact(self, text: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """Return the entry with this name, singular or plural: the own list's first, then the edition's."""
        key = (text, tuple(kinds))
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = self._exact(*key)
        return self.known[key]

    def _exact(self, text: str, kinds: tuple[str, ...]) -> PhraseMeaning | None:
        wanted = tuple(dict.fromkeys(_spellings(text)))
        if not wanted:
            return None
        for kind in kinds:
            for table in self._tables(kind):
                for spelling in wanted:
                    if spelling in table:
                        return self._meaning(kind, self._usual(kind, spelling, table[spelling]))
            for spelling in wanted:
                if (id_ := ALIASES.get(kind, {}).get(spelling)) and self._here(kind, id_):
                    return self._meaning(kind, id_)
        return None

    def _usual(self, kind: str, spelling: str, id_: str) -> str:
        """Return what a short word usually means: an axe is a Sword/Axe, though a Great Sword/Axe has the word too."""
        usual = ALIASES.get(kind, {}).get(spelling, "")
        is_name = plain(self.content.name(kind, id_)) == spelling
        return usual if usual and not is_name and self._here(kind, usual) else id_

    def near(self, text: str, kinds: Iterable[str]) -> tuple[tuple[float, PhraseMeaning], ...]:
        """Return entries with similar names, the most similar first. Those of the own list rank slightly higher."""
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
        for kind in kinds:
            for rank, table in enumerate(self._tables(kind)):
                for spelling, score in _spelled(self.content, table).alike(wanted):
                    meant = kind, self._usual(kind, spelling, table[spelling])
                    best[meant] = max(best.get(meant, 0.0), score - 0.02 * rank)
        ordered = sorted(best.items(), key=lambda x: (-x[1], x[0]))
        return tuple((score, self._meaning(kind, id_)) for (kind, id_), score in ordered[:8])

    def by_value(self, value: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """Return the entry that an answer names: "item:bayonet", or any name of it."""
        kinds = tuple(dict.fromkeys(kinds))
        kind, _, id_ = value.partition(":")
        if kind in kinds and any(id_ in table.values() for table in self._tables(kind)):
            return self._meaning(kind, id_)
        return self.exact(value, kinds)

    def names_exactly(self, text: str, meaning: PhraseMeaning) -> bool:
        """Return whether a text is the entry's name or one that the books give it, not a plural or a short form."""
        wanted = plain(text)
        return wanted == plain(meaning.name) or any(
            table.get(wanted) == meaning.id for table in self._tables(meaning.kind)
        )

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
    """Yield the plain spellings of a text: unchanged, without an article, in singular and plural."""
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


class _Spelled:
    """The spellings of a table, found by the pairs of letters in them: a name like another shares some with it."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.spellings = tuple(table)
        self.by_pair: dict[str, list[int]] = {}
        self.short: list[int] = []
        self.asked: dict[str, tuple[tuple[str, float], ...]] = {}
        for at, spelling in enumerate(self.spellings):
            if len(spelling) < LEAST_FOR_PAIRS:
                self.short.append(at)
            for pair in _pairs(spelling):
                self.by_pair.setdefault(pair, []).append(at)

    def alike(self, wanted: str) -> tuple[tuple[str, float], ...]:
        """Return the spellings that are near enough to be suggested, each with its likeness. Asked again, it is known."""
        if wanted not in self.asked:
            if len(self.asked) >= MOST_KEPT:
                self.asked.clear()
            matcher = difflib.SequenceMatcher(None, "", wanted, autojunk=False)
            scores = ((spelling, _likeness(matcher, wanted, spelling)) for spelling in self._candidates(wanted))
            self.asked[wanted] = tuple((spelling, score) for spelling, score in scores if score >= CLOSE)
        return self.asked[wanted]

    def _candidates(self, wanted: str) -> Iterable[str]:
        if len(wanted) < LEAST_FOR_PAIRS:
            return self.spellings
        shared = Counter(at for pair in _pairs(wanted) for at in self.by_pair.get(pair, ()))
        known = {at for at, count in shared.items() if count >= LEAST_SHARED}
        return [self.spellings[at] for at in sorted(known.union(self.short))]


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _spelled(content: Content, table: Mapping[str, str]) -> _Spelled:
    """Return the spellings of a table of this content, made ready once."""
    kept = content.cache.setdefault(_Spelled, {})
    if id(table) not in kept:  # the content keeps its tables
        kept[id(table)] = _Spelled(table)
    found: _Spelled = kept[id(table)]
    return found


def _likeness(matcher: difflib.SequenceMatcher[str], wanted: str, known: str) -> float:
    """Return the similarity of two plain spellings (0 to 1). One contained in the other scores high."""
    shorter, longer = sorted((len(wanted), len(known)))
    if shorter > 3 and (wanted in known or known in wanted):
        return 0.66 + 0.34 * shorter / longer
    if shorter < longer * 0.4:
        return 0.0
    matcher.set_seq1(known)
    if matcher.real_quick_ratio() < CLOSE or matcher.quick_ratio() < CLOSE:
        return 0.0
    return matcher.ratio()
