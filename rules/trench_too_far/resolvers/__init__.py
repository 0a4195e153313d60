"""The rules at the table of A Trench Too Far: orders, fire, shock, assault, tanks, the end of the turn."""
