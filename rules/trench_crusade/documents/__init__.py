"""Roster documents: validated reading, completion, judging, and writing without loss."""
