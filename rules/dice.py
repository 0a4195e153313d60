"""Dice as data: the faces of a roll, the dice, the reason for the roll, and the source of the faces.

A resolver takes a `DiceSource` and draws physical faces one at a time. Four sources exist: the app's own (`AppDice`),
the app's own from a seed that was sealed before the first roll (`SealedDice`), a seeded one for tests and
demonstrations (`SeededDice`), and faces that a player rolled at the table and typed in (`TypedDice`). A source that
runs out raises `NeedDice`; the caller asks for the missing faces and runs the resolver again from the recorded ones
(`RecordedDice`). Every sequence can therefore be resumed.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Literal, Protocol

from rules.formatting import dice_words
from rules.problems import Refusal
from rules.translation import gettext

# told: players read the result off their own dice, faces unknown; device: rolled by a phone without a line, outside the seal
Origin = Literal["app", "seeded", "typed", "told", "device"]
NOT_BY_APP = ("typed", "told", "device")


@dataclass(frozen=True, slots=True)
class Draw:
    """Faces rolled together: `faces` on dice of `sides` sides, for the reason `why`, from `origin`.

    `identity` says which sealed throw this is (see `SealedDice`); it is empty for all other dice.
    """

    why: str
    sides: int
    faces: tuple[int, ...]
    origin: Origin
    identity: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.faces)


class NeedDice(Exception):
    """The source has no more faces: the caller must supply `count` dice of `sides` sides, for `why`.

    `names` label the dice where their order matters (tens, units).
    """

    def __init__(self, why: str, count: int, sides: int, names: tuple[str, ...] = ()) -> None:
        super().__init__(
            gettext("{why}: {dice_words} of {sides} sides {words} needed.").format(
                why=why, dice_words=dice_words(count), sides=sides, words="is" if count == 1 else "are"
            )
        )
        self.why, self.count, self.sides, self.names = why, count, sides, names


class DiceSource(Protocol):
    """A source of faces. `draw` returns exactly `n` faces between 1 and `sides`, or raises `NeedDice`."""

    def draw(self, n: int, sides: int, why: str) -> Draw: ...


class AppDice:
    """The app's own dice. They use the randomness of the operating system."""

    def draw(self, n: int, sides: int, why: str) -> Draw:
        return Draw(why, sides, tuple(secrets.randbelow(sides) + 1 for _ in range(n)), "app")


# The parts of a sealed throw's identity, in order. `nth` counts the acts of one kind in a turn, `throw` the throws of one act.
IDENTITY = ("turn", "side", "actor", "rule", "target", "nth", "throw")


def new_seed() -> str:
    """Return a fresh secret seed: 32 random bytes, as hexadecimal digits."""
    return secrets.token_hex(32)


def seal_of(seed: str) -> str:
    """Return the seal of a seed: the SHA-256 of its bytes, as hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def sealed_faces(seed: str, identity: Sequence[str], n: int, sides: int) -> tuple[int, ...]:
    """Return the `n` faces of the throw with this identity. `sides` is from 1 to 256.

    The bytes of HMAC-SHA256(seed, "turn|side|actor|rule|target|nth|throw|block"), for the blocks 0, 1, 2 and so on,
    are taken in order. A byte from the last incomplete run of `sides` values is skipped, so all faces are equally likely.
    """
    if not 1 <= sides <= 256:
        raise ValueError(f"a sealed die has 1 to 256 sides, not {sides}")
    fair = 256 - 256 % sides
    return tuple(islice((byte % sides + 1 for byte in _sealed_bytes(seed, identity) if byte < fair), n))


def _sealed_bytes(seed: str, identity: Sequence[str]) -> Iterator[int]:
    for block in count():
        message = "|".join((*identity, str(block)))
        yield from hmac.digest(bytes.fromhex(seed), message.encode(), "sha256")


class SealedDice:
    """The app's dice of one act, from a sealed seed. The same act gets the same faces again, whatever was rolled in between.

    `act` holds the identity of the act without its last part: each throw adds its own number, from 1.
    """

    def __init__(self, seed: str, act: Sequence[str]) -> None:
        self._seed, self._act, self._throws = seed, tuple(act), 0

    def draw(self, n: int, sides: int, why: str) -> Draw:
        self._throws += 1
        identity = (*self._act, str(self._throws))
        return Draw(why, sides, sealed_faces(self._seed, identity, n, sides), "app", identity)


class SeededDice:
    """Repeatable dice for tests, demonstrations and `--seed`."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def draw(self, n: int, sides: int, why: str) -> Draw:
        return Draw(why, sides, tuple(self._random.randint(1, sides) for _ in range(n)), "seeded")


def checked_faces(faces: Iterable[int], sides: int) -> tuple[int, ...]:
    """Return the faces as a tuple. Raises `Refusal` naming the first face that a die of `sides` sides cannot show."""
    faces = tuple(faces)
    for place, face in enumerate(faces, 1):
        if not 1 <= face <= sides:
            raise Refusal(
                gettext("A die shows 1 to {sides}; {ordinal} says {face}.").format(
                    sides=sides, ordinal=_ordinal(place), face=face
                ),
                code="impossible-face",
            )
    return faces


def _ordinal(place: int) -> str:
    words = ("the first one", "the second one", "the third one", "the fourth one", "the fifth one", "the sixth one")
    return words[place - 1] if place <= len(words) else f"die {place}"


class TypedDice:
    """Faces that a player typed in, or that a phone rolled offline, used in the order in which the rule asks for them.

    Raises `NeedDice` when they run out, `Refusal` for a face that the die cannot show. `left` holds the unused faces.
    """

    def __init__(self, faces: Sequence[int], origin: Origin = "typed") -> None:
        self._faces, self._origin = list(faces), origin

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(self._faces)

    def draw(self, n: int, sides: int, why: str) -> Draw:
        if len(self._faces) < n:
            raise NeedDice(why, n, sides)
        faces = checked_faces(self._faces[:n], sides)
        del self._faces[:n]
        return Draw(why, sides, faces, self._origin)


class KeptDice:
    """The faces of an action that was undone, used again when it is repeated; then fresh ones.

    A draw of other dice (more of them, or another kind) uses the remaining faces of its kind, in order, and rolls the
    rest.
    """

    def __init__(self, draws: Sequence[Draw], onward: DiceSource) -> None:
        self._faces: dict[int, list[int]] = {}
        for draw in draws:
            self._faces.setdefault(draw.sides, []).extend(draw.faces)
        self._onward = onward

    def draw(self, n: int, sides: int, why: str) -> Draw:
        left = self._faces.get(sides, [])
        faces, self._faces[sides] = left[:n], left[n:]
        fresh = self._onward.draw(n - len(faces), sides, why) if len(faces) < n else None
        return Draw(why, sides, (*faces, *(fresh.faces if fresh else ())), fresh.origin if fresh else "app")


class RecordedDice:
    """Recorded draws, repeated in order. After them it draws from `onward`, or raises `NeedDice` if there is none."""

    def __init__(self, draws: Sequence[Draw], onward: DiceSource | None = None) -> None:
        self._draws = list(draws)
        self._onward = onward
        self.drawn: list[Draw] = []

    def draw(self, n: int, sides: int, why: str) -> Draw:
        if self._draws:
            draw = self._draws.pop(0)
            if draw.sides != sides or len(draw.faces) != n:
                raise ValueError(f"the recorded draw {draw} does not answer {n} dice of {sides} sides ({why})")
        elif self._onward is not None:
            draw = self._onward.draw(n, sides, why)
        else:
            raise NeedDice(why, n, sides)
        self.drawn.append(draw)
        return draw


def d66(dice: DiceSource, why: str) -> tuple[int, Draw]:
    """Roll tens, then units, as physical dice. Return the number from 11 to 66 and the draw."""
    try:
        draw = dice.draw(2, 6, why)
    except NeedDice as need:
        raise NeedDice(need.why, need.count, need.sides, ("tens", "units")) from need
    return draw.faces[0] * 10 + draw.faces[1], draw


def d3(dice: DiceSource, why: str) -> tuple[int, Draw]:
    """Roll a D3 as the face of one D6: 1-2 is 1, 3-4 is 2, 5-6 is 3."""
    draw = dice.draw(1, 6, why)
    return (draw.faces[0] + 1) // 2, draw
