"""Every form of the site pressed twice at once, the second press landing between any two reads of the first; every page while its subject goes.

The forms are discovered, as in `test_bad_input`. What two requests at once can come to is played on one connection: before a query that the
first request asks outside of its own transaction, the second one runs from beginning to end. `tests/concurrency` plays the same with threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from campaigns.services.void import void_battle
from tests import library_stories as library
from tests import stories as s
from tests.drills import WHOLE, sampled
from tests.forms import Form, pages_of
from tests.module_story import story
from tests.scene import (
    OF_A_FIGHTER,
    OF_A_WARBAND,
    OF_AN_ITEM,
    Scene,
    addresses,
    make_scene,
    rolled_back,
    routes,
)
from warbands.models import Event, LedgerEntry
from warbands.services.camp import use_find
from warbands.services.hire import part_fighter
from warbands.services.kit import return_item
from warbands.services.library import put_away_profile
from warbands.services.roster import disband_warband
from warbands.services.transcription import discard_draft

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def scene() -> Scene:
    """The evening, played once."""
    return make_scene()


class Meanwhile:
    """Something that happens before the query of this number, counted over those asked outside of the transaction of an act."""

    def __init__(self, act: Callable[[], Any], at: int) -> None:
        self.act, self.at = act, at
        self.asked = 0
        self.happened = False
        self.depth = len(connection.savepoint_ids)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.happened and len(connection.savepoint_ids) == self.depth:
            if self.asked == self.at:
                self.happened = True
                self.act()
            self.asked += 1
        return execute(sql, params, many, context)


@contextmanager
def meanwhile(act: Callable[[], Any], at: int) -> Iterator[Meanwhile]:
    """Let something happen while a request is answered."""
    happening = Meanwhile(act, at)
    with connection.execute_wrapper(happening):
        yield happening


# --- two presses --------------------------------------------------------------------------------------------------------------

# A PDF takes a second each; these forms are pressed twice in tests of their own.
SLOW = ("roster-print pk", "booklet-print pk")
POSTING = sorted(set(routes()) - set(SLOW))
WEIGHTY = (
    "fighter-hire pk",
    "fighter-dismiss pk",
    "kit-buy pk",
    "battle-report pk",
    "report-confirm pk",
    "capture-settle pk",
)


def written() -> tuple[int, int]:
    """How much there is in the books."""
    return Event.objects.count(), LedgerEntry.objects.count()


def gaps(form: Form, fields: Any, client: Any) -> tuple[list[int], tuple[int, int]]:
    """Before which queries of a press another one is let in, and what one press writes: last before the act, first after it; under `make drills` early and last too."""
    opened: list[int] = []

    class Counting(Meanwhile):
        def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if sql.startswith("SAVEPOINT") and len(connection.savepoint_ids) == self.depth:
                opened.append(self.asked)
            return super().__call__(execute, sql, params, many, context)

    with rolled_back():
        before, count = written(), Counting(lambda: None, -1)
        with connection.execute_wrapper(count):
            client.post(form.action, fields)
        after = written()
    act = opened[0] if opened else count.asked // 2
    places = {act - 1, act, act + 2} | ({act // 2, count.asked - 1} if WHOLE else set())
    return sorted(place for place in places if 0 <= place < count.asked), (after[0] - before[0], after[1] - before[1])


def pressed_twice(client: Any, form: Form, fields: Any, other: Any, at: int) -> tuple[Any, Any, tuple[int, int]]:
    """Both answers, that of the press which came in between first, and what was written."""
    answers: list[Any] = []
    with rolled_back():
        before = written()
        with meanwhile(lambda: answers.append(client.post(form.action, other)), at) as between:
            answers.append(client.post(form.action, fields))
        assert between.happened
        after = written()
    return answers[0], answers[1], (after[0] - before[0], after[1] - before[1])


@pytest.mark.parametrize("key", sampled(POSTING, 5, always=WEIGHTY))
def test_a_form_sent_twice_at_once_has_one_effect_and_two_answers(key: str, scene: Scene) -> None:
    client, forms = pages_of(key, scene)
    for form in forms:
        fields = {**form.fields, **({"token": ["z" * 20]} if "token" in form.fields else {})}
        places, alone = gaps(form, fields, client)
        for at in places:
            first, second, both = pressed_twice(client, form, fields, fields, at)
            told = f"{form.action} {form.shape} before query {at}: {first.status_code}, {second.status_code}"
            assert both == alone, f"{told}: two presses wrote {both}, one writes {alone}."
            # Done and done already, or twice the same no: nobody is sent to a page that is not there.
            assert {first.status_code, second.status_code} <= {200, 204, 302, 422, first.status_code}, told


@pytest.mark.parametrize("key", sampled(POSTING, 5, always=WEIGHTY))
def test_two_phones_that_press_the_same_are_both_answered(key: str, scene: Scene) -> None:
    client, forms = pages_of(key, scene)
    for form in forms:
        if "token" not in form.fields:
            continue
        fields, other = {**form.fields, "token": ["z" * 20]}, {**form.fields, "token": ["y" * 20]}
        for at in gaps(form, fields, client)[0]:
            for answer in pressed_twice(client, form, fields, other, at)[:2]:
                assert answer.status_code in (200, 204, 302, 403, 404, 422)
                if answer.status_code == 404:  # a sentence about what is gone, not the page for a wrong address
                    assert 'id="answer"' in answer.content.decode(), f"{form.action} {form.shape} before query {at}"


def test_there_is_something_to_press(scene: Scene) -> None:
    shapes = {form.shape for form in pages_of("fighter-dismiss pk", scene)[1]}
    assert any("way" in shape for shape in shapes)


# --- a page while what it shows goes ------------------------------------------------------------------------------------------


def goings(scene: Scene) -> dict[str, tuple[Callable[[], Any], list[str]]]:
    """What goes, by its name: the act, and the pages that are about it."""
    owner, at = scene.users["owner"], reverse
    of_fighter = [at(name, args=[scene.recruit.pk]) for name in OF_A_FIGHTER]
    of_item = [at(name, args=[scene.piece.pk]) for name in (*OF_AN_ITEM, "item-return")]
    shown = (
        name for name in OF_A_WARBAND if "print" not in name and name != "fighter-names"
    )  # that one only takes a form
    of_warband = [at(name, args=[scene.founding.pk]) for name in shown]
    mine = addresses(scene)
    of_battle = [
        mine[key]
        for key in ("battle-show pk", "battle-report pk", "report-confirm pk", "flag-settle pk", "battle-void pk", "post-battle-show pk warband", "post-battle-resolve pk warband step", "capture-settle pk")
    ]  # fmt: skip
    return {
        "a fighter": (lambda: part_fighter(fighter=scene.recruit, way="return", actor=owner), [*of_fighter, *of_item]),
        "a piece": (lambda: return_item(item=scene.piece, actor=owner), [*of_item, at("kit-buy", args=[scene.recruit.pk])]),
        "a warband": (lambda: disband_warband(warband=s.fresh(scene.founding), actor=owner), [*of_warband, *of_fighter]),
        "a draft": (lambda: discard_draft(draft=scene.paper), [mine[key] for key in mine if key.startswith("paper-") and " pk" in key]),
        "a profile": (lambda: put_away_profile(profile=library.fresh(scene.profile), actor=owner), [mine["profile-write pk"]]),
        "a battle": (lambda: void_battle(battle=scene.reported, actor=scene.users["administrator"], words="Played by the wrong rules."), of_battle),
        "a find": (lambda: use_find(warband=s.fresh(scene.wardens), task_key=scene.find, actor=owner), [mine["find-use pk key"], mine["camp-show pk"]]),
    }  # fmt: skip


@pytest.mark.parametrize("what", ["a fighter", "a piece", "a warband", "a draft", "a profile", "a battle", "a find"])
def test_a_page_is_answered_while_what_it_shows_goes(what: str, scene: Scene) -> None:
    go, pages = goings(scene)[what]
    client, gone = scene.client("owner"), 0
    assert pages
    for page in sampled(pages, 6):
        with rolled_back():
            count = Meanwhile(lambda: None, -1)
            with connection.execute_wrapper(count):
                client.get(page)
        for at in sampled(range(1, count.asked, 2), 2):
            with rolled_back(), meanwhile(go, at) as between:
                answer = client.get(page)
                assert answer.status_code in (200, 302, 403, 404), f"{page} before query {at}: {answer.status_code}"
                gone += between.happened
    assert gone
