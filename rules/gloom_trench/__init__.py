"""The game Gloom Trench 1926: units activated by drawn chits, three sizes of dice, Stress tokens."""
