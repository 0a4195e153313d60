"""Models of a warband: its roster over time, its money and its history."""

from warbands.models.chain import Chain, ChainLink
from warbands.models.event import Change, Event, EventSubject
from warbands.models.fighter import Fighter
from warbands.models.hand_over import HandOver
from warbands.models.house_overlay import HouseOverlay
from warbands.models.imported_file import ImportedFile
from warbands.models.item import Item
from warbands.models.kept_sheet import KeptSheet
from warbands.models.ledger import LedgerEntry
from warbands.models.overlay_copy import OverlayCopy
from warbands.models.paper_draft import PaperDraft
from warbands.models.print_setup import PrintSetup
from warbands.models.problem_report import ProblemReport
from warbands.models.profile import Profile
from warbands.models.promise import Promise
from warbands.models.roster_draft import RosterDraft
from warbands.models.sharing import ShareLink, Snapshot
from warbands.models.terms import Terms
from warbands.models.warband import Delegate, Warband

__all__ = [
    "Chain",
    "ChainLink",
    "Change",
    "Delegate",
    "Event",
    "EventSubject",
    "Fighter",
    "HandOver",
    "HouseOverlay",
    "ImportedFile",
    "Item",
    "KeptSheet",
    "LedgerEntry",
    "OverlayCopy",
    "PaperDraft",
    "PrintSetup",
    "ProblemReport",
    "Profile",
    "Promise",
    "RosterDraft",
    "ShareLink",
    "Snapshot",
    "Terms",
    "Warband",
]
