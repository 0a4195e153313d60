"""The user of the site."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class PaperSize(models.TextChoices):
    """The paper that sheets are printed on; the values are what CSS calls them."""

    A4 = "A4", "A4"
    LETTER = "Letter", "Letter"


class ColourScheme(models.TextChoices):
    """Light or dark pages."""

    AUTO = "auto", "As my device says"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class User(AbstractUser):
    """A person who signs in, with the screen and paper they prefer."""

    paper_size = models.CharField(max_length=6, choices=PaperSize, default=PaperSize.A4)
    colour_scheme = models.CharField(max_length=5, choices=ColourScheme, default=ColourScheme.AUTO)

    takes_reset_links = models.BooleanField(
        default=True,
        help_text="Without an e-mail address, an administrator of a campaign may hand over a link to set a new password.",
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(paper_size__in=PaperSize.values), name="user_paper_size_known"),
            models.CheckConstraint(
                condition=models.Q(colour_scheme__in=ColourScheme.values), name="user_colour_scheme_known"
            ),
        ]

    def __str__(self) -> str:
        """The name the club knows the person by: what they told us, else their user name."""
        return self.first_name or self.username
