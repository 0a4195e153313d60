"""Buttons pressed through the test client, as a person presses them who has read what a page asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.test import Client

from warbands.idempotency import new_token


def sure(client: Client, address: str, sent: Mapping[str, Any]) -> Any:
    """Post a form; where the page asks first, answer yes by the form that its question holds."""
    answer = client.post(address, {"token": new_token(), **sent})
    notice = answer.context["notice"] if answer.context is not None and "notice" in answer.context else None
    if notice is None or notice.kind != "question":
        return answer
    again: dict[str, list[str]] = {}
    for name, value in notice.again:
        again.setdefault(name, []).append(value)
    return client.post(notice.again_url, {**again, "token": notice.again_token})
