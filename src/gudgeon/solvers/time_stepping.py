"""Nonsmooth time stepping, compiled whole: the solver for sliders with play, true sticking, hard and stiff contacts."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.fem.factor import LARGEST_INVERSE
from gudgeon.quantities import Time
from gudgeon.solvers.base import Solver, Task, Trajectory, settle_tolerances

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from gudgeon.mechanics.equations import Equations
    from gudgeon.mechanics.flexible_nodes import FlexibleNodes
    from gudgeon.mechanics.point_rows import PointRows

FEWEST_STEPS = 8  # that resolve a contact of a dry joint
LONGEST_STEP = 1e-2  # where none is given [s]
MOST_KEPT = 64  # factorisations
MOST_HALVINGS = 16  # of the step, by the step control or where a contact would be stepped over


@dataclass(frozen=True, kw_only=True)
class TimeStepping(Solver):
    """Moreau–Jean time stepping with extrapolation: order two in smooth phases, order one across impacts.

    Friction is set-valued (what sticks does not creep), hard contacts take impulses, and everything stiff (contact
    laws, pins, finite elements with their damping) is implicit with one factorisation for all steps of a size.

    TimeStepping()                     step control with rtol = 1e-4, steps of at most 0.01 s
    TimeStepping(step=1e-3)            constant steps
    TimeStepping(step=1e-2, rtol=1e-6) step control, steps of at most 0.01 s

    With step control one step errs by at most rtol·|q| + atol in positions; steps are halved and doubled. A constant
    step in which a surface point or ball would cross its clearance is halved too, with a warning; so is one in which
    the law of a joint is not met. The forces of contacts and pins in the result are means over the last half step
    before each sample.

    >>> import gudgeon as gd
    >>> gd.TimeStepping().rtol, gd.TimeStepping(step=1e-3).rtol
    (0.0001, None)
    """

    step: Time | None = None  # the longest step [s]
    rtol: float | None = None  # None: constant step [-]
    atol: float = 1e-7  # absolute tolerance [m or rad]

    def __post_init__(self):
        if self.step is None and self.rtol is None:
            object.__setattr__(self, "rtol", 1e-4)
        step = number("TimeStepping", "step", LONGEST_STEP if self.step is None else self.step)
        if step <= 0.0:
            raise ModelError(f"TimeStepping: step is {step:g} s; give a positive number of seconds, such as 1e-3")
        object.__setattr__(self, "step", step)
        if self.rtol is not None:
            settle_tolerances(self)

    def run(self, task: Task) -> Trajectory:
        """Integrate inside compiled code."""
        from gudgeon.kernels.integrators import stepper_arrays as places
        from gudgeon.kernels.integrators import time_stepping
        from gudgeon.solvers.run import fly, take_off

        equations = task.equations
        assert self.step is not None
        step = min(self.step, task.duration)
        level = 0
        if (before := task.remembered) is not None:
            step = float(before["method.control"][places.LONGEST])
            level = int(before["method.count"][places.LEVEL])
        operators = Operators(equations, step)
        flight = take_off(
            task,
            rtol=1e-3,
            atol=1e-9,
            max_step=step,
            first_step=step,
            dense_terms=3,
            keeps_forces=True,
        )
        stepper = self._stepper(task, operators, level)
        count, control = stepper.count, stepper.control
        _recall_contacts(equations, stepper)

        def resized(stepper: Any) -> Any:
            level = int(count[places.WANTED])
            count[places.LEVEL] = level
            h = float(control[places.SHORTER]) or operators.step / 2**level
            return stepper.replaced(whole=operators.of(h), half=operators.of(0.5 * h))

        trajectory = fly(task, flight, time_stepping.advance, stepper, "TimeStepping", resized)
        if trajectory.end == "energy created":
            trajectory.message = f"{control[places.CREATED]:.3g} J"
        if trajectory.end == "joint not solved" and not np.all(np.isfinite(stepper.acceleration)):
            trajectory.end, trajectory.culprit = "not a number", ""  # a load is to blame, not the joint
        if count[places.TOO_LONG] and self.rtol is None:
            warnings.warn(
                f"TimeStepping: a step of {self.step:g} s would carry a slider or ball across its whole clearance; it "
                f"was halved {int(count[places.TOO_LONG])} times. Give a smaller step=, or rtol= for step control",
                stacklevel=4,
            )
        if count[places.FAILURES]:
            warnings.warn(
                f"TimeStepping: in {int(count[places.FAILURES])} steps no state of sticking, sliding and contact was "
                f"found; the largest residual was {control[places.WORST]:.1e} of the largest impulse",
                stacklevel=4,
            )
        briefest = int(count[places.BRIEFEST])
        if 0 < briefest < FEWEST_STEPS and self.rtol is None:
            name = equations.compliant.names[int(count[places.BRIEFEST_JOINT])]
            warnings.warn(
                f"TimeStepping: a contact in {equations.system.joints[name].label(name)} lasted {briefest} steps of "
                f"{self.step:g} s, too few to resolve it; give a smaller step=, rtol= for step control, or use "
                "gd.Implicit()",
                stacklevel=4,
            )
        steps = max(1, trajectory.stats["steps"])
        trajectory.stats |= {
            "step": self.step,
            "second_order_steps": int(count[places.EXTRAPOLATED]),
            "contact_problems": int(count[places.SOLVED]),
            "contact_iterations": int(count[places.ITERATIONS]),
            "impacts_located": int(count[places.IMPACTS]),
            "contact_failures": int(count[places.FAILURES]),
            "contact_residual": float(control[places.WORST]),
            "mean_step": (trajectory.end_time - task.begin) / steps,
        }
        return trajectory

    def _stepper(self, task: Task, operators: Operators, level: int) -> Any:
        from gudgeon.kernels.dynamics.response import PUSHED, Push
        from gudgeon.kernels.integrators import stepper_arrays as places

        equations, points = task.equations, operators.points
        joints, controls = len(equations.compliant.names), len(equations.model.control_rate)
        rubs = len(equations.compliant.rubs)
        n, velocities, unknowns = equations.state_size, len(equations.model.velocity), operators.flexible.unknown_count
        rows, contacts = equations.compliant.unknown_count + points.row_count, len(points.names)
        control = np.zeros(places.CONTROLS)
        control[places.TOLERANCE_R], control[places.TOLERANCE_A] = self.rtol or 0.0, self.atol
        control[places.DEEPEST] = MOST_HALVINGS
        control[places.WALL_MOVES] = float(points.walls_move)
        control[places.LONGEST] = operators.step
        shorter = 0.0 if task.memory is None else float(task.memory["method.control"][places.SHORTER])
        h = shorter or operators.step / 2**level
        whole, half = operators.of(h), operators.of(0.5 * h)
        return places.Stepper(
            whole=whole,
            half=half,
            count=np.zeros(places.COUNTS, dtype=np.int64),
            control=control,
            orientation=operators.flexible.orientations(),
            push=Push(
                body=np.zeros((rows, PUSHED), dtype=np.int64),
                vector=np.zeros((rows, 6 * PUSHED)),
                G=np.zeros((rows if equations.tree else 0, velocities)),
                W=np.zeros((rows, velocities)),
            ),
            row_node=np.full(rows, -1, dtype=np.int64),
            row_port=operators.row_ports(),
            row_direction=np.zeros((rows, 2)),
            row=np.zeros((rows, places.ROW_COLUMNS)),
            near=np.zeros(rows, dtype=np.int64),
            held=np.zeros(contacts, dtype=np.int64),
            D_bodies=np.zeros((rows, rows)),
            on_bodies=np.zeros(rows, dtype=np.int64),
            acceleration=np.zeros(n),
            force=np.zeros(unknowns),
            stiffness=operators.stiffness_columns(),
            velocity=np.zeros(velocities),
            node_velocity=np.zeros(unknowns),
            node_load=np.zeros(unknowns),
            solve_work=np.zeros(max(whole.factor.work_size, half.factor.work_size, 1)),
            mode=np.zeros((3, contacts, 2), dtype=np.int64),
            share=np.zeros(contacts),
            slope=np.zeros((contacts, 3)),
            index=np.zeros(rows, dtype=np.int64),
            slip=np.zeros(rows),
            coupling=np.zeros((rows, rows)),
            matrix=np.zeros((rows, rows)),
            pivot=np.zeros(rows, dtype=np.int64),
            x=np.zeros(rows),
            y_whole=np.zeros(n),
            y_half=np.zeros(n),
            law=np.zeros((joints, 6, 8)),
            slopes=np.zeros((2, 6, 6)),
            power=np.zeros((joints, 2)),
            ball=np.zeros((joints, places.BALL_COLUMNS)),
            ball_law=np.zeros((joints, 3, 7)),
            rub_load=np.zeros((rubs, 6)),
            R=np.zeros((6 * rubs, rows)),
            rub_slope=np.zeros((rubs, 3, rows)),
            pushed=np.zeros((joints, 3)),
            joint_mode=np.zeros((joints, 2)),
            touching=np.zeros(joints, dtype=np.int64),
            tally=np.zeros((2, contacts, places.TALLY_COLUMNS)),
            path=np.zeros((rows, places.PATH_COLUMNS)),
            last_force=np.zeros(rows),
            control_rate=np.zeros(controls),
            control_slope=np.zeros((controls, controls)),
            control_matrix=np.zeros((controls, controls)),
            control_pivot=np.zeros(controls, dtype=np.int64),
            control_x=np.zeros(controls),
        )


def _recall_contacts(equations: Equations, stepper: Any) -> None:
    """The contacts of joints that last in the state which a run goes on from."""
    from gudgeon.kernels.dynamics.arrays import IMPACT_SPEED, MODE, REMEMBERED

    contact = equations.work.contact[: len(stepper.joint_mode)]
    lasting = contact[:, MODE] >= REMEMBERED
    contact[lasting, MODE] -= REMEMBERED
    stepper.joint_mode[lasting] = contact[lasting][:, [MODE, IMPACT_SPEED]]
    stepper.touching[lasting] = 1


class Operators:
    """M + h C + h² K of all flexible bodies, factorised for the step, its parts and steps that are cut, as needed."""

    def __init__(self, equations: Equations, step: float):
        assert equations.points is not None
        assert equations.flexible is not None
        self.points: PointRows = equations.points
        self.flexible: FlexibleNodes = equations.flexible
        self._equations = equations
        self.step = step
        self._kept: dict[float, Any] = {}
        self._ports = self.points.ports(equations.model)
        self._rows = equations.compliant.unknown_count + self.points.row_count

    def of(self, h: float) -> Any:
        """The operator of a step of h. Where it is factorised, lengths that differ by rounding have one."""
        if self.flexible.unknown_count and math.log2(self.step / h) % 1.0:
            h = float(f"{h:.10g}")
        if h not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[h] = self._made(h)
        return self._kept[h]

    def stiffness_columns(self) -> np.ndarray:
        """The columns of K, in full vector registers, where that takes less time than what is not zero of its rows."""
        n = self.flexible.unknown_count
        if not 0 < n <= LARGEST_INVERSE:
            return np.zeros((0, 0))
        out = np.zeros((n, -(-n // 8) * 8))
        out[:, :n] = self._stiffness().toarray().T
        return out

    def _stiffness(self) -> csr_array:
        from scipy.sparse import csr_array

        t, n = self.flexible.tables, self.flexible.unknown_count
        return csr_array((t.K_value, t.K_column, t.K_start), shape=(n, n))

    def row_ports(self) -> np.ndarray:
        """The place of each row's node among the ports."""
        out = np.zeros(self._rows, dtype=np.int64)
        for r, (node, _) in self._node_rows().items():
            out[r] = np.searchsorted(self._ports, node)
        return out

    def _node_rows(self) -> dict[int, tuple[int, np.ndarray]]:
        """The rows that act on nodes: first unknown, direction in the reference pose."""
        from gudgeon.mechanics.point_rows import carried_rows

        model = self._equations.model
        directions = self.points.row_directions(model)
        first = self._rows - len(directions)
        own = {first + k: pair for k, pair in enumerate(directions) if pair[0] >= 0}
        return own | carried_rows(model)

    def _made(self, h: float) -> Any:
        from scipy.sparse import diags_array

        from gudgeon.fem.factor import factorize
        from gudgeon.fem.kernels import Factor, solve
        from gudgeon.kernels.integrators.stepper_arrays import Operator

        t, n = self.flexible.tables, self.flexible.unknown_count
        if n == 0:
            none = Factor(order=np.zeros(0, np.int64))
            return Operator(
                step=np.array([h]), factor=none, port=np.zeros((0, 0)), D=np.zeros((self._rows, self._rows))
            )
        mass = diags_array(t.mass * (1.0 + h * t.damping[:, 0]))
        matrix = (mass + diags_array(h * t.damping[:, 1] + h * h) @ self._stiffness()).tocsc()
        factor = factorize(matrix, np.arange(n), t.rest.reshape(-1, 2)).arrays
        ports = self._ports
        inverse, b, x, work = np.zeros((len(ports), len(ports))), np.zeros(n), np.zeros(n), np.zeros(factor.work_size)
        for k, port in enumerate(ports):
            b[port] = 1.0
            solve(factor, b, x, work)
            inverse[:, k] = x[ports]
            b[port] = 0.0
        to_ports = np.zeros((self._rows, len(ports)))
        for r, (node, direction) in self._node_rows().items():
            at = int(np.searchsorted(ports, node))
            to_ports[r, at : at + 2] = direction
        return Operator(step=np.array([h]), factor=factor, port=inverse, D=to_ports @ inverse @ to_ports.T)
