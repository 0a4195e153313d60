"""What a post-battle step shows beside its tasks: the ways into the warband's own pages, and its captives."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Capture, PostBattle
from campaigns.sequence import StepSequence
from rules.parts.post_battle import StepKind
from warbands.labels import labels_of
from warbands.models import Warband
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class Door:
    """A link from the camp step to one of the warband's pages."""

    label: str
    href: str
    words: str


DOOR_WORDS = {
    "hire": (gettext_lazy("Hire"), "fighter-hire", gettext_lazy("Recruits and mercenaries.")),
    "buy": (gettext_lazy("Buy {kit}"), "stash-show", gettext_lazy("Into the {stash}, or for one {fighter} below.")),
    "sell": (gettext_lazy("Sell"), "stash-show", gettext_lazy("For half the price, from the {stash}.")),
    "glory": (gettext_lazy("Spend glory"), "stash-show", gettext_lazy("Items that cost glory.")),
    "move": (gettext_lazy("Move {kit}"), "warband-show", gettext_lazy("Between {fighters} and the {stash}.")),
}


def doors(step: StepKind, warband: Warband) -> tuple[Door, ...]:
    if not step.doors:
        return ()
    labels, found = labels_of(warband.terms), []
    for door in step.doors:
        label, name, words = DOOR_WORDS.get(door, (door.capitalize(), "warband-show", ""))
        named = {key: labels[f"{key}_within"] for key in ("stash", "fighter", "fighters", "kit", "strongbox", "glory")}
        label, words = str(label).format(**named), str(words).format(**named)
        href = reverse(name, args=[warband.pk])
        if door == "glory" and "hire" not in step.doors:
            found.append(
                Door(
                    _("Hire for glory"),
                    reverse("fighter-hire", args=[warband.pk]),
                    _("Mercenaries that cost glory."),
                )
            )
        found.append(Door(label, href, words))
    camp = Door(
        _("Rewards to collect"), reverse("camp-show", args=[warband.pk]), _("Rewards, and finds that can be used up.")
    )
    return (*found, camp)


def kits(step: StepKind, sequence: StepSequence) -> tuple[Link, ...]:
    if not {"buy", "glory", "move"} & set(step.doors):
        return ()
    return tuple(
        Link(fighter.name, reverse("kit-buy", args=[fighter.key]))
        for fighter in sequence.force.fighters
        if fighter.active
    )


def captives(post_battle: PostBattle) -> tuple[Link, ...]:
    """Return links to the captives that this warband lost or took in any battle. One query."""
    held = Capture.objects.live().filter(status=Capture.Status.HELD).select_related("fighter", "warband", "captor")
    mine = held.filter(Q(warband=post_battle.warband_id) | Q(captor=post_battle.warband_id))
    return tuple(
        Link(
            _("{name} is held by {captor}").format(name=c.fighter.name, captor=c.captor_name)
            if c.warband_id == post_battle.warband_id
            else _("You have {name} of {warband}").format(name=c.fighter.name, warband=c.warband.name),
            reverse("capture-settle", args=[c.pk]),
        )
        for c in mine
    )


def captives_words(sequence: StepSequence) -> str:
    campaign = sequence.game.campaign
    if campaign is not None and campaign.captives(sequence.content) == "settled":
        return _("Settle the ransom of a captive from this battle before you go on.")
    return _("You can go on before a ransom is paid.")
