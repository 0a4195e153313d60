"""The services that open and run a campaign: settings, invitation, administrators, end. House rules have their own module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Administrator, Battle, Campaign, Invitation, Seat
from campaigns.services.common import NothingToDo, cleaned_name, new_link, settles
from campaigns.settings_schema import checked
from rules.game import Game
from rules.problems import Refusal
from rules.registry import system as game_system
from warbands.models import Terms
from warbands.newest_state import newest_overlays
from warbands.pins import pins_of
from warbands.recording import recording


def open_campaign(
    *,
    actor: Any,
    name: str,
    system: str = "trench-crusade",
    edition: str = "",
    house_rules: Mapping[str, Any] | None = None,
    overlays: Sequence[str] | None = None,
    seen_by: str = "players",
    rosters: str = "open",
    dice: str = "either",
    starts_on: date | None = None,
    rounds_planned: int = 0,
    settings: Mapping[str, Any] | None = None,
    notes: str = "",
    token: str = "",
) -> Campaign:
    """Open a campaign with its terms and a first invitation; `actor` becomes its administrator.

    `house_rules` has the shape that `rules.content.house` describes (interpretations under "readings"), `settings`
    the one that `campaigns.settings_schema` describes. An empty `edition` means the game's newest, which may preset
    some settings; without `overlays` it is played in its newest official state. Raises Refusal for an unknown game or edition and for an invalid name or setting.
    """
    name = cleaned_name(name, _("A campaign"), field="name")
    game = known_game(system)
    edition = edition or game.editions()[0]
    overlays = newest_overlays(system, edition) if overlays is None else overlays
    edition, house_rules = checked_terms(system, edition, house_rules, overlays)
    content = game.content(edition, tuple(overlays), house_rules)
    worth = game.campaign.result_points(content) if game.campaign is not None else {}
    own = {"points": "campaign"} if worth else {}  # where the game gives points for results, only these rank
    with recording(kind="open", actor=actor, token=token) as act:
        pins = pins_of(system, edition, overlays)
        terms = act.create(
            Terms(system=system, edition=edition, overlays=list(overlays), pins=pins, house_rules=house_rules)
        )
        campaign = act.create(
            Campaign(
                name=name,
                slug=new_link(),
                terms=terms,
                seen_by=_one_of(Campaign.SeenBy, seen_by, _("Seen by")),
                rosters=_one_of(Campaign.Rosters, rosters, _("Rosters")),
                dice=_one_of(Campaign.Dice, dice, _("Dice")),
                starts_on=starts_on,
                rounds_planned=rounds_planned,
                settings=checked({**own, **(settings or {})}),
                notes=notes,
            )
        )
        act.create(Administrator(campaign=campaign, user=actor))
        act.create(Invitation(campaign=campaign, token=new_link()))
        act.also_about(campaign)
        act.say(_("{{who}} opened {name}.").format(name=name))
    return campaign


CHANGEABLE = ("name", "seen_by", "rosters", "dice", "starts_on", "rounds_planned", "notes")


@settles
def change_campaign(
    *,
    campaign: Campaign,
    actor: Any,
    settings: Mapping[str, Any] | None = None,
    token: str = "",
    **fields: Any,
) -> Campaign:
    """Change a campaign's fields and settings. `fields` are some of name, seen_by, rosters, dice, starts_on,
    rounds_planned, notes.

    Nothing is written if nothing differs. Raises Refusal for an invalid value.
    """
    unknown = set(fields) - set(CHANGEABLE)
    if unknown:
        raise TypeError(f"A campaign has no such fields: {', '.join(sorted(unknown))}.")
    if "name" in fields:
        fields["name"] = cleaned_name(fields["name"], _("A campaign"), field="name")
    for key, kinds, words in (
        ("seen_by", Campaign.SeenBy, _("Seen by")),
        ("rosters", Campaign.Rosters, _("Rosters")),
        ("dice", Campaign.Dice, _("Dice")),
    ):
        if key in fields:
            fields[key] = _one_of(kinds, fields[key], words)
    with recording(campaign, kind="settings", actor=actor, token=token) as act:
        row = act.row(campaign)
        chosen = checked(settings or {})
        if chosen.items() <= row.settings.items() and all(getattr(row, key) == value for key, value in fields.items()):
            raise NothingToDo(row)
        for key, value in chosen.items():
            act.set_leaf(row, (key,), value, field="settings")
        act.change(row, **fields)
        act.say(_("{{who}} changed the settings of {name}.").format(name=row.name))
    return row


def renew_invitation(*, campaign: Campaign, actor: Any, token: str = "") -> Invitation:
    with recording(campaign, kind="invite", actor=actor, token=token) as act:
        for old in Invitation.objects.live().filter(campaign=campaign, is_revoked=False):
            act.change(old, is_revoked=True)
        invitation = act.create(Invitation(campaign=act.row(campaign), token=new_link()))
        act.say(_("{{who}} made a new invite link for {campaign}.").format(campaign=campaign.name))
    return invitation


def renew_public_address(*, campaign: Campaign, actor: Any, token: str = "") -> Campaign:
    with recording(campaign, kind="settings", actor=actor, token=token) as act:
        row = act.change(act.row(campaign), slug=new_link())
        act.say(_("{{who}} changed the public link of {name}.").format(name=row.name))
    return row


@settles
def add_administrator(*, campaign: Campaign, user: Any, actor: Any, token: str = "") -> Administrator:
    """Make another person an administrator. A second call changes nothing."""
    with recording(campaign, kind="administrator", actor=actor, token=token) as act:
        known = Administrator.objects.live().filter(campaign=campaign, user=user).first()
        if known is not None:
            raise NothingToDo(known)
        row = act.create(Administrator(campaign=act.row(campaign), user=user))
        act.say(_("{{who}} made {user} an administrator of {campaign}.").format(user=user, campaign=campaign.name))
    return row


def remove_administrator(*, campaign: Campaign, user: Any, actor: Any, token: str = "") -> None:
    """Remove an administrator. Raises Refusal for the last one."""
    with recording(campaign, kind="administrator", actor=actor, token=token) as act:
        rows = list(Administrator.objects.live().filter(campaign=campaign))
        mine = [row for row in rows if row.user_id == user.pk]
        if not mine:
            raise Refusal(
                _("{user} does not run {campaign}.").format(user=user, campaign=campaign.name),
                code="unknown-administrator",
            )
        if len(rows) == 1:
            raise Refusal(
                _("{user} is the only administrator.").format(user=user),
                mend=_("Add another administrator first."),
                code="last-administrator",
            )
        act.change(mine[0], is_undone=True)
        act.say(_("{{who}} ended {user}'s administration of {campaign}.").format(user=user, campaign=campaign.name))


def finish_campaign(*, campaign: Campaign, actor: Any, token: str = "") -> Campaign:
    """End the campaign: standings stay, and no new battles are set up. Raises Refusal while a report is disputed."""
    with recording(campaign, kind="finish", actor=actor, token=token) as act:
        row = act.row(campaign)
        if row.status != Campaign.Status.RUNNING:
            raise Refusal(_("{name} has ended already.").format(name=row.name), code="finished")
        disputed = Battle.objects.live().filter(campaign=row, status=Battle.Status.DISPUTED).count()
        if disputed:
            raise Refusal(_("A report is still disputed."), mend=_("Decide it first."), code="disputed")
        act.change(row, status=Campaign.Status.FINISHED)
        act.say(_("{{who}} ended {name}.").format(name=row.name))
    return row


def reopen_campaign(*, campaign: Campaign, actor: Any, token: str = "") -> Campaign:
    with recording(campaign, kind="reopen", actor=actor, token=token) as act:
        row = act.row(campaign)
        if row.status == Campaign.Status.RUNNING:
            raise Refusal(_("{name} is running.").format(name=row.name), code="running")
        act.change(row, status=Campaign.Status.RUNNING)
        act.say(_("{{who}} reopened {name}.").format(name=row.name))
    return row


def archive_campaign(*, campaign: Campaign, actor: Any, token: str = "") -> Campaign:
    """Archive a campaign that has ended: it leaves the lists and can only be read. Raises Refusal for any other."""
    with recording(campaign, kind="archive", actor=actor, token=token) as act:
        row = act.row(campaign)
        if row.status == Campaign.Status.RUNNING:
            raise Refusal(_("{name} is running.").format(name=row.name), mend=_("End it first."), code="running")
        if row.status == Campaign.Status.ARCHIVED:
            raise Refusal(_("{name} is archived already.").format(name=row.name), code="archived")
        act.change(row, status=Campaign.Status.ARCHIVED)
        act.say(_("{{who}} archived {name}.").format(name=row.name))
    return row


def unarchive_campaign(*, campaign: Campaign, actor: Any, token: str = "") -> Campaign:
    """Bring a campaign back from the archive, as one that has ended. Raises Refusal if it is not there."""
    with recording(campaign, kind="unarchive", actor=actor, token=token) as act:
        row = act.row(campaign)
        if row.status != Campaign.Status.ARCHIVED:
            raise Refusal(_("{name} is not archived.").format(name=row.name), code="not-archived")
        act.change(row, status=Campaign.Status.FINISHED)
        act.say(_("{{who}} brought {name} back from the archive.").format(name=row.name))
    return row


def only_administrator(user: Any) -> list[str]:
    """Return a sentence for each campaign that only this person administers and in which others have seats. Two queries."""
    sentences = []
    for campaign in Campaign.objects.administered_by(user).exclude(status=Campaign.Status.ARCHIVED):
        others = Administrator.objects.live().filter(campaign=campaign).exclude(user=user).exists()
        sits = (
            Seat.objects.live().filter(campaign=campaign).exclude(user=user).exclude(status=Seat.Status.LEFT).exists()
        )
        if sits and not others:
            sentences.append(
                _("You are the only administrator of {campaign}. Add another one, or end and archive it.").format(
                    campaign=campaign.name
                )
            )
    return sentences


def checked_terms(
    system: str, edition: str, house_rules: Mapping[str, Any] | None, overlays: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the edition (the newest for "") and the house rules, both validated. Raises Refusal if they are invalid."""
    game = known_game(system)
    edition = edition or game.editions()[0]
    rules = dict(house_rules or {})
    try:
        faults = game.rulebook.check_house_rules(edition, rules, overlays)
        if not faults:
            game.content(edition, overlays, rules)
    except KeyError:
        raise Refusal(
            _("{game} has no edition “{edition}” here.").format(game=game.name, edition=edition), code="unknown-edition"
        ) from None
    if faults:
        raise Refusal(fault_words(faults), code="house-rule")
    return edition, rules


def known_game(system: str) -> Game:
    """Return the game with this id. Raises Refusal if there is none."""
    try:
        return game_system(system)
    except KeyError:
        raise Refusal(_("There is no game “{system}” here.").format(system=system), code="unknown-game") from None


TOLD = 5


def fault_words(faults: Mapping[str, Sequence[str]]) -> str:
    """Return the faults of house rules as sentences that name the field. Only the first few are listed; the rest are counted."""
    told = [fault.rstrip(".") + "." for part in faults.values() for fault in part]
    more = _(" {number} more.").format(number=len(told) - TOLD) if len(told) > TOLD else ""
    return _("House rules: {join}{more}").format(join=" ".join(told[:TOLD]), more=more)


def _one_of(kinds: Any, value: str, words: str) -> str:
    if value not in kinds.values:
        raise Refusal(
            _("{words}: “{value}” is not one of the choices.").format(words=words, value=value), code="unknown-option"
        )
    return str(value)
