"""Legality: what a roster, a purchase or a fielded force breaks. `finding` shapes a finding, `fighter` and `warband` look for them."""
