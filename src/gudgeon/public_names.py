"""The public names of a package: listed once, in its stub `__init__.pyi`, and imported when they are first used.

Editors and checkers of types read the stub, Python reads it here. Every line of it that counts is of the form

    from gudgeon.bodies import Body as Body

so that `import gudgeon` is instant, and a name is in one list only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from gudgeon.collected_later import collected_later

_LINE = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def homes(file: str | None) -> dict[str, str]:
    """The module of each public name of a package whose `__init__.py` is `file`."""
    stub = Path(str(file)).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: home for home, name in _LINE.findall(stub)}


def public_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package whose `__init__.py` is `file`.

    >>> import gudgeon
    >>> names, get, shown = public_names("gudgeon", gudgeon.__file__)
    >>> names[:2], get("Body").__name__
    (['System', 'Body'], 'Body')
    """
    kept_in = homes(file)

    def get(name: str) -> Any:
        if name not in kept_in:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = kept_in[name]
        with collected_later():
            value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    def shown() -> list[str]:
        return sorted([*kept_in, *(name for name in vars(sys.modules[package]) if name.startswith("__"))])

    return list(kept_in), get, shown
