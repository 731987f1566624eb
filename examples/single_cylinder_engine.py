"""
A single-cylinder four-stroke engine
====================================

Gas pressure from a table over the crank angle, two turns long, drives a crank with a flywheel against a brake. How
uneven is its speed? The same is computed by hand: one freedom, whose inertia J(θ) follows from the velocities of crank,
rod and piston, so that

    J(θ) ω̇ + ½ J′(θ) ω² = −F(θ) dx/dθ − b ω,    x(θ) the place of the piston, F the gas force on it
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

r, rod, bore = 0.05, 0.17, 0.085  # crank radius, length of the rod, bore [m]
crank_inertia, rod_mass, rod_inertia, piston_mass = 0.12, 0.6, 2.5e-3, 0.45  # flywheel included [kg·m², kg]
brake, idle = 0.12, 157.0  # [N·m·s/rad], speed at the start [rad/s]

# what an indicator would measure: intake, compression, combustion around 15° after dead centre, expansion, exhaust [Pa]
angle = np.radians(np.arange(0.0, 721.0, 5.0))
volume = np.pi / 4 * bore**2 * (r * (1 - np.cos(angle)) + rod - np.sqrt(rod**2 - (r * np.sin(angle)) ** 2)) + 6.5e-5
compressed = 1e5 * (volume.max() / volume) ** 1.32
burnt = 1.0 + 3.2 / (1.0 + np.exp(-(np.degrees(angle) - 372.0) / 6.0))
closed = 1.0 / (1.0 + np.exp((np.degrees(angle) - 530.0) / 8.0))  # until the exhaust valve opens
pressure = np.where((angle < np.pi) | (angle >= 3.9 * np.pi), 0.0, (compressed * burnt - 1e5) * closed)
force = gd.Table(angle, -pressure * np.pi / 4 * bore**2, kind="periodic", of="main.angle")

engine = gd.System(
    name="engine",
    gravity=(0, 0, 0),
    bodies={
        "crank": gd.Body(mass=8.0, inertia=(0.06, 0.06, crank_inertia), angular_velocity=(0, 0, idle)),
        "rod": gd.Body(mass=rod_mass, inertia=(1e-3, rod_inertia, rod_inertia), position=(r + rod / 3, 0, 0)),
        "piston": gd.Body(mass=piston_mass, inertia=(1e-3, 1e-3, 1e-3), position=(r + rod, 0, 0)),
    },
    joints={
        "main": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 0, 1)),
        "big_end": gd.Revolute("crank", "rod", at=(r, 0, 0), axis=(0, 0, 1)),
        "pin": gd.Spherical("rod", "piston", at=(r + rod, 0, 0)),
        "bore": gd.Prismatic("ground", "piston", at=(r + rod, 0, 0), axis=(1, 0, 0)),
    },
    loads={
        "gas": gd.JointForce("bore", force),
        "brake": gd.JointTorque("main", f"-{brake}*main.angle_rate"),
    },
    signals={"power": f"{brake}*main.angle_rate**2"},
)
result = gd.simulate(engine, 0.6, sample=2e-4, solver=gd.Explicit(rtol=1e-11, atol=1e-12))
t = result.data.time.values
speed = result.data.joint_velocity.sel(rate="main.angle").values


# by hand
def gradient(theta: float) -> tuple[float, float]:
    """dx/dθ of the piston, and J(θ)."""
    sine, cosine = np.sin(theta), np.cos(theta)
    tilt = np.arcsin(r / rod * sine)
    turn = -r * cosine / (rod * np.cos(tilt))  # dφ/dθ of the rod
    slope = -r * sine + rod * np.sin(tilt) * turn
    centre = np.array([-r * sine + rod / 3 * np.sin(tilt) * turn, r * cosine + rod / 3 * np.cos(tilt) * turn])
    return slope, crank_inertia + rod_mass * centre @ centre + rod_inertia * turn**2 + piston_mass * slope**2


def rates(_, y):
    theta, omega = y
    slope, inertia = gradient(theta)
    change = (gradient(theta + 1e-5)[1] - gradient(theta - 1e-5)[1]) / 2e-5
    effort = force.at(theta) * slope - brake * omega - 0.5 * change * omega**2
    return [omega, effort / inertia]


by_hand = solve_ivp(rates, (0.0, t[-1]), [0.0, idle], t_eval=t[::50], rtol=1e-11, atol=1e-11, max_step=1e-3).y[1]
difference = np.abs(by_hand - speed[::50]).max()
last = t > t[-1] - 4 * np.pi / speed[-1]  # one cycle of two turns
ripple = np.ptp(speed[last]) / speed[last].mean()
print(f"speed {speed[last].mean():.2f} rad/s, coefficient of speed fluctuation {ripple:.4f}")
print(f"largest difference from the equation by hand {difference:.1e} rad/s")
assert difference < 5e-7 * idle
assert 0.01 < ripple < 0.2

# energy: what the gas supplied is in the motion or went into the brake
energy, power = result.data.mechanical_energy.values, result.data.load_power.sum("load").values
supplied = np.append(0.0, np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t)))
assert np.abs(energy - energy[0] - supplied).max() < 1e-3 * np.ptp(energy)

figure, (top, bottom) = plt.subplots(2, sharex=True)
top.plot(t, speed)
top.set_ylabel("speed of the crank [rad/s]")
bottom.plot(t, result.data.load_power.sel(load="gas") / 1e3)
bottom.set_ylabel("power of the gas [kW]")
bottom.set_xlabel("time [s]")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/single_cylinder_engine.png")
