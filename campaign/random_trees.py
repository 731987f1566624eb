"""Random mechanisms of all joint types, with loops, loads and drives, in every solver and both coordinates.

The runs of a mechanism share its equations and nothing of the integration; all must end at the same place.
"""

from __future__ import annotations

import numpy as np

import gudgeon as gd
from outcome import RIGHT, STOPPED, WRONG, Outcome, failed
from patience import simulate
from random_mechanisms import KINDS, LOADS, random_body, random_joint, random_load, with_drives

DURATION = 0.2  # [s]
TIGHT = {"rtol": 1e-9, "atol": 1e-11}
RUNS = {
    "Explicit": ({"solver": gd.Explicit(**TIGHT)}, 0.0),
    "Explicit, relative": ({"solver": gd.Explicit(**TIGHT), "coordinates": "relative"}, 1e-5),
    "Implicit": ({"solver": gd.Implicit(**TIGHT)}, 1e-5),
    "Implicit, relative": ({"solver": gd.Implicit(**TIGHT), "coordinates": "relative"}, 1e-5),
    "Sundials": ({"solver": gd.Sundials(**TIGHT)}, 1e-5),
    "TimeStepping": ({"solver": gd.TimeStepping(step=1e-3, rtol=1e-7)}, 1e-3),
}  # how far each may be from the first [m]


def random_mechanism(rng: np.random.Generator) -> gd.System:
    """Up to six bodies in a tree, up to two loops, loads of every kind, up to two drives."""
    names, parts, joints = ["ground"], {}, {}
    for k in range(int(rng.integers(1, 7))):
        parts[f"b{k}"] = random_body(rng)
        joints[f"j{k}"] = random_joint(rng, KINDS[rng.integers(len(KINDS))], str(rng.choice(names)), f"b{k}")
        names.append(f"b{k}")
    for k in range(int(rng.integers(0, 3))):
        one, two = (str(name) for name in rng.choice(names, 2, replace=False))
        joints[f"loop {k}"] = random_joint(rng, KINDS[rng.integers(len(KINDS))], one, two)
    system = gd.System(gravity=tuple(3.0 * rng.normal(size=3)), bodies=parts, joints=joints)
    loads = {f"load {k}": random_load(rng, system, LOADS[rng.integers(len(LOADS))]) for k in range(rng.integers(4))}
    system = system.replace(loads={name: load for name, load in loads.items() if load is not None})
    return with_drives(rng, system, int(rng.integers(0, 3)))


def case(seed: int) -> Outcome:
    """One mechanism in all solvers."""
    rng = np.random.default_rng(seed)
    names = list(RUNS)
    group, ends, worst, notes = "mechanisms", {}, 0.0, []
    try:
        system = random_mechanism(rng)
        for name in names:
            options, _ = RUNS[name]
            try:
                result = simulate(system, DURATION, sample=DURATION, **options)
                ends[name] = result.data.position.values[-1]
            except gd.SimulationError as error:
                notes.append(f"{name}: {error}")
    except BaseException as error:
        return failed(group, error)
    if len(ends) < 2:
        return Outcome(group, STOPPED, note="; ".join(notes))
    first = next(iter(ends))
    for name, end in ends.items():
        apart = float(np.abs(end - ends[first]).max())
        allowed = max(RUNS[name][1], RUNS[first][1])
        if name != first and "TimeStepping" not in (name, first):
            worst = max(worst, apart)
        if apart > allowed:
            return Outcome(group, WRONG, apart, f"{name} ends {apart:.2g} m from {first}")
    return Outcome(group, STOPPED if notes else RIGHT, worst, "; ".join(notes))
