"""What the client checks share: finding the engine, skipping with a clear word, the opponent."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def skip(reason):
    """Ends the check without a verdict; where nothing may be skipped, that is a failure."""
    if os.environ.get("FERZ_NO_SKIP") == "1":
        sys.exit(f"FAILED: {reason}, and FERZ_NO_SKIP=1 forbids to skip")
    print(f"SKIPPED: {reason}")
    sys.exit(0)


def engine():
    """The engine's binary: the first argument, or the newest build."""
    if len(sys.argv) > 1:
        return str(pathlib.Path(sys.argv[1]).resolve())
    name = "ferz.exe" if os.name == "nt" else "ferz"
    builds = [ROOT / "target" / profile / name for profile in ("release", "debug")]
    found = [path for path in builds if path.exists()]
    if not found:
        sys.exit("FAILED: build the engine first: cargo build --release")
    return str(max(found, key=lambda path: path.stat().st_mtime))


def python_chess():
    """The module `chess`, installed for this user if pip can."""
    try:
        import chess.engine
    except ImportError:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "chess"]
        if subprocess.run(command, check=False).returncode != 0:
            skip("python-chess is not installed and pip cannot install it")
        import chess.engine
    return chess


def program(name, package=None):
    """The path of a Debian program, installed if this may be done without asking."""
    def find():
        return shutil.which(name) or shutil.which(name, path="/usr/games")

    path = find()
    if path is None and shutil.which("apt-get") and os.geteuid() == 0:
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        for command in (["apt-get", "update", "-q"],
                        ["apt-get", "install", "-q", "-y", "--no-install-recommends",
                         package or name]):
            subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL)
        path = find()
    if path is None:
        skip(f"{name} is not installed (Debian package {package or name})")
    return path
