"""What every text file keeps to: lengths, no tabs, no words for unfinished work; and the map in README.md."""
import ast
import re

from layout import cpp

longest_file = 400  # lines
longest_function = 60  # lines
longest_line = 120  # columns

cpp_endings = (".hpp", ".cpp", ".cu", ".cuh")
header_endings = (".hpp", ".cuh")
prose_endings = (".md", ".yaml", ".yml", ".json")  # tables and paragraphs: no limit on lengths

# The brackets keep the patterns from matching themselves.
forbidden = [
    (re.compile(r"\bT[O]DO\b|\bF[I]XME\b|\bX[X]X\b"), "unfinished work has no place here"),
    (re.compile(r"(?<![\w.~$})-])/(?:wor[k]/|tmp/bas[h]|roo[t]/|hom[e]/)"), "a path of one machine"),
]
forbidden_in_tests = [
    (re.compile(r"\bDISABLE[D]_\w"), "a disabled test: mend it or delete it"),
    (re.compile(r"\bGTEST_SKI[P]\s*\(\s*\)(?!\s*<<\s*[\"\w])"), "a skipped test says why: GTEST_SKI" + 'P() << "..."'),
]


def check_lines(path, text):
    is_prose = path.endswith(prose_endings)
    patterns = forbidden + (forbidden_in_tests if path.endswith(cpp_endings) else [])
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "a tab"
        if len(line) > longest_line and not is_prose:
            yield number, f"{len(line)} columns (at most {longest_line})"
        for pattern, reason in patterns:
            match = pattern.search(line)
            if match:
                yield number, f"'{match.group(0)}': {reason}"
    if len(lines) > longest_file and not is_prose and path != "LICENSE":
        yield 1, f"{len(lines)} lines (at most {longest_file})"
    if path.endswith(header_endings) and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "#pragma once is missing"


def check_functions(path, text):
    if path.endswith(cpp_endings):
        functions = cpp.functions(text)
    elif path.endswith(".py"):
        functions = [
            cpp.Function(node.name, node.lineno, node.end_lineno - node.lineno + 1)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
    else:
        functions = []
    for function in functions:
        if function.length > longest_function:
            yield function.line, f"{function.name}: {function.length} lines (at most {longest_function})"


def check_map(readme, paths):
    """The table between two `<!-- map -->` markers of README.md names exactly the folders of src/ and of the top."""
    lines = readme.splitlines()
    marks = [number for number, line in enumerate(lines, 1) if re.fullmatch(r"\s*<!--\s*/?map\s*-->\s*", line)]
    if not marks:
        return
    if len(marks) != 2:
        yield marks[0], "the map needs one <!-- map --> before it and one after it"
        return
    folders = {path[: path.rindex("/")] for path in paths if "/" in path}
    folders |= {"/".join(folder.split("/")[:depth]) for folder in folders for depth in range(1, folder.count("/") + 1)}
    wanted = {f for f in folders if not f.startswith(".") and ("/" not in f or re.fullmatch(r"src/\w+", f))} - {"src"}
    named = {}
    for number in range(marks[0] + 1, marks[1]):
        match = re.match(r"\s*\|\s*\[?`([\w./-]+?)/?`", lines[number - 1])
        if match:
            named[match.group(1)] = number
    for folder in sorted(wanted - set(named)):
        yield marks[0], f"the map does not name {folder}/"
    for folder in sorted(set(named) - folders - {"build", "runs"}):
        yield named[folder], f"the map names {folder}/, which does not exist"
