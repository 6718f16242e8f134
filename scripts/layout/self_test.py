"""Small trees that break one rule each: the check must name exactly the broken lines. And trees that break none."""
import pathlib
import tempfile

_header = "#pragma once\n"


def _function(lines, head="void f() {"):
    return head + "\n" + "  step();\n" * (lines - 2) + "}\n"


_many_tests = "TEST(Suite, Case) {\n" + "  EXPECT_TRUE(f());\n" * 59 + "}\n"
_class = "class A : public B<int> {\n public:\n" + _function(60, "  A(int a = {}) : a_{a}, b_(1) {") + "  int a_;\n};\n"
_table = "static const Entry table[] = {\n" + '  {"a", f(1)},\n' * 80 + "};\n"
_branches = (
    "#ifdef A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\n" + "  step();\n" * 50 + "}\n"
    + _function(12, "int g() {")
)
_tricky = (
    'const char* a = "{ // {"; char b = \'{\'; const auto c = R"x( { " )x"; int d = 1\'000;  // {\n'
    "template <class T, int N = (3 > 2)>\nstruct S {\n  bool operator()(int i) const {\n    return i < N;\n  }\n};\n"
    "enum class E : int { a, b };\nnamespace x::y {\nVec3 z{{0, 0, 1}};\nfor_each({1, 2}, Functor{.a = 1});\n}\n"
)

_folders = ["src/core", "src/scene", "src/model", "src/linear", "src/linear/petsc", "src/dynamics", "src/app"]
_folders += ["partitioning", "io", "cuda", "tests", "scripts", "docs"]

_page = (
    "# The method\n\n**M1 Step.** `io/w.hpp` and M2.\n\n**M2 Energy.**\n\n"
    "| M2 | `src/model/m.hpp:A::f`, `src/model/m.hpp:step` | `tests/unit/a.cpp:A.B` |\n"
)

# A tree without a problem.
_clean = {
    "src/core/types.hpp": _header + "namespace unbarred {}\n",
    "src/core/parallel.hpp": _header + "#include <thrust/sort.h>\n",
    "src/model/a_kernels.cpp": '#include "core/parallel.hpp"\n#include "scene/scene.hpp"\n' + _function(60),
    "src/scene/scene.hpp": _header + '#include "core/types.hpp"\n#include "partitioning/map.hpp"\n',
    "src/dynamics/stepper.hpp": _header + '#include "linear/pcg.hpp"\n#include "model/m.hpp"\n',
    "src/linear/pcg.hpp": _header + "// MPI_COMM_WORLD may be named in a comment, /* { */ and so may a brace {\n",
    "src/linear/petsc/ksp.cpp": '#include <mpi.h>\n#include <petscksp.h>\n#include "linear/pcg.hpp"\n',
    "src/model/m.hpp": _header + _tricky + _class + _table + _branches,
    "src/app/main.cpp": '#include <CLI/CLI.hpp>\n#include <mpi.h>\n#include "io/w.hpp"\nauto c = MPI_COMM_WORLD;\n',
    "partitioning/map.hpp": _header + '#include <mpi.h>\n#include "core/types.hpp"\n',
    "partitioning/scotch.cpp": 'extern "C" {\n#include <ptscotch.h>\n}\n' + _function(60),
    "io/w.hpp": _header + '#include <hdf5.h>\n#include <spdlog/spdlog.h>\n#include "dynamics/stepper.hpp"\n',
    "cuda/memory.cpp": "#include <cuda_runtime_api.h>\n#include <nccl.h>\n",
    "tests/unit/a.cpp": '#include "io/w.hpp"\n#include <vtkCell.h>\nTEST(A, B) { GTEST_SKIP() << "no GPU"; }\n',
    "tests/support/w.hpp": _header + "#include <mpi.h>\nauto c = MPI_COMM_WORLD;\n",
    "scripts/tool.py": "def f():\n" + "    pass\n" * 59,
    "docs/method.md": _page,
    "docs/other.md": "As M2 has it; 1.34M elements.\n",
    "src/core/cites.cpp": "// M1 to M2, M_PI, aM7\ntemplate <class M7>\nauto a = \"M8\";  /* (M2),\n"
    " sections of a method */\n",
    "README.md": "a long line " * 20 + "\n<!-- map -->\n| folder | holds |\n|---|---|\n"
    + "".join(f"| `{name}/` | x |\n" for name in _folders)
    + "<!-- map -->\n",
}

# name: (files that replace or join the clean tree, the lines that must be named)
_violations = {
    "core includes partitioning": ({"src/core/x.cpp": '#include "partitioning/map.hpp"\n'}, ["src/core/x.cpp:1"]),
    "partitioning includes scene": ({"partitioning/x.cpp": '\n#include "scene/scene.hpp"\n'}, ["partitioning/x.cpp:2"]),
    "scene includes model": ({"src/scene/x.cpp": '#include "model/m.hpp"\n'}, ["src/scene/x.cpp:1"]),
    "linear includes model": ({"src/linear/x.cpp": '#include "model/m.hpp"\n'}, ["src/linear/x.cpp:1"]),
    "model includes linear": ({"src/model/x.cpp": '#include "../linear/pcg.hpp"\n'}, ["src/model/x.cpp:1"]),
    "dynamics includes io": ({"src/dynamics/x.cpp": '#include "io/w.hpp"\n'}, ["src/dynamics/x.cpp:1"]),
    "io includes model": ({"io/x.cpp": '#include "model/m.hpp"\n'}, ["io/x.cpp:1"]),
    "somebody includes cuda": (
        {"src/app/x.cpp": '#include "cuda/c.hpp"\n', "cuda/c.hpp": _header}, ["src/app/x.cpp:1"]),
    "search includes pairs": (
        {"src/contact/search/x.cpp": '#include "contact/pairs/p.hpp"\n', "src/contact/pairs/p.hpp": _header},
        ["README.md:2", "src/contact/search/x.cpp:1"]),
    "two rooms that stay apart": (
        {"io/mesh/x.cpp": '#include "io/run/r.hpp"\n', "io/run/r.hpp": _header}, ["io/mesh/x.cpp:1"]),
    "a room that nobody named": (
        {"io/text/t.hpp": _header, "io/cellar/x.cpp": '#include "io/text/t.hpp"\n'}, ["io/cellar/x.cpp:1"]),
    "the audit includes contact": (
        {"src/audit/x.cpp": '#include "contact/p.hpp"\n', "src/contact/p.hpp": _header},
        ["README.md:2", "src/audit/x.cpp:1"]),
    "folder outside of the chain": (
        {"src/misc/x.cpp": '#include "core/types.hpp"\n'}, ["README.md:2", "src/misc/x.cpp:1"]),
    "mpi.h in dynamics": ({"src/dynamics/x.cpp": "# include  <mpi.h>\n"}, ["src/dynamics/x.cpp:1"]),
    "PETSc in linear": ({"src/linear/x.cpp": "#include <petscksp.h>\n"}, ["src/linear/x.cpp:1"]),
    "PT-Scotch in scene": ({"src/scene/x.cpp": "#include <ptscotch.h>\n"}, ["src/scene/x.cpp:1"]),
    "CUDA in core": ({"src/core/x.cpp": "#ifdef A\n#include <cuda_runtime.h>\n#endif\n"}, ["src/core/x.cpp:2"]),
    "NCCL in partitioning": ({"partitioning/x.cpp": "#include <nccl.h>\n"}, ["partitioning/x.cpp:1"]),
    "VTK in app": ({"src/app/x.cpp": "#include <vtkCell.h>\n"}, ["src/app/x.cpp:1"]),
    "HDF5 in dynamics": ({"src/dynamics/x.cpp": "#include <hdf5.h>\n"}, ["src/dynamics/x.cpp:1"]),
    "YAML in scene": ({"src/scene/x.cpp": "#include <yaml-cpp/yaml.h>\n"}, ["src/scene/x.cpp:1"]),
    "spdlog in app": ({"src/app/x.cpp": "#include <spdlog/spdlog.h>\n"}, ["src/app/x.cpp:1"]),
    "CLI11 in io": ({"io/x.cpp": "#include <CLI/CLI.hpp>\n"}, ["io/x.cpp:1"]),
    "Thrust in a kernel file": (
        {"src/model/x_kernels.cpp": "#include <thrust/sort.h>\n"}, ["src/model/x_kernels.cpp:1"]),
    "launch outside of kernels": ({"src/model/x.cpp": '#include "core/parallel.hpp"\n'}, ["src/model/x.cpp:1"]),
    "a kernel file that reads Eigen": (
        {"src/model/e.hpp": _header + "#include <Eigen/Core>\n", "src/model/x_kernels.cpp": '#include "model/e.hpp"\n'},
        ["src/model/x_kernels.cpp:1"]),
    "MPI_COMM_WORLD in io": ({"io/x.cpp": "\nf(MPI_COMM_WORLD);\n"}, ["io/x.cpp:2"]),
    "long function": ({"io/x.cpp": "\n" + _function(61)}, ["io/x.cpp:2"]),
    "long template": ({"io/x.cpp": "template <class T>\n" + _function(60, "T f(T a = {}) {")}, ["io/x.cpp:1"]),
    "long method": (
        {"io/x.cpp": "namespace a {\nstruct B : C {\n" + _function(61, "  int f() const {") + "};\n}\n"},
        ["io/x.cpp:3"]),
    "long constructor": (
        {"io/x.cpp": "A::A(int a)\n    : a_{a} {\n" + "  step();\n" * 60 + "}\n"}, ["io/x.cpp:1"]),
    "long lambda at namespace scope": (
        {"io/x.cpp": _function(61, "const auto f = [](int a) {") + ";\n"}, ["io/x.cpp:1"]),
    "long because of a local lambda": (
        {"io/x.cpp": "int f() {\n  auto g = [] {\n" + "    step();\n" * 60 + "  };\n}\n"}, ["io/x.cpp:1"]),
    "long function after a template with braces": (
        {"io/x.cpp": _tricky + _function(61)}, [f"io/x.cpp:{_tricky.count(chr(10)) + 1}"]),
    "long function after both branches of an #if": ({"io/x.cpp": _branches + _function(61)}, ["io/x.cpp:69"]),
    "long test": ({"tests/unit/x.cpp": _many_tests}, ["tests/unit/x.cpp:1"]),
    "long Python function": ({"scripts/x.py": "def f():\n" + "    pass\n" * 60}, ["scripts/x.py:1"]),
    "long file": ({"io/x.cpp": "int a;\n" * 401}, ["io/x.cpp:1"]),
    "long line": ({"io/x.cpp": "int a;" + " " * 100 + "// twenty columns more\n"}, ["io/x.cpp:1"]),
    "tab": ({"scenes/x.yaml": "a:\n\tb\n"}, ["README.md:2", "scenes/x.yaml:2"]),
    "no #pragma once": ({"io/x.hpp": "// #pragma once\n"}, ["io/x.hpp:1"]),
    "unfinished": ({"io/x.cpp": "\n// TO" + "DO later\n"}, ["io/x.cpp:2"]),
    "to be mended": ({"scripts/x": "# FIX" + "ME\n"}, ["scripts/x:1"]),
    "three crosses": ({"scripts/x.py": "# XX" + "X\n"}, ["scripts/x.py:1"]),
    "disabled test": ({"tests/unit/x.cpp": "TEST(A, DIS" + "ABLED_B) {}\n"}, ["tests/unit/x.cpp:1"]),
    "skip without a reason": ({"tests/unit/x.cpp": "void f() { GTEST_SK" + "IP(); }\n"}, ["tests/unit/x.cpp:1"]),
    "path of one machine": ({"scripts/x": 'cp "/wo' + 'rk/main/a" .\n'}, ["scripts/x:1"]),
    "a formula that is not there": ({"io/x.cpp": "int M3;\n// as M2 and\n// M3 have it\n"}, ["io/x.cpp:3"]),
    "a formula that is not there, in a test": ({"tests/unit/x.cpp": "int a;  /* M12 */\n"}, ["tests/unit/x.cpp:1"]),
    "a formula that is not there, in another page": ({"docs/other.md": "\nM3\n"}, ["docs/other.md:2"]),
    "a page elsewhere": (
        {"io/x.cpp": "// (method section 4.1)\n// prototype\n/// sections 2\n"}, ["io/x.cpp:1", "io/x.cpp:2"]),
    "a formula with the wrong number": ({"docs/method.md": _page + "**M4 Too far.**\n"}, ["docs/method.md:8"]),
    "the same number twice": ({"docs/method.md": _page + "\n**M2 Again.**\n"}, ["docs/method.md:9"]),
    "a file that is gone": ({"docs/method.md": _page + "`io/gone.cpp:f`, `io/gone.py`\n"}, ["docs/method.md:8"]),
    "a function that is gone": ({"docs/method.md": _page + "`src/model/m.hpp:ste`\n"}, ["docs/method.md:8"]),
    "a function that only a comment names": (
        {"docs/method.md": _page + "`io/x.cpp:f`\n", "io/x.cpp": "// f()\n"}, ["docs/method.md:8"]),
    "a test that is gone": ({"docs/method.md": _page + "`tests/unit/a.cpp:A.C`\n"}, ["docs/method.md:8"]),
    "a test of another suite": ({"docs/method.md": _page + "`tests/unit/a.cpp:C.B`\n"}, ["docs/method.md:8"]),
    "folder missing in the map": ({"jobs/x.sh": "\n"}, ["README.md:2"]),
    "map of a folder that is gone": (
        {"README.md": _clean["README.md"].replace("| `io/`", "| `old/` | x |\n| `io/`")}, ["README.md:13"]),
    "half a map": ({"README.md": "<!-- map -->\n"}, ["README.md:1"]),
}


def _problems(check, files):
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return check(pathlib.Path(folder))


def run(check):
    """0 when every sample is judged right; prints the others."""
    wrong = 0
    for name, (files, expected) in {"the clean tree": ({}, []), **_violations}.items():
        found = _problems(check, {**_clean, **files})
        if sorted({f"{path}:{line}" for path, line, _ in found}) != sorted(expected):
            wrong += 1
            print(f"{name}: expected {expected}, found {found}")
    print(f"layout self-test: {len(_violations) + 1 - wrong} samples right, {wrong} wrong")
    return 1 if wrong else 0
