"""Large sites: rows by the hundred thousand, written straight into PostgreSQL in the shape that the services give them.

`grow(like, times)` adds to a site with a scene (see `tests.scene`) one campaign with four warbands and twenty battles for each of the
`times`, eighty-odd events a battle. `widen(like, count)` adds so many campaigns of a club's size: ten warbands, 125 fighters and 2,500
events each. Both fill what is missing where less was there before. The first people of a campaign are real users who can sign in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.utils import timezone
from django.utils.text import slugify

from campaigns.models import Administrator, Battle, Campaign, Invitation, PostBattle, Report, Round, Seat, Side
from warbands.models import Event, Fighter, Item, Snapshot, Terms, Warband

A_ROUND = 20
OPEN, OPEN_EVERY, REPORTED_EVERY = (3, 9), 20, 25  # of so many battles these are still ahead, or wait for an answer
QUIET = ("roll", "choose", "step", "fought", "write", "force", "scenario", "attacker", "muster-roll")
LABEL = {model: f"{model._meta.app_label}.{model._meta.object_name}" for model in (Warband, Fighter, Battle, Campaign)}


@dataclass(frozen=True, slots=True)
class Size:
    """What a campaign has. `prefix` begins the names of its people; `fighters` of two warbands, 0: as many as the one they are like."""

    name: str
    prefix: str
    warbands: int
    battles: int
    events_of_a_battle: int
    events_of_a_warband: int
    fighters: int = 0


def long_war(times: int) -> Size:
    return Size("The Long War", "large", 4 * times, 20 * times, 80, 30)


def club(number: int) -> Size:
    """The size of a club's campaign: 10 warbands, 125 fighters, 2,500 events."""
    return Size(f"Club {number}", f"club-{number}", 10, 50, 40, 50, fighters=25)


@dataclass(frozen=True, slots=True)
class Grown:
    """A campaign, and the people who look at it: who runs it, and who leads its first warband."""

    campaign: Campaign
    administrator: Any
    player: Any


def grow(like: Warband, times: int) -> Grown:
    """Grow the large campaign to so many times its first size; its warbands are copies of `like`, as it stands."""
    return _filled(like, [long_war(times)])


def widen(like: Warband, count: int) -> Grown:
    """Add campaigns until there are so many. Returns the first of them, in which people look around."""
    return _filled(like, [club(number) for number in range(1, count + 1)])


def _filled(like: Warband, sizes: list[Size]) -> Grown:
    with transaction.atomic():
        campaigns = [_campaign(like.terms, size) for size in sizes]
        for grown, size in zip(campaigns, sizes, strict=True):
            seats = _people_and_warbands(grown, like, size)
            _rounds_and_battles(grown, seats, size.battles)
        _events([grown.campaign for grown in campaigns], sizes[0])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return campaigns[0]


def _campaign(terms: Terms, size: Size) -> Grown:
    users = get_user_model().objects
    cleo = users.filter(username=f"{size.prefix}-cleo").first() or users.create_user(f"{size.prefix}-cleo")
    campaign = Campaign.objects.filter(name=size.name).first()
    if campaign is None:
        slug = slugify(size.name)
        terms = Terms.objects.create(system=terms.system, edition=terms.edition)
        campaign = Campaign.objects.create(name=size.name, slug=slug, terms=terms, seen_by=Campaign.SeenBy.LINK)
        Administrator.objects.create(campaign=campaign, user=cleo)
        Invitation.objects.create(campaign=campaign, token=f"a-link-into-{slug}")
    player = users.filter(username=f"{size.prefix}-0").first() or users.create_user(f"{size.prefix}-0")
    return Grown(campaign, cleo, player)


def _people_and_warbands(grown: Grown, like: Warband, size: Size) -> list[Seat]:
    """Seats with their people and warbands, as many as are missing. Returns the new ones."""
    users, had = get_user_model(), Seat.objects.filter(campaign=grown.campaign).count()
    names = [f"{size.prefix}-{number}" for number in range(had, size.warbands)]
    known = {user.username: user for user in users.objects.filter(username__in=names)}
    made = users.objects.bulk_create([users(username=name) for name in names if name not in known])
    known |= {user.username: user for user in made}
    warbands = Warband.objects.bulk_create(
        [
            _copy(like, owner=known[name], name=f"Warband {name}", terms=grown.campaign.terms, version=0)
            for name in names
        ]
    )
    fighters = list(Fighter.objects.filter(warband=like).order_by("pk"))
    rosters = [_as_many(fighters, size, place) for place in range(len(warbands))]
    new = iter(
        Fighter.objects.bulk_create(
            [
                _copy(fighter, warband=warband, parent=None)
                for warband, roster in zip(warbands, rosters, strict=True)
                for fighter in roster
            ],
            batch_size=2000,
        )
    )
    items = list(Item.objects.filter(warband=like))
    of_fighter = {fighter.pk: [item for item in items if item.fighter_id == fighter.pk] for fighter in fighters}
    copies = []
    for warband, roster in zip(warbands, rosters, strict=True):
        for fighter, copied in zip(roster, islice(new, len(roster)), strict=True):
            copies += [_copy(item, warband=warband, fighter=copied) for item in of_fighter[fighter.pk]]
        copies += [_copy(item, warband=warband, fighter=None) for item in items if item.fighter_id is None]
    Item.objects.bulk_create(copies, batch_size=2000)
    snapshot = Snapshot.objects.filter(warband=like).latest("pk")
    Snapshot.objects.bulk_create([_copy(snapshot, warband=warband) for warband in warbands], batch_size=500)
    return Seat.objects.bulk_create(
        [
            Seat(campaign=grown.campaign, user=warband.owner, name=warband.owner.username, warband=warband)
            for warband in warbands
        ]
    )


def _as_many(fighters: list[Fighter], size: Size, place: int) -> list[Fighter]:
    """The fighters that a warband gets: those of the first one, and the last of these again until there are enough."""
    wanted = (size.fighters + place % 2) // 2 or len(fighters)
    return [*fighters[:wanted], *[fighters[-1]] * (wanted - len(fighters))]


def _copy(row: Any, **fields: Any) -> Any:
    """A new row like this one, with other values in these fields."""
    kept = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in fields
    }
    return type(row)(**kept, **fields)


def _rounds_and_battles(grown: Grown, seats: list[Seat], count: int) -> None:
    """Rounds of twenty battles, all but the newest closed, and battles among these seats, as many as are missing."""
    campaign, now = grown.campaign, timezone.now()
    had = Battle.objects.filter(campaign=campaign).count()
    rounds = {found.number: found for found in Round.objects.filter(campaign=campaign)}
    last = -(-count // A_ROUND)
    Round.objects.bulk_create(
        [
            Round(campaign=campaign, number=number, is_closed=True)
            for number in range(1, last + 1)
            if number not in rounds
        ]
    )
    Round.objects.filter(campaign=campaign).update(is_closed=True)
    Round.objects.filter(campaign=campaign, number=last).update(is_closed=False)
    rounds = {found.number: found for found in Round.objects.filter(campaign=campaign)}
    snapshots = dict(Snapshot.objects.filter(warband__seats__campaign=campaign).values_list("warband_id", "pk"))
    battles, pairs = [], []
    for number in range(had, count):
        status = Battle.Status.CLOSED
        if number % OPEN_EVERY in OPEN:
            status = Battle.Status.SCHEDULED
        elif number % REPORTED_EVERY == 7:
            status = Battle.Status.REPORTED
        first = number % len(seats)
        step = 1 + (number // len(seats)) % (len(seats) - 1)
        pairs.append((seats[first], seats[(first + step) % len(seats)]))
        battles.append(
            Battle(
                campaign=campaign,
                round=rounds[number // A_ROUND + 1],
                status=status,
                scenario_id="hill-223",
                played_on=(now - timedelta(days=3 + (count - number) // 4)).date(),
                confirm_by=now + timedelta(days=7) if status == Battle.Status.REPORTED else None,
            )
        )
    battles = Battle.objects.bulk_create(battles, batch_size=1000)
    sides = []
    for battle, pair in zip(battles, pairs, strict=True):
        fought = battle.status != Battle.Status.SCHEDULED
        for place, seat in enumerate(pair):
            sides.append(
                Side(
                    battle=battle,
                    seat=seat,
                    warband=seat.warband,
                    place=place + 1,
                    number=1 if fought else None,
                    snapshot_id=snapshots[seat.warband_id] if fought else None,
                    ready_at=now if fought else None,
                    result=("won", "lost")[(battle.pk + place) % 2] if fought else "",
                    points=(battle.pk + place) % 5 if fought else None,
                    campaign_points=0 if fought else None,
                    confirmed_at=now if fought and not (battle.status == "reported" and place) else None,
                )
            )
    sides = Side.objects.bulk_create(sides, batch_size=1000)
    fought = [side for side in sides if side.ready_at is not None]
    PostBattle.objects.bulk_create(
        [PostBattle(side=side, warband=side.warband, started_at=now, closed_at=now, done=[]) for side in fought],
        batch_size=1000,
    )
    data = {
        "winner": None,
        "points": {},
        "took_part": {},
        "out": {},
        "deeds": [],
        "used": {},
        "outcome": "none",
        "words": "",
    }
    Report.objects.bulk_create(
        [Report(battle=side.battle, by_side=side, number=1, data=data, by_id=side.seat.user_id) for side in fought if side.place == 1],
        batch_size=1000,
    )  # fmt: skip


TEMPLATE = """
    CREATE TEMPORARY TABLE grown_act (n int, kind text, sentence text, data jsonb, loud boolean) ON COMMIT DROP;
"""
OF_BATTLES = """
    INSERT INTO warbands_event (kind, actor_name, for_name, at, sentence, occasion, data)
    SELECT a.kind, 'large', '', now() - (interval '1 minute' * (%(newest)s - b.id)), a.sentence, 'battle:' || b.id, a.data
    FROM campaigns_battle b CROSS JOIN grown_act a
    WHERE b.campaign_id = ANY(%(campaigns)s) AND a.n <= %(per_battle)s
      AND NOT EXISTS (SELECT 1 FROM warbands_event e WHERE e.occasion = 'battle:' || b.id)
    ORDER BY b.id, a.n;
"""
OF_WARBANDS = """
    INSERT INTO warbands_event (kind, actor_name, for_name, at, sentence, occasion, data)
    SELECT 'hire', 'large', '', now() - interval '90 days', '{who} hired somebody for warband ' || w.id, 'grown:' || w.id, '{}'
    FROM campaigns_seat s JOIN warbands_warband w ON w.id = s.warband_id CROSS JOIN generate_series(1, %(per_warband)s) n
    WHERE s.campaign_id = ANY(%(campaigns)s)
      AND NOT EXISTS (SELECT 1 FROM warbands_event e WHERE e.occasion = 'grown:' || w.id)
    ORDER BY w.id, n;
"""
SUBJECTS = """
    CREATE TEMPORARY TABLE grown_event ON COMMIT DROP AS
    SELECT e.id, e.kind, e.data,
           CASE WHEN e.occasion LIKE 'battle:%%' THEN substr(e.occasion, 8)::bigint END AS battle,
           CASE WHEN e.occasion LIKE 'grown:%%' THEN substr(e.occasion, 7)::bigint END AS warband
    FROM warbands_event e
    WHERE (e.occasion LIKE 'battle:%%' OR e.occasion LIKE 'grown:%%') AND e.actor_name = 'large'
      AND NOT EXISTS (SELECT 1 FROM warbands_eventsubject s WHERE s.event_id = e.id);
    ANALYZE grown_event;
    UPDATE grown_event g SET warband = s.warband_id FROM campaigns_side s
    WHERE s.battle_id = g.battle AND s.place = 1 + g.id %% 2;
    INSERT INTO warbands_eventsubject (event_id, label, row_id, warband_id, number, is_news)
    SELECT g.id, %(warband_label)s, g.warband, g.warband,
           w.version + row_number() OVER (PARTITION BY g.warband ORDER BY g.id), false
    FROM grown_event g JOIN warbands_warband w ON w.id = g.warband;
    INSERT INTO warbands_eventsubject (event_id, label, row_id, is_news)
    SELECT id, %(battle_label)s, battle, false FROM grown_event WHERE battle IS NOT NULL;
    INSERT INTO warbands_eventsubject (event_id, label, row_id, is_news)
    SELECT g.id, %(campaign_label)s, b.campaign_id, true FROM grown_event g JOIN campaigns_battle b ON b.id = g.battle
    WHERE g.kind <> ALL(%(quiet)s) OR (g.kind = 'write' AND g.data ->> 'grave' = 'true');
    INSERT INTO warbands_change (event_id, label, row_id, field, path, before, after)
    SELECT g.id, %(fighter_label)s, f.id, 'state', 'experience', '0', '1'
    FROM grown_event g
    JOIN LATERAL (SELECT id FROM warbands_fighter WHERE warband_id = g.warband ORDER BY id LIMIT 2) f ON true;
    INSERT INTO warbands_ledgerentry (warband_id, event_id, ducats, glory, reason)
    SELECT warband, id, 5, 0, 'Found' FROM grown_event WHERE id %% 8 = 0;
    UPDATE warbands_warband w SET version = w.version + n.count
    FROM (SELECT warband, count(*) FROM grown_event GROUP BY warband) n WHERE n.warband = w.id;
"""


def _events(campaigns: list[Campaign], size: Size) -> None:
    """The events of battles and warbands that have none yet, told as real ones of this site were, with what they changed."""
    told = Event.objects.filter(occasion__startswith="battle:", undoes=None).exclude(actor_name="large").order_by("pk")
    acts = [(event.kind, event.sentence, event.data) for event in told[: size.events_of_a_battle]]
    acts += [("roll", "{who} rolled a die.", {})] * (size.events_of_a_battle - len(acts))
    given = {
        "campaigns": [campaign.pk for campaign in campaigns], "newest": Battle.objects.latest("pk").pk,
        "per_battle": size.events_of_a_battle, "per_warband": size.events_of_a_warband, "quiet": list(QUIET),
        **{f"{model._meta.model_name}_label": label for model, label in LABEL.items()},
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # or each event looks through all fighters
        cursor.execute(TEMPLATE)
        for place, (kind, sentence, data) in enumerate(acts):
            loud = kind not in QUIET or bool(kind == "write" and data.get("grave"))
            row = [place + 1, kind, sentence, json.dumps(data), loud]
            cursor.execute("INSERT INTO grown_act VALUES (%s, %s, %s, %s, %s)", row)
        for statement in (OF_BATTLES, OF_WARBANDS, SUBJECTS):
            for part in statement.split(";\n"):
                if part.strip():
                    cursor.execute(part, given)
        cursor.execute("DROP TABLE grown_act")
        cursor.execute("DROP TABLE grown_event")
