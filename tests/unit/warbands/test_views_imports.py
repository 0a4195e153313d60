"""The pages of bringing a warband along: kept page by page, taken up again, refused with what was typed still there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Seat
from campaigns.services.join import add_seat
from rules.registry import systems
from rules.transcription import PaperData, PaperFighter, PaperPiece, paper_data
from tests import campaign_stories as c
from tests import roster_files as made
from tests import stories as s
from tests.module_story import story
from tests.second_readers import read_ros, read_save
from warbands.models import PaperDraft, Profile, Warband
from warbands.services.documents import export_document
from warbands.services.transcription import start_draft

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TEXT = "The Lantern Wardens\nNew Antioch\nIlse Brandt - Lieutenant (75): Automatic Pistol, Bolt-Acton Rifle\nYoeman: Bayonet\nTeapot\nTotal: 700"


@pytest.fixture
def page(ada: Any, client: Client) -> Client:
    client.force_login(ada)
    return client


@story
def club(cleo: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ben."""
    return c.club(cleo, ben)


def begin(page: Client, **more: Any) -> PaperDraft:
    data = {"list_id": "new-antioch", "name": "The Lantern Wardens", "fought": "3", "ducats": "40", **more}
    answer = page.post(reverse("paper-begin"), data)
    assert answer.status_code == 302, answer.context["form"].errors
    return PaperDraft.objects.latest("pk")


def fighter(page: Client, draft: PaperDraft, key: str, act: str = "next", **fields: Any) -> Any:
    return page.post(reverse("paper-fighter", args=[draft.pk, key]), {"profile": "Yeoman", "act": act, **fields})


def kept(draft: PaperDraft) -> PaperData:
    return paper_data(PaperDraft.objects.get(pk=draft.pk).data)


def token_of(answer: Any) -> str:
    found = re.search(r'name="token" value="([^"]+)"', answer.content.decode())
    assert found
    return found[1]


def test_three_ways_lead_from_one_page(page: Client) -> None:
    answer = page.get(reverse("warband-bring"))
    text = answer.content.decode()
    for name in ("paper-begin", "paper-text", "warband-import"):
        assert f'href="{reverse(name)}"' in text
    assert reverse("warband-bring") in page.get(reverse("warband-list")).content.decode()


def test_each_page_is_kept_and_leads_to_the_next(page: Client) -> None:
    draft = begin(page)
    answer = fighter(
        page, draft, "k1", name="Ottla", kit_0="Bolt-Action Rifle, Bayonet", kit_1="Gas Mask", kit_1_found="on"
    )
    assert re.fullmatch(rf"/paper/{draft.pk}/fighters/[0-9a-f]+/", answer.url)
    (ottla,) = kept(draft).fighters
    assert ottla.kit == [PaperPiece("Bolt-Action Rifle"), PaperPiece("Bayonet"), PaperPiece("Gas Mask", found=True)]
    shown = page.get(answer.url).content.decode()
    assert "So far, 1<" in shown
    assert "<small>Models</small> <b>1</b>" in shown


def test_sent_twice_a_fighter_is_there_once(page: Client) -> None:
    draft = begin(page)
    for _ in range(2):
        fighter(page, draft, "k1", name="Ottla")
    assert [f.name for f in kept(draft).fighters] == ["Ottla"]


def test_one_alike_begins_with_the_same_kit_and_no_name(page: Client) -> None:
    draft = begin(page)
    answer = fighter(page, draft, "k1", act="alike", name="Ottla", kit_0="Gas Mask", experience="4")
    form = page.get(answer.url).context["form"]
    assert form["profile"].value() == "Yeoman"
    assert form["kit_0"].value() == "Gas Mask"
    assert not form["name"].value()
    assert not form["experience"].value()
    assert len(kept(draft).fighters) == 1  # not there before it is kept


def test_a_name_nobody_knows_is_kept_told_once_and_stops_nothing(page: Client) -> None:
    draft = begin(page)
    here = reverse("paper-fighter", args=[draft.pk, "k1"])
    answer = fighter(page, draft, "k1", kit_0="Bayonnet")
    assert answer.url == here
    shown = page.get(here)
    assert "No item is called “Bayonnet”. Is it Bayonet" in shown.content.decode()
    assert shown.context["form"]["kit_0"].value() == "Bayonnet"
    answer = fighter(page, draft, "k1", kit_0="Bayonnet", told=shown.context["told"])
    assert answer.url != here


def test_what_cannot_be_kept_is_422_with_everything_typed(page: Client) -> None:
    draft = begin(page)
    answer = fighter(page, draft, "k1", name="Ottla", profile="", kit_0="Gas Mask", kit_7="Bayonet", experience="many")
    assert answer.status_code == 422
    form = answer.context["form"]
    assert {"profile", "experience"} <= set(form.errors)
    assert (form["name"].value(), form["kit_0"].value(), form["kit_7"].value()) == ("Ottla", "Gas Mask", "Bayonet")
    assert kept(draft).fighters == []
    answer = page.post(reverse("paper-begin"), {"list_id": "nowhere", "name": ""})
    assert answer.status_code == 422
    assert {"list_id", "name"} <= set(answer.context["form"].errors)


def test_a_refused_text_is_422(page: Client) -> None:
    draft = begin(page)
    answer = fighter(page, draft, "k1", name="Ott\x07la")
    assert answer.status_code == 422


def test_a_lost_tab_is_taken_up_where_it_was_left(page: Client) -> None:
    draft = begin(page)
    fighter(page, draft, "k1", name="Ottla")
    text = page.get(reverse("warband-bring")).content.decode()
    assert "The Lantern Wardens" in text
    assert f'href="{reverse("paper-show", args=[draft.pk])}"' in text
    overview = page.get(reverse("paper-show", args=[draft.pk]))
    assert "Ottla" in overview.content.decode()


def test_the_overview_brings_it_in_and_undo_brings_the_draft_back(page: Client) -> None:
    draft = begin(page)
    fighter(page, draft, "k1", name="Ottla", kit_0="Standard Armour, Reinforced Armour")
    here = reverse("paper-show", args=[draft.pk])
    overview = page.get(here)
    assert "Two suits of armour" in overview.content.decode()
    answer = page.post(here, {"act": "bring", "token": token_of(overview)})
    warband = Warband.objects.get()
    assert answer.url == reverse("warband-show", args=[warband.pk])
    assert "from paper" in page.get(answer.url).content.decode()
    assert draft.name not in page.get(reverse("warband-bring")).content.decode()
    assert page.post(here, {"act": "bring", "token": "another"}).status_code == 422
    page.post(reverse("event-undo", args=[s.last_event(warband).pk]), {"token": "undo-token"})
    assert not Warband.objects.live().exists()
    assert draft.name in page.get(reverse("warband-bring")).content.decode()


def test_unknown_names_ask_for_a_tick(page: Client) -> None:
    draft = begin(page)
    fighter(page, draft, "k1", name="Ottla", kit_0="Wobble")
    here = reverse("paper-show", args=[draft.pk])
    assert "leave_out" in page.get(here).content.decode()
    assert page.post(here, {"act": "bring", "token": "t1"}).status_code == 422
    assert page.post(here, {"act": "bring", "token": "t2", "leave_out": "on"}).status_code == 302


def test_a_draft_can_be_thrown_away_and_a_fighter_taken_out(page: Client) -> None:
    draft = begin(page)
    fighter(page, draft, "k1", name="Ottla")
    fighter(page, draft, "k1", act="remove")
    assert kept(draft).fighters == []
    page.post(reverse("paper-show", args=[draft.pk]), {"act": "discard"})
    assert not PaperDraft.objects.exists()
    assert page.get(reverse("paper-show", args=[draft.pk])).status_code == 404


def test_the_warband_page_keeps_finds_and_stash(page: Client) -> None:
    draft = begin(
        page,
        stash_0="Gas Mask",
        location_0="Trench Merchant: Trade",
        lasting_0="Pot of Manna",
        exploration_0="Reroll",
        misses="2",
    )
    data = kept(draft)
    assert (data.locations, data.lasting, data.exploration, data.misses) == (
        ["Trench Merchant: Trade"],
        ["Pot of Manna"],
        ["Reroll"],
        2,
    )
    here = reverse("paper-warband", args=[draft.pk])
    form = page.get(here).context["form"]
    assert form["location_0"].value() == "Trench Merchant: Trade"
    assert "points" not in form.fields  # they belong to a seat
    answer = page.post(here, {"list_id": "eire-rangers", "name": "Rangers", "act": "rows", "stash_0": "Gas Mask"})
    assert answer.url == f"{here}?rows=more#more"
    assert kept(draft).list_id == "eire-rangers"


def test_every_name_of_the_list_is_offered_while_one_types(page: Client) -> None:
    draft = begin(page)
    text = page.get(reverse("paper-fighter", args=[draft.pk, "k1"])).content.decode()
    assert '<option value="Yeoman"' in text
    assert '<option value="Bolt-Action Rifle"' in text
    assert '<option value="Leg Wound"' in text
    assert "supreme blessing" in text.lower()  # the short name of one that has two
    assert len(text) < 60_000


def test_pages_ask_as_many_queries_for_many_fighters(page: Client, ada: Any) -> None:
    asked: dict[str, set[int]] = {"paper-show": set(), "paper-fighter": set()}
    for count in (1, 12):
        fighters = [PaperFighter(f"k{n}", f"N{n}", "Yeoman") for n in range(count)]
        data = PaperData(list_id="new-antioch", name="Many", fighters=fighters)
        draft = start_draft(owner=ada, system_id="trench-crusade", edition="1.6.3", data=data)
        for name, args in (("paper-show", [draft.pk]), ("paper-fighter", [draft.pk, "k0"])):
            with CaptureQueriesContext(connection) as queries:
                page.get(reverse(name, args=args))
            asked[name].add(len(queries))
    for name, numbers in asked.items():
        assert len(numbers) == 1, name
        assert max(numbers) <= 8, name


# --- a pasted text -------------------------------------------------------------------------------------------------------------


def paste(page: Client, text: str = TEXT) -> PaperDraft:
    answer = page.post(reverse("paper-text"), {"text": text})
    assert answer.status_code == 302
    draft = PaperDraft.objects.latest("pk")
    assert answer.url == reverse("paper-settle", args=[draft.pk])
    return draft


def asks(answer: Any) -> dict[str, Any]:
    return {ask.said: ask for row in answer.context["page"].rows for ask in row.settle}


def test_every_line_stands_beside_what_it_was_read_as(page: Client) -> None:
    draft = paste(page)
    answer = page.get(reverse("paper-settle", args=[draft.pk]))
    text = answer.content.decode()
    for line in TEXT.split("\n"):
        assert line in text
    waiting = asks(answer)
    assert set(waiting) == {"Bolt-Acton Rifle", "Yoeman", "Teapot"}
    assert waiting["Bolt-Acton Rifle"].chosen == "item:bolt-action-rifle"
    assert waiting["Yoeman"].chosen == "profile:yeoman"
    assert waiting["Teapot"].chosen == ""  # nothing near enough to propose
    assert "the text says 75 ducats" in text


def test_what_is_open_is_422_and_answers_stay(page: Client) -> None:
    draft = paste(page)
    here = reverse("paper-settle", args=[draft.pk])
    waiting = asks(page.get(here))
    sent = {
        f"a_{waiting['Yoeman'].key}": "profile:yeoman",
        f"a_{waiting['Teapot'].key}": "other",
        f"o_{waiting['Teapot'].key}": "Kettle",
    }
    answer = page.post(here, {**sent, "act": "go"})
    assert answer.status_code == 422
    again = asks(answer)
    assert again["Yoeman"].chosen == "profile:yeoman"
    assert (again["Teapot"].other, again["Teapot"].wrong) == ("Kettle", "Not recognised: “Kettle”.")
    assert asks(page.get(here))["Teapot"].other == "Kettle"


def test_settled_a_text_becomes_fighters_that_can_be_looked_through(page: Client) -> None:
    draft = paste(page)
    here = reverse("paper-settle", args=[draft.pk])
    waiting = asks(page.get(here))
    answers = {"Bolt-Acton Rifle": "item:bolt-action-rifle", "Yoeman": "other", "Teapot": "-"}
    sent = {f"a_{waiting[said].key}": value for said, value in answers.items()} | {
        f"o_{waiting['Yoeman'].key}": "shocktrooper"
    }
    answer = page.post(here, {**sent, "act": "go"})
    assert answer.url == reverse("paper-show", args=[draft.pk])
    data = kept(draft)
    assert [(f.name, f.profile, [p.text for p in f.kit]) for f in data.fighters] == [
        ("Ilse Brandt", "Lieutenant", ["Automatic Pistol", "Bolt-Action Rifle"]),
        ("", "Shocktrooper", ["Bayonet"]),
    ]
    assert "From text" in page.get(answer.url).content.decode()
    answer = page.post(answer.url, {"act": "bring", "token": "t"})
    warband = Warband.objects.get()
    assert warband.fighters.count() == 2
    assert f"imported {warband.name} from a text: 2 fighters." in s.last_event(warband).told


def test_a_text_without_a_list_asks_for_it(page: Client) -> None:
    draft = paste(page, "Wardens\nSomebody\nNobody")
    here = reverse("paper-settle", args=[draft.pk])
    answer = page.get(here)
    assert answer.context["page"].asks_list
    leave = {f"a_{ask.key}": "-" for ask in asks(answer).values()}
    assert page.post(here, {**leave, "act": "go"}).status_code == 422
    answer = page.post(here, {**leave, "act": "go", "list_id": "new-antioch"})
    assert answer.url == reverse("paper-show", args=[draft.pk])


@pytest.mark.parametrize("text", ["", "   ", "x" * 40_000, "a\n" * 900])
def test_what_is_no_text_is_422(page: Client, text: str) -> None:
    assert page.post(reverse("paper-text"), {"text": text}).status_code == 422
    assert not PaperDraft.objects.exists()


# --- for a seat -----------------------------------------------------------------------------------------------------------------


def test_an_administrator_brings_one_for_a_seat_from_the_list_of_players(
    club: c.Club, cleo: Any, client: Client
) -> None:
    seat = add_seat(campaign=club.campaign, name="Wulf", actor=cleo)
    client.force_login(cleo)
    bring = f"{reverse('warband-bring')}?for=seat:{seat.pk}"
    assert f'href="{bring}"' in client.get(reverse("player-list", args=[club.campaign.pk])).content.decode()
    text = client.get(bring).content.decode()
    for name in ("paper-begin", "paper-text", "warband-import"):
        assert f'href="{reverse(name)}?for=seat:{seat.pk}"' in text
    address = f"{reverse('paper-begin')}?for=seat:{seat.pk}"
    answer = client.post(
        address, {"list_id": "new-antioch", "name": "Grey Dogs", "fought": "4", "points": "9", "won": "3", "lost": "1"}
    )
    assert answer.status_code == 302
    draft = PaperDraft.objects.get()
    fighter(client, draft, "k1", profile="Lieutenant", name="Ilse")
    client.post(reverse("paper-show", args=[draft.pk]), {"act": "bring", "token": "t"})
    seat = Seat.objects.get(pk=seat.pk)
    assert (seat.warband.name, seat.opening_points, seat.opening_games) == ("Grey Dogs", 9, 4)
    answer = client.get(reverse("seat-show", args=[seat.pk]))
    assert "9 victory points from 4 battles, 3 won, 0 drawn, 1 lost" in answer.content.decode()
    form = {"act": "opening", "points": "8", "games": "4", "won": "3", "drawn": "", "lost": "1", "token": "t2"}
    client.post(reverse("seat-show", args=[seat.pk]), form)
    assert Seat.objects.get(pk=seat.pk).opening_points == 8


def test_the_undo_of_a_warband_brought_names_the_seat_and_no_strongbox_that_is_gone(
    club: c.Club, cleo: Any, client: Client
) -> None:
    seat = add_seat(campaign=club.campaign, name="Wulf", actor=cleo)
    client.force_login(cleo)
    client.post(
        f"{reverse('paper-begin')}?for=seat:{seat.pk}", {"list_id": "new-antioch", "name": "Grey Dogs", "ducats": "30"}
    )
    draft = PaperDraft.objects.get()
    fighter(client, draft, "k1", profile="Lieutenant", name="Ilse")
    client.post(reverse("paper-show", args=[draft.pk]), {"act": "bring", "token": "t"})
    undo = reverse("event-undo", args=[s.last_event(Warband.objects.get(name="Grey Dogs")).pk])
    asked = client.get(undo).content.decode()
    assert "1 place changed back" in asked
    assert "1 warband it added is removed" in asked
    assert "entry" not in asked
    told = client.post(undo, {"token": "t2"}, follow=True).content.decode()
    assert "You undid: " in told
    assert "ducats left" not in told


def test_a_document_can_be_read_in_for_a_seat(club: c.Club, ada: Any, client: Client) -> None:
    seat = c.join_campaign(invitation_token=c.link(club.campaign), actor=ada)
    client.force_login(ada)
    document = s.terms().game.founding.sample(club.campaign.terms.content, "lantern-wardens")
    answer = client.post(
        f"{reverse('warband-import')}?for=seat:{seat.pk}", {"text": json.dumps(document), "token": "t"}
    )
    assert answer.status_code == 302
    seat = Seat.objects.get(pk=seat.pk)
    assert seat.warband is not None
    assert seat.warband.terms == club.campaign.terms
    assert "from a document" in s.last_event(seat.warband).told


def test_nobody_brings_a_warband_for_somebody_else_s_seat(
    ada: Any, ben: Any, cleo: Any, dora: Any, client: Client
) -> None:
    club = c.club(cleo, ada, ben)
    seat = club.seat(ada)
    for user, status in ((dora, 404), (ben, 403)):
        client.force_login(user)
        for name in ("warband-bring", "paper-begin", "paper-text", "warband-import"):
            assert client.get(f"{reverse(name)}?for=seat:{seat.pk}").status_code == status
    assert client.get(f"{reverse('warband-bring')}?for=nonsense:1").status_code == 404


def test_a_player_does_not_put_the_score_right(club: c.Club, ben: Any, client: Client) -> None:
    client.force_login(ben)
    answer = client.post(
        reverse("seat-show", args=[club.seat(ben).pk]), {"act": "opening", "points": "99", "token": "t"}
    )
    assert answer.status_code == 422
    assert club.seat(ben).opening_points == 0


def test_who_joins_may_bring_a_running_warband(club: c.Club, ada: Any, client: Client) -> None:
    client.force_login(ada)
    answer = client.post(reverse("campaign-join", args=[c.link(club.campaign)]), {"bring": "brought", "token": "t"})
    seat = Seat.objects.get(campaign=club.campaign, user=ada)
    assert answer.url == f"{reverse('warband-bring')}?for=seat:{seat.pk}"
    assert client.get(answer.url).status_code == 200


def test_what_is_no_roster_at_all_is_told_so(page: Client) -> None:
    text = "New Antioch\nLieutenant\n" + "\n".join("- " + ", ".join(f"qx{n}z{m}" for m in range(6)) for n in range(100))
    answer = page.post(reverse("paper-text"), {"text": text})
    assert answer.status_code == 422
    assert "Hardly anything in this is recognised" in answer.content.decode()
    assert page.post(reverse("paper-text"), {"text": '{"game": "trench-crusade"}'}).status_code == 422


def test_figures_beyond_all_battles_are_kept_out(page: Client, ada: Any) -> None:
    answer = page.post(reverse("paper-begin"), {"list_id": "new-antioch", "name": "Old", "fought": "5000"})
    assert answer.status_code == 422
    draft = paste(page, "Old\nNew Antioch\nBattles fought: 123456\nStrongbox: 999999\nIlse - Lieutenant\n  XP: 99999")
    answer = page.post(reverse("paper-settle", args=[draft.pk]), {"act": "go"})
    assert answer.url == reverse("paper-show", args=[draft.pk])
    assert (kept(draft).fought, kept(draft).ducats, kept(draft).fighters[0].experience) == (999, 100_000, 999)
    assert page.get(answer.url).status_code == 200
    page.post(answer.url, {"act": "bring", "token": "t"})
    assert Warband.objects.get().fighters.count() == 1


# --- the edition -------------------------------------------------------------------------------------------------------------

NEWER, OLDER = "trench-crusade/1.0", "trench-crusade/1.6.3"
PLAIN_TEXT = "Iron Wolves\nNew Antioch\nIlse - Lieutenant: Pistol"


@pytest.mark.parametrize("game", [NEWER, OLDER])
@pytest.mark.parametrize("shown", [NEWER, OLDER])
def test_the_game_chosen_beside_the_text_counts_whatever_the_page_was_drawn_with(
    page: Client, game: str, shown: str
) -> None:
    address = f"{reverse('paper-text')}?game={shown}"
    drawn = page.get(address).content.decode()
    assert f'<option value="{shown}" selected>' in drawn
    assert drawn.index("<form") < drawn.index('name="game"') < drawn.index('name="text"')
    assert page.post(address, {"game": game, "text": PLAIN_TEXT}).status_code == 302
    assert PaperDraft.objects.latest("pk").edition == game.partition("/")[2]


@pytest.mark.parametrize("game", [NEWER, OLDER])
def test_the_game_chosen_on_the_first_page_off_paper_counts(page: Client, game: str) -> None:
    address = f"{reverse('paper-begin')}?game={OLDER if game == NEWER else NEWER}"
    form = {"game": game, "list_id": "new-antioch", "name": "Iron Wolves", "act": "next"}
    assert page.post(address, form).status_code == 302
    assert PaperDraft.objects.latest("pk").edition == game.partition("/")[2]
    lists = page.post(address, {**form, "act": "game"})
    assert lists.url == f"{reverse('paper-begin')}?game={game}"


def test_a_game_that_is_not_kept_is_refused(page: Client) -> None:
    answer = page.post(reverse("paper-text"), {"game": "chess/1", "text": PLAIN_TEXT})
    assert answer.status_code == 422
    assert not PaperDraft.objects.exists()


@pytest.mark.parametrize(
    ("text", "chosen", "fits"),
    [
        (f"Trench Crusade 1.6.3\n{PLAIN_TEXT}", NEWER, "1.6.3"),
        (f"{PLAIN_TEXT}\nRules: 1.0", OLDER, "1.0"),
        (f"{PLAIN_TEXT}\nAnselm - Sniper Priest: Book of Battle Prayers (6 glory)", NEWER, "1.6.3"),
        (f"{PLAIN_TEXT}\nAnselm - Sniper Priest: Book of Battle Prayers (7 glory)", OLDER, "1.0"),
    ],
)
def test_a_text_of_another_edition_is_told_and_read_by_that_one_at_a_press(
    page: Client, text: str, chosen: str, fits: str
) -> None:
    page.post(reverse("paper-text"), {"game": chosen, "text": text})
    draft = PaperDraft.objects.latest("pk")
    here = reverse("paper-settle", args=[draft.pk])
    others = page.get(here).context["others"]
    assert [other.edition for other in others] == [fits]
    assert f"Use Trench Crusade {fits}" in page.get(here).content.decode()
    assert page.post(here, {"edition": fits}).url == here
    draft.refresh_from_db()
    assert (draft.edition, draft.text, draft.answers) == (fits, text, {})
    assert not page.get(here).context["others"]


def test_a_text_that_both_editions_read_alike_is_told_nothing(page: Client) -> None:
    for game in (NEWER, OLDER):
        page.post(reverse("paper-text"), {"game": game, "text": PLAIN_TEXT})
        draft = PaperDraft.objects.latest("pk")
        assert not page.get(reverse("paper-settle", args=[draft.pk])).context["others"]


# --- files of other programs ---------------------------------------------------------------------------------------------------


def sent(data: bytes, name: str = "roster.ros") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def test_a_file_in_which_nothing_is_open_is_founded_after_reading_and_importing(page: Client, ada: Any) -> None:
    data = made.as_json(made.choir())
    answer = page.post(reverse("paper-text"), {"file": sent(data, "Chor & Söhne.json")})
    draft = PaperDraft.objects.get()
    assert answer.url == reverse("paper-show", args=[draft.pk])
    assert (draft.edition, draft.format) == ("1.0", "newrecruit-json")
    answer = page.post(answer.url, {"token": "t", "act": "bring"})
    warband = Warband.objects.live().get()
    assert answer.url == reverse("warband-show", args=[warband.pk])
    assert (warband.strongbox_ducats, warband.strongbox_glory, warband.patron) == (21, 3, "warrior-saint")
    original = page.get(reverse("warband-original", args=[warband.pk]))
    assert b"".join(original.streaming_content) == data
    assert "attachment" in original["Content-Disposition"]
    assert "Chor &amp; Söhne.json" in page.get(reverse("warband-change", args=[warband.pk])).content.decode()


def test_an_open_line_of_a_file_is_settled_beside_its_source(page: Client) -> None:
    tree = made.roster(made.model("Yeoman", made.pick("Zzyzx Charm", group="Upgrades"), price=30))
    answer = page.post(reverse("paper-text"), {"file": sent(made.as_xml(tree).encode())})
    draft = PaperDraft.objects.get()
    assert answer.url == reverse("paper-settle", args=[draft.pk])
    shown = page.get(answer.url)
    assert (
        "A roster file of New Recruit or BattleScribe. Read as 1.0: the game data is of revision 17."
        in shown.content.decode()
    )
    (ask,) = asks(shown).values()
    answer = page.post(answer.url, {f"a_{ask.key}": "-", "act": "go"})
    assert answer.url == reverse("paper-show", args=[draft.pk])
    assert [f.profile for f in kept(draft).fighters] == ["Yeoman"]


def test_a_pasted_text_of_another_program_is_read_by_its_own_edition(page: Client) -> None:
    text = "New Antioch - Wolves - [70 Ducats]\n\n# ++ Warband ++ [70 Ducats]\n## Elite [70 Ducats]\nIlse - Lieutenant [70 Ducats]\nSniper Priests [50 Ducats]\n"
    page.post(reverse("paper-text"), {"text": text, "game": NEWER})
    assert PaperDraft.objects.get().edition == "1.6.3"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7", "This is a PDF file"),
        (b"PK\x03\x04 half", "The archive is damaged."),
        (b"x" * (2 * 1024 * 1024 + 1), "larger than 2 MB"),
        (b"", "empty"),
        (b'{"game": "trench-crusade", "fighters": []}', "The document cannot be read at $"),
        (b'{"game": "gloom-trench", "profiles": []}', "The list of profiles is empty."),
        (made.as_json({**made.choir(), "gameSystemId": "x", "gameSystemName": "Other Wars"}), "a roster of Other Wars"),
    ],
)
def test_a_file_that_is_no_roster_is_422_with_a_sentence_and_leaves_nothing(
    page: Client, data: bytes, words: str
) -> None:
    answer = page.post(reverse("paper-text"), {"file": sent(data)})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not PaperDraft.objects.exists()


def test_of_nobody_elses_warband_is_the_original_handed_out(page: Client, ben: Any) -> None:
    page.post(reverse("paper-text"), {"file": sent(made.as_json(made.choir()))})
    page.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": "t", "act": "bring"})
    warband = Warband.objects.live().get()
    other = Client()
    other.force_login(ben)
    assert other.get(reverse("warband-original", args=[warband.pk])).status_code == 404


def test_a_roster_goes_out_in_the_forms_of_other_apps(page: Client, ada: Any) -> None:
    page.post(reverse("paper-text"), {"file": sent(made.as_json(made.choir()))})
    page.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": "t", "act": "bring"})
    address = reverse("warband-text", args=[Warband.objects.live().get().pk])
    shown = page.get(reverse("warband-share", args=[Warband.objects.live().get().pk])).content.decode()
    for form, words in {
        "trench-companion": "## Mud Choir ##",
        "discord": "**Mud Choir**",
        "tts": '"md_lieutenant"',
        "csv": "Edda Voss,Lieutenant",
    }.items():
        assert f'href="{address}?form={form}"' in shown
        answer = page.get(f"{address}?form={form}")
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert words in answer.content.decode()
    assert page.get(f"{address}?form=runes").status_code == 404


def test_a_ros_is_told_before_it_is_downloaded_and_the_dead_are_not_forgotten(page: Client, ada: Any) -> None:
    page.post(reverse("paper-text"), {"file": sent(made.as_json(made.choir()))})
    page.post(reverse("paper-show", args=[PaperDraft.objects.get().pk]), {"token": "t", "act": "bring"})
    warband = Warband.objects.live().get()
    warband.fighters.filter(name="1917").update(status="dead")
    shown = page.get(f"{reverse('warband-share', args=[warband.pk])}?form=battlescribe").content.decode()
    assert "<li>1917 (dead)</li>" in shown
    address = reverse("warband-text", args=[warband.pk])
    answer = page.get(f"{address}?form=battlescribe")
    assert answer["Content-Disposition"] == 'attachment; filename="mud-choir.ros"'
    assert read_ros(answer.content.decode()).facts["notes"].endswith("Not in this file: 1917 (dead).")
    save = read_save(page.get(f"{address}?form=trench-companion-json").content.decode())
    assert [row.status for row in save.fighters if row.name == "1917"] == ["dead"]


# --- custom entries, and files of this app ---------------------------------------------------------------------------------


def test_an_unknown_name_of_a_file_is_kept_as_a_custom_entry(page: Client) -> None:
    tree = made.roster(
        made.model("Yeoman", made.pick("Zzyzx Charm", group="Upgrades", price=7), price=30, customName="Ilse"),
        made.model("Qwrtx Walker", made.weapon("Bolt-Action Rifle", 10), price=40, customName="Otto"),
    )
    address = page.post(reverse("paper-text"), {"file": sent(made.as_json(tree))}).url
    waiting = asks(page.get(address))
    assert set(waiting) == {"Zzyzx Charm", "Qwrtx Walker"}
    answer = page.post(address, {f"a_{ask.key}": "=" for ask in waiting.values()} | {"act": "go"})
    draft = PaperDraft.objects.get()
    assert [fighter.notes for fighter in kept(draft).fighters] == ["Custom entry: Zzyzx Charm (7 ducats)"]
    assert kept(draft).notes == "Custom entry: Otto, Qwrtx Walker (40 ducats): Bolt-Action Rifle (10 ducats)"
    page.post(answer.url, {"act": "bring", "token": "t"})
    warband = Warband.objects.live().get()
    assert warband.fighters.get().notes == "Custom entry: Zzyzx Charm (7 ducats)"
    assert warband.notes == kept(draft).notes
    assert "Qwrtx Walker" in page.get(reverse("warband-show", args=[warband.pk])).content.decode()


def test_what_has_no_answer_yet_can_be_kept_with_one_press(page: Client) -> None:
    draft = paste(page)
    here = reverse("paper-settle", args=[draft.pk])
    waiting = asks(page.get(here))
    sent_ = {f"a_{ask.key}": ask.chosen for ask in waiting.values()} | {"act": "custom"}
    assert page.post(here, sent_).url == reverse("paper-show", args=[draft.pk])
    data = kept(draft)
    assert [f.profile for f in data.fighters] == ["Lieutenant", "Yeoman"]
    assert "Custom entry: Teapot" in "\n".join((data.notes, *(f.notes for f in data.fighters)))


def test_an_export_of_this_app_comes_in_by_the_same_page_with_its_history(page: Client, ada: Any) -> None:
    wardens = s.small_warband(ada)
    document = json.dumps(export_document(wardens), default=str).encode()
    token = page.get(reverse("paper-text")).context["form"]["token"].value()
    answer = page.post(reverse("paper-text"), {"file": sent(document, "old.json"), "token": token})
    copy = Warband.objects.live().exclude(pk=wardens.pk).get()
    assert answer.url == reverse("warband-show", args=[copy.pk])
    assert copy.name == wardens.name
    assert copy.fighters.count() == wardens.fighters.count()
    assert s.last_event(copy).data["record"]["events"]
    again = page.post(reverse("paper-text"), {"file": sent(document, "old.json"), "token": token})
    assert "already" in again.content.decode()
    assert Warband.objects.live().count() == 2


def test_a_library_comes_in_by_the_same_page_all_of_it_or_nothing(page: Client, ada: Any) -> None:
    game = next(game for game in systems() if game.profiles is not None)
    edition = game.editions()[0]
    content = game.content(edition)
    default = game.profiles.default_profiles(content)[0]
    row = {"kind": default.kind, "name": "Iron Mole", "data": dict(default.data)}
    good = {"game": game.id, "edition": edition, "profiles": [row]}
    wrong = {**good, "profiles": [row, {"kind": "teapot", "name": "x", "data": {}}]}
    answer = page.post(reverse("paper-text"), {"file": sent(json.dumps(wrong).encode())})
    assert answer.status_code == 422
    assert "profiles.1.kind" in answer.content.decode()
    assert not Profile.objects.filter(owner=ada).exists()
    answer = page.post(reverse("paper-text"), {"text": json.dumps(good)})
    assert answer.url == f"{reverse('profile-list')}?game={game.id}"
    assert Profile.objects.get(owner=ada).name == "Iron Mole"


def test_the_first_open_line_is_a_tap_away(page: Client) -> None:
    text = "Wardens\nNew Antioch\nYeoman\n  - Bayonet\n  - Zzyzx Charm\n  - Gas Mask"
    page.post(reverse("paper-text"), {"text": text, "game": "trench-crusade/1.0"})
    shown = page.get(reverse("paper-settle", args=[PaperDraft.objects.get().pk])).content.decode()
    assert 'href="#line_5"' in shown
    assert 'id="line_5"' in shown
