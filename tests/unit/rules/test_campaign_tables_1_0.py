"""Every table of the 1.0 campaign, row by row: limits, stages, traumas, skills, patrons, locations, deeds, scenarios."""

from __future__ import annotations

import pytest

from rules.content.campaign_entries import ResultPoints
from rules.content.compiled import patrons_of
from tests.unit.rules.evening_1_0 import content

PACK = content().pack
CAMPAIGN = content().campaign


def test_threshold_and_field_strength_of_every_game():
    assert [(row.battle, row.threshold, row.field_strength) for row in CAMPAIGN.limits] == [
        (1, 700, 10),
        (2, 800, 11),
        (3, 900, 12),
        (4, 1000, 13),
        (5, 1100, 14),
        (6, 1200, 15),
        (7, 1300, 16),
        (8, 1400, 17),
        (9, 1500, 18),
        (10, 1600, 19),
        (11, 1700, 20),
        (12, 1800, 22),
    ]


def test_exploration_dice_and_tables_by_games_played():
    assert [(row.first, row.last, row.dice, row.tables) for row in CAMPAIGN.exploration] == [
        (1, 2, 3, ("common",)),
        (3, 5, 4, ("common", "rare")),
        (6, 9, 5, ("rare",)),
        (10, None, 6, ("rare", "legendary")),
    ]


def test_a_campaign_is_won_by_fifteen_ten_and_seven():
    """Point `campaign-winner`."""
    assert CAMPAIGN.rules.result_points == ResultPoints(won=15, drawn=10, lost=7)


def test_the_single_numbers():
    assert CAMPAIGN.advances_at == (2, 4, 7, 10, 14, 18)
    assert CAMPAIGN.advances_at[CAMPAIGN.limited_advances - 1] == 7
    assert (CAMPAIGN.elite_cap, CAMPAIGN.promotion_misses, CAMPAIGN.loot_ducats_per_point) == (6, 5, 10)
    assert (CAMPAIGN.troop_dies_on, CAMPAIGN.sale_divisor, CAMPAIGN.scar_limit) == ((1, 2), 2, 2)
    assert (CAMPAIGN.last_battle, CAMPAIGN.final_battle) == (11, 12)
    assert CAMPAIGN.rules.late_experience == 4


STAGES = {
    "Early Campaign": (
        1,
        3,
        ("claim-no-mans-land", "hunt-for-heroes", "the-high-ground", "relic-hunt", "supply-raid"),
    ),
    "Mid-Campaign": (
        4,
        8,
        ("hunt-for-heroes", "armoured-train", "trench-warfare", "claim-no-mans-land", "dragon-hunt"),
    ),
    "Endgame": (9, 11, ("trench-warfare", "dragon-hunt", "from-below", "fields-of-glory", "dont-breathe")),
    "Final Battle": (12, 12, ()),
}


def test_the_stages_and_their_scenario_tables():
    """Points `scenario-tables` and `scenario-list`: nothing overlaps, and a six is picked by a player."""
    found = {
        stage.name: (stage.first_battle, stage.last_battle, tuple(row.scenario for row in stage.rows if row.scenario))
        for stage in CAMPAIGN.stages
    }
    assert found == STAGES
    for stage in CAMPAIGN.stages[:3]:
        assert [row.roll for row in stage.rows] == [1, 2, 3, 4, 5, 6]
        assert [row.picked for row in stage.rows] == [False] * 5 + [True]
    assert CAMPAIGN.stages[3].scenario == "great-war"


# --- traumas

TRAUMAS = [
    (11, 11, "Dead", False),
    (12, 12, "Captured", False),
    (13, 13, "Severe Nerve Damage", True),
    (14, 14, "Hand Wound", True),
    (15, 15, "Lost an Eye", True),
    (16, 16, "Chest Wound", True),
    (21, 21, "Insomniac", True),
    (22, 22, "Head Wound", True),
    (23, 23, "Shell-shocked", True),
    (24, 24, "Dark Memory", True),
    (25, 25, "Paranoid", True),
    (26, 26, "Lost Arm", True),
    (31, 31, "Leg Wound", True),
    (32, 32, "Expensive Treatment", True),
    (33, 33, "Possessed", True),
    (34, 34, "Muscle Damage", True),
    (35, 35, "Minor Wound", True),
    (36, 36, "Robbed", False),
    (41, 63, "Full Recovery", False),
    (64, 64, "Hardened", False),
    (65, 65, "Bitter Lessons", False),
    (66, 66, "Prominent Scar", False),
]


def test_the_trauma_table_band_by_band():
    """Point `trauma-bands`."""
    assert [(t.first, t.last, t.name, t.scar) for t in PACK.traumas] == TRAUMAS


# --- skills

SKILLS = {
    "Melee & Strength Skills": {
        3: "Stand Firm",
        4: "Parry",
        5: "Close Quarters Combat",
        6: "Relentless Charge",
        7: "Melee Proficiency",
        8: "Strength of Samson",
        9: "Hard as Nails",
        10: "Surgical Strike",
        11: "Champion",
    },
    "Ranged Skills": {
        3: "Hunter",
        4: "Gunslinger",
        5: "Far Shot",
        6: "Sharp Eyes",
        7: "Ranged Proficiency",
        8: "Sniper's Nest",
        9: "Point Blank",
        10: "Hip Shot",
        11: "Headshot",
    },
    "Stealth & Speed Skills": {
        3: "Sixth Sense",
        4: "Assassinate",
        5: "Shadow Walker",
        6: "Athletic",
        7: "Sprinter",
        8: "Disengage",
        9: "Incoming",
        10: "Nimble",
        11: "Dodge",
    },
    "Wildcard Skills": {
        3: "War-Luck",
        4: "'Tis But a Scratch",
        5: "Bad Company",
        6: "Scavenger",
        7: "Skill & Expertise",
        8: "Show Off",
        9: "Friends In High Places",
        10: "Glory Hound",
        11: "War Stories",
    },
}


@pytest.mark.parametrize("table", SKILLS)
def test_a_skill_table_has_a_patron_skill_at_either_end_and_nine_of_its_own(table):
    """Point `surgical-champion` among them: Surgical Strike is a 10, Champion an 11."""
    found = next(t for t in PACK.skill_tables if t.name == table)
    rows = {row.roll: content().skills[row.skill].name if row.skill else "" for row in found.rows}
    assert rows == {2: "", 12: "", **SKILLS[table]}


def test_there_are_four_skill_tables():
    assert {t.name for t in PACK.skill_tables} == set(SKILLS)


def test_the_exploration_skills_are_seven():
    """Point `exploration-skills`: Split and Combine are gone."""
    assert [s.name for s in PACK.skills if s.kind == "exploration"] == [
        "Re-roll Dice",
        "Extra Dice",
        "Duplicate",
        "Set Dice",
        "Seek",
        "Circle Back",
        "Lucky",
    ]


PATRONS = {
    "Learned Saint": (
        "Favoured by God",
        "Healing Arts",
        "Knowledge of Sciences",
        "Logistical Skills",
        "Pennies from Heaven",
        "Walk with God",
    ),
    "Warrior Saint": (
        "Blessings of the Warrior Saint",
        "David and Goliath",
        "Dragonslayer",
        "Endure the Suffering",
        "On your Knees!",
        "Warrior's Prayer",
    ),
    "Infernal Noble": (
        "30 Pieces of Silver",
        "Blessed Murder",
        "Blood Sacrifice",
        "Hellfire",
        "Lash of Acheron",
        "Sadistic",
    ),
    "Sublime Gate": (
        "Güreş",
        "Imported Wares",
        "Janissary Training",
        "Rightly Guided",
        "Sultan's Favour",
        "Sword of Allah",
    ),
    "Temporal Lord": (
        "Armour & Equipment Procurement",
        "Melee Weapon Procurement",
        "Mendelist Chemicals",
        "Ranged Weapon Procurement",
        "Sniper School",
        "Special Assault Training",
    ),
    "Mammon": (
        "Aureate Skin",
        "Crooked Dice",
        "Eternal Debt",
        "Money Can Buy Anything",
        "Plutocracy",
        "Unsecured Loan",
    ),
    "The Antipope of Avignon": (
        "Beelzebub's Wisdom",
        "Eye of Beelzebub",
        "Feast on Disease",
        "Infect the Mind",
        "Silvered Tongue",
        "Swine Hybrid",
    ),
    "The Order of the Fly": (
        "Cockroach Vitality",
        "Deceit of Beelzebub",
        "Eyes of the Fly",
        "Grail Plague",
        "Knight of the Flies",
        "Wings of the Fly",
    ),
}


@pytest.mark.parametrize("patron", PATRONS)
def test_a_patron_teaches_its_six_skills(patron):
    found = next(p for p in PACK.patrons if p.name == patron)
    assert tuple(content().skills[s].name for s in found.skills) == PATRONS[patron]


def test_there_are_eight_patrons_and_lists_agree_with_them():
    assert {p.name for p in PACK.patrons} == set(PATRONS)
    for army in PACK.lists:
        assert set(patrons_of(content(), army)) == {p.id for p in PACK.patrons if army.id in p.lists}, army.id


def test_skills_that_one_model_of_a_warband_may_have():
    assert {s.name for s in PACK.skills if s.most is not None} == {
        "War Stories",
        "Knowledge of Sciences",
        "Logistical Skills",
        "Sultan's Favour",
        "Armour & Equipment Procurement",
        "Melee Weapon Procurement",
        "Ranged Weapon Procurement",
        "Money Can Buy Anything",
    }


# --- locations

LOCATIONS = {
    "common": {
        4: ("Moonshine Stash", ("Distribute", "Destroy", "Sell")),
        5: ("Heavy Weapons Cache", ("Surplus", "Specialise")),
        6: ("Trench Shrine", ("Standard", "Shrine", "Return")),
        8: ("Ruined House", ("Rummage", "Relic")),
        9: (
            "Survivor",
            (
                "New Antioch",
                "Trench Pilgrims",
                "Sacred Affliction",
                "Iron Sultanate",
                "Heretic Legions",
                "Black Grail",
                "The Court",
            ),
        ),
        10: ("Fallen Soldier", ()),
        11: ("Trench Merchant", ("Report", "Trade")),
        14: ("Map & Document Bag", ()),
        16: (
            "Sniper's Lair",
            ("New Antioch or Trench Pilgrims", "Iron Sultanate", "Heretic Legions", "Black Grail", "The Court"),
        ),
        18: ("Fallen Knight", ("Loot", "Memorialise")),
        20: ("Warband Strongbox", ("Trove", "Panoply")),
    },
    "rare": {
        5: ("Angelic Instrument", ()),
        9: ("Abandoned Prophetic Radio Post", ()),
        11: ("Pot of Manna", ()),
        12: ("Ransacked Alchemist Workshop", ()),
        15: ("Black Market", ()),
        17: ("Book of Golems", ()),
        19: ("Ruined Church/Masjid/Synagogue", ("Report", "Keep")),
        21: ("Stash of Drugs & Erotica", ("Indulge", "Sell", "Confiscate")),
        23: ("Saint's Reliquary", ()),
        25: ("High-Ranking Captive", ("Ransom", "Execute", "Imprison", "Indenture")),
        32: ("Abandoned Resurrection Machines", ()),
    },
    "legendary": {
        6: ("Battlefield of Corpses", ()),
        8: ("Esoteric Library", ("Burn", "Release Plague", "Sell", "Study")),
        10: ("Hidden Passages", ()),
        12: ("Jabirean Alchemical Book", ("Keep", "Sell", "Study")),
        14: ("Black Network Contact", ()),
        16: ("Treasure of the Holies", ()),
        18: ("Skull of a Saint", ("Faithful", "Fallen")),
        20: ("Lock of Samson's Hair", ()),
        23: ("Patron's Visit", ()),
        26: ("Sample of Holy DNA", ()),
        30: ("Golgotha Tektites", ("Treat armour", "Hand over")),
        36: ("Fruit from the Tree of\u0020Good and Evil Knowledge", ()),  # a proper name: \u0020 is a plain blank
    },
}


@pytest.mark.parametrize("rarity", LOCATIONS)
def test_the_locations_of_a_table_by_score_with_their_ways(rarity):
    """Point `locations`: Patron's Visit stands at Legendary 23."""
    found = {p.score: (p.name, tuple(o.name for o in p.options)) for p in PACK.locations if p.rarity == rarity}
    assert found == LOCATIONS[rarity]


# --- deeds and scenarios

TURNS = {
    "claim-no-mans-land": (4, 4),
    "hunt-for-heroes": (5, 5),
    "relic-hunt": (4, 4),
    "trench-warfare": (4, 5),
    "armoured-train": (5, 5),
    "dragon-hunt": (4, 5),
    "supply-raid": (4, 4),
    "from-below": (4, 5),
    "fields-of-glory": (4, 4),
    "dont-breathe": (5, 6),
    "the-high-ground": (5, 5),
    "great-war": (5, 5),
}
DEEDS = {
    "claim-no-mans-land": {
        "hold-your-ground",
        "resist-and-bite",
        "bloodletting",
        "cast-them-down",
        "lord-of-war",
        "sniper",
        "suicidal-bravery",
    },
    "hunt-for-heroes": {
        "high-risk-high-reward",
        "death-from-above",
        "dangerous-fall",
        "sharpshooter",
        "kill-their-leaders",
    },
    "relic-hunt": {
        "protect-the-relic",
        "blood-sacrifice",
        "resist-and-bite",
        "cast-them-down",
        "sniper",
        "relic-hunter",
    },
    "trench-warfare": {
        "hold-your-ground",
        "survive-to-tell-the-tale",
        "good-hunting",
        "victory-or-death",
        "into-the-trenches",
        "headshot",
    },
    "armoured-train": {
        "no-stone-left-unturned",
        "over-the-enemy-line",
        "king-of-the-hill-train",
        "supply-run",
        "meat-grinder",
    },
    "dragon-hunt": {"fire-with-fire", "off-my-back", "genocidal", "dragon-slayer", "opportunist"},
    "supply-raid": {"daring-raid", "hold-your-ground", "rampage", "victory-or-death", "stop-them", "save-the-supplies"},
    "from-below": {"for-science", "vial-thief", "sadistic-wretch", "risk-taker", "bloodlust", "ichor-frenzy"},
    "fields-of-glory": {
        "personal-revenge",
        "no-escape",
        "death-from-above",
        "risk-it-all",
        "trench-raider",
        "the-real-killer",
        "reaper",
        "elite-hunter",
    },
    "dont-breathe": {"poisonous-rage", "combustive", "iron-lungs", "deep-breaths", "burning-sight"},
    "the-high-ground": {
        "king-of-the-hill-high-ground",
        "back-to-the-mud",
        "death-from-above",
        "victory-or-death",
        "down-with-you",
    },
    "great-war": set(),
}


def test_the_twelve_scenarios_and_their_turns():
    """Point `scenario-list`."""
    assert {s.id: (s.turns_least, s.turns_most) for s in PACK.scenarios} == TURNS
    assert all(s.described for s in PACK.scenarios)
    assert PACK.random_parts == ()


@pytest.mark.parametrize("scenario", DEEDS)
def test_the_deeds_of_a_scenario_from_both_sides(scenario):
    assert set(content().scenarios[scenario].deeds) == DEEDS[scenario]
    assert {d.id for d in PACK.deeds if scenario in d.scenarios} == DEEDS[scenario]


def test_the_glory_and_the_points_of_deeds():
    assert len(PACK.deeds) == 55
    assert {d.id: d.glory for d in PACK.deeds if d.glory != 1} == {"dragon-slayer": 2}
    assert {d.id: d.victory_points for d in PACK.deeds if d.victory_points != 1} == {
        "victory-or-death": 0,
        "elite-hunter": 2,
        "personal-revenge": 2,
        "risk-it-all": 2,
        "trench-raider": 3,
    }


def test_the_deeds_of_whole_warbands_and_of_one_side():
    assert {d.id for d in PACK.deeds if d.by_warband} == {
        "hold-your-ground",
        "victory-or-death",
        "save-the-supplies",
        "trench-raider",
        "iron-lungs",
    }
    assert {d.id for d in PACK.deeds if d.leader_learns} == {"hold-your-ground", "victory-or-death"}
    assert {d.id: d.side for d in PACK.deeds if d.side} == {
        "daring-raid": "attacker",
        "rampage": "attacker",
        "save-the-supplies": "defender",
        "stop-them": "defender",
    }


def test_the_force_limits_of_scenarios():
    forces = {s.id: s.forces for s in PACK.scenarios}
    assert [s for s, f in forces.items() if f.elites_all] == ["hunt-for-heroes"]
    assert {s: f.half_ducats_for for s, f in forces.items() if f.half_ducats_for} == {"trench-warfare": "defender"}
    assert {s: f.field_strength for s, f in forces.items() if f.field_strength} == {"armoured-train": 15}
    assert {s: f.half_for for s, f in forces.items() if f.half_for} == {"from-below": "both"}
    assert all(f.most_fighters is None and f.base_below_mm is None for f in forces.values())


def test_who_attacks_where_somebody_does():
    assert {s.id for s in PACK.scenarios if s.attacker} == {"trench-warfare", "supply-raid", "dont-breathe"}
    assert {s.attacker_by for s in PACK.scenarios if s.attacker} == {"larger-warband"}


def test_where_morale_is_never_checked():
    assert {s.id for s in PACK.scenarios if s.morale == "no-tests"} == {"relic-hunt", "great-war"}
    assert {s.morale for s in PACK.scenarios} == {"shaken", "no-tests"}
    assert [s.id for s in PACK.scenarios if s.needs_enemy_rating] == ["great-war"]


def test_infiltrators_deploy_as_others_do_in_three_scenarios():
    assert {s.id for s in PACK.scenarios if not s.infiltrators} == {
        "claim-no-mans-land",
        "relic-hunt",
        "armoured-train",
    }
