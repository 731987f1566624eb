"""
A door that slams against its stop
==================================

A closer (spring and damper on the hinge) swings a door shut onto a rubber stop. Every touch is located and costs
energy. By hand it is one equation with events, integrated by another program.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

width, mass = 0.9, 18.0  # [m], [kg]
inertia = mass * width**2 / 3  # about the hinge [kg·m²]
k, c, wound = 9.0, 1.2, -0.6  # closer: stiffness [N·m/rad], damping [N·m·s/rad], where it would be slack [rad]
K, damping, exponent = 9e3, 0.8, 1.3  # rubber: f = K δⁿ (1 + 3/2 d δ̇) [N·m/radⁿ, s/rad]
opened = 1.4  # [rad]

door = gd.System(
    name="door",
    bodies={"door": gd.Body(mass=mass, inertia=(0.1, 1.3, inertia - mass * width**2 / 4), position=(width / 2, 0, 0))},
    joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0), axis=(0, 0, 1))},
    loads={
        "closer": gd.JointSpring("hinge", stiffness=k, damping=c, rest=wound),
        "stop": gd.Stop(
            "hinge", lower=0.0, contact=gd.laws.HuntCrossley(stiffness=K, damping=damping, exponent=exponent)
        ),
    },
    start={
        "door": gd.BodyState(
            position=(width / 2 * np.cos(opened), width / 2 * np.sin(opened), 0),
            orientation=(np.cos(opened / 2), 0, 0, np.sin(opened / 2)),
        )
    },
)
result = gd.simulate(door, 4.0, sample=1e-3, solver=gd.Implicit(rtol=1e-10, atol=1e-12))
print(result.events[["contact", "begin", "end", "impact_speed", "peak_force", "energy_lost"]].to_string())


# by hand: flight and contact in turn, each until its event
def flight(_, y):
    return [y[1], (-k * (y[0] - wound) - c * y[1]) / inertia]


def contact(_, y):
    push = K * max(-y[0], 0.0) ** exponent * max(1 - 1.5 * damping * y[1], 0.0)
    return [y[1], (-k * (y[0] - wound) - c * y[1] + push) / inertia]


def closed(_, y):
    return y[0]


closed.terminal = True
t, y, begins, ends = 0.0, [opened, 0.0], [], []
for touching in (False, True, False, True, False):
    closed.direction = 1.0 if touching else -1.0
    y = [0.0, y[1]] if begins else y
    found = solve_ivp(
        contact if touching else flight, (t, 9.0), y, events=closed, rtol=1e-11, atol=1e-13, max_step=2e-3
    )
    t, y = found.t[-1], found.y[:, -1]
    (ends if touching else begins).append(t)
events = result.events
print("by hand: touches at", np.round(begins, 6), "until", np.round(ends, 6))
assert np.allclose(events.begin[:3], begins, atol=1e-6)
assert np.allclose(events.end[:2], ends, atol=1e-6)
lost = float(result.data.dissipated_energy.sel(joint="hinge")[-1])
assert abs(events.energy_lost.sum() - lost) < 1e-6 * lost + 1e-9

figure, axes = plt.subplots()
axes.plot(result.data.time, result.data.joint_position.sel(coordinate="hinge.angle"))
axes.set_xlabel("time [s]")
axes.set_ylabel("angle of the door [rad]")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/door_with_stop.png")
