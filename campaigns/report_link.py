"""A report handed over at the table: a short-lived link, drawn as a code, which the other player opens on a phone of their own.

The link names one version of the report. It gives no rights: whoever opens it is signed in and plays in the battle.
"""

from __future__ import annotations

from django.core import signing

from campaigns.models import Report
from rules.problems import Refusal

SALT = "campaigns.report"
MINUTES = 30


def answer_token(report: Report) -> str:
    """The end of the link to this version of a report."""
    return signing.dumps([report.battle_id, report.number], salt=SALT)


def read_answer_token(token: str, minutes: int = MINUTES) -> tuple[int, int] | None:
    """The battle and the number of the report that a link names; None for a link that was never given.

    Raises Refusal for one that has run out.
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
