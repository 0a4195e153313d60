"""Share links of a warband, and the page that people see when they follow one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import HiddenPage
from accounts.site_owner import hidden_words
from rules.formatting import profile_beside
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.labels import has_shop, labels_of, mark_of, worth_words
from warbands.models import ShareLink, Snapshot, Warband
from warbands.pages.builder import Section, meta_of, sections_of
from warbands.pages.cards import FighterCard, Stat
from warbands.pages.formatting import clock, day, figure
from warbands.pages.roster import Roster
from warbands.services.documents import left_out_of_form


@dataclass(frozen=True, slots=True)
class LinkRow:
    pk: int
    name: str
    href: str
    address: str
    since: str
    shows: str
    token: str


@dataclass(frozen=True, slots=True)
class SharePage:
    name: str
    here: str
    back_href: str
    links: tuple[LinkRow, ...]
    revoked: tuple[LinkRow, ...]
    versions: tuple[tuple[str, str, str], ...]  # v31, when and why, address
    forms: tuple[tuple[str, str], ...]  # for other apps: words, address
    seen: int
    may_revoke: bool
    hidden_words: str  # why the site owner hides the shared pages, "" where they are shown


TOLD_FIRST = ("battlescribe",)  # forms in which not everything has a place
FORM_WORDS = {
    "battlescribe": gettext_lazy("BattleScribe and New Recruit (.ros)"),
    "trench-companion": gettext_lazy("Trench Companion's text"),
    "trench-companion-json": gettext_lazy("Trench Companion's JSON"),
    "discord": gettext_lazy("Discord messages"),
    "tts": gettext_lazy("Tabletop Simulator"),
    "csv": gettext_lazy("A table (CSV)"),
    "text": gettext_lazy("Plain text"),
}


def _forms(warband: Warband) -> tuple[tuple[str, str], ...]:
    part, address = warband.terms.game.text_import, reverse("warband-text", args=[warband.pk])
    known = part.written_forms() if part is not None else ()
    own = reverse("warband-share", args=[warband.pk])
    return tuple(
        (str(words), f"{own}?form={form}#forms" if form in TOLD_FIRST else f"{address}?form={form}")
        for form, words in FORM_WORDS.items()
        if form in known
    )


@dataclass(frozen=True, slots=True)
class FormShown:
    """A form that is told before it is downloaded: what it leaves out, or why this roster cannot have it."""

    words: str
    href: str
    left_out: tuple[str, ...] = ()
    refused: str = ""


def form_shown(warband: Warband, form: str) -> FormShown | None:
    """Return the form that the page tells of. Three queries, none for other forms."""
    if form not in TOLD_FIRST or warband.terms.game.text_import is None:
        return None
    words, href = str(FORM_WORDS[form]), f"{reverse('warband-text', args=[warband.pk])}?form={form}"
    try:
        return FormShown(words, href, left_out_of_form(warband, form))
    except Refusal as refusal:
        return FormShown(words, "", refused=f"{refusal.message} {refusal.mend}".strip())


def share_page(warband: Warband, *, absolute: Callable[[str], str], may_revoke: bool) -> SharePage:
    """Build the page of share links. Three queries."""
    links = list(ShareLink.objects.live().filter(warband=warband))
    snapshots = list(Snapshot.objects.filter(warband=warband).defer("document", "sheet", "problems")[:40])
    standing = [link for link in links if not link.is_revoked]
    first = next((link for link in standing if not link.for_print), None) or next(iter(standing), None)

    def row(link: ShareLink) -> LinkRow:
        href = reverse("warband-watch", args=[link.slug])
        shown = [
            words
            for on, words in ((link.shows_money, _("strongbox and prices paid")), (link.shows_notes, "notes"))
            if on
        ]
        return LinkRow(
            pk=link.pk,
            name=link.name,
            href=href,
            address=absolute(href),
            since=_("since {day}").format(day=day(link.created_at))
            + (_(", for the codes on printed sheets") if link.for_print else ""),
            shows=_("shows {join}").format(join=" and ".join(shown)) if shown else _("shows no money and no notes"),
            token=new_token(),
        )

    return SharePage(
        name=warband.name,
        here=reverse("warband-share", args=[warband.pk]),
        back_href=reverse("warband-show", args=[warband.pk]),
        links=tuple(row(link) for link in standing),
        revoked=tuple(row(link) for link in links if link.is_revoked),
        versions=tuple(
            (
                f"v{snapshot.version}",
                f"{day(snapshot.taken_at)} {clock(snapshot.taken_at)}"
                + (f", {snapshot.reason}" if snapshot.reason else ""),
                reverse("warband-watch-version", args=[first.slug, snapshot.version]) if first else "",
            )
            for snapshot in snapshots
        ),
        forms=_forms(warband),
        seen=warband.version,
        may_revoke=may_revoke,
        hidden_words=hidden_words(HiddenPage.Kind.WARBAND, warband.pk),
    )


@dataclass(frozen=True, slots=True)
class WatchPage:
    """A warband as people with a link see it: read-only, either live or one stored version."""

    name: str
    meta: str
    mark: str
    figures: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    stash: tuple[tuple[str, str], ...]
    labels: Mapping[str, str]
    notes: str
    stamp: str
    live_href: str
    text_href: str
    downloads: tuple[tuple[str, str], ...]


def watch_page(roster: Roster, link: ShareLink) -> WatchPage:
    """Build the live page of a share link. No queries on top of the roster."""
    warband, rating = roster.warband, roster.verdict.rating
    count = roster.game.headcount(roster.content, roster.force)
    labels = labels_of(warband.terms)
    worth = worth_words(warband.terms, rating.ducats, rating.glory)
    figures = [(labels["rating"], worth)] if worth else []
    figures.append((labels["fighters"].capitalize(), str(count)))
    figures.append((f"{labels['battle']}s", str(roster.force.battles.fought)))
    if link.shows_money and has_shop(warband.terms):
        held = roster.strongbox
        figures.append(
            (labels["strongbox"], f"{figure(held.ducats)} d" + (f", {figure(held.glory)} g" if held.glory else ""))
        )
    here = reverse("warband-watch", args=[link.slug])
    return WatchPage(
        name=warband.name,
        meta=meta_of(roster),
        mark=mark_of(warband),
        figures=tuple(figures),
        sections=sections_of(roster, acts=False, whole=True),
        labels=labels,
        stash=tuple((roster.item_name(item), "") for item in roster.force.stash) if link.shows_money else (),
        notes=warband.notes if link.shows_notes else "",
        stamp=_("Current roster, v{version}.").format(version=warband.version),
        live_href="",
        text_href=f"{here}?as=text",
        downloads=_downloads(reverse("watch-download", args=[link.slug])),
    )


def version_page(snapshot: Snapshot, link: ShareLink) -> WatchPage:
    """Build the page of one stored version from its snapshot. No queries."""
    sheet: Mapping[str, Any] = snapshot.sheet
    labels = labels_of(snapshot.warband.terms)
    money_labels = {labels[key].casefold() for key in ("strongbox", "glory") if key in labels}
    figures = tuple(
        (str(label), str(value))
        for label, value in sheet.get("figures", ())
        if link.shows_money or str(label).casefold() not in money_labels
    )
    sections: dict[str, list[FighterCard]] = {}
    for number, line in enumerate(sheet.get("fighters", ()), 1):
        sections.setdefault(str(line.get("section", "")), []).append(_kept_card(line, number))
    here = reverse("warband-watch-version", args=[link.slug, snapshot.version])
    return WatchPage(
        name=str(sheet.get("title", snapshot.warband.name)),
        meta="; ".join(str(words) for words in (sheet.get("list_words"), sheet.get("edition_words")) if words),
        mark=mark_of(snapshot.warband),
        figures=figures,
        sections=tuple(
            Section(f"section_{n}", name, str(len(cards)), tuple(cards))
            for n, (name, cards) in enumerate(sections.items(), 1)
        ),
        labels=labels,
        stash=tuple((str(name), str(words)) for name, words in sheet.get("stash", ())) if link.shows_money else (),
        notes="",
        stamp=_("Roster of {day} {clock}, v{version}.").format(
            day=day(snapshot.taken_at), clock=clock(snapshot.taken_at), version=snapshot.version
        ),
        live_href=reverse("warband-watch", args=[link.slug]),
        text_href=f"{here}?as=text",
        downloads=_downloads(reverse("watch-version-download", args=[link.slug, snapshot.version])),
    )


def _downloads(href: str) -> tuple[tuple[str, str], ...]:
    return ((_("PDF A4"), f"{href}?paper=A4"), (_("PDF Letter"), f"{href}?paper=Letter"))


def _kept_card(line: Mapping[str, Any], number: int) -> FighterCard:
    role = str(line.get("role_words", ""))
    weapons = [str(weapon.get("name", "")) for weapon in line.get("weapons", ())]
    others = [str(name) for name, _ in line.get("lines", ())]
    name = str(line.get("name", ""))
    experience, cap = line.get("experience"), int(line.get("experience_cap") or 0)
    life = [_("XP {have} of {cap}").format(have=experience, cap=cap)] if experience is not None and cap else []
    if scars := line.get("scars"):
        life.append(ngettext("{count} scar", "{count} scars", scars).format(count=scars))
    life += [f"{entry}: {words}" for entry, words in line.get("chosen", ())]
    life += [str(word.get("name", "")) for word in line.get("keywords", ())]
    return FighterCard(
        pk=number,
        key=f"fighter_card_{number}",
        name=name,
        href="",
        profile_name=profile_beside(name, str(line.get("profile_name", ""))),
        rating_words=str(line.get("rating_words", "")),
        elite="elite" in role.casefold(),
        leader="leader" in role.casefold(),
        stats=tuple(
            Stat(label, value, state, cause.removeprefix(f"{value} = "))
            for label, value, state, cause in (map(str, stat) for stat in line.get("stats", ()))
        ),
        kit_words=", ".join(dict.fromkeys([*weapons, *others])),
        life_words=" · ".join(life),
        problems=(),
        state="dead" if line.get("status") not in (None, "active", "captive") else "readonly",
        state_words="",
    )
