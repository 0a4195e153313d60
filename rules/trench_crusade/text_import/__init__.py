"""Pasted rosters: a text read as a roster document, and a document written as text."""
