"""Bodies: mass, inertia, reference pose and initial velocity.

A flexible body moves in its plane: finite elements in a frame that translates (docs/sliders.md: sections 2.1 and 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from gudgeon.checks import Quaternion, Vec3, number, shown, vector
from gudgeon.errors import ModelError
from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh
from gudgeon.fem.model import PlaneModel
from gudgeon.orientations import unit_quaternion
from gudgeon.quantities import AngularVelocity, Density, Mass, Point, Unit, Velocity
from gudgeon.rotations import turned
from gudgeon.shapes.shape import Shape

Inertia = tuple[Vec3, Vec3, Vec3]
GROUND = "ground"  # the name of the world itself, a body of every system
LOOKS = {"looks": True}  # marks fields that change pictures only


@dataclass(frozen=True)
class Body:
    """A rigid body.

    `inertia` is taken about the centre of mass in body axes: three principal values, six values
    (xx, yy, zz, xy, xz, yz; products with the tensor's sign, J_xy = −∫ x y dm), or a symmetric 3×3 matrix.
    `position` and `orientation` (a quaternion, scalar first, or a SciPy `Rotation`) are the reference pose, in which
    joints are described and from which a simulation starts. A velocity left out follows from the joints; a velocity
    stated is kept as closely as the joints allow, with a warning where they do not. `shape` is what it looks like; left
    out, it is drawn from its joints. `Body.of_shape` has mass, centre and inertia from a shape.

    >>> import gudgeon as gd
    >>> gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.02), position=(0, 0, 1)).mass
    2.0
    """

    mass: Mass  # m [kg]
    inertia: Annotated[Any, Unit("kg·m²")]  # J' about the centre of mass, body axes [kg·m²]
    position: Point = (0.0, 0.0, 0.0)  # p_WB of the centre of mass [m]
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)  # body to world, scalar first [-]
    velocity: Velocity | None = None  # of the centre of mass, world axes [m/s]
    angular_velocity: AngularVelocity | None = None  # world axes [rad/s]
    shape: Shape | None = field(default=None, metadata=LOOKS)  # for drawing; None: drawn from its joints

    @classmethod
    def of_shape(
        cls,
        shape: Shape,
        *,
        density: Density = 7850.0,
        position: Point = (0.0, 0.0, 0.0),
        orientation: Quaternion = (1.0, 0.0, 0.0, 0.0),
        velocity: Velocity | None = None,
        angular_velocity: AngularVelocity | None = None,
    ) -> Body:
        """A body of uniform density [kg/m³] (by default steel) that fills a shape: mass, centre and inertia follow.

        `position` and `orientation` place the shape, with the frame it was made in, in the world: a part drawn where it
        belongs in its assembly needs neither. The body's own `position` then is where its centre of mass comes to lie.

        >>> import gudgeon as gd
        >>> rod = gd.Body.of_shape(gd.Cylinder(radius=0.01, length=0.2, position=(0, 0, 0.1)), position=(1, 0, 0))
        >>> rod.position
        (1.0, 0.0, 0.1)
        """
        if cls is not Body:
            raise ModelError(
                f"{cls.__name__}.of_shape: mass and inertia of it follow from its mesh; use gd.Body.of_shape"
            )
        if not isinstance(shape, Shape):
            raise ModelError(
                f"Body.of_shape: shape is {shown(shape)}; give gd.Box(...), gd.Mesh('part.stl') or another"
            )
        mass, centre, inertia = shape.mass_properties(density)
        turn = unit_quaternion("Body.of_shape", orientation)
        place = np.array(vector("Body.of_shape", "position", position)) + turned(np.array(turn), centre)
        return Body(
            mass=mass,
            inertia=inertia,
            position=tuple(place.tolist()),
            orientation=turn,
            velocity=velocity,
            angular_velocity=angular_velocity,
            shape=replace(shape, position=tuple((np.array(shape.position) - centre).tolist())),
        )

    def __post_init__(self):
        keep = object.__setattr__
        if self.shape is not None and not isinstance(self.shape, Shape):
            raise ModelError(f"Body: shape is {shown(self.shape)}; give gd.Box(...), gd.Mesh('part.stl') or another")
        mass = number("Body", "mass", self.mass)
        if mass <= 0.0:
            raise ModelError(f"Body: mass is {mass} kg; a body needs a positive mass")
        keep(self, "mass", mass)
        keep(self, "inertia", _inertia(self.inertia))
        keep(self, "position", vector("Body", "position", self.position))
        keep(self, "orientation", unit_quaternion("Body", self.orientation))
        for name in ("velocity", "angular_velocity"):
            if getattr(self, name) is not None:
                keep(self, name, vector("Body", name, getattr(self, name)))


@dataclass(frozen=True, kw_only=True)
class BodyState:
    """Where a body is and how it moves: an entry of `System.start` or of `Result.state()`.

    >>> import gudgeon as gd
    >>> gd.BodyState(position=(0, 0, 1), orientation=(1, 0, 0, 0)).velocity
    (0.0, 0.0, 0.0)
    """

    position: Point  # of the centre of mass [m]
    orientation: Quaternion  # body to world, scalar first [-]
    velocity: Velocity = (0.0, 0.0, 0.0)  # [m/s]
    angular_velocity: AngularVelocity = (0.0, 0.0, 0.0)  # world axes [rad/s]

    def __post_init__(self):
        keep = object.__setattr__
        for name in ("position", "velocity", "angular_velocity"):
            keep(self, name, vector("BodyState", name, getattr(self, name)))
        keep(self, "orientation", unit_quaternion("BodyState", self.orientation))


@dataclass(frozen=True, kw_only=True)
class FlexibleBody(Body):
    """An elastic plate: mass and inertia follow from the mesh.

    The mesh lies in the body's x–y plane with its centre of mass at `position`. Displacements along both axes may be
    large, strains and rotations are small. It takes `Guide` joints with `FlexibleSlider`, `Revolute` joints across its
    plane at its nodes (`Ideal`, `PenaltyPin` or `Bushing`), `Free` ones with a `Bushing` that holds no rotation,
    `Force` and `SpringDamper` at points of its mesh. Nodes take forces and no torques.

    >>> import gudgeon as gd
    >>> from gudgeon.fem import Material, Mesh
    >>> rubber = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> round(gd.FlexibleBody(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=rubber).mass, 9)
    0.1
    """

    mass: Mass = field(init=False, default=0.0)  # [kg]
    inertia: Any = field(init=False, default=None)  # about the centre of mass, body axes [kg·m²]
    shape: None = field(init=False, default=None, metadata=LOOKS)  # it is drawn from its mesh
    mesh: Mesh
    material: Material
    damping: Rayleigh = field(default_factory=Rayleigh)

    def __post_init__(self):
        model = PlaneModel(mesh=self.mesh, material=self.material, damping=self.damping)
        x, y = (self.mesh.nodes - model.centre_of_mass).T
        masses = model.node_masses
        xx, yy, xy = masses @ (y * y), masses @ (x * x), -masses @ (x * y)
        object.__setattr__(self, "mass", model.total_mass)
        object.__setattr__(self, "inertia", ((xx, xy, 0.0), (xy, yy, 0.0), (0.0, 0.0, xx + yy)))
        super().__post_init__()

    @cached_property
    def plane_model(self) -> PlaneModel:
        """Its finite elements."""
        return PlaneModel(mesh=self.mesh, material=self.material, damping=self.damping)

    @cached_property
    def rest(self) -> np.ndarray:
        """Nodes from the centre of mass, undeformed, body axes (node_count, 2) [m]."""
        return self.mesh.nodes - self.plane_model.centre_of_mass


_checked: dict[int, Inertia] = {}  # matrices of the last bodies, by where they are
MOST_CHECKED = 64


def _inertia(value: Any) -> Inertia:
    """The 3×3 matrix of `value`, checked to belong to a real body; that of a body before, of which this is a copy."""
    if _checked.get(id(value)) is value:
        return value
    matrix = _checked_inertia(value)
    matrix = value if repr(value) == repr(matrix) else matrix  # plain numbers already: to be known again
    for old in list(_checked)[: max(0, len(_checked) + 1 - MOST_CHECKED)]:
        _checked.pop(old, None)
    _checked[id(matrix)] = matrix
    return matrix


def _checked_inertia(value: Any) -> Inertia:
    try:
        if np.asarray(value).dtype.kind not in "iufO":
            raise TypeError
        given = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"Body: inertia is {value!r}; give 3, 6 or 3×3 numbers") from None
    except OverflowError:
        raise ModelError("Body: inertia holds a number too large for a float; every component must be finite") from None
    if given.shape == (3,):
        matrix = np.diag(given)
    elif given.shape == (6,):
        xx, yy, zz, xy, xz, yz = given
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    elif given.shape == (3, 3):
        matrix = given
    else:
        raise ModelError(f"Body: inertia has shape {given.shape}; give 3, 6 or 3×3 numbers")
    if not np.all(np.isfinite(matrix)):
        raise ModelError(f"Body: inertia is {given.tolist()}; every component must be finite")
    if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
        raise ModelError(f"Body: inertia {given.tolist()} is not symmetric; an inertia matrix is")
    matrix = 0.5 * (matrix + matrix.T)
    small, middle, large = np.linalg.eigvalsh(matrix)
    if small <= 0.0:
        raise ModelError(
            f"Body: inertia has the principal value {small:.6g} kg·m²; all three must be positive "
            "(give a thin rod or a point mass a small one)"
        )
    if small + middle < large * (1.0 - 1e-3):
        raise ModelError(
            f"Body: principal inertias {small:.6g}, {middle:.6g}, {large:.6g} kg·m² violate the triangle "
            f"inequality ({small:.6g} + {middle:.6g} < {large:.6g}); no real body has these, check the units"
        )
    a, b, c = (tuple(row) for row in matrix.tolist())
    return (a, b, c)
