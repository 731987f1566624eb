"""What the parts of joints do over time (lands, collars, walls): the outputs that their elements declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def part_variables(equations: Equations, told: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
    """Variables of dimensions time and part from (samples, lines, columns) `told`, and the names "joint:part".

    NaN where a part has no such output.
    """
    from gudgeon.kernels.dynamics.arrays import REPORT_OWN
    from gudgeon.kernels.elements.table import NAMED

    names, variables = equations.compliant.names, {}
    parts = {k: part for k in range(len(names)) if (part := equations.compliant.part(k)) is not None}
    for place, (k, part) in enumerate(parts.items()):
        for column, output in enumerate(NAMED[part.element].outputs):
            if output.name not in variables:
                values = np.full((len(told), len(parts)), np.nan)
                attributes: dict[str, Any] = {"units": output.unit, "long_name": output.meaning}
                if output.flags:
                    attributes |= {"flag_values": np.arange(len(output.flags)), "flag_meanings": " ".join(output.flags)}
                variables[output.name] = (("time", "part"), values, attributes)
            variables[output.name][1][:, place] = told[:, k, REPORT_OWN + column]
    labels = [f"{names[k]}:{part.name}" for k, part in parts.items()]
    return variables, {"part": np.array(labels, dtype=str)} if variables else {}
