"""What campaigns tell people: which act is told to whom, and what no longer holds.

Each act passes through `told_by` inside its own transaction. Acts of other kinds, by people for themselves, cost no query.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.battle_result import standing_report
from campaigns.kept_drafts import holding
from campaigns.models import AHEAD, Administrator, Battle, Campaign, PostBattle, Round, Seat, Side
from campaigns.services.common import live_sides, side_and_player, versus
from campaigns.services.report_parts import waits_for
from config.dates import short_day
from notifications.kinds import Kind, Source
from notifications.models import Notification
from notifications.services import PersonTold, notify
from warbands.models import Event, Warband
from warbands.models.base import Recorded

REPORT, CONFIRM, POST, PAIRED = "report", "confirm", "post-battle", "paired"
ROUND, DISPUTE, DECISION, FOR_YOU, REMINDER = "round", "dispute", "decision", "for-you", "reminder"


class CampaignNotifications(Source):
    kinds = (
        Kind(PAIRED, gettext_lazy("You are paired")),
        Kind(REPORT, gettext_lazy("Your report is missing")),
        Kind(CONFIRM, gettext_lazy("Confirm a report")),
        Kind(POST, gettext_lazy("Your post-battle is open")),
        Kind(ROUND, gettext_lazy("The round ends soon")),
        Kind(DISPUTE, gettext_lazy("A dispute")),
        Kind(DECISION, gettext_lazy("A decision by an administrator")),
        Kind(FOR_YOU, gettext_lazy("Changes in your name")),
        Kind(REMINDER, gettext_lazy("A reminder by an administrator"), at_once=True),
    )

    def outdated(self, notifications: Sequence[Notification]) -> Collection[int]:
        """Return those whose act was undone, or that somebody settled meanwhile. Seven queries at most."""
        undone = _undone({each.event for each in notifications if each.event is not None})
        battles = _numbers(notifications, "battle")
        status = dict(Battle.objects.live().filter(pk__in=battles).values_list("pk", "status"))
        sides = Side.objects.live().filter(battle__in=battles, seat__user__isnull=False)
        answered = {
            (battle, user): at is not None
            for battle, user, at in sides.values_list("battle", "seat__user", "confirmed_at")
        }
        sequences = PostBattle.objects.live().filter(side__battle__in=battles, side__is_undone=False)
        finished = {
            (battle, user): at is not None
            for battle, user, at in sequences.values_list("side__battle", "side__seat__user", "closed_at")
        }
        open_rounds = set(
            Round.objects.live()
            .filter(pk__in=_numbers(notifications, "round"), is_closed=False)
            .values_list("pk", flat=True)
        )
        waiting = holding(_numbers(notifications, "draft"))

        def holds(each: Notification) -> bool:
            what, _sep, number = each.about.partition(":")
            pk = int(number) if number else 0
            if each.event in undone:
                return False
            if not what:
                return True
            if what == "draft":
                return waiting.get(pk) == each.user_id
            if each.kind in (PAIRED, REPORT):
                return status.get(pk) in AHEAD
            if each.kind == CONFIRM:
                return status.get(pk) == Battle.Status.REPORTED and not answered.get((pk, each.user_id), False)
            if each.kind == POST:
                return finished.get((pk, each.user_id)) is False
            return what != "round" or pk in open_rounds

        return {each.pk for each in notifications if not holds(each)}


def _numbers(notifications: Iterable[Notification], what: str) -> set[int]:
    return {int(each.about.partition(":")[2]) for each in notifications if each.about.startswith(f"{what}:")}


def _undone(events: set[int]) -> set[int]:
    """Return which of these events are undone. Two queries, one more for each link of an undo that was undone."""
    found: set[int] = set()
    standing = {event: event for event in events}  # the act at the end of each chain → the event it began with
    is_live = True
    while standing:
        later = dict(Event.objects.filter(undoes__in=standing).values_list("pk", "undoes"))
        standing = {pk: standing[before] for pk, before in later.items()}
        is_live = not is_live
        found = found - set(standing.values()) if is_live else found | set(standing.values())
    return found


# --- acts -----------------------------------------------------------------------------------------------------------------


def tell_people(event: Event, rows: Sequence[Recorded]) -> None:
    """Tell the people whom an act concerns, inside its transaction. Nobody is told of what they did themselves."""
    if event.undoes_id is not None:
        return
    tell = TOLD_BY.get(event.kind)
    told = list(tell(event, rows)) if tell is not None else []
    if event.for_name and event.actor_id is not None:
        told += _for_you(event, rows)
    seen: set[int] = set()
    first = []
    for each in told:
        if each.user != event.actor_id and each.user not in seen:
            seen.add(each.user)
            first.append(each)
        elif each.user != event.actor_id and each.kind == POST:
            first.append(each)
    notify(first)


def battle_href(battle: Battle) -> str:
    return reverse("battle-show", args=[battle.pk])


def _battles(rows: Iterable[Recorded]) -> list[Battle]:
    return [row for row in rows if isinstance(row, Battle)]


def _campaign(battle: Battle, rows: Iterable[Recorded]) -> Campaign:
    """Return the battle's campaign with its terms. At most one query."""
    for row in rows:
        if isinstance(row, Campaign) and row.pk == battle.campaign_id:
            return row
    return Campaign.objects.select_related("terms").get(pk=battle.campaign_id)


def of_battle(
    battle: Battle,
    user: int,
    kind: str,
    title: str,
    words: str,
    *,
    href: str = "",
    key: str,
    event: Event | None = None,
) -> PersonTold:
    return PersonTold(
        user=user,
        kind=kind,
        key=f"{kind}:{battle.pk}:{key}",
        title=title,
        words=words,
        href=href or battle_href(battle),
        about=battle.occasion,
        group=f"campaign:{battle.campaign_id}",
        event=event.pk if event is not None else None,
    )


def _paired(event: Event, rows: Sequence[Recorded]) -> Iterable[PersonTold]:
    """Tell every player of the battles that the act set up or moved, with their byes. One query."""
    battles = {battle.pk: battle for battle in _battles(rows)}
    campaign = next((row for row in rows if isinstance(row, Campaign)), None)
    words = f"{campaign.name}. {event.told}" if campaign is not None else event.told
    sides: dict[int, list[Side]] = {}
    chosen = Side.objects.live().filter(battle__in=battles).select_related("seat", "warband")
    for side in chosen.order_by("place", "pk"):
        sides.setdefault(side.battle_id, []).append(side)
    for pk, own in sides.items():
        battle = battles[pk]
        is_bye = battle.kind == Battle.Kind.BYE
        title = _("You have a bye") if is_bye else _("You play: {versus}").format(versus=versus(own, side_and_player))
        if battle.planned_for and not is_bye:
            day = short_day(battle.planned_for)
            title = _("You play on {day}: {versus}").format(day=day, versus=versus(own, side_and_player))
        for user in _players(own):
            yield of_battle(battle, user, DECISION if is_bye else PAIRED, title, words, key=str(event.pk), event=event)


def _players(sides: Iterable[Side]) -> list[int]:
    return [side.seat.user_id for side in sides if side.seat is not None and side.seat.user_id]


def _administrators(campaign: int) -> list[int]:
    return list(Administrator.objects.live().filter(campaign=campaign).values_list("user_id", flat=True))


def confirm_title(battle: Battle, sides: Sequence[Side]) -> str:
    if battle.confirm_by is None:
        return _("Confirm: {versus}").format(versus=versus(sides, side_and_player))
    day = short_day(timezone.localtime(battle.confirm_by).date())
    return _("Confirm by {day}: {versus}").format(day=day, versus=versus(sides, side_and_player))


def _reported(event: Event, rows: Sequence[Recorded]) -> Iterable[PersonTold]:
    """Ask those who have to confirm, and tell of the post-battle that begins. Four queries at most, one more for a guest."""
    for battle in _battles(rows):
        battle.campaign = _campaign(battle, rows)
        sides = live_sides(battle)
        if battle.status == Battle.Status.REPORTED:
            report = standing_report(battle)
            waiting = waits_for(battle, sides, report.by_side if report is not None else None)
            users = _players(waiting)
            if any(side.is_guest for side in waiting):
                users += _administrators(battle.campaign_id)
            here = reverse("report-confirm", args=[battle.pk])
            for user in users:
                title = confirm_title(battle, sides)
                yield of_battle(battle, user, CONFIRM, title, event.told, href=here, key=str(event.pk), event=event)
        if event.kind == "report":
            yield from _post_battles(event, battle, sides)
        elif battle.status != Battle.Status.REPORTED:
            yield from _decided_on(event, battle, sides)


def _post_battles(event: Event, battle: Battle, sides: Sequence[Side]) -> Iterable[PersonTold]:
    made = PostBattle.objects.live().filter(side__in=sides, closed_at=None).values_list("side", "warband")
    warbands = dict(made)
    for side in sides:
        if side.pk in warbands and side.seat is not None and side.seat.user_id:
            here = reverse("post-battle-show", args=[battle.pk, warbands[side.pk]])
            title = _("Start the post-battle of {warband}").format(warband=side.warband)
            yield of_battle(
                battle,
                side.seat.user_id,
                POST,
                title,
                versus(sides, side_and_player),
                href=here,
                key="begin",
                event=event,
            )


def _decided_on(event: Event, battle: Battle, sides: Sequence[Side]) -> Iterable[PersonTold]:
    for user in _players(sides):
        yield of_battle(
            battle,
            user,
            DECISION,
            _("Decided: {versus}").format(versus=versus(sides, side_and_player)),
            event.told,
            key=str(event.pk),
            event=event,
        )


def _decided(event: Event, rows: Sequence[Recorded]) -> Iterable[PersonTold]:
    for battle in _battles(rows):
        yield from _decided_on(event, battle, live_sides(battle))


def _disputed(event: Event, rows: Sequence[Recorded]) -> Iterable[PersonTold]:
    """Tell the administrators, who decide, and the other players. Two queries."""
    for battle in _battles(rows):
        sides = live_sides(battle)
        here = reverse("report-confirm", args=[battle.pk])
        for user in _administrators(battle.campaign_id):
            title = _("Decide: {versus}").format(versus=versus(sides, side_and_player))
            yield of_battle(battle, user, DISPUTE, title, event.told, href=here, key=str(event.pk), event=event)
        for user in _players(sides):
            title = _("Disputed: {versus}").format(versus=versus(sides, side_and_player))
            yield of_battle(battle, user, DISPUTE, title, event.told, key=str(event.pk), event=event)


def _listed(event: Event, rows: Sequence[Recorded]) -> Iterable[PersonTold]:
    """Tell a player what became of the starting list. No queries."""
    for seat in rows:
        if isinstance(seat, Seat) and seat.user_id:
            yield PersonTold(
                user=seat.user_id,
                kind=DECISION,
                key=f"list:{event.pk}",
                title=_("Your starting list"),
                words=event.told,
                href=reverse("seat-show", args=[seat.pk]),
                group=f"campaign:{seat.campaign_id}",
                event=event.pk,
            )


TOLD_BY: Mapping[str, Callable[[Event, Sequence[Recorded]], Iterable[PersonTold]]] = {
    "pair": _paired,
    "schedule": _paired,
    "bye": _paired,
    "report": _reported,
    "amend": _reported,
    "dispute": _disputed,
    "decide": _decided,
    "flag": _decided,
    "void": _decided,
    "cancel": _decided,
    "list": _listed,
}


def _seats_of(rows: Sequence[Recorded]) -> Iterable[Seat]:
    """Return the claimed seats among these rows, and those of the sides among them. One query at most."""
    keys = {row.seat_id for row in rows if isinstance(row, Side) and row.seat_id}
    keys |= {row.pk for row in rows if isinstance(row, Seat)}
    return Seat.objects.filter(pk__in=keys, user__isnull=False).select_related("user") if keys else ()


def _for_you(event: Event, rows: Sequence[Recorded]) -> list[PersonTold]:
    """Tell a person of what somebody does for them, once a day for each thing and each of those who do it. One query at most."""
    day = timezone.localdate()
    found: dict[int, tuple[str, str, str]] = {}  # person → key, address, group
    for row in rows:
        if isinstance(row, Warband) and row.owner_id and str(row.owner) == event.for_name:
            found[row.owner_id] = (f"warband:{row.pk}", reverse("history-show", args=[row.pk]), "")
    for seat in _seats_of(rows):
        if str(seat.user) == event.for_name and seat.user_id is not None:
            battle = next(iter(_battles(rows)), None)
            here = battle_href(battle) if battle is not None else reverse("seat-show", args=[seat.pk])
            about = battle.occasion if battle is not None else f"seat:{seat.pk}"
            found[seat.user_id] = (about, here, f"campaign:{seat.campaign_id}")
    return [
        PersonTold(
            user=user,
            kind=FOR_YOU,
            key=f"for:{event.actor_id}:{about}:{day}",
            title=_("{actor} acted for you").format(actor=event.actor_name),
            words=event.told,
            href=here,
            group=group,
            event=event.pk,
        )
        for user, (about, here, group) in found.items()
    ]
