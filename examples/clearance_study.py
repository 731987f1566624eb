"""
What clearance does to a driven mechanism
=========================================

A crank-rocker is turned at a constant speed; its rocker swings a weight through a dry ball joint with clearance. Two
studies: a bifurcation diagram of the motion against the clearance, and a map of the energy lost in every turn over
clearance and friction. Each run is sent to a worker and comes back as a few numbers; both studies are kept in stores,
and go on where they were if they are stopped.
"""

import sys
from pathlib import Path

import numpy as np

import gudgeon as gd

OMEGA = 20.0  # of the crank [rad/s]
PERIOD = 2.0 * np.pi / OMEGA  # [s]
BALL = 0.010  # radius [m]


# %%
# One number, the clearance, changes two: the radius of the socket, and with it the Hertzian stiffness of the contact.
# So the mechanism is a function of the parameters.


def mechanism(clearance: float, friction: float = 0.1) -> gd.System:
    """Crank (40 mm), coupler (120 mm), rocker (80 mm); the joint C between coupler and rocker has clearance [m]."""
    socket = BALL + clearance
    stiffness = gd.laws.sphere_in_socket(
        socket_radius=socket, ball_radius=BALL, youngs_modulus=207e9, poissons_ratio=0.3
    )
    dry = gd.Dry(
        socket_radius=socket,
        ball_radius=BALL,
        contact=gd.laws.LankaraniNikravesh(stiffness=stiffness, restitution=0.6),
        friction=gd.laws.Coulomb(coefficient=friction, velocity_tolerance=1e-2),
    )
    b, d = (0.04, 0.0, 0.0), (0.12, 0.0, 0.0)  # pin of the crank, pivot of the rocker [m]
    x = (0.12**2 - 0.08**2 + 0.08**2) / (2 * 0.08)  # of joint C from the pin of the crank, along B–D [m]
    c = (0.04 + x, 0.0, float(np.sqrt(0.12**2 - x**2)))
    middle = {"coupler": 0.5 * np.add(b, c), "rocker": 0.5 * np.add(d, c)}
    return gd.System(
        name="crank-rocker",
        gravity=(0, 0, -9.81),
        bodies={
            "crank": gd.Body(mass=0.2, inertia=(2e-5, 4e-5, 4e-5), position=(0.02, 0, 0)),
            "coupler": gd.Body(mass=0.15, inertia=(2e-4, 2e-4, 2e-4), position=tuple(middle["coupler"])),
            "rocker": gd.Body(mass=0.3, inertia=(2e-4, 2e-4, 2e-4), position=tuple(middle["rocker"])),
        },
        joints={
            "A": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 1, 0)),
            "B": gd.Revolute("crank", "coupler", at=b, axis=(0, 1, 0)),
            "C": gd.Spherical("coupler", "rocker", at=c, model=dry),
            "D": gd.Revolute("ground", "rocker", at=d, axis=(0, 1, 0)),
        },
        drives={"motor": gd.Drive("A", f"{OMEGA}*t")},
    )


# %%
# What a worker keeps of a run: where the rocker is once in every turn, the energy lost per turn, the largest force.

FINE = "--fine" in sys.argv  # as in the documentation: some minutes
TURNS, SKIP = (24, 12) if FINE else (8, 4)
strobe = gd.Strobe(period=PERIOD, outputs=("D.angle.velocity",), skip=SKIP)


def of_a_run(result: gd.Result) -> dict:
    """Points of the section, and the mean loss per turn [mJ]."""
    losses = gd.energy_per_cycle(result, period=PERIOD, skip=SKIP).total
    return {
        **strobe(result),
        "loss_per_turn [mJ]": 1e3 * losses.mean(),
        "peak_force [N]": result.events.peak_force.max(),
    }


options = {"sample": PERIOD / 16, "reduce": of_a_run, "progress": False}
out = Path("out")
out.mkdir(exist_ok=True)

# %%
# First study: a line of clearances with little friction.

clearances = np.linspace(20e-6, 500e-6, 25) if FINE else np.linspace(100e-6, 500e-6, 5)
along = gd.sweep(
    mechanism,
    {"clearance [m]": clearances, "friction": [0.02]},
    TURNS * PERIOD,
    store=out / "clearance.zarr",
    **options,
)
assert np.all(along.status == 1), along.error.values
diagram = gd.bifurcation(along, "D.angle.velocity", "clearance")
diagram.plot().savefig(out / "clearance_bifurcation.png", dpi=110)
for clearance, points in zip(clearances, diagram.counts(1e-2), strict=True):
    print(f"clearance {1e6 * clearance:4.0f} µm: {points} different points of the section")

# %%
# Second study: clearance × friction.

count = 5 if FINE else 2
grid = {"clearance [m]": np.linspace(100e-6, 500e-6, count), "friction": np.linspace(0.02, 0.2, count)}
over = gd.sweep(mechanism, grid, TURNS * PERIOD, store=out / "losses.zarr", **options)
for message in over.error.values[over.status.values == 2]:
    print("a run that failed, recorded with its error:", message)
assert FINE or np.all(over.status == 1), over.error.values
gd.study_map(over, "loss_per_turn").savefig(out / "clearance_losses.png", dpi=110)
print(over.loss_per_turn)

# %%
# The same study again is there at once, and a member is what a single run gives, to the bit.

again = gd.sweep(mechanism, grid, TURNS * PERIOD, store=out / "losses.zarr", **options)
assert again.loss_per_turn.identical(over.loss_per_turn)
one = gd.simulate(
    mechanism(grid["clearance [m]"][0], grid["friction"][-1]),
    TURNS * PERIOD,
    sample=PERIOD / 16,
    coordinates="absolute",
)
assert of_a_run(one)["loss_per_turn [mJ]"] == float(over.loss_per_turn[0, -1])
done = over.loss_per_turn.where(over.status == 1)
assert np.all((done > 0.0) | (over.status == 2))
assert not np.any(done.diff("friction") <= 0.0)  # more friction, more loss
