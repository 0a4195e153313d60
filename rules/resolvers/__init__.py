"""What the rules of all games at the table share: how a rule asks for dice, its answer, and its exact odds."""
