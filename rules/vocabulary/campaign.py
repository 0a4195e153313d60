"""Effects between battles: injuries, experience, exploration and income."""

from __future__ import annotations

from typing import Literal

from rules.price import Currency
from rules.vocabulary.base import EffectWord
from rules.vocabulary.requirements import ItemTest


class ScarLimitEffect(EffectWord, frozen=True, tag="scar-limit"):
    """The fighter survives this many more scars."""

    add: int


class ExplorationSkillEffect(EffectWord, frozen=True, tag="exploration-skill"):
    """The warband has these exploration skills as long as it has the bearer or find (repeated for several copies)."""

    skills: tuple[str, ...]


class ExplorationDiceEffect(EffectWord, frozen=True, tag="exploration-dice"):
    """More exploration dice. On an exploration skill: one for each copy, requested after the roll or `before_roll`."""

    add: int
    before_roll: bool = False


class PromotionDiceEffect(EffectWord, frozen=True, tag="promotion-dice"):
    """More promotion dice after each battle."""

    add: int


class AfterBattleEffect(EffectWord, frozen=True, tag="after-battle"):
    """Income after each battle: fixed, or `dice` D6 times `times`.

    `fielded`: only if the bearer took part. `standing`: only if it was also not taken out. `per` (plural words): the
    fixed amount is earned for each of these; the player is asked for their number. `if_so`: a question that must be
    answered with yes.
    """

    ducats: int = 0
    glory: int = 0
    dice: int = 0
    times: int = 1
    per: str = ""
    currency: Currency = "ducats"
    fielded: bool = False
    standing: bool = False
    if_so: str = ""


class LootEffect(EffectWord, frozen=True, tag="loot"):
    """This many more ducats whenever the warband explores.

    `scavenges`: it gets half the loot of its score, plus half the worth of all who died in the battle, which the player
    enters. Source: 1.0, Cadaver Corps: Scavenge.
    """

    ducats: int = 0
    scavenges: bool = False


class ReinforcementsEffect(EffectWord, frozen=True, tag="reinforcements"):
    """Restricts reinforcements: `not_twice` in a row, or `never`."""

    not_twice: bool = False
    never: bool = False


class RecoversFallenEffect(EffectWord, frozen=True, tag="recovers-fallen"):
    """After a battle, the warband may recover the kit of its fighters who died in it, within LIMIT.

    It does so instead of exploring or reinforcing.
    """


class DeedGloryEffect(EffectWord, frozen=True, tag="deed-glory"):
    """A deed done by a fighter of these profiles earns `glory`.

    In one battle these deeds earn at most `most_extra` (None: any number) more than they are worth.
    """

    profiles: tuple[str, ...]
    glory: int
    most_extra: int | None = None


class OnGainEffect(EffectWord, frozen=True, tag="on-gain"):
    """Gives ducats, glory, experience, or D3 experience at once when gained."""

    ducats: int = 0
    glory: int = 0
    experience: int = 0
    experience_d3: bool = False


class OtherExperienceEffect(EffectWord, frozen=True, tag="other-experience"):
    """After each battle, `count` other ELITE fighters of the player's choice gain this much experience (0 = all others)."""

    experience: int
    count: int = 1


class DeployPriceEffect(EffectWord, frozen=True, tag="deploy-price"):
    """A cost paid from the strongbox each time the fighter is fielded; it adds nothing to the threshold."""

    ducats: int


class MissesBattleEffect(EffectWord, frozen=True, tag="misses-next-battle"):
    """The fighter misses the next battle."""


class BeyondStrengthEffect(EffectWord, frozen=True, tag="beyond-field-strength"):
    """The fighter may be fielded in addition to the field strength.

    Source: 1.6.3, The Great Hunger: Cradle of Filth.
    """


class MusterRollEffect(EffectWord, frozen=True, tag="muster-roll"):
    """Roll a D6 for the fighter at the muster: on any of `out_on` it misses this battle."""

    out_on: tuple[int, ...]


class LosesKitEffect(EffectWord, frozen=True, tag="loses-kit"):
    """The fighter loses everything it carries or, with `items`, only the items matching one of them."""

    items: tuple[ItemTest, ...] = ()


class DiesEffect(EffectWord, frozen=True, tag="dies"):
    """The fighter dies."""


class CapturedEffect(EffectWord, frozen=True, tag="captured"):
    """The opponent holds the fighter until it is ransomed."""


class DemotedEffect(EffectWord, frozen=True, tag="demoted"):
    """The fighter stops being ELITE (and gaining experience) until promoted again; it keeps kit, skills and scars."""


class NoExperienceEffect(EffectWord, frozen=True, tag="no-experience"):
    """The fighter stays ELITE, but gains no experience until a promotion die given to it succeeds; the scar stays."""


class UncountedEliteEffect(EffectWord, frozen=True, tag="uncounted-elite"):
    """The fighter does not count among the ELITE when they are counted for passing over promotions."""


class RetiresEffect(EffectWord, frozen=True, tag="retires-on"):
    """Once it has suffered this so many times, the fighter retires. `kit_lost`: it leaves no kit behind."""

    times: int
    kit_lost: bool = False


class NoScarForEffect(EffectWord, frozen=True, tag="no-scar-for"):
    """These profiles are immune: no scar and no effect."""

    profiles: tuple[str, ...]


class AsksEffect(EffectWord, frozen=True, tag="asks"):
    """The player enters a detail when it is gained: which hand, which enemy faction, or the name of which enemy warband.

    `rolled`: a D6 decides between two options, 1-3 the first.
    """

    key: str
    words: str
    of: Literal["options", "factions", "opponent", "warband"] = "options"
    rolled: bool = False
    options: tuple[str, ...] = ()


class RerollInjuryEffect(EffectWord, frozen=True, tag="reroll-trauma"):
    """The trauma roll may be rolled again once; the second result counts."""


class RerollCasualtyEffect(EffectWord, frozen=True, tag="reroll-casualty"):
    """After each battle the bearer lets one casualty roll of the warband be rolled again; the second result counts."""


class CancelsScarEffect(EffectWord, frozen=True, tag="cancels-scar"):
    """Once after each battle, roll 2D6 for an ELITE fighter that would get a new scar.

    From `from_total` it is spared the trauma; on double 1 it gets one more scar. Available while a fighter of one of
    `needs_profiles` is on the roster. `at_end`: rolled once all injuries are settled, for a fighter that has a scar; a
    success heals one.
    """

    from_total: int
    needs_profiles: tuple[str, ...] = ()
    at_end: bool = False


class CancelsTraumaEffect(EffectWord, frozen=True, tag="cancels-trauma"):
    """When this item is used up, it turns any result of the trauma chart into a full recovery."""


class CancelsDeathEffect(EffectWord, frozen=True, tag="cancels-death"):
    """When this item is used up, it cancels a result by which a fighter of the warband would die."""


class FreedEffect(EffectWord, frozen=True, tag="freed"):
    """The fighter leaves for good once it has done a deed or taken an enemy ELITE fighter out of action."""


class HealScarsEffect(EffectWord, frozen=True, tag="heals-scars"):
    """When used, it removes this many battle scars (None: all) from one fighter of the player's choice.

    `trauma_stays`: the effects of the traumas remain.
    """

    count: int | None = None
    trauma_stays: bool = False


class SparedEffect(EffectWord, frozen=True, tag="spared"):
    """Fighters of these profiles make a full recovery from every casualty roll."""

    profiles: tuple[str, ...]


class SaleEffect(EffectWord, frozen=True, tag="sale"):
    """The fighter itself may be sold, for `factor` times half its price (2 = full), at any time between battles."""

    factor: int


class ConsumedEffect(EffectWord, frozen=True, tag="spent-after-use"):
    """It can be used once (per battle for skills, for good for CONSUMABLE kit and finds)."""


class ComesBackEffect(EffectWord, frozen=True, tag="comes-back"):
    """If killed after a battle, the bearer stays on the roster lifeless, with its kit.

    This many ducats bring it back between any battles.
    """

    ducats: int


class PromotableEffect(EffectWord, frozen=True, tag="promotable"):
    """The bearer may be promoted and then learns skills as usual, whatever its profile says."""


class SacrificeEffect(EffectWord, frozen=True, tag="sacrifice"):
    """In each battle the bearer may use up one fighter of these profiles.

    It then leaves the roster for good and its kit stays.

    Fighters with one of `not_upgrades` cannot be used up. `any_number`: as many as the player likes instead of one;
    `kit_lost`: what they carried is lost with them.
    """

    profiles: tuple[str, ...]
    not_upgrades: tuple[str, ...] = ()
    any_number: bool = False
    kit_lost: bool = False


CampaignEffect = (
    ScarLimitEffect
    | ExplorationSkillEffect
    | ExplorationDiceEffect
    | PromotionDiceEffect
    | AfterBattleEffect
    | LootEffect
    | ReinforcementsEffect
    | RecoversFallenEffect
    | DeedGloryEffect
    | OnGainEffect
    | OtherExperienceEffect
    | DeployPriceEffect
    | MissesBattleEffect
    | BeyondStrengthEffect
    | MusterRollEffect
    | LosesKitEffect
    | DiesEffect
    | CapturedEffect
    | DemotedEffect
    | NoExperienceEffect
    | UncountedEliteEffect
    | RetiresEffect
    | NoScarForEffect
    | AsksEffect
    | RerollInjuryEffect
    | RerollCasualtyEffect
    | CancelsScarEffect
    | CancelsTraumaEffect
    | CancelsDeathEffect
    | FreedEffect
    | HealScarsEffect
    | SparedEffect
    | SaleEffect
    | ConsumedEffect
    | ComesBackEffect
    | PromotableEffect
    | SacrificeEffect
)
