"""
A gudgeon pin with play
=======================

The slider-crank of the literature on revolute clearance, at 5000 rpm, with four models of its gudgeon pin: ideal, dry,
with an oil film, bushed; in the plane and in space. Every number that is asserted below is that of an independent
computation (plain NumPy and SciPy in other coordinates, with other integrators).

What to see: friction keeps the pin against its bore, so that the dry motion is periodic; a film carries nearly the
force of the ideal joint; Ocvirk's short film is far too thick near contact; and the motion of a pin that stays aligned
is unstable in space: a tilt of a nanoradian becomes millirads within a turn. Planar results say nothing of a rod that
nothing else holds.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gudgeon as gd

turn, per_turn = 0.012, 480  # time of a turn [s], samples in it
slider_crank = gd.examples.slider_crank_clearance
COLOURS = {"ideal": "#22262c", "dry": "#1f6fb4", "film": "#2a8f78", "finite film": "#8fc9b5", "bushing": "#d9a441"}


def run(system, turns, solver="auto"):
    return gd.simulate(system, turns * turn, sample=turn / per_turn, solver=solver)


def lost(result, which=-1):
    """Energy lost in the pin in one turn [J]."""
    energy = result.data.dissipated_energy.sel(joint="pin").values[::per_turn]
    return float(np.diff(energy)[which])


def force(result):
    """On the pin, over the last turn [N]."""
    return np.linalg.norm(result.data.reaction_force.sel(joint="pin").values[-per_turn - 1 :], axis=1)


# in the plane: one argument apart
plane = {
    "ideal": run(slider_crank("ideal"), 2),
    "dry": run(slider_crank("dry"), 8, gd.Explicit(rtol=1e-9, atol=1e-11)),
    "film": run(slider_crank("film"), 3),
    "bushing": run(slider_crank("bushing"), 3),
}
finite = gd.LubricatedJournal(bore_radius=0.010, pin_radius=0.0095, length=0.020, viscosity=0.4, planar=True)
plane["finite film"] = run(slider_crank("film").with_model(pin=finite), 3)
thinnest = {name: 1e6 * float(plane[name].data.minimum_film[-per_turn:].min()) for name in ("film", "finite film")}

print("in the plane             ideal     dry       short film  finite film  bushing")
names = ("ideal", "dry", "film", "finite film", "bushing")
print("largest force [N]     ", *(f"{force(plane[name]).max():10.1f}" for name in names))
print("lost in a turn [J]               ", *(f"{lost(plane[name]):10.6f}" for name in names[1:]))
short, true = thinnest["film"], thinnest["finite film"]
print(f"thinnest film: {short:.1f} µm by Ocvirk's formula, {true:.1f} µm by Reynolds' equation")

# in space: the crank pin is a ball joint, the gudgeon pin has collars and is askew in the slider
space = {
    "ideal": run(slider_crank("ideal", space=True), 1),
    "dry": run(slider_crank("dry", space=True, pin_tilt=0.006), 5, gd.Explicit()),
    "film": run(slider_crank("film", space=True, pin_tilt=0.002), 2),
    "bushing": run(slider_crank("bushing", space=True), 2),
}
moment = float(np.linalg.norm(space["dry"].data.reaction_torque.sel(joint="pin")[-per_turn:], axis=1).max())
tilt = float(space["dry"].data.tilt.sel(part="pin:land")[-per_turn:].max())
print("\nin space")
print("lost in a turn [J]    ", *(f"{name} {lost(result):.5f} " for name, result in space.items() if name != "ideal"))
print(f"dry, two crossed edges: {moment:.1f} N·m in the joint, tilt {1e3 * tilt:.3f} mrad")

# the same pin as in the plane, aligned, but free to tilt
aligned = {
    askew: run(slider_crank("dry", space=True, clearance=5e-4, friction=0.1, pin_tilt=askew), 2, gd.Explicit())
    for askew in (0.0, 1e-9)
}
tilts = {askew: result.data.tilt.max("part").values for askew, result in aligned.items()}
print(f"aligned, but free to tilt: 1e-9 rad become {1e3 * tilts[1e-9][:per_turn].max():.1f} mrad in a turn;")
print(
    f"then {lost(aligned[1e-9]):.3f} J are lost in this turn (they differ from turn to turn) instead of {lost(plane['dry']):.3f} J"
)

figure = Figure(figsize=(12.5, 7.6), layout="constrained")
(motion, forces, orbits), (losses, films, growth) = figure.subplots(2, 3)
degrees = np.linspace(0.0, 360.0, per_turn + 1)
where = {name: r.data.position.sel(body="slider", axis="x").values[-per_turn - 1 :] for name, r in plane.items()}
for name in ("ideal", "dry", "film", "bushing"):
    style = {"color": COLOURS[name], "linewidth": 1.3, "label": "short film" if name == "film" else name}
    if name != "ideal":
        motion.plot(degrees, 1e6 * (where[name] - where["ideal"]), **style)
    forces.plot(degrees, 1e-3 * force(plane[name]), **(style | {"zorder": 3 if name == "ideal" else 2}))
motion.set_title("slider: off its ideal place", loc="left")
motion.set_ylabel("[µm]")
forces.set_title("force on the pin", loc="left")
forces.set_ylabel("[kN]")
for axes in (motion, forces, films):
    axes.set_xlabel("crank angle [degrees]")
    axes.set_xticks([0, 90, 180, 270, 360])
around = np.linspace(0.0, 2.0 * np.pi, 200)
orbits.plot(np.cos(around), np.sin(around), color="gray", linewidth=0.8, linestyle="--")
for name in ("dry", "film", "finite film"):
    result = plane[name]
    rod = 2.0 * np.arctan2(*(result.data.orientation.sel(body="rod").values[-per_turn:, k] for k in (3, 0)))
    e = result.data.eccentricity.sel(joint="pin").values[-per_turn:, :2] / 5e-4
    turned = np.stack((e[:, 0] * np.cos(rod) + e[:, 1] * np.sin(rod), e[:, 1] * np.cos(rod) - e[:, 0] * np.sin(rod)), 1)
    orbits.plot(*turned.T, color=COLOURS[name], linewidth=1.3, label="short film" if name == "film" else name)
orbits.set_aspect("equal")
orbits.set_title("path of the pin, of the play", loc="left")
for name, label in (("film", "short (Ocvirk)"), ("finite film", "finite length (Reynolds)")):
    thickness = 1e6 * plane[name].data.minimum_film.values[-per_turn:, 0]
    films.semilogy(degrees[:-1], thickness, color=COLOURS[name], label=label)
films.set_title("thinnest film", loc="left")
films.set_ylabel("[µm]")
bars = [("dry", "dry"), ("short film", "film"), ("finite film", "finite film"), ("bushing", "bushing")]
for place, (_, name) in enumerate(bars):
    bar = losses.bar(place, lost(plane[name]), color=COLOURS[name], width=0.65)
    losses.bar_label(bar, fmt=f"{lost(plane[name]):.3f}", fontsize="small")
bar = losses.bar(len(bars), lost(aligned[1e-9]), color=COLOURS["dry"], width=0.65, hatch="//", edgecolor="white")
losses.bar_label(bar, fmt=f"{lost(aligned[1e-9]):.3f}", fontsize="small")
losses.set_xticks(range(len(bars) + 1), [label.replace(" ", "\n") for label, _ in bars] + ["dry,\nfree to tilt"])
losses.set_title("energy lost in a turn [J]", loc="left")
losses.set_ylim(top=3.6)
times = aligned[0.0].data.time.values / turn
growth.semilogy(times[1:], tilts[0.0][1:], color="gray", linewidth=1.0, label="by rounding alone")
growth.semilogy(times[1:], tilts[1e-9][1:], color=COLOURS["dry"], linewidth=1.0, label="from 1e-9 rad")
growth.set_xlabel("turns")
growth.set_ylabel("tilt of the pin [rad]")
growth.set_title("an aligned pin that is free to tilt", loc="left")
for axes in figure.axes:
    axes.grid(alpha=0.3)
    if axes is not losses:
        axes.legend(fontsize="small")
figure.suptitle("A gudgeon pin with 0.5 mm of radial play, slider-crank at 5000 rpm")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/revolute_clearance.png", dpi=110)
plane["dry"].plot_joint("pin", between=(0.0, turn)).savefig("out/joint_dry.png", dpi=110)
plane["finite film"].plot_joint("pin", between=(turn, 2 * turn)).savefig("out/joint_film.png", dpi=110)
space["dry"].plot_joint("pin", between=(0.0, 2 * turn)).savefig("out/joint_in_space.png", dpi=110)

# independent computation, in the plane: converged to 1e-8 and better
assert abs(force(plane["ideal"]).max() - 2718.7) < 0.05
assert abs(lost(plane["dry"]) - 3.0373479085) < 2e-6
assert abs(lost(plane["dry"], 0) - 3.952395711) < 5e-6
assert abs(lost(plane["film"]) - 2.1252682366) < 2e-6
assert abs(force(plane["film"]).max() - 2719.358) < 0.3
# no energy comes from nowhere: what is lost has been brought by the motor
for name in ("film", "bushing"):
    data = plane[name].data
    angle, torque = data.joint_position.sel(coordinate="main.angle"), data.drive_effort.sel(drive="motor")
    work = float(np.trapezoid(torque.values[-per_turn - 1 :], angle.values[-per_turn - 1 :]))
    assert abs(work - lost(plane[name])) < 1e-5 * lost(plane[name])
# in space, over turns that have nearly settled
assert abs(lost(space["dry"]) / 1.9528712796 - 1.0) < 1e-3
assert abs(moment / 37.496 - 1.0) < 0.01 and abs(tilt / 0.005933233 - 1.0) < 1e-3
assert abs(lost(space["film"]) / 0.2513238745 - 1.0) < 1e-3
# short films are too thick near contact, and what is aligned does not stay so
assert thinnest["film"] > 5.0 * thinnest["finite film"]
assert tilts[1e-9][1] < 1e-8 and tilts[1e-9][:per_turn].max() > 1e-3 and tilts[0.0][:per_turn].max() < 1e-8
