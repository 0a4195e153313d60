"""Who gets to see which page of a campaign, from a visitor to an administrator; bystanders of a battle included."""

import pytest
from django.urls import reverse

from campaigns import urls
from campaigns.models import Campaign, Capture
from campaigns.services.join import add_seat
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = pytest.mark.django_db

VISITOR, STRANGER, BYSTANDER, PLAYER, FOE, ADMINISTRATOR = range(6)
SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, ONWARD = "sign in", 404, 403, 200, 302

# visitor, stranger, a player of the campaign who is not in the battle, its player Ada, her foe Ben, the administrator
ROWS = {
    "desk-show": (SHOWN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-list": (SIGN_IN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-open": (SIGN_IN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-show": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-administer": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "player-list": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "campaign-states": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "house-rule-list": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "round-arrange": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "campaign-overview": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "overview-export": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "campaign-texts": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "region-list": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-copy": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "round-pair": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "challenge-list": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-calendar": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "booklet-print": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "booklet-download": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, NOT_THERE),  # none was made
    "round-show": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "battle-schedule": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "news-list": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-watch": (SHOWN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "news-watch": (SHOWN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "campaign-join": (SHOWN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "seat-claim": (SHOWN, SHOWN, SHOWN, SHOWN, SHOWN, SHOWN),
    "seat-show": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, NOT_YOURS, SHOWN),
    "seat-found": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, NOT_YOURS, SHOWN),
    "seat-repair": (SIGN_IN, NOT_THERE, NOT_YOURS, NOT_YOURS, NOT_YOURS, SHOWN),
    "battle-show": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "force-select": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, SHOWN, SHOWN),
    "battle-sheet": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, SHOWN, SHOWN),
    "dice-check": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "dice-export": (SIGN_IN, NOT_THERE, SHOWN, SHOWN, SHOWN, SHOWN),
    "battle-report": (SIGN_IN, NOT_THERE, NOT_YOURS, ONWARD, ONWARD, ONWARD),
    "report-confirm": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, SHOWN, SHOWN),
    "report-dispute": (SIGN_IN, 405, 405, 405, 405, 405),
    "post-battle-show": (SIGN_IN, NOT_THERE, NOT_YOURS, ONWARD, NOT_YOURS, ONWARD),
    "post-battle-resolve": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, NOT_YOURS, SHOWN),
    "capture-settle": (SIGN_IN, NOT_THERE, NOT_YOURS, SHOWN, SHOWN, SHOWN),
}


OF_A_BATTLE = (
    "battle-show",
    "force-select",
    "battle-sheet",
    "dice-check",
    "dice-export",
    "battle-report",
    "report-confirm",
    "report-dispute",
)


@story
def orsola():
    from tests.conftest import person

    return person("orsola")


@story
def world(ada, ben, cleo, dora, orsola):
    club = c.club(cleo, ada, ben, orsola, seen_by=Campaign.SeenBy.LINK)
    open_round(campaign=club.campaign, actor=cleo)
    taken = c.named_first(club, ada)
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, out={ada: [taken]})
    post_battle = c.begin(row, ada)
    key = f"trauma-{c.keys(club.warband(ada), taken)[0]}"
    c.type_in(post_battle, key, 1, 2)
    c.write(post_battle, key)
    spare = add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    arguments = {
        "campaign-watch": [club.campaign.slug],
        "news-watch": [club.campaign.slug],
        "campaign-join": [c.link(club.campaign)],
        "seat-claim": [spare.claim_token],
        "seat-show": [club.seat(ada).pk],
        "seat-found": [club.seat(ada).pk],
        "seat-repair": [club.seat(ada).pk],
        "round-show": [club.campaign.pk, 1],
        "post-battle-show": [row.pk, club.warband(ada).pk],
        "post-battle-resolve": [row.pk, club.warband(ada).pk, "injuries"],
        "capture-settle": [Capture.objects.get().pk],
        **{name: [] for name in ("desk-show", "campaign-list", "campaign-open")},
        **{name: [row.pk] for name in OF_A_BATTLE},
    }
    people = {VISITOR: None, STRANGER: dora, BYSTANDER: orsola, PLAYER: ada, FOE: ben, ADMINISTRATOR: cleo}
    return club, arguments, people


def test_every_row_has_an_address():
    """That every address of the site has a row somewhere is what the access matrix looks after."""
    assert set(ROWS) <= {pattern.name for pattern in urls.urlpatterns}


@pytest.mark.parametrize("name", ROWS)
def test_everybody_gets_what_is_theirs(client, world, name):
    club, arguments, people = world
    address = reverse(name, args=arguments.get(name, [club.campaign.pk]))
    got = []
    for who in sorted(people):
        client.logout()
        if people[who] is not None:
            client.force_login(people[who])
        answer = client.get(address)
        to_sign_in = answer.status_code == 302 and answer.url.startswith(reverse("account_login"))
        got.append(SIGN_IN if to_sign_in else answer.status_code)
    assert tuple(got) == ROWS[name]


def test_a_campaign_that_only_players_may_see_shows_nothing_to_spectators(client, ada, ben, cleo):
    club = c.club(cleo, ada, ben)
    assert client.get(reverse("campaign-watch", args=[club.campaign.slug])).status_code == 404


def test_a_revoked_invitation_and_a_claimed_seat_say_so(client, ada, ben, cleo):
    from campaigns.services.open import renew_invitation

    club = c.club(cleo, ada, ben)
    old = c.link(club.campaign)
    renew_invitation(campaign=club.campaign, actor=cleo)
    answer = client.get(reverse("campaign-join", args=[old]))
    assert answer.status_code == 404
    assert "Ask the administrator for the new link." in answer.content.decode()
    assert client.get(reverse("seat-claim", args=["no-such-token"])).status_code == 404


@pytest.mark.parametrize("address", ["/campaigns/999999/", "/battles/999999/", "/captures/999999/", "/seats/999999/"])
def test_what_is_not_there_is_404(client, ada, address):
    client.force_login(ada)
    assert client.get(address).status_code == 404
