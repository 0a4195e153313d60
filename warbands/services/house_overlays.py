"""House overlays: changes to the rules that somebody wrote, handed in as a file, offered to tables, and withdrawn again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.content.load import PackError, PackFault, packs
from rules.content.overlays.check import check_overlay, check_together
from rules.content.overlays.read import read_texts
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import overlays_of, remember
from rules.parts.states import OverlayInfo, info_of
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from warbands.models import HouseOverlay, OverlayCopy, Terms

MOST_BYTES = 200_000
MOST_ROWS = 2_000
MOST_OFFERS = 30
MOST_TOLD = 20
MOST_VERSION = 1_000_000
OWN_STATUS = ("house", "community")


class Faults(Refusal):
    """The refusal of a file, with every fault found in it: file, entry and field."""

    def __init__(self, faults: Iterable[str]) -> None:
        found = list(dict.fromkeys(faults))
        self.faults = tuple(found[:MOST_TOLD])
        more = len(found) - len(self.faults)
        super().__init__(
            _("The file has faults, so nothing was saved."),
            mend=_("{count} more are not shown.").format(count=more) if more else "",
            code="overlay",
        )


def hand_in_overlay(*, name: str, data: bytes, actor: Any) -> tuple[HouseOverlay, tuple[str, ...]]:
    """Check a file and offer it; return the offer, and with which other overlays it cannot be taken together.

    The same file again is the same offer. Raises Faults for a file that cannot be used, and Refusal.
    """
    if len(data) > MOST_BYTES:
        raise Refusal(_("The file is larger than {most} kB.").format(most=MOST_BYTES // 1000), code="overlay")
    try:
        overlay = read_texts([(_file_name(name), data)])
        game, edition = _base_of(overlay)
        _refuse_unfit(overlay)
        _refuse_taken(game, edition, overlay)
        together = _checked(game, edition, overlay)
    except PackError as error:
        raise Faults(str(fault) for fault in error.faults) from error
    except (RecursionError, OverflowError) as error:
        raise Refusal(_("The file is nested too deeply, or has numbers that are too large."), code="overlay") from error
    return _offered(game, edition, overlay, actor), together


def _file_name(name: str) -> str:
    """Return a name for the file: its own without folders and control characters, cut to a length."""
    plain = "".join(sign for sign in PurePath(name.replace("\\", "/")).name if sign.isprintable())
    return plain[:80] or "overlay.toml"


def _base_of(overlay: Overlay) -> tuple[str, str]:
    """Return the game and edition that the file is for. Raises Faults."""
    known = [base for base in packs() if base[0] in PACKAGES and system(base[0]).states is not None]
    game, _stroke, edition = overlay.head.base.partition("/")
    if (game, edition) not in known:
        bases = ", ".join("/".join(base) for base in known)
        raise Faults(
            [_head_fault(overlay, "base", _("name the game and edition; known are {bases}").format(bases=bases))]
        )
    return game, edition


def _head_fault(overlay: Overlay, name: str, words: str) -> str:
    return str(PackFault(overlay.file, overlay.id, f"$.overlay.{name}", words))


def _refuse_unfit(overlay: Overlay) -> None:
    """Raise Faults for what a file from a table may not say of itself, and for text that cannot be shown."""
    head, faults = overlay.head, []
    if head.status not in OWN_STATUS:
        words = _("no publisher signed this file, so its status is house or community")
        faults.append(_head_fault(overlay, "status", words))
    if head.in_base:
        faults.append(_head_fault(overlay, "in_base", _("a file of your own is not part of the books")))
    if not 1 <= head.version <= MOST_VERSION:
        faults.append(_head_fault(overlay, "version", _("a number from 1 to {most}").format(most=MOST_VERSION)))
    for name, text, most in (("title", head.title, 120), ("source", head.source, 300), ("summary", head.summary, 1000)):
        if not text.strip():
            faults.append(_head_fault(overlay, name, _("is empty")))
        elif len(text) > most:
            faults.append(_head_fault(overlay, name, _("is longer than {most} characters").format(most=most)))
        elif not text.replace("\n", " ").isprintable():
            faults.append(_head_fault(overlay, name, _("has signs that cannot be shown")))
    rows = len(overlay.changes) + len(overlay.withdrawn) + len(overlay.added)
    if not rows:
        faults.append(str(PackFault(overlay.file, overlay.id, "", _("it changes nothing"))))
    elif rows > MOST_ROWS:
        words = _("it has more than {most} rows").format(most=MOST_ROWS)
        faults.append(str(PackFault(overlay.file, overlay.id, "", words)))
    if faults:
        raise Faults(faults)


def _refuse_taken(game: str, edition: str, overlay: Overlay) -> None:
    """Raise Faults if the id stands for something else already: what is played under it must not change. One query."""
    copies = OverlayCopy.objects.filter(system=game, edition=edition, overlay=overlay.id).exclude(digest=overlay.digest)
    if overlay.id in overlays_of(game, edition) or copies.exists():
        words = _("another file has this id here; give a corrected file a new id and name the old one under replaces")
        raise Faults([_head_fault(overlay, "id", words)])


def _checked(game: str, edition: str, overlay: Overlay) -> tuple[str, ...]:
    """Lay the overlay on the edition. Return why others cannot be taken together with it. Raises Faults, PackError."""
    named = {*overlay.head.after, *overlay.head.replaces, *(i for c in overlay.changes for i in c.only_with)}
    named |= {id_ for row in overlay.withdrawn for id_ in row.only_with}
    others = [found for row in _handed_in(game, edition, named) if (found := row.read()) is not None]
    if faults := check_overlay(game, edition, overlay, others):
        raise Faults(faults)
    part = system(game).states
    if part is not None:  # the pages of the books are made, so that a file which breaks them is seen now
        with_it = part.with_copies(edition, (overlay.id,), {}, (overlay, *others))
        part.book_changes(system(game).content(edition, ()), with_it)
    return check_together(game, edition, overlay)


def _handed_in(game: str, edition: str, ids: Iterable[str]) -> Iterable[OverlayCopy]:
    return OverlayCopy.objects.filter(system=game, edition=edition, handed_in=True, overlay__in=list(ids))


def _offered(game: str, edition: str, overlay: Overlay, actor: Any) -> HouseOverlay:
    """Keep the file and offer it. Raises Refusal for too many."""
    with transaction.atomic():
        mine = HouseOverlay.objects.filter(owner=actor)
        if mine.count() >= MOST_OFFERS and not mine.filter(copy__digest=overlay.digest).exists():
            raise Refusal(
                _("You have handed in {most} files.").format(most=MOST_OFFERS), mend=_("No more fit."), code="overlay"
            )
        copy, _new = OverlayCopy.objects.get_or_create(
            system=game,
            edition=edition,
            overlay=overlay.id,
            digest=overlay.digest,
            defaults={
                "version": overlay.head.version,
                "title": overlay.head.title[:200],
                "files": [list(file) for file in overlay.texts],
                "handed_in": True,
            },
        )
        offer, is_new = HouseOverlay.objects.get_or_create(owner=actor, copy=copy)
        if not is_new and offer.withdrawn_at is not None:
            offer_overlay_again(offer=offer)
    remember(game, edition, overlay, house=True)
    return offer


def withdraw_overlay(*, offer: HouseOverlay) -> None:
    """Take a house overlay off the list of offers. Who plays it keeps it."""
    if offer.withdrawn_at is None:
        offer.withdrawn_at = timezone.now()
        offer.save(update_fields=["withdrawn_at"])


def offer_overlay_again(*, offer: HouseOverlay) -> None:
    """Take a withdrawal back."""
    offer.withdrawn_at = None
    offer.save(update_fields=["withdrawn_at"])


def know_overlays(system_id: str, edition: str, ids: Iterable[str]) -> None:
    """Let the rules know the handed-in overlays among these. One query if one of them is not known yet."""
    part, wanted = system(system_id).states, set(ids)
    if part is not None and (unknown := wanted - set(part.at_hand(edition, tuple(wanted)))):
        for row in _handed_in(system_id, edition, unknown):
            if (found := row.read()) is not None:
                remember(system_id, edition, found, house=True)


def house_infos(terms: Terms, edition: str, people: Iterable[Any]) -> tuple[OverlayInfo, ...]:
    """Return the house overlays that these people offer for an edition, and those that are taken. One query."""
    offers = HouseOverlay.objects.filter(owner__in=list(people), withdrawn_at=None).values("copy")
    mine = OverlayCopy.objects.filter(system=terms.system, edition=edition, handed_in=True)
    found = {}
    for row in (mine.filter(pk__in=offers) | mine.filter(overlay__in=terms.overlays)).order_by("pk"):
        if (overlay := row.read()) is not None:
            remember(terms.system, edition, overlay, house=True)
            found[overlay.id] = info_of(overlay)
    return tuple(found.values())


def file_of(copy: OverlayCopy) -> tuple[str, str]:
    """Return the name and the text of a handed-in file, as it was."""
    return f"{copy.overlay}.toml", "".join(str(text) for _name, text in copy.files)


def played_by(offers: Iterable[HouseOverlay]) -> dict[int, int]:
    """Return under how many terms each of these offers is played, by its key. One query."""
    rows = list(offers)
    count = dict.fromkeys((offer.pk for offer in rows), 0)
    taken = Terms.objects.exclude(overlays=[]).values_list("system", "edition", "overlays") if rows else ()
    for game, edition, overlays in taken:
        for offer in rows:
            copy = offer.copy
            count[offer.pk] += (copy.system, copy.edition) == (game, edition) and copy.overlay in overlays
    return count
