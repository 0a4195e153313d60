"""Views of a person's account: preferences, data export, deletion; and the sign-in buttons of the demo."""

from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.utils import perform_login
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.deletion import delete_account, deletion_blockers
from accounts.export import exported_data
from accounts.forms import DeletionForm, PreferencesForm
from accounts.guests import is_guest, leave_behind
from accounts.models import User
from accounts.reset import told_of
from accounts.security import SHOWN, has_second_step
from accounts.security import told_of as security_words
from accounts.sessions import end_sessions, sign_out_one, signed_in_on
from accounts.sign_in_forms import SignInForm, SignUpForm, sign_in_new
from accounts.tokens import make_token
from config.access import login_required, public
from rules.problems import Refusal

RESET_LINKS = 10  # how many reset links the account page shows, newest first


@login_required
@require_http_methods(["GET", "POST"])
def account_show(request: HttpRequest) -> HttpResponse:
    # A copy of the row, so that an invalid choice does not affect the page around the form.
    form = PreferencesForm(request.POST or None, instance=User.objects.get(pk=request.user.pk))
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("account-show")
    links = [told_of(link) for link in request.user.reset_links.all()[:RESET_LINKS]]
    notes = [security_words(note) for note in request.user.security_notes.all()[:SHOWN]]
    context = {
        "form": form,
        "reset_links": links,
        "notes": notes,
        "has_email": bool(request.user.email),
        "has_second_step": has_second_step(request.user),
    }
    return render(request, "accounts/account.html", context, status=422 if form.is_bound else 200)


@login_required
@sensitive_post_parameters("password", "password1")
@require_http_methods(["GET", "POST"])
@never_cache
def account_keep(request: HttpRequest) -> HttpResponse:
    """Turn a guest into an account: a new one in place, or by signing in to one that takes over the warbands.

    With a second step the guest stays signed in until that is passed, and keeps the warbands if it never is.
    """
    onward = _onward(request)
    if not is_guest(request.user):
        return redirect(onward)
    signs_in = request.POST.get("act") == "sign-in"
    action = "login" if signs_in else "signup"
    if request.method == "POST" and (limited := ratelimit.consume_or_429(request, action=action)):
        return limited
    sign_in = SignInForm(request.POST if signs_in else None, request=request, prefix="old")
    sign_up = SignUpForm(request.POST if request.method == "POST" and not signs_in else None)
    if sign_in.is_valid():
        leave_behind(request, request.user)
        return sign_in.login(request, redirect_url=onward)
    if sign_up.is_valid():
        try:
            sign_up.save_account(request)
        except Refusal as refusal:
            sign_up.add_error(None, refusal.message)
        else:
            return sign_in_new(request, sign_up, onward=onward)
    context = {"sign_in": sign_in, "sign_up": sign_up, "onward": onward, "open_sign_in": signs_in}
    return render(request, "accounts/keep.html", context, status=422 if request.method == "POST" else 200)


def _onward(request: HttpRequest) -> str:
    """Return where the page leads afterwards: an address of this site, else the desk."""
    onward: str = request.POST.get("next") or request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(onward, {request.get_host()}, require_https=request.is_secure()):
        return onward
    return str(settings.LOGIN_REDIRECT_URL)


@login_required
@require_safe
@never_cache
def account_export(request: HttpRequest) -> HttpResponse:
    response = JsonResponse(exported_data(request.user), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="muster-roll-{timezone.now():%Y-%m-%d}.json"'
    return response


@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def account_delete(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        limited = ratelimit.consume_or_429(request, action="reauthenticate", user=request.user)
        if limited:
            return limited
    form = DeletionForm(request.POST or None, user=request.user)
    blockers = deletion_blockers(request.user)
    if not blockers and form.is_valid():
        was_guest = is_guest(request.user)
        blockers = delete_account(request.user)
        if not blockers:
            logout(request)
            messages.success(request, _("Your warbands are deleted.") if was_guest else _("Your account is deleted."))
            return redirect("desk-show" if was_guest else "account_login")
    context = {"form": form, "blockers": blockers}
    return render(request, "accounts/delete.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def sessions_show(request: HttpRequest) -> HttpResponse:
    """Show where the person is signed in; sign out one browser, or all but this one."""
    if request.method == "POST":
        row = request.POST.get("row", "")
        if row.isascii() and row.isdigit() and len(row) < 19:
            done = int(sign_out_one(request, int(row)))
        elif row == "others":
            done = end_sessions(request.user, but=request.session.session_key)
        else:
            return render(request, "accounts/sessions.html", _sessions(request, _("Choose a browser.")), status=422)
        words = ngettext("{count} browser signed out.", "{count} browsers signed out.", done).format(count=done)
        messages.success(request, words if done else _("That browser was signed out already."))
        return redirect("usersessions_list")
    return render(request, "accounts/sessions.html", _sessions(request, ""))


def _sessions(request: HttpRequest, fault: str) -> dict[str, Any]:
    lines = signed_in_on(request)
    return {"lines": lines, "has_others": len(lines) > 1, "fault": fault}


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def tokens_show(request: HttpRequest) -> HttpResponse:
    """Show the tokens for programs; make one, whose text stands on the answer alone, or delete one.

    A new token reads for years, so a browser left open is not enough to make it: the password or second step is asked for again.
    """
    context: dict[str, Any] = {"fault": "", "text": "", "name": "", "api": request.build_absolute_uri("/api/v1/")}
    status = 200
    if request.method == "POST" and (row := request.POST.get("row", "")):
        number = int(row) if row.isascii() and row.isdigit() and len(row) < 19 else 0
        request.user.api_tokens.filter(pk=number).delete()
        messages.success(request, _("The token no longer works."))
        return redirect("account-tokens")
    if request.method == "POST":
        raise_if_reauthentication_required(request, app="account")
        context["name"] = request.POST.get("name", "")
        try:
            _made, context["text"] = make_token(user=request.user, name=context["name"])
        except (Refusal, ValidationError) as fault:
            context["fault"], status = fault.message, 422
    context["tokens"] = list(request.user.api_tokens.all())
    return render(request, "accounts/tokens.html", context, status=status)


@public(reason="It is how one signs in to the demo; it exists in development only.")
@require_POST
def demo_login(request: HttpRequest) -> HttpResponse:
    name = request.POST.get("name", "")
    if not settings.DEVELOPMENT or name not in dict(settings.DEMO_LOGINS):
        raise Http404(_("No such demo log-in."))
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        messages.error(request, _("There is no demo club yet. Run: manage.py demo"))
        return redirect("account_login")
    return perform_login(request, person, redirect_url=_onward(request))
