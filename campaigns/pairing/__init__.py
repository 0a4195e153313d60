"""Pairing of a round: who meets whom. Plain values in, a suggestion with its reasons out; no database."""
