"""An error of a form that its page draws by hand stands beside its field too, and the notice on top leads there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import person
from tests.drills import WHOLE, sampled
from tests.forms import MORE, OF_THE_SITE_OWNER, elsewhere
from tests.module_story import story
from tests.scene import Scene, addresses, make_scene, methods, rolled_back, routes
from tests.typed_forms import Control, Reader, TypedForm, read
from warbands.idempotency import new_token
from warbands.models import ProblemReport

pytestmark = pytest.mark.django_db
SECOND_GUEST = {"guest_name": ["Ola", ""], "guest_keyword": ["", "other"], "guest_other": ["", "Farmers"]}
# Address, who sends it, what is sent, and the field that is wrong.
WRONG = (
    ("player-list pk", "administrator", {"act": "add", "names": ""}, "names"),
    ("player-list pk", "administrator", {"act": "administrator", "username": ""}, "username"),
    ("seat-show pk", "owner", {"act": "rename", "name": ""}, "name"),
    ("seat-show pk", "administrator", {"act": "opening", "points": "many"}, "points"),
    ("battle-void pk", "administrator", {"words": ""}, "words"),
    ("campaign-administer pk", "administrator", {"act": "round-move", "ends_on": "soon"}, "ends_on"),
    ("warband-change pk", "owner", {"username": ""}, "username"),
    ("warband-hand-over pk", "owner", {"act": "offer", "to": ""}, "to"),
    ("battle-schedule pk", "owner", SECOND_GUEST, "guest_name"),  # one of several rows
)


@story
def scene() -> Scene:
    scene = make_scene()
    scene.sign_in()
    return scene


@pytest.mark.parametrize(("key", "who", "sent", "field"), WRONG, ids=[f"{key} {field}" for key, _, _, field in WRONG])
def test_an_error_stands_beside_its_field(scene: Scene, key: str, who: str, sent: dict[str, Any], field: str) -> None:
    answer = scene.client(who).post(addresses(scene)[key], {**sent, "token": new_token(), "seen": ""})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="answer"' in text
    (tag,) = re.findall(rf'<(?:input|textarea)[^>]*name="{field}"[^>]*aria-invalid="true"[^>]*>', text)
    assert field != "guest_name" or 'id="id_guest_name_2"' in tag
    (place,) = re.findall(r'aria-describedby="([^"]*)"', tag)
    assert text.count(f'id="{place.split()[-1]}"') == 1
    if place == "wrong":  # the field has the focus, not the notice
        assert 'href="#wrong"' in text
        assert "autofocus" in tag
        assert 'role="alert" tabindex="-1"' not in text


# --- every form of the site ---------------------------------------------------------------------------------------------------

MENDED = (
    "battle-report pk",
    "battle-show pk",
    "calendar-show",
    "campaign-discord pk",
    "capture-settle pk",
    "challenge-list pk",
    "draft-show pk",
    "flag-settle pk",
    "paper-begin",
    "paper-fighter pk key",
    "person-show pk",
    "problem-show pk",
    "region-list pk",
    "report-confirm pk",
    "round-arrange pk",
    "round-pair pk",
    "seat-repair pk",
    "seat-show pk",
    "site-hidden",
    "warband-hand-over pk",
)
PEOPLE = ("owner", "administrator", "opponent")
NO_FORM = ("roster-print pk",)  # a PDF takes a second each
ROWS = re.compile(r"(add|fill|remove):")  # one row more or less: nothing is refused


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", sampled([key for key in routes() if key not in NO_FORM], len(MENDED) + 5, always=MENDED)
)
def test_a_refused_form_marks_the_field_it_is_about(key: str, scene: Scene) -> None:
    complaints: list[str] = []
    seen: set[tuple[str, ...]] = set()
    tried: Counter[tuple[str, str]] = Counter()
    for client, there in places(key, scene):
        page = client.get(there, follow=True)
        if page.status_code != 200 or not page.headers["Content-Type"].startswith("text/html"):
            continue
        for form in read(page.content.decode()).forms:
            for press in form.presses:
                shape = shape_of(form, press, there)
                if shape not in seen and not ROWS.match(press[1] if press else ""):
                    seen.add(shape)
                    complaints += maimed(client, form, press, there, tried)
    assert not complaints, "\n".join(complaints)


def places(key: str, scene: Scene) -> Iterator[tuple[Client, str]]:
    """Who looks at the address, and at the other addresses where its forms stand."""
    address = addresses(scene)[key]
    if key in OF_THE_SITE_OWNER:
        yield site_owner(scene), address
    elif "POST" in methods(address, scene.client("owner")):
        for who in PEOPLE:
            for there in (*(address + more for more in ("", *MORE.get(key, ()))), *elsewhere(scene).get(key, ())):
                yield scene.client(who), there


def site_owner(scene: Scene) -> Client:
    """A client of the site owner, to whom a problem was reported."""
    olga = User.objects.filter(username="olga").first() or person("olga")
    olga.is_staff = True
    olga.save()
    ProblemReport.objects.get_or_create(pk=1, defaults={"by": scene.users["owner"], "page": "/", "token": "t1"})
    client = Client()
    client.force_login(olga)
    return client


def shape_of(form: TypedForm, press: tuple[str, str] | None, there: str) -> tuple[str, ...]:
    """Forms of one shape are refused alike."""
    parts = (form.action or there, *(press or ()), *sorted({control.name for control in form.controls}))
    return tuple(re.sub(r"\d+", "#", part) for part in parts)


def way_of(control: Control, value: str) -> tuple[str, str]:
    """The kind of a field, and in what it is wrong."""
    return control.kind, "a number" if value.lstrip("-").isdigit() else value[:2]


def ways(control: Control, tried: Counter[tuple[str, str]]) -> Iterator[str]:
    """In what a field is wrong: in one thing at least, and in each that two fields of its kind on this page were not wrong in before."""
    count = 0
    for value in control.wrong():
        if WHOLE or not count or tried[way_of(control, value)] < 2:
            count += 1
            tried[way_of(control, value)] += 1
            yield value


def maimed(
    client: Client, form: TypedForm, press: tuple[str, str] | None, there: str, tried: Counter[tuple[str, str]]
) -> list[str]:
    """Send the form with one control wrong at a time, and say where the answer marks none."""
    unmoved = words_of(sent(client, form, form.sent(press), there)[1])
    found = []
    for control in {re.sub(r"\d+", "#", control.name): control for control in form.controls}.values():
        for value in ways(control, tried):
            status, answer = sent(client, form, form.sent(press, other=control, value=value), there)
            words = words_of(answer)
            if (
                status != 422 or words == unmoved or words.startswith("Please check:")
            ):  # taken, about another thing, or asked
                continue
            found += [
                f"{form.action or there} {press}: {control.name} as {value[:20]!r}: {fault}"
                for fault in faults_of(answer, control, value, words)
            ]
    return found


def sent(client: Client, form: TypedForm, fields: dict[str, Any], there: str) -> tuple[int, Reader]:
    """What a form is answered; what it did is forgotten again."""
    if "token" in fields:
        fields["token"] = [new_token()]
    with rolled_back():
        answer = client.post(form.action or there, fields)
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    return answer.status_code, read(answer.content.decode() if is_page else "")


def words_of(answer: Reader) -> str:
    """What stands on top of the page about the form just sent."""
    return answer.text("answer") or answer.text("form_errors")


def faults_of(answer: Reader, control: Control, value: str, words: str) -> Iterator[str]:
    """What a refused form lacks: words on top, a marked field with words beside it, and what was typed."""
    if not words:
        yield "nothing is told"
    marked = [each for each in answer.everything if each.attributes.get("aria-invalid") == "true"]
    if not marked:
        yield f"no field is marked: {words}"
    if "#wrong" in answer.links and "wrong" not in answer.texts:
        yield "“Show where” leads nowhere"
    for each in marked:
        beside = each.attributes.get("aria-describedby", "").split()
        if not any(answer.text(name) for name in beside) or not answer.texts.keys() >= set(beside):
            yield f"{each.name} is marked without words beside it"
        if each.is_folded:
            yield f"{each.name} is folded away"
    mine = [each for each in marked if each.name == control.name]
    if mine and control.kind != "password" and value not in [each.value for each in mine]:
        yield f"what was typed is lost: {mine[0].value[:20]!r}"


def test_there_are_fields_to_be_wrong_in(scene: Scene) -> None:
    forms = [
        form
        for client, there in places("seat-repair pk", scene)
        if (page := client.get(there)).status_code == 200
        for form in read(page.content.decode()).forms
    ]
    wrong = [value for form in forms for control in form.controls for value in control.wrong()]
    assert len(forms) >= 10
    assert {"", "many", "-10000", "x" * 201} <= set(wrong)
