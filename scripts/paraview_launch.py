"""Finds ParaView and runs a script of this folder inside pvbatch, with a virtual display where it draws.

Debian's python3-paraview cannot be installed beside VTK's development files; the set-up unpacks it into
build/paraview, and UNBARRED_PARAVIEW_PYTHON may name another place of its dist-packages.
"""
import contextlib
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


def require_module():
    """Ends with a remedy when pvbatch does not find the module `paraview`."""
    try:
        import paraview  # noqa: F401
    except ModuleNotFoundError:
        print("ParaView's Python module was not found: run scripts/setup, or name its folder in "
              "UNBARRED_PARAVIEW_PYTHON", file=sys.stderr)
        raise SystemExit(8) from None


def run_inside(script, arguments, display):
    """Runs the script again inside pvbatch and returns its exit code. display: it draws."""
    if not available():
        print(f"{Path(script).name}: pvbatch was not found; install ParaView (Debian: paraview)", file=sys.stderr)
        return 8
    # pvbatch is an MPI program that nobody launched: without a session folder, which Open MPI shares among all of a
    # user's processes, starts side by side do not end each other.
    environment = dict(os.environ, **{INSIDE: "1", "OMPI_MCA_orte_create_session_dirs": "0",
                                      "OMPI_MCA_ess_singleton_isolated": "1"})
    folder = python_path()
    if folder:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    command = ["pvbatch", str(Path(script).resolve()), *arguments]
    if not display or environment.get("DISPLAY"):
        return subprocess.run(command, env=environment).returncode
    if not shutil.which("Xvfb"):
        print(f"{Path(script).name}: no display, and Xvfb was not found (Debian: xvfb)", file=sys.stderr)
        return 8
    # Under load an X server now and then refuses a client ("bad X server connection"): a new one, then it is an error.
    for _ in range(5):
        with virtual_display() as number:
            environment["DISPLAY"] = f":{number}"
            done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0 or "bad X server connection" not in done.stderr:
            break
    sys.stderr.write(done.stderr)
    return done.returncode if done.returncode >= 0 else 1


@contextlib.contextmanager
def virtual_display():
    """A free X display, ready when its number is known; however slow the machine, nothing is tried too early."""
    reader, writer = os.pipe()
    # The size of the screen does not limit the picture: it is drawn off screen.
    # -noreset: ParaView closes its first connection, and a server that resets then refuses the next one.
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
                               "-noreset"], pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            raise SystemExit("Xvfb did not start")
        yield number
    finally:
        server.terminate()
        server.wait()
