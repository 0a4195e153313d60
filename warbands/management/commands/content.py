"""`manage.py content` prints a state of an edition in normal form, and checks packs and overlays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.check import check_pack
from rules.content.load import PackError, load_pack, pack_folder, packs
from rules.content.overlays.check import check_all, check_overlay, check_together
from rules.content.overlays.read import read_overlay
from rules.content.overlays.states import overlays_of, parsed_state
from rules.problems import Refusal
from rules.registry import system

UNREADABLE = 2
BASE = "trench-crusade/1.0"


class Command(BaseCommand):
    help = "Print an edition with its overlays in normal form, or check packs and overlays. Exit status 2 where one is wrong or unknown."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what",
            metavar="GAME/EDITION[+OVERLAY…] | check",
            help="for example trench-crusade/1.6.3, or the word check",
        )
        parser.add_argument(
            "pack", nargs="?", metavar="GAME/EDITION | FILE | FOLDER", help="with check: this pack or overlay alone"
        )
        parser.add_argument(
            "--base", default="", metavar="GAME/EDITION", help="the edition of an overlay that does not say it itself"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "check":
            wanted = options["pack"]
            if wanted and Path(wanted).exists():
                self._check_overlay(Path(wanted), options["base"])
            else:
                self._check(wanted)
        elif options["pack"]:
            raise CommandError(f"“{options['pack']}” is not asked for here.", returncode=UNREADABLE)
        else:
            self._print(options["what"])

    def _print(self, wanted: str) -> None:
        game, named = _split(wanted)
        try:
            chosen = system(game)
            edition, overlays = parsed_state(named or chosen.document_edition(), chosen.editions())
            content = chosen.content(edition, overlays)
        except KeyError:
            raise CommandError(_unknown(wanted), returncode=UNREADABLE) from None
        except (PackError, Refusal) as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None
        text = msgspec.json.format(msgspec.json.encode(chosen.rulebook.normal_form(content)), indent=1)
        self.stdout.write(text.decode())

    def _check(self, wanted: str | None) -> None:
        if wanted:
            game, edition = _split(wanted)
            known = [(g, e) for g, e in packs() if g == game and edition in ("", e)]
            if not known:
                raise CommandError(_unknown(wanted), returncode=UNREADABLE)
        else:
            known = list(packs())
        faults = []
        for game, edition in known:
            folder = pack_folder(game, edition)
            try:
                found = (*check_pack(load_pack(folder), folder), *check_all(game, edition))
            except PackError as error:
                found = tuple(str(fault) for fault in error.faults)
            faults += [f"{game}/{edition}: {fault}" for fault in found]
            if not found:
                self.stderr.write(f"{game}/{edition}: sound")
        if faults:
            raise CommandError("\n".join(faults), returncode=UNREADABLE)

    def _check_overlay(self, place: Path, base: str) -> None:
        """Check one overlay alone, beside those it names, and with every other of its edition."""
        try:
            overlay = read_overlay(place)
            game, edition = _split(base or overlay.head.base or _beside(place) or BASE)
            found = (*check_overlay(game, edition, overlay), *check_together(game, edition, overlay))
        except KeyError as error:
            raise CommandError(_unknown(str(error)), returncode=UNREADABLE) from None
        except PackError as error:
            found = tuple(str(fault) for fault in error.faults)
        if found:
            raise CommandError("\n".join(dict.fromkeys(found)), returncode=UNREADABLE)
        self.stderr.write(f"{game}/{edition}+{overlay.id}: sound")


def _beside(place: Path) -> str:
    """Return the pack beside which an overlay lies, "" if it lies elsewhere."""
    folder = place.resolve().parent.parent
    return next((f"{game}/{edition}" for game, edition in packs() if pack_folder(game, edition) == folder), "")


def _split(wanted: str) -> tuple[str, str]:
    game, _, edition = wanted.partition("/")
    return game, edition


def _unknown(wanted: str) -> str:
    known = ", ".join(f"{game}/{edition}" for game, edition in packs())
    overlays = ", ".join(id_ for game, edition in packs() for id_ in overlays_of(game, edition))
    words = f"No pack is called “{wanted}”. Known: {known}."
    return f"{words} Overlays: {overlays}." if overlays else words
