"""A joint model of a user's own: a dataclass of numbers and one function from relative motion to force and torque."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.functions.callables import argument_names, compiled_wrench, plain_function
from gudgeon.models.ideal import JointModel

if TYPE_CHECKING:
    from gudgeon.joints import Joint

ARGUMENTS = ("x", "v", "p")
TRIALS = (0.0, 1e-6, -1e-3, 0.1)  # displacements [m] and rotations [rad] at which a function is tried
RATES = (0.0, 1.0, -1e-3)  # likewise [m/s, rad/s]


@dataclass(frozen=True, kw_only=True)
class ForceModel(JointModel):
    """What happens at a joint, in your own words; abstract.

    Subclasses are frozen dataclasses whose fields are all numbers, with one static method `wrench(x, v, p)`, a pure
    function of numbers and `math`:

    x    displacement of the child's joint point (x[0], x[1], x[2]) [m], rotation of the child (x[3], x[4], x[5]) [rad]
    v    their rates: velocity [m/s], angular velocity [rad/s]
    p    the fields, in order

    It returns a tuple of six: the force [N] and torque [N·m] on the child at its joint point; the parent gets the
    opposite. All are in the joint's axes, as the parent's body sees them: z is the joint's axis, x the world's x across
    it in the reference pose; the world's axes of the reference pose where a joint has no axis. The rotation is what
    `Bushing` takes it to be: the rotation vector, or the tilt of the axis where the child turns freely about it. The
    function runs compiled, with every solver and in both coordinates. The energy that it takes in is reported as lost,
    what it gives back as less of that. Where the force has a corner, `Implicit` and `Explicit` shorten their steps.

    >>> import gudgeon as gd
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Hardening(gd.ForceModel):
    ...     stiffness: float  # [N/m]
    ...     cubic: float  # [N/m³]
    ...     @staticmethod
    ...     def wrench(x, v, p):
    ...         k = p[0] + p[1] * (x[0] ** 2 + x[1] ** 2 + x[2] ** 2)
    ...         return (-k * x[0], -k * x[1], -k * x[2], 0.0, 0.0, 0.0)
    >>> mount = gd.Spherical("ground", "box", at=(0, 0, 0), model=Hardening(stiffness=1e4, cubic=1e9))
    >>> mount.model.parameters
    (10000.0, 1000000000.0)
    """

    def __post_init__(self):
        owner = type(self).__name__
        if type(self) is ForceModel:
            raise ModelError("ForceModel is abstract; write a dataclass with a static method wrench(x, v, p)")
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, number(owner, field.name, getattr(self, field.name)))
        function = self._function()
        for x in TRIALS:
            for v in RATES:
                self._try(function, (x,) * 6, (v,) * 6)

    @property
    def parameters(self) -> tuple[float, ...]:
        """The fields in order: what the function receives as `p`."""
        return tuple(float(getattr(self, field.name)) for field in dataclasses.fields(self))

    def check_joint(self, joint: Joint) -> None:
        """Refuse a joint without a place."""
        if joint.at is None and joint.at_parent is None and joint.at_child is None:
            raise ModelError(f"{joint.label()}: where does it act? give at=(x, y, z), or at_parent= and at_child=")

    def holds_more_than(self, joint: Joint) -> bool:
        """Whether an ideal joint of this type would leave free what the model may hold."""
        return not joint.blocks().row_count

    def compiled(self, where: str) -> Any:
        """The function as a C function."""
        return compiled_wrench(where, self._function())

    def _function(self) -> Callable[..., Any]:
        owner = type(self).__name__
        method = inspect.getattr_static(type(self), "wrench", None)
        if not isinstance(method, staticmethod):
            raise ModelError(f"{owner} has no static method wrench(x, v, p); write one, with @staticmethod above it")
        function = plain_function(f"{owner}.wrench", method.__func__)
        if argument_names(function) is None or len(argument_names(function) or ()) != len(ARGUMENTS):
            raise ModelError(f"{owner}.wrench takes {inspect.signature(function)}; it must take (x, v, p)")
        return function

    def _try(self, function: Callable[..., Any], x: tuple[float, ...], v: tuple[float, ...]) -> None:
        """Ask in plain Python: six finite numbers are wanted."""
        where = f"{type(self).__name__}.wrench at x = ({x[0]:g}, …), v = ({v[0]:g}, …)"
        try:
            answer = function(x, v, self.parameters)
        except Exception as error:
            raise ModelError(f"{where} raises {type(error).__name__}: {error}; it must have a value there") from error
        if not isinstance(answer, tuple) or len(answer) != 6:
            raise ModelError(f"{where} returns {answer!r}; it must return a tuple of six numbers, force and torque")
        if not all(isinstance(value, Real) and math.isfinite(value) for value in answer):
            raise ModelError(f"{where} returns {answer!r}; all six must be finite numbers")
