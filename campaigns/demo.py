"""The demonstration club: people, warbands and one campaign for each edition, three rounds in, all created through
the services.

Each game with custom profiles also gets a small campaign, with the invented forces that the game provides.

One seed decides everything random, so that the club is the same each time. Only the dates depend on the current date.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

from campaigns.models import Battle, Campaign, PostBattle, Round, Seat, Side
from campaigns.report_data import mustered
from campaigns.scenarios import deeds_of, has_attacker, scenario_of
from campaigns.sequence import StepSequence
from campaigns.services.answers import confirm_report
from campaigns.services.battle_setup import keep_setup_choice, keep_setup_roll, setup_progress
from campaigns.services.fielding import fielded
from campaigns.services.join import join_campaign
from campaigns.services.muster import keep_muster_roll as roll_at_muster
from campaigns.services.muster import make_side_ready, take_force
from campaigns.services.open import open_campaign
from campaigns.services.post_battle import (
    close_post_battle,
    finish_step,
    keep_choice,
    keep_roll,
    start_post_battle,
    write_task,
)
from campaigns.services.reports import send_report
from campaigns.services.rounds import close_round, open_round, schedule_battle
from campaigns.settings_schema import CAMPAIGN_SETTINGS
from rules.dice import SeededDice
from rules.game import Game
from rules.parts.offer import Offer
from rules.problems import Refusal
from rules.registry import system, systems
from rules.resolution import Asked, Task
from warbands.adapters import force_of
from warbands.models import Fighter, Warband
from warbands.services.founding import copy_sample, found_warband, make_ready, terms_for
from warbands.services.hire import hire_fighter
from warbands.services.kit import buy_item

CAMPAIGN, SECOND_CAMPAIGN = "The Winter at Gallows Weir", "The Drowned Road"
GAME = "trench-crusade"
OWN_LISTS = (
    "The Wire at Lamb's Ford",
    "The Old Canal",
)  # campaigns of the games with custom profiles, in the order of these games
ROUNDS_PLAYED, ROUNDS_PLANNED = 3, 12
SPARE_DUCATS = 40


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """A member of the club. `sample` is the sample that the player's warband started from."""

    username: str
    name: str
    sample: str = ""
    warband: str = ""
    hires: str = ""  # the profile that they hire when there is money


PLAYERS = (
    ClubPlayer("ada", "Ada", "lantern-wardens", "The Lantern Wardens", "yeoman"),
    ClubPlayer("ben", "Ben", "gallows-choir", "Choir of Brass", "heretic-trooper"),
    ClubPlayer("orsola", "Orsola", "iron-hour", "Orsola's Spades", "shocktrooper"),
    ClubPlayer("wulf", "Wulf", "gilded-table", "Wolves of the Weir", "heretic-trooper"),
)
ADMINISTRATOR = ClubPlayer("cleo", "Cleo")
NEWCOMER = ClubPlayer("dora", "Dora")
SECOND_PLAYERS = (
    ClubPlayer("ada", "Ada", "sons-of-the-bog", "The Peat Lanterns", "yeoman"),
    ClubPlayer("ben", "Ben", "drowned-company", "The Company of Salt", "heretic-trooper"),
)
PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


class Demo:
    """Creates the demonstration club. `make()` returns None if the campaign already exists."""

    def __init__(self, seed: str = "muster-roll", today: date | None = None) -> None:
        self.dice = SeededDice(seed)
        self.whim = random.Random(seed)
        self.today = today or date.today()
        self.people: dict[str, Any] = {}
        self.hires: dict[int, str] = {}  # the profile that each warband hires when there is money

    def make(self) -> Campaign | None:
        """Create the whole club. Raises Refusal if a service refuses."""
        if Campaign.objects.filter(name=CAMPAIGN).exists():
            return None
        for person in (*PLAYERS, ADMINISTRATOR, NEWCOMER):
            self.people[person.username] = self._person(person)
        cleo = self.people[ADMINISTRATOR.username]
        newest, *_, oldest = system(GAME).editions()
        campaign = open_campaign(
            actor=cleo,
            name=CAMPAIGN,
            edition=oldest,
            starts_on=self.today - timedelta(weeks=7),
            rounds_planned=ROUNDS_PLANNED,
            seen_by=str(Campaign.SeenBy.LINK),
            settings={"tie_break": "wins"} if "tie_break" in {setting.key for setting in CAMPAIGN_SETTINGS} else None,
        )
        invitation = campaign.invitations.live().get(is_revoked=False)
        seats = [self._seat(campaign, invitation.token, person) for person in PLAYERS]
        for number in range(ROUNDS_PLAYED):
            round_ = self._round(campaign, number)
            for pair in PAIRINGS[number]:
                self._evening(campaign, round_, [seats[n] for n in pair], number)
            close_round(round=round_, actor=cleo)
        self._tonight(campaign, seats)
        self._second_warband(oldest)
        self._second_campaign(newest)
        written = [game for game in systems() if game.profiles is not None]
        for name, game in zip(OWN_LISTS, written, strict=False):
            self._small_campaign(name, game)
        return campaign

    def _small_campaign(self, name: str, game: Game) -> None:
        """Let Ada and Ben play a battle with losses between two invented forces of a game, and muster another battle."""
        cleo, edition = self.people[ADMINISTRATOR.username], game.document_edition()
        campaign = open_campaign(
            actor=cleo,
            name=name,
            system=game.id,
            edition=edition,
            starts_on=self.today - timedelta(weeks=3),
            rounds_planned=4,
        )
        invitation = campaign.invitations.live().get(is_revoked=False)
        samples = game.founding.samples(game.content(edition))
        players = [
            ClubPlayer(who.username, who.name, sample, title)
            for who, (sample, title, _, _) in zip(SECOND_PLAYERS, samples, strict=False)
        ]
        seats = [self._seat(campaign, invitation.token, person) for person in players]
        self._evening(campaign, self._round(campaign, ROUNDS_PLAYED - 1), seats, ROUNDS_PLAYED - 1)
        self._battle(campaign, self._latest_round(campaign), seats, self.today)

    def _latest_round(self, campaign: Campaign) -> Round:
        return Round.objects.live().filter(campaign=campaign).latest("number")

    def _second_campaign(self, edition: str) -> None:
        """Create a campaign of another edition for Ada and Ben, with separate warbands and three complete rounds."""
        cleo = self.people[ADMINISTRATOR.username]
        campaign = open_campaign(
            actor=cleo,
            name=SECOND_CAMPAIGN,
            edition=edition,
            starts_on=self.today - timedelta(weeks=7),
            rounds_planned=ROUNDS_PLANNED,
        )
        invitation = campaign.invitations.live().get(is_revoked=False)
        seats = [self._seat(campaign, invitation.token, person) for person in SECOND_PLAYERS]
        for number in range(ROUNDS_PLAYED):
            round_ = self._round(campaign, number)
            self._evening(campaign, round_, seats, number)
            close_round(round=round_, actor=cleo)

    # --- people and warbands
    def _person(self, person: ClubPlayer) -> Any:
        users = get_user_model().objects
        user, made = users.get_or_create(
            username=person.username, defaults={"first_name": person.name, "email": f"{person.username}@club.example"}
        )
        if made:
            user.set_password(settings.DEMO_PASSWORD)
            user.save(update_fields=["password"])
        return user

    def _seat(self, campaign: Campaign, invitation: str, person: ClubPlayer) -> Seat:
        user = self.people[person.username]
        warband = copy_sample(
            actor=user, owner=user, terms=campaign.terms, sample_id=person.sample, name=person.warband
        )
        make_ready(warband=warband, actor=user)
        self.hires[warband.pk] = person.hires
        return join_campaign(invitation_token=invitation, actor=user, warband=warband)

    def _second_warband(self, edition: str) -> None:
        ada = self.people["ada"]
        warband = found_warband(
            actor=ada,
            owner=ada,
            terms=terms_for(GAME, edition),
            list_id="heretic-legion",
            name="The Sodden Bell",
        )
        for profile in ("heretic-trooper", "heretic-trooper", "wretched"):
            self._hire(warband, ada, profile)

    # --- rounds and battles
    def _round(self, campaign: Campaign, number: int) -> Round:
        starts = self.today - timedelta(weeks=2 * (ROUNDS_PLAYED - number) + 1)
        return open_round(
            campaign=campaign, actor=self.people["cleo"], starts_on=starts, ends_on=starts + timedelta(days=13)
        )

    def _evening(self, campaign: Campaign, round_: Round, seats: Sequence[Seat], number: int) -> None:
        played = self.today - timedelta(weeks=2 * (ROUNDS_PLAYED - number) - 1, days=2)
        battle = self._battle(campaign, round_, seats, played)
        sides = list(battle.sides.live().select_related("seat__user", "warband__terms", "warband__owner"))
        reporter, other = sides
        self._report(battle, sides, reporter, played)
        confirm_report(battle=_again(battle), side=other, actor=other.seat.user)
        for side in sides:
            self._resolve(side)

    def _battle(self, campaign: Campaign, round_: Round, seats: Sequence[Seat], day: date) -> Battle:
        cleo = self.people["cleo"]
        battle = schedule_battle(campaign=campaign, actor=cleo, seats=seats, round=round_, planned_for=day)
        self._set_up(battle, "scenario", seats[0].user)
        if has_attacker(_again(battle)):
            self._set_up(battle, "attacker", seats[0].user)
        for side in (
            _again(battle)
            .sides.live()
            .select_related("seat__user", "warband__terms", "warband__owner", "battle__campaign__terms")
        ):
            self._muster(side)
        return _again(battle)

    def _set_up(self, battle: Battle, what: str, actor: Any) -> None:
        for _ in range(40):
            battle = _again(battle)
            progress = setup_progress(battle, what)
            if progress.outcome is not None:
                return
            if progress.need is not None:
                keep_setup_roll(battle=battle, what=what, actor=actor, source="app", dice=self.dice)
            elif progress.asked is not None:
                keep_setup_choice(
                    battle=battle,
                    what=what,
                    choice_key=progress.asked.key,
                    value=self._choice(progress.asked),
                    actor=actor,
                )
        raise Refusal(f"The {what} came to no end.")

    def _muster(self, side: Side) -> None:
        actor = side.seat.user
        state = fielded(side.battle, side, taken=())
        chosen: list[str] = []
        problems = len(state.verdict.errors)  # a scenario may require more fighters than are chosen yet
        for row in sorted(state.rows, key=lambda r: (not r.elite, -r.rating.ducats)):
            if row.closed:
                continue
            tried = fielded(side.battle, side, taken=[*chosen, row.fighter])
            if len(tried.verdict.errors) <= problems:
                chosen.append(row.fighter)
                problems = len(tried.verdict.errors)
        everybody = [row.fighter for row in state.rows if not row.closed]
        if len(chosen) < len(everybody) and len(fielded(side.battle, side, taken=everybody).verdict.errors) <= problems:
            chosen = everybody  # some are illegal alone and legal together: platoons with their company
        take_force(side=side, fighters=chosen, actor=actor)
        side = Side.objects.select_related(
            "seat__user", "warband__terms", "warband__owner", "battle__campaign__terms"
        ).get(pk=side.pk)
        for fighter in fielded(side.battle, side).owed:
            roll_at_muster(side=side, fighter=fighter, actor=actor, source="app", dice=self.dice)
        make_side_ready(
            side=Side.objects.select_related(
                "seat__user", "warband__terms", "warband__owner", "battle__campaign__terms"
            ).get(pk=side.pk),
            actor=actor,
        )

    def _report(self, battle: Battle, sides: Sequence[Side], reporter: Side, day: date) -> None:
        points = {str(side.pk): self.whim.randint(0, 5) for side in sides}
        best = [key for key, number in points.items() if number == max(points.values())]
        winner = best[0] if len(best) == 1 else None
        taken = {str(side.pk): list(mustered(side)) for side in sides}
        out = {key: self._fallen(key, taken) for key in taken}
        deeds = self._deeds(battle, taken, out)
        data: dict[str, Any] = {"winner": winner, "points": points, "out": out, "deeds": deeds}
        losses = {str(side.pk): lost for side in sides if (lost := self._losses(side, taken[str(side.pk)], out))}
        if losses:
            data["losses"] = losses
        scenario = scenario_of(battle)
        if scenario is not None and scenario.winner == "none":
            data["winner"], data["outcome"] = None, "none"
        send_report(battle=battle, actor=reporter.seat.user, by_side=reporter, data=data, played_on=day)

    def _fallen(self, side: str, taken: dict[str, list[str]]) -> dict[str, str]:
        foe = next(key for key in taken if key != side)
        fallen = self.whim.sample(taken[side], k=min(len(taken[side]), self.whim.randint(1, 3)))
        return {key: foe if self.whim.random() < 0.85 else "" for key in fallen}

    def _deeds(self, battle: Battle, taken: dict[str, list[str]], out: dict[str, dict[str, str]]) -> list[list[str]]:
        deeds = []
        for deed in list(deeds_of(battle))[: self.whim.randint(1, 2)]:
            doer = self.whim.choice(list(taken))
            standing = [key for key in taken[doer] if key not in out[doer]] or taken[doer]
            deeds.append([deed.id, doer, "" if deed.by_warband else self.whim.choice(standing)])
        return deeds

    def _losses(self, side: Side, taken: Sequence[str], out: dict[str, dict[str, str]]) -> dict[str, dict[str, int]]:
        """Return random losses for fighters that are rows of several models. A single model has none."""
        terms = side.warband.terms
        lost: dict[str, dict[str, int]] = {}
        if terms.game.profiles is None:
            return lost
        for row in Fighter.objects.filter(pk__in=taken).order_by("position", "pk"):
            parts = [
                (name, left) for _, name, left, _ in terms.game.profiles.losable(terms.content, row.state) if left > 1
            ]
            if parts and str(row.pk) not in out[str(side.pk)] and self.whim.random() < 0.6:
                name, left = parts[0]
                lost[str(row.pk)] = {name: self.whim.randint(1, min(2, left - 1))}
        return lost

    # --- after the battle
    def _resolve(self, side: Side, *, until: str = "") -> None:
        """Go through the whole sequence, or stop before the step `until`."""
        actor = side.seat.user
        row = start_post_battle(side=_fresh_side(side), actor=actor)
        sequence: StepSequence | None = None
        for _ in range(60):
            sequence = _read(row, sequence)
            step = sequence.current()
            if step is None or step.kind == "close":
                break
            if step.id == until:
                return
            if step.kind == "camp":
                self._spend(sequence.post_battle.warband, actor, step.doors)
                sequence = _read(row, sequence)
            while task := _first_open(sequence, step.id):
                sequence = self._settle(sequence, task, actor)
            finish_step(post_battle=sequence.post_battle, step=step.id, actor=actor)
        assert sequence is not None
        for task in sequence.waiting(step.id) if step is not None else ():
            sequence = self._answer(sequence, task, actor)
        close_post_battle(post_battle=sequence.post_battle, actor=actor)

    def _settle(self, sequence: StepSequence, task: Task, actor: Any) -> StepSequence:
        sequence = self._answer(sequence, task, actor)
        write_task(post_battle=sequence.post_battle, task_key=task.key, actor=actor, known=sequence)
        return _read(sequence.post_battle, sequence)

    def _answer(self, sequence: StepSequence, task: Task, actor: Any) -> StepSequence:
        """Roll and choose to the end of a task. Returns the sequence as it is then."""
        for _ in range(60):
            progress = sequence.progress(sequence.find(task.key)[1])
            if progress.outcome is not None:
                return sequence
            of_task: dict[str, Any] = {"post_battle": sequence.post_battle, "task_key": task.key, "known": sequence}
            if progress.need is not None:
                keep_roll(**of_task, actor=actor, source="app", dice=self.dice)
            elif progress.asked is not None:
                keep_choice(**of_task, actor=actor, choice_key=progress.asked.key, value=self._choice(progress.asked))
            sequence = _read(sequence.post_battle, sequence)
        raise Refusal(f"{task.title} came to no end.")

    def _choice(self, asked: Asked) -> Any:
        """Make a decision: explore before reinforcing, stop changing dice, otherwise choose at random."""
        options = [option for option in asked.options if not option.closed]
        values = [option.value for option in options]
        if asked.kind == "one":
            for wanted in ("explore", "done", "keep", "no", "stop"):
                if wanted in values:
                    return wanted
            return self.whim.choice(values)
        if asked.kind == "some":
            return values[: asked.most] if asked.least else values[: max(1, asked.least)]
        if asked.kind == "allot":
            given: dict[str, int] = {}
            left = asked.total
            for value in values:
                given[value] = min(left, asked.limits.get(value, left), 2)
                left -= given[value]
            return given
        return asked.least

    # --- camp
    def _spend(self, warband: Warband, actor: Any, doors: Sequence[str]) -> None:
        """Hire one more fighter if the list has room, and arm fighters without a weapon."""
        profile = self.hires[warband.pk]
        for _ in range(3):
            before = _roster(warband).strongbox_ducats
            if before < 2 * SPARE_DUCATS:
                break
            if "hire" in doors:
                self._hire(warband, actor, profile)
            for fighter in (
                Fighter.objects.live().filter(warband=warband, status=Fighter.Status.ACTIVE, items=None)
                if "buy" in doors
                else ()
            ):
                self._buy(warband, fighter, actor, ("ranged", "melee"))
            if _roster(warband).strongbox_ducats == before:
                break
        for fighter in (
            Fighter.objects.live().filter(warband=warband, status=Fighter.Status.ACTIVE) if "buy" in doors else ()
        ):
            if _roster(warband).strongbox_ducats > SPARE_DUCATS:
                self._buy(warband, fighter, actor, ("armour",))

    def _hire(self, warband: Warband, actor: Any, profile: str) -> None:
        warband = _roster(warband)
        offers = warband.terms.game.hire_offers(warband.terms.content, force_of(warband))
        offer = next((o for o in offers if o.ref == profile and o.state != "closed"), None)
        if offer is not None and (warband.is_founding or self._affords(warband, offer)):
            hire_fighter(warband=warband, offer_id=offer.id, actor=actor)

    def _buy(self, warband: Warband, fighter: Fighter, actor: Any, groups: tuple[str, ...]) -> None:
        """Buy the most expensive plain item of these groups that the fighter may carry and the strongbox can pay for."""
        warband = _roster(warband)
        shop = warband.terms.game.shop
        assert shop is not None, "the demo buys in games that have a shop"
        offers = shop.item_offers(warband.terms.content, force_of(warband), str(fighter.pk))
        fitting = [
            o
            for o in offers
            if o.state == "open"
            and o.group.lower().startswith(groups)
            and not o.price.glory
            and not o.options
            and not o.choices
        ]
        affordable = [o for o in fitting if self._affords(warband, o) and o.price.ducats <= 15]
        if affordable:
            best = max(affordable, key=lambda o: (o.price.ducats, o.name))
            buy_item(warband=warband, offer_id=best.id, fighter=fighter, actor=actor)

    @staticmethod
    def _affords(warband: Warband, offer: Offer) -> bool:
        return warband.strongbox_ducats >= offer.price.ducats and warband.strongbox_glory >= offer.price.glory

    # --- the fourth round, under way
    def _tonight(self, campaign: Campaign, seats: Sequence[Seat]) -> None:
        """Report Ada's battle against Ben and schedule two more.

        The report waits on Ada's desk, and Ada's sequence is at its second step.
        """
        cleo = self.people["cleo"]
        round_ = open_round(
            campaign=campaign,
            actor=cleo,
            starts_on=self.today - timedelta(days=7),
            ends_on=self.today + timedelta(days=6),
        )
        battle = self._battle(campaign, round_, seats[:2], self.today - timedelta(days=1))
        sides = list(battle.sides.live().select_related("seat__user", "warband__terms", "warband__owner"))
        self._report(battle, sides, sides[1], self.today - timedelta(days=1))
        first = (
            StepSequence(_fresh(start_post_battle(side=_fresh_side(sides[0]), actor=sides[0].seat.user))).steps[1].id
        )
        self._resolve(sides[0], until=first)
        schedule_battle(
            campaign=campaign, actor=cleo, seats=seats[2:], round=round_, planned_for=self.today + timedelta(days=3)
        )


def _first_open(sequence: StepSequence, step: str) -> Task | None:
    return next(
        (task for task in sequence.tasks(step) if not task.optional and not sequence.is_written(task.key)), None
    )


def _again(battle: Battle) -> Battle:
    return Battle.objects.select_related("campaign__terms").get(pk=battle.pk)


def _fresh(row: PostBattle) -> PostBattle:
    return PostBattle.objects.select_related(
        "side__seat__user", "side__battle__campaign__terms", "warband__terms", "warband__owner"
    ).get(pk=row.pk)


def _read(row: PostBattle, before: StepSequence | None) -> StepSequence:
    return before.again(_fresh(row)) if before is not None else StepSequence(_fresh(row))


def _fresh_side(side: Side) -> Side:
    return Side.objects.select_related("seat__user", "battle__campaign__terms", "warband__terms", "warband__owner").get(
        pk=side.pk
    )


def _roster(warband: Warband) -> Warband:
    return Warband.objects.select_related("terms", "owner").get(pk=warband.pk)
