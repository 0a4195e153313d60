"""A friendly battle: two people by link or code, any two rosters, table and report, and nothing that changes afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign, PostBattle, Side
from campaigns.pages.friendly import spoken
from campaigns.report_prefill import table_state
from campaigns.services.answers import confirm_report, dispute_report
from campaigns.services.friendly import seat_of_code, start_friendly, take_friendly
from campaigns.services.join import claim_seat
from campaigns.services.muster import make_side_ready
from campaigns.services.rounds import cancel_battle
from campaigns.services.tracker import begin_table, roll_at_table
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from warbands.models import Event, LedgerEntry, Warband
from warbands.newest_state import newest_overlays
from warbands.services.founding import copy_sample, terms_for
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

GAMES = [
    ("trench-crusade", "1.6.3", ("lantern-wardens", "gallows-choir")),
    ("trench-crusade", "1.0", None),
    ("trench-crusade", "1.0", ("wreckers-dawn", "bell-of-bethany")),  # lists of official overlays
    ("gloom-trench", "core", ("lamplight-column", "red-ford-company")),
    ("trench-too-far", "core", ("canal-company", "quarry-company")),
]


def warband_of(
    user: Any, system: str = "trench-crusade", edition: str = "1.6.3", sample: str = "lantern-wardens"
) -> Warband:
    """A warband in no campaign, under terms of its own."""
    return copy_sample(actor=user, owner=user, terms=terms_for(system, edition), sample_id=sample)


def samples(system: str, edition: str) -> list[str]:
    terms = terms_for(system, edition)
    return [sample for sample, *_rest in terms.game.founding.samples(terms.content)]


def code_of(battle: Battle) -> str:
    return str(battle.sides.get(place=2).seat.claim_token)


def taken(ada: Any, ben: Any, mine: Warband, theirs: Warband) -> Battle:
    battle = start_friendly(warband=mine, actor=ada)
    take_friendly(code=code_of(battle), warband=theirs, actor=ben)
    return c.fresh_battle(battle)


def made_ready(battle: Battle) -> Battle:
    for side in battle.sides.select_related("battle__campaign__terms", "seat__user", "warband__terms").order_by(
        "place"
    ):
        make_side_ready(side=side, actor=side.warband.owner)
    return c.fresh_battle(battle)


def kept(*warbands: Warband) -> list[Any]:
    """Everything of these rosters and ledgers that a campaign's battle would change."""
    found: list[Any] = []
    for warband in warbands:
        document = s.document(s.fresh(warband))
        rows = LedgerEntry.objects.filter(warband=warband).count()
        found.append((document, rows, s.fresh(warband).state, s.purse(s.fresh(warband))))
    return found


@pytest.mark.parametrize(("system", "edition", "names"), GAMES)
def test_a_friendly_battle_from_code_to_report_changes_nothing(
    ada: Any, ben: Any, system: str, edition: str, names: Any
) -> None:
    first, second = names or samples(system, edition)[:2]
    mine, theirs = warband_of(ada, system, edition, first), warband_of(ben, system, edition, second)
    before = kept(mine, theirs)
    battle = made_ready(taken(ada, ben, mine, theirs))
    assert battle.status == Battle.Status.MUSTERED
    begin_table(battle=battle, actor=ben)
    state = table_state(battle)
    assert state is not None
    assert all(state.of(side.key) for side in state.sides)
    roll = "dice" if system == "gloom-trench" else "initiative"
    data = {"count": "3"} if system == "gloom-trench" else {}
    if system != "trench-crusade":
        assert roll_at_table(battle=battle, actor=ada, roll=roll, data=data, source="app").dice
    out = {} if system != "trench-crusade" else {ada: [state.of(state.sides[0].key)[0].name]}
    c.fight(battle, by=ada, winner=ada, out=out)
    confirm_report(battle=c.fresh_battle(battle), actor=ben, side=c.side(battle, ben))
    assert c.fresh_battle(battle).status in (Battle.Status.CONFIRMED, Battle.Status.CLOSED)
    assert {side.campaign_points for side in battle.sides.all()} == {0}
    assert not PostBattle.objects.exists()
    assert kept(mine, theirs) == before
    for user in (ada, ben):
        client = Client()
        client.force_login(user)
        page = client.get(reverse("friendly-start")).content.decode()
        assert f'href="{reverse("battle-show", args=[battle.pk])}"' in page
        assert "Friendly, " in page
        assert client.get(reverse("battle-show", args=[battle.pk])).status_code == 200
        assert client.get(reverse("dice-check", args=[battle.pk])).status_code == 200


def test_warbands_of_a_campaign_play_friendly_battles_and_their_standings_stay(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    client = Client()
    client.force_login(ada)
    standings = client.get(reverse("campaign-show", args=[club.campaign.pk])).context["page"]
    battle = made_ready(taken(ada, ben, club.warband(ada), club.warband(ben)))
    begin_table(battle=battle, actor=ada)
    c.fight(battle, by=ben, winner=ben)
    after = client.get(reverse("campaign-show", args=[club.campaign.pk])).context["page"]
    assert getattr(after, "standings", None) == getattr(standings, "standings", None)
    coming = c.mustered(club, ada, ben)  # the numbers of their battles go on as if nothing was
    assert {side.number for side in coming.sides.all()} == {1}
    assert battle.campaign_id not in Campaign.objects.joined_by(ada).values_list("pk", flat=True)


def test_what_carries_a_friendly_battle_is_shown_nowhere(ada: Any, ben: Any, client: Client) -> None:
    battle = taken(ada, ben, warband_of(ada), warband_of(ben, sample="gallows-choir"))
    client.force_login(ada)
    assert client.get(reverse("campaign-show", args=[battle.campaign_id])).status_code == 404
    assert "Friendly battle" not in client.get(reverse("campaign-list")).content.decode()
    seat = battle.sides.get(place=1).seat_id
    assert client.get(reverse("seat-show", args=[seat])).status_code == 404
    desk = client.get(reverse("desk-show"))
    assert reverse("battle-show", args=[battle.pk]) in desk.content.decode()
    assert [wait.key for wait in desk.context["page"].waits] == [f"friendly_{battle.pk}"]


def test_only_the_two_and_until_then_whoever_has_the_code(ada: Any, ben: Any, dora: Any) -> None:
    battle = start_friendly(warband=warband_of(ada), actor=ada)
    code = code_of(battle)
    theirs = warband_of(ben, sample="gallows-choir")
    accept, show, invite = (
        reverse("friendly-accept", args=[code]),
        reverse("battle-show", args=[battle.pk]),
        reverse("friendly-invite", args=[battle.pk]),
    )
    visitor, stranger, other, mine = Client(), Client(), Client(), Client()
    stranger.force_login(dora)
    other.force_login(ben)
    mine.force_login(ada)
    assert visitor.get(accept).status_code == 200
    assert visitor.post(accept, {"warband": theirs.pk}).status_code == 302  # to sign in
    assert (stranger.get(accept).status_code, stranger.get(show).status_code, stranger.get(invite).status_code) == (
        200,
        404,
        404,
    )
    assert spoken(code) in mine.get(invite).content.decode()
    typed = other.get(reverse("friendly-start"), {"code": spoken(code).lower()})
    assert typed.headers["Location"] == accept
    assert other.post(accept, {"warband": stranger_pk(dora)}).status_code == 422  # not ben's
    assert other.post(accept, {"warband": theirs.pk}).status_code == 302
    assert other.post(accept, {"warband": theirs.pk}).status_code == 404  # twice
    assert (other.get(show).status_code, stranger.get(show).status_code, visitor.get(show).status_code) == (
        200,
        404,
        302,
    )
    assert (stranger.get(accept).status_code, mine.get(invite).status_code) == (404, 302)
    assert other.get(invite).status_code == 404


def stranger_pk(user: Any) -> int:
    return warband_of(user, sample="third-breach").pk


def test_a_battle_that_nobody_took_yet_has_its_pages(ada: Any, client: Client) -> None:
    battle = start_friendly(warband=warband_of(ada), actor=ada)
    client.force_login(ada)
    for name in ("battle-show", "force-select", "battle-report", "battle-track", "friendly-invite", "dice-check"):
        assert client.get(reverse(name, args=[battle.pk])).status_code == 200, name
    make_side_ready(side=c.side(battle, ada), actor=ada)
    assert c.fresh_battle(battle).status == Battle.Status.SCHEDULED
    assert "Invite the other player" in client.get(reverse("battle-show", args=[battle.pk])).content.decode()
    refused = client.post(reverse("friendly-start"), {"warband": "no-such"})
    assert refused.status_code == 422
    assert client.get(reverse("friendly-start"), {"warband": "x", "code": "!"}).status_code == 200


def test_taking_the_other_side_is_undone_by_either(ada: Any, ben: Any) -> None:
    battle = taken(ada, ben, warband_of(ada), warband_of(ben, sample="gallows-choir"))
    event = Event.objects.filter(kind="friendly", occasion=battle.occasion).latest("pk")
    undo(event=event, actor=ben)
    assert battle.sides.get(place=2).warband is None
    take_friendly(code=code_of(battle), warband=warband_of(ben, sample="third-breach"), actor=ben)
    assert battle.sides.get(place=2).warband is not None


def test_a_guest_reads_the_invitation_and_signs_up_before_playing(ada: Any, client: Client) -> None:
    battle = start_friendly(warband=warband_of(ada), actor=ada)
    client.post(reverse("warband-found"), {"game": "trench-crusade/1.6.3"})
    accept = reverse("friendly-accept", args=[code_of(battle)])
    assert "you need an account" in client.get(accept).content.decode()
    assert client.post(accept, {"warband": "1"}).status_code == 302
    assert battle.sides.get(place=2).warband is None


def test_one_person_plays_both_sides(ada: Any) -> None:
    mine, second = warband_of(ada), warband_of(ada, sample="gallows-choir")
    battle = taken(ada, ada, mine, second)
    made_ready(battle)
    begin_table(battle=battle, actor=ada)
    state = table_state(battle)
    assert state is not None
    for side in state.sides:
        assert roll_at_table(
            battle=battle, actor=ada, roll="success", data={"fighter": state.of(side.key)[0].key}, source="app"
        )


def test_a_warband_that_does_not_fit_is_refused(ada: Any, ben: Any) -> None:
    mine = warband_of(ada)
    battle = start_friendly(warband=mine, actor=ada)
    code = code_of(battle)
    other = warband_of(ben, "trench-crusade", "1.0", samples("trench-crusade", "1.0")[0])
    with pytest.raises(Refusal, match="this battle is"):
        take_friendly(code=code, warband=other, actor=ben)
    with pytest.raises(Refusal, match="in this battle already"):
        take_friendly(code=code, warband=mine, actor=ada)
    with pytest.raises(Refusal, match="isn't yours"):
        take_friendly(code=code, warband=mine, actor=ben)
    with pytest.raises(Refusal, match="can't be claimed"):
        claim_seat(claim_token=code, actor=ben)
    assert Side.objects.get(battle=battle, place=2).warband is None


def test_a_battle_knows_what_either_warband_has_by_the_overlays_of_its_own_rules(ada: Any, ben: Any) -> None:
    reviewed = (*newest_overlays("trench-crusade", "1.0"), "tc-2026-04-iron-sultanate")
    plain = warband_of(ada, "trench-crusade", "1.0")
    tried = s.found(
        ben, "The Sixth Retort", "iron-sultanate", terms=terms_for("trench-crusade", "1.0", overlays=reviewed)
    )
    s.stock(tried, "Alchemical Fire")
    battle = start_friendly(warband=plain, actor=ada)
    assert "tc-2026-04-iron-sultanate" not in battle.campaign.terms.overlays
    take_friendly(code=code_of(battle), warband=tried, actor=ben)
    terms = c.fresh_battle(battle).campaign.terms
    assert set(terms.overlays) == set(reviewed)
    undo(event=Event.objects.filter(kind="friendly").latest("pk"), actor=ben)
    terms.refresh_from_db()
    assert "tc-2026-04-iron-sultanate" not in terms.overlays
    begun = start_friendly(warband=tried, actor=ben)
    assert set(begun.campaign.terms.overlays) == set(reviewed)


def test_a_cancelled_battle_has_no_code_and_a_report_no_dispute(ada: Any, ben: Any) -> None:
    battle = start_friendly(warband=warband_of(ada), actor=ada)
    code = code_of(battle)
    cancel_battle(battle=battle, actor=ada)
    with pytest.raises(Refusal, match="taken or cancelled"):
        seat_of_code(code)
    played = made_ready(taken(ada, ben, warband_of(ada), warband_of(ben, sample="gallows-choir")))
    c.fight(played, by=ada)
    with pytest.raises(Refusal, match="No administrator"):
        dispute_report(battle=c.fresh_battle(played), actor=ben, side=c.side(played, ben), words="No")
