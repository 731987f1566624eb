"""Linearise a mechanism about a state: mass, damping and stiffness of its small motion, and its vibration modes.

    M δz̈ + C δż + K δz = 0,   z independent coordinates, δz measured from the undisturbed motion

States x of controllers add P δx to the right-hand side, and δẋ = E δz + F δż + S δx (small_motion/control_slopes.py).

About an equilibrium δz is the displacement itself. About a state that moves or accelerates the matrices are those of
that instant, and `force` is what accelerates it; their eigenvalues then depend on the coordinates chosen, and mean
frequencies only where the matrices stay the same along the motion (a rotor, a sleeping top, steady driving).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.equilibrium import Equilibrium
from gudgeon.analysis.small_motion.modes import Modes, controlled_modes, vibration_modes
from gudgeon.checks import number
from gudgeon.errors import ModelError, interruptible
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.results.result import Result
from gudgeon.system import System

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.analysis.small_motion.control_slopes import Controlled

REAL_SHAPE = 1e-6  # imaginary part of a mode shape that is none, of the largest component [-]


@dataclass(frozen=True, kw_only=True, eq=False)
class Linearization:
    """The small motion of a mechanism about a state; `print` shows its modes.

    Matrices are in the independent coordinates named in `coordinates`. The state matrix A belongs to (δz, δż), and
    then the states of controllers named in `controller_states`. Modes are ordered by frequency; a pair of conjugate
    eigenvalues is one mode, and so is every real eigenvalue (a motion that dies out or grows without oscillating).

    >>> import gudgeon as gd
    >>> bob = gd.Body(mass=1.0, inertia=(1e-6, 1e-6, 1e-6), position=(0, 0, -1))
    >>> pivot = gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))
    >>> print(gd.linearize(gd.System(name="pendulum", bodies={"bob": bob}, joints={"pivot": pivot})))
    pendulum at t = 0 s: 1 freedom, about an equilibrium
      coordinates  pivot.angle [rad]
      mode  natural [Hz]  damped [Hz]  damping ratio  eigenvalue [1/s]       moves most
         0      0.498488     0.498488         0.0000  +0.000 ± 3.132i        bob.x
    """

    system: System  # the mechanism, starting in the state
    time: float  # at which loads and drives are taken [s]
    coordinates: tuple[str, ...]  # such as "crank.angle", "bob.x", "bob.rz"
    units: tuple[str, ...]  # "m" or "rad", of the coordinates
    mass: np.ndarray  # M [kg, kg·m, kg·m²]
    damping: np.ndarray  # C, gyroscopic terms included [N·s/m, …]
    stiffness: np.ndarray  # K [N/m, N/rad, N·m/rad]
    force: np.ndarray  # in each coordinate, left over: zero at an equilibrium [N or N·m]
    rates: np.ndarray  # of the coordinates in the state [m/s or rad/s]
    accuracy: float  # estimated relative error of the worst derivative [-]
    control: Controlled | None = field(default=None, repr=False)  # P per mass, E, F and S of controllers
    _basis: np.ndarray = field(repr=False)  # (6 bodies and nodes, freedoms) displacement by orthonormal coordinates
    _orthonormal: tuple[np.ndarray, np.ndarray, Controlled | None] = field(repr=False)  # K, C and controllers in those

    @property
    def freedoms(self) -> int:
        """The number of independent coordinates."""
        return len(self.coordinates)

    @property
    def controller_states(self) -> tuple[str, ...]:
        """The states of controllers, such as "pid.integral"."""
        return () if self.control is None else self.control.names

    @property
    def state_matrix(self) -> np.ndarray:
        """A of d/dt (δz, δż) = A (δz, δż): [[0, 1], [−M⁻¹K, −M⁻¹C]]; with controllers [[0, 1, 0], …, [E, F, S]]."""
        n = self.freedoms
        rest = np.linalg.solve(self.mass, np.hstack([-self.stiffness, -self.damping]))
        matrix = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), rest])
        if self.control is None:
            return matrix
        own = np.hstack([self.control.by_displacement, self.control.by_velocity, self.control.own])
        push = np.vstack([np.zeros_like(self.control.push), self.control.push])
        return np.vstack([np.hstack([matrix, push]), own])

    @cached_property
    def _modes(self) -> Modes:
        stiffness, damping, control = self._orthonormal
        return vibration_modes(stiffness, damping) if control is None else controlled_modes(stiffness, damping, control)

    @property
    def eigenvalues(self) -> np.ndarray:
        """All eigenvalues of the state matrix, in ascending size, complex [1/s]."""
        return self._modes.all_eigenvalues

    @property
    def mode_eigenvalues(self) -> np.ndarray:
        """One eigenvalue per mode, its imaginary part not negative [1/s]."""
        return self._modes.eigenvalues

    @property
    def natural_frequencies(self) -> np.ndarray:
        """|λ|/2π of every mode [Hz]: with light damping, the frequency without it."""
        return np.abs(self._modes.eigenvalues) / (2.0 * np.pi)

    @property
    def damped_frequencies(self) -> np.ndarray:
        """Im λ/2π of every mode [Hz]: what is seen; 0 for a real eigenvalue."""
        return np.imag(self._modes.eigenvalues) / (2.0 * np.pi)

    @property
    def damping_ratios(self) -> np.ndarray:
        """−Re λ/|λ| of every mode: 1 dies out without oscillating, below 0 grows; 0 for λ = 0."""
        size = np.abs(self._modes.eigenvalues)
        return np.divide(-np.real(self._modes.eigenvalues), size, out=np.zeros_like(size), where=size > 0.0)

    @property
    def undamped_frequencies(self) -> np.ndarray:
        """The frequencies of M and K alone, without C and controllers' states [Hz]; nan where K is negative."""
        stiffness = 0.5 * (self._orthonormal[0] + self._orthonormal[0].T)
        values = vibration_modes(stiffness, np.zeros_like(stiffness)).eigenvalues
        growing = values[np.real(values) != 0.0]
        steady = np.imag(values[np.real(values) == 0.0]) / (2.0 * np.pi)
        return np.concatenate([np.full(len(growing) // 2, np.nan), np.sort(steady)])

    @property
    def stable(self) -> bool:
        """No mode grows (beyond rounding)."""
        values = self._modes.eigenvalues
        return bool(np.all(np.real(values) <= 1e-8 * np.abs(values)))

    @cached_property
    def mode_shapes(self) -> xr.DataArray:
        """The motion of every body in every mode: dimensions mode, body, component (x, y, z [m], rx, ry, rz [rad]).

        The largest component of a mode is 1. Real where all bodies pass through zero together (no damping or
        gyroscopic terms), otherwise complex: Re(shape · exp(λ t)) is the motion.

        >>> import gudgeon as gd
        >>> four_bar = gd.linearize(gd.examples.spatial_four_bar())
        >>> four_bar.mode_shapes.dims
        ('mode', 'body', 'component')
        """
        import xarray as xr

        from gudgeon.analysis.small_motion.coordinates import COMPONENTS

        bodies = self._shapes[:, : 6 * len(self.system.bodies)]
        return xr.DataArray(
            bodies.reshape(len(bodies), len(self.system.bodies), 6),
            dims=("mode", "body", "component"),
            coords={**self._mode_coords(), "body": list(self.system.bodies), "component": list(COMPONENTS)},
            attrs={"units": "m or rad", "long_name": "mode shape, largest component 1"},
        )

    @cached_property
    def node_shapes(self) -> xr.DataArray:
        """The motion of the nodes of flexible bodies in every mode: dimensions mode, node, plane (body's x and y) [m].

        Scaled like `mode_shapes`, whose bodies move as their nodes do in the mean.

        >>> import gudgeon as gd
        >>> gd.linearize(gd.examples.spatial_four_bar()).node_shapes.sizes["node"]
        0
        """
        import xarray as xr

        from gudgeon.flexible_bodies import flexible_bodies

        flexible = flexible_bodies(self.system).items()
        nodes = self._shapes[:, 6 * len(self.system.bodies) :]
        names = [f"{name}:{node}" for name, body in flexible for node in range(body.mesh.node_count)]
        return xr.DataArray(
            nodes.reshape(len(nodes), len(names), 2),
            dims=("mode", "node", "plane"),
            coords={**self._mode_coords(), "node": np.array(names, dtype=str), "plane": ["x", "y"]},
            attrs={"units": "m", "long_name": "mode shape of nodes, largest component of the mode 1"},
        )

    @cached_property
    def _shapes(self) -> np.ndarray:
        """(modes, 6 bodies and nodes), the largest component 1."""
        shapes = (self._basis @ self._modes.vectors).T
        largest = shapes[np.arange(len(shapes)), np.argmax(np.abs(shapes).round(9), axis=1)]
        shapes = shapes / np.where(largest == 0.0, 1.0, largest)[:, None]
        return np.real(shapes) if np.all(np.abs(np.imag(shapes)) <= REAL_SHAPE) else shapes

    def _mode_coords(self) -> dict[str, Any]:
        return {
            "mode": np.arange(len(self._shapes)),
            "natural_frequency": ("mode", self.natural_frequencies, {"units": "Hz"}),
            "damping_ratio": ("mode", self.damping_ratios, {"units": "1"}),
        }

    def plot(self, modes: int = 6) -> Figure:
        """A picture of the first modes: how far every body moves and turns.

        >>> import gudgeon as gd
        >>> figure = gd.linearize(gd.examples.spatial_four_bar()).plot()  # doctest: +SKIP
        """
        from gudgeon.view.modes import mode_bars

        return mode_bars(self, modes)

    def __str__(self) -> str:
        from gudgeon.view.modes import mode_table

        return mode_table(self)


@interruptible("linearize")
@one_blas_thread()
def linearize(
    system: System | Equilibrium | Result,
    *,
    time: float | None = None,
    at: int | float | None = None,
    coordinates: tuple[str, ...] | None = None,
) -> Linearization:
    """The small motion of a mechanism about its start, an equilibrium, or a state of a run.

    system       a System, about its assembled start; what `gd.equilibrium` found; or a Result
    time         at which loads and drives are taken [s]; for a System, 0 if left out
    at           for a Result: a sample (an integer, −1 the last) or a time [s] (a float: the sample nearest to it)
    coordinates  names of independent coordinates, as many as freedoms: "joint.angle", "joint.displacement",
                 "body.x" … "body.z", "body.rx" … "body.rz" (displacement and world rotation vector of a body, measured
                 from the undisturbed motion), "body:node.x" and ".y" of nodes of flexible bodies, along their axes.
                 Left out: joint coordinates in the order of the joints where they are independent, then bodies' own,
                 then nodes'.

    Drives stay prescribed functions of time. Real joints are linearised as they are: bushing and film with stiffness
    and damping; a dry joint touching if the ball is pressed into the socket, otherwise flying, without force. A contact
    law with a restitution takes the speed at which the contact began (from the events of a Result; otherwise the
    speed in the state, but at least `smallest_impact_speed`), so that its damping is large at rest. LuGre friction is
    refused while touching: its bristles are a state that M, C and K cannot show. States of controllers are states of
    the state matrix; sampled controllers are refused. Switches are as they are in the state (for a System: as the clock
    says, those that wait for a signal off).

    Derivatives are exact but for rounding; those of the laws of real joints are extrapolated central differences, whose
    error `accuracy` estimates: ModelError where there is no derivative. A law with a corner exactly in the state gets
    the mean of its two slopes. Ctrl-C raises SimulationInterrupted without a result: half a matrix is none.

    >>> import gudgeon as gd
    >>> guide = gd.Prismatic("ground", "mass", at=(0, 0, 0), axis=(1, 0, 0))
    >>> system = gd.System(
    ...     bodies={"mass": gd.Body(mass=2.0, inertia=(1, 1, 1))},
    ...     joints={"guide": guide},
    ...     loads={"spring": gd.JointSpring("guide", stiffness=200.0, damping=4.0)},
    ... )
    >>> small = gd.linearize(system)
    >>> small.coordinates, small.stiffness.round(6), small.damping_ratios.round(6)
    (('guide.displacement',), array([[200.]]), array([0.1]))
    """
    from gudgeon.analysis.small_motion.about import matrices_about, state_of

    if not isinstance(system, System | Equilibrium | Result):
        raise ModelError(f"linearize: {type(system).__name__} given; give a gd.System, a gd.Equilibrium or a gd.Result")
    if time is not None:
        time = number("linearize", "time", time)
    if not isinstance(system, System) and time is not None:
        raise ModelError(f"linearize: time is given with a {type(system).__name__}, which has its own; leave it out")
    if not isinstance(system, Result) and at is not None:
        raise ModelError(
            "linearize: at is given without a Result; to take loads and drives at another time, give time="
        )
    return Linearization(**matrices_about(*state_of(system, time, at), coordinates))
