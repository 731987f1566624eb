"""
Start-up of a four-bar with a geared motor
==========================================

A motor with a falling torque–speed curve, a gear of 25:1 and a rotor whose inertia counts 625-fold drives the crank
of a planar four-bar from rest, against gravity and a spring on the rocker. By hand it has one freedom θ: the kinematics
are those of two intersecting circles, V(θ) is differentiated, and

    J(θ) θ̈ + ½ J′(θ) θ̇² = n T(n θ̇) − V′(θ),    J(θ) with n² J_rotor

The same as a DC motor with inductance: its current is a state, L di/dt = u − R i − k s, and T = k i.
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
voltage, inductance = 24.0, 0.03  # u [V], L [H]
constant = voltage / idle  # k [N·m/A = V·s]
resistance = constant * voltage / stall  # R [Ω]


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
electric = four_bar.replace(
    controllers={
        "coil": gd.Controller(
            states={"current": 0.0},
            derivative={"current": f"({voltage} - {resistance}*current - {constant}*{n}*main.angle_rate)/{inductance}"},
            units={"current": "A"},
        )
    },
    loads={
        "motor": gd.Motor("main", torque=f"{constant}*coil.current", gear_ratio=n, rotor_inertia=rotor),
        "spring": four_bar.loads["spring"],
    },
)
fine = gd.Explicit(rtol=1e-10, atol=1e-12)
data, coil = (gd.simulate(system, 2.0, sample=2e-3, solver=fine).data for system in (four_bar, electric))
angle, coil_angle = (start + each.joint_position.sel(coordinate="main.angle").values for each in (data, coil))
speed, coil_speed = (each.joint_velocity.sel(rate="main.angle").values for each in (data, coil))
current = coil.controller_state.sel(state="coil.current").values


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


def accelerated(theta, omega, torque, h=1e-4):
    bend = (inertia(theta + h) - inertia(theta - h)) / (2 * h)
    slope = (potential(theta + h) - potential(theta - h)) / (2 * h)
    return (n * torque - slope - 0.5 * bend * omega**2) / inertia(theta)


def rates(_, y):
    theta, omega = y
    return [omega, accelerated(theta, omega, stall * (1 - n * omega / idle))]


def rates_with_current(_, y):
    theta, omega, i = y
    grows = (voltage - resistance * i - constant * n * omega) / inductance
    return [omega, accelerated(theta, omega, constant * i), grows]


options = {"t_eval": data.time.values, "rtol": 1e-8, "atol": 1e-9}
by_hand = solve_ivp(rates, (0, 2.0), [start, 0.0], **options)
difference = np.abs(by_hand.y[0] - angle).max()
print(f"{angle[-1] / 2 / np.pi:.2f} turns; speed {speed[-1]:.2f} rad/s; largest difference from the equation by hand "
      f"{difference:.1e} rad")  # fmt: skip
assert difference < 2e-5 * angle[-1]
assert angle[-1] > 20.0

begin = data.time.values <= 0.5  # by hand this takes long
options["t_eval"] = data.time.values[begin]
with_current = solve_ivp(rates_with_current, (0, 0.5), [start, 0.0, 0.0], **options)
difference = np.abs(with_current.y[0] - coil_angle[begin]).max()
print(
    f"with inductance: {coil_angle[-1] / 2 / np.pi:.2f} turns, {current.max():.2f} A at most; {difference:.1e} rad off"
)
assert difference < 2e-5 * coil_angle[begin][-1]
assert np.abs(with_current.y[2] - current[begin]).max() < 1e-4 * current.max()

energy, power = data.mechanical_energy.values, data.load_power.sum("load").values
supplied = np.append(0.0, np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(data.time.values)))
assert np.abs(energy - energy[0] - supplied).max() < 1e-2 * np.ptp(energy)

figure, (axes, below) = plt.subplots(2, 1, sharex=True, layout="constrained")
axes.plot(data.time, speed, label="torque–speed curve")
axes.plot(data.time, coil_speed, label="with inductance")
axes.plot(by_hand.t, by_hand.y[1], "k:", label="by hand")
axes.plot(with_current.t, with_current.y[1], "k:")
axes.set_ylabel("speed of the crank [rad/s]")
axes.legend()
below.plot(data.time, stall * (1 - n * speed / idle) / constant, label="torque–speed curve")
below.plot(data.time, current, label="with inductance")
below.set_xlabel("time [s]")
below.set_ylabel("current [A]")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/motor_driven_four_bar.png")
