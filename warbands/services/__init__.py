"""Writes: one function per use case, each one event through `recording()`."""
