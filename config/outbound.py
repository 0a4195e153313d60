"""Requests that the server makes itself: only to known push services and Discord, over https, to public addresses.

No redirect is followed, every request has a time limit, and only the beginning of an answer is read. Importing it is cheap;
the http library is loaded with the first request.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings

if TYPE_CHECKING:
    import requests

PUSH_HOSTS = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com")
PUSH_DOMAINS = (".notify.windows.com", ".push.apple.com", ".push.services.mozilla.com")
DISCORD_HOST = "discord.com"
CONNECT_SECONDS, READ_SECONDS = 5, 10
MOST_BYTES = 64 * 1024  # of an answer


class OutboundRefused(Exception):
    """The address is none that the server may call. Nothing was sent."""


def is_push_address(address: str) -> bool:
    """Return whether this is the https address of a known push service."""
    host = _host_of(address)
    return host is not None and (host in PUSH_HOSTS or host.endswith(PUSH_DOMAINS) or _is_local(address))


def is_discord_address(address: str) -> bool:
    host = _host_of(address)
    return host is not None and (host == DISCORD_HOST or _is_local(address))


def _host_of(address: str) -> str | None:
    """Return the host of an https address on the usual port, without a user name. None for any other."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if _is_local(address):
        return parts.hostname
    plain = parts.scheme == "https" and port in (None, 443) and "@" not in parts.netloc and address.isascii()
    clean = not any(sign.isspace() or sign in "\\" for sign in address)
    return parts.hostname if plain and clean else None


def _is_local(address: str) -> bool:
    """Return whether this is an endpoint of a test on this machine. No setting of the environment allows one."""
    allowed: tuple[str, ...] = settings.OUTBOUND_LOCAL
    return bool(allowed) and address.startswith(allowed)


def is_public(ip: str) -> bool:
    """Return whether an IP address is one of the internet: not private, local, shared, reserved or a multicast one."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_global and not (mapped or address).is_multicast


def outbound_session() -> requests.Session:
    """Return a session that refuses every address but those above. It follows no redirect, and uses no proxy of the environment."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import HTTPSConnectionPool
    from urllib3.connection import HTTPSConnection

    class PublicConnection(HTTPSConnection):
        """A connection that is closed before a byte is sent if the name led to an address of a private network."""

        def _new_conn(self) -> socket.socket:
            made = super()._new_conn()
            if not is_public(made.getpeername()[0]):
                made.close()
                raise OutboundRefused("The name leads to a private network.")
            return made

    class PublicPool(HTTPSConnectionPool):
        ConnectionCls = PublicConnection

    class PublicAdapter(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
            super().init_poolmanager(*args, **kwargs)
            self.poolmanager.pool_classes_by_scheme = {"https": PublicPool}

    class Outbound(requests.Session):
        def __init__(self) -> None:
            super().__init__()
            self.trust_env = False
            self.mount("https://", PublicAdapter(max_retries=0))
            if not settings.OUTBOUND_LOCAL:
                self.adapters.pop("http://")

        def request(self, method: Any, url: Any, **how: Any) -> requests.Response:  # type: ignore[override]
            address = str(url)
            if not (is_push_address(address) or is_discord_address(address)):
                raise OutboundRefused("The server does not call this host.")
            how["allow_redirects"] = False
            how["timeout"] = (CONNECT_SECONDS, READ_SECONDS)
            how["stream"] = True
            answer = super().request(method, url, **how)
            try:
                answer._content = answer.raw.read(MOST_BYTES, decode_content=True)
            except Exception:  # the status is known, and that is what counts
                answer._content = b""
            answer._content_consumed = True  # type: ignore[attr-defined]
            answer.close()
            return answer

    return Outbound()
