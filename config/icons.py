"""The icons and the marks: one SVG file each in static/img, combined into one sprite for each set for the screen.

A mark stands for a list or a game; an icon for an act or a thing. Run `python -m config.icons` after adding or changing
a file; it rewrites static/img/icons.svg and static/img/marks.svg.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

IMAGES = Path(__file__).resolve().parent.parent / "static" / "img"

_SVG = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" (?P<attributes>[^>]*)>(?P<body>.*)</svg>', re.DOTALL)


@dataclass(frozen=True)
class Drawings:
    """A folder of SVG files and the sprite that holds them all."""

    folder: Path

    @property
    def sprite_path(self) -> Path:
        return self.folder.with_suffix(".svg")

    @cache  # noqa: B019 - the two sets live as long as the site
    def names(self) -> frozenset[str]:
        return frozenset(path.stem for path in self.folder.glob("*.svg"))

    @cache  # noqa: B019
    def parts(self, name: str) -> tuple[str, str]:
        """Return (attributes of the svg element, everything inside it) of one drawing.

        Raises:
            LookupError: there is no such drawing, or its file is not a plain SVG.
        """
        path = self.folder / f"{name}.svg"
        found = _SVG.match(path.read_text(encoding="utf-8")) if name in self.names() else None
        if found is None:
            raise LookupError(f"No drawing named {name!r} in static/img/{self.folder.name}.")
        return found["attributes"], found["body"].strip()

    def sprite(self) -> str:
        symbols = []
        for name in sorted(self.names()):
            attributes, body = self.parts(name)
            symbols.append(f'<symbol id="{name}" {attributes}>{body}</symbol>')
        return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


ICONS = Drawings(IMAGES / "icons")
MARKS = Drawings(IMAGES / "marks")


if __name__ == "__main__":
    for drawings in (ICONS, MARKS):
        drawings.sprite_path.write_text(drawings.sprite(), encoding="utf-8")
