"""A report handed over at the table: a short-lived link, shown as a code, that the other player opens on their own phone.

The link names one version of the report. It gives no rights: whoever opens it is signed in and plays in the battle.
"""

from __future__ import annotations

from django.core import signing

from campaigns.models import Report
from rules.problems import Refusal

SALT = "campaigns.report"
MINUTES = 30


def answer_token(report: Report) -> str:
    return signing.dumps([report.battle_id, report.number], salt=SALT)


def read_answer_token(token: str, minutes: int = MINUTES) -> tuple[int, int] | None:
    """Return the battle and the number of the report that a link names; None for an invalid link.

    Raises Refusal for an expired one.
    """
    try:
        battle, number = signing.loads(token, salt=SALT, max_age=minutes * 60)
    except signing.SignatureExpired:
        raise Refusal(
            f"This code was good for {minutes} minutes.", mend="Ask for a new one, or open your desk.", code="run-out"
        ) from None
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return int(battle), int(number)
