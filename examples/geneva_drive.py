"""
A Geneva drive
==============

The pin of a crank enters one of four slots of a wheel, turns it by a quarter and leaves it; meanwhile a disc on the
crank lets go of the horns of the wheel, and then holds them. Pin and walls, horns and disc have play, touch and part;
a brake on the wheel stands for what it turns. With λ = sin(π/4), and the crank at α from the line of centres,

    β = atan2(λ sin α, 1 − λ cos α)
    β′ = λ (cos α − λ)/(1 + λ² − 2 λ cos α)           at most λ/(1 − λ)
    β″ = −λ (1 − λ²) sin α/(1 + λ² − 2 λ cos α)²      at most where cos α = √(q² + 2) − q, q = (1 + λ²)/4λ
"""

from math import cos, pi, sin
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

slots, c, speed = 4, 0.1, 10.0  # number of slots, distance of the axes [m], of the crank [rad/s]
ratio = sin(pi / slots)  # λ
arm, rim = c * ratio, c * cos(pi / slots)  # of the pin, of the wheel [m]
pin, wall, play = 4e-3, 3e-3, 1e-5  # radius of the pin, thickness of the walls, play on either side [m]
disc, horn = 0.06, 5e-4  # radius of the locking disc, rounding of the horns [m]
inertia, brake = 2e-4, 0.15  # of the wheel [kg·m²], [N·m]
first = -pi / 2  # where the crank starts [rad]


def at(radius, angle, center=(0.0, 0.0)):
    """A point in the plane."""
    return (center[0] + radius * cos(angle), center[1] + radius * sin(angle), 0.0)


# the locking disc: an arc, and a hollow for the wheel beside the pin
edge = pi / 2 - pi / slots
hollow = np.hypot(c - disc * cos(edge), disc * sin(edge))
half = np.arctan2(disc * sin(edge), c - disc * cos(edge))
lock = gd.nurbs.Curve.joined([
    gd.nurbs.Curve.arc(radius=disc, start=first + edge, angle=2 * (pi - edge)),
    gd.nurbs.Curve.arc(radius=hollow, start=first + pi - half, angle=2 * half, center=at(c, first)).reversed(),
])  # fmt: skip

hertz = 1e8  # [N/m^1.5]
steel = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=hertz, damping=5.0))
joints = {
    "main": gd.Revolute("ground", "crank", at=(0, 0, 0)),
    "axle": gd.Revolute("ground", "wheel", at=(c, 0, 0)),
}
deep = c - arm - 1.2 * pin  # where slots begin
reach = 0.068  # of the horns from the axle
aside = np.arccos((c**2 + reach**2 - (disc + horn + play) ** 2) / (2 * c * reach))  # of a horn from the line of centres
for k in range(slots):
    slot, middle = pi + pi / slots + 2 * pi * k / slots, pi + 2 * pi * k / slots
    for side, sign in (("left", 1), ("right", -1)):
        out = pin + play + wall / 2
        place = np.array(at((deep + rim) / 2, slot)) + sign * np.array(at(out, slot + pi / 2))
        box = gd.Box((rim - deep, wall, 0.02), position=tuple(place), orientation=(cos(slot / 2), 0, 0, sin(slot / 2)))
        ball = gd.Sphere(radius=pin, position=at(arm, first))
        joints[f"{side} wall {k + 1}"] = gd.Meeting("wheel", "crank", shapes=(box, ball), model=steel)
        joints[f"{side} horn {k + 1}"] = gd.PointOnCurve(
            "crank", "wheel", at=at(reach, middle + sign * aside, (c, 0)), curve=lock, extruded=(0, 0, 1), radius=horn,
            side="right", model=steel,
        )  # fmt: skip
drive = gd.System(
    name="Geneva drive",
    gravity=(0, 0, 0),
    bodies={
        "crank": gd.Body(mass=0.5, inertia=(1e-3, 1e-3, 1e-3)),
        "wheel": gd.Body(mass=0.3, inertia=(inertia, inertia, inertia), position=(c, 0, 0)),
    },
    joints=joints,
    drives={"motor": gd.Drive("main", f"{speed}*t")},
    loads={"brake": gd.JointTorque("axle", f"-{brake}*tanh(axle.angle_rate/0.02)")},
)
result = gd.simulate(drive, 2 * 2 * pi / speed, sample=5e-4, solver=gd.Explicit(rtol=1e-6, atol=1e-9))
data = result.data
alpha = first + data.joint_position.sel(coordinate="main.angle").values
beta = -data.joint_position.sel(coordinate="axle.angle").values
rate = -data.joint_velocity.sel(rate="axle.angle").values / speed


def ideal(alpha):
    """β from the line of centres, β′ and β″."""
    nearness = 1 + ratio**2 - 2 * ratio * np.cos(alpha)
    return (
        np.arctan2(ratio * np.sin(alpha), 1 - ratio * np.cos(alpha)),
        ratio * (np.cos(alpha) - ratio) / nearness,
        -ratio * (1 - ratio**2) * np.sin(alpha) / nearness**2,
    )


# a quarter turn each time the pin passes the line of centres, and rest between
turns = np.round(alpha / (2 * pi))
inside = np.abs(alpha - 2 * pi * turns) < pi / 2 - pi / slots
angle, slope, _ = ideal(alpha - 2 * pi * turns)
by_hand = np.where(inside, angle, np.sign(alpha - 2 * pi * turns) * pi / slots) + 2 * pi / slots * turns + pi / slots
off = np.abs(beta - by_hand)
print(f"β is {off[inside].max():.1e} rad off while it turns, {off[~inside].max():.1e} rad while it rests")
print(f"β′ is at most {rate.max():.4f} ({ratio / (1 - ratio):.4f} by hand)")
sunk = (float(data.normal_force.max()) / hertz) ** (2 / 3)  # how far the surfaces give way
assert off[inside].max() < (play + sunk) / (c - arm)  # where the pin is deepest in its slot
assert off[~inside].max() < 2 * play / (disc * sin(aside)) and np.abs(rate[~inside]).max() < 0.1
assert abs(rate.max() / (ratio / (1 - ratio)) - 1) < 5e-3
assert round(beta[-1] / (2 * pi / slots), 3) == 2
touched = set(result.events.joint)  # braked, the wheel is pushed by one wall of each slot, and caught by its horns
assert {name for name in touched if "wall" in name} == {"right wall 1", "right wall 2"}
assert {name for name in touched if "horn" in name}

# a pin on the middle line of a slot, without play: the same without contacts, with accelerations
slot = gd.PointOnCurve(
    "wheel", "crank", at=(arm, 0, 0), curve=gd.nurbs.Curve.line((c - 1.1 * rim, 0, 0), (c, 0, 0)), extruded=(0, 0, 1)
)
enters = pi / 2 - pi / slots - 0.01
exact = gd.kinematics(
    drive.replace(
        joints={"main": joints["main"], "axle": joints["axle"], "slot": slot},
        drives={"motor": gd.Drive("main", f"{speed}*t - {enters}")},
        loads={},
    ),
    2 * enters / speed,
    sample=2 * enters / speed / 400,
).data
alpha_exact = exact.joint_position.sel(coordinate="main.angle").values
for found, wanted, unit in (
    (exact.joint_position.sel(coordinate="axle.angle"), ideal(alpha_exact)[0], 1.0),
    (exact.joint_velocity.sel(rate="axle.angle"), ideal(alpha_exact)[1], speed),
    (exact.joint_acceleration.sel(rate="axle.angle"), ideal(alpha_exact)[2], speed**2),
):
    assert np.abs(found.values / unit + wanted).max() < 1e-9
most = float(exact.joint_acceleration.sel(rate="axle.angle").max()) / speed**2
q = (1 + ratio**2) / (4 * ratio)
wanted = ideal(-np.arccos(np.sqrt(q**2 + 2) - q))[2]
print(f"β″ is at most {most:.4f} ({wanted:.4f} by hand)")
assert abs(most / wanted - 1) < 1e-3  # of 400 samples

figure, (look, above) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
look.plot(*(1e3 * lock.point(np.linspace(0, 2, 400))[:, :2].T), "C0", label="locking disc")
look.add_patch(plt.Circle(1e3 * np.array(at(arm, first)[:2]), 1e3 * pin, color="C0"))
for name, joint in joints.items():
    if "wall" in name:
        box = joint.shapes[0]
        turn = 2 * np.arctan2(box.orientation[3], box.orientation[0])
        along, across = np.array(at(box.size[0] / 2, turn)[:2]), np.array(at(box.size[1] / 2, turn + pi / 2)[:2])
        corners = np.array([along + across, along - across, -along - across, -along + across])
        look.fill(*(1e3 * (corners + box.position[:2] + (c, 0)).T), "C1")
    elif "horn" in name:
        look.add_patch(plt.Circle(1e3 * np.array(joint.at[:2]), 1.0, color="C3"))
look.set(aspect="equal", xlabel="[mm]", title="pin and disc of the crank; walls and horns of the wheel")
above.plot(alpha / (2 * pi), rate, label="β′")
above.plot(alpha / (2 * pi), np.where(inside, slope, 0.0), "k:", label="β′ by hand")
above.plot(alpha / (2 * pi), beta / (2 * pi / slots), label="wheel [quarter turns]")
above.set(xlabel="turns of the crank")
above.legend(loc="upper center", bbox_to_anchor=(0.385, 1.0))
Path("out").mkdir(exist_ok=True)
figure.savefig("out/geneva_drive.png")
