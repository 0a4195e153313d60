"""Validators for the names of people, wherever they are set: in a form, in the admin, on the console."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from rules.visible import fault_of_name


def validate_visible(name: str) -> None:
    """Raise ValidationError if a name contains invisible characters, or nothing else."""
    if fault := fault_of_name(name):
        raise ValidationError(fault, code="unseen")
