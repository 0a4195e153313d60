"""The paper battle sheet of Trench Crusade: what players write down after a battle, in the order of the rules.

Source: Campaign rules 1.6.3, "Post-Battle Sequence Summary", Injuries, Experience, Promotions, Reinforcements,
Exploration; 1.0, "Campaign Phase Steps".
"""

from __future__ import annotations

from rules.content.campaign_entries import CampaignRules
from rules.content.compiled import Content
from rules.force import Force
from rules.formatting import dice_words
from rules.parts.battle import PaperLine, PaperPlay, PaperStep
from rules.translation import gettext as _
from rules.trench_crusade.labels import label_within
from rules.trench_crusade.post_battle import step_of, steps
from rules.trench_crusade.steps.fallen import REMEMBER
from rules.vocabulary import RecoversFallenEffect

NO_TESTS = "no-tests"  # scenarios without Morale tests
MARKERS = ("blood", "blessing")


def paper_steps(content: Content, force: Force | None) -> tuple[PaperStep, ...]:
    """Return one entry for each step of the edition under the content's house rules, with its lines and boxes.

    Without a force, as on an empty sheet, there are boxes for its numbers.
    """
    lines = _lines(content, force)
    found = []
    for step in steps(content, force):
        parts = step_of(content, step.id).parts or (step.id,)
        own = tuple(line for part in parts for line in lines.get(part, ()))
        found.append(PaperStep(step.label, own or (PaperLine(step.words, ()),)))
    return tuple(found)


def paper_play(content: Content, force: Force | None, fighters: int, morale: str) -> PaperPlay:
    """Return the box for Down, the number that calls for a Morale test, and the limits of the battle of a known force.

    The number is that at which the tracker asks for the test: half of those who are there, rounded up.

    Source: Condensed rules 1.6.3, "Morale Phase".
    """
    limits = []
    if fighters and morale != NO_TESTS:
        words = _("test at the end of a turn with {fallen} of {count} Down or Out")
        limits.append((_("Morale"), words.format(fallen=(fighters + 1) // 2, count=fighters)))
    if force is not None and (battle := _battle_words(content, force.battles.next_number)):
        limits.append((_("Battle {number}").format(number=force.battles.next_number), battle))
    return PaperPlay((_("Down"),), tuple(limits))


def _battle_words(content: Content, number: int) -> str:
    """Return the threshold and field strength of one of the warband's battles, "" where the campaign sets none."""
    campaign = content.pack.campaign
    row = next((row for row in campaign.limits if row.battle == number), None) if campaign is not None else None
    if row is None:
        return ""
    return _("{threshold} ducats, {field_strength} fighters").format(
        threshold=row.threshold, field_strength=row.field_strength
    )


def _threshold_words(content: Content, force: Force) -> str:
    """Return what may be fielded in this battle and in the next."""
    campaign = content.pack.campaign
    limits = {row.battle: row for row in campaign.limits} if campaign is not None else {}
    following = limits.get(force.battles.next_number + 1)
    if following:
        words = _("Next battle: {threshold} ducats, {field_strength} fighters.").format(
            threshold=following.threshold, field_strength=following.field_strength
        )
    else:
        words = _("The last battle is next.")
    this = _battle_words(content, force.battles.next_number)
    return _("This battle: {limits}.").format(limits=this) + " " + words if this else words


def _raised(content: Content, force: Force | None) -> PaperLine:
    if force is None:
        return PaperLine(_("Threshold and field strength of the next battle"), ("ducats", "fighters"))
    return PaperLine(_threshold_words(content, force), ())


def _promotion(content: Content, force: Force | None) -> tuple[PaperLine, ...]:
    campaign = content.pack.campaign
    misses = campaign.promotion_misses if campaign is not None else 0
    won = _(", +1 won") if campaign is not None and campaign.rules.victory_dice else ""
    boxes = ("dice",) + ("D6",) * 5
    if force is None:
        missed = PaperLine(_("Missed so far, of {misses}").format(misses=misses), ("missed",))
        return PaperLine(_("One die{won}, +1 a deed").format(won=won), boxes), missed
    words = _("One die{won}, +1 a deed; {promotion_misses} of {misses} missed so far")
    return (PaperLine(words.format(won=won, promotion_misses=force.promotion_misses, misses=misses), boxes),)


def _exploration(content: Content, force: Force | None) -> tuple[PaperLine, ...]:
    campaign = content.pack.campaign
    rows = campaign.exploration if campaign is not None else ()
    rules = campaign.rules if campaign is not None else CampaignRules()
    if force is not None:
        fought = force.battles.fought + 1
        rows = tuple(row for row in rows if row.first <= fought <= (row.last or fought))[:1]
    dice, tables = max((row.dice for row in rows), default=0), max((len(row.tables) for row in rows), default=0)
    rerolls = _("the winner re-rolls one")
    if rules.free_rerolls:
        rerolls = _("all re-roll one, the winner one more")
    choose = _("; choose the table first") if rules.exploration_table == "chosen" and tables > 1 else ""
    words = (
        _("{dice} after this battle; {rerolls}{choose}")
        if force is not None
        else _("Dice of this battle; {rerolls}{choose}")
    )
    return (
        PaperLine(words.format(dice=dice_words(dice), rerolls=rerolls, choose=choose), ("D6",) * max(dice, 1)),
        PaperLine(_("Score after changes, place found, ducats"), ("score", "ducats")),
    )


def _lines(content: Content, force: Force | None) -> dict[str, tuple[PaperLine, ...]]:
    campaign = content.pack.campaign
    raised = _raised(content, force)
    rules = campaign.rules if campaign is not None else CampaignRules()
    elite = PaperLine(_("ELITE taken out: name, D66, result"), ("tens", "units"))
    others = PaperLine(_("Others taken out: a D6 each, 1-2 dies"), ("D6",) * 6)
    camp = (
        PaperLine(_("Hired, bought"), ("ducats",)),
        PaperLine(_("Sold, for half the base price rounded up"), ("ducats",)),
        PaperLine(_("For glory"), ("glory",)),
    )
    return {
        "injuries": (others, elite, elite, elite) if rules.troops_first else (elite, elite, elite, others),
        "experience": (
            PaperLine(
                _("Lived +1, a deed +1: tick both on the roster. Skill due: 2D6 on two tables, take one"),
                ("2D6", "2D6"),
            ),
            PaperLine(_("Another skill due"), ("2D6", "2D6")),
        ),
        "promotion": _promotion(content, force),
        "threshold": (raised,),
        "fork": (PaperLine(_("Tick one"), ("reinforce", "explore", *_own_ways(content, force))),),
        "exploration": _exploration(content, force),
        "camp": camp,
        "quartermaster": (PaperLine(_("Retired, with 2 scars"), ("name",)), *camp),
        "reinforcements": (
            raised,
            PaperLine(
                _("Called for: all ducats and the {label_within} are lost, no exploration, no quartermaster").format(
                    label_within=label_within(content, "stash")
                ),
                ("yes", "ducats"),
            ),
        ),
        "hire": (PaperLine(_("Hired, with their kit"), ("ducats",)),),
        "trade": (PaperLine(_("Bought; sold for half the base price, rounded up"), ("ducats", "ducats")),),
        "glory": (PaperLine(_("Mercenaries and glory items"), ("glory",)),),
        "reallocate": (PaperLine(_("Kit that changes hands"), ()),),
        "roster": (
            PaperLine(
                _("Strongbox and {label_within} now").format(label_within=label_within(content, "rating")),
                ("ducats", "glory", label_within(content, "rating")),
            ),
        ),
    }


def _own_ways(content: Content, force: Force | None) -> tuple[str, ...]:
    """Return the options of the fork that only this list has, as boxes."""
    army = content.lists.get(force.list) if force is not None else None
    effects = [effect for rule in army.rules for effect in rule.effects] if army is not None else []
    return (REMEMBER,) if any(isinstance(effect, RecoversFallenEffect) for effect in effects) else ()
