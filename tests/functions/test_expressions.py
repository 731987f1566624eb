"""Expressions: compiled equals Python, derivatives equal the textbook, nothing but mathematics is let in."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gudgeon.errors import ModelError
from gudgeon.functions.expressions import constant, derivative, evaluate, parse
from gudgeon.functions.grammar import ARGUMENT_COUNTS
from gudgeon.functions.postfix import postfix
from gudgeon.kernels.functions.opcodes import STACK_SIZE
from gudgeon.kernels.functions.stack_machine import run

ONE_ARGUMENT = [name for name, count in ARGUMENT_COUNTS.items() if count == 1]
TWO_ARGUMENTS = [name for name, count in ARGUMENT_COUNTS.items() if count == 2]
OPERATORS = ["+", "-", "*", "/", "**"]


def compiled(expression, t: float) -> float:
    program = postfix(expression)
    ops = np.array([op for op, _ in program])
    operands = np.array([operand for _, operand in program])
    addresses = np.zeros(len(program), dtype=np.int64)
    return run(ops, operands, addresses, 0, len(program), t, np.full(STACK_SIZE, math.nan), np.zeros(0), np.zeros(0))


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-300)


def combinations(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.builds(lambda f, a: f"{f}({a})", st.sampled_from(ONE_ARGUMENT), inner),
        st.builds(lambda f, ab: f"{f}({ab[0]}, {ab[1]})", st.sampled_from(TWO_ARGUMENTS), pair),
        st.builds(lambda op, ab: f"({ab[0]}){op}({ab[1]})", st.sampled_from(OPERATORS), pair),
        st.builds(lambda op, ab: f"{ab[0]}{op}{ab[1]}", st.sampled_from(OPERATORS), pair),
        st.builds(lambda a: f"-({a})", inner),
        st.builds(
            lambda op, ab, cd: f"({ab[0]} if {cd[0]} {op} {cd[1]} else {ab[1]})",
            st.sampled_from(["<", "<=", ">", ">="]),
            pair,
            pair,
        ),
    )


leaves = st.sampled_from(["t", "t", "pi", "e", "2", "0.5", "1e-3", "3", "0", "1e200"])
texts = st.recursive(leaves, combinations, max_leaves=10)
times = st.floats(-4.0, 4.0) | st.sampled_from([0.0, 1.0, -1.0, 0.5])


@settings(max_examples=300, deadline=None)
@given(texts, times)
def test_compiled_equals_python(text, t):
    try:
        expression = parse(text)
    except ModelError as error:
        assume("finite" not in str(error) and "characters" not in str(error))
        raise
    for _ in range(3):
        assert same(compiled(expression, t), evaluate(expression, t))
        expression = derivative(expression)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-t**2", -4.0),
        ("2**-t", 0.25),
        ("2**3**t", 512.0),
        ("12/t*3/2-1-2+t", 8.0),
        ("12/(t*3)", 2.0),
        ("t-(1-t)", 3.0),
        ("1 if t > 2 else 2 if t >= 2 else 3", 2.0),
        ("1 if 1 < 2 else t", 1.0),
        ("min(t, 3) + max(t, 3) + atan2(0, t)", 5.0),
        ("step(t-2) + step(t-2.1) + sign(-t) + floor(-t/4)", -1.0),
        ("+t - -t", 4.0),
        (" 1e3 + 0x10 + 1_000 ", 2016.0),
        ("pi/pi*e", math.e),
    ],
)
def test_reads_as_python_does(text, value):
    assert evaluate(parse(text), 2.0) == value == compiled(parse(text), 2.0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/t", math.inf),
        ("-1/t", -math.inf),
        ("t/t", math.nan),
        ("sqrt(t-1)", math.nan),
        ("log(t-1)", math.nan),
        ("log(t)", -math.inf),
        ("exp(1000+t)", math.inf),
        ("sinh(t-1000)", -math.inf),
        ("(t-2)**1023*(t+1e300)", -math.inf),
        ("t**-1", math.inf),
        ("(t-8)**(1/3)", math.nan),
        ("sin(1/t)", math.nan),
        ("floor(1/t)", math.inf),
        ("min(1, t/t)", math.nan),
        ("max(t/t, 1)", math.nan),
        ("1 if t <= 0 else sqrt(t-1)", 1.0),
        ("1/t if t > 0 else 1", 1.0),
        ("1 if t/t < 1 else 2", 2.0),
    ],
)
def test_ieee_arithmetic_at_t_0(text, value):
    assert same(evaluate(parse(text), 0.0), value)
    assert same(compiled(parse(text), 0.0), value)


def test_an_expression_is_plain_data():
    expression = parse("6*sin(pi/6*t) if t < 3 else 0")
    assert pickle.loads(pickle.dumps(expression)) == expression == parse("6 * sin(pi/6*t) if t<3 else 0")
    assert hash(expression) == hash(parse("6*sin(pi/6*t) if t < 3 else 0"))
    assert constant(expression) is None
    assert constant(parse("2*pi/4")) == math.pi / 2


def test_a_long_sum_or_case_distinction_is_not_deep():
    series = "+".join(f"{k}*sin({k}*t)" for k in range(1, 70))
    exact = sum(k * math.sin(k * 0.3) for k in range(1, 70))
    assert evaluate(parse(series), 0.3) == pytest.approx(exact, rel=1e-12)
    assert compiled(derivative(derivative(parse(series))), 0.0) == 0.0
    table = " else ".join(f"{k}*t if t<{k}" for k in range(1, 51)) + " else 0"
    assert [compiled(parse(table), t) for t in (0.5, 30.5, 60.0)] == [0.5, 31 * 30.5, 0.0]
    horner = "1+t*(" * 20 + "1" + ")" * 20
    assert compiled(parse(horner), 0.5) == 2.0 - 0.5**20


# --- derivatives --------------------------------------------------------------------------------------------

CLOSED_FORMS = [  # f, f′, f″
    ("3", "0", "0"),
    ("6*sin(pi/6*t)", "pi*cos(pi/6*t)", "-pi**2/6*sin(pi/6*t)"),
    ("5000*2*pi/60*t", "5000*2*pi/60", "0"),
    ("(t-2)**3", "3*(t-2)**2", "6*(t-2)"),
    ("(t-2)**-1", "-(t-2)**-2", "2*(t-2)**-3"),
    ("t**2.5", "2.5*t**1.5", "3.75*t**0.5"),
    ("2**t", "log(2)*2**t", "log(2)**2*2**t"),
    ("t**t", "t**t*(log(t)+1)", "t**t*((log(t)+1)**2+1/t)"),
    ("e**(-t/3)", "-exp(-t/3)/3", "exp(-t/3)/9"),
    ("tan(t)", "1/cos(t)**2", "2*sin(t)/cos(t)**3"),
    ("asin(t/2)", "1/sqrt(4-t**2)", "t/(4-t**2)**1.5"),
    ("acos(t/2)", "-1/sqrt(4-t**2)", "-t/(4-t**2)**1.5"),
    ("atan(t)", "1/(1+t*t)", "-2*t/(1+t*t)**2"),
    ("sinh(2*t)", "2*cosh(2*t)", "4*sinh(2*t)"),
    ("tanh(t)", "1/cosh(t)**2", "-2*tanh(t)/cosh(t)**2"),
    ("log(t)", "1/t", "-1/t**2"),
    ("sqrt(t)", "0.5*t**-0.5", "-0.25*t**-1.5"),
    ("t*exp(t)/(1+t)", "exp(t)*(t*t+t+1)/(1+t)**2", "exp(t)*(t**3+2*t**2+3*t)/(1+t)**3"),
    ("t*t*t*t/t", "3*t*t", "6*t"),
    ("atan2(sin(3*t), cos(3*t))", "3", "0"),
    ("abs((t-1)**3)", "sign(t-1)*3*(t-1)**2", "6*abs(t-1)"),
    ("min(t**2, t)", "2*t if t < 1 else 1", "2 if t < 1 else 0"),
    ("max(t**2, t)", "2*t if t > 1 else 1", "2 if t > 1 else 0"),
    ("floor(5*t)*t**2 + sign(t) + step(t-1)", "2*floor(5*t)*t", "2*floor(5*t)"),
    ("t**2 if t < 1 else 1/t", "2*t if t < 1 else -1/t**2", "2 if t < 1 else 2/t**3"),
    ("(-t)**floor(t+2)", "-floor(t+2)*(-t)**floor(t+1)", "floor(t+2)*floor(t+1)*(-t)**floor(t)"),
]


@pytest.mark.parametrize("text,first,second", CLOSED_FORMS)
@pytest.mark.parametrize("t", [0.13, 0.71, 1.37])
def test_derivatives_in_closed_form(text, first, second, t):
    rate = derivative(parse(text))
    assert evaluate(rate, t) == pytest.approx(evaluate(parse(first), t), rel=1e-12, abs=1e-13)
    assert evaluate(derivative(rate), t) == pytest.approx(evaluate(parse(second), t), rel=1e-11, abs=1e-12)


def smooth_combinations(inner):
    one = (
        "sin(%s)",
        "tanh(%s)",
        "atan(%s)",
        "sqrt(1+(%s)**2)",
        "exp(cos(%s))",
        "log(3+sin(%s))",
        "acos(sin(%s)/2)",
    )
    two = (
        "(%s)+(%s)",
        "(%s)-(%s)",
        "(%s)*(%s)",
        "(%s)/(2+cos(%s))",
        "(2+sin(%s))**cos(%s)",
        "atan2(%s,2+sin(%s))",
    )
    return st.one_of(
        st.builds(lambda f, a: f % a, st.sampled_from(one), inner),
        st.builds(lambda f, a, b: f % (a, b), st.sampled_from(two), inner, inner),
    )


smooth_texts = st.recursive(st.sampled_from(["t", "2*t", "1-t", "t**3", "0.5"]), smooth_combinations, max_leaves=5)


@settings(max_examples=100, deadline=None)
@given(smooth_texts, st.floats(-1.0, 1.0))
def test_derivatives_by_finite_differences(text, t):
    """The central difference of order 8 with h = 2e-3, of f for f′ and of f′ for f″."""
    h, weights = 2e-3, (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    f = parse(text)
    for _ in range(2):
        values = [(evaluate(f, t + k * h), evaluate(f, t - k * h)) for k in (1, 2, 3, 4)]
        difference = sum(w * (right - left) for w, (right, left) in zip(weights, values, strict=True)) / h
        scale = 1.0 + max(abs(x) for pair in values for x in pair)
        f = derivative(f)
        assert evaluate(f, t) == pytest.approx(difference, rel=1e-7, abs=1e-7 * scale)


# --- what is not let in -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("__import__('os')", "unknown function '__import__'"),
        ("t.__class__", "'t.__class__' is not allowed"),
        ("(lambda: 0)()", "'(lambda: 0)()' is not allowed"),
        ("lambda: 0", "'lambda: 0' is not allowed"),
        ("math.sin(t)", "write sin(t)"),
        ("[1]", "'[1]' is not allowed"),
        ("(t, 1)", "'(t, 1)' is not allowed"),
        ("[x for x in t]", "not allowed"),
        ("t[0]", "'t[0]' is not allowed"),
        ('"a"', "\"'a'\" is not allowed"),
        ("f'{t}'", "not allowed"),
        ("(x := t)", "not allowed"),
        ("True", "'True' is not allowed"),
        ("None", "'None' is not allowed"),
        ("1j", "'1j' is not allowed"),
        ("sin(x=t)", "by position"),
        ("sin(*t)", "by position"),
        ("eval", "unknown name 'eval'"),
        ("eval('t')", "unknown function 'eval'"),
        ("sinn(t)", "unknown function 'sinn'; did you mean 'sin'?"),
        ("ln(t)", "did you mean 'log'?"),
        ("2*time", "unknown name 'time'; did you mean 't'?"),
        ("sin", "'sin' is a function; write sin(t)"),
        ("sin(t, t)", "'sin' has 2 arguments; it takes one argument"),
        ("atan2(t)", "'atan2' has 1 arguments; it takes two arguments"),
        ("t^2", "write ** for a power"),
        ("t % 2", "floor(a/b)"),
        ("2(t)", "* for a product"),
        ("2t", "write 2*t, not 2t"),
        ("t < 1", "the test of 'a if t < 1 else b'"),
        ("1 if t else 2", "one comparison"),
        ("1 if 0 < t < 1 else 2", "one comparison"),
        ("1 if t == 1 else 2", "one comparison"),
        ("1 if t > 0 and t < 1 else 2", "nest two conditionals"),
        ("9**9**9", "a constant part of it is inf; constants must be finite"),
        ("t + sqrt(-1)", "a constant part of it is nan"),
        ("t/(1-1)", "it divides by zero"),
        ("1e999", "a number in it is too large"),
        ("1" * 900, "a number in it is too large"),
        ("1" * 2000, "it has 2000 characters; at most 1000 are allowed"),
        ("(" * 300, "it cannot be read"),
        ("-" * 900 + "t", "nested too deeply"),
        ("sin(" * 80 + "t" + ")" * 80, "nested too deeply; at most 60 levels are allowed"),
        ("t\0", "it c"),
        ("\ud800", "characters that cannot be read"),
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("t +", "it cannot be read: invalid syntax"),
        ("t; t", "it cannot be read"),
        ("import os", "it cannot be read"),
    ],
)
def test_refused(text, wording):
    with pytest.raises(ModelError) as caught:
        parse(text)
    assert str(caught.value).startswith(
        f"expression {text!r}: " if len(text) < 80 else f"expression {text[:40]!r}"[:-1]
    )
    assert wording in str(caught.value)


def test_a_refusal_says_what_is_allowed():
    with pytest.raises(ModelError, match=r"allowed are numbers, t, pi, e, .* and the functions sin, cos, "):
        parse("[t]")


def test_not_a_text():
    with pytest.raises(ModelError, match="expression is 3; give text"):
        parse(3)  # type: ignore[arg-type]


def test_too_much_for_the_machine():
    with pytest.raises(ModelError, match="too deeply nested: it needs 41 intermediate results at once, at most 32"):
        postfix(parse("2**(t**" * 20 + "t" + ")" * 20))
    with pytest.raises(ModelError, match="too long: its program has more than 20000 instructions"):
        postfix(derivative(derivative(parse("*".join("t" * 500)))))


def test_a_constant_is_part_of_the_instruction_that_takes_it():
    """t, + c, · c, t, · c, −: the six that a spring and damper need; the same numbers come out."""
    expression = parse("-4*(t - 0.3) - 0.1*t")
    assert len(postfix(expression)) == 6
    for t in (0.0, 0.3, -1.7, 1e300):
        assert compiled(expression, t) == -4 * (t - 0.3) - 0.1 * t
