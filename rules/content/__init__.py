"""Content packs: what a printed edition says, as data. `schema` types it, `load` reads it, `check` lists what dangles."""
