#!/usr/bin/env python3
"""The engine in Scid's analysis window, on a virtual display; `scid.tcl` presses the buttons."""

import os
import pathlib
import subprocess
import tempfile

import common


def main():
    scid = common.program("scid")
    wish = common.program("wish", "tk")
    display = common.program("xvfb-run", "xvfb")
    common.program("xauth")
    driver = pathlib.Path(__file__).with_name("scid.tcl")
    with tempfile.TemporaryDirectory() as home:
        # Scid's own settings live in the home folder: this one is thrown away.
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
    if code is None:
        raise SystemExit("FAILED: Scid did not come to an end")
    raise SystemExit(code)


main()
