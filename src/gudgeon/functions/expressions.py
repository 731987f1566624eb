"""Functions of time given as text, such as "6*sin(pi/6*t)": read, evaluated, differentiated (translated: postfix.py).

An expression is a nested tuple (operator, argument, …):

    ("number", 2.0)   ("t",)   ("pow", a, b)   ("sin", a) …   ("if", ("<", a, b), then, otherwise)
    ("signal", name)  a quantity of the motion, in a program ("slot", its place among the signals)
    ("add", a, b, …)  the sum from left to right, a − b being ("add", a, ("neg", b))
    ("mul", a, b, …)  the product from left to right, a / b being ("mul", a, ("inv", b))

so sums and products stay flat however long they are, and give the number that Python would compute from the
text. `grammar.py` says what may be written; the text is never run as Python code.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.functions.grammar import read

Expression = tuple[Any, ...]

LEAVES = ("number", "t", "signal", "slot")
_T: Expression = ("t",)
_ZERO: Expression = ("number", 0.0)
_ONE: Expression = ("number", 1.0)
_TWO: Expression = ("number", 2.0)
_MINUS_ONE: Expression = ("number", -1.0)

# f′ of each function of one argument, here written t; sign, floor and step have jumps, which are left out
_SLOPES = {
    "sin": "cos(t)",
    "cos": "-sin(t)",
    "tan": "1 + tan(t)**2",
    "asin": "1/sqrt(1 - t**2)",
    "acos": "-1/sqrt(1 - t**2)",
    "atan": "1/(1 + t**2)",
    "sinh": "cosh(t)",
    "cosh": "sinh(t)",
    "tanh": "1 - tanh(t)**2",
    "exp": "exp(t)",
    "log": "1/t",
    "sqrt": "0.5/sqrt(t)",
    "abs": "sign(t)",
    "sign": "0",
    "floor": "0",
    "step": "0",
}


def parse(text: str, *, signals: bool = False) -> Expression:
    """The expression written in `text`, its constant parts computed, or a `ModelError`; of t alone, or of signals."""
    if not isinstance(text, str):
        raise ModelError(f"expression is {text!r}; give text such as '6*sin(pi/6*t)'")
    try:
        return _fold(read(text, signals=signals))
    except ModelError as error:
        shown = text if len(text) <= 80 else text[:79] + "…"
        raise ModelError(f"expression {shown!r}: {error}") from None


def constant(expression: Expression) -> float | None:
    """Its value if t does not occur in it, otherwise None."""
    return expression[1] if expression[0] == "number" else None


# --- value --------------------------------------------------------------------------------------------------


def evaluate(expression: Expression, t: float) -> float:
    """Its value at time t, with IEEE 754 arithmetic: 1/0 is inf, sqrt(-1) is nan, exp(1000) is inf."""
    op, *arguments = expression
    if op == "number":
        return arguments[0]
    if op == "t":
        return float(t)
    if op in LEAVES:  # only a motion knows
        return math.nan
    if op == "if":
        return evaluate(arguments[1] if evaluate(arguments[0], t) else arguments[2], t)
    if op == "mul":
        product = evaluate(arguments[0], t)
        for factor in arguments[1:]:
            if factor[0] == "inv":
                product = _apply("div", product, evaluate(factor[1], t))
            else:
                product *= evaluate(factor, t)
        return product
    return _apply(op, *[evaluate(argument, t) for argument in arguments])


def _sum(*terms: float) -> float:  # sum() would compensate for rounding, which the machine does not
    return functools.reduce(operator.add, terms)


def _min(a: float, b: float) -> float:
    return a if a <= b or a != a else b


def _max(a: float, b: float) -> float:
    return a if a >= b or a != a else b


def _sign(x: float) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x


def _step(x: float) -> float:
    return 0.0 if x < 0.0 else 1.0 if x >= 0.0 else x


# what Python computes, and its twin in numpy for arguments at which Python raises but IEEE gives inf or nan
_OPERATORS: dict[str, tuple[Callable, Callable]] = {
    "add": (_sum, _sum),
    "neg": (operator.neg, np.negative),
    "div": (operator.truediv, np.divide),
    "inv": (lambda x: 1.0 / x, np.reciprocal),
    "pow": (math.pow, np.power),
    "<": (operator.lt, np.less),
    "<=": (operator.le, np.less_equal),
    ">": (operator.gt, np.greater),
    ">=": (operator.ge, np.greater_equal),
    "sin": (math.sin, np.sin),
    "cos": (math.cos, np.cos),
    "tan": (math.tan, np.tan),
    "asin": (math.asin, np.arcsin),
    "acos": (math.acos, np.arccos),
    "atan": (math.atan, np.arctan),
    "atan2": (math.atan2, np.arctan2),
    "sinh": (math.sinh, np.sinh),
    "cosh": (math.cosh, np.cosh),
    "tanh": (math.tanh, np.tanh),
    "exp": (math.exp, np.exp),
    "log": (math.log, np.log),
    "sqrt": (math.sqrt, np.sqrt),
    "abs": (abs, np.abs),
    "sign": (_sign, _sign),
    "min": (_min, _min),
    "max": (_max, _max),
    "floor": (np.floor, np.floor),
    "step": (_step, _step),
}


def _apply(op: str, *values: float) -> float:
    python, ieee = _OPERATORS[op]
    try:
        return float(python(*values))
    except (ValueError, OverflowError, ZeroDivisionError):
        with np.errstate(all="ignore"):
            return float(ieee(*values))


def _fold(expression: Expression) -> Expression:
    """The same with every part free of t computed, from left to right; such a part must be finite."""
    op, *arguments = expression
    if op in LEAVES:
        return expression
    arguments = [_fold(a) if a[0] != "inv" else ("inv", _fold(a[1])) for a in arguments]
    if ("inv", _ZERO) in arguments:
        raise ModelError("it divides by zero; constants must be finite")
    if op in ("add", "mul"):
        while len(arguments) > 1 and _is_number(arguments[0]) and _is_number(arguments[1]):
            arguments[:2] = [_finite((op, *arguments[:2]))]
        return (op, *arguments) if len(arguments) > 1 else arguments[0]
    if op == "if" and _is_number(arguments[0]):
        return arguments[1] if arguments[0][1] else arguments[2]
    if op != "if" and all(map(_is_number, arguments)):
        return _finite((op, *arguments))
    return (op, *arguments)


def _is_number(expression: Expression) -> bool:
    return expression[0] == "number" or (expression[0] == "inv" and expression[1][0] == "number")


def _finite(expression: Expression) -> Expression:
    value = evaluate(expression, 0.0)
    if not math.isfinite(value):
        raise ModelError(f"a constant part of it is {value}; constants must be finite")
    return ("number", value)


# --- derivative ---------------------------------------------------------------------------------------------


def derivative(expression: Expression) -> Expression:
    """d/dt, simplified; piecewise where the expression is, without the impulses at its jumps.

    (a**b)′ is b a**(b−1) a′ where b does not change (a may be negative), a**b (b′ log a + b a′/a) otherwise.
    """
    op, *arguments = expression
    if op == "t":
        return _ONE
    if op == "number":
        return _ZERO
    if op in LEAVES:
        raise ModelError("it depends on the motion, which cannot be differentiated here; give an expression in t")
    if op == "if":
        return _if(arguments[0], derivative(arguments[1]), derivative(arguments[2]))
    slopes = list(map(derivative, arguments))
    if all(slope == _ZERO for slope in slopes):
        return _ZERO
    a, da, b, db = arguments[0], slopes[0], arguments[-1], slopes[-1]
    if op == "add":
        return _add(*slopes)
    if op == "mul":
        return _product_slope(arguments, slopes)
    if op == "neg":
        return _mul(_MINUS_ONE, da)
    if op == "inv":
        return _mul(_MINUS_ONE, da, expression, expression)
    if op == "pow" and db == _ZERO:
        return _mul(b, _pow(a, _add(b, _MINUS_ONE)), da)
    if op == "pow":
        return _mul(expression, _add(_mul(db, _log(a)), _mul(b, da, ("inv", a))))
    if op == "min":
        return _if(("<=", a, b), da, db)
    if op == "max":
        return _if((">=", a, b), da, db)
    if op == "atan2":
        return _mul(
            _add(_mul(b, da), _mul(_MINUS_ONE, a, db)),
            ("inv", _add(_pow(a, _TWO), _pow(b, _TWO))),
        )
    return _mul(_substitute(_slope(op), a), da)


@functools.cache
def _slope(name: str) -> Expression:
    return parse(_SLOPES[name])


def _substitute(expression: Expression, t: Expression) -> Expression:
    """The expression with `t` in place of the time."""
    return replaced(expression, lambda leaf: t if leaf == _T else leaf)


def replaced(expression: Expression, by: Callable[[Expression], Expression]) -> Expression:
    """The expression with `by` of every leaf: number, t, signal."""
    if expression[0] in LEAVES:
        return by(expression)
    return (expression[0], *[replaced(argument, by) for argument in expression[1:]])


def signals_in(expression: Expression) -> Iterator[str]:
    """The names of the signals in an expression, as they come."""
    if expression[0] == "signal":
        yield expression[1]
    elif expression[0] not in LEAVES:
        for argument in expression[1:]:
            yield from signals_in(argument)


def _product_slope(factors: list[Expression], slopes: list[Expression]) -> Expression:
    """(a b)′ = a′ b + a b′ by halves: n factors make n log n terms, not n²."""
    if len(factors) == 1:
        return slopes[0]
    half = len(factors) // 2
    left, right = factors[:half], factors[half:]
    return _add(
        _mul(_product_slope(left, slopes[:half]), *right),
        _mul(*left, _product_slope(right, slopes[half:])),
    )


def _parts(kind: str, arguments: tuple[Expression, ...]) -> Iterator[Expression]:
    """The arguments of a sum or product, those of nested ones included, a negative factor as −1 times it."""
    for argument in arguments:
        if argument[0] == kind:
            yield from _parts(kind, argument[1:])
        elif argument[0] == "neg" and kind == "mul":
            yield _MINUS_ONE
            yield from _parts(kind, argument[1:])
        else:
            yield argument


def _add(*terms: Expression) -> Expression:
    total, rest = 0.0, []
    for term in _parts("add", terms):
        if term[0] == "number":
            total += term[1]
        else:
            rest.append(term)
    if total != 0.0 or not rest:
        rest.append(("number", total))
    return ("add", *rest) if len(rest) > 1 else rest[0]


def _mul(*factors: Expression) -> Expression:
    coefficient, rest = 1.0, []
    for factor in _parts("mul", factors):
        if _is_number(factor):
            coefficient *= evaluate(factor, 0.0)
        else:
            rest.append(factor)
    if coefficient == 0.0:
        return _ZERO
    rest.sort(key=lambda factor: factor[0] == "inv")
    if abs(coefficient) != 1.0 or not rest:
        return ("mul", ("number", coefficient), *rest) if rest else ("number", coefficient)
    product = ("mul", *rest) if len(rest) > 1 else rest[0]
    return product if coefficient == 1.0 else ("neg", product)


def _pow(a: Expression, b: Expression) -> Expression:
    if b in (_ZERO, _ONE):
        return a if b == _ONE else _ONE
    return ("pow", a, b)


def _log(a: Expression) -> Expression:
    return ("number", _apply("log", a[1])) if a[0] == "number" else ("log", a)


def _if(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    return then if then == otherwise else ("if", test, then, otherwise)
