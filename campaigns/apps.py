"""The campaigns app: people, rounds, battles and what follows them."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """The app of campaigns. It tells warbands/ who else may see and act, and what a battle is called."""

    name = "campaigns"

    def ready(self) -> None:
        """Register with the rooms below: access, occasions, undo, deletion and export."""
        from accounts.deletion import register_deletion_blocker
        from accounts.export import register_exporter
        from accounts.reset import register_reset_ground
        from campaigns.access import edits_warband, reads_terms, reads_warband
        from campaigns.camp_locks import refuse_shut_step
        from campaigns.event_context import battle_words, camp_words
        from campaigns.export import export_campaigns
        from campaigns.import_targets import seat_place
        from campaigns.news import campaign_of_act
        from campaigns.rights import FINER, ROLES, ROWS
        from campaigns.services.house_rules import refuse_lost_entries
        from campaigns.services.open import only_administrator
        from campaigns.services.resets import GROUND, refuse_reset_link
        from campaigns.services.undo_guards import refuse_finals
        from campaigns.sharing_groups import circles_of_campaigns, members_of_campaigns
        from campaigns.sheet_context import campaign_line
        from warbands.access import register_editor, register_reader, register_terms_reader
        from warbands.camp_locks import register_door_guard
        from warbands.event_context import register_camp_words, register_occasion
        from warbands.import_targets import register_place
        from warbands.printing import register_campaign_line
        from warbands.recording import register_news_readers, register_undo_guard
        from warbands.rights import register_rights
        from warbands.sharing_groups import register_circles, register_members

        register_reader(reads_warband)
        register_terms_reader(reads_terms)
        register_editor(edits_warband)
        register_rights(ROWS, roles=ROLES, finer=FINER)
        register_circles(circles_of_campaigns)
        register_members(members_of_campaigns)
        register_occasion("battle", battle_words)
        register_camp_words(camp_words)
        register_place("seat", seat_place)
        register_news_readers(campaign_of_act)
        register_undo_guard(refuse_finals)
        register_undo_guard(refuse_lost_entries)
        register_door_guard(refuse_shut_step)
        register_campaign_line(campaign_line)
        register_deletion_blocker("campaigns", only_administrator)
        register_exporter("campaigns", export_campaigns)
        register_reset_ground(GROUND, refuse_reset_link)
