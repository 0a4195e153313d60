"""The post-battle steps of a game with own profiles: units carry losses over or forget them, and may replace them.

The core rules of these games cover single battles. A campaign chooses how it handles losses (`losses`, `replacements`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rules.consequences import Consequence, SetFighter, SetWarband
from rules.custom.content import CARRIED, FREE, CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.units import ForceUnit, copy_of
from rules.force import Force
from rules.formatting import listed
from rules.parts.post_battle import Aftermath, Amended, BattleSide, StepKind, StepRecord
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.translation import ngettext

LOSSES, CLOSE = "losses", "close"
UNITS = _("Units")
CARRIED_STEP = StepKind(LOSSES, _("Losses"), "tasks", _("Each unit starts its next battle without its losses."))
CLOSING = StepKind(CLOSE, _("Finish"), "close", _("The force is ready for its next battle."))


@dataclass(frozen=True)
class CustomPostBattle:
    rules: ForceRules

    def steps(self, content: CustomContent, force: Force) -> tuple[StepKind, ...]:
        """Return the post-battle steps: losses if units carry them over, and closing."""
        return (CARRIED_STEP, CLOSING) if content.losses == CARRIED else (CLOSING,)

    def tasks(
        self, content: CustomContent, force: Force, aftermath: Aftermath, record: StepRecord, step: str
    ) -> tuple[Task, ...]:
        """Return one task with the losses of everybody who took part. Raises KeyError for an unknown step."""
        if step not in {known.id for known in self.steps(content, force)}:
            raise KeyError(step)
        if step != LOSSES:
            return ()
        if LOSSES in record.written:
            written = Outcome(_("The losses are written."))
            return (
                Task(LOSSES, _("Losses"), partial(_plain, written), words=_("The losses are written on the units.")),
            )
        went = aftermath.mine.took_part
        units = tuple(unit for unit in self.rules.units(force) if unit.key in went and unit.counts)
        if not units:
            return ()
        return (
            Task(
                LOSSES,
                _("Losses"),
                partial(resolve_losses, units, aftermath.mine),
                words=_("As reported. Correct them here if needed."),
                absorbs=True,
            ),
        )

    def skipped(self, content: CustomContent, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Return why losses are skipped, if the battle does not count for them."""
        if step == LOSSES and "injuries" not in aftermath.counts:
            return _("This battle does not count for losses.")
        return ""

    def result_consequences(
        self, content: CustomContent, force: Force, aftermath: Aftermath
    ) -> tuple[Consequence, ...]:
        """Return the consequence that the battle counts as fought."""
        why = _("battle {number}").format(number=aftermath.number)
        scenario = SetWarband(("last_scenario",), aftermath.scenario, why)
        if "number" not in aftermath.counts:
            return (scenario,)
        return SetWarband(("fought",), force.battles.fought + 1, why), scenario

    def amended(
        self, content: CustomContent, force: Force, before: Aftermath, now: Aftermath, record: StepRecord
    ) -> Amended:
        """Keep the losses that were recorded from an earlier report. A player changes them on the unit's page."""
        if LOSSES in record.written and (before.mine.losses, before.mine.out) != (now.mine.losses, now.mine.out):
            return Amended(
                stands=(_("The losses were written from the report as it was; each unit's own page changes them."),)
            )
        return Amended()

    def camp_tasks(self, content: CustomContent, force: Force) -> tuple[Task, ...]:
        """Return the tasks between battles: taking newer versions of profiles, and replacing losses, each for its unit."""
        return (*newer_versions(self.rules, force), *replacements(self.rules, content, force))


def reported_losses(unit: ForceUnit, mine: BattleSide) -> dict[str, int]:
    """Return what a unit lost according to the report, by name, capped at what it had.

    A destroyed unit loses everything.
    """
    reported = mine.losses.get(unit.key) or ({} if unit.key not in mine.out else dict(unit.left))
    found = {name: min(int(reported.get(name, 0)), n) for name, n in unit.left.items()}
    return {name: n for name, n in found.items() if n > 0}


def loss_words(lost: Mapping[str, int]) -> str:
    """Return losses as text: "2 Rifle and 1 NCO", "no losses"."""
    return listed([f"{n} {name}" for name, n in lost.items() if n]) or _("no losses")


def resolve_losses(units: Sequence[ForceUnit], mine: BattleSide, resolution: Resolution) -> Outcome:
    """Record what each unit lost, as reported, unless the player states other losses for a unit."""
    reported = {unit.key: reported_losses(unit, mine) for unit in units}
    options = [
        Option(unit.key, unit.name, _("{loss_words} in the report").format(loss_words=loss_words(reported[unit.key])))
        for unit in units
        if sum(unit.left.values())
    ]
    otherwise = resolution.choose_some(
        "otherwise",
        _("Which units had different losses?"),
        options,
        most=len(options),
        help=_("Choose none to keep the losses as reported."),
    )
    consequences: list[Consequence] = []
    lines: list[str] = []
    for unit in units:
        slugs = {name: part for part, name in unit.parts}
        lost = reported[unit.key]
        if unit.key in otherwise:
            lost = {
                name: resolution.number(
                    f"{unit.key}:{slugs[name]}", _("{unit}: {name} lost").format(unit=unit.name, name=name), 0, n
                )
                for name, n in unit.left.items()
                if n
            }
        for name, n in lost.items():
            if n:
                consequences.append(SetFighter(unit.key, ("left", slugs[name]), unit.left[name] - n, "losses"))
        if any(lost.values()):
            left = sum(unit.left.values()) - sum(lost.values())
            lines.append(
                (
                    _("{unit} loses {loss_words}; {left} left.")
                    if left
                    else _("{unit} loses {loss_words}; nothing is left of it.")
                ).format(unit=unit.name, loss_words=loss_words(lost), left=left)
            )
    if not lines:
        return Outcome(_("No losses."))
    count = len(lines)
    return Outcome(
        ngettext("{count} unit has losses.", "{count} units have losses.", count).format(count=count),
        tuple(lines),
        tuple(consequences),
    )


# --- between battles


def newer_versions(rules: ForceRules, force: Force) -> tuple[Task, ...]:
    """Return a task for each unit that can take a newer version of its profile from the library."""
    library = {(profile.kind, profile.id): profile for profile in force.library}
    found = []
    for unit in rules.units(force):
        profile = library.get((unit.kind, unit.profile))
        if profile is None or profile.version <= unit.version:
            continue
        consequence = SetFighter(unit.key, ("profile",), copy_of(profile), _("newer version"))
        sentence = _("{name} takes version {version} of {profile_name}.").format(
            name=unit.name, version=profile.version, profile_name=profile.name
        )
        found.append(
            Task(
                f"newer-{unit.key}",
                _("Take version {version} of {profile}").format(version=profile.version, profile=profile.name),
                partial(_plain, Outcome(sentence, consequences=(consequence,))),
                subject=unit.key,
                group=UNITS,
                words=_("The library has a newer version; {name} still goes by version {version}.").format(
                    name=unit.name, version=unit.version
                ),
                optional=True,
            )
        )
    return tuple(found)


def spent_words(content: CustomContent) -> str:
    """Return the note on a unit with nobody left, with the possible remedies."""
    if content.replacements == FREE:
        return _("Wiped out. Replace its losses or dismiss it.")
    return _("Wiped out, and this campaign replaces no losses. Dismiss it, or keep it for its history.")


def replacements(rules: ForceRules, content: CustomContent, force: Force) -> tuple[Task, ...]:
    """Return a task for each unit with carried losses: replacing them."""
    found = []
    for unit in rules.units(force):
        if not unit.lost:
            continue
        closed = "" if content.replacements == FREE else _("Losses can't be replaced in this campaign.")
        found.append(
            Task(
                f"replace-{unit.key}",
                _("Replace the losses of {unit}").format(unit=unit.name),
                partial(_replace, unit),
                subject=unit.key,
                group=UNITS,
                words=_("Missing: {loss_words}.").format(loss_words=loss_words(unit.lost)),
                optional=True,
                closed=closed,
            )
        )
    return tuple(found)


def _plain(outcome: Outcome, resolution: Resolution) -> Outcome:
    return outcome


def _replace(unit: ForceUnit, resolution: Resolution) -> Outcome:
    """Replace all losses of a unit, or as many as the player says."""
    slugs = {name: part for part, name in unit.parts}
    how = resolution.choose(
        "how",
        _("How many come back to {name}?").format(name=unit.name),
        (
            Option("all", _("Back to strength"), loss_words(unit.lost)),
            Option("some", _("Some of them"), _("say how many")),
        ),
    )
    back = dict(unit.lost)
    if how == "some":
        back = {
            name: resolution.number(slugs[name], _("{name} that come back").format(name=name), 0, n)
            for name, n in unit.lost.items()
        }
    consequences = tuple(
        SetFighter(
            unit.key, ("left", slugs[name]), None if n == unit.lost[name] else unit.left[name] + n, "replacements"
        )
        for name, n in back.items()
        if n
    )
    return Outcome(
        _("{name} replaces {loss_words}.").format(name=unit.name, loss_words=loss_words(back)),
        consequences=consequences,
    )
