"""The page of a captive, where its owner and its captor exchange prices or end the captivity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from campaigns.access import acts_for
from campaigns.models import Capture, RansomOffer
from campaigns.scenarios import scenario_name
from campaigns.services.ransom import settled_at_once
from warbands.labels import labels_of
from warbands.pages.formatting import clock, day, plural
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class OfferLine:
    pk: int
    when: str
    words: str
    state_words: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Party:
    role: str  # owner, captor
    name: str
    holds: str
    answer: int | None
    answer_words: str
    accept_label: str
    cannot_pay: str
    price_label: str
    price: str
    mine: int | None
    withdraw_label: str
    end_act: str
    end_label: str
    end_words: str
    end_href: str  # the page that ends it, if not this one


@dataclass(frozen=True, slots=True)
class CapturePage:
    pk: int
    title: str
    words: str
    back: Link
    here: str
    profile: str
    kit_words: str
    offers: tuple[OfferLine, ...]
    parties: tuple[Party, ...]
    settled: str
    fighter_href: str
    patience: str


def capture_page(capture: Capture, user: Any, roles: frozenset[str]) -> CapturePage:
    """Build the page. Three queries."""
    offers = list(RansomOffer.objects.live().filter(capture=capture).select_related("by").order_by("pk"))
    owner = capture.warband
    at_once = settled_at_once(capture)
    held = capture.status == Capture.Status.HELD
    both = roles == frozenset({"owner", "captor"})
    if both:  # an administrator who is one of the two parties acts as that party, and on behalf of the other
        both = not (acts_for(user, owner) and acts_for(user, capture.captor))
    names = names_of(owner.terms)
    battle = capture.battle
    return CapturePage(
        pk=capture.pk,
        title=f"{capture.fighter.name} is held by {capture.captor_name}" if held else capture.fighter.name,
        words=f"Taken from {owner.name}"
        + (f" after {scenario_name(battle)}" if battle is not None else "")
        + f", {day(capture.taken_at)}.",
        back=Link("Desk", reverse("desk-show")),
        here=reverse("capture-settle", args=[capture.pk]),
        profile=names.name(capture.fighter.profile_id, "profile"),
        kit_words="Ransomed, the fighter is back in full health, without a scar, and keeps its kit."
        if at_once
        else "The kit is lost either way. Ransomed, the fighter is back in full health, without a scar.",
        offers=tuple(_offer(offer, capture) for offer in offers),
        parties=tuple(_party(role, capture, offers) for role in ("owner", "captor") if role in roles) if held else (),
        settled="" if held else _settled(capture),
        fighter_href=_fighter_href(capture),
        patience=f"The post-battle of {owner.name} waits for this."
        if at_once
        else "A captive waits as long as it takes; no sequence stops for it.",
    )


def _offer(offer: RansomOffer, capture: Capture) -> OfferLine:
    who = capture.captor_name if offer.by_captor else capture.warband.name
    verb = "wants" if offer.by_captor else "offers"
    state = "" if offer.status == RansomOffer.Status.OPEN else offer.get_status_display().lower()
    return OfferLine(
        offer.pk,
        f"{day(offer.made_at)}, {clock(offer.made_at)}",
        f"{who} {verb} {plural(offer.ducats, 'ducat')}",
        state,
        not state,
    )


def _party(role: str, capture: Capture, offers: list[RansomOffer]) -> Party:
    is_captor = role == "captor"
    open_offers = {offer.by_captor: offer for offer in reversed(offers) if offer.status == RansomOffer.Status.OPEN}
    theirs, mine = open_offers.get(not is_captor), open_offers.get(is_captor)
    warband = capture.captor if is_captor else capture.warband
    box = labels_of(capture.warband.terms)["strongbox_within"]
    cannot = label = words = ""
    if theirs is not None:
        price = plural(theirs.ducats, "ducat")
        if is_captor:
            label, words = f"Take {theirs.ducats} d", f"{capture.warband.name} offers {price}."
        else:
            label, words = (
                f"Pay {theirs.ducats} d",
                _("{captor} wants {price}.").format(captor=capture.captor_name, price=price),
            )
        if capture.warband.strongbox_ducats < theirs.ducats:
            cannot = f"Their {box} does not cover it now." if is_captor else f"Your {box} does not cover it."
    return Party(
        role=role,
        name=capture.captor_name if is_captor else capture.warband.name,
        holds="" if warband is None else f"{warband.strongbox_ducats} d in the {box}",
        answer=theirs.pk if theirs is not None else None,
        answer_words=words,
        accept_label=label,
        cannot_pay=cannot,
        price_label="Ask" if is_captor else "Offer",
        price=str(mine.ducats) if mine is not None else "",
        mine=mine.pk if mine is not None else None,
        withdraw_label=f"Take {mine.ducats} d off the table" if mine is not None else "",
        **_end(capture, is_captor),
    )


def _end(capture: Capture, is_captor: bool) -> dict[str, str]:
    """Return how this party may end the captivity without a price."""
    name = capture.fighter.name
    if is_captor:
        words = "For nothing; the fighter goes home in full health."
        return {"end_act": "let-go", "end_label": f"Release {name} go", "end_words": words, "end_href": ""}
    if settled_at_once(capture):
        words = f"{capture.captor_name} executes {name}. That is written in your own sequence."
        return {"end_act": "", "end_label": "No ransom", "end_words": words, "end_href": _sequence_href(capture)}
    words = "The fighter leaves the roster for good, and the kit with it."
    return {"end_act": "give-up", "end_label": f"Give {name} up", "end_words": words, "end_href": ""}


def _sequence_href(capture: Capture) -> str:
    if capture.battle_id is None:
        return ""
    return reverse("post-battle-show", args=[capture.battle_id, capture.warband_id])


def _settled(capture: Capture) -> str:
    when = f", {day(capture.settled_at)}" if capture.settled_at else ""
    return {
        Capture.Status.RANSOMED: f"The ransom is paid; {capture.fighter.name} is home{when}.",
        Capture.Status.FREED: f"{capture.captor_name} released {capture.fighter.name} go{when}.",
        Capture.Status.LOST: f"{capture.warband.name} gave {capture.fighter.name} up{when}.",
    }.get(Capture.Status(capture.status), "")


def _fighter_href(capture: Capture) -> str:
    try:
        return reverse("fighter-show", args=[capture.fighter_id])
    except NoReverseMatch:
        return ""
