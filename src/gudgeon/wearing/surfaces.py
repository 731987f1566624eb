"""Wear of two surfaces of any shape that touch: depths on their NURBS bases, fed back by moved control points.

Pressures are those of `gd.SurfaceContact`: at the points of its quadrature, from the gap and its rate at the samples of
a run (gudgeon.nurbs.gap). Each point's volume k p |v_t| dA dt goes to the reference surface there and to the
corresponding surface where the normal meets it.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, vstack

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.nurbs.pair import Pose
from gudgeon.rotations import rotation_matrix
from gudgeon.wearing.admissible import admissible
from gudgeon.wearing.frozen import Reachable
from gudgeon.wearing.laws import evaluated, impact_speeds
from gudgeon.wearing.nets import WornNet
from gudgeon.wearing.pressed import Pressed, trapezium

if TYPE_CHECKING:
    from gudgeon.nurbs.gap import GapField
    from gudgeon.results.result import Result
    from gudgeon.system import System

COARSER = 2  # quadrature points for every knot interval of a worn net
REACH = 3.0  # how far from touching a point may be, of the deepest wear of a jump and of the gap's length


class WearingSurfaces:
    """The two surfaces of a `gd.SurfaceContact`; called by their bodies."""

    def __init__(self, name: str, model: SurfaceContact, system: System):
        self.name, self.model, self.system = name, model, system
        interface = model.interface
        if interface.corresponding_side == 0:
            raise ModelError(
                f"wear: the interface of {name!r} has corresponding_side=0; say on which side the body is, 1 or -1, so "
                "that its surface can be worn"
            )
        spans = tuple(max(1, (x if isinstance(x, int) else len(x)) // COARSER) for x in interface.grid)
        sides = (interface.reference_side, interface.corresponding_side)
        shapes: list[Any] = [interface.reference[1], interface.corresponding[1]]
        self.nets = [WornNet(shape, (spans[0], spans[1]), side) for shape, side in zip(shapes, sides, strict=True)]
        self._ways: np.ndarray | None = None

    @property
    def surfaces(self) -> tuple[str, ...]:
        """The names of the two bodies."""
        return self.model.interface.bodies

    @property
    def start(self) -> list[np.ndarray]:
        """Nothing: what is worn already is the shape of the surface [m]."""
        return [np.zeros(net.count) for net in self.nets]

    @property
    def areas(self) -> list[np.ndarray]:
        """A_i [m²]."""
        return [net.areas for net in self.nets]

    @property
    def scale(self) -> float:
        """A length that the gap has [m]."""
        from gudgeon.surface_contact.tables import length_of_gap, with_gauss_points

        pair, _ = with_gauss_points(self.model.interface.pair_for(self.system))
        poses = [_pose_described(self.system, body) for body in self.model.interface.bodies]
        return length_of_gap(pair, *poses)

    def variables(self, surface: int, worn: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Worn depths (jump, coefficient) as a variable over the parameters of the surface."""
        net, name = self.nets[surface], f"{self.name}.{self.surfaces[surface]}"
        n1, n2 = net.shape
        one, two = f"{name}.xi1", f"{name}.xi2"
        values = worn[:, net.owner].reshape(len(worn), n1, n2).transpose(0, 2, 1)
        what = "worn off, coefficients of the surface's own basis"
        return {name: (("cycles", two, one), values, {"units": "m", "long_name": what})}, {
            one: (one, net.places[0], {"units": "1", "long_name": "ξ1"}),
            two: (two, net.places[1], {"units": "1", "long_name": "ξ2"}),
        }

    def recalled(self, surface: int, values: np.ndarray) -> np.ndarray:
        """Coefficients of a row of such a variable."""
        return values.T.reshape(-1)[self.nets[surface].first]

    def worn(self, system: System, depths: list[np.ndarray]) -> System:
        """The system whose surfaces are worn by these depths."""
        interface = self.model.interface
        sides = [(body, net.worn(w)) for body, net, w in zip(interface.bodies, self.nets, depths, strict=True)]
        changed = dataclasses.replace(interface, reference=sides[0], corresponding=sides[1])
        return system.with_model(**{self.name: dataclasses.replace(self.model, interface=changed)})

    def pressed(self, result: Result) -> Pressed:
        """What touched during a run."""
        times = result.data.time.values
        deep = np.flatnonzero(result.data.penetration.sel(joint=self.name).values > 0.0)
        dt, found = trapezium(times), _Points()
        impact = impact_speeds(result, self.name, times, self.model.smallest_impact_speed)
        for sample, field, weight in self._fields(result, deep):
            touching = np.flatnonzero((field.reason.ravel() == 0) & (field.gap.ravel() < 0.0) & (weight > 0.0))
            if len(touching) == 0:
                continue
            n = field.basis.reshape(-1, 3, 3)[touching, :, 1]
            slides = np.einsum(
                "qij,qj->qi",
                field.basis.reshape(-1, 3, 3)[touching],
                (field.wall_corresponding - field.wall_reference).reshape(-1, 3)[touching],
            )
            slides -= np.sum(slides * n, axis=1, keepdims=True) * n
            found.add(
                np.full(len(touching), sample),
                weight[touching],
                -field.gap.ravel()[touching],
                -field.gap_rate.ravel()[touching],
                np.full(len(touching), impact[sample]),
                np.linalg.norm(slides, axis=1),
                n,
                self._shapes(field, touching),
            )
        sample, area, depth, rate, impacts, speed, push, shapes = found.together(self.nets)
        pressure, stiffness = evaluated(self.name, self.model.contact, depth, rate, impacts)
        sample = sample.astype(np.int64)
        return Pressed(
            sample,
            area * dt[sample],
            area,
            pressure,
            stiffness,
            speed,
            push,
            3,
            shapes,
            float(times[-1] - times[0]),
        )

    def reachable(self, result: Result, samples: np.ndarray, depths: list[np.ndarray]) -> Reachable:
        """Points that may touch at some samples when the surfaces are worn a little more."""
        reach = REACH * max(self.scale, *(float(w.max()) for w in depths))
        joint, found = self.system.joints[self.name], _Points()
        if self._ways is None:
            self._ways = admissible(result, self.name, float(self.nets[0].surface.patches.length[0]))
        poses = [_poses(result, body) for body in (joint.parent, joint.child)]
        sign = 1.0 if self.model.interface.bodies[1] == joint.child else -1.0
        at_child = _joint_point(result, self.name)
        for place, (sample, field, weight) in enumerate(self._fields(result, samples)):
            near = np.flatnonzero((field.reason.ravel() == 0) & (field.gap.ravel() < reach) & (weight > 0.0))
            n = field.basis.reshape(-1, 3, 3)[near, :, 1]
            frame = poses[0](sample)[0]  # rows: the socket's axes
            arm = field.corresponding.reshape(-1, 3)[near] - (poses[1](sample)[1] + poses[1](sample)[0].T @ at_child)
            turns = np.cross(arm, n)
            push = -sign * np.hstack([n @ frame.T, turns @ frame.T]) @ self._ways
            zero = np.zeros(len(near))
            found.add(
                np.full(len(near), place),
                weight[near],
                -field.gap.ravel()[near],
                zero,
                zero,
                zero,
                push,
                self._shapes(field, near),
            )
        instant, area, depth, *_, push, shapes = found.together(self.nets)
        return Reachable(instant.astype(np.int64), depth, area, push, shapes)

    def _shapes(self, field: GapField, points: np.ndarray) -> tuple[csr_array, csr_array]:
        one, two = np.meshgrid(self._rows[0], self._rows[1], indexing="ij")
        xi = field.xi.reshape(-1, 2)[points]
        return (
            self.nets[0].shapes(one.ravel()[points], two.ravel()[points]),
            self.nets[1].shapes(xi[:, 0], xi[:, 1]),
        )

    def _fields(self, result: Result, samples: np.ndarray):
        """Number, gap and areas at samples of a run, whose system has the surfaces as they were worn."""
        from gudgeon.nurbs.gap import GapState
        from gudgeon.surface_contact.tables import with_gauss_points

        assert result.system is not None
        model: Any = result.system.joints[self.name].model
        pair, weight = with_gauss_points(model.interface.pair_for(result.system))
        self._rows = pair.xi1, pair.xi2
        state, data = GapState(pair), result.data
        for sample in samples.tolist():
            poses = [_pose(data, body, sample) for body in model.interface.bodies]
            yield sample, state.update(*poses), weight


class _Points:
    """Collects columns and shapes."""

    def __init__(self):
        self._columns: list[list[np.ndarray]] = []
        self._shapes: list[tuple[csr_array, csr_array]] = []

    def add(self, *columns: Any) -> None:
        self._columns.append(list(columns[:-1]))
        self._shapes.append(columns[-1])

    def together(self, nets: list[WornNet]) -> list[Any]:
        if not self._columns:
            empty = [np.zeros(0)] * 6
            return [*empty, np.zeros((0, 3)), tuple(csr_array((0, net.count)) for net in nets)]
        columns = [np.concatenate(parts) for parts in zip(*self._columns, strict=True)]
        shapes = tuple(csr_array(vstack(parts, format="csr")) for parts in zip(*self._shapes, strict=True))
        return [*columns, shapes]


def _pose(data: Any, body: str, sample: int) -> Pose:
    if body == GROUND:
        return Pose()
    at = data.isel(time=sample).sel(body=body)
    return Pose(
        rotation=at.orientation.values,
        position=at.position.values,
        velocity=at.velocity.values,
        angular_velocity=at.angular_velocity.values,
    )


def _pose_described(system: System, body: str) -> Pose:
    if body == GROUND:
        return Pose()
    return Pose(rotation=system.bodies[body].orientation, position=system.bodies[body].position)


def _poses(result: Result, body: str):
    """(rows of axes, position) of a body at a sample."""
    if body == GROUND:
        return lambda sample: (np.eye(3), np.zeros(3))
    at = result.data.sel(body=body)
    q, p = at.orientation.values, at.position.values
    return lambda sample: (rotation_matrix(q[sample]).T, p[sample])


def _joint_point(result: Result, name: str) -> np.ndarray:
    """The joint's point of the child, child's axes, from its centre of mass [m]."""
    assert result._source is not None
    equations = result._source[0]
    return equations.joint_point[list(equations.system.joints).index(name)]
