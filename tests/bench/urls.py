"""The site's addresses and one bare page, the yardstick of the measurements."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


@login_required
def bare(request: HttpRequest) -> HttpResponse:
    """Say who is signed in: the least that a page behind the same middleware can do."""
    return HttpResponse(f"<!DOCTYPE html><title>Bare</title><p>{request.user.pk}</p>")


urlpatterns = [path("bare/", bare, name="bare"), path("", include("config.urls"))]
