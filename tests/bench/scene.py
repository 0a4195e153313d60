"""What is measured: a warband of twelve fighters in the demonstration club, its pages, and a signed-in visitor."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse

FIGHTERS = 12


@dataclass(frozen=True, slots=True)
class Scene:
    """The visitor's cookie, the pages as (name, path, budget), and what the paper and legality measurements need."""

    cookie: str
    pages: tuple[tuple[str, str, float], ...]
    builder: str
    pdf: str
    sheet_html: Callable[[], str]
    checks_per_second: Callable[[], float]
    table: str  # where phones ask for news of a table, and the cookies of those who keep it
    phones: tuple[str, ...]


def prepare() -> Scene:
    """Build the warband through the services and sign Ada in."""
    from campaigns.models import Campaign, PostBattle
    from tests.bench.__main__ import BUILDER_BUDGET, PAGE_BUDGET
    from warbands.force import force_of
    from warbands.models import Fighter
    from warbands.printing import PrintOptions, render_html, sheet_page

    ada = get_user_model().objects.get(username="ada")
    warband = warband_of_twelve(ada, "lantern-wardens")
    fighter = Fighter.objects.live().filter(warband=warband, status="active").first()
    assert fighter is not None
    campaign = Campaign.objects.earliest("pk")
    sequence = (
        PostBattle.objects.live()
        .filter(warband__owner=ada, closed_at=None, started_at__isnull=False)
        .select_related("side")
        .first()
    )
    pages: list[tuple[str, str, float]] = [
        ("builder of 12 fighters", reverse("warband-show", args=[warband.pk]), BUILDER_BUDGET)
    ]
    for name, path in (
        ("hire", reverse("fighter-hire", args=[warband.pk])),
        ("kit of a fighter", reverse("kit-buy", args=[fighter.pk])),
        ("a fighter", reverse("fighter-show", args=[fighter.pk])),
        ("stash", reverse("stash-show", args=[warband.pk])),
        ("history", reverse("history-show", args=[warband.pk])),
        ("strongbox", reverse("ledger-list", args=[warband.pk])),
        ("print", reverse("roster-print", args=[warband.pk])),
        ("my warbands", reverse("warband-list")),
        ("desk", reverse("desk-show")),
        ("campaign", reverse("campaign-show", args=[campaign.pk])),
    ):
        pages.append((name, path, PAGE_BUDGET))
    scholars = warband_of_twelve(ada, "seventh-retort")  # the list with the most picks from other lists
    scholar = Fighter.objects.live().filter(warband=scholars, status="active").first()
    assert scholar is not None
    pages += [
        ("builder, House of Wisdom", reverse("warband-show", args=[scholars.pk]), BUILDER_BUDGET),
        ("hire, House of Wisdom", reverse("fighter-hire", args=[scholars.pk]), PAGE_BUDGET),
        ("kit of a fighter, House of Wisdom", reverse("kit-buy", args=[scholar.pk]), PAGE_BUDGET),
    ]
    if sequence is not None:
        from campaigns.sequence import StepSequence

        step = StepSequence(sequence).current()
        assert step is not None
        pages.append(
            (
                "post-battle step",
                reverse("post-battle-resolve", args=[sequence.side.battle_id, sequence.warband_id, step.id]),
                PAGE_BUDGET,
            )
        )
    return Scene(
        cookie=signed_in(ada),
        pages=tuple(pages),
        builder=pages[0][1],
        pdf=reverse("roster-download", args=[warband.pk]),
        sheet_html=lambda: render_html(sheet_page(warband, PrintOptions())),
        checks_per_second=lambda: checks(warband.terms.game, warband.terms.content, force_of(warband)),
        **keep_table(ada),
    )


def keep_table(ada: Any) -> dict[str, Any]:
    """Lay the table of a battle between two people of the demonstration club; where to ask for its news, and who asks."""
    from campaigns.services.table import begin_table
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
    from warbands.services.found import copy_sample, terms_for
    from warbands.services.hire import copy_fighter

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


def signed_in(user: Any) -> str:
    """A cookie header that signs this person in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def checks(game: Any, content: Any, force: Any, seconds: float = 2.0) -> float:
    """Legality checks a processor second of this roster, every one from scratch."""
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(50):
            game.check(content, force)
        count += 50
    return count / spent
