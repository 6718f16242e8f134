#!/usr/bin/env python3
"""Opens a run's frames in ParaView and prints what it sees there as JSON, for tests and for the curious.

    scripts/check_frames.py RUN_DIR|file.pvd|file.pvtu [--density RHO_0 RHO_1 ...]

For each time: cells, points, volume (m^3), rest_volume and, with the densities of materials 0, 1, ... (kg/m^3), mass;
the center of mass; and the range of every array. Needs no display.
"""
import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paraview_launch  # noqa: E402
from paraview_frames import find_series  # noqa: E402

TETRAHEDRON = 10  # VTK's number of the cell type


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", help="run folder, or a .pvd or .pvtu file")
    parser.add_argument("--density", nargs="+", type=float, help="of materials 0, 1, ..., kg/m^3")
    return parser.parse_args(arguments)


def arrays_of(data):
    from vtkmodules.util.numpy_support import vtk_to_numpy

    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def ranges(arrays):
    return {name: [float(a.min()), float(a.max())] if a.size else None for name, a in sorted(arrays.items())}


def summary(grid, density):
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy

    cells, points = grid.GetNumberOfCells(), grid.GetNumberOfPoints()
    point_arrays, cell_arrays = arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())
    result = {"cells": cells, "points": points, "volume": 0.0, "rest_volume": 0.0, "point_arrays": ranges(point_arrays),
              "cell_arrays": ranges(cell_arrays)}
    if cells == 0:
        return result
    types = vtk_to_numpy(grid.GetCellTypesArray())
    if (types != TETRAHEDRON).any():
        sys.exit("check_frames.py: the frame has cells that are no tetrahedra")
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(cells, 4)
    x = vtk_to_numpy(grid.GetPoints().GetData())[corners]
    volume = numpy.linalg.det(x[:, 1:] - x[:, :1]) / 6
    result["volume"], result["smallest_volume"] = float(volume.sum()), float(volume.min())
    weight = volume / cell_arrays["deformation_jacobian"] if "deformation_jacobian" in cell_arrays else volume
    result["rest_volume"] = float(weight.sum())
    if density:
        weight = weight * numpy.asarray(density)[cell_arrays["material"]]
        result["mass"] = float(weight.sum())
    center = (x.mean(axis=1) * weight[:, None]).sum(axis=0) / weight.sum()
    result["center_of_mass"] = [float(c) for c in center]
    return result


def main(arguments):
    options = parse(arguments)
    series = find_series(options.run)
    if not paraview_launch.inside():
        return paraview_launch.run_inside(__file__, arguments, display=False)
    paraview_launch.require_module()
    from paraview import servermanager, simple

    reader = simple.OpenDataFile(str(Path(series)))
    times = list(reader.TimestepValues) or [0.0]
    frames = []
    for time in times:
        reader.UpdatePipeline(time)
        grid = servermanager.Fetch(reader)
        frames.append({"time": time, **summary(grid, options.density)})
    print(json.dumps({"file": str(series), "frames": frames}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
