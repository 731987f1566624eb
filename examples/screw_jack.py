"""
A screw jack
============

A spindle turns in its base and lifts a load on its nut; the flanks of its square thread rub. Friction depends on the
force that the flanks carry, and that on friction: both are found together. Raised evenly, the torque is W r tan(λ + ρ),
λ the lead angle and tan ρ = μ, so that the efficiency is tan λ/tan(λ + ρ). When the crank is let go, a steep thread
sinks, a thread with tan λ < μ locks itself: with set-valued friction it does not move at all.
"""

from math import atan, pi, tan
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

load = 5e3  # W [N]
radius = 0.012  # r, mean radius of the thread [m]
mu = 0.12
rho = atan(mu)
speed = 4.0  # of the crank while it lifts [rad/s]
g = 9.81


def jack(lead_angle, friction, **parts):
    """A spindle in its base, a nut that only slides, and the thread between the two."""
    thread = gd.Screw("spindle", nut="nut", lead=2 * pi * radius * tan(lead_angle), friction=friction, radius=radius)
    return gd.System(
        name="screw jack",
        gravity=(0, 0, -g),
        bodies={
            "spindle": gd.Body(mass=1.5, inertia=(4e-3, 4e-3, 3e-4)),
            "load": gd.Body(mass=load / g, inertia=(10, 10, 10), position=(0, 0, 0.3)),
        },
        joints={
            "spindle": gd.Revolute("ground", "spindle", at=(0, 0, 0), axis=(0, 0, 1)),
            "nut": gd.Prismatic("ground", "load", at=(0, 0, 0.3), axis=(0, 0, 1)),
        },
        couplings={"thread": thread},
        **parts,
    )


# raising and lowering by the crank, at constant speed: torque and efficiency
smooth = gd.laws.Coulomb(coefficient=mu, velocity_tolerance=1e-5)
angles = np.linspace(0.03, 0.9, 8)
efficiency = []
for angle in angles:
    crank = {"crank": gd.Drive("spindle", f"{speed}*t")}
    data = gd.simulate(jack(angle, smooth, drives=crank), 0.1, solver=gd.Implicit(), sample=0.05).data
    torque = float(data.drive_effort[-1, 0])
    assert abs(torque / (load * radius * tan(angle + rho)) - 1) < 1e-6
    lifted = load * float(data.joint_velocity.sel(rate="nut.displacement")[-1])
    efficiency.append(lifted / float(data.drive_power[-1, 0]))
    assert abs(efficiency[-1] / (tan(angle) / tan(angle + rho)) - 1) < 1e-6
    lost = float(data.friction_power[-1, 0])  # what the crank gives is lifted or lost
    assert abs((lifted + lost) / float(data.drive_power[-1, 0]) - 1) < 1e-6
    # Q, the force of the coupling along the axis, is what presses the flanks: N = Q/cos λ
    carried = float(data.coupling_effort.sel(coupling="thread", coupled="second")[-1])
    assert abs(float(data.friction_load[-1, 0]) * np.cos(angle) / carried - 1) < 1e-9
    crank = {"crank": gd.Drive("spindle", f"-{speed}*t")}
    data = gd.simulate(jack(angle, smooth, drives=crank), 0.1, solver=gd.Implicit(), sample=0.05).data
    assert abs(float(data.drive_effort[-1, 0]) - load * radius * tan(angle - rho)) < 1e-6 * load * radius
print(f"efficiency from {min(efficiency):.3f} to {max(efficiency):.3f}; {efficiency[0]:.3f} at λ = {angles[0]:.2f} rad")

# the crank is let go: it sinks where tan λ > μ, and locks itself where tan λ < μ
dry = gd.laws.DryFriction(static=mu)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
for share in (0.95, 0.999, 1.001, 1.05):
    angle = atan(share * mu)
    result = gd.simulate(jack(angle, dry), 0.5, solver=gd.TimeStepping(step=2e-3), sample=0.01)
    sunk = -result.data.joint_position.sel(coordinate="nut.displacement")
    print(f"tan λ = {share:g} μ: sinks by {float(sunk[-1]):.3g} m in half a second")
    if share < 1.0:
        assert float(np.abs(sunk).max()) < 1e-12 and float(result.data.sticking[-1, 0]) == 1.0
    else:  # by hand: (J + m p r tan(λ − ρ)) θ̈ = −W r tan(λ − ρ), p = r tan λ
        grip = radius * tan(angle - rho)
        sinks = load * grip / (3e-4 + load / g * radius * tan(angle) * grip) * radius * tan(angle)
        assert abs(float(sunk[-1]) / (0.5 * sinks * 0.5**2) - 1) < 1e-5
    right.plot(result.data.time, 1e3 * sunk, label=f"tan λ = {share:g} μ")

curve = np.linspace(1e-3, 1.2, 200)
left.plot(np.degrees(curve), np.tan(curve) / np.tan(curve + rho), label="tan λ/tan(λ + ρ)")
left.plot(np.degrees(angles), efficiency, "o", label="gudgeon")
left.axvspan(0, np.degrees(rho), color="0.9", label="locks itself")
left.set(xlabel="lead angle λ [degrees]", ylabel="efficiency of raising", xlim=(0, 70), ylim=(0, 1))
left.legend()
right.set(xlabel="time after the crank is let go [s]", ylabel="sunk by [mm]")
right.legend()
figure.tight_layout()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/screw_jack.png")
