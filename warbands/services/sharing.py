"""Services for share links, delegates and permanent snapshots of a warband."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.models import Delegate, ShareLink, Snapshot, Warband
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.rights import refuse_act
from warbands.services.common import clean_name


def share_warband(
    *,
    warband: Warband,
    actor: Any,
    name: str = "",
    shows_money: bool = False,
    shows_notes: bool = False,
    token: str = "",
    seen: int | None = None,
) -> ShareLink:
    """Create a read-only link. By default it shows no strongbox, no notes and no prices paid."""
    with recording(warband, kind="share", actor=actor, token=token, seen=seen) as act:
        label = clean_name(name or _("Share link"), what=_("The link's name"))
        if len(label) > 60:
            raise Refusal(
                _("The link's name has {count} characters of at most 60.").format(count=len(label)),
                code="text",
                field="name",
            )
        link: ShareLink = act.create(
            ShareLink(warband=act.warband, slug=_slug(), name=label, shows_money=shows_money, shows_notes=shows_notes)
        )
        act.say(_("{{who}} shared {warband} by the link “{label}”.").format(warband=act.warband.name, label=label))
    return link


def revoke_link(*, link: ShareLink, actor: Any, token: str = "", seen: int | None = None) -> ShareLink:
    """Revoke a link: its address and those of its versions now answer 404."""
    with recording(link.warband, kind="revoke", actor=actor, token=token, seen=seen) as act:
        refuse_act(actor, act.warband, "revoke")
        row = ShareLink.objects.live().filter(pk=link.pk, warband_id=act.warband.pk, is_revoked=False).first()
        if row is None:
            raise Refusal(_("This link was already revoked."), code="no-change")
        act.change(row, is_revoked=True)
        act.say(_("{{who}} revoked the link “{row}”.").format(row=row.name))
    link.is_revoked = True
    return link


def print_link(warband: Warband, actor: Any = None) -> ShareLink:
    """Return the link on printed sheets. The first call creates it; later calls take one query."""
    links = ShareLink.objects.live().filter(warband=warband, for_print=True, is_revoked=False)
    if (link := links.first()) is not None:
        return link
    try:
        with recording(warband, kind="share", actor=actor) as act:
            if links.exists():
                raise _MadeMeanwhile
            made: ShareLink = act.create(
                ShareLink(warband=act.warband, slug=_slug(), name=_("Printed sheets"), for_print=True)
            )
            act.say(_("A link for the printed sheets of {warband} was made.").format(warband=act.warband.name))
    except _MadeMeanwhile:  # two people printed at once; both use the first one's link
        return links.get()
    return made


def printed_path(warband: Warband) -> str:
    """Store the current version and return the path of the printed link to it.

    The first call makes the link, which is an act: it comes before the version that is stored, so that the next print
    shows the same one. `warband` then has that version.
    """
    share = print_link(warband)
    warband.refresh_from_db(fields=["version"])
    snapshot = take_snapshot(warband, _("Printed"))
    return reverse("warband-watch-version", args=[share.slug, snapshot.version])


class _MadeMeanwhile(Exception):
    """Rolls back an act that a concurrent request has done already."""


def _slug() -> str:
    """Return a random slug of 60 bits: short enough to print, too long to guess."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(12))


def person_named(username: str) -> Any:
    """Return the active user with this user name. Raises Refusal if there is none."""
    name = username.strip()
    user = User.objects.with_account().filter(username__iexact=name, is_active=True).first()
    if user is None:
        raise Refusal(
            _("No user with that name."),
            mend=_("Use the name they sign in with."),
            code="unknown-name",
            field="username",
        )
    return user


def add_delegate(*, warband: Warband, username: str, actor: Any, token: str = "", seen: int | None = None) -> Delegate:
    """Let the person with this user name act on the warband for its owner.

    Raises:
        Refusal: nobody has this name, or the person already owns the warband or acts for it.
    """
    with recording(warband, kind="delegate", actor=actor, token=token, seen=seen) as act:
        refuse_act(actor, act.warband, "delegate")
        user = person_named(username)
        if act.warband.owner_id == user.pk:
            raise Refusal(_("{warband} is {user}'s own.").format(warband=act.warband.name, user=user), code="no-change")
        if Delegate.objects.live().filter(warband=act.warband, user=user).exists():
            raise Refusal(_("{user} can already act for it.").format(user=user), code="no-change")
        delegate: Delegate = act.create(Delegate(warband=act.warband, user=user))
        act.say(_("{{who}} let {user} act for {warband}.").format(user=user, warband=act.warband.name))
    return delegate


def remove_delegate(
    *, warband: Warband, delegate: Delegate | None, actor: Any, token: str = "", seen: int | None = None
) -> None:
    """End a person's right to act for the owner. Raises Refusal if they have no such right."""
    with recording(warband, kind="delegate", actor=actor, token=token, seen=seen) as act:
        refuse_act(actor, act.warband, "delegate")
        mine = Delegate.objects.live().filter(warband=act.warband)
        row = mine.filter(pk=delegate.pk).select_related("user").first() if delegate is not None else None
        if row is None:
            raise Refusal(_("This person no longer acts for the warband."), code="gone")
        act.change(row, is_undone=True)
        act.say(_("{{who}} no longer lets {user} act for {warband}.").format(user=row.user, warband=act.warband.name))


def lend_rights(*, warband: Warband, lends: bool, actor: Any, token: str = "", seen: int | None = None) -> Warband:
    """Set whether delegates and administrators may also disband and restore the warband, and revoke and reopen links.

    Raises Refusal if nothing changes.
    """
    with recording(warband, kind="lend", actor=actor, token=token, seen=seen) as act:
        refuse_act(actor, act.warband, "lend")
        if act.warband.lends_rights == lends:
            raise Refusal(_("It is already set that way."), code="no-change")
        act.change(act.warband, lends_rights=lends)
        told = _("{{who}} decided: delegates and administrators may no longer disband {warband} or reopen its links.")
        if lends:
            told = _("{{who}} decided: delegates and administrators may disband {warband} or reopen its links.")
        act.say(told.format(warband=act.warband.name))
    warband.lends_rights = lends
    return warband


def take_snapshot(of: Warband | Recorder, reason: str = "") -> Snapshot:
    """Store the current version of the roster for good: document, sheet and problems.

    Each version is stored once; a second call returns the first snapshot. Inside an act, pass the recorder: the
    snapshot gets the version that the act creates, so take it last.
    """
    with transaction.atomic():
        if isinstance(of, Recorder):
            warband, version = of.warband, of.warband.version + 1
        else:
            # Lock the row, so that nobody writes between the reads of the version and of the roster.
            rows = Warband.objects.select_for_update(of=("self",), no_key=True).select_related("terms")
            warband = rows.get(pk=of.pk)
            version = warband.version
        if (kept := Snapshot.objects.filter(warband=warband, version=version).first()) is not None:
            return kept
        terms = warband.terms
        game, content = terms.game, terms.content
        force = force_of(warband)
        return Snapshot.objects.create(
            warband=warband,
            version=version,
            document=game.documents.write_document(content, force),
            sheet=msgspec.to_builtins(game.documents.sheet(content, force)),
            problems=[msgspec.to_builtins(problem) for problem in game.check(content, force).errors],
            reason=reason[:120],
        )
