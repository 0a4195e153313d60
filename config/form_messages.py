"""Default error messages of forms: Django's sentences, in the wording of this site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _

MESSAGES: dict[type[forms.Field], dict[str, Any]] = {
    forms.Field: {"required": _("Fill this in.")},
    forms.IntegerField: {"invalid": _("Enter a whole number.")},
    forms.DateField: {"invalid": _("Enter a day like 2026-09-01.")},
    forms.ChoiceField: {"invalid_choice": _("Choose one of the options.")},
    forms.MultipleChoiceField: {
        "invalid_choice": _("Choose one of the options."),
        "invalid_list": _("Choose several options."),
    },
    forms.FileField: {
        "invalid": _("Choose a file."),
        "missing": _("Choose a file."),
        "empty": _("The file is empty."),
    },
}
VALIDATORS: dict[type[validators.BaseValidator], Any] = {
    validators.MinValueValidator: _("At least %(limit_value)s."),
    validators.MaxValueValidator: _("At most %(limit_value)s."),
    validators.MinLengthValidator: _("At least %(limit_value)d characters; this has %(show_value)d."),
    validators.MaxLengthValidator: _("At most %(limit_value)d characters; this has %(show_value)d."),
}


def use_our_words() -> None:
    """Replace Django's sentences. Called once, when the site starts."""
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
    for validator, message in VALIDATORS.items():
        validator.message = message
    validators.validate_email.message = _("Enter an e-mail address like ada@club.example.")
    validators.ProhibitNullCharactersValidator.message = _("It contains a character that can't be saved.")
