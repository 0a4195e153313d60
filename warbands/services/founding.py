"""Creates warbands from a list, a sample or a document, and ends their founding when they are ready to play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.force import Battles, Force
from rules.formatting import joined
from rules.parts.founding import ListChoice
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.registry import system as game_system
from warbands.document_history import DocumentHistory
from warbands.import_targets import ImportTarget, Score
from warbands.labels import has_shop, word
from warbands.models import Item, Promise, Terms, Warband
from warbands.newest_state import newest_overlays
from warbands.pins import pins_of
from warbands.promises import settling_task
from warbands.recorder import Recorder
from warbands.recording import acted_for, recording
from warbands.services.common import acting, clean_name, clean_text, settle_choices
from warbands.services.write_force import write_force

Source = Literal["document", "file", "text", "paper"]
# Where a warband comes from, and whether it goes straight to a place in a campaign → what the history says.
_IMPORTED = {
    ("document", False): gettext_lazy("{who} imported {warband} from a document: {contents}."),
    ("document", True): gettext_lazy("{who} imported {warband} from a document into {place}: {contents}."),
    ("file", False): gettext_lazy("{who} imported {warband} from a file: {contents}."),
    ("file", True): gettext_lazy("{who} imported {warband} from a file into {place}: {contents}."),
    ("text", False): gettext_lazy("{who} imported {warband} from a text: {contents}."),
    ("text", True): gettext_lazy("{who} imported {warband} from a text into {place}: {contents}."),
    ("paper", False): gettext_lazy("{who} imported {warband} from paper: {contents}."),
    ("paper", True): gettext_lazy("{who} imported {warband} from paper into {place}: {contents}."),
}


def terms_for(
    system: str, edition: str, house_rules: Mapping[str, Any] | None = None, overlays: Iterable[str] | None = None
) -> Terms:
    """Return new terms to play under, without `overlays` those of the newest official state.

    Raises Refusal if the site does not have this game, edition or overlay.
    """
    taken = newest_overlays(system, edition) if overlays is None else tuple(overlays)
    terms = Terms(system=system, edition=edition, house_rules=dict(house_rules or {}), overlays=list(taken))
    terms.pins = pins_of(system, edition, taken)
    try:
        game_system(system).content(edition, tuple(terms.overlays), terms.house_rules)
    except KeyError:
        raise Refusal(
            _("There is no {system} {edition} here.").format(system=system, edition=edition), code="unknown-edition"
        ) from None
    terms.save()
    return terms


def found_warband(
    *,
    actor: Any,
    owner: Any,
    terms: Terms,
    list_id: str,
    name: str,
    patron: str = "",
    mode: str = "campaign",
    choices: Mapping[str, Any] | None = None,
    budget: Price | None = None,
    credited: int = 0,
    token: str = "",
) -> Warband:
    """Found a warband of a list with its starting money and starting kit. Choices can be made later.

    `budget` replaces the list's own starting money. `credited` is the number of battles that a late joiner is
    considered to have fought.

    Raises:
        Refusal: the list, the patron or a choice is invalid.
    """
    with recording(terms, kind="found", actor=actor, token=token) as act:
        content = terms.content
        chosen = army_list(terms, list_id)
        settled = settle_choices((replace(asked, optional=True) for asked in chosen.choices), choices)
        money, kit = terms.game.founding.start(content, list_id, mode, settled)
        force = Force(
            game=terms.system,
            edition=terms.edition,
            list=list_id,
            battles=Battles(credited=credited),
            choices=settled,
        )
        warband = _create(
            act,
            Warband(
                owner=owner,
                name=clean_name(name, what=_("The warband's name")),
                terms=terms,
                list_id=list_id,
                patron=checked_patron(chosen, patron),
                mode=Warband.Mode(mode),
                state=terms.game.state.write_warband_state(content, force),
            ),
            budget or money,
            budget or money,
            reason=_("Starting money"),
        )
        for place, piece in enumerate(kit):
            act.create(
                Item(
                    warband=warband,
                    item_id=piece.item,
                    offer_id=piece.offer,
                    origin=Item.Origin.STARTING,
                    position=place,
                    why=_("{list} starts with it").format(list=chosen.name)[:200],
                )
            )
        told = (
            _("{{who}} started {warband}, {list}, with {price}.")
            if has_shop(terms)
            else _("{{who}} started {warband}, {game}.")
        )
        price = budget or money
        act.say(told.format(warband=warband.name, list=chosen.name, price=price, game=terms.game.name))
    return warband


def _create(act: Recorder, warband: Warband, budget: Price, money: Price, *, reason: str) -> Warband:
    warband.budget_ducats, warband.budget_glory = budget.ducats, budget.glory
    act.create(warband)
    act.event.for_name = acted_for(warband, act.event.actor)
    act.earn(money, reason=reason, warband=warband)
    return warband


def army_list(terms: Terms, list_id: str) -> ListChoice:
    """Return the list with this id under these terms. Raises Refusal if there is none."""
    for choice in terms.game.founding.lists(terms.content):
        if choice.id == list_id:
            return choice
    raise Refusal(_("There is no such list with these rules."), code="not-offered")


def closed_list(terms: Terms, list_id: str) -> str:
    """Return why a list cannot be played under these terms; "" if it can be played, or is unknown."""
    return next((choice.closed for choice in terms.game.founding.lists(terms.content) if choice.id == list_id), "")


def own_rules(system: str, edition: str, list_id: str) -> dict[str, Any]:
    """Return the house rules of a warband outside any campaign: choosing a third party's list also allows that list."""
    game = game_system(system)
    chosen = next((choice for choice in game.founding.lists(game.content(edition)) if choice.id == list_id), None)
    return {"third_party": True} if chosen is not None and chosen.third_party else {}


def checked_patron(chosen: ListChoice, patron: str) -> str:
    """Return the patron's id. Raises Refusal if the list cannot have this patron."""
    if patron and patron not in {value for value, _name in chosen.patrons}:
        raise Refusal(_("{list} can't choose this patron.").format(list=chosen.name), code="not-offered")
    return patron


def sample_list(terms: Terms, sample_id: str) -> str:
    """Return the list of a ready warband. Raises Refusal if there is none with this id."""
    for found, _name, list_id, _words in terms.game.founding.samples(terms.content):
        if found == sample_id:
            return list_id
    raise Refusal(_("There is no such ready warband."), code="not-offered")


def copy_sample(
    *,
    actor: Any,
    owner: Any,
    terms: Terms,
    sample_id: str,
    name: str = "",
    budget: Price | None = None,
    credited: int = 0,
    token: str = "",
) -> Warband:
    """Start a warband from a ready roster in one act, and pay for everything.

    `budget` and `credited` are those of a late joiner, as in `found_warband`. Raises Refusal if the sample is unknown or
    closed.
    """
    with recording(terms, kind="found", actor=actor, token=token) as act:
        try:
            document = terms.game.founding.sample(terms.content, sample_id)
        except KeyError:
            raise Refusal(_("There is no such ready warband."), code="not-offered") from None
        titles = {sample: title for sample, title, _list, _words in terms.game.founding.samples(terms.content)}
        force, problems = terms.game.documents.read_document(document)
        closed = closed_list(terms, force.list)
        if closed:
            raise Refusal(closed, mend=_("Allow third-party lists, or choose another one."), code="third-party")
        if budget is not None:
            force = replace(force, budget=budget)
        if credited:
            force = replace(force, battles=replace(force.battles, credited=credited))
        warband = _build(
            act, owner, terms, force, DocumentHistory({}), problems, name=name or titles.get(sample_id, "")
        )
        told = _("{{who}} started {warband} from the ready warband {sample}.")
        act.say(told.format(warband=warband.name, sample=titles.get(sample_id, sample_id)))
    return warband


def import_document(
    *,
    actor: Any,
    owner: Any,
    terms: Terms,
    document: Mapping[str, Any],
    name: str = "",
    kind: str = "import",
    source: Source = "document",
    place: ImportTarget | None = None,
    score: Score | None = None,
    token: str = "",
) -> Warband:
    """Import a warband from a roster document in one opening act, and put it into `place` if one is given.

    An illegal roster is not refused: its faults are shown as problems, and the event stores what was not understood.
    A document written by this site also contains prices paid, notes and the strongbox; its history is stored with the
    opening act. `score` is what the warband achieved elsewhere; the place counts it.

    Raises:
        Refusal: the document cannot be read, it is for another game or edition, or the place refuses the warband.
    """
    subjects = (terms, *place.subjects) if place is not None else (terms,)
    with recording(*subjects, kind=kind, actor=actor, for_name="", token=token) as act:
        force, problems = terms.game.documents.read_document(document)
        if (force.game, force.edition) != (terms.system, terms.edition):
            raise Refusal(
                _("This document is for {its_game} {its_edition}, not for {game} {edition}.").format(
                    its_game=force.game, its_edition=force.edition, game=terms.system, edition=terms.edition
                ),
                code="other-edition",
            )
        record = DocumentHistory(document.get("record"))
        warband = _build(act, owner, terms, force, record, problems, name=name or force.name or record.text("name"))

        count = sum(1 for fighter in force.fighters if fighter.active)
        fighters = f"{count} {word(terms, 'row', 'fighter') if count == 1 else word(terms, 'rows', 'fighters')}"
        fought = force.battles.fought
        battles = ngettext("{count} battle", "{count} battles", fought).format(count=fought)
        contents = joined([fighters, battles]) if fought else fighters
        told = str(_IMPORTED[source, place is not None]).format(
            who="{who}",
            warband=warband.name,
            place=place.settle(act, warband, score or Score()) if place is not None else "",
            contents=contents,
        )
        if problems:
            unread = ngettext(
                "{count} entry was not understood.", "{count} entries were not understood.", len(problems)
            )
            told = f"{told} {unread.format(count=len(problems))}"
        act.say(told)
        act.event.data.update(record.history())
    return warband


def _build(
    act: Recorder,
    owner: Any,
    terms: Terms,
    force: Force,
    record: DocumentHistory,
    problems: Iterable[Problem],
    *,
    name: str,
) -> Warband:
    game, content = terms.game, terms.content
    chosen = army_list(terms, force.list)
    budget = force.budget or record.price("budget") or game.founding.start(content, force.list, force.mode, None)[0]
    warband = Warband(
        owner=owner,
        name=clean_name(name or chosen.name, what=_("The warband's name")),
        terms=terms,
        list_id=force.list,
        patron=force.patron,
        mode=force.mode,
        status=Warband.Status.FOUNDING if force.founding else Warband.Status.CAMP,
        state=game.state.warband_state(content, game.state.write_warband_state(content, force)),
        notes=clean_text(record.text("notes"), what=_("The note"), longest=4000, lines=True),
    )
    strongbox = record.price("strongbox")
    if force.founding:
        _create(act, warband, budget, budget, reason=_("Starting money"))
    else:
        _create(act, warband, budget, strongbox or Price(), reason=_("Starting money"))
    if game.shop is not None:
        force = game.shop.priced(content, force)
    write_force(act, warband, force, record)
    strange = _promise(act, warband, force, record)
    if force.founding and strongbox is not None:
        left = Price(
            ducats=strongbox.ducats - warband.strongbox_ducats, glory=strongbox.glory - warband.strongbox_glory
        )
        act.earn(left, reason=_("Starting money"), warband=warband)
    act.event.data["problems"] = [problem.message for problem in problems] + strange
    return warband


def _promise(act: Recorder, warband: Warband, force: Force, record: DocumentHistory) -> list[str]:
    """Create the promises that a document lists. Returns a description of each one that the game does not understand."""
    strange: list[str] = []
    for owed in record.promises():
        data = owed.data.get("data")
        try:
            settling_task(warband.terms, force, owed.text("kind"), data if isinstance(data, dict) else {})
        except (AttributeError, KeyError, TypeError, ValueError, Refusal):
            strange.append(_("The effect of “{text}” was not understood.").format(text=owed.text("words")[:80]))
            continue
        act.create(
            Promise(
                warband=warband,
                kind=clean_text(owed.text("kind"), what=_("A promise"), longest=40),
                words=clean_text(owed.text("words"), what=_("A promise"), longest=300),
                expires=clean_text(owed.text("expires"), what=_("A promise"), longest=120),
                data=dict(data) if isinstance(data, dict) else {},
            )
        )
    return strange


def make_ready(*, warband: Warband, actor: Any, token: str = "", seen: int | None = None) -> Warband:
    """End the founding. The warband is ready to play, and from now on its strongbox cannot fall below zero.

    Raises:
        Refusal: the roster has problems (the message lists them), or the warband is ready already.
    """
    with acting(warband, kind="ready", actor=actor, token=token, seen=seen) as act:
        row = act.warband
        if not row.is_founding:
            raise Refusal(_("{warband} is already ready to play.").format(warband=row.name), code="no-change")
        verdict = row.terms.game.check(row.terms.content, act.force())
        if not verdict.legal:
            raise Refusal(_problems_message(verdict.errors), mend=verdict.errors[0].mend, code="problems")
        if row.owes:
            raise Refusal(
                _("{owes} over budget.").format(owes=row.owes),
                mend=_("Return something."),
                code="money",
            )
        act.change(row, status=Warband.Status.CAMP)
        told = _("{{who}} declared {warband} ready to play.")
        if has_shop(row.terms):
            told = _("{{who}} declared {warband} ready to play, with {money} left.")
        act.say(told.format(warband=row.name, money=row.strongbox))
    return warband


def _problems_message(problems: tuple[Problem, ...]) -> str:
    count = ngettext("Fix {count} problem first:", "Fix {count} problems first:", len(problems)).format(
        count=len(problems)
    )
    more = " …" if len(problems) > 3 else ""
    return f"{count} {' '.join(p.message for p in problems[:3])}{more}"
