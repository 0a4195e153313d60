"""Content packs: a printed edition as data. `schema` types it, `load` reads it, `check` finds broken references."""
