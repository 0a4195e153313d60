"""Services for the kept set-ups of the print page."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.models import PrintSetup, Warband
from warbands.print_options import PrintOptions
from warbands.services.common import clean_name

MOST_SETUPS = 12


def keep_print_setup(*, warband: Warband, name: str, options: PrintOptions) -> PrintSetup:
    """Keep these options under a name; those kept under it before are replaced. Raises Refusal."""
    label = clean_name(name, what=_("The name of the set-up"), field="")
    if len(label) > 40:
        raise Refusal(
            _("The name of the set-up has {count} characters of at most 40.").format(count=len(label)), code="text"
        )
    with transaction.atomic():
        Warband.objects.select_for_update(no_key=True).get(pk=warband.pk)
        kept = PrintSetup.objects.filter(warband=warband)
        if not kept.filter(name=label).exists() and kept.count() >= MOST_SETUPS:
            raise Refusal(
                _("A warband keeps at most {most} set-ups.").format(most=MOST_SETUPS),
                mend=_("Delete one first."),
                code="most",
            )
        setup, _is_new = PrintSetup.objects.update_or_create(
            warband=warband, name=label, defaults={"options": asdict(options)}
        )
    return setup


def drop_print_setup(*, warband: Warband, name: str) -> None:
    """Delete a kept set-up; nothing happens if there is none of this name."""
    PrintSetup.objects.filter(warband=warband, name=name).delete()
