"""Pasted rosters: parsing a text into a roster document, and writing a document as text."""
