"""The table of Gloom Trench 1926: the turn with its phases, the bag of chits, activations, shooting, charges and melee, Stress and losses.

`gloom_tracker` is the tracker itself. `phases`, `morale`, `pools`, `initiative`, `chits`, `activation`, `shooting`, `melee` and `losses` hold the
acts, `offers` what is asked and what may be done, `board` what is shown, and `checks` what a table cannot be.
Source: core rules, Turn Sequence to Turn End.
"""
