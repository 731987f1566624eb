"""The states of a run as an xarray Dataset: motion, reactions, energies, and what happens in the real joints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.functions.function import values_at
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.mechanics.rotors import rotor_forces
from gudgeon.mechanics.state_layout import poses, twists
from gudgeon.mechanics.turns import counted_angles
from gudgeon.models.dry_cross import DryCross
from gudgeon.results.control_data import control_variables
from gudgeon.results.coupling_data import coupling_coordinates, coupling_variables, elastic_parts
from gudgeon.results.friction_data import friction_variables
from gudgeon.results.joint_coordinates import JointCoordinates, joint_coordinates
from gudgeon.results.load_data import load_variables, stop_lines
from gudgeon.results.own_variables import own_variables
from gudgeon.results.part_variables import part_variables
from gudgeon.results.point_variables import point_variables
from gudgeon.rotations import unit

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.mechanics.equations import Equations
    from gudgeon.solvers.base import Trajectory
    from gudgeon.system import System

AXES = ["x", "y", "z"]
QUATERNION = ["e0", "e1", "e2", "e3"]


@one_blas_thread()
def evaluate_outputs(equations: Equations, trajectory: Trajectory, redundant_rows: int) -> Any:
    """Accelerations, reactions (of least norm where rows are redundant), efforts, energies, joints at all samples."""
    from gudgeon.kernels.dynamics.arrays import COMPLIANT_JOINT
    from gudgeon.kernels.dynamics.rows import rows_at
    from gudgeon.kernels.elements.point_arrays import PIN_WORK_COLUMNS, WALL_WORK_COLUMNS
    from gudgeon.kernels.outputs.joint_outputs import OUT_COLUMNS, add_joint_reactions
    from gudgeon.kernels.outputs.outputs import Outputs, Run, outputs, reactions
    from gudgeon.kernels.outputs.point_outputs import point_reactions
    from gudgeon.mechanics.least_squares import least_norm

    model, work, n = equations.model, equations.work, len(trajectory.times)
    points = equations.points
    joints, drives = len(equations.joint_point), len(equations.system.drives)
    run = Run(
        times=np.ascontiguousarray(trajectory.times),
        states=np.ascontiguousarray(trajectory.states),
        forces=np.zeros((0, 0)) if trajectory.forces is None else np.ascontiguousarray(trajectory.forces),
        contacts=np.ascontiguousarray(trajectory.contacts),
        cursor=np.zeros(1, dtype=np.int64),
        joint_point=equations.joint_point,
    )
    out = Outputs(
        acceleration=np.empty((n, len(equations.system.bodies), 6)),
        force=np.zeros((n, joints, 3)),
        torque=np.zeros((n, joints, 3)),
        effort=np.zeros((n, drives)),
        coupling=np.zeros((n, len(equations.system.couplings), 2)),
        energy=np.empty((n, 2)),
        residual=np.empty(n),
        joint=np.empty((n, len(equations.compliant.names), OUT_COLUMNS)),
        wall=np.zeros((n, len(model.points.wall), WALL_WORK_COLUMNS)),
        pin=np.zeros((n, len(model.points.pin), PIN_WORK_COLUMNS)),
        load=np.zeros((n, len(model.load), 3)),
        signal=np.zeros((n, len(work.signal))),
    )
    work.contact[:] = 0.0
    if not redundant_rows:
        outputs(model, work, run, out, 0, n)
        return out
    bodies = equations.absolute or equations  # the least norm is that over the rows of all joints
    rows = bodies.joint_rows
    motion = np.zeros((n, bodies.layout.size))
    motion[:, : bodies.layout.velocities.stop] = equations.body_motion(run.states)
    for s in range(n):
        outputs(model, work, run, out, s, s + 1)
        if bodies is equations:
            transposed = equations.jacobian().T
            pushed = transposed @ work.multiplier[rows]
        else:
            rows_at(bodies.model, bodies.work, run.times[s], motion[s])
            transposed, pushed = bodies.jacobian().T, _constraint_forces(equations)
        bodies.work.multiplier[rows] = least_norm(transposed, pushed)
        acting = model.compliant[:, COMPLIANT_JOINT]
        out.force[s, acting], out.torque[s, acting] = 0.0, 0.0
        if points is not None:
            out.force[s, points.on_nodes], out.torque[s, points.on_nodes] = 0.0, 0.0
        reactions(bodies.model, bodies.work, equations.joint_point, s, out.force, out.torque, out.effort, out.coupling)
        add_joint_reactions(model, work, s, equations.joint_point, out.force, out.torque)
        if points is not None:
            point_reactions(model, work, run.states[s], s, equations.joint_point, out.force, out.torque)
    return out


def _constraint_forces(equations: Equations) -> np.ndarray:
    """What the constraints push the bodies with, after relative accelerations: Q − M v̇, 6 per body."""
    from gudgeon.kernels.dynamics.arrays import ACCELERATION, APPLIED, MASS, WORLD_TENSOR

    body = equations.work.body[1:]
    inertia = body[:, WORLD_TENSOR : WORLD_TENSOR + 9].reshape(-1, 3, 3)
    out = body[:, APPLIED : APPLIED + 6].copy()
    out[:, :3] -= equations.model.body[1:, MASS, None] * body[:, ACCELERATION : ACCELERATION + 3]
    out[:, 3:] -= np.einsum("bij,bj->bi", inertia, body[:, ACCELERATION + 3 : ACCELERATION + 6])
    acceleration = body[:, ACCELERATION : ACCELERATION + 6].reshape(-1)
    return out.reshape(-1) - rotor_forces(equations, acceleration)


def dataset(equations: Equations, trajectory: Trajectory, redundant_rows: int) -> xr.Dataset:
    """Everything over time, with units in the attributes; nothing about drives or joints where there are none."""
    import xarray as xr

    out = evaluate_outputs(equations, trajectory, redundant_rows)
    _tell_crosses(equations.system, out)
    times, states = trajectory.times, trajectory.states
    n = len(equations.system.bodies)
    motion = equations.body_motion(states)
    q, v = poses(motion, n), twists(motion, n)
    quaternion = unit(q[:, :, 3:])
    kinetic, potential = out.energy.T
    by_body, by_joint = ("time", "body", "axis"), ("time", "joint", "axis")
    joints = joint_coordinates(
        equations.system,
        q[:, :, :3],
        quaternion,
        v[:, :, :3],
        v[:, :, 3:],
        out.acceleration[:, :, :3],
        out.acceleration[:, :, 3:],
        times,
        _counted_angles(equations, trajectory),
        trajectory.joints_before,
    )
    guides, guide_coordinates = point_variables(equations, states, out)
    parts, part_coordinates = part_variables(equations, out.joint)
    controls, control_coordinates = control_variables(equations, states, out)
    friction, friction_coordinates = friction_variables(equations, states, out.joint)
    data = xr.Dataset(
        {
            "position": _variable(by_body, q[:, :, :3], "m", "position of the centre of mass"),
            "orientation": _variable(("time", "body", "quaternion"), quaternion, "1", "body to world, scalar first"),
            "velocity": _variable(by_body, v[:, :, :3], "m/s", "velocity of the centre of mass"),
            "angular_velocity": _variable(by_body, v[:, :, 3:], "rad/s", "angular velocity, world axes"),
            "acceleration": _variable(
                by_body, out.acceleration[:, :, :3], "m/s^2", "acceleration of the centre of mass"
            ),
            "angular_acceleration": _variable(
                by_body, out.acceleration[:, :, 3:], "rad/s^2", "angular acceleration, world axes"
            ),
            "reaction_force": _variable(
                by_joint, out.force, "N", "force of the joint on the child, drives and springs not included, world axes"
            ),
            "reaction_torque": _variable(
                by_joint,
                out.torque,
                "N*m",
                "torque of the joint on the child about its joint point, drives and springs not included, world axes",
            ),
            "joint_position": _variable(
                ("time", "coordinate"),
                joints.position,
                "rad, m or 1",
                "free coordinates of the joints, zero in the reference pose, full turns counted",
            ),
            "joint_velocity": _variable(
                ("time", "rate"),
                joints.velocity,
                "rad/s or m/s",
                "rates of the joints' free coordinates, parent's axes",
            ),
            "joint_acceleration": _variable(
                ("time", "rate"), joints.acceleration, "rad/s^2 or m/s^2", "time derivatives of joint_velocity"
            ),
            "drive_effort": _variable(("time", "drive"), out.effort, "N*m or N", "torque or force of the drive"),
            **coupling_variables(equations.system, out.coupling, elastic_parts(equations, out)),
            "kinetic_energy": _variable("time", kinetic, "J", "kinetic energy"),
            "potential_energy": _variable("time", potential, "J", "energy of gravity, springs and elastic joints"),
            "mechanical_energy": _variable("time", kinetic + potential, "J", "kinetic and potential energy"),
            "constraint_residual": _variable("time", out.residual, "m or rad", "largest constraint residual"),
            **_joint_variables(equations, states, out.joint),
            **own_variables(equations, trajectory),
            **parts,
            **friction,
            **guides,
            **load_variables(equations, times, out),
            **controls,
            "drive_power": _variable(
                ("time", "drive"), out.effort * _drive_rates(equations.system, joints), "W", "power of the drive"
            ),
        },
        coords={
            "time": ("time", times, {"units": "s"}),
            "body": list(equations.system.bodies),
            "joint": np.array(list(equations.system.joints), dtype=str),
            "drive": np.array(list(equations.system.drives), dtype=str),
            **coupling_coordinates(equations.system),
            "load": np.array(list(equations.system.loads), dtype=str),
            "signal": np.array(list(equations.system.signals), dtype=str),
            "stop": np.array([equations.compliant.parts[k] for k in stop_lines(equations)], dtype=str),
            "coordinate": np.array(joints.position_names, dtype=str),
            "rate": np.array(joints.rate_names, dtype=str),
            "coordinate_unit": ("coordinate", np.array([_unit(name) for name in joints.position_names], dtype=str)),
            "rate_unit": ("rate", np.array([_rate_unit(name) for name in joints.rate_names], dtype=str)),
            "drive_unit": ("drive", np.array(_drive_units(equations.system), dtype=str)),
            "axis": AXES,
            "quaternion": QUATERNION,
            **part_coordinates,
            **control_coordinates,
            **friction_coordinates,
            **guide_coordinates,
        },
        attrs={"system": equations.system.name},
    )
    if equations.system.interfaces:
        from gudgeon.results.gap_history import with_gaps

        data = with_gaps(data, equations.system)
    # a dimension of length 0 would make data.to_dataframe(), an outer product, empty
    return data.drop_dims([name for name, size in data.sizes.items() if not size and name != "time"])


def _tell_crosses(system: System, out: Any) -> None:
    """What acts on the child of a universal joint with a cross is what its trunnions there do."""
    places = {name: place for place, name in enumerate(system.joints)}
    for name, joint in system.joints.items():
        if isinstance(joint.model, DryCross):
            out.force[:, places[name]] = out.force[:, places[f"{name}.child"]]
            out.torque[:, places[name]] = out.torque[:, places[f"{name}.child"]]


def _unit(coordinate: str) -> str:
    """The unit of a joint coordinate "joint.name"."""
    name = coordinate.rpartition(".")[2]
    return "rad" if name.startswith("angle") else "1" if name in QUATERNION else "m"


def _rate_unit(rate: str) -> str:
    """The unit of a rate "joint.name"; x, y, z are components of an angular velocity."""
    name = rate.rpartition(".")[2]
    return "rad/s" if name.startswith("angle") or name in AXES else "m/s"


def _drive_units(system: System) -> list[str]:
    """The unit of each drive's effort."""
    coordinates = [system.coordinate(name, drive.joint, drive.coordinate) for name, drive in system.drives.items()]
    return ["N*m" if name.startswith("angle") else "N" for name in coordinates]


def _drive_rates(system: System, joints: JointCoordinates) -> np.ndarray:
    """The rates of the driven coordinates (samples, drives)."""
    names = [
        f"{drive.joint}.{system.coordinate(name, drive.joint, drive.coordinate)}"
        for name, drive in system.drives.items()
    ]
    return joints.velocity[:, [joints.rate_names.index(name) for name in names]]


def _variable(dims, values, units: str, long_name: str):
    return dims, np.ascontiguousarray(values), {"units": units, "long_name": long_name}


def _counted_angles(equations: Equations, trajectory: Trajectory) -> dict[str, np.ndarray]:
    """Angles whose full turns are known: states (of the tree, and counted ones), and driven ones."""
    system, tree, first = equations.system, equations.tree, equations.layout.turns.start
    counted: dict[str, np.ndarray] = {}
    if tree is not None:
        counted |= {name: trajectory.states[:, place] for name, place in tree.place.items() if ".angle" in name}
    for k, angle in enumerate(counted_angles(system)):
        counted[f"{angle.joint}.{angle.coordinate}"] = trajectory.states[:, first + k]
    for name, drive in system.drives.items():
        if drive.is_switched:
            continue
        coordinate = system.coordinate(name, drive.joint, drive.coordinate)
        counted[f"{drive.joint}.{coordinate}"] = values_at(drive.value, trajectory.times)
    return counted


def _joint_variables(equations: Equations, states: np.ndarray, out: np.ndarray) -> dict[str, Any]:
    """What happens in the compliant joints; NaN in ideal ones, and where a joint has no clearance, contact or film."""
    from gudgeon.kernels.dynamics import arrays
    from gudgeon.kernels.outputs import joint_outputs as places

    if not equations.compliant.names:
        return {}
    table = equations.model.compliant
    count, joints = len(states), len(equations.system.joints)
    # points of sliders, stops, couplings and ideal joints that rub are told one by one
    apart = np.isin(table[:, arrays.KIND], (arrays.STOP, arrays.COUPLED, arrays.RUBBING))
    whole_joint = np.array([not wall for wall in equations.compliant.walls]) & ~apart
    has_contact = ((table[:, arrays.CONTACT_CALL] > 0) | (table[:, arrays.HARD_CONTACT] > 0)) & whole_joint
    has_surfaces = table[:, arrays.SURFACE_FUNCTION] != 0
    has_gap = (table[:, arrays.GAP_FUNCTION] != 0) & whole_joint
    is_own = table[:, arrays.OWN_PARAMETERS] != 0
    told_depth = has_contact | is_own

    owner = table[:, arrays.COMPLIANT_JOINT]

    def variable(values: np.ndarray, valid: np.ndarray, units: str, long_name: str, together=np.sum):
        """Joint by joint; `together` makes one number of those of its parts."""
        whole = np.full((count, joints, *values.shape[2:]), np.nan)
        for j in np.unique(owner[valid]):
            whole[:, j] = together(values[:, valid & (owner == j)], axis=1)
        dims = ("time", "joint", "axis") if values.ndim == 3 else ("time", "joint")
        return _variable(dims, whole, units, long_name)

    def summed(values: np.ndarray, units: str, long_name: str):
        return variable(values, np.ones(len(table), dtype=bool), units, long_name)

    def column(c: int, width: int = 1):
        return out[:, :, c] if width == 1 else out[:, :, c : c + width]

    clearance = equations.model.compliant_vector[:, arrays.CLEARANCE]
    surfaces = {}
    if has_surfaces.any():
        surfaces = {
            "contact_area": variable(
                column(arrays.REPORT_AREA), has_surfaces, "m^2", "area of the surfaces that touches"
            ),
            "contact_pressure": variable(
                column(arrays.REPORT_PRESSURE), has_surfaces, "Pa", "largest pressure between the surfaces"
            ),
        }
    penetration = np.where(told_depth, column(arrays.REPORT_PENETRATION), column(places.OUT_LENGTH) - clearance)
    energies = {
        "power_dissipated": summed(column(places.OUT_POWER), "W", "power lost in the joint"),
        "dissipated_energy": summed(
            states[:, table[:, arrays.WORK_STATE]], "J", "energy lost in the joint since the start"
        ),
        "stored_energy": summed(column(arrays.REPORT_STORED), "J", "elastic energy in the joint"),
    }
    if np.all(table[:, arrays.KIND] == arrays.RUBBING):
        return energies
    return {
        **surfaces,
        "eccentricity": variable(
            column(places.OUT_ECCENTRICITY, 3),
            whole_joint,
            "m",
            "between the joint's points of its two bodies (from socket to ball, from bore to pin), world axes",
            together=np.mean,  # all parts of a joint have the same
        ),
        "eccentricity_length": variable(
            column(places.OUT_LENGTH), whole_joint, "m", "length of the eccentricity", together=np.mean
        ),
        "penetration": variable(
            penetration,
            has_gap,
            "m",
            "how deep the bodies are pressed into each other; negative: gap",
            together=np.max,
        ),
        "contact": variable(
            column(arrays.REPORT_CONTACT),
            has_gap,
            "1",
            "1 while the bodies touch in the joint, else 0",
            together=np.max,
        ),
        "normal_force": variable(
            column(arrays.REPORT_NORMAL), has_contact | (is_own & has_gap), "N", "normal force of the contact"
        ),
        "friction_force": variable(
            column(arrays.REPORT_FRICTION, 3),
            has_contact,
            "N",
            "friction force of the contact on ball or pin, world axes",
        ),
        "sliding_velocity": variable(
            column(arrays.REPORT_SLIDING, 3),
            has_contact & (table[:, arrays.VIEW] == arrays.POINTS_ONLY),  # others slide differently in each point
            "m/s",
            "of the ball against the socket where they touch",
        ),
        "film_force": variable(
            column(arrays.REPORT_FILM),
            table[:, arrays.KIND] == arrays.LUBRICATED,  # films of journals and pads have outputs of their own
            "N",
            "force of the film of a ball, positive towards the centre",
        ),
        **energies,
    }
