"""All services that a draft may call. Importing this module makes them known (`warbands/draft_acts.py`)."""

from warbands.services import copy_fighter, hire, kit, names, roster, upgrades

__all__ = ["copy_fighter", "hire", "kit", "names", "roster", "upgrades"]
