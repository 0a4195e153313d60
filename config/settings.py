"""Settings of the site, read from the environment (or `.env` next to manage.py). The defaults are safe.

`DEVELOPMENT=1` is the one switch for a developer's laptop: a known secret, plain http, mail on the console, demo
log-ins. Without it the site is public: it requires its own SECRET_KEY and uses https only, unless `PLAIN_HTTP=1` says
that it serves only a local network. README.md lists the variables.
"""

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from config.plain_http import fault_of_plain_http
from config.secret_keys import fault_of_key, fault_of_push_key

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
if (BASE_DIR / ".env").is_file():
    env.read_env(BASE_DIR / ".env")

DEVELOPMENT = env.bool("DEVELOPMENT", default=False)
# Also off on a laptop, so that a developer sees the same as a club (error pages, query counts).
DEBUG = env.bool("DEBUG", default=False)

# --- secrets and hosts ------------------------------------------------------------------------------------------------

_DEVELOPMENT_KEY = "development-only-" + "not-a-secret-" * 4

SECRET_KEY = env.str("SECRET_KEY", default=_DEVELOPMENT_KEY if DEVELOPMENT else "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set. Give the site a long random one of its own, "
        "or set DEVELOPMENT=1 if this is only a laptop."
    )
if not DEVELOPMENT and SECRET_KEY == _DEVELOPMENT_KEY:
    raise ImproperlyConfigured("SECRET_KEY is the one everybody knows from development. Make one for this site.")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
if not DEVELOPMENT:
    _keys = [("SECRET_KEY", SECRET_KEY), *(("A key in SECRET_KEY_FALLBACKS", key) for key in SECRET_KEY_FALLBACKS)]
    for _name, _key in _keys:
        if _fault := fault_of_key(_key, _name):
            raise ImproperlyConfigured(_fault)

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"] if DEVELOPMENT else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# A folder of dated changes to the rules, beside those of this release: GAME/EDITION/ID, as the packs are laid out.
OVERLAYS = env.str("OVERLAYS", default="")

# --- https, cookies, headers ------------------------------------------------------------------------------------------

PLAIN_HTTP = env.bool("PLAIN_HTTP", default=False)
_SPEAKS_HTTPS = not DEVELOPMENT and not PLAIN_HTTP
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=_SPEAKS_HTTPS)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=365 * 24 * 60 * 60 if _SPEAKS_HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
_BEHIND_TLS_PROXY = env.bool("BEHIND_TLS_PROXY", default=False)
if PLAIN_HTTP and (
    _fault := fault_of_plain_http(
        hosts=ALLOWED_HOSTS if not DEVELOPMENT else (),
        anywhere=env.bool("PLAIN_HTTP_ANYWHERE", default=False),
        behind_proxy=_BEHIND_TLS_PROXY,
        redirects=SECURE_SSL_REDIRECT,
        hsts_seconds=SECURE_HSTS_SECONDS,
    )
):
    raise ImproperlyConfigured(_fault)
if _BEHIND_TLS_PROXY:
    # Only for a proxy that always sets this header itself; otherwise anybody could pretend to use https.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Browsers ignore this header over plain http, and log a warning on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None if PLAIN_HTTP else "same-origin"
X_FRAME_OPTIONS = "DENY"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SPEAKS_HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60  # a campaign's round may take a month

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# Only the owner of the domain can decide about its other subdomains and the browsers' preload lists.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- apps, middleware, templates --------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "template_partials.apps.SimpleAppConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_tasks",
    "django_tasks_db",
    "config",
    "accounts",
    "notifications",
    "warbands",
    "campaigns",
]

MIDDLEWARE = [
    "config.bare.BareAnswers",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.compression.CompressedPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.middleware.refuse_large_requests",
    "config.middleware.refuse_null_characters",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.guests.GuestLimits",
    "config.offline.OnDevice",
    "warbands.idempotency.OwnTokens",
    "warbands.guard.Guard",
    "warbands.draft_pages.Drafts",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "campaigns.context_processors.way_back",
                "warbands.context_processors.draft",
            ],
            # Named partials, without a load tag in any template. Django 6 has them built in: then these lines go.
            # And our own tags for the design system, and translation, which every template needs.
            "builtins": [
                "template_partials.templatetags.partials",
                "config.templatetags.ui",
                "django.templatetags.i18n",
            ],
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
        },
    }
]

# --- data -------------------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A transaction takes its write lock at the start, so that concurrent writers wait for each other and none fails.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # By default, PostgreSQL waits for ever. `?options=` in DATABASE_URL overrides this, for a pooler without such options.
    # Its default cost of random reads is for a spinning disk. A club's tables are in memory or on flash, where indexes pay.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("options", "-c lock_timeout=20s -c random_page_cost=1.1")

# The path under which a proxy passes requests on to the stream of news from tables (config/stream.py). Without it phones poll.
STREAM_URL = env.str("STREAM_URL", default="")
if STREAM_URL and not (STREAM_URL.startswith("/") and STREAM_URL.endswith("/") and STREAM_URL.strip("/")):
    raise ImproperlyConfigured(f"STREAM_URL is a path of this site, such as /stream/, and not {STREAM_URL}.")
if STREAM_URL and DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
    raise ImproperlyConfigured(
        "STREAM_URL needs PostgreSQL, which carries the news. Set DATABASE_URL, or leave it out."
    )

# In the database, since sign-in limits must count over all workers, and a club should not need another server.
# Where many web processes share one database, a Redis takes this load off it.
CACHE_URL = env.str("CACHE_URL", default="")
if CACHE_URL and not CACHE_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("CACHE_URL is the address of a Redis, such as redis://localhost:6379/0.")
CACHES: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "muster-roll",
        "OPTIONS": {"socket_timeout": 5, "socket_connect_timeout": 5, "health_check_interval": 30},
    }
    if CACHE_URL
    else {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}

# --- static files -----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEVELOPMENT
        else "config.static_files.HashedStatic"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEVELOPMENT
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # every page names files by their hash: half as many to compress and to keep

# --- people -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Asks api.pwnedpasswords.com about new passwords. Five characters of a hash leave the server, padded on the way back, and
# nothing that says whose password it is. While that service is down, the list of common passwords decides.
if env.bool("CHECK_LEAKED_PASSWORDS", default=False):
    AUTH_PASSWORD_VALIDATORS.append({"NAME": "accounts.validators.LeakedPasswordValidator"})
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
# Who may open an account or begin as a guest: anybody, only those with a link into a campaign, or nobody.
SIGN_UP = env.str("SIGN_UP", default="open")
if SIGN_UP not in ("open", "invited", "closed"):
    raise ImproperlyConfigured(f"SIGN_UP is open, invited or closed, and not {SIGN_UP}.")
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "email"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Muster Roll: "
ACCOUNT_SESSION_REMEMBER = True
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # for links in mails; those made by hand are valid for a shorter time
ACCOUNT_FORMS = {
    "login": "accounts.sign_in_forms.SignInForm",
    "signup": "accounts.sign_in_forms.SignUpForm",
    "add_email": "accounts.sign_in_forms.AddAddressForm",
    "change_password": "accounts.sign_in_forms.ChangePasswordForm",
    "set_password": "accounts.sign_in_forms.SetPasswordForm",
    "reset_password": "accounts.sign_in_forms.ForgottenPasswordForm",
    "reset_password_from_key": "accounts.sign_in_forms.NewPasswordForm",
    "user_token": "accounts.sign_in_forms.ResetKeyForm",
    "reauthenticate": "accounts.sign_in_forms.PasswordAgainForm",
}
# A second step at sign-in: codes of an app, passkeys and security keys, and codes on paper for when they are lost. A passkey
# may also stand for the password. Nobody needs an e-mail address for it.
MFA_ADAPTER = "accounts.second_step.SecondStep"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Muster Roll"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be half a minute off
MFA_RATE_LIMITS = {"webauthn_login": "120/m/ip"}  # as "login" below: a club sits behind one address
MFA_FORMS = {
    "authenticate": "accounts.second_step_forms.CodeForm",
    "reauthenticate": "accounts.second_step_forms.CodeAgainForm",
    "activate_totp": "accounts.second_step_forms.FirstCodeForm",
    "authenticate_webauthn": "accounts.second_step_forms.KeyForm",
    "login_webauthn": "accounts.second_step_forms.KeyAloneForm",
    "reauthenticate_webauthn": "accounts.second_step_forms.KeyAgainForm",
    "add_webauthn": "accounts.second_step_forms.AddKeyForm",
    "edit_webauthn": "accounts.second_step_forms.RenameKeyForm",
}
# Generous for an address (a club sits behind one), strict for one account.
ACCOUNT_RATE_LIMITS = {
    "signup": "60/m/ip,300/h/ip",
    "login": "120/m/ip",
    "login_failed": "60/m/ip,5/5m/key",
    "reset_password": "30/m/ip,5/m/key",
    "reset_password_from_key": "30/m/ip",
}
# Number of PDFs in this many seconds: each takes a second of CPU time. No club night comes near this limit.
PDF_LIMITS = {"user": (60, 600), "address": (120, 600)}
# Number of people in this many seconds who may begin to build without an account, behind one address.
GUEST_LIMIT = (60, 3600)
MOST_REQUEST_BYTES = 6_000_000  # of a whole request: twice the largest file that a form takes
# Pages and reports by the code of a battle sheet, per IP address: a club behind one address, yet no guessing.
REPORT_CODE_LIMIT = (120, 600)
# E-mails in this many seconds by which one person offers warbands.
OFFER_LIMIT = (10, 86400)
# Answers of the API to one person in this many seconds.
API_LIMIT = (600, 600)
# Problem reports in this many seconds.
PROBLEM_LIMITS = {"user": (20, 3600), "address": (30, 3600)}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)

# User name and description, for the sign-in page of a laptop. `manage.py demo` creates these users.
DEMO_PASSWORD = "muster-roll-demo"
DEMO_LOGINS = (
    [
        ("ada", "leads The Lantern Wardens"),
        ("ben", "leads Choir of Brass"),
        ("cleo", "administers the campaign"),
        ("dora", "signed in, no campaign yet"),
    ]
    if DEVELOPMENT
    else []
)

# --- mail -------------------------------------------------------------------------------------------------------------

vars().update(env.email_url("EMAIL_URL", default="consolemail://" if DEVELOPMENT else "smtp://localhost:25"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Muster Roll <muster-roll@localhost>")
EMAIL_TIMEOUT = 10
# Where problem reports are mailed; the site owner finds them in the app without it too.
SITE_OWNER_EMAIL = env.str("SITE_OWNER_EMAIL", default="")

# --- notifications ----------------------------------------------------------------------------------------------------

# Where links in e-mails lead: the site's own address. Without it the first public name of ALLOWED_HOSTS.
_hosts = [host for host in ALLOWED_HOSTS if host != "*" and not host.startswith((".", "["))]
_scheme = "http" if DEVELOPMENT or PLAIN_HTTP else "https"
SITE_URL = env.str(
    "SITE_URL", default="http://127.0.0.1:8000" if DEVELOPMENT or not _hosts else f"{_scheme}://{_hosts[0]}"
).rstrip("/")
# The private key with which push messages are signed; `manage.py push_keys` makes one.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
if _fault := fault_of_push_key(VAPID_PRIVATE_KEY):
    raise ImproperlyConfigured(_fault)
DIGEST_HOUR = env.int("DIGEST_HOUR", default=8)
if not 0 <= DIGEST_HOUR <= 23:
    raise ImproperlyConfigured(f"DIGEST_HOUR is an hour from 0 to 23, and not {DIGEST_HOUR}.")
# Beginnings of addresses on this machine that the server may call besides. Only tests set it.
OUTBOUND_LOCAL: tuple[str, ...] = ()

# --- language and time ------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# --- logging ----------------------------------------------------------------------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", default="line")
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is line or json, and not {LOG_FORMAT}.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "config.json_log.JsonLines"},
    },
    "filters": {"codes": {"()": "config.log_filter.WithoutCodes"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["codes"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # The PDF engine and its font tools log every step.
        "weasyprint": {"level": "WARNING"},
        "fontTools": {"level": "WARNING"},
        # It would log whole addresses, and those of devices and webhooks are secrets.
        "urllib3": {"level": "WARNING"},
    },
}
