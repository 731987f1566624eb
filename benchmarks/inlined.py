"""Why does a kernel take so long to compile? Of which functions its code consists, and how many copies of each.

    python inlined.py                                   the three solvers
    python inlined.py dynamics.rates.rate_of_bodies     kernels that Python calls, or others by their address

A function marked `@inlined` is copied to each place that names it, with all that it inlines itself, and the compiler's
time grows faster than the length of what comes out. Lengths are lines of LLVM's language before it is optimised. First
come the functions that stay functions, with all that is copied into them; then what is longest in sum of its copies.
"""

import re
import sys
from collections import Counter
from functools import cache
from typing import Any

SOLVERS = ("integrators.dop853.advance", "integrators.radau.advance", "integrators.time_stepping.advance")
SHOWN = 15  # functions of each list
NAME = r'("[^"]*"|[\w.$]+)'
FUNCTION = re.compile(rf"^define [^\n]*?@{NAME}\([^\n]*\)([^\n]*)\{{\n(.*?)^\}}", re.MULTILINE | re.DOTALL)
ATTRIBUTES = re.compile(r"^attributes (#\d+) = \{(.*)\}", re.MULTILINE)
CALL = re.compile(rf"call [^\n]*?@{NAME}\(")


class Linked(Exception):
    """All that a kernel consists of is in one module; carries its text."""


def linked(kernel: str) -> str:
    """The code of a kernel and of all that it calls, before anything is copied."""
    from gudgeon.code_on_disk import CodeCache
    from gudgeon.compilation.kernels import kernels_of
    from gudgeon.kernels.build.parts import EntryLibrary

    module, name = kernel.rsplit(".", 1)
    library: Any = EntryLibrary
    code: Any = CodeCache
    optimise, load = library._optimize_final_module, code.load_overload

    def stop(self):
        if self.name == name:
            raise Linked(str(self._final_module))
        optimise(self)

    library._optimize_final_module, code.load_overload = stop, lambda *_: None  # nothing is read from disk
    try:
        for each in kernels_of(module):
            if hasattr(each, "arguments") and each.py_func.__name__ == name:
                each.compile(each.arguments)
            elif not hasattr(each, "arguments") and each.function.__name__ == name:
                _ = each.address
    except Linked as found:
        return found.args[0]
    finally:
        library._optimize_final_module, code.load_overload = optimise, load
    sys.exit(f"no kernel {kernel}")


def short(name: str) -> str:
    """The name of a function as Python has it: module and function."""
    parts, rest = [], name.strip('"').removeprefix("_ZN")
    while found := re.match(r"(\d+)", rest):
        length = int(found[1])
        parts.append(rest[found.end() : found.end() + length])
        rest = rest[found.end() + length :]
    return ".".join(parts).removeprefix("gudgeon.kernels.") or name


class Code:
    """Functions of a module by name: their lengths, whom they call how often, and whether they are copied."""

    def __init__(self, text: str):
        attributes = dict(ATTRIBUTES.findall(text))
        self.length, self.calls, self.copied = {}, {}, {}
        for name, marks, body in FUNCTION.findall(text):
            self.length[name] = sum(line.startswith("  ") for line in body.splitlines())
            self.calls[name] = Counter(CALL.findall(body))
            marks += " ".join(attributes.get(mark, "") for mark in re.findall(r"#\d+", marks))
            self.copied[name] = "alwaysinline" in marks
        self.whole = cache(self.whole)

    def parts(self, name: str) -> dict[str, int]:
        """What is copied into a function, how often."""
        return {each: count for each, count in self.calls[name].items() if self.copied.get(each)}

    def whole(self, name: str) -> int:
        """The length of a function with all that is copied into it."""
        return self.length[name] + sum(count * self.whole(each) for each, count in self.parts(name).items())

    def copies(self) -> Counter:
        """How often each function is there in the end."""
        found = Counter()

        def add(name, times):
            found[name] += times
            for each, count in self.parts(name).items():
                add(each, times * count)

        for name in self.length:
            if not self.copied[name]:
                add(name, 1)
        return found


def show(kernel: str) -> None:
    """Both lists."""
    code = Code(linked(kernel))
    copies = code.copies()
    print(f"{kernel}: {sum(count * code.length[name] for name, count in copies.items())} lines")
    print(f"{'whole':>9}{'own':>7}  functions")
    functions = sorted((name for name in code.length if not code.copied[name]), key=code.whole, reverse=True)
    for name in functions[:SHOWN]:
        print(f"{code.whole(name):9}{code.length[name]:7}  {short(name)}")
    print(f"{'in sum':>9}{'own':>7}{'copies':>8}  copied")
    inlined = [name for name in copies if code.copied[name]]
    for name in sorted(inlined, key=lambda name: copies[name] * code.length[name], reverse=True)[:SHOWN]:
        print(f"{copies[name] * code.length[name]:9}{code.length[name]:7}{copies[name]:8}  {short(name)}")
    print(flush=True)


if __name__ == "__main__":
    for kernel in sys.argv[1:] or SOLVERS:
        show(kernel)
