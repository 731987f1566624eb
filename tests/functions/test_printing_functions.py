"""Functions of a user that print: what is printed appears, the first time they are compiled and when read from disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gudgeon
from gudgeon.solvers.sampling import PROBES

SCRIPT = """
import gudgeon as gd

def push(t):
    print("push", t)
    return 1.0

def angle(t):
    print("angle", t)
    return 0.1 * t

def rate(t):
    return 0.1

def acceleration(t):
    return 0.0

def contact(delta, ddelta):
    print("contact", delta)
    return 1e8 * delta

def friction(speed, normal_force):
    print("friction", speed)
    return 0.1 * normal_force * speed / (speed + 1e-3)

dry = gd.Dry(socket_radius=0.01, ball_radius=0.0099, contact=contact, friction=friction)
system = gd.System(
    gravity=(0.0, 0.0, -9.81),
    bodies={
        "arm": gd.Body(mass=1.0, inertia=(1, 1, 1)),
        "bob": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0)),
    },
    joints={
        "pin": gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 1, 0)),
        "ball": gd.Spherical("ground", "bob", at=(0, 0, -0.9), model=dry),
    },
    loads={"push": gd.Force("bob", (push, 0, 0))},
    drives={"turn": gd.Drive("pin", angle, rate=rate, acceleration=acceleration)},
    start={"bob": gd.BodyState(position=(1e-4, 0.0, -1.0), orientation=(1, 0, 0, 0), velocity=(0.01, 0.1, 0))},
)
print("RUN", flush=True)
gd.simulate(system, 1e-3)
print("DONE", flush=True)
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[subprocess.CompletedProcess]:
    folder = tmp_path_factory.mktemp("printing")
    script = folder / "printing.py"
    script.write_text(SCRIPT)
    package = str(Path(gudgeon.__file__).parent.parent)
    command = [sys.executable, str(script)]
    environment = os.environ | {"PYTHONPATH": package, "PYTHONUNBUFFERED": "1"}
    return [
        subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        for _ in range(2)
    ]


@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "read from disk"])
def test_what_functions_print_appears_and_the_run_ends(runs, which):
    done = runs[which]
    assert done.returncode == 0, done.stderr
    assert "DONE" in done.stdout
    assert "Environment" not in done.stderr
    ran = done.stdout[done.stdout.index("RUN") : done.stdout.index("DONE")]
    for word, in_python in (("push", PROBES), ("angle", PROBES), ("contact", 0), ("friction", 0)):
        assert ran.count(word) > in_python, f"{word} is not printed by compiled code"


def test_both_runs_print_the_same(runs):
    assert runs[0].stdout == runs[1].stdout
