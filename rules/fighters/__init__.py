"""Works out the current state of a fighter from all effects of its profile, abilities, kit, upgrades, skills, traumas and list."""
