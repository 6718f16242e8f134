#!/usr/bin/env python3
"""Checks that everything is where it belongs, and nothing is too long; exit code 1 when not.

  scripts/check_layout.py [--root FOLDER]   every file that git knows or would add, messages as FILE:LINE: TEXT
  scripts/check_layout.py --self-test       that each rule fails on a small violation and on nothing else

The rules: scripts/layout/rules.py (dependency chain, libraries), scripts/layout/text.py (lengths, words, map) and
scripts/layout/citations.py (formulas of docs/method.md, and the code and tests that it names).
"""
import argparse
import os
import pathlib
import subprocess
import sys

from layout import citations, cpp, rules, text

endings = text.cpp_endings + text.prose_endings + (".py", ".sh", ".cmake", ".txt")
skipped_folders = {"build", "runs", "__pycache__", ".git"}


def listed_files(root):
    """Paths relative to `root`; without git, every file outside of build/, runs/ and hidden folders."""
    git = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        # A release archive unpacked inside somebody's repository is not that repository.
        if (root / ".git").exists():
            names = subprocess.run(git, check=True, capture_output=True).stdout.decode().split("\0")
            return sorted({name for name in names if name and (root / name).is_file()})
    except (OSError, subprocess.CalledProcessError):
        pass
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in skipped_folders]
        found += [(pathlib.Path(folder) / name).relative_to(root).as_posix() for name in files]
    return sorted(found)


def is_checked(path):
    """Sources, prose and the commands without an ending; no meshes, pictures or reference data."""
    name = path.rsplit("/", 1)[-1]
    return path.endswith(endings) or "." not in name and path.split("/")[0] in ("scripts", "jobs", ".ci", "tests")


def check(root):
    """All problems under `root`: (path, line, text), sorted."""
    paths = listed_files(root)
    contents = {}
    for path in filter(is_checked, paths):
        contents[path] = (root / path).read_text(encoding="utf-8", errors="replace")
    problems = []
    sources = {path: content for path, content in contents.items() if path.endswith(text.cpp_endings)}
    numbers = citations.defined(contents)
    for path, content in contents.items():
        found = [*text.check_lines(path, content), *text.check_functions(path, content)]
        if path in sources:
            found += [*rules.check_includes(path, sources), *rules.check_names(path, cpp.strip(content))]
            found += citations.check_source(content, numbers)
        elif path.startswith("docs/") and path.endswith(".md"):
            found += citations.check_prose(content, numbers)
        problems += [(path, line, message) for line, message in found]
    problems += [(citations.page, line, message) for line, message in citations.check_page(contents, paths)]
    if "README.md" in contents:
        problems += [("README.md", line, message) for line, message in text.check_map(contents["README.md"], paths)]
    return sorted(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        from layout import self_test

        return self_test.run(check)
    problems = check(arguments.root.resolve())
    for path, line, message in problems:
        print(f"{path}:{line}: {message}")
    print(f"layout: {len(problems)} problems" if problems else "layout: everything is in its place")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
