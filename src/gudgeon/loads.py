"""Loads: forces and torques that act on bodies or between them.

Every quantity marked `Function` is a number, an expression in the time t such as "6*sin(pi/6*t)", or a Python
function of t, which is compiled. Expressions are parsed against a list of allowed names; nothing is ever evaluated
as Python code.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Literal

from gudgeon.checks import choice, vector
from gudgeon.errors import ModelError
from gudgeon.functions.function import Function, check_function, constant_value
from gudgeon.quantities import Point, Unit


class Load:
    """A force or torque in a system; abstract."""

    not_negative: ClassVar[tuple[str, ...]] = ()  # functions of t that must be zero or more at every t

    def bodies(self) -> tuple[str, ...]:
        """The bodies this load acts on."""
        return ()


def _components(owner: str, value: Any) -> tuple[Function, Function, Function] | Function:
    """Three functions of time, or one Python function that returns three numbers."""
    if callable(value):
        return check_function(owner, "vector", value, length=3)
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 3:
        raise ModelError(f"{owner}: vector is {value!r}; give three numbers, expressions or functions of t")
    x, y, z = (check_function(owner, f"vector[{k}]", v) for k, v in enumerate(value))
    return (x, y, z)


@dataclass(frozen=True)
class Force(Load):
    """A force on a body at a point of it, constant or a function of the time t.

    Each component is a number [N], an expression in t or a Python function of t; `vector` may also be one Python
    function of t that returns three numbers. A joint's `at` is a world point; this `at` is a point of the body.

    >>> import gudgeon as gd
    >>> push = gd.Force("slider", ("6*sin(pi/6*t)", 0, 0), at=(0, 0.05, 0))
    """

    body: str
    vector: Annotated[Any, Unit("N")]  # three Functions of t, or one Python function that returns three numbers [N]
    _: KW_ONLY
    at: Point = (0.0, 0.0, 0.0)  # point of the body, body axes, from the centre of mass [m]
    axes: Literal["world", "body"] = "world"  # in which the components are stated

    def __post_init__(self):
        owner = f"Force on {self.body!r}"
        object.__setattr__(self, "vector", _components(owner, self.vector))
        object.__setattr__(self, "at", vector(owner, "at", self.at))
        choice(owner, "axes", self.axes, ("world", "body"))

    def bodies(self) -> tuple[str, ...]:
        """The body pushed."""
        return (self.body,)


@dataclass(frozen=True)
class Torque(Load):
    """A torque on a body, constant or a function of the time t, given as the components of a `Force` are.

    >>> import gudgeon as gd
    >>> motor = gd.Torque("crank", (0, 0, 0.033))
    """

    body: str
    vector: Annotated[Any, Unit("N·m")]  # three Functions of t, or one Python function that returns them [N·m]
    _: KW_ONLY
    axes: Literal["world", "body"] = "world"  # in which the components are stated

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

    The tension is k (l − l₀) + c l̇, l the distance of the two points. k, c and l₀ may be functions of the time t.

    >>> import gudgeon as gd
    >>> strut = gd.SpringDamper("ground", "mass", at_first=(0, 0, 1), stiffness=1e3, damping=5.0, length=0.3)
    """

    first: str
    second: str
    _: KW_ONLY
    at_first: Point = (0.0, 0.0, 0.0)  # body axes, from the centre of mass [m]
    at_second: Point = (0.0, 0.0, 0.0)  # body axes, from the centre of mass [m]
    stiffness: Annotated[Function, Unit("N/m")] = 0.0  # k [N/m]
    damping: Annotated[Function, Unit("N·s/m")] = 0.0  # c [N·s/m]
    length: Annotated[Function, Unit("m")] = 0.0  # l₀, free length [m]
    not_negative: ClassVar = ("stiffness", "damping", "length")

    def __post_init__(self):
        owner = f"SpringDamper {self.first}–{self.second}"
        keep = object.__setattr__
        if self.first == self.second:
            raise ModelError(f"{owner}: both ends are on the same body; a spring acts between two bodies")
        for field in ("at_first", "at_second"):
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
    of the time t, not of x.

    >>> import gudgeon as gd
    >>> hinge_spring = gd.JointSpring("hinge", stiffness=2.0, damping=0.01, rest="pi/4")
    """

    joint: str
    _: KW_ONLY
    stiffness: Annotated[Function, Unit("N·m/rad", "N/m")] = 0.0  # k [N·m/rad or N/m]
    damping: Annotated[Function, Unit("N·m·s/rad", "N·s/m")] = 0.0  # c [N·m·s/rad or N·s/m]
    rest: Annotated[Function, Unit("rad", "m")] = 0.0  # x₀ [rad or m]
    coordinate: str | None = None
    not_negative: ClassVar = ("stiffness", "damping")

    def __post_init__(self):
        owner = f"JointSpring on {self.joint!r}"
        for field in ("stiffness", "damping", "rest"):
            object.__setattr__(self, field, check_function(owner, field, getattr(self, field)))
        _refuse_negative_constants(self, owner)


def _refuse_negative_constants(load: Load, owner: str) -> None:
    """Functions that change are tried before a run, over its duration."""
    for field in load.not_negative:
        constant = constant_value(getattr(load, field))
        if constant is not None and constant < 0.0:
            raise ModelError(f"{owner}: {field} is {constant:g}; it must not be negative")
