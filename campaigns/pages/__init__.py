"""Reads: one module for each page. Each builds frozen dataclasses in a fixed number of queries."""
