"""The library's acts: written, changed, copied, shared, put away and brought in, each recorded and each undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.deletion import delete_account
from accounts.export import exported_data
from campaigns.services.join import leave_seat, return_to_seat
from rules.custom.exchange import read_profiles
from rules.problems import Refusal
from rules.registry import system
from tests import library_stories as library
from tests import stories as s
from tests.library_stories import EDITION, GAME, GUARD, OTHER_GAME
from warbands.access import profile_for, profile_right
from warbands.adapters import forces_of, libraries_of
from warbands.models import Change, Event, Profile
from warbands.recording import AlreadyDone, Stale
from warbands.services import library as acts
from warbands.services.founding import found_warband
from warbands.services.library_import import import_profiles
from warbands.undo import undo

pytestmark = pytest.mark.both_databases


def last_event() -> Event:
    return Event.objects.latest("pk")


def seats_of(campaign: Any, user: Any) -> Any:
    return campaign.seats.live().get(user=user)


# --- written and changed ------------------------------------------------------------------------------------------------


def test_a_written_profile_stands_in_the_library_with_everything_filled_in(ada: Any) -> None:
    profile = library.wrote(ada, "  Harbour   Guard ")
    assert (profile.name, profile.slug, profile.version) == ("Harbour Guard", "harbour-guard", 1)
    assert profile.data["wounds"] == 1
    assert last_event().told == "ada wrote Harbour Guard into the library."
    undo(event=last_event(), actor=ada)
    assert not Profile.objects.live().exists()
    undo(event=last_event(), actor=ada)  # and brought back
    assert Profile.objects.live().get() == profile


def test_a_profile_that_does_not_pass_its_kind_is_not_kept(ada: Any) -> None:
    for how in (
        {"data": {**GUARD, "wounds": 0}},
        {"name": "   "},
        {"name": "x" * 81},
        {"kind": "dragon"},
        {"system_id": "chess"},
        {"system_id": "trench-crusade", "edition": "1.6.3"},
        {"edition": "second"},
        {"data": []},
    ):
        with pytest.raises(Refusal):
            library.wrote(ada, **how)  # type: ignore[arg-type]
    assert not Profile.objects.exists()
    assert not Event.objects.exists()


def test_a_profile_too_long_to_keep_is_refused(ada: Any) -> None:
    orders = [{"name": f"Order {n}", "text": "é" * 1000} for n in range(12)]
    rules = [{"name": f"Rule {n}", "text": "é" * 1000} for n in range(12)]
    with pytest.raises(Refusal, match="too long"):
        library.wrote(ada, data={**GUARD, "unit_orders": orders, "special_rules": rules})


def test_a_change_counts_the_version_and_is_undone(ada: Any) -> None:
    profile = library.wrote(ada)
    acts.change_profile(profile=profile, actor=ada, name="Quay Guard", data={**profile.data, "wounds": 2}, seen=1)
    fresh = library.fresh(profile)
    assert (fresh.name, fresh.data["wounds"], fresh.version, fresh.slug) == ("Quay Guard", 2, 2, "harbour-guard")
    assert last_event().told == "ada changed Harbour Guard, now called Quay Guard: Wounds."
    undo(event=last_event(), actor=ada)
    fresh = library.fresh(profile)
    assert (fresh.name, fresh.data["wounds"]) == ("Harbour Guard", 1)
    assert fresh.version == 3  # what a unit took as the second version is not what stands here now


def test_sharing_changes_no_figures_and_so_no_version(ada: Any, cleo: Any) -> None:
    profile = library.shared(library.wrote(ada), library.circle(cleo, ada), ada)
    assert library.fresh(profile).version == 1


def test_an_old_form_is_told_what_happened_since(ada: Any) -> None:
    profile = library.wrote(ada)
    acts.change_profile(profile=profile, actor=ada, name="Quay Guard", data=profile.data, seen=1)
    with pytest.raises(Stale, match="now called Quay Guard"):
        acts.change_profile(profile=profile, actor=ada, name="Other", data=profile.data, seen=1)
    assert library.fresh(profile).name == "Quay Guard"


def test_two_clicks_write_once(ada: Any) -> None:
    library.wrote(ada, token="t" * 20)
    with pytest.raises(AlreadyDone):
        library.wrote(ada, token="t" * 20)
    assert Profile.objects.count() == 1


def test_an_earlier_act_waits_for_the_later_one(ada: Any) -> None:
    profile = library.wrote(ada)
    written = last_event()
    acts.change_profile(profile=profile, actor=ada, name="Quay Guard", data=profile.data)
    with pytest.raises(Refusal, match="later entry depends"):
        undo(event=written, actor=ada)


def test_names_may_repeat_and_slugs_do_not(ada: Any, ben: Any) -> None:
    profiles = [library.wrote(ada), library.wrote(ada), library.wrote(ben), library.wrote(ada, "Стрелки")]
    assert [profile.slug for profile in profiles] == ["harbour-guard", "harbour-guard-2", "harbour-guard", "profile"]
    assert len({profile.ident for profile in profiles}) == 4


def test_a_library_is_full_at_its_limit(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "MOST_PROFILES", 2)
    library.wrote(ada)
    kept = library.wrote(ada)
    with pytest.raises(Refusal, match="would have 3 profiles; the limit is 2"):
        library.wrote(ada)
    library.wrote(ada, system_id=OTHER_GAME, kind="company", data={})  # another game's library
    acts.put_away_profile(profile=kept, actor=ada)
    library.wrote(ada)
    monkeypatch.setattr(acts, "MOST_EVER", 3)
    monkeypatch.setattr(acts, "MOST_PROFILES", 20)
    with pytest.raises(Refusal, match="archived ones included"):
        library.wrote(ada)


# --- copied, taken, brought in ------------------------------------------------------------------------------------------


def test_a_copy_is_ones_own_with_a_name_of_its_own(ada: Any, ben: Any, cleo: Any) -> None:
    profile = library.shared(library.wrote(ada), library.circle(cleo, ada, ben), ada)
    how: dict[str, Any] = {"source": profile, "owner": ben, "actor": ben, "system_id": GAME, "edition": EDITION}
    copy = acts.copy_profile(**how)
    assert (copy.owner, copy.name, copy.data, copy.terms) == (ben, "Harbour Guard", profile.data, None)
    assert acts.copy_profile(**how).name == "Harbour Guard 2"
    acts.change_profile(profile=copy, actor=ben, name="Mine", data={**copy.data, "wounds": 3})
    assert library.fresh(profile).data["wounds"] == 1
    undo(event=Event.objects.get(kind="profile-change"), actor=ben)


def test_the_games_own_profiles_are_taken_as_copies_with_one_act(ada: Any) -> None:
    taken = acts.take_defaults(
        owner=ada, actor=ada, system_id=OTHER_GAME, idents=["book-rifles", "sample-hmg", "book-rifles"]
    )
    assert [profile.name for profile in taken] == ["Rifles", "Sample HMG team"]
    undo(event=last_event(), actor=ada)
    assert not Profile.objects.live().exists()
    for idents in ([], ["book-dragon"]):
        with pytest.raises(Refusal):
            acts.take_defaults(owner=ada, actor=ada, system_id=OTHER_GAME, idents=idents)


def test_a_document_comes_in_with_one_act_that_undo_takes_back_whole(ada: Any) -> None:
    game = system(GAME)
    document = {"profiles": [{"kind": "unit", "name": f"Unit {n}", "data": GUARD} for n in range(3)]}
    incoming, problems = read_profiles(game.profiles, game.content(EDITION), document)
    assert problems == ()
    how: dict[str, Any] = {"owner": ada, "actor": ada, "system_id": GAME, "edition": EDITION}
    made = import_profiles(incoming=incoming, **how)
    assert [profile.name for profile in made] == ["Unit 0", "Unit 1", "Unit 2"]
    assert last_event().told == "ada imported 3 profiles into the library."
    undo(event=last_event(), actor=ada)
    assert not Profile.objects.live().exists()
    with pytest.raises(Refusal):
        import_profiles(incoming=[], **how)


# --- shared -------------------------------------------------------------------------------------------------------------


def test_who_may_do_what_with_a_shared_profile(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    campaign = library.circle(cleo, ada, ben)
    profile = library.wrote(ada)
    assert [profile_right(user, profile) for user in (ada, ben, cleo, dora)] == ["own", None, None, None]
    profile = library.shared(profile, campaign, ada)
    assert [profile_right(user, profile) for user in (ada, ben, cleo, dora)] == ["own", "read", "edit", None]
    with pytest.raises(PermissionDenied):
        profile_for(ben, profile.pk, to="edit")
    with pytest.raises(PermissionDenied):
        profile_for(cleo, profile.pk, to="own")
    with pytest.raises(Http404):
        profile_for(dora, profile.pk)
    leave_seat(seat=seats_of(campaign, ben), actor=ben)
    assert profile_right(ben, profile) is None
    acts.put_away_profile(profile=profile, actor=ada)
    assert profile_right(cleo, library.fresh(profile)) == "edit"


def test_a_profile_is_shared_in_ones_own_campaigns_of_its_game_alone(ada: Any, ben: Any, cleo: Any) -> None:
    profile = library.wrote(ada)
    others = library.circle(cleo, ben)
    other_game = library.circle(cleo, ada, system=OTHER_GAME)
    for campaign in (others, other_game):
        with pytest.raises(Refusal, match="no such campaign"):
            library.shared(profile, campaign, ada)
    mine = library.circle(cleo, ada)
    library.shared(profile, mine, ada)
    with pytest.raises(Refusal, match="already"):
        library.shared(profile, mine, ada)
    undo(event=last_event(), actor=ada)
    assert library.fresh(profile).terms is None


def test_sharing_ends_and_copies_stay(ada: Any, ben: Any, cleo: Any) -> None:
    profile = library.shared(library.wrote(ada), library.circle(cleo, ada, ben), ada)
    copy = acts.copy_profile(source=profile, owner=ben, actor=ben, system_id=GAME, edition=EDITION)
    acts.unshare_profile(profile=profile, actor=cleo)
    assert profile_right(ben, library.fresh(profile)) is None
    assert profile_right(ben, copy) == "own"
    with pytest.raises(Refusal, match="not shared"):
        acts.unshare_profile(profile=profile, actor=ada)


def test_a_profile_is_put_away_and_brought_back(ada: Any) -> None:
    profile = library.wrote(ada)
    acts.put_away_profile(profile=profile, actor=ada)
    assert not Profile.objects.kept().exists()
    with pytest.raises(Refusal, match="was archived"):
        acts.put_away_profile(profile=profile, actor=ada)
    acts.bring_back_profile(profile=profile, actor=ada)
    assert Profile.objects.kept().get() == profile
    undo(event=last_event(), actor=ada)
    undo(event=Event.objects.get(kind="profile-away"), actor=ada)
    assert Profile.objects.kept().get() == profile


# --- what a force may take ----------------------------------------------------------------------------------------------


def test_a_force_takes_from_its_owners_library_the_campaigns_and_the_games(
    ada: Any, ben: Any, cleo: Any, django_assert_num_queries: Any
) -> None:
    campaign = library.circle(cleo, ada, ben)
    own = library.wrote(ada, "Own")
    library.wrote(ben, "Not shared")
    shared = library.shared(library.wrote(ben, "Shared"), campaign, ben)
    away = library.wrote(ada, "Away")
    acts.put_away_profile(profile=away, actor=ada)
    library.wrote(ada, "Other game", system_id=OTHER_GAME, kind="company", data={})
    list_id = campaign.terms.game.founding.lists(campaign.terms.content)[0].id
    force = found_warband(owner=ada, actor=ada, terms=campaign.terms, name="The Quay", list_id=list_id)
    force = s.fresh(force)
    with django_assert_num_queries(2):
        found = libraries_of([force])[force.pk]
    mine = {one.id: (one.name, one.origin, one.by) for one in found if one.origin in ("own", "shared")}
    assert mine == {own.ident: ("Own", "own", ""), shared.ident: ("Shared", "shared", "ben")}
    assert {one.origin for one in found} == {"own", "shared", "book", "sample"}
    assert len({one.id for one in found}) == len(found)


def test_whoever_left_a_campaign_takes_no_more_of_what_is_shared_there(ada: Any, ben: Any, cleo: Any) -> None:
    campaign = library.circle(cleo, ada, ben)
    list_id = campaign.terms.game.founding.lists(campaign.terms.content)[0].id
    forces = [
        s.fresh(found_warband(owner=user, actor=user, terms=campaign.terms, name=str(user), list_id=list_id))
        for user in (ada, ben, cleo)
    ]
    shared = library.shared(library.wrote(ada), campaign, ada)

    def offered() -> list[bool]:
        return [any(one.id == shared.ident for one in found) for found in libraries_of(forces).values()]

    assert offered() == [True, True, True]
    seat = campaign.seats.live().get(user=ben)
    leave_seat(seat=seat, actor=ben)
    assert offered() == [True, False, True]
    return_to_seat(seat=seat, actor=ben)
    assert offered() == [True, True, True]


def test_libraries_are_read_in_one_query_however_many_forces_there_are(
    ada: Any, ben: Any, cleo: Any, django_assert_num_queries: Any
) -> None:
    campaign = library.circle(cleo, ada, ben)
    list_id = campaign.terms.game.founding.lists(campaign.terms.content)[0].id
    forces = [
        s.fresh(found_warband(owner=user, actor=user, terms=campaign.terms, name=str(user), list_id=list_id))
        for user in (ada, ben)
    ]
    library.wrote(ada)
    plain = s.fresh(s.found(cleo))
    with django_assert_num_queries(3):
        read = forces_of(forces)
    assert [len([one for one in read[force.pk].library if one.origin == "own"]) for force in forces] == [1, 0]
    with django_assert_num_queries(2):  # a game whose books hold every profile has no library
        assert forces_of([plain])[plain.pk].library == ()


def test_a_profile_kept_before_its_kind_had_a_field_reads_with_it(ada: Any, cleo: Any) -> None:
    profile = library.wrote(ada)
    data = {key: value for key, value in profile.data.items() if key != "notes"}
    Profile.objects.filter(pk=profile.pk).update(data=data)
    campaign = library.circle(cleo, ada)
    list_id = campaign.terms.game.founding.lists(campaign.terms.content)[0].id
    force = s.fresh(found_warband(owner=ada, actor=ada, terms=campaign.terms, name="The Quay", list_id=list_id))
    assert next(one for one in libraries_of([force])[force.pk] if one.origin == "own").data["notes"] == ""


# --- the account --------------------------------------------------------------------------------------------------------


def test_ones_data_holds_the_profiles_one_wrote(ada: Any, ben: Any) -> None:
    profile = library.wrote(ada)
    library.wrote(ben, "Not Ada's")
    (told,) = exported_data(ada)["profiles"]
    assert (told["game"], told["kind"], told["name"], told["data"]) == (GAME, "unit", "Harbour Guard", profile.data)


def test_an_account_that_ends_takes_its_profiles_along_but_those_the_campaign_plays_with(
    ada: Any, ben: Any, cleo: Any
) -> None:
    private = library.wrote(ada, "Private")
    shared = library.shared(library.wrote(ada, "Shared"), library.circle(cleo, ada, ben), ada)
    key = ada.pk
    assert delete_account(ada) == []
    assert not get_user_model().objects.filter(pk=key).exists()
    assert [profile.name for profile in Profile.objects.all()] == ["Shared"]
    assert not Change.objects.filter(label="warbands.Profile", row_id=private.pk).exists()
    left = library.fresh(shared)
    assert left.owner is None
    assert [profile_right(user, left) for user in (ben, cleo)] == ["read", "own"]
    acts.unshare_profile(profile=left, actor=cleo)
    assert library.fresh(left).is_away
    undo(event=last_event(), actor=cleo)
    assert not library.fresh(left).is_away
