"""The numbers and readings in which editions differ at the table, as in the `[play]` table of a pack."""

from __future__ import annotations

from typing import Literal

from rules.vocabulary import PackStruct


class EditionPlay(PackStruct, frozen=True):
    """What the table resolvers read from the pack. Lengths in inches, bases in millimetres."""

    injury_dice: str  # the edition's name for the dice of an injury roll: DICE, INJURY DICE
    elevated_from: float  # minimum height advantage to shoot from above
    large_base: int  # minimum size of the bases that require another height; 0: none
    large_base_from: float
    armour_most: int  # maximum that armour and other flat reductions subtract from an injury together; 0: no cap
    down_injury: Literal["all", "melee"]  # which attacks gain a die on a target that is Down
    unarmed: Literal["allowed", "none"]  # whether a fighter without a melee weapon attacks
    pistol_melee: Literal["ranged", "better"]  # the characteristic of a pistol in melee
    grenades_ignore: bool  # whether every grenade ignores cover and long range
    diving_injury: int  # dice a Diving Charge adds to the injury
    diving_ignores_obstacle: bool
    obstacle_for_down: bool  # whether a Defended Obstacle protects a fighter that is Down behind it
    diving_least: float  # minimum height of the jump for a Diving Charge
    diving_most: float  # maximum height; 0: any height
    diving_within: float  # maximum distance from the target after landing
    blast_critical: Literal["all", "aimed"]  # for whom a critical hit of a blast counts
    point_scatters: bool  # whether a missed shot at a point on the ground scatters even without a keyword
    fall_from: float  # minimum height of a fall that injures
    fall_from_counts: bool  # whether exactly that height injures
    jump_down_free_to: float  # maximum height of a safe jump down
    jump_down_free_counts: bool
    jump_up: Literal["extra-inch", "adds-height"]  # the cost of landing higher
    climb_free_to: float  # maximum height that is stepped over without a roll
    climb_failed: str  # where a fighter is that failed to climb, as text
    charge_most: float  # maximum charge; 0: no limit
    charge_unseen: Literal["risky", "no"]  # charging an enemy that is not visible
    dangerous_start: Literal["plain", "risky"]  # the roll of a fighter that starts in dangerous ground
    dangerous_failed_ends: bool  # any failure there ends the activation
    flying_rolls: bool  # whether fliers roll if they start or end in dangerous ground; then a fall never harms them
    ledge: Literal["risky", "plain"]  # the roll to stay at a ledge when knocked Down
    downed_in_own_activation: Literal["risky-stand", "ends"]
    morale_failed: Literal["flees", "choice"]  # flees (Shaken is an agreed option), or Shaken unless it chooses to flee
    morale_order: Literal["smaller-first", "initiative"]
    initiative_counts: Literal["on-table", "standing"]
    initiative_gives: Literal["starts", "chooses"]
    fireteam: Literal["together", "may"]  # whether the two are always activated together
    retreat_attacks: Literal["melee-attack", "one-fight"]
