"""The equations of motion of a System, in absolute or relative coordinates: description in, flat arrays out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.crossings import Crossing
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.functions.function import Programs
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model, Work, new_work
from gudgeon.kernels.elements.flexible_arrays import Flexible
from gudgeon.kernels.elements.point_arrays import Points
from gudgeon.mechanics.blocks import ConstraintBlocks
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.compliant import CompliantJoints
from gudgeon.mechanics.constant_parts import ConstantParts
from gudgeon.mechanics.controls import Controls
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.copied_records import Mould
from gudgeon.mechanics.curve_tables import curve_tables
from gudgeon.mechanics.elimination import Node, integers, schedule, split_bodies
from gudgeon.mechanics.flattened_before import flattened_before, keep_flattened
from gudgeon.mechanics.flexible_nodes import FlexibleNodes
from gudgeon.mechanics.known_positions import geometry_of
from gudgeon.mechanics.loads import crossing_arrays, load_arrays
from gudgeon.mechanics.loops import Loops
from gudgeon.mechanics.point_rows import PointRows
from gudgeon.mechanics.relative import Tree
from gudgeon.mechanics.row_sides import RowSides, row_sides
from gudgeon.mechanics.signals import SignalLines
from gudgeon.mechanics.solved_loads import with_solved_loads
from gudgeon.mechanics.state_layout import (
    MOTION,
    POSITIONS,
    VELOCITIES,
    StateLayout,
    poses,
    positions,
    quaternions,
    twists,
)
from gudgeon.mechanics.turns import Turns
from gudgeon.mechanics.typical_length import length_of_joints
from gudgeon.rotations import continuous, quaternion_of
from gudgeon.switches import has_instants
from gudgeon.system import System
from gudgeon.topology.topology import Topology

if TYPE_CHECKING:
    from gudgeon.mechanics.node_motion import NodeMotion

REGULARIZATION = 1e-9  # ε of kernels/dynamics/elimination.py, where rows are redundant
TREE_REGULARIZATION = 1e-7  # the same in relative coordinates, where all that is left open of a loop is at its cut
OTHER_PARTS = ("turns", "controls", "joints", "displacements", "rates")  # of the state, the same in all coordinates
SHARED = ("layout", "geometry", "joint_length", "sides")  # of equations that differ in bodies and gravity
LIGHT = 1e-2  # of the heaviest body: lighter ones need a smaller ε in relative coordinates


@dataclass(frozen=True)
class Equations:
    """A System ready to run: its arrays, and what they are called."""

    system: System
    model: Model
    work: Work
    joint_point: np.ndarray  # (joints, 3) joint point of the child, child's axes [m]
    row_owner: tuple[str, ...]  # joint or drive that owns each row; "" for links and rows not in use
    joint_rows: np.ndarray  # rows of joints and drives between bodies
    node_rows: np.ndarray  # rows of ideal pins at nodes of flexible bodies
    crossing_names: tuple[str, ...]
    programs: Programs  # keeps compiled user functions alive
    compliant: CompliantJoints  # likewise
    controls: Controls
    flexible: FlexibleNodes | None = None  # of flexible bodies, and where steps are nonsmooth
    points: PointRows | None = None  # rows of nonsmooth steps; keeps compiled laws alive, too
    tree: Tree | None = None  # in relative coordinates
    absolute: Equations | None = None  # in other coordinates: the same system as it was assembled
    nodes_among: bool = False  # nodes of flexible bodies are among the coordinates (node_coordinates.py)
    signal_places: Mapping[str, int] = dataclasses.field(default_factory=dict)  # of named signals, in Work.signal
    output_places: Mapping[str, int] = dataclasses.field(default_factory=dict)  # of outputs of controllers likewise
    initial_places: Mapping[str, int] = dataclasses.field(default_factory=dict)  # of initial values that are computed

    @cached_property
    def layout(self) -> StateLayout:
        """Where the parts of the state vector are."""
        positions, velocities, controls = self.model.layout.tolist()
        unknowns = 0 if self.flexible is None else self.flexible.unknown_count
        among = unknowns if self.nodes_among else 0
        layout = StateLayout.of(
            positions=positions - among,
            velocities=velocities - among,
            turns=len(self.model.turn),
            controls=controls,
            joints=self.compliant.state_count,
            unknowns=unknowns,
        )
        return StateLayout.with_nodes(layout) if self.nodes_among else layout

    @property
    def contact_joints(self) -> list[str]:
        """The joint of every line of `Work.contact`: of the compliant joints, then of points at walls."""
        return [*self.compliant.names, *(self.points.joints if self.points is not None else ())]

    @property
    def contact_parts(self) -> list[str]:
        """What of it touches, line by line."""
        return [*self.compliant.parts, *(self.points.parts if self.points is not None else ())]

    @property
    def contact_labels(self) -> list[str]:
        """A name of its own for every line: the joint's, with its part where it has several."""
        return [*self.compliant.labels, *(self.points.names if self.points is not None else ())]

    @cached_property
    def nodes(self) -> NodeMotion:
        """The nodes of flexible bodies in small motions."""
        from gudgeon.mechanics.node_motion import NodeMotion

        return NodeMotion(self)

    @cached_property
    def geometry(self) -> tuple[Any, ...]:
        """What the rows of the constraints are made from (known_positions.py)."""
        return geometry_of(self.model)

    @cached_property
    def joint_length(self) -> float:
        """The longest distance of a joint's point from the origin of its body (typical_length.py) [m]."""
        return length_of_joints(self.model)

    @cached_property
    def fresh_work(self) -> tuple[ConstantParts, Mould]:
        """Scratch space as before a run, to be copied for bodies of other masses."""
        work = new_work(self.model, len(self.row_owner), len(self.work.schur))
        parts = ConstantParts(self.model, work)
        return parts, Mould(work)

    @property
    def state_size(self) -> int:
        """Length of the state vector."""
        return self.layout.size

    def regularized(self) -> Equations:
        """The same equations made ready for redundant rows."""
        if self.tree is None:
            return self.with_regularization(REGULARIZATION)
        masses = [body.mass for body in self.system.bodies.values()]
        lightness = min(1.0, min(masses) / (LIGHT * max(masses)))
        return self.with_regularization(max(REGULARIZATION, TREE_REGULARIZATION * lightness))

    def with_regularization(self, epsilon: float) -> Equations:
        """The same equations with another ε: 0 where no row is redundant, REGULARIZATION where some are."""
        settings = self.model.settings.copy()
        settings[arrays.REGULARIZATION] = epsilon
        return dataclasses.replace(self, model=self.model.replaced(settings=settings))

    def values_of(self, programs: np.ndarray, t: float) -> np.ndarray:
        """What functions of the model give at a time, and for the signals last measured."""
        from gudgeon.kernels.functions.values import values

        out = np.empty(len(programs))
        values(self.model, self.work, programs, t, out)
        return out

    @cached_property
    def all_sides(self) -> RowSides:
        """The bodies of all rows, and where their Jacobian stands."""
        return row_sides(self.model, len(self.work.row))

    @cached_property
    def sides(self) -> RowSides:
        """Those of the joints' and drives' rows."""
        return self.all_sides.of(self.joint_rows)

    def jacobian(self):
        """The Jacobian of the joints' and drives' rows last evaluated: (rows, 6 bodies), sparse if it is large."""
        return self.sides.matrix(self.work.jacobian, len(self.system.bodies))

    def body_motion(self, states: np.ndarray) -> np.ndarray:
        """Poses and velocities of the bodies, as in absolute coordinates, at states: (states, 13 bodies)."""
        n = len(self.system.bodies)
        if self.nodes_among and self.tree is None:
            first = self.layout.velocities.start
            return np.hstack([states[:, : POSITIONS * n], states[:, first : first + VELOCITIES * n]])
        if self.tree is None:
            return states[:, : self.layout.velocities.stop]
        from gudgeon.kernels.outputs.outputs import body_motion

        found = np.empty((len(states), n, 18))
        body_motion(self.model, self.work, np.ascontiguousarray(states), found)
        out = np.empty((len(states), MOTION * n))
        positions(out, n)[:], twists(out, n)[:] = found[:, :, :3], found[:, :, 12:]
        quaternions(out, n)[:] = continuous(quaternion_of(found[:, :, 3:12].reshape(-1, n, 3, 3)))
        return out

    def absolute_state(self, y: np.ndarray) -> np.ndarray:
        """A state as it is in absolute coordinates."""
        if self.absolute is None:
            return y
        out, (mine, others) = np.zeros(self.absolute.state_size), (self.layout, self.absolute.layout)
        out[: others.turns.start] = self.body_motion(y[None, :])[0]
        for part in OTHER_PARTS:
            out[getattr(others, part)] = y[getattr(mine, part)]
        return out

    def same_motion(self, others: Equations, y: np.ndarray) -> np.ndarray:
        """The state y of other equations of the same bodies, in these coordinates; states of joints are zero."""
        out = np.zeros(self.state_size)
        for part in ("positions", "velocities", "turns", "controls", "displacements", "rates"):
            out[getattr(self.layout, part)] = y[getattr(others.layout, part)]
        return out

    def stated_state(self) -> np.ndarray:
        """The state the description asks for: `start`, or the reference pose; velocities left out are zero."""
        n = len(self.system.bodies)
        y = np.zeros(self.state_size)
        pose, twist = poses(y, n), twists(y, n)
        for b, (name, body) in enumerate(self.system.bodies.items()):
            at = self.system.start.get(name, body)
            pose[b] = (*at.position, *at.orientation)
            twist[b] = (*(at.velocity or (0.0, 0.0, 0.0)), *(at.angular_velocity or (0.0, 0.0, 0.0)))
        self.controls.start(self, y, 0.0)
        return y

    def stated_velocities(self) -> np.ndarray:
        """Which of the 6 n velocities the description states."""
        return self._stated_velocities

    @cached_property
    def _stated_velocities(self) -> np.ndarray:
        stated = []
        for name, body in self.system.bodies.items():
            at = self.system.start.get(name, body)
            stated += [at.velocity is not None] * 3 + [at.angular_velocity is not None] * 3
        return np.array(stated)


def equations_of_motion(
    system: System,
    crossings: Mapping[str, Crossing] | None = None,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    topology: Topology | None = None,
    rows: bool = False,
    at_rest: bool = False,
) -> Equations:
    """Flatten a System into the arrays of the kernels. `alpha` and `beta` are Baumgarte's [1/s].

    With a topology the equations are those of relative coordinates in its tree. With `rows` the contacts of guides, and
    pins of nodes, are rows of the contact problem of `TimeStepping`. With `at_rest` nothing changes at instants
    (`Controls`).
    """
    if crossings or topology is not None:
        return _flattened(system, crossings or {}, alpha, beta, topology, rows=rows, at_rest=at_rest)
    settings = (alpha, beta, rows, at_rest)
    like = flattened_before(system, settings)
    if like is not None:
        return _with_bodies_of(system, like)
    equations = _flattened(system, {}, alpha, beta, None, rows=rows, at_rest=at_rest)
    keep_flattened(equations, settings)
    return equations


def _with_bodies_of(system: System, like: Equations) -> Equations:
    """The equations of a system that differs from that of others in masses, inertias and gravity."""
    settings = like.model.settings.copy()
    settings[:3] = system.gravity
    model = like.model.replaced(settings=settings, body=_body_array(system))
    parts, mould = like.fresh_work
    work = mould.copy()
    parts.write(model, work)
    equations = dataclasses.replace(like, system=system, model=model, work=work)
    for name in SHARED:
        vars(equations)[name] = getattr(like, name)
    return equations


def _flattened(
    system: System,
    crossings: Mapping[str, Crossing],
    alpha: float,
    beta: float,
    topology: Topology | None,
    *,
    rows: bool,
    at_rest: bool,
) -> Equations:
    from gudgeon.kernels.dynamics.engine_table import engine_table

    carriers = Carriers(flexible_bodies(system), len(system.bodies))
    pose = ReferencePose(system)
    programs = Programs()
    measures = Measures(system, pose)
    turns = Turns(system, measures)
    controls = Controls(system, at_rest=at_rest)
    signals = SignalLines(system, pose, measures, programs, turns, controls)
    tree = None if topology is None else Tree(system, pose, topology)
    cuts = None if topology is None else topology.cuts
    blocks = ConstraintBlocks(system, pose, measures, programs, cuts, carriers, controls.parts, rows=rows)
    if tree is None:
        shares = split_bodies(blocks.nodes, len(system.bodies) + carriers.count)
        for body in shares.link_body:
            blocks.add_link(body)
        elimination, first_row, schur_lines = schedule(shares)
    else:
        line = [tree.line.get(name, 0) for name in pose.body_index] + [0] * carriers.count  # nodes are in no link
        nodes = [
            Node(
                node.size,
                line[node.parent],
                line[node.child],
                more=tuple(line[body] for body in node.more),
                carrier=node.parent if node.parent > len(system.bodies) else 0,
            )
            for node in blocks.nodes
        ]
        elimination, first_row, schur_lines = Loops(nodes, tree.parents).tables(tree.table)
    block_arrays, row_owner = blocks.arrays(first_row)
    flat_loads = load_arrays(system, pose, measures, programs, carriers, turns)
    controls.rates(programs)
    signals.loads_are_complete()
    controls.updates(programs)
    initial_places = controls.initial(programs)
    places = signals.named()
    output_places = {name: signals.place(name, name) for name in controls.outputs}
    flat_crossings, triggers = crossing_arrays(system, crossings, measures, programs, turns)
    curves = curve_tables(system, pose, programs)
    coordinates = _body_coordinates(len(system.bodies)) if tree is None else _tree_coordinates(tree)
    counts = dict(zip(("positions", "velocities"), coordinates["layout"].tolist(), strict=True))
    counts |= {"turns": len(turns.counted), "controls": controls.count}
    coordinates["layout"] = np.append(coordinates["layout"], controls.count)
    first_state = StateLayout.of(**counts).joints.start
    compliant = CompliantJoints(system, pose, measures, programs, carriers, first_state, rows=rows, turns=turns)
    compliant.place_reactions(
        system, block_arrays["block"], coordinates.get("tree", np.zeros((0, arrays.TREE_COLUMNS)))
    )
    points, flexible = None, None
    if rows:
        points = PointRows(system, pose, carriers)
    if rows or carriers.flexible:
        layout = StateLayout.of(**counts, joints=compliant.state_count, unknowns=2 * carriers.node_count)
        flexible = FlexibleNodes(system, pose, carriers, layout)
    ops, operands, addresses, starts = programs.arrays()
    flat_signals = signals.arrays(compliant.names)

    model = Model(
        engine=engine_table(
            tree=tree is not None,
            joints=bool(compliant.names),
            crossings=len(flat_crossings["crossing"]) > 0,
            flexible=bool(carriers.flexible),
            stepped=rows,
            measured=len(flat_signals["signal"]) > 0,
            rubbing=bool(compliant.rubs),
            instants=not at_rest and has_instants(system),
            curves=len(curves["curve"]) > 0,
        ),
        settings=np.array([*system.gravity, alpha, beta, 0.0, 0.0, signals.used], dtype=float),
        body=_body_array(system),
        **coordinates,
        **block_arrays,
        **measures.arrays(),
        **curves,
        **flat_loads,
        **turns.arrays(),
        **flat_signals,
        **flat_crossings,
        **controls.arrays(),
        **controls.switches(triggers),
        table=programs.tables(),
        program_ops=ops,
        program_operands=operands,
        program_addresses=addresses,
        program_starts=starts,
        **elimination,
        **compliant.arrays(),
        flexible=Flexible() if flexible is None else flexible.tables,
        points=Points() if points is None else points.tables,
    )
    if flexible is not None:
        model.body[flexible.follower_bodies] = 0.0  # they have no inertia of their own
    model = with_solved_loads(model, compliant.unknown_count)
    work = new_work(model, len(row_owner), schur_lines)
    on_node = np.zeros(len(row_owner), dtype=bool)
    on_node[model.block[model.block[:, arrays.PARENT] >= len(model.body), arrays.ROW]] = True
    ConstantParts(model, work).write(model, work)
    return Equations(
        system=system,
        model=model,
        work=work,
        joint_point=np.array([pose.joint_points(j)[1] for j in system.joints.values()]).reshape(-1, 3),
        row_owner=row_owner,
        joint_rows=np.array([r for r, owner in enumerate(row_owner) if owner and not on_node[r]], dtype=np.int64),
        node_rows=np.flatnonzero(on_node),
        crossing_names=tuple(crossings),
        programs=programs,
        compliant=compliant,
        controls=controls,
        flexible=flexible,
        points=points,
        tree=tree,
        signal_places=places,
        output_places=output_places,
        initial_places=initial_places,
    )


def relative_equations(
    absolute: Equations, crossings: Mapping[str, Crossing], topology: Topology, start: np.ndarray, time: float = 0.0
) -> tuple[Equations, np.ndarray]:
    """The same equations in relative coordinates, and the assembled state `start` in them."""
    from gudgeon.kernels.dynamics.motion import begin

    alpha, beta = absolute.model.settings[arrays.ALPHA], absolute.model.settings[arrays.BETA]
    equations = equations_of_motion(
        absolute.system,
        crossings,
        alpha=alpha,
        beta=beta,
        topology=topology,
        rows=absolute.points is not None,
    )
    equations = dataclasses.replace(equations, absolute=absolute)
    y = np.zeros(equations.state_size)
    assert equations.tree is not None
    mine, others = equations.layout, absolute.layout
    y[: mine.turns.start] = equations.tree.from_bodies(start)
    for part in OTHER_PARTS:
        y[getattr(mine, part)] = start[getattr(others, part)]
    begin(equations.model, equations.work, time, y)
    return equations, y


def _body_coordinates(count: int) -> dict[str, Any]:
    """The layout of the state in absolute coordinates."""
    one = np.array([[0, -1], [1, -1], [2, -1], [3, 0], [3, 1], [3, 2]])
    first = np.array([POSITIONS, 0])
    return {
        "layout": np.array([POSITIONS * count, VELOCITIES * count]),
        "velocity": np.concatenate([one + b * first for b in range(count)]),
    }


def _tree_coordinates(tree: Tree) -> dict[str, Any]:
    """The layout of the state in relative coordinates."""
    return {
        "layout": np.array([tree.position_count, len(tree.velocity)]),
        "velocity": integers(tree.velocity, 2),
        "tree": tree.table,
        "tree_vector": tree.vector,
    }


def _body_array(system: System) -> np.ndarray:
    lines = np.zeros((1 + len(system.bodies), 20))
    inertia = np.array([body.inertia for body in system.bodies.values()], dtype=float)
    mass = np.array([body.mass for body in system.bodies.values()])
    lines[1:, arrays.MASS], lines[1:, arrays.INVERSE_MASS] = mass, 1.0 / mass
    lines[1:, arrays.INERTIA : arrays.INERTIA + 9] = inertia.reshape(-1, 9)
    lines[1:, arrays.INVERSE_INERTIA :] = np.linalg.inv(inertia).reshape(-1, 9)
    return lines
