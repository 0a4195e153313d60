"""Each view of ours says who may call it."""

from collections.abc import Iterator

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from config.access import login_required, public

OURS = ("accounts.", "campaigns.", "config.", "notifications.", "warbands.")


def patterns(within: URLResolver) -> Iterator[URLPattern]:
    for entry in within.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry


def our_views() -> dict[str, object]:
    return {
        f"{entry.callback.__module__}.{entry.callback.__name__}": entry.callback
        for entry in patterns(get_resolver())
        if entry.callback.__module__.startswith(OURS)
    }


def test_there_is_something_to_check():
    assert "accounts.views.account_show" in our_views()


def test_a_view_is_for_people_signed_in_or_says_why_it_is_public():
    silent = [
        name
        for name, view in our_views().items()
        if not (getattr(view, "needs_login", False) or getattr(view, "public_reason", ""))
    ]
    assert not silent, "These want @login_required or @public(reason=...) as their outermost decorator."


def test_the_marks_are_seen():
    assert login_required(lambda request: HttpResponse()).needs_login
    assert public(reason="An invitation is read before signing in.")(lambda request: HttpResponse()).public_reason
