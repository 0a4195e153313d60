"""The rules browser: every entry of a pack, and each of them in full."""
