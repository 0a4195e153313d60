"""Roster documents: read with distrust, completed, judged and written without loss."""
