"""The component page: every component in every state, with the sample values of templates/styleguide/samples.json. Development only."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.access import public
from config.icons import ICONS, MARKS

SCHEMES = ("auto", "light", "dark")
SAMPLES = settings.BASE_DIR / "templates" / "styleguide" / "samples.json"


class SampleValue(dict[str, Any]):
    """Sample values with attribute access, like the page types."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class ComponentForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As on the sheet.")
    game = forms.ChoiceField(label="Game", choices=[("tc", "Trench Crusade"), ("gt", "Gloom Trench 1926")])
    rounds = forms.IntegerField(label="Rounds", min_value=1, max_value=12)
    dice = forms.ChoiceField(
        label="Dice",
        widget=forms.RadioSelect,
        choices=[("either", "either"), ("app", "the app rolls"), ("typed", "typed in")],
    )
    notes = forms.CharField(label="Notes", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    shown = forms.BooleanField(label="Show what is closed", required=False)


@public(reason="Samples only, and only where DEVELOPMENT is on.")
@require_safe
def component_list(request: HttpRequest) -> HttpResponse:
    """Show every component in every state; `?scheme=` fixes light or dark."""
    scheme = request.GET.get("scheme", "auto")
    wrong = {"name": "", "game": "tc", "rounds": "13", "dice": "either"}
    context = {
        "scheme": scheme if scheme in SCHEMES else "auto",
        "schemes": SCHEMES,
        "icon_names": sorted(ICONS.names()),
        "mark_names": sorted(MARKS.names()),
        "form": ComponentForm(
            prefix="calm", initial={"name": "The Winter at Gallows Weir", "rounds": 12, "dice": "either"}
        ),
        "wrong_form": ComponentForm({f"wrong-{key}": value for key, value in wrong.items()}, prefix="wrong"),
        **json.loads(SAMPLES.read_text(encoding="utf-8"), object_hook=SampleValue),
    }
    return render(request, "styleguide/component_list.html", context)
