"""Roster files of other programs for Trench Crusade: what their names, groups and ids mean."""
