"""House rules of a campaign for use by the rules: changed numbers, banned entries, and answers to open questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext


@dataclass(frozen=True, slots=True)
class HouseSetting:
    """One setting of a campaign: its key, the kind of value, the edition's own value, and a sentence on what it does."""

    key: str
    kind: Literal["yes-no", "number", "choice", "ids", "battles", "numbers", "price", "prices", "entries"]
    default: Any
    words: str
    options: tuple[tuple[str, str], ...] = ()
    label: str = ""  # its label; "": the key as words
    example: str = ""  # what one may type
    least: int = 0  # of a number


OWN_ENTRIES = """\
[[items]]
id = "weir-gun"
name = "Weir Gun"
category = "ranged"
slot = "ranged-weapon"
hands = { ranged = 2 }
range_inches = 30
keywords = ["HEAVY"]
weapon = true

[[item_offers]]
id = "new-antioch-weir-gun"
item = "weir-gun"
lists = ["new-antioch"]
price = { ducats = 25 }
limit = 1
"""

SETTINGS: tuple[HouseSetting, ...] = (
    HouseSetting(
        "budget",
        "price",
        None,
        gettext("Ducats and glory every warband starts with, in place of its list's own."),
        label=gettext("Starting money"),
        example="800",
    ),
    HouseSetting(
        "threshold_add",
        "number",
        0,
        gettext("Ducats added to the threshold of every battle."),
        label=gettext("Change to every threshold"),
        example="100",
        least=-2000,
    ),
    HouseSetting(
        "thresholds",
        "battles",
        {},
        gettext("The threshold of single battles, in ducats."),
        label=gettext("Thresholds by battle"),
        example="3: 900",
    ),
    HouseSetting(
        "field_strength_add",
        "number",
        0,
        gettext("Fighters added to the field strength of every battle."),
        label=gettext("Change to every field strength"),
        example="-2",
        least=-2000,
    ),
    HouseSetting(
        "field_strengths",
        "battles",
        {},
        gettext("The field strength of single battles, in fighters."),
        label=gettext("Field strengths by battle"),
        example="3: 12",
    ),
    HouseSetting(
        "elite_cap",
        "number",
        None,
        gettext("How many ELITE fighters a warband may have."),
        label=gettext("Most ELITE fighters"),
        example="4",
    ),
    HouseSetting(
        "banned",
        "ids",
        (),
        gettext("Lists, profiles, items and upgrades that no one can take here."),
        label=gettext("Banned"),
        example=gettext("Bayonet"),
    ),
    HouseSetting(
        "limits",
        "numbers",
        {},
        gettext("How many of an item, profile or upgrade a warband may have."),
        label=gettext("Changed limits"),
        example=gettext("Bayonet: 4"),
    ),
    HouseSetting(
        "prices",
        "prices",
        {},
        gettext("What an item, profile or upgrade costs from now on."),
        label=gettext("Changed prices"),
        example=gettext("Bayonet: 3 d"),
    ),
    HouseSetting(
        "third_party",
        "yes-no",
        False,
        gettext("All lists and entries from third parties are allowed."),
        label=gettext("Allow third-party lists"),
    ),
    HouseSetting(
        "allowed",
        "ids",
        (),
        gettext("Third-party lists and entries that are allowed one by one."),
        label=gettext("Third-party entries allowed"),
        example=gettext("Red Brigade"),
    ),
    HouseSetting(
        "extra",
        "entries",
        "",
        gettext("Items, profiles and more that exist only in this campaign."),
        label=gettext("Own entries"),
        example=OWN_ENTRIES,
    ),
)

READINGS: tuple[HouseSetting, ...] = (
    HouseSetting(
        "threshold_condition", "choice", "threshold", gettext("When a limit rises past 1000 ducats."),
        (("threshold", gettext("once the threshold reaches the figure")), ("threshold-over", gettext("once the threshold is above it")),
         ("rating", gettext("once the warband itself is worth more"))), label=gettext("Limits that rise with the threshold"),
    ),
    HouseSetting(
        "camp", "choice", "one", gettext("Whether money from sales may pay recruits."),
        (("one", gettext("one camp step for all of it")), ("strict", gettext("hire, then trade, then glory, as printed"))), label=gettext("Money from sales"),
    ),
    HouseSetting("shields_cost_hands", "yes-no", True, gettext("Shields, standards and instruments take a hand when equipping."), label=gettext("Shields take a hand")),
    HouseSetting("loot_respects_limit", "yes-no", False, gettext("Found and looted pieces count against LIMIT too."), label=gettext("Limits for found items")),
    HouseSetting("wretched_ratio", "choice", "strict", gettext("Whether Wretched may equal the fighters that must outnumber them."),
                 (("strict", gettext("fewer than the others")), ("equal", gettext("as many as the others"))), label=gettext("Number of Wretched")),
    HouseSetting("upgrades_any_time", "yes-no", False, gettext("Upgrades may be bought after recruitment too."), label=gettext("Upgrades after recruiting")),
    HouseSetting(
        "stage", "choice", "more", gettext("Whose battle count picks the scenario table."),
        (("more", gettext("the warband with more battles")), ("lower", gettext("the lower stage of the two"))), label=gettext("Scenario table"),
    ),
    HouseSetting(
        "attacker", "choice", "scenario", gettext("Who attacks where the campaign rules and the scenario both say."),
        (("scenario", gettext("as the scenario says")), ("fewer-battles", gettext("fewer battles choose, as the campaign rules say"))), label=gettext("Attacker"),
    ),
    HouseSetting(
        "late_field_strength", "choice", "credited", gettext("Which field strength a latecomer has."),
        (("credited", gettext("that of the campaign's battles")), ("own", gettext("that of its own battles"))), label=gettext("Field strength of a latecomer"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules in typed fields.

    `readings` holds every reading, with the default if none was set; `given` the names of those that were set.
    """

    budget: Price | None = None
    threshold_add: int = 0
    thresholds: Mapping[int, int] = field(default_factory=dict)
    field_strength_add: int = 0
    field_strengths: Mapping[int, int] = field(default_factory=dict)
    elite_cap: int | None = None
    banned: frozenset[str] = frozenset()
    limits: Mapping[str, int] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    third_party: bool = False
    allowed: frozenset[str] = frozenset()
    extra: str = ""
    withdrawn: tuple[tuple[str, Any], ...] = ()  # entries removed from `extra` again, which somebody may still own
    gone: frozenset[str] = frozenset()  # ids of those among them that the pack does not have
    priced: frozenset[str] = frozenset()  # offers and entries whose price was changed earlier
    readings: Mapping[str, Any] = field(default_factory=dict)
    given: frozenset[str] = frozenset()


def read_house_rules(data: Mapping[str, Any] | None) -> HouseRules:
    """Return the house rules stored as JSON. Raises Refusal for a wrong value.

    Unknown keys are ignored: they belong to other parts of a campaign's terms.
    """
    data = data or {}
    if not isinstance(data, Mapping):
        raise Refusal(gettext("House rules: a table of names and values is expected."), code="house-rule")
    readings, given = _read_settings(data)
    try:
        kept = data.get("kept") or {}
        budget = data.get("budget")
        return HouseRules(
            budget=Price(int(budget.get("ducats", 0)), int(budget.get("glory", 0))) if budget else None,
            threshold_add=int(data.get("threshold_add") or 0),
            thresholds=_by_battle(data.get("thresholds")),
            field_strength_add=int(data.get("field_strength_add") or 0),
            field_strengths=_by_battle(data.get("field_strengths")),
            elite_cap=None if data.get("elite_cap") is None else int(data["elite_cap"]),
            banned=_texts(data.get("banned")),
            limits={str(key): int(value) for key, value in (data.get("limits") or {}).items()},
            prices={str(key): _price(str(key), value) for key, value in (data.get("prices") or {}).items()},
            third_party=bool(data.get("third_party")),
            allowed=_texts(data.get("allowed")),
            extra=_text(data.get("extra")),
            withdrawn=tuple((str(name), entry) for name, entry in (kept.get("withdrawn") or ())),
            priced=_texts(kept.get("priced")),
            readings=readings,
            given=given,
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise Refusal(
            gettext("House rules: a number or a table is expected ({error}).").format(error=error), code="house-rule"
        ) from error


def _read_settings(data: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """Return every reading with its value, and the names of those that were set.

    Raises Refusal for a value that is not an option.
    """
    given = data.get("readings") or {}
    if not isinstance(given, Mapping):
        raise Refusal(gettext("House rules: readings must be a table of names and values."), code="house-rule")
    readings = {setting.key: setting.default for setting in READINGS}
    named = set(given)
    for setting in READINGS:
        value = given.get(setting.key, data.get(setting.key))
        if value is None:
            continue
        named.add(setting.key)
        options = [key for key, _ in setting.options]
        if setting.kind == "choice" and value not in options:
            known = ", ".join(options)
            raise Refusal(
                gettext("House rules: {key} is {value}; it can be {known}.").format(
                    key=setting.key, value=value, known=known
                ),
                code="house-rule",
            )
        readings[setting.key] = bool(value) if setting.kind == "yes-no" else value
    others = {key: value for key, value in given.items() if key not in readings}
    return {**readings, **others}, frozenset(named)


def _by_battle(numbers: Mapping[str, Any] | None) -> dict[int, int]:
    return {int(battle): int(number) for battle, number in (numbers or {}).items()}


def _texts(values: Iterable[Any] | None) -> frozenset[str]:
    return frozenset(str(value) for value in values or ())


MOST_PRICE = 9999


def _price(key: str, given: Any) -> Price:
    """Return a price of the house rules. Raises Refusal naming it if it is not a price."""
    if not isinstance(given, Mapping) or not set(given) <= {"ducats", "glory"}:
        raise Refusal(
            gettext("House rules: prices.{key} must name ducats or glory.").format(key=key), code="house-rule"
        )
    for currency, figure in given.items():
        if isinstance(figure, bool) or not isinstance(figure, int) or not 0 <= figure <= MOST_PRICE:
            raise Refusal(
                gettext("House rules: prices.{key}.{currency} must be from 0 to {most_price}.").format(
                    key=key, currency=currency, most_price=MOST_PRICE
                ),
                code="house-rule",
            )
    return Price(ducats=given.get("ducats", 0), glory=given.get("glory", 0))


def _text(given: Any) -> str:
    """Return the extra entries as text. Raises Refusal for anything else."""
    if given is not None and not isinstance(given, str):
        raise Refusal(gettext("House rules: extra must be a text in TOML."), code="house-rule")
    return given or ""
