"""What a process forgets of overlays where a test stands for another process, or for files that changed: not the packs, which every process has read."""

from __future__ import annotations

from rules.content.overlays import states


def forget_handed_in() -> None:
    """Know nothing more of overlays that lie in no folder, as a process that was never handed them."""
    for key, state in list(states._states.items()):
        game, edition, named = key
        known = states.overlays_of(game, edition)
        # A digest in the key stands for the words of a file. Where there is none, an overlay was found by its id alone.
        if any(overlay.id not in known and overlay.digest not in named for overlay in state.taken):
            del states._states[key]
    states._found.clear()
    states._house.clear()


def forget_files() -> None:
    """Read all overlays anew, since a file was written or went."""
    packs = dict(states._packs)
    states.forget()
    states._packs.update(packs)
