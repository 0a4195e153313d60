"""What is rolled at the table of Gloom Trench 1926."""
