"""Paper rosters of Trench Crusade: names for autocompletion, and conversion of the typed data into a roster document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules.content.campaign_entries import Patron
from rules.content.compiled import Content, ListContent, patrons_of
from rules.content.names import plain
from rules.fighters.advancement import advance_marks
from rules.fighters.frame import frame_of
from rules.fighters.work_out import facts
from rules.formatting import listed
from rules.import_text import PhraseMeaning, TextRoster
from rules.problems import Problem
from rules.transcription import PaperBook, PaperData, PaperFighter, PaperName, PaperPiece, PaperReading, PaperWound
from rules.translation import gettext
from rules.trench_crusade.content import GAME
from rules.trench_crusade.documents.reader import RosterReader
from rules.trench_crusade.documents.schema import MOST_IN_STASH, MOST_PIECES, decode
from rules.trench_crusade.text_import.document import (
    location_option,
    meaning_for,
    profile_word,
    trauma_asks,
    trauma_details,
)
from rules.trench_crusade.text_import.kept_words import notes_of_fighters, notes_of_warband
from rules.trench_crusade.text_import.names import ImportNames

KEYS = {"item": "kit", "upgrade": "upgrades", "skill": "skills"}  # the keys of a fighter's row, by kind of entry
ORIGINS = {"found": "found", "looted": "looted", "granted": "granted"}


# --- names to type ahead -------------------------------------------------------------------------------------------------


def book_of(content: Content, list_id: str) -> PaperBook:
    """Return the names for one list. Cached with the content."""
    known: dict[str, PaperBook] = content.cache.setdefault("paper-books", {})
    if list_id not in known:
        known[list_id] = _book(content, list_id)
    return known[list_id]


def _patrons(content: Content, army: ListContent | None) -> Sequence[Patron]:
    if army is None:
        return content.pack.patrons
    return [content.patrons[patron] for patron in patrons_of(content, army.army) if patron in content.patrons]


def _book(content: Content, list_id: str) -> PaperBook:
    pack, army = content.pack, content.lists.get(list_id)
    skills = [skill for skill in pack.skills if skill.kind != "exploration"]
    exploration = [skill for skill in pack.skills if skill.kind == "exploration"]
    traumas = [trauma for trauma in pack.traumas if trauma.id not in ("dead", "full-recovery")]
    details = [PaperName(answer, t.name) for t in pack.traumas for answer in trauma_asks(content, t.id)[1]]
    return PaperBook(
        profiles=_once(_profile_names(content, army)),
        kit=_once(_kit_names(content, army)),
        skills=_named(skills),
        traumas=tuple(PaperName(trauma.name, "" if trauma.scar else gettext("no scar")) for trauma in traumas),
        details=_once(details),
        patrons=_named(_patrons(content, army)),
        scenarios=_named(pack.scenarios),
        exploration=_named(exploration),
        locations=tuple(
            PaperName(name, location.rarity)
            for location in pack.locations
            for name in ([f"{location.name}: {o.name}" for o in location.options] or [location.name])
        ),
        lasting=_named(pack.lasting),
    )


def _once(names: Iterable[PaperName]) -> tuple[PaperName, ...]:
    """Return each name once, with the first text given for it."""
    found: dict[str, PaperName] = {}
    for name in names:
        found.setdefault(name.name, name)
    return tuple(found.values())


def _named(entries: Iterable[Any]) -> tuple[PaperName, ...]:
    return tuple(PaperName(entry.name) for entry in entries)


def _profile_names(content: Content, army: ListContent | None) -> Iterator[PaperName]:
    for offer in army.profile_offers if army else content.pack.profile_offers:
        yield _priced(content.profiles[offer.profile], str(content.hire_price(offer)))
    for find in content.pack.profile_offers:
        if not find.lists:
            yield _priced(content.profiles[find.profile], "a find")


def _kit_names(content: Content, army: ListContent | None) -> Iterator[PaperName]:
    """Yield the items and upgrades of the list, then all other items."""
    for item_offer in army.item_offers if army else ():
        yield _priced(content.items[item_offer.item], str(item_offer.price))
    for upgrade_offer in army.upgrade_offers if army else content.pack.upgrade_offers:
        upgrade = content.upgrades[upgrade_offer.upgrade]
        yield PaperName(upgrade_offer.name or upgrade.name, "upgrade")
        for option in upgrade.options:
            yield PaperName(content.name("upgrade", option), "upgrade")
    for item in content.pack.items:
        yield _priced(item, gettext("another list's") if army else "")


def _priced(entry: Any, words: str) -> PaperName:
    short = getattr(entry, "short", "")
    return PaperName(entry.name, ", ".join(part for part in (short, words) if part))


# --- what was typed as a document ---------------------------------------------------------------------------------------


def read_paper(content: Content, data: PaperData) -> PaperReading:
    """Return the typed data as a roster document. Unknown names are left out of it and listed."""
    return _SheetReader(content, data).read()


class _SheetReader:
    """Reads one paper roster and collects what it does not know."""

    def __init__(self, content: Content, data: PaperData) -> None:
        self.content, self.data = content, data
        self.list = data.list_id if data.list_id in content.lists else ""
        self.names = ImportNames(content, self.list)
        self.unread: list[Problem] = []
        self.notes: list[Problem] = []
        self.taken: Counter[str] = Counter()

    def read(self) -> PaperReading:
        data, content = self.data, self.content
        army = content.lists[self.list].army if self.list else None
        rows, keys = [], []
        for fighter in data.fighters:
            row = self.fighter(fighter)
            if row is not None:
                rows.append(row)
                keys.append(fighter.key)
        document: dict[str, Any] = {
            "game": GAME,
            "edition": content.edition,
            "faction": content.name("list", army.faction or army.id) if army else data.list_id,
            "variant": army.name if army and army.faction else None,
            "name": data.name,
            "mode": "campaign",
            "scope": "roster",
            "founding": not (data.fought or data.credited),
            "battles": {"fought": data.fought, "credited": data.credited},
            "patron": self.one(data.patron, ("patron",), "patron"),
            "fighters": rows,
            "stash": self.fitting(
                [entry for piece in data.stash for _, entry in self.pieces(piece, ("item",), None)], MOST_IN_STASH
            ),
            "campaign": self.campaign(),
        }
        return PaperReading(document, tuple(keys), tuple(self.unread), tuple(self.notes))

    def campaign(self) -> dict[str, Any]:
        data = self.data
        part: dict[str, Any] = {"promotion_misses": data.misses, "reinforced_last": data.reinforced}
        scenario = self.find(data.last_scenario, ("scenario",), "scenario", None) if data.last_scenario else None
        if scenario is not None:
            part["last_scenario"] = scenario.id
        part["locations"] = dict(found for text in data.locations if (found := self.location(text)) is not None)
        part["lasting"] = [
            m.id for t in data.lasting if (m := self.find(t, ("lasting",), gettext("lasting effect"), None))
        ]
        skills = (self.find(t, ("exploration",), gettext("exploration skill"), None) for t in data.exploration)
        part["exploration_skills"] = [m.name for m in skills if m is not None]
        return part

    def location(self, text: str) -> tuple[str, str] | None:
        """Return the ids of a location and its option from "Trench Merchant: Trade" or "Trench Merchant (Trade)".

        None if unknown.
        """
        name, option = text, ""
        found = self.names.exact(text, ("location",))
        if found is None:
            name, _, option = text.partition(":")
            if not option and (bracket := re.fullmatch(r"(.+?)\s*\((.+)\)", text)):
                name, option = bracket[1], bracket[2]
            found = self.find(name.strip(), ("location",), "location", None)
        if found is None:
            return None
        value = location_option(self.content, found.id, option)
        if option.strip() and not value:
            known = listed((o.name for o in self.content.locations[found.id].options), "or")
            fix = gettext("It is {known}.").format(known=known) if known else ""
            self.miss(
                gettext("{name} offers no “{option}”.").format(name=found.name, option=option.strip()),
                fix,
                option.strip(),
                None,
            )
        return found.id, value

    def fighter(self, data: PaperFighter) -> dict[str, Any] | None:
        """Return one fighter, or None if its profile is unknown."""
        said = data.profile.strip()
        if not said:
            self.miss(
                gettext("{name} has no profile yet.").format(name=data.name or gettext("A fighter")),
                gettext("Name it on the fighter's page."),
                "",
                data,
            )
            return None
        profile = self.find(said, ("profile",), "profile", data)
        if profile is None:
            return None
        name = data.name.strip() or profile.name
        self.taken[name] += 1
        row: dict[str, Any] = {
            "name": name if data.name.strip() or self.taken[name] == 1 else f"{name} {self.taken[name]}",
            "profile": profile_word(self.content, self.list, profile, said),
            "kit": [],
            "upgrades": [],
            "skills": [],
            "traumas": [],
            "experience": data.experience,
            "promoted": data.promoted,
            "status": data.status,
        }
        if data.scars is not None:
            row["scars"] = data.scars
        if data.misses_next:
            row["misses_battle"] = self.data.fought + self.data.credited + 1
        for piece in data.kit:
            for kind, entry in self.pieces(piece, ("item", "upgrade", "skill"), data, profile.id):
                row[KEYS[kind]].append(entry)
        for text in data.skills:
            skill = self.find(text, ("skill", "upgrade"), "skill", data)
            if skill is not None:
                row[KEYS[skill.kind]].append(skill.name)
        wounds = (self.wound(wound, data) for wound in data.wounds)
        row["traumas"] = [wound for wound in wounds if wound is not None]
        for key in KEYS.values():
            row[key] = self.fitting(row[key], MOST_PIECES, data)
        row["advances"] = self.advances(row, data)
        return row

    def wound(self, wound: PaperWound, fighter: PaperFighter) -> dict[str, Any] | None:
        trauma = self.find(wound.text, ("trauma",), "trauma", fighter)
        if trauma is None:
            return None
        details, strange = trauma_details(self.content, trauma.id, wound.detail)
        asks, answers = trauma_asks(self.content, trauma.id)
        if strange:
            mend = f"{asks} {listed(answers, 'or')}." if answers else gettext("It needs nothing else.")
            self.miss(
                gettext("{name} knows no “{strange}”.").format(name=trauma.name, strange=strange),
                mend,
                strange,
                fighter,
            )
        elif asks and not details:
            self.notes.append(
                Problem(
                    "choice",
                    f"{trauma.name}: {asks[:1].lower()}{asks[1:]}",
                    "",
                    "",
                    fighter.name,
                    trauma.name,
                    fighter.key,
                )
            )
        return {"trauma": trauma.name, "details": details}

    def advances(self, row: Mapping[str, Any], data: PaperFighter) -> int:
        """Return how many skill advancements a fighter has taken.

        On paper, all that its experience allows count as taken.
        """
        if not data.experience or not self.list:
            return 0
        alone = {
            "game": GAME,
            "edition": self.content.edition,
            "faction": self.list,
            "fighters": [dict(row)],
            "founding": False,
        }
        document = decode(alone)
        force = RosterReader(self.content, document).force()
        if not force.fighters:
            return 0
        who = facts(self.content, frame_of(self.content, force), force.fighters[0])
        reached = sum(1 for mark in advance_marks(self.content, who) if mark <= data.experience)
        learned = len(row["skills"])
        if learned < reached:
            name = data.name or data.profile
            words = gettext("{experience} experience is {reached} skill{words}; {learned} {words_2} noted.").format(
                experience=data.experience,
                reached=reached,
                words="s" if reached > 1 else "",
                learned=learned or "none",
                words_2="is" if learned < 2 else "are",
            )
            self.notes.append(Problem("choice", words, gettext("Counted as taken."), "", name, "", data.key))
        return reached

    def pieces(
        self, piece: PaperPiece, kinds: tuple[str, ...], fighter: PaperFighter | None, profile: str = ""
    ) -> list[tuple[str, str | dict[str, Any]]]:
        """Return the pieces that one field of kit names, each with its kind.

        Examples of a field: "2x Grenades", "Bolt-Action Rifle, Bayonet".
        """
        found: list[tuple[str, str | dict[str, Any]]] = []
        for count, text, found_word in phrases_of(self.names, piece.text, kinds):
            meaning = meaning_for(self.content, self.list, profile, text) if "upgrade" in kinds else None
            meaning = meaning or self.find(text, kinds, "item", fighter)
            if meaning is None:
                continue
            entry: str | dict[str, Any] = meaning.name
            origin = found_word or ("found" if piece.found else "bought")
            if meaning.kind == "item" and origin != "bought":
                entry = {"item": meaning.name, "origin": origin}
            found += [(meaning.kind, entry)] * count
        return found

    def fitting(self, pieces: list[Any], most: int, fighter: PaperFighter | None = None) -> list[Any]:
        """Return as many pieces as a document may hold. Extra ones add a problem."""
        if len(pieces) > most:
            self.miss(
                gettext("{count} pieces are more than fit; {most} do.").format(count=len(pieces), most=most),
                gettext("Count them again."),
                str(len(pieces)),
                fighter,
            )
        return pieces[:most]

    def one(self, text: str, kinds: tuple[str, ...], said: str) -> str | None:
        """Return the name of one entry, or None if the field is empty or the entry unknown."""
        meaning = self.find(text, kinds, said, None) if text.strip() else None
        return meaning.name if meaning else None

    def find(self, text: str, kinds: tuple[str, ...], said: str, fighter: PaperFighter | None) -> PhraseMeaning | None:
        """Return the meaning of a name. An unknown name is recorded with its nearest names."""
        meaning = self.names.exact(text, kinds)
        if meaning is None:
            near = tuple(dict.fromkeys(m.name for _, m in self.names.near(text, kinds)))[:3]
            self.miss(
                gettext("No {said} is called “{text}”.").format(said=said, text=text),
                gettext("Is it {near}?").format(near=listed(near, "or")) if near else "",
                text,
                fighter,
            )
        return meaning

    def miss(self, words: str, mend: str, text: str, fighter: PaperFighter | None) -> None:
        name, key = (fighter.name or fighter.profile, fighter.key) if fighter else ("", "")
        self.unread.append(Problem("unknown-name", words, mend, "", name, text, key))


_FOUND = re.compile(r"\s*[\[(]\s*(found|looted|granted)\s*[\])]\s*$", re.IGNORECASE)
_PRICE = re.compile(
    r"\s*(?:[\[(]\s*\d+\s*(?:d|ducats?|g|glory)?\s*[\])]|\b\d+\s*(?:d|ducats?|glory))\s*$", re.IGNORECASE
)
_COUNT = re.compile(
    r"^(?:(\d{1,2})\s*[x×]\s*|[x×]\s*(\d{1,2})\s+|(\d{1,2})\s+(?=\D))|\s*[x×]\s*(\d{1,2})$", re.IGNORECASE
)


def phrases_of(names: ImportNames, text: str, kinds: Iterable[str]) -> Iterable[tuple[int, str, str]]:
    """Yield what one field names, each with its number and how it was derived ("" if the field says it)."""
    kinds = tuple(kinds)
    for part in re.split(r"\s*[,;\n]\s*", text.strip()):
        said, origin = part.strip(), ""
        if not said:
            continue
        if found := _FOUND.search(said):
            said, origin = said[: found.start()], ORIGINS[found[1].lower()]
        count = 1
        if names.exact(said, kinds) is None:
            said = _PRICE.sub("", said)
            if (number := _COUNT.search(said)) and names.exact(said, kinds) is None:
                count = max(1, min(20, int(next(g for g in number.groups() if g))))
                said = (said[: number.start()] + said[number.end() :]).strip()
        yield count, said.strip(), origin


# --- from a text or a document -------------------------------------------------------------------------------------------


def paper_of(content: Content, roster: TextRoster) -> PaperData:
    """Return a pasted roster as a paper roster, for the user to check and complete."""
    document, facts_ = roster.document, {k: int(x) for k, x in roster.reading.facts.items() if x.isdigit()}
    campaign = document.get("campaign") or {}
    strongbox = (document.get("record") or {}).get("strongbox") or {}
    places = campaign.get("locations") or {}
    notes = zip(document["fighters"], notes_of_fighters(roster.reading), strict=True)
    return PaperData(
        list_id=roster.list_id,
        name=document["name"],
        patron=document["patron"] or "",
        ducats=strongbox.get("ducats"),
        glory=strongbox.get("glory"),
        fought=document["battles"]["fought"],
        credited=document["battles"]["credited"],
        misses=campaign.get("promotion_misses", 0),
        last_scenario=content.name("scenario", campaign.get("last_scenario", "")),
        locations=[f"{name}: {_option(content, name, option)}" if option else name for name, option in places.items()],
        exploration=list(campaign.get("exploration_skills", ())),
        lasting=list(campaign.get("lasting", ())),
        stash=[_paper_piece(x) for x in document["stash"]],
        points=facts_.get("points", 0),
        won=facts_.get("won", 0),
        drawn=facts_.get("drawn", 0),
        lost=facts_.get("lost", 0),
        notes=notes_of_warband(roster.reading),
        fighters=[_paper_fighter(content, n, row, note) for n, (row, note) in enumerate(notes, 1)],
    )


def _option(content: Content, location: str, option: str) -> str:
    known = content.resolve("location", location)
    options = content.locations[known].options if isinstance(known, str) else ()
    return next((o.name for o in options if o.id == option), option)


def _paper_fighter(content: Content, number: int, row: Mapping[str, Any], notes: str) -> PaperFighter:
    status: Any = row["status"] if row["status"] in ("active", "captive", "dead", "retired") else "active"
    profile = content.name("profile", row["profile"])
    wounds = [_paper_wound(content, entry) for entry in row["traumas"]]
    kit = [_paper_piece(x) for x in row["kit"]]
    kit += [PaperPiece(u if isinstance(u, str) else str(u.get("option") or u["upgrade"])) for u in row["upgrades"]]
    name = "" if plain(row["name"]) == plain(profile) else row["name"]
    return PaperFighter(
        key=f"t{number}",
        name=name,
        profile=row["profile"] if _twice(content, profile) else profile,
        kit=kit,
        skills=[s if isinstance(s, str) else s["skill"] for s in row["skills"]],
        wounds=wounds,
        experience=row["experience"],
        scars=row.get("scars"),
        promoted=row["promoted"],
        status=status,
        notes=notes,
    )


def _paper_wound(content: Content, entry: str | dict[str, Any]) -> PaperWound:
    if isinstance(entry, str):
        return PaperWound(entry, "")
    details = entry.get("details") or {}
    words = [content.name("scenario", str(x)) if key == "scenario" else str(x) for key, x in details.items() if x]
    return PaperWound(entry["trauma"], "; ".join(words))


def _twice(content: Content, name: str) -> bool:
    """Return whether two profiles share this name, so that only the id tells them apart."""
    return sum(p.name == name for p in content.pack.profiles) > 1


def _paper_piece(entry: Any) -> PaperPiece:
    if isinstance(entry, str):
        return PaperPiece(entry)
    origin = entry.get("origin", "bought")
    if origin in ("looted", "granted"):
        return PaperPiece(f"{entry['item']} ({origin})")
    return PaperPiece(entry["item"], origin == "found")
