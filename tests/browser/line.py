"""A line between a browser and the site that can be cut: wholly, or so that what is asked arrives and the answer is lost."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any


class Line:
    """Passes bytes on from a port of its own. The browser knows it as the site, service worker and all."""

    def __init__(self, host: str, port: int) -> None:
        self.there = (host, port)
        self.is_cut = False
        self.is_slow = False  # nothing comes back, and nobody hangs up
        self.loses_answers_to = b""  # the line breaks before the answer to a request that begins so, like b"POST "
        self.asked: list[bytes] = []  # the first line of every request that came through
        self.bytes = 0  # that went through, both ways
        self._open: set[socket.socket] = set()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self._server.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Nothing goes through any more."""
        self.is_cut = True
        for end in list(self._open):
            _hang_up(end)

    def mend(self) -> None:
        """Everything goes through again."""
        self.is_cut, self.is_slow, self.loses_answers_to = False, False, b""

    def close(self) -> None:
        """Give the port back."""
        _hang_up(self._server)
        self.cut()

    def sent(self, what: bytes) -> int:
        """How many requests that begin so came through."""
        return sum(line.startswith(what) for line in self.asked)

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if self.is_cut:
                _hang_up(near)
                continue
            far = socket.create_connection(self.there)
            for end in (near, far):  # what is passed on goes out at once
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open |= {near, far}
            lost: dict[str, Any] = {"answer": False}
            threading.Thread(target=self._there, args=(near, far, lost), daemon=True).start()
            threading.Thread(target=self._back, args=(near, far, lost), daemon=True).start()

    def _there(self, near: socket.socket, far: socket.socket, lost: dict[str, Any]) -> None:
        with suppress(OSError):
            while data := near.recv(65536):
                if data.split(b" ", 1)[0] in (b"GET", b"POST", b"HEAD"):
                    self.asked.append(data.split(b"\r\n", 1)[0])
                    lost["answer"] = bool(self.loses_answers_to) and data.startswith(self.loses_answers_to)
                self.bytes += len(data)
                far.sendall(data)
        _hang_up(far)

    def _back(self, near: socket.socket, far: socket.socket, lost: dict[str, Any]) -> None:
        with suppress(OSError):
            while data := far.recv(65536):
                if lost["answer"]:
                    self.cut()
                    break
                if self.is_slow:
                    continue
                self.bytes += len(data)
                near.sendall(data)
        _hang_up(near)
        _hang_up(far)
        self._open -= {near, far}


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        end.close()
