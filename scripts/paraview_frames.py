"""Where the frames of a run are."""
import sys
from pathlib import Path


def find_series(run):
    """The .pvd of a run folder, or the file itself; ends the program with a message when there is none."""
    path = Path(run)
    if path.is_file():
        return path
    for folder in (path / "frames", path):
        series = sorted(folder.glob("*.pvd"))
        if series:
            return series[0]
    sys.exit(f"{run}: no frames (*.pvd) found; is it a run folder, and was output.every 0?")
