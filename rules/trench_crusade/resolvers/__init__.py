"""The dice rolls at the table: success, injury, attacks, movement, morale, markers.

Each rule is a resolver and an exact distribution.
"""
