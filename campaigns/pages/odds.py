"""The odds of one attack: who attacks whom with what, the switches of the table, and exact chances. And the crib of a whole battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Q
from django.http import Http404
from django.urls import reverse

from campaigns.access import warbands_read
from campaigns.models import Battle, Side
from campaigns.scenarios import scenario_name
from campaigns.services.common import listed
from rules.force import Force, ForceFighter
from rules.formatting import profile_beside
from rules.game import Game, GameContent
from rules.parts.attacks import Attacks
from rules.problems import Refusal
from rules.registry import systems
from rules.resolvers.situation import Arm, Situation, Toggle
from warbands import access
from warbands.adapters import force_of, forces_of
from warbands.models import Delegate, Fighter, Terms, Warband
from warbands.pages.widgets import Link

SALT = "odds"
AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED)
BARS = {
    "failure": ("missed", "Missed"),
    "no-effect": ("none", "No effect"),
    "minor-hit": ("minor", "Minor hit"),
    "down": ("down", "Down"),
    "out-of-action": ("out", "Out"),
}
MOST_SPENT = 4  # markers in the table of what spending brings
MOST_SHARED = 6000  # letters of a shared situation


@dataclass(frozen=True, slots=True)
class Bar:
    """One outcome: which colour, its word, per cent as a figure and in words."""

    outcome: str
    words: str
    percent: float
    figure: str


@dataclass(frozen=True, slots=True)
class OddsPick:
    """One option of a choice."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OddsGroup:
    """Options under a heading."""

    words: str
    picks: tuple[OddsPick, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch or a number of the table, as it is thrown."""

    toggle: Toggle
    value: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What so many markers spent on the target come to."""

    words: str
    out: str
    down: str


@dataclass(frozen=True, slots=True)
class OddsPage:
    """Everything the page shows. `empty` says what is missing before there is anything to reckon."""

    here: str
    mine: tuple[OddsGroup, ...]
    arms: tuple[OddsPick, ...]
    theirs: tuple[OddsGroup, ...]
    switches: tuple[Switch, ...]
    bars: tuple[Bar, ...]
    spent: tuple[Spent, ...]
    causes: tuple[str, ...]
    mine_left: tuple[str, ...]
    theirs_left: tuple[str, ...]
    title: str
    meta: str
    empty: str
    share_href: str
    cribs: tuple[Link, ...]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """A fighter of a roster, or one fresh from its profile."""

    force: Force
    key: str
    name: str
    profile: str
    terms: Terms | None


def odds_page(user: Any, data: Mapping[str, str]) -> OddsPage:
    """The page for somebody signed in, from its address.

    Raises Http404 for a fighter that this person may not see. At most thirteen queries, whatever the rosters hold.
    """
    rows = _my_fighters(user)
    wanted = data.get("mine", "")
    if not wanted and rows:
        wanted = str(rows[0].pk)
    mine = _fighter(user, wanted, rows) if wanted else None
    if mine is None or mine.terms is None:
        return _nothing("Found a warband first: the odds are those of your fighters.")
    terms = mine.terms
    game, content = terms.game, terms.content
    attacks = game.attacks
    known = attacks.arms(content, mine.force, mine.key) if attacks is not None else ()
    arm = next((one for one in known if one.key == data.get("arm")), known[0] if known else None)
    opponents = _opponents(user, terms)
    foes = (*_grouped(opponents, ""), *_profiles(terms))
    foe_key = data.get("theirs", "") or next((pick.value for group in foes for pick in group.picks), "")
    foe = _foe(user, terms, foe_key, opponents) if foe_key else None
    groups: dict[str, Any] = {
        "mine": _grouped(rows, wanted),
        "arms": tuple(OddsPick(one.key, _arm_words(one), arm is not None and one.key == arm.key) for one in known),
        "theirs": _chosen(foes, foe_key),
    }
    if attacks is None or arm is None or foe is None:
        return _nothing(f"{mine.name} has nothing to attack with.", **groups)
    told = _told(data)
    found = attacks.situation(content, (mine.force, mine.key), arm.key, (foe.force, foe.key), told)
    switches = tuple(Switch(one, _within(one, told.get(one.key, 0))) for one in found.toggles)
    try:
        outcomes = game.resolvers.odds(content, found.rule, found.given).outcomes
    except Refusal as refusal:
        return _nothing(str(refusal), switches=switches, **groups)
    title = f"{mine.name} at {foe.name}"
    meta = f"{_arm_words(arm)} · {game.name} {terms.edition}"
    share = signing.dumps(
        {"g": terms.system, "e": terms.edition, "i": found.given, "t": title, "m": meta, "w": _thrown(switches), "c": found.causes},
        salt=SALT, compress=True,
    )  # fmt: skip
    return OddsPage(
        here=reverse("odds-show"),
        switches=switches,
        bars=bars(outcomes),
        spent=_spending(game, content, found),
        causes=found.causes,
        mine_left=tuple(words for whose, words in found.unreckoned if whose == "mine"),
        theirs_left=tuple(words for whose, words in found.unreckoned if whose == "theirs"),
        title=title,
        meta=meta,
        empty="",
        share_href=f"{reverse('odds-show')}?{urlencode({'shared': share})}" if len(share) < MOST_SHARED else "",
        cribs=_cribs(user),
        **groups,
    )


def shared_page(shared: str) -> OddsPage:
    """A situation that somebody gave away as a link: nothing to switch. Raises Http404 for a link that was tampered with."""
    try:
        kept = signing.loads(shared[: MOST_SHARED + 1], salt=SALT)
        game = next(one for one in systems() if one.id == kept["g"])
        content = game.content(kept["e"])
        outcomes = game.resolvers.odds(content, "attack", kept["i"]).outcomes
    except (signing.BadSignature, StopIteration, KeyError, Refusal):
        raise Http404("No such situation.") from None
    causes = (*(str(words) for words in kept["w"]), *(str(words) for words in kept["c"]))
    return _nothing("", title=kept["t"], meta=kept["m"], bars=bars(outcomes), causes=causes, shared=True)


def bars(outcomes: Mapping[str, Fraction]) -> tuple[Bar, ...]:
    """The outcomes of an attack as bars, all five of them, each with its figure."""
    found = []
    for key, (outcome, words) in BARS.items():
        percent = float(outcomes.get(key, Fraction(0))) * 100
        found.append(Bar(outcome, words, percent, _percent(percent)))
    return tuple(found)


def _percent(percent: float) -> str:
    return f"{percent:.1f} %"


def _nothing(empty: str, **given: Any) -> OddsPage:
    plain: dict[str, Any] = {
        "mine": (), "arms": (), "theirs": (), "switches": (), "bars": (), "spent": (), "causes": (), "mine_left": (),
        "theirs_left": (), "title": "Odds", "meta": "", "share_href": "", "cribs": (),
    }  # fmt: skip
    return OddsPage(**{**plain, "here": reverse("odds-show"), "empty": empty, **given})


def _arm_words(arm: Arm) -> str:
    return f"{arm.name}, {arm.words}" if arm.words else arm.name


def _thrown(switches: Iterable[Switch]) -> list[str]:
    return [
        one.toggle.words if one.toggle.is_switch else f"{one.toggle.words}: {one.value}"
        for one in switches
        if one.value
    ]


def _told(data: Mapping[str, str]) -> dict[str, int]:
    """The switches of the address as whole numbers; anything else counts as not thrown."""
    found = {}
    for key, text in data.items():
        plain = text.strip()
        sign = -1 if plain[:1] in "-−" else 1
        digits = plain.lstrip("-−+")
        if digits.isascii() and digits.isdigit() and len(digits) < 4:
            found[key] = sign * int(digits)
        elif plain == "on":
            found[key] = 1
    return found


def _within(toggle: Toggle, value: int) -> int:
    return max(toggle.least, min(toggle.most, value))


# --- who


def _my_fighters(user: Any) -> list[Fighter]:
    """The fighters of every warband this person acts for, roster by roster. Two queries."""
    delegations = Delegate.objects.live().filter(user=user).values("warband")
    own = Warband.objects.live().filter(Q(owner=user) | Q(pk__in=delegations), status__in=_STANDING)
    warbands = own.select_related("terms").order_by("name", "pk")
    return _fighters(row for row in warbands if row.terms.game.attacks is not None)


_STANDING = (Warband.Status.FOUNDING, Warband.Status.CAMP)
MOST_FIGHTERS = 400


def _fighters(warbands: Iterable[Warband]) -> list[Fighter]:
    """The fighters on these rosters, each tied to its warband, roster by roster. One query, none for none."""
    known = {warband.pk: warband for warband in warbands}
    if not known:
        return []
    rows = Fighter.objects.live().filter(warband__in=known, status=Fighter.Status.ACTIVE)
    by_warband: dict[int, list[Fighter]] = {pk: [] for pk in known}
    for row in rows.only("name", "warband_id", "position").order_by("position", "pk"):
        row.warband = known[row.warband_id]
        by_warband[row.warband_id].append(row)
    return [row for found in by_warband.values() for row in found][:MOST_FIGHTERS]


def _fighter(user: Any, wanted: str, known: Iterable[Fighter] = ()) -> Picked:
    """A fighter that may be read. Two queries for one of those known, those of the rights more for any other. Raises Http404."""
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 12):
        raise Http404("No such fighter.")
    row = next((each for each in known if each.pk == int(wanted)), None) or access.fighter_for(user, wanted, to="read")
    force = force_of(row.warband)
    found = next((fighter for fighter in force.fighters if fighter.key == str(row.pk)), None)
    if found is None:
        raise Http404("This fighter is on the roster no longer.")
    terms = row.warband.terms
    called = terms.game.profile_name(terms.content, found.profile, found.state)
    return Picked(force, str(row.pk), row.name, called, terms)


def _foe(user: Any, terms: Terms, wanted: str, known: Iterable[Fighter]) -> Picked:
    """The target: a fighter that may be read, or `list.profile` of the edition. Raises Http404."""
    if "." not in wanted:
        found = _fighter(user, wanted, known)
        if found.terms is None or (found.terms.system, found.terms.edition) != (terms.system, terms.edition):
            raise Http404("This fighter plays by another edition.")
        return found
    list_id, _, profile = wanted.partition(".")
    try:
        if terms.game.attacks is None:
            raise KeyError(profile)
        force = terms.game.attacks.bare_force(terms.content, profile, list_id)
    except KeyError:
        raise Http404("No such profile.") from None
    name = terms.game.profile_name(terms.content, profile, force.fighters[0].state)
    return Picked(force, force.fighters[0].key, name, name, None)


MOST_OPPONENTS = 6


def _opponents(user: Any, terms: Terms) -> list[Fighter]:
    """Fighters of opponents in battles ahead whose rosters may be read. Five queries at most, one where no battle is ahead."""
    mine = Side.objects.live().filter(seat__user=user, battle__status__in=AHEAD, battle__is_undone=False)
    ahead = list(mine.order_by("-battle").values_list("battle", flat=True)[:MOST_OPPONENTS])
    if not ahead:
        return []
    sides = (
        Side.objects.live()
        .filter(battle__in=ahead, warband__terms__system=terms.system, warband__terms__edition=terms.edition)
        .exclude(seat__user=user)
        .select_related("warband__terms", "warband__owner")
        .order_by("-battle_id", "place")[:MOST_OPPONENTS]
    )
    opponents = {side.warband_id: side.warband for side in sides if side.warband is not None}
    open_to = set(warbands_read(user, [pk for pk in opponents if pk is not None]))
    open_to |= {pk for pk, warband in opponents.items() if warband.owner_id == user.pk}
    if closed := opponents.keys() - open_to:
        open_to |= set(
            Delegate.objects.live().filter(user=user, warband__in=closed).values_list("warband_id", flat=True)
        )
    return _fighters(warband for pk, warband in opponents.items() if pk in open_to)


def _profiles(terms: Terms) -> tuple[OddsGroup, ...]:
    """Every profile of the edition by its list."""
    attacks = terms.game.attacks
    if attacks is None:
        return ()
    return tuple(
        OddsGroup(words, tuple(OddsPick(value, name, False) for value, name in entries))
        for words, entries in attacks.profiles_by_list(terms.content)
    )


def _grouped(rows: Iterable[Fighter], wanted: str) -> tuple[OddsGroup, ...]:
    found: dict[int, tuple[str, list[OddsPick]]] = {}
    for row in rows:
        _, picks = found.setdefault(row.warband_id, (row.warband.name, []))
        picks.append(OddsPick(str(row.pk), row.name, str(row.pk) == wanted))
    return tuple(OddsGroup(words, tuple(picks)) for words, picks in found.values())


def _chosen(groups: Iterable[OddsGroup], wanted: str) -> tuple[OddsGroup, ...]:
    return tuple(
        OddsGroup(group.words, tuple(OddsPick(pick.value, pick.words, pick.value == wanted) for pick in group.picks))
        for group in groups
    )


# --- what spending brings


def _spending(game: Game, content: GameContent, found: Situation) -> tuple[Spent, ...]:
    """Out of Action and Down or worse for each number of markers spent on the target, then for a Bloodbath."""
    rows = []
    for count in range(MOST_SPENT + 1):
        rows.append((str(count), _with(found.given, {"injury_blood_spent": count, "bloodbath": False})))
    rows.append(("Bloodbath", _with(found.given, {"injury_blood_spent": 0, "bloodbath": True})))
    told = []
    for words, given in rows:
        try:
            outcomes = game.resolvers.odds(content, found.rule, given).outcomes
        except Refusal:
            continue
        out = float(outcomes.get("out-of-action", Fraction(0))) * 100
        down = float(outcomes.get("down", Fraction(0))) * 100
        told.append(Spent(words, _percent(out), _percent(out + down)))
    return tuple(told)


def _with(given: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The input with other spending; of several attacks the markers count for the first alone."""
    if "attacks" in given:
        first, *rest = given["attacks"]
        return {**given, "attacks": [{**first, **changes}, *rest]}
    return {**given, **changes}


# --- the crib of a battle


@dataclass(frozen=True, slots=True)
class CribRow:
    """One of my weapons against one kind of fighter."""

    who: str
    weapon: str
    hit: str
    down: str
    out: str


@dataclass(frozen=True, slots=True)
class CribFoe:
    """One kind of fighter of the other side, by the names of those who are alike. `left`: its texts that are not included."""

    name: str
    profile: str
    rows: tuple[CribRow, ...]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crib:
    """A crib: every kind of fighter of the other sides, and my texts that are not included, by their names."""

    foes: tuple[CribFoe, ...]
    left: tuple[str, ...] = ()


def _cribs(user: Any) -> tuple[Link, ...]:
    """A crib card for each battle ahead that this person plays. One query."""
    sides = (
        Side.objects.live()
        .filter(battle__status__in=AHEAD[:2], battle__is_undone=False, seat__user=user, warband__isnull=False)
        .select_related("battle__campaign__terms")
        .order_by("battle_id")[:4]
    )
    return tuple(
        Link(
            f"Crib: {scenario_name(side.battle) or 'the next battle'}",
            f"{reverse('crib-print')}?battle={side.battle_id}",
        )
        for side in sides
        if draws_crib(side.battle)
    )


def draws_crib(battle: Battle) -> bool:
    """Whether the odds of a whole battle can be laid out: where the books hold the profiles, every attack is known beforehand."""
    terms = battle.campaign.terms
    return terms.game.attacks is not None


def crib(battle: Battle, mine: Side, others: Iterable[Side], user: Any) -> Crib:
    """Every weapon of my force against every kind of fighter of the other sides, on open ground at short range.

    Raises Refusal where nothing of the other side may be read yet.
    """
    attacks = battle.campaign.terms.game.attacks
    if attacks is None:
        raise Refusal(
            "No crib is drawn for this game.", mend="The table works each shot out as it is fired.", code="no-crib"
        )
    terms = battle.campaign.terms
    content = terms.content
    assert mine.warband is not None
    mine.warband.terms = terms
    opposite = [side.warband for side in others if side.warband is not None]
    forces = forces_of([mine.warband, *opposite])
    own = forces[mine.warband.pk]
    attackers: dict[tuple[Any, ...], list[str]] = {}
    for fighter in own.fighters:
        if fighter.status != "active":
            continue
        for arm in attacks.arms(content, own, fighter.key):
            alike = (*_likeness(fighter), arm.key)
            attackers.setdefault(alike, []).append(fighter.key)
    foes = []
    left: dict[str, None] = {}
    for warband in opposite:
        if not access.may(user, warband, "read"):
            continue
        theirs = forces[warband.pk]
        kinds: dict[tuple[Any, ...], list[str]] = {}
        alike_by: dict[
            tuple[str, tuple[CribRow, ...], tuple[str, ...]], list[str]
        ] = {}  # whom every weapon treats alike
        for fighter in theirs.fighters:
            if fighter.status == "active":
                kinds.setdefault(_likeness(fighter), []).append(fighter.key)
        for keys in kinds.values():
            rows = []
            of_theirs: dict[str, None] = {}
            for (*_, arm_key), mine_keys in attackers.items():
                found = attacks.situation(content, (own, mine_keys[0]), str(arm_key), (theirs, keys[0]), {})
                rows.append(_crib_row(terms, attacks, own, mine_keys, str(arm_key), found))
                for whose, words in found.unreckoned:
                    (left if whose == "mine" else of_theirs)[words.partition(": ")[0]] = None
            profile = terms.game.profile_name(content, theirs.fighter(keys[0]).profile, theirs.fighter(keys[0]).state)
            same = alike_by.setdefault((profile, tuple(rows), tuple(of_theirs)), [])
            same += [theirs.fighter(key).name for key in keys]
        for (profile, lines, told), names in alike_by.items():
            beside = profile if any(profile_beside(name, profile) for name in names) else ""
            foes.append(CribFoe(listed(names), beside, lines, told))
    if not foes:
        raise Refusal("No opponent's roster is open to you yet.", mend="It opens when they are ready.", code="not-open")
    return Crib(tuple(foes), tuple(left))


def _likeness(fighter: ForceFighter) -> tuple[Any, ...]:
    """What makes fighters fight alike."""
    kit = tuple(sorted(piece.item for piece in fighter.kit))
    return (fighter.profile, kit, fighter.skills, fighter.traumas, fighter.upgrades)


def _crib_row(
    terms: Terms, attacks: Attacks[GameContent], own: Force, keys: list[str], arm_key: str, found: Situation
) -> CribRow:
    outcomes = terms.game.resolvers.odds(terms.content, found.rule, found.given).outcomes
    arm = next(one for one in attacks.arms(terms.content, own, keys[0]) if one.key == arm_key)
    miss = float(outcomes.get("failure", Fraction(0))) * 100
    out = float(outcomes.get("out-of-action", Fraction(0))) * 100
    down = float(outcomes.get("down", Fraction(0))) * 100
    who = listed([own.fighter(key).name for key in keys[:3]]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
    return CribRow(who, _arm_words(arm), f"{100 - miss:.0f} %", f"{down + out:.0f} %", f"{out:.0f} %")
