"""The services of problem reports: what a report holds, sending it, and what the site owner notes about it."""

from __future__ import annotations

import json
import logging
import smtplib
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.http import Http404
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from config.release import release
from config.shown_address import shown_address, without_addresses
from rules.problems import Refusal
from warbands.access import fighter_for, item_for, warband_for
from warbands.adapters import force_of
from warbands.models import ProblemReport, Warband
from warbands.services.common import clean_text

logger = logging.getLogger(__name__)
LONGEST = 1000
MOST_BYTES = 200_000  # of a roster; a very large warband has a tenth of this


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What a report sends besides the sentence. `page` is an address without secrets; `warband` may be None."""

    page: str
    release: str
    warband: Warband | None


def enclosed_with(user: Any, address: str) -> Enclosed:
    """Return what a report about a page sends. The roster only if this person may read it. At most three queries."""
    page = shown_address(address)
    return Enclosed(page, release(), _roster_behind(user, page))


def _roster_behind(user: Any, page: str) -> Warband | None:
    try:
        pk = resolve(page).kwargs.get("pk")
    except Resolver404:
        return None
    if not isinstance(pk, int) or not user.is_authenticated:
        return None
    room = page.split("/")[1]
    try:
        if room == "warbands":
            return warband_for(user, pk)
        if room == "fighters":
            return fighter_for(user, pk).warband
        if room == "items":
            return item_for(user, pk, to="read").warband
    except (Http404, PermissionDenied):
        pass
    return None


def send_problem(*, user: Any, address: str, words: str, token: str, site: str) -> ProblemReport:
    """Send a report to the site owner: a row of their list, and an e-mail if they gave an address.

    Addresses in the sentence lose their secrets too. The same token sends nothing twice. Raises Refusal for a sentence
    that is too long.
    """
    sentence = without_addresses(
        clean_text(words, what=_("Your sentence"), longest=LONGEST, lines=True, field="words")
    )[:LONGEST]
    found = enclosed_with(user, address)
    report, made = ProblemReport.objects.get_or_create(
        token=token,
        defaults={
            "by": user if user.is_authenticated else None,
            "page": found.page,
            "release": found.release,
            "words": sentence,
            "warband": found.warband,
            "roster_name": found.warband.name if found.warband is not None else "",
            "roster_version": found.warband.version if found.warband is not None else None,
            "document": _document(found.warband) if found.warband is not None else None,
        },
    )
    if made:
        _mail(report, site)
    return report


def _document(warband: Warband) -> dict[str, Any] | None:
    terms = warband.terms
    document = dict(terms.game.documents.write_document(terms.content, force_of(warband)))
    return document if len(json.dumps(document)) <= MOST_BYTES else None


def _mail(report: ProblemReport, site: str) -> None:
    if not settings.SITE_OWNER_EMAIL:
        return
    lines = [
        _("Page: {page}").format(page=report.page or "–"),
        _("Release: {release}").format(release=report.release),
        report.words,
        site + reverse("problem-show", args=[report.pk]),
    ]
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("a problem was reported")
    try:
        send_mail(subject, "\n\n".join(line for line in lines if line), None, [settings.SITE_OWNER_EMAIL])
    except (smtplib.SMTPException, OSError) as error:
        logger.error("Problem %s was not mailed: %s", report.pk, type(error).__name__)


def settle_problem(*, report: ProblemReport, state: str, note: str) -> ProblemReport:
    """Set the state of a report and what the site owner notes about it. Raises Refusal for another state."""
    if state not in ProblemReport.State.values:
        raise Refusal(_("Choose a state."), code="state")
    report.state = state
    report.note = clean_text(note, what=_("The note"), longest=500, lines=True, field="note")
    report.save(update_fields=["state", "note"])
    return report
