"""Default error messages of forms: Django's sentences, in the wording of this site."""

from __future__ import annotations

from django import forms
from django.core import validators

MESSAGES: dict[type[forms.Field], dict[str, str]] = {
    forms.Field: {"required": "This is asked for."},
    forms.IntegerField: {"invalid": "A whole number is asked for."},
    forms.DateField: {"invalid": "A day, like 2026-09-01."},
    forms.ChoiceField: {"invalid_choice": "This is not one of the choices."},
    forms.MultipleChoiceField: {
        "invalid_choice": "This is not one of the choices.",
        "invalid_list": "Several choices are asked for.",
    },
    forms.FileField: {
        "invalid": "A file is asked for.",
        "missing": "A file is asked for.",
        "empty": "The file is empty.",
    },
}
VALIDATORS: dict[type[validators.BaseValidator], str] = {
    validators.MinValueValidator: "At least %(limit_value)s.",
    validators.MaxValueValidator: "At most %(limit_value)s.",
    validators.MinLengthValidator: "At least %(limit_value)d characters; this has %(show_value)d.",
    validators.MaxLengthValidator: "At most %(limit_value)d characters fit; this has %(show_value)d.",
}


def use_our_words() -> None:
    """Replace Django's sentences. Called once, when the site starts."""
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
    for validator, message in VALIDATORS.items():
        validator.message = message
    validators.validate_email.message = "An e-mail address, like ada@club.example."
    validators.ProhibitNullCharactersValidator.message = "It holds a character that cannot be kept."
