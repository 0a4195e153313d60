"""The signed link for a report that is handed over at the table.

It is short-lived, shown as a code, and opened on the other player's phone. The link names one version of the report.
It grants no rights: whoever opens it must be signed in and play in the battle.
"""

from __future__ import annotations

from django.core import signing
from django.utils.translation import gettext as _

from campaigns.models import Report
from rules.problems import Refusal

SALT = "campaigns.report"
MINUTES = 30


def answer_token(report: Report) -> str:
    return signing.dumps([report.battle_id, report.number], salt=SALT)


def read_answer_token(token: str, minutes: int = MINUTES) -> tuple[int, int] | None:
    """Return the battle id and the report number that a link names; None for an invalid link.

    Raises Refusal for an expired one.
    """
    try:
        battle, number = signing.loads(token, salt=SALT, max_age=minutes * 60)
    except signing.SignatureExpired:
        raise Refusal(
            _("This code was good for {minutes} minutes.").format(minutes=minutes),
            mend=_("Ask for a new one, or open your desk."),
            code="run-out",
        ) from None
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return int(battle), int(number)
