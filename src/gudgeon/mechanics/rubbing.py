"""Friction in the ideal joints and threads of a System: what slides, what presses, as lines of `Model.compliant`."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.couplings import Screw
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joint_axes import axes_about
from gudgeon.joints import Joint, Spherical
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.models.ideal import Ideal
from gudgeon.system import System


@dataclass(frozen=True, kw_only=True)
class Rub:
    """Surfaces that slide on each other.

    `slides` says for each joint coordinate that slides, in which directions of sliding and how fast for its rate.
    """

    name: str  # of the joint, with its coordinate where it rubs in two places, or of the coupling
    label: str  # as errors call it
    joint: str
    friction: Any
    load: int = arrays.BEARING
    coordinates: tuple[tuple[str, str], ...] = ()  # joint, coordinate; none: a ball
    weights: tuple[tuple[float, ...], ...] = ()  # for each direction of sliding, of each of them
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)  # of the load, in the reference pose
    carrier: str = "child"  # "child" or "parent": in whose axes it is told
    radius: float = 0.0  # of a ball [m]
    length: float | None = None  # [m]
    width: float | None = None  # [m]
    thrust: float = 0.0  # radius of a thrust bearing, of that of the bearing
    scale: float = 1.0  # of a thread
    coupling: str = ""

    @property
    def directions(self) -> int:
        """In how many directions it slides."""
        return len(self.weights) or 3

    @property
    def efforts(self) -> tuple[tuple[str, str, tuple[float, ...]], ...]:
        """What it does along joint coordinates: their name, their unit, the lever of each direction of sliding."""
        if not self.coordinates:
            return tuple(
                (f"{self.joint}.{axis}", "N*m", tuple(self.radius * (c == d) for d in range(3)))
                for c, axis in enumerate("xyz")
            )
        owner = self.coupling or self.joint
        return tuple(
            (
                f"{owner}.{coordinate}",
                "N*m" if coordinate.startswith("angle") else "N",
                tuple(line[k] for line in self.weights),
            )
            for k, (_, coordinate) in enumerate(self.coordinates)
        )


def rubs_of(system: System) -> list[Rub]:
    """All friction in ideal joints and threads, joints first."""
    flexible, found = flexible_bodies(system), []
    for name, joint in system.joints.items():
        if not joint.rubs:
            continue
        if not {joint.parent, joint.child}.isdisjoint(flexible):
            raise ModelError(
                f"{joint.label(name)}: it holds a flexible body, where Ideal(friction=...) does not know its reaction "
                "as a rigid joint has it; leave friction out, or make the body rigid"
            )
        found += _of_joint(name, joint)
    for name, coupling in system.couplings.items():
        if isinstance(coupling, Screw) and coupling.friction is not None:
            found.append(_of_thread(system, name, coupling))
    return found


def friction_laws(system: System) -> list[Any]:
    """The friction laws of all ideal joints and threads that rub."""
    threads = [coupling for coupling in system.couplings.values() if isinstance(coupling, Screw)]
    models = [joint.model for joint in system.joints.values() if isinstance(joint.model, Ideal)]
    return [each.friction for each in (*models, *threads) if each.friction is not None]


def without_friction(system: System) -> System:
    """The same system without friction in ideal joints and threads."""
    if not friction_laws(system):
        return system
    joints = {
        name: dataclasses.replace(joint, model=Ideal()) if joint.rubs else joint
        for name, joint in system.joints.items()
    }
    couplings = {
        name: dataclasses.replace(coupling, friction=None, radius=None)
        if isinstance(coupling, Screw) and coupling.friction is not None
        else coupling
        for name, coupling in system.couplings.items()
    }
    return system.replace(joints=joints, couplings=couplings)


def _of_joint(name: str, joint: Joint) -> list[Rub]:
    model, blocks = joint.model, joint.blocks()
    assert isinstance(model, Ideal)
    common = {"label": joint.label(name), "joint": name, "friction": model.friction, "length": model.length}
    radius = model.radius or 0.0
    if isinstance(joint, Spherical):
        return [Rub(name=name, **common, load=arrays.BALL_BEARING, radius=radius)]
    thrust = (model.thrust_radius or 0.0) / radius if radius else 0.0
    if blocks.displacements:  # a guide; a rod that turns too
        axis = blocks.displacements[0].axis
        coordinates, weights = ((name, blocks.displacements[0].name),), ((1.0,),)
        if blocks.angles:
            coordinates, weights = (*coordinates, (name, blocks.angles[0].name)), ((1.0, 0.0), (0.0, radius))
        return [
            Rub(
                name=name,
                **common,
                coordinates=coordinates,
                weights=weights,
                axis=axis,
                carrier=model.bearing_on,
                width=model.width,
            )
        ]
    several = len(blocks.angles) > 1
    return [
        Rub(
            name=f"{name}.{angle.name}" if several else name,
            **common,
            coordinates=((name, angle.name),),
            weights=((radius,),),
            axis=angle.axis,
            carrier=angle.carrier,
            thrust=thrust,
        )
        for angle in blocks.angles
    ]


def _of_thread(system: System, name: str, screw: Screw) -> Rub:
    angle, radius = screw.lead_angle, screw.radius or 0.0
    flank = math.atan(math.tan(0.5 * screw.thread_angle) * math.cos(angle))
    return Rub(
        name=name,
        label=f"Screw {name!r}",
        joint=screw.joint,
        friction=screw.friction,
        load=arrays.THREAD,
        coordinates=system.coupled(name),
        weights=((radius * math.cos(angle), math.sin(angle)),),
        scale=1.0 / (math.cos(angle) * math.cos(flank)),
        coupling=name,
    )


def write_rub(rub: Rub, line: np.ndarray, vector: np.ndarray, system: System, pose: ReferencePose, measures: Measures):
    """A line of `Model.compliant`; the places of rows and links come later (`place_reactions`)."""
    joint = system.joints[rub.joint]
    line[arrays.RUB_LOAD], line[arrays.RUB_SLIDES] = rub.load, rub.directions
    line[arrays.UNKNOWNS] = rub.directions
    line[arrays.RUB_MEASURES : arrays.RUB_MEASURES + 2] = -1
    ends = [joint.parent, joint.child]
    if rub.coordinates:
        ends = []
        for which, (name, coordinate) in enumerate(rub.coordinates):
            line[arrays.RUB_MEASURES + which] = measures.index(name, coordinate)
            ends += [system.joints[name].parent, system.joints[name].child]
    line[arrays.RUB_ENDS : arrays.RUB_ENDS + len(ends)] = [pose.body_index[body] for body in ends]
    line[[arrays.SOCKET, arrays.BALL]] = line[arrays.RUB_ENDS : arrays.RUB_ENDS + 2]
    line[arrays.CHILD_BODY], line[arrays.BALL_ON_CHILD] = pose.body_index[joint.child], 1
    for direction, weights in enumerate(rub.weights):
        at = arrays.RUB_WEIGHTS + 2 * direction
        vector[at : at + len(weights)] = weights
    carrier = joint.child if rub.carrier == "child" else joint.parent
    point = pose.joint_points(joint)[rub.carrier == "child"]
    line[arrays.RUB_CARRIER] = pose.body_index[carrier]
    vector[arrays.IN_SOCKET : arrays.IN_SOCKET + 3] = point
    axes = [pose.to_body(carrier, direction) for direction in axes_about(rub.axis)]
    vector[arrays.SOCKET_AXES : arrays.SOCKET_AXES + 9] = np.array(axes).reshape(-1)
    vector[arrays.RUB_RADIUS], vector[arrays.RUB_THRUST], vector[arrays.RUB_SCALE] = rub.radius, rub.thrust, rub.scale
    vector[arrays.RUB_INVERSE_LENGTH] = 0.0 if rub.length is None else 1.0 / rub.length
    vector[arrays.RUB_ROLL] = 0.0 if rub.width is None else 2.0 / rub.width
    vector[arrays.CLEARANCE] = vector[arrays.FREE_PATH] = vector[arrays.SOCKET_RADIUS] = np.inf


def place_reactions(rubs: list[Rub], lines: np.ndarray, system: System, block: np.ndarray, tree: np.ndarray) -> None:
    """Where the reactions of joints are found: their blocks, or the links that they carry."""
    couplings = np.flatnonzero(block[:, arrays.KIND] == arrays.COUPLING)
    joints = list(system.joints)
    for rub, line in zip(rubs, lines, strict=True):
        joint = joints.index(rub.joint)
        own = np.flatnonzero(block[:, arrays.JOINT_OF] == joint)
        if rub.coupling:
            rigid = [name for name, coupling in system.couplings.items() if not coupling.is_elastic]
            own = couplings[[rigid.index(rub.coupling)]]
        if len(own):
            line[arrays.RUB_BLOCK], line[arrays.RUB_BLOCKS] = own[0], len(own)
        else:
            link = int(np.flatnonzero(tree[:, arrays.TREE_JOINT] == joint)[0])
            line[arrays.RUB_LINK], line[arrays.RUB_REVERSED] = link, tree[link, arrays.TREE_REVERSED]
