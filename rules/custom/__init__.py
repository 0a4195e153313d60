"""What games share whose profiles the players write themselves: kinds of profile, readings, forces built from them."""
