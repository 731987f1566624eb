"""What friction in ideal joints and threads does, as variables of `Result.data`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.friction import Ambrosio, BengisuAkay, Coulomb, LuGre, Stribeck, Threlfall

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

AT_REST = 1e-9  # sliding that set-valued friction leaves to rounding [m/s]
STANDS_FOR_STICKING: dict[type, tuple[str, float]] = {  # speeds below which a smooth law does, of one of its fields
    Coulomb: ("velocity_tolerance", 4.0),
    Stribeck: ("velocity_tolerance", 4.0),
    Threlfall: ("velocity_tolerance", 1.0),
    Ambrosio: ("upper_speed", 1.0),
    BengisuAkay: ("peak_speed", 1.0),
}


def friction_variables(equations: Equations, states: np.ndarray, told: np.ndarray) -> tuple[dict[str, Any], dict]:
    """Variables and coordinates; `told` is (samples, lines, columns). Nothing where nothing rubs."""
    from gudgeon.kernels.dynamics.arrays import REPORT_NORMAL, REPORT_OWN, REPORT_POWER, REPORT_RATE

    rubs, lines = equations.compliant.rubs, equations.model.rubbing
    if not rubs:
        return {}, {}
    names, units, efforts = [], [], []
    for rub, line in zip(rubs, lines, strict=True):
        for name, unit, levers in rub.efforts:
            names.append(name)
            units.append(unit)
            efforts.append(told[:, line, REPORT_OWN : REPORT_OWN + len(levers)] @ np.array(levers))
    speed = told[:, lines, REPORT_RATE]
    by_rub = ("time", "rubbing")
    variables = {
        "friction_effort": (
            ("time", "rubbing_coordinate"),
            np.array(efforts).T,
            {"units": "N*m or N", "long_name": "torque or force of friction in an ideal joint, on the child"},
        ),
        "friction_load": (
            by_rub,
            told[:, lines, REPORT_NORMAL],
            {"units": "N", "long_name": "sum of the normal forces that press the surfaces of an ideal joint together"},
        ),
        "friction_power": (by_rub, told[:, lines, REPORT_POWER], {"units": "W", "long_name": "power lost by friction"}),
        "sliding_speed": (by_rub, speed, {"units": "m/s", "long_name": "speed of the surfaces of an ideal joint"}),
        "sticking": (
            by_rub,
            np.array([_sticks(equations, k, speed[:, k], states) for k in range(len(rubs))]).T,
            {"units": "1", "long_name": "1 while the surfaces stick, or creep where the law is smooth, else 0"},
        ),
    }
    return variables, {
        "rubbing": np.array([rub.name for rub in rubs], dtype=str),
        "rubbing_coordinate": np.array(names, dtype=str),
        "rubbing_unit": ("rubbing_coordinate", np.array(units, dtype=str)),
    }


def _sticks(equations: Equations, k: int, speed: np.ndarray, states: np.ndarray) -> np.ndarray:
    """1 where rub k sticks; nan where a user's law does not say below which speed that is."""
    from gudgeon.kernels.dynamics.arrays import BRISTLE

    law = equations.compliant.rubs[k].friction
    if isinstance(law, LuGre):
        first = int(equations.model.compliant[equations.model.rubbing[k], BRISTLE])
        count = equations.compliant.rubs[k].directions
        bent = law.bristle_stiffness * np.linalg.norm(states[:, first : first + count], axis=1)
        return (bent < 0.999 * law.kinetic).astype(float)
    if isinstance(law, DryFriction):
        return (speed < AT_REST).astype(float)
    if type(law) not in STANDS_FOR_STICKING:
        return np.full(len(speed), np.nan)
    field, times = STANDS_FOR_STICKING[type(law)]
    return (speed < times * getattr(law, field)).astype(float)
