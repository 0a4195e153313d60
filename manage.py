#!/usr/bin/env python
"""The command line of the project: `manage.py help` lists what it can do."""

import gc
import os
import secrets
import sys

# These ask the books alone: they sign nothing and open no database, so that they work from a bare clone.
ASK_THE_BOOKS = frozenset({"content", "check_roster", "resolve", "odds", "import_text", "what_it_does"})


def main() -> None:
    """Run one management command. What keeps the site from starting is told in one sentence, with exit status 2."""
    # What a command loads stays. To look for garbage among it takes a quarter of its start.
    gc.set_threshold(50_000, 20, 20)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if ASK_THE_BOOKS.intersection(sys.argv[1:2]):
        os.environ["SECRET_KEY"] = secrets.token_urlsafe(60)
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as missing:
        sys.stderr.write(f"{missing}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
