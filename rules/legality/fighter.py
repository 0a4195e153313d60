"""The rules that one fighter breaks by itself."""

from __future__ import annotations

from collections.abc import Iterator

from rules import vocabulary as v
from rules.choices import Asking, mend_words, of_fighter
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame
from rules.fighters.sources import Cause
from rules.force import ForceFighter
from rules.legality.finding import Finding
from rules.legality.hands import hand_findings, heavy_findings, slot_findings
from rules.legality.kit import (
    attachment_findings,
    carry_limit_findings,
    copy_findings,
    must_carry_findings,
    permission_findings,
)
from rules.legality.upgrades import upgrade_findings
from rules.translation import gettext as _


def fighter_findings(content: Content, frame: Frame, fighter: ForceFighter, who: Facts) -> tuple[Finding, ...]:
    """Return everything this fighter breaks by itself, cached with its facts."""
    if who.remembered.findings is None:
        choices = of_fighter(content, frame.list, fighter, who)
        who.remembered.findings = (
            *_unknown_names(who),
            *permission_findings(content, frame, fighter, who),
            *slot_findings(content, who),
            *hand_findings(content, who),
            *heavy_findings(content, who),
            *copy_findings(content, who),
            *carry_limit_findings(content, who),
            *attachment_findings(who),
            *must_carry_findings(content, who),
            *upgrade_findings(content, frame, fighter, who),
            *(found for asking in choices if (found := open_choice(asking, who.explicit))),
        )
    return who.remembered.findings


def _unknown_names(who: Facts) -> Iterator[Finding]:
    for kind, id_ in who.missing:
        text = _("{{who}}: no {kind} is called “{id}”.").format(kind=kind, id=id_)
        yield Finding("unknown-name", text, _("Choose one of the armoury."), item=id_, subject=id_)


def open_choice(asking: Asking, explicit: bool) -> Finding | None:
    """Return the finding for a choice that is open or invalid.

    A roster document may leave choices out; database rows (`explicit`) may not.
    """
    choosing = asking.choosing
    if not choosing.wrong and not (choosing.open and explicit and choosing.asked.options):
        return None
    where = "" if choosing.row == "warband" or not choosing.fighter else "{who}: "
    text = (
        f"{choosing.source}: {choosing.wrong}."
        if choosing.wrong
        else _("{source} leaves a choice open.").format(source=choosing.source)
    )
    return Finding(
        "choice",
        f"{where}{text}",
        mend_words(choosing.asked),
        asking.where,
        choosing.source if choosing.row == "item" else "",
        asking.row,
        f"choice-{asking.source_id}-{choosing.asked.key}",
    )


def worth_findings(who: Facts) -> Iterator[Finding]:
    """Yield findings for a fighter that is worth too little to be in the warband."""
    for cause in who.of(v.WorthEffect):
        if cause.effect.on_roster:
            yield from too_little_worth(cause, who, "needs", _("dismiss {who}"))


def too_little_worth(cause: Cause, who: Facts, code: str, otherwise: str) -> Iterator[Finding]:
    """Yield a finding if a fighter with its kit is worth less than a rule requires.

    The rule does not apply to mercenaries.
    """
    rule: v.WorthEffect = cause.effect
    if who.mercenary or who.offer is None or any(who.is_profile(profile) for profile in rule.except_profiles):
        return
    missing = rule.least_ducats - who.rating.ducats
    if missing > 0:
        yield Finding(
            code,
            _("{{who}} is worth {ducats} ducats with its kit; {name} needs at least {least_ducats}.").format(
                ducats=who.rating.ducats, name=cause.source.name, least_ducats=rule.least_ducats
            ),
            _("Add {missing} ducats of kit or {otherwise}.").format(missing=missing, otherwise=otherwise),
            cause.source.where,
            subject="worth",
            size=missing,
        )
