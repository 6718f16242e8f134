#!/usr/bin/env python3
"""Prints "PASSED FAILED SKIPPED" of a JUnit file that ctest wrote; the skipped tests' names go to stderr.

ctest reports a test whose executable is missing as skipped: it counts as failed here, and so does a disabled one.
"""
import sys
import xml.etree.ElementTree as xml


def count(cases):
    passed = failed = skipped = 0
    for case in cases:
        reason = case.find("skipped")
        if case.get("status") == "run":
            passed += 1
        elif reason is not None and reason.get("message", "").startswith("SKIP_"):
            skipped += 1
            print("skipped:", case.get("name"), file=sys.stderr)
        else:
            failed += 1
    return passed, failed, skipped


if __name__ == "__main__":
    print(*count(xml.parse(sys.argv[1]).getroot().iter("testcase")))
