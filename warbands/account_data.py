"""The warbands app's data about one person: its part of the account export, and its deletion with the account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import ngettext

from accounts.data import AppData
from accounts.models import User
from warbands.export import (
    acts_of,
    delegations_of,
    drafts_of,
    hand_overs_of,
    house_overlays_of,
    imported_files_of,
    print_setups_of,
    problems_of,
    profiles_of,
    roster_drafts_of,
    share_links_of,
    snapshots_of,
    warbands_of,
)
from warbands.models import (
    Chain,
    Change,
    Event,
    EventSubject,
    Fighter,
    HandOver,
    HouseOverlay,
    Item,
    KeptSheet,
    LedgerEntry,
    PaperDraft,
    ProblemReport,
    Profile,
    Promise,
    RosterDraft,
    Snapshot,
    Terms,
    Warband,
)
from warbands.recording import recording
from warbands.services.roster import change_owner


class WarbandData(AppData):
    name = "warbands"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {
            "acts": acts_of(user),
            "delegate_for": delegations_of(user),
            "paper": drafts_of(user),
            "print_setups": print_setups_of(user),
            "drafts": roster_drafts_of(user),
            "hand_overs": hand_overs_of(user),
            "house_overlays": house_overlays_of(user),
            "imported": imported_files_of(user),
            "problems": problems_of(user),
            "profiles": profiles_of(user),
            "share_links": share_links_of(user),
            "snapshots": snapshots_of(user),
            "warbands": warbands_of(user),
        }

    def delete_own(self, user: User) -> None:
        delete_own_profiles(user)
        PaperDraft.objects.filter(owner=user).delete()
        RosterDraft.objects.filter(owner=user).delete()
        HouseOverlay.objects.filter(owner=user).delete()
        HandOver.objects.filter(Q(giver=user) | Q(to=user)).delete()
        ProblemReport.objects.filter(by=user).update(by=None)
        KeptSheet.objects.filter(warband__owner=user).delete()  # they bear the name of the account

    def name_account(self, user: User) -> None:
        Event.objects.filter(actor=user).update(actor_name=str(user))

    def take_over(self, guest: User, user: User) -> None:
        take_over(guest, user)

    def delete_guest(self, guest: User) -> None:
        delete_guest(guest)


def take_over(guest: Any, user: Any) -> None:
    """Give a guest's warbands to an account by one recorded act, and the guest's earlier acts to the same person.

    The profiles follow; one whose slug the account has already gets a free one.
    """
    Event.objects.filter(actor=guest).update(actor=user, actor_name=str(user))
    warbands = list(Warband.objects.live().filter(owner=guest).order_by("pk"))
    if warbands:
        with recording(*warbands, kind="keep", actor=user, for_name="") as act:
            for warband in warbands:
                change_owner(act, act.row(warband), user)
            words = ngettext(
                "{{who}} signed in and kept {count} warband started before.",
                "{{who}} signed in and kept {count} warbands started before.",
                len(warbands),
            )
            act.say(words.format(count=len(warbands)))
    taken = set(Profile.objects.live().filter(owner=user).values_list("system", "slug"))
    for profile in Profile.objects.live().filter(owner=guest):
        slug, number = profile.slug, 2
        while (profile.system, slug) in taken:
            slug, number = f"{profile.slug[:54]}-{number}", number + 1
        taken.add((profile.system, slug))
        Profile.objects.filter(pk=profile.pk).update(slug=slug, owner=user)


def delete_guest(guest: Any) -> None:
    """Delete a guest's warbands with their ledger and history. Nobody else has seen them: guests cannot share or join."""
    PaperDraft.objects.filter(owner=guest).delete()
    Profile.objects.filter(owner=guest).delete()
    warbands = Warband.objects.filter(owner=guest)
    keys = list(warbands.values_list("pk", flat=True))
    terms = list(warbands.values_list("terms", flat=True))
    events = set(EventSubject.objects.filter(warband__in=keys).values_list("event", flat=True))
    events |= set(Event.objects.filter(actor=guest).values_list("pk", flat=True))
    for rows in (LedgerEntry, Promise, Snapshot, Item):
        rows._base_manager.filter(warband__in=keys).delete()  # type: ignore[attr-defined]
    fighters = Fighter.objects.filter(warband__in=keys)
    fighters.exclude(parent=None).delete()
    fighters.delete()
    warbands.delete()
    Chain.objects.filter(label=Warband._meta.label, row_id__in=keys).delete()
    Event.objects.filter(pk__in=events).update(undoes=None)
    Event.objects.filter(pk__in=events).delete()
    Terms.objects.filter(pk__in=terms, warbands=None, campaigns=None).delete()


def delete_own_profiles(user: Any) -> None:
    """Delete the person's unshared profiles, with their values in the history. Profiles shared in a campaign stay there.

    Units on rosters have their own copy of the profile that they were made from.
    """
    private = Profile.objects.filter(owner=user).filter(Q(terms=None) | Q(is_away=True) | Q(is_undone=True))
    keys = list(private.values_list("pk", flat=True))
    Change.objects.filter(label=Profile._meta.label, row_id__in=keys).delete()
    EventSubject.objects.filter(label=Profile._meta.label, row_id__in=keys).delete()
    private.delete()
