"""Files that this app exported, brought back: a roster with its history, or the profiles of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.custom.exchange import read_profiles
from rules.custom.profiles import ProfileProblem
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from rules.roster_files.opening import open_file
from rules.transcription import MOST_FIGHTERS, PaperData, PaperFighter
from warbands.import_targets import ImportTarget
from warbands.models import PaperDraft, Profile, Terms, Warband
from warbands.services.founding import import_document, terms_for
from warbands.services.library import game_with_profiles
from warbands.services.library_import import import_profiles

EXPORT = "roster-document"  # the format of such a file
THIRD_PARTY = "third_party"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of this app: the document in it, and whether that is a library instead of a roster."""

    document: Mapping[str, Any]

    @property
    def is_library(self) -> bool:
        """A roster may hold the profiles of its units; it has fighters or a faction besides."""
        return "profiles" in self.document and not {"fighters", "faction", "name"} & set(self.document)


class LibraryRefused(Refusal):
    """A library that cannot be taken over, with everything that is wrong in it."""

    def __init__(self, wrong: Sequence[ProfileProblem]) -> None:
        self.wrong = tuple(wrong)
        first = self.wrong[0]
        words = f"{first.path}: {first.message}" if first.path else first.message
        if len(self.wrong) > 1:
            more = len(self.wrong) - 1
            words += " " + ngettext("And {more} more.", "And {more} more.", more).format(more=more)
        super().__init__(_("Nothing was imported."), mend=words[:400], code="profile")


def own_file(data: bytes) -> OwnFile | None:
    """Return what a file holds if this app wrote it; None for any other, also for one that cannot be read."""
    try:
        opened = open_file(data)
    except Refusal:
        return None
    return OwnFile(opened.tree) if opened.format == EXPORT else None


def exported(draft: PaperDraft) -> Mapping[str, Any]:
    """Return the document in a draft of a file that this app wrote."""
    return open_file(bytes(draft.original or b"")).tree


def start_export(*, owner: Any, document: Mapping[str, Any], data: bytes, name: str, terms: Terms) -> PaperDraft:
    """Keep a roster that this app exported until its place is chosen. It is imported as it stands, in every game.

    Raises Refusal if it is a library, cannot be read, or is for another game or edition than `terms`.
    """
    game, edition = edition_of(document)
    if (game, edition) != (terms.system, terms.edition):
        raise Refusal(
            _("This file is for {game} {edition}.").format(game=system(game).name, edition=edition),
            mend=_("The campaign plays {game} {edition}.").format(game=terms.game.name, edition=terms.edition),
            code="other-edition",
        )
    force, _problems = terms.game.documents.read_document(document)
    rows = force.fighters[:MOST_FIGHTERS]
    fighters = [PaperFighter(f"t{n}", row.name[:80], row.profile) for n, row in enumerate(rows, 1)]
    shown = PaperData(list_id=force.list, name=force.name[:80], fighters=fighters)
    return PaperDraft.objects.create(
        owner=owner,
        system=game,
        edition=edition,
        data=msgspec.to_builtins(shown),
        original=data,
        original_name=name,
        format=EXPORT,
        is_shared=True,
        is_export=True,
    )


def import_own_roster(
    *,
    actor: Any,
    document: Mapping[str, Any],
    place: ImportTarget | None,
    owner: Any = None,
    name: str = "",
    token: str = "",
) -> Warband:
    """Import a roster that this app exported, with its history, into a place or the person's own list.

    Raises Refusal as `import_document`, and for a game or edition that is not here.
    """
    game, edition = edition_of(document)
    with transaction.atomic():
        return import_document(
            actor=actor,
            owner=place.owner if place is not None else owner or actor,
            terms=place.terms
            if place is not None
            else terms_for(game, edition, _let_in(document), _overlays(document)),
            document=document,
            name=name,
            place=place,
            token=token,
        )


def import_own_library(
    *, owner: Any, actor: Any, document: Mapping[str, Any], ways: Mapping[int, str] | None = None, token: str = ""
) -> list[Profile]:
    """Import the profiles of a document in one act. `ways` is that of `import_profiles`.

    Raises LibraryRefused with everything that is wrong, LibraryAsks where something differs, or Refusal.
    """
    game, edition = document.get("game"), document.get("edition") or ""
    if not isinstance(game, str) or not isinstance(edition, str):
        raise Refusal(
            _("The document doesn't name its game."),
            mend=_("Give “game” and “edition” as names."),
            code="unknown-game",
        )
    found = game_with_profiles(game, edition)
    incoming, wrong = read_profiles(found.profiles, found.content, document)
    if wrong:
        raise LibraryRefused(wrong)
    return import_profiles(
        owner=owner,
        actor=actor,
        system_id=found.game.id,
        edition=found.edition,
        incoming=incoming,
        ways=ways,
        token=token,
    )


def edition_of(document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the game and edition that a document names, or the game's first edition if it names none.

    Raises Refusal for unknown ones.
    """
    game = document.get("game", "trench-crusade")
    if not isinstance(game, str) or game not in PACKAGES:
        raise Refusal(
            _("The file is for a game that isn't here: “{game}”.").format(game=str(game)[:40]),
            mend=_("Known: {names}.").format(names=", ".join(PACKAGES)),
        )
    known = system(game).editions()
    edition = document.get("edition") or known[0]
    if edition not in known:
        raise Refusal(
            _("The file is for an edition that isn't here: “{edition}”.").format(edition=str(edition)[:40]),
            mend=_("Known: {names}.").format(names=", ".join(known)),
        )
    return game, edition


def _overlays(document: Mapping[str, Any]) -> list[str]:
    """Return the overlays that a document names."""
    given = document.get("overlays")
    return [id_ for id_ in given if isinstance(id_, str)] if isinstance(given, list) else []


def _let_in(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the house rules that a document may set outside a campaign: only whether third-party lists are allowed."""
    given = document.get("house_rules")
    return {THIRD_PARTY: True} if isinstance(given, dict) and given.get(THIRD_PARTY) is True else {}
