"""Dated overlays: what a publisher, or a table, changed in an edition after its pack was released.

`schema.py` says what an overlay holds, `read.py` reads its files, `apply.py` lays it over a pack, and `states.py` knows
which overlays there are and makes states of an edition out of them.
"""
