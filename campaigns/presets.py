"""The presets that come with the app, and those that a club keeps: what a new campaign starts with.

A preset has an address: "ours-short" for one of ours, the number of its row for one of a club.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Administrator, Campaign, CampaignPreset


@dataclass(frozen=True, slots=True)
class Preset:
    """What a campaign starts with. `system` and `edition` are "" where the preset fits every game.

    `fields` are seen_by, rosters, dice, rounds_planned and notes, as far as it sets them.
    """

    key: str
    name: str
    words: str
    system: str = ""
    edition: str = ""
    overlays: tuple[str, ...] | None = None  # None: those of the newest official state
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)


OURS = (
    Preset(
        "ours-short",
        gettext_lazy("Short season"),
        gettext_lazy("Six rounds for a club that meets every other week. Reports are confirmed after 5 days."),
        settings={"silence_days": 5, "catch_up_at": 6, "bye_points": 1},
        fields={"rounds_planned": 6, "rosters": "open"},
    ),
    Preset(
        "ours-book",
        gettext_lazy("By the book"),
        gettext_lazy("No rounds set. Warbands pause after 11 battles until the others catch up."),
        settings={"silence_days": 7, "catch_up_at": 11, "tie_break": "none"},
        fields={"rounds_planned": 0, "rosters": "open"},
    ),
    Preset(
        "ours-league",
        gettext_lazy("League with a table"),
        gettext_lazy("Ten rounds, lists are checked, ties go to more battles won. Anyone with the link can watch."),
        settings={"silence_days": 4, "lists_looked_at": True, "tie_break": "wins", "catch_up_at": 0},
        fields={"rounds_planned": 10, "rosters": "opponents", "seen_by": "link"},
    ),
    Preset(
        "ours-fog",
        gettext_lazy("Fog of war"),
        gettext_lazy("Eight rounds. Rosters stay hidden until both sides are ready, and lists are checked first."),
        settings={"lists_looked_at": True, "silence_days": 7},
        fields={"rounds_planned": 8, "rosters": "muster"},
    ),
)


def presets_for(user: Any) -> list[Preset]:
    """Return our presets, then those of every campaign that this person administers or has administered with others.

    One query. Whoever administers a campaign together with somebody may use the presets of that person's campaigns.
    """
    mine = Administrator.objects.live().filter(user=user, campaign__is_undone=False).values("campaign")
    fellows = Administrator.objects.live().filter(campaign__in=mine).values("user")
    theirs = Administrator.objects.live().filter(user__in=fellows, campaign__is_undone=False).values("campaign")
    rows = CampaignPreset.objects.live().filter(is_away=False, campaign__in=theirs, campaign__is_undone=False)
    return [*OURS, *map(preset_of, rows.select_related("campaign"))]


def find_preset(presets: Iterable[Preset], key: str) -> Preset | None:
    return next((preset for preset in presets if preset.key == key), None) if key else None


def preset_fields(preset: Preset | None) -> dict[str, Any]:
    """Return what the form of a new campaign shows for a preset."""
    if preset is None:
        return {}
    game = {"game": f"{preset.system}/{preset.edition}"} if preset.system else {}
    return {**preset.fields, **game, "preset": preset.key}


def preset_rules(preset: Preset | None) -> dict[str, Any]:
    """Return what a preset sets beside the form: house rules, overlays and settings."""
    if preset is None:
        return {}
    return {
        "house_rules": dict(preset.house_rules),
        "overlays": preset.overlays,
        "settings": dict(preset.settings),
    }


def preset_of(row: CampaignPreset) -> Preset:
    data = row.data
    return Preset(
        key=str(row.pk),
        name=row.name,
        words=_("From {campaign}").format(campaign=row.campaign.name),
        system=data["system"],
        edition=data["edition"],
        overlays=tuple(data["overlays"]),
        house_rules=deepcopy(data["house_rules"]),
        settings=deepcopy(data["settings"]),
        fields={key: data[key] for key in ("seen_by", "rosters", "dice", "rounds_planned", "notes")},
    )


def data_of(campaign: Campaign) -> dict[str, Any]:
    """Return what a preset keeps of a campaign. House rules that are still to come are left out."""
    terms = campaign.terms
    return {
        "system": terms.system,
        "edition": terms.edition,
        "overlays": deepcopy(terms.overlays),
        "house_rules": deepcopy(terms.in_force),
        "settings": deepcopy(campaign.settings),
        "seen_by": campaign.seen_by,
        "rosters": campaign.rosters,
        "dice": campaign.dice,
        "rounds_planned": campaign.rounds_planned,
        "notes": campaign.notes,
    }
