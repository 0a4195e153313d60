"""The services of a friendly battle: two people, two rosters, no campaign that anybody sees, and nothing afterwards.

A friendly battle hangs on a campaign of kind FRIENDLY with two seats, because muster, table and report read their terms, dice
and people there. The seats hold no warbands: the sides name them, so a warband may play friendly battles while it has its
place in a campaign. No post-battle sequence is made of one, and so no roster, ledger or standing changes.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Campaign, Seat, Side
from campaigns.services.common import new_link
from rules.formatting import joined
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.labels import edition_name
from warbands.models import Terms, Warband
from warbands.newest_state import newest_overlays
from warbands.pages.rule_links import names_of
from warbands.recording import recording

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is mistaken for another
CODE_LENGTH = 8


def new_code() -> str:
    """Return a fresh code: as a part of the link and as what one types, about 39 bits."""
    return "".join(secrets.choice(LETTERS) for _place in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return a typed code in the form in which it is stored: "k7mq-2xya" is "K7MQ2XYA"."""
    return "".join(letter for letter in typed.upper() if letter in LETTERS)


def seat_of_code(code: str) -> Seat:
    """Return the free seat of a friendly battle. Raises Refusal for a code that is unknown, taken or called off. One query."""
    seat = (
        Seat.objects.live()
        .filter(
            claim_token=code,
            user=None,
            campaign__kind=Campaign.Kind.FRIENDLY,
            campaign__is_undone=False,
            sides__battle__status__in=AHEAD,
        )
        .exclude(claim_token="")
        .select_related("campaign__terms")
        .first()
    )
    if seat is None:
        raise Refusal(
            _("This friendly battle is taken or cancelled."), mend=_("Ask for a new code."), code="friendly-taken"
        )
    return seat


def start_friendly(*, warband: Warband, actor: Any, token: str = "") -> Battle:
    """Set up a friendly battle for a warband of this person, and a code for the other player. Raises Refusal."""
    with recording(kind="friendly", actor=actor, token=token) as act:
        refuse_unless_own(warband, actor)
        terms = act.create(with_rules_of(warband, _terms(warband.terms)))
        refuse_unfit(terms, warband)
        campaign = act.create(
            Campaign(
                name=_("Friendly battle"),
                kind=Campaign.Kind.FRIENDLY,
                slug=new_link(),
                terms=terms,
                rosters=Campaign.Rosters.MUSTER,
            )
        )
        mine = act.create(Seat(campaign=campaign, user=actor, name=str(actor)[:80]))
        other = act.create(Seat(campaign=campaign, name=_("Opponent"), claim_token=new_code()))
        battle = act.create(Battle(campaign=campaign))
        act.also_about(battle)
        act.create(Side(battle=battle, seat=mine, warband=warband, place=1))
        act.create(Side(battle=battle, seat=other, place=2))
        act.also_told_to(warband)
        act.say(_("{{who}} set up a friendly battle for {warband}.").format(warband=warband.name))
    return battle


def take_friendly(*, code: str, warband: Warband, actor: Any, token: str = "") -> Battle:
    """Bring the second warband. Whoever set the battle up may bring it too, and then plays both sides. Raises Refusal."""
    found = seat_of_code(code)
    side = found.sides.live().select_related("battle__campaign__terms").get()
    battle = side.battle
    with recording(
        found.campaign,
        found.campaign.terms,
        battle,
        found,
        side,
        kind="friendly",
        actor=actor,
        for_name="",
        occasion=battle.occasion,
        token=token,
    ) as act:
        seat_of_code(code)  # taken while we waited for the lock?
        refuse_unless_own(warband, actor)
        terms = act.row(found.campaign.terms)
        wider = with_rules_of(warband, terms)
        refuse_unfit(wider, warband)
        first = battle.sides.live().exclude(pk=side.pk).select_related("seat", "warband").get()
        if first.warband_id == warband.pk:
            raise Refusal(
                _("{warband} is in this battle already.").format(warband=warband.name),
                mend=_("Choose another."),
                code="same",
            )
        plays_both = first.seat.user_id == actor.pk
        act.change(act.row(found), claim_token="", **({} if plays_both else {"user": actor, "name": str(actor)[:80]}))
        act.change(act.row(side), warband=warband)
        if wider.overlays != terms.overlays:
            act.change(terms, overlays=wider.overlays, version=terms.version + 1)
        for each in (first.warband, warband):
            act.also_told_to(each)
        act.say(_("{{who}} brought {warband} to a friendly battle.").format(warband=warband.name))
    return battle


def refuse_unless_own(warband: Warband, actor: Any) -> None:
    if warband.owner_id != actor.pk:
        raise Refusal(_("That warband isn't yours."), code="not-theirs")


def refuse_unfit(terms: Terms, warband: Warband) -> None:
    """Raise Refusal for a warband that cannot play under these terms: put away, another game or edition, or with unknown entries."""
    if warband.is_put_away:
        raise Refusal(
            _("{warband} is archived.").format(warband=warband.name), mend=_("Restore it first."), code="put-away"
        )
    theirs = warband.terms
    if (terms.system, terms.edition) != (theirs.system, theirs.edition):
        raise Refusal(
            _("{warband} plays {edition}; this battle is {other}.").format(
                warband=warband.name,
                edition=edition_name(theirs.system, theirs.edition),
                other=edition_name(terms.system, terms.edition),
            ),
            mend=_("Choose a warband of the same game and edition."),
            code="edition",
        )
    unknown = terms.game.state.unknown(terms.content, force_of(warband))
    if unknown:
        names = joined(names_of(theirs).name(each) for each in unknown)
        raise Refusal(
            _("{warband} has something that this battle's rules do not know: {names}.").format(
                warband=warband.name, names=names
            ),
            mend=_("Choose a warband without it."),
            code="unknown-name",
        )


def _terms(of: Terms) -> Terms:
    """Return terms for a friendly battle of this game and edition: its newest official state, and third parties' lists where there are any."""
    overlays = newest_overlays(of.system, of.edition)
    lists = of.game.founding.lists(of.game.content(of.edition, overlays))
    house_rules = {"third_party": True} if any(choice.third_party for choice in lists) else {}
    return Terms(system=of.system, edition=of.edition, overlays=list(overlays), house_rules=house_rules)


def with_rules_of(warband: Warband, terms: Terms) -> Terms:
    """Return these terms, or, where they do not know all that a warband has, such as also take the overlays of its own rules.

    An overlay is left out if it does not fit beside the others. They come back unsaved and as they are if that does not help.
    """
    game, own = terms.game, warband.terms
    if game.states is None or (own.system, own.edition) != (terms.system, terms.edition):
        return terms
    force = force_of(warband)
    for overlays in (terms.overlays, [*terms.overlays, *own.overlays]):
        with suppress(Refusal):
            taken = list(game.states.ordered(terms.edition, tuple(dict.fromkeys(overlays))))
            wider = Terms(system=terms.system, edition=terms.edition, overlays=taken, house_rules=terms.house_rules)
            if not game.state.unknown(wider.content, force):
                return terms if taken == terms.overlays else wider
    return terms
