"""Gloom Trench 1926: units drawn by chits, three sizes of dice, stress."""
