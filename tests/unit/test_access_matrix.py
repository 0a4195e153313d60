"""Who gets what at every address of ours. An address without a row here fails: nobody decided yet who may call it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from tests.drills import WHOLE
from tests.module_story import story
from tests.scene import PEOPLE, Scene, addresses, make_scene, methods, rolled_back, routes
from tests.tokens import token
from warbands.models import Event
from warbands.pdf_process import draw
from warbands.services.sharing import lend_rights

# In the order of PEOPLE: visitor, stranger, spectator, player, opponent, owner, administrator.
# "ok" is the page, its redirect onward, or the 422 of an empty form; "login" the way to the sign-in page.
ANYBODY = "ok ok ok ok ok ok ok"
NOBODY = "404 404 404 404 404 404 404"
NOT_ANYBODY = "login 404 404 404 404 404 404"
SIGNED_IN = "login ok ok ok ok ok ok"
READERS = "login 404 404 ok ok ok ok"  # rosters are open in this campaign: its players read each other's
EDITORS = "login 404 404 403 403 ok ok"  # the owner; the administrator by recorded acts
DRAFTERS = "login 404 404 404 404 ok ok"  # those who may edit the warband; to others there is no such draft
PRIVATE = "login 404 404 404 404 ok 404"  # a warband that sits in no campaign; a draft
MEMBERS = "login 404 404 ok ok ok ok"
OWNERS = "login 404 404 403 403 ok 403"  # its owner's alone, though the others may look
ADMINISTRATORS = "login 404 404 403 403 403 ok"
SIDES = "login 404 404 403 ok ok ok"  # who plays in the battle, and the administrator
IN_ITS_PLACE = "login 404 404 403 403 ok ok"  # one side's own affair

# Address key: who may GET, who may POST (where the view takes that at all).
ROWS: dict[str, tuple[str, str]] = {
    "desk-show": (ANYBODY, ""),
    "account-show": (SIGNED_IN, SIGNED_IN),
    "account-tokens": (SIGNED_IN, SIGNED_IN),
    "usersessions_list": (SIGNED_IN, SIGNED_IN),
    "account-export": (SIGNED_IN, ""),
    "account-delete": (SIGNED_IN, SIGNED_IN),
    "account-keep": (SIGNED_IN, SIGNED_IN),  # for guests; everybody else is led on
    "notification-list": (SIGNED_IN, SIGNED_IN),
    "device-add": ("", SIGNED_IN),
    "notification-stop code": (ANYBODY, ANYBODY),
    "demo-login": ("", NOBODY),  # an empty name is nobody's
    "notice-show": (ANYBODY, ""),
    "privacy-show": (ANYBODY, ""),
    "problem-report": (ANYBODY, ANYBODY),
    "site-desk": (NOT_ANYBODY, ""),  # the site owner's, who is none of these people
    "site-people": (NOT_ANYBODY, ""),
    "site-hidden": (NOT_ANYBODY, NOT_ANYBODY),
    "site-rules": (NOT_ANYBODY, NOT_ANYBODY),
    "site-rules-report pk": (NOT_ANYBODY, NOT_ANYBODY),
    "site-campaigns": (NOT_ANYBODY, NOT_ANYBODY),
    "site-campaign pk": (NOT_ANYBODY, NOT_ANYBODY),
    "problem-show pk": (NOT_ANYBODY, NOT_ANYBODY),
    "person-show pk": (NOT_ANYBODY, NOT_ANYBODY),
    "health-show": (ANYBODY, ""),
    "ready-show": (ANYBODY, ""),
    "worker-show": (ANYBODY, ""),
    "manifest-show": (ANYBODY, ""),
    "offline-show": (ANYBODY, ""),
    "component-list": (ANYBODY, ""),
    # warbands
    "warband-list": (SIGNED_IN, ""),
    "warband-found": (ANYBODY, ANYBODY),  # a stranger builds as a guest
    "warband-import": (SIGNED_IN, SIGNED_IN),
    "warband-bring": (SIGNED_IN, ""),
    "paper-begin": (SIGNED_IN, SIGNED_IN),
    "paper-text": (SIGNED_IN, SIGNED_IN),
    "paper-show pk": (PRIVATE, PRIVATE),
    "paper-warband pk": (PRIVATE, PRIVATE),
    "paper-settle pk": (PRIVATE, PRIVATE),
    "paper-fighter pk key": (PRIVATE, PRIVATE),
    "warband-show pk": (READERS, ""),
    "warband-ready pk": (PRIVATE, PRIVATE),
    "fighter-hire pk": (EDITORS, EDITORS),
    "fighter-names pk": ("", EDITORS),
    "stash-show pk": (READERS, EDITORS),
    "ledger-list pk": (READERS, ""),
    "history-show pk": (READERS, ""),
    "warband-change pk": (EDITORS, EDITORS),
    "house-overlays": (SIGNED_IN, SIGNED_IN),
    "house-overlay pk": (PRIVATE, PRIVATE),
    "warband-states pk": (EDITORS, EDITORS),
    "warband-disband pk": (EDITORS, EDITORS),
    "warband-hand-over pk": (EDITORS, EDITORS),
    "hand-over-take code": (ANYBODY, "login ok ok ok ok ok ok"),  # whoever has the link
    "camp-show pk": (EDITORS, ""),
    "find-use pk key": (EDITORS, EDITORS),
    "choice-list pk": (EDITORS, EDITORS),
    "team-list pk": (EDITORS, EDITORS),
    "promise-settle pk": (EDITORS, EDITORS),
    "roster-print pk": (EDITORS, EDITORS),
    "roster-download pk": (READERS, ""),
    "warband-text pk": (READERS, ""),
    "warband-book pk": (READERS, ""),
    "warband-export pk": (EDITORS, ""),
    "warband-original pk": (EDITORS, ""),
    "warband-again pk": (EDITORS, EDITORS),
    "warband-again-compare pk draft": (
        "login 404 404 403 403 ok 404",
        EDITORS,
    ),  # a press for one that is over leads to the warband
    "warband-share pk": (EDITORS, EDITORS),
    "fighter-show pk": (READERS, ""),
    "kit-buy pk": (EDITORS, EDITORS),
    "upgrade-buy pk": (EDITORS, EDITORS),
    "fighter-move pk": (EDITORS, EDITORS),
    "fighter-copy pk": (EDITORS, EDITORS),
    "fighter-rename pk": (EDITORS, EDITORS),
    "fighter-note pk": (EDITORS, EDITORS),
    "fighter-dismiss pk": (EDITORS, EDITORS),
    "item-give pk": (EDITORS, EDITORS),
    "item-swap pk": (EDITORS, EDITORS),
    "item-stash pk": (EDITORS, EDITORS),
    "item-sell pk": (EDITORS, EDITORS),
    "item-return pk": (EDITORS, EDITORS),
    "event-undo pk": (EDITORS, EDITORS),
    "draft-list pk": (EDITORS, EDITORS),
    "draft-compare pk": (EDITORS, ""),
    "draft-show pk": (DRAFTERS, DRAFTERS),
    "draft-change pk": ("", DRAFTERS),
    "warband-watch slug": (ANYBODY, ""),
    "warband-watch-version slug version": (ANYBODY, ""),
    "watch-download slug": (ANYBODY, ""),
    "watch-version-download slug version": (ANYBODY, ""),
    # the library: a profile that is shared in a campaign of its owner's
    "profile-list": (SIGNED_IN, ""),
    "profile-new game kind": (SIGNED_IN, SIGNED_IN),
    "profile-take game": ("", SIGNED_IN),
    "profile-default game ident": (SIGNED_IN, SIGNED_IN),
    "profile-export": (SIGNED_IN, ""),
    "profile-import": (SIGNED_IN, SIGNED_IN),
    "profile-write pk": (MEMBERS, EDITORS),
    "profile-copy pk": ("", MEMBERS),
    "profile-share pk": ("", OWNERS),
    "profile-away pk": ("", OWNERS),
    "rule-list": (ANYBODY, ""),
    "rule-list game edition": (ANYBODY, ""),
    "rule-states game edition": (ANYBODY, ""),
    "rule-show game edition kind slug": (ANYBODY, ""),
    # campaigns
    "campaign-list": (SIGNED_IN, ""),
    "campaign-open": (SIGNED_IN, SIGNED_IN),
    "campaign-join token": (ANYBODY, ANYBODY),
    "seat-claim token": (ANYBODY, SIGNED_IN),
    "campaign-watch slug": (ANYBODY, ""),
    "news-watch slug": (ANYBODY, ""),
    "battle-watch slug pk": (ANYBODY, ""),
    "table-watch slug pk": (ANYBODY, ""),
    "dice-watch slug pk": (ANYBODY, ""),
    "dice-watch-export slug pk": (ANYBODY, ""),
    "campaign-show pk": (MEMBERS, ""),
    "news-list pk": (MEMBERS, ""),
    "round-show pk number": (MEMBERS, ""),
    "battle-schedule pk": (MEMBERS, MEMBERS),
    "campaign-states pk": (MEMBERS, ADMINISTRATORS),
    "house-rule-list pk": (MEMBERS, "login 404 404 403 403 403 ok"),
    "campaign-administer pk": (ADMINISTRATORS, ADMINISTRATORS),
    "player-list pk": (ADMINISTRATORS, ADMINISTRATORS),
    "bulk-import pk": (ADMINISTRATORS, ADMINISTRATORS),
    "round-arrange pk": (ADMINISTRATORS, ADMINISTRATORS),
    "campaign-overview pk": (ADMINISTRATORS, ""),
    "overview-export pk": (ADMINISTRATORS, ""),
    "campaign-file-export pk": (ADMINISTRATORS, ""),
    "campaign-discord pk": (ADMINISTRATORS, ADMINISTRATORS),
    "reminder-list pk": (ADMINISTRATORS, ADMINISTRATORS),
    "round-pair pk": (ADMINISTRATORS, ADMINISTRATORS),
    "campaign-texts pk": (MEMBERS, ""),
    "region-list pk": (MEMBERS, ADMINISTRATORS),
    "region-watch slug": (ANYBODY, ""),
    "campaign-copy pk": (ADMINISTRATORS, ADMINISTRATORS),
    "publication-show pk which": (MEMBERS, ""),
    "publication-print pk which": (MEMBERS, ""),
    "publication-edit pk which": (ADMINISTRATORS, ADMINISTRATORS),
    "publication-watch slug which": (ANYBODY, ""),
    "publication-watch-print slug which": (ANYBODY, ""),
    "challenge-list pk": (MEMBERS, MEMBERS),
    "calendar-show": (SIGNED_IN, SIGNED_IN),
    "campaign-calendar pk": (MEMBERS, MEMBERS),
    "calendar-feed code": (ANYBODY, ""),  # a calendar program has no session
    "booklet-print pk": (ADMINISTRATORS, ADMINISTRATORS),
    "booklet-download pk": (ADMINISTRATORS, ""),
    "printer-link pk": (ADMINISTRATORS, ADMINISTRATORS),
    "printer-show code": (ANYBODY, ""),
    "printer-download code": (ANYBODY, ""),
    "seat-show pk": (IN_ITS_PLACE, IN_ITS_PLACE),
    "seat-found pk": (IN_ITS_PLACE, IN_ITS_PLACE),
    "seat-reset pk": (ADMINISTRATORS, ADMINISTRATORS),
    "seat-repair pk": (ADMINISTRATORS, ADMINISTRATORS),
    "friendly-start": (SIGNED_IN, SIGNED_IN),
    "friendly-accept code": (ANYBODY, SIGNED_IN),
    "friendly-invite pk": (PRIVATE, PRIVATE),  # whoever set it up
    "battle-show pk": (MEMBERS, SIDES),
    "force-select pk": (SIDES, SIDES),
    "battle-sheet pk": (SIDES, ""),
    "battle-print pk": (SIDES, SIDES),
    "sheet-bring pk": (SIDES, SIDES),
    "report-by-code code": ("login 403 403 403 403 ok ok", "login 403 403 403 403 ok ok"),  # of the owner's side
    "report-draft-refuse pk draft": ("", "login 404 404 403 403 ok ok"),
    "battle-track pk": (MEMBERS, SIDES),  # rosters are open to all players
    "attack-list pk digest": ("login 404 404 403 404 404 404", ""),  # who plays; under an old address nobody
    "watch-share pk": (SIDES, SIDES),
    "watch-show code": (ANYBODY, ""),
    "dice-check pk": (MEMBERS, ""),  # as the table
    "dice-export pk": (MEMBERS, ""),
    "battle-report pk": (SIDES, SIDES),
    "report-confirm pk": (SIDES, SIDES),
    "report-dispute pk": ("", SIDES),
    "report-answer token": (SIDES, ""),
    "flag-settle pk": (ADMINISTRATORS, ADMINISTRATORS),
    "battle-void pk": (ADMINISTRATORS, ADMINISTRATORS),
    "post-battle-show pk warband": (IN_ITS_PLACE, IN_ITS_PLACE),
    "post-battle-resolve pk warband step": (IN_ITS_PLACE, IN_ITS_PLACE),
    "capture-settle pk": (SIDES, SIDES),
    "odds-show": (READERS, ""),  # of a fighter of the owner's
    "crib-print": ("login 404 404 403 ok ok 404", ""),  # for those who play a side
}

# Where the form of a page has its own part of the address, that part.
FORM_OF = {"house-rule-list pk": "?edit=ways", "seat-found pk": "?list=new-antioch"}


pytestmark = pytest.mark.django_db


@story
def scene() -> Scene:
    """The evening, played once for all rows."""
    return make_scene()


@pytest.fixture(autouse=True)
def _plain_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gets a sheet is asked here, not what stands on it: a blank page is drawn in its place, once."""
    monkeypatch.setattr("warbands.printing.draw", lambda htmls: blank_page())


@cache
def blank_page() -> bytes:
    """An empty page as PDF."""
    return draw(('<html lang="en"><title>A page</title><p>A page</p></html>',))


def answered(response: Any) -> str:
    """An answer in the words of the rows. Who is only asked for the password once more may do it."""
    if response.status_code in (301, 302):
        where = response.headers["Location"]
        return "login" if where.startswith("/accounts/") and not where.startswith("/accounts/reauthenticate/") else "ok"
    return "ok" if response.status_code in (200, 422) else str(response.status_code)


def test_there_is_something_to_check() -> None:
    assert "warband-show pk" in routes()
    assert len(routes()) > 60


def test_every_address_has_a_row() -> None:
    assert set(routes()) <= set(ROWS), "Nobody decided who may call these. Give each a row here."


def test_every_row_and_every_example_has_an_address(scene: Scene) -> None:
    assert set(ROWS) == set(routes())
    assert set(addresses(scene)) == set(routes())


def asking(key: str, method: str, wanted: dict[str, str]) -> list[str]:
    """Who asks: everybody who is turned away, and of those who get the page who has the least to do with it, and another one, drawn.

    A page takes ten times as long as a refusal. `make drills` shows it to everybody.
    """
    let_in = [who for who in PEOPLE if wanted[who] == "ok"]
    shown = (
        let_in
        if WHOLE
        else [*let_in[:1], *random.Random(f"{method} {key}").sample(let_in[1:], min(1, len(let_in[1:])))]
    )
    return [who for who in PEOPLE if who in shown or who not in let_in]


def test_every_one_of_the_people_is_shown_pages_and_turned_away() -> None:
    shown, away = set(), set()
    for key, of_key in ROWS.items():
        for method, expected in zip(("GET", "POST"), of_key, strict=True):
            wanted = dict(zip(PEOPLE, expected.split(), strict=True)) if expected else {}
            for who in asking(key, method, wanted) if wanted else ():
                (shown if wanted[who] == "ok" else away).add((who, method))
    everybody = {(who, method) for who in PEOPLE for method in ("GET", "POST")}
    assert shown == away == everybody


@pytest.mark.parametrize("key", sorted(ROWS))
def test_who_gets_what(key: str, scene: Scene) -> None:
    address = addresses(scene)[key]
    taken = methods(address, scene.client("owner"))
    for method, expected in zip(("GET", "POST"), ROWS[key], strict=True):
        assert bool(expected) == (method in taken), f"{key} takes {', '.join(sorted(taken))}."
        if not expected:
            continue
        found = {}
        wanted = dict(zip(PEOPLE, expected.split(), strict=True))
        for who in asking(key, method, wanted):
            with rolled_back():
                client = scene.client(who)
                there = address + (FORM_OF.get(key, "") if method == "POST" else "")
                found[who] = answered(client.get(there) if method == "GET" else client.post(there))
        assert found == {who: wanted[who] for who in found}, f"{method} {address}"


def test_only_administrators_open_the_forms_of_house_rules(scene: Scene) -> None:
    address = addresses(scene)["house-rule-list pk"]
    found = [answered(scene.client(who).get(f"{address}?edit=rules")) for who in PEOPLE]
    assert " ".join(found) == ADMINISTRATORS


def test_a_link_that_was_never_given_shows_nothing(scene: Scene) -> None:
    for key in (
        "warband-watch slug",
        "watch-download slug",
        "campaign-watch slug",
        "news-watch slug",
        "battle-watch slug pk",
        "table-watch slug pk",
        "watch-show code",
        "printer-show code",
        "printer-download code",
        "hand-over-take code",
        "notification-stop code",
        "report-by-code code",
        "dice-watch slug pk",
        "dice-watch-export slug pk",
        "campaign-join token",
        "seat-claim token",
    ):
        address = addresses(scene)[key]
        secret = address.strip("/").split("/")[1]
        for who in ("visitor", "owner"):
            assert scene.client(who).get(address.replace(secret, "x" * len(secret))).status_code == 404, key


def test_a_battle_is_shown_under_its_own_campaigns_link_alone(scene: Scene) -> None:
    address = addresses(scene)["battle-watch slug pk"]
    spectator = scene.client("spectator")
    assert spectator.get(f"{address.rsplit('/', 2)[0]}/999999/").status_code == 404
    assert f'href="{address}"' in spectator.get(addresses(scene)["campaign-watch slug"]).content.decode()
    scene.campaign.__class__.objects.filter(pk=scene.campaign.pk).update(seen_by="players")
    assert spectator.get(address).status_code == 404


def test_players_take_away_a_roster_only_where_they_may_read_it(scene: Scene) -> None:
    places = [addresses(scene)[key] for key in ("roster-download pk", "warband-text pk")]
    scene.campaign.__class__.objects.filter(pk=scene.campaign.pk).update(rosters="muster")
    for place in places:
        found = [answered(scene.client(who).get(place)) for who in ("player", "owner", "administrator")]
        assert found == ["404", "ok", "ok"], place


def test_an_administrator_disbands_where_the_owner_allows_it_by_a_recorded_act(scene: Scene) -> None:
    address = addresses(scene)["warband-disband pk"]
    refused = scene.client("administrator").post(address, {"way": "disband", "token": "end-0"})
    assert refused.status_code == 403
    lend_rights(warband=scene.wardens, lends=True, actor=scene.users["owner"])
    administrator = scene.client("administrator")
    page = administrator.get(address)
    form = {"way": "disband", "token": "end-1", "seen": page.context["form"].initial["seen"]}
    assert administrator.post(address, form).status_code == 302
    warband = type(scene.wardens).objects.get(pk=scene.wardens.pk)
    assert warband.status == "disbanded"
    told = Event.objects.get(token=token("end-1"))
    assert told.actor == scene.users["administrator"]
    assert told.for_name == str(scene.users["owner"])
    assert told.told in scene.client("owner").get(addresses(scene)["history-show pk"]).content.decode()


def test_a_link_gives_its_page_and_nothing_besides(scene: Scene) -> None:
    spectator = scene.client("spectator")
    for address in scene.public_addresses:
        page = spectator.get(address).content.decode()
        for ours in ("/warbands/", "/fighters/", "/campaigns/", "/battles/"):
            within = page.partition("<main")[2].partition("</main>")[0]
            assert f'href="{ours}' not in within, f"{address} leads a spectator to {ours}"
