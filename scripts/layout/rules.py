"""Where things live: the dependency chain of the folders, and which library is included where."""
import fnmatch
import posixpath
import re

from layout import cpp

_numerics = ["src/core", "partitioning", "src/scene", "src/model", "src/contact", "src/linear", "src/dynamics"]

# folder: the folders whose headers it may include besides its own. src/core <- partitioning <- scene <- model,
# contact, linear <- dynamics <- app; scene is plain data that the numerics may read; those three stay apart.
chain = {
    "src/core": [],
    "partitioning": ["src/core"],
    "src/scene": ["src/core", "partitioning"],
    "src/model": ["src/core", "partitioning", "src/scene"],
    "src/contact": ["src/core", "partitioning", "src/scene", "src/audit"],
    "src/audit": ["src/core", "partitioning", "src/scene"],  # shares no code with what it watches
    "src/linear": ["src/core", "partitioning", "src/scene"],
    "src/dynamics": ["src/core", "partitioning", "src/scene", "src/model", "src/contact", "src/linear"],
    "io": ["src/core", "partitioning", "src/scene", "src/dynamics"],
    "src/app": [*_numerics, "src/audit", "io"],
    # Replaces functions of any folder of the numerics by ones that only a GPU can run; nothing includes it.
    "cuda": _numerics,
    "tests": None,  # everything but cuda
}

# folder: its rooms in the order in which they may include each other: a room includes itself and what stands before it;
# rooms of one line stay apart. "": files of the folder itself.
rooms = {
    "src/contact": [[""], ["surface"], ["search"], ["filter"], ["pairs"]],
    "src/dynamics": [[""], ["bodies"], ["elastic"], ["motions"], ["loads"], ["contact"], ["step"], ["output"]],
    "io": [["text"], ["mesh", "scene", "frames", "checkpoint", "run"]],
}

# (headers, files that may include them, the rule in words)
libraries = [
    (["mpi.h"],
     ["partitioning/*", "src/app/main.cpp", "src/linear/petsc/*", "io/*", "tests/support/*"],
     "mpi.h belongs to partitioning/, main, the PETSc adaptor, the parallel writers and tests/support"),
    (["petsc*.h"], ["src/linear/petsc/*"], "PETSc belongs to src/linear/petsc/"),
    (["ptscotch.h", "scotch.h"], ["partitioning/*"], "PT-Scotch belongs to partitioning/"),
    (["cuda*.h", "nccl.h", "cuda/std/*"], ["cuda/*"], "CUDA and NCCL belong to cuda/"),
    (["vtk*", "hdf5*.h", "H5*.h", "yaml-cpp/*"], ["io/*", "tests/*"], "VTK, HDF5 and YAML belong to io/"),
    (["spdlog/*"], ["io/*"], "spdlog belongs to io/"),
    (["CLI/*"], ["src/app/*"], "CLI11 belongs to src/app/"),
    (["thrust/*"], ["src/core/parallel.hpp"], "Thrust belongs to src/core/parallel.hpp"),
    (["cub/*"], ["src/core/parallel.hpp", "cuda/*.cu"], "CUB belongs to src/core/parallel.hpp and cuda/"),
    (["core/parallel.hpp"], ["*_kernels.cpp", "cuda/*.cu"], "only *_kernels.cpp launch kernels"),
]

# What nvcc would have to read for every kernel file, at tens of seconds each.
too_heavy_for_kernels = ["petsc*.h", "vtk*", "hdf5*.h", "H5*.h", "yaml-cpp/*", "spdlog/*", "CLI/*", "Eigen/*"]

# (names in code, files that may use them, the rule in words)
names = [
    (r"\bMPI_COMM_WORLD\b", ["src/app/main.cpp", "tests/support/*"],
     "MPI_COMM_WORLD only in main; everybody else is given a Communicator"),
]


def _matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def folder_of(path):
    """The folder of the chain that `path` belongs to; "" for files outside of it."""
    parts = path.split("/")
    folder = "/".join(parts[:2]) if parts[0] == "src" else parts[0]
    return folder if len(parts) > 1 else ""


def resolve(header, path, known):
    """The file of this project that `path` includes as "header"; None for anything else."""
    for base in (posixpath.dirname(path), "src", "", "tests"):
        candidate = posixpath.normpath(posixpath.join(base, header))
        if candidate in known:
            return candidate
    return None


def check_chain(path, header, target):
    """Problem text for including project file `target`, or None."""
    source, to = folder_of(path), folder_of(target)
    if source == to:
        return check_rooms(path, header, target)
    if to == "cuda":
        return f'"{header}": nothing outside cuda/ includes it, so that the host build needs no CUDA'
    if source not in chain:
        return f"{source}/ is not in the dependency chain of scripts/layout/rules.py" if source[:3] == "src" else None
    allowed = chain[source]
    if allowed is None or to in allowed:
        return None
    return f'"{header}": {source}/ may include only {", ".join(allowed + [source])}'


def room_of(path):
    """The folder below that of the chain; "" for files that lie in that itself."""
    rest = path[len(folder_of(path)) + 1 :].split("/")
    return rest[0] if len(rest) > 1 else ""


def check_rooms(path, header, target):
    """Problem text for including `target` from another room of the same folder, or None."""
    order = {room: place for place, line in enumerate(rooms.get(folder_of(path), [])) for room in line}
    source, to = room_of(path), room_of(target)
    if not order or source == to:
        return None
    if source not in order:
        return f"{folder_of(path)} has no room `{source}` in scripts/layout/rules.py"
    if order.get(to, len(order)) < order[source]:
        return None
    return f'"{header}": {folder_of(path)}/{source} may not include {folder_of(path)}/{to}'


def check_includes(path, sources):
    """(line, text) for every include of `path` that breaks a rule."""
    for line, header, quoted in cpp.includes(sources[path]):
        target = resolve(header, path, sources) if quoted else None
        if target:
            text = check_chain(path, header, target)
            if text:
                yield line, text
        for patterns, places, text in libraries:
            if _matches(header, patterns) and not _matches(path, places):
                yield line, f"<{header}>: {text}"
    if path.endswith("_kernels.cpp") and not path.startswith("tests/"):
        yield from _heavy_includes(path, sources)


def _heavy_includes(path, sources):
    """Includes of a kernel file that lead, through any of our headers, to a library that nvcc should not read."""
    for line, header, quoted in cpp.includes(sources[path]):
        waiting, seen = [(header, path, quoted)], set()
        while waiting:
            header_name, includer, is_quoted = waiting.pop()
            if _matches(header_name, too_heavy_for_kernels):
                yield line, f'"{header}" leads to <{header_name}>, which kernel files must not read'
            target = resolve(header_name, includer, sources) if is_quoted else None
            if target and target not in seen:
                seen.add(target)
                waiting += [(name, target, is_q) for _, name, is_q in cpp.includes(sources[target])]


def check_names(path, code):
    """(line, text) for every name in stripped `code` that does not belong to `path`."""
    for pattern, places, text in names:
        if not _matches(path, places):
            for number, line in enumerate(code.splitlines(), 1):
                if re.search(pattern, line):
                    yield number, text
