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
from warbands.pages.formatting import clock, day, ducats_words
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

    return CapturePage(
        pk=capture.pk,
        title=_("{fighter} is held by {captor}").format(fighter=capture.fighter.name, captor=capture.captor_name)
        if held
        else capture.fighter.name,
        words=_taken_words(capture, owner.name),
        back=Link(_("Desk"), reverse("desk-show")),
        here=reverse("capture-settle", args=[capture.pk]),
        profile=names.name(capture.fighter.profile_id, "profile"),
        kit_words=_("After a ransom, the fighter returns healthy, without a new scar, and keeps its kit.")
        if at_once
        else _("The kit is lost either way. After a ransom, the fighter returns healthy, without a new scar."),
        offers=tuple(_offer(offer, capture) for offer in offers),
        parties=tuple(_party(role, capture, offers) for role in ("owner", "captor") if role in roles) if held else (),
        settled="" if held else _settled(capture),
        fighter_href=_fighter_href(capture),
        patience=_("The post-battle of {owner} can't finish before this.").format(owner=owner.name)
        if at_once
        else _("There is no deadline. You can finish post-battles meanwhile."),
    )


def _offer(offer: RansomOffer, capture: Capture) -> OfferLine:
    who = capture.captor_name if offer.by_captor else capture.warband.name
    words = _("{party} wants {price}") if offer.by_captor else _("{party} offers {price}")
    state = "" if offer.status == RansomOffer.Status.OPEN else offer.get_status_display().lower()
    return OfferLine(
        offer.pk,
        f"{day(offer.made_at)}, {clock(offer.made_at)}",
        words.format(party=who, price=ducats_words(offer.ducats)),
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
        price = ducats_words(theirs.ducats)
        if is_captor:
            label, words = (
                _("Take {ducats} d").format(ducats=theirs.ducats),
                _("{warband} offers {price}.").format(warband=capture.warband.name, price=price),
            )
        else:
            label, words = (
                _("Pay {ducats} d").format(ducats=theirs.ducats),
                _("{captor} wants {price}.").format(captor=capture.captor_name, price=price),
            )
        if capture.warband.strongbox_ducats < theirs.ducats:
            cannot = (
                _("There isn't enough in their {box} now.").format(box=box)
                if is_captor
                else _("There isn't enough in your {box}.").format(box=box)
            )
    return Party(
        role=role,
        name=capture.captor_name if is_captor else capture.warband.name,
        holds="" if warband is None else _("{ducats} d in the {box}").format(ducats=warband.strongbox_ducats, box=box),
        answer=theirs.pk if theirs is not None else None,
        answer_words=words,
        accept_label=label,
        cannot_pay=cannot,
        price_label=_("Ask") if is_captor else _("Offer"),
        price=str(mine.ducats) if mine is not None else "",
        mine=mine.pk if mine is not None else None,
        withdraw_label=_("Withdraw {ducats} d").format(ducats=mine.ducats) if mine is not None else "",
        **_end(capture, is_captor),
    )


def _end(capture: Capture, is_captor: bool) -> dict[str, str]:
    """Return how this party may end the captivity without a price."""
    name = capture.fighter.name
    if is_captor:
        words = _("Free of charge. The fighter goes home healthy.")
        return {
            "end_act": "let-go",
            "end_label": _("Release {name}").format(name=name),
            "end_words": words,
            "end_href": "",
        }
    if settled_at_once(capture):
        words = _("{captor} executes {name}. You confirm this in your own post-battle.").format(
            captor=capture.captor_name, name=name
        )
        return {"end_act": "", "end_label": _("No ransom"), "end_words": words, "end_href": _sequence_href(capture)}
    words = _("The fighter leaves the roster for good, and the kit with it.")
    return {
        "end_act": "give-up",
        "end_label": _("Give up {name}").format(name=name),
        "end_words": words,
        "end_href": "",
    }


def _sequence_href(capture: Capture) -> str:
    if capture.battle_id is None:
        return ""
    return reverse("post-battle-show", args=[capture.battle_id, capture.warband_id])


def _settled(capture: Capture) -> str:
    day_words = day(capture.settled_at) if capture.settled_at else ""
    words = {
        Capture.Status.RANSOMED: _("The ransom is paid. {fighter} is home.").format(fighter=capture.fighter.name),
        Capture.Status.FREED: _("{captor} released {fighter}.").format(
            captor=capture.captor_name, fighter=capture.fighter.name
        ),
        Capture.Status.LOST: _("{warband} gave {fighter} up.").format(
            warband=capture.warband.name, fighter=capture.fighter.name
        ),
    }.get(Capture.Status(capture.status), "")
    return f"{words} ({day_words})" if words and day_words else words


def _taken_words(capture: Capture, owner: str) -> str:
    taken = day(capture.taken_at)
    if capture.battle is None:
        return _("Taken from {owner}, {day}.").format(owner=owner, day=taken)
    return _("Taken from {owner} after {scenario}, {day}.").format(
        owner=owner, scenario=scenario_name(capture.battle), day=taken
    )


def _fighter_href(capture: Capture) -> str:
    try:
        return reverse("fighter-show", args=[capture.fighter_id])
    except NoReverseMatch:
        return ""
