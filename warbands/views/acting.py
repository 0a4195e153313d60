"""Helpers that run an act and answer it: done, already done, stale, refused, or not understood."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.draft_context import current_run, mount_of
from warbands.idempotency import new_token
from warbands.models import Event, Warband
from warbands.pages.formatting import in_full
from warbands.recording import AlreadyDone, Stale, event_just_recorded, event_of_token


@dataclass(frozen=True, slots=True)
class Notice:
    """The message that a page shows about the form just submitted.

    `again` holds the fields to submit the form once more, after a stale version or after a question to the user.
    `lines` holds the questions, `checked` the marker that the user read them, and `label` the label of the button that continues.
    `field` is the name of the field that it is about, if its page shows the words there too (`wrong_words` of the template tags).
    `sent` is the form as it was submitted: the page shows again what was typed there.
    """

    kind: str  # problem, told, question
    words: str
    mend: str = ""
    again: tuple[tuple[str, str], ...] = ()
    again_url: str = ""
    again_target: str = ""
    again_token: str = ""
    lines: tuple[str, ...] = ()
    checked: str = ""
    label: str = ""
    field: str = ""
    sent: Mapping[str, str] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of an act. `result` is what the service returned, `event` is the event that the service recorded."""

    done: bool
    status: int
    notice: Notice | None = None
    result: Any = None
    event: Event | None = None


NOT_PASSED_ON = {"csrfmiddlewaretoken", "token", "seen", "checked"}


def attempt(request: HttpRequest, form: forms.Form, do: Callable[[], Any]) -> Attempt:
    """Run the service of a valid form, and turn what it raises into the page's notice.

    A refusal that names a field becomes that field's error, as if the form had found it. `event` is None if the service returned a
    result that says that it leaves no event.

    If the form was submitted before and its response was lost, the user learns that the act is done, even if it would be refused now.
    """
    if not form.is_valid():
        return _done_before(request) or Attempt(False, 422, told_by(form))
    try:
        result = do()
    except AlreadyDone as spent:
        return _already(spent.event)
    except Stale as stale:
        return Attempt(False, 422, Notice("problem", stale.message, stale.mend, **_once_more(request)))
    except Refusal as refusal:
        return _done_before(request) or Attempt(False, 422, told_of(refusal, form, request))
    request.acted = True  # type: ignore[attr-defined]
    wrote = getattr(result, "leaves_event", True)
    return Attempt(True, 200, None, result, event_just_recorded(form.cleaned_data.get("token")) if wrote else None)


def tried_form(request: HttpRequest, form: Any, do: Callable[[], Any], *, beside: Collection[str] = ()) -> Attempt:
    """Run the service for a form that the page does not draw itself; any error becomes the notice.

    `beside` are the fields of the form at which the page shows the notice's words too.
    """
    tried = attempt(request, form, do)
    if not tried.done and tried.notice is None:
        name, words = _first_wrong(form)
        field = name if name in beside else ""
        notice = Notice("problem", words or _("This could not be read."), field=field, sent=request.POST)
        return Attempt(False, tried.status, notice)
    return tried


def _first_wrong(form: forms.Form) -> tuple[str, str]:
    """Return the first field with an error and the error's words, ("", "") if there is none."""
    errors: Mapping[str, Any] = form.errors
    return next(((name, str(error)) for name, found in errors.items() for error in found), ("", ""))


def told_of(refusal: Refusal, form: forms.Form, request: HttpRequest) -> Notice | None:
    """Return the notice of a refusal; None if it is about one field of the form, which then has it as an error."""
    field = form.fields.get(refusal.field)
    if field is None or field.widget.is_hidden:
        return Notice("problem", refusal.message, refusal.mend, field=refusal.field, sent=request.POST)
    form.add_error(refusal.field, f"{refusal.message} {refusal.mend}".strip())
    return None


def ask_first(request: HttpRequest, lines: Sequence[str], *, label: str) -> Attempt | None:
    """Return the page's question before an act that looks like a mistake; None if there is nothing to ask or the user answered.

    The user answers by submitting the same form with a hash of these questions, so other values raise the question again.
    Nothing is written here, and the status says so: a form that was queued while offline does not count as done,
    and the device keeps what the user typed.
    """
    if not lines or _done_before(request) is not None:  # submitted twice: the act itself says that it is done
        return None
    mark = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]
    if request.POST.get("checked") == mark:
        return None
    once_more = _once_more(request)
    once_more |= {"again": (*once_more["again"], ("checked", mark)), "label": label}
    return Attempt(False, 422, Notice("question", _("Please check:"), lines=tuple(lines), checked=mark, **once_more))


def renewed(form: Any, seen: int | None = None) -> Any:
    """Return the form as it was submitted, with an unused token and, if `seen` is given, the current version."""
    form.data = form.data.copy()
    form.data["token"] = new_token()
    if seen is not None:
        form.data["seen"] = str(seen)
    return form


def _once_more(request: HttpRequest) -> dict[str, Any]:
    sent = request.POST
    return {
        "again": tuple((name, value) for name in sent for value in sent.getlist(name) if name not in NOT_PASSED_ON),
        "again_url": request.get_full_path(),
        "again_target": _target(request),
        "again_token": new_token(),
        "label": _("Do it anyway"),
        "sent": sent,
    }


def _already(event: Event | None) -> Attempt:
    words = _("This was done already. {told}").format(told=event.told) if event else _("This was done already.")
    return Attempt(False, 200, Notice("told", words))


def _done_before(request: HttpRequest) -> Attempt | None:
    event = event_of_token(request.POST.get("token"))
    return _already(event) if event else None


def _target(request: Any) -> str:
    return (request.htmx.target or "").rpartition("#")[2] if request.htmx else ""


def told_by(form: forms.Form) -> Notice | None:
    """Return a notice with the first error of a form whose fields the page does not show; None if it has none."""
    hidden = [error for bound in form.hidden_fields() for error in bound.errors]
    if words := [*form.non_field_errors(), *hidden]:
        return Notice("problem", str(words[0]))
    return None


def respond(
    request: HttpRequest,
    tried: Attempt,
    show: Callable[..., HttpResponse],
    *,
    onward: str,
    warband: Warband | None = None,
    said: str = "",
    choose: str = "",
    rename: str = "",
) -> HttpResponse:
    """Answer an act: a success message and the next page if it is done, else the same page with its notice.

    `show(notice=..., status=..., event=...)` renders the page again. htmx gets that part of the page at once, other clients a redirect.
    """
    if not tried.done:
        return show(notice=tried.notice, status=tried.status)
    add_success_message(request, tried.event, warband=warband, said=said, choose=choose, rename=rename)
    if request.htmx:  # type: ignore[attr-defined]
        return show(notice=None, status=200)
    return redirect(onward)


def add_success_message(
    request: HttpRequest,
    event: Event | None,
    *,
    warband: Warband | None = None,
    said: str = "",
    choose: str = "",
    rename: str = "",
) -> None:
    """Add a message that says what was done, with its undo; `choose` and `rename` are the pages of its choices and its name.

    It gives the strongbox if money of this warband moved.
    """
    words = said or (told_to(event, request.user) if event else _("Done."))
    if event is not None and warband is not None and event.ledger.filter(warband=warband).exists():
        words += f" {left_words(warband)}"
    tags = [_undo_tag(event), f"token:{new_token()}"] if event else []
    tags += [f"choose:{choose}"] if choose else []
    tags += [f"rename:{rename}"] if rename else []
    messages.success(request, words, extra_tags=" ".join(tags))


def _undo_tag(event: Event) -> str:
    run = current_run()
    return f"undo:{event.pk}" if run is None else f"back:{mount_of(run.draft.pk)}/#acts"


def left_words(warband: Warband) -> str:
    held = Warband.objects.only("strongbox_ducats", "strongbox_glory").get(pk=warband.pk).strongbox
    if held.ducats < 0:
        return _("{n} ducats over.").format(n=-held.ducats)
    return _("{money} left.").format(money=in_full(held))


def told_to(event: Event, reader: Any) -> str:
    """Return the sentence of an event for this reader; the person who did it reads "You hired Jonas ..."."""
    if event.actor_id == reader.pk and not event.for_name:
        return event.sentence.replace("{who}", _("You"), 1)
    return event.told
