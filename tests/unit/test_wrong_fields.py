"""An error of a form that its page draws by hand stands beside its field too, and the notice on top leads there."""

from __future__ import annotations

import re

import pytest

from tests.module_story import story
from tests.scene import Scene, addresses, make_scene
from warbands.idempotency import new_token

pytestmark = pytest.mark.django_db
# Address, who sends it, what is sent, and the field that is wrong.
WRONG = (
    ("player-list pk", "administrator", {"act": "add", "name": ""}, "name"),
    ("player-list pk", "administrator", {"act": "administrator", "username": ""}, "username"),
    ("seat-show pk", "owner", {"act": "rename", "name": ""}, "name"),
    ("seat-show pk", "administrator", {"act": "opening", "points": "many"}, "points"),
    ("battle-void pk", "administrator", {"words": ""}, "words"),
    ("campaign-administer pk", "administrator", {"act": "round-move", "ends_on": "soon"}, "ends_on"),
    ("warband-change pk", "owner", {"username": ""}, "username"),
    ("warband-hand-over pk", "owner", {"act": "offer", "to": ""}, "to"),
)


@story
def scene() -> Scene:
    scene = make_scene()
    scene.sign_in()
    return scene


@pytest.mark.parametrize(("key", "who", "sent", "field"), WRONG, ids=[f"{key} {field}" for key, _, _, field in WRONG])
def test_an_error_stands_beside_its_field(scene: Scene, key: str, who: str, sent: dict[str, str], field: str) -> None:
    answer = scene.client(who).post(addresses(scene)[key], {**sent, "token": new_token(), "seen": ""})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="answer"' in text
    (tag,) = re.findall(rf'<input[^>]*name="{field}"[^>]*aria-invalid="true"[^>]*>', text)
    (place,) = re.findall(r'aria-describedby="([^"]*)"', tag)
    assert text.count(f'id="{place.split()[-1]}"') == 1
    assert place != "wrong" or 'href="#wrong"' in text
