"""Measurements, run by `make bench`; never by a timed test."""
