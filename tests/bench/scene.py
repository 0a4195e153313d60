"""What is measured: a warband of twelve fighters in the demonstration club, its pages, and a signed-in visitor."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse

from tests.bench.acts import Act, acts_of
from tests.bench.pages import Page, pages_of, paths_of
from tests.bench.visitor import signed_in

FIGHTERS = 12
BATTLES = 10


@dataclass(frozen=True, slots=True)
class Scene:
    """A visitor's cookie, the pages, and what the paper and legality measurements need."""

    cookie: str
    pages: tuple[Page, ...]
    acts: tuple[Act, ...]
    builder: str
    pdf: str
    sheet_html: Callable[[], str]
    checks_per_second: Callable[[], float]
    table: str  # where phones ask for news of a table, and the cookies of those who keep it
    phones: tuple[str, ...]


def prepare() -> Scene:
    """Build the warbands through the services, play the demonstration club on, and sign everybody in."""
    from campaigns.models import Campaign
    from tests.scene import scene_of_the_demo
    from warbands.adapters import force_of
    from warbands.print_options import PrintOptions
    from warbands.printing import render_html, sheet_page

    club = scene_of_the_demo(Campaign.objects.earliest("pk"))
    ada, cleo = club.users["owner"], club.users["administrator"]
    warband = warband_of_twelve(ada, "lantern-wardens")
    scholars = warband_of_twelve(ada, "seventh-retort")  # the list with the most picks from other lists
    pages = [
        *pages_of(of_a_warband(warband.pk), {"owner": ada}, "of 12 fighters"),
        *pages_of(of_a_warband(scholars.pk, all_pages=False), {"owner": ada}, "of the House of Wisdom"),
        *pages_of(of_a_warband(after_battles(ada, BATTLES)), {"owner": ada}, f"after {BATTLES} battles"),
        *pages_of(paths_of(club), {"owner": ada, "administrator": cleo, "visitor": None}),
    ]
    return Scene(
        cookie=signed_in(ada),
        pages=tuple(pages),
        acts=acts_of(warband.pk, ada),
        builder=pages[0].path,
        pdf=reverse("roster-download", args=[warband.pk]),
        sheet_html=lambda: render_html(sheet_page(warband, PrintOptions())),
        checks_per_second=lambda: checks(warband.terms.game, warband.terms.content, force_of(warband)),
        **keep_table(ada),
    )


def of_a_warband(pk: int, *, all_pages: bool = True) -> dict[str, str]:
    """The addresses of a warband's own pages, and of its first fighter and that one's last piece, by the keys of `tests.scene.routes`."""
    from tests.scene import OF_A_FIGHTER, OF_A_WARBAND, OF_AN_ITEM
    from warbands.models import Fighter, Item

    fighter = Fighter.objects.live().filter(warband=pk, status="active", items__status="held").order_by("pk").first()
    assert fighter is not None
    piece = Item.objects.live().filter(fighter=fighter, status="held").latest("pk")
    found = {f"{name} pk": reverse(name, args=[pk]) for name in (OF_A_WARBAND if all_pages else MAIN_OF_A_WARBAND)}
    found |= {
        f"{name} pk": reverse(name, args=[fighter.pk]) for name in (OF_A_FIGHTER if all_pages else MAIN_OF_A_FIGHTER)
    }
    return found | {f"{name} pk": reverse(name, args=[piece.pk]) for name in (OF_AN_ITEM if all_pages else ())}


MAIN_OF_A_WARBAND, MAIN_OF_A_FIGHTER = ("warband-show", "fighter-hire"), ("fighter-show", "kit-buy")


def after_battles(ada: Any, battles: int) -> int:
    """A warband that has fought so many battles of a campaign of two, and went through all that followed. Its id."""
    from tests import campaign_stories as c

    ben, cleo = (get_user_model().objects.get(username=name) for name in ("ben", "cleo"))
    club = c.club(cleo, ada, ben)
    for number in range(battles):
        row = c.mustered(club, ada, ben)
        winner = (ada, ben)[number % 2]
        c.fight(row, winner, winner)
        for user in (ada, ben):
            c.resolve(row, user)
    return club.warband(ada).pk


def keep_table(ada: Any) -> dict[str, Any]:
    """Lay the table of a battle between two people of the demonstration club; where to ask for its news, and who asks."""
    from campaigns.services.tracker import begin_table
    from tests import campaign_stories as c

    people = {name: get_user_model().objects.get(username=name) for name in ("ben", "cleo")}
    club = c.club(people["cleo"], ada, people["ben"])
    battle = c.mustered(club, ada, people["ben"])
    table = begin_table(battle=battle, actor=ada)
    there = f"{reverse('battle-track', args=[battle.pk])}?since={table.version}"
    return {"table": there, "phones": (signed_in(ada), signed_in(people["ben"]))}


def warband_of_twelve(owner: Any, sample_id: str) -> Any:
    """A sample of 1.6.3 copied, with copies of its last fighters until there are twelve."""
    from rules.problems import Refusal
    from warbands.models import Fighter, Warband
    from warbands.services.copy_fighter import copy_fighter
    from warbands.services.founding import copy_sample, terms_for

    terms = terms_for("trench-crusade", "1.6.3")
    warband = copy_sample(actor=owner, owner=owner, terms=terms, sample_id=sample_id, name="Bench")
    while len(fighters := list(Fighter.objects.live().filter(warband=warband, status="active"))) < FIGHTERS:
        for fighter in reversed(fighters):
            try:
                copy_fighter(fighter=fighter, actor=owner)
                break
            except Refusal:
                continue
        else:
            raise AssertionError(f"nobody of {sample_id} can be copied")
    return Warband.objects.select_related("terms", "owner").get(pk=warband.pk)


def checks(game: Any, content: Any, force: Any, seconds: float = 2.0) -> float:
    """Legality checks a processor second of this roster, every one from scratch."""
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(50):
            game.check(content, replace(force))  # a force of its own: what is kept of the last ones does not count
        count += 50
    return count / spent
