"""The views of house overlays: hand in a file of changes to the rules, read it again, withdraw it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.models import HouseOverlay
from warbands.pages.house_overlays import house_overlays_page
from warbands.services.house_overlays import (
    MOST_BYTES,
    Faults,
    hand_in_overlay,
    offer_overlay_again,
    withdraw_overlay,
)
from warbands.views.acting import Notice
from warbands.views.states import send_overlay


class HouseOverlayForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File (TOML)"),
        widget=forms.FileInput(attrs={"accept": ".toml,application/toml,text/plain"}),
        error_messages={"required": gettext_lazy("Choose a file."), "empty": gettext_lazy("The file is empty.")},
    )


@login_required
@require_http_methods(["GET", "POST"])
def house_overlays(request: HttpRequest) -> HttpResponse:
    """List what the reader handed in. A POST hands in a file: all of it, or nothing with every fault."""
    form = HouseOverlayForm(request.POST, request.FILES) if request.method == "POST" else HouseOverlayForm()
    notice, status = None, 200
    together: tuple[str, ...] = ()
    if request.method == "POST":
        status = 422
        if form.is_valid():
            upload: UploadedFile = form.cleaned_data["file"]
            try:
                offer, together = hand_in_overlay(
                    name=upload.name or "", data=upload.read(MOST_BYTES + 1), actor=request.user
                )
            except Faults as refusal:
                notice = Notice("problem", refusal.message, refusal.mend, lines=refusal.faults)
            except Refusal as refusal:
                notice = Notice("problem", refusal.message, refusal.mend)
            else:
                words = _("“{title}” is on offer now. Nothing changes until a warband or campaign takes it.")
                messages.success(request, words.format(title=offer.copy.title))
                if not together:
                    return redirect("house-overlays")
                notice = Notice("told", _("It cannot be taken together with all others:"), lines=together[:20])
                form, status = HouseOverlayForm(), 200
    context = {"page": house_overlays_page(request.user), "form": form, "notice": notice}
    return render_page(request, "warbands/house_overlays.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def house_overlay(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a file as it was handed in. A POST withdraws it, or offers it again."""
    offer = get_object_or_404(HouseOverlay.objects.select_related("copy"), pk=pk, owner=request.user)
    if request.method != "POST":
        return send_overlay(offer.copy)
    if request.POST.get("do") == "offer":
        offer_overlay_again(offer=offer)
        messages.success(request, _("“{title}” is on offer again.").format(title=offer.copy.title))
    else:
        withdraw_overlay(offer=offer)
        messages.success(
            request, _("“{title}” is withdrawn. Those who play it keep it.").format(title=offer.copy.title)
        )
    return redirect("house-overlays")
