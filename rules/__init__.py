"""What the books say: content, legality, dice and tables. Pure Python; nothing in here imports Django or reads a clock."""
