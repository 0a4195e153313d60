"""The paper battle sheet of Trench Crusade: what players write down after a battle, in the order of the rules.

Source: Campaign rules 1.6.3, "Post-Battle Sequence Summary", Injuries, Experience, Promotions, Reinforcements,
Exploration; 1.0, "Campaign Phase Steps".
"""

from __future__ import annotations

from rules.content.compiled import Content
from rules.content.schema import CampaignRules
from rules.force import Force
from rules.formatting import dice_words
from rules.parts.battle import PaperLine, PaperStep
from rules.translation import gettext as _
from rules.trench_crusade.labels import label_within
from rules.trench_crusade.post_battle import step_of, steps
from rules.trench_crusade.steps.fallen import REMEMBER
from rules.vocabulary import RecoversFallenEffect

MARKERS = ("blood", "blessing")


def paper_steps(content: Content, force: Force) -> tuple[PaperStep, ...]:
    """Return one entry for each step of the edition under the content's house rules, with its lines and boxes."""
    lines = _lines(content, force)
    found = []
    for step in steps(content, force):
        parts = step_of(content, step.id).parts or (step.id,)
        own = tuple(line for part in parts for line in lines.get(part, ()))
        found.append(PaperStep(step.label, own or (PaperLine(step.words, ()),)))
    return tuple(found)


def _lines(content: Content, force: Force) -> dict[str, tuple[PaperLine, ...]]:
    campaign = content.pack.campaign
    dice = tables = 0
    if campaign is not None:
        fought = force.battles.fought + 1
        row = next((row for row in campaign.exploration if row.first <= fought <= (row.last or fought)), None)
        dice, tables = (row.dice, len(row.tables)) if row is not None else (0, 0)
    limits = {row.battle: row for row in campaign.limits} if campaign is not None else {}
    following = limits.get(force.battles.next_number + 1)
    raised = (
        _("Next battle: {threshold} ducats, {field_strength} fighters.").format(
            threshold=following.threshold, field_strength=following.field_strength
        )
        if following
        else _("The last battle is next.")
    )
    misses = campaign.promotion_misses if campaign is not None else 0
    rules = campaign.rules if campaign is not None else CampaignRules()
    elite = PaperLine("ELITE taken out: name, D66, result", ("tens", "units"))
    others = PaperLine("Others taken out: a D6 each, 1-2 dies", ("D6",) * 6)
    won = ", +1 won" if rules.victory_dice else ""
    rerolls = "the winner re-rolls one"
    if rules.free_rerolls:
        rerolls = "all re-roll one, the winner one more"
    choose = "; choose the table first" if rules.exploration_table == "chosen" and tables > 1 else ""
    camp = (
        PaperLine("Hired, bought", ("ducats",)),
        PaperLine("Sold, for half the base price rounded up", ("ducats",)),
        PaperLine("For glory", ("glory",)),
    )
    return {
        "injuries": (others, elite, elite, elite) if rules.troops_first else (elite, elite, elite, others),
        "experience": (
            PaperLine(
                "Lived +1, a deed +1: tick both on the roster. Skill due: 2D6 on two tables, take one", ("2D6", "2D6")
            ),
            PaperLine("Another skill due", ("2D6", "2D6")),
        ),
        "promotion": (
            PaperLine(
                f"One die{won}, +1 a deed; {force.promotion_misses} of {misses} missed so far",
                ("dice",) + ("D6",) * 5,
            ),
        ),
        "threshold": (PaperLine(raised, ()),),
        "fork": (PaperLine("Tick one", ("reinforce", "explore", *_own_ways(content, force))),),
        "exploration": (
            PaperLine(f"{dice_words(dice)} after this battle; {rerolls}{choose}", ("D6",) * max(dice, 1)),
            PaperLine("Score after changes, place found, ducats", ("score", "ducats")),
        ),
        "camp": camp,
        "quartermaster": (PaperLine("Retired, with 2 scars", ("name",)), *camp),
        "reinforcements": (
            PaperLine(raised, ()),
            PaperLine(
                f"Called for: all ducats and the {label_within(content, 'stash')} are lost, no exploration, no quartermaster",
                ("yes", "ducats"),
            ),
        ),
        "hire": (PaperLine("Hired, with their kit", ("ducats",)),),
        "trade": (PaperLine("Bought; sold for half the base price, rounded up", ("ducats", "ducats")),),
        "glory": (PaperLine("Mercenaries and glory items", ("glory",)),),
        "reallocate": (PaperLine("Kit that changes hands", ()),),
        "roster": (
            PaperLine(
                f"Strongbox and {label_within(content, 'rating')} now",
                ("ducats", "glory", label_within(content, "rating")),
            ),
        ),
    }


def _own_ways(content: Content, force: Force) -> tuple[str, ...]:
    """Return the options of the fork that only this list has, as boxes."""
    army = content.lists.get(force.list)
    effects = [effect for rule in army.rules for effect in rule.effects] if army is not None else []
    return (REMEMBER,) if any(isinstance(effect, RecoversFallenEffect) for effect in effects) else ()
