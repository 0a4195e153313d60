"""The rules browser: the index of every entry of a pack, and the full page of each."""
