"""The battle tracker of Gloom Trench 1926: phases, the bag of chits, activations, shooting, charges, melee, Stress
and losses.

`gloom_tracker` is the tracker itself. `phases`, `morale`, `pools`, `initiative`, `chits`, `activation`, `shooting`,
`melee` and `losses` hold the acts, `offers` the prompts and offers, `board` the display, and `checks` the rejection
of impossible states. Source: core rules, Turn Sequence to Turn End.
"""
