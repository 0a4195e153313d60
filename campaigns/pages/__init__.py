"""Data for the pages, one module per page. Each module builds frozen dataclasses with a fixed number of queries."""
