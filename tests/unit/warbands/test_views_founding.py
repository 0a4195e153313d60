"""Starting a warband on one page, samples, documents in and out, share links, the rules browser."""

import json
import re
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from rules.registry import system
from tests import stories
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Fighter, ShareLink, Snapshot, Terms, Warband
from warbands.services.sharing import share_warband, take_snapshot

pytestmark = pytest.mark.django_db

FOUND = "/warbands/new/"
GAME = "trench-crusade/1.6.3"


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


@story
def warband(ada):
    return stories.small_warband(ada)


def html(response):
    return response.content.decode()


# --- founding ---------------------------------------------------------------------------------------------------------


def test_a_newcomer_is_offered_a_ready_one_or_an_own_one(mine):
    page = html(mine.get(reverse("warband-list")))
    assert "No warband yet. Start with a ready one or build your own." in page
    assert f'href="{FOUND}"' in page
    assert f'href="{FOUND}#ready"' in page
    assert f'href="{reverse("profile-list")}"' in page


def test_one_page_asks_for_everything_and_says_which_edition_is_current(mine):
    page = mine.get(FOUND)
    words = html(page)
    assert [option.name for option in page.context["page"].main_games] == ["Trench Crusade 1.0"]
    assert words.count('class="tag">current') == 1
    for other in ("1.6.3", "Gloom Trench 1926", "A Trench Too Far"):
        assert other in page.context["page"].other_words
    for name in ("game", "faction", "list", "name", "mode", "third_party", "patron", "ducats"):
        assert f'name="{name}"' in words, name
    assert page.context["page"].suggested


def test_ready_warbands_say_list_fighters_cost_and_character(mine):
    page = html(mine.get(FOUND, {"game": GAME}))
    shelf = page.split('id="ready_trench-pilgrims"')[1].split("</details>")[0]
    assert "The Broken Litany" in shelf
    assert "Sacred Affliction, Trench Pilgrims" in shelf
    assert '<b>9 fighters</b>, <span class="figure">694 d</span>' in shelf
    assert "The Crimson Assize" not in shelf
    assert page.index('id="ready_third_party"') > page.index('id="ready_iron-sultanate"')


def test_a_faction_shows_its_lists(mine):
    page = html(mine.get(FOUND, {"game": GAME, "faction": "heretic-legion"}))
    assert "Trench Ghosts" in page
    assert "Eire Rangers" not in page.split('id="ready"')[0]
    assert "Rules of this list" in html(mine.get(FOUND, {"game": GAME, "list": "trench-ghosts"}))


def test_without_a_script_a_small_button_shows_the_lists_and_keeps_the_name(mine):
    form = {
        "show": "yes",
        "game": GAME,
        "faction": "iron-sultanate",
        "list": "eire-rangers",
        "suggested": "The Last Lamp",
    }
    kept = mine.post(FOUND, {**form, "name": "Ours"}, follow=True)
    assert kept.context["page"].chosen.id == "iron-sultanate"
    assert 'value="Ours"' in html(kept)
    changed = mine.post(FOUND, {**form, "name": "The Last Lamp"})
    assert "name=" not in changed["Location"]
    assert not Warband.objects.exists()


def test_with_a_script_only_the_form_and_the_bar_come(mine):
    asked = {"HX-Request": "true", "HX-Target": "div#start"}
    answer = mine.post(FOUND, {"show": "yes", "game": GAME, "faction": "iron-sultanate"}, headers=asked)
    page = html(answer)
    assert "<html" not in page
    assert 'id="start"' in page
    assert 'hx-swap-oob="true"' in page
    assert "faction=iron-sultanate" in answer["HX-Replace-Url"]


def test_with_a_script_the_heading_follows_the_game(mine):
    asked = {"HX-Request": "true", "HX-Target": "div#start"}
    sent = {"show": "yes", "game": "gloom-trench/core"}
    part = html(mine.post(FOUND, sent, headers=asked))
    assert 'id="start_head" hx-swap-oob="true"' in part
    assert "<h1>Start a force</h1>" in part


def test_a_game_that_was_changed_without_a_script_asks_for_a_faction_first(mine):
    form = {"game": "gloom-trench/core", "faction": "new-antioch", "name": "Ours"}
    answer = mine.post(FOUND, form)
    assert answer.status_code == 422
    assert "Choose a faction of this game." in html(answer)
    assert not Warband.objects.exists()


def test_it_is_started_with_the_name_that_was_suggested(mine, ada):
    page = mine.get(f"{FOUND}?game={GAME}&list=new-antioch")
    name = page.context["page"].suggested
    answer = mine.post(
        FOUND, {"game": GAME, "list": "new-antioch", "faction": "new-antioch", "name": name, "token": "f1"}
    )
    warband = Warband.objects.get()
    assert answer["Location"] == reverse("fighter-hire", args=[warband.pk])
    assert (warband.owner, warband.name, warband.strongbox_ducats) == (ada, name, 700)
    assert Terms.objects.count() == 1
    again = mine.get(f"{FOUND}?game={GAME}&list=new-antioch").context["page"].suggested
    assert again != name


def test_founding_twice_with_one_form_founds_once(mine):
    address = f"{FOUND}?game={GAME}&mode=campaign&list=new-antioch"
    mine.post(address, {"name": "The Lantern Wardens", "token": "f1"})
    again = mine.post(address, {"name": "The Lantern Wardens", "token": "f1"})
    assert again.status_code == 200
    assert "This was done already." in html(again)
    assert Warband.objects.count() == 1
    assert Terms.objects.count() == 1


def test_a_warband_without_a_name_is_422_and_leaves_nothing(mine):
    answer = mine.post(f"{FOUND}?game={GAME}&mode=campaign&list=new-antioch", {"name": "", "token": "f1"})
    assert answer.status_code == 422
    assert "The warband needs a name." in html(answer)
    assert not Warband.objects.exists()
    assert not Terms.objects.exists()


def test_a_club_may_start_with_other_money(mine):
    mine.post(f"{FOUND}?game={GAME}&mode=one-off&list=new-antioch", {"name": "Club", "ducats": "1000", "token": "f1"})
    assert Warband.objects.get().strongbox_ducats == 1000


@pytest.mark.parametrize(
    "query",
    [
        {"game": "nothing"},
        {"game": "trench-crusade/9"},
        {"game": GAME, "list": "no-such"},
        {"game": GAME, "faction": "no-such"},
        {"game": GAME, "mode": "x", "list": "\u0007"},
        {"list": "new-antioch"},
    ],
)
def test_an_address_that_says_nothing_sensible_shows_the_usual_choices(mine, query):
    answer = mine.get(FOUND, query)
    assert answer.status_code == 200
    assert answer.context["page"].chosen.id == "new-antioch"


def test_third_party_lists_stay_out_until_they_are_let_in(mine):
    closed = [
        choice
        for choice in system("trench-crusade").founding.lists(system("trench-crusade").content("1.6.3"))
        if choice.third_party
    ]
    assert closed
    for choice in closed:
        page = mine.get(FOUND, {"game": GAME, "faction": choice.faction, "list": choice.id}).context["page"]
        assert choice.id not in [option.value for option in page.lists]
        let_in = {"game": GAME, "faction": choice.faction, "list": choice.id, "third_party": "yes"}
        assert mine.get(FOUND, let_in).context["page"].chosen.id == choice.id


def test_a_founder_lets_third_party_lists_in(mine):
    asked = {"game": GAME, "mode": "one-off", "third_party": "yes", "list": "red-brigade"}
    assert 'id="id_third_party" value="yes" checked' in html(mine.get(FOUND, asked))
    address = f"{FOUND}?{urlencode(asked)}"
    mine.post(address, {"name": "The Ninth", "token": "f1"})
    warband = Warband.objects.select_related("terms").get()
    assert (warband.list_id, warband.strongbox_ducats, warband.problem_count) == ("red-brigade", 900, 1)
    assert warband.terms.house_rules == {"third_party": True}
    assert stories.hire_offer(warband, "Attack Dog").state == "problem"  # nobody is there whom it would not outnumber
    assert stories.hire_offer(warband, "Lieutenant").state == "open"


def test_a_third_partys_sample_asks_for_its_tick(mine):
    game = system("trench-crusade")
    for edition in game.editions():
        page = html(mine.get(FOUND, {"game": f"trench-crusade/{edition}"}))
        theirs = [sample for army in game.content(edition).pack.lists if army.third_party for sample in army.samples]
        assert theirs
        assert page.count("required><span>Allow third-party lists</span>") == len(theirs)
    sample = {"sample": "vermilion-ninth", "game": GAME}
    answer = mine.post(FOUND, {**sample, "token": "s1"})
    assert answer.status_code == 422
    assert "comes from a third party" in html(answer)
    assert not Warband.objects.exists()
    mine.post(FOUND, {**sample, "token": "s2", "third_party": "yes"})
    warband = Warband.objects.select_related("terms").get()
    assert (warband.list_id, warband.problem_count) == ("red-brigade", 0)
    document = mine.get(reverse("warband-export", args=[warband.pk])).content.decode()
    mine.post("/warbands/import/", {"text": document, "name": "The copy", "token": "i1"})
    assert Warband.objects.get(name="The copy").problem_count == 0
    bare = {key: value for key, value in json.loads(document).items() if key != "house_rules"}
    mine.post("/warbands/import/", {"text": json.dumps(bare), "name": "Barred", "token": "i2"})
    assert Warband.objects.get(name="Barred").problem_count == 1


def test_a_sample_is_copied(mine):
    game = system("trench-crusade")
    sample = game.founding.samples(game.content("1.6.3"))[0]
    answer = mine.post(FOUND, {"sample": sample[0], "game": GAME, "token": "s1"})
    warband = Warband.objects.get()
    assert answer["Location"] == reverse("warband-show", args=[warband.pk])
    assert Fighter.objects.filter(warband=warband).count() >= 5
    assert re.search(r"<small>(Left|Over)</small> <b>\d+ d", html(mine.get(answer["Location"])))


@pytest.mark.parametrize("bad", [{"sample": "no-such", "game": GAME}, {"sample": "x", "game": "y"}, {"sample": ""}])
def test_an_unknown_sample_is_422(mine, bad):
    assert mine.post(FOUND, {**bad, "token": "s1"}).status_code == 422
    assert not Warband.objects.exists()


# --- documents --------------------------------------------------------------------------------------------------------


def test_what_is_exported_can_be_read_in(warband, mine):
    answer = mine.get(reverse("warband-export", args=[warband.pk]))
    assert 'filename="the-lantern-wardens-v' in answer["Content-Disposition"]
    document = json.loads(answer.content)
    mine.post("/warbands/import/", {"text": json.dumps(document), "name": "The copy", "token": "i1"})
    copy = Warband.objects.get(name="The copy")
    assert copy.fighter_count == 3
    assert copy.strongbox_ducats == stories.fresh(warband).strongbox_ducats


def test_a_file_is_read_in(warband, mine):
    text = json.dumps(stories.document(warband)).encode()
    upload = SimpleUploadedFile("roster.json", text, content_type="application/json")
    answer = mine.post("/warbands/import/", {"file": upload, "token": "i1"})
    assert answer.status_code == 302
    assert Warband.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Nothing to read yet"),
        ("{", "line 1, column 2"),
        ("[1]", "no JSON object"),
        ('{"name": "a", "name": "b"}', "stands twice"),
        ('{"record": {"events": [{"told": [1e400]}]}}', "no number at $.record.events[0].told[0]"),
        ('{"record": {"events": [{"told": "\\u0000"}]}}', "null character at $.record.events[0].told"),
        ('{"record": {"a\\u0000b": 1}}', "null character in a key"),
        ('{"name": "\\ud800"}', "half a character"),
        ('{"game": "chess"}', "chess"),
        ('{"game": "trench-crusade", "edition": "0.1"}', "0.1"),
        ('{"game": ["trench-crusade"]}', "isn&#x27;t here"),
        ('{"game": "trench-crusade", "edition": ["x"]}', "isn&#x27;t here"),
        ('{"game": "trench-crusade", "faction": 7}', ""),
        ('{"game": "trench-crusade", "fighters": "all"}', ""),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_422_and_says_why(mine, text, words):
    answer = mine.post("/warbands/import/", {"text": text, "token": "i1"})
    assert answer.status_code == 422
    assert words in html(answer)
    assert not Warband.objects.exists()


def test_a_horde_is_422_before_it_keeps_everybody_waiting(mine):
    horde = {"game": "trench-crusade", "faction": "New Antioch", "fighters": [{"profile": "Yeoman"}] * 121}
    answer = mine.post("/warbands/import/", {"text": json.dumps(horde), "token": "i1"})
    assert answer.status_code == 422
    assert "$.fighters" in html(answer)
    heap = {**horde, "fighters": [{"profile": "Yeoman", "kit": ["Trench Club"] * 61}]}
    assert "$.fighters[0].kit" in html(mine.post("/warbands/import/", {"text": json.dumps(heap), "token": "i2"}))
    assert not Warband.objects.exists()


def test_a_document_over_one_megabyte_is_422(mine):
    upload = SimpleUploadedFile("roster.json", b" " * (1024 * 1024 + 1))
    answer = mine.post("/warbands/import/", {"file": upload, "token": "i1"})
    assert answer.status_code == 422
    assert "larger than 1 MB" in html(answer)


# --- sharing ----------------------------------------------------------------------------------------------------------


def test_a_link_shows_the_roster_and_hides_money_and_notes(warband, client, ada):
    Warband.objects.filter(pk=warband.pk).update(notes="Secret plan.")
    link = share_warband(warband=warband, actor=ada)
    page = html(client.get(reverse("warband-watch", args=[link.slug])))
    assert "Ottla" in page
    assert "Secret plan." not in page
    assert "Strongbox" not in page
    assert "/fighters/" not in page
    told = share_warband(warband=warband, actor=ada, shows_money=True, shows_notes=True)
    page = html(client.get(reverse("warband-watch", args=[told.slug])))
    assert "Secret plan." in page
    assert "Strongbox" in page


def test_a_revoked_link_leads_nowhere(warband, mine, client):
    here = reverse("warband-share", args=[warband.pk])
    mine.post(here, {"name": "For the club", "token": "l1", "seen": stories.fresh(warband).version})
    link = ShareLink.objects.get()
    assert "For the club" in html(mine.get(here))
    snapshot = take_snapshot(stories.fresh(warband), "mustered")
    live = reverse("warband-watch", args=[link.slug])
    kept = reverse("warband-watch-version", args=[link.slug, snapshot.version])
    assert client.get(live).status_code == client.get(kept).status_code == 200
    mine.post(here, {"revoke": link.pk, "token": "l2", "seen": stories.fresh(warband).version})
    assert client.get(live).status_code == client.get(kept).status_code == 404
    assert client.get("/s/nosuchlink/").status_code == 404


def test_a_kept_version_stays_as_it_was(warband, client, ada):
    link = share_warband(warband=warband, actor=ada)
    snapshot = take_snapshot(stories.fresh(warband), "mustered")
    stories.part(stories.fighter(warband, "Ottla"))
    kept = html(client.get(reverse("warband-watch-version", args=[link.slug, snapshot.version])))
    assert "Ottla" in kept
    assert f"v{snapshot.version}" in kept
    assert "Ottla" not in html(client.get(reverse("warband-watch", args=[link.slug])))
    assert client.get(reverse("warband-watch-version", args=[link.slug, 9999])).status_code == 404
    assert Snapshot.objects.count() == 1


def read_back(text):
    game = system("trench-crusade")
    return game.text_import.read_text(game.content("1.6.3"), text)


def standing(warband):
    """Names, profiles and kit of a roster, as its document has them."""
    document = warband.terms.game.documents.write_document(warband.terms.content, force_of(warband))
    return [line(row) for row in document["fighters"]]


def line(row):
    """One fighter of a document: name, profile, and what it has. What came with the fighter does so again."""

    def told(piece, kind):
        if isinstance(piece, str):
            return piece, "bought"
        origin = piece.get("origin", "bought")
        return piece.get("option") or piece[kind], "bought" if origin == "mandatory" else origin

    things = ((key, kind) for key, kind in (("kit", "item"), ("upgrades", "upgrade"), ("skills", "skill")))
    return row["name"], row["profile"], *([told(piece, kind) for piece in row[key]] for key, kind in things)


def test_a_roster_goes_out_as_text_that_is_read_back(client, ada):
    warband = stories.camp(ada)
    client.force_login(ada)
    answer = client.get(reverse("warband-text", args=[warband.pk]))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    text = answer.content.decode()
    assert f"Strongbox: {stories.purse(warband).ducats} ducats" in text
    read = read_back(text)
    assert read.unread == ()
    assert read.document["name"] == warband.name
    assert [line(row) for row in read.document["fighters"]] == standing(warband)


def test_a_shared_roster_reads_as_text_without_the_purse(client, ada):
    warband = stories.camp(ada)
    for shows_money in (False, True):
        link = share_warband(warband=stories.fresh(warband), actor=ada, shows_money=shows_money)
        page = reverse("warband-watch", args=[link.slug])
        assert f'href="{page}?as=text"' in html(client.get(page))
        answer = client.get(page, {"as": "text"})
        assert answer["Content-Type"].startswith("text/plain")
        assert answer["X-Robots-Tag"] == "noindex"
        assert ("Strongbox" in html(answer)) is shows_money
        assert read_back(html(answer)).unread == ()
        assert [row["name"] for row in read_back(html(answer)).document["fighters"]] == [
            row[0] for row in standing(stories.fresh(warband))
        ]


def test_a_kept_version_reads_as_text_of_then(warband, client, ada):
    link = share_warband(warband=warband, actor=ada)
    snapshot = take_snapshot(stories.fresh(warband), "mustered")
    stories.part(stories.fighter(warband, "Ottla"))
    kept = reverse("warband-watch-version", args=[link.slug, snapshot.version])
    assert "Ottla - Yeoman" in html(client.get(kept, {"as": "text"}))
    assert "Ottla" not in html(client.get(reverse("warband-watch", args=[link.slug]), {"as": "text"}))


def test_a_foreign_link_cannot_be_revoked(client, ada, ben):
    link = share_warband(warband=stories.small_warband(ada), actor=ada)
    own = stories.small_warband(ben, name="Choir of Brass")
    client.force_login(ben)
    assert client.post(reverse("warband-share", args=[own.pk]), {"revoke": link.pk, "token": "x"}).status_code == 404
    link.refresh_from_db()
    assert not link.is_revoked


# --- rules ------------------------------------------------------------------------------------------------------------


def test_rules_are_found_by_name(client):
    page = html(client.get("/rules/"))
    assert "Find by name" in page
    here = reverse("rule-list", args=["trench-crusade", "1.6.3"])
    found = html(client.get(here, {"find": "bayon"}))
    assert "Bayonet" in found
    assert "Yeoman" not in found
    part = client.get(here, {"find": "bayon"}, headers={"HX-Request": "true", "HX-Target": "div#rule_list"})
    assert html(part).lstrip().startswith('<div class="parts" id="rule_list">')


def test_every_entry_has_a_page(client):
    game = system("trench-crusade")
    entries = game.rulebook.entries(game.content("1.6.3"))
    assert len(entries) > 300
    seen = set()
    for entry in entries:
        if entry.kind in seen:
            continue
        seen.add(entry.kind)
        answer = client.get(reverse("rule-show", args=["trench-crusade", "1.6.3", entry.kind, entry.id]))
        assert answer.status_code == 200, entry
        assert entry.name in html(answer).replace("&#x27;", "'").replace("&amp;", "&")


def test_every_entry_has_an_address_and_no_two_share_one():
    game = system("trench-crusade")
    entries = game.rulebook.entries(game.content("1.6.3"))
    addresses = {reverse("rule-show", args=["trench-crusade", "1.6.3", entry.kind, entry.id]) for entry in entries}
    assert len(addresses) == len(entries)


@pytest.mark.parametrize(
    "address",
    [
        "/rules/chess/1/",
        "/rules/trench-crusade/0/",
        "/rules/trench-crusade/1.6.3/kit/no-such/",
        "/rules/trench-crusade/1.6.3/x/bayonet/",
    ],
)
def test_what_the_books_do_not_know_is_404(client, address):
    assert client.get(address).status_code == 404
