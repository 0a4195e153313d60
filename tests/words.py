"""The voice of the house, as a list: `RETIRED` are the words and phrases that do not come back, each with what we say.

`ALLOWED` names the places where one may stand, each with its reason. `python -m tests.words` prints what is found in the sources.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from tests.shown import (
    Text,
    doc_files,
    doc_sentences,
    module_texts,
    pack_sentences,
    page_sentences,
    place_of,
    python_files,
    template_files,
    template_sentences,
    untranslated,
)
from tests.unit.test_settings import ROOT

MOST_WORDS = 20
MOST_SUMMARY_WORDS = 25

# A retired phrase and what we say. Each is a pattern over one sentence, whatever its case.
RETIRED: dict[str, str] = {
    r"mend(s|ed|ing)?": "fix, problem",
    r"anew": "again",
    r"whom": "target, who",
    r"reckon(s|ed|ing)?": "calculated, included",
    r"lean(s|ed)? on": "depends on",
    r"founding|found (a|the|your|another) (new )?warband|found (it|one)(?= at|$)|(is|be|been|was|were) founded": "start",
    r"(lay|lays|laid|lain) (the table|it|a table)|(table|tables) (is|are|was) (not )?laid": "start tracking",
    r"laid|lain": "put, start",
    r"in step": "in sync",
    r"nought": "0",
    r"nobody": "no one, not yet",
    r"part(s|ed)? (with|ways)": "dismiss",
    r"bring one|bring it in|bring in|bring a (running )?warband|brought along|bring a running one": "import",
    r"read(s)? (it |them |a \w+ |\w+ )?in(?! two)": "import",
    r"off paper|from paper, ": "enter from paper",
    r"lamps|by lamplight": "(goes)",
    r"asks? \d+|asks? for \d+|asks? \w+ (ducats|glory)": "costs",
    r"you hold(?! .*captive)": "you have",
    r"enlist(s|ed|ing)?": "sign up",
    r"whilst|shall": "(plain English)",
    r"otherwise": "(two sentences)",
    r"besides": "also",
    r"put right|set straight|puts? (it|them|that) right": "fix, correct",
    r"sits here|take a seat|seats?|seated": "place",
    r"let (one|it|him|her|them|\{\w+\}) go|lets? go of": "dismiss",
    r"whoever": "site owner; who",
    r"the line is|without (a )?line|no line": "connection, offline",
    r"look again": "refresh",
    r"the other side|other sides": "opponent",
    r"what follows": "post-battle",
    r"as it stands|as they stand|stands as it is": "now",
    r"mustered": "ready",
    r"the same again": "repeat",
    r"lately": "recent",
    r"called here": "name in this campaign",
    r"still owed|what is owed": "rewards to collect",
    r"leave out what is": "hide",
    r"show me": "show where",
    r"call it off|called off|calls? off": "cancel",
    r"the way in|a code for the wall|link on a wall": "invite link, QR code",
    r"put(s)? away|puts? (it|\w+) away": "archive",
    r"waits? for (you|nobody|them)|nothing waits": "to do",
    r"lies lifeless|lie ready|lies here": "is",
    r"throw (the \w+|it|this) away": "discard",
    r"not written|nothing (is|was) written|written down|writ(e|es) (it|the \w+) down": "saved, confirm",
    r"take (it|\w+) up again|take up again": "reopen",
    r"somebody else": "another player",
    r"the form of it": "file format",
    r"with it goes?": "its … goes with it",
    r"hear of it": "how to reach me",
    r"as it came": "the original",
    r"known by name alone": "only its name",
    r"if anybody's": "if any",
    r"create such": "create a …",
    r"filled sheet": "filled-in sheet",
    r"they hold until": "they stay until",
    r"whose lines": "which lines",
    r"no winner between": "drew",
    r"of the wounds": "of their wounds",
    r"(points?|skills?) for living|lived [+]": "surviving",
    r"would be different": "would change",
    r"without a name(?= *$)": "unnamed",
    r"what holds": "what applies",
    r"other dice to (hit|injure)|other (ducats|glory)(?= *$)": "extra dice, a different amount",
    r"of three alike": "for three alike",
    r"as they took it": "their version",
    r"own profiles can": "games in which you write the profiles",
    r"what happened to it": "history",
    r"all are ready": "all ready, everyone is ready",
    r"in this campaign already": "already … in this campaign",
    r"takes one model away": "removes one model",
    r"to say what is meant": "to identify",
    r"be used up or given": "be used or given",
    r"by whatever": "with any",
    r"keeps? both(?! entries)": "track both sides",
    r"is judged|are judged|judged": "checked",
    r"such as are|at the most": "(plain English)",
    r"as ever": "still",
    r"not here yet": "not listed",
    r"words for the players": "note to players",
    r"who looks": "visibility",
    r"kept from": "draft of",
    r"renew it": "new link",
    r"on the desk": "in the campaign desk",
    r"chit is set aside": "put the chit aside",
    r"in our words": "what they mean",
    r"hands? (it |them |all of them )?out": "share, export",
    r"hand(s|ed)? in (?!\{)": "upload",
    r"run(s|ning)? away": "far ahead",
    r"not (fall )?behind": "to catch up",
    r"in force by itself": "applies only if you choose it",
    r"by the report|than the report tells": "in the report",
    r"takes the field": "needs … as its leader",
    r"asks? for (at least )?\{": "needs",
    r"brought by": "uploaded by",
    r"good again|losses good": "replace losses",
    r"go(es)? with your account": "deleted with your account",
    r"over the width of": "across",
    r"no more than there": "nothing more",
    r"(middle|in the middle) (player|warband)s?": "median",
    r"asks? for an? (file|reason)": "needs",
    r"dearer": "more expensive",
}
# What a button may not say: each is the whole of a short text.
RETIRED_BUTTONS = {
    "Take it": "Confirm",
    "Write it down": "Confirm",
    "Use": "Confirm",
    "Go on": "Confirm, Continue",
    "Found it": "Create warband",
    "Bring one": "Import",
    "Bring it in": "Import",
    "Open it": "Create campaign",
    "Add the seat": "Add place",
    "Close": "Finish",
}
# (phrase as it stands in RETIRED, place): why it may stand there. A place is a file, or the key of a page in tests/scene.py.
ALLOWED: dict[tuple[str, str], str] = {
    ("Close", "templates/components/toast.html"): "it closes the message, nothing of the game",
}
# Where a text may be longer than a breath, and why.
LONG_HERE = {
    "rules/trench_crusade/text_import/write.py": "an example of a whole roster as text",
    "rules/trench_crusade/resolvers/rules.py": "the order of dice, for the console",
    "rules/gloom_trench/resolvers/rules.py": "the order of dice, for the console",
    "rules/trench_too_far/resolvers/rules.py": "the order of dice, for the console",
    "templates/styleguide/component_list.html": "samples of type for developers",
}

_PATTERNS = {phrase: re.compile(rf"(?<![\w'-])(?:{phrase})(?![\w'-])", re.IGNORECASE) for phrase in RETIRED}
_ANY = re.compile(rf"\b(?:{'|'.join(RETIRED)})\b")


# --- what is wrong with a sentence --------------------------------------------------------------------------------------


def retired_in(words: str, place: str = "") -> list[str]:
    """Return the retired phrases of a text, each with what we say."""
    words = re.sub(r"\{[^{}]*\}", "{x}", words)
    found = [
        f"“{met.group()}” → {RETIRED[phrase]}"
        for phrase, pattern in (_PATTERNS.items() if _ANY.search(words.lower()) else ())
        if (phrase, place) not in ALLOWED and (met := pattern.search(words))
    ]
    plain = words.strip().rstrip(".")
    return found + (
        [f"button “{plain}” → {RETIRED_BUTTONS[plain]}"]
        if plain in RETIRED_BUTTONS and (plain, place) not in ALLOWED
        else []
    )


def sentences(words: str) -> list[str]:
    """Return the sentences of a text. A colon or semicolon does not end one; a full stop within a name's initial does not either."""
    return [
        part.strip()
        for part in re.split(r"(?<=[.!?…])[”’\"')\]]*\s+(?=[“‘\"'(\[]*[A-Z0-9{−+×≥…])", words)
        if part.strip()
    ]


def word_count(sentence: str) -> int:
    """Return how many words a sentence has: runs with a letter or a figure in them."""
    return sum(1 for run in sentence.split() if re.search(r"[\w{]", run))


def too_long(words: str, most: int = MOST_WORDS) -> list[str]:
    """Return the sentences that have more words than a reader holds at once."""
    return [each for each in sentences(words) if word_count(each) > most]


# Addresses of the scene that are no page of the app: samples of its components, a page for machines.
NOT_A_PAGE = frozenset(
    {"component-list", "demo-login", "health-show", "ready-show", "worker-show", "manifest-show", "account-export"}
)
# Templates whose text nobody translates: samples, licences as their owners word them.
NOT_TRANSLATED = frozenset({"templates/styleguide/component_list.html"})


SOURCES: dict[str, tuple[Callable[[], list[Path]], Callable[[Path], Iterable[Text]]]] = {
    "templates": (template_files, template_sentences),
    "modules": (python_files, lambda path: module_texts()[place_of(path)].sentences),
    "packs": (lambda: sorted((ROOT / "rules" / "content" / "packs").rglob("*.toml")), pack_sentences),
    "docs": (doc_files, doc_sentences),
}


def source_findings() -> dict[str, tuple[str, ...]]:
    """Return what each source has against the voice of the house."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, (paths, read) in SOURCES.items():
        most = MOST_SUMMARY_WORDS if kind == "packs" else MOST_WORDS
        for path in paths():
            wrong = tuple(line for text in read(path) for line in findings_of(text, most))
            if wrong:
                found[place_of(path)] = wrong
    return found


def findings_of(text: Text, most: int = MOST_WORDS) -> list[str]:
    """Return what a text has against the voice of the house, with its place."""
    where = f"{text.place}:{text.line}" if text.line else text.place
    return [f"{where}: {found}: {text.words[:160]}" for found in retired_in(text.words, text.place)] + [
        f"{where}: {word_count(each)} words: {each}"
        for each in too_long(text.words, most)
        if text.place not in LONG_HERE and not (text.place.endswith(".md") and _is_list(each))
    ]


def page_findings(html: str, place: str) -> list[str]:
    """Return what a page has against the voice of the house. A rule of a pack and a list of names may be long there."""
    found = []
    for text in page_sentences(html, place):
        found += [f"{place}: {each}: {text.words[:160]}" for each in retired_in(_without_rules(text.words), place)]
        found += [
            f"{place}: {word_count(each)} words: {each}"
            for each in too_long(_without_rules(text.words))
            if not _is_list(each)
        ]
    return found


def _without_rules(words: str) -> str:
    """Return a text without the rules of packs in it, the longest taken out first."""
    rules = _pack_rules()
    here = {rule for at in range(len(words) - RULE_LENGTH) for rule in rules.get(words[at : at + RULE_LENGTH], ())}
    for rule in sorted(here, key=len, reverse=True):
        words = words.replace(rule, "")
    return words


def _is_list(sentence: str) -> bool:
    """Whether a text is no sentence but names or figures in a row, parted by commas, points or semicolons: none of them is long."""
    if re.search(r"\bMv \d|\bBase \d", sentence):  # what a fighter is, in figures
        return True
    parts = re.split(r"[,;·:]|\bor\b|\band\b", sentence)
    return len(parts) > 3 and all(word_count(part) <= 8 for part in parts)


RULE_LENGTH = 30  # a shorter one is a name


@cache
def _pack_rules() -> dict[str, tuple[str, ...]]:
    """The rules of all packs by how they begin."""
    read = {
        each
        for path in SOURCES["packs"][0]()
        for text in pack_sentences(path)
        for each in (text.words, *sentences(text.words))
    }
    found: dict[str, tuple[str, ...]] = {}
    for each in read:
        if len(each) > RULE_LENGTH:
            found[each[:RULE_LENGTH]] = (*found.get(each[:RULE_LENGTH], ()), each)
    return found


def main(arguments: list[str]) -> int:
    """Print what is found in all sources, or in those named."""
    found = source_findings()
    unwrapped = {place_of(path): len(untranslated(path)) for path in template_files()}
    for place in sorted({*found, *(place for place, count in unwrapped.items() if count)}):
        if not arguments or any(place.startswith(named) for named in arguments):
            sys.stdout.write("\n".join([*found.get(place, ()), *_unwrapped_lines(place)]) + "\n")
    return 0


def _unwrapped_lines(place: str) -> list[str]:
    if not place.startswith("templates/") or place in NOT_TRANSLATED:
        return []
    return [f"{text.place}:{text.line}: not translated: {text.words[:80]}" for text in untranslated(ROOT / place)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
