"""`manage.py content` prints a state of an edition, checks packs and overlays, compares two states, and tries an overlay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from rules.content.check import check_pack
from rules.content.load import PackError, load_pack, pack_folder, packs
from rules.content.overlays.check import check_all, check_overlay, check_together
from rules.content.overlays.read import read_overlay
from rules.content.overlays.states import overlays_of, parsed_state, skipped, take_in
from rules.game import Game, GameContent
from rules.parts.states import WarbandChange
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from warbands.management.commands.check_roster import read_json
from warbands.models import Terms
from warbands.pins import pin_changes

UNREADABLE = 2


class Command(BaseCommand):
    help = "Print an edition with its overlays in normal form, or check packs and overlays. Exit status 2 where one is wrong or unknown."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what",
            metavar="GAME/EDITION[+OVERLAY…] | check | diff | try",
            help="for example trench-crusade/1.6.3, or the word check, diff or try",
        )
        parser.add_argument(
            "pack",
            nargs="?",
            metavar="GAME/EDITION | FILE | FOLDER",
            help="with check: this pack or overlay alone; with diff: the state from which; with try: the overlay",
        )
        parser.add_argument("there", nargs="?", metavar="GAME/EDITION[+OVERLAY…]", help="with diff: the state to which")
        parser.add_argument("--roster", default="", metavar="FILE|-", help="with try: a roster document as JSON")
        parser.add_argument(
            "--base", default="", metavar="GAME/EDITION", help="the edition of an overlay that does not say it itself"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "diff":
            self._diff(options["pack"] or "", options["there"] or "")
        elif options["what"] == "try":
            self._try(Path(options["pack"] or ""), options["base"], options["roster"])
        elif options["what"] == "check":
            wanted = options["pack"]
            if wanted and Path(wanted).exists():
                self._check_overlay(Path(wanted), options["base"])
            else:
                self._check(wanted)
        elif options["pack"]:
            raise CommandError(f"“{options['pack']}” is not asked for here.", returncode=UNREADABLE)
        else:
            self._print(options["what"])

    def _content(self, wanted: str) -> tuple[Game, GameContent]:
        game, named = _split(wanted)
        try:
            chosen = system(game)
            edition, overlays = parsed_state(named or chosen.document_edition(), chosen.editions())
            return chosen, chosen.content(edition, overlays)
        except KeyError:
            raise CommandError(_unknown(wanted), returncode=UNREADABLE) from None
        except (PackError, Refusal) as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None

    def _diff(self, here: str, there: str) -> None:
        """Print every figure that differs between two states, one line each."""
        game, before = self._content(here)
        other, after = self._content(there)
        if game.id != other.id or game.states is None:
            raise CommandError("Two states of one game are compared.", returncode=UNREADABLE)
        for line in game.states.book_changes(before, after):
            self.stdout.write(f"{line.kind} {line.id}: {line.label}: {line.before or '–'} → {line.after or '–'}")

    def _try(self, place: Path, base: str, roster: str) -> None:
        """Print what an overlay, lying anywhere, would change for a roster."""
        if not place.exists() or not roster:
            raise CommandError("content try FILE --roster ROSTER: an overlay and a roster.", returncode=UNREADABLE)
        self._check_overlay(place, base)
        overlay = read_overlay(place)
        named, edition = _split(base or overlay.head.base or _beside(place) or _first())
        game, document = system(named), read_json(roster)
        if overlay.id not in overlays_of(named, edition):
            take_in(named, edition, overlay)
        if game.states is None:
            raise CommandError(_unknown(named), returncode=UNREADABLE)
        taken = [id_ for id_ in document.get("overlays") or () if isinstance(id_, str)]
        try:
            force, _problems = game.documents.read_document({**document, "edition": edition, "overlays": taken})
            here = game.content(edition, tuple(taken), document.get("house_rules"))
            there = game.content(edition, (*taken, overlay.id), document.get("house_rules"))
        except Refusal as refusal:
            raise CommandError(str(refusal), returncode=UNREADABLE) from None
        self._print_change(game.states.roster_changes(here, there, force))

    def _print_change(self, change: WarbandChange) -> None:
        for line in change.lines:
            self.stdout.write(
                f"{line.fighter or '–'}: {line.entry}: {line.label}: {line.before or '–'} → {line.after or '–'}"
            )
        for problem in change.new:
            self.stdout.write(f"new problem: {problem.code}: {problem.message}")
        for row in change.missing:
            self.stdout.write(f"no counterpart: {row.table} {row.id}: {row.name}")
        self.stdout.write(f"worth: {change.rating_before} → {change.rating_after}; bought for less: {change.refund}")

    def _print(self, wanted: str) -> None:
        chosen, content = self._content(wanted)
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
                found = (*found, *(str(fault) for fault in skipped(game, edition)))
            except PackError as error:
                found = tuple(str(fault) for fault in error.faults)
            faults += [f"{game}/{edition}: {fault}" for fault in found]
            if not found:
                self.stderr.write(f"{game}/{edition}: sound")
        self._tell_pins(set(known))
        if faults:
            raise CommandError("\n".join(faults), returncode=UNREADABLE)

    def _tell_pins(self, known: set[tuple[str, str]]) -> None:
        """Tell which terms pinned overlays that are another version here now, or gone. Without a database, nothing."""
        try:
            terms = [each for each in Terms.objects.exclude(pins={}) if (each.system, each.edition) in known]
        except DatabaseError:
            return
        told = Counter(
            (each.system, each.edition, change.id, change.was, change.now)
            for each in terms
            for change in pin_changes(each)
        )
        for (game, edition, overlay, was, now), count in sorted(told.items()):
            here = f"is version {now} here" if now else "is not here any more"
            self.stderr.write(f"{game}/{edition}+{overlay}: {here}; {count} terms chose version {was}.")

    def _check_overlay(self, place: Path, base: str) -> None:
        """Check one overlay alone, beside those it names, and with every other of its edition."""
        try:
            overlay = read_overlay(place)
            game, edition = _split(base or overlay.head.base or _beside(place) or _first())
            if (game, edition) not in packs():
                raise CommandError(
                    f"{overlay.file}, $.overlay.base: {_unknown(f'{game}/{edition}')}", returncode=UNREADABLE
                )
            found = check_overlay(game, edition, overlay) or check_together(game, edition, overlay)
        except PackError as error:
            found = tuple(str(fault) for fault in error.faults)
        if found:
            raise CommandError("\n".join(dict.fromkeys(found)), returncode=UNREADABLE)
        self.stderr.write(f"{game}/{edition}+{overlay.id}: sound")


def _beside(place: Path) -> str:
    """Return the pack beside which an overlay lies, "" if it lies elsewhere."""
    folder = place.resolve().parent.parent
    return next((f"{game}/{edition}" for game, edition in packs() if pack_folder(game, edition) == folder), "")


def _first() -> str:
    """Return the first edition that has overlays: the base of one that names none and lies beside no pack."""
    games = (system(id_) for id_ in PACKAGES)
    return next(f"{game.id}/{game.editions()[0]}" for game in games if game.states is not None)


def _split(wanted: str) -> tuple[str, str]:
    game, _, edition = wanted.partition("/")
    return game, edition


def _unknown(wanted: str) -> str:
    known = ", ".join(f"{game}/{edition}" for game, edition in packs())
    overlays = ", ".join(id_ for game, edition in packs() for id_ in overlays_of(game, edition))
    words = f"No pack is called “{wanted}”. Known: {known}."
    return f"{words} Overlays: {overlays}." if overlays else words
