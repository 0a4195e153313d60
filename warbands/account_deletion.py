"""What of the warbands app goes with an account that ends."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from warbands.models import Change, EventSubject, Profile


def delete_own_profiles(user: Any) -> None:
    """Delete the profiles that nobody else reads, with what history kept of their figures. Those shared in a campaign stay there.

    Units on rosters have their own copy of the profile they were taken from.
    """
    private = Profile.objects.filter(owner=user).filter(Q(terms=None) | Q(is_away=True) | Q(is_undone=True))
    keys = list(private.values_list("pk", flat=True))
    label = f"{Profile._meta.app_label}.{Profile._meta.object_name}"
    Change.objects.filter(label=label, row_id__in=keys).delete()
    EventSubject.objects.filter(label=label, row_id__in=keys).delete()
    private.delete()
