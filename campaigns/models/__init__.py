"""The models of a campaign: people, rounds, battles, reports, and what follows a battle."""

from campaigns.models.battle import AHEAD, ANSWERED, REPORTED, Battle, Report, Side
from campaigns.models.booklet import Booklet
from campaigns.models.campaign import Administrator, Campaign, Invitation, Round, Seat
from campaigns.models.post_battle import Capture, PostBattle, RansomOffer
from campaigns.models.tracker import DiceSeed, Table, TableAct

__all__ = [
    "AHEAD",
    "ANSWERED",
    "REPORTED",
    "Administrator",
    "Battle",
    "Booklet",
    "Campaign",
    "Capture",
    "DiceSeed",
    "Invitation",
    "PostBattle",
    "RansomOffer",
    "Report",
    "Round",
    "Seat",
    "Side",
    "Table",
    "TableAct",
]
