"""The named outputs of users' joint models over time, as variables of a result's Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.models.force_model import ForceModel
from gudgeon.models.own_outputs import own_outputs

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations
    from gudgeon.solvers.base import Trajectory


def own_variables(equations: Equations, trajectory: Trajectory) -> dict[str, Any]:
    """Dimensions time and joint; NaN where a joint's model has no such output."""
    outputs, joints = own_outputs(equations.system), list(equations.system.joints)
    times = trajectory.times
    values = {name: np.full((len(times), len(joints)), np.nan) for name in outputs}
    for k, name in enumerate(equations.compliant.names):
        model = equations.system.joints[name].model
        if isinstance(model, ForceModel) and model.outputs:
            told = _told(equations, k, model, np.ascontiguousarray(trajectory.states), times)
            for column, output in enumerate(model.outputs):
                values[output][:, joints.index(name)] = told[:, column]
    return {
        name: (("time", "joint"), array, {"units": outputs[name], "long_name": name.replace("_", " ")})
        for name, array in values.items()
    }


def _told(equations: Equations, k: int, model: ForceModel, states: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(samples, outputs) of the model in line k; its function is asked in plain Python."""
    from gudgeon.kernels.elements.own import motions_seen_by_user

    motion = np.empty((len(states), 12))
    motions_seen_by_user(equations.model, equations.work, k, states, motion)
    told = np.empty((len(states), len(model.outputs)))
    for s, line in enumerate(motion.tolist()):
        try:
            told[s] = model.reported(line[:6], line[6:])
        except ModelError as error:
            label = equations.system.joints[equations.compliant.names[k]].label(equations.compliant.names[k])
            raise ModelError(f"{label}, at t = {times[s]:.6g} s: {error}") from error
    return told
