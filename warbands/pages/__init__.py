"""Pages of warbands. Each module builds one page as frozen dataclasses in a fixed number of queries."""
