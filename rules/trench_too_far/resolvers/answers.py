"""The `effects` and the `total` in the answer of each rule, as `--list` prints them."""

from __future__ import annotations

from collections.abc import Mapping

_NERVE = ("target", "passed")
_LEGAL = ("legal", "reason")
_DISRUPTED = ("disrupted", "until", "rolled_for", "shocked_platoons")
_TALLY = ("counted", "tally", "tolerance", "exceeds", "still_needed")
_REMNANTS = ("remnants", "remnant_bases", "lost", "pool", "quality")
_FIGHT = (
    "winner", "loser", "falls_back", "shocked", "wiped_out", "attacker_bases_lost", "defender_bases_lost", "attacker_bases_left",
    "defender_bases_left",
)  # fmt: skip
_TANKS = ("dice", "hits", "saved", "damage_rolls", "tanks_destroyed", "shocked", "states")
_MOTIVATION = (*_NERVE, "assaults", "tested", "move_inches", "may_fire_within", "hit_target")
_RECEPTION = (*_NERVE, "stands", "tested", "falls_back", "shocked")
EFFECTS: Mapping[str, tuple[str, ...]] = {
    "morale-target": ("target",),
    "morale-test": _NERVE,
    "roll-initiative": ("a", "b", "reroll", "chooses"),
    "card-deck": ("cards", "deck", "shuffled"),
    "platoon-coherent": ("coherent", "stranded", "most_inches"),
    "in-command": ("in_command", "stranded", "most_inches"),
    "coherency": ("coherent", "in_command", "stranded", "reasons"),
    "begin-activation": ("disrupted", "forced", "order", "order_kept"),
    "end-activation": ("must_defend_next",),
    "defend-stick": ("must_defend_next",),
    "save-target": ("save_target",),
    "fire-dice": ("dice", "by_weapon"),
    "hit-target": ("hit_target", "may_fire"),
    "legal-target": (*_LEGAL, "identification"),
    "resolve-fire": ("hits", "saved", "bases_lost", "jammed"),
    "fire": ("dice", "hits", "saved", "bases_lost", *_TALLY, "shocked", "bases_left", "wiped_out", "jammed", "hmgs_jammed", "ones"),
    "hmg-jam": ("jammed", "ones", "removed"),
    "tolerance": ("tolerance",),
    "add-fire": _TALLY,
    "shock": ("shocked",),
    "disruption": _DISRUPTED,
    "disruption-check": _DISRUPTED,
    "order-check": ("order", "order_kept"),
    "identify-team": ("identified", "target"),
    "indirect-legal": _LEGAL,
    "assault-motivation": _MOTIVATION,
    "assault-reception": _RECEPTION,
    "assault-dice": ("dice",),
    "assault-hit-target": ("hit_target",),
    "assault-round": _FIGHT,
    "assault": tuple(name for name in dict.fromkeys((*_MOTIVATION, *_RECEPTION, *_FIGHT)) if name != "move_inches"),
    "recover": (
        "tests", "recovered", "recovered_platoons", "disrupted", "commander_replaced", "relocate_inches", *_REMNANTS,
    ),
    "recover-remnants": _REMNANTS,
    "end-turn-rally": ("platoons_recovered", "companies_recovered", "vehicles_mobile", "platoons", "companies"),
    "reliability": ("target", "immobilised", "tested"),
    "tank-save": ("target", "saved"),
    "tank-damage": ("result", "immobilised", "damaged", "destroyed", "shocked"),
    "tank-fire": _TANKS,
    "tank-assault": _TANKS,
    "tank-repair": ("mobile", "immobilised", "tested"),
    "initiative-of": ("chooses",),
    "card-draw": ("card",),
    "tanks-move": ("broken",),
    "assault-strike": ("dice", "hits", "destroyed", "decided"),
    "march": ("may_march", "rate", "march_rate"),
    "movement": ("inches", "reason", "instead_of_firing"),
}  # fmt: skip
