"""The Trench Crusade game object, assembled from the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules import checker
from rules.choices import of_fighter, of_item, of_list
from rules.content.compiled import Content
from rules.content.house import READINGS, SETTINGS, HouseSetting
from rules.fighters.frame import at_work_when_lost
from rules.fighters.views import views
from rules.force import Force
from rules.game import GameSystem
from rules.legality.hiring import elite_cap
from rules.legality.money import priced
from rules.legality.roster_state import examine
from rules.legality.thresholds import field_strength_of, threshold_of
from rules.offers import hires, items, leaving, owned, upgrades, usual, whole_kits
from rules.parts.attacks import AttacksPart
from rules.parts.battle import BattlePart
from rules.parts.campaign import CampaignPart
from rules.parts.choice import Choosing
from rules.parts.corrections import CorrectionsPart
from rules.parts.documents import DocumentsPart
from rules.parts.founding import FoundingPart
from rules.parts.post_battle import PostBattlePart
from rules.parts.print_sheets import PrintSheetsPart
from rules.parts.profiles import ProfilesPart
from rules.parts.resolvers import ResolversPart
from rules.parts.rulebook import RulebookPart
from rules.parts.shop import ShopPart
from rules.parts.state import StatePart
from rules.parts.states import StatesPart
from rules.parts.text_import import TextImportPart
from rules.parts.unit_attacks import UnitAttacksPart
from rules.parts.verdict import Limits
from rules.trench_crusade import (
    battle_sheet,
    camp,
    campaign,
    corrections,
    founding,
    house,
    muster,
    normal_form,
    post_battle,
    rekey,
    roster,
    sheet,
    states,
    transcribe,
)
from rules.trench_crusade.browse.entries import entries_of
from rules.trench_crusade.browse.entry import detail_of
from rules.trench_crusade.content import DOCUMENT_EDITION, EDITIONS, GAME, content_of
from rules.trench_crusade.documents import judge, reader, writer
from rules.trench_crusade.labels import labels_of, settled_readings
from rules.trench_crusade.resolvers import arms as attack_arms
from rules.trench_crusade.resolvers import attack_situation, series
from rules.trench_crusade.resolvers import rules as resolvers
from rules.trench_crusade.roster_files.read import read_by_content, recognise
from rules.trench_crusade.roster_files.write import WRITERS, left_out, write_roster
from rules.trench_crusade.text_import import write
from rules.trench_crusade.text_import.read import read_roster
from rules.trench_crusade.tracker import tracker_of
from rules.vocabulary import ConsumedEffect


class CrusadeState:
    fighter_state = staticmethod(roster.fighter_state)
    warband_state = staticmethod(roster.warband_state)
    read_state = staticmethod(roster.read_state)
    read_warband_state = staticmethod(roster.read_warband_state)
    write_state = staticmethod(roster.write_state)
    write_warband_state = staticmethod(roster.write_warband_state)
    rekeyed = staticmethod(rekey.rekeyed)
    unknown = staticmethod(house.unknown)


class CrusadeDocuments:
    read_document = staticmethod(reader.read_document)
    write_document = staticmethod(writer.write_document)
    judge = staticmethod(judge.judge)
    write_text = staticmethod(write.write_text)
    sheet = staticmethod(sheet.sheet_of)


class CrusadeBattle:
    scenarios = staticmethod(muster.scenarios_of)
    scenario_task = staticmethod(post_battle.scenario_task)
    attacker_task = staticmethod(post_battle.attacker_task)
    muster = staticmethod(muster.muster_rows)
    tracker = staticmethod(tracker_of)
    paper_steps = staticmethod(battle_sheet.paper_steps)
    paper_play = staticmethod(battle_sheet.paper_play)


class CrusadePostBattle:
    steps = staticmethod(post_battle.steps)
    tasks = staticmethod(post_battle.tasks)
    skipped = staticmethod(post_battle.skipped)
    result_consequences = staticmethod(post_battle.result_consequences)
    amended = staticmethod(post_battle.amended_report)
    camp_tasks = staticmethod(camp.camp_tasks)


class CrusadeRulebook:
    entries = staticmethod(entries_of)
    entry = staticmethod(detail_of)
    normal_form = staticmethod(normal_form.normal_form)
    check_house_rules = staticmethod(house.faults)

    def house_settings(self, content: Content) -> tuple[tuple[HouseSetting, ...], tuple[HouseSetting, ...]]:
        """Return the settings for house rules: first numbers and lists, then the readings of open rules questions.

        The defaults of the readings are the edition's own answers.
        """
        own = content.campaign.rules.readings if content.pack.campaign else {}
        settled = settled_readings(content)
        return SETTINGS, tuple(replace(s, default=own.get(s.key, s.default)) for s in READINGS if s.key not in settled)


class CrusadeShop:
    item_offers = staticmethod(items.item_offers)
    usual_kits = staticmethod(usual.usual_kits)
    whole_kit = staticmethod(whole_kits.whole_kit)
    outfit = staticmethod(hires.outfit)
    upgrade_offers = staticmethod(upgrades.upgrade_offers)
    follows = staticmethod(upgrades.follows)
    carry = staticmethod(owned.carry)
    sale = staticmethod(owned.sale)
    refund = staticmethod(owned.refund)
    priced = staticmethod(priced)
    at_work_when_lost = staticmethod(at_work_when_lost)

    def consumables(self, content: Content) -> frozenset[str]:
        return frozenset(
            item.id for item in content.pack.items if any(isinstance(effect, ConsumedEffect) for effect in item.effects)
        )


class CrusadeCampaign:
    repeats_scenarios = staticmethod(campaign.repeats_scenarios)
    result_points = staticmethod(campaign.result_points)
    deeds = staticmethod(muster.deeds_of)
    captives = staticmethod(campaign.captives)
    redeem = staticmethod(camp.redeem)
    waits_for = staticmethod(camp.waits_for)
    teams = staticmethod(campaign.teams)
    form_teams = staticmethod(campaign.form_teams)
    house_target = staticmethod(house.target)
    house_target_name = staticmethod(house.target_name)
    what_it_does = staticmethod(campaign.what_it_does)

    def marker_names(self, content: Content) -> tuple[str, ...]:
        return battle_sheet.MARKERS


class CrusadeAttacks:
    arms = staticmethod(attack_arms.arms)
    bare_force = staticmethod(attack_arms.bare)
    profiles_by_list = staticmethod(attack_arms.profiles_by_list)
    situation = staticmethod(attack_situation.situation)
    chain_odds = staticmethod(series.chain_odds)
    series = staticmethod(series.series_of)


class CrusadeTextImport:
    read_text = staticmethod(read_roster)
    recognise = staticmethod(recognise)
    read_file = staticmethod(read_by_content)
    write_form = staticmethod(write_roster)
    left_out_of_form = staticmethod(left_out)
    paper_book = staticmethod(transcribe.book_of)
    read_paper = staticmethod(transcribe.read_paper)
    paper_of = staticmethod(transcribe.paper_of)

    def written_forms(self) -> tuple[str, ...]:
        return tuple(WRITERS)

    def explain_text(self) -> str:
        return write.EXPLAINED


class TrenchCrusade:
    """The game: the answers it gives itself, and its parts."""

    id = GAME
    name = "Trench Crusade"

    founding: FoundingPart[Content] = founding
    state: StatePart[Content] = CrusadeState()
    documents: DocumentsPart[Content] = CrusadeDocuments()
    battle: BattlePart[Content] = CrusadeBattle()
    post_battle: PostBattlePart[Content] = CrusadePostBattle()
    resolvers: ResolversPart[Content] = resolvers
    rulebook: RulebookPart[Content] = CrusadeRulebook()
    shop: ShopPart[Content] | None = CrusadeShop()
    campaign: CampaignPart[Content] | None = CrusadeCampaign()
    corrections: CorrectionsPart[Content] | None = corrections
    profiles: ProfilesPart[Content] | None = None
    attacks: AttacksPart[Content] | None = CrusadeAttacks()
    unit_attacks: UnitAttacksPart[Content] | None = None
    text_import: TextImportPart[Content] | None = CrusadeTextImport()
    print_sheets: PrintSheetsPart[Content] | None = None
    states: StatesPart[Content] | None = states

    content = staticmethod(content_of)
    labels = staticmethod(labels_of)
    check = staticmethod(checker.check)
    views = staticmethod(views)
    hire_offers = staticmethod(hires.hire_offers)
    departures = staticmethod(leaving.departures)

    def editions(self) -> tuple[str, ...]:
        return EDITIONS

    def document_edition(self) -> str:
        return DOCUMENT_EDITION

    def limits(self, content: Content, force: Force, battle: int | None = None) -> Limits:
        return Limits(
            battle=battle or force.battles.next_number,
            threshold=threshold_of(content, force, battle),
            field_strength=field_strength_of(content, force, battle),
            elite_cap=elite_cap(examine(content, force)) if force.list in content.lists else None,
        )

    def headcount(self, content: Content, force: Force) -> int:
        return sum(fighter.count for fighter in force.fighters if fighter.active)

    def profile_name(self, content: Content, profile: str, state: Mapping[str, Any]) -> str:
        return content.name("profile", profile)

    def choices(self, content: Content, force: Force) -> tuple[Choosing, ...]:
        if force.list not in content.lists:
            return ()
        exam = examine(content, force)
        people = tuple(zip(exam.fighters, exam.facts, strict=True))
        asked = list(of_list(content, exam.frame, force.choices))
        for fighter, facts in people:
            asked += of_fighter(content, exam.frame.list, fighter, facts, people, force.stash)
        for piece in force.stash:
            asked += of_item(content, exam.frame.list, piece, people, force.stash)
        return tuple(asking.choosing for asking in asked)


SYSTEM: GameSystem[Content] = TrenchCrusade()
