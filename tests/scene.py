"""One evening at a club in which every address of the site has something to show, and the people who come knocking.

Cleo runs a campaign that spectators may see by its link. Ada and Orsola play a battle of it: Orsola reported, Ada is inside her sequence,
her leader is Orsola's captive. Their next battle is set. Ben has a seat and plays in neither. Dora is signed in and knows nobody; Eve has
both public links. Ada also founds a second warband, of her own, where everything may still be returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from campaigns.booklet import BookletOptions
from campaigns.models import (
    Battle,
    Booklet,
    Campaign,
    Capture,
    Publication,
    Region,
    RegionHold,
    RegionLink,
    Report,
    Round,
    Seat,
)
from campaigns.report_link import answer_token
from campaigns.services.battle_setup import choose_scenario
from campaigns.services.calendar import hand_out_feed
from campaigns.services.friendly import start_friendly
from campaigns.services.join import add_seat
from campaigns.services.muster import make_side_ready
from campaigns.services.printer_link import hand_out_printer_link
from campaigns.services.report_drafts import hand_out_report_code, send_report_draft
from campaigns.services.rounds import open_round
from campaigns.services.watching import hand_out_watch_link
from notifications.services import stop_link
from rules.consequences import Owes, SetWarband
from rules.transcription import PaperData, PaperFighter
from tests import campaign_stories as c
from tests import library_stories as library
from tests import stories as s
from tests.conftest import person
from tests.kept_rows import told_once
from tests.module_story import rolled_back as rolled_back
from warbands.adapters import force_of
from warbands.drafting import trying
from warbands.models import (
    Event,
    Fighter,
    ImportedFile,
    Item,
    PaperDraft,
    Profile,
    Promise,
    RosterDraft,
    ShareLink,
    Snapshot,
    Warband,
)
from warbands.pdf_join import join_pdfs
from warbands.printing import render_pdf
from warbands.recording import recording
from warbands.services.consequences import carry_out
from warbands.services.drafts import keep_acts
from warbands.services.drafts import start_draft as start_draft_of
from warbands.services.hand_over import offer_warband
from warbands.services.house_overlays import hand_in_overlay
from warbands.services.roster import rename_fighter
from warbands.services.sharing import share_warband, take_snapshot
from warbands.services.transcription import start_draft

OURS = ("accounts.", "campaigns.", "config.", "notifications.", "warbands.")
PEOPLE = ("visitor", "stranger", "spectator", "player", "opponent", "owner", "administrator")
LEADER = "Ilse Brandt"
HOUSE_OVERLAY = b"""[overlay]
id = "bulls-at-90"
title = "Bulls at 90"
date = "2026-11"
status = "house"
source = "Ada"
summary = "A cheaper Brazen Bull."
base = "trench-crusade/1.0"
[[changes]]
table = "profile_offers"
entry = "iron-sultanate-brazen-bull"
field = "price"
from = { ducats = 100 }
to = { ducats = 90 }
reason = "Too dear."
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """The rows of the evening. `users` by what they are to Ada's warband; a visitor is None."""

    users: dict[str, Any]
    club: c.Club
    reported: Battle
    coming: Battle
    wardens: Warband
    founding: Warband
    fighter: Fighter
    item: Item
    event: Event
    recruit: Fighter
    piece: Item
    seat: Seat
    claim: str
    capture: Capture
    link: ShareLink
    snapshot: Snapshot
    promise: Promise
    find: str  # the key of something found that may be used now
    small_link: ShareLink  # to the small warband, and its one kept version: quick to print
    small_snapshot: Snapshot
    paper: PaperDraft  # a roster that Ada is copying off paper
    again: PaperDraft  # a newer file of the Wardens that Ada compares
    draft: RosterDraft  # changes to the wardens that Ada tries; there is a second, empty one
    printer_code: str  # of the link to print the club's booklet
    watch_code: str  # of the link to watch the reported battle
    report_code: str  # on Ada's sheet of the coming battle
    report_draft: int  # one that Ada brought for it
    friendly: Battle  # one that Ada set up and nobody has taken
    calendar_code: str  # of Ada's calendar feed
    offer_code: str  # of the link by which whoever opens it first takes over the warband that Ada founds
    house_overlay: int  # a file of changes that Ada handed in
    profile: Profile  # one that Ada wrote and shares in another campaign of Cleo's
    sessions: dict[str, dict[str, str]] = field(default_factory=dict)  # the cookies of each of the people
    known: dict[str, str] = field(default_factory=dict)  # the addresses as they were when the scene was set

    @property
    def campaign(self) -> Campaign:
        """Cleo's campaign."""
        return self.club.campaign

    @property
    def public_addresses(self) -> tuple[str, str]:
        """What a spectator was given: the campaign's and the warband's public link."""
        return (
            reverse("campaign-watch", args=[self.campaign.slug]),
            reverse("battle-watch", args=[self.campaign.slug, self.reported.pk]),
            reverse("warband-watch", args=[self.link.slug]),
        )

    def client(self, who: str) -> Client:
        """A signed-in client of one of the people; what a view raises comes through. A spectator has opened both links before."""
        client = Client()
        client.cookies.load(self.sessions[who])
        return client

    def sign_in(self) -> None:
        """Sign everybody in once, as part of the scene: each `client` goes on from there."""
        for who, user in self.users.items():
            client = Client()
            if user is not None:
                client.force_login(user)
            if who == "spectator":
                for address in self.public_addresses:
                    assert client.get(address).status_code == 200
            self.sessions[who] = {name: cookie.value for name, cookie in client.cookies.items()}


def make_scene() -> Scene:
    """The evening up to where every page has something to show; the tests of one run play it once."""
    scene: Scene = told_once("scene", _played)
    scene.known.update(addresses(scene))
    return scene


def _played() -> Scene:
    ada, ben, cleo, dora, eve, orsola = (person(name) for name in ("ada", "ben", "cleo", "dora", "eve", "orsola"))
    club = c.club(cleo, ada, orsola, ben, seen_by=Campaign.SeenBy.LINK)
    evening = open_round(campaign=club.campaign, actor=cleo)
    reported = c.mustered(club, ada, orsola, round=evening)
    wounded = Fighter.objects.live().filter(warband=club.warband(ada)).exclude(name=LEADER).latest("pk")
    _captured(reported, s.fighter(club.warband(ada), LEADER), wounded.name, by=orsola)
    users = {"stranger": dora, "spectator": eve, "player": ben, "opponent": orsola, "owner": ada, "administrator": cleo}
    return _scene(club, users, reported, s.small_warband(ada, name="The Sodden Bell"))


def scene_of_the_demo(campaign: Campaign) -> Scene:
    """The demonstration club as a scene: what it does not show by itself is played on there, by its people."""
    people = {user.username: user for user in get_user_model().objects.all()}
    orsola, wulf = people["orsola"], people["wulf"]
    seats = {str(seat.user): seat for seat in campaign.seats.live().select_related("user")}
    club = c.Club(campaign, people["cleo"], seats)
    theirs = campaign.battles.live().get(status=Battle.Status.SCHEDULED)
    choose_scenario(battle=theirs, actor=wulf, scenario_id=c.SCENARIO)
    for user in (orsola, wulf):
        make_side_ready(side=c.side(theirs, user), actor=user)
    leader = (
        Fighter.objects.live().filter(warband=club.warband(wulf), status=Fighter.Status.ACTIVE).earliest("position")
    )
    _captured(c.fresh_battle(theirs), leader, by=orsola)
    reported = next(row for row in campaign.battles.live().filter(status=Battle.Status.REPORTED) if row.pk != theirs.pk)
    users = {
        "stranger": people["dora"],
        "player": wulf,
        "opponent": people["ben"],
        "owner": people["ada"],
        "administrator": people["cleo"],
    }
    founding = Warband.objects.live().get(owner=people["ada"], status=Warband.Status.FOUNDING)
    return _scene(club, users, c.fresh_battle(reported), founding)


def _captured(battle: Battle, fighter: Fighter, *wounded: str, by: Any) -> None:
    """The other side reports the battle, and the dice say that it holds this fighter since; what became of the wounded is open."""
    owner = s.fresh(fighter.warband).owner
    c.fight(battle, by=by, winner=by, out={owner: [fighter.name, *wounded]})
    sequence, task = c.begin(battle, owner), f"trauma-{fighter.pk}"
    c.type_in(sequence, task, 1, 2)
    c.write(sequence, task)


def _scene(club: c.Club, users: dict[str, Any], reported: Battle, founding: Warband) -> Scene:
    """The rows of a scene: one battle is reported, the next one is set here; camp is brought something."""
    places = [Region.objects.create(campaign=club.campaign, name=name) for name in ("The Weir", "Hill 223")]
    RegionLink.objects.create(region=places[0], other=places[1])
    RegionHold.objects.create(region=places[0], seat=club.seat(users["owner"]), round=reported.round)
    Publication.objects.create(
        campaign=club.campaign,
        round=Round.objects.get(campaign=club.campaign, number=1),
        title="Gazette",
        opening="A cold night.",
        published_at=timezone.now(),
    )
    ada, cleo = users["owner"], users["administrator"]
    coming = c.battle(club, ada, users["opponent"], round=reported.round)
    seat = add_seat(campaign=club.campaign, name="Anselm", actor=cleo)
    _booklet(club.campaign, cleo)
    wardens = club.warband(ada)
    _camp_fortune(wardens)
    active = Fighter.objects.live().filter(status=Fighter.Status.ACTIVE)
    fighter = active.filter(warband=wardens, items__isnull=False).order_by("position", "pk").first()
    assert fighter is not None
    recruit = active.filter(warband=founding).order_by("pk")[1]
    (piece,) = s.equip(recruit, "Combat Helmet")
    wardens = club.warband(ada)
    ImportedFile.objects.create(warband=wardens, sender=ada, name="wardens.txt", format="text", data=b"New Antioch")
    scene = Scene(
        users={"visitor": None, **users},
        club=club,
        reported=c.fresh_battle(reported),
        coming=c.fresh_battle(coming),
        wardens=wardens,
        founding=s.fresh(founding),
        fighter=fighter,
        item=Item.objects.live().filter(fighter=fighter, status=Item.Status.HELD).latest("pk"),
        event=Event.objects.filter(subjects__warband=wardens, kind="write").latest("pk"),
        recruit=recruit,
        piece=piece,
        seat=club.seat(ada),
        claim=Seat.objects.get(pk=seat.pk).claim_token,
        capture=Capture.objects.live().filter(status=Capture.Status.HELD).latest("pk"),
        link=share_warband(warband=wardens, name="For Eve", actor=ada),
        snapshot=Snapshot.objects.filter(warband=wardens).latest("pk"),
        promise=Promise.objects.live().filter(warband=wardens, status=Promise.Status.OPEN).latest("pk"),
        find=wardens.terms.game.post_battle.camp_tasks(wardens.terms.content, force_of(wardens))[0].key,
        small_link=share_warband(warband=founding, name="For the printer", actor=ada),
        small_snapshot=take_snapshot(s.fresh(founding), "Shown"),
        again=_again(wardens),
        paper=start_draft(
            owner=ada, system_id="trench-crusade", edition="1.6.3", text="New Antioch\nOttla - Yeoman: Bayonet"
        ),
        draft=_drafts(wardens, fighter),
        watch_code=hand_out_watch_link(battle=reported),
        printer_code=hand_out_printer_link(campaign=club.campaign),
        report_code=hand_out_report_code(side=c.side(coming, ada)),
        house_overlay=hand_in_overlay(name="cheaper.toml", data=HOUSE_OVERLAY, actor=ada)[0].pk,
        report_draft=send_report_draft(
            side=c.side(coming, ada), actor=ada, data={"outcome": "drawn"}, unread=["Points: “2½” is no whole number."]
        ).pk,
        friendly=start_friendly(warband=s.fresh(founding), actor=ada),
        calendar_code=hand_out_feed(user=ada),
        offer_code=offer_warband(warband=s.fresh(founding), actor=ada).code,
        profile=_library(users),
    )
    scene.sign_in()
    return scene


def _drafts(warband: Warband, fighter: Fighter) -> RosterDraft:
    """Two drafts of a warband by its owner, the first with a change."""
    first, _second = (start_draft_of(warband=warband, actor=warband.owner) for _number in range(2))
    with trying(first, warband.owner) as run:
        rename_fighter(fighter=fighter, name=f"{fighter.name} the Tried", actor=warband.owner)
    keep_acts(run)
    return RosterDraft.objects.get(pk=first.pk)


def _library(users: dict[str, Any]) -> Profile:
    """A campaign of a game whose profiles players write, with one of Ada's shared in it."""
    ada = users["owner"]
    campaign = library.circle(users["administrator"], users["player"], users["opponent"], ada)
    return library.shared(library.wrote(ada), campaign, ada)


def _booklet(campaign: Campaign, asked_by: Any) -> None:
    """A finished booklet: one short page in place of a club's sheets, which take a while to draw."""
    page = render_pdf('<html lang="en"><title>The club</title><p>The club</p></html>')
    pdf, pages = join_pdfs([("The club", page)], title="The club")
    done = {"status": Booklet.Status.DONE, "done": 1, "count": 1, "pages": pages, "pdf": pdf}
    Booklet.objects.create(campaign=campaign, asked_by=asked_by, options=BookletOptions().plain(), **done)


def _again(warband: Warband) -> PaperDraft:
    """A newer text of a warband, in which one of its fighters is left and one is new."""
    terms, first = warband.terms, warband.fighters.filter(status="active").order_by("position")[0]
    fighters = [PaperFighter("t1", first.name, first.profile_id), PaperFighter("t2", "Newcomer", first.profile_id)]
    return PaperDraft.objects.create(
        owner=warband.owner, system=terms.system, edition=terms.edition, again=warband, text="New Antioch",
        data=msgspec.to_builtins(PaperData(list_id=warband.list_id, name=warband.name, fighters=fighters)),
    )  # fmt: skip


def _camp_fortune(warband: Warband) -> None:
    """Somebody at camp brings a bottle, and word of a treasure that waits for its hour."""
    treasure = {"location": "treasure-of-the-holies", "option": "", "lists": [], "glory": 99}
    fortune = [
        SetWarband(("lasting", "l1"), {"id": "moonshine", "choices": {}}),
        Owes("find", "One Glory Item open to the warband.", "", treasure),
    ]
    with recording(warband, kind="write", actor=warband.owner) as act:
        carry_out(act, warband, fortune)
        act.say("{who} wrote down what the camp was brought.")


# --- every address of ours -----------------------------------------------------------------------------------------------------


def patterns(within: URLResolver | None = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address pattern of the site that one of our views answers, with its whole route."""
    for entry in (within or get_resolver()).url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, route)
        elif entry.callback.__module__.startswith(OURS):
            yield route, entry


def routes() -> dict[str, URLPattern]:
    """Our address patterns by a key that a person can write: the name, and what stands in the address, as in "round-show pk number"."""
    return {" ".join([str(entry.name), *_parts(route)]): entry for route, entry in patterns()}


def _parts(route: str) -> list[str]:
    return [part.partition(">")[0].rpartition(":")[2] for part in route.split("<")[1:]]


def methods(address: str, client: Client) -> frozenset[str]:
    """The methods that a view answers to somebody signed in: it names them when it is asked with another one."""
    answer = client.delete(address)
    assert answer.status_code == 405, (
        f"{address} answers DELETE with {answer.status_code}: it wants a decorator that says what it takes."
    )
    return frozenset(method.strip() for method in answer.headers["Allow"].split(","))


def addresses(scene: Scene) -> dict[str, str]:
    """One address for each of our patterns, each with something to show for Ada. A pattern that is missing here fails the tests."""
    return dict(scene.known) or _found_addresses(scene)


def _found_addresses(scene: Scene) -> dict[str, str]:
    at = reverse
    wardens, founding, campaign = scene.wardens.pk, scene.founding.pk, scene.campaign.pk
    reported, coming = scene.reported.pk, scene.coming.pk
    invitation = c.link(scene.campaign)
    slug, version = scene.link.slug, scene.snapshot.version
    edition = ["trench-crusade", "1.6.3"]
    found = {name: at(name) for name in PLAIN}
    found |= {f"{name} pk": at(name, args=[wardens]) for name in OF_A_WARBAND}
    found |= {f"{name} pk": at(name, args=[scene.fighter.pk]) for name in OF_A_FIGHTER}
    found |= {f"{name} pk": at(name, args=[scene.item.pk]) for name in OF_AN_ITEM}
    found |= {f"{name} pk": at(name, args=[campaign]) for name in OF_A_CAMPAIGN}
    found |= {f"{name} pk": at(name, args=[scene.paper.pk]) for name in OF_A_PAPER}
    found |= {f"{name} pk": at(name, args=[scene.profile.pk]) for name in OF_A_PROFILE}
    found |= {
        f"{name} pk": at(name, args=[reported])
        for name in (
            "battle-show",
            "battle-report",
            "battle-sheet",
            "battle-print",
            "sheet-bring",
            "dice-check",
            "dice-export",
            "report-confirm",
            "report-dispute",
            "flag-settle",
            "battle-void",
        )
    }
    return found | {
        "warband-ready pk": at("warband-ready", args=[founding]),
        "paper-fighter pk key": at("paper-fighter", args=[scene.paper.pk, "k1"]),
        "warband-again-compare pk draft": at("warband-again-compare", args=[scene.wardens.pk, scene.again.pk]),
        "draft-show pk": at("draft-show", args=[scene.draft.pk]),
        "draft-change pk": at("draft-change", args=[scene.draft.pk]),
        "event-undo pk": at("event-undo", args=[scene.event.pk]),
        "warband-watch slug": at("warband-watch", args=[slug]),
        "warband-watch-version slug version": at("warband-watch-version", args=[slug, version]),
        "watch-download slug": at("watch-download", args=[scene.small_link.slug]),
        "watch-version-download slug version": at(
            "watch-version-download", args=[scene.small_link.slug, scene.small_snapshot.version]
        ),
        "rule-list game edition": at("rule-list", args=edition),
        "rule-states game edition": at("rule-states", args=edition),
        "rule-show game edition kind slug": at("rule-show", args=[*edition, "item", "bayonet"]),
        "profile-new game kind": at("profile-new", args=[library.GAME, "unit"]),
        "profile-take game": at("profile-take", args=[library.GAME]),
        "profile-default game ident": at("profile-default", args=[library.GAME, "sample-rifles"]),
        "profile-export": f"{at('profile-export')}?game={library.GAME}",
        "find-use pk key": at("find-use", args=[wardens, scene.find]),
        "promise-settle pk": at("promise-settle", args=[scene.promise.pk]),
        "region-watch slug": at("region-watch", args=[scene.campaign.slug]),
        "publication-show pk which": at("publication-show", args=[campaign, "round-1"]),
        "publication-print pk which": at("publication-print", args=[campaign, "round-1"]),
        "publication-edit pk which": at("publication-edit", args=[campaign, "round-1"]),
        "publication-watch slug which": at("publication-watch", args=[scene.campaign.slug, "round-1"]),
        "publication-watch-print slug which": at("publication-watch-print", args=[scene.campaign.slug, "round-1"]),
        "round-show pk number": at("round-show", args=[campaign, 1]),
        "campaign-watch slug": at("campaign-watch", args=[scene.campaign.slug]),
        "news-watch slug": at("news-watch", args=[scene.campaign.slug]),
        "battle-watch slug pk": at("battle-watch", args=[scene.campaign.slug, reported]),
        "table-watch slug pk": at("table-watch", args=[scene.campaign.slug, reported]),
        "report-by-code code": at("report-by-code", args=[scene.report_code]),
        "report-draft-refuse pk draft": at("report-draft-refuse", args=[coming, scene.report_draft]),
        "watch-share pk": at("watch-share", args=[reported]),
        "watch-show code": at("watch-show", args=[scene.watch_code]),
        "notification-stop code": stop_link(scene.users["owner"].pk, "confirm"),
        "printer-show code": at("printer-show", args=[scene.printer_code]),
        "printer-download code": at("printer-download", args=[scene.printer_code]),
        "dice-watch slug pk": at("dice-watch", args=[scene.campaign.slug, reported]),
        "dice-watch-export slug pk": at("dice-watch-export", args=[scene.campaign.slug, reported]),
        "problem-show pk": at("problem-show", args=[1]),  # the site owner's alone, as are the others of theirs
        "person-show pk": at("person-show", args=[scene.users["owner"].pk]),
        "house-overlay pk": at("house-overlay", args=[scene.house_overlay]),
        "site-rules-report pk": at("site-rules-report", args=[1]),
        "site-campaign pk": at("site-campaign", args=[1]),
        "calendar-feed code": at("calendar-feed", args=[scene.calendar_code]),
        "hand-over-take code": at("hand-over-take", args=[scene.offer_code]),
        "campaign-join token": at("campaign-join", args=[invitation]),
        "friendly-accept code": at("friendly-accept", args=[scene.friendly.sides.get(place=2).seat.claim_token]),
        "friendly-invite pk": at("friendly-invite", args=[scene.friendly.pk]),
        "seat-claim token": at("seat-claim", args=[scene.claim]),
        "seat-repair pk": at("seat-repair", args=[scene.seat.pk]),
        "seat-reset pk": at("seat-reset", args=[scene.seat.pk]),
        "seat-show pk": at("seat-show", args=[scene.seat.pk]),
        "seat-found pk": at("seat-found", args=[scene.seat.pk]),
        "report-answer token": at("report-answer", args=[answer_token(Report.objects.get(battle=scene.reported))]),
        "force-select pk": at("force-select", args=[coming]),
        "battle-track pk": at("battle-track", args=[coming]),
        "attack-list pk digest": at("attack-list", args=[coming, "0" * 24]),
        "post-battle-show pk warband": at("post-battle-show", args=[reported, wardens]),
        "post-battle-resolve pk warband step": at("post-battle-resolve", args=[reported, wardens, "injuries"]),
        "capture-settle pk": at("capture-settle", args=[scene.capture.pk]),
        "odds-show": f"{at('odds-show')}?mine={scene.fighter.pk}&cover=1",
        "crib-print": f"{at('crib-print')}?battle={coming}",
    }


PLAIN = (
    "desk-show",
    "calendar-show",
    "notification-list",
    "device-add",
    "account-show",
    "account-tokens",
    "usersessions_list",
    "account-export",
    "account-delete",
    "account-keep",
    "demo-login",
    "notice-show",
    "problem-report",
    "site-desk",
    "site-people",
    "site-hidden",
    "site-rules",
    "house-overlays",
    "site-campaigns",
    "privacy-show",
    "health-show",
    "ready-show",
    "worker-show",
    "manifest-show",
    "offline-show",
    "component-list",
    "worker-show",
    "manifest-show",
    "offline-show",
    "warband-list",
    "warband-found",
    "warband-import",
    "warband-bring",
    "paper-begin",
    "paper-text",
    "rule-list",
    "profile-list",
    "profile-import",
    "campaign-list",
    "friendly-start",
    "campaign-open",
)
OF_A_PROFILE = ("profile-write", "profile-copy", "profile-share", "profile-away")
OF_A_PAPER = ("paper-show", "paper-warband", "paper-settle")
OF_A_WARBAND = (
    "warband-show",
    "fighter-hire",
    "fighter-names",
    "stash-show",
    "ledger-list",
    "history-show",
    "warband-change",
    "warband-states",
    "warband-disband",
    "warband-hand-over",
    "camp-show",
    "choice-list",
    "team-list",
    "roster-print",
    "roster-download",
    "warband-text",
    "warband-book",
    "warband-export",
    "warband-original",
    "warband-again",
    "warband-share",
    "draft-list",
    "draft-compare",
)
OF_A_FIGHTER = (
    "fighter-show",
    "kit-buy",
    "upgrade-buy",
    "fighter-move",
    "fighter-copy",
    "fighter-rename",
    "fighter-note",
    "fighter-dismiss",
)
OF_AN_ITEM = ("item-give", "item-swap", "item-stash", "item-sell", "item-return")
OF_A_CAMPAIGN = (
    "campaign-show",
    "campaign-administer",
    "player-list",
    "bulk-import",
    "house-rule-list",
    "campaign-states",
    "round-arrange",
    "round-pair",
    "news-list",
    "reminder-list",
    "campaign-copy",
    "region-list",
    "campaign-discord",
    "campaign-texts",
    "campaign-overview",
    "overview-export",
    "campaign-file-export",
    "challenge-list",
    "campaign-calendar",
    "booklet-print",
    "booklet-download",
    "printer-link",
    "battle-schedule",
)
