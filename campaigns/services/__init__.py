"""Writes of a campaign: one function per use case, each one event through `warbands.recording.recording()`."""
