"""An error of a form that its page draws by hand stands beside its field too, and the notice on top leads there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.module_story import story
from tests.scene import Scene, addresses, make_scene
from warbands.idempotency import new_token

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
