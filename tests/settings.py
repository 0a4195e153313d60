"""The site's settings with what tests need otherwise: a quick password hasher and a database in a file of its own."""

import os
import tempfile
from pathlib import Path

os.environ["DEVELOPMENT"] = "1"
os.environ["DEBUG"] = "0"

from config.settings import *  # noqa: F403
from config.settings import DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Two runs at once must not meet in one database. On SQLite it is a file: WAL and waiting for a lock need one.
_run = f"muster_roll_test_{os.getpid()}"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"{_run}.sqlite3")}
    _options = DATABASES["default"]["OPTIONS"]  # nobody misses this file after a power cut
    _options["init_command"] = _options["init_command"].replace("synchronous=NORMAL", "synchronous=OFF")
else:
    DATABASES["default"]["TEST"] = {"NAME": _run}
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    # Nor what was committed last, which a kill of the server's processes does not lose. Tests that kill the server start their own.
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"

# Tables are made from the models: all migrations one after the other take ten seconds in each process. That both lead to the
# same tables is shown by tests that migrate (tests/unit/test_migrations.py), and by `makemigrations --check`.
DATABASES["default"]["TEST"]["MIGRATE"] = False

# Push messages are signed with a key that is no secret. Tests that send any allow an endpoint of their own.
VAPID_PRIVATE_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"
SITE_URL = "https://club.example"
