"""The services that write, publish and withdraw the gazette of a round or the closing ceremony."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Publication, Round
from campaigns.services.common import NothingToDo, cleaned_name, settles
from rules.problems import Refusal
from warbands.recording import recording

LONGEST = 3000


@settles
def save_publication(
    *,
    campaign: Campaign,
    found: Round | None,
    actor: Any,
    title: str,
    opening: str = "",
    closing: str = "",
    left_out: Collection[str] = (),
    publishes: bool = False,
    token: str = "",
) -> Publication:
    """Write the gazette of a round, or the closing ceremony for None. `publishes` shows it to those who see the campaign.

    A later call changes it; what is published already is then marked as amended. Raises Refusal while the round or the
    campaign is still open.
    """
    title = cleaned_name(title, _("A gazette") if found is not None else _("The ceremony"), most=100, field="title")
    opening, closing = _text(opening, "opening"), _text(closing, "closing")
    with recording(campaign, *([found] if found is not None else []), kind="publish", actor=actor, token=token) as act:
        row = act.row(campaign)
        _refuse_open(row, act.row(found) if found is not None else None)
        wanted = {"title": title, "opening": opening, "closing": closing, "left_out": sorted(set(left_out))}
        kept = Publication.objects.live().filter(campaign=row, round=found).first()
        was_out = kept is not None and kept.published_at is not None
        if kept is None:
            kept = act.create(Publication(campaign=row, round=found, **wanted))
        elif (was_out or not publishes) and all(getattr(kept, name) == value for name, value in wanted.items()):
            raise NothingToDo(kept)
        now = timezone.now()
        if publishes and not was_out:
            wanted["published_at"] = now
        elif was_out:
            wanted["amended_at"] = now
        kept = act.change(kept, **wanted)
        act.also_about(kept)
        act.say(_words(publishes and not was_out, was_out).format(title=title, campaign=row.name))
    return kept  # type: ignore[no-any-return]


def withdraw_publication(*, publication: Publication, actor: Any, token: str = "") -> Publication:
    """Make what was published a draft again. Raises Refusal if it is one."""
    with recording(publication.campaign, publication, kind="publish", actor=actor, token=token) as act:
        row = act.row(publication)
        if row.published_at is None:
            raise Refusal(_("“{title}” is not published.").format(title=row.title), code="draft")
        act.change(row, published_at=None, amended_at=None)
        act.say(_("{{who}} withdrew “{title}”.").format(title=row.title))
    return row  # type: ignore[no-any-return]


def _words(is_new: bool, amends: bool) -> str:
    if is_new:
        return _("{{who}} published “{title}” for {campaign}.")
    return _("{{who}} amended “{title}” of {campaign}.") if amends else _("{{who}} drafted “{title}” for {campaign}.")


def _refuse_open(campaign: Campaign, found: Round | None) -> None:
    if found is not None and not found.is_closed:
        raise Refusal(
            _("Round {number} is still open.").format(number=found.number), mend=_("Close it first."), code="open"
        )
    if found is None and campaign.status == Campaign.Status.RUNNING:
        raise Refusal(_("{name} is still running.").format(name=campaign.name), mend=_("End it first."), code="running")


def _text(text: str, field: str) -> str:
    text = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))
    if len(text) > LONGEST:
        raise Refusal(_("Up to {most} letters.").format(most=LONGEST), code="too-long", field=field)
    return text
