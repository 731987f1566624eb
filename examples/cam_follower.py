"""
A cam whose follower lifts off
==============================

A cam lifts a flat follower by s = h (1 − cos θ); a spring and its weight press it back. From the speed on at which
they are too weak, an ideal cam has to pull at the top:

    N(θ) = m (g + h ω² cos θ) + F₀ + k s(θ),    N(π) = 0:  ω² = ((F₀ + 2 k h)/m + g)/h

A follower that only touches its cam jumps there. It leaves the cam where N = 0, flies as a mass on a spring, and lands
where its flight meets the lift again.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import gudgeon as gd

mass, g = 0.3, 9.81  # of the follower [kg]
h = 0.005  # half of the lift [m]
k, preload = 1200.0, 15.0  # of the spring [N/m, N]
critical = np.sqrt(((preload + 2 * k * h) / mass + g) / h)  # [rad/s]


def cam(speed, model):
    """A cam on a shaft whose flywheel keeps its speed, its follower in a vertical guide."""
    return gd.System(
        name="cam and follower",
        gravity=(0, -g, 0),
        bodies={
            "cam": gd.Body(mass=100.0, inertia=(5.0, 5.0, 10.0), angular_velocity=(0, 0, speed)),
            "follower": gd.Body(mass=mass, inertia=(1e-4, 1e-4, 1e-4), position=(0, 0.1, 0)),
        },
        joints={
            "shaft": gd.Revolute("ground", "cam", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "follower", at=(0, 0.1, 0), axis=(0, 1, 0)),
            "cam": gd.Cam(
                "cam", "follower", at=(0, 0, 0), towards=(0, 1, 0), base_radius=0.03, follower="flat",
                lift=f"{h}*(1 - cos(angle))", model=model,
            ),
        },
        loads={
            "spring": gd.SpringDamper(
                "ground", "follower", at_first=(0, 0.3, 0), stiffness=k, length=0.2 + preload / k
            )
        },
    )  # fmt: skip


# an ideal cam: what it carries at the top changes its sign at the critical speed
tops, shares = [], np.linspace(0.7, 1.2, 6)
for share in shares:
    ideal = cam(share * critical, gd.Ideal())
    data = gd.simulate(ideal, 2 * np.pi / (share * critical), sample=2 * np.pi / (share * critical) / 64).data
    carried = data.reaction_force.sel(joint="cam", axis="y").values
    angle = data.joint_position.sel(coordinate="shaft.angle").values
    weight = mass * (g + h * (share * critical) ** 2 * np.cos(angle))
    assert np.abs(carried - weight - preload - k * h * (1 - np.cos(angle))).max() < 1e-3 * preload
    tops.append(carried[32])
zero = np.interp(0.0, -np.array(tops), shares**2) ** 0.5  # N(π) falls with ω²
print(f"the ideal cam pulls from {zero:.9f} of {critical:.3f} rad/s on")
assert abs(zero - 1.0) < 1e-5

# one that touches: below that speed it stays on, above it jumps
steel = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e12, damping=10.0))
runs = {share: gd.simulate(cam(share * critical, steel), 0.1, sample=1e-5) for share in (0.97, 1.1)}
slow, result = runs.values()
begun = slow.data.time.values > 0.01  # at first it sinks into the cam and swings
assert float(slow.data.normal_force.sel(joint="cam")[begun].min()) > 0.0

speed = 1.1 * critical
leaves = np.arccos(-(mass * g + preload + k * h) / (h * (mass * speed**2 - k)))
own = np.sqrt(k / mass)  # of the follower on its spring [rad/s]
rest = -(preload + mass * g) / k  # where it would hang without a cam [m]


def above(angle):
    """How far a follower that left there is above the cam."""
    t = (angle - leaves) / speed
    s, v = h * (1 - np.cos(leaves)), h * np.sin(leaves) * speed
    return rest + (s - rest) * np.cos(own * t) + v / own * np.sin(own * t) - h * (1 - np.cos(angle))


lands = brentq(above, leaves + 0.2, leaves + 4.0)
height = max(above(x) for x in np.linspace(leaves, lands, 2001))
events = result.events
jump = events[(events.begin > 0.01) & (events.impact_speed > 0.1)].iloc[0]
left = events.end[events.end < jump.begin].iloc[-1]
flown = (result.data.time.values > left) & (result.data.time.values < jump.begin)
jumped = float(result.data.gap.sel(part="cam:touch")[flown].max())
print(
    f"at 1.1 of it: leaves at {speed * left:.4f} rad ({leaves:.4f} by hand), lands at {speed * jump.begin:.4f} "
    f"({lands:.4f}), {1e6 * jumped:.1f} µm high ({1e6 * height:.1f})"
)
assert abs(speed * left - leaves) < 1e-2 and abs(speed * jump.begin - lands) < 1e-3
assert abs(jumped / height - 1) < 2e-3

figure, axes = plt.subplots(2, 1, sharex=True, layout="constrained")
for share, run in runs.items():
    data = run.data
    turns = data.joint_position.sel(coordinate="shaft.angle").values / (2 * np.pi)
    axes[0].plot(
        turns, 1e3 * data.joint_position.sel(coordinate="guide.displacement"), label=f"{share:g} ω of lift-off"
    )
    axes[1].plot(turns, 1e6 * data.gap.sel(part="cam:touch").clip(min=0))
x = np.linspace(leaves, lands, 100)
axes[1].plot(x / (2 * np.pi), [1e6 * above(each) for each in x], "k:", label="flight by hand")
axes[0].set_ylabel("follower [mm]")
axes[1].set(ylabel="above the cam [µm]", xlabel="turns of the cam", xlim=(0, 2.5))
axes[0].legend()
axes[1].legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/cam_follower.png")
