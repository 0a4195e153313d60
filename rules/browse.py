"""Full entries of the books: their facts and tables, related entries, and how another edition differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.content.names import plain
from rules.translation import gettext as _


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A text. With `kind` and `id` it is a link to another entry, and `note` adds a remark on that entry."""

    words: str
    kind: str = ""
    id: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleFact:
    """The values of an entry under one heading: "Range", "Keywords", "Comes with"."""

    label: str
    values: tuple[RuleRef, ...]


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table. Each row has one cell per column heading; a cell holds texts or links."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[RuleRef, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class RuleDetail:
    """A full entry. Editions are compared by `figures`: labels with their texts, in order.

    `house` holds sentences on what house rules change in this entry. `label_ids` and `text_ids` tell what labels and texts of
    figures name, since editions may name the same entry differently. `meanings` is what figures of offers mean,
    however it is worded.
    """

    facts: tuple[RuleFact, ...] = ()
    tables: tuple[RuleTable, ...] = ()
    figures: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict, hash=False)
    house: tuple[str, ...] = ()
    third_party: bool = False
    label_ids: Mapping[str, str] = field(default_factory=dict, hash=False)
    text_ids: Mapping[str, str] = field(default_factory=dict, hash=False)
    meanings: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two editions: its label, and its text in this edition and in the other ("" where it is missing)."""

    label: str
    here: str
    there: str


def differences(here: RuleDetail, there: RuleDetail) -> tuple[Difference, ...]:
    """Return every figure that differs in the other edition, with the figures of this edition first.

    For a list of texts, return only those that are not in both editions. What has another name there is told under
    its name here. Offers that mean the same are no difference.
    """
    mine = {id_: label for label, id_ in here.label_ids.items()}
    there_by = {mine.get(there.label_ids.get(label, ""), label): label for label in there.figures}
    ids = {**here.text_ids, **there.text_ids}
    found = []
    for label in dict.fromkeys((*here.figures, *there_by)):
        their_label = there_by.get(label, "")
        one, other = here.figures.get(label, ""), there.figures.get(their_label, "")
        same = label in here.meanings and here.meanings[label] == there.meanings.get(their_label)
        if not same and _plain(one, ids) != _plain(other, ids):
            found.append(Difference(label, _told(one, other, ids), _told(other, one, ids)))
    return tuple(found)


def _plain(figure: str | tuple[str, ...], ids: Mapping[str, str]) -> tuple[str, ...]:
    """Return a figure without the differences to ignore: names of lists, capitals, punctuation, the order of a list."""
    return tuple(sorted(ids.get(word) or plain(word) for word in ([figure] if isinstance(figure, str) else figure)))


def _told(figure: str | tuple[str, ...], other: str | tuple[str, ...], ids: Mapping[str, str]) -> str:
    if isinstance(figure, str):
        return figure
    if isinstance(other, str) or not other:
        return ", ".join(figure)
    known = set(_plain(other, ids))
    alone = [word for word in figure if known.isdisjoint(_plain(word, ids))]
    return _("also {alone}").format(alone=", ".join(alone)) if alone else _("nothing more")


def named(words: str) -> tuple[RuleRef, ...]:
    return (RuleRef(words),)


def ref_words(ref: RuleRef) -> str:
    """Return a text or link as it stands in a figure: its words and note."""
    return f"{ref.words} {ref.note}".strip()


def in_words(values: Sequence[RuleRef]) -> str | tuple[str, ...]:
    """Return texts and links as a figure: their texts and notes."""
    told = tuple(map(ref_words, values))
    return told[0] if len(told) == 1 and not values[0].kind else told


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One named entry of the books with our summary, for glossaries, the rules pages and links.

    `also` holds its other names.
    """

    kind: str
    id: str
    name: str
    words: str
    source: str = ""
    also: tuple[str, ...] = ()
    third_party: bool = False
    own: bool = False  # added by the campaign's house rules
