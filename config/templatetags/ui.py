"""Template tags of the design system: icons, links that may not exist yet, the faces of a die."""

from collections.abc import Hashable, Iterable, Sequence, Sized
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.forms import BaseForm, BoundField
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context, RequestContext
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from config.icons import ICONS, MARKS, Drawings

register = template.Library()

SIZES = (16, 20, 24)
MARK_SIZES = (16, 20, 24, 32, 48)
DIE_FACES = ("one", "two", "three", "four", "five", "six")
MAIN_PLACES = (
    ("desk-show", _("Desk"), "inbox", ("/",)),
    ("warband-list", _("Warbands"), "users", ("/warbands/", "/fighters/", "/items/", "/drafts/", "/s/")),
    (
        "campaign-list",
        _("Campaigns"),
        "flag",
        ("/campaigns/", "/battles/", "/captures/", "/seats/", "/join/", "/claim/", "/c/"),
    ),
    ("rule-list", _("Rules"), "book-open", ("/rules/", "/odds/", "/library/")),
    ("account-show", _("Me"), "user", ("/account/", "/accounts/")),
)


@register.simple_tag
def wrong(notice: Any, name: str, **of: Any) -> SafeString:
    """Return the attributes of a field that a notice is about: it has the focus. `wrong_words` says there what is wrong.

    Where several forms have a field of this name, `of` says what only this one sends, such as its act or its row.
    """
    is_wrong = _is_about(notice, name, of)
    return mark_safe(' aria-invalid="true" aria-describedby="wrong" autofocus') if is_wrong else SafeString("")


@register.simple_tag
def wrong_words(notice: Any, name: str, **of: Any) -> SafeString:
    """Return what is wrong with a field, to stand under it, if the notice is about it; `of` is as with `wrong`."""
    if not _is_about(notice, name, of):
        return SafeString("")
    return format_html('<p class="field-error" id="wrong">{}<span>{}</span></p>', icon("triangle-alert"), notice.words)


@register.simple_tag
def typed(notice: Any, name: str, otherwise: Any = "", **of: Any) -> Any:
    """Return what was typed into a field of the form that a notice is about, else what stands there otherwise; `of` is as with `wrong`."""
    is_sent = notice and notice.sent and name in notice.sent and _was_sent(notice, of)
    return notice.sent[name] if is_sent else "" if otherwise is None else otherwise


def _is_about(notice: Any, name: str, of: dict[str, Any]) -> bool:
    return bool(notice and name and notice.field == name and _was_sent(notice, of))


def _was_sent(notice: Any, of: dict[str, Any]) -> bool:
    return all(notice.sent.get(name) == str(value) for name, value in of.items())


@register.filter
def query_of(address: str) -> str:
    """Return an address from its `?` on: all that a form opened within its own page needs, where it is written hundreds of times."""
    return address[address.find("?") :] if "?" in address else address


@register.simple_tag
def picked(sent: Any, *parts: Any) -> SafeString:
    """Return the attribute of the option that was sent: its value is made of these parts, with a space between them."""
    return mark_safe(" selected") if sent and str(sent) == " ".join(map(str, parts)) else SafeString("")


@register.simple_tag
def icon(name: str, size: int = 20, label: str = "") -> SafeString:
    """Return one icon from the sprite, hidden from assistive technology unless it carries a label."""
    if name not in ICONS.names():
        raise template.TemplateSyntaxError(f"No icon named {name!r} in static/img/icons.")
    if size not in SIZES:
        raise template.TemplateSyntaxError(f"Icons come in {SIZES} px, not {size}.")
    return _drawn("icon", name, size, label)


@register.simple_tag
def mark(key: str, size: int = 20, label: str = "") -> SafeString:
    """Return the mark of a list or game from the sprite, as `game.founding.mark` names it; nothing for an empty key.

    It stands beside the list's name, so it is hidden from assistive technology unless it carries a label.
    """
    if not key:
        return mark_safe("")
    if key not in MARKS.names():
        raise template.TemplateSyntaxError(f"No mark named {key!r} in static/img/marks.")
    if size not in MARK_SIZES:
        raise template.TemplateSyntaxError(f"Marks come in {MARK_SIZES} px, not {size}.")
    return _drawn("mark", key, size, label)


@lru_cache(maxsize=1024, typed=True)  # safe text and equal unsafe text are different values
def _drawn(kind: str, name: str, size: int, label: str) -> SafeString:
    """Return the markup of an icon or mark, cached: there are few, and every page has dozens."""
    return format_html(
        '<svg class="{0} {0}-{1}" width="{2}" height="{2}" {3}><use href="{4}#{1}"/></svg>',
        kind,
        name,
        size,
        _voice(label),
        _sprite(kind),
    )


def _voice(label: str) -> SafeString:
    return format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')


@cache
def _sprite(kind: str) -> str:
    """Return the URL of the file with all icons or all marks, which does not change while the site runs."""
    return static(f"img/{kind}s.svg")


@register.simple_tag
def options(picks: Iterable[Any]) -> SafeString:
    """Return the options of a select list; each pick has `value`, `words` and `chosen` (whether it is selected)."""
    return mark_safe("".join([_option(pick.value, pick.words, pick.chosen) for pick in picks]))  # each is escaped


@lru_cache(maxsize=4096, typed=True)  # safe text and equal unsafe text are different values
def _option(value: str, words: str, chosen: bool) -> SafeString:
    """Return one option, cached: a game's several hundred profiles are the same in each list."""
    return format_html('<option value="{}"{}>{}</option>', value, mark_safe(" selected") if chosen else "", words)


class DrawnOnce(template.Node):
    """A part of a template that is rendered once per page for each value that it depends on."""

    def __init__(self, of: FilterExpression, part: NodeList) -> None:
        self.of = of
        self.nodelist = part

    def render(self, context: Context) -> SafeString:
        drawn = context.render_context.setdefault(self, {})
        value = self.of.resolve(context)
        if value not in drawn:
            drawn[value] = self.nodelist.render(context)
        return mark_safe(drawn[value])  # the nodes have escaped it already


@register.tag
def drawn_once(parser: Parser, token: Token) -> DrawnOnce:
    """Render the part up to `enddrawn_once` once per page for each given value, e.g. for a list repeated in many rows.

    The value must be hashable, and the part must depend on nothing else.
    """
    words = token.split_contents()
    if len(words) != 2:
        raise template.TemplateSyntaxError(f"{words[0]} takes one value: what the part depends on.")
    part = parser.parse(("enddrawn_once",))
    parser.delete_first_token()
    return DrawnOnce(parser.compile_filter(words[1]), part)


@register.simple_tag(takes_context=True)
def drawn(context: Context, component: str, **values: Hashable) -> SafeString:
    """Return a component drawn from these values and nothing else. It is kept, so that equal values are drawn once.

    The values must be hashable, and equal ones must look alike: none of them may hold safe text.
    """
    assert context.template is not None
    return _drawn_from(context.template.engine.get_template(component), get_language(), tuple(values.items()))


@lru_cache(maxsize=2048)
def _drawn_from(
    component: template.base.Template, _language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    return component.render(Context(dict(values)))


@register.simple_tag
def icon_svg(name: str, label: str = "", color: str = "") -> SafeString:
    """Return one icon as a complete SVG, 1em square, for paper. It refers to no other file."""
    return _whole(ICONS, "icon", name, label, color)


@register.simple_tag
def mark_svg(key: str, label: str = "", color: str = "") -> SafeString:
    """Return one mark as a complete SVG, 1em square, for paper; nothing for an empty key."""
    return _whole(MARKS, "mark", key, label, color) if key else mark_safe("")


def _whole(drawings: Drawings, kind: str, name: str, label: str, color: str) -> SafeString:
    try:
        attributes, body = drawings.parts(name)
    except LookupError as missing:
        raise template.TemplateSyntaxError(str(missing)) from missing
    if color:
        attributes, body = (part.replace("currentColor", color) for part in (attributes, body))
    # The files are our own static files, never anything a person typed.
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" class="{0} {0}-{1}" width="1em" height="1em" {2} {3}>{4}</svg>',
        kind,
        name,
        mark_safe(attributes),
        _voice(label),
        mark_safe(body),
    )


@register.simple_tag
def die_icon(face: int, size: int = 24) -> SafeString:
    """Return the face of a rolled die: pips for 1 to 6, else the number."""
    number = int(face)
    if 1 <= number <= len(DIE_FACES):
        return icon(f"dice-six-faces-{DIE_FACES[number - 1]}", size, label=str(number))
    return format_html('<b class="die-figure">{}</b>', number)


@register.simple_tag
def nav_url(name: str, *args: object) -> str:
    """Return the URL of a URL name, or an empty string if this installation has none."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@register.simple_tag(takes_context=True)
def sign_in_url(context: RequestContext) -> str:
    """Return the URL of the sign-in page, which leads back to the current page, so that an invitation is not lost."""
    where = nav_url("account_login")
    request = context.get("request")
    if not where or request is None:
        return where
    among_doors = request.path.startswith(where.rpartition("login/")[0])
    after = request.GET.get("next") or request.POST.get("next", "") if among_doors else request.path
    return f"{where}?{urlencode({'next': after})}" if after not in ("", "/") else where


@register.simple_tag
def many(things: Sized, most: int) -> bool:
    return len(things) > most


@register.simple_tag
def any_cause(stats: Sequence[Any]) -> list[Any]:
    return [stat for stat in stats if stat.cause]


@register.simple_tag
def filled_words(boxes: Sequence[Any]) -> str:
    """Describe a row of boxes in words: "1 of 3"."""
    return gettext("%(filled)s of %(all)s") % {"filled": sum(1 for box in boxes if box.filled), "all": len(boxes)}


@register.simple_tag
def form_fields_in_error(form: BaseForm) -> list[BoundField]:
    return [field for field in form.visible_fields() if field.errors]


@register.filter
def faces(sides: int) -> range:
    return range(1, int(sides) + 1)


@dataclass(frozen=True)
class LinkPlace:
    label: str
    icon: str
    href: str
    current: bool
    count: int


@register.simple_tag(takes_context=True)
def main_nav(context: RequestContext) -> SafeString:
    """Return the main navigation, with the person's own places if the page sets `own_places`. No queries."""
    own_places = tuple(context.get("own_places", ()))
    return drawn(context, "components/main_nav.html", places=main_places(context), own_places=own_places)


def main_places(context: RequestContext) -> tuple[LinkPlace, ...]:
    """Return the five links of the main navigation; the desk has the count `waiting` if the page sets it. No queries."""
    request = context.get("request")
    path = request.path if request else ""
    places = []
    for name, label, icon_name, prefixes in MAIN_PLACES:
        href = nav_url(name)
        here = path == "/" if prefixes == ("/",) else path.startswith(prefixes)
        count = int(context.get("waiting") or 0) if name == "desk-show" else 0
        if href:
            places.append(LinkPlace(str(label), icon_name, href, here, count))
    return tuple(places)


@register.simple_tag
def choose_href(tags: str) -> str:
    """Return the URL of choices in a message's tags, given as `choose:<address>`, or an empty string."""
    return next((tag[7:] for tag in (tags or "").split() if tag.startswith("choose:/")), "")


@register.simple_tag
def message_value(tags: str, name: str) -> str:
    """Return a value in a message's tags, given as `name:<value>`, or an empty string."""
    return next((tag.removeprefix(f"{name}:") for tag in (tags or "").split() if tag.startswith(f"{name}:")), "")


@register.simple_tag
def undo_href(tags: str) -> str:
    """Return where a message's act is undone: the event's page for the tag `undo:<id>`, or the address in `back:<address>`."""
    for tag in (tags or "").split():
        if tag.startswith("undo:") and tag[5:].isdigit():
            return nav_url("event-undo", tag[5:])
        if tag.startswith("back:/") and not tag.startswith("back://"):
            return tag[5:]
    return ""
