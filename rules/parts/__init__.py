"""The parts of a game that the app asks: one module for each, with the values that it speaks in."""
