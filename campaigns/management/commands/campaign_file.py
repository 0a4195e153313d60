"""`manage.py campaign_file export ID FILE` writes a campaign to a file, and `campaign_file import FILE` brings it to this site.

Exit status 0: done, and reconciled; 1: a clean no, with the reason; 2: the file can't be read.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from campaigns.campaign_file.importing import ImportedCampaign, import_campaign
from campaigns.campaign_file.reading import CampaignHead, read_whole
from campaigns.campaign_file.writing import write_campaign
from campaigns.models import Campaign, Seat
from campaigns.services.common import NothingToDo
from campaigns.services.open import add_administrator
from config.backup.faults import BackupFault

NO, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = (
        "Take a campaign along to another server, whole: warbands with history and ledger, battles, reports, tables, "
        "settings. People are in the file as names. "
        "Exit status 1: refused, with the reason; 2: the file can't be read. Nothing is saved then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
        out = acts.add_parser("export", help="write the campaign with this number to a new file")
        out.add_argument("campaign", type=int, metavar="ID")
        out.add_argument("file", type=Path, metavar="FILE")
        into = acts.add_parser("import", help="bring the campaign of a file here")
        into.add_argument("file", type=Path, metavar="FILE")
        into.add_argument("--owner", metavar="USER", default="", help="who administers it here")
        into.add_argument("--as", dest="name", metavar="NAME", default="", help="who of the file the owner is")
        show = acts.add_parser("show", help="say what a file holds, and save nothing")
        show.add_argument("file", type=Path, metavar="FILE")
        give = acts.add_parser("administrator", help="make somebody an administrator of a campaign that has none")
        give.add_argument("campaign", type=int, metavar="ID")
        give.add_argument("user", metavar="USER")

    def handle(self, *, act: str, **options: Any) -> None:
        getattr(self, f"_{act}")(**options)

    def _export(self, *, campaign: int, file: Path, **options: Any) -> None:
        found = _campaign(campaign)
        if file.exists():
            raise CommandError(f"{file} exists already. Give the file another name.", returncode=NO)
        try:
            handle, part = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror or error}.", returncode=NO) from None
        try:
            with os.fdopen(handle, "wb") as target:  # readable for this user only, as temporary files are
                counts = write_campaign(found, target)
                target.flush()
                os.fsync(target.fileno())
            os.link(part, file)  # refuses where a file of this name has appeared since
        except BackupFault as fault:
            raise CommandError(str(fault), returncode=NO) from None
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror or error}.", returncode=NO) from None
        finally:
            Path(part).unlink(missing_ok=True)
        self.stdout.write(
            f"{file}: {found.name}, {counts['warbands.Warband']} warbands, {counts['campaigns.Battle']} battles, "
            f"{counts['warbands.Event']} acts, {file.stat().st_size} bytes. Ledgers and chains are right."
        )

    def _import(self, *, file: Path, owner: str, name: str, **options: Any) -> None:
        actor = _user(owner) if owner else None
        told, source = self._read(file)
        with source:
            who = _who(told, actor, name)
            try:
                brought = import_campaign(source, actor=actor, who=who)
            except BackupFault as fault:
                raise CommandError(str(fault), returncode=NO) from None
        self._tell(brought, actor)

    def _show(self, *, file: Path, **options: Any) -> None:
        told, source = self._read(file)
        source.close()
        self.stdout.write(f"{told.name}, written on {told.made} by release {told.release}.")
        for label, count in told.rows.items():
            if count:
                self.stdout.write(f"  {label}: {count}")
        for person in told.people:
            places = ", ".join([*(["administrator"] if person.administers else []), *person.seats])
            self.stdout.write(f"  {person.name}: {places or 'took part'}")

    def _administrator(self, *, campaign: int, user: str, **options: Any) -> None:
        found = _campaign(campaign)
        if found.administrators.filter(is_undone=False).exists():  # type: ignore[attr-defined]
            raise CommandError(f"{found.name} has an administrator, who may name others on its page.", returncode=NO)
        with contextlib.suppress(NothingToDo):
            add_administrator(campaign=found, user=_user(user), actor=None)
        self.stdout.write(f"{user} administers {found.name}.")

    def _read(self, file: Path) -> tuple[CampaignHead, IO[bytes]]:
        """Return what a file says of itself, and the file, still open."""
        try:
            source = file.open("rb")
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror or error}.", returncode=UNREADABLE) from None
        try:
            return read_whole(source), source
        except BackupFault as fault:
            source.close()
            raise CommandError(str(fault), returncode=UNREADABLE) from None

    def _tell(self, brought: ImportedCampaign, actor: User | None) -> None:
        campaign = brought.campaign
        self.stdout.write(
            f"{campaign.name} is here as number {campaign.pk}: {brought.rows['warbands.Warband']} warbands, "
            f"{brought.rows['campaigns.Battle']} battles, {brought.acts} acts. Ledgers and chains are right."
        )
        if brought.in_part:
            self.stdout.write(f"{brought.in_part} acts also tell of rows that stayed on the other server.")
        free = Seat.objects.live().filter(campaign=campaign, user=None).exclude(status=Seat.Status.LEFT).count()
        if free:
            self.stdout.write(
                f"Places that wait for their players: {free}. Their claim links are on the page of the players."
            )
        if actor is None:
            self.stdout.write(
                f"It has no administrator yet: campaign_file administrator {campaign.pk} USER names somebody."
            )


def _campaign(key: int) -> Campaign:
    found = Campaign.objects.series().filter(pk=key).first()
    if found is None:
        raise CommandError(f"There is no campaign {key}.", returncode=NO)
    return found


def _user(name: str) -> User:
    found = User.objects.with_account().filter(username=name, is_active=True).first()
    if found is None:
        raise CommandError(f"There is no account “{name}”.", returncode=NO)
    return found


def _who(told: CampaignHead, actor: User | None, name: str) -> dict[int, User]:
    if not name:
        return {}
    if actor is None:
        raise CommandError("--as says who of the file the owner is: give --owner too.", returncode=NO)
    numbers = [person.number for person in told.people if person.name == name]
    if len(numbers) != 1:
        raise CommandError(f"The file has {len(numbers)} people named “{name}”.", returncode=NO)
    return {numbers[0]: actor}
