"""The fields of a roster document. A document of another shape is refused with the path of the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from rules.content.extra import entries_named
from rules.content.house import read_house_rules
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext
from rules.trench_crusade.content import EDITIONS, GAME
from rules.visible import refuse_unseen_names

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


# Far more than anybody fields, yet small enough to process while other writers wait.
MOST_FIGHTERS, MOST_PIECES, MOST_IN_STASH = 120, 60, 400


class _RosterDoc(msgspec.Struct, forbid_unknown_fields=True):
    """Base class of a document's parts: an unknown key is refused, not dropped."""


class PriceDoc(_RosterDoc):
    ducats: Count = 0
    glory: Count = 0

    @property
    def price(self) -> Price:
        return Price(ducats=self.ducats, glory=self.glory)


class BattlesDoc(_RosterDoc):
    fought: Count = 0
    credited: Count = 0


class ItemDoc(_RosterDoc):
    item: str
    origin: Literal["bought", "found", "looted", "starting", "granted", "mandatory"] = "bought"
    offer: str = ""
    paid: PriceDoc | None = None
    choices: dict[str, Any] = {}


class UpgradeDoc(_RosterDoc):
    upgrade: str
    option: str = ""
    offer: str = ""
    paid: PriceDoc | None = None
    choices: dict[str, Any] = {}


class SkillDoc(_RosterDoc):
    skill: str
    choices: dict[str, Any] = {}


class TraumaDoc(_RosterDoc):
    trauma: str
    scar: bool | None = None
    details: dict[str, Any] = {}
    battle: Count = 0


class FighterDoc(_RosterDoc):
    profile: str
    name: str = ""
    kit: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    upgrades: Annotated[list[str | UpgradeDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    skills: Annotated[list[str | SkillDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    traumas: Annotated[list[str | TraumaDoc], msgspec.Meta(max_length=MOST_PIECES)] = []
    scars: Count | None = None
    experience: Count = 0
    advances: Count = 0
    promoted: bool = False
    demoted: bool | None = None
    misses_battle: Count = 0
    lifeless: bool = False
    joined: Count | None = None
    status: Literal["active", "captive", "dead", "dismissed", "retired", "sold", "left"] = "active"
    offer: str = ""
    paid: PriceDoc | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 1
    choices: dict[str, Any] = {}


class CampaignDoc(_RosterDoc):
    """What a warband carries over between battles besides its fighters."""

    promotion_misses: Count = 0
    lasting: list[str | dict[str, Any]] = []
    locations: dict[str, str] | list[str] = {}
    exploration_skills: list[str] = []
    last_scenario: str = ""
    reinforced_last: bool = False
    reinforcing: dict[str, Count] | None = None
    shop_until: int | str | None = None


class RosterDoc(_RosterDoc):
    game: str
    faction: str
    edition: str = ""
    variant: str | None = None
    name: str = ""
    mode: Literal["campaign", "one-off"] = "campaign"
    scope: Literal["roster", "purchase", "fielding"] = "roster"
    budget: PriceDoc | None = None
    battles: BattlesDoc = msgspec.field(default_factory=BattlesDoc)
    force: list[str] | None = None
    scenario: str | None = None
    attacker: bool | None = None
    wants: dict[str, str] | None = None
    patron: str | None = None
    choices: dict[str, Any] | None = None
    fighters: Annotated[list[FighterDoc], msgspec.Meta(max_length=MOST_FIGHTERS)] = []
    stash: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_IN_STASH)] = []
    lost: Annotated[list[str | ItemDoc], msgspec.Meta(max_length=MOST_IN_STASH)] = []
    campaign: CampaignDoc | None = None
    founding: bool | None = None
    house_rules: dict[str, Any] | None = None
    overlays: list[str] = []
    unread: list[dict[str, Any]] = []  # parts of a text that were not recognised, as the text import writes them
    record: Any = None


def decode(document: Mapping[str, Any]) -> RosterDoc:
    """Return the typed document. Raises Refusal with the field path, or for an unknown game or edition."""
    try:
        data = msgspec.convert(document, RosterDoc)
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        raise Refusal(
            gettext("The document cannot be read at {at}: {words}.").format(at=at.strip("`") or "$", words=words),
            code="unreadable",
        ) from error
    if data.game != GAME:
        raise Refusal(
            gettext("The document is for “{game}”, not for {game_2} (at $.game).").format(game=data.game, game_2=GAME),
            code="unknown-game",
        )
    if data.edition and data.edition not in EDITIONS:
        raise Refusal(
            gettext("No edition “{edition}” is kept here (at $.edition); known: {editions}.").format(
                edition=data.edition, editions=", ".join(EDITIONS)
            ),
            code="unknown-edition",
        )
    own = entries_named(read_house_rules(data.house_rules).extra)
    refuse_unseen_names(data.name, *(fighter.name for fighter in data.fighters), *(entry.name for entry in own))
    return data
