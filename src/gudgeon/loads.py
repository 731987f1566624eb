"""Loads: forces and torques that act on bodies or between them.

Every quantity marked `Function` is a number, an expression in the time t and in signals such as "6*sin(pi/6*t)" or
"-0.2*main.angle_rate", a `Table`, or a Python function whose arguments are t and signals by name, which is compiled.
Expressions are parsed against a list of allowed names; nothing is ever evaluated as Python code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Literal

from gudgeon.checks import choice, number, vector
from gudgeon.errors import ModelError
from gudgeon.functions.function import Function, check_function, constant_value, depends_on_motion
from gudgeon.quantities import Point, Unit

Components = tuple[Function, Function, Function] | Callable[..., tuple[float, float, float]]


class Load:
    """A force or torque in a system; abstract."""

    functions: ClassVar[tuple[str, ...]] = ()  # fields that may depend on time and signals
    not_negative: ClassVar[tuple[str, ...]] = ()  # functions of t that must be zero or more at every t
    local: ClassVar[frozenset[str]] = frozenset()  # names that its own functions know besides signals

    def given_functions(self) -> Iterator[tuple[str, Any]]:
        """Its functions, components of vectors one by one, each with its name."""
        for field in self.functions:
            value = getattr(self, field)
            if isinstance(value, tuple):
                yield from ((f"{field}[{k}]", part) for k, part in enumerate(value))
            elif value is not None:
                yield field, value

    def bodies(self) -> tuple[str, ...]:
        """The bodies this load acts on."""
        return ()


def _components(owner: str, value: Any) -> tuple[Function, Function, Function] | Function:
    """Three functions, or one Python function that returns three numbers."""
    if callable(value):
        return check_function(owner, "vector", value, length=3)
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 3:
        raise ModelError(f"{owner}: vector is {value!r}; give three numbers, expressions or functions of t")
    x, y, z = (check_function(owner, f"vector[{k}]", v) for k, v in enumerate(value))
    return (x, y, z)


@dataclass(frozen=True)
class Force(Load):
    """A force on a body at a point of it, constant or a function of the time t and of signals.

    Each component is a number [N], an expression, a `Table` or a Python function of t and signals; `vector` may also be
    one Python function that returns three numbers. A joint's `at` is a world point; this `at` is a point of the body,
    or the name of a marker on it. `body` may be a marker itself: its body and its point.

    >>> import gudgeon as gd
    >>> push = gd.Force("slider", ("6*sin(pi/6*t)", 0, 0), at=(0, 0.05, 0))
    """

    body: str
    vector: Annotated[Components, Unit("N")]  # three Functions, or one Python function that returns three numbers [N]
    _: KW_ONLY
    at: Point | str = (0.0, 0.0, 0.0)  # point of the body, body axes, from the centre of mass [m], or a marker
    axes: Literal["world", "body"] = "world"  # in which the components are stated
    functions: ClassVar = ("vector",)

    def __post_init__(self):
        owner = f"Force on {self.body!r}"
        object.__setattr__(self, "vector", _components(owner, self.vector))
        if not isinstance(self.at, str):
            object.__setattr__(self, "at", vector(owner, "at", self.at))
        choice(owner, "axes", self.axes, ("world", "body"))

    def bodies(self) -> tuple[str, ...]:
        """The body pushed."""
        return (self.body,)


@dataclass(frozen=True)
class Torque(Load):
    """A torque on a body, constant or a function of time and signals, given as the components of a `Force` are.

    >>> import gudgeon as gd
    >>> motor = gd.Torque("crank", (0, 0, 0.033))
    """

    body: str
    vector: Annotated[Components, Unit("N·m")]  # three Functions, or one Python function that returns them [N·m]
    _: KW_ONLY
    axes: Literal["world", "body"] = "world"  # in which the components are stated
    functions: ClassVar = ("vector",)

    def __post_init__(self):
        owner = f"Torque on {self.body!r}"
        object.__setattr__(self, "vector", _components(owner, self.vector))
        choice(owner, "axes", self.axes, ("world", "body"))

    def bodies(self) -> tuple[str, ...]:
        """The body turned."""
        return (self.body,)


@dataclass(frozen=True)
class SpringDamper(Load):
    """A spring and a damper in parallel between a point of `first` and a point of `second`.

    The tension is k (l − l₀) + c l̇, l the distance of the two points. k, c and l₀ may be functions of time and signals;
    the energy of a spring counts as potential energy unless its k or l₀ depends on a signal. `first` and `second` may
    be markers: their bodies and their points.

    >>> import gudgeon as gd
    >>> strut = gd.SpringDamper("ground", "mass", at_first=(0, 0, 1), stiffness=1e3, damping=5.0, length=0.3)
    """

    first: str
    second: str
    _: KW_ONLY
    at_first: Point | str = (0.0, 0.0, 0.0)  # body axes, from the centre of mass [m], or a marker
    at_second: Point | str = (0.0, 0.0, 0.0)  # body axes, from the centre of mass [m], or a marker
    stiffness: Annotated[Function, Unit("N/m")] = 0.0  # k [N/m]
    damping: Annotated[Function, Unit("N·s/m")] = 0.0  # c [N·s/m]
    length: Annotated[Function, Unit("m")] = 0.0  # l₀, free length [m]
    functions: ClassVar = ("stiffness", "damping", "length")
    not_negative: ClassVar = ("stiffness", "damping", "length")

    def __post_init__(self):
        owner = f"SpringDamper {self.first}–{self.second}"
        keep = object.__setattr__
        if self.first == self.second:
            raise ModelError(f"{owner}: both ends are on the same body; a spring acts between two bodies")
        for field in ("at_first", "at_second"):
            if not isinstance(getattr(self, field), str):
                keep(self, field, vector(owner, field, getattr(self, field)))
        for field in ("stiffness", "damping", "length"):
            keep(self, field, check_function(owner, field, getattr(self, field)))
        _refuse_negative_constants(self, owner)

    def bodies(self) -> tuple[str, ...]:
        """The two bodies connected."""
        return (self.first, self.second)


@dataclass(frozen=True)
class JointSpring(Load):
    """A spring and a damper on a joint's free coordinate: effort −k (x − x₀) − c ẋ on the child.

    For an angle this is a torque [N·m] with k in N·m/rad, for a displacement a force [N] with k in N/m. Angles are
    counted over any number of turns. Joints with several coordinates need `coordinate`. k, c and x₀ may be functions
    of time and signals; the energy of a spring counts as potential energy unless its k or x₀ depends on a signal.

    >>> import gudgeon as gd
    >>> hinge_spring = gd.JointSpring("hinge", stiffness=2.0, damping=0.01, rest="pi/4")
    """

    joint: str
    _: KW_ONLY
    stiffness: Annotated[Function, Unit("N·m/rad", "N/m")] = 0.0  # k [N·m/rad or N/m]
    damping: Annotated[Function, Unit("N·m·s/rad", "N·s/m")] = 0.0  # c [N·m·s/rad or N·s/m]
    rest: Annotated[Function, Unit("rad", "m")] = 0.0  # x₀ [rad or m]
    coordinate: str | None = None
    functions: ClassVar = ("stiffness", "damping", "rest")
    not_negative: ClassVar = ("stiffness", "damping")

    def __post_init__(self):
        owner = f"JointSpring on {self.joint!r}"
        for field in ("stiffness", "damping", "rest"):
            object.__setattr__(self, field, check_function(owner, field, getattr(self, field)))
        _refuse_negative_constants(self, owner)


def stores(load: SpringDamper | JointSpring) -> bool:
    """Whether the energy of a spring is potential energy: it depends on the place and the time alone."""
    rest = load.length if isinstance(load, SpringDamper) else load.rest
    return not (depends_on_motion(load.stiffness) or depends_on_motion(rest))


class JointEffort(Load):
    """An effort along a free coordinate of a joint; abstract."""

    joint: str
    coordinate: str | None
    of_angle: ClassVar[bool | None] = None  # the kind of coordinate that it takes; None: any

    def refuse_coordinate(self, label: str, coordinate: str) -> None:
        """ModelError where the joint's coordinate is of the other kind."""
        if self.of_angle is not None and coordinate.startswith("angle") != self.of_angle:
            other = "JointForce" if self.of_angle else "JointTorque"
            raise ModelError(
                f"{label}: the {coordinate} of joint {self.joint!r} is {'no angle' if self.of_angle else 'an angle'}; "
                f"use gd.{other}"
            )


@dataclass(frozen=True)
class JointTorque(JointEffort):
    """A torque about the axis of a joint's free angle: on the child, and opposite on the parent.

    >>> import gudgeon as gd
    >>> brake = gd.JointTorque("main", "-0.2*main.angle_rate")
    """

    joint: str
    value: Annotated[Function, Unit("N·m")]  # of time and signals [N·m]
    _: KW_ONLY
    coordinate: str | None = None  # where the joint has several: "angle", "angle_parent", "angle_child"
    functions: ClassVar = ("value",)
    of_angle: ClassVar = True

    def __post_init__(self):
        object.__setattr__(self, "value", check_function(f"JointTorque on {self.joint!r}", "value", self.value))


@dataclass(frozen=True)
class JointForce(JointEffort):
    """A force along a joint's free displacement: on the child, and opposite on the parent.

    >>> import gudgeon as gd
    >>> gas = gd.JointForce("bore", gd.Table([0, 0.05, 0.1], [-900, -300, 0], of="bore.displacement", outside="hold"))
    """

    joint: str
    value: Annotated[Function, Unit("N")]  # of time and signals [N]
    _: KW_ONLY
    coordinate: str | None = None
    functions: ClassVar = ("value",)
    of_angle: ClassVar = False

    def __post_init__(self):
        object.__setattr__(self, "value", check_function(f"JointForce on {self.joint!r}", "value", self.value))


@dataclass(frozen=True)
class Motor(JointEffort):
    """A motor on the parent that turns a joint through a gear: torque–speed curve, gear ratio, inertia of the rotor.

    With the gear ratio n the rotor turns with s = n θ̇ and the joint gets the torque n T(s) − n² J θ̈. `torque` T is a
    function of the motor's `speed` s [rad/s] and `angle` n θ [rad], of the time and of signals: an expression such as
    "0.4*(1 - speed/300)", a Python function of `speed`, or a `Table` with of="speed". On a displacement n is in rad/m.

    The rotor turns on the parent about the joint's axis, so that its speed against the world is s + h·ω, ω the angular
    velocity of the parent; its mass and its inertia across the axis belong to the body that carries it. On a
    displacement its own axis is not known, and only n² J counts.

    >>> import gudgeon as gd
    >>> motor = gd.Motor("main", torque="0.4*(1 - speed/300)", gear_ratio=12.0, rotor_inertia=2e-5)
    """

    joint: str
    _: KW_ONLY
    torque: Annotated[Function, Unit("N·m")]  # of the motor's speed, of time and signals [N·m]
    gear_ratio: float = 1.0  # turns of the rotor for one of the joint; on a displacement rad/m [-]
    rotor_inertia: Annotated[float, Unit("kg·m²")] = 0.0  # J about its axis [kg·m²]
    coordinate: str | None = None
    functions: ClassVar = ("torque",)
    local: ClassVar = frozenset({"speed", "angle"})

    def __post_init__(self):
        owner, keep = f"Motor on {self.joint!r}", object.__setattr__
        keep(self, "torque", check_function(owner, "torque", self.torque))
        for field in ("gear_ratio", "rotor_inertia"):
            keep(self, field, number(owner, field, getattr(self, field)))
        if self.gear_ratio == 0.0:
            raise ModelError(f"{owner}: gear_ratio is 0; give how often the rotor turns for one turn of the joint")
        if self.rotor_inertia < 0.0:
            raise ModelError(f"{owner}: rotor_inertia is {self.rotor_inertia:g} kg·m²; it must not be negative")

    def refuse_coordinate(self, label: str, coordinate: str) -> None:
        """ModelError where the axis of the rotor would not belong to the parent."""
        if coordinate == "angle_child" and self.rotor_inertia:
            raise ModelError(
                f"{label}: the axis of {coordinate} belongs to the child, on which no rotor of the parent turns; "
                "exchange parent and child of the joint, or leave out rotor_inertia"
            )


def _refuse_negative_constants(load: Load, owner: str) -> None:
    """Functions that change are tried before a run, over its duration."""
    for field in load.not_negative:
        constant = constant_value(getattr(load, field))
        if constant is not None and constant < 0.0:
            raise ModelError(f"{owner}: {field} is {constant:g}; it must not be negative")
