"""Charges, and the defender's reactions: Brace for Melee, or Hold and Shoot.

Source: core rules, Charge; Brace for Melee; Hold and Shoot.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import MOVED, chosen
from rules.gloom_trench.resolvers.activation import Distanced, far
from rules.gloom_trench.resolvers.dice import Distance, Pool, enemy_point, mods, own_point, thrown
from rules.gloom_trench.resolvers.inputs import effects
from rules.gloom_trench.resolvers.shooting import Shoot, shoot_odds, shot
from rules.problems import Refusal
from rules.resolvers.odds import Odds, odds_of
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

CONTACT = 2
REACT_BEYOND = 5


class ChargeMove(Distanced, frozen=True, kw_only=True):
    """A charge.

    `gap`: MU between the closest models; `moved`: how far the closest really went, if it chose to come closer.
    """

    gap: Distance
    moved: Distance | None = None


def may_react(content: CustomContent, gap: Fraction, reach: Fraction, moved: float | None) -> tuple[Fraction, bool]:
    """How far the closest model went into contact, and whether that is far enough for a reaction."""
    shortest = max(Fraction(0), gap - CONTACT)
    went = reach if chosen(content, MOVED) == "reach" else shortest
    if moved is not None:
        went = Fraction(str(moved))
    return went, went > REACT_BEYOND


def charge_move(content: CustomContent, data: ChargeMove, roller: Roller) -> Resolved:
    """Contact if the reach comes within 2 MU; else nobody moves and the activation is over."""
    _, reach, die = far(content, data, roller)
    face = int(reach - Fraction(str(data.move)))
    gap = Fraction(str(data.gap))
    if reach < gap - CONTACT:
        return Resolved(
            "short", gettext("{reach:g} MU are too short: no move, the activation is over.").format(reach=float(reach)), (face,), (face,), int(reach),
            effects=effects(contact=False, reach=float(reach), needed=float(gap - CONTACT), moved=0, die=die,
                            may_react=False, activation_ends=True),
        )  # fmt: skip
    if data.moved is not None and not gap - CONTACT <= Fraction(str(data.moved)) <= reach:
        raise Refusal(
            gettext("The closest model moves {max:g} to {reach:g} MU here.").format(max=float(max(Fraction(0), gap - CONTACT)), reach=float(reach)),
            mend=gettext("Give how far it went."), code="input",
        )  # fmt: skip
    went, react = may_react(content, gap, reach, data.moved)
    words = gettext("Contact after {went:g} MU; the defender {words} react.").format(
        went=float(went), words="may" if react else gettext("may not")
    )
    return Resolved(
        "contact", words, (face,), (face,), int(reach),
        effects=effects(contact=True, reach=float(reach), needed=float(max(Fraction(0), gap - CONTACT)), moved=float(went),
                        die=die, may_react=react),
    )  # fmt: skip


class ChargeReaction(Shoot, frozen=True, kw_only=True):
    """A Tactical Point against a charge.

    `reaction`: brace or hold-and-shoot. `pool`: the defender's points; `gap` (or `moved`): MU the closest charger had
    to go. To hold and shoot, `models` of the defender shoot at the charger; all other fields are as for `shoot`. To
    brace, `models` and `die` are the charger's melee pool, rolled without the +1, and `cover` is the defender's;
    leave them out to roll it with the melee.
    """

    reaction: Literal["brace", "brace-for-melee", "hold-and-shoot"]
    pool: Pool | None = None
    gap: Distance | None = None
    moved: Distance | None = None
    within_2_after: bool | None = None


def _shut(data: ChargeReaction) -> str:
    """Why no reaction is open, "" if one is."""
    if data.moved is not None or data.gap is not None:
        went = Fraction(str(data.moved)) if data.moved is not None else Fraction(str(data.gap)) - CONTACT
        if went <= REACT_BEYOND:
            return gettext("The closest model had to move {max:g} MU; a reaction asks for more than 5.").format(
                max=float(max(Fraction(0), went))
            )
    return gettext("The Tactical Pool is empty.") if data.pool == 0 else ""


def charge_reaction(content: CustomContent, data: ChargeReaction, roller: Roller) -> Resolved:
    """Whether it is open, and what comes of it.

    The outcome is that of the shots (damage, or hits where no Save is told), the hits of a braced charger, brace, or not-allowed.
    """
    if _shut(data):
        return Resolved("not-allowed", _shut(data), effects=effects(allowed=False))
    left = None if data.pool is None else data.pool - 1
    if data.reaction != "hold-and-shoot":
        return _braced(content, data, left, roller)
    held = msgspec.structs.replace(data, hold_and_shoot=True)
    done = shot(content, held, roller)
    gone = done.effect("destroyed") is True or data.within_2_after is False
    words = gettext("Hold and Shoot: {told}").format(told=done.told) + (gettext(" No melee follows.") if gone else "")
    return Resolved(
        done.outcome, words, done.rolled, done.kept, done.total, done.modifiers,
        (*done.effects, *effects(reaction="hold-and-shoot", pool=left, spent=1, allowed=True, melee=not gone, counts_in_melee=False)), done.steps,
    )  # fmt: skip


def charge_reaction_odds(content: CustomContent, data: ChargeReaction) -> Odds:
    """Of the shots, or of the braced charger's pool."""
    if data.reaction == "hold-and-shoot" and not _shut(data):
        return shoot_odds(content, msgspec.structs.replace(data, hold_and_shoot=True))
    return odds_of(lambda roller: charge_reaction(content, data, roller))


def _braced(content: CustomContent, data: ChargeReaction, left: int | None, roller: Roller) -> Resolved:
    told = effects(reaction="brace", pool=left, spent=1, allowed=True, charge_modifier=0, melee=True)
    charger = data.target if data.target is not None and data.target.models is not None else None
    models = charger.size if data.models is None and charger is not None else data.models
    if models is None:
        return Resolved(
            "brace",
            gettext("Braced: the charger has no +1."),
            modifiers=(("+0", gettext("Charge, braced")),),
            effects=told,
        )
    die = data.die or (charger.combat if charger else None)
    if die is None:
        raise Refusal(
            gettext("The charger's Combat is not given (at $.die)."), mend=gettext("Give D6, D8 or D12."), code="input"
        )
    solid = ((-1, gettext("Solid cover")),) if data.cover == "solid" else ()
    roll = (*solid, *enemy_point(content, data.opponent_tp, data.shooter_stress), *mods(data.roll_mods))
    throw = thrown(content, die, (*mods(data.dice_mods), *own_point(content, data.tp)), roll)
    faces = roller.several(models, throw.sides, throw.why(gettext("Charger's melee")), throw.cuts[-1:])
    kept = throw.kept(faces)
    return Resolved(
        str(len(kept)), gettext("Braced: {quantity} of the charger.").format(quantity=quantity(len(kept), 'hit')), faces, kept, len(kept), throw.modifiers,
        (*effects(hits=len(kept), die=throw.die, modifier=throw.modifier), *told),
    )  # fmt: skip
