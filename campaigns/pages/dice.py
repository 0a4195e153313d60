"""The page where anybody who reads a battle's table can check the app's dice: the seal, the seed once it is open, and the script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.dice_record import by_app, opened_seed, read_rolls, script_text, taken_back_words
from campaigns.models import Battle, Campaign, Side, Table
from campaigns.models.battle import REPORTED
from campaigns.pages.formatting import against
from warbands.pages.widgets import Link

SHOWN = 12  # digits of the seal on the table's page


@dataclass(frozen=True, slots=True)
class DicePage:
    """`seal` is "" without sealed dice, and `told` says why. `seed` is "" until the battle is reported."""

    title: str
    versus: str
    back: Link
    told: str
    seal: str
    seed: str
    rolls: int
    taken_back: str
    record: Link | None  # None where nothing was tracked
    script: str


def dice_page(battle: Battle, sides: Sequence[Side], table: Table | None, *, by_link: bool = False) -> DicePage:
    """Build the page. Three queries; `sides` are loaded."""
    address = [battle.campaign.slug, battle.pk] if by_link else [battle.pk]
    return DicePage(
        title=_("Dice of this battle"),
        versus=against(list(sides)),
        back=Link(_("Table"), reverse("table-watch" if by_link else "battle-track", args=address)),
        told=_told(battle, table),
        seal=table.seal if table is not None else "",
        seed=opened_seed(battle, table),
        rolls=sum(by_app(act) for act in read_rolls(battle.pk)),
        taken_back=taken_back_words(battle, sides),
        record=None
        if table is None
        else Link(_("Download the dice"), reverse("dice-watch-export" if by_link else "dice-export", args=address)),
        script=script_text(),
    )


def _told(battle: Battle, table: Table | None) -> str:
    if table is None and battle.status in REPORTED:
        return _("This battle was not tracked, so it has no sealed dice.")
    if table is None:
        return _("Tracking hasn't started, so no dice are sealed yet.")
    return "" if table.seal else _("These dice are not sealed: tracking started before the app sealed dice.")


def dice_link(battle: Battle, table: Table, *, by_link: bool = False) -> Link | None:
    """Return the line about the dice on the table's page. None where the campaign rolls its own dice. No queries."""
    if battle.campaign.dice == Campaign.Dice.TYPED:
        return None
    words = _("Dice sealed: {seal}…").format(seal=table.seal[:SHOWN]) if table.seal else _("Dice not sealed")
    if by_link:
        return Link(words, reverse("dice-watch", args=[battle.campaign.slug, battle.pk]))
    return Link(words, reverse("dice-check", args=[battle.pk]))
