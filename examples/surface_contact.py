"""A pendulum in a dry ball-and-socket joint, the ball and the socket given as NURBS surfaces, against gd.Dry.

`gd.SurfaceContact` integrates a contact pressure p = k δ (1 + a δ̇) over the surfaces wherever they overlap, whatever
shape they have. On a ball of radius r in a socket of radius R = r + c, with e ≪ R, the integral has a closed form,

    F = π k R² (e − c)² (2e + c)/(3e²) + 2π k R² a ė [e (1 − μ⁴)/4 − c (1 − μ³)/3],   μ = c/e,

which as the law of `gd.Dry` makes the same joint by other means: one contact point instead of an integral. The two
agree up to the quadrature, which is better the finer the grid, and up to the size of the touching area: friction and
damping act all over it, and so also where the ball only rolls, which a single point cannot know.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd
from gudgeon.nurbs import Surface

R, CLEARANCE = 0.010, 5e-5  # socket radius, clearance [m]
STIFFNESS, DAMPING = 1e11, 5.0  # k [N/m³], a [s/m]
DURATION = 0.018  # five impacts [s]
GRIDS = ((24, 12), (48, 24), (96, 48))
FRICTION = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)


def resultant(delta, ddelta):
    """The integral of the pressure over ball and socket [N]."""
    e = 5e-5 + delta
    mu = 5e-5 / e
    spring = delta**2 * (2.0 * e + 5e-5) / (3.0 * e * e)
    damper = 2.0 * 5.0 * ddelta * (e * (1.0 - mu**4) / 4.0 - 5e-5 * (1.0 - mu**3) / 3.0)
    return math.pi * 1e11 * 0.010**2 * (spring + damper)


def pendulum(model) -> gd.System:
    """A rod that hangs on a ball at its end and starts at 60 degrees, the ball in the middle of its socket."""
    angle, length = math.radians(60.0), 0.2
    place = (0.5 * length * math.sin(angle), 0.0, -0.5 * length * math.cos(angle))
    rod = gd.Body(mass=0.4, inertia=(1.4e-3, 1.4e-3, 4e-5), position=place)
    return gd.System(
        name="pendulum on a ball",
        bodies={"rod": rod},
        joints={"pivot": gd.Spherical("ground", "rod", at=(0, 0, 0), model=model)},
    )


def compare(friction) -> tuple[gd.Result, gd.Result, list[float], float, float]:
    """gd.Dry, the finest SurfaceContact, and how far the orbits of the ball are apart, in clearances."""
    dry = gd.Dry(socket_radius=R, ball_radius=R - CLEARANCE, contact=resultant, friction=friction)
    right = gd.simulate(pendulum(dry), DURATION, sample=5e-5)
    pressure = gd.laws.HuntCrossley(stiffness=STIFFNESS, damping=DAMPING / 1.5, exponent=1.0)
    apart: list[float] = []
    for grid in GRIDS:
        touch = gd.Interface(
            reference=("ground", Surface.sphere(R, name="socket")),
            corresponding=("rod", Surface.sphere(R - CLEARANCE, name="ball")),
            reference_side=-1,  # the normal of Surface.sphere points away from its centre, into the socket's material
            grid=grid,
        )
        model = gd.SurfaceContact(touch, pressure, friction=friction)
        mine = gd.simulate(pendulum(model), DURATION, sample=5e-5)
        shift = (mine.data.eccentricity - right.data.eccentricity).sel(joint="pivot").values
        apart.append(float(np.linalg.norm(shift, axis=1).max()) / CLEARANCE)
        peak, lost = (
            float(getattr(mine.data, name).max() / getattr(right.data, name).max())
            for name in ("normal_force", "dissipated_energy")
        )
        seconds = mine.stats["seconds_computing"]
        print(f"{grid[0]}×{grid[1]:<6} {apart[-1]:12.4f} {peak:14.4f} {lost:11.4f} {seconds:9.2f} s")
    return right, mine, apart, peak, lost


def main() -> None:
    for name, friction in (("without friction", None), ("with friction", FRICTION)):
        print(f"{name}\ngrid     orbit apart [c]  peak force  energy lost  run time")
        right, mine, apart, peak, lost = compare(friction)
        assert len(mine.events) == len(right.events) == 5
        assert apart[-1] < (0.04 if friction is None else 0.06) and apart[-1] < apart[0]
        assert abs(peak - 1.0) < 0.03 and abs(lost - 1.0) < 0.05
        energy, gone = mine.data.mechanical_energy.values, mine.data.dissipated_energy.sel(joint="pivot").values
        assert np.abs(energy[0] - energy - gone).max() < 1e-3 * gone[-1]
    draw(right, mine)


def draw(right: gd.Result, mine: gd.Result) -> None:
    figure, (left, middle, last) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    turn = np.linspace(0, 2 * np.pi, 200)
    left.plot(50 * np.cos(turn), 50 * np.sin(turn), color="0.6", linewidth=1)
    for run, style in ((right, {"color": "black", "linewidth": 3, "alpha": 0.35}), (mine, {"color": "C3"})):
        e = 1e6 * run.data.eccentricity.sel(joint="pivot")
        left.plot(e.sel(axis="x"), e.sel(axis="z"), **style)
        middle.plot(1e3 * run.data.time, run.data.normal_force.sel(joint="pivot"), **style)
    left.set(title="orbit of the ball, clearance in grey", xlabel="x [µm]", ylabel="z [µm]", aspect="equal")
    middle.plot([], [], color="black", linewidth=3, alpha=0.35, label="gd.Dry with the resultant")
    middle.plot([], [], color="C3", label="gd.SurfaceContact, 96×48 points")
    middle.set(title="normal force", xlabel="t [ms]", ylabel="N")
    middle.legend(loc="upper right", fontsize=8)
    at = mine.data.sel(joint="pivot")
    last.plot(1e3 * at.time, 1e6 * at.contact_area, color="C0")
    last.set(title="what gd.Dry does not know", xlabel="t [ms]")
    last.set_ylabel("touching area [mm²]", color="C0")
    other = last.twinx()
    other.plot(1e3 * at.time, 1e-6 * at.contact_pressure, color="C1", linestyle="--")
    other.set_ylabel("largest pressure [MPa]", color="C1")
    Path("out").mkdir(exist_ok=True)
    figure.savefig("out/surface_contact.png", dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    main()
