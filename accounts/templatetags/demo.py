"""The demo log-ins on the sign-in page of a developer's laptop."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def demo_logins() -> list[tuple[str, str]]:
    """Return (user name, description) of each demo log-in; none outside development."""
    return settings.DEMO_LOGINS if settings.DEVELOPMENT else []
