"""An elastic body in the plane: M ü + C u̇ + K u = f with C = a M + b K, small strains.

Unknowns are flat, 2k and 2k + 1 being the displacements of node k along x and y [m]; displacements and forces of users
are arrays (node_count, 2), which is the same in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.fem import assembly
from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh

if TYPE_CHECKING:
    from scipy.sparse import csc_array

    from gudgeon.fem.factor import Factorized
    from gudgeon.fem.modes import Modes


@dataclass(frozen=True, kw_only=True)
class PlaneModel:
    """A mesh made of a material, with the matrices of its equations of motion.

    `mass` is "lumped" (diagonal) or "consistent". `fixed` names the displacements held at supports, as
    {node: "x", "y" or "xy"}.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, point_load
    >>> mesh = Mesh.rectangle(1.0, 0.1, 20, 4)
    >>> steel = Material(youngs_modulus=210e9, poissons_ratio=0.3, density=7850.0, thickness=0.01)
    >>> model = PlaneModel(mesh=mesh, material=steel, fixed={node: "xy" for node in mesh.surface("left")})
    >>> u = model.static(point_load(model, node=20, force=(0.0, -1000.0)))
    >>> float(u[20, 1].round(5))  # P L³ / 3 E I = 1.90 mm; few elements are too stiff
    -0.00173
    """

    mesh: Mesh
    material: Material
    mass: Literal["lumped", "consistent"] = "lumped"
    damping: Rayleigh = field(default_factory=Rayleigh)
    fixed: Any = ()  # becomes ((node, "x" | "y" | "xy"), …), ascending

    def __post_init__(self) -> None:
        for name, kind in (("mesh", Mesh), ("material", Material), ("damping", Rayleigh)):
            if not isinstance(getattr(self, name), kind):
                raise ModelError(f"PlaneModel: {name} is {getattr(self, name)!r}; give a {kind.__name__}")
        choice("PlaneModel", "mass", self.mass, ("lumped", "consistent"))
        object.__setattr__(self, "fixed", _supports(self.mesh, self.fixed))

    @property
    def unknown_count(self) -> int:
        """Two per node, held ones among them."""
        return 2 * self.mesh.node_count

    @cached_property
    def held(self) -> np.ndarray:
        """The unknowns held at supports, ascending."""
        return np.array(
            sorted(2 * node + "xy".index(axis) for node, axes in self.fixed for axis in axes), dtype=np.int64
        )

    @cached_property
    def free(self) -> np.ndarray:
        """The other unknowns, ascending."""
        return np.setdiff1d(np.arange(self.unknown_count), self.held)

    @cached_property
    def pattern(self) -> assembly.Pattern:
        """Where the entries of K, M and C are."""
        return assembly.pattern(self.mesh)

    @cached_property
    def K(self) -> csc_array:
        """Stiffness matrix [N/m], sparse, of all unknowns."""
        return assembly.stiffness(self.mesh, self.material, self.pattern)

    @cached_property
    def M(self) -> csc_array:
        """Mass matrix [kg], sparse, of all unknowns; diagonal if lumped."""
        if self.mass == "consistent":
            return assembly.mass(self.mesh, self.material, self.pattern)
        from scipy.sparse import diags_array

        return diags_array(np.repeat(self.node_masses, 2)).tocsc()  # pyright: ignore[reportReturnType]

    @cached_property
    def C(self) -> csc_array:
        """Damping matrix a M + b K [N·s/m], sparse, of all unknowns."""
        return (self.damping.mass * self.M + self.damping.stiffness * self.K).tocsc()

    @cached_property
    def node_masses(self) -> np.ndarray:
        """The lumped mass of each node (node_count,) [kg], whatever the form of M."""
        return assembly.lumped_mass(self.mesh, self.material)

    @property
    def total_mass(self) -> float:
        """Mass of the body [kg].

        >>> from gudgeon.fem import Material, Mesh, PlaneModel
        >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
        >>> round(PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=material).total_mass, 9)
        0.1
        """
        return float(self.node_masses.sum())

    @property
    def centre_of_mass(self) -> np.ndarray:
        """Position (2,) [m]."""
        return self.node_masses @ self.mesh.nodes / self.total_mass

    @cached_property
    def rigid_motions(self) -> np.ndarray:
        """Motions without strain as columns (unknown_count, 3): 1 m along x, along y, 1 rad about the centre of mass.

        >>> from gudgeon.fem import Material, Mesh, PlaneModel
        >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
        >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=material)
        >>> bool(abs(model.K @ model.rigid_motions).max() < 1e-9)
        True
        """
        x, y = (self.mesh.nodes - self.centre_of_mass).T
        motions = np.zeros((self.mesh.node_count, 2, 3))
        motions[:, 0, 0] = motions[:, 1, 1] = 1.0
        motions[:, 0, 2], motions[:, 1, 2] = -y, x
        return motions.reshape(-1, 3)

    @property
    def rigid_freedom(self) -> int:
        """How many independent rigid motions the supports leave: 3 for a free body, 0 for a supported one."""
        scale = np.array([1.0, 1.0, float(np.ptp(self.mesh.nodes, axis=0).max())])
        return 3 - int(np.linalg.matrix_rank(self.rigid_motions[self.held] / scale, tol=1e-9)) if len(self.held) else 3

    def static(self, forces: Any = None, *, displacement: Any = None) -> np.ndarray:
        """Displacements (node_count, 2) [m] at rest under nodal `forces` (node_count, 2) [N].

        `displacement` (node_count, 2) [m] prescribes the values at the supports, elsewhere it is not looked at.

        >>> import numpy as np
        >>> from gudgeon.fem import Material, Mesh, PlaneModel, gravity
        >>> mesh = Mesh.rectangle(0.1, 1.0, 1, 10)
        >>> rubber = Material(youngs_modulus=1e6, poissons_ratio=0.0, density=1000.0)
        >>> model = PlaneModel(mesh=mesh, material=rubber, fixed={node: "xy" for node in mesh.surface("upper")})
        >>> float(model.static(gravity(model, (0.0, -9.81)))[-1, 1].round(9))  # ρ g L² / 2 E
        -0.004905
        """
        from gudgeon.fem.statics import static

        return static(self, forces, displacement)

    def reactions(self, displacement: Any, forces: Any = None) -> np.ndarray:
        """Forces of the supports on the body (node_count, 2) [N], K u − f at held unknowns and zero elsewhere.

        >>> from gudgeon.fem import Material, Mesh, PlaneModel, gravity
        >>> mesh = Mesh.rectangle(1.0, 1.0, 4, 4)
        >>> material = Material(youngs_modulus=1e6, poissons_ratio=0.3, density=10.0)
        >>> model = PlaneModel(mesh=mesh, material=material, fixed={node: "xy" for node in mesh.surface("lower")})
        >>> weight = gravity(model, (0.0, -9.81))
        >>> model.reactions(model.static(weight), weight).sum(axis=0).round(6).tolist()
        [-0.0, 98.1]
        """
        from gudgeon.fem.statics import reactions

        return reactions(self, displacement, forces)

    def modes(self, count: int = 6, *, rigid: bool = False) -> Modes:
        """The `count` lowest natural modes of the undamped body; rigid motions only if `rigid`.

        >>> from gudgeon.fem import Material, Mesh, PlaneModel
        >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
        >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=material)
        >>> model.modes(2).angular_frequency.round(2).tolist()
        [212.56, 244.02]
        """
        from gudgeon.fem.modes import modes

        return modes(self, count, rigid)

    def step_operator(self, step: float, *, gamma: float = 1.0, beta: float = 1.0) -> Factorized:
        """M + h γ C + h² β K on the free unknowns, factorised: what an implicit step of h = `step` [s] solves with.

        γ = β = 1 is implicit Euler; γ = 1/2, β = 1/4 the trapezoidal rule (Newmark).

        >>> from gudgeon.fem import Material, Mesh, PlaneModel
        >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
        >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 2, 2), material=material)
        >>> model.step_operator(1e-3).form
        'inverse'
        """
        from gudgeon.fem.factor import factorize

        values = {"step": step, "gamma": gamma, "beta": beta}
        for name, value in values.items():
            values[name] = number("PlaneModel.step_operator", name, value)
            if values[name] < 0.0 or (name == "step" and values[name] == 0.0):
                need = "a positive time [s]" if name == "step" else "0 or more"
                raise ModelError(f"PlaneModel.step_operator: {name} is {value}; give {need}")
        h = values["step"]
        matrix = (self.M + h * values["gamma"] * self.C + h**2 * values["beta"] * self.K).tocsc()
        return factorize(matrix, self.free, self.mesh.nodes)

    def flat(self, owner: str, name: str, values: Any) -> np.ndarray:
        """`values` as (unknown_count,) finite floats, from (node_count, 2) or flat; None is zero."""
        if values is None:
            return np.zeros(self.unknown_count)
        array = np.asarray(values, dtype=float)
        if array.shape not in ((self.mesh.node_count, 2), (self.unknown_count,)):
            raise ModelError(f"{owner}: {name} has shape {array.shape}; give ({self.mesh.node_count}, 2) numbers")
        if not np.isfinite(array).all():
            bad = int(np.flatnonzero(~np.isfinite(array.ravel()))[0]) // 2
            raise ModelError(
                f"{owner}: {name} at node {bad} is {array.reshape(-1, 2)[bad].tolist()}; it must be finite"
            )
        return array.ravel()


def node_number(owner: str, mesh: Mesh, node: Any) -> int:
    """A node of the mesh, or an error that says which there are."""
    if not isinstance(node, int | np.integer) or isinstance(node, bool) or not 0 <= node < mesh.node_count:
        raise ModelError(f"{owner}: no node {node!r}; there are nodes 0 to {mesh.node_count - 1}, counted from 0")
    return int(node)


def _supports(mesh: Mesh, fixed: Any) -> tuple[tuple[int, str], ...]:
    pairs = fixed.items() if isinstance(fixed, Mapping) else fixed
    if not isinstance(pairs, Iterable) or isinstance(pairs, str):
        raise ModelError(f"PlaneModel: fixed is {fixed!r}; give {{node: 'x', 'y' or 'xy'}}")
    held: dict[int, str] = {}
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ModelError(f"PlaneModel: fixed has {pair!r}; give {{node: 'x', 'y' or 'xy'}}")
        node = node_number("PlaneModel: fixed", mesh, pair[0])
        choice("PlaneModel", f"fixed at node {node}", pair[1], ("x", "y", "xy"))
        held[node] = "".join(sorted(set(held.get(node, "")) | set(pair[1])))
    return tuple(sorted(held.items()))
