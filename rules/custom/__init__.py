"""What the games share in which players write their own profiles: kinds of profile, readings, and forces built from them."""
