"""The services of a campaign: one function per use case, each recording one event through `warbands.recording.recording()`."""
