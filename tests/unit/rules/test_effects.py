"""What a fighter is after all effects: numbers with causes, words gained and lost, bases, links, advancement."""

from __future__ import annotations

from rules.force import ForceSkill, GainedWord
from rules.parts.verdict import Verdict
from tests.unit.rules.weir import content, fighter, verdict, warband


def seen(*fighters, **more) -> Verdict:
    return verdict(warband(*fighters, **more))


def test_a_changed_number_names_its_causes() -> None:
    armour = seen(fighter("a", "squire", "mail", "shield"), fighter("s", "scholar")).views["a"].stats["armour"]
    assert (armour.printed, armour.value) == (0, -2)
    assert armour.causes == ("Mail −1", "Shield −1")


def test_a_number_that_is_set_comes_before_what_is_added() -> None:
    view = seen(fighter("a", "spear", "diving-suit"), list="drowned", choices={"creed": "mire"}).views["a"]
    assert view.stats["movement"].value == 2
    assert view.stats["movement"].causes == ("Diving Suit sets 3″", "Mire −1″")


def test_a_number_the_profile_lacks_stays_absent() -> None:
    assert seen(fighter("m", "monk")).views["m"].stats["ranged"].value is None


def test_words_are_printed_gained_and_lost_with_their_cause() -> None:
    view = seen(fighter("a", "spear", "banner", promoted=True)).views["a"]
    words = {k.name: k for k in view.keywords}
    assert words["WARDEN"].state == "printed"
    assert words["LEADER"] == GainedWord("leader", "LEADER", "gained", "Banner")
    assert words["ELITE"] == GainedWord("elite", "ELITE", "gained", "Promotion")
    assert view.elite
    assert view.has("LEADER")


def test_the_leader_leads() -> None:
    view = seen().views["reeve"]
    assert view.leader
    assert {k.name: k.cause for k in view.keywords}["LEADER"] == "Leads the warband"


def test_a_demoted_fighter_is_no_elite_but_keeps_what_elites_carry() -> None:
    dazed = fighter("s", "scholar", "plate", traumas=("dazed",), demoted=True)
    answer = seen(dazed)
    view = answer.views["s"]
    assert not view.elite
    assert not view.may_learn
    assert view.may_be_promoted
    assert {k.name: k.state for k in view.keywords}["ELITE"] == "lost"
    assert answer.legal
    again = seen(fighter("s", "scholar", "plate", traumas=("dazed",), promoted=True)).views["s"]
    assert again.elite


def test_whoever_is_spared_feels_no_trauma() -> None:
    view = seen(fighter("m", "monk", traumas=("dazed",))).views["m"]
    assert view.elite


def test_a_chosen_power_is_an_ability_and_works() -> None:
    plain = seen().views["reeve"]
    assert [a.id for a in plain.abilities] == ["gift"]
    chosen = seen(fighter("reeve", "reeve", choices={"gift": "speech"}), led=False).views["reeve"]
    assert [(a.id, a.cause) for a in chosen.abilities] == [("gift", ""), ("speech", "Gift")]
    assert chosen.immune == ("FEAR",)


def test_an_ability_for_some_profiles_only() -> None:
    answer = seen(fighter("o", "old-spear"), list="drowned", choices={"creed": "mire"})
    assert [a.name for a in answer.views["reeve"].abilities] == ["Gift", "Speech"]
    assert answer.views["o"].abilities == ()


def test_a_skill_chosen_through_another_works() -> None:
    walked = fighter("s", "scholar", skills=(ForceSkill("k", "walk", {"skill": "deep-breath"}),))
    assert seen(walked).views["s"].scar_limit == 3
    assert seen(fighter("s", "scholar", skills=("deep-breath",))).views["s"].scar_limit == 3
    assert seen(fighter("s", "scholar")).views["s"].scar_limit == 2


def test_a_link_reaches_another_fighter() -> None:
    mentor = fighter("s", "scholar", skills=(ForceSkill("k", "mentor", {"link": "a"}),))
    views = seen(mentor, fighter("a"), fighter("b")).views
    assert views["a"].has("HIDDEN")
    assert [x.cause for x in views["a"].abilities] == ["Mentor"]
    assert not views["b"].has("HIDDEN")


def test_bases_are_enlarged_chosen_or_offered() -> None:
    assert seen(fighter("reeve", "reeve", "plate"), led=False).views["reeve"].stats["base"].value == 40
    assert seen(fighter("o", "otter")).views["o"].stats["base"].value == 25
    big = seen(fighter("o", "otter", choices={"base": "1"})).views["o"]
    assert (big.stats["base"].value, big.stats["movement"].value) == (50, 7)
    suit = fighter("a", "spear", "diving-suit", choices={"base-optional": True})
    assert seen(suit).views["a"].stats["base"].value == 50


def test_flying() -> None:
    assert seen(fighter("s", "scholar", upgrades=("second-song",))).views["s"].movement == "flying"
    assert seen(fighter("s", "scholar")).views["s"].movement == "infantry"


def test_what_falls_due() -> None:
    full = seen(fighter("s", "scholar", experience=3, advances=1)).views["s"]
    assert (full.next_advance, full.experience_cap, full.may_learn) == (4, 18, True)
    limited = seen(fighter("m", "monk", experience=7, advances=3)).views["m"]
    assert (limited.next_advance, limited.experience_cap) == (None, 7)


def test_who_may_be_promoted() -> None:
    views = seen(
        fighter("a"), fighter("t", "thrall"), fighter("o", "otter"), fighter("f", "ferryman"), fighter("s", "scholar")
    ).views
    assert {key: views[key].may_be_promoted for key in views} == {
        "reeve": False, "a": True, "t": False, "o": False, "f": False, "s": False,
    }  # fmt: skip


def test_scars_are_those_recorded_or_counted() -> None:
    assert seen(fighter("s", "scholar", traumas=("lost-arm",))).views["s"].scars == 1
    assert seen(fighter("s", "scholar", scars=2)).views["s"].scars == 2


def test_views_are_made_when_they_are_looked_at() -> None:
    views = verdict(warband(fighter("a")), content()).views
    assert len(views) == 2
    assert set(views) == {"reeve", "a"}
    assert views["a"] is views["a"]
