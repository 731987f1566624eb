"""Digests of descriptions tell functions apart by what they do."""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest

import gudgeon as gd
from gudgeon.solvers.state_key import key_of, state_key

SCALE = 1.0


def position(result):
    return {"x": float(result.data.position.values[-1, 0, 2])}


def scaled(result, factor=2.0):
    return {"x": SCALE * factor * helper(result)}


def helper(result):
    return 1.0


def made(source, name="f"):
    """A function as a script would define it."""
    place = {"__name__": "script"}
    exec(compile(source, "script.py", "exec"), place)  # the test's own text
    return place[name]


CHANGES = {
    "a name": ("def f(r): return r.data.position", "def f(r): return r.data.velocity"),
    "a constant": ("def f(r): return 1.0", "def f(r): return 2.0"),
    "a default": ("def f(r, q=1): return q", "def f(r, q=2): return q"),
    "a keyword's default": ("def f(r, *, q=1): return q", "def f(r, *, q=2): return q"),
    "a global": ("G = 1\ndef f(r): return G", "G = 2\ndef f(r): return G"),
    "a helper": ("def h(r): return 1\ndef f(r): return h(r)", "def h(r): return 2\ndef f(r): return h(r)"),
    "within": ("def f(r): return [r.a for _ in r]", "def f(r): return [r.b for _ in r]"),
    "an argument": ("def f(s__displacement): return 1.0", "def f(s__displacement_rate): return 1.0"),
    "a method": ("class f:\n def g(self): return 1", "class f:\n def g(self): return 2"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_functions_that_differ_in(change):
    one, two = CHANGES[change]
    assert key_of(made(one)) == key_of(made(one))
    assert key_of(made(one)) != key_of(made(two))


def test_globals_count_as_they_are_now(monkeypatch):
    before = key_of(scaled)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert key_of(scaled) != before
    monkeypatch.setitem(globals(), "SCALE", 1.0)
    assert key_of(scaled) == before
    monkeypatch.setitem(globals(), "helper", position)
    assert key_of(scaled) != before


def test_partial_functions_and_methods():
    assert key_of(partial(scaled, factor=2.0)) == key_of(partial(scaled, factor=2.0))
    assert key_of(partial(scaled, factor=2.0)) != key_of(partial(scaled, factor=4.0))
    assert key_of([1, 2].append) == key_of([1, 2].append)


def closure(value):
    def pull(s__displacement):
        return -100.0 * value(s__displacement)

    return pull


@pytest.mark.parametrize(
    "value", [math.sin, np.sin, {"q", "s"}, 1j, ..., pd.DataFrame({"a": [1.0]}), np.array([None, 1], dtype=object)]
)
def test_whatever_a_function_holds_has_a_digest(value):
    assert key_of(closure(value)) == key_of(closure(value)) != key_of(closure(math.cos))


def test_functions_that_call_themselves():
    assert key_of(made("def f(n): return f(n - 1)")) == key_of(made("def f(n): return f(n - 1)"))


def test_what_cannot_be_told_equals_nothing(tmp_path):
    with (tmp_path / "open").open("w") as file:
        assert key_of(closure(file)) != key_of(closure(file))


def slide(value):
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"b": gd.Body(mass=1.0, inertia=(1, 1, 1), velocity=(0, 0, 1.0))},
        joints={"s": gd.Prismatic("ground", "b", at=(0, 0, 0))},
        loads={"f": gd.JointForce("s", value)},
    )


def test_runs_with_closures_over_functions_are_saved_and_told_apart(tmp_path):
    sine, cosine = slide(closure(math.sin)), slide(closure(math.cos))
    result = gd.simulate(sine, 0.01)
    result.save(tmp_path / "run.nc")
    assert result.state().time == 0.01
    assert state_key(sine) == state_key(slide(closure(math.sin))) != state_key(cosine)


def test_a_store_whose_reduction_was_changed_is_refused(tmp_path, pool):
    study = {"parameters": {"bodies.b.mass": [1.0]}, "duration": 0.01, "store": tmp_path / "a.zarr", "executor": pool}
    gd.sweep(slide("0"), reduce=made(CHANGES["a constant"][0].replace("1.0", "{'x': 1.0}")), **study)
    with pytest.raises(gd.ModelError, match=r"reduce\.digest is .* in the store and .* here"):
        gd.sweep(slide("0"), reduce=made(CHANGES["a constant"][0].replace("1.0", "{'x': 2.0}")), **study)
