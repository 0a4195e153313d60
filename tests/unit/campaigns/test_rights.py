"""Who may do and undo what: every kind of act, every role. The table of `warbands.rights` is held against one written out here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from campaigns.models import PostBattle
from campaigns.rights import ROWS
from campaigns.services.join import add_seat, claim_seat, leave_seat
from campaigns.services.open import add_administrator
from tests import campaign_stories as c
from tests import library_stories as lib
from tests import stories as s
from tests.conftest import person
from tests.drills import WHOLE
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Delegate, Event, EventSubject, ShareLink, Warband
from warbands.rights import TABLE, may_undo, right_to_undo, rows
from warbands.services.hire import PARTED
from warbands.services.roster import archive_warband, disband_warband, restore_warband
from warbands.services.sharing import add_delegate, lend_rights, remove_delegate, revoke_link, share_warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[3]

# Who undoes what: o the owner (or whoever holds the seat), d a delegate, a an administrator, p another player of the campaign.
# Capitals: also where the owner lends the owner's rights. Who is no delegate any more, a stranger and a visitor undo nothing.
OPEN_TO = {
    "oda": "hire return dismiss sell buy give swap upgrade again use teams promise rename note move change choose draft ready archive"
    " share force muster fought roll mistyped step write close price ransom late bring submit"
    " report-draft report-refuse challenge wish absence",
    "oDA": "found import paper disband revoke restore own-state",
    "o": "delegate lend profile-write profile-copy profile-take profile-import profile-share profile-away profile-back",
    "oa": "profile-change profile-unshare hand-over",
    "a": "open settings invite administrator finish reopen round bye list opening claim-link reset-link house-rules state seat"
    " flag decide void pair remind discord join claim leave season campaign-copy preset preset-remove unarchive publish"
    " region region-owner places"
    " repair-money repair-fighter repair-scar repair-find repair-strength repair-topup repair-return repair-item"
    " repair-credit repair-standings repair-version",
    "oap": "schedule",
    "odap": "friendly cancel scenario attacker report amend confirm dispute",
    "": "keep hand-over-offer hand-over-end contact-note campaign-move",
}
EXPECTED = {kind: letters for letters, kinds in OPEN_TO.items() for kind in kinds.split()}
OF_A_PROFILE = {kind for kind in EXPECTED if kind.startswith("profile-")}
OF_THE_CAMPAIGN = set(OPEN_TO["a"].split()) | {"schedule"} - {"join", "claim", "leave"}
OF_THE_BATTLE = set(OPEN_TO["odap"].split())


# --- the kinds there are ----------------------------------------------------------------------------------------------------

WRITERS = {
    "recording": None,
    "acting": None,
    "import_document": None,
    "_setting_up": 1,
    "_choosing": 1,
    "open_sequence": 2,
}
ELSEWHERE = {"kind"}  # a writer hands on what its caller named


def kinds_in(node: ast.expr, path: Path) -> Iterator[str]:
    """The kinds that an expression in a file may stand for."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.Name) and node.id.isupper():
        yield getattr(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)), node.id)
    elif isinstance(node, ast.IfExp) and ast.unparse(node.test) == "way in PARTED":
        yield from PARTED
    else:
        assert ast.unparse(node) in ELSEWHERE, f"What kind of act is {ast.unparse(node)}?"


@cache
def kinds_written() -> frozenset[str]:
    """The kinds of event that our code writes."""
    found = {"import"}  # what import_document calls it unless told otherwise
    for room in ("accounts", "notifications", "warbands", "campaigns"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name not in WRITERS:
                    continue
                named = [keyword.value for keyword in node.keywords if keyword.arg == "kind"]
                place = WRITERS[name]
                for value in named or ([node.args[place]] if place is not None and len(node.args) > place else []):
                    found.update(kinds_in(value, path))
    return frozenset(found - {"undo"})


@pytest.mark.one_database
def test_there_is_something_to_check() -> None:
    assert {"hire", "disband", "delegate", "write", "scenario", "house-rules", "sell"} <= kinds_written()


def test_each_kind_of_act_has_a_row_here_and_in_the_table() -> None:
    assert kinds_written() - set(EXPECTED) == set()
    assert kinds_written() - set(rows()) - {"restore"} == set()  # that one is an archive's or a disbanding's


# What an undo needs where one kind of event stands for several acts (`FINER` of both rooms).
FINER_ROWS = {"seat-return", "campaign-archive", "choose-roll"}


def test_each_row_of_the_table_has_an_act() -> None:
    assert set(rows()) - kinds_written() - FINER_ROWS == set()


def test_no_act_has_a_row_in_both_tables() -> None:
    assert ROWS.keys() & TABLE.keys() == set()


# --- each kind, each role ---------------------------------------------------------------------------------------------------


def touched(kind: str) -> str:
    """What acts of this kind are about."""
    if kind in OF_A_PROFILE:
        return "profile"
    if kind in OF_THE_BATTLE:
        return "battle"
    if kind in OF_THE_CAMPAIGN:
        return "campaign"
    if kind in ("join", "claim", "leave", "bring", "submit"):
        return "seat"
    return "side" if kind in ("force", "muster") else "warband"


class Scene:
    """A campaign of Cleo's in which Ada and Ben play; Eve acts for Ada, Dan did so once; Dora is a stranger."""

    def __init__(self) -> None:
        self.ada, self.ben, self.cleo, self.dora, self.eve, self.dan = (
            person(name) for name in ("ada", "ben", "cleo", "dora", "eve", "dan")
        )
        self.made = c.club(self.cleo, self.ada, self.ben)
        self.warband = self.made.warband(self.ada)
        add_delegate(warband=self.warband, username="eve", actor=self.ada)
        former = add_delegate(warband=self.warband, username="dan", actor=self.ada)
        remove_delegate(warband=self.warband, delegate=former, actor=self.ada)
        self.profile = lib.shared(lib.wrote(self.ada), lib.circle(self.cleo, self.ada, self.ben), self.ada)
        self.battle = c.battle(self.made, self.ada, self.ben)
        self.side = c.side(self.battle, self.ada)

    def people(self) -> dict[str, Any]:
        """Everybody by letter; those without one undo nothing."""
        return {
            "o": self.ada,
            "d": self.eve,
            "a": self.cleo,
            "p": self.ben,
            "former": self.dan,
            "stranger": self.dora,
            "visitor": AnonymousUser(),
        }

    def subjects(self, kind: str) -> list[Any]:
        """What acts of this kind touch; campaign acts touch a warband too, as some do."""
        return {
            "profile": [self.profile],
            "battle": [self.made.campaign, self.battle],
            "campaign": [self.made.campaign, self.warband],
            "seat": [self.made.campaign, self.made.seat(self.ada), self.warband],
            "side": [self.battle, self.side, self.warband],
            "warband": [self.warband],
        }[touched(kind)]

    def event(self, kind: str, *, undoes: Event | None = None, occasion: str = "") -> Event:
        """An event of this kind, done by nobody of these."""
        event = Event.objects.create(kind="undo" if undoes else kind, sentence="x", undoes=undoes, occasion=occasion)
        for row in self.subjects(kind):
            warband = row if isinstance(row, Warband) else None
            EventSubject.objects.create(event=event, label=row._meta.label, row_id=row.pk, warband=warband)
        return Event.objects.prefetch_related("subjects__warband").get(pk=event.pk)


@story
def scene() -> Scene:
    """The scene, set once."""
    return Scene()


def done_and_undone(scene: Scene, kind: str) -> tuple[Event, Event, Event]:
    """An event of this kind, its undo, and the undo of that."""
    event = scene.event(kind)
    once = scene.event(kind, undoes=event)
    return event, once, scene.event(kind, undoes=once)


@pytest.fixture(scope="module")
def asked() -> set[Any]:
    """What everybody was asked about already: the rights to an act and its undoing, the things, and who has them."""
    return set()


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_an_act_is_undone_by_those_who_may_do_it_and_an_undo_likewise(scene: Scene, asked: set[Any], kind: str) -> None:
    """Where the table gives a kind the very rights of another one, to the same things, everybody's answers are those of the other one."""
    same = (*map(right_to_undo, done_and_undone(scene, kind)), touched(kind), EXPECTED[kind])
    if same in asked and not WHOLE:
        return
    asked.add(same)
    for lends in (False, True):
        Warband.objects.filter(pk=scene.warband.pk).update(lends_rights=lends)
        event, once, twice = done_and_undone(scene, kind)
        letters = EXPECTED[kind]
        for who, user in scene.people().items():
            wanted = who in letters or (lends and who.upper() in letters)
            assert may_undo(user, event) == wanted, (kind, who, lends)
            assert may_undo(user, twice) == wanted, (kind, who, lends)
            if kind != "share":
                assert may_undo(user, once) == wanted, (kind, who, lends)
            else:  # an address that was closed is opened again: as if a revoked link were
                assert may_undo(user, once) == (who == "o" or (lends and who in "da")), (who, lends)


def test_who_lends_lends_nothing_to_strangers_and_never_the_choice_of_delegates(scene: Scene) -> None:
    Warband.objects.filter(pk=scene.warband.pk).update(lends_rights=True)
    for kind in ("delegate", "lend"):
        assert [who for who, user in scene.people().items() if may_undo(user, scene.event(kind))] == ["o"]


def test_an_act_on_two_warbands_wants_the_right_to_both(scene: Scene) -> None:
    event = scene.event("ransom")
    theirs = scene.made.warband(scene.ben)
    EventSubject.objects.create(event=event, label=theirs._meta.label, row_id=theirs.pk, warband=theirs)
    event = Event.objects.get(pk=event.pk)
    assert [who for who, user in scene.people().items() if may_undo(user, event)] == ["a"]


def test_a_sequence_that_touched_no_roster_is_its_sides(scene: Scene) -> None:
    sequence = PostBattle.objects.create(side=scene.side, warband=scene.warband)
    for kind in ("roll", "step", "choose"):
        event = Event.objects.create(kind=kind, sentence="x", occasion=scene.battle.occasion)
        for row in (scene.battle, scene.side, sequence):
            EventSubject.objects.create(event=event, label=row._meta.label, row_id=row.pk)
        event = Event.objects.get(pk=event.pk)
        assert [who for who, user in scene.people().items() if may_undo(user, event)] == ["o", "d", "a"]


@pytest.mark.parametrize(("kind", "label"), [("return", "seat"), ("archive", "campaign")])
def test_a_kind_that_stands_for_two_acts_is_told_apart(scene: Scene, kind: str, label: str) -> None:
    row = scene.made.seat(scene.ada) if label == "seat" else scene.made.campaign
    event = Event.objects.create(kind=kind, sentence="x")
    for subject in (scene.made.campaign, row):
        EventSubject.objects.get_or_create(event=event, label=subject._meta.label, row_id=subject.pk)
    event = Event.objects.get(pk=event.pk)
    assert [who for who, user in scene.people().items() if may_undo(user, event)] == ["a"]


# --- as it happens ------------------------------------------------------------------------------------------------------------


def undone_by(user: Any, event: Event) -> int:
    """The status by which the page answers somebody who undoes an event."""
    client = Client()
    client.force_login(user)
    address = reverse("event-undo", args=[event.pk])
    shown = client.get(address).status_code
    answer = client.post(address, {"token": new_token()})
    assert (shown == 200) == (answer.status_code in (302, 422)), (shown, answer.status_code)
    return int(answer.status_code)


def last(warband: Warband) -> Event:
    return s.last_event(warband)


def test_a_delegate_whom_the_owner_removed_is_brought_back_by_the_owner_alone(scene: Scene) -> None:
    made = Delegate.objects.live().get(warband=scene.warband, user=scene.eve)
    add_delegate(warband=scene.warband, username="dan", actor=scene.ada)
    remove_delegate(warband=scene.warband, delegate=made, actor=scene.ada)
    removed = last(scene.warband)
    for user in (scene.dan, scene.cleo):
        assert undone_by(user, removed) == 403
        with pytest.raises(PermissionDenied):
            undo(event=removed, actor=user)
    assert undone_by(scene.eve, removed) == 404
    assert not Delegate.objects.live().filter(warband=scene.warband, user=scene.eve).exists()
    assert undone_by(scene.ada, removed) == 302
    assert Delegate.objects.live().filter(warband=scene.warband, user=scene.eve).exists()
    assert undone_by(scene.dan, last(scene.warband)) == 403  # nor is that taken back by another


def test_a_revoked_link_is_revived_by_the_owner_or_where_the_owner_allows_it(scene: Scene) -> None:
    link = share_warband(warband=scene.warband, actor=scene.eve)
    for user in (scene.eve, scene.cleo):
        with pytest.raises(PermissionDenied):
            revoke_link(link=link, actor=user)
    revoke_link(link=link, actor=scene.ada)
    revoked = last(scene.warband)
    for user in (scene.eve, scene.cleo):
        assert undone_by(user, revoked) == 403
    lend_rights(warband=scene.warband, lends=True, actor=scene.ada)
    assert undone_by(scene.eve, revoked) == 302
    assert not ShareLink.objects.get(pk=link.pk).is_revoked


def test_a_link_that_the_owner_took_back_is_revived_by_nobody_else(scene: Scene) -> None:
    share_warband(warband=scene.warband, actor=scene.eve)
    assert undone_by(scene.ada, last(scene.warband)) == 302
    taken_back = last(scene.warband)
    for user in (scene.eve, scene.cleo):
        assert undone_by(user, taken_back) == 403
    assert not ShareLink.objects.live().filter(warband=scene.warband).exists()


def test_disbanding_is_the_owners_and_so_is_its_undo_and_the_undo_of_that(scene: Scene) -> None:
    for user in (scene.eve, scene.cleo):
        with pytest.raises(PermissionDenied):
            disband_warband(warband=scene.warband, actor=user)
        client = Client()
        client.force_login(user)
        address = reverse("warband-disband", args=[scene.warband.pk])
        assert b'value="disband"' not in client.get(address).content
        assert client.post(address, {"way": "disband", "token": new_token()}).status_code == 403
    disband_warband(warband=scene.warband, actor=scene.ada)
    disbanded = last(scene.warband)
    for user in (scene.eve, scene.cleo):
        assert undone_by(user, disbanded) == 403
        with pytest.raises(PermissionDenied):
            restore_warband(warband=scene.warband, actor=user)
    assert undone_by(scene.ada, disbanded) == 302
    for user in (scene.eve, scene.cleo):
        assert undone_by(user, last(scene.warband)) == 403
    assert s.fresh(scene.warband).status == Warband.Status.CAMP


def test_what_was_put_away_is_brought_back_by_a_delegate(scene: Scene) -> None:
    archive_warband(warband=scene.warband, actor=scene.eve)
    restore_warband(warband=scene.warband, actor=scene.eve)
    assert undone_by(scene.eve, last(scene.warband)) == 302


def test_a_delegate_takes_back_no_founding(scene: Scene) -> None:
    other = s.found(scene.ada, name="The Second")
    founded = last(other)
    add_delegate(warband=other, username="eve", actor=scene.ada)
    assert undone_by(scene.eve, founded) == 403
    assert not Warband.objects.get(pk=other.pk).is_undone


def test_only_the_owner_lends_and_it_stands_in_the_history(scene: Scene) -> None:
    address = reverse("warband-change", args=[scene.warband.pk])
    for user, status in ((scene.eve, 403), (scene.cleo, 403), (scene.ben, 403), (scene.dora, 404)):
        client = Client()
        client.force_login(user)
        assert client.post(address, {"lends": "1", "token": new_token()}).status_code == status
    client = Client()
    client.force_login(scene.ada)
    assert client.post(address, {"lends": "maybe", "token": new_token()}).status_code == 422
    assert client.post(address, {"lends": "1", "token": new_token()}).status_code == 302
    assert s.fresh(scene.warband).lends_rights
    assert "decided" in last(scene.warband).told
    assert undone_by(scene.cleo, last(scene.warband)) == 403
    assert undone_by(scene.ada, last(scene.warband)) == 302
    assert not s.fresh(scene.warband).lends_rights


def test_who_was_put_out_of_a_seat_does_not_undo_that(scene: Scene) -> None:
    leave_seat(seat=scene.made.seat(scene.ada), actor=scene.cleo)
    assert undone_by(scene.ada, last(scene.warband)) == 403


def test_who_left_a_seat_takes_that_back(scene: Scene) -> None:
    leave_seat(seat=scene.made.seat(scene.ada), actor=scene.ada)
    assert undone_by(scene.ada, last(scene.warband)) == 302


def test_a_claimed_seat_is_given_back_by_who_claimed_it_or_an_administrator_not_by_a_delegate(scene: Scene) -> None:
    theirs = s.small_warband(None, terms=scene.made.campaign.terms)
    seat = add_seat(campaign=scene.made.campaign, actor=scene.cleo, name="Dora", warband=theirs)
    claim_seat(claim_token=seat.claim_token, actor=scene.dora)
    claimed = last(theirs)
    add_delegate(warband=theirs, username="eve", actor=scene.dora)
    assert undone_by(scene.eve, claimed) == 403
    assert may_undo(scene.dora, claimed)
    assert may_undo(scene.cleo, claimed)


def test_who_administers_no_more_undoes_nothing_of_the_campaigns(scene: Scene) -> None:
    add_administrator(campaign=scene.made.campaign, user=scene.dan, actor=scene.cleo)
    event = scene.event("house-rules")
    assert may_undo(scene.dan, event)
    scene.made.campaign.administrators.filter(user=scene.dan).update(is_undone=True)
    assert not may_undo(scene.dan, event)


def test_the_history_offers_an_undo_to_those_who_may(scene: Scene) -> None:
    link = share_warband(warband=scene.warband, actor=scene.ada)
    revoke_link(link=link, actor=scene.ada)
    address = reverse("event-undo", args=[last(scene.warband).pk]).encode()
    for user, offered in ((scene.ada, True), (scene.eve, False), (scene.cleo, False)):
        client = Client()
        client.force_login(user)
        page = client.get(reverse("history-show", args=[scene.warband.pk])).content
        assert (address in page) == offered
        assert (b"Only the owner can do this" in page) != offered
