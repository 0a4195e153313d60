"""A mail server on this machine for tests: it keeps what it is sent, refuses whom it is told to, and can go silent in the middle."""

from __future__ import annotations

import email
import socketserver
import threading
from collections.abc import Callable
from email.message import Message as Mail
from types import TracebackType


class MailServer:
    """Use it as a context manager; `EMAIL_HOST` and `EMAIL_PORT` are `host` and `port`. `answer` gets the recipient.

    It returns the line that answers RCPT, or "drop" to close the connection once the mail is read.
    """

    def __init__(self, answer: Callable[[str], str] = lambda address: "250 ok") -> None:
        self.answer = answer
        self.mails: list[Mail] = []
        ours = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.say("220 ready")
                drops = False
                for line in self.rfile:
                    word = line.split(b" ")[0].strip().upper()
                    if word == b"RCPT":
                        told = ours.answer(line.decode().partition("<")[2].partition(">")[0])
                        drops = told == "drop"
                        self.say("250 ok" if drops else told)
                    elif word == b"DATA":
                        self.say("354 go on")
                        body = b""
                        while (text := self.rfile.readline()) not in (b".\r\n", b""):
                            body += text
                        if not text:
                            return
                        ours.mails.append(email.message_from_bytes(body))
                        if drops:
                            return
                        self.say("250 taken")
                    elif word == b"QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 ok")

            def say(self, words: str) -> None:
                self.wfile.write(words.encode() + b"\r\n")

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True

            def handle_error(self, *args: object) -> None:
                """A client that was killed is no fault of the server."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.host, self.port = self.server.server_address[:2]

    def __enter__(self) -> MailServer:
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()
