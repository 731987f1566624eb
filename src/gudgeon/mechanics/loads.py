"""Loads and crossings of a System as flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from gudgeon.checks import known
from gudgeon.crossings import Crossing
from gudgeon.flexible_bodies import loaded_point
from gudgeon.functions.expressions import Expression
from gudgeon.functions.function import Programs
from gudgeon.kernels.dynamics import arrays
from gudgeon.loads import Force, JointForce, JointSpring, JointTorque, Load, Motor, SpringDamper, Torque, stores
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.turns import Turns, counted_angles
from gudgeon.stops import Stop
from gudgeon.switches import all_switches
from gudgeon.system import System

NOWHERE = (0.0, 0.0, 0.0)  # from the point that carries a load


def load_arrays(
    system: System, pose: ReferencePose, measures: Measures, programs: Programs, carriers: Carriers, turns: Turns
) -> dict[str, np.ndarray]:
    """The load arrays of the model, one line for each load; every joint spring on an angle counts its turns."""
    lines: list[tuple[int, ...]] = []
    vectors: list[tuple[float, ...]] = []
    for name, load in system.loads.items():
        label = f"{type(load).__name__} {name!r}"
        if isinstance(load, Force | Torque):
            kind = arrays.FORCE if isinstance(load, Force) else arrays.TORQUE
            program = programs.add_vector(label, "vector", load.vector)
            body, at = pose.body_index[load.body], known(load.at) if isinstance(load, Force) else NOWHERE
            if load.body in carriers.flexible:
                body, at = _carried(label, load, load.body, carriers), NOWHERE
            lines.append((kind, body, 0, load.axes == "body", program, -1, -1))
            vectors.append((*at, *NOWHERE))
        elif isinstance(load, SpringDamper):
            functions = (load.stiffness, load.damping, load.length)
            program = programs.add_vector(label, "stiffness, damping, length", functions)
            bodies, points = [], ()
            for body, at in ((load.first, load.at_first), (load.second, load.at_second)):
                on_nodes = body in carriers.flexible
                bodies.append(_carried(label, load, body, carriers) if on_nodes else pose.body_index[body])
                points += NOWHERE if on_nodes else known(at)
            lines.append((arrays.SPRING, *bodies, not stores(load), program, -1, -1))
            vectors.append(points)
        elif isinstance(load, JointSpring):
            functions = (load.stiffness, load.damping, load.rest)
            program = programs.add_vector(label, "stiffness, damping, rest", functions)
            coordinate = system.coordinate(label, load.joint, load.coordinate)
            measure = measures.index(load.joint, coordinate)
            lines.append((arrays.JOINT_SPRING, 0, 0, not stores(load), program, measure, turns.of_load(name)))
            vectors.append((0.0,) * 6)
        elif isinstance(load, JointForce | JointTorque | Motor):
            coordinate = system.coordinate(label, load.joint, load.coordinate)
            (field, value), *_ = load.given_functions()
            ratio, rotor = (load.gear_ratio, load.rotor_inertia) if isinstance(load, Motor) else (1.0, 0.0)
            with programs.knowing(_motor_names(load, coordinate)):
                program = programs.add_scalar(label, field, value)
            measure = measures.index(load.joint, coordinate)
            lines.append((arrays.JOINT_EFFORT, 0, 0, 0, program, measure, -1))
            vectors.append((ratio, rotor if turns_with_parent(coordinate) else 0.0, *NOWHERE, 0.0))
        elif isinstance(load, Stop):  # a line of `compliant`
            program = programs.add_scalar(label, "", 0.0)
            lines.append((arrays.NO_LOAD, 0, 0, 0, program, -1, -1))
            vectors.append((0.0,) * 6)
        else:
            raise AssertionError(type(load))
    return {
        "load": np.array([(*line, -1, -1, -1) for line in lines], dtype=np.int64).reshape(-1, arrays.LOAD_COLUMNS),
        "load_vector": np.array(vectors, dtype=float).reshape(-1, 6),
    }


def turns_with_parent(coordinate: str) -> bool:
    """Whether the axis of a rotor is that of the joint, so that it turns with the parent too."""
    return coordinate.startswith("angle")


def _motor_names(load: Load, coordinate: str) -> dict[str, Expression]:
    """`speed` and `angle` of a motor."""
    if not isinstance(load, Motor):
        return {}
    ratio, named = ("number", load.gear_ratio), f"{load.joint}.{coordinate}"
    return {
        "speed": ("mul", ratio, ("signal", f"{named}_rate")),
        "angle": ("mul", ratio, ("signal", named)),
    }


def _carried(label: str, load: Load, body: str, carriers: Carriers) -> int:
    """What carries a load on a flexible body."""
    nodes, weights = loaded_point(label, load, body, carriers.flexible[body])
    return carriers.add(body, nodes, weights)


def wound_springs(system: System, counted: np.ndarray) -> Iterator[tuple[str, float]]:
    """Torsion springs wound by more than half a turn, and by how many; `counted` begins with the counted angles [rad].

    A damper alone does not know how often it has turned, and need not.
    """
    for angle, value in zip(counted_angles(system), counted.tolist(), strict=False):
        turns = value / (2.0 * np.pi)
        if angle.winds and abs(turns) > 0.5:
            yield angle.name, turns


def crossing_arrays(
    system: System, crossings: Mapping[str, Crossing], measures: Measures, programs: Programs, turns: Turns
) -> tuple[dict[str, np.ndarray], dict[tuple[str, int], int]]:
    """The crossing arrays of the model, and the lines after these that turn switches on (1) and off (0)."""
    names = list(system.bodies)
    sign = {"rising": 1, "falling": -1, "both": 0}
    lines: list[tuple[int, ...]] = []
    vectors: list[tuple[float, ...]] = []
    for name, crossing in crossings.items():
        label = f"Crossing {name!r}"
        measure, body, signal = -1, 0, -1
        if crossing.signal is not None:
            turns.require_counted(system, label, crossing.signal)
            signal = programs.place(f"{label}: signal", crossing.signal)
        elif crossing.joint is not None:
            coordinate = system.coordinate(label, crossing.joint, crossing.coordinate)
            measure = measures.index(crossing.joint, coordinate)
        else:
            system.require_body(label, str(crossing.body), ground=False)
            body = 1 + names.index(str(crossing.body))
        lines.append((measure, body, sign[crossing.direction], crossing.stop, signal, -1))
        vectors.append((*crossing.at, *crossing.along, crossing.value))
    triggers: dict[tuple[str, int], int] = {}
    for which, (name, switch) in enumerate(all_switches(system).items()):
        if switch.when is None:
            continue
        signal = programs.place(f"Switch {name!r}: when", switch.when)
        for on, turn in ((1, switch.turns_on), (0, switch.turns_off)):
            if turn is not None:
                triggers[name, on] = len(lines)
                lines.append((-1, 0, turn[1], 0, signal, which))
                vectors.append((0.0,) * 6 + (turn[0],))
    flat = {
        "crossing": np.array(lines, dtype=np.int64).reshape(-1, arrays.CROSSING_COLUMNS),
        "crossing_vector": np.array(vectors, dtype=float).reshape(-1, 7),
    }
    return flat, triggers
