"""The open block of one fighter: its name, figures with their causes, equipment with acts, abilities in words, and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.force import ForceItem, GainedWord
from rules.parts.sheet import FighterSheet, HandsLine, WeaponLine
from rules.price import add
from warbands.adapters import PRESENT
from warbands.idempotency import new_token
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.camp import CampRow, task_row
from warbands.pages.cards import (
    STATS_ON_A_CARD,
    CardButton,
    Experience,
    ScarBox,
    experience_of,
    kit_href,
    kit_label,
    learned,
    scar_boxes,
    stats_of,
    upgrades_href,
    weapon_facts,
)
from warbands.pages.formatting import money
from warbands.pages.kit import give_link
from warbands.pages.offers import Button
from warbands.pages.roster import ITEM_KINDS, KEYWORD_KINDS, Roster
from warbands.pages.shop import FirstKits, first_kits
from warbands.pages.widgets import Link, ProblemRow, problem_rows


@dataclass(frozen=True, slots=True)
class Piece:
    """One item or weapon of a fighter in one line. Inside the line stand its rules and acts."""

    key: str
    name: str
    href: str
    what: str
    price_words: str
    rules: tuple[str, ...]
    acts: tuple[Button, ...] = ()
    links: tuple[Link, ...] = ()
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An ability, skill or keyword: our summary, its rules page, and its cause if it is not printed on the profile."""

    name: str
    words: str
    href: str
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterPanel:
    """The open block of one fighter. `acts` says whether the reader may act on it."""

    pk: int
    key: str
    name: str
    acts: bool = False
    seen: int
    rename_href: str = ""
    names_href: str = ""
    causes: tuple[str, ...]
    experience: Experience | None
    experience_words: str
    scar_boxes: tuple[ScarBox, ...]
    scars: tuple[str, ...]
    pieces: tuple[Piece, ...]
    pieces_label: str
    pieces_words: str
    kits: FirstKits | None = None
    kits_href: str
    ways: tuple[Link, ...] = ()
    shop_href: str = ""
    words_label: str
    entries: tuple[Entry, ...]
    tasks: tuple[CampRow, ...] = ()
    problems: tuple[ProblemRow, ...]
    notes: str
    odds: bool = False
    copy_href: str = ""
    copy_words: str
    copies: tuple[int, ...] = ()
    links: tuple[CardButton, ...]
    rename_token: str = field(default_factory=new_token)
    copy_token: str = field(default_factory=new_token)


def fighter_panel(roster: Roster, row: Fighter, *, acts: bool, notes: bool = False, links: bool = True) -> FighterPanel:
    """Build the open block of a fighter. No queries on top of the roster.

    `acts` adds what may be done with the fighter, `notes` its private note. Without `links` nothing leads to a page that asks for a right.
    """
    key = str(row.pk)
    sheet = roster.sheets[key]
    may = acts and row.status in PRESENT and not roster.warband.is_put_away
    pieces = pieces_of(roster, row, acts=may)
    panel = FighterPanel(
        pk=row.pk,
        key=f"fighter_panel_{row.pk}",
        name=row.name,
        seen=roster.warband.version,
        causes=tuple(_causes(sheet)),
        experience=experience_of(sheet),
        experience_words=_experience_words(sheet),
        scar_boxes=scar_boxes(sheet) if sheet.scars else (),
        scars=learned(roster, roster.force.fighter(key))[2],
        pieces=pieces,
        pieces_label=_("Equipment") if roster.shops else roster.game.labels(roster.content).get("kit", _("Weapons")),
        pieces_words=_pieces_words(roster, row, pieces),
        kits_href=href_of("kit-buy", row.pk),
        words_label=_("Abilities and keywords, in words") if roster.shops else _("Rules, in words"),
        entries=tuple(_entries(roster, sheet, {piece.name for piece in pieces})),
        problems=tuple(
            replace(one, sentence=capfirst(one.sentence.removeprefix(f"{row.name}: ")))
            for one in problem_rows(roster, tuple(roster.problems_by_fighter.get(key, ())), acts=may)
        ),
        notes=row.notes if notes else "",
        copy_words=_("Hire more like this one, kit included") if roster.shops else _("Take more like this one"),
        links=tuple(_links(roster, row, may=may)) if links else (),
    )
    return _with_acts(roster, row, panel) if may else panel


def _with_acts(roster: Roster, row: Fighter, panel: FighterPanel) -> FighterPanel:
    """Return the block with what may be done with its fighter."""
    key = str(row.pk)
    copies = _copies(roster, row)
    return replace(
        panel,
        acts=True,
        rename_href=href_of("fighter-rename", row.pk),
        names_href=href_of("fighter-names", roster.warband.pk) if has_names(roster, row) else "",
        kits=first_kits(roster, row),
        ways=tuple(_ways(roster, row)),
        shop_href=href_of("kit-buy", row.pk) + "?part=beside" if roster.shops else "",
        tasks=() if roster.shops else _tasks(roster, key),
        odds=_may_attack(roster, key),
        copy_href=href_of("fighter-copy", row.pk) if copies else "",
        copies=copies,
    )


def has_names(roster: Roster, row: Fighter) -> bool:
    """Return whether the game has names for this fighter's profile."""
    return bool(roster.game.founding.fighter_names(roster.content, roster.warband.list_id, row.profile_id))


# --- figures --------------------------------------------------------------------------------------------------------------


def _causes(sheet: FighterSheet) -> Iterator[str]:
    """Yield where changed figures come from, the figures that the closed block does not show, and the hands."""
    for number, stat in enumerate(stats_of(sheet)):
        if stat.cause:
            yield f"{stat.label} {stat.value}: {_without_base(stat.cause)}."
        elif number >= STATS_ON_A_CARD and sheet.hands:
            yield f"{stat.label} {stat.value}."
    if sheet.hands:
        yield _("Hands: {hands}.").format(hands=", ".join(_hands(line) for line in sheet.hands))
    for keyword, cause in sheet.immune:
        yield _("Not affected by {keyword}: {cause}.").format(keyword=keyword, cause=cause)


def _without_base(cause: str) -> str:
    """Return the changes alone: of "0, Standard Armour −1" the printed 0 stands in the profile already."""
    first, _comma, rest = cause.partition(", ")
    return rest if rest and first.lstrip("+−-").isdigit() else cause


def _hands(line: HandsLine) -> str:
    """Return one kind of hands: "ranged 2 of 2", with what changed their number."""
    kind = {"ranged": _("ranged"), "melee": _("melee")}.get(line.kind, line.label.casefold())
    words = _("{kind} {used} of {had}").format(kind=kind, used=line.used, had=line.had)
    return f"{words} ({', '.join(line.causes)})" if line.causes else words


def _experience_words(sheet: FighterSheet) -> str:
    experience = experience_of(sheet)
    if experience is None:
        return ""
    return _("XP {have} of {cap}, {coming}").format(
        have=sheet.experience, cap=sheet.experience_cap, coming=experience.next_words
    )


# --- equipment ------------------------------------------------------------------------------------------------------------


def pieces_of(roster: Roster, row: Fighter, *, acts: bool) -> tuple[Piece, ...]:
    """Return what a fighter carries, one line a piece, with its acts; without a shop the weapons of its profile. No queries."""
    key = str(row.pk)
    sheet = roster.sheets[key]
    words, weapons = dict(sheet.lines), {line.name: line for line in sheet.weapons}
    if not roster.shops:
        return tuple(_weapon(roster, line, number) for number, line in enumerate(sheet.weapons, 1))
    view = roster.views.get(key)
    kit = view.kit if view else roster.force.fighter(key).kit
    return tuple(_piece(roster, item, words, weapons, acts=acts) for item in kit)


def _piece(
    roster: Roster, item: ForceItem, words: Mapping[str, str], weapons: Mapping[str, WeaponLine], *, acts: bool
) -> Piece:
    name = roster.item_name(item)
    line = weapons.get(name)
    told = words.get(name, "")
    wrong = next((found for found in roster.verdict.errors if found.item_key == item.key), None)
    owned = roster.item_row(item.key)
    may = acts and owned is not None
    return Piece(
        key=f"piece_{item.key}",
        name=name,
        href=roster.names.href(item.item, *ITEM_KINDS),
        what=_facts(line) if line is not None else told,
        price_words=money(item.paid) if item.paid else "",
        rules=tuple(filter(None, (told if line is not None else "", _changed(line), _got(roster, item)))),
        acts=tuple(_acts(roster, item)) if may else (),
        links=(give_link(item, f"roster:{owned.fighter_id}"), Link(_("Swap…"), href_of("item-swap", item.key)))
        if may and owned is not None
        else (),
        wrong=(wrong.mend or wrong.message) if wrong else "",
    )


def _weapon(roster: Roster, line: WeaponLine, number: int) -> Piece:
    return Piece(
        key=f"weapon_{number}",
        name=line.name,
        href=roster.names.href_of_name(line.name),
        what=_facts(line),
        price_words="",
        rules=tuple(filter(None, (_changed(line),))),
    )


def _facts(line: WeaponLine) -> str:
    return ", ".join(filter(None, (*weapon_facts(line)[:-1], line.effect_words, *weapon_facts(line)[-1:])))


def _changed(line: WeaponLine | None) -> str:
    return _("Changed: {causes}.").format(causes="; ".join(line.causes)) if line is not None and line.causes else ""


def _got(roster: Roster, item: ForceItem) -> str:
    """Return how the warband got an item that it did not buy: "Found, Fallen Knight."."""
    if item.origin == "bought":
        return ""
    owned = roster.item_row(item.key)
    if owned is None or item.origin == "mandatory":
        return _("Comes with the fighter.")
    return f"{owned.get_origin_display()}, {owned.why}." if owned.why else f"{owned.get_origin_display()}."


def _acts(roster: Roster, item: ForceItem) -> Iterator[Button]:
    """Yield what one press does with an owned item: return it while building, sell it later, put it away."""
    shop, content, force = roster.shop, roster.content, roster.force
    owner = next((fighter.key for fighter in force.fighters if any(one.key == item.key for one in fighter.kit)), "")
    fields = {"at": f"roster:{owner}", "seen": str(roster.warband.version)}

    def button(label: str, name: str) -> Button:
        return Button(label, url=href_of(name, item.key), fields={**fields, "token": new_token()})

    refund = shop.refund(content, force, item.key)
    if refund.state != "closed":
        yield button(_("Return, +{price}").format(price=money(refund.price)), "item-return")
    elif (sale := shop.sale(content, force, item.key)).state != "closed":
        yield button(_("Sell, +{price}").format(price=money(sale.price)), "item-sell")
    if shop.carry(content, force, item.key, "").state != "closed":
        stash = roster.game.labels(content)["stash"]
        yield button(_("Move to {stash}").format(stash=stash), "item-stash")


def _pieces_words(roster: Roster, row: Fighter, pieces: tuple[Piece, ...]) -> str:
    if not roster.shops or not pieces:
        return ""
    count = ngettext("{count} item", "{count} items", len(pieces)).format(count=len(pieces))
    total = add(*(item.paid for item in roster.force.fighter(str(row.pk)).kit))
    return f"{count}, {money(total)}" if total else count


# --- words ----------------------------------------------------------------------------------------------------------------


def _entries(roster: Roster, sheet: FighterSheet, carried: set[str]) -> Iterator[Entry]:
    """Yield abilities, skills and injuries, what was lost, and the keywords, each with our summary."""
    href, gained = roster.names.href_of_name, {ability.name: ability.cause for ability in sheet.abilities}
    for name, words in sheet.lines:
        if name not in carried:
            yield Entry(name, words, href(name) if name else "", gained.get(name, ""))
    for ability in sheet.abilities:
        if ability.state == "lost":
            yield _lost(ability, href(ability.name))
    told = {entry.name: entry for entry in sheet.glossary}
    for keyword in sheet.keywords:
        entry = told.pop(keyword.name, None)
        page = roster.names.href(keyword.id, *KEYWORD_KINDS) or href(keyword.name)
        if keyword.state == "lost":
            yield _lost(keyword, page)
        else:
            yield Entry(keyword.name, entry.words if entry else "", page, keyword.cause)
    for entry in told.values():
        yield Entry(entry.name, entry.words, roster.names.address(entry))


def _lost(gone: GainedWord, href: str) -> Entry:
    words = _("lost: {cause}").format(cause=gone.cause) if gone.cause else _("lost")
    return Entry(gone.name, "", href, words)


def _tasks(roster: Roster, key: str) -> tuple[CampRow, ...]:
    tasks = roster.game.post_battle.camp_tasks(roster.content, roster.force)
    return tuple(task_row(roster, task) for task in tasks if task.subject == key)


COPIES = (1, 2, 3)


def _copies(roster: Roster, row: Fighter) -> tuple[int, ...]:
    """Return how many more fighters of this kind may be hired in one press, at most three; none once its limit is reached."""
    offer = roster.hire_offer(row.offer_id)
    if offer is None or offer.state == "closed":
        return ()
    room = COPIES[-1] if offer.limit is None else offer.limit - offer.held
    return tuple(count for count in COPIES if count <= max(1, room))


def _may_attack(roster: Roster, key: str) -> bool:
    attacks = roster.game.attacks
    if roster.game.unit_attacks is not None:
        return True
    return attacks is not None and bool(attacks.arms(roster.content, roster.force, key))


# --- where it leads -------------------------------------------------------------------------------------------------------


def _ways(roster: Roster, row: Fighter) -> Iterator[Link]:
    """Yield the pages that equip a fighter and give it upgrades."""
    if kit := kit_href(roster, row):
        yield Link(kit_label(roster), kit)
    if upgrades := upgrades_href(roster, row):
        yield Link(_("Skills, upgrades"), upgrades)


def _links(roster: Roster, row: Fighter, *, may: bool) -> Iterator[CardButton]:
    pk = row.pk
    yield CardButton(_("History"), href_of("fighter-show", pk))
    if not may:
        return
    yield CardButton(_("Note"), href_of("fighter-note", pk))
    for label, direction in ((_("Move up"), "up"), (_("Move down"), "down")):
        fields = {"seen": str(roster.warband.version), "token": new_token(), "direction": direction}
        yield CardButton(label, href_of("fighter-move", pk), post=True, fields=fields)
    yield CardButton(_("Dismiss"), href_of("fighter-dismiss", pk), danger=True, opens_here=True)
