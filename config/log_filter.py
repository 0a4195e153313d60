"""Keeps the codes of secret links out of the log: whoever reads the log must not be able to open them."""

from __future__ import annotations

import logging
import re

# The parts of our addresses that a code follows.
BEFORE_CODES = "answer|calendar|claim|friendly|join|report|stop|take|watch"
# Webhooks of other sites: whoever has their address can post there.
_WEBHOOK = re.compile(r"/webhooks/\d+/[\w-]+")
_CODE = re.compile(rf"/({BEFORE_CODES})/[\w:.-]{{12,}}")


class WithoutCodes(logging.Filter):
    """A filter that replaces the code in each address of a message."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record; every record passes."""
        words = record.getMessage()
        if (hidden := _WEBHOOK.sub("/webhooks/…", _CODE.sub(r"/\1/…", words))) != words:
            record.msg, record.args = hidden, ()
        return True
