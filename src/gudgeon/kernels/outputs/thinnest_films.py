"""How thick the films of joints are in a state: where they are thinnest."""

from __future__ import annotations

from numba import int64, types, void

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import MODEL, REPORT_FUNCTION, REPORT_OWN, REPORT_PENETRATION, WORK
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion

LINES = types.Array(int64, 1, "C")


@entrance(void(MODEL, WORK, VECTOR, LINES, VECTOR))
def thinnest_films(m, w, y, lines, out):
    """The thickness [m] of each of these films in the state y, not below the smallest, where it goes on as it is.

    Films report it first (elements/table.py), and by how much it is below the smallest as their penetration.
    """
    kinematics(m, w, y)
    for n in range(lines.shape[0]):
        local_motion(m, w, lines[n], y)
        law_force(m, w, lines[n], lines[n], lines[n])
        w.report[:] = 0.0
        call(m.compliant[lines[n], REPORT_FUNCTION], (m, w, lines[n]))
        out[n] = max(w.report[REPORT_OWN], w.report[REPORT_OWN] + w.report[REPORT_PENETRATION])
