"""All that acts by forces in a System as flat arrays: geometry, law addresses, places of states and unknowns."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from gudgeon.bodies import Body
from gudgeon.curve_joint import CurveJoint, curve_joints
from gudgeon.functions.function import Programs
from gudgeon.guide import Guide
from gudgeon.joint_axes import free_rows, joint_axes, triad
from gudgeon.joints import Along, Angle, Joint, Spherical
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.elements import lawforms
from gudgeon.kernels.elements.point_arrays import SLOWEST_TOUCH
from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import type_of_law
from gudgeon.laws.friction import LuGre
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.coupled_lines import CoupledLine, coupled_lines, is_on_curve, write_coupled
from gudgeon.mechanics.guide_walls import ENDS, WALLS, corners, touches_by_rows, wall
from gudgeon.mechanics.held_bodies import held_bodies
from gudgeon.mechanics.islands import islands
from gudgeon.mechanics.law_rows import LawRows
from gudgeon.mechanics.level_bodies import is_upright, level_bodies
from gudgeon.mechanics.rubbing import Rub, place_reactions, rubs_of, write_rub
from gudgeon.mechanics.turns import Turns
from gudgeon.models.bushing import Bushing
from gudgeon.models.dry import Dry
from gudgeon.models.dry_cross import DryCross
from gudgeon.models.force_model import ForceModel
from gudgeon.models.impact import Newton
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.own_outputs import own_outputs
from gudgeon.models.part import Part
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.rotations import rotation_matrix, turn_of
from gudgeon.stops import Stop
from gudgeon.system import System

FEW = 4  # joints of an island up to which their forces are solved for together
FASTEST_BRAKE = 1e4  # rate up to which a couple is followed and not solved for [1/s]
OWN_FUNCTIONS = {
    "wrench": arrays.OWN_WRENCH,
    "gap": arrays.OWN_GAP,
    "contact": arrays.OWN_CONTACT,
    "stored_energy": arrays.OWN_STORED,
}


class CompliantJoints:
    """Collects all that acts by forces: one line per compliant joint, one per corner of a slider with play.

    Keeps compiled laws and parameters alive. Guides have no lines here where their contacts are rows of a nonsmooth
    step (`rows`), nor have joints that hold a node.
    """

    def __init__(
        self,
        system: System,
        pose: ReferencePose,
        measures: Measures,
        programs: Programs,
        carriers: Carriers,
        first_state: int,
        *,
        rows: bool = False,
        turns: Turns | None = None,
    ):
        self.state_count = 0
        self.unknown_count = 0
        self._carriers, self._programs = carriers, programs
        self._curves, self._level = curve_joints(system), level_bodies(system)
        self._elements = {name: joint.model.elements(joint) for name, joint in system.joints.items()}
        self._laws = LawRows()
        self._surfaces: dict[str, dict[str, np.ndarray]] = {}
        own_outputs(system)
        parts = [(name, *part) for name, joint in system.joints.items() for part in self._parts(joint, rows)]
        stops = [
            (name, load, side)
            for name, load in system.loads.items()
            if isinstance(load, Stop) and not is_on_curve(system, load)
            for side in load.limits
        ]
        coupled = coupled_lines(system)
        self._joint_count = len(parts)
        parts += [(stop.joint, f"{name} {side}", "") for name, stop, side in stops]
        parts += [(each.joint, each.part, "") for each in coupled]
        self.rubs = rubs_of(system)
        self._first_rub = len(parts)
        parts += [(rub.joint, rub.name, "") for rub in self.rubs]
        self.names = tuple(name for name, _, _ in parts)  # of the joint, line by line
        self.parts = tuple(part for _, part, _ in parts)  # what of it touches
        self.walls = tuple(wall for _, _, wall in parts)  # of a guide: which
        count = len(self.names)
        self._table = np.zeros((count, arrays.COMPLIANT_COLUMNS), dtype=np.int64)
        self._vector = np.zeros((count, arrays.COMPLIANT_VECTOR_COLUMNS))
        self._table[:, arrays.RUB] = -1
        joints = list(system.joints)
        for k, name in enumerate(self.names):
            self._table[k, arrays.COMPLIANT_JOINT] = joints.index(name)
            if k < self._joint_count:
                self._add(k, name, system, pose, first_state)
            elif k >= self._first_rub:
                self._add_rub(k, self.rubs[k - self._first_rub], system, pose, measures, first_state)
            elif k < self._joint_count + len(stops):
                self._add_stop(k, *stops[k - self._joint_count], system, pose, turns)
            else:
                self._add_coupled(k, coupled[k - self._joint_count - len(stops)], measures, turns, row=rows)
        for k in range(count):  # dissipated energies last
            self._table[k, arrays.WORK_STATE] = first_state + self.state_count
            self.state_count += 1
        pushing = {k: name for k, name in enumerate(self.names) if self._table[k, arrays.UNKNOWNS]}
        self.islands, self.held = islands(system, pushing, set()), set()
        if max(map(len, self.islands), default=0) > FEW and (held := held_bodies(system)):
            self.islands = islands(system, pushing, held)
            self.held = {pose.body_index[name] for name in held}

    def _parts(self, joint: Joint, rows: bool) -> list[tuple[str, str]]:
        """What of a joint acts by forces (nothing, all of it, or points of a slider), and the walls those can touch."""
        model = joint.model
        if isinstance(model, Slider):
            if (rows and touches_by_rows(model)) or getattr(model, "impact", None) is not None:
                return []
            if isinstance(model, RigidSlider):
                return [(f"{wall} {end}", wall) for wall in WALLS for end in ENDS]
            mesh = self._carriers.flexible[joint.child].mesh
            surfaces = {"upper": mesh.surface("upper"), "lower": mesh.surface("lower")}
            return [(str(node), wall) for wall in WALLS for node in surfaces[wall].tolist()]
        if elements := model.elements(joint):
            return [(part.name, "") for part in elements]
        if rows and isinstance(model, PenaltyPin):
            return []
        if isinstance(model, DryCross):  # its trunnions are joints
            return []
        if isinstance(model, SurfaceContact):
            return [("surface", "")]
        if isinstance(model, ForceModel):
            return [("own", "")]
        return [("ball", "")] if joint.is_compliant else []

    def part(self, k: int) -> Part | None:
        """The part of its model that line k is; None where the model has no parts."""
        parts = self._elements.get(self.names[k], ()) if k < self._joint_count else ()
        return parts[k - self.names.index(self.names[k])] if parts else None

    @property
    def labels(self) -> list[str]:
        """A name of its own for every line: the joint's, with its part where it has several."""
        lines, count = zip(self.names, self.parts, strict=True), Counter(self.names)
        return [f"{name}:{part}" if count[name] > 1 else name for name, part in lines]

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model."""
        return {
            "compliant": self._table,
            "compliant_vector": self._vector,
            "rubbing": np.arange(self._first_rub, len(self._table)),
        }

    def remembered(self) -> dict[str, np.ndarray]:
        """What the laws of joints leave for the next time that they are asked, by name: the searches of surfaces."""
        return {f"{joint}.{name}": array for joint, table in self._surfaces.items() for name, array in table.items()}

    def _add(self, k: int, name: str, system: System, pose: ReferencePose, first_state: int) -> None:
        joint = system.joints[name]
        line, vector, model = self._table[k], self._vector[k], joint.model
        label = joint.label(name)
        socket, ball = joint.parent, joint.child
        in_socket, in_ball = pose.joint_points(joint)
        line[arrays.BALL_ON_CHILD] = 1
        if isinstance(model, Dry | Lubricated) and model.ball_on == "parent":
            socket, ball, in_socket, in_ball = ball, socket, in_ball, in_socket
            line[arrays.BALL_ON_CHILD] = 0
        line[arrays.CHILD_BODY] = pose.body_index[joint.child]
        for side, body, point in ((0, socket, in_socket), (1, ball, in_ball)):
            line[arrays.SOCKET + side], at = pose.body_index[body], arrays.IN_SOCKET + 3 * side
            vector[at : at + 3] = point
            if body in self._carriers.flexible and not isinstance(model, Slider):
                node = self._carriers.node_of_joint(label, body, point)
                line[arrays.SOCKET + side], vector[at : at + 3] = self._carriers.add_node(body, node), 0.0
        vector[arrays.CLEARANCE] = vector[arrays.FREE_PATH] = vector[arrays.SOCKET_RADIUS] = np.inf
        line[arrays.BRISTLE] = -1
        line[arrays.UNKNOWN] = self.unknown_count
        if (part := self.part(k)) is not None:
            self._add_part(k, part, joint, system, pose, label)
        elif isinstance(model, Dry | Lubricated):
            self._add_ball(line, vector, model, label)
        elif isinstance(model, SurfaceContact):
            self._add_surfaces(k, label, joint, system, pose)
        elif isinstance(model, Bushing):
            self._add_bushing(line, vector, joint, model, pose)
        elif isinstance(model, PenaltyPin):
            self._declare(line, arrays.BUSHING)
            vector[arrays.HELD_TURNS] = 2
            vector[arrays.STIFFNESS_MATRIX], vector[arrays.STIFFNESS_MATRIX + 7] = model.stiffness, model.stiffness
            self._add_axes(vector, joint, joint_axes(joint)[1], pose)
        elif isinstance(model, ForceModel):
            self._add_own(line, vector, joint, model, pose, label)
        elif isinstance(model, Slider):
            assert isinstance(joint, Guide)
            self._add_point(k, joint, model, pose, label)
        friction = getattr(model, "friction", None) if part is None else part.friction
        self._add_friction(k, label, friction, first_state)

    def _add_friction(self, k: int, label: str, friction: Any, first_state: int) -> None:
        """The friction law of a line, with the states of bristles; and room for its unknowns."""
        line, vector = self._table[k], self._vector[k]
        if friction is not None and not isinstance(friction, DryFriction):
            self._add_law(line, arrays.FRICTION_CALL, f"{label}: friction", friction, FrictionLaw)
        if isinstance(friction, LuGre):
            vector[arrays.BRISTLE_STIFFNESS] = friction.bristle_stiffness
            vector[arrays.BRISTLE_DAMPING] = friction.bristle_damping
            vector[arrays.BRISTLE_VISCOUS] = friction.viscous
            line[arrays.UNKNOWNS] = 6
            line[arrays.BRISTLE] = first_state + self.state_count
            self.state_count += 3
        self.unknown_count += int(line[arrays.UNKNOWNS])

    def _add_rub(
        self, k: int, rub: Rub, system: System, pose: ReferencePose, measures: Measures, first_state: int
    ) -> None:
        """Friction in an ideal joint or a thread."""
        line, vector = self._table[k], self._vector[k]
        self._declare(line, arrays.RUBBING)
        line[arrays.RUB], line[arrays.BRISTLE], line[arrays.UNKNOWN] = k - self._first_rub, -1, self.unknown_count
        write_rub(rub, line, vector, system, pose, measures)
        if isinstance(rub.friction, DryFriction):
            line[arrays.SET_VALUED] = 1
            vector[arrays.MU_STATIC], vector[arrays.MU_KINETIC] = rub.friction.static, rub.friction.kinetic
        self._add_friction(k, rub.label, rub.friction, first_state)

    def place_reactions(self, system: System, block: np.ndarray, tree: np.ndarray) -> None:
        """Where the reactions are found on which friction in ideal joints depends."""
        place_reactions(self.rubs, self._table[self._first_rub :], system, block, tree)

    def _add_part(self, k: int, part: Part, joint: Joint, system: System, pose: ReferencePose, label: str) -> None:
        """An element that the model names: its numbers, its laws, and the joint's axes on both bodies."""
        from gudgeon.kernels.elements.table import NAMED

        line, vector = self._table[k], self._vector[k]
        element = NAMED[part.element]
        if part.followed and _brakes_fast(part.followed[0], joint, system, pose):
            element = NAMED[part.followed[1]]
        element.declare(line, arrays.PART)
        if element.planar and {joint.parent, joint.child} <= self._level and not joint.is_marked:
            line[arrays.UNKNOWNS] = 2 if is_upright(joint_axes(joint)[1][2]) else 3
        vector[arrays.HELD_TURNS] = len(joint.blocks().perpendicular) or 3
        if joint.own_frames is None:
            self._add_axes(vector, joint, joint_axes(joint)[1], pose)
        else:
            for at, axes in zip((arrays.SOCKET_AXES, arrays.BALL_AXES), joint.own_frames, strict=True):
                vector[at : at + 9] = axes.T.reshape(-1)
        for at, axes in ((arrays.IN_SOCKET, arrays.SOCKET_AXES), (arrays.IN_BALL, arrays.BALL_AXES)):
            if part.along and element.planar and {joint.parent, joint.child}.isdisjoint(self._carriers.flexible):
                vector[at : at + 3] += part.along * vector[axes + 6 : axes + 9]
        if part.carried_by == "child":
            _exchange(line, vector)
        axes = vector[arrays.BALL_AXES : arrays.BALL_AXES + 9]
        if any(part.turned):
            axes[:] = (rotation_matrix(turn_of(np.array(part.turned))).T @ axes.reshape(3, 3)).reshape(-1)
        assert len(part.numbers) <= arrays.NUMBERS_COUNT
        vector[arrays.NUMBERS : arrays.NUMBERS + len(part.numbers)] = part.numbers
        if isinstance(joint, CurveJoint):
            vector[arrays.NUMBERS] = self._curves.index(self.names[k])
        vector[arrays.CLEARANCE], vector[arrays.SMALLEST_IMPACT] = part.clearance, part.smallest_impact_speed
        vector[arrays.BALL_RADIUS], vector[arrays.MOST_TILT] = part.reach, part.largest_tilt
        vector[arrays.SWING], line[arrays.TURNS_FREELY] = part.swing, part.turns_freely
        if part.radii is not None:
            vector[arrays.SOCKET_RADIUS], vector[arrays.BALL_RADIUS] = part.radii
            vector[arrays.FREE_PATH] = part.clearance
        if part.table is not None:
            self._laws.keep(part.table)
            line[arrays.SURFACE_TABLE] = part.table.ctypes.data
        if part.clearance == np.inf:
            line[arrays.GAP_FUNCTION] = 0
        if part.film_ends:  # a film, though nobody calls it by a law
            line[arrays.FILM_CALL] = lawforms.PLAIN
        for at, what, law, kind in (
            (arrays.CONTACT_CALL, "contact", part.contact, type_of_law(part.contact)),
            (arrays.FILM_CALL, "film", part.film, FilmLaw),
        ):
            if law is not None:
                self._add_law(line, at, f"{label}: {what}", law, kind, largest_speed=part.largest_speed)

    def _declare(self, line: np.ndarray, kind: int) -> None:
        from gudgeon.kernels.elements.table import ELEMENTS

        ELEMENTS[kind].declare(line, kind)

    def _add_ball(self, line: np.ndarray, vector: np.ndarray, model: Dry | Lubricated, label: str) -> None:
        """Radii, clearance, film and contact of a ball in its socket."""
        self._declare(line, arrays.DRY if isinstance(model, Dry) else arrays.LUBRICATED)
        vector[arrays.SOCKET_RADIUS], vector[arrays.BALL_RADIUS] = model.socket_radius, model.ball_radius
        vector[arrays.CLEARANCE] = model.clearance
        vector[arrays.SMALLEST_IMPACT] = model.smallest_impact_speed
        if isinstance(model, Lubricated):
            self._add_law(line, arrays.FILM_CALL, f"{label}: film", model.film_law, FilmLaw)
            vector[arrays.SMALLEST_FILM] = model.smallest_film
        if isinstance(model, Dry):
            vector[arrays.FREE_PATH] = model.clearance
            if isinstance(model.impact, Newton):
                line[arrays.HARD_CONTACT] = 1
                vector[arrays.REBOUND] = model.impact.restitution_normal
                vector[arrays.REBOUND_ALONG] = model.impact.restitution_tangential
            if isinstance(model.friction, DryFriction):
                line[arrays.SET_VALUED] = 1
                vector[arrays.MU_STATIC], vector[arrays.MU_KINETIC] = model.friction.static, model.friction.kinetic
        if model.contact is not None:
            thinnest = model.smallest_film if isinstance(model, Lubricated) else 0.0
            vector[arrays.FREE_PATH] = model.clearance - thinnest
            largest_speed = isinstance(model, Dry) and model.remembered_speed == "largest"
            where = f"{label}: contact"
            self._add_law(line, arrays.CONTACT_CALL, where, model.contact, ContactLaw, largest_speed=largest_speed)

    def _add_point(self, k: int, joint: Guide, model: Slider, pose: ReferencePose, label: str) -> None:
        """A corner of a rigid slider, or a node of a flexible one, and the wall it can touch."""
        line, vector, flexible = self._table[k], self._vector[k], self._carriers.flexible.get(joint.child)
        self._declare(line, arrays.PLANE)
        height = model.slider_height if flexible is None else float(np.ptp(flexible.mesh.nodes[:, 1]))
        place, axes = wall(joint, pose, self.walls[k], height, model.play)
        vector[arrays.IN_SOCKET : arrays.IN_SOCKET + 3] = place
        vector[arrays.SOCKET_AXES : arrays.SOCKET_AXES + 9] = axes.reshape(-1)
        vector[arrays.CLEARANCE], vector[arrays.SMALLEST_IMPACT] = model.play, SLOWEST_TOUCH
        if isinstance(model, RigidSlider):
            corner = dict(corners(joint, model, pose, self.walls[k]))[self.parts[k]]
            vector[arrays.IN_BALL : arrays.IN_BALL + 3] += corner
        else:
            line[arrays.BALL] = self._carriers.add_node(joint.child, int(self.parts[k]))
            vector[arrays.IN_BALL : arrays.IN_BALL + 3] = 0.0
            if isinstance(model.friction, DryFriction):
                line[arrays.STICKS] = 1
                vector[arrays.MU_STATIC], vector[arrays.MU_KINETIC] = model.friction.static, model.friction.kinetic
        self._add_law(line, arrays.CONTACT_CALL, f"{label}: contact", model.contact, ContactLaw)

    def _add_bushing(
        self, line: np.ndarray, vector: np.ndarray, joint: Joint, model: Bushing, pose: ReferencePose
    ) -> None:
        """Stiffness and damping, with the joint's axes on both bodies where they are matrices."""
        if isinstance(joint, Spherical) and isinstance(model.stiffness, float) and model.is_radial:
            self._declare(line, arrays.RADIAL_BUSHING)
            damping_time = model.damping_time
            if isinstance(model.damping, float):
                damping_time = model.damping / model.stiffness
            vector[arrays.STIFFNESS], vector[arrays.DAMPING_TIME] = model.stiffness, damping_time
            return
        self._declare(line, arrays.BUSHING if model.curves is None else arrays.CURVED_BUSHING)
        for c, curve in enumerate(model.curves or ()):
            vector[arrays.BUSHING_CURVES + c] = -1 if curve is None else self._programs.place_of(curve)
        vector[arrays.HELD_TURNS] = len(joint.blocks().perpendicular) or 3
        displacements, turns = joint_axes(joint)
        stiffness, damping = model.matrices(free_rows(joint))
        if displacements is not turns:
            change = np.eye(6)
            change[:3, :3] = turns @ displacements.T
            stiffness, damping = change @ stiffness @ change.T, change @ damping @ change.T
        vector[arrays.STIFFNESS_MATRIX : arrays.STIFFNESS_MATRIX + 36] = stiffness.reshape(-1)
        vector[arrays.DAMPING_MATRIX : arrays.DAMPING_MATRIX + 36] = damping.reshape(-1)
        self._add_axes(vector, joint, turns, pose)

    def _add_axes(self, vector: np.ndarray, joint: Joint, axes: np.ndarray, pose: ReferencePose) -> None:
        """The joint's axes on both bodies."""
        for body, at in ((joint.parent, arrays.SOCKET_AXES), (joint.child, arrays.BALL_AXES)):
            vector[at : at + 9] = np.array([pose.to_body(body, axis) for axis in axes]).reshape(-1)

    def _add_stop(
        self, k: int, name: str, stop: Stop, side: str, system: System, pose: ReferencePose, turns: Turns | None
    ) -> None:
        """An end of the way of a joint coordinate; the body that carries its axis is the socket."""
        line, vector, joint, label = self._table[k], self._vector[k], system.joints[stop.joint], f"Stop {name!r}"
        coordinate = system.coordinate(label, stop.joint, stop.coordinate)
        free = next(free for free in joint.blocks().free if free.name == coordinate)
        assert not isinstance(free, Along)  # see coupled_lines.py
        axis, (in_socket, in_ball) = np.array(free.axis), pose.joint_points(joint)
        bodies, on_child = (joint.parent, joint.child), getattr(free, "carrier", "parent") == "child"
        arm = np.array(free.arm if isinstance(free, Angle) else triad(axis)[0])
        if isinstance(free, Angle):
            line[arrays.STOP_TURN] = -1 if turns is None else turns.of_load(name)
        if on_child:
            bodies, in_socket, in_ball = bodies[::-1], in_ball, in_socket
        self._declare(line, arrays.STOP)
        line[arrays.SOCKET], line[arrays.BALL] = pose.body_index[bodies[0]], pose.body_index[bodies[1]]
        line[arrays.BALL_ON_CHILD], line[arrays.CHILD_BODY] = not on_child, pose.body_index[joint.child]
        line[arrays.BRISTLE], line[arrays.UNKNOWN] = -1, self.unknown_count
        vector[arrays.IN_SOCKET : arrays.IN_SOCKET + 3], vector[arrays.IN_BALL : arrays.IN_BALL + 3] = (
            in_socket,
            in_ball,
        )
        for body, at in ((bodies[0], arrays.SOCKET_AXES), (bodies[1], arrays.BALL_AXES)):
            frame = [pose.to_body(body, part) for part in (arm, np.cross(axis, arm), axis)]
            vector[at : at + 9] = np.array(frame).reshape(-1)
        vector[arrays.FREE_PATH] = vector[arrays.SOCKET_RADIUS] = np.inf
        vector[arrays.CLEARANCE], vector[arrays.SMALLEST_IMPACT] = stop.way, stop.smallest_impact_speed
        vector[arrays.STOP_AT], vector[arrays.STOP_SIDE] = stop.limits[side], 1.0 if side == "upper" else -1.0
        vector[arrays.SWING] = float(isinstance(free, Angle))
        vector[arrays.STOP_SIGN], vector[arrays.STOP_IS_ANGLE] = -1.0 if on_child else 1.0, isinstance(free, Angle)
        self._add_law(line, arrays.CONTACT_CALL, f"{label}: contact", stop.contact, ContactLaw)
        self.unknown_count += int(line[arrays.UNKNOWNS])

    def _add_coupled(self, k: int, each: CoupledLine, measures: Measures, turns: Turns | None, *, row: bool) -> None:
        """An effort on a sum of joint coordinates."""
        line = self._table[k]
        write_coupled(each, line, self._vector[k], measures, turns, row=row)
        line[arrays.UNKNOWN] = self.unknown_count
        self.unknown_count += int(row)
        if each.law is not None:
            self._add_law(line, arrays.CONTACT_CALL, f"{each.owner}: contact", *each.law)

    def _add_own(
        self, line: np.ndarray, vector: np.ndarray, joint: Joint, model: ForceModel, pose: ReferencePose, label: str
    ) -> None:
        """A user's functions and their parameters, with the joint's axes on both bodies."""
        self._declare(line, arrays.OWN_MODEL)
        vector[arrays.HELD_TURNS] = len(joint.blocks().perpendicular) or 3
        self._add_axes(vector, joint, joint_axes(joint)[1], pose)
        functions, parameters = model.compiled(label), np.array(model.parameters or (0.0,))
        self._laws.keep(*functions.values(), parameters)
        line[arrays.OWN_PARAMETERS] = parameters.ctypes.data
        for name, place in OWN_FUNCTIONS.items():
            line[place] = functions[name].address if name in functions else 0
        line[arrays.ALWAYS_ACTS] = "wrench" in functions
        if "gap" in functions:
            vector[arrays.CLEARANCE], vector[arrays.SMALLEST_IMPACT] = model.gap_length, SLOWEST_TOUCH
        else:
            line[arrays.GAP_FUNCTION] = 0

    def _add_surfaces(self, k: int, label: str, joint: Joint, system: System, pose: ReferencePose) -> None:
        """The surfaces in body axes, from the joint's points, with their table and the function that reads it."""
        from gudgeon.compilation.groups import compile_group
        from gudgeon.nurbs.pair import Pose
        from gudgeon.surface_contact.tables import SurfaceTable, length_of_gap, with_gauss_points

        compile_group("surface contact")
        from gudgeon.surface_contact.kernels.forces import surfaces

        line, vector, model = self._table[k], self._vector[k], joint.model
        assert isinstance(model, SurfaceContact)
        points = dict(zip((joint.parent, joint.child), pose.joint_points(joint), strict=True))
        pair, weight = with_gauss_points(model.interface.pair_for(system, points))
        closed = [Pose(rotation=pose.rotation(body)) for body in model.interface.bodies]
        self._declare(line, arrays.SURFACE)
        vector[arrays.CLEARANCE] = length_of_gap(pair, *closed)
        vector[arrays.BALL_RADIUS] = float(np.linalg.norm(pair.frames[0][:, 0], axis=1).max())
        vector[arrays.SMALLEST_IMPACT] = model.smallest_impact_speed
        self._add_law(line, arrays.CONTACT_CALL, f"{label}: contact", model.contact, ContactLaw)
        if model.friction is not None:  # the table takes the laws with it
            self._add_law(line, arrays.FRICTION_CALL, f"{label}: friction", model.friction, FrictionLaw)
        table = SurfaceTable(pair, weight, reference_on_ball=model.interface.bodies[0] == joint.child, laws=line)
        self._laws.keep(table)
        self._surfaces[self.names[k]] = table.remembered
        line[arrays.SURFACE_FUNCTION], line[arrays.SURFACE_TABLE] = surfaces.address, table.address

    def _add_law(
        self, line: np.ndarray, at: int, where: str, law: Any, kind: type, *, largest_speed: bool = False
    ) -> None:
        line[at : at + 3] = self._laws.row(where, law, kind, largest_speed=largest_speed)


def _brakes_fast(brake: float, joint: Joint, system: System, pose: ReferencePose) -> bool:
    """Whether a brake [N·m·s] about the joint's axis stops one of its bodies, by itself, faster than steps follow."""
    axis = joint_axes(joint)[1][2]
    for name in (joint.parent, joint.child):
        if name in system.bodies and isinstance(body := system.bodies[name], Body):
            along = pose.to_body(name, axis)
            if brake > FASTEST_BRAKE * float(along @ np.array(body.inertia) @ along):
                return True
    return False


def _exchange(line: np.ndarray, vector: np.ndarray) -> None:
    """The child is the socket, the parent the ball."""
    line[[arrays.SOCKET, arrays.BALL]] = line[[arrays.BALL, arrays.SOCKET]]
    line[arrays.BALL_ON_CHILD] = 0
    for first, second, count in ((arrays.IN_SOCKET, arrays.IN_BALL, 3), (arrays.SOCKET_AXES, arrays.BALL_AXES, 9)):
        kept = vector[first : first + count].copy()
        vector[first : first + count] = vector[second : second + count]
        vector[second : second + count] = kept
