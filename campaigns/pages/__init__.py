"""Reads: one module per page, each building frozen dataclasses in a fixed number of queries."""
