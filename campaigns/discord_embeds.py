"""What is posted to Discord: a result, a round's pairings, the standings, each as one embed within Discord's limits."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.battle_result import standing_report
from campaigns.models import Battle, Campaign, Round, Side
from campaigns.scenarios import scenario_name
from campaigns.services.common import live_sides, side_name, versus
from campaigns.standings import standings
from config.dates import short_day

# Discord counts UTF-16 units; so does `cut`.
MOST_TITLE, MOST_TEXT, MOST_NAME, MOST_VALUE, MOST_FOOT, MOST_FIELDS, MOST_TOTAL = 256, 4096, 256, 1024, 2048, 25, 6000
BRASS, RED = 0xB08D3C, 0x8C1C13
_SIGNS = re.compile(r"([\\*_~`|<>\[\]()#@:])")


def plain(text: str) -> str:
    """Return a name as Discord shows it unchanged: no bold, no links, no mentions."""
    return _SIGNS.sub(r"\\\1", text)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """Return the text shortened to so many UTF-16 units, with an ellipsis, and without half an escape at its end."""
    if units(text) <= most:
        return text
    short = text.encode("utf-16-le")[: (most - 1) * 2].decode("utf-16-le", errors="ignore")
    return re.sub(r"\\$", "", short) + "…"


def cut_lines(lines: list[str], most: int) -> str:
    """Return as many lines as fit, and how many more there are."""
    kept: list[str] = []
    for number, line in enumerate(lines):
        rest = len(lines) - number
        more = ngettext("and {count} more", "and {count} more", rest).format(count=rest)
        if units("\n".join([*kept, line, more])) > most and rest:
            kept.append(more)
            break
        kept.append(cut(line, 300))
    return cut("\n".join(kept), most)


def message_of(campaign: Campaign, key: str) -> dict[str, Any] | None:
    """Return the JSON of a post by its key; None if what it is about is gone. A fixed number of queries."""
    what, _sep, number = key.partition(":")
    if what == "test":
        return _message(_embed(campaign, _("It works"), _("News of this campaign will appear here.")))
    pk = int(number) if number.isdigit() else 0
    embed = {"battle": _result, "round": _pairings, "standings": _standings}[what](campaign, pk)
    return _message(embed) if embed is not None else None


def taken_back(campaign: Campaign) -> dict[str, Any]:
    """Return what a post becomes once what it showed is undone."""
    return _message(_embed(campaign, _("Taken back"), _("This no longer holds."), colour=RED))


def _message(embed: dict[str, Any]) -> dict[str, Any]:
    """Return an embed as a message that mentions nobody, whatever names say."""
    return {"embeds": [within_limits(embed)], "allowed_mentions": {"parse": []}}


def within_limits(embed: dict[str, Any]) -> dict[str, Any]:
    """Return an embed whose parts, and their sum, are within what Discord takes."""
    fields = [
        {**field, "name": cut(field["name"], MOST_NAME) or "–", "value": cut(field["value"], MOST_VALUE) or "–"}
        for field in embed.get("fields", [])[:MOST_FIELDS]
    ]
    made = {**embed, "title": cut(embed["title"], MOST_TITLE), "description": cut(embed["description"], MOST_TEXT)}
    made["footer"] = {"text": cut(embed["footer"]["text"], MOST_FOOT)}
    others = units(made["title"]) + units(made["footer"]["text"])
    while fields and others + sum(units(field["name"]) + units(field["value"]) for field in fields) > MOST_TOTAL:
        fields.pop()
    others += sum(units(field["name"]) + units(field["value"]) for field in fields)
    made["description"] = cut(made["description"], max(1, min(MOST_TEXT, MOST_TOTAL - others)))
    return {**made, "fields": fields} if fields else {name: part for name, part in made.items() if name != "fields"}


def _embed(campaign: Campaign, title: str, text: str, *, colour: int = BRASS, **more: Any) -> dict[str, Any]:
    embed = {"title": title, "description": text, "color": colour, "footer": {"text": campaign.name}, **more}
    if campaign.seen_by == Campaign.SeenBy.LINK:
        embed["url"] = settings.SITE_URL + reverse("campaign-watch", args=[campaign.slug])
    return embed


def _result(campaign: Campaign, pk: int) -> dict[str, Any] | None:
    """Return a battle's result, or that it was voided or cancelled. Four queries at most."""
    battle = Battle.objects.live().filter(pk=pk, campaign=campaign).select_related("round").first()
    if battle is None:
        return None
    battle.campaign = campaign
    sides = live_sides(battle)
    report = standing_report(battle)
    if report is None and battle.status not in (Battle.Status.VOID, Battle.Status.CANCELLED):
        return None
    words = {
        Battle.Status.REPORTED: _("Not confirmed yet."),
        Battle.Status.DISPUTED: _("Disputed: an administrator decides."),
        Battle.Status.VOID: _("Void: it counts for nothing."),
        Battle.Status.CANCELLED: _("Cancelled."),
    }.get(Battle.Status(battle.status), "")
    bad = battle.status in (Battle.Status.VOID, Battle.Status.CANCELLED, Battle.Status.DISPUTED)
    out = report.data.get("out", {}) if report is not None else {}
    fields = [
        {"name": plain(side_name(side)), "value": _side_words(side, len(out.get(str(side.pk), ()))), "inline": True}
        for side in sides
        if battle.status != Battle.Status.CANCELLED
    ]
    named = plain(scenario_name(battle)) if battle.scenario_id or battle.scenario_name else ""
    lines = [named, _winner(battle, sides), words]
    foot = f"{campaign.name}, {battle.round}" if battle.round else campaign.name
    return _embed(
        campaign,
        plain(versus(sides)),
        "\n".join(line for line in lines if line),
        colour=RED if bad else BRASS,
        fields=fields,
        footer={"text": foot},
    )


def _winner(battle: Battle, sides: list[Side]) -> str:
    if battle.status in (Battle.Status.VOID, Battle.Status.CANCELLED):
        return ""
    for side in sides:
        if side.result == Side.Result.WON:
            return _("**{side} won**").format(side=plain(side_name(side)))
    return _("**Drawn**") if any(side.result == Side.Result.DRAWN for side in sides) else ""


def _side_words(side: Side, out: int) -> str:
    player = side.guest_name if side.is_guest else side.seat.name
    points = ngettext("{count} point", "{count} points", side.points or 0).format(count=side.points or 0)
    fallen = ngettext("{count} out of action", "{count} out of action", out).format(count=out)
    return "\n".join([plain(player), points, fallen])


def _pairings(campaign: Campaign, number: int) -> dict[str, Any] | None:
    """Return who meets whom in a round. Two queries."""
    round = Round.objects.live().filter(campaign=campaign, number=number).first()
    if round is None:
        return None
    battles: dict[int, list[Side]] = {}
    rows = (
        Side.objects.live()
        .filter(battle__round=round, battle__is_undone=False)
        .exclude(battle__status=Battle.Status.CANCELLED)
    )
    for side in rows.select_related("battle", "seat", "warband").order_by("battle_id", "place", "pk"):
        battles.setdefault(side.battle_id, []).append(side)
    lines = []
    for sides in battles.values():
        battle = sides[0].battle
        names = " – ".join(
            plain(f"{side_name(side)} ({side.seat.name})" if side.seat else side.guest_name) for side in sides
        )
        if battle.kind == Battle.Kind.BYE:
            names = _("{name}: bye").format(name=names)
        lines.append(f"• {names}" + (f", {short_day(battle.planned_for)}" if battle.planned_for else ""))
    if not lines:
        return None
    title = _("Round {number}: pairings").format(number=round.number)
    if round.ends_on:
        lines.append(_("Play until {day}.").format(day=short_day(round.ends_on)))
    return _embed(campaign, title, cut_lines(lines, MOST_TEXT))


def _standings(campaign: Campaign, number: int) -> dict[str, Any] | None:
    """Return the standings as they are now. Three queries at most."""
    lines = []
    for row in standings(campaign):
        if row.has_left:
            continue
        name = plain(row.warband or row.seat.name)
        player = f" ({plain(row.seat.name)})" if row.warband else ""
        points = ngettext("{count} point", "{count} points", row.points).format(count=row.points)
        lines.append(
            _("**{place}.** {name}{player}: {points}, {won} won, {drawn} drawn, {lost} lost").format(
                place=row.place, name=name, player=player, points=points, won=row.won, drawn=row.drawn, lost=row.lost
            )
        )
    if not lines:
        return None
    title = _("Standings after round {number}").format(number=number) if number else _("Standings")
    return _embed(campaign, title, cut_lines(lines, MOST_TEXT))
