"""What became of something that was sent: sent, refused for good, refused for now, or unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext as _

from config.outbound import OutboundRefused

if TYPE_CHECKING:
    import requests

Outcome = Literal["sent", "refused", "later", "perhaps"]
# How long to wait after each certain refusal that may pass; after the last one it is given up.
BACKOFF = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
)
LONGEST_WAIT = timedelta(hours=8)
CLAIM_FOR = timedelta(minutes=3)  # longer than all time limits of one sending together


@dataclass(frozen=True, slots=True)
class Fate:
    """`why` names no address. `is_gone` says that the other end does not exist any more. `wait` is what it asked for."""

    outcome: Outcome
    why: str = ""
    is_gone: bool = False
    wait: timedelta | None = None
    answer: Any = None


def wait_after(tries: int, fate: Fate) -> timedelta | None:
    """Return how long to wait before the next try; None if it is given up."""
    if tries > len(BACKOFF):
        return None
    wait = fate.wait if fate.wait is not None else BACKOFF[max(tries, 1) - 1]
    return min(wait, LONGEST_WAIT)


def fate_of_request(send: Callable[[], requests.Response]) -> Fate:
    """Send a request and return its fate. Only what certainly did not arrive may be sent again."""
    import requests
    from urllib3.exceptions import MaxRetryError, NameResolutionError, NewConnectionError

    try:
        answer = send()
    except OutboundRefused:
        return Fate("refused", _("This server doesn't send to this address."))
    except requests.exceptions.ConnectTimeout:
        return Fate("later", _("No connection."))
    except requests.exceptions.ConnectionError as error:
        reason = error.args[0] if error.args else None
        reason = reason.reason if isinstance(reason, MaxRetryError) else reason
        if isinstance(reason, (NewConnectionError, NameResolutionError)):
            return Fate("later", _("No connection."))
        return Fate("perhaps", _("The connection broke while it was sent."))
    except requests.exceptions.RequestException:
        return Fate("perhaps", _("There was no answer."))
    return fate_of_answer(answer)


def fate_of_answer(answer: requests.Response) -> Fate:
    status = answer.status_code
    if 200 <= status < 300:
        return Fate("sent", answer=answer)
    why = _("Refused with code {status}.").format(status=status)
    if status in (404, 410):
        return Fate("refused", why, is_gone=True, answer=answer)
    if status in (429, 503):
        return Fate("later", why, wait=_asked_wait(answer), answer=answer)
    if status >= 500:
        return Fate("perhaps", why, answer=answer)
    return Fate("refused", why, answer=answer)


def _asked_wait(answer: requests.Response) -> timedelta | None:
    try:
        seconds = float(answer.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return timedelta(seconds=min(max(seconds, 1), LONGEST_WAIT.total_seconds())) if seconds == seconds else None
