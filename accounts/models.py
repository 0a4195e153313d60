"""The user of the site, and reset links made by hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.validators import validate_visible

password_replaced = Signal()  # user: the person whose password is another one now; it is saved already


class PaperSize(models.TextChoices):
    """The paper size of printed sheets; the values are CSS names."""

    A4 = "A4", "A4"
    LETTER = "Letter", _("Letter")


class ColourScheme(models.TextChoices):
    AUTO = "auto", _("Same as my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class People(UserManager):
    def with_account(self) -> models.QuerySet[User]:
        """Select people who signed up, without guests."""
        return self.get_queryset().filter(is_guest=False)


class User(AbstractUser):
    """A person of the site.

    A guest is somebody who builds before signing up: without a password, known only by the session of one browser.
    `accounts/guests.py` says what a guest may do and how a guest becomes an account.
    """

    username = models.CharField(
        "username",
        max_length=150,
        unique=True,
        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
        validators=[UnicodeUsernameValidator(), validate_visible],
        error_messages={"unique": "A user with that username already exists."},
    )
    first_name = models.CharField("first name", max_length=150, blank=True, validators=[validate_visible])

    paper_size = models.CharField(max_length=6, choices=PaperSize, default=PaperSize.A4)
    colour_scheme = models.CharField(max_length=5, choices=ColourScheme, default=ColourScheme.AUTO)

    takes_reset_links = models.BooleanField(
        default=True,
        help_text=_("Without an e-mail address, a campaign administrator may give you a link to set a new password."),
    )
    link_ends_second_step = models.BooleanField(
        default=False,
        help_text=_("For when you lose your phone and your recovery codes."),
    )
    is_guest = models.BooleanField(default=False, editable=False)

    objects = People()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(paper_size__in=PaperSize.values), name="user_paper_size_known"),
            models.CheckConstraint(
                condition=models.Q(colour_scheme__in=ColourScheme.values), name="user_colour_scheme_known"
            ),
        ]
        indexes = [
            models.Index(fields=["last_login"], condition=models.Q(is_guest=True), name="guest_by_last_use"),
        ]

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any]) -> User:
        """Return a row that knows whether it has a password already, unless that field was left out."""
        row: User = super().from_db(db, field_names, values)
        row.had_password = "password" in row.__dict__ and row.has_usable_password()
        return row

    had_password = False

    def save(self, *args: Any, **how: Any) -> None:
        """Save the row. Wherever a new password comes from, even the console, its person hears of it."""
        replaced = self._password is not None and self.had_password
        super().save(*args, **how)
        if replaced:
            password_replaced.send(sender=User, user=self)
        if "password" in self.__dict__:
            self.had_password = self.has_usable_password()

    def __str__(self) -> str:
        """Return the name that the club sees: the first name, else the user name."""
        if self.is_guest:
            return gettext("Guest")
        return self.first_name or self.username


class ResetLink(models.Model):
    """A link with which a person without e-mail sets a new password. Somebody responsible for them makes it.

    `ground` is the maker's right to make it ("seat:12"); the app that registered this kind of ground checks it again
    when the link is used. `place` is its readable name, e.g. that of the campaign. `ended_at` is set if a newer link or
    the person ended it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="reset_links")
    maker = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    maker_name = models.CharField(max_length=150)
    place = models.CharField(max_length=80)
    ground = models.CharField(max_length=40)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)
    refused_words = models.CharField(max_length=200, blank=True)
    is_told = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"Reset link for {self.user}"


class SecurityNote(models.Model):
    """What changed about how somebody signs in. They read it on their page, at the next sign-in, and in a mail."""

    class Kind(models.TextChoices):
        PASSWORD = "password", _("Your password was changed.")
        PASSWORD_TOKENS = "pw-tokens", _("Your password was changed. Your tokens for programs ended with the old one.")
        APP_ADDED = "app-added", _("An authenticator app was added as a second step.")
        APP_REMOVED = "app-removed", _("The authenticator app was removed.")
        KEY_ADDED = "key-added", _("A passkey or security key was added.")
        KEY_REMOVED = "key-removed", _("A passkey or security key was removed.")
        CODES = "codes", _("New recovery codes were made. Older ones no longer work.")
        STEP_ENDED = "step-ended", _("Your second step was turned off.")
        ADDRESS = "address", _("Your e-mail addresses were changed.")
        TOKEN = "token", _("A token for programs was made.")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="security_notes")
    kind = models.CharField(max_length=11, choices=Kind)
    by = models.CharField(max_length=150, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    is_told = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(self.get_kind_display())


class ApiToken(models.Model):
    """A token of the read-only API. `shown` is how it begins, so that its person knows it again."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    shown = models.CharField(max_length=12)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Suspension(models.Model):
    """A time during which somebody cannot sign in, with the site owner's reason. Rows are kept as a log."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="suspensions")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(ended_at__isnull=True), name="one_open_suspension_per_user"
            )
        ]

    def __str__(self) -> str:
        return str(self.user)


class HiddenPage(models.Model):
    """A page that strangers no longer see, with the site owner's reason. Rows are kept as a log.

    `row` is the id of the campaign, warband or profile whose public pages are hidden.
    """

    class Kind(models.TextChoices):
        CAMPAIGN = "campaign", _("Campaign")
        WARBAND = "warband", _("Shared roster")
        PROFILE = "profile", _("Shared profile")

    kind = models.CharField(max_length=8, choices=Kind)
    row = models.BigIntegerField()
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "row"], condition=models.Q(ended_at__isnull=True), name="page_hidden_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.row}"
