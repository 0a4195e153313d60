"""`manage.py content GAME/EDITION` prints a pack in normal form; `manage.py content check [GAME/EDITION]` lists what is wrong with packs."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.content.check import check_pack
from rules.content.load import PackError, load_pack, pack_folder, packs
from rules.registry import system

UNREADABLE = 2


class Command(BaseCommand):
    help = "Print a content pack in normal form, or check packs. Exit status 2 where a pack is wrong or unknown."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what", metavar="GAME/EDITION | check", help="for example trench-crusade/1.6.3, or the word check"
        )
        parser.add_argument("pack", nargs="?", metavar="GAME/EDITION", help="with check: this pack alone")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "check":
            self._check(options["pack"])
        elif options["pack"]:
            raise CommandError(f"“{options['pack']}” is not asked for here.", returncode=UNREADABLE)
        else:
            self._print(options["what"])

    def _print(self, wanted: str) -> None:
        game, edition = _split(wanted)
        try:
            chosen = system(game)
            content = chosen.content(edition or chosen.document_edition())
        except KeyError:
            raise CommandError(_unknown(wanted), returncode=UNREADABLE) from None
        except PackError as error:
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
                found = check_pack(load_pack(folder), folder)
            except PackError as error:
                found = tuple(str(fault) for fault in error.faults)
            faults += [f"{game}/{edition}: {fault}" for fault in found]
            if not found:
                self.stderr.write(f"{game}/{edition}: sound")
        if faults:
            raise CommandError("\n".join(faults), returncode=UNREADABLE)


def _split(wanted: str) -> tuple[str, str]:
    game, _, edition = wanted.partition("/")
    return game, edition


def _unknown(wanted: str) -> str:
    known = ", ".join(f"{game}/{edition}" for game, edition in packs())
    return f"No pack is called “{wanted}”. Known: {known}."
