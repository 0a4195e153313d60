"""Services for profiles that players write: create, change, copy, share in a campaign, archive and import them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.custom.exchange import Incoming, read_name
from rules.custom.profiles import CustomProfile, ProfileField, ProfileKind, ProfileProblem
from rules.game import Game, GameContent
from rules.parts.profiles import ProfilesPart
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from warbands.models import Profile, Terms
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.sharing_groups import sharing_groups_of

MOST_PROFILES = 400  # profiles listed in one library of a game
MOST_EVER = 4_000  # profiles stored in it, archived ones included
MOST_BYTES = 40_000  # size of one profile's data as JSON
LONGEST_SLUG = 60


class ProfileGame(NamedTuple):
    """A game with profiles written by players, and its content without house rules."""

    game: Game
    profiles: ProfilesPart[GameContent]
    edition: str
    content: GameContent

    def kind(self, kind_id: str) -> ProfileKind:
        """Return the kind of profile with this id. Raises Refusal if it is unknown."""
        kinds = {kind.id: kind for kind in self.profiles.profile_kinds(self.content)}
        if kind_id not in kinds:
            raise Refusal(
                _("{game} has no kind of profile called “{kind_id}”.").format(
                    game=self.game.name, kind_id=kind_id[:40]
                ),
                mend=_("Known: {names}.").format(names=", ".join(kinds)),
                code="unknown-kind",
            )
        return kinds[kind_id]


def game_with_profiles(system_id: str, edition: str = "") -> ProfileGame:
    """Return the game with this id in an edition. Raises Refusal if it is unknown, or its books contain all profiles."""
    if system_id not in PACKAGES:
        raise Refusal(
            _("There is no game “{system_id}” here.").format(system_id=system_id[:40]),
            mend=_("Known: {names}.").format(names=", ".join(_written_games())),
            code="unknown-game",
        )
    game = system(system_id)
    edition = edition or game.editions()[0]
    if edition not in game.editions():
        known = ", ".join(game.editions())
        raise Refusal(
            _("There is no edition “{edition}” of {game} here.").format(edition=edition[:40], game=game.name),
            mend=_("Known: {known}.").format(known=known),
            code="unknown-edition",
        )
    if game.profiles is None:
        raise Refusal(
            _("The rules of {game} have every profile.").format(game=game.name),
            mend=_("You can write profiles for: {games}.").format(games=", ".join(_written_games())),
            code="no-profiles",
        )
    return ProfileGame(game, game.profiles, edition, game.content(edition, (), {}))


def _written_games() -> list[str]:
    return [key for key in PACKAGES if system(key).profiles is not None]


def read_written(
    system_id: str, edition: str, kind: str, name: Any, data: Any
) -> tuple[Incoming, tuple[ProfileProblem, ...]]:
    """Return a profile in its stored form, and all its problems, those of the name first.

    Raises Refusal if the game or kind is unknown.
    """
    found = game_with_profiles(system_id, edition)
    found.kind(kind)
    clean, wrong = read_name(name)
    values, problems = found.profiles.read_profile(found.content, kind, data)
    size = len(json.dumps(values, ensure_ascii=False).encode())
    if size > MOST_BYTES:
        problems = (
            *problems,
            ProfileProblem(
                "",
                _("The profile is too long: {size} kB of at most {most} kB. Shorten its texts.").format(
                    size=size // 1000, most=MOST_BYTES // 1000
                ),
            ),
        )
    return Incoming(kind, clean, values), (*wrong, *problems)


def write_profile(
    *, owner: Any, actor: Any, system_id: str, edition: str, kind: str, name: str, data: Any, token: str = ""
) -> Profile:
    """Add a new profile to a library. Raises Refusal if it is invalid for its kind, or if the library is full."""
    incoming = checked_profile(system_id, edition, kind, name, data)
    with transaction.atomic(), recording(kind="profile-write", actor=actor, token=token) as act:
        (profile,) = add_profiles(act, owner, system_id, edition, [incoming])
        act.say(_("{{who}} wrote {profile} into the library.").format(profile=profile.name))
    return profile


def change_profile(
    *, profile: Profile, actor: Any, name: str, data: Any, token: str = "", seen: int | None = None
) -> Profile:
    """Change a profile. Units made from it do not change. Raises Refusal, and Stale for an outdated form."""
    incoming = checked_profile(profile.system, profile.edition, profile.kind, name, data)
    with recording(profile, kind="profile-change", actor=actor, token=token, seen=seen) as act:
        fresh: Profile = act.row(profile)
        before = fresh.name
        parts = differing_labels(fresh, incoming)
        act.change(fresh, name=incoming.name, data=dict(incoming.data))
        told = _("{{who}} changed {name}: {parts}.") if parts else _("{{who}} changed {name}.")
        if incoming.name != before:
            told = _("{{who}} changed {name}, now called {new_name}.")
            if parts:
                told = _("{{who}} changed {name}, now called {new_name}: {parts}.")
        act.say(told.format(name=before, new_name=incoming.name, parts=", ".join(parts)))
    return fresh


def copy_profile(
    *, source: Profile | CustomProfile, owner: Any, actor: Any, system_id: str, edition: str, token: str = ""
) -> Profile:
    """Copy a profile into the owner's library: their own, somebody else's shared profile, or one of the game."""
    incoming, __ = read_written(system_id, edition, source.kind, source.name, source.data)
    with recording(kind="profile-copy", actor=actor, token=token) as act:
        (profile,) = add_profiles(act, owner, system_id, edition, [incoming], fresh_names=True)
        act.say(
            _("{{who}} copied {name} into the library as {new_name}.").format(name=source.name, new_name=profile.name)
            if profile.name != source.name
            else _("{{who}} copied {name} into the library.").format(name=source.name)
        )
    return profile


def take_defaults(
    *, owner: Any, actor: Any, system_id: str, idents: Iterable[str], edition: str = "", token: str = ""
) -> list[Profile]:
    """Copy profiles of the game into a library in one act, so that the owner can change them.

    Raises Refusal if one is unknown.
    """
    game, profiles_of, edition, content = game_with_profiles(system_id, edition)
    known = {profile.id: profile for profile in profiles_of.default_profiles(content)}
    wanted = list(dict.fromkeys(idents))
    if not wanted:
        raise Refusal(_("Nothing was chosen."), mend=_("Tick what you want to copy."), code="empty")
    for ident in wanted:
        if ident not in known:
            raise Refusal(
                _("{game} has no profile “{ident}”.").format(game=game.name, ident=ident[:60]), code="unknown-name"
            )
    incoming = [Incoming(known[ident].kind, known[ident].name, known[ident].data) for ident in wanted]
    with recording(kind="profile-take", actor=actor, token=token) as act:
        profiles = add_profiles(act, owner, system_id, edition, incoming, fresh_names=True)
        act.say(
            _("{{who}} copied {profiles} of {game} into the library.").format(
                profiles=count_words(len(profiles)), game=game.name
            )
        )
    return profiles


def share_profile(*, profile: Profile, terms: int, actor: Any, token: str = "") -> Profile:
    """Share a profile with a campaign: everybody in it can read, use and copy the profile.

    Raises Refusal if the campaign plays another game, or the person is not in it.
    """
    circle = next((circle for circle in sharing_groups_of(actor, profile.system) if circle.terms == terms), None)
    if circle is None:
        raise Refusal(
            _("You have no such campaign in this game."), mend=_("Choose one of your campaigns."), code="not-offered"
        )
    with recording(profile, kind="profile-share", actor=actor, token=token) as act:
        fresh: Profile = act.row(profile)
        _refuse_away(fresh)
        if fresh.terms_id == circle.terms:
            raise Refusal(
                _("{profile} is already shared in {campaign}.").format(profile=fresh.name, campaign=circle.name),
                code="done",
            )
        act.change(fresh, terms=Terms.objects.get(pk=circle.terms))
        act.say(_("{{who}} shared {profile} in {campaign}.").format(profile=fresh.name, campaign=circle.name))
    return fresh


def unshare_profile(*, profile: Profile, actor: Any, token: str = "") -> Profile:
    """Remove a profile from the campaign's library. Units made from it, and copies, stay.

    A profile without an owner is also archived.
    """
    with recording(profile, kind="profile-unshare", actor=actor, token=token) as act:
        fresh: Profile = act.row(profile)
        if fresh.terms_id is None:
            raise Refusal(_("{profile} is not shared.").format(profile=fresh.name), code="done")
        if fresh.owner_id is None:
            act.change(fresh, is_away=True)
        else:
            act.change(fresh, terms=None)
        act.say(_("{{who}} stopped sharing {profile} in the campaign.").format(profile=fresh.name))
    return fresh


def put_away_profile(*, profile: Profile, actor: Any, token: str = "") -> Profile:
    """Archive a profile: it is no longer listed or offered. Units made from it do not change."""
    with recording(profile, kind="profile-away", actor=actor, token=token) as act:
        fresh: Profile = act.row(profile)
        _refuse_away(fresh)
        act.change(fresh, is_away=True)
        act.say(_("{{who}} archived {profile}.").format(profile=fresh.name))
    return fresh


def bring_back_profile(*, profile: Profile, actor: Any, token: str = "") -> Profile:
    with recording(profile, kind="profile-back", actor=actor, token=token) as act:
        fresh: Profile = act.row(profile)
        if not fresh.is_away:
            raise Refusal(_("{profile} is already in the library.").format(profile=fresh.name), code="done")
        act.change(fresh, is_away=False)
        act.say(_("{{who}} restored {profile} to the library.").format(profile=fresh.name))
    return fresh


# --- inside -------------------------------------------------------------------------------------------------------------


def checked_profile(system_id: str, edition: str, kind: str, name: Any, data: Any) -> Incoming:
    """Return the profile if it is valid for its kind. Raises Refusal with the first problem."""
    incoming, problems = read_written(system_id, edition, kind, name, data)
    if problems:
        raise Refusal(problems[0].message, code="profile")
    return incoming


def add_profiles(
    act: Recorder, owner: Any, system_id: str, edition: str, incoming: Sequence[Incoming], *, fresh_names: bool = False
) -> list[Profile]:
    """Create profiles inside an act. With `fresh_names`, a name already in the library gets a number added.

    Four queries and more.
    """
    # Only one act at a time writes to a library. `no_key`, since each event of this person locks the key already.
    get_user_model().objects.select_for_update(no_key=True).get(pk=owner.pk)
    mine = Profile.objects.live().filter(owner=owner, system=system_id)
    slugs, names = set(), []
    for slug, kind, name, away in mine.values_list("slug", "kind", "name", "is_away"):
        slugs.add(slug)
        if not away:
            names.append((kind, name.casefold()))
    coming = len(incoming)
    if len(names) + coming > MOST_PROFILES:
        raise Refusal(
            _("This library would have {count} profiles; the limit is {most}.").format(
                count=len(names) + coming, most=MOST_PROFILES
            ),
            mend=_("Delete some first."),
            code="too-many",
        )
    if len(slugs) + coming > MOST_EVER:
        raise Refusal(
            _("This library has {count} profiles, archived ones included; the limit is {most}.").format(
                count=len(slugs), most=MOST_EVER
            ),
            code="too-many",
        )
    made = []
    for each in incoming:
        name = _free(each.name, {taken for kind, taken in names if kind == each.kind}) if fresh_names else each.name
        slug = _free_slug(name, slugs)
        slugs.add(slug)
        names.append((each.kind, name.casefold()))
        profile = Profile(
            owner=owner, system=system_id, edition=edition, kind=each.kind, slug=slug, name=name, data=dict(each.data)
        )
        made.append(act.also_about(act.create(profile)))
    return made


def _free(name: str, taken: set[str]) -> str:
    if name.casefold() not in taken:
        return name
    number = 2
    while (numbered := f"{name[:75]} {number}").casefold() in taken:
        number += 1
    return numbered


def _free_slug(name: str, taken: set[str]) -> str:
    slug = slugify(name)[: LONGEST_SLUG - 6].strip("-") or "profile"
    if slug not in taken:
        return slug
    number = 2
    while (numbered := f"{slug}-{number}") in taken:
        number += 1
    return numbered


def differing_labels(profile: Profile, incoming: Incoming) -> list[str]:
    fields: Sequence[ProfileField] = game_with_profiles(profile.system, profile.edition).kind(profile.kind).fields
    labels = [field.label for field in fields if profile.data.get(field.key) != incoming.data.get(field.key)]
    return [*labels[:5], _("{number} more").format(number=len(labels) - 5)] if len(labels) > 6 else labels


def _refuse_away(profile: Profile) -> None:
    if profile.is_away:
        raise Refusal(
            _("{profile} was archived.").format(profile=profile.name), mend=_("Restore it first."), code="closed"
        )


def count_words(number: int) -> str:
    return ngettext("one profile", "{count} profiles", number).format(count=number)
