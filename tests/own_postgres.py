"""A PostgreSQL server of a test's own, that keeps what it commits as a club's does, and may be killed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """Where initdb and pg_ctl are, the newest first; None where there is no server to be had."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb"), *Path("/usr/local/bin").glob("initdb")]
    newest = sorted(found, key=lambda path: [int(part) if part.isdigit() else 0 for part in path.parts])
    return newest[-1].parent if newest else None


class OwnPostgres:
    """A server in a folder of its own, on a port of its own. `url` is that of its first database."""

    def __init__(self, home: Path) -> None:
        self.home = home
        found = programs()
        assert found is not None
        self.bin = found
        self.how: dict[str, int] = {}
        if os.geteuid() == 0:  # it refuses to run as root
            owner = next(pwd.getpwnam(name) for name in ("postgres", "nobody") if _is_known(name))
            self.how = {"user": owner.pw_uid, "group": owner.pw_gid}
            os.chown(home, owner.pw_uid, owner.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self._run("initdb", "-D", str(home / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")

    def start(self) -> None:
        """Start, and return once it answers: after a kill it first repeats what it had promised to keep."""
        how = f"-p {self.port} -k {self.home} -c listen_addresses=127.0.0.1"
        self._run(
            "pg_ctl", "-D", str(self.home / "data"), "-w", "-t", "60", "-l", str(self.home / "log"), "-o", how, "start"
        )

    def kill(self) -> None:
        """End all its processes at once, as a power cut does: nothing is written to the end."""
        self._run("pg_ctl", "-D", str(self.home / "data"), "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *words: str) -> None:
        run = [str(self.bin / program), *words]
        subprocess.run(
            run, cwd="/", check=True, stdout=subprocess.DEVNULL, extra_groups=[] if self.how else None, **self.how
        )


def _is_known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """A server that runs, and is gone afterwards."""
    home = Path(tempfile.mkdtemp())
    server = OwnPostgres(home)
    try:
        server.start()
        yield server
    finally:
        if (home / "data" / "postmaster.pid").exists():
            server.kill()
        shutil.rmtree(home)
