#!/usr/bin/env python3
"""Opens a run's frames in ParaView and prints what it sees there as JSON, for tests and for the curious.

    scripts/check_frames.py RUN_DIR|file.pvd|file.pvtu [--density RHO_0 RHO_1 ...]

For each time: cells, points and the range of every array, numbers that are not finite left out. Of tetrahedra also
volume (m^3), rest_volume and, with the densities of materials 0, 1, ... (kg/m^3), mass, and the center of mass; of
contact pairs (the series <scene>_contacts.pvd) their summed length (m). Needs no display.
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


def finite_range(array):
    import numpy

    finite = array[numpy.isfinite(array)]
    return [float(finite.min()), float(finite.max())] if finite.size else None


def ranges(arrays):
    return {name: finite_range(array) for name, array in sorted(arrays.items())}


def length_of_lines(data):
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy

    if data.GetNumberOfCells() == 0:
        return 0.0
    ends = vtk_to_numpy(data.GetLines().GetConnectivityArray()).reshape(-1, 2)
    x = vtk_to_numpy(data.GetPoints().GetData())[ends]
    return float(numpy.linalg.norm(x[:, 1] - x[:, 0], axis=1).sum())


def summary(grid, density):
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy

    cells, points = grid.GetNumberOfCells(), grid.GetNumberOfPoints()
    point_arrays, cell_arrays = arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())
    result = {"cells": cells, "points": points, "point_arrays": ranges(point_arrays),
              "cell_arrays": ranges(cell_arrays)}
    if grid.IsA("vtkPolyData"):
        return {**result, "length": length_of_lines(grid)}
    result.update({"volume": 0.0, "rest_volume": 0.0})
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
