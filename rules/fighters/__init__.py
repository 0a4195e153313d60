"""What a fighter is right now: every effect of its profile, abilities, kit, upgrades, skills, traumas and list, put together."""
