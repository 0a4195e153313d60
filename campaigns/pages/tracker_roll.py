"""The page for a roll or move at the table. It asks the questions of the roll, then for its dice, typed in one throw after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign
from campaigns.pages.options import SelectOption
from campaigns.pages.task_forms import Panel, face_error, panel_of
from campaigns.pages.tracker_board import TYPED, roll_href
from campaigns.services.tracker import MoreDice
from rules.dice import Draw, NeedDice
from rules.problems import Refusal
from rules.tracker.rolls import Asks, ResultRow, RollKind
from rules.tracker.state import TableFighter, TableState
from rules.tracker.tracker import Tracker
from warbands.pages.widgets import Link

KEPT = "kept"  # the form field that holds the faces typed so far
FACE = "face_"
HERE = "here"  # the field of a roll that is drawn within the page of the table
TOLD = "told"  # the form field that holds the results told so far
NOT_ASKED = {
    "csrfmiddlewaretoken", "token", "press", "source", "roll", "tab", "since", "first", "result", "turn", "saw", HERE, TYPED, KEPT, TOLD,
}  # fmt: skip
MAX_FACES = 60
MAX_LEADS = 6
MAX_CHIPS = 4


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a roll. `shape` is toggle, number, select, several (a row of checkboxes), or chips, of which `MAX_CHIPS` are
    shown and `rest` is folded away. `is_required`: the form is not sent before it is answered.
    """

    name: str
    id: str
    label: str
    shape: str
    least: int
    most: int
    given: str
    options: tuple[tuple[str, tuple[SelectOption, ...]], ...] = ()
    leads: bool = False
    chip: bool = False
    rest: tuple[SelectOption, ...] = ()
    is_required: bool = False

    @property
    def is_unfolded(self) -> bool:
        """Return whether the chosen one is among those that are folded away."""
        return any(option.chosen for option in self.rest)


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw typed in earlier: its reason, the faces, and the number of sides of each die."""

    why: str
    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollPage:
    """The page of a roll. With `panel` it asks for dice and shows the `answers`; `change` links back to the questions.

    `fixed` are answers that leave no choice, `more` are questions that are folded away, `closing` those after the results. `need` says what
    to roll; `results` are those that players may tell in place of faces, after those `told` so far. `at_words` say which of several attacks
    this is; `goes_on`: it is not the last one. `away`: it is kept for a phone without a line.
    """

    pk: int
    title: str
    here: str
    back: Link
    tabs: tuple[tuple[str, str, bool], ...]
    id: str
    label: str
    words: str
    dice_words: str
    is_move: bool
    groups: tuple[tuple[str, tuple[Field, ...]], ...]
    more: tuple[tuple[str, tuple[Field, ...]], ...]
    closing: tuple[tuple[str, tuple[Field, ...]], ...]
    fixed: tuple[tuple[str, str], ...]
    allow_app: bool
    allow_typed: bool
    panel: Panel | None = None
    answers: tuple[tuple[str, str], ...] = ()
    hidden: tuple[tuple[str, str], ...] = ()
    thrown: tuple[Thrown, ...] = ()
    change: Link | None = None
    again: Link | None = None
    kept: str = ""
    leads: bool = False
    reckoned: tuple[str, ...] = ()
    unreckoned: tuple[str, ...] = ()
    odds_words: str = ""
    need: str = ""
    results: tuple[ResultRow, ...] = ()
    told: str = ""
    at_words: str = ""
    goes_on: bool = False
    away: bool = False


def roll_page(
    battle: Battle,
    tracker: Tracker,
    state: TableState,
    hands: frozenset[str],
    roll: str,
    given: Mapping[str, str],
    *,
    kept: Sequence[int] = (),
    more: MoreDice | None = None,
    sent: Mapping[str, str] | None = None,
    wrong: str = "",
    answered: bool = False,
    told: Sequence[int] = (),
    away: bool = False,
) -> RollPage:
    """Build the page of a roll; `given` fills its fields. A form that is kept for a phone that is `away` waits for no further question. With `more` it asks for those dice; `sent` are invalid faces to correct.

    A question on which others depend defaults to its first choice. With `answered`, an unticked box stays unticked. No queries except
    those for forces that the roll needs. Raises Refusal for an unknown roll.
    """
    by_weapon = "arm" in given
    if more is not None:  # the user has answered the questions
        kind = tracker.asking(state, roll, given)
    elif away:
        kind, given = _led_away(tracker, state, hands, roll, given, told)
    else:
        kind, given = _led(tracker, state, hands, roll, given, told)
    if by_weapon:
        kind = replace(kind, words="", dice_words="")
    if away:  # what the dice must show depends on answers that are given at the table
        kind = replace(kind, reckoned=(), odds_words="", need="")
    here = reverse("battle-track", args=[battle.pk])
    opened = given.get("fighter", "")
    dice = battle.campaign.dice
    groups, folded, closing = (
        _groups(part, state, hands, given, answered=answered) for part in _parted_questions(kind)
    )
    own_dice = dice != Campaign.Dice.APP
    return RollPage(
        pk=battle.pk,
        title=_title(kind, state, given),
        here=f"{here}?{urlencode({'roll': kind.id})}",
        back=Link(_("Table"), here + (f"?{urlencode({'open': opened})}#f{opened}" if opened else "")),
        tabs=_tabs(tracker, kind, here, opened) if more is None and not by_weapon else (),
        id=kind.id,
        label=kind.label,
        words=kind.words,
        dice_words=kind.dice_words,
        is_move=kind.move,
        groups=groups,
        more=folded,
        closing=closing,
        fixed=_fixed_answers(kind, state, hands, given),
        allow_app=dice != Campaign.Dice.TYPED,
        allow_typed=own_dice,
        leads=not away and _have_lead((*groups, *folded, *closing)),
        reckoned=kind.reckoned,
        unreckoned=kind.unreckoned,
        odds_words=kind.odds_words,
        need=kind.need,
        away=away,
        results=kind.results if own_dice else (),
        told=",".join(map(str, told)),
        at_words=_("Attack {number} of {count}").format(number=kind.at, count=kind.of) if kind.of > 1 else "",
        goes_on=kind.at < kind.of or kind.follows,
        kept=",".join(str(face) for face in kept),
        **(_dice_part(battle.campaign, kind, (*groups, *folded), given, here, more, sent or {}, wrong) if more else {}),
    )


def _tabs(tracker: Tracker, kind: RollKind, here: str, opened: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the rolls of the same group, each with its address, and whether it is this one. A kind that is not offered has none."""
    rolls = [each for each in tracker.rolls() if each.group == kind.group]
    if kind.id not in [each.id for each in rolls]:
        return ()
    whose = {"fighter": opened} if opened else {}
    return tuple((each.label, roll_href(here, each.id, whose), each.id == kind.id) for each in rolls)


def _parted_questions(kind: RollKind) -> tuple[list[Asks], list[Asks], list[Asks]]:
    """Return the questions that stand open, those that are folded away, and those after the results."""
    return (
        [asked for asked in kind.asks if not asked.quiet and not asked.closes],
        [asked for asked in kind.asks if asked.quiet],
        [asked for asked in kind.asks if asked.closes],
    )


def _have_lead(groups: Iterable[tuple[str, tuple[Field, ...]]]) -> bool:
    return any(field.leads for _group, fields in groups for field in fields)


def _nearest(kind: RollKind) -> dict[str, str]:
    """Return answers to what has to be known before results can be told: the first enemy, the shortest distance."""
    foes = {each.name: each.only[0] for each in kind.asks if each.kind == "foe" and each.only}
    return foes | {each.name: each.options[0][0] for each in kind.asks if each.kind == "number" and each.options}


def _title(kind: RollKind, state: TableState, given: Mapping[str, str]) -> str:
    """Return the heading: who attacks with what, or the roll's name."""
    who = next((fighter.name for fighter in state.fighters if fighter.key == given.get("fighter")), "")
    arm = next((asked for asked in kind.asks if asked.name == "arm"), None)
    weapon = dict(arm.options).get(given.get("arm", ""), "") if arm is not None else ""
    if who and weapon:
        return f"{who}, {weapon}"
    if who:
        return _("{fighter}: {roll}").format(fighter=who, roll=kind.label)
    return kind.label if kind.move else _("Roll: {roll}").format(roll=kind.label)


def _dice_part(
    campaign: Campaign,
    kind: RollKind,
    groups: tuple[tuple[str, tuple[Field, ...]], ...],
    given: Mapping[str, str],
    here: str,
    more: MoreDice,
    sent: Mapping[str, str],
    wrong: str,
) -> dict[str, Any]:
    panel = panel_of(more.need, campaign, sent, wrong)
    if more.draws:  # rolling with the app would discard the dice typed so far
        panel = Panel(panel.prompt, panel.dice, False, panel.allow_typed, panel.typed_error)
    before = faces_typed(more.draws[:-1])
    again = {**given, **({KEPT: ",".join(map(str, before))} if before else {})}
    return {
        "panel": panel,
        "answers": tuple(
            (field.label, words) for _group, fields in groups for field in fields if (words := _answer_words(field))
        ),
        "hidden": tuple((name, told) for name, told in given.items() if told),
        "thrown": tuple(Thrown(draw.why, draw.sides, draw.faces) for draw in more.draws),
        "change": Link(_("Change"), roll_href(here, kind.id, given)) if kind.asks else None,
        "again": Link(_("Enter the last ones again"), roll_href(here, kind.id, again, typed=True))
        if more.draws
        else None,
    }


def faces_typed(draws: Sequence[Draw]) -> tuple[int, ...]:
    return tuple(face for draw in draws for face in draw.faces)


def wrong_faces(need: NeedDice, sent: Mapping[str, str]) -> bool:
    """Return whether a die is missing or has an impossible face."""
    return any(face_error(sent.get(f"{FACE}{place}", ""), need.sides) for place in range(1, need.count + 1))


def sent_faces(need: NeedDice, sent: Mapping[str, str]) -> tuple[int, ...]:
    return tuple(int(sent[f"{FACE}{place}"].strip()) for place in range(1, need.count + 1))


def kept_faces(text: str) -> tuple[int, ...]:
    """Parse the faces typed so far from a form field such as "4,5,1". Raises Refusal for anything else."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) > MAX_FACES or any(not (word.isascii() and word.isdigit()) or len(word) > 3 for word in words):
        raise Refusal(_("The dice entered so far cannot be read."), mend=_("Enter them again."), code="impossible-face")
    return tuple(int(word) for word in words)


def data_of(given: QueryDict) -> dict[str, str]:
    """Return a form's answers to the questions of a roll. Several answers to one question are joined by commas."""
    names = [name for name in given if name not in NOT_ASKED and not name.startswith(FACE)]
    return {str(name)[:80]: ",".join(given.getlist(name))[:600] for name in names[:120]}


# --- the questions


def _led(
    tracker: Tracker,
    state: TableState,
    hands: frozenset[str],
    roll: str,
    given: Mapping[str, str],
    told: Sequence[int] = (),
) -> tuple[RollKind, dict[str, str]]:
    """Return the roll after the results told so far, and its answers, after answering the questions on which others depend.

    An answer that is no longer among the choices is replaced by the first choice, or removed.
    """
    data = dict(given)
    kind = tracker.asking(state, roll, data, told)
    for _turn in range(MAX_LEADS):
        gone = [
            asked.name
            for asked in kind.asks
            if data.get(asked.name) and not _stands(asked, state, hands, data) and _is_left_open(asked, state, hands)
        ]
        for name in gone:
            del data[name]
        kind = tracker.asking(state, roll, data, told) if gone else kind
        missing = next((each for each in kind.asks if each.leads and _wants_first(each, state, hands, data)), None)
        if missing is None:
            return kind, data
        choices = [choice.value for _group, found in _options(missing, state, hands, set()) for choice in found]
        if not choices:
            return kind, data
        data[missing.name] = choices[0]
        kind = tracker.asking(state, roll, data, told)
    return kind, data


def _led_away(
    tracker: Tracker,
    state: TableState,
    hands: frozenset[str],
    roll: str,
    given: Mapping[str, str],
    told: Sequence[int],
) -> tuple[RollKind, dict[str, str]]:
    """Return the roll and its answers for a phone without a line, which can be asked nothing further."""
    kind, given = _led(tracker, state, hands, roll, given, told)
    kind, given = _led(tracker, state, hands, roll, {**_nearest(kind), **given}, told)
    given = {**_nearest(kind), **given}
    return tracker.asking(state, roll, given, told), given


def _wants_first(asked: Asks, state: TableState, hands: frozenset[str], data: Mapping[str, str]) -> bool:
    """Return whether a question should be answered with its first choice."""
    return not _stands(asked, state, hands, data) and not _is_left_open(asked, state, hands)


def _is_left_open(asked: Asks, state: TableState, hands: frozenset[str]) -> bool:
    return _left_open(asked, _options(asked, state, hands, set()))


def _left_open(asked: Asks, options: tuple[tuple[str, tuple[SelectOption, ...]], ...]) -> bool:
    """Return whether a question has no default, because the user must choose among several possible targets."""
    return asked.kind in ("foe", "anybody") and not asked.several and sum(len(found) for _group, found in options) > 1


def _stands(asked: Asks, state: TableState, hands: frozenset[str], data: Mapping[str, str]) -> bool:
    told = data.get(asked.name, "")
    return any(choice.value == told for _group, found in _options(asked, state, hands, set()) for choice in found)


def _groups(
    asks: Iterable[Asks], state: TableState, hands: frozenset[str], given: Mapping[str, str], *, answered: bool
) -> tuple[tuple[str, tuple[Field, ...]], ...]:
    """Return the fields of questions that leave a choice, by the headings of their groups."""
    found: dict[str, list[Field]] = {}
    for asked in asks:
        if not _fixed(asked, state, hands, given):
            usual = "" if answered and asked.kind == "toggle" else asked.usual
            field = _field(asked, state, hands, str(given.get(asked.name, usual)))
            found.setdefault(asked.group, []).append(field)
    return tuple((group, tuple(fields)) for group, fields in found.items())


def _field(asked: Asks, state: TableState, hands: frozenset[str], told: str) -> Field:
    shape = asked.kind if asked.kind in ("toggle", "number") else "several" if asked.several else "select"
    options = _options(asked, state, hands, set(told.split(",")) if asked.several else {told})
    is_open = _left_open(asked, options)
    if asked.chips and shape in ("select", "number"):
        return replace(_chips(asked, told, options), is_required=is_open)
    if is_open:
        chosen = any(choice.chosen for _group, found in options for choice in found)
        options = (("", (SelectOption("", _("Choose…"), not chosen),)), *options)
    if asked.kind == "number" and asked.least < 0:  # a phone's numeric keyboard has no minus sign
        shape, options = "select", _signed(asked, told)
    return Field(
        asked.name, f"id_{asked.name}", asked.label, shape, asked.least, asked.most, told, options, asked.leads, asked.chips,
        is_required=is_open,
    )  # fmt: skip


def _fixed_answers(
    kind: RollKind, state: TableState, hands: frozenset[str], given: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    answers = ((each.name, _fixed(each, state, hands, given)) for each in kind.asks)
    return tuple((name, answer) for name, answer in answers if answer)


def _fixed(asked: Asks, state: TableState, hands: frozenset[str], given: Mapping[str, str]) -> str:
    """Return the answer to a folded question of who acts, where no other is possible: it is sent along and not shown."""
    if not asked.quiet or asked.kind not in ("mine", "side"):
        return ""
    choices = [choice.value for _group, found in _options(asked, state, hands, set()) for choice in found]
    told = given.get(asked.name, "")
    return told if told in choices and (len(choices) == 1 or asked.kind == "side") else ""


def _chips(asked: Asks, told: str, options: tuple[tuple[str, tuple[SelectOption, ...]], ...]) -> Field:
    """Return a question whose choices are chips: numbers, or fighters, the usual one and those hurt first, the others folded away.

    A press moves none of them: if the chosen one is folded away, the fold stays open. One alone is not folded.
    """
    if asked.kind == "number":
        figures = asked.options or tuple((str(n), str(n)) for n in range(asked.least, asked.most + 1))
        chosen = told if asked.options else told or "0"
        found, rest = [SelectOption(value, words, value == chosen) for value, words in figures], []
        if chosen and chosen not in dict(figures):
            found.append(SelectOption(chosen, chosen, True))
    else:
        shared = len(options) > 1
        choices = [replace(choice, about=name if shared else "") for name, group in options for choice in group]
        if asked.kind != "option":
            choices.sort(key=lambda choice: (choice.value != asked.usual, "(" not in choice.words))
        most = len(choices) if asked.kind == "option" or len(choices) == MAX_CHIPS + 1 else MAX_CHIPS
        found, rest = choices[:most], choices[most:]
    return Field(
        asked.name, f"id_{asked.name}", asked.label, "chips", asked.least, asked.most, told, (("", tuple(found)),), asked.leads,
        rest=tuple(rest),
    )  # fmt: skip


def _options(
    asked: Asks, state: TableState, hands: frozenset[str], told: set[str]
) -> tuple[tuple[str, tuple[SelectOption, ...]], ...]:
    if asked.kind == "option":
        return (("", tuple(SelectOption(value, words, value in told) for value, words in asked.options)),)
    if asked.kind == "side":
        own = [side for side in state.sides if side.key in hands]
        return (("", tuple(SelectOption(side.key, side.name, side.key in told) for side in own)),)
    if asked.kind in ("mine", "foe", "anybody"):
        return _named(asked, state, hands, told)
    return ()


def _signed(asked: Asks, told: str) -> tuple[tuple[str, tuple[SelectOption, ...]], ...]:
    plain = told.replace("−", "-").removeprefix("+")
    figures = [str(number) for number in range(asked.most, asked.least - 1, -1)]
    choices = [SelectOption("", "–", plain not in figures)]
    choices += [
        SelectOption(figure, f"+{figure}" if int(figure) > 0 else figure.replace("-", "−"), figure == plain)
        for figure in figures
    ]
    return (("", tuple(choices)),)


def _named(
    asked: Asks, state: TableState, hands: frozenset[str], told: set[str]
) -> tuple[tuple[str, tuple[SelectOption, ...]], ...]:
    groups = []
    for side in sorted(state.sides, key=lambda side: (side.key in hands) == (asked.kind == "foe")):
        if asked.kind == "mine" and side.key not in hands:
            continue
        if asked.kind == "foe" and not asked.only and side.key in hands and len(hands) < len(state.sides):
            continue  # a game that names the foes knows better: a guest beside a third side is in everybody's hands
        rows = [
            fighter for fighter in state.of(side.key) if (fighter.key in asked.only if asked.only else fighter.fights)
        ]
        if asked.only:
            rows.sort(key=lambda fighter: asked.only.index(fighter.key))
        groups.append(
            (
                side.name,
                tuple(SelectOption(f.key, f.name if asked.bare else _named_words(f), f.key in told) for f in rows),
            )
        )
    return tuple(group for group in groups if group[1])


def _named_words(fighter: TableFighter) -> str:
    marks = ", ".join(f"{kind} {count}" for kind, count in fighter.markers.items())
    state = _("Out") if fighter.out else _("Down") if fighter.down else ""
    parts = [part for part in (state, marks) if part]
    return fighter.name + (f" ({'; '.join(parts)})" if parts else "")


def _answer_words(field: Field) -> str:
    """Return an answer as text to show beside the dice, "" if it is off, 0 or empty."""
    if field.shape == "toggle":
        return _("yes") if field.given not in ("", "0", "false") else ""
    if field.shape == "number":
        return "" if field.given in ("", "0") else field.given
    shown = (*(choice for _group, choices in field.options for choice in choices), *field.rest)
    chosen = (choice for choice in shown if choice.chosen and choice.value)
    return ", ".join(choice.words for choice in chosen)
