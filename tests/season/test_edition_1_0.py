"""A campaign of edition 1.0 over three rounds, through the services: its steps in their order, its points, its money, its refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from campaigns.models import Capture
from campaigns.services.join import bring_warband, join_campaign
from campaigns.services.post_battle import close_post_battle, finish_step
from campaigns.services.ransom import accept_price, name_price
from campaigns.settings_schema import setting_of
from campaigns.standings import standings
from rules.dice import SeededDice
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Terms, Warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SAMPLES = ("sons-of-the-bog", "gallows-choir")
STEPS = ("trauma", "promotions", "reinforcements", "exploration", "quartermaster", "roster")


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign of 1.0, in which Ada and Ben play."""
    club = c.club(cleo, edition="1.0")
    for user, sample in ((ada, SAMPLES[0]), (ben, SAMPLES[1])):
        c.joins(club, user, sample)
    return club


@pytest.fixture(autouse=True)
def _books_in_order(db: None) -> Iterator[None]:
    yield
    for warband in Warband.objects.live():
        s.assert_reconciled(warband)


def names(warband: Warband, *, elite: bool) -> list[str]:
    """The names of the active fighters that are ELITE, or are not."""
    views = warband.terms.game.views(warband.terms.content, force_of(warband))
    return [view.name for view in views.values() if view.elite is elite]


def fought(made: c.Club, ada: Any, ben: Any, winner: Any, **what: Any) -> Any:
    """A mustered battle, reported by Ada."""
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    c.fight(row, by=ada, winner=winner, points={ada: 3, ben: 3}, **what)
    return c.fresh_battle(row)


def points(made: c.Club) -> dict[str, int]:
    return {row.seat.name: row.points for row in standings(made.campaign)}


def test_three_rounds_to_the_end(made: c.Club, ada: Any, ben: Any) -> None:
    assert setting_of(made.campaign, "points") == "campaign"
    thresholds = []
    for number, winner in enumerate((ada, None, ben), 1):
        hurt = names(made.warband(ada), elite=False)[:1]
        more = {} if winner is not None else {"outcome": "drawn"}
        row = fought(made, ada, ben, winner, out={ada: hurt}, **more)
        for user in (ada, ben):
            done = c.resolve(row, user, seed=number)
            assert done.closed_at is not None
            assert tuple(step.id for step in c.look(done).steps) == STEPS
            warband = made.warband(user)
            assert warband.state["fought"] == number
            thresholds.append(warband.terms.game.limits(warband.terms.content, force_of(warband)).threshold)
    assert thresholds == [800, 800, 900, 900, 1000, 1000]
    assert sorted(points(made).values()) == [15 + 10 + 7, 15 + 10 + 7]


def test_troops_roll_before_the_elite(made: c.Club, ada: Any, ben: Any) -> None:
    warband = made.warband(ada)
    leader, troop = names(warband, elite=True)[0], names(warband, elite=False)[0]
    row = fought(made, ada, ben, ben, out={ada: [leader, troop]})
    post_battle = c.begin(row, ada)
    (first,), (second,) = ([key] for key in c.keys(warband, troop, leader))
    assert [t.key for t in c.look(post_battle).tasks("trauma")][:2] == [f"casualty-{first}", f"trauma-{second}"]
    c.type_in(post_battle, f"trauma-{second}", 5, 5)
    with pytest.raises(Refusal, match="comes first"):
        c.write(post_battle, f"trauma-{second}")
    c.type_in(post_battle, f"casualty-{first}", 5)
    c.write(post_battle, f"casualty-{first}")
    c.write(post_battle, f"trauma-{second}")


def captured(made: c.Club, ada: Any, ben: Any) -> tuple[Any, str, Fighter]:
    leader = names(made.warband(ada), elite=True)[0]
    row = fought(made, ada, ben, ben, out={ada: [leader]})
    post_battle = c.begin(row, ada)
    fighter = s.fighter(made.warband(ada), leader)
    c.type_in(post_battle, f"trauma-{fighter.pk}", 1, 2)
    return post_battle, f"trauma-{fighter.pk}", fighter


def rich(made: c.Club, user: Any, ducats: int) -> None:
    """Put ducats into a strongbox, as an administrator's correction would."""
    from rules.price import Price
    from warbands.recording import recording

    with recording(made.warband(user), kind="correct", actor=made.administrator) as act:
        act.earn(Price(ducats=ducats), reason="A gift", warband=act.row(made.warband(user)))
        act.say("{who} gave a gift.")


def test_a_ransom_is_paid_at_once_and_undone_over_both_warbands(made: c.Club, ada: Any, ben: Any) -> None:
    rich(made, ada, 50)
    post_battle, key, fighter = captured(made, ada, ben)
    before = {user: made.warband(user).strongbox_ducats for user in (ada, ben)}
    kit = fighter.items.count()
    c.write(post_battle, key)
    with pytest.raises(Refusal, match="Trauma is still open: Captain Niamh Roe, captive"):
        finish_step(post_battle=post_battle, step="trauma", actor=ada)
    accept_price(offer=name_price(capture=Capture.objects.get(), by_captor=True, ducats=30, actor=ben), actor=ada)
    assert made.warband(ada).strongbox_ducats == before[ada] - 30
    assert made.warband(ben).strongbox_ducats == before[ben] + 30
    again = Fighter.objects.get(pk=fighter.pk)
    assert (again.status, again.items.filter(status="held").count()) == ("active", kit)
    finish_step(post_battle=post_battle, step="trauma", actor=ada)
    undo(event=Event.objects.get(kind="ransom"), actor=ada)
    assert {user: made.warband(user).strongbox_ducats for user in (ada, ben)} == before


def test_an_unpaid_captive_is_executed(made: c.Club, ada: Any, ben: Any) -> None:
    post_battle, key, fighter = captured(made, ada, ben)
    c.write(post_battle, key)
    c.settle(post_battle, f"ransom-{fighter.pk}", SeededDice(1), {"ransom": "unpaid"})
    assert Fighter.objects.get(pk=fighter.pk).status == "dead"


def test_reinforcements_bring_newcomers_and_skip_two_steps(made: c.Club, ada: Any, ben: Any) -> None:
    row = fought(made, ada, ben, ada)
    post_battle = c.resolve(row, ada, until="reinforcements")
    c.settle(post_battle, "reinforcements", SeededDice(1), {"way": "reinforce"})
    standing = {x.step.id: x.state for x in c.look(post_battle).standings()}
    assert (standing["exploration"], standing["quartermaster"]) == ("skipped", "skipped")
    doors = {x.step.id: x.step.doors for x in c.look(post_battle).standings()}
    assert doors["reinforcements"] == ("hire", "buy")
    warband = made.warband(ada)
    purse = warband.strongbox_ducats
    assert 0 < purse == 800 - warband.rating_ducats
    old_hand = s.fighter(warband, names(warband, elite=False)[0])
    assert all(offer.state == "closed" for offer in offers(made, ada, str(old_hand.pk)))
    recruit = s.hire(warband, "Yeoman", "Late Fintan", actor=ada)
    assert any(offer.state == "open" for offer in offers(made, ada, str(recruit.pk)))
    finish_step(post_battle=c.sequence_row(row, ada), step="reinforcements", actor=ada)
    close_post_battle(post_battle=c.sequence_row(row, ada), actor=ada)
    assert made.warband(ada).strongbox_ducats == 0
    rich(made, ada, 300)
    shut = s.hire_offer(made.warband(ada), "Yeoman")
    assert (shut.state, shut.reason) == (
        "closed",
        "The warband called for reinforcements: nothing is bought until after the next battle.",
    )


def offers(made: c.Club, user: Any, fighter: str) -> Any:
    warband = made.warband(user)
    return warband.terms.game.shop.item_offers(warband.terms.content, force_of(warband), fighter)


def test_a_latecomer_learns_four_times_as_much(made: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    from campaigns.latecomers import late_start

    row = fought(made, ada, ben, ada)
    for user in (ada, ben):
        c.resolve(row, user)
    late = late_start(made.campaign, "new-antioch")
    assert (late.battles, late.experience) == (1, 4)


def test_warbands_of_another_edition_are_refused_with_a_sentence(made: c.Club, ada: Any, dora: Any) -> None:
    stranger = s.found(dora, "The Old Guard", terms=s.terms(edition="1.6.3"))
    seat = join_campaign(invitation_token=c.link(made.campaign), actor=dora)
    words = "The Old Guard plays Trench Crusade 1.6.3; this campaign plays Trench Crusade 1.0."
    with pytest.raises(Refusal, match=words):
        bring_warband(seat=seat, warband=stranger, actor=dora)


def test_a_battle_between_editions_is_refused(made: c.Club, ada: Any, ben: Any) -> None:
    warband = made.warband(ben)
    mine = warband.terms
    Warband.objects.filter(pk=warband.pk).update(terms=Terms.objects.create(system="trench-crusade", edition="1.6.3"))
    words = "this campaign plays Trench Crusade 1.0. A battle needs one edition."
    with pytest.raises(Refusal, match=f"The Gallows Choir plays Trench Crusade 1.6.3; {words}"):
        c.battle(made, ada, ben)
    Warband.objects.filter(pk=warband.pk).update(terms=mine)
