"""Roster files that other programs write: what a file is, its tree, and the roster in it.

Nothing here knows a game. A game's own package says what the names in a file mean.
"""
