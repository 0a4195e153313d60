"""A battle while it is played: state, acts, offers."""
