"""The game Trench Crusade, in every edition that has a pack."""
