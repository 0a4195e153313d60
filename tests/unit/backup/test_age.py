"""Encryption of backups: the age format, so that other programs open what we write."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest

from config.backup.age import CHUNK, EncryptedReader, EncryptedWriter
from config.backup.faults import BackupFault

WORD = "correct horse battery"
# Written by EncryptedWriter with work=10, and opened by another age program when this test was written.
OPENED_ELSEWHERE = (
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCAzTE1DZDI3WTZFdjF6bVlTbC9la2lnIDEwCkZyZkFSdUo1bmhSMHg5dUth"
    "OEswWWRiTm44cmN6blVoeWNZMUgrb0lvQ0UKLS0tIGM2Z0xFMmdvWlZ0aEVyWVFLRFNkTGZjUXk0Z0Zwc0kzVnJpNmxLWHIzVjAK"
    "UCGXxXiGtfrglJ2IaoLKWLiTwOQlLvdj0coN4QiNuaZTl4xVHs0ZCtGexu+t5ncubA=="
)


def sealed(data: bytes, at_once: int = 7001) -> bytes:
    target = io.BytesIO()
    writer = EncryptedWriter(target, WORD, work=4)
    for start in range(0, len(data), at_once):
        writer.write(data[start : start + at_once])
    writer.close()
    return target.getvalue()


def opened(data: bytes, word: str = WORD) -> bytes:
    return io.BufferedReader(EncryptedReader(io.BytesIO(data), word)).read()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 200_000])
def test_what_is_sealed_opens_again(size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    assert opened(sealed(data)) == data


def test_what_another_program_opens_we_open() -> None:
    assert opened(b64decode(OPENED_ELSEWHERE)) == b"A season of play."


def test_a_chunk_that_is_left_out_swapped_or_repeated_is_seen() -> None:
    data = sealed(bytes(3 * CHUNK + 5))
    chunk = CHUNK + 16
    head = len(data) - 3 * chunk - 5 - 16
    first, second = data[head : head + chunk], data[head + chunk : head + 2 * chunk]
    for changed in (
        data[: head + chunk] + data[head + 2 * chunk :],
        data[:head] + second + first + data[head + 2 * chunk :],
        data[: head + 3 * chunk],
        data + data[-21:],
        data[:-1],
    ):
        with pytest.raises(BackupFault, match="changed or cut off"):
            opened(changed)


def test_a_head_that_asks_for_too_much_is_refused() -> None:
    data = sealed(b"x")
    line = next(line for line in data.splitlines() if line.startswith(b"-> scrypt"))
    with pytest.raises(BackupFault, match="more memory"):
        opened(data.replace(line, line.rsplit(b" ", 1)[0] + b" 30"))
    with pytest.raises(BackupFault, match="passphrase is not"):
        opened(data, "another word entirely")
    with pytest.raises(BackupFault, match="another way"):
        opened(data.replace(b"-> scrypt", b"-> X25519"))
