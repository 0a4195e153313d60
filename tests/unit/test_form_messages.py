"""What a form says where a field has no words of its own."""

from __future__ import annotations

import re

import pytest
from django import forms

from campaigns.people_forms import NamedForm
from rules.registry import system
from warbands.transcription_forms import PaperWarbandForm

DJANGO = re.compile(r"Ensure|Enter a valid|Select a valid|This field|is not one of the available", re.IGNORECASE)


LABELS = system("trench-crusade").labels(system("trench-crusade").content("1.6.3"))


class Sheet(forms.Form):
    ducats = forms.IntegerField(min_value=0, max_value=9999)
    day = forms.DateField()
    name = forms.CharField(min_length=2, max_length=5)
    hand = forms.ChoiceField(choices=[("left", "Left"), ("right", "Right")])
    hands = forms.MultipleChoiceField(choices=[("left", "Left")])
    address = forms.EmailField()
    file = forms.FileField()


@pytest.mark.parametrize(
    ("field", "sent", "told"),
    [
        ("ducats", "", "Fill this in."),
        ("ducats", "-5", "At least 0."),
        ("ducats", "10000", "At most 9999."),
        ("ducats", "many", "Enter a whole number."),
        ("day", "tomorrow", "Enter a day like 2026-09-01."),
        ("name", "A", "At least 2 characters; this has 1."),
        ("name", "Ottoline", "At most 5 characters; this has 8."),
        ("name", "O\0t", "It contains a character that can't be saved."),
        ("hand", "third", "Choose one of the options."),
        ("hands", ["third"], "Choose one of the options."),
        ("address", "ada", "Enter an e-mail address like ada@club.example."),
        ("file", "", "Fill this in."),
    ],
)
def test_a_field_without_words_of_its_own_says_what_it_asks_for(field: str, sent: object, told: str) -> None:
    assert Sheet({field: sent}).errors[field] == [told]


def test_numbers_of_a_paper_roster_are_answered_in_our_words() -> None:
    form = PaperWarbandForm({"name": "Wardens", "ducats": "-5", "fought": "1.5"}, lists=[], labels=LABELS)
    for field in ("ducats", "fought"):
        (told,) = form.errors[field]
        assert not DJANGO.search(told), told


def test_a_name_too_long_is_answered_in_our_words() -> None:
    (told,) = NamedForm({"name": "x" * 81}).errors["name"]
    assert told == "At most 80 characters; this has 81."
