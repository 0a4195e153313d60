"""The rules of the books: content, legality, dice and tables.

Pure Python; no module here imports Django or reads a clock.
"""
