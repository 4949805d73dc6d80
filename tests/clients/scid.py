#!/usr/bin/env python3
"""The engine in Scid's analysis window, on a virtual display; `scid.tcl` presses the buttons."""

import os
import pathlib
import subprocess
import tempfile

import common

ATTEMPTS = 3
NOT_UP = 3


def attempt(scid, wish, display):
    """One start of Scid with settings of its own; the driver's exit code, or None if it hangs."""
    driver = pathlib.Path(__file__).with_name("scid.tcl")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        script = f"'{scid}' >/dev/null 2>&1 & '{wish}' '{driver}' '{common.engine()}'"
        command = [display, "-a", "sh", "-c", script]
        environment = dict(os.environ, HOME=home)
        environment["PATH"] += os.pathsep + "/usr/games"
        running = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            code = running.wait(timeout=240)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(running.pid, 15)
        except ProcessLookupError:
            pass
        return code


def main():
    scid = common.program("scid")
    wish = common.program("wish", "tk")
    display = common.program("xvfb-run", "xvfb")
    common.program("xauth")
    for number in range(1, ATTEMPTS + 1):
        code = attempt(scid, wish, display)
        if code != NOT_UP:
            break
        print(f"Scid did not come up at attempt {number} of {ATTEMPTS}", flush=True)
    if code is None:
        raise SystemExit("FAILED: Scid did not come to an end")
    raise SystemExit(code)


main()
