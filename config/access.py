"""Decorators for access to views: each view has `@login_required` or `@public(reason="...")`, which a test checks."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRedirect

View = TypeVar("View", bound=Callable[..., Any])


def public(*, reason: str) -> Callable[[View], View]:
    """Mark a view as open to anybody, with the reason."""

    def mark(view: View) -> View:
        view.public_reason = reason  # type: ignore[attr-defined]
        return view

    return mark


def login_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect a visitor who is not signed in to the sign-in page, and back afterwards.

    htmx would swap the page of a plain redirect into a part of this one, so the response makes it load the whole page.
    It then returns to the page that was open, since the fragment's own URL may only answer a POST.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            back = request.htmx.current_url_abs_path or "/"
            return HttpResponseClientRedirect(redirect_to_login(back).url)
        return redirect_to_login(request.get_full_path())

    guarded.needs_login = True  # type: ignore[attr-defined]
    return guarded
