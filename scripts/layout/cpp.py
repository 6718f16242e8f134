"""Just enough C++ for the layout check: code without comments and literals, includes, where functions begin and end."""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    name: str
    line: int
    length: int


_literal = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"""
    r"""R"(?P<tag>[^()\s\\]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def _blank(match):
    text = match.group(0)
    lines = "\n" * text.count("\n")
    return lines if text.startswith("/") else '"' + lines + '"'


def strip(text):
    """`text` without comments, strings emptied; the same number of lines."""
    return _literal.sub(_blank, text)


def without_comments(text):
    """`text` without comments, strings kept; the same number of lines."""
    return _literal.sub(lambda m: "\n" * m.group(0).count("\n") if m.group(0).startswith("/") else m.group(0), text)


def comments(text):
    """Only the comments of `text`, slashes included; the same number of lines."""
    kept, end = [], 0
    for match in _literal.finditer(text):
        if match.group(0).startswith("/"):
            kept += ["\n" * text.count("\n", end, match.start()), match.group(0)]
            end = match.end()
    return "".join(kept) + "\n" * text.count("\n", end)


def includes(text):
    """(line, header, quoted) of every #include."""
    found = []
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            found.append((number, match.group(2), match.group(1) == '"'))
    return found


def _kind_of_block(header):
    """What a brace at namespace or class scope opens: "scope" (namespace, class), "function" or "value"."""
    header = re.sub(r"\b(alignas|requires|noexcept|__declspec|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)", " ", header)
    previous = None
    while previous != header:  # template <...>, innermost angle brackets first
        previous = header
        header = re.sub(r"<[^<>{};]*>", " ", header)
    if re.search(r"\bnamespace\b|\bextern\s*\"\"\s*$", header):
        return "scope"
    if re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)[^()]*$", header):  # an initialiser, no call in it
        return "value"
    if re.search(r"\)[^()]*(?<!:):(?!:).*\w\s*$", header, re.DOTALL):  # a member in the list of a constructor: a_{1}
        return "value"
    if "(" not in header and re.search(r"\b(class|struct|union|enum)\b", header):
        return "scope"
    return "function" if "(" in header else "value"


def _name_of(header):
    header = re.sub(r"<[^<>()]*>", "", header)
    match = re.search(r"(operator\s*(?:\(\)|[^\s(]+)|[~\w:]+)\s*\(", header)
    if not match:
        return "?"
    if match.group(1).startswith(("TEST", "TYPED_TEST")):
        arguments = re.search(r"\(([^)]*)\)", header[match.start():])
        return match.group(1) + "(" + (arguments.group(1) if arguments else "") + ")"
    return match.group(1)


_access = ("public:", "private:", "protected:")


class _Scanner:
    """Brace matching over stripped code; only blocks at namespace and class scope are classified."""

    def __init__(self):
        self.blocks = []  # (kind, header, first line)
        self.functions = []
        self.parentheses = 0
        self._forget()

    def _forget(self):
        self.header, self.header_line = "", 0

    def state(self):
        return list(self.blocks), self.parentheses, self.header, self.header_line

    def restore(self, state):
        blocks, self.parentheses, self.header, self.header_line = state
        self.blocks = list(blocks)

    def _in_body(self):
        return bool(self.blocks) and self.blocks[-1][0] in ("function", "value")

    def _open(self, line):
        if self._in_body() or self.parentheses:
            self.blocks.append(("value" if not self._in_body() else self.blocks[-1][0], None, line))
            return
        kind = _kind_of_block(self.header)
        self.blocks.append((kind, self.header, self.header_line or line))
        if kind != "value":
            self._forget()

    def _close(self, line):
        if not self.blocks:
            return
        kind, header, first = self.blocks.pop()
        if kind == "function" and header is not None:
            self.functions.append(Function(_name_of(header), first, line - first + 1))
        if not self._in_body():
            if kind == "value":
                self.header += "{}"
            else:
                self._forget()

    def feed(self, text, number):
        for token in re.finditer(r"[{}();]|\b(?:public|private|protected):(?!:)|[^\s{}();]+|\s+", text):
            token = token.group(0)
            if token == "{":
                self._open(number)
            elif token == "}":
                self._close(number)
            elif self._in_body():
                continue
            elif (token == ";" and not self.parentheses) or token in _access:
                self._forget()
            else:
                self.parentheses += (token == "(") - (token == ")")
                if not self.header_line and not token.isspace():
                    self.header_line = number
                self.header += token
        if not self._in_body():
            self.header += " "


def functions(text):
    """Functions at namespace and class scope, bodies of their lambdas and local classes included. Each branch of an
    #if is read on its own from the state before it."""
    scanner, branches = _Scanner(), []
    continued = False
    for number, line in enumerate(strip(text).splitlines(), 1):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if continued or directive:
            word = directive.group(1) if directive and not continued else ""
            if word.startswith("if"):
                branches.append(scanner.state())
            elif word in ("else", "elif") and branches:
                scanner.restore(branches[-1])
            elif word == "endif" and branches:
                branches.pop()
            continued = line.endswith("\\")
            continue
        scanner.feed(line, number)
    return scanner.functions
