"""A joint model of a user's own: a dataclass of numbers and functions from relative motion to force and torque."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.models.ideal import JointModel
from gudgeon.models.own_functions import COMPILED, CONTACT, GAP, REPORT, WRENCH

if TYPE_CHECKING:
    from gudgeon.joints import Joint

DATA = (  # names that a result's data has already, see results/dataset.py
    *("time", "body", "joint", "drive", "axis", "quaternion", "coordinate", "rate", "coordinate_unit", "rate_unit"),
    *("drive_unit", "position", "orientation", "velocity", "angular_velocity", "acceleration", "angular_acceleration"),
    *("reaction_force", "reaction_torque", "joint_position", "joint_velocity", "joint_acceleration", "drive_effort"),
    *("kinetic_energy", "potential_energy", "mechanical_energy", "constraint_residual", "contact_area"),
    *("contact_pressure", "eccentricity", "eccentricity_length", "penetration", "contact", "normal_force"),
    *("friction_force", "sliding_velocity", "film_force", "power_dissipated", "dissipated_energy", "stored_energy"),
    *("surface_point", "surface", "pin", "node", "plane", "guide_gap", "guide_gap_rate", "guide_sliding_velocity"),
    *("load", "signal", "stop", "load_power", "drive_power", "signal_value", "stop_effort"),
    *("coupling", "coupling_effort", "coupling_deflection"),
    *("guide_normal_force", "guide_friction_force", "pin_gap", "pin_force", "node_displacement", "node_velocity"),
)


@dataclass(frozen=True, kw_only=True)
class ForceModel(JointModel):
    """What happens at a joint, in your own words; abstract.

    Subclasses are frozen dataclasses whose fields are all numbers, with static methods, pure functions of numbers and
    `math`. One is needed, `wrench`, or `gap` and `contact`:

    wrench(x, v, p)         force [N] and torque [N·m] on the child at its joint point, a tuple of six; the parent gets
                            the opposite
    gap(x, p)               how far a contact is open [m]; where it can touch at several places, the least of them
    contact(x, v, delta, ddelta, impact_speed, p)      force and torque besides, while it touches
    stored_energy(x, p)     elastic energy [J] of both
    report(x, v, p)         the numbers named by `outputs`, a dict from name to unit

    x    displacement of the child's joint point (x[0], x[1], x[2]) [m], rotation of the child (x[3], x[4], x[5]) [rad]
    v    their rates: velocity [m/s], angular velocity [rad/s]
    delta, ddelta, impact_speed    δ = −gap [m], not below 0, its rate [m/s], and that when this contact began
    p    the fields, in order

    All are in the joint's axes, as the parent's body sees them: z is the joint's axis, x the world's x across it in the
    reference pose; the world's axes of the reference pose where a joint has no axis. The rotation is what `Bushing`
    takes it to be: the rotation vector, or the tilt of the axis where the child turns freely about it. The functions
    run compiled (`report` as Python), with every solver and in both coordinates.

    A contact begins and ends at the very instants at which its gap closes and opens; `result.events` lists it, with
    `contact` "own". It does not pull: where its force along the gradient of the gap would, there is none. Solvers judge
    the gap by a length, `gap_length`. Where the force of a `wrench` has a corner, they shorten their steps.

    Without `stored_energy` what the joint takes in is reported as lost, what it gives back as less of that; with it
    energies are told apart, and a run in which the model creates energy is refused.

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
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Floor(gd.ForceModel):
    ...     below: float  # [m]
    ...     stiffness: float  # [N/m]
    ...     outputs = {"height": "m"}
    ...     @staticmethod
    ...     def gap(x, p):
    ...         return x[2] + p[0]
    ...     @staticmethod
    ...     def contact(x, v, delta, ddelta, impact_speed, p):
    ...         return (0.0, 0.0, p[1] * delta, 0.0, 0.0, 0.0)
    ...     @staticmethod
    ...     def report(x, v, p):
    ...         return x[2]
    >>> Floor(below=0.2, stiffness=1e5).gap_length
    0.2
    """

    outputs: ClassVar[Mapping[str, str]] = {}  # of `report`: names in `result.data`, and units

    def __post_init__(self):
        owner = type(self)
        if owner is ForceModel:
            raise ModelError("ForceModel is abstract; write a dataclass with a static method wrench(x, v, p)")
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, number(owner.__name__, field.name, getattr(self, field.name)))
        self._check_methods()
        for function in COMPILED:
            if function.of(owner) is not None:
                for arguments in function.attempts():
                    function.ask(owner, *arguments, self.parameters)
        if self.outputs:
            for x, v in REPORT.attempts():
                self.reported(x, v)
        if GAP.of(owner) is not None and not self.gap_length > 0.0:
            raise ModelError(
                f"{owner.__name__}: gap_length is {self.gap_length:g}, the gap at x = 0; give it a property gap_length "
                "with a length by which its gap can be judged [m]"
            )

    @property
    def parameters(self) -> tuple[float, ...]:
        """The fields in order: what the functions receive as `p`."""
        return tuple(float(getattr(self, field.name)) for field in dataclasses.fields(self))

    @property
    def gap_length(self) -> float:
        """A length that the gap has, by which solvers judge it [m]: the gap at x = 0, unless a model says otherwise."""
        return float(GAP.ask(type(self), (0.0,) * 6, self.parameters)[0])

    def check_joint(self, joint: Joint) -> None:
        """Refuse a joint without a place."""
        if joint.at is None and joint.at_parent is None and joint.at_child is None:
            raise ModelError(f"{joint.label()}: where does it act? give at=(x, y, z), or at_parent= and at_child=")

    def holds_more_than(self, joint: Joint) -> bool:
        """Whether an ideal joint of this type would leave free what the model sees, and may hold."""
        blocks = joint.blocks()
        return bool(blocks.displacements) or not blocks.perpendicular

    def compiled(self, where: str) -> dict[str, Any]:
        """The functions that are written, by name, as C functions."""
        written = {function: function.of(type(self)) for function in COMPILED}
        return {each.name: each.compiled(where, text) for each, text in written.items() if text is not None}

    def reported(self, x: Sequence[float], v: Sequence[float]) -> tuple[float, ...]:
        """What `report` tells of a motion, one number for each of `outputs`."""
        return REPORT.ask(type(self), x, v, self.parameters, answers=len(self.outputs), finite=False)

    def _check_methods(self) -> None:
        """Which methods belong together, and the names of outputs."""
        owner = type(self)
        has = {function.name: function.of(owner) is not None for function in (*COMPILED, REPORT)}
        if not has["wrench"] and not has["contact"] and not has["gap"]:
            raise ModelError(
                f"{owner.__name__} has no static method {WRENCH.name}({WRENCH.arguments}); write one, with "
                f"@staticmethod above it, or gap({GAP.arguments}) and contact({CONTACT.arguments})"
            )
        for one, other in ((GAP, CONTACT), (CONTACT, GAP)):
            if has[one.name] and not has[other.name]:
                raise ModelError(
                    f"{owner.__name__} has {one.name} but no {other.name}; write {other.name}({other.arguments}) too"
                )
        if bool(self.outputs) != has["report"]:
            missing = "report(x, v, p)" if self.outputs else 'outputs = {"name": "unit"}'
            raise ModelError(f"{owner.__name__}: outputs and report belong together; give it {missing} too")
        for name, unit in self.outputs.items():
            if not isinstance(name, str) or not name.isidentifier() or name in DATA:
                raise ModelError(
                    f"{owner.__name__}: outputs has {name!r}, which result.data has already or is no name; give another"
                )
            if not isinstance(unit, str):
                raise ModelError(f'{owner.__name__}: the unit of output {name!r} is {unit!r}; give one as "m"')
