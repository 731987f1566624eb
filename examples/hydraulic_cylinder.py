"""
A boom lifted by a hydraulic cylinder
=====================================

A double-acting cylinder between ground and boom; the pressures of its two chambers are states of their own:

    ṗ_A = β (Q_A − A ṡ)/V_A,   ṗ_B = β (B ṡ − Q_B)/V_B,   force p_A A − p_B B on the rod,   s stroke

The valve opens and closes smoothly; flows are those of orifices, C u √Δp, rounded near Δp = 0. Nothing in the mechanism
is soft but the oil: the boom rings at the hydraulic frequency when the valve has closed. By hand it has one freedom θ;
stroke, inertia and weight follow from the triangle of boom, cylinder and ground.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

low, arm, far = 0.8, 1.2, 3.0  # ground pin below the boom's pin; on the boom: pin of the rod, centre [m]
masses, inertias = (400.0, 25.0, 15.0), (900.0, 3.0, 2.0)  # of boom with load, tube, rod [kg, kg·m²]
A, B, beta = 5.0e-3, 3.4e-3, 1.4e9  # piston and rod side [m²], bulk modulus [Pa]
dead, whole, supply = 3e-4, 1.0, 2.2e7  # oil at the ends [m³], whole stroke [m], pressure of the pump [Pa]
orifice, least = 1.5e-7, 1e5  # C of the open valve [m³/s/√Pa], difference below which √ is rounded [Pa]
start, shortest, end = 0.15, 1.1, 2.5  # angle of the boom [rad], length of the retracted cylinder [m], end [s]


def triangle(theta):
    """Pin of the rod, length and direction of the cylinder, centres and angles of boom, tube and rod."""
    boom, pin = np.array([np.cos(theta), np.sin(theta)]), np.array([0.0, -low])
    cylinder = arm * boom - pin
    length = np.hypot(*cylinder)
    along = cylinder / length
    turn = np.arctan2(along[1], along[0])
    return (
        length,
        along,
        np.array([[*far * boom, theta], [*(pin + 0.4 * along), turn], [*(arm * boom - 0.5 * along), turn]]),
    )


def slope_of(function, theta, h=1e-5):
    return (function(theta + h) - function(theta - h)) / (2 * h)


def inertia(theta):
    rate = slope_of(lambda x: triangle(x)[2], theta)
    return np.dot(masses, rate[:, 0] ** 2 + rate[:, 1] ** 2) + np.dot(inertias, rate[:, 2] ** 2)


def weight(theta):
    return 9.81 * np.dot(masses, triangle(theta)[2][:, 1])


length, along, places = triangle(start)
lever = slope_of(lambda x: triangle(x)[0], start)  # dl/dθ
first = length - shortest  # stroke at the start
p_B = 3.0e6
p_A = (slope_of(weight, start) / lever + p_B * B) / A  # the boom rests


def oil(p_A, p_B, bore__displacement, bore__displacement_rate, t):
    s, rate = first + bore__displacement, bore__displacement_rate
    valve = 0.5 * (np.tanh((t - 0.4) / 0.08) - np.tanh((t - 1.6) / 0.08))
    inwards, outwards = supply - p_A, p_B
    q_A = orifice * valve * inwards / (inwards**2 + least**2) ** 0.25
    q_B = orifice * valve * outwards / (outwards**2 + least**2) ** 0.25
    return beta * (q_A - A * rate) / (dead + A * s), beta * (B * rate - q_B) / (dead + B * (whole - s))


def body(k):
    x, z, _ = places[k]
    return gd.Body(mass=masses[k], inertia=(inertias[k],) * 3, position=(x, 0, z))


up = (0, -1, 0)  # positive angles lift
crane = gd.System(
    name="boom with cylinder",
    bodies={"boom": body(0), "tube": body(1), "rod": body(2)},
    joints={
        "main": gd.Revolute("ground", "boom", at=(0, 0, 0), axis=up),
        "foot": gd.Revolute("ground", "tube", at=(0, 0, -low), axis=up),
        "bore": gd.Prismatic("tube", "rod", at=(0, 0, -low), axis=(along[0], 0, along[1])),
        "eye": gd.Revolute("rod", "boom", at=(arm * np.cos(start), 0, arm * np.sin(start)), axis=up),
    },
    controllers={
        "oil": gd.Controller(
            states={"p_A": p_A, "p_B": p_B},
            derivative=oil,
            outputs={"push": f"{A}*p_A - {B}*p_B"},
            scale={"p_A": 1e5, "p_B": 1e5},
            units={"p_A": "Pa", "p_B": "Pa", "push": "N"},
        )
    },
    loads={"cylinder": gd.JointForce("bore", "oil.push")},
)
result = gd.simulate(crane, end, sample=5e-3)
data, time = result.data, result.data.time.values
theta = start + data.joint_position.sel(coordinate="main.angle").values
pressures = data.controller_state.values


def rates(t, y):
    angle, omega, p_A, p_B = y
    lever = slope_of(lambda x: triangle(x)[0], angle)
    grows = oil(p_A, p_B, triangle(angle)[0] - length, lever * omega, t)
    torque = (p_A * A - p_B * B) * lever - slope_of(weight, angle) - 0.5 * slope_of(inertia, angle) * omega**2
    return [omega, torque / inertia(angle), *grows]


by_hand = solve_ivp(rates, (0, end), [start, 0.0, p_A, p_B], t_eval=time, rtol=1e-8, atol=[1e-9, 1e-9, 1e-2, 1e-2])
off = np.abs(theta - by_hand.y[0]).max(), np.abs(pressures.T - by_hand.y[2:]).max()
print(
    f"the boom rises to {np.degrees(theta[-1]):.2f}°; off by {off[0]:.1e} rad and {off[1]:.0f} Pa from what is by hand"
)
assert off[0] < 1e-5 and off[1] < 1e-4 * pressures.max()

# what the oil does is what the boom gains
work = data.mechanical_energy.values - data.mechanical_energy.values[0]
power = data.load_power.sel(load="cylinder").values
assert (
    np.abs(np.append(0.0, np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(time))) - work).max() < 2e-3 * work.max()
)

# the hydraulic frequency: the oil is a spring of β (A²/V_A + B²/V_B) on the stroke
small = gd.linearize(crane, time=10.0)  # the valve is closed
spring = beta * (A**2 / (dead + A * first) + B**2 / (dead + B * (whole - first)))
push = p_A * A - p_B * B
bend = slope_of(lambda x: slope_of(lambda z: triangle(z)[0], x, 1e-4), start, 1e-4)
heavy = slope_of(lambda x: slope_of(weight, x, 1e-4), start, 1e-4)
frequency = np.sqrt((spring * lever**2 - push * bend + heavy) / inertia(start)) / (2 * np.pi)
rings = small.damped_frequencies.max()
print(f"hydraulic frequency {rings:.5f} Hz (by hand {frequency:.5f} Hz)")
assert abs(rings - frequency) < 1e-5 * frequency

figure, (top, bottom) = plt.subplots(2, 1, sharex=True, layout="constrained")
top.plot(time, np.degrees(theta))
top.plot(time, np.degrees(by_hand.y[0]), "k:", label="by hand")
top.set_ylabel("boom [°]")
top.legend()
for k, name in enumerate(("A, piston side", "B, rod side")):
    bottom.plot(time, pressures[:, k] / 1e5, label=name)
    bottom.plot(time, by_hand.y[2 + k] / 1e5, "k:")
bottom.set_xlabel("time [s]")
bottom.set_ylabel("pressure [bar]")
bottom.legend(loc="lower right")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/hydraulic_cylinder.png")
