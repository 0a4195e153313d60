"""Offers: what a player may do with a warband now, at what price, and why not."""
