"""Checks for a site without https, e.g. on a club's laptop: which hosts it may serve, and which settings conflict.

Settings import it, before Django is loaded.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

# Names that no public server has: those of local networks (RFC 6762, RFC 8375, ICANN's .internal), and this machine.
LOCAL_ENDINGS = ("localhost", "local", "home.arpa", "internal")
LOCAL_NETWORKS = tuple(
    ipaddress.ip_network(block)
    for block in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)

LACKING = (
    "Plain http: passwords and pages cross this network unencrypted. Use it only on a network that you trust. "
    "Other devices keep no offline copies and can't install the app. "
    "Their screens don't stay awake, and links are copied by hand."
)


def is_local(host: str) -> bool:
    """Return whether a host name or address from ALLOWED_HOSTS belongs to this machine or a local network.

    A name without a dot exists only in a local network. "*" means every host, so it is not local.
    """
    name = host.strip().lower().removesuffix(".")
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        pass
    else:
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in LOCAL_NETWORKS)
    labels = name.removeprefix(".").split(".")
    if not all(label and label.replace("-", "a").replace("_", "a").isalnum() for label in labels):
        return False
    if all(label.isdigit() for label in labels):
        return False  # neither a name nor an address
    ends = ".".join(labels)
    return (len(labels) == 1 and not name.startswith(".")) or any(
        f".{ends}".endswith(f".{end}") for end in LOCAL_ENDINGS
    )


def fault_of_plain_http(
    *, hosts: Iterable[str], anywhere: bool, behind_proxy: bool, redirects: bool, hsts_seconds: int
) -> str:
    """Return why PLAIN_HTTP=1 conflicts with the other variables, in a sentence; "" if it does not."""
    if behind_proxy:
        return "PLAIN_HTTP=1 and BEHIND_TLS_PROXY=1 exclude each other: with a proxy that speaks https, leave PLAIN_HTTP out."
    if redirects:
        return "PLAIN_HTTP=1 and SECURE_SSL_REDIRECT=1 exclude each other: nothing here answers https."
    if hsts_seconds:
        return "PLAIN_HTTP=1 and SECURE_HSTS_SECONDS exclude each other: browsers would insist on https."
    foreign = [host for host in hosts if not is_local(host)]
    if foreign and not anywhere:
        return (
            f"PLAIN_HTTP=1 is for a local network, and {', '.join(foreign)} in ALLOWED_HOSTS is not a local name. "
            "Passwords would cross the internet unencrypted. Serve https instead, or set PLAIN_HTTP_ANYWHERE=1 as well "
            "if you are sure."
        )
    return ""
