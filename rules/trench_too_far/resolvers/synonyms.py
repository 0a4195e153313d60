"""Other words for what a rule is told: fields, types, weapons, positions, causes and states as people call them."""

from __future__ import annotations

from typing import Any

TRAITS = (
    "aggressive", "close_order", "light_infantry", "infiltration", "raider", "rifle_drill", "veteran", "scouts"
)  # fmt: skip
# Other words for a field, for every rule that has the field.
FIELDS = {
    "dice_tally": "tally",
    "damaged_vehicle": "damaged",
    "enemy_within_8": "enemies_within_8",
    "commander_to_enemy": "commander_distance",
    "commander_distance_to_enemy": "commander_distance",
    "commander_within_12": "commander_near_enemy",
    "identification_roll": "roll",
    "distance": "nearest_enemy",
    "bases": "bases_left",
    "shocked": "shocked_platoons",
    "wanted": "order",
    "indirect": "tally_had_indirect",
    "mortar": "tally_had_indirect",
    "artillery": "tally_had_indirect",
    "distance_to_enemy": "nearest_enemy",
    "nearest_enemy_distance": "nearest_enemy",
    "closest_enemy": "nearest_enemy",
    "closest_distance": "nearest_enemy",
    "close_order_target": "target_close_order",
    "target_in_close_order": "target_close_order",
    "kind": "type",
    "unit_type": "type",
    "current_bases": "bases",
    "starting_bases": "start_bases",
    "trenches": "in_trenches",
    "in_trench": "in_trenches",
    "entrenched": "in_trenches",
    "building": "in_building",
    "fortification": "in_building",
    "in_fortification": "in_building",
    "outstanding": "outstanding_officer",
    "officer": "outstanding_officer",
    "commander": "outstanding_officer",
    "mortar_or_artillery": "tally_had_indirect",
    "artillery_or_mortar": "tally_had_indirect",
    "had_indirect": "tally_had_indirect",
    "flank": "enemy_to_flank_or_rear",
    "enemy_to_flank": "enemy_to_flank_or_rear",
    "enemy_to_rear": "enemy_to_flank_or_rear",
    "flanked": "enemy_to_flank_or_rear",
    "enemy_flank_or_rear": "enemy_to_flank_or_rear",
    "overhead_protection": "overhead",
    "indirect_fire": "indirect",
    "blind": "indirect",
    "k": "shocked_platoons",
    "shocked_count": "shocked_platoons",
    "command_distance": "distance",
    "gap": "max_gap",
    "heavy_weapon_teams": "heavy_teams",
    "heavy_weapons_teams": "heavy_teams",
    "weapons_teams": "heavy_teams",
    "lost_infantry_bases": "lost",
    "infantry_bases_lost": "lost",
    "crossing_trench": "crossing",
    "modifier": "mod",
    "save_modifier": "mod",
    "tank_class": "class",
    "vehicle_class": "class",
    "reliability": "kind",
    "jam_dice": "dice",
    "target_closed": "target_close_order",
    "failed_assault_motivation": "failed_motivation",
    "commander_enemy_distance": "commander_distance",
    "heavy_team_target": "heavy_team",
    "target_vehicle": "vehicle",
    "is_closest": "closest",
    "enemy_distance": "nearest_enemy",
    "attacking_dice": "dice",
    "count": "dice",
}
FIELDS |= {
    **dict.fromkeys(("chosen_order", "wanted_order", "requested_order", "player_order", "order_wanted"), "order"),
    **dict.fromkeys(("max_range", "weapon_range", "maximum_range"), "range"),
    **dict.fromkeys(("target_closest", "target_is_closest", "closest_target"), "closest"),
    **dict.fromkeys(("in_sight", "los", "target_in_sight", "visible"), "line_of_sight"),
    **dict.fromkeys(("closest_enemy_distance", "distance_to_closest_enemy", "distance_to_nearest_enemy", "enemy"), "nearest_enemy"),
    **dict.fromkeys(("over_infantry", "intervening_infantry", "infantry_between"), "intervening"),
    **dict.fromkeys(
        ("mortars", "by_mortar", "by_artillery", "indirect_fire", "had_mortar_or_artillery", "attacked_by_artillery",
         "attacked_by_mortar", "attacked_by_mortar_or_artillery", "mortar_attack", "mortar_among_attacks"),
        "tally_had_indirect",
    ),
    **dict.fromkeys(
        ("enemy_flank", "enemy_rear", "flank_or_rear", "enemies_to_flank_or_rear", "enemy_on_flank", "enemy_on_flank_or_rear"),
        "enemy_to_flank_or_rear",
    ),
    **dict.fromkeys(("officer_outstanding", "commander_rating", "commander_outstanding", "officer_rating"), "outstanding_officer"),
    **dict.fromkeys(("fortified", "in_works", "buildings", "in_fortifications", "fortifications"), "in_building"),
    **dict.fromkeys(("trench", "crossing_obstacle", "crosses_trench", "obstacle", "crossing_a_trench"), "crossing"),
    **dict.fromkeys(("base_gap", "gap_inches"), "max_gap"),
    **dict.fromkeys(("distance_to_command", "distance_to_commander", "commander_distance"), "distance"),
    **dict.fromkeys(("has_grenades", "grenade"), "grenades"),
    **dict.fromkeys(("smgs", "submachine_guns", "close_combat_weapon", "has_close_combat_weapons"), "close_combat_weapons"),
    **dict.fromkeys(("losses", "casualties", "bases_lost"), "lost_bases"),
    "current_tally": "tally",
    "target_distance": "distance",
}  # fmt: skip
# Words that stand for whichever of these fields a rule has.
EITHER = {
    "type": ("class", "cause"), "kind": ("class", "cause"), "vehicle": ("class",), "tank": ("class",), "enemy_distance": ("commander_distance",),
    "nearest_enemy": ("commander_distance",), "enemy_within_12": ("commander_near_enemy",),
    "commander_nearest_enemy": ("commander_distance",), "lost": ("lost_bases",), "lost_bases": ("lost",), "bases_lost": ("lost",),
    "infantry_bases": ("lost",), "pool": ("lost",), "target_distance": ("distance",),
}  # fmt: skip
# What is read the other way round: the field it stands for, which is then false.
OPPOSITE = {
    "stationary": "moved",
    "no_line_of_sight": "line_of_sight",
    "commander_dead": "commander_alive",
    "commander_killed": "commander_alive",
}
# A type told as a flag.
TYPES = {
    "heavy_infantry": "heavy-infantry", "militia": "militia", "cavalry": "cavalry", "engineers": "engineers", "engineer": "engineers",
    "remnant": "remnant", "assault_troops": "assault",
}  # fmt: skip
# What is told among the traits and is a field, or a type.
FLAGS: dict[str, tuple[str, Any]] = {
    "grenades": ("grenades", True), "close-combat-weapons": ("close_combat_weapons", True), "engineers": ("type", "engineers"),
    "heavy-infantry": ("type", "heavy-infantry"), "militia": ("type", "militia"), "cavalry": ("type", "cavalry"),
    "sniper": ("type", "sniper"),
}  # fmt: skip
KEYS = ("type", "kind", "quality", "weapon", "position", "order", "class", "cause", "how", "disrupted")
LISTS = ("traits", "state")
SAME = {
    "type": {
        "infantry": "rifle", "rifles": "rifle", "infantry-rifle": "rifle", "rifle-infantry": "rifle", "standard-infantry": "rifle",
        "heavy": "heavy-infantry", "assault-troops": "assault", "assault-infantry": "assault", "engineer": "engineers",
        "remnants": "remnant", "mortar": "trench-mortar", "artillery": "field-artillery", "machine-gun": "hmg",
        "antitank-gun": "anti-tank-gun", "antitank-rifle": "anti-tank-rifle", "snipers": "sniper", "field-gun": "field-artillery",
        "other-heavy-weapons": "trench-mortar", "other-heavy-weapon": "trench-mortar", "heavy-weapons": "trench-mortar",
        "heavy-weapon": "trench-mortar",
    },
    "weapon": {
        "rifle": "rifles", "carbine": "carbines", "mortar": "trench-mortar", "field-gun": "field-artillery", "antitank-gun": "anti-tank-gun",
        "at-gun": "anti-tank-gun", "antitank-rifle": "anti-tank-rifle", "at-rifle": "anti-tank-rifle", "tank-ap": "tank-gun-ap",
        "tank-shell": "tank-gun-shell", "tank-gun-shells": "tank-gun-shell", "tank-gun": "tank-gun-shell", "infantry-lmg": "infantry",
        "snipers": "sniper", "machine-gun": "hmg", "militia-arms": "militia", "antitank-guns": "anti-tank-gun",
    },
    "position": {
        "buildings": "building", "in-building": "building", "in-a-building": "building", "fortifications": "fortification",
        "in-fortification": "fortification", "fortified": "fortification",
        "close-order": "closed", "closed-order": "closed", "closed-order-infantry": "closed", "close": "closed",
        "closed-order-in-the-open": "closed", "close-order-in-the-open": "closed", "none": "dispersed",
        "dispersed-infantry": "dispersed", "open": "dispersed", "in-the-open": "dispersed", "in-cover": "cover",
        "entrenchments": "entrenched", "trench": "entrenched", "trenches": "entrenched", "in-trenches": "entrenched",
    },
    "traits": {"scout": "scouts", "raiders": "raider", "closed-order": "close-order"},
    "class": {"armored-car": "armoured-car", "light-tank": "light", "medium-tank": "medium", "heavy-tank": "heavy"},
    "state": {"none": "fresh", "immobilized": "immobilised", "damage": "damaged"},
    "cause": {
        "commander-is-killed": "commander-killed", "commander": "commander-killed", "tank": "tank-attack", "shocked": "shocked-platoons",
        "tank-attack-within-8": "tank-attack", "tank-within-8": "tank-attack", "under-tank-attack": "tank-attack",
        "tanks": "tank-attack", "gas-attack": "gas", "commander-dead": "commander-killed", "targeted-by-heavy-artillery": "heavy-artillery",
        "targeted-by-medium-artillery": "medium-artillery", "targeted-by-gas": "gas", "hit-by-medium-guns": "medium-artillery",
        "heavy": "heavy-artillery", "heavy-guns": "heavy-artillery", "medium": "medium-artillery", "medium-guns": "medium-artillery",
        "heavy-artillery-or-gas": "heavy-artillery",
    },
    "disrupted": {"until-rally": "until-rallied"},
}  # fmt: skip
SPELLING = {"immobilized": "immobilised", "immobilized_vehicles": "immobilised_vehicles"}
WRAPPERS = ("ctx", "context", "company", "team", "unit")
VEHICLES = ("tank", "vehicle")
PLATOONS = ("platoon", "side", "defender", "attacker", "firer")
SIDES = ("platoon", "target", "attacker", "defender", "side")
# What describes who is fired at, where it stands beside both.
TARGETS_OWN = (
    "position",
    "tally",
    "tally_had_indirect",
    "in_trenches",
    "trenches",
    "entrenched",
    "in_building",
    "building",
)
