"""Backups: all data of the site as one portable file, for SQLite and PostgreSQL alike. docs/backup-format.md describes it."""
