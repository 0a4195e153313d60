"""The next step by keyboard: on each page with an act under the thumb it is at most five stops away, seen, and works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaigns.services.tracker import begin_table
from tests import campaign_stories as c
from tests import stories as s
from warbands.drafting import trying
from warbands.services.drafts import keep_acts
from warbands.services.drafts import start_draft as start_changes
from warbands.services.transcription import start_draft

pytestmark = pytest.mark.django_db(transaction=True)

TEMPLATES = Path(__file__).parents[2] / "templates"
PART = "components/skip_to_act.html"
MOST = 5
# Where the keyboard is: whether it is seen there, and whether it is on the next act.
HERE = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  return {
    is_act: at.matches('.strip .button-main'),
    leads: at.matches('.skip-link') && at.getAttribute('href') !== '#content',
    words: at.innerText || at.tagName,
    seen: box.width > 0 && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1
      && (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 1 || style.boxShadow !== 'none' || at.matches('.skip-link')),
  };
}"""
# What follows a press: another page, another part of this one in place of what was pressed, or a field that has to be filled in first.
ANSWERED = (
    """() => window.address !== location.href || !window.act.isConnected || document.activeElement !== window.act"""
)


def warband_page(name: str) -> Callable[..., str]:
    return lambda ada, ben, cleo: reverse(name, args=[s.small_warband(ada).pk])


def fighter_page(name: str) -> Callable[..., str]:
    return lambda ada, ben, cleo: reverse(name, args=[s.fighter(s.small_warband(ada), "Ottla").pk])


def tried(ada: Any, ben: Any, cleo: Any) -> str:
    draft = start_changes(warband=s.small_warband(ada), actor=ada)
    with trying(draft, ada) as run:
        s.hire(run.warband(), "Yeoman", "Niamh")
    keep_acts(run)
    return reverse("draft-show", args=[draft.pk])


def copied(page: str, *more: str) -> Callable[..., str]:
    def made(ada: Any, ben: Any, cleo: Any) -> str:
        text = "New Antioch\nOttla - Yeoman: Bayonet"
        paper = start_draft(owner=ada, system_id="trench-crusade", edition="1.6.3", text=text)
        return reverse(page, args=[paper.pk, *more])

    return made


def mustering(ada: Any, ben: Any, cleo: Any) -> str:
    return reverse("force-select", args=[c.battle(c.club(cleo, ada, ben), ada, ben).pk])


def reporting(ada: Any, ben: Any, cleo: Any) -> str:
    return reverse("battle-report", args=[c.mustered(c.club(cleo, ada, ben), ada, ben).pk])


def fought(ada: Any, ben: Any, cleo: Any) -> tuple[Any, Any]:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    first = made.warband(ada).fighters.order_by("pk").last()
    c.fight(row, ada, ada, out={ada: [first.name]})
    return row, made.warband(ada)


def beginning(ada: Any, ben: Any, cleo: Any) -> str:
    row, warband = fought(ada, ben, cleo)
    return reverse("post-battle-show", args=[row.pk, warband.pk])


def stepping(ada: Any, ben: Any, cleo: Any) -> str:
    row, warband = fought(ada, ben, cleo)
    c.begin(row, ada)
    return reverse("post-battle-show", args=[row.pk, warband.pk])


def at_table(ada: Any, ben: Any, cleo: Any) -> str:
    row = c.mustered(c.club(cleo, ada, ben), ada, ben)
    begin_table(battle=row, actor=ada)
    return reverse("battle-track", args=[row.pk])


def rolling(ada: Any, ben: Any, cleo: Any) -> str:
    row = c.mustered(c.club(cleo, ada, ben), ada, ben)
    begin_table(battle=row, actor=ada)
    mine = c.side(row, ada).warband.fighters.order_by("position", "pk").first()
    return f"{reverse('battle-track', args=[row.pk])}?roll=risky&fighter={mine.pk}"


WAYS: dict[str, Callable[..., str]] = {
    "warbands/warband.html": warband_page("warband-show"),
    "warbands/hire.html": warband_page("fighter-hire"),
    "warbands/stash.html": warband_page("stash-show"),
    "warbands/draft_list.html": warband_page("draft-list"),
    "warbands/kit.html": fighter_page("kit-buy"),
    "warbands/upgrades.html": fighter_page("upgrade-buy"),
    "warbands/draft.html": tried,
    "warbands/start.html": lambda ada, ben, cleo: (
        reverse("warband-found") + "?game=trench-crusade/1.0&list=new-antioch"
    ),
    "warbands/paper.html": copied("paper-show"),
    "warbands/paper_fighter.html": copied("paper-fighter", "k1"),
    "campaigns/muster.html": mustering,
    "campaigns/report.html": reporting,
    "campaigns/post_battle_begin.html": beginning,
    "campaigns/step.html": stepping,
    "campaigns/table.html": at_table,
    "campaigns/table_roll.html": rolling,
}


def test_every_page_with_such_a_link_is_tried() -> None:
    there = {str(file.relative_to(TEMPLATES)) for file in TEMPLATES.rglob("*.html") if PART in file.read_text("utf-8")}
    assert there
    assert set(WAYS) - there == {"warbands/warband.html"}  # its link has the name of the act
    assert there <= set(WAYS)


@pytest.mark.parametrize("template", WAYS)
def test_the_next_step_is_within_five_stops(template: str, ada: Any, ben: Any, cleo: Any, signed_in_page: Any) -> None:
    page = signed_in_page(ada, width=1280)
    page.goto(WAYS[template](ada, ben, cleo))
    passed: list[str] = []
    for _stop in range(MOST):
        page.keyboard.press("Tab")
        here = page.evaluate(HERE)
        passed.append(here["words"])
        assert here["seen"], passed
        if here["is_act"]:
            break
        if here["leads"]:
            page.keyboard.press("Enter")
            if page.evaluate(HERE)["is_act"]:
                break
    else:
        pytest.fail(f"not within {MOST} stops: {passed}")
    page.evaluate("window.address = location.href; window.act = document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED)
    page.wait_for_load_state()
