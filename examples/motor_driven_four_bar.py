"""
Start-up of a four-bar with a geared motor
==========================================

A motor with a falling torque–speed curve, a gear of 25:1 and a rotor whose inertia counts 625-fold drives the crank
of a planar four-bar from rest, against gravity and a spring on the rocker. By hand it has one freedom θ: the kinematics
are those of two intersecting circles, V(θ) is differentiated, and

    J(θ) θ̈ + ½ J′(θ) θ̇² = n T(n θ̇) − V′(θ),    J(θ) with n² J_rotor
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

a, b, c, d = 0.10, 0.34, 0.22, 0.36  # crank, coupler, rocker, frame [m]
masses, inertias = (0.4, 0.9, 0.7), (8e-4, 9e-3, 3e-3)  # of bars with their centres in the middle [kg, kg·m²]
n, rotor = 25.0, 6e-6  # gear ratio, inertia of the rotor [kg·m²]
stall, idle = 0.25, 700.0  # torque at rest [N·m], speed without load [rad/s]
stiffness = 3.0  # of the spring on the rocker [N·m/rad]


def positions(theta):
    """Joints A, B of crank and rocker, for a crank at theta: the upper intersection of two circles."""
    A = np.array([a * np.cos(theta), a * np.sin(theta)])
    D = np.array([d, 0.0])
    e = D - A
    length = np.hypot(*e)
    along = (b**2 - c**2 + length**2) / (2 * length)
    across = np.sqrt(b**2 - along**2)
    return A, A + (along * e + across * np.array([-e[1], e[0]])) / length


start = np.pi / 3
A, B = positions(start)
D = np.array([d, 0.0])


def bar(mass, inertia, one, two):
    middle, direction = (one + two) / 2, two - one
    half = np.arctan2(direction[1], direction[0]) / 2
    return gd.Body(
        mass=mass,
        inertia=(inertia / 10, inertia, inertia),
        position=(*middle, 0),
        orientation=(np.cos(half), 0, 0, np.sin(half)),
    )


z = (0, 0, 1)
four_bar = gd.System(
    name="four-bar with motor",
    gravity=(0, -9.81, 0),
    bodies={
        "crank": bar(masses[0], inertias[0], np.zeros(2), A),
        "coupler": bar(masses[1], inertias[1], A, B),
        "rocker": bar(masses[2], inertias[2], D, B),
    },
    joints={
        "main": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=z),
        "A": gd.Revolute("crank", "coupler", at=(*A, 0), axis=z),
        "B": gd.Revolute("coupler", "rocker", at=(*B, 0), axis=z),
        "pivot": gd.Revolute("ground", "rocker", at=(*D, 0), axis=z),
    },
    loads={
        "motor": gd.Motor("main", torque=f"{stall}*(1 - speed/{idle})", gear_ratio=n, rotor_inertia=rotor),
        "spring": gd.JointSpring("pivot", stiffness=stiffness),
    },
)
result = gd.simulate(four_bar, 2.0, sample=5e-3, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
data = result.data
angle = start + data.joint_position.sel(coordinate="main.angle").values
speed = data.joint_velocity.sel(rate="main.angle").values


# by hand
def poses(theta):
    A, B = positions(theta)
    middles = (A / 2, (A + B) / 2, (D + B) / 2)
    turns = (theta, np.arctan2(*(B - A)[::-1]), np.arctan2(*(B - D)[::-1]))
    return np.array([[*middle, turn] for middle, turn in zip(middles, turns, strict=True)])


def inertia(theta, h=1e-6):
    slope = (poses(theta + h) - poses(theta - h)) / (2 * h)
    slope[:, 2] = (slope[:, 2] + np.pi / h / 2) % (np.pi / h) - np.pi / h / 2  # an angle may jump by 2π between
    m, J = np.array(masses), np.array(inertias)
    return (m * (slope[:, 0] ** 2 + slope[:, 1] ** 2) + J * slope[:, 2] ** 2).sum() + n**2 * rotor


def potential(theta):
    now, first = poses(theta), poses(start)
    return 9.81 * np.dot(masses, now[:, 1]) + 0.5 * stiffness * (now[2, 2] - first[2, 2]) ** 2


def rates(_, y, h=1e-4):
    theta, omega = y
    bend = (inertia(theta + h) - inertia(theta - h)) / (2 * h)
    slope = (potential(theta + h) - potential(theta - h)) / (2 * h)
    return [omega, (n * stall * (1 - n * omega / idle) - slope - 0.5 * bend * omega**2) / inertia(theta)]


by_hand = solve_ivp(rates, (0, 2.0), [start, 0.0], t_eval=data.time.values, rtol=1e-8, atol=1e-9)
difference = np.abs(by_hand.y[0] - angle).max()
print(f"{angle[-1] / 2 / np.pi:.2f} turns; speed {speed[-1]:.2f} rad/s; largest difference from the equation by hand "
      f"{difference:.1e} rad")  # fmt: skip
assert difference < 2e-5 * angle[-1]
assert angle[-1] > 20.0

energy, power = data.mechanical_energy.values, data.load_power.sum("load").values
supplied = np.append(0.0, np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(data.time.values)))
assert np.abs(energy - energy[0] - supplied).max() < 1e-2 * np.ptp(energy)

figure, axes = plt.subplots()
axes.plot(data.time, speed, label="simulated")
axes.plot(by_hand.t, by_hand.y[1], "k:", label="one equation by hand")
axes.set_xlabel("time [s]")
axes.set_ylabel("speed of the crank [rad/s]")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/motor_driven_four_bar.png")
