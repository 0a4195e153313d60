"""Credits: the owners of the games, fonts, icons and libraries."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.access import public


@public(reason="Owners, licences and the word unofficial are for everybody.")
@require_safe
def notice_show(request: HttpRequest) -> HttpResponse:
    return render(request, "notices.html")
