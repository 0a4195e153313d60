"""Whatever is sent, nothing breaks and nothing wrong is written.

The forms are discovered: every page of the scene is opened by somebody who may act there, its forms are read as a browser reads them, and
sent back maimed. A refusal is a 4xx, a 422, or the page once more, and leaves no event and no ledger entry behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from campaigns.models import Capture, PostBattle, RansomOffer, Report
from campaigns.services.muster import make_side_ready
from campaigns.services.post_battle import finish_step, keep_choice
from campaigns.services.ransom import name_price
from tests import campaign_stories as c
from tests import stories as s
from tests.drills import WHOLE, sampled
from tests.forms import Form, actor_at, forms_of, pages_of
from tests.module_story import story
from tests.scene import LEADER, Scene, addresses, make_scene, methods, rolled_back, routes
from tests.tokens import token
from warbands.models import Event, Fighter, Item, LedgerEntry, Warband
from warbands.services.sharing import share_warband

HUGE = "x" * 100_000
NUMBER_BEYOND = "9" * 40
DIGITS_BEYOND = "9" * 5000  # more than Python reads as a number
MAIMS: dict[str, Callable[[str], Any]] = {
    "garbage": lambda value: "¤ <b>'\";-- ⅷ²",
    "nothing": lambda value: "",
    "huge": lambda value: HUGE,
    "a number beyond all columns": lambda value: NUMBER_BEYOND,
    "more digits than can be read": lambda value: DIGITS_BEYOND,
    "a number below nothing": lambda value: "-1",
    "a digit that is no number": lambda value: "²",
    "two of them": lambda value: [value, "¤"],
}
# What one field alone may be, while the rest of the form is right.
ALONE = ("a number beyond all columns", "a digit that is no number")
WHOLLY = ("garbage", "huge", "nothing")  # sent for the act itself too, where the form names one
GUIDES = ("act", "what", "source", "kind", "key", "task")  # what leads a view to the place where the rest is read
GROUPS = 5 if WHOLE else 2  # of a long form: so many groups of fields are tried, each beside the right rest


# A PDF takes a second each; its options are refused one by one in their own tests.
SLOW = ("roster-print pk",)
POSTING = sorted(set(routes()) - set(SLOW))
# Addresses whose forms are the longest, or whose acts move money and losses.
WEIGHTY = (
    "fighter-hire pk",
    "kit-buy pk",
    "battle-report pk",
    "post-battle-resolve pk warband step",
    "house-rule-list pk",
    "capture-settle pk",
)


pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def scene() -> Scene:
    """The evening, played once."""
    return make_scene()


def written() -> tuple[int, int]:
    """How much there is in the books."""
    return Event.objects.count(), LedgerEntry.objects.count()


def sent(client: Client, form: Form, what: str, fields: Mapping[str, Any], **headers: Any) -> int:
    """Send a form and check the answer; what it did is forgotten again."""
    before = written()
    with rolled_back():
        try:
            answer = client.post(form.action, fields, headers=headers or None)
        except Exception as broken:
            raise AssertionError(f"{form.action} with {what} in {sorted(form.fields)} breaks: {broken!r}") from broken
        assert answer.status_code < 500
        if answer.status_code not in (204, 301, 302):
            assert answer.status_code in (200, 400, 403, 404, 413, 422), (
                f"{form.action} with {what}: {answer.status_code}"
            )
            done = headers and answer.status_code == 200  # htmx is answered with the page's part when it is done
            assert done or written() == before, f"{form.action} with {what} says {answer.status_code} and writes."
        return int(answer.status_code)


def test_there_is_something_to_check(scene: Scene) -> None:
    shapes = {
        form.shape
        for key in ("fighter-hire pk", "post-battle-resolve pk warband step", "battle-report pk")
        for form in pages_of(key, scene)[1]
    }
    names = {name for shape in shapes for name in shape}
    assert names >= {"offer", "token", "seen", "task", "result", "out", "by_#", "points_#", "act"}


def maim(client: Client, form: Form) -> None:
    """Send a form in every maimed way: all of it, all but what leads to the act, a few fields, and without these."""
    right = {**form.fields, **({"token": ["a" * 20]} if "token" in form.fields else {})}
    for what in sampled(MAIMS, 5, always=WHOLLY):
        maimed_as = MAIMS[what]
        maimed = {name: maimed_as(values[0] if values else "") for name, values in form.fields.items()}
        kept = {name: right[name] for name in GUIDES if name in form.fields}
        if not kept or what in WHOLLY:
            sent(client, form, what, maimed)
        if kept:
            sent(client, form, f"{what} around the act", {**maimed, **kept})
    names = list(form.kinds.values())
    for group in filter(None, (names[start::GROUPS] for start in range(GROUPS))):
        words = ", ".join(group)
        for what in ALONE:
            sent(client, form, f"{what} as {words}", {**right, **{name: MAIMS[what]("") for name in group}})
        sent(client, form, f"no {words}", {name: right[name] for name in right if name not in group})


@pytest.mark.parametrize("key", sampled(POSTING, 9, always=WEIGHTY))
def test_a_maimed_form_is_refused_and_writes_nothing(key: str, scene: Scene) -> None:
    client, forms = pages_of(key, scene)
    for form in sampled(forms, 4):
        maim(client, form)


@pytest.mark.both_databases
def test_no_form_brings_to_the_database_what_its_columns_refuse(scene: Scene) -> None:
    """PostgreSQL takes no number beyond four bytes in a small column; SQLite takes it."""
    large = str(2**40)
    for key in sampled(POSTING, 9, always=WEIGHTY) if WHOLE or connection.vendor == "postgresql" else WEIGHTY[:2]:
        client, forms = pages_of(key, scene)
        for form in forms:
            kept = {name: values for name, values in form.fields.items() if name in GUIDES}
            sent(client, form, large, {**dict.fromkeys(form.fields, large), **kept})
            names = list(form.kinds.values())
            for group in filter(None, (names[start::2] for start in range(2))):
                sent(client, form, f"{large} as {', '.join(group)}", {**form.fields, **dict.fromkeys(group, large)})


@pytest.mark.parametrize("name", ["token", "offer", "seen", "n\0me"])
def test_a_null_character_is_refused_at_the_door(name: str, scene: Scene) -> None:
    owner, address = scene.client("owner"), reverse("fighter-hire", args=[scene.founding.pk])
    before = written()
    assert owner.post(address, {"offer": "yeoman", "token": "t" * 20, name: "a\0b"}).status_code == 400
    assert owner.get(address, {name: "a\0b"}).status_code == 400
    assert written() == before


@pytest.mark.parametrize(
    "step", sampled(["experience", "promotion", "fork", "exploration", "roster"], 2, always=["exploration"])
)
def test_the_forms_of_every_step_are_refused_maimed(step: str, scene: Scene) -> None:
    sequence = c.resolve(scene.reported, scene.users["owner"], seed=3, answers={"way": "explore"}, until=step)
    address = reverse("post-battle-resolve", args=[scene.reported.pk, sequence.warband_id, step])
    client = scene.client("owner")
    maimed: set[tuple[str, ...]] = set()
    for asked in range(6):
        forms = [form for form in forms_of(client.get(address).content.decode(), address) if form.action == address]
        assert forms
        for form in forms:
            if WHOLE or form.shape not in maimed:
                maim(client, form)
            maimed.add(form.shape)
        waiting = c.look(sequence).waiting(step)
        if not waiting or asked == 5:
            return
        now = c.progress(sequence, waiting[0].key)
        if now.need is not None:
            c.type_in(sequence, waiting[0].key, *([3] * now.need.count))
        elif now.asked is not None:
            keep_choice(
                post_battle=sequence,
                task_key=waiting[0].key,
                choice_key=now.asked.key,
                value="explore" if now.asked.key == "way" else c.pick(now.asked),
                actor=scene.users["owner"],
            )
        else:
            c.write(sequence, waiting[0].key)


@pytest.mark.parametrize("key", sampled(POSTING, 40, always=WEIGHTY))
def test_an_address_takes_any_body(key: str, scene: Scene) -> None:
    """What no form of ours sends: nothing at all, JSON, a file, another method's leftovers, acts that do not exist."""
    address = addresses(scene)[key]
    if "POST" not in methods(address, scene.client("owner")):
        return
    client = actor_at(key, address, scene)
    form = Form(address)
    sent(client, form, "nothing", {})
    sent(
        client,
        form,
        "an act that there is not",
        {"act": "burn", "token": "t" * 20, "source": "sky", "way": "burn", "task": "none", "key": "none"},
    )
    sent(client, form, "nothing, by htmx", {}, hx_request="true", hx_target="div#nowhere")
    before = written()
    for body, kind in (
        (b'{"act": "hire"}', "application/json"),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
    ):
        with rolled_back():
            answer = client.post(address, body, content_type=kind)
            assert answer.status_code in (200, 302, 400, 403, 404, 422)
            assert answer.status_code == 302 or written() == before  # some acts ask for nothing but the press


def test_a_page_that_is_asked_for_strangely_is_still_shown(scene: Scene) -> None:
    owner = scene.client("owner")
    there = addresses(scene)
    for key, address in [(key, there[key]) for key in sampled(there, 60)]:
        if key in PAPER or "GET" not in methods(address, owner):
            continue
        for value in sampled(("²", DIGITS_BEYOND, "¤<b>"), 1):
            answer = owner.get(address, dict.fromkeys(ASKED, value))
            assert answer.status_code in (200, 302, 403, 404), f"{address} with {value[:9]}: {answer.status_code}"


PAPER = ("roster-download pk", "watch-download slug", "watch-version-download slug version", "battle-sheet pk")
ASKED = ("page", "tab", "take", "task", "side", "list", "game", "mode", "show", "sort", "life", "seat", "changed", "way", "find", "again", "round")  # fmt: skip


def test_an_address_beyond_all_numbers_is_not_there(scene: Scene) -> None:
    owner = scene.client("owner")
    for key, entry in routes().items():
        if " pk" in key:
            parts = dict.fromkeys(key.split()[1:], NUMBER_BEYOND)  # a word where a word stands
            address = reverse(str(entry.name), kwargs=parts)
            for status in (owner.get(address).status_code, owner.post(address).status_code):
                assert status in (404, 405), f"{address}: {status}"


# --- what is somebody else's ---------------------------------------------------------------------------------------------------


def others(scene: Scene) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Forms that name what belongs to another: address, who sends, body. Each is right but for that."""
    theirs = scene.club.warband(scene.users["opponent"])
    foe = Fighter.objects.live().filter(warband=theirs, status=Fighter.Status.ACTIVE).first()
    thing = Item.objects.live().filter(warband=theirs, status=Item.Status.HELD).first()
    link = share_warband(warband=theirs, name="Mine", actor=scene.users["opponent"])
    offer = name_price(capture=scene.capture, by_captor=True, ducats=1, actor=scene.users["opponent"])
    assert foe is not None
    assert thing is not None
    at, founding = addresses(scene), scene.founding.pk
    side = c.side(scene.coming, scene.users["owner"])
    seen = {"seen": scene.founding.version}
    return {
        "a fighter of another warband takes a piece": (reverse("item-give", args=[scene.piece.pk]), "owner", {"fighter": foe.pk, **seen}),
        "a piece goes to one's own fighter of another warband": (reverse("item-give", args=[scene.piece.pk]), "owner", {"fighter": scene.fighter.pk, **seen}),
        "a piece changes places with another's": (reverse("item-swap", args=[scene.piece.pk]), "owner", {"other": thing.pk, **seen}),
        "an offer of another list": (reverse("fighter-hire", args=[founding]), "owner", {"offer": "heretic-priest", **seen}),
        "an offer of another kind": (reverse("kit-buy", args=[scene.recruit.pk]), "owner", {"offer": "yeoman", **seen}),
        "another's share link": (reverse("warband-share", args=[founding]), "owner", {"revoke": link.pk, **seen}),
        "a delegate that is none": (reverse("warband-change", args=[founding]), "owner", {"remove": 10**6, **seen}),
        "another's warband for the seat": (at["seat-show pk"], "owner", {"act": "bring", "bring": theirs.pk}),
        "another's warband through the invitation": (at["campaign-join token"], "stranger", {"bring": theirs.pk}),
        "another's fighter in the force": (at["force-select pk"], "owner", {"act": "take", "side": side.pk, "fighter": [foe.pk]}),
        "another's fighter rolls at muster": (at["force-select pk"], "owner", {"act": "fighter-roll", "source": "app", "side": side.pk, "fighter": foe.pk}),
        "a report of fighters that took no part": (f"{at['battle-report pk']}?amend=1", "administrator", {"result": "drawn", "out": [f"{side.pk}:999"]}),
        "a winner that did not play": (f"{at['battle-report pk']}?amend=1", "administrator", {"result": "999999"}),
        "confirmed for the other side": (at["report-confirm pk"], "owner", {"side": c.side(scene.reported, scene.users["opponent"]).pk, "act": "confirm"}),
        "the captor's price, accepted by the captor": (at["capture-settle pk"], "opponent", {"act": "accept", "role": "owner", "offer": offer.pk}),
        "a price of another bargain": (at["capture-settle pk"], "owner", {"act": "accept", "role": "owner", "offer": 10**6}),
        "a task of another fighter": (at["post-battle-resolve pk warband step"], "owner", {"act": "roll", "source": "app", "task": f"trauma-{foe.pk}"}),
        "a round of no campaign": (at["battle-schedule pk"], "administrator", {"round": "999999", "seat": [scene.seat.pk]}),
        "a seat of no campaign": (at["battle-schedule pk"], "administrator", {"seat": [scene.seat.pk, 10**6]}),
        "an administrator who is none": (at["player-list pk"], "administrator", {"act": "administrator-remove", "user": scene.users["stranger"].pk}),
        "an unknown sample": (at["warband-found"], "owner", {"sample": "none", "game": "trench-crusade/1.6.3"}),
        "an unknown game": (at["warband-found"], "owner", {"sample": "lantern-wardens", "game": "chess/1"}),
        "an undo of what others lean on": (reverse("event-undo", args=[_joining(scene).pk]), "owner", {}),
    }  # fmt: skip


def _joining(scene: Scene) -> Event:
    """The founding of Ada's campaign warband: all that followed leans on it."""
    return Event.objects.filter(subjects__warband=scene.wardens).order_by("pk").first()


OTHERS = (
    "a fighter of another warband takes a piece",
    "a piece goes to one's own fighter of another warband",
    "a piece changes places with another's",
    "an offer of another list",
    "an offer of another kind",
    "another's share link",
    "a delegate that is none",
    "another's warband for the seat",
    "another's warband through the invitation",
    "another's fighter in the force",
    "another's fighter rolls at muster",
    "a report of fighters that took no part",
    "a winner that did not play",
    "confirmed for the other side",
    "the captor's price, accepted by the captor",
    "a price of another bargain",
    "a task of another fighter",
    "a round of no campaign",
    "a seat of no campaign",
    "an administrator who is none",
    "an unknown sample",
    "an unknown game",
    "an undo of what others lean on",
)


@pytest.mark.parametrize("what", OTHERS)
def test_what_belongs_to_another_stays_untouched(what: str, scene: Scene) -> None:
    cases = others(scene)
    assert set(cases) == set(OTHERS)
    address, who, body = cases[what]
    before = written()
    answer = scene.client(who).post(address, {"token": "t" * 20, **body})
    assert answer.status_code in (403, 404, 422), f"{what}: {answer.status_code}"
    assert written() == before


def test_a_stale_form_writes_nothing_and_says_what_changed(scene: Scene) -> None:
    owner = scene.client("owner")
    cases = {
        reverse("fighter-hire", args=[scene.founding.pk]): {"offer": "yeoman"},
        reverse("kit-buy", args=[scene.recruit.pk]): {
            "offer": s.item_offer(scene.founding, "Bayonet", scene.recruit).id
        },
        reverse("item-give", args=[scene.piece.pk]): {},
        reverse("item-return", args=[scene.piece.pk]): {},
        reverse("fighter-dismiss", args=[scene.recruit.pk]): {"way": "return"},
        reverse("fighter-copy", args=[scene.recruit.pk]): {"name": ""},
        reverse("warband-ready", args=[scene.founding.pk]): {},
    }
    before = written()
    for address, body in cases.items():
        with rolled_back():
            answer = owner.post(address, {**body, "token": "t" * 20, "seen": 1})
            assert answer.status_code == 422, address
            assert "While this page was open" in answer.content.decode(), address
            assert written() == before


# --- twice is once -------------------------------------------------------------------------------------------------------------


def twice(scene: Scene, who: str, address: str, body: Mapping[str, Any]) -> str:
    """Send one form two times, as a double click does; returns the words of the second answer. The first one wrote, the second did not."""
    client = scene.client(who)
    form = {"token": "one-and-the-same", **body}
    before = written()
    first = client.post(address, form)
    assert first.status_code == 302, f"{address}: {first.status_code}"
    after = written()
    assert after[0] > before[0]  # a roll whose result is certain is written by the same press
    second = client.post(address, form, follow=True)
    assert second.status_code == 200
    assert written() == after
    return second.content.decode()


def test_a_hire_twice_is_one_hire(scene: Scene) -> None:
    fighters = Fighter.objects.live().filter(warband=scene.founding)
    before = fighters.count()
    said = twice(
        scene,
        "owner",
        reverse("fighter-hire", args=[scene.founding.pk]),
        {"offer": s.hire_offer(scene.founding, "Yeoman").id},
    )
    assert "This was done already" in said
    assert fighters.count() == before + 1
    s.assert_reconciled(scene.founding)


def test_a_purchase_twice_is_one_purchase(scene: Scene) -> None:
    offer = s.item_offer(scene.founding, "Bayonet", scene.recruit).id
    twice(scene, "owner", reverse("kit-buy", args=[scene.recruit.pk]), {"offer": offer})
    assert Item.objects.live().filter(fighter=scene.recruit, item_id="bayonet", status="held").count() == 1
    s.assert_reconciled(scene.founding)


def test_a_sale_twice_brings_money_once(scene: Scene) -> None:
    purse = s.purse(scene.wardens)
    twice(scene, "owner", reverse("item-sell", args=[scene.item.pk]), {})
    assert Item.objects.get(pk=scene.item.pk).status == Item.Status.SOLD
    now = s.purse(scene.wardens)
    (entry,) = LedgerEntry.objects.filter(event__token=token("one-and-the-same"))
    assert (now.ducats, now.glory) == (purse.ducats + entry.ducats, purse.glory + entry.glory)
    s.assert_reconciled(scene.wardens)


def test_a_report_twice_is_one_report(scene: Scene) -> None:
    ada, orsola = scene.users["owner"], scene.users["opponent"]
    c.resolve(scene.reported, ada, seed=5)
    c.resolve(scene.reported, orsola, seed=6)
    for user in (ada, orsola):
        make_side_ready(side=c.side(scene.coming, user), actor=user)
    address = reverse("battle-report", args=[scene.coming.pk])
    twice(scene, "owner", address, {"result": str(c.side(scene.coming, ada).pk)})
    assert Report.objects.live().filter(battle=scene.coming).count() == 1


def test_a_confirmation_twice_is_one(scene: Scene) -> None:
    side = c.side(scene.reported, scene.users["owner"])
    twice(scene, "owner", reverse("report-confirm", args=[scene.reported.pk]), {"act": "confirm", "side": side.pk})


def test_a_roll_twice_is_one_roll(scene: Scene) -> None:
    """Also from two open pages, whose tokens differ: a page knows how many rolls it has seen."""
    key = _next_roll(scene)
    address = _step_address(scene, key)
    body = {"act": "roll", "task": key, "at": 0, "source": "app"}
    twice(scene, "owner", address, body)
    kept = _draws(scene, key)
    scene.client("owner").post(address, {**body, "token": "from-the-other-page"})
    assert _draws(scene, key) == kept


def test_writing_twice_writes_once(scene: Scene) -> None:
    key = _next_roll(scene)
    sequence = c.sequence_row(scene.reported, scene.users["owner"])
    while c.progress(sequence, key).outcome is None:
        progress = c.progress(sequence, key)
        if progress.need is not None:
            c.type_in(sequence, key, *([3] * progress.need.count))
        else:
            assert progress.asked is not None
            keep_choice(
                post_battle=sequence,
                task_key=key,
                choice_key=progress.asked.key,
                value=c.pick(progress.asked),
                actor=scene.users["owner"],
            )
    twice(scene, "owner", _step_address(scene, key), {"act": "write", "task": key})
    s.assert_reconciled(scene.wardens)


def test_a_ransom_is_paid_once(scene: Scene) -> None:
    """The price is accepted twice from one page, then from another page, and then by the other side: the ducats move once."""
    _enrich(scene)
    owner, captor = scene.wardens, scene.club.warband(scene.users["opponent"])
    before = s.purse(owner).ducats, s.purse(captor).ducats
    offer = name_price(capture=scene.capture, by_captor=True, ducats=7, actor=scene.users["opponent"])
    address = reverse("capture-settle", args=[scene.capture.pk])
    body = {"act": "accept", "role": "owner", "offer": offer.pk}
    twice(scene, "owner", address, body)
    paid = written()
    assert scene.client("owner").post(address, {**body, "token": "from-the-other-page"}).status_code in (200, 422)
    assert scene.client("opponent").post(address, {**body, "role": "captor", "token": "theirs"}).status_code in (
        200,
        422,
    )
    assert written() == paid
    assert (s.purse(owner).ducats, s.purse(captor).ducats) == (before[0] - 7, before[1] + 7)
    assert Capture.objects.get(pk=scene.capture.pk).status == Capture.Status.RANSOMED
    assert not RansomOffer.objects.filter(capture=scene.capture, status="open").exists()
    for warband in (owner, captor):
        s.assert_reconciled(warband)


def _enrich(scene: Scene) -> None:
    """Go through the sequence up to camp by exploring: there is money then."""
    c.resolve(scene.reported, scene.users["owner"], seed=3, answers={"way": "explore"})
    assert s.purse(scene.wardens).ducats >= 7


def _next_roll(scene: Scene) -> str:
    """The first task of the sequence that asks for dice now; what stands before it is settled."""
    user = scene.users["owner"]
    for _ in range(20):
        sequence = c.look(c.sequence_row(scene.reported, user))
        step = sequence.current()
        assert step is not None
        assert step.kind != "close", "No task of this sequence asks for dice."
        for task in sequence.waiting(step.id):
            if sequence.progress(task).need is not None:
                return task.key
            c.settle(c.sequence_row(scene.reported, user), task.key, c.SeededDice(1), {"way": "explore"})
            break
        else:
            finish_step(post_battle=c.sequence_row(scene.reported, user), step=step.id, actor=user)
    raise AssertionError("The sequence came to no end.")


def _step_address(scene: Scene, key: str) -> str:
    step, _ = c.look(c.sequence_row(scene.reported, scene.users["owner"])).find(key)
    return reverse("post-battle-resolve", args=[scene.reported.pk, scene.wardens.pk, getattr(step, "id", step)])


def _draws(scene: Scene, key: str) -> list[Any]:
    kept: list[Any] = PostBattle.objects.get(warband=scene.wardens, side__battle=scene.reported).record["draws"][key]
    return kept


# --- dice that cannot be ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "words"), [("7", "This die shows 1 to 6, not 7."), ("0", "1 to 6"), ("", "Enter this die."), ("²", "1 to 6"), ("six", "1 to 6"), (NUMBER_BEYOND, "1 to 6")])  # fmt: skip
def test_a_die_that_cannot_be_is_refused_with_the_sentence(scene: Scene, face: str, words: str) -> None:
    key = _next_roll(scene)
    before = written()
    body = {
        "act": "roll",
        "task": key,
        "at": 0,
        "source": "typed",
        "token": "t" * 20,
        "face_1": face,
        "face_2": face,
        "face_3": face,
    }
    answer = scene.client("owner").post(_step_address(scene, key), body)
    assert answer.status_code == 422
    assert words in answer.content.decode().replace("&#x27;", "'")
    assert written() == before


def test_a_7_is_refused_at_muster_too(scene: Scene) -> None:
    battle = c.battle(scene.club, scene.users["owner"], scene.users["player"], scenario="")
    address = reverse("force-select", args=[battle.pk])
    before = written()
    body = {"act": "roll", "what": "scenario", "at": 0, "source": "typed", "token": "t" * 20}
    for faces in ({"face_1": "7"}, {"face_1": "7", "face_2": "7"}, {}, {"face_1": "²"}):
        answer = scene.client("owner").post(address, {**body, **faces})
        assert answer.status_code == 422
        assert written() == before
    assert "1 to 6" in answer.content.decode()


def test_the_leader_is_still_captive(scene: Scene) -> None:
    """Nothing of all this reached the scene itself."""
    assert Fighter.objects.get(warband=scene.wardens, name=LEADER).status == Fighter.Status.CAPTIVE
    assert Warband.objects.get(pk=scene.wardens.pk).version == scene.wardens.version
