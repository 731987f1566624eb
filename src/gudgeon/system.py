"""A mechanism: bodies, joints, loads and drives, described once and never changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gudgeon.bodies import GROUND, Body, BodyState, FlexibleBody
from gudgeon.checks import Named, vector
from gudgeon.controllers import RESERVED, Control
from gudgeon.couplings import Coupling
from gudgeon.crosses import is_made, with_crosses
from gudgeon.drives import Drive
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.flexible_bodies import check_flexible, flexible_bodies
from gudgeon.functions.function import Function
from gudgeon.joints import Joint
from gudgeon.loads import Force, JointEffort, JointSpring, Load, Torque
from gudgeon.marked import Marks, all_as_given, as_given
from gudgeon.markers import Marker
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.ideal import Ideal, JointModel
from gudgeon.quantities import Acceleration
from gudgeon.signals import checked_signals, refuse_unknown_signals
from gudgeon.state import State
from gudgeon.stops import Stop
from gudgeon.switch_rules import refuse_wrong_switches
from gudgeon.switches import Switch

if TYPE_CHECKING:
    from gudgeon.interface import Interface
    from gudgeon.topology.topology import Topology

SHOWN = 12  # parts of each kind that `repr` names


@dataclass(frozen=True, kw_only=True, repr=False)
class System:
    """A mechanism. The body `"ground"`, the world itself, is built in.

    Bodies start in their reference pose unless `start` says otherwise (a previous result's `state()`, or what
    `assemble` found). A System is data: it compares, hashes, copies and pickles; Python functions in it pickle if they
    are made by def at the top of a module (a lambda does not; an expression always does).

    >>> import gudgeon as gd
    >>> pendulum = gd.System(
    ...     bodies={"bob": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -1))},
    ...     joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
    ... )
    >>> pendulum.gruebler_freedoms
    1
    """

    name: str = "mechanism"
    gravity: Acceleration = (0.0, 0.0, -9.81)  # world axes [m/s²]
    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint] = field(default_factory=dict)
    loads: Mapping[str, Load] = field(default_factory=dict)
    drives: Mapping[str, Drive] = field(default_factory=dict)  # and locks
    start: Mapping[str, BodyState] = field(default_factory=dict)
    interfaces: Mapping[str, Interface] = field(default_factory=dict)  # whose gaps a result reports
    markers: Mapping[str, Marker] = field(default_factory=dict)  # named points, for signals
    signals: Mapping[str, Function] = field(default_factory=dict)  # named quantities of the motion; in the result too
    couplings: Mapping[str, Coupling] = field(default_factory=dict)  # gears and the like between joints
    controllers: Mapping[str, Control] = field(default_factory=dict)  # states of your own, continuous or sampled
    switches: Mapping[str, Switch] = field(default_factory=dict)  # what turns on and off

    def __post_init__(self):
        keep = object.__setattr__
        owner = f"System {self.name!r}"
        if not isinstance(self.name, str):
            raise ModelError(f"System: name is {self.name!r}; give a string")
        if isinstance(self.start, State):
            self.start.refuse_wound_springs()
        keep(self, "gravity", vector(owner, "gravity", self.gravity))
        for name, kind in (
            ("bodies", Body),
            ("joints", Joint),
            ("loads", Load),
            ("drives", Drive),
            ("start", BodyState),
            ("markers", Marker),
            ("couplings", Coupling),
            ("controllers", Control),
            ("switches", Switch),
        ):
            keep(self, name, Named.of(f"{owner}, {name}", getattr(self, name), kind))
        marks = Marks(owner, self.bodies, self.markers)
        if any(joint.is_marked for joint in all_as_given(self.joints).values()):
            marked = {name: marks.joint(name, joint) for name, joint in self.joints.items()}
            keep(self, "joints", Named(f"{owner}, joints", marked, Joint))
        loads = {name: marks.load(name, load) for name, load in self.loads.items()}
        if any(loads[name] is not load for name, load in self.loads.items()):
            keep(self, "loads", Named(f"{owner}, loads", loads, Load))
        crosses = with_crosses(self.bodies, self.joints, self.start)
        for name, kind, parts in zip(("bodies", "joints", "start"), (Body, Joint, BodyState), crosses, strict=True):
            if len(parts) != len(getattr(self, name)) or any(map(is_made, parts.values())):
                keep(self, name, Named(f"{owner}, {name}", parts, kind))
        if not self.bodies:
            raise ModelError(f"{owner}: it has no bodies; give bodies={{name: gd.Body(...)}}")
        if GROUND in self.bodies:
            raise ModelError(f"{owner}: the body 'ground' is built in; give yours another name")
        places = {GROUND, *self.bodies}
        for name, joint in self.joints.items():
            for body in (joint.parent, joint.child):
                if not isinstance(body, str) or body not in places:
                    self.require_body(joint.label(name), body)
        for name, load in self.loads.items():
            label = f"{type(load).__name__} {name!r}"
            for body in load.bodies():
                self.require_body(label, body)
            if isinstance(load, Force | Torque) and load.body == GROUND:
                raise ModelError(f"{label}: it acts on the ground, which nothing moves; give the body that it acts on")
            if isinstance(load, JointSpring | JointEffort | Stop):
                coordinate = self.coordinate(label, load.joint, load.coordinate)
                if isinstance(load, JointEffort):
                    load.refuse_coordinate(label, coordinate)
        driven: dict[tuple[str, str], str] = {}
        for name, drive in self.drives.items():
            label = f"{type(drive).__name__} {name!r}"
            key = (drive.joint, self.coordinate(label, drive.joint, drive.coordinate))
            if key in driven and not (drive.is_switched and self.drives[driven[key]].is_switched):
                raise ModelError(
                    f"{label}: the {key[1]} of joint {key[0]!r} is already driven by {driven[key]!r}; "
                    "a coordinate takes one drive at a time (since=, until=)"
                )
            driven[key] = name
        for name in self.couplings:
            self._refuse_coupling(name)
        self._check_signals(owner)
        for name in self.start:
            self.require_body(f"{owner}, start", name, ground=False)
        keep(self, "interfaces", self._named_interfaces(owner))
        if any(isinstance(body, FlexibleBody) for body in self.bodies.values()) or any(
            isinstance(joint.model, FlexibleSlider) for joint in self.joints.values()
        ):
            check_flexible(self)

    def _check_signals(self, owner: str) -> None:
        """Markers on bodies that are there, and functions that depend on signals that are."""
        object.__setattr__(self, "signals", checked_signals(owner, self.signals))
        flexible = flexible_bodies(self)
        for name, marker in self.markers.items():
            self.require_body(f"Marker {name!r}", marker.body)
            if marker.body in flexible:
                raise ModelError(f"Marker {name!r}: {marker.body!r} is flexible; a marker takes a rigid body")
            if name in self.bodies:
                raise ModelError(f"Marker {name!r}: a body has this name; bodies are markers too, give it another name")
        self._refuse_taken_names(owner)
        refuse_unknown_signals(self)
        refuse_wrong_switches(self)

    def _refuse_taken_names(self, owner: str) -> None:
        """Controllers and switches are signals, so that their names must tell them apart from other sources."""
        if not self.controllers and not self.switches:
            return
        points = dict.fromkeys(self.joints, "joint")
        points |= dict.fromkeys((*self.markers, *self.bodies), "body or marker")
        for name in self.controllers:
            if name in points:
                raise ModelError(f"Controller {name!r}: a {points[name]} has this name; give it another one")
            if name in RESERVED:
                raise ModelError(f"Controller {name!r}: expressions know this name as something else; give another one")
        for name in self.switches:
            if not name.isidentifier() or name in RESERVED:
                raise ModelError(
                    f"Switch {name!r}: it is a signal by this name; use letters, digits and _, and none of "
                    f"{', '.join(sorted(RESERVED))}"
                )
            if name in self.signals:
                raise ModelError(f"Switch {name!r}: a signal of the System has this name; give it another one")

    def _refuse_coupling(self, name: str) -> None:
        """ModelError where a coupling joins what cannot be joined."""
        label = f"{type(self.couplings[name]).__name__} {name!r}"
        one, two = self.coupled(name)
        if one == two:
            raise ModelError(f"{label}: it couples the {one[1]} of joint {one[0]!r} with itself; give two coordinates")
        if name in self.joints or name in self.drives:
            raise ModelError(f"{label}: a joint or drive has this name; give it another one")
        for joint_name, _ in (one, two):
            joint = self.joints[joint_name]
            if not {joint.parent, joint.child}.isdisjoint(flexible_bodies(self)):
                raise ModelError(f"{label}: the joint {joint_name!r} holds a flexible body, which no coupling moves")

    def coupled(self, name: str) -> tuple[tuple[str, str], tuple[str, str]]:
        """The two joint coordinates of a coupling: joint and coordinate.

        >>> import gudgeon as gd
        >>> wheel = gd.Body(mass=1.0, inertia=(1, 1, 1))
        >>> train = gd.System(
        ...     bodies={"a": wheel, "b": wheel},
        ...     joints={"A": gd.Revolute("ground", "a", at=(0, 0, 0)), "B": gd.Revolute("ground", "b", at=(0, 0, 0))},
        ...     couplings={"mesh": gd.Gear("A", "B", teeth=(20, 40))},
        ... )
        >>> train.coupled("mesh")
        (('A', 'angle'), ('B', 'angle'))
        """
        coupling = self.couplings[name]
        label, found = f"{type(coupling).__name__} {name!r}", []
        for joint, coordinate, angle in coupling.coordinates():
            if joint not in self.joints:
                raise ModelError(f"{label}: no joint {joint!r}; {did_you_mean(str(joint), self.joints)}")
            of_kind = [free.name for free in self.joints[joint].blocks().free if free.name.startswith("angle") == angle]
            if coordinate is None and len(of_kind) != 1:
                what = "angle" if angle else "displacement"
                raise ModelError(
                    f"{label}: {self.joints[joint].label(joint)} has {len(of_kind) or 'no'} free {what}"
                    f"{'s' * (len(of_kind) > 1)}; it must have one"
                )
            found.append((joint, coordinate or of_kind[0]))
        return found[0], found[1]

    def _named_interfaces(self, owner: str) -> Named[Interface]:
        if self.interfaces == {}:  # nothing of surfaces to import
            return Named(f"{owner}, interfaces", {}, object)
        from gudgeon.interface import named_interfaces

        return named_interfaces(self, self.interfaces)

    def replace(self, **changes: Any) -> System:
        """This system with some fields replaced.

        >>> import gudgeon as gd
        >>> gd.examples.spatial_four_bar().replace(gravity=(0, 0, 0)).gravity
        (0.0, 0.0, 0.0)
        """
        known = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise ModelError(f"System {self.name!r}: no field {name!r} to replace; {did_you_mean(name, known)}")
        return dataclasses.replace(self, **changes)

    def with_model(self, **models: JointModel) -> System:
        """This system with the models of some joints replaced, by joint name.

        >>> import gudgeon as gd
        >>> system = gd.examples.spatial_four_bar().with_model(C=gd.Ideal())
        """
        joints = dict(self.joints)
        for name, model in models.items():
            if name not in joints:
                raise ModelError(
                    f"System {self.name!r}: no joint {name!r} to give a model; {did_you_mean(name, joints)}"
                )
            joint = as_given(joints[name])
            try:
                joints[name] = dataclasses.replace(joint, model=model)
            except ModelError as error:
                raise ModelError(str(error).replace(joint.label(), joint.label(name), 1)) from None
        return self.replace(joints=joints)

    def save(self, path: str | Path) -> Path:
        """Write a model file, YAML or JSON by its name, which `gd.load_system(path)` reads to an equal System.

        It is replaced only when the new one is complete. What is not data, a Python function or a class of your own, is
        refused by name.

        >>> gd.examples.spatial_four_bar("dry").save("four-bar.yaml")  # doctest: +SKIP
        """
        from gudgeon.files.model_file import save_system

        return save_system(self, path)

    def __repr__(self) -> str:
        """Its parts by name, a line for each kind."""
        parts = {
            "bodies": [*self.bodies],
            "joints": [
                f"{name} ({type(joint).__name__}"
                + (_friction(joint.model) if isinstance(joint.model, Ideal) else f", {type(joint.model).__name__}")
                + ")"
                for name, joint in self.joints.items()
            ],
            "loads": [f"{name} ({type(load).__name__})" for name, load in self.loads.items()],
            "drives": [f"{name} (of {drive.joint})" for name, drive in self.drives.items()],
            "couplings": [f"{name} ({type(coupling).__name__})" for name, coupling in self.couplings.items()],
            "markers": [*self.markers],
            "signals": [*self.signals],
            "controllers": [f"{name} ({type(each).__name__})" for name, each in self.controllers.items()],
            "switches": [*self.switches],
            "interfaces": [*self.interfaces],
            "start": [*self.start],
        }
        lines = [
            f"<gudgeon.System {self.name!r}: Grübler freedoms {self.gruebler_freedoms} (the true ones: gd.assemble)"
        ]
        lines += [_listed(kind, names) for kind, names in parts.items() if names]
        return "\n".join(lines) + ">"

    @property
    def gruebler_freedoms(self) -> int:
        """6 per rigid body, 2 per node of a flexible one, less all constraint rows (Grübler), if none is redundant.

        Drives, locks and couplings that begin to hold later do not count.
        """
        flexible = flexible_bodies(self)
        rows = sum(part.since is None for part in self.drives.values())
        rows += sum(not coupling.is_elastic and coupling.since is None for coupling in self.couplings.values())
        for joint in self.joints.values():
            if not (joint.is_compliant or joint.parent in flexible or joint.child in flexible):
                rows += joint.blocks().row_count
        nodes = sum(2 * body.mesh.node_count for body in flexible.values())
        return 6 * (len(self.bodies) - len(flexible)) + nodes - rows

    def topology(self, cuts: Iterable[str] | None = None) -> Topology:
        """The tree of this mechanism and the joints that are cut to get it, as relative coordinates use them.

        `cuts` names joints that must be cut; what is still a loop then is cut where that costs least.

        >>> import gudgeon as gd
        >>> gd.examples.spatial_four_bar().topology().cuts
        ('C',)
        """
        from gudgeon.topology.topology import topology

        return topology(self, cuts)

    def coordinate(self, owner: str, joint_name: str, coordinate: str | None) -> str:
        """The name of a free coordinate of a joint, checked; None stands for the only one."""
        if not isinstance(joint_name, str):
            raise ModelError(f"{owner}: joint is {joint_name!r}; give the name of a joint")
        if joint_name not in self.joints:
            raise ModelError(f"{owner}: no joint {joint_name!r}; {did_you_mean(joint_name, self.joints)}")
        joint = self.joints[joint_name]
        known = [free.name for free in joint.blocks().free]
        if not known:
            raise ModelError(
                f"{owner}: {joint.label(joint_name)} has no single angle or displacement; use a revolute, prismatic, "
                "cylindrical or universal joint, or a guide (coordinates such as dx or e0 in a result are for reading)"
            )
        if coordinate is None:
            if len(known) > 1:
                raise ModelError(
                    f"{owner}: {joint.label(joint_name)} has the coordinates {', '.join(known)}; "
                    "say which with coordinate="
                )
            return known[0]
        if coordinate not in known:
            raise ModelError(
                f"{owner}: {joint.label(joint_name)} has no coordinate {coordinate!r}; "
                f"{did_you_mean(coordinate, known)}"
            )
        return coordinate

    def require_body(self, owner: str, body: str, *, ground: bool = True) -> None:
        """Refuse a body that is not there."""
        if not isinstance(body, str) or not (body in self.bodies or (ground and body == GROUND)):
            known = [*self.bodies, *([GROUND] if ground else [])]
            raise ModelError(f"{owner}: no body {body!r}; {did_you_mean(str(body), known)}")


def _friction(model: Ideal) -> str:
    return "" if model.friction is None else ", friction"


def _listed(kind: str, names: list[str]) -> str:
    """A line of `repr`: how many there are, and the first of them."""
    more = f", … {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"  {kind} {len(names):>{13 - len(kind)}}  {', '.join(names[:SHOWN])}{more}"
