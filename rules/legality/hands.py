"""The limits on kinds of kit for one fighter: one piece for each slot, its hands, and HEAVY pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.formatting import first, listed, number
from rules.legality.finding import Finding, put_away
from rules.translation import gettext as _
from rules.translation import ngettext

# slot: (the word for its pieces, the verb for the one piece that a fighter may have)
SINGLE = {
    "armour": (_("suits of armour"), _("wears one")),
    "shield": ("shields", _("bears one")),
    "headgear": (_("pieces of headgear"), _("wears one")),
    "grenade": (_("types of grenade"), _("carries one type")),
    "standard": ("standards", _("carries one")),
    "instrument": ("instruments", _("carries one")),
}


def equipment_source(content: Content, part: str = "General Equipment") -> str:
    """Return where the edition's book states the slot rules."""
    return f"{content.pack.labels.get('rulebook', 'Condensed rules')} {content.edition}, {part}"


def as_printed(pieces: Sequence[CarriedItem]) -> bool:
    return bool(pieces) and all(piece.fixed for piece in pieces)


def spare_pieces(pieces: Sequence[CarriedItem]) -> list[CarriedItem]:
    """Return the pieces to give up, the likeliest first: those bought last, or else the last piece."""
    return [piece for piece in reversed(pieces) if piece.included is None] or [pieces[-1]]


def _spares(pieces: Sequence[CarriedItem]) -> tuple[tuple[int, str], ...]:
    return tuple((piece.row, piece.item.name) for piece in pieces)


def slot_findings(content: Content, who: Facts) -> Iterator[Finding]:
    by_slot: dict[str, list[CarriedItem]] = {}
    for held in who.held:
        if held.item.slot in SINGLE:
            by_slot.setdefault(held.item.slot, []).append(held)
    for slot, pieces in by_slot.items():
        if len(pieces) < 2 or as_printed(pieces):
            continue
        what, verb = SINGLE[slot]
        if slot == "grenade" and len({h.item.id for h in pieces}) == 1:
            what = _("of a kind of grenade")
            if any(isinstance(e, v.CopiesEffect) for e in pieces[0].item.effects):
                continue  # this is reported as a second copy
        spares = spare_pieces(pieces)
        spare = spares[0]
        yield Finding(
            f"slot-{slot}",
            _("{count} {what}: {item}. {{who}} {verb}.").format(
                count=first(number(len(pieces))), what=what, item=listed(h.item.name for h in pieces), verb=verb
            ),
            _("{put_away} or send it back.").format(put_away=put_away(content, spare.item.name)),
            equipment_source(content),
            spare.item.name,
            spare.row,
            slot,
            len(pieces),
            spares=_spares(spares),
        )


def hand_findings(content: Content, who: Facts) -> Iterator[Finding]:
    if who.hands_ranged == who.hands_melee and any(c.effect.pool is not None for c in who.of(v.HandsEffect)):
        sides = [("", who.hands_ranged)]
    else:
        sides = [("ranged", who.hands_ranged), ("melee", who.hands_melee)]
    for side, (used, available) in sides:
        if used > available:
            takers = _takers(who, side)
            if not as_printed(takers):
                yield _too_few_hands(content, who, side, used, available, takers)


def _takers(who: Facts, side: str) -> list[CarriedItem]:
    """Return the pieces that take hands when shooting ("ranged"), fighting ("melee"), or either ("").

    A shield always counts.
    """
    taking = {
        id(held)
        for held, ranged, melee in who.hand_uses
        if held.item.slot == "shield" or {"ranged": ranged, "melee": melee}.get(side, ranged or melee)
    }
    return [held for held in who.held if id(held) in taking]


_IN_USE = {"ranged": _(" for shooting"), "melee": _(" in melee"), "": ""}


def _too_few_hands(
    content: Content, who: Facts, side: str, used: int, available: int, takers: Sequence[CarriedItem]
) -> Finding:
    loose = [h for h in reversed(takers) if not h.fixed] or list(takers[-1:])
    enough = [h for h in loose if _hands_freed(who, h, side) >= used - available]
    spare = next(iter([*enough, *loose]), None)
    name = spare.item.name if spare else ""
    hands = ngettext("{number} hand", "{number} hands", used).format(number=number(used))
    need = ngettext("{items} needs {hands}", "{items} need {hands}", len(takers)).format(
        items=listed(h.item.name for h in takers), hands=hands
    )
    there = ngettext("there is {number}", "there are {number}", available).format(
        number=number(available) if available else _("none")
    )
    return Finding(
        "hands",
        _("{{who}}: {need}{in_use}; {there}.").format(need=need, in_use=_IN_USE[side], there=there),
        _("{put_away} or swap it for something lighter.").format(put_away=put_away(content, name)) if spare else "",
        equipment_source(content),
        name,
        spare.row if spare else -1,
        f"hands-{side}",
        used - available,
        spares=_spares(enough),
    )


def _hands_freed(who: Facts, held: CarriedItem, side: str) -> int:
    """Return roughly how many hands would be free without this piece.

    The hand of a SHIELD COMBO weapon also holds the shield.
    """
    combo = [h for h in who.held if h.item.category == side and "SHIELD COMBO" in h.keywords]
    if held.item.slot == "shield":
        return int(not combo)
    borne = sum(h.item.slot == "shield" for h in who.held) if combo == [held] else 0
    if side:
        return (getattr(held.hands, side) or 1) - borne
    return held.hands.ranged + held.hands.melee or 1


def heavy_findings(content: Content, who: Facts) -> Iterator[Finding]:
    if "STRONG" in who.keywords:
        return
    heavy = [h for h in who.held if "HEAVY" in h.keywords]
    limited = any(
        content.keyword(c.effect.among.keyword) == "HEAVY" for c in who.of(v.CarryLimitEffect) if c.effect.among.keyword
    )
    if len(heavy) > 1 and not limited and not as_printed(heavy):
        spares = spare_pieces(heavy)
        name = spares[0].item.name
        yield Finding(
            "heavy",
            _("{first} HEAVY pieces on {{who}}: {listed}. One is the most without STRONG.").format(
                first=first(number(len(heavy))), listed=listed(h.item.name for h in heavy)
            ),
            _("Give {name} to someone else.").format(name=name),
            equipment_source(content, "Keywords: HEAVY"),
            name,
            spares[0].row,
            "heavy",
            len(heavy),
            spares=_spares(spares),
        )
