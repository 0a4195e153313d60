"""The warbands app's data about one person: its part of the account export, and its deletion with the account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from accounts.data import AppData
from accounts.models import User
from warbands.export import drafts_of, profiles_of, warbands_of
from warbands.models import Change, EventSubject, Profile


class WarbandData(AppData):
    name = "warbands"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {"paper": drafts_of(user), "profiles": profiles_of(user), "warbands": warbands_of(user)}

    def delete_own(self, user: User) -> None:
        delete_own_profiles(user)


def delete_own_profiles(user: Any) -> None:
    """Delete the person's unshared profiles, with their values in the history. Profiles shared in a campaign stay there.

    Units on rosters have their own copy of the profile that they were made from.
    """
    private = Profile.objects.filter(owner=user).filter(Q(terms=None) | Q(is_away=True) | Q(is_undone=True))
    keys = list(private.values_list("pk", flat=True))
    Change.objects.filter(label=Profile._meta.label, row_id__in=keys).delete()
    EventSubject.objects.filter(label=Profile._meta.label, row_id__in=keys).delete()
    private.delete()
