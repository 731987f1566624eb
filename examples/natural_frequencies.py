"""
An engine on four rubber mounts
===============================

Where it sags to under its weight, how it vibrates there, and whether a simulation agrees: six modes of a rigid block
on four bushings that are softer sideways than upright. Its centre of mass lies off the middle, so that bouncing and
pitching mix.
"""

from pathlib import Path

import numpy as np

import gudgeon as gd

mass, inertia = 180.0, (6.0, 14.0, 12.0)  # [kg], [kg·m²]
mounts = {
    "front left": (0.40, 0.22),
    "front right": (0.40, -0.22),
    "rear left": (-0.30, 0.25),
    "rear right": (-0.30, -0.25),
}
height = -0.12  # of the mounts below the centre of mass [m]
stiffness = np.diag([8e4, 8e4, 2e5])  # along, across, upright [N/m]
rubber = gd.Bushing(stiffness=stiffness, damping_time=1.5e-3)

engine = gd.System(
    name="engine",
    bodies={"block": gd.Body(mass=mass, inertia=inertia)},
    joints={name: gd.Spherical("ground", "block", at=(x, y, height), model=rubber) for name, (x, y) in mounts.items()},
)

sagged = gd.equilibrium(engine)
print(sagged)
modes = gd.linearize(sagged)
print(modes)

# by hand: K = Σ Hᵀ k H, H the motion of a mount in that of the block, without the (small) effect of the static load
by_hand = np.zeros((6, 6))
for x, y in mounts.values():
    motion = np.hstack([np.eye(3), [[0, height, -y], [-height, 0, x], [y, -x, 0]]])
    by_hand += motion.T @ stiffness @ motion
block = np.diag([mass] * 3 + list(inertia))
expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(block, by_hand)).real)) / (2 * np.pi)
print("by hand     ", "  ".join(f"{f:.3f}" for f in expected), "Hz")

# a simulation: pushed off its equilibrium, it swings through it again with the period of its mode
shape = modes.mode_shapes.isel(mode=-1).real
push = 1e-3 * shape.sel(body="block").values
at_rest = sagged.system.start["block"]
pushed = gd.BodyState(
    position=at_rest.position, orientation=at_rest.orientation, velocity=push[:3], angular_velocity=push[3:]
)
largest = int(np.argmax(np.abs(push[:3])))
watch = gd.Crossing(body="block", along=np.eye(3)[largest], value=at_rest.position[largest])
run = gd.simulate(sagged.system.replace(start={"block": pushed}), 0.3, crossings={"through": watch})
crossings = run.crossings["time"].values
crossings = crossings[crossings > 1e-6]
measured = 0.5 / np.diff(crossings)[:2].mean()
print(f"stiffest mode: {modes.damped_frequencies[-1]:.4f} Hz by its modes, {measured:.4f} Hz in a simulation")

figure = modes.plot()  # bounce and pitch, sway and roll, surge, yaw
Path("out").mkdir(exist_ok=True)
figure.savefig("out/natural_frequencies.png", dpi=120)

sag = -at_rest.position[2]
assert abs(sag - mass * 9.81 / (4 * stiffness[2, 2])) < 1e-4  # with a little pitch, as the mass is off the middle
assert sagged.stable and sagged.neutral_freedoms == 0
assert np.abs(modes.natural_frequencies / expected - 1.0).max() < 0.02
assert np.allclose(modes.damping_ratios, 0.5 * 1.5e-3 * 2 * np.pi * modes.natural_frequencies, rtol=0.02)
assert abs(measured / modes.damped_frequencies[-1] - 1.0) < 1e-3
