"""The settings of a campaign: what counts, how ties are broken, when silence confirms a report. Each has a default
and a description.

They are stored in `Campaign.settings`. The interpretation of a rule in the book (which scenario table, one camp step
or four) is instead a setting of the campaign's terms. These are stored in `Terms.house_rules["readings"]`, and
`house_settings()` lists what the game offers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign
from rules.problems import Refusal
from warbands.models import Terms
from warbands.pages.house_rules import setting_words


@dataclass(frozen=True, slots=True)
class CampaignSetting:
    """One setting: key, label, kind of value, default, a sentence about it, its options with their labels, and the
    range of a number."""

    key: str
    label: str
    kind: Literal["number", "choice", "yes-no"]
    default: Any
    words: str
    options: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0


UNPLAYED_COUNTS = (
    ("number", gettext_lazy("for the result and as a battle")),
    ("nothing", gettext_lazy("for the result only")),
)
COUNTS = (("all", gettext_lazy("like a played battle")), *UNPLAYED_COUNTS)

CAMPAIGN_SETTINGS: tuple[CampaignSetting, ...] = (
    CampaignSetting(
        "silence_days",
        gettext_lazy("Unanswered reports are confirmed after"),
        "number",
        7,
        gettext_lazy("In days. 0 means never."),
        most=60,
    ),
    CampaignSetting(
        "confirm_by",
        gettext_lazy("Who must confirm"),
        "choice",
        "all",
        gettext_lazy("For battles with three sides or more."),
        (
            ("all", gettext_lazy("every other side")),
            ("most", gettext_lazy("more than half of the others")),
            ("one", gettext_lazy("one other side")),
        ),
    ),
    CampaignSetting(
        "points",
        gettext_lazy("Ranked by"),
        "choice",
        "both",
        gettext_lazy("Which points count in the standings."),
        (
            ("both", gettext_lazy("victory points and campaign points together")),
            ("victory", gettext_lazy("victory points only")),
            ("campaign", gettext_lazy("campaign points only")),
        ),
    ),
    CampaignSetting(
        "tie_break",
        gettext_lazy("Level on points"),
        "choice",
        "none",
        gettext_lazy("How ties are broken. By the rules they share the rank."),
        (
            ("none", gettext_lazy("they share the rank")),
            ("wins", gettext_lazy("more battles won")),
            ("games", gettext_lazy("fewer battles needed")),
            ("glory", gettext_lazy("more glory")),
            ("meeting", gettext_lazy("results against each other")),
        ),
    ),
    CampaignSetting(
        "newer_rules",
        gettext_lazy("Newer official rules"),
        "choice",
        "offer",
        gettext_lazy("Whether the desk offers them. They are never taken by themselves."),
        (
            ("offer", gettext_lazy("are offered in the campaign desk")),
            ("stay", gettext_lazy("are not offered")),
        ),
    ),
    CampaignSetting(
        "guests_count",
        gettext_lazy("Battles against guests"),
        "choice",
        "growth",
        gettext_lazy("What guest battles count for."),
        (("all", "everything"), ("growth", gettext_lazy("experience, not the standings")), ("nothing", "neither")),
    ),
    CampaignSetting(
        "walk_over_points",
        gettext_lazy("Points for a walk-over"),
        "number",
        0,
        gettext_lazy("Points for the side that came, if none were agreed."),
        most=99,
    ),
    CampaignSetting(
        "no_show_points",
        gettext_lazy("Points for a no-show"),
        "number",
        0,
        gettext_lazy("Points for the side whose opponent didn't come."),
        most=99,
    ),
    CampaignSetting(
        "conceded_points",
        gettext_lazy("Points for a concession"),
        "number",
        0,
        gettext_lazy("Points for the side whose opponent gave up before the battle."),
        most=99,
    ),
    CampaignSetting(
        "bye_points",
        gettext_lazy("Points for a bye"),
        "number",
        0,
        gettext_lazy("Points for a player without an opponent. A bye is never a win."),
        most=99,
    ),
    CampaignSetting(
        "walk_over_counts",
        gettext_lazy("Walk-overs"),
        "choice",
        "nothing",
        gettext_lazy("What a walk-over counts for in the warbands."),
        UNPLAYED_COUNTS,
    ),
    CampaignSetting(
        "no_show_counts",
        gettext_lazy("No-shows"),
        "choice",
        "nothing",
        gettext_lazy("What a no-show counts for in the warbands."),
        UNPLAYED_COUNTS,
    ),
    CampaignSetting(
        "conceded_counts",
        gettext_lazy("Conceded battles"),
        "choice",
        "nothing",
        gettext_lazy("What a conceded battle counts for."),
        COUNTS,
    ),
    CampaignSetting(
        "abandoned_counts",
        gettext_lazy("Abandoned battles"),
        "choice",
        "nothing",
        gettext_lazy("What an unfinished battle counts for."),
        COUNTS,
    ),
    CampaignSetting(
        "catch_up_at",
        gettext_lazy("Pause a warband after"),
        "number",
        11,
        gettext_lazy("Battles until it waits for the others. 0 means never."),
        most=99,
    ),
    CampaignSetting(
        "lists_looked_at",
        gettext_lazy("Check starting lists"),
        "yes-no",
        False,
        gettext_lazy("An administrator accepts each list before its first battle."),
    ),
    CampaignSetting(
        "code_without_account",
        gettext_lazy("Battle sheet codes without an account"),
        "yes-no",
        False,
        gettext_lazy("Anybody with the code on a sheet may send that side's report as a draft."),
    ),
)

BY_KEY: Mapping[str, CampaignSetting] = {setting.key: setting for setting in CAMPAIGN_SETTINGS}


def setting_of(campaign: Campaign, key: str) -> Any:
    """Return the value of a setting, or its default. Raises KeyError for a setting that does not exist."""
    return campaign.settings.get(key, BY_KEY[key].default)


def settings_of(campaign: Campaign) -> dict[str, Any]:
    return {each.key: setting_of(campaign, each.key) for each in CAMPAIGN_SETTINGS}


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return validated settings in the form in which they are stored. Raises Refusal naming the invalid setting."""
    stored: dict[str, Any] = {}
    for key, value in given.items():
        known = BY_KEY.get(key)
        if known is None:
            raise Refusal(_("There is no setting “{key}”.").format(key=key), code="unknown-setting")
        stored[key] = _checked_value(known, value)
    return stored


def _checked_value(known: CampaignSetting, value: Any) -> Any:
    if known.kind == "yes-no":
        return bool(value) and value not in ("off", "no", "0", "false")
    if known.kind == "choice":
        if value not in {option for option, __ in known.options}:
            raise Refusal(
                _("{known}: “{value}” is not one of the choices.").format(known=known.label, value=value),
                code="unknown-option",
            )
        return value
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if not known.least <= number <= known.most:
        raise Refusal(
            _("{known}: a whole number from {least} to {most} is needed.").format(
                known=known.label, least=known.least, most=known.most
            ),
            code="out-of-range",
        )
    return number


def house_settings(terms: Terms) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the values that house rules may replace, and the interpretations of unclear rules, as the game offers
    them.

    The first are stored in `Terms.house_rules` itself, the second in its "readings". Each has key, kind, default,
    words and options.
    """
    return terms.game.rulebook.house_settings(terms.content)


def rules_settings(campaign: Campaign) -> dict[str, Any]:
    """Return the interpretations that differ from the book, for functions of the game that take settings."""
    return dict(campaign.terms.in_force.get("readings", {}))


def house_rule_words(campaign: Campaign) -> tuple[str, ...]:
    """Return a sentence for each house rule and interpretation that differs from the book."""
    rules = campaign.terms.in_force
    given = {**rules, **rules.get("readings", {})}
    numbers, readings = house_settings(campaign.terms)
    words = []
    for setting in (*numbers, *readings):
        value = given.get(setting.key, setting.default)
        if value in (None, "", [], {}, ()) or value == setting.default:
            continue
        words.append(f"{setting.words} {_told(setting, value, campaign.terms)}")
    return tuple(words)


def _told(setting: Any, value: Any, terms: Terms) -> str:
    if setting.kind == "choice":
        return dict(setting.options).get(value, str(value)).capitalize() + "."
    if setting.kind == "yes-no":
        return _("Yes.") if value else "No."
    if setting.kind == "price":
        return _("{value} ducats, {value_2} glory.").format(value=value.get("ducats", 0), value_2=value.get("glory", 0))
    if setting.kind in ("ids", "battles", "numbers", "prices", "entries"):
        return f"{setting_words(setting, value, terms)}."
    return f"{value}."
