"""The site as gunicorn serves it, with the bare page added."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

settings.ROOT_URLCONF = "tests.bench.urls"

from config.wsgi import application  # noqa: E402

__all__ = ["application"]
