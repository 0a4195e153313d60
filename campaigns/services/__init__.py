"""Writes of a campaign: one function for each use case, each one event through `warbands.recording.recording()`."""
