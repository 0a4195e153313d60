"""Reading one written profile: what is left out is filled in, and every problem is named with its place."""

from __future__ import annotations

import pytest

from rules.custom.parse import read, slug
from rules.custom.profiles import ProfileField, ProfileKind, ProfileProblem

KIND = ProfileKind(
    "thing",
    "Thing",
    "Things",
    "",
    (
        ProfileField("title", "Title", "text", required=True, most=10),
        ProfileField("story", "Story", "words", most=20),
        ProfileField("wounds", "Wounds", "integer", usual=1, required=True, least=1, most=9),
        ProfileField("reach", "Reach", "number", least=0.5, most=20),
        ProfileField("brave", "Brave", "flag"),
        ProfileField("die", "Die", "choice", options=(("D6", "D6"), ("D8", "D8")), usual="D6"),
        ProfileField("traits", "Traits", "choices", options=(("quick", "Quick"), ("slow", "Slow"))),
        ProfileField("words", "Words", "strings", most=2),
        ProfileField(
            "arms", "Arms", "rows", most=2, fields=(ProfileField("name", "Name", "text", required=True), ProfileField("range", "Range", "integer")),
        ),
    ),
)  # fmt: skip
GOOD = {
    "title": "Pike", "story": "", "wounds": 2, "reach": 1.5, "brave": True, "die": "D8", "traits": ["quick"], "words": ["a"],
    "arms": [{"name": "Pike", "range": 2}],
}  # fmt: skip


def paths(problems: tuple[ProfileProblem, ...]) -> list[str]:
    return [problem.path for problem in problems]


def test_a_whole_profile_reads_as_it_is() -> None:
    assert read(KIND, GOOD) == (GOOD, ())


def test_what_is_left_out_is_filled_in() -> None:
    data, problems = read(KIND, {"title": "Pike"})
    assert problems == ()
    assert data == {
        "title": "Pike", "story": "", "wounds": 1, "reach": None, "brave": False, "die": "D6", "traits": [], "words": [], "arms": [],
    }  # fmt: skip


def test_texts_lose_what_nobody_sees() -> None:
    data, problems = read(KIND, {"title": "  Pi\x00ke\n\t of ", "story": "one\r\ntwo\x07 "})
    assert problems == ()
    assert (data["title"], data["story"]) == ("Pike of", "one\ntwo")


def test_a_whole_number_written_with_a_point_is_whole() -> None:
    data, problems = read(KIND, {"title": "P", "wounds": 3.0, "reach": 6.0})
    assert problems == ()
    assert (data["wounds"], data["reach"]) == (3, 6)
    assert isinstance(data["wounds"], int)
    assert isinstance(data["reach"], int)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("title", None, "Title is empty. Fill it in."),
        ("title", 5, "Title holds a number where a text belongs."),
        ("title", "x" * 11, "Title has 11 characters; there is room for 10."),
        ("wounds", None, "Wounds is empty. Fill it in."),
        ("wounds", "two", "Wounds holds “two” where a whole number belongs."),
        ("wounds", True, "Wounds holds true or false where a whole number belongs."),
        ("wounds", 1.5, "Wounds stands at 1.5. Give a whole number."),
        ("wounds", 0, "Wounds stands at 0. It may be at least 1."),
        ("wounds", 10, "Wounds stands at 10. It may be at most 9."),
        ("wounds", 10**400, "Wounds stands at a figure without end. It may be at most 9."),
        ("wounds", float("inf"), "Wounds holds no number. Give a whole number."),
        ("reach", 0.25, "Reach stands at 0.25. It may be at least 0.5."),
        ("brave", "yes", "Brave holds a text where true or false belongs."),
        ("die", "D10", "Die holds “D10”. It is one of D6, D8."),
        ("die", 6, "Die holds a number. It is one of D6, D8."),
        ("traits", ["quick", "loud"], "Traits holds “loud”. It is one of quick, slow."),
        ("traits", "quick", "Traits holds a text where a list belongs."),
        ("words", ["a", 1], "Words holds a number where a text belongs."),
        ("words", ["a", "b", "c"], "Words lists 3; there is room for 2."),
        ("arms", {}, "Arms holds a table where a list of rows belongs."),
        ("arms", [{"name": "a"}] * 3, "Arms has 3 rows; there is room for 2."),
    ],
)
def test_what_does_not_fit_is_told_at_its_place(key: str, value: object, told: str) -> None:
    data, problems = read(KIND, {**GOOD, key: value})
    assert [(problem.path, problem.message) for problem in problems] == [(key, told)]
    assert set(data) == set(GOOD)


def test_all_problems_are_told_at_once_with_their_rows() -> None:
    _, problems = read(
        KIND, {"wounds": "x", "arms": [{"range": 1}, {"name": "b", "range": "far"}], "colour": 1, "titel": ""}
    )
    assert paths(problems) == ["title", "wounds", "arms.0.name", "arms.1.range", "colour", "titel"]
    assert "Did you mean “title”?" in problems[-1].message


def test_something_that_is_no_table_is_told_and_read_as_empty() -> None:
    for wrong in ([], "x", 5, None):
        data, problems = read(KIND, wrong)
        assert paths(problems)[0] == ""
        assert set(data) == set(GOOD)
    _, problems = read(KIND, {**GOOD, "arms": ["pike"]})
    assert paths(problems) == ["arms.0"]


def test_a_check_sees_data_of_the_right_shape_and_adds_to_places_without_a_problem() -> None:
    seen = []

    def check(data: object) -> list[ProfileProblem]:
        seen.append(data)
        return [ProfileProblem("wounds", "Again."), ProfileProblem("reach", "Too far.")]

    _, problems = read(KIND, {**GOOD, "wounds": "x"}, check)
    assert [problem.message for problem in problems] == ["Wounds holds “x” where a whole number belongs.", "Too far."]
    assert seen[0]["wounds"] == 1  # type: ignore[index]


def test_two_readings_share_no_lists() -> None:
    one, _ = read(KIND, {"title": "a"})
    one["traits"].append("quick")
    assert read(KIND, {"title": "a"})[0]["traits"] == []


def test_a_name_becomes_a_key_in_any_script() -> None:
    assert slug("  Heavy Gun, 2nd ") == "heavy-gun-2nd"
    assert slug("Стрелки") == "стрелки"
    assert slug("!!") == "row"


@pytest.mark.parametrize("name", ["\u200b", " \u2060\ufeff ", "\u200d\u200c", "\u202e\u2066", "\u00ad"])
def test_a_name_that_nobody_sees_is_no_name(name: str) -> None:
    assert paths(read(KIND, {**GOOD, "title": name})[1]) == ["title"]


def test_what_turns_the_reading_direction_is_left_out_and_joiners_stay() -> None:
    values, problems = read(KIND, {**GOOD, "title": "a\u202eb\u2066c\u200b", "story": "\u0646\u200c\u0647"})
    assert (values["title"], values["story"], problems) == ("abc", "\u0646\u200c\u0647", ())
