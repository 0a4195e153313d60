"""Reads the QR codes of a page as a phone does: from the dots of its picture alone, with nothing of what drew them.

It reads upright codes of versions 1 to 8 with bytes in them, which all of ours are. A code that is damaged is not repaired: it
comes back as no text, or as a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations

from PIL import Image

# Data codewords of each block, by version, for the levels L, M, Q and H.
BLOCKS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((19,), (16,), (13,), (9,)),
    2: ((34,), (28,), (22,), (16,)),
    3: ((55,), (44,), (17,) * 2, (13,) * 2),
    4: ((80,), (32,) * 2, (24,) * 2, (9,) * 4),
    5: ((108,), (43,) * 2, (15, 15, 16, 16), (11, 11, 12, 12)),
    6: ((68,) * 2, (27,) * 4, (19,) * 4, (15,) * 4),
    7: ((78,) * 2, (31,) * 4, (14,) * 2 + (15,) * 4, (13,) * 4 + (14,)),
    8: ((97,) * 2, (38,) * 2 + (39,) * 2, (18,) * 4 + (19,) * 2, (14,) * 4 + (15,) * 2),
}
LEVELS = {1: 0, 0: 1, 3: 2, 2: 3}  # the bits of a level → its place above
MASKS = (
    lambda row, col: (row + col) % 2,
    lambda row, col: row % 2,
    lambda row, col: col % 3,
    lambda row, col: (row + col) % 3,
    lambda row, col: (row // 2 + col // 3) % 2,
    lambda row, col: row * col % 2 + row * col % 3,
    lambda row, col: (row * col % 2 + row * col % 3) % 2,
    lambda row, col: ((row + col) % 2 + row * col % 3) % 2,
)
Point = tuple[float, float, float]  # left, top and the width of a module in dots
Grid = list[list[bool]]


def codes_on(picture: Image.Image) -> list[str]:
    """The texts of all codes on a page, from the top."""
    page = picture.convert("L").point(lambda shade: 255 if shade > 127 else 0)
    corners = _corners(page)
    found: dict[tuple[float, float], str] = {}
    for one, right, below in permutations(corners, 3):
        module = one[2]
        side = right[0] - one[0]
        if side > 10 * module and abs(right[1] - one[1]) < module and abs(below[0] - one[0]) < module:
            modules = 17 + 4 * round((side / module - 10) / 4)  # the widths of modules are measured to half a dot
            if abs(below[1] - one[1] - side) < module and (modules - 17) // 4 in BLOCKS:
                found[one[1], one[0]] = _text(_grid(page, one, side / (modules - 7), modules))
    return [found[place] for place in sorted(found)]


def _corners(page: Image.Image) -> list[Point]:
    """The middles of the three large squares of each code: dark, light, dark, light, dark as 1 : 1 : 3 : 1 : 1, both ways."""
    rows, columns = _lines(page), _lines(page.transpose(Image.Transpose.TRANSPOSE))
    squares_of_column = cache(lambda at: tuple(_squares(columns[at])))
    seen: list[Point] = []
    for top, row in enumerate(rows):
        for left, module in _squares(row):
            for middle, height in squares_of_column(round(left)):
                same = abs(middle - top) < module and abs(height - module) < module / 2
                if same and not any(abs(x - left) < 3 * module and abs(y - middle) < 3 * module for x, y, _m in seen):
                    seen.append((left, middle, (module + height) / 2))
    return seen


def _lines(page: Image.Image) -> list[bytes]:
    """Each row of dots, one byte a dot: 0 for a dark one."""
    dots, width = page.tobytes(), page.width
    return [dots[at : at + width] for at in range(0, len(dots), width)]


RUN = re.compile(rb"\x00+|[^\x00]+")


def _squares(dots: bytes) -> Iterator[tuple[float, float]]:
    """Where a line of dots goes through the middle of a large square: the place, and the width of a module."""
    ends = [0, *(run.end() for run in RUN.finditer(dots))]
    for start in range(0 if dots[:1] == b"\x00" else 1, len(ends) - 5, 2):  # every other run is dark
        runs = [ends[start + n + 1] - ends[start + n] for n in range(5)]
        module = sum(runs) / 7
        if module > 2 and all(
            abs(run - usual * module) <= module * 0.6 for run, usual in zip(runs, (1, 1, 3, 1, 1), strict=True)
        ):
            yield (ends[start + 2] + ends[start + 3]) / 2, module


def _grid(page: Image.Image, first: Point, module: float, modules: int) -> Grid:
    left, top = first[0] - 3 * module, first[1] - 3 * module
    return [
        [page.getpixel((int(left + col * module), int(top + row * module))) == 0 for col in range(modules)]
        for row in range(modules)
    ]


def _text(grid: Grid) -> str:
    modules = len(grid)
    version = (modules - 17) // 4
    around = [grid[8][n] for n in (0, 1, 2, 3, 4, 5, 7, 8)] + [grid[n][8] for n in (7, 5, 4, 3, 2, 1, 0)]
    told = int("".join(str(int(bit)) for bit in around), 2) ^ 0b101010000010010
    level, mask = LEVELS[told >> 13], MASKS[told >> 10 & 7]
    kept = _no_data(version)
    bits = []
    up = True
    for right in (col for col in range(modules - 1, 0, -2)):
        col = right if right > 6 else right - 1
        for row in range(modules - 1, -1, -1) if up else range(modules):
            bits += [grid[row][x] ^ (mask(row, x) == 0) for x in (col, col - 1) if (row, x) not in kept]
        up = not up
    words = [int("".join(str(int(bit)) for bit in bits[at : at + 8]), 2) for at in range(0, len(bits) - 7, 8)]
    sizes = BLOCKS[version][level]
    blocks: list[list[int]] = [[] for _size in sizes]
    taken = iter(words)
    for nth in range(max(sizes)):
        for block, size in zip(blocks, sizes, strict=True):
            if nth < size:
                block.append(next(taken))
    stream = "".join(f"{word:08b}" for block in blocks for word in block)
    if stream[:4] != "0100":  # bytes
        return ""
    count = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * n : 20 + 8 * n], 2) for n in range(count)).decode("utf-8", "replace")


def _no_data(version: int) -> set[tuple[int, int]]:
    """The modules of a code that hold no data."""
    modules = 17 + 4 * version
    last = modules - 8
    kept = {(row, col) for row in range(9) for col in range(9)}
    kept |= {(row, col) for row in range(9) for col in range(last, modules)}
    kept |= {(col, row) for row, col in kept}
    kept |= {(6, n) for n in range(modules)} | {(n, 6) for n in range(modules)}
    if version > 1:
        lines = [6, modules - 7] if version < 7 else [6, modules // 2, modules - 7]
        corners = {(6, 6), (6, modules - 7), (modules - 7, 6)}
        for row, col in {(row, col) for row in lines for col in lines} - corners:
            kept |= {(row + y, col + x) for y in range(-2, 3) for x in range(-2, 3)}
    if version > 6:
        there = {(row, col) for row in range(6) for col in range(modules - 11, modules - 8)}
        kept |= there | {(col, row) for row, col in there}
    return kept
