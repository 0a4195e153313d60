"""What every game shares at the table: how a rule asks for dice, what it answers, and its exact odds."""
