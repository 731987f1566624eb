"""Things that pass each other, with a first contact known exactly: none may be missed, none may be late.

In all smooth solvers and both coordinates, at tolerances from 1e-10 to 1e-3.
"""

from __future__ import annotations

import numpy as np

import gudgeon as gd
from known_passes import PASSES, begin_of_contact, first_contact
from outcome import RIGHT, WRONG, Outcome, failed
from patience import simulate

ORDER = list(PASSES)


def case(seed: int) -> Outcome:
    """One pass."""
    rng = np.random.default_rng(seed)
    name = ORDER[seed % len(ORDER)]
    rtol = float(10.0 ** rng.uniform(-10.0, -3.0))
    tolerances = {"rtol": rtol, "atol": 1e-2 * rtol}
    solver = (
        gd.Explicit(**tolerances),
        gd.Implicit(**tolerances),
        gd.Sundials(**tolerances, method="Adams"),
        gd.Sundials(**tolerances, method="BDF"),
    )[int(rng.choice(4, p=(0.5, 0.2, 0.15, 0.15)))]
    coordinates = str(rng.choice(["absolute", "relative"]))
    group = f"{name} | {type(solver).__name__}"
    try:
        drawn = PASSES[name](rng)
        begun = begin_of_contact(drawn, simulate, solver=solver, coordinates=coordinates)
    except BaseException as error:
        return failed(group, error)
    early, late = first_contact(drawn, rtol)
    if early <= begun <= late or (begun == np.inf and late == np.inf):
        return Outcome(group, RIGHT)
    return Outcome(group, WRONG, note=f"first contact at {begun:.9g}, should be between {early:.9g} and {late:.9g}")
