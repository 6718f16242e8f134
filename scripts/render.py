#!/usr/bin/env python3
"""Draws a run to a PNG, or a turntable to numbered PNGs, without a display.

    scripts/render.py RUN_DIR [--output x.png] [--frame last|N] [--color von_mises] [--turntable N] ...

RUN_DIR is a run folder, or a .pvd or .pvtu file.
"""
import argparse
import math
import os
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paraview_launch  # noqa: E402
from paraview_frames import find_series  # noqa: E402

# Name in the picture, unit, and the color map of every array that a frame may hold.
ARRAYS = {
    "von_mises": ("von Mises stress", "Pa", None),
    "cauchy_stress": ("Cauchy stress, norm", "Pa", None),
    "deformation_jacobian": ("volume ratio J", "", "Cool to Warm"),
    "displacement": ("displacement", "m", "Viridis (matplotlib)"),
    "velocity": ("speed", "m/s", "Viridis (matplotlib)"),
    "contact_force": ("contact force", "N", "Inferno (matplotlib)"),
    "friction_force": ("friction force", "N", "Inferno (matplotlib)"),
    "contact_pressure": ("contact pressure", "Pa", "Inferno (matplotlib)"),
    "gap": ("gap", "m", "Viridis (matplotlib)"),
}
# Without a preset: light where nothing happens, ever darker and redder with the value; so shading stays readable, the
# order is that of lightness, and people with color blindness see it. Fraction, red, green, blue.
GLOW = (0.00, 0.925, 0.910, 0.870,   0.15, 0.985, 0.885, 0.650,   0.35, 0.990, 0.730, 0.380,
        0.55, 0.960, 0.520, 0.230,   0.75, 0.850, 0.270, 0.160,   0.90, 0.650, 0.080, 0.150,
        1.00, 0.450, 0.000, 0.160)
CATEGORIES = ("body", "material", "rank")
# Muted, told apart by people with color blindness (Okabe and Ito).
CATEGORY_COLORS = ((0.34, 0.71, 0.91), (0.90, 0.62, 0.00), (0.00, 0.62, 0.45), (0.80, 0.47, 0.65),
                   (0.94, 0.89, 0.26), (0.00, 0.45, 0.70), (0.84, 0.37, 0.00), (0.60, 0.60, 0.60))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", help="run folder, or a .pvd or .pvtu file")
    parser.add_argument("--output", help="PNG to write (default: RUN_DIR/<name>_<frame>.png)")
    parser.add_argument("--frame", default="last", help="last, or the number of the frame in the series, from 0")
    parser.add_argument("--color", default="von_mises", help="array to color by, or 'none' (default: von_mises)")
    parser.add_argument("--range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of the colors")
    parser.add_argument("--turntable", type=int, default=0, metavar="N",
                        help="N views around the scene: <output>_000.png ...")
    parser.add_argument("--view", nargs=3, type=float, metavar=("X", "Y", "Z"),
                        help="direction from the scene to the camera (default: from the front, right and above)")
    parser.add_argument("--up", choices=("x", "y", "z"), default="y", help="axis that points up (default: y)")
    parser.add_argument("--zoom", type=float, default=1.0, help="larger is nearer (default: 1)")
    parser.add_argument("--size", nargs=2, type=int, default=(1600, 1000), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--edges", choices=("auto", "on", "off"), default="auto",
                        help="mesh edges (auto: where they can be seen)")
    parser.add_argument("--title", help="text in the upper left corner (default: the scene's name)")
    return parser.parse_args(arguments)


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / length for x in vector]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rotated(vector, axis, angle):
    """Rodrigues' formula; axis of length 1."""
    c, s = math.cos(angle), math.sin(angle)
    around, along = cross(axis, vector), dot(axis, vector) * (1 - c)
    return [vector[i] * c + around[i] * s + axis[i] * along for i in range(3)]


# From the front, right and above, for each axis that may point up.
DEFAULT_VIEWS = {"y": (0.55, 0.38, 1.0), "z": (0.55, -1.0, 0.38), "x": (0.38, 1.0, 0.55)}
BAR_WIDTH = 0.16  # of the picture


def place_camera(view, bounds, direction, up, zoom, bar):
    """Looks at the middle of the box from `direction`, as near as its eight corners allow beside the color bar."""
    center = [(bounds[2 * i] + bounds[2 * i + 1]) / 2 for i in range(3)]
    toward = unit(direction)
    right = unit(cross(up, toward))
    above = cross(toward, right)
    half_angle = math.radians(15)
    bar_width = BAR_WIDTH if bar else 0.04
    full_aspect = view.ViewSize[0] / view.ViewSize[1]
    aspect = (1 - bar_width) * full_aspect
    distance = 1e-12
    for corner in range(8):
        offset = [(bounds[2 * i + (corner >> i & 1)] - center[i]) for i in range(3)]
        high, wide, near = abs(dot(offset, above)), abs(dot(offset, right)) / aspect, dot(offset, toward)
        distance = max(distance, near + max(high, wide) / math.tan(half_angle))
    distance *= 1.06 / zoom
    aside = bar_width * math.tan(half_angle) * full_aspect * distance if bar else 0.0
    focus = [center[i] + aside * right[i] for i in range(3)]
    view.CameraFocalPoint = focus
    view.CameraPosition = [focus[i] + distance * toward[i] for i in range(3)]
    view.CameraViewUp = above
    view.CameraViewAngle = 2 * math.degrees(half_angle)


def association(source, name):
    for kind, data in (("POINTS", source.PointData), ("CELLS", source.CellData)):
        if data.GetArray(name) is not None:
            return kind
    return None


def color_range(source, kind, name):
    """Smallest and largest value (of the length, where there are components)."""
    data = source.PointData if kind == "POINTS" else source.CellData
    array = data.GetArray(name)
    return array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)


def inner_range(source, kind, name):
    """Without the outer half per cent at either end: a singular corner does not take the colors of all the rest."""
    import numpy
    from paraview import servermanager
    from vtkmodules.util.numpy_support import vtk_to_numpy

    grid = servermanager.Fetch(source)
    array = (grid.GetPointData() if kind == "POINTS" else grid.GetCellData()).GetArray(name)
    values = vtk_to_numpy(array)
    if values.ndim > 1:
        values = numpy.linalg.norm(values, axis=1)
    values = values[numpy.isfinite(values)]
    return tuple(numpy.percentile(values, (0.5, 99.5))) if values.size else (0.0, 1.0)


def color_by_category(simple, surface, display, view, kind, name):
    low, high = (int(x) for x in color_range(surface, kind, name))
    table = simple.GetColorTransferFunction(name)
    table.InterpretValuesAsCategories = 1
    annotations, colors = [], []
    for value in range(low, min(high, low + 63) + 1):
        annotations += [str(value), str(value)]
        colors += CATEGORY_COLORS[value % len(CATEGORY_COLORS)]
    table.Annotations, table.IndexedColors = annotations, colors
    if high - low < 12:
        style_bar(simple.GetScalarBar(table, view), view, name)
        display.SetScalarBarVisibility(view, True)


def color_by_value(simple, surface, display, view, kind, name, wanted):
    title, unit_text, preset = ARRAYS.get(name, (name.replace("_", " "), "", "Viridis (matplotlib)"))
    low, high = wanted or inner_range(surface, kind, name)
    if name == "deformation_jacobian" and not wanted:
        reach = max(abs(low - 1), abs(high - 1), 1e-6)
        low, high = 1 - reach, 1 + reach  # white is "volume as at rest"
    if not high > low:
        low, high = low - 0.5, low + 0.5
    table = simple.GetColorTransferFunction(name)
    if preset:
        table.ApplyPreset(preset, True)
    else:
        table.RGBPoints, table.ColorSpace = list(GLOW), "Lab"
    table.RescaleTransferFunction(low, high)
    style_bar(simple.GetScalarBar(table, view), view, f"{title} [{unit_text}]" if unit_text else title)
    display.SetScalarBarVisibility(view, True)


def scaled(size, view):
    """Sizes of text are for a picture 1000 pixels high; in small ones it stays readable."""
    return round(size * max(view.ViewSize[1] / 1000, 0.6))


def style_bar(bar, view, title):
    bar.Title, bar.ComponentTitle = title, ""
    bar.Orientation, bar.WindowLocation = "Vertical", "Any Location"
    bar.Position, bar.ScalarBarLength, bar.ScalarBarThickness = [0.88, 0.25], 0.5, scaled(20, view)
    bar.TitleFontSize, bar.LabelFontSize = scaled(19, view), scaled(17, view)
    bar.TitleColor = bar.LabelColor = [0.15, 0.15, 0.18]
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%-#.3g", "%-#.3g"
    bar.UseCustomLabels, bar.DrawTickMarks = 0, 1


def style_view(simple, size):
    view = simple.CreateRenderView()
    view.ViewSize = list(size)
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background, view.Background2 = [0.98, 0.98, 0.985], [0.80, 0.84, 0.89]
    view.OrientationAxesVisibility = 1
    view.OrientationAxesLabelColor = [0.2, 0.2, 0.2]
    view.CenterAxesVisibility = 0
    view.UseFXAA = 1
    return view


def add_text(simple, view, text, position, size):
    if not text:
        return
    label = simple.Text(Text=text)
    display = simple.Show(label, view)
    display.WindowLocation, display.Position = "Any Location", position
    display.FontSize, display.Color = scaled(size, view), [0.15, 0.15, 0.18]


def choose_time(reader, frame):
    times = list(reader.TimestepValues) if hasattr(reader, "TimestepValues") else []
    if not times:
        return None, 0
    number = len(times) - 1 if frame == "last" else int(frame)
    if not -len(times) <= number < len(times):
        sys.exit(f"render.py: frame {frame} of {len(times)} frames; the first is 0")
    return times[number], number % len(times)


def scene_bounds(reader):
    """Of the whole series' last frame shown; an empty frame gets a unit box, so that it is drawn all the same."""
    bounds = reader.GetDataInformation().GetBounds()
    return bounds if bounds[0] <= bounds[1] else (0, 1, 0, 1, 0, 1)


def shows_edges(surface, wanted, size):
    """Edges help until the triangles are a few pixels large."""
    if wanted != "auto":
        return wanted == "on"
    return 0 < surface.GetDataInformation().GetNumberOfCells() < size[0] * size[1] / 60


def show_edges(simple, reader, view):
    """Thin and half transparent, so that they tell the mesh without hiding the colors."""
    lines = simple.Show(simple.ExtractSurface(Input=reader), view)
    lines.Representation = "Wireframe"
    lines.ColorArrayName = [None, ""]
    lines.AmbientColor = lines.DiffuseColor = [0.05, 0.07, 0.12]
    lines.LineWidth, lines.Opacity = 1.0, 0.16


def draw(simple, options):
    simple._DisableFirstRenderCameraReset()
    series = find_series(options.run)
    reader = simple.OpenDataFile(str(series))
    time, number = choose_time(reader, options.frame)
    view = style_view(simple, options.size)
    if time is not None:
        view.ViewTime = time
    reader.UpdatePipeline(time if time is not None else 0)
    surface = simple.ExtractSurface(Input=reader)
    surface.UpdatePipeline(time if time is not None else 0)
    display = simple.Show(surface, view)
    edges = shows_edges(surface, options.edges, options.size)
    if edges:
        show_edges(simple, reader, view)
    display.Representation = "Surface"
    display.Ambient, display.Diffuse, display.Specular, display.SpecularPower = 0.18, 0.88, 0.12, 30
    display.DiffuseColor = display.AmbientColor = [0.55, 0.68, 0.82]
    display.Interpolation = "Flat" if edges else "Gouraud"

    kind = association(surface, options.color) if options.color != "none" else None
    empty = surface.GetDataInformation().GetNumberOfCells() == 0
    if options.color != "none" and kind is None and not empty:
        names = sorted([*surface.PointData.keys(), *surface.CellData.keys()])
        sys.exit(f"render.py: no array '{options.color}'; the frame has {', '.join(names) or 'no arrays'}")
    if kind:
        simple.ColorBy(display, (kind, options.color))
        if options.color in CATEGORIES:
            color_by_category(simple, surface, display, view, kind, options.color)
        else:
            color_by_value(simple, surface, display, view, kind, options.color, options.range)

    title = options.title if options.title is not None else series.stem
    add_text(simple, view, title, [0.02, 0.94], 22)
    if time is not None:
        add_text(simple, view, f"t = {time:.4g} s", [0.02, 0.905], 16)
    return view, scene_bounds(reader), series, number


def default_output(options, series, number):
    folder = Path(options.run) if Path(options.run).is_dir() else series.parent
    return folder / f"{series.stem}_{number:04d}.png"


def save(simple, view, file, size):
    file.parent.mkdir(parents=True, exist_ok=True)
    simple.Render(view)
    simple.SaveScreenshot(str(file), view, ImageResolution=list(size), TransparentBackground=0)
    if not file.is_file() or file.stat().st_size == 0:
        sys.exit(f"render.py: {file}: could not be written")
    print(file)


def main(arguments):
    options = parse(arguments)
    if not paraview_launch.inside():
        find_series(options.run)
        return paraview_launch.run_inside(__file__, arguments, display=True)
    paraview_launch.require_module()
    from paraview import simple

    view, bounds, series, number = draw(simple, options)
    up = [1.0 if axis == options.up else 0.0 for axis in "xyz"]
    output = Path(options.output) if options.output else default_output(options, series, number)
    views = max(options.turntable, 1)
    for turn in range(views):
        direction = rotated(options.view or DEFAULT_VIEWS[options.up], up, 2 * math.pi * turn / views)
        place_camera(view, bounds, direction, up, options.zoom, options.color != "none")
        file = output if options.turntable == 0 else output.with_name(f"{output.stem}_{turn:03d}{output.suffix}")
        save(simple, view, file, options.size)
    # Not through the interpreter's end: taking down OpenGL contexts on Xvfb fails now and then, after the work is done.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
