"""Encryption with a passphrase, in the age format (age-encryption.org/v1), so that any age program opens a backup too.

The primitives are those of `cryptography`: scrypt, HKDF-SHA256, HMAC-SHA256 and ChaCha20-Poly1305. A file is read and
written in chunks of 64 KiB, so its size does not matter.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import os
import re
from base64 import b64decode, b64encode
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from config.backup.faults import BackupFault

INTRO = b"age-encryption.org/v1\n"
CHUNK, TAG = 64 * 1024, 16
WORK = 16  # scrypt's cost as a power of two: 64 MiB and a fifth of a second
MOST_WORK = 20  # of a file that somebody brings: a gigabyte of memory is enough
LONGEST_LINE = 128
_STANZA = re.compile(rb"-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n")
_BODY = re.compile(rb"([A-Za-z0-9+/]{43})\n")
_MAC = re.compile(rb"--- ([A-Za-z0-9+/]{43})\n")


def is_encrypted(start: bytes) -> bool:
    """Return whether a file that begins with these bytes is encrypted."""
    return start.startswith(INTRO)


class EncryptedWriter(io.RawIOBase):
    """A binary file that encrypts what is written to it. Closing it writes the last chunk, and leaves `target` open."""

    def __init__(self, target: IO[bytes], passphrase: str, *, work: int = WORK) -> None:
        self._target = target
        self._held = bytearray()
        self._count = 0
        file_key, salt, nonce = os.urandom(16), os.urandom(16), os.urandom(16)
        wrapped = ChaCha20Poly1305(_wrapping_key(passphrase, salt, work)).encrypt(bytes(12), file_key, None)
        header = INTRO + b"-> scrypt %s %d\n%s\n---" % (_encoded(salt), work, _encoded(wrapped))
        target.write(b"%s %s\n%s" % (header, _encoded(_header_mac(file_key, header)), nonce))
        self._cipher = ChaCha20Poly1305(_payload_key(file_key, nonce))

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self._held += data
        while len(self._held) > CHUNK:  # the last chunk, which may be full, is written by `close`
            self._send(self._held[:CHUNK], last=False)
            del self._held[:CHUNK]
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._send(self._held, last=True)
        super().close()

    def _send(self, chunk: bytes | bytearray, *, last: bool) -> None:
        self._target.write(self._cipher.encrypt(_chunk_nonce(self._count, last), bytes(chunk), None))
        self._count += 1


class EncryptedReader(io.RawIOBase):
    """A binary file that decrypts what it reads from `source`. Every chunk is authenticated before it is handed out.

    Raises:
        BackupFault: the passphrase is wrong, or the file was changed or cut off.
    """

    def __init__(self, source: IO[bytes], passphrase: str) -> None:
        self._source = source
        self._held = memoryview(b"")
        self._count = 0
        self._is_over = False
        if source.read(len(INTRO)) != INTRO:
            raise BackupFault("The file is not encrypted as a backup is.")
        stanza, body, mac = (source.readline(LONGEST_LINE) for _ in range(3))
        parts = _STANZA.fullmatch(stanza), _BODY.fullmatch(body), _MAC.fullmatch(mac)
        if parts[0] is None or parts[1] is None or parts[2] is None:
            raise BackupFault("The file is encrypted in another way than with a passphrase, or its head is damaged.")
        work = int(parts[0][2])
        if work > MOST_WORK:
            raise BackupFault("Opening this file would take more memory than a backup ever needs.")
        try:
            cipher = ChaCha20Poly1305(_wrapping_key(passphrase, _decoded(parts[0][1]), work))
            file_key = cipher.decrypt(bytes(12), _decoded(parts[1][1]), None)
        except InvalidTag:
            raise BackupFault("The passphrase is not the one of this file.") from None
        told = _decoded(parts[2][1])
        if not hmac.compare_digest(told, _header_mac(file_key, INTRO + stanza + body + b"---")):
            raise BackupFault("The head of the file was changed.")
        self._cipher = ChaCha20Poly1305(_payload_key(file_key, source.read(16)))
        self._ahead = source.read(CHUNK + TAG)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        if not self._held and not self._is_over:
            self._held = memoryview(self._next_chunk())
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        return count

    def _next_chunk(self) -> bytes:
        sealed, self._ahead = self._ahead, self._source.read(CHUNK + TAG)
        self._is_over = not self._ahead
        try:
            chunk = self._cipher.decrypt(_chunk_nonce(self._count, self._is_over), sealed, None)
        except (InvalidTag, ValueError):
            raise BackupFault("The encrypted file was changed or cut off.") from None
        self._count += 1
        return chunk


def _wrapping_key(passphrase: str, salt: bytes, work: int) -> bytes:
    salted = INTRO.rstrip(b"\n") + b"/scrypt" + salt
    return Scrypt(salt=salted, length=32, n=2**work, r=8, p=1).derive(passphrase.encode())


def _payload_key(file_key: bytes, nonce: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=nonce, info=b"payload").derive(file_key)


def _header_mac(file_key: bytes, header: bytes) -> bytes:
    key = HKDF(SHA256(), 32, salt=b"", info=b"header").derive(file_key)
    return hmac.new(key, header, hashlib.sha256).digest()


def _chunk_nonce(count: int, last: bool) -> bytes:
    return count.to_bytes(11, "big") + bytes([last])


def _encoded(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _decoded(text: bytes) -> bytes:
    return b64decode(text + b"=" * (-len(text) % 4))
