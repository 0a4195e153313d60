"""The steps of the 1.6.3 post-battle sequence: one module for each kind of thing that is settled in it."""
