"""Roster documents of forces with own profiles: checked on reading, written without loss, judged for the console.

A document holds its profiles in full under "profiles". A fighter names one of them, or one of the game's own profiles,
by name or id. An unknown name becomes a problem with similar names. A document that cannot be read at all raises
Refusal with the path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Annotated, Any, Literal

import msgspec

from rules.consequences import SetWarband
from rules.content.names import nearest, plain
from rules.custom.check import check
from rules.custom.content import CORE, CustomContent, content_of
from rules.custom.force_rules import COUNT, ForceRules
from rules.custom.parse import slug
from rules.custom.profiles import CustomProfile
from rules.custom.units import Count, copy_of, profile_in
from rules.force import Battles, Force, ForceFighter
from rules.formatting import listed
from rules.parts.choice import Choosing
from rules.parts.verdict import Verdict
from rules.problems import Problem, Refusal
from rules.translation import gettext
from rules.visible import refuse_unseen, refuse_unseen_names

MOST_UNITS, MOST_PROFILES = 120, 120
MOST_ANSWERS = 200  # choices of a force or a unit, and counted parts of a unit
SHOWN = 80  # characters of an unknown name in its problem
Named = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


Answers = Annotated[dict[str, Any], msgspec.Meta(max_length=MOST_ANSWERS)]
Counts = Annotated[dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]], msgspec.Meta(max_length=MOST_ANSWERS)]


class _ForceDoc(msgspec.Struct, forbid_unknown_fields=True):
    """Base class of the parts of a document. Unknown keys are an error."""


class UnitPriceDoc(_ForceDoc):
    """A price in a document. These games have no money, but documents of every game have the same keys."""

    ducats: Count = 0
    glory: Count = 0


class UnitBattlesDoc(_ForceDoc):
    fought: Count = 0
    credited: Count = 0


class ProfileDoc(_ForceDoc):
    kind: str
    name: Named
    data: dict[str, Any]
    id: Annotated[str, msgspec.Meta(max_length=80)] = ""
    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1


class UnitDoc(_ForceDoc):
    profile: str
    name: Annotated[str, msgspec.Meta(max_length=80)] = ""
    count: Annotated[int, msgspec.Meta(ge=0, le=1_000)] | None = None
    models: Counts = {}
    choices: Answers = {}
    left: Counts = {}
    company: str = ""
    kind: str = ""
    joined: Count | None = None
    status: Literal["active", "captive", "dead", "dismissed", "retired", "sold", "left"] = "active"
    offer: str = ""
    paid: UnitPriceDoc | None = None
    kit: Annotated[list[Any], msgspec.Meta(max_length=0)] = []


class ForceDoc(_ForceDoc):
    """A roster document as the console and the import read it."""

    game: str
    edition: str = ""
    faction: str = ""
    variant: str | None = None
    name: str = ""
    mode: Literal["campaign", "one-off"] = "campaign"
    scope: Literal["roster", "purchase", "fielding"] = "roster"
    founding: bool | None = None
    budget: UnitPriceDoc | None = None
    battles: UnitBattlesDoc = msgspec.field(default_factory=UnitBattlesDoc)
    force: list[str] | None = None
    scenario: str | None = None
    attacker: bool | None = None
    wants: dict[str, str] | None = None
    scale: str | None = None
    formation: str | None = None
    period: str | None = None
    mostly_militia: bool | None = None
    advance_allowed: bool | None = None
    points_limit: Annotated[int, msgspec.Meta(ge=1, le=99_999)] | None = None
    choices: Answers | None = None
    fighters: Annotated[list[UnitDoc], msgspec.Meta(max_length=MOST_UNITS)] = []
    profiles: Annotated[list[ProfileDoc], msgspec.Meta(max_length=MOST_PROFILES)] = []
    stash: Annotated[list[Any], msgspec.Meta(max_length=0)] = []
    house_rules: dict[str, Any] | None = None
    campaign: dict[str, Any] | None = None
    overlays: list[str] = []
    unread: list[dict[str, Any]] = []
    record: Any = None


def decode(rules: ForceRules, document: Mapping[str, Any]) -> ForceDoc:
    """Return the document as a struct. Raises Refusal with the field path, or for another game or edition."""
    try:
        data = msgspec.convert(document, ForceDoc)
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        raise Refusal(
            gettext("The document cannot be read at {at}: {words}.").format(at=at.strip("`") or "$", words=words),
            code="unreadable",
        ) from error
    if data.game != rules.id:
        raise Refusal(
            gettext("The document is for “{game}”, not for {id} (at $.game).").format(game=data.game, id=rules.id),
            code="unknown-game",
        )
    if data.edition and data.edition != CORE:
        raise Refusal(
            gettext("No edition “{edition}” is kept here (at $.edition); known: {core}.").format(
                edition=data.edition, core=CORE
            ),
            code="unknown-edition",
        )
    refuse_unseen_names(data.name, *(unit.name for unit in data.fighters), *(each.name for each in data.profiles))
    return data


class ForceReader:
    """Reads one document and collects what it cannot understand."""

    def __init__(self, rules: ForceRules, data: ForceDoc) -> None:
        self.rules = rules
        self.data = data
        self.content: CustomContent = content_of(rules.id, rules.readings, tuple(data.overlays), data.house_rules)
        self.problems: list[Problem] = []
        self.wrong: dict[int, list[Problem]] = {}  # faults of a profile, reported on each unit that has it
        self.profiles = self._profiles()

    def unknown(self, kind: str, text: str, near: Sequence[str], fighter: str = "", key: str = "") -> None:
        """Add a problem for an unknown name, with similar names."""
        where = f" ({fighter[:SHOWN]})" if fighter else ""
        text = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        mend = gettext("Is it {near}?").format(near=listed(near, "or")) if near else ""
        self.problems.append(
            Problem(
                "unknown-name",
                gettext("No {kind} is called “{text}”{where}.").format(kind=kind, text=text, where=where),
                mend,
                "",
                fighter,
                text,
                key,
            )
        )

    def _profiles(self) -> list[CustomProfile]:
        """Return the document's own profiles, followed by the game's tables."""
        kinds = {plain(kind.id): kind for kind in self.rules.kinds}
        kinds |= {plain(kind.name): kind for kind in kinds.values()}
        found: list[CustomProfile] = []
        for number, written in enumerate(self.data.profiles, 1):
            kind = kinds.get(plain(written.kind))
            if kind is None:
                near = nearest(written.kind, {key: each.id for key, each in kinds.items()}, {})
                self.unknown(gettext("kind of profile"), written.kind, near, written.name)
                continue
            read, wrong = self.rules.profiles.read_profile(kind.id, written.data)
            stays = set(self.rules.profiles.read_profile(kind.id, read)[1])  # the checker reports these on the units
            profile = CustomProfile(
                written.id or slug(written.name), kind.id, written.name, read, version=written.version
            )
            self.wrong[id(profile)] = [
                Problem(
                    self.rules.profile_code(kind.id, each.path),
                    f"{written.name}: {each.message}",
                    gettext("See $.profiles[{number}].data.{path}.").format(number=number - 1, path=each.path),
                )
                for each in wrong
                if each not in stays
            ]
            found.append(profile)
        return [*found, *self.rules.profiles.default_profiles()]

    def find(self, text: str, fighter: str, key: str, kind: str = "") -> CustomProfile | None:
        """Return the profile with this name or id. If there is none, add a problem and return None."""
        takes = {each.id for each in self.rules.kinds if each.takes}
        open_ones = [p for p in self.profiles if p.kind in takes and kind in ("", p.kind)]
        for profile in open_ones:
            if text == profile.id:
                return profile
        for profile in open_ones:
            if plain(text) in (plain(profile.id), plain(profile.name)):
                return profile
        known = {plain(profile.name): profile.id for profile in reversed(open_ones)}
        names = {profile.id: profile.name for profile in open_ones}
        self.unknown("profile", text, nearest(text, known, names), fighter, key)
        return None

    def force(self) -> Force:
        data = self.data
        units = [self._unit(number, unit) for number, unit in enumerate(data.fighters, 1)]
        force = Force(
            game=self.rules.id,
            edition=CORE,
            list=self.rules.list_id,  # the faction is free text that the player enters as a choice
            mode=data.mode,
            name=data.name,
            founding=not data.battles.fought if data.founding is None else data.founding,
            battles=Battles(data.battles.fought, data.battles.credited),
            fighters=tuple(unit for unit in units if unit is not None),
            library=tuple(self.profiles),
        )
        force = replace(force, choices=self._choices(force))
        return self._counted(self._settled(force))

    def _choices(self, force: Force) -> dict[str, Any]:
        """Return the choices of the force: those under "choices", and those with their own field."""
        given = dict(self.data.choices or {})
        faction = self.data.faction if plain(self.data.faction) != plain(self.rules.list_name) else ""
        for key, value in (
            ("faction", faction),
            ("scale", self.data.scale),
            ("formation", self.data.formation),
            ("period", self.data.period),
            ("mostly_militia", self.data.mostly_militia),
            ("advance_allowed", self.data.advance_allowed),
            ("points_limit", self.data.points_limit),
        ):
            if value not in (None, ""):
                given.setdefault(key, value)
        asked = {choosing.asked.key: choosing for choosing in self.rules.force_choices(force)}
        return self._answers(given, asked, "")

    def _answers(self, given: Mapping[str, Any], asked: Mapping[str, Choosing], name: str) -> dict[str, Any]:
        """Return the choices by key.

        A value may be an option's value or its label. Unknown keys and values become problems.
        """
        found: dict[str, Any] = {}
        for key, value in given.items():
            choosing = asked.get(key)
            if choosing is None:
                self.unknown("choice", key, nearest(key, {plain(k): k for k in asked}, {}), name)
                continue
            text = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            if choosing.asked.kind != "options":
                refuse_unseen(str(text), choosing.asked.words.rstrip("?."))
                found[key] = str(text)
                continue
            options = {plain(v): v for v, _ in reversed(choosing.asked.options)}
            options = {plain(words): v for v, words in reversed(choosing.asked.options)} | options
            settled = options.get(plain(str(text)))
            if settled is None:
                near = nearest(str(text), options, dict(choosing.asked.options))
                self.unknown(
                    gettext("{rstrip} among the choices").format(rstrip=choosing.asked.words.rstrip("?.").lower()),
                    str(text),
                    near,
                    name,
                )
                continue
            found[key] = settled
        return found

    def _unit(self, number: int, unit: UnitDoc) -> ForceFighter | None:
        key = str(number)
        profile = self.find(unit.profile, unit.name, key, unit.kind)
        if profile is None:
            return None
        name = unit.name or profile.name
        self.problems += [replace(each, fighter=name, fighter_key=key) for each in self.wrong.get(id(profile), ())]
        state: dict[str, Any] = {"profile": copy_of(profile), "choices": {}, "left": {}}
        if unit.joined is not None:
            state["joined"] = unit.joined
        return ForceFighter(
            key=key,
            name=name,
            profile=profile.id,
            offer=unit.offer,
            count=1,
            status=unit.status,
            choices=dict(unit.choices),
            state=state,
        )

    def _settled(self, force: Force) -> Force:
        """Return the force with the choices of each unit read."""
        written = {str(number): unit for number, unit in enumerate(self.data.fighters, 1)}
        for fighter in force.fighters:
            unit = written[fighter.key]
            asking = self.rules.unit_choices(force, fighter)
            asked = {choosing.asked.key: choosing for choosing in asking}
            given = {**self._models(fighter, unit, asked), **unit.choices}
            if unit.company:
                given.setdefault("company", unit.company)
            choices = self._unit_answers(force, fighter, given, asked)
            state = {**fighter.state, "choices": choices}
            slugs = self.rules.part_slugs(profile_in(fighter))
            left = {}
            for name, n in unit.left.items():
                found = slugs.get(plain(name))
                if found is None:
                    self.unknown(gettext("part of the unit"), name, nearest(name, slugs, {}), fighter.name, fighter.key)
                else:
                    left[found] = n
            if left:
                state["left"] = left
            force = force.with_fighter(replace(fighter, choices=choices, state=state))
        return force

    def _unit_answers(
        self, force: Force, fighter: ForceFighter, given: Mapping[str, Any], asked: Mapping[str, Choosing]
    ) -> dict[str, Any]:
        """Return a unit's choices. Counts and named rows are taken unchanged; the checker judges them."""
        counts = {
            key: str(int(value))
            for key, value in given.items()
            if key.startswith(COUNT) and key in asked and str(value).isdecimal() and len(str(value)) <= 4
        }
        named = {key: str(given.get(key) or "") for key in self.rules.row_choices}
        rest = {key: value for key, value in given.items() if key not in counts and key not in named}
        rows = {key: self._row_named(force, key, text) for key, text in named.items() if text}
        return {**counts, **self._answers(rest, asked, fighter.name), **rows}

    def _row_named(self, force: Force, kind: str, text: str) -> str:
        """Return the key of the row of this kind with this key or name, or the text itself if there is none."""
        rows = [row for row in force.fighters if profile_in(row).get("kind") == kind]
        by_key = (row.key for row in rows if row.key == text)
        by_name = (row.key for row in rows if plain(row.name) == plain(text))
        return next(chain(by_key, by_name), text)

    def _counted(self, force: Force) -> Force:
        """Return the force with its units counted, and with the state that its choices set."""
        rows = tuple(replace(row, count=max(1, self.rules.strength(row))) for row in force.fighters)
        state = dict(force.state)
        for choosing in self.rules.force_choices(force):
            for value, follows in choosing.follows:
                if value and value in choosing.chosen:
                    state |= {c.path[0]: c.value for c in follows if isinstance(c, SetWarband)}
        return replace(force, fighters=rows, state=state)

    def _models(self, fighter: ForceFighter, unit: UnitDoc, asked: Mapping[str, Choosing]) -> dict[str, Any]:
        """Return the counts by model, or one count for a unit with a single kind of model, as choices."""
        found: dict[str, Any] = {}
        slugs = self.rules.part_slugs(profile_in(fighter))
        for name, n in unit.models.items():
            part = slugs.get(plain(name))
            if part is None:
                self.unknown("model", name, nearest(name, slugs, {}), fighter.name, fighter.key)
            else:
                found[f"{COUNT}{part}"] = n
        counted = [key for key in asked if key.startswith(COUNT)]
        if unit.count is not None and len(counted) == 1 and not found:
            found[counted[0]] = unit.count
        return found


def read_document(rules: ForceRules, document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
    """Return the force in the document, with a problem for each part that could not be read.

    Raises Refusal if the whole document is unreadable.
    """
    reader = ForceReader(rules, decode(rules, document))
    force = reader.force()
    return force, tuple(reader.problems)


def judge(rules: ForceRules, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a document in its scope, as the console prints it. Raises Refusal if it is unreadable."""
    data = decode(rules, document)
    reader = ForceReader(rules, data)
    force = reader.force()
    taken = _taken(reader, force, data.force) if data.scope == "fielding" and data.force is not None else None
    verdict = check(rules, reader.content, force, data.scope, taken)
    return _answer(verdict, (*reader.problems, *verdict.problems))


def _taken(reader: ForceReader, force: Force, names: Sequence[str]) -> list[str]:
    """Return the keys of the units that `names` lists by name or key, each once."""
    left, keys = list(force.fighters), []
    for name in names:
        match = next((f for f in left if plain(f.name) == plain(name)), None) or next(
            (f for f in left if f.key == name), None
        )
        if match is None:
            near = nearest(name, {plain(f.name): f.key for f in left}, {f.key: f.name for f in left})
            reader.unknown("unit", name, near)
            continue
        left.remove(match)
        keys.append(match.key)
    return keys


def _answer(verdict: Verdict, problems: Sequence[Problem]) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "legal": all(problem.warns for problem in problems),
        "rating": {"ducats": verdict.rating.ducats, "glory": verdict.rating.glory},
        "left": None,
        "problems": [
            {
                "code": p.code,
                "severity": p.severity,
                "fighter": p.fighter or None,
                "item": p.item or None,
                "message": p.message,
                "mend": p.mend,
                "source": p.source,
            }
            for p in problems
        ],
    }
    if verdict.fielded is not None:
        answer["fielded"] = {"ducats": verdict.fielded.ducats, "glory": verdict.fielded.glory}
    return answer


def write_document(rules: ForceRules, force: Force) -> dict[str, Any]:
    """Return the roster document of a force with all its profiles. Reading it gives the same force with new keys."""
    profiles: dict[tuple[str, int], dict[str, Any]] = {}
    rows = []
    formation = force.state.get("formation")
    if isinstance(formation, Mapping):
        _id_for(profiles, formation)
    places = {fighter.key: str(place) for place, fighter in enumerate(force.fighters, 1)}
    for fighter in force.fighters:
        copy = profile_in(fighter)
        if not copy:
            continue
        wanted = _id_for(profiles, copy)
        row: dict[str, Any] = {"name": fighter.name, "profile": wanted}
        choices = dict(fighter.choices)
        for key in rules.row_choices:
            if choices.get(key) in places:
                choices[key] = places[choices[key]]
        for key, value in (
            ("choices", choices),
            ("left", dict(fighter.state.get("left") or {})),
            ("offer", fighter.offer),
        ):
            if value:
                row[key] = value
        if fighter.status != "active":
            row["status"] = fighter.status
        if fighter.state.get("joined") is not None:
            row["joined"] = fighter.state["joined"]
        rows.append(row)
    return {
        "game": rules.id,
        "edition": CORE,
        "faction": rules.list_name,
        "name": force.name,
        "mode": force.mode,
        "scope": "roster",
        "founding": force.founding,
        "battles": {"fought": force.battles.fought, "credited": force.battles.credited},
        "choices": dict(force.choices),
        "fighters": rows,
        "profiles": list(profiles.values()),
    }


def _id_for(profiles: dict[tuple[str, int], dict[str, Any]], copy: Mapping[str, Any]) -> str:
    """Return the id of this copy in the document. Two versions of one profile get different ids."""
    wanted = str(copy["id"])
    same = [each for (known, _), each in profiles.items() if known == wanted]
    for each in same:
        if {**each, "id": wanted} == dict(copy):
            return str(each["id"])
    kept = {**copy, "id": wanted if not same else f"{wanted}-v{len(same) + 1}"}
    profiles[(wanted, len(same))] = kept
    return str(kept["id"])
