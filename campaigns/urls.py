"""Addresses of the desk, of campaigns, their people, rounds and battles, and of what follows a battle."""

from django.urls import path

from campaigns.views import (
    administer,
    battles,
    campaigns,
    captures,
    desk,
    paper,
    post_battle,
    reports,
    resets,
    rounds,
    seats,
    settling,
)

urlpatterns = [
    path("", desk.desk_show, name="desk-show"),
    path("campaigns/", campaigns.campaign_list, name="campaign-list"),
    path("campaigns/open/", campaigns.campaign_open, name="campaign-open"),
    path("campaigns/<int:pk>/", campaigns.campaign_show, name="campaign-show"),
    path("campaigns/<int:pk>/desk/", administer.campaign_administer, name="campaign-administer"),
    path("campaigns/<int:pk>/players/", seats.player_list, name="player-list"),
    path("campaigns/<int:pk>/house-rules/", administer.house_rule_list, name="house-rule-list"),
    path("campaigns/<int:pk>/rounds/", rounds.round_arrange, name="round-arrange"),
    path("campaigns/<int:pk>/rounds/<int:number>/", rounds.round_show, name="round-show"),
    path("campaigns/<int:pk>/battles/schedule/", rounds.battle_schedule, name="battle-schedule"),
    path("c/<slug:slug>/", campaigns.campaign_watch, name="campaign-watch"),
    path("c/<slug:slug>/battles/<int:pk>/", battles.battle_watch, name="battle-watch"),
    path("join/<slug:token>/", seats.campaign_join, name="campaign-join"),
    path("claim/<slug:token>/", seats.seat_claim, name="seat-claim"),
    path("seats/<int:pk>/", seats.seat_show, name="seat-show"),
    path("seats/<int:pk>/reset/", resets.seat_reset, name="seat-reset"),
    path("seats/<int:pk>/found/", seats.seat_found, name="seat-found"),
    path("battles/<int:pk>/", battles.battle_show, name="battle-show"),
    path("battles/<int:pk>/setup/", battles.force_select, name="force-select"),
    path("battles/<int:pk>/sheet.pdf", paper.battle_sheet_download, name="battle-sheet"),
    path("battles/<int:pk>/flags/", settling.flag_settle, name="flag-settle"),
    path("battles/<int:pk>/void/", settling.battle_void, name="battle-void"),
    path("battles/<int:pk>/report/", reports.battle_report, name="battle-report"),
    path("battles/<int:pk>/confirm/", reports.report_confirm, name="report-confirm"),
    path("battles/<int:pk>/dispute/", reports.report_dispute, name="report-dispute"),
    path("answer/<str:token>/", reports.report_answer, name="report-answer"),
    path("battles/<int:pk>/post-battle/<int:warband>/", post_battle.post_battle_show, name="post-battle-show"),
    path(
        "battles/<int:pk>/post-battle/<int:warband>/<slug:step>/",
        post_battle.post_battle_resolve,
        name="post-battle-resolve",
    ),
    path("captures/<int:pk>/", captures.capture_settle, name="capture-settle"),
]
