"""The site owner's pages of campaign files: what a file holds, who is who, and how far its import is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.models import IncomingCampaign
from campaigns.pages.booklet import BookletProgress
from warbands.pages.formatting import day
from warbands.pages.widgets import Link

State = IncomingCampaign.State


@dataclass(frozen=True, slots=True)
class IncomingLine:
    title: str
    meta: str
    href: str
    state: str


@dataclass(frozen=True, slots=True)
class IncomingPerson:
    """A person of the file. `same` is the account here with the same name, "" if there is none; `value` what was typed."""

    number: int
    name: str
    places: str
    same: str
    value: str

    @property
    def field(self) -> str:
        """Return the name of its field in the form."""
        return f"who_{self.number}"


@dataclass(frozen=True, slots=True)
class IncomingPage:
    title: str
    meta: str
    here: str
    back: Link
    holds: str
    people: tuple[IncomingPerson, ...]
    task: BookletProgress | None
    campaign: Link | None
    refused: str
    may_import: bool
    may_drop: bool


def incoming_lines() -> tuple[IncomingLine, ...]:
    """Return the files of the last week, newest first. One query."""
    rows = IncomingCampaign.objects.defer("data").select_related("sender")
    return tuple(
        IncomingLine(
            each.name,
            _("Uploaded by {user}, {day}").format(user=each.sender, day=day(each.sent_at)),
            reverse("site-campaign", args=[each.pk]),
            each.get_state_display(),
        )
        for each in rows.exclude(pk__in=IncomingCampaign.objects.over().values("pk"))
    )


def incoming_page(row: IncomingCampaign, typed: Mapping[int, str]) -> IncomingPage:
    """Build the page of one file. One query. `typed` is what was sent for each person, if that was refused."""
    here = reverse("site-campaign", args=[row.pk])
    is_at_work = row.state in IncomingCampaign.AT_WORK and not row.is_silent
    waits = row.state != State.DONE and not is_at_work
    made = parse_datetime(row.told["made"])
    return IncomingPage(
        title=row.name,
        meta=_("Exported {day} from release {release}.").format(
            day=day(made) if made else row.told["made"], release=row.told["release"]
        ),
        here=here,
        back=Link(_("Campaigns"), reverse("site-campaigns")),
        holds=_holds(row.told["rows"]),
        people=_people(row, typed) if waits else (),
        task=BookletProgress("import_progress", _("The campaign is being imported."), 0, 1, "queued", here)
        if is_at_work
        else None,
        campaign=Link(row.campaign.name, reverse("campaign-show", args=[row.campaign_id])) if row.campaign else None,
        refused=row.words if row.state == State.REFUSED else "",
        may_import=waits and row.data is not None,
        may_drop=not is_at_work,
    )


def _holds(rows: Mapping[str, int]) -> str:
    seasons, warbands = rows["campaigns.Campaign"], rows["warbands.Warband"]
    battles, acts = rows["campaigns.Battle"], rows["warbands.Event"]
    return ", ".join(
        (
            ngettext("{count} season", "{count} seasons", seasons).format(count=seasons),
            ngettext("{count} warband", "{count} warbands", warbands).format(count=warbands),
            ngettext("{count} battle", "{count} battles", battles).format(count=battles),
            ngettext("{count} history entry", "{count} history entries", acts).format(count=acts),
        )
    )


def _people(row: IncomingCampaign, typed: Mapping[int, str]) -> tuple[IncomingPerson, ...]:
    people = row.told["people"]
    names = {each for person in people for each in _usual(person["name"])}
    here = set(
        User.objects.with_account().filter(username__in=names, is_active=True).values_list("username", flat=True)
    )
    return tuple(
        IncomingPerson(
            person["number"],
            person["name"],
            ", ".join([*([_("administrator")] if person["administers"] else []), *person["seats"]]) or _("took part"),
            next((each for each in _usual(person["name"]) if each in here), ""),
            typed.get(person["number"], ""),
        )
        for person in people
    )


def _usual(name: str) -> tuple[str, str]:
    """Return the user names that somebody of this name would have."""
    return name, name.lower()
