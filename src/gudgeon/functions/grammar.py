"""What may be written in an expression: the text goes through Python's parser and a list of what is allowed.

It is never run as Python code. `read` makes the nested tuples that `expressions.py` describes. Names that stand for
signals (`gudgeon.signals`) may have dots, `main.angle`; in quotes anything, `'main bearing.angle'`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection
from typing import Any

from gudgeon.errors import ModelError, did_you_mean

MAX_CHARACTERS = 1000
MAX_NESTING = 60

CONSTANTS = {"pi": math.pi, "e": math.e}
ARGUMENT_COUNTS = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), 1),
    **dict.fromkeys(("exp", "log", "sqrt", "abs", "sign", "floor", "step"), 1),
    **dict.fromkeys(("atan2", "min", "max"), 2),
}
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
CHAINS = {ast.Add: "add", ast.Sub: "add", ast.Mult: "mul", ast.Div: "mul"}

ALLOWED = "allowed are numbers, t, pi, e, + - * / **, parentheses, 'a if t < 1 else b' and the functions " + ", ".join(
    ARGUMENT_COUNTS
)
DISTANCES = ("distance", "distance_rate")  # of two markers: functions of names
TOO_DEEP = f"it is nested too deeply; at most {MAX_NESTING} levels are allowed"
OTHER_NAMES = {
    "time": "t",
    "π": "pi",
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sgn": "sign",
    "fabs": "abs",
    "heaviside": "step",
}
INSTEAD: dict[type, str] = {
    ast.BitXor: "write ** for a power",
    ast.Mod: "write a - b*floor(a/b) for a % b",
    ast.FloorDiv: "write floor(a/b) for a // b",
    ast.Attribute: "write sin(t), not math.sin(t)",
    ast.Compare: "one comparison with < <= > or >= may be the test of 'a if t < 1 else b', and nothing else",
    ast.BoolOp: "nest two conditionals 'a if t < 1 else b'",
}


def read(text: str, *, signals: bool = False) -> tuple[Any, ...]:
    """The tree of `text`, or a `ModelError` that says what in it is not allowed; with names of signals if `signals`."""
    if len(text) > MAX_CHARACTERS:
        raise ModelError(f"it has {len(text)} characters; at most {MAX_CHARACTERS} are allowed")
    if not text.strip():
        raise ModelError("it is empty; give a number or an expression in t")
    try:
        return _tree(ast.parse(text.strip(), mode="eval").body, 1, signals)
    except ModelError:
        raise
    except (RecursionError, MemoryError):
        raise ModelError(TOO_DEEP) from None
    except SyntaxError as error:
        hint = "write 2*t, not 2t; " if "literal" in error.msg else ""
        raise ModelError(f"it cannot be read: {error.msg}; {hint}{ALLOWED}") from None
    except ValueError:  # null bytes, lone surrogates
        raise ModelError(f"it contains characters that cannot be read; {ALLOWED}") from None


def _tree(node: ast.expr, depth: int, signals: bool) -> tuple[Any, ...]:
    if depth > MAX_NESTING:
        raise ModelError(TOO_DEEP)
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _number(value)
        case ast.Name(id=name):
            return _name(name, signals)
        case ast.Attribute() | ast.Constant(value=str()) if signals:
            return ("signal", _signal(node))
        case ast.UnaryOp(op=ast.UAdd()):
            return _tree(node.operand, depth + 1, signals)
        case ast.UnaryOp(op=ast.USub()):
            return ("neg", _tree(node.operand, depth + 1, signals))
        case ast.BinOp(op=ast.Pow()):
            return ("pow", _tree(node.left, depth + 1, signals), _tree(node.right, depth + 1, signals))
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
            return _chain(node, depth + 1, signals)
        case ast.Call():
            return _call(node, depth + 1, signals)
        case ast.IfExp():
            test = _test(node.test, depth + 1, signals)
            return ("if", test, _tree(node.body, depth + 1, signals), _tree(node.orelse, depth + 1, signals))
    raise _refusal(node)


def _number(value: float) -> tuple[str, float]:
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
    if not math.isfinite(x):
        raise ModelError("a number in it is too large; numbers must be finite")
    return ("number", x)


def _name(name: str, signals: bool) -> tuple[Any, ...]:
    if name == "t":
        return ("t",)
    if name in CONSTANTS:
        return ("number", CONSTANTS[name])
    if name in ARGUMENT_COUNTS:
        raise ModelError(f"{name!r} is a function; write {name}(t)")
    if signals and name not in OTHER_NAMES:
        return ("signal", name)
    raise _unknown("name", name, ["t", *CONSTANTS, *ARGUMENT_COUNTS])


def _signal(node: ast.expr) -> str:
    """The name that a.b.c, or a text in quotes, stands for."""
    if isinstance(node, ast.Constant):
        return str(node.value).strip()
    parts, first = [], node
    while isinstance(first, ast.Attribute):
        parts.append(first.attr)
        first = first.value
    if not isinstance(first, ast.Name) or first.id in ("t", "pi", "e", "math", "np", "numpy"):
        raise _refusal(node, INSTEAD[ast.Attribute])
    return ".".join([first.id, *reversed(parts)])


def _chain(node: ast.BinOp, depth: int, signals: bool) -> tuple[Any, ...]:
    """A sum a + b − c … or a product a * b / c …, flat however long it is."""
    kind = CHAINS[type(node.op)]
    links: list[ast.BinOp] = []
    first: ast.expr = node
    while isinstance(first, ast.BinOp) and CHAINS.get(type(first.op)) == kind:
        links.append(first)
        first = first.left
    arguments = [_tree(first, depth, signals)]
    for link in reversed(links):
        argument = _tree(link.right, depth, signals)
        if isinstance(link.op, ast.Sub):
            argument = ("neg", argument)
        elif isinstance(link.op, ast.Div):
            argument = ("inv", argument)
        arguments.append(argument)
    return (kind, *arguments)


def _call(node: ast.Call, depth: int, signals: bool) -> tuple[Any, ...]:
    if not isinstance(node.func, ast.Name):
        raise _refusal(node, "write sin(t) to call a function and * for a product")
    name = node.func.id
    if signals and name in DISTANCES:
        return ("signal", _distance(node, name))
    if name not in ARGUMENT_COUNTS:
        raise _unknown("function", name, [*ARGUMENT_COUNTS, *DISTANCES] if signals else ARGUMENT_COUNTS)
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise _refusal(node, f"give the arguments of {name} by position")
    count = ARGUMENT_COUNTS[name]
    if len(node.args) != count:
        wanted = "one argument" if count == 1 else "two arguments"
        raise ModelError(f"{name!r} has {len(node.args)} arguments; it takes {wanted}")
    return (name, *[_tree(argument, depth, signals) for argument in node.args])


def _distance(node: ast.Call, name: str) -> str:
    """The name of a distance of two markers."""
    ends = [_signal(end) for end in node.args if isinstance(end, ast.Name | ast.Attribute | ast.Constant)]
    if node.keywords or len(node.args) != 2 or len(ends) != 2:
        raise _refusal(node, f"write {name}(a, b) with the names of two markers or bodies")
    return f"{name}({ends[0]}, {ends[1]})"


def _test(node: ast.expr, depth: int, signals: bool) -> tuple[Any, ...]:
    match node:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op], comparators=[right]):
            return (COMPARISONS[type(op)], _tree(left, depth, signals), _tree(right, depth, signals))
    raise _refusal(node, INSTEAD.get(type(node), INSTEAD[ast.Compare]))


def _source(node: ast.AST) -> str:
    text = ast.unparse(node)
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _refusal(node: ast.expr, instead: str = "") -> ModelError:
    kind = type(node.op) if isinstance(node, ast.BinOp) else type(node)
    instead = instead or INSTEAD.get(kind, "")
    return ModelError(f"{_source(node)} is not allowed; {instead + '; ' if instead else ''}{ALLOWED}")


def _unknown(what: str, name: str, known: Collection[str]) -> ModelError:
    other = OTHER_NAMES.get(name)
    hint = f"did you mean {other!r}?" if other in known else did_you_mean(name, known)
    return ModelError(f"unknown {what} {name!r}; {hint}{' ' + ALLOWED if hint.endswith('?') else ''}")
