"""Legality: the rules that a roster, a purchase or a fielded force breaks.

`finding` defines a finding; `fighter` and `roster` collect the findings of one fighter and of a whole roster.
"""
