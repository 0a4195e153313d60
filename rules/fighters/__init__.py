"""Works out the current state of a fighter from all effects on it.

Effects come from its profile, abilities, kit, upgrades, skills, traumas and list.
"""
