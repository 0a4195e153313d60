"""A warband that somebody is copying from paper, stored until it is imported."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _


class PaperDraft(models.Model):
    """What was typed so far. A draft has no history: it can be changed and deleted. It stays if the import is undone.

    `data` holds the typed roster (`rules.transcription.PaperData`). `text` is a pasted roster, and `answers` are the
    meanings chosen for its phrases so far. `place` is where the warband will be imported ("seat:12"), empty for the
    person's own list. `warband` is the imported warband. `original` is a file of another program, which is read anew on
    each page as the text is; `format` says what it, or the text, was recognised as, and `why` what told the edition.
    With `is_shared`, everybody who may act for `place` may finish it, and it does not count towards its owner's drafts.
    `is_export` is for a file of this app which is imported as it stands, with its history, until somebody changes it here.
    `again` is the warband that the file is compared with, where it was brought again.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="paper_drafts")
    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    place = models.CharField(max_length=40, blank=True)
    data = models.JSONField(default=dict, blank=True)
    text = models.TextField(blank=True)
    original = models.BinaryField(null=True, editable=False)
    original_name = models.CharField(max_length=120, blank=True)
    format = models.CharField(max_length=30, blank=True)
    why = models.CharField(max_length=200, blank=True)
    is_shared = models.BooleanField(default=False)
    is_export = models.BooleanField(default=False)
    again = models.ForeignKey("warbands.Warband", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    answers = models.JSONField(default=dict, blank=True)
    warband = models.ForeignKey("warbands.Warband", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "") or _("Unnamed warband")
