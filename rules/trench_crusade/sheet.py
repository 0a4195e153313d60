"""The printed roster sheet: figures, fighters with weapons and short rules, and a glossary of the keywords on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rules import vocabulary as v
from rules.browse import RuleEntry
from rules.choices import BASE, OPTION, WIDER_BASE, of_fighter, of_list
from rules.content.compiled import Content
from rules.content.names import plain
from rules.content.schema import ItemEntry
from rules.fighters.advancement import advance_marks, advances, scars_of
from rules.fighters.facts import Facts
from rules.fighters.frame import PAIRS
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes
from rules.fighters.stat_line import stat_line
from rules.fighters.views import view_of
from rules.fighters.work_out import facts
from rules.fireteams import pairs_in_words
from rules.force import FighterView, Force, ForceFighter
from rules.formatting import listed, short_price, signed
from rules.legality.money import money_left
from rules.legality.roster_state import RosterState, examine, rating_of
from rules.legality.thresholds import field_strength_of, threshold_of
from rules.parts.sheet import FighterSheet, HandsLine, RosterSheet, WeaponLine
from rules.price import Price
from rules.translation import gettext
from rules.trench_crusade.labels import labels_of
from rules.trench_crusade.namesakes import told_name
from rules.trench_crusade.table_only import MARK, marked_names

SILENT = (OPTION, BASE, WIDER_BASE)  # choices that the fighter's upgrades and statline already show
COLUMN = 60  # letters of a weapon's rule that fit the narrow column; a longer rule gets its own line
MINUS = re.compile(r"(?<!\w)-(?=\d)")


def sheet_of(content: Content, force: Force) -> RosterSheet:
    """Return the sheet of a whole roster. Fighters that left it come last."""
    exam = examine(content, force)
    rows: list[tuple[int, FighterSheet]] = []
    explicit = force.strongbox is not None
    named: list[FighterView] = []
    weapons: list[CarriedItem] = []
    for fighter in force.fighters:
        if fighter.profile not in content.profiles:
            continue
        known = next((f for f in exam.fighters if f.key == fighter.key), fighter)
        who = facts(content, exam.frame, known, explicit=explicit)
        view = view_of(content, known, who)
        chosen = chosen_of(exam, known, who) if fighter.active else ()
        rows.append((_order(who, fighter), fighter_sheet(content, known, who, view, chosen)))
        if fighter.status in ("active", "captive"):
            named.append(view)
            weapons += who.held
    rows.sort(key=lambda row: row[0])
    return RosterSheet(
        title=force.name,
        list_words=_list_words(content, exam),
        edition_words=content.pack.name,
        figures=_figures(content, force),
        limits=_limits(content, force),
        fighters=tuple(row for _, row in rows),
        stash=tuple(
            (content.name("item", i.item), short_price(i.paid if i.paid else content.any_price.get(i.item, Price())))
            for i in force.stash
        ),
        notes=_notes(content, force),
        misses=(force.promotion_misses, content.pack.campaign.promotion_misses) if content.pack.campaign else None,
        glossary=glossary(content, named, weapons),
        next_battle=force.battles.next_number if force.mode == "campaign" else 0,
    )


def _order(who: Facts, fighter: ForceFighter) -> int:
    if fighter.status not in ("active", "captive"):
        return 9
    if who.mercenary:
        return 3
    if who.elite:
        return 0 if who.leader else 1
    return 2


def _figures(content: Content, force: Force) -> tuple[tuple[str, str], ...]:
    exam = examine(content, force)
    left = money_left(exam)
    labels = labels_of(content)
    figures = []
    if left is not None:
        figures += [(labels["strongbox"], f"{left.ducats} d"), (labels["glory"], f"{left.glory} g")]
    figures.append((labels["rating"], short_price(rating_of(exam))))
    threshold, strength = threshold_of(content, force), field_strength_of(content, force)
    if threshold is not None:
        figures.append((labels["threshold"], f"{threshold} d"))
    if strength is not None:
        figures.append((labels["field_strength"], str(strength)))
    return tuple(figures)


def _limits(content: Content, force: Force) -> tuple[tuple[int, int, int], ...]:
    if force.mode == "one-off" or content.pack.campaign is None:
        return ()
    rows = []
    for row in content.pack.campaign.limits:
        threshold, strength = threshold_of(content, force, row.battle), field_strength_of(content, force, row.battle)
        if threshold is not None and strength is not None:
            rows.append((row.battle, threshold, strength))
    return tuple(rows)


def _list_words(content: Content, exam: RosterState) -> str:
    """Return the list with its faction (or as its standard list if the faction has variants), and the patron."""
    army = exam.frame.list.army
    base = content.lists.get(army.faction) if army.faction else None
    words = told_name(content, army.id)
    if base is not None:
        words = f"{base.army.short or base.army.name}, {army.name}"
    elif not army.faction and any(other.army.faction == army.id for other in content.lists.values()):
        words = gettext("{army}, standard list").format(army=words)
    patron = content.patrons.get(exam.force.patron)
    return gettext("{words}; patron {patron}").format(words=words, patron=patron.name) if patron is not None else words


def _notes(content: Content, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
    exam = examine(content, force)
    pairs = pairs_in_words(exam) if force.choices.get(PAIRS) else ()
    parts = (
        (gettext("List rules"), _reminders(content, force)),
        (gettext("Choices"), _choices_made(content, force, exam)),
        (gettext("Fireteams"), [f"{names} ({rule})" if rule else names for _, names, rule in pairs]),
        (gettext("Exploration skills"), _exploration_skills(content, force)),
        (gettext("Locations"), [content.name("location", location) for location in force.locations]),
        (
            gettext("Lasting effects"),
            [_told(x.name, x.words) for id_ in force.lasting if (x := content.lasting.get(id_))],
        ),
    )
    return tuple((title, tuple(lines)) for title, lines in parts if lines)


def _told(name: str, words: str) -> str:
    """Return a line of notes. It has no full stop: lines stand one after the other with semicolons between them."""
    return f"{name}: {words.removesuffix('.')}"


def _reminders(content: Content, force: Force) -> list[str]:
    return [
        _told(rule.name, rule.words)
        for rule in content.lists[force.list].rules
        if any(isinstance(e, v.ReminderEffect) and not e.for_profiles for e in rule.effects)
    ]


def _choices_made(content: Content, force: Force, exam: RosterState) -> list[str]:
    choices = (asking.choosing for asking in of_list(content, exam.frame, force.choices))
    return [f"{one.source}: {listed(one.chosen_words)}" for one in choices if one.chosen and not one.wrong]


def _exploration_skills(content: Content, force: Force) -> list[str]:
    campaign = content.pack.campaign
    starting = campaign.starting_exploration_skills if campaign is not None and force.mode == "campaign" else ()
    return [content.name("skill", skill) for skill in (*starting, *force.exploration_skills)]


# --- one fighter -----------------------------------------------------------------------------------------------------------


Chosen = tuple[tuple[str, str, str], ...]  # source id, source name, what was chosen


def chosen_of(exam: RosterState, fighter: ForceFighter, who: Facts) -> Chosen:
    """Return what was chosen for a fighter besides its kit: powers, picks of skills and pieces, and its fireteams."""
    people = tuple(zip(exam.fighters, exam.facts, strict=True))
    found: list[tuple[str, str, str]] = []
    for asking in of_fighter(exam.content, exam.frame.list, fighter, who, people, exam.force.stash):
        choosing = asking.choosing
        silent = choosing.asked.key in SILENT or choosing.asked.key.startswith("loadout-")
        if choosing.chosen and not choosing.wrong and not silent:
            found.append((asking.source_id, choosing.source, listed(choosing.chosen_words)))
    pairs = (cause.source.name for cause in who.of(v.KeywordEffect) if cause.source.id == PAIRS)
    found += [("", gettext("Fireteam"), name.removeprefix("with ")) for name in pairs]
    return tuple(dict.fromkeys(found))


def _section(who: Facts) -> str:
    if who.mercenary:
        return "mercenaries"
    return "elite" if who.elite else "troops"


def fighter_sheet(
    content: Content, fighter: ForceFighter, who: Facts, view: FighterView, chosen: Chosen = ()
) -> FighterSheet:
    learns = who.elite and advances(content, who) and not fighter.demoted
    labels = labels_of(content)
    marks = advance_marks(content, who) if content.pack.campaign and learns else ()
    return FighterSheet(
        key=fighter.key,
        name=fighter.name,
        profile_name=who.profile.name,
        role_words=_role_words(who),
        section=labels[_section(who)],
        rating_words=short_price(who.rating),
        stats=stat_line(view.stats),
        keywords=view.keywords,
        weapons=tuple(_weapon(content, h, who) for h in who.held if h.item.weapon),
        lines=_lines(content, fighter, who, {source: words for source, _, words in chosen if source}),
        experience=fighter.experience if learns else None,
        experience_cap=marks[-1] if marks else 0,
        advances_at=marks,
        scars=_scars(content, fighter, who),
        scar_limit=view.scar_limit,
        status=fighter.status,
        chosen=tuple((name, words) for _, name, words in chosen),
        hands=_hands_lines(who),
        abilities=tuple(ability for ability in view.abilities if ability.state != "printed"),
        immune=_immune(content, who),
        glossary=glossary(content, (view,), who.held),
    )


def _scars(content: Content, fighter: ForceFighter, who: Facts) -> int | None:
    """Return a fighter's scars.

    None for a fighter without scars that is not ELITE, and for mercenaries that do not advance.
    """
    scars = scars_of(fighter)
    if who.mercenary and not advances(content, who):
        return None
    return scars if who.elite or scars or fighter.traumas else None


def _immune(content: Content, who: Facts) -> tuple[tuple[str, str], ...]:
    immune = ((content.keyword(k), c.source.name) for c in who.of(v.ImmuneEffect) for k in c.effect.keywords)
    return tuple(dict.fromkeys(immune))


def _hands_lines(who: Facts) -> tuple[HandsLine, ...]:
    """Return the hands used and available, with what occupies them and what changed their number."""
    pooled = any(c.effect.pool is not None for c in who.of(v.HandsEffect))
    fights = (
        ("ranged", gettext("Hands, shooting"), who.hands_ranged),
        ("melee", gettext("Hands, fighting"), who.hands_melee),
    )
    lines = []
    for index, (kind, label, (used, had)) in enumerate(
        (("", gettext("Hands"), who.hands_ranged),) if pooled else fights
    ):
        causes = dict.fromkeys(c.source.name for c in who.of(v.HandsEffect) if _changes_hands(c.effect, index, pooled))
        lines.append(HandsLine(label, used, had, _hands_taken(who, index, pooled), tuple(causes), kind))
    return tuple(lines)


def _hands_taken(who: Facts, index: int, pooled: bool) -> tuple[str, ...]:
    """Return what occupies hands in shooting (0) or fighting (1), or all hands if they are `pooled`."""
    taken = []
    for held, ranged, melee in who.hand_uses:
        shield = held.item.slot == "shield"
        count = (ranged, melee)[index]
        if pooled:
            count = max(ranged, melee) if shield else ranged + melee
        needs = (held.hands.ranged, held.hands.melee)[index]
        why = (
            "SHIELD COMBO" if shield and not count else gettext("held in fewer") if count < needs and not pooled else ""
        )
        if count or why:
            taken.append(f"{held.item.name} {count}" + (f" ({why})" if why else ""))
    return tuple(taken)


def _changes_hands(effect: v.HandsEffect, index: int, pooled: bool) -> bool:
    if pooled:
        return effect.pool is not None
    return (
        bool((effect.add_ranged, effect.add_melee)[index]) or (effect.set_ranged, effect.set_melee)[index] is not None
    )


def _role_words(who: Facts) -> str:
    if who.leader:
        return "LEADER"
    if who.mercenary:
        return "mercenary"
    return "ELITE" if who.elite else ""


def _weapon(content: Content, held: CarriedItem, who: Facts) -> WeaponLine:
    item = held.item
    reach = ""
    if item.range_inches is not None:
        further = sum(
            c.effect.add_inches
            for c in who.of(v.RangeEffect)
            if any(item_passes(test, held, None, content) for test in c.effect.items)
        )
        reach = f"{item.range_inches + further}″"
    elif item.range_words:
        reach = item.range_words
    elif item.category == "melee":
        reach = "melee"
    most = max(held.hands.ranged, held.hands.melee)
    keywords = [content.keyword(x) for x in (*item.keywords, *item.stipulations)]
    base = content.item_keywords[item.id]
    lost = base - held.keywords
    keywords = [k for k in keywords if k not in lost] + sorted(held.keywords - base)
    return WeaponLine(
        name=item.name,
        range_words=reach,
        hands_words=str(most) if most else "–",
        effect_words=_marked(content, item, _weapon_words(item)[0]),
        keywords=", ".join(keywords),
        causes=_weapon_causes(content, held, who, base - held.keywords, held.keywords - base),
    )


def _marked(content: Content, item: ItemEntry, words: str) -> str:
    """Return a weapon's rules with the mark of what only the table knows, where they stand in its column alone."""
    is_marked = item.name in marked_names(content) and not _weapon_words(item)[1]
    return f"{words} {MARK}" if is_marked else words


def _weapon_words(item: ItemEntry) -> tuple[str, str]:
    """Return a weapon's rules for the narrow column and for a separate line.

    Short text goes in the column, long text on the line.
    """
    said = item.words.removeprefix(gettext("No further rules.")).strip()
    short = "; ".join(MINUS.sub("−", m) for m in item.modifiers)
    if not said:
        return short, ""
    if len(said) <= COLUMN:
        return MINUS.sub("−", said.removesuffix(".")), ""
    return short, said


def _weapon_causes(
    content: Content, held: CarriedItem, who: Facts, lost: frozenset[str], gained: frozenset[str]
) -> tuple[str, ...]:
    """Return what changed a weapon on this fighter, each with its source."""
    causes = []
    for cause in who.of(v.ItemKeywordEffect):
        came = gained & {content.keyword(k) for k in cause.effect.gain}
        went = lost & {content.keyword(k) for k in cause.effect.lose}
        causes += [f"{', '.join(sorted(came))}: {cause.source.name}"] if came else []
        causes += (
            [gettext("no {sorted}: {source}").format(sorted=", ".join(sorted(went)), source=cause.source.name)]
            if went
            else []
        )
    if held.item.range_inches is not None:
        causes += [
            f"{signed(cause.effect.add_inches)}″: {cause.source.name}"
            for cause in who.of(v.RangeEffect)
            if any(item_passes(test, held, None, content) for test in cause.effect.items)
        ]
    return tuple(dict.fromkeys(causes))


def _lines(
    content: Content, fighter: ForceFighter, who: Facts, chosen: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return kit, abilities, upgrades, skills and traumas as a bold name and short text.

    A choice replaces the text of its options.
    """
    own_rules = [c.source for c in who.of(v.ReminderEffect) if c.source.kind == "rule" and c.effect.for_profiles]
    lines = [
        *_kit_lines(who, chosen),
        *((content.abilities[a].name, chosen.get(a) or content.abilities[a].words) for a in who.abilities),
        *((source.name, source.words) for source in own_rules),
        *_upgrade_lines(content, fighter),
        *(
            (skill.name, _with_pick(skill.words, chosen.get(skill.id)))
            for learned in fighter.skills
            if (skill := content.skills.get(learned.skill))
        ),
        *_trauma_lines(content, fighter),
    ]
    marked = marked_names(content)
    return tuple(dict.fromkeys((name, f"{words} {MARK}" if name in marked else words) for name, words in lines))


def _kit_lines(who: Facts, chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield weapons whose text is too long for their column, then all other kit."""
    for name, words in {h.item.name: _weapon_words(h.item)[1] for h in who.held if h.item.weapon}.items():
        if words:
            yield name, words
    for item in (h.item for h in who.held if not h.item.weapon):
        if item.words or not item.built_in:
            yield item.name, _with_pick(item.words or "; ".join(item.modifiers), chosen.get(item.id))


def _upgrade_lines(content: Content, fighter: ForceFighter) -> Iterator[tuple[str, str]]:
    for taken in fighter.upgrades:
        id_ = taken.option or taken.upgrade
        yield content.name("upgrade", id_), content.upgrades[id_].words if id_ in content.upgrades else ""


def _trauma_lines(content: Content, fighter: ForceFighter) -> Iterator[tuple[str, str]]:
    for suffered in fighter.traumas:
        trauma = content.traumas.get(suffered.trauma)
        if trauma is not None:
            details = ", ".join(str(x) for x in suffered.details.values() if isinstance(x, str))
            yield trauma.name, f"{trauma.words} ({details})" if details else trauma.words


def _with_pick(summary: str, pick: str | None) -> str:
    return gettext("{summary} Chosen: {pick}.").format(summary=summary, pick=pick) if pick else summary


# --- glossary --------------------------------------------------------------------------------------------------------------


def glossary(content: Content, views: Iterable[FighterView], held: Iterable[CarriedItem]) -> tuple[RuleEntry, ...]:
    """Return each keyword that this roster names once, with our explanation, then the requirements of its armoury."""
    held, views = tuple(held), tuple(views)
    names = {k.name for view in views for k in view.keywords if k.state != "lost"}
    names |= {k for h in held for k in h.keywords}
    ids = dict.fromkeys(sorted(i for n in names if (i := content.keyword_id(n))))
    stipulated = {plain(word) for h in held for word in h.item.stipulations}
    keywords = [content.keywords[i] for i in ids if i in content.keywords]
    return (
        *(RuleEntry("keyword", k.id, k.name, k.words, k.source) for k in keywords),
        *(
            RuleEntry("reference", r.id, r.name, r.words, r.source)
            for r in content.pack.reference
            if plain(r.name) in stipulated
        ),
        *_mark_entry(content, held, views),
    )


def _mark_entry(content: Content, held: Iterable[CarriedItem], views: Iterable[FighterView]) -> Iterator[RuleEntry]:
    """Yield what the mark beside a rule means, where a rule of this roster has it."""
    names = {h.item.name for h in held} | {name for view in views for name, _ in view.reminders}
    if names & marked_names(content):
        yield RuleEntry("table", "table-only", MARK, gettext("Only you can see this at the table. No odds include it."))
