"""The app's dice at a table: sealed before the first roll, secret until the report, the same for the same act, and checked by the script."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import serializers
from django.test import Client
from django.urls import reverse

from accounts.export import exported_data
from campaigns.dice_record import SCRIPT, dice_document
from campaigns.models import Battle, Campaign, DiceSeed, Table, TableAct
from campaigns.services.muster import make_side_ready, take_back_ready, take_force
from campaigns.services.tracker import act_at_table, begin_table, dice_wanted, lay_anew, roll_at_table, undo_at_table
from campaigns.services.void import void_battle
from rules.dice import seal_of
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.drills import WHOLE
from tests.module_story import story
from tests.unit.campaigns.test_gloom_trench_tracker import Laid
from tests.unit.campaigns.test_tracker import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def evening(ada: Any, ben: Any, cleo: Any) -> Evening:
    """Ada and Ben at the table, in a campaign that whoever has its link may watch."""
    return Evening(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)


def rolled(evening: Any, roll: str, actor: Any = None, **data: str) -> TableAct:
    return roll_at_table(battle=evening.battle, actor=actor or evening.cleo, roll=roll, data=data, source="app")


def undone(evening: Any, act: TableAct) -> None:
    undo_at_table(battle=evening.battle, actor=evening.cleo, number=act.number)


def faces(act: TableAct) -> list[list[int]]:
    return [draw["faces"] for draw in act.dice]


def hurts(evening: Evening, place: int, target: int) -> TableAct:
    fighter, foe = evening.own(evening.ada, place), evening.own(evening.ben, target)
    return rolled(evening, "injury", fighter=fighter, target=foe, injury_dice="6", armour="0")


def reported(battle: Battle, by: Any) -> None:
    c.fight(battle, by=by)
    battle.refresh_from_db()


def record(battle: Battle) -> dict[str, Any]:
    return dice_document(battle, Table.objects.get(battle=battle))


def checked(document: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the published script, as anybody would."""
    (folder / "dice.json").write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-I", str(SCRIPT), "dice.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


# --- the same act, the same dice --------------------------------------------------------------------------------------------


def test_undo_and_another_try_give_the_same_faces(evening: Evening) -> None:
    first = hurts(evening, 0, 1)
    undone(evening, first)
    for fighter in (1, 2):  # whatever falls in between
        rolled(evening, "success", fighter=evening.own(evening.ada, fighter))
    again = hurts(evening, 0, 1)
    assert faces(again) == faces(first)
    assert [draw["identity"] for draw in again.dice] == [draw["identity"] for draw in first.dice]


def test_another_target_and_another_fighter_have_dice_of_their_own_in_whatever_order(evening: Evening) -> None:
    def tried(place: int, target: int) -> list[list[int]]:
        act = hurts(evening, place, target)
        undone(evening, act)
        return faces(act)

    pairs = [(0, 1), (0, 2), (1, 1)]
    forwards = {pair: tried(*pair) for pair in pairs}
    assert len({str(found) for found in forwards.values()}) == 3
    assert {pair: tried(*pair) for pair in reversed(pairs)} == forwards


def test_more_dice_for_the_same_act_come_after_the_same_first_ones(evening: Evening) -> None:
    fighter = evening.own(evening.ada)
    first = rolled(evening, "success", fighter=fighter)
    undone(evening, first)
    more = rolled(evening, "success", fighter=fighter, dice="2")
    assert more.dice[0]["faces"][:2] == first.dice[0]["faces"]
    assert len(more.dice[0]["faces"]) == 4


def test_what_a_roll_does_not_ask_brings_no_other_dice(evening: Evening) -> None:
    """Somebody who sends more than the form asks, to get another identity, gets the same dice."""
    fighter, other = evening.own(evening.ada), evening.own(evening.ada, 1)
    first = rolled(evening, "success", fighter=fighter)
    for extra in ({"target": other}, {"side": evening.key(evening.ben)}, {"struck": other}, {"arm": "x"}):
        undone(evening, TableAct.objects.filter(data__kind="roll").latest("number"))
        assert faces(rolled(evening, "success", fighter=fighter, **extra)) == faces(first)


def test_the_second_act_of_a_kind_has_its_own_dice_and_keeps_its_number(evening: Evening) -> None:
    fighter = evening.own(evening.ada)
    acts = [rolled(evening, "success", fighter=fighter, dice="6") for _ in range(3)]
    assert [act.dice[0]["identity"][-2] for act in acts] == ["1", "2", "3"]
    assert len({str(faces(act)) for act in acts}) == 3
    undone(evening, acts[1])
    assert faces(rolled(evening, "success", fighter=fighter, dice="6")) == faces(acts[1])
    act_at_table(battle=evening.battle, actor=evening.ada, data={"kind": "turn", "turn": 1, "anyway": True})
    later = rolled(evening, "success", fighter=fighter, dice="6")
    assert later.dice[0]["identity"][0] == "2"
    assert faces(later) not in [faces(act) for act in acts]


def test_typed_dice_do_not_take_the_place_of_the_apps(evening: Evening) -> None:
    act = hurts(evening, 0, 1)
    undone(evening, act)
    data = {"fighter": evening.own(evening.ada), "target": evening.own(evening.ben, 1), "armour": "0"}
    once = {"battle": evening.battle, "roll": "injury"}
    with pytest.raises(Refusal, match="these dice stay"):
        dice_wanted(**once, data=data)
    other = {**data, "target": evening.own(evening.ben, 2)}
    with pytest.raises(Refusal, match="so the app rolls now too"):
        dice_wanted(**once, data=other)
    with pytest.raises(Refusal, match="so the app rolls now too"):
        roll_at_table(**once, actor=evening.ada, data=other, source="typed", faces=(6, 6))


def test_starting_over_keeps_the_seal_and_counts_what_was_left_behind(evening: Evening) -> None:
    seal = Table.objects.get().seal
    first = rolled(evening, "success", fighter=evening.own(evening.ada))
    gone = evening.own(evening.ada, -1)
    side = c.side(evening.battle, evening.ada)
    left = [fighter.key for fighter in evening.state.of(evening.key(evening.ada)) if fighter.key != gone]
    take_back_ready(side=side, actor=evening.ada)
    take_force(side=c.side(evening.battle, evening.ada), fighters=left, actor=evening.ada)
    make_side_ready(side=c.side(evening.battle, evening.ada), actor=evening.ada)
    lay_anew(battle=evening.battle, actor=evening.ada)
    assert faces(rolled(evening, "success", fighter=evening.own(evening.ada))) == faces(first)
    assert Table.objects.get().seal == seal
    assert DiceSeed.objects.count() == 1
    assert [throw["taken_back"] for throw in record(evening.battle)["throws"]] == [True, False]
    reported(evening.battle, evening.ada)
    name = evening.club.warband(evening.ada).name
    client = Client()
    client.force_login(evening.ada)
    for page in ("battle-show", "report-confirm", "dice-check"):
        assert f"{name} 1" in client.get(reverse(page, args=[evening.battle.pk])).content.decode(), page


def test_the_report_says_how_many_rolls_were_taken_back_before_it_is_sent(evening: Evening, client: Client) -> None:
    client.force_login(evening.ada)
    here = reverse("battle-report", args=[evening.battle.pk])
    assert "taken back" not in client.get(here).content.decode()
    act = rolled(evening, "success", fighter=evening.own(evening.ada))
    assert "Rolls taken back at the table: none." in client.get(here).content.decode()
    undone(evening, act)
    test = rolled(evening, "initiative") if not evening.state.initiative else None
    if test is not None and test.dice:
        undone(evening, test)
    page = client.get(here).content.decode()
    assert f"Rolls taken back at the table: {evening.club.warband(evening.ada).name} 1" in page


def test_a_table_from_before_seals_says_so_and_goes_on(evening: Evening, client: Client) -> None:
    Table.objects.update(seal="")
    DiceSeed.objects.all().delete()
    fighter = evening.own(evening.ada)
    first = rolled(evening, "success", fighter=fighter)
    assert "identity" not in first.dice[0]
    undone(evening, first)
    assert faces(rolled(evening, "success", fighter=fighter)) == faces(first)  # as it was before
    client.force_login(evening.ada)
    assert "Dice not sealed" in client.get(reverse("battle-track", args=[evening.battle.pk])).content.decode()
    assert "not sealed" in client.get(reverse("dice-check", args=[evening.battle.pk])).content.decode()
    reported(evening.battle, evening.ada)
    assert (record(evening.battle)["seal"], record(evening.battle)["seed"]) == ("", "")


# --- sealed, then open -------------------------------------------------------------------------------------------------------


def test_both_sides_and_spectators_see_the_seal_from_the_start(evening: Evening, client: Client) -> None:
    seal = Table.objects.get().seal
    assert seal == seal_of(DiceSeed.objects.get().seed)
    assert not TableAct.objects.exclude(data__kind="begin").exists()
    slug = Campaign.objects.get(pk=evening.battle.campaign_id).slug
    for user in (evening.ada, evening.ben, None):
        client.logout()
        if user is not None:
            client.force_login(user)
        table = (
            reverse("battle-track", args=[evening.battle.pk])
            if user
            else reverse("table-watch", args=[slug, evening.battle.pk])
        )
        check = (
            reverse("dice-check", args=[evening.battle.pk])
            if user
            else reverse("dice-watch", args=[slug, evening.battle.pk])
        )
        page = client.get(table).content.decode()
        assert f"Dice sealed: {seal[:12]}" in page
        assert f'href="{check}"' in page
        assert seal in client.get(check).content.decode()


def test_where_only_own_dice_are_rolled_no_seal_is_shown(evening: Evening, client: Client) -> None:
    Campaign.objects.update(dice=Campaign.Dice.TYPED)
    client.force_login(evening.ada)
    assert "Dice sealed" not in client.get(reverse("battle-track", args=[evening.battle.pk])).content.decode()


def test_nothing_gives_the_seed_away_before_the_report(
    evening: Evening, ben: Any, dora: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """All answers of all roles to all addresses of the battle, exports, logs, and the admin site."""
    caplog.set_level("DEBUG")
    battle, seed = evening.battle, DiceSeed.objects.get().seed
    slug = Campaign.objects.get(pk=battle.campaign_id).slug
    superuser = type(evening.ada).objects.create_superuser("root", "root@example.org", "a long password")
    undone(evening, rolled(evening, "success", fighter=evening.own(evening.ada)))
    act_at_table(battle=battle, actor=evening.ada, data={"kind": "end"})
    table = Table.objects.get()
    of_battle = (
        "battle-show",
        "battle-track",
        "battle-report",
        "report-confirm",
        "force-select",
        "dice-check",
        "dice-export",
    )
    paths = [reverse(name, args=[battle.pk]) for name in of_battle]
    paths += [
        f"{reverse('battle-track', args=[battle.pk])}?{more}" for more in ("tab=log", "roll=success", "roll=initiative")
    ]
    paths += [
        reverse(name, args=[slug, battle.pk])
        for name in ("table-watch", "dice-watch", "dice-watch-export", "battle-watch")
    ]
    paths += [reverse("campaign-show", args=[battle.campaign_id]), reverse("account-export"), reverse("desk-show")]
    paths += [
        f"/admin/campaigns/{model}/{pk}change/"
        for model, pk in (("table", f"{table.pk}/"), ("battle", f"{battle.pk}/"))
    ]
    paths += ["/admin/", "/admin/campaigns/", "/admin/campaigns/table/", "/admin/campaigns/diceseed/"]
    shown = 0
    for user in (None, dora, ben, evening.ada, evening.cleo, superuser):
        client = Client()
        if user is not None:
            client.force_login(user)
        for path in paths:
            parts = ({"HTTP_X_TABLE": "1"}, {"HTTP_HX_REQUEST": "true"})
            for headers in ({}, *(parts if WHOLE or "track" in path or "watch" in path else ())):
                answer = client.get(path, **headers)
                text = answer.content.decode(errors="replace") + str(dict(answer.headers))
                assert seed not in text, (user, path)
                shown += answer.status_code == 200
        phone = client.get(f"{reverse('battle-track', args=[battle.pk])}?since=1", HTTP_X_TABLE="1")
        assert seed not in phone.content.decode()
    assert shown > 60
    for user in (evening.ada, evening.ben, evening.cleo):
        assert seed not in json.dumps(exported_data(user), default=str)
    kept = (*Table.objects.all(), *TableAct.objects.all(), *Battle.objects.all(), *Campaign.objects.all())
    assert seed not in serializers.serialize("json", kept)
    assert record(battle)["seed"] == ""
    assert seed not in repr(DiceSeed.objects.get()) + str(table) + caplog.text


def test_the_seed_is_open_once_the_report_is_sent_and_nobody_rolls_after_that(evening: Evening, client: Client) -> None:
    seed = DiceSeed.objects.get().seed
    rolled(evening, "success", fighter=evening.own(evening.ada))
    reported(evening.battle, evening.ada)
    slug = Campaign.objects.get(pk=evening.battle.campaign_id).slug
    for user, name, address in (
        (evening.ben, "dice-check", [evening.battle.pk]),
        (evening.ben, "dice-export", [evening.battle.pk]),
        (None, "dice-watch", [slug, evening.battle.pk]),
        (None, "dice-watch-export", [slug, evening.battle.pk]),
    ):
        client.logout()
        if user is not None:
            client.force_login(user)
        assert seed in client.get(reverse(name, args=address)).content.decode()
    with pytest.raises(Refusal, match="Tracking has ended"):
        rolled(evening, "success", fighter=evening.own(evening.ada))
    void_battle(battle=evening.battle, actor=evening.cleo, words="Wrong scenario")
    evening.battle.refresh_from_db()
    assert record(evening.battle)["seed"] == seed
    with pytest.raises(Refusal, match="Tracking has ended"):
        rolled(evening, "success", fighter=evening.own(evening.ada))


# --- anybody can check -------------------------------------------------------------------------------------------------------


@pytest.mark.one_database
def test_the_published_script_agrees_with_all_rolls(evening: Evening, tmp_path: Path) -> None:
    chance, many = random.Random(14), 200 if WHOLE else 60
    fighters = {
        user: [fighter.key for fighter in evening.state.of(evening.key(user))] for user in (evening.ada, evening.ben)
    }
    for number in range(many):
        user = chance.choice((evening.ada, evening.ben))
        data = {"fighter": chance.choice(fighters[user]), "dice": str(chance.randint(-6, 6))}
        act = rolled(evening, "success", **data)
        if chance.random() < 0.2:
            undone(evening, act)
        if number % 20 == 19:
            turn = {"kind": "turn", "turn": evening.state.turn, "anyway": True}
            act_at_table(battle=evening.battle, actor=evening.cleo, data=turn)
    roll_at_table(
        battle=evening.battle, actor=evening.ada, roll="success", data={"fighter": fighters[evening.ada][0]}, source="typed",
        faces=(6, 6),
    )  # fmt: skip
    early = checked(record(evening.battle), tmp_path)
    assert early.returncode != 0  # no seed yet
    reported(evening.battle, evening.ada)
    document = record(evening.battle)
    found = checked(document, tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout == f"Seal {Table.objects.get().seal}: {many} throws checked, 0 wrong.\n"
    assert document["throws"][-1]["identity"] is None
    forged = json.loads(json.dumps(document))
    face = forged["throws"][37]["faces"][0]
    forged["throws"][37]["faces"][0] = face % 6 + 1
    wrong = checked(forged, tmp_path)
    assert (wrong.returncode, wrong.stdout.rpartition(", ")[2]) == (1, "1 wrong.\n")
    assert checked({**document, "seal": seal_of("00" * 32)}, tmp_path).stderr == "The seed does not fit the seal.\n"


def test_the_page_shows_the_script_that_the_documents_hold(evening: Evening, client: Client) -> None:
    client.force_login(evening.ben)
    page = client.get(reverse("dice-check", args=[evening.battle.pk]))
    script = (Path(settings.BASE_DIR) / "docs" / "check_dice.py").read_text(encoding="utf-8")
    assert page.context["page"].script == script
    code = [line for line in script.splitlines() if line and not line.startswith(('"""', "import"))]
    assert len(code) <= 20


# --- the other games ---------------------------------------------------------------------------------------------------------


def test_gloom_trench_rolls_from_the_seal(ada: Any, ben: Any, cleo: Any, tmp_path: Path) -> None:
    laid = Laid(ada, ben, cleo)
    for step in ("setup", "effects"):
        laid.do("next", **{"from": step})
    first = rolled(laid, "pool", side=laid.mine)
    undone(laid, first)
    theirs = rolled(laid, "pool", side=laid.theirs)
    assert faces(rolled(laid, "pool", side=laid.mine)) == faces(first)
    assert theirs.dice[0]["identity"][:5] == ["1", laid.theirs, "", "pool", ""]
    for step in ("pool", "bag"):
        laid.do("next", **{"from": step})
    laid.do("taken", whose=laid.mine)
    drawn = rolled(laid, "draw")
    undone(laid, drawn)
    assert faces(rolled(laid, "draw")) == faces(drawn)
    assert rolled(laid, "dice", count="12", die="D12").dice[0]["sides"] == 12
    reported(laid.battle, ada)
    assert checked(record(laid.battle), tmp_path).returncode == 0


def test_a_trench_too_far_rolls_from_the_seal(ada: Any, ben: Any, cleo: Any, tmp_path: Path) -> None:
    made = c.Club(c.open_campaign(actor=cleo, name="The Canal", system="trench-too-far", edition=""), cleo)
    for player, sample in ((ada, "canal-company"), (ben, "quarry-company")):
        c.joins(made, player, sample=sample)
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=battle, actor=ada)

    def initiative() -> TableAct:
        return roll_at_table(battle=battle, actor=cleo, roll="initiative", data={}, source="app")

    first = initiative()
    undo_at_table(battle=battle, actor=cleo, number=first.number)
    assert faces(initiative()) == faces(first)
    assert first.dice[0]["identity"][3] == "initiative"
    reported(battle, ada)
    assert checked(record(battle), tmp_path).returncode == 0
