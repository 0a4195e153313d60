"""A push service on this machine for tests: it keeps what it is sent, and a browser's keys that can read it."""

from __future__ import annotations

import base64
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class BrowserKeys:
    """The keys that a browser makes when it subscribes."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen letters."

    @property
    def p256dh(self) -> str:
        return text(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def auth(self) -> str:
        return text(self.secret)

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt what was sent to this browser."""
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return dict(json.loads(plain))


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class LocalService:
    """Use it as a context manager. `answers` are (status, headers, body) in turn; the last one stays."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        self.answers = list(answers) or [(201, {}, b"")]
        self.asked: list[Asked] = []
        ours = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                ours.asked.append(Asked(self.command, self.path, headers, body))
                status, extra, content = ours.answers.pop(0) if len(ours.answers) > 1 else ours.answers[0]
                if not status:  # it goes silent in the middle
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **extra}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_PATCH = do_GET = answer  # noqa: N815

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self) -> LocalService:
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()
