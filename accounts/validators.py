"""What every name of a person must be like, wherever it is given: in a form, in the admin, on the console."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from rules.visible import fault_of_name


def validate_visible(name: str) -> None:
    """Raise ValidationError for a name with something in it that nobody sees, or nothing else."""
    if fault := fault_of_name(name):
        raise ValidationError(fault, code="unseen")
