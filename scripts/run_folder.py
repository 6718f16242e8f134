#!/usr/bin/env python3
"""Prints the run folder of `unbarred run SCENE [key=value ...]`, without building or asking the program.

The folder is output.directory, from the command line or the scene; else runs/<scene name>. Only these two entries
are read, so a line-by-line look at the YAML is enough.
"""
import pathlib
import re
import sys


def unquoted(text):
    """The scalar `text` without quotes and comment; None where nothing stands."""
    match = re.match(r"""\s*(?:"([^"]*)"|'([^']*)'|([^#,}\s]+))""", text)
    return next(group for group in match.groups() if group is not None) if match else None


def scene_entries(text):
    """Top-level `name` and `output.directory`, in block or flow style."""
    entries, section = {}, ""
    for line in text.splitlines():
        top = re.match(r"""["']?(\w+)["']?\s*:(.*)""", line)
        if top:
            section = top.group(1)
            if section == "name":
                entries["name"] = unquoted(top.group(2))
        inside = line if not top else top.group(2)
        found = re.search(r"""(?:^\s+|[{,]\s*)["']?directory["']?\s*:(.*)""", inside)
        if section == "output" and found:
            entries["output.directory"] = unquoted(found.group(1))
    return entries


def run_folder(scene, arguments):
    entries = scene_entries(scene.read_text(encoding="utf-8"))
    for argument in arguments:
        if argument == "--":
            break
        key, equals, value = argument.partition("=")
        if equals:
            entries[key] = value
    return entries.get("output.directory") or f"runs/{entries.get('name') or scene.stem}"


if __name__ == "__main__":
    print(run_folder(pathlib.Path(sys.argv[1]), sys.argv[2:]))
