"""The marks of the lists: small shapes of our own, one for each faction and variant, named for the list's id."""

from __future__ import annotations

from rules.content.compiled import Content
from rules.parts.founding import BANNER

MARKS = frozenset(
    {
        "cadaver-corps",
        "cavalcade-of-the-tenth-plague",
        "children-of-yggdrasil",
        "court-of-the-seven-headed-serpent",
        "cult-of-the-black-grail",
        "defenders-of-the-iron-wall",
        "dirge-of-the-great-hegemon",
        "drowned-choir",
        "eire-rangers",
        "expeditionary-forces-of-abyssinia",
        "fang-of-the-seething-black",
        "fidai-of-alamut",
        "ghazi-of-the-golden-path",
        "great-hunger",
        "heretic-legion",
        "heretic-naval-raiders",
        "heretic-naval-raiding-party",
        "house-of-wisdom",
        "iron-sultanate",
        "kingdom-of-alba-assault-detachment",
        "knights-of-avarice",
        "knights-of-saint-lazarus",
        "lazarist-procession",
        "leviathan-shoal",
        "new-antioch",
        "nomads-of-al-badia",
        "papal-states-intervention-force",
        "procession-of-the-blessed-flock",
        "procession-of-the-sacred-affliction",
        "red-brigade",
        "remnants-of-byzantium",
        "stosstruppen-of-the-free-state-of-prussia",
        "trench-ghosts",
        "trench-pilgrims",
        "war-pilgrimage-of-saint-methodius",
    }
)


def mark(content: Content, list_id: str) -> str:
    """Return the mark of a list: its own, else its faction's, else the common banner."""
    compiled = content.lists.get(list_id)
    faction = compiled.faction if compiled else ""
    return next((key for key in (list_id, faction) if key in MARKS), BANNER)
