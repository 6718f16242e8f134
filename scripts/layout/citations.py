"""docs/method.md and the sources: what these cite of it is there, and what it names of them exists.

A formula is defined by a line that begins with `**M7 `; comments of C++ sources, and the pages of docs/, cite it as M7.
The page names code as `path/file.cpp:function` and tests as `tests/room/file.cpp:Suite.Name`.
"""
import re

from layout import cpp

page = "docs/method.md"

_definition = re.compile(r"\*\*(M[1-9][0-9]?) ")
_citation = re.compile(r"\bM[1-9][0-9]?\b")
_named = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.\w+)(?::([^`]+))?`")
# Pages that are not in the repository; a comment may break between the words.
_elsewhere = re.compile(r"\b(method|prototype)\s+(?:/{2,3}<?\s*)?sections?\b", re.IGNORECASE)


def _line_of(text, place):
    return text.count("\n", 0, place) + 1


def defined(contents):
    """Numbers of the formulas of the page."""
    lines = contents.get(page, "").splitlines()
    return [match.group(1) for match in map(_definition.match, lines) if match]


def check_source(content, numbers):
    """(line, text) for what a C++ source cites that nobody can look up."""
    comments = cpp.comments(content)
    for match in _citation.finditer(comments):
        if match.group(0) not in numbers:
            yield _line_of(comments, match.start()), f"{match.group(0)}: {page} has no such formula"
    for match in _elsewhere.finditer(comments):
        yield _line_of(comments, match.start()), f"'{match.group(1)} section': cite {page} by its numbers"


def check_prose(content, numbers):
    """The same for a page of docs/."""
    for match in _citation.finditer(content):
        if match.group(0) not in numbers:
            yield _line_of(content, match.start()), f"{match.group(0)}: {page} has no such formula"


def _missing(path, name, paths, contents):
    """Problem text for a file, or a function or test in it, that the page names; None when it is there."""
    if path not in paths:
        return f"{path} does not exist"
    if name is None:
        return None
    content = contents.get(path, "")
    test = re.fullmatch(r"(\w+)\.(\w+)", name)
    if test:
        suite, case = test.groups()
        found = re.search(rf"\b\w*TEST\w*\(\s*{suite}\s*,\s*{case}\s*\)", content)
        return None if found else f"{path} has no test {name}"
    code = cpp.strip(content) if path.endswith((".cpp", ".hpp", ".cu", ".cuh")) else content
    function = name.rsplit("::", 1)[-1]
    return None if re.search(rf"(?<!\w){re.escape(function)}(?!\w)", code) else f"{path} has no {name}"


def check_page(contents, paths):
    """(line, text) for what is wrong with the page itself: its numbers, and the code and tests that it names."""
    content = contents.get(page, "")
    known = set(paths)
    expected = 1
    for number, line in enumerate(content.splitlines(), 1):
        match = _definition.match(line)
        if match and match.group(1) != f"M{expected}":
            yield number, f"{match.group(1)} stands where M{expected} should"
        expected += 1 if match else 0
        for path, name in _named.findall(line):
            problem = _missing(path, name or None, known, contents)
            if problem:
                yield number, problem
