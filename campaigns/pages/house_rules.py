"""The page of a campaign's settings, house rules and interpretations, with the effect and current value of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.scenarios import scenario_name
from campaigns.services.house_rules import Foreseen, ForeseenForce, still_to_come, walk_back, when_words
from campaigns.settings_schema import CAMPAIGN_SETTINGS, CampaignSetting, house_settings, setting_of
from rules.formatting import joined
from rules.problems import Problem, Refusal
from warbands.labels import house_target_name
from warbands.models import Change, Event, EventSubject, Terms
from warbands.models.terms import laid_over
from warbands.pages.formatting import battles_words, day, days_words, problems_words
from warbands.pages.house_rules import label_of, price_text, setting_words
from warbands.pages.rule_links import terms_query
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One setting with its name, its effect, its value, and whether the value differs from the default."""

    label: str
    words: str
    value: str
    differs: bool


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Settings of one kind, with a link to change them."""

    key: str
    title: str
    words: str
    lines: tuple[RuleLine, ...]
    edit_href: str


@dataclass(frozen=True, slots=True)
class HousePage:
    campaign: Link
    here: str
    version_words: str
    groups: tuple[RuleGroup, ...]
    administers: bool
    coming: tuple[ComingLine, ...]
    changes: tuple[HouseRulesChange, ...]
    history_href: str
    rules_href: str


SHORT_HISTORY, LONG_HISTORY = 5, 100


def house_page(campaign: Campaign, *, administers: bool, whole_history: bool = False) -> HousePage:
    """Build the page. Two queries."""
    here = reverse("house-rule-list", args=[campaign.pk])
    rules = campaign.terms.in_force
    changes = change_lines(campaign, LONG_HISTORY if whole_history else SHORT_HISTORY + 1)
    read = rules.get("readings") or {}
    settings, readings = house_settings(campaign.terms)
    groups = (
        RuleGroup(
            "campaign",
            _("The campaign"),
            _("Visibility, dice and dates."),
            (
                RuleLine(
                    _("Seen by"),
                    _("Who can see standings and battles."),
                    campaign.get_seen_by_display(),
                    campaign.seen_by != Campaign.SeenBy.PLAYERS,
                ),
                RuleLine(
                    _("Rosters"),
                    _("Who can read a warband's roster."),
                    campaign.get_rosters_display(),
                    campaign.rosters != Campaign.Rosters.OPEN,
                ),
                RuleLine(
                    _("Dice"),
                    _("Which dice are allowed."),
                    campaign.get_dice_display(),
                    campaign.dice != Campaign.Dice.EITHER,
                ),
                RuleLine(
                    _("Rounds"),
                    _("How many rounds are planned."),
                    str(campaign.rounds_planned) if campaign.rounds_planned else _("open"),
                    False,
                ),
            ),
            f"{here}?edit=campaign" if administers else "",
        ),
        RuleGroup(
            "ways",
            _("What counts"),
            _("How reports are confirmed and what decides the ranking."),
            tuple(
                RuleLine(
                    each.label,
                    each.words,
                    setting_words_of(each, setting_of(campaign, each.key)),
                    setting_of(campaign, each.key) != each.default,
                )
                for each in CAMPAIGN_SETTINGS
            ),
            f"{here}?edit=ways" if administers else "",
        ),
        RuleGroup(
            "rules",
            _("House rules"),
            _("Changes to the rules. Prices already paid stay."),
            tuple(_setting_line(setting, rules.get(setting.key), campaign.terms) for setting in settings),
            f"{here}?edit=rules" if administers else "",
        ),
        RuleGroup(
            "readings",
            _("Unclear rules"),
            _("How this campaign plays rules that can be read in two ways."),
            tuple(
                _setting_line(setting, read.get(setting.key, rules.get(setting.key)), campaign.terms)
                for setting in readings
            ),
            f"{here}?edit=readings" if administers else "",
        ),
    )
    return HousePage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        here=here,
        version_words=_("Version {version} of the terms.").format(version=campaign.terms.version),
        groups=groups,
        administers=administers,
        coming=coming_lines(campaign.terms),
        changes=changes[: LONG_HISTORY if whole_history else SHORT_HISTORY],
        history_href=f"{here}?history=all#rules_changed" if len(changes) > SHORT_HISTORY and not whole_history else "",
        rules_href=_browser(campaign.terms),
    )


def _browser(terms: Terms) -> str:
    query = terms_query(terms)
    return reverse("rule-list", args=[terms.system, terms.edition]) + (f"?{query}" if query else "")


def setting_words_of(each: CampaignSetting, value: Any) -> str:
    if each.kind == "yes-no":
        return _("yes") if value else _("no")
    if each.kind == "choice":
        return dict(each.options).get(value, str(value))
    if each.key == "silence_days":
        return days_words(value) if value else _("never")
    if each.key == "catch_up_at":
        return battles_words(value) if value else _("never")
    return str(value)


def _setting_line(setting: Any, given: Any, terms: Terms) -> RuleLine:
    value = setting.default if given is None else given
    differs = value not in (None, "", [], {}, ()) and value != setting.default
    return RuleLine(label_of(setting), setting.words, setting_words(setting, value, terms), differs)


# --- in a form ----------------------------------------------------------------------------------------------------


def setting_text(setting: Any, value: Any, terms: Terms) -> Any:
    if setting.kind == "ids":
        return "\n".join(_called(each, terms) for each in value or ())
    if setting.kind in ("battles", "numbers"):
        return "\n".join(
            f"{key if str(key).isdigit() else _called(key, terms)}: {number}" for key, number in (value or {}).items()
        )
    if setting.kind == "prices":
        return "\n".join(f"{_called(key, terms)}: {price_text(price)}" for key, price in (value or {}).items())
    if setting.kind == "price":
        return dict(value or {})
    return value


def id_of(text: str, terms: Terms) -> str:
    """Return the id for a name or an id, "" for an unknown one."""
    campaign = terms.game.campaign
    return campaign.house_target(terms.content, text) if campaign is not None else ""


def faults_in(terms: Terms, key: str, value: Any) -> tuple[str, ...]:
    try:
        faults = terms.game.rulebook.check_house_rules(terms.edition, {key: value}, terms.overlays)
    except Refusal as refusal:
        return (refusal.message,)
    return tuple(fault for part in faults.values() for fault in part)


def _called(id_: Any, terms: Terms) -> str:
    return house_target_name(terms, str(id_))


@dataclass(frozen=True, slots=True)
class PreviewForce:
    """The effect of changed house rules on a force: its state before and after, and its new problems."""

    name: str
    now: str
    then: str
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """The effect of changed house rules on a warband: its state before and after, and its new problems.

    `forces` are its forces for battles ahead; `whole` are the problems of fielding the whole roster.
    """

    warband: str
    now: str
    then: str
    new: tuple[str, ...]
    forces: tuple[PreviewForce, ...] = ()
    whole: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of changed house rules on the campaign: a summary, then each affected warband with the reasons."""

    words: str
    worse: bool
    lines: tuple[PreviewLine, ...]


def preview_of(rows: Iterable[Foreseen]) -> Preview:
    """Build the preview. Warbands that become illegal come first."""
    touched = [row for row in rows if _changes(row) or row.whole or any(map(_changes, row.forces))]
    words = [*_turned_words(touched, "illegal", fallen=True), *_turned_words(touched, "legal", fallen=False)]
    if touched and not words:
        words.append(_("Some problems change, but no warband or force becomes legal or illegal."))
    touched.sort(key=lambda row: (bool(row.now), not row.new, str(row.warband)))
    return Preview(
        words=" ".join(words) or _("No warband becomes legal or illegal."),
        worse=any(row.new or any(force.new for force in row.forces) for row in touched),
        lines=tuple(_preview_line(row) for row in touched),
    )


def _turned_words(rows: Iterable[Foreseen], change: str, *, fallen: bool) -> Iterator[str]:
    rows = list(rows)
    if names := [str(row.warband) for row in rows if _turns(row, fallen)]:
        yield _("{joined} would become {change}.").format(joined=joined(names), change=change)
    if forces := [_force_name(row, force) for row in rows for force in row.forces if _turns(force, fallen)]:
        yield capfirst(_("{joined} would become {change}.").format(joined=joined(forces), change=change))


def _preview_line(row: Foreseen) -> PreviewLine:
    return PreviewLine(
        str(row.warband),
        _standing(len(row.now)),
        _standing(len(row.then)),
        _reasons(row.new),
        tuple(
            PreviewForce(
                _("Ready for {scenario_name}, and fixed unless Ready is withdrawn").format(
                    scenario_name=scenario_name(force.side.battle)
                )
                if force.side.ready_at is not None
                else _("Chosen for {scenario_name}").format(scenario_name=scenario_name(force.side.battle)),
                _standing(len(force.now)),
                _standing(len(force.then)),
                _reasons(force.new),
            )
            for force in row.forces
            if _changes(force)
        ),
        _reasons(row.whole),
    )


def _reasons(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return each message once, preceded by the names of its fighters unless it contains them."""
    said: dict[str, list[str]] = {}
    for problem in problems:
        names = said.setdefault(problem.message, [])
        if problem.fighter and problem.fighter not in problem.message and problem.fighter not in names:
            names.append(problem.fighter)
    return tuple(f"{joined(names)}: {message}" if names else message for message, names in said.items())


def _changes(row: Foreseen | ForeseenForce) -> bool:
    return bool(row.new) or len(row.now) != len(row.then)


def _turns(row: Foreseen | ForeseenForce, fallen: bool) -> bool:
    return bool(row.then and not row.now if fallen else row.now and not row.then)


def _force_name(row: Foreseen, force: ForeseenForce) -> str:
    return _("the force of {warband} for {scenario_name}").format(
        warband=row.warband, scenario_name=scenario_name(force.side.battle)
    )


def _standing(problems: int) -> str:
    return problems_words(problems) if problems else _("legal")


def merged(terms: Terms, changed: Mapping[str, Any], *, readings_too: bool) -> dict[str, Any]:
    """Return the house rules in force with some settings changed, leaving out values equal to their default."""
    usual = {setting.key: setting.default for setting in house_settings(terms)[1 if readings_too else 0]}
    wanted = {
        key: None if value in (None, "", [], {}, ()) or value == usual.get(key) else value
        for key, value in changed.items()
    }
    if not readings_too:
        return laid_over(terms.in_force, {"rules": wanted})
    return laid_over(terms.in_force, {"rules": dict.fromkeys(wanted), "readings": wanted})


# --- future and past changes ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComingLine:
    """A change that takes effect later: when, what it sets, and the version of the rules that introduced it."""

    version: int
    when: str
    words: tuple[str, ...]

    @property
    def told(self) -> str:
        """Return the change as one sentence: "For each warband from its battle 4 on: Elite cap: 4."."""
        return f"{self.when[0].upper()}{self.when[1:]}: {'; '.join(self.words)}."


@dataclass(frozen=True, slots=True)
class HouseRulesChange:
    """A past change of the house rules: the version it created, and what it set, with the previous values.

    `undo` is the id of its event if it can be undone, otherwise 0.
    """

    sentence: str
    day: str
    undo: int
    version: int = 0
    words: tuple[str, ...] = ()


def coming_lines(terms: Terms) -> tuple[ComingLine, ...]:
    rules, readings = house_settings(terms)
    known = {setting.key: setting for setting in (*rules, *readings)}
    lines = []
    for change in still_to_come(terms):
        words = []
        for key, value in (*change["rules"].items(), *change["readings"].items()):
            setting = known.get(key)
            if setting is not None:
                words.append(
                    f"{label_of(setting)}: {setting_words(setting, setting.default if value is None else value, terms)}"
                )
        lines.append(ComingLine(change["version"], when_words(change), tuple(words)))
    return tuple(lines)


def change_lines(campaign: Campaign, most: int = SHORT_HISTORY) -> tuple[HouseRulesChange, ...]:
    """Return the last changes of the house rules, newest first. Only the newest can be undone. Two queries."""
    # Filter by the terms as subject: the campaign is a subject of every event in it.
    undone = Exists(Event.objects.filter(undoes=OuterRef("event_id")))
    changes = EventSubject.objects.filter(
        ~undone, label=Terms._meta.label, row_id=campaign.terms_id, event__kind="house-rules"
    )
    events = [subject.event for subject in changes.select_related("event").order_by("-event_id")[:most]]
    told = _versions(campaign.terms, {event.pk for event in events})
    return tuple(
        HouseRulesChange(event.told, day(event.at), event.pk if place == 0 else 0, *told.get(event.pk, (0, ())))
        for place, event in enumerate(events)
    )


def _versions(terms: Terms, wanted: set[int]) -> dict[int, tuple[int, tuple[str, ...]]]:
    """Return event id → (version of the terms that the event created, what it set). One query, none if no event is wanted.

    The earlier states are reconstructed backwards from the current terms.
    """
    if not wanted:
        return {}
    of_event: dict[int, list[Change]] = {}
    for change in Change.objects.filter(label=Terms._meta.label, row_id=terms.pk, event_id__gte=min(wanted)).order_by(
        "-pk"
    ):
        of_event.setdefault(change.event_id, []).append(change)
    then = copy(terms)
    then.house_rules, then.coming = deepcopy(terms.house_rules), deepcopy(terms.coming)
    found = {}
    for pk, changes in of_event.items():
        after = copy(then)
        after.house_rules, after.coming = deepcopy(then.house_rules), deepcopy(then.coming)
        version = next((change.after for change in changes if change.field == "version"), 0)
        for change in changes:
            walk_back(then, change)
        if pk in wanted:
            found[pk] = int(version or 0), _set_words(then, after, terms)
    return found


def _set_words(before: Terms, after: Terms, terms: Terms) -> tuple[str, ...]:
    """Describe the settings that differ between two states of the terms, and the changes set for later."""
    known = {setting.key: setting for part in house_settings(terms) for setting in part}
    words = []
    was, now = ({**t.house_rules, **(t.house_rules.get("readings") or {})} for t in (before, after))
    for key, setting in known.items():
        if was.get(key) != now.get(key):
            old, new = (setting_words(setting, _or_usual(setting, part.get(key)), terms) for part in (was, now))
            words.append(
                _("{label_of}: {new} (before: {old})").format(label_of=label_of(setting), new=new, old=old)
                if old != new
                else _("{label_of} changed").format(label_of=label_of(setting))
            )
    for change in after.coming:
        if change not in before.coming:
            for key, value in (*change["rules"].items(), *change["readings"].items()):
                if key in known:
                    said = setting_words(known[key], _or_usual(known[key], value), terms)
                    words.append(f"{label_of(known[key])}: {said}, {when_words(change)}")
    return tuple(words)


def _or_usual(setting: Any, value: Any) -> Any:
    return setting.default if value is None else value
