"""Finds ParaView and runs a script of this folder inside pvbatch, with a virtual display where it draws.

Debian's python3-paraview cannot be installed beside VTK's development files; the set-up unpacks it into
build/paraview, and UNBARRED_PARAVIEW_PYTHON may name another place of its dist-packages.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

INSIDE = "UNBARRED_INSIDE_PVBATCH"


def python_path():
    """Folder that holds the module `paraview`, or None when pvbatch must know by itself."""
    root = Path(__file__).resolve().parent.parent
    candidates = [os.environ.get("UNBARRED_PARAVIEW_PYTHON", ""),
                  root / "build/paraview/usr/lib/python3/dist-packages",
                  "/usr/lib/python3/dist-packages"]
    return next((str(folder) for folder in candidates if folder and (Path(folder) / "paraview").is_dir()), None)


def available():
    return shutil.which("pvbatch") is not None


def inside():
    return os.environ.get(INSIDE) == "1"


def run_inside(script, arguments, display):
    """Runs the script again inside pvbatch and returns its exit code. display: it draws."""
    if not available():
        print(f"{Path(script).name}: pvbatch was not found; install ParaView (Debian: paraview)", file=sys.stderr)
        return 8
    environment = dict(os.environ, **{INSIDE: "1"})
    folder = python_path()
    if folder:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    command = ["pvbatch", str(Path(script).resolve()), *arguments]
    if display and not os.environ.get("DISPLAY"):
        if not shutil.which("xvfb-run"):
            print(f"{Path(script).name}: no display, and xvfb-run was not found (Debian: xvfb)", file=sys.stderr)
            return 8
        # A size of the virtual screen does not limit the picture: it is drawn off screen.
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", *command]
    # About one start of Xvfb in ten fails under load ("bad X server connection"): once more, then it is an error.
    for attempt in range(3):
        done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0 or "bad X server connection" not in done.stderr:
            break
    sys.stderr.write(done.stderr)
    return done.returncode if done.returncode >= 0 else 1
