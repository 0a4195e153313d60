"""The detail pages of campaign entries: skills, traumas, locations, patrons, deeds and scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from rules.browse import RuleRef, named
from rules.content.campaign_entries import (
    Deed,
    Lasting,
    Location,
    LocationOption,
    Patron,
    RandomPart,
    Scenario,
    Stage,
    Trauma,
)
from rules.content.schema import Skill, SkillTable
from rules.eligibility import holder_words
from rules.formatting import listed, number
from rules.translation import gettext as _
from rules.trench_crusade import automation
from rules.trench_crusade.browse.charts import PARTS, RARITIES
from rules.trench_crusade.browse.detail import Detail, span
from rules.trench_crusade.muster import scenarios_of
from rules.trench_crusade.namesakes import told_name
from rules.vocabulary import Holder, LastingReward


def describe_skill(detail: Detail, skill: Skill) -> None:
    pack, rolled_for = detail.content.pack, []
    for table in pack.skill_tables:
        faces = [str(row.roll) for row in table.rows if row.skill == skill.id]
        if faces:
            rolled_for.append(
                RuleRef(table.name, "skill-table", table.id, _("on {faces}").format(faces=listed(faces, "or")))
            )
    detail.fact(_("Rolled for"), rolled_for)
    detail.fact(
        _("Patrons"), detail.refs("patrons", (patron.id for patron in pack.patrons if skill.id in patron.skills))
    )
    if skill.kind == "exploration":
        detail.fact(_("Kind"), _("for exploring"))
    detail.done_by(automation.of_skill(detail.content, skill))
    if skill.most is not None:
        detail.fact(_("Held by"), _("at most {most} of a warband").format(most=number(skill.most)))
    if skill.who != Holder():
        detail.fact(_("Learned by"), holder_words(skill.who, detail.content))


def describe_skill_table(detail: Detail, table: SkillTable) -> None:
    rows = []
    for row in sorted(table.rows, key=lambda row: row.roll):
        skill = detail.content.skills.get(row.skill)
        ref: Sequence[RuleRef] = named(_("A patron skill of the player's choice"))
        if skill is not None:
            ref = [detail.ref("skills", row.skill)]
        rows.append((str(row.roll), ref, skill.words if skill else ""))
        detail.figures[f"On {row.roll}"] = ref[0].words
    detail.table(_("Skills"), ("2D6", _("Skill"), _("What it does")), rows)


def describe_trauma(detail: Detail, trauma: Trauma) -> None:
    detail.fact("D66", span(trauma.first, trauma.last))
    scar = _("one battle scar") if trauma.scar else "none"
    detail.fact(
        _("Scar"), _("{scar}, may be suffered again").format(scar=scar) if trauma.scar and trauma.repeatable else scar
    )
    detail.done_by(automation.of_trauma(trauma))
    detail.fact(_("Table"), [RuleRef(_("Trauma chart"), "table", "trauma-chart")], figure=False)


# --- exploration


def describe_location(detail: Detail, location: Location) -> None:
    detail.fact(_("Table"), [RuleRef(RARITIES[location.rarity], "table", f"{location.rarity}-locations")])
    detail.fact(_("Found with"), _("a total of {score}").format(score=location.score))
    holders = {option.name: _who_may(detail, option) for option in location.options}
    detail.table(
        _("Choose one") if len(location.options) > 1 else _("What it gives"),
        (_("Way"), _("What it gives"), _("For")),
        ((option.name, option.words, holders[option.name]) for option in location.options),
    )
    for option in location.options:
        lists = listed(ref.words for ref in holders[option.name] if ref.kind)
        detail.figures[option.name] = f"{option.words} ({lists})" if lists else option.words
    rewards = [*location.rewards, *(reward for option in location.options for reward in option.rewards)]
    lasting = [reward.lasting for reward in rewards if isinstance(reward, LastingReward)]
    detail.fact(_("Leaves behind"), detail.refs("lasting", lasting), figure=False)


def _who_may(detail: Detail, option: LocationOption) -> list[RuleRef]:
    refs = [_list_or_name(detail, list_id) for list_id in option.lists]
    refs += [_list_or_name(detail, list_id, _("not for ")) for list_id in option.not_lists]
    return refs or [RuleRef("anyone")]


def _list_or_name(detail: Detail, id_: str, before: str = "") -> RuleRef:
    content = detail.content
    if id_ in content.lists:
        return RuleRef(f"{before}{told_name(content, id_)}", "list", id_)
    other = next((army.name for army in content.pack.other_lists if army.id == id_), id_)
    return RuleRef(f"{before}{other}")


def describe_lasting(detail: Detail, lasting: Lasting) -> None:
    detail.fact(_("Found at"), detail.mentioned_by("lasting", "locations"))
    detail.fact(_("Used"), _("once, then it is gone") if lasting.spends else "")


def describe_patron(detail: Detail, patron: Patron) -> None:
    content = detail.content
    detail.fact(_("Chosen by"), [detail.list_ref(army.id) for army in content.pack.lists if patron.id in army.patrons])
    rows = (([detail.ref("skills", skill)], content.skills[skill].words) for skill in patron.skills)
    detail.table(_("Skills"), (_("Skill"), _("What it does")), rows)
    detail.figures[_("Skills")] = tuple(content.name("skill", skill) for skill in patron.skills)


# --- battles


def describe_deed(detail: Detail, deed: Deed) -> None:
    detail.fact(_("Glory"), str(deed.glory))
    if deed.victory_points:
        detail.fact(_("Victory points"), str(deed.victory_points))
    played = [*deed.scenarios, *(s.id for s in detail.content.pack.scenarios if deed.id in s.deeds)]
    detail.fact(_("Scenarios"), detail.refs("scenarios", played) if played else _("any"))
    doer = detail.content.name("profile", deed.needs_profile) if deed.needs_profile else _("one fighter")
    detail.fact(_("Done by"), _("the warband") if deed.by_warband else doer)
    detail.fact(_("Side"), deed.side)
    if deed.random_group:
        detail.fact(_("Random scenario"), _("drawn from group {random_group}").format(random_group=deed.random_group))


def describe_scenario(detail: Detail, scenario: Scenario) -> None:
    pack = detail.content.pack
    shown = next(one for one in scenarios_of(detail.content) if one.id == scenario.id)
    detail.fact(_("Forces"), shown.force_words)
    detail.fact(_("Length"), shown.length_words)
    detail.fact(_("Victory"), shown.victory_words)
    detail.fact(_("Deployment"), shown.deployment_words)
    detail.fact(_("Special rules"), shown.special_words)
    detail.fact(_("Attacker"), _("one side attacks") if shown.has_attacker else _("no attacker"))
    deeds = [deed for deed in pack.deeds if deed.id in scenario.deeds or scenario.id in deed.scenarios]
    rows = (([detail.ref("deeds", deed.id)], deed.words, str(deed.glory)) for deed in deeds)
    detail.table(_("Glorious deeds"), (_("Deed"), _("How"), _("Glory")), rows)
    detail.figures[_("Glorious deeds")] = tuple(deed.name for deed in deeds)
    stages = pack.campaign.stages if pack.campaign is not None else ()
    detail.fact(_("Rolled for"), [ref for stage in stages if (ref := _stage_ref(stage, scenario.id)) is not None])


def _stage_ref(stage: Stage, scenario: str) -> RuleRef | None:
    """Return the table of a stage of the campaign with the faces for a scenario; None if it is not played there."""
    faces = listed((str(row.roll) for row in stage.rows if row.scenario == scenario), "or")
    if not faces and stage.scenario != scenario:
        return None
    note = _("on {faces}").format(faces=faces) if faces else "always"
    return RuleRef(_("Scenarios, {stage}").format(stage=stage.name), "table", f"scenarios-{stage.id}", note)


def describe_random_part(detail: Detail, part: RandomPart) -> None:
    detail.fact(_("Table"), [RuleRef(PARTS[part.kind], "table", f"random-{part.kind}")], figure=False)
    detail.fact(_("Rolled for"), _("on {roll}").format(roll=part.roll) if part.roll else _("not rolled for"))
    detail.fact(_("Never with"), detail.refs("random_parts", part.not_with))
