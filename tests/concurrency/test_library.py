"""Two acts on one library at once: each is kept, or one of them is told. On real connections, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import library_stories as library
from tests.concurrency.test_two_at_once import at_once, kinds
from warbands.models import Event, Profile
from warbands.services import library as acts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def test_two_profiles_of_one_name_written_at_once_are_both_kept(ada: Any) -> None:
    results = at_once(*(lambda: library.wrote(ada) for _ in range(4)))
    assert kinds(results) == ["Profile"] * 4
    assert sorted(Profile.objects.values_list("slug", flat=True)) == [
        "harbour-guard",
        "harbour-guard-2",
        "harbour-guard-3",
        "harbour-guard-4",
    ]


def test_the_last_place_of_a_library_is_taken_once(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "MOST_PROFILES", 2)
    library.wrote(ada)
    assert kinds(at_once(*(lambda: library.wrote(ada) for _ in range(2)))) == ["Profile", "Refusal"]
    assert Profile.objects.count() == 2


def test_one_form_sent_twice_at_once_writes_once(ada: Any) -> None:
    results = at_once(*(lambda: library.wrote(ada, token="t" * 20) for _ in range(2)))
    assert kinds(results) == ["AlreadyDone", "Profile"]
    assert Event.objects.count() == Profile.objects.count() == 1


def test_two_changes_of_one_version_give_one_change_and_one_stale_form(ada: Any, cleo: Any) -> None:
    profile = library.shared(library.wrote(ada), library.circle(cleo, ada), ada)

    def change(person: Any, wounds: int) -> Callable[[], Any]:
        data = {**profile.data, "wounds": wounds}
        return lambda: acts.change_profile(
            profile=library.fresh(profile), actor=person, name="Guard", data=data, seen=1
        )

    results = at_once(change(ada, 2), change(cleo, 3))
    assert kinds(results) == ["Profile", "Stale"]
    kept = next(result for result in results if isinstance(result, Profile))
    assert library.fresh(profile).data["wounds"] == kept.data["wounds"]
    assert library.fresh(profile).version == 2
