"""The dice rolls at the table of Gloom Trench 1926."""
