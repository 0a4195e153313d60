"""The states of the rules that a campaign file needs: editions and overlays, with the text of those that a club added itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from config.backup.faults import BackupFault
from rules.content.load import pack_folder
from rules.content.overlays.states import overlays_of
from rules.game import Game
from rules.problems import Refusal
from rules.registry import systems
from warbands.models import OverlayCopy, Terms

ENDING = ".toml"


def states_of(terms: Iterable[int]) -> list[dict[str, Any]]:
    """Return the states of these terms, each once. One query."""
    wanted = Terms.objects.filter(pk__in=list(terms)).values_list("system", "edition", "overlays")
    states = {(game, edition, tuple(overlays)) for game, edition, overlays in wanted}
    return [
        {
            "game": game,
            "edition": edition,
            "overlays": [
                {"id": each, "digest": _digest_of(game, edition, each), **_text_of(game, edition, each)}
                for each in overlays
            ],
        }
        for game, edition, overlays in sorted(states)
    ]


def _digest_of(game: str, edition: str, overlay: str) -> str:
    known = overlays_of(game, edition)
    if overlay not in known and (copy := _handed_in(game, edition, overlay)):
        return copy.digest
    if overlay not in known:
        raise BackupFault(
            _("The changes “{overlay}” of this campaign are no longer on this server, so nothing was saved.").format(
                overlay=overlay
            )
        )
    return known[overlay].digest


def _handed_in(game: str, edition: str, overlay: str) -> OverlayCopy | None:
    return OverlayCopy.objects.filter(system=game, edition=edition, overlay=overlay, handed_in=True).first()


def _text_of(game: str, edition: str, overlay: str) -> dict[str, Any]:
    """Return the files of an overlay that was handed in or lies in the club's own folder, nothing for one of the release."""
    if overlay not in overlays_of(game, edition) and (copy := _handed_in(game, edition, overlay)):
        return {"files": {str(name): str(text) for name, text in copy.files}}
    if not settings.OVERLAYS:
        return {}
    release = pack_folder(game, edition)
    folder = Path(settings.OVERLAYS) / release.parent.name / release.name
    files = [*sorted((folder / overlay).glob(f"*{ENDING}")), folder / f"{overlay}{ENDING}"]
    found = {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in files if file.is_file()}
    return {"files": found} if found else {}


def refuse_missing(states: Iterable[Mapping[str, Any]]) -> None:
    """Raise BackupFault, with what would help, if a state of the rules is not on this server, or is another one here."""
    games = {each.id: each for each in systems()}
    for state in states:
        game, edition = games.get(state["game"]), state["edition"]
        if game is None:
            raise BackupFault(
                _("The campaign plays {game}, a game that this server doesn't have.").format(game=_shown(state["game"]))
            )
        if edition not in game.editions():
            raise BackupFault(
                _("The campaign plays {game} {edition}, an edition that this server doesn't have.").format(
                    game=game.name, edition=_shown(edition)
                )
            )
        for overlay in state["overlays"]:
            _refuse_missing_overlay(game, edition, overlay)


def _refuse_missing_overlay(game: Game, edition: str, overlay: Mapping[str, Any]) -> None:
    try:
        known = overlays_of(game.id, edition)
    except (KeyError, Refusal):
        known = {}
    name = _shown(overlay["id"])
    copy = None if overlay["id"] in known else _handed_in(game.id, edition, overlay["id"])
    if copy is not None and copy.digest == overlay["digest"]:
        return
    if overlay["id"] not in known:
        help = _("The file has their text.") if "files" in overlay else _("A newer release may have them.")
        raise BackupFault(
            _(
                "The campaign plays {game} {edition} with the changes “{name}”. This server doesn't have them. {help}"
            ).format(game=game.name, edition=edition, name=name, help=help)
        )
    if known[overlay["id"]].digest != overlay["digest"]:
        raise BackupFault(
            _(
                "The campaign plays {game} {edition} with the changes “{name}”. This server has another text of them."
            ).format(game=game.name, edition=edition, name=name)
        )


def _shown(text: str) -> str:
    return text[:60]
