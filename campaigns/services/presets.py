"""The services for presets: save a campaign's settings as one, and remove it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Campaign, CampaignPreset
from campaigns.presets import data_of
from campaigns.services.common import cleaned_name
from rules.problems import Refusal
from warbands.recording import recording

MOST = 20  # presets of one campaign


def save_preset(*, campaign: Campaign, name: str, actor: Any, token: str = "") -> CampaignPreset:
    """Keep a campaign's settings and house rules as a preset. Raises Refusal for a name that it has used already."""
    name = cleaned_name(name, _("A preset"), most=60, field="name")
    with recording(campaign, kind="preset", actor=actor, token=token) as act:
        row = act.row(campaign)
        kept = CampaignPreset.objects.live().filter(campaign=row, is_away=False)
        if kept.filter(name__iexact=name).exists():
            raise Refusal(
                _("This campaign has a preset called {name}.").format(name=name),
                mend=_("Choose another name."),
                code="name-taken",
                field="name",
            )
        if kept.count() >= MOST:
            raise Refusal(_("Up to {most} presets.").format(most=MOST), mend=_("Remove one first."), code="count")
        preset = act.also_about(act.create(CampaignPreset(campaign=row, name=name, data=data_of(row))))
        act.say(_("{{who}} saved the settings of {campaign} as a preset: {name}.").format(campaign=row.name, name=name))
    return preset  # type: ignore[no-any-return]


def remove_preset(*, preset: CampaignPreset, actor: Any, token: str = "") -> CampaignPreset:
    """Remove a preset from the lists. Campaigns that were started with it keep what they have."""
    with recording(preset.campaign, preset, kind="preset-remove", actor=actor, token=token) as act:
        row = act.row(preset)
        if row.is_away:
            raise Refusal(_("{name} was removed already.").format(name=row.name), code="gone")
        act.change(row, is_away=True)
        act.say(_("{{who}} removed the preset {name}.").format(name=row.name))
    return row  # type: ignore[no-any-return]
