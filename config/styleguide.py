"""The component page: every component in every state, with sample values. Development only; the screenshots test it."""

from types import SimpleNamespace as Sample
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.access import public
from config.icons import icon_names

SCHEMES = ("auto", "light", "dark")


@public(reason="Samples only, and only where DEVELOPMENT is on.")
@require_safe
def component_list(request: HttpRequest) -> HttpResponse:
    """Show every component in every state; `?scheme=` fixes light or dark."""
    scheme = request.GET.get("scheme", "auto")
    samples = {
        "scheme": scheme if scheme in SCHEMES else "auto",
        "schemes": SCHEMES,
        "icon_names": sorted(icon_names()),
        "places": [
            Sample(label="Desk", icon="inbox", href="#ground", current=False, count=3),
            Sample(label="Warbands", icon="users", href="#fighter_card", current=True, count=0),
            Sample(label="Campaigns", icon="flag", href="#standings", current=False, count=0),
            Sample(label="Rules", icon="book-open", href="#keyword", current=False, count=0),
            Sample(label="Me", icon="user", href="#forms", current=False, count=0),
        ],
        "own_places": [
            Sample(label="The Lantern Wardens", href="#fighter_card", current=False),
            Sample(label="The Winter at Gallows Weir", href="#standings", current=False),
        ],
        **_fighters(),
        **_strongbox(),
        **_dice(),
        **_after_battle(),
        **_furniture(),
        "tracker": _tracker(),
    }
    return render(request, "styleguide/component_list.html", samples)


def _table_row(key: str, name: str, state: str, *words: str, **more: Any) -> Sample:
    row: dict[str, Any] = {
        "profile": "Yeoman",
        "held": [],
        "acts": True,
        "is_open": False,
        "unfolds": True,
        "out_words": "",
    }
    row |= {"markers": [], "presses": [], "links": [], "lines": [], "offers": []}
    told = [Sample(words=word, kind="alarm" if word == "SHOCKED" else "state") for word in words]
    return Sample(**(row | {"key": key, "name": name, "state": state, "words": told} | more))


def _table_offer(label: str, *, press: str = "", closed: str = "", main: bool = False) -> Sample:
    """A roll or move on offer: one press with one's own dice beside it, a form to go to, or closed with its reason."""
    pressed = Sample(id=f"sample_{press}", label=label, press=f"do {press}", about="") if press else None
    link = None if press or closed else Sample(label=label, href="#tracker")
    typed = Sample(label=label, href="#tracker") if press else None
    return Sample(label=label, about="", press=pressed, link=link, typed=typed, closed=closed, main=main)


def _tracker() -> Sample:
    """The parts of the tracker: head, prompts, fighters, log, strip, and an act that was not done."""
    blood = Sample(icon="drop", name="Blood", figure=2)
    marker = {"icon": "drop", "most": 6, "about": "Br. Anselm", "end_words": "", "waiting_words": ""}
    one = Sample(press="marker 4 blood 1 2")
    acts = ("Acted", "Down", "Out", "Use Grenades")
    presses = [
        Sample(id=f"sample_{n}", label=label, press="acted 4", about="Br. Anselm") for n, label in enumerate(acts)
    ]
    panel = {
        "markers": [
            Sample(**marker | {"key": "tracker_blood", "name": "Blood", "figure": 2, "less": one, "more": one}),
            Sample(
                **marker
                | {"key": "tracker_bless", "name": "Blessing", "icon": "prayer", "figure": 0, "less": None, "more": one}
            ),
        ],
        "lines": ["Stress 3: 6 or more on a D8, 37.5 %", "Rifle: 8″ D12, 16″ D8, 24″ D6"],
        "offers": [
            _table_offer("Activate", press="activate", main=True),
            _table_offer("Shoot"),
            _table_offer("Dig in", closed="It moved this turn."),
        ],
        "presses": presses,
        "links": [Sample(label="Deed", href="#tracker"), Sample(label="Roll", href="#tracker")],
    }
    by_side = [Sample(id="sample_by", label="By its own side", press="out_by 2 1", about="Ottla")]
    ask: dict[str, Any] = {"answer": None, "presses": []}
    roll = _table_offer("Roll for it", press="initiative")
    held = [Sample(id="sample_held", label="It held", press="morale 1 holds", about="")]
    line = {"when": "21:14", "who": "Ada", "dice": "", "undone": False, "undo": None}
    undo = Sample(id="sample_undo", label="Undo", press="undo 4", about="Ilse goes Down.")
    end = Sample(id="sample_turn", label="End turn 3", press="turn 3", about="", href="")
    rows = [
        _table_row("1", "Ilse Brandt", "down", "DOWN", "acted", held=[blood], profile="Lieutenant"),
        _table_row("2", "Ottla", "out", "OUT", out_words="Out of Action, by Choir of Brass.", presses=by_side),
        _table_row("4", "Br. Anselm", "ready", "ready", is_open=True, profile="Sniper Priest", **panel),
        _table_row("5", "Kolya", "acted", "acted"),
        _table_row("6", "Hedvig", "away", "not on yet"),
        _table_row("8", "2nd Platoon", "ready", "SHOCKED", "fire taken 3 of 4", profile="Steady"),
        _table_row(
            "7", "Vasek", "ready", "ready", acts=False, unfolds=False, profile="Anointed Heavy Infantry", held=[blood]
        ),
    ]
    return Sample(
        turn_words="Turn 3 of 6",
        standing=[("The Lantern Wardens", 3), ("Choir of Brass", 1)],
        sides_words="Initiative The Lantern Wardens, Choir of Brass acts",
        asks=[
            Sample(kind="initiative", words="Turn 3: who has the initiative?", **ask | {"answer": roll}),
            Sample(kind="morale", words="The Lantern Wardens: 4 of 8 are Down or Out.", **ask | {"presses": held}),
            Sample(kind="limit", words="Turn 6 is the last.", **ask),
            Sample(kind="fled", words="Choir of Brass has fled: the battle is lost to it.", **ask),
        ],
        board=[
            Sample(
                name="",
                lines=[
                    Sample(label="Bag", figure="7 chits", words="3 and 3, one Fog", track=()),
                    Sample(label="Fog", figure="", words="", track=(("1", True), ("2", True), ("3", False))),
                ],
            ),
            Sample(name="Choir of Brass", lines=[Sample(label="Pool", figure="4 TP", words="Command 3", track=())]),
        ],
        rows=rows,
        log=[
            Sample(number=901, told="Ilse Brandt goes Down.", **line | {"undo": undo}),
            Sample(number=902, told="Morale: 8, it holds (5, 3).", **line | {"dice": "typed in"}),
            Sample(number=903, told="Kolya has acted.", **line | {"undone": True, "who": "Cleo, for Ada"}),
        ],
        may=Sample(
            offers=[
                _table_offer("Put the pool right"),
                _table_offer("Pools filled", closed="Choir of Brass still has to roll."),
            ],
            roll=Sample(label="Roll", href="#tracker"),
            strip=[
                Sample(id="sample_pass", label="Choir of Brass acts", press="pass 2", about="", href=""),
                end,
            ],
        ),
        report=None,
        clash="“Vasek: Blood, one more”, 21:15, was not done. Vasek holds 6 blood; 6 is the most.",
    )


def _statline(movement: str = '6"', lowered: str = "", raised: bool = False) -> list[Sample]:
    return [
        Sample(label="Mv", value=movement, state="lowered" if lowered else "printed", cause=lowered),
        Sample(
            label="Rg",
            value="+2",
            state="raised" if raised else "printed",
            cause="Ranged Proficiency (3 Oct)" if raised else "",
        ),
        Sample(label="Ml", value="+2", state="printed", cause=""),
        Sample(label="Ar", value="−2", state="printed", cause=""),
        Sample(label="Base", value="32 mm", state="printed", cause=""),
    ]


def _keywords() -> list[Sample]:
    return [
        Sample(name="Tough", href="#keyword", state="printed", cause=""),
        Sample(name="New Antioch", href="#keyword", state="printed", cause=""),
    ]


def _experience(filled: int) -> Sample:
    due = (2, 4, 7, 10, 14, 18)
    boxes = [Sample(number=n, filled=n <= filled, advance=n in due) for n in range(1, 19)]
    return Sample(boxes=boxes, words=f"experience {filled} of 18")


def _card(pk: int, **values: Any) -> Sample:
    card = {
        "pk": pk,
        "key": f"fighter_card_{pk}",
        "name": "Ilse Brandt",
        "href": f"#fighter_card_{pk}",
        "profile_name": "Lieutenant",
        "rating_words": "139 d",
        "elite": True,
        "leader": True,
        "stats": _statline(),
        "keywords": _keywords(),
        "kit_words": "Automatic Pistol, Sword / Axe, Reinforced Armour, Combat Helmet",
        "kit": [],
        "upgrades": [],
        "skills": [],
        "scars": [],
        "scar_boxes": [],
        "experience": None,
        "problems": [],
        "state": "ready",
        "state_words": "",
        "acts": True,
        "kit_href": "#fighter_card",
        "more": [
            Sample(label="Upgrades", href="#fighter_card", post=False, danger=False),
            Sample(label="Rename", href="#fighter_card", post=False, danger=False),
            Sample(label="Dismiss", href="#fighter_card", post=False, danger=True),
        ],
    }
    return Sample(**(card | values))


def _fighters() -> dict[str, Any]:
    veteran = {
        "stats": _statline('4"', lowered='printed 6", Leg Wound −2" (14 Nov)', raised=True),
        "skills": ["Ranged Proficiency", "Strength of Samson"],
        "scars": ["Leg Wound"],
        "scar_boxes": [
            Sample(filled=True, fatal=False),
            Sample(filled=False, fatal=False),
            Sample(filled=False, fatal=True),
        ],
        "experience": _experience(4),
    }
    kit = [
        Sample(name="Bolt-Action Rifle", note='24"', href="#kit"),
        Sample(name="Bayonet", note="", href="#kit"),
        Sample(name="Trench Shield", note="found", href="#kit"),
    ]
    trooper = {"name": "Ottla", "profile_name": "Yeoman", "elite": False, "leader": False, "rating_words": "30 d"}
    return {
        "cards": [
            _card(1),
            _card(2, **veteran, upgrades=["Field Promotion"]),
            _card(3, **trooper, kit=kit, keywords=[], state="changed", state_words="Bayonet bought for 2 d."),
            _card(
                4,
                name="Matthias",
                profile_name="Yeoman",
                elite=False,
                leader=False,
                rating_words="42 d",
                keywords=[],
                state="problem",
                problems=["Rifle and shield ask three hands; he has two."],
            ),
            _card(
                5,
                name="Hedvig",
                profile_name="Yeoman",
                elite=False,
                leader=False,
                keywords=[],
                state="misses",
                state_words="Misses the next battle: Minor Wound.",
            ),
            _card(6, **veteran, state="captive", state_words="Held by Choir of Brass. Ben asks 60 d."),
            _card(
                7,
                **veteran,
                state="dead",
                state_words="Died Sat 14 Nov at Armoured Train. Third scar.",
                acts=False,
                rating_words="",
            ),
            _card(8, state="readonly", acts=False, rating_words="139 d"),
        ],
        "statlines": [
            _statline(),
            _statline('4"', lowered='printed 6", Leg Wound −2" (14 Nov)'),
            _statline(raised=True),
            [
                Sample(label="Mv", value='5"', state="printed", cause=""),
                Sample(label="Rg", value="", state="printed", cause=""),
                Sample(label="Ml", value="+1", state="printed", cause=""),
            ],
        ],
        "keywords": [
            Sample(name="Assault", href="#keyword", state="printed", cause=""),
            Sample(name="Elite", href="#keyword", state="gained", cause="promoted 14 Nov"),
            Sample(name="Tough", href="#keyword", state="lost", cause="Chest Wound"),
        ],
    }


def _problems(count: int) -> list[Sample]:
    kinds = [
        Sample(
            fighter_name="Matthias",
            sentence="rifle and shield ask three hands; he has two.",
            mend="Stash the shield",
            source="Core rules 1.6.3, Hands",
            href="#fighter_card_4",
        ),
        Sample(
            fighter_name="",
            sentence="No leader. New Antioch takes the field under a Lieutenant, for 70 ducats.",
            mend="Hire a Lieutenant",
            source="New Antioch, list",
            href="#offer_row",
        ),
        Sample(
            fighter_name="",
            sentence="Three Machine Guns; the list allows two. Stash one or return it.",
            mend="",
            source="",
            href="#fighter_card_2",
        ),
    ]
    return [kinds[n % len(kinds)] for n in range(count)]


def _offer(key: str, **values: Any) -> Sample:
    offer = {
        "key": key,
        "name": "Yeoman",
        "href": "#offer_row",
        "held_words": "any",
        "price_words": "30 d",
        "detail": [],
        "stats": [],
        "state": "open",
        "reason": "",
        "mend": "",
        "mend_href": "",
        "action": Sample(url="#offer_row", label="Hire", fields={"profile": "yeoman"}),
        "token": "sample",
        "changed": False,
    }
    return Sample(**(offer | values))


def _bar(**values: Any) -> Sample:
    bar = {
        "money_words": "44 d left",
        "over": False,
        "glory_words": "",
        "fighters_words": "8 of 10",
        "fighters_over": False,
        "problems": 0,
        "problems_href": "#problem_list",
        "rating_words": "",
        "main": Sample(label="Hire", href="#offer_row"),
    }
    return Sample(**(bar | values))


def _strongbox() -> dict[str, Any]:
    battle = Sample(words="Armoured Train", href="#ledger_row")
    rows = [
        ("14 Nov", "Loot, score 11", "Ada", battle, "+110", "194", "in"),
        ("14 Nov", "Hired Jonas", "Ada", None, "−45", "149", "out"),
        ("14 Nov", "Sold a Combat Helmet", "Ada", None, "+3", "149", "undone"),
    ]
    names = ("date", "reason", "who", "battle", "amount_words", "balance_words", "direction")
    return {
        "bars": [
            _bar(problems=1),
            _bar(money_words="0 d left", fighters_words="10 of 10"),
            _bar(money_words="38 d over", over=True, fighters_words="11 of 10", fighters_over=True, problems=2),
            _bar(
                money_words="149 d",
                glory_words="5 g",
                rating_words="916 of 1100",
                fighters_words="",
                main=Sample(label="Next", href="#budget_bar"),
            ),
        ],
        "one_problem": _problems(1),
        "two_problems": _problems(2),
        "house_rules": [
            Sample(name="Elite cap", words="How many ELITE fighters a warband may hold.", value="4"),
            Sample(name="Banned", words="What is left out.", value="Machine Gun, Artillery Witch"),
        ],
        "many_problems": _problems(8),
        "offers": [
            _offer("offer_1", stats=_statline()[:4], detail=["comes with Bolt-Action Rifle"]),
            _offer("offer_2", name="Gas Mask", held_words="in the stash", price_words="free", state="free"),
            _offer(
                "offer_3",
                name="Shocktrooper",
                held_words="2 of 5",
                price_words="45 d",
                state="open_problem",
                reason="leaves you 1 d over. A Bayonet sent back frees 2.",
                mend="Show me",
                mend_href="#fighter_card_3",
            ),
            _offer(
                "offer_4",
                name="Trench Shield",
                held_words="",
                price_words="10 d",
                state="closed",
                reason="the rifle takes both hands.",
                mend="Swap it for a one-handed gun.",
                mend_href="#kit",
                action=None,
            ),
            _offer(
                "offer_5",
                name="Observer",
                held_words="0 of 1",
                price_words="3 g",
                state="closed",
                reason="asks 3 glory; you hold 0.",
                action=None,
            ),
            _offer(
                "offer_6",
                name="Trench Cleric",
                held_words="1 of 1",
                price_words="60 d",
                state="closed",
                reason="this list takes one.",
                action=None,
            ),
            _offer(
                "offer_7",
                name="Bayonet",
                held_words="",
                price_words="2 d",
                detail=["just bought"],
                changed=True,
            ),
            _offer(
                "offer_8",
                name="Standard Armour",
                held_words="",
                price_words="15 d",
                detail=["armour 0 to −1"],
                state="taken",
                reason="Ottla wears it now.",
                action=None,
            ),
        ],
        "ledger_rows": [Sample(undo_href="#ledger_row", **dict(zip(names, row, strict=True))) for row in rows],
    }


def _die(name: str, legend: str, value: int | None = None, error: str = "", sides: int = 6) -> Sample:
    return Sample(name=name, legend=legend, sides=sides, value=value, error=error)


def _roll(**values: Any) -> Sample:
    roll = {
        "prompt": "Ilse Brandt went down. What became of her?",
        "dice": [_die("tens", "tens"), _die("units", "units")],
        "allow_app": True,
        "allow_typed": True,
        "typed_error": "",
        "rows": [],
        "faces": [],
        "modifiers": [],
        "told": "",
        "source_words": "",
    }
    return Sample(**(roll | values))


def _dice() -> dict[str, Any]:
    rows = [
        Sample(label="26", words="Lost Arm", hit=False),
        Sample(label="31", words="Leg Wound", hit=True),
        Sample(label="32", words="Expensive Treatment", hit=False),
    ]
    refused = [_die("b_tens", "tens", 3), _die("b_units", "units", None, "A die shows 1 to 6; this one says 7.")]
    missing = [_die("d_tens", "tens", 3), _die("d_units", "units", None, "This die is still open.")]
    many = [_die(f"c_{n}", f"die {n}") for n in range(1, 6)]
    return {
        "rolls": [
            ("open", _roll()),
            ("a die missing", _roll(prompt="", dice=missing)),
            ("refused", _roll(prompt="", dice=refused)),
            ("many dice", _roll(prompt="Exploration: five dice", dice=many)),
            ("the app only", _roll(prompt="Morale", dice=[], allow_typed=False)),
            ("typed in only", _roll(prompt="Morale", dice=[_die("e_1", "die")], allow_app=False)),
            (
                "rolled",
                _roll(
                    faces=[3, 1],
                    rows=rows,
                    told='Movement 6" to 4"; −1 DICE to Dash; one scar, 1 of 2.',
                    source_words="D66 31, typed in by Ada, 22:31",
                    modifiers=[Sample(what="+1 DICE", why="Field Surgeon"), Sample(what="−1 DICE", why="long range")],
                ),
            ),
        ],
    }


def _after_battle() -> dict[str, Any]:
    labels = ("Injuries", "Experience", "Promotions", "Threshold", "Fork", "Explore", "Quartermaster", "Roster")
    states = ("done", "current", "waits", "skipped", "waits", "later", "later", "later")
    rail = [
        Sample(
            number=n,
            label=label,
            href="#step_rail",
            state=state,
            count=1 if state == "current" else 0,
            reason="nothing to do" if state == "skipped" else "",
        )
        for n, (label, state) in enumerate(zip(labels, states, strict=True), start=1)
    ]
    decision = {"name": "way", "gains": [], "losses": [], "closed_reason": "", "chosen": False}
    event = {"dice": "", "undo_href": "#event_row", "leaned": 0, "undone_words": "", "who_can": ""}
    marker = {"icon": "drop", "end_words": "", "waiting_words": "", "most": 6, "about": "Ilse Brandt"}
    press = Sample(press="marker 88 blood 1 2")
    columns = [
        Sample(label="Warband", href="", sorted=False),
        Sample(label="VP", href="?sort=vp#standings", sorted=True),
        Sample(label="W", href="?sort=won#standings", sorted=False),
        Sample(label="D", href="", sorted=False),
        Sample(label="L", href="", sorted=False),
        Sample(label="g", href="", sorted=False),
    ]
    places = [
        ("1", ["Choir of Brass", "11", "3", "0", "0", "5"], False, False),
        ("2", ["The Lantern Wardens", "9", "2", "0", "1", "4"], True, False),
        ("3=", ["Orsola's Spades", "6", "1", "0", "2", "6"], False, False),
        ("3=", ["Wolves of the Weir", "6", "1", "0", "2", "3"], False, False),
        ("", ["The Sodden Bell", "2", "0", "1", "1", "0"], False, True),
    ]
    return {
        "rail": rail,
        "decisions": [
            Sample(
                **decision
                | {
                    "value": "reinforce",
                    "title": "Reinforce",
                    "gains": ["buy up to 229 d; the rest lapses"],
                    "losses": ["84 d, Trench Shield, Gas Mask", "exploration this time"],
                }
            ),
            Sample(
                **decision
                | {
                    "value": "explore",
                    "title": "Explore",
                    "gains": ["40 to 240 d, 4 dice, 2 re-rolls", "84 d and the stash stay"],
                    "chosen": True,
                }
            ),
            Sample(
                **decision
                | {"value": "hold", "title": "Hold the line", "closed_reason": "open to the Red Brigade only."}
            ),
        ],
        "events": [
            Sample(**event | {"pk": 1, "time": "22:41", "sentence": "Ada hired Jonas, Shocktrooper, for 45 d."}),
            Sample(
                **event
                | {
                    "pk": 2,
                    "time": "22:37",
                    "sentence": "Ada sold a Combat Helmet: +3 d.",
                    "undone_words": "Undone by Ada, 22:38.",
                }
            ),
            Sample(
                **event
                | {
                    "pk": 3,
                    "time": "22:31",
                    "sentence": "Ilse Brandt took Leg Wound.",
                    "dice": "D66 31, typed in.",
                    "leaned": 2,
                }
            ),
            Sample(
                **event
                | {
                    "pk": 4,
                    "time": "21:58",
                    "sentence": "Ada confirmed Ben's report.",
                    "undo_href": "",
                    "who_can": "A confirmation stands. An administrator can amend the report or void the battle.",
                }
            ),
        ],
        "last_events": [
            Sample(**event | {"pk": 11, "time": "22:41", "sentence": "Ada hired Jonas, Shocktrooper, for 45 d."}),
            Sample(**event | {"pk": 12, "time": "22:40", "sentence": "Ada bought a Bayonet for 2 d."}),
        ],
        "markers": [
            Sample(**marker | {"key": "marker_1", "name": "Blood", "figure": 2, "less": press, "more": press}),
            Sample(**marker | {"key": "marker_2", "name": "Blood", "figure": 0, "less": None, "more": press}),
            Sample(
                **marker
                | {
                    "key": "marker_3",
                    "name": "Blessing",
                    "icon": "prayer",
                    "figure": 6,
                    "less": press,
                    "more": None,
                    "end_words": "six at most",
                }
            ),
            Sample(
                **marker
                | {
                    "key": "marker_4",
                    "name": "Infection",
                    "icon": "virus",
                    "figure": 3,
                    "less": press,
                    "more": press,
                    "waiting_words": "waiting: 2 to 3",
                }
            ),
        ],
        "standings": Sample(
            caption="Standings",
            columns=columns,
            rows=[Sample(place=p, cells=c, href="#standings", mine=m, withdrawn=w) for p, c, m, w in places],
            tie_words="Level on victory points: the place is shared.",
        ),
        "no_standings": Sample(caption="Standings", columns=columns, rows=[], tie_words=""),
        "chart": Sample(
            caption="Victory points after each round",
            view="0 0 330 140",
            left=20,
            right=185,
            base=120,
            ticks=[Sample(x=20, y=135, words="1"), Sample(x=102, y=135, words="2"), Sample(x=185, y=135, words="3")],
            lines=[
                Sample(
                    points="20,96 102,56 185,16",
                    words="Choir of Brass 11",
                    title="Choir of Brass, 11",
                    x=191,
                    y=20,
                    mine=False,
                ),
                Sample(
                    points="20,80 102,64 185,36",
                    words="The Lantern Wardens 9",
                    title="The Lantern Wardens, 9",
                    x=191,
                    y=40,
                    mine=True,
                ),
                Sample(
                    points="20,112 102,96 185,64",
                    words="Orsola's Company… 6",
                    title="Orsola's Company of Sappers and Spades, 6",
                    x=191,
                    y=68,
                    mine=False,
                ),
            ],
        ),
        "odds": [
            Sample(outcome="missed", words="Missed", percent=19.4, figure="19.4 %"),
            Sample(outcome="none", words="No effect", percent=6.1, figure="6.1 %"),
            Sample(outcome="minor", words="Minor hit", percent=49.0, figure="49.0 %"),
            Sample(outcome="down", words="Down", percent=17.0, figure="17.0 %"),
            Sample(outcome="out", words="Out", percent=8.5, figure="8.5 %"),
        ],
    }


class ComponentForm(forms.Form):
    """One field of every kind, so that the page shows them bound, with and without something to say."""

    name = forms.CharField(label="Name", help_text="As it stands on the sheet.")
    game = forms.ChoiceField(label="Game", choices=[("tc", "Trench Crusade"), ("gt", "Gloom Trench 1926")])
    rounds = forms.IntegerField(label="Rounds", min_value=1, max_value=12)
    dice = forms.ChoiceField(
        label="Dice",
        widget=forms.RadioSelect,
        choices=[("either", "either"), ("app", "the app rolls"), ("typed", "typed in")],
    )
    notes = forms.CharField(label="Notes", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    shown = forms.BooleanField(label="Show what is closed", required=False)


def _furniture() -> dict[str, Any]:
    answers = {"name": "", "game": "tc", "rounds": "13", "dice": "either"}
    return {
        "form": ComponentForm(
            prefix="calm", initial={"name": "The Winter at Gallows Weir", "rounds": 12, "dice": "either"}
        ),
        "wrong_form": ComponentForm({f"wrong-{key}": value for key, value in answers.items()}, prefix="wrong"),
        "tabs": [
            Sample(label="Roster", href="#tabs", count=0, current=True),
            Sample(label="Stash", href="#tabs", count=2, current=False),
            Sample(label="History", href="#tabs", count=0, current=False),
            Sample(label="Print", href="#tabs", count=0, current=False),
        ],
        "more": [
            Sample(label="Settings", href="#page_head", post=False, danger=False),
            Sample(label="Disband", href="#page_head", post=False, danger=True),
        ],
        "pager": Sample(
            words="Entries 41 to 80 of 121",
            previous_href="#pager",
            previous_words="",
            next_href="#pager",
            next_words="Next 40",
        ),
        "tasks": [
            Sample(key="task_1", words="Queued: 10 sheets.", value=0, max=10, state="queued", href="?look=again"),
            Sample(key="task_2", words="Sheet 6 of 10 is drawn.", value=6, max=10, state="running", href="?look=again"),
            Sample(key="task_3", words="The booklet is ready.", value=10, max=10, state="done", href="#progress"),
            Sample(
                key="task_4",
                words="Stopped at sheet 7: the roster was disbanded meanwhile.",
                value=6,
                max=10,
                state="failed",
                href="#progress",
            ),
        ],
        "sample_messages": [
            Sample(
                words="Jonas joins The Lantern Wardens. 45 ducats paid, 149 left.",
                kind="success",
                undo="#toasts",
                again=False,
            ),
            Sample(
                words="Sent to Ada. Your post-battle is open now.",
                kind="info",
                undo="",
                again=False,
            ),
            Sample(words="Not sent: the line is down.", kind="error", undo="", again=True),
        ],
        "kept_acts": [
            Sample(words="Hire: Yeoman, Sat 14 Nov, 22:41", href="#line_strips"),
            Sample(words="Buy: Bayonet, Sat 14 Nov, 22:43", href="#line_strips"),
        ],
        "late_acts": [Sample(words="Rename, Sat 14 Nov, 22:44", href="#line_strips")],
        "line_messages": [
            Sample(words="“Hire: Yeoman” is kept on this device.", kind="warning", undo="", show_me=False),
            Sample(words="“Hire: Yeoman” went out.", kind="success", undo="#toasts", show_me=False),
            Sample(words="“Buy: Bayonet” went out and was not done.", kind="error", undo="", show_me=True),
        ],
        "empty_main": Sample(label="Found a warband", href="#empty_state"),
        "empty_other": Sample(label="Open a sample", href="#empty_state"),
        "swatches": [
            *(
                "paper",
                "sheet",
                "inset",
                "ink",
                "ink-2",
                "edge",
                "rule",
                "brass",
                "blood",
                "blood-fill",
                "leaf",
                "steel",
            ),
            *("wash-blood", "wash-brass", "wash-leaf", "wash-steel"),
        ],
    }
