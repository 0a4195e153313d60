"""The settings as a server would read them: each test starts a Python of its own with the environment it names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SECRET = "a-key-of-this-site-alone-" * 3

TELL = """
import json
from django.conf import settings
print(json.dumps({name: getattr(settings, name, None) for name in %r}, default=str))
"""


def start(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code with the site's settings, in production unless the environment says otherwise."""
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**inherited, "DJANGO_SETTINGS_MODULE": "config.settings", "DEVELOPMENT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def settings_of(*names: str, **environment: str) -> dict[str, object]:
    """Return settings by name."""
    answer = start(TELL % (names,), **environment)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_production_without_a_secret_refuses_to_start_and_says_why():
    answer = start(TELL % (("DEBUG",),), SECRET_KEY="")
    assert answer.returncode != 0
    assert "ImproperlyConfigured: SECRET_KEY is not set." in answer.stderr


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as on a server where nobody set anything."""
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**inherited, "DEVELOPMENT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_asks_the_books_alone_needs_no_secret():
    answer = manage("resolve", "trench-crusade", "success", "--dice", "3,4")
    assert (answer.returncode, json.loads(answer.stdout)["outcome"], answer.stderr) == (0, "success", "")


def test_what_opens_the_database_is_told_in_a_sentence_what_is_missing():
    answer = manage("reconcile", SECRET_KEY="")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("SECRET_KEY is not set.")
    assert "Traceback" not in answer.stderr


def test_production_refuses_the_key_of_development():
    known = settings_of("SECRET_KEY", DEVELOPMENT="1")["SECRET_KEY"]
    answer = start(TELL % (("DEBUG",),), SECRET_KEY=str(known))
    assert answer.returncode != 0
    assert "SECRET_KEY is the one everybody knows" in answer.stderr


@pytest.mark.parametrize(
    "key",
    [
        "x",
        " ",
        "short",
        "a" * 31,
        "0123456789abcdef" + "0123456789abcd ",
        "a" * 64,
        "ab" * 32,
        "changeme" * 8,
        "secret-key!!" * 5,
    ],
)
def test_production_refuses_a_key_that_is_guessed(key):
    answer = start(TELL % (("DEBUG",),), SECRET_KEY=key)
    assert answer.returncode != 0
    assert "ImproperlyConfigured: SECRET_KEY" in answer.stderr
    assert "secrets.token_urlsafe" in answer.stderr or "is not set" in answer.stderr
    assert len(key.strip()) < 6 or key not in answer.stderr.rpartition("ImproperlyConfigured")[2]


def test_production_refuses_such_a_key_among_the_former_ones_too():
    answer = start(TELL % (("DEBUG",),), SECRET_KEY=SECRET, SECRET_KEY_FALLBACKS=f"{SECRET}former,x")
    assert answer.returncode != 0
    assert "A key in SECRET_KEY_FALLBACKS is too short" in answer.stderr


def test_production_takes_a_key_of_32_characters():
    keys = settings_of("SECRET_KEY", SECRET_KEY="q8Zr1xT7uY5bN3mW0pL6kJ4hG2fD9sA-")
    assert keys == {"SECRET_KEY": "q8Zr1xT7uY5bN3mW0pL6kJ4hG2fD9sA-"}


def test_the_command_line_tells_of_such_a_key_in_a_sentence():
    answer = manage("reconcile", SECRET_KEY="x")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("SECRET_KEY is too short.")
    assert "Traceback" not in answer.stderr


def test_what_asks_the_books_alone_is_not_kept_by_such_a_key():
    assert manage("resolve", "trench-crusade", "success", "--dice", "3,4", SECRET_KEY="x").returncode == 0


def test_a_laptop_takes_any_key():
    assert settings_of("SECRET_KEY", DEVELOPMENT="1", SECRET_KEY="x") == {"SECRET_KEY": "x"}


def test_production_is_safe_when_only_the_secret_is_set():
    told = settings_of(
        "DEBUG",
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS",
        "SECURE_PROXY_SSL_HEADER",
        "DEMO_LOGINS",
        "ALLOWED_HOSTS",
        SECRET_KEY=SECRET,
    )
    assert told == {
        "DEBUG": False,
        "SECURE_SSL_REDIRECT": True,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "SECURE_PROXY_SSL_HEADER": None,
        "DEMO_LOGINS": [],
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
    }


def test_the_deployment_check_finds_nothing_in_production():
    answer = start(
        "from django.core.management import execute_from_command_line as run;"
        "run(['manage.py', 'check', '--deploy', '--fail-level', 'WARNING'])",
        SECRET_KEY=SECRET,
    )
    assert answer.returncode == 0, answer.stderr


def test_a_proxy_is_believed_only_when_named():
    told = settings_of("SECURE_PROXY_SSL_HEADER", SECRET_KEY=SECRET, BEHIND_TLS_PROXY="1")
    assert told["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]


def test_a_database_url_chooses_postgresql():
    told = settings_of("DATABASES", SECRET_KEY=SECRET, DATABASE_URL="postgres://club:word@db.example:5433/roll")
    database = told["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "roll")


POSTGRES = "postgres://club:word@db.example:5433/roll"


def test_a_stream_needs_a_path_and_postgresql():
    assert settings_of("STREAM_URL", SECRET_KEY=SECRET) == {"STREAM_URL": ""}
    told = settings_of("STREAM_URL", SECRET_KEY=SECRET, DATABASE_URL=POSTGRES, STREAM_URL="/stream/")
    assert told == {"STREAM_URL": "/stream/"}
    for address in ("stream/", "/stream", "/", "https://club.example/stream/"):
        answer = start(TELL % (("DEBUG",),), SECRET_KEY=SECRET, DATABASE_URL=POSTGRES, STREAM_URL=address)
        assert f"STREAM_URL is a path of this site, such as /stream/, and not {address}." in answer.stderr
    answer = start(TELL % (("DEBUG",),), SECRET_KEY=SECRET, STREAM_URL="/stream/")
    assert "STREAM_URL needs PostgreSQL" in answer.stderr


def test_development_needs_nothing_set():
    told = settings_of("DEBUG", "SECURE_SSL_REDIRECT", "EMAIL_BACKEND", DEVELOPMENT="1")
    assert told == {
        "DEBUG": False,
        "SECURE_SSL_REDIRECT": False,
        "EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend",
    }


@pytest.mark.django_db
def test_pages_carry_a_strict_policy(client):
    headers = client.get("/healthz").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_sqlite_keeps_a_write_ahead_log():
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("says something about SQLite alone")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal",)
    assert connection.transaction_mode == "IMMEDIATE"


def test_postgresql_waits_for_a_lock_no_longer_than_sqlite_unless_told_otherwise():
    def options(url: str) -> object:
        return settings_of("DATABASES", SECRET_KEY=SECRET, DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]

    assert options("postgres://club@db/muster") == {"options": "-c lock_timeout=20s -c random_page_cost=1.1"}
    assert options("postgres://club@db/muster?options=-c%20lock_timeout=5s") == {"options": "-c lock_timeout=5s"}


def test_a_database_that_was_only_migrated_counts_sign_in_limits(tmp_path):
    answer = start(
        """
import django
django.setup()
from django.core.cache import cache
from django.core.management import call_command
call_command("migrate", "accounts", verbosity=0)
cache.set("tries", 1)
assert cache.incr("tries") == 2
call_command("migrate", "accounts", "0002", verbosity=0)
call_command("migrate", "accounts", verbosity=0)
assert cache.get("tries") is None
""",
        DEVELOPMENT="1",
        DATABASE_URL=f"sqlite:///{tmp_path / 'fresh.sqlite3'}",
    )
    assert answer.returncode == 0, answer.stderr
