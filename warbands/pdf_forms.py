"""Completes the fields of a sheet to fill in, after the PDF engine wrote them and before the file is written.

The engine gives a field of text no appearance, and a tick box none for "off". Viewers that draw appearances alone then
show nothing, and the program that fills a field in has to guess one. It also lets fields write by glyph numbers in a font
of one script. Here each field gets its appearances, and all share one font with the letters of our eleven languages, which
is written in letters (WinAnsi). A program that needs other letters finds them in the font's file.
"""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import Any

import pydyf

from warbands.pdf_fonts import TEXT, font_path, unpacked

NAME = "Fill"  # of the font, in the fields and in the file
CODES = range(32, 256)  # of WinAnsi
LETTERS = (
    range(0x20, 0x530),
    range(0x1E00, 0x20D0),
)  # Latin, Greek and Cyrillic with all marks, and signs between words
NONSYMBOLIC = 32
TABLES_LEFT_OUT = [
    "GSUB",
    "GPOS",
    "GDEF",
    "STAT",
    "fpgm",
    "prep",
    "cvt ",
    "gasp",
    "vhea",
    "vmtx",
]  # a field is written letter by letter
_SIZE = re.compile(rb" ([\d.]+) Tf")


def complete_fields(pdf: Any) -> None:
    """Complete the fields of a PDF that is not written yet; nothing happens without any."""
    form = pdf.catalog.get("AcroForm")
    if form is None:
        return
    fields = [pdf.objects[_number(reference)] for reference in form["Fields"]]
    texts = [field for field in fields if field["FT"] == "/Tx"]
    resources = pydyf.Dictionary({"Font": pydyf.Dictionary({NAME: _embedded_font(pdf)} if texts else {})})
    for field in texts:
        size = _SIZE.search(field["DA"].string)
        assert size is not None  # the engine sets one in each
        field["DA"] = pydyf.String(b"0 g /%s %s Tf" % (NAME.encode(), size[1]))
        field["AP"] = pydyf.Dictionary({"N": _appearance(pdf, field, b"/Tx BMC EMC", resources)})
    for field in fields:
        if field["FT"] == "/Btn":
            field["AP"]["N"].setdefault("Off", _appearance(pdf, field, b"", pydyf.Dictionary()))
    form["DR"] = resources
    if texts:
        form["DA"] = pydyf.String(b"0 g /%s 8 Tf" % NAME.encode())


def _appearance(pdf: Any, field: Any, content: bytes, resources: Any) -> Any:
    """Return the reference of a new appearance, of the size of the field."""
    left, top, right, bottom = field["Rect"]
    box = pydyf.Array((0, 0, abs(right - left), abs(top - bottom)))
    drawn = pydyf.Stream([content], {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources})
    pdf.add_object(drawn)
    return drawn.reference


def _embedded_font(pdf: Any) -> Any:
    """Embed the font of the fields, and return its reference."""
    content, widths, (ascent, descent) = _font()
    file = pydyf.Stream([content], {"Length1": len(content)}, compress=True)
    pdf.add_object(file)
    descriptor = pydyf.Dictionary(
        {
            "Type": "/FontDescriptor",
            "FontName": f"/{NAME}",
            "Flags": NONSYMBOLIC,
            "FontBBox": pydyf.Array((0, descent, max(widths), ascent)),
            "ItalicAngle": 0,
            "Ascent": ascent,
            "Descent": descent,
            "CapHeight": ascent,
            "StemV": 80,
            "FontFile2": file.reference,
        }
    )
    pdf.add_object(descriptor)
    font = pydyf.Dictionary(
        {
            "Type": "/Font",
            "Subtype": "/TrueType",
            "BaseFont": f"/{NAME}",
            "FirstChar": CODES[0],
            "LastChar": CODES[-1],
            "Widths": pydyf.Array(widths),
            "Encoding": "/WinAnsiEncoding",
            "FontDescriptor": descriptor.reference,
        }
    )
    pdf.add_object(font)
    return font.reference


@cache
def _font() -> tuple[bytes, tuple[int, ...], tuple[int, int]]:
    """Return our files of running text as one: its content, the width of each of `CODES`, and the ascent and descent.

    Widths are in thousandths of the size of the letters. Of a letter in several files, the first is taken. It needs a
    second, once in a process that draws a sheet to fill in.
    """
    from fontTools.merge import Merger, Options
    from fontTools.ttLib import TTFont

    seen: set[int] = set()
    parts = []
    for face in TEXT[0]:
        found = TTFont(BytesIO(unpacked(font_path(face.file))))
        own = {code for code in found.getBestCmap() if code not in seen and any(code in part for part in LETTERS)}
        if found["head"].unitsPerEm == 1000 and own:
            parts.append(_cut_down(found, own))
            seen |= own
    merged = Merger(Options(drop_tables=TABLES_LEFT_OUT)).merge(parts)
    merged["post"].formatType = 3.0  # without the names of glyphs
    out = BytesIO()
    merged.save(out)
    glyphs, metrics = merged.getBestCmap(), merged["hmtx"].metrics
    letters = [bytes([code]).decode("cp1252", "ignore") for code in CODES]
    widths = tuple(metrics[glyphs[ord(letter)]][0] if letter and ord(letter) in glyphs else 0 for letter in letters)
    return out.getvalue(), widths, (merged["hhea"].ascent, merged["hhea"].descent)


def _cut_down(font: Any, letters: set[int]) -> BytesIO:
    """Return a file of the font with these letters alone."""
    from fontTools.subset import Options, Subsetter

    cutter = Subsetter(Options(hinting=False, layout_features=[], drop_tables=TABLES_LEFT_OUT, notdef_outline=True))
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    out = BytesIO()
    font.save(out)
    out.seek(0)
    return out


def _number(reference: Any) -> int:
    return int(bytes(reference).split()[0])
