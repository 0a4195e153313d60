"""How an edition plays at the table: the numbers and readings in which editions differ, as a pack's `[play]` table gives them."""

from __future__ import annotations

from typing import Literal

from rules.vocabulary import PackStruct


class EditionPlay(PackStruct, frozen=True):
    """What the resolvers of the table read from the pack. Lengths in inches, bases in millimetres."""

    injury_dice: str  # what dice of an injury roll are called: DICE, INJURY DICE
    elevated_from: float  # stands at least so much higher to shoot from above
    large_base: int  # from this base on another height is asked; 0: none
    large_base_from: float
    armour_most: int  # what armour and other flat losses take off an injury together; 0: no cap
    down_injury: Literal["all", "melee"]  # which attacks gain a die on a target that is Down
    unarmed: Literal["allowed", "none"]  # whether a fighter without melee weapon attacks
    pistol_melee: Literal["ranged", "better"]  # the characteristic of a pistol in melee
    grenades_ignore: bool  # whether every grenade ignores cover and long range
    diving_injury: int  # dice a Diving Charge adds to the injury
    diving_ignores_obstacle: bool
    obstacle_for_down: bool  # whether a Defended Obstacle shields who is Down behind it
    diving_least: float  # height jumped down for a Diving Charge
    diving_most: float  # 0: any height
    diving_within: float  # how near to the target it lands
    blast_critical: Literal["all", "aimed"]  # whom a critical hit of a blast counts for
    point_scatters: bool  # whether a missed shot at a point of the ground goes astray without a keyword saying so
    fall_from: float  # height of a fall that injures
    fall_from_counts: bool  # that very height included
    jump_down_free_to: float  # height to jump down without harm
    jump_down_free_counts: bool
    jump_up: Literal["extra-inch", "adds-height"]  # what landing higher costs
    climb_free_to: float  # height that is stepped over without a roll
    climb_failed: str  # where a fighter is that failed to climb, in words
    charge_most: float  # longest charge; 0: no bound
    charge_unseen: Literal["risky", "no"]  # charging what is not seen
    dangerous_start: Literal["plain", "risky"]  # the roll of whoever starts in dangerous ground
    dangerous_failed_ends: bool  # any failure there ends the activation
    flying_rolls: bool  # whether fliers roll where they start or end in dangerous ground; then a fall never harms them
    ledge: Literal["risky", "plain"]  # the roll to stay at a ledge when knocked Down
    downed_in_own_activation: Literal["risky-stand", "ends"]
    morale_failed: Literal["flees", "choice"]  # flees (Shaken is an agreed option), or Shaken unless it chooses to flee
    morale_order: Literal["smaller-first", "initiative"]
    initiative_counts: Literal["on-table", "standing"]
    initiative_gives: Literal["starts", "chooses"]
    fireteam: Literal["together", "may"]  # whether the two are always activated together
    retreat_attacks: Literal["melee-attack", "one-fight"]
