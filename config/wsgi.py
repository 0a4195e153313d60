"""The application that gunicorn serves."""

import gc
import logging
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.plain_http import LACKING
from config.preload import preload

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

if not settings.DEBUG:
    preload()

# Objects loaded by now stay, so freeze them. A page makes some ten thousand objects, so collect every few pages only.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)

if settings.PLAIN_HTTP:
    logging.getLogger("config").warning(LACKING)
