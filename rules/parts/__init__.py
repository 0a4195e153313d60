"""The parts of a game that the app calls: one module for each, with the values that it exchanges."""
