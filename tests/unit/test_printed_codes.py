"""The codes on paper, read from the picture of the page: each is the link that it stands for."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import segno
from django.test import Client
from django.urls import reverse
from PIL import ImageDraw

from campaigns.models import ReportCode
from config.qr import printed_code
from tests import campaign_stories as c
from tests.drills import sampled
from tests.page_images import pictures_of
from tests.printed import one_page
from tests.qr_reading import codes_on
from tests.stories import fresh, small_warband
from warbands.models import ShareLink
from warbands.print_options import LOOKS, PAPERS
from warbands.printing import render_pdf

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SITE = "http://testserver"
SHARP = ("-r", "200")


def read_from(pdf: bytes) -> list[str]:
    """The texts of the codes on all pages."""
    return [words for picture in pictures_of(pdf, *SHARP) for words in codes_on(picture)]


@pytest.mark.parametrize(
    ("level", "letters"), sampled(product("lmqh", (20, 40, 60, 90, 120)), 6, always=[("l", 120), ("m", 60), ("h", 20)])
)
def test_codes_of_every_length_and_level_are_read(level: str, letters: int) -> None:
    words = ("https://club.example/" + "aB3-_x" * 20)[:letters]
    code = segno.make(words, error=level, boost_error=False, micro=False)
    if int(code.version) > 8:  # type: ignore[arg-type]
        pytest.skip("longer than any of ours")
    drawn = code.svg_inline(border=4, omitsize=True)
    html = f'<html lang="en"><title>A</title><body><h1>A</h1><div style="width: 30mm">{drawn}</div></body></html>'
    assert read_from(render_pdf(html)) == [words]


def test_a_page_without_a_code_has_none_and_a_damaged_one_is_not_read_right() -> None:
    assert read_from(one_page("A")) == []
    words = "https://club.example/s/abcdefghij/v3/"
    html = f'<html lang="en"><title>A</title><body><h1>A</h1><div style="width: 30mm">{printed_code(words, "A code")}</div></body></html>'
    (picture,) = pictures_of(render_pdf(html), *SHARP)
    assert codes_on(picture) == [words]
    _left, _top, right, bottom = picture.point(lambda shade: 255 * (shade < 100)).getbbox() or (0, 0, 0, 0)
    ImageDraw.Draw(picture).rectangle((right - 150, bottom - 150, right, bottom), fill=0)
    assert codes_on(picture) != [words]


@pytest.mark.parametrize(("paper", "look"), sampled(product(PAPERS, LOOKS), 2))
def test_the_code_on_a_roster_opens_the_version_that_was_printed(
    client: Client, ada: Any, paper: str, look: str
) -> None:
    warband = small_warband(ada)
    client.force_login(ada)
    asked = {"chosen": "1", "paper": paper, "look": look}
    pdf = client.post(reverse("roster-print", args=[warband.pk]), asked).content
    share = ShareLink.objects.get(warband=warband, for_print=True)
    path = reverse("warband-watch-version", args=[share.slug, fresh(warband).version])
    assert read_from(pdf) == [SITE + path]
    client.logout()
    assert warband.name in client.get(path).content.decode()
    client.force_login(ada)
    assert read_from(client.post(reverse("roster-print", args=[warband.pk]), {**asked, "unlinked": "on"}).content) == []


def test_the_code_on_a_battle_sheet_opens_the_report_of_its_side(client: Client, ada: Any, ben: Any, cleo: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    read = []
    for player in (ada, ben):
        client.force_login(player)
        (words,) = read_from(client.post(reverse("battle-print", args=[row.pk]), {"chosen": "1", "code": "1"}).content)
        read.append(words)
    assert len(set(read)) == 2
    for words, player in zip(read, (ada, ben), strict=True):
        side = c.side(row, player)
        assert words.startswith(SITE + "/")
        assert words.removeprefix(SITE) in {
            reverse("report-by-code", args=[code])
            for code in ReportCode.objects.filter(side=side).values_list("code", flat=True)
        }
        client.force_login(player)
        assert made.warband(player).name in client.get(words.removeprefix(SITE)).content.decode()
