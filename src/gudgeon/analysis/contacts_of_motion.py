"""Stops and flanks of a motion that is given: when they touch, and how fast each contact began.

They touch where δ > 0. A contact begins at the zero of the cubic through δ and δ̇ of the two samples around it, and its
δ̇⁽⁻⁾ is the rate of that cubic there; one that is closed at the first sample began with the rate it has there. Contacts
of a run with the same stop or coupling are taken as the run had them.
"""

from __future__ import annotations

import numpy as np

from gudgeon.mechanics.equations import Equations
from gudgeon.results.result import Result
from gudgeon.system import System

HALVINGS = 60  # of the interval between two samples


def contacts_of_motion(
    equations: Equations, times: np.ndarray, states: np.ndarray, result: Result | None = None
) -> np.ndarray:
    """The table of contacts (columns as in kernels/integrators/run.py) of states at `times`, sorted by their begin."""
    from gudgeon.kernels.contact.gaps import depths_at
    from gudgeon.kernels.dynamics.arrays import CONTACT_CALL
    from gudgeon.kernels.elements.lawforms import LARGEST
    from gudgeon.kernels.integrators import run as places

    parts = equations.compliant.parts
    lines = [] if result is None else _had(equations, result)
    known = set() if result is None else _same_parts(equations.system, result)
    followed = [k for k, part in enumerate(parts) if part not in known]
    if followed:
        depths = np.zeros((len(times), len(parts), 2))
        for s, y in enumerate(states):
            depths_at(equations.model, equations.work, y, depths[s])
        for k in followed:
            faster = equations.model.compliant[k, CONTACT_CALL] in LARGEST.values()
            lines += _followed(k, times, *depths[:, k].T, faster=faster)
    table = np.array(lines).reshape(-1, places.CONTACT_TABLE_COLUMNS)
    return table[np.argsort(table[:, places.CONTACT_BEGIN], kind="stable")]


def _same_parts(system: System, result: Result) -> set[str]:
    """Names of the stops and flanks that the run of a Result had, too."""
    if result._source is None or result.system is None or result.stats["solver"] == "kinematics":
        return set()
    before, then = {**result.system.loads, **result.system.couplings}, result._source[0].compliant.parts
    same = {name for name, part in {**system.loads, **system.couplings}.items() if before.get(name) == part}
    return {part for part in then if part.rpartition(" ")[0] in same}


def _had(equations: Equations, result: Result) -> list[np.ndarray]:
    """The contacts that a run had with these stops and flanks."""
    from gudgeon.kernels.integrators.run import CONTACT_LINE

    same, place = _same_parts(equations.system, result), {part: k for k, part in enumerate(equations.compliant.parts)}
    found: list[np.ndarray] = []
    if not same:
        return found
    source = result._source
    assert source is not None
    for line in source[1].contacts:
        part = source[0].contact_parts[int(line[CONTACT_LINE])]
        if part in same and part in place:
            line = line.copy()
            line[CONTACT_LINE] = place[part]
            found.append(line)
    return found


def _followed(k: int, times: np.ndarray, depth: np.ndarray, rate: np.ndarray, *, faster: bool) -> list[np.ndarray]:
    """The contacts of line k, from depth and rate at the samples; `faster`: its law is given the largest so far."""
    from gudgeon.kernels.integrators import run as places

    found: list[np.ndarray] = []

    def line(faster: float, begin: float, speed: float) -> np.ndarray:
        new = np.full(places.CONTACT_TABLE_COLUMNS, np.nan)
        new[places.CONTACT_LINE], new[places.FASTER] = k, faster
        new[places.CONTACT_BEGIN], new[places.CONTACT_SPEED] = begin, speed
        found.append(new)
        return new

    now, fastest = None, 0.0
    for s, touches in enumerate(depth > 0.0):
        if touches and now is None:
            begin, speed = times[s], rate[s]
            if s:
                h = times[s] - times[s - 1]
                x, speed = _entered(depth[s - 1], depth[s], h * rate[s - 1], h * rate[s])
                begin, speed = times[s - 1] + x * h, speed / h
            now, fastest = line(0.0, begin, max(0.0, speed)), max(0.0, speed)
        elif not touches and now is not None:
            h = times[s] - times[s - 1]
            x, _ = _entered(depth[s], depth[s - 1], -h * rate[s], -h * rate[s - 1])
            now[places.CONTACT_END], now = times[s] - x * h, None
        if faster and now is not None and rate[s] > fastest:
            fastest = rate[s]
            line(1.0, times[s], fastest)
    return found


def _entered(a: float, b: float, a_rate: float, b_rate: float) -> tuple[float, float]:
    """Where in 0…1 the cubic from a ≤ 0 to b > 0 changes its sign, and its rate there."""
    low, high = 0.0, 1.0
    quadratic, cubic = 3.0 * (b - a) - 2.0 * a_rate - b_rate, a_rate + b_rate - 2.0 * (b - a)
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        low, high = (low, x) if a + x * (a_rate + x * (quadratic + x * cubic)) > 0.0 else (x, high)
    return high, a_rate + high * (2.0 * quadratic + 3.0 * high * cubic)
