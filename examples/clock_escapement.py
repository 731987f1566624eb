"""
The escapement of a pendulum clock
==================================

A weight turns the escape wheel, an anchor on the pendulum lets one tooth pass in every period: its two pins, in turn,
lock the front of a tooth, which pushes them towards or away from their pivot, and are pushed aside by its sloping top
when they let it go. (A pin-pallet escapement. Pins and the outline of the wheel touch and part, nothing else holds
them.) The wheel turns as fast as the pendulum swings,

    2π/(N T),    T = 2π √((J + m l²)/(m g l)) (1 + A²/16),

and the amplitude A settles where a period costs as much as two pushes give: π c Ω A² = 2 M Δφ, with the torque M of the
weight and the turn Δφ of the wheel from unlocking to the drop. The rest of its work goes into ticks and tocks.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

teeth, wheel_inertia = 15, 1e-6  # N, [kg·m²]
weight, drum = 0.045, 5e-3  # [kg], radius of the drum on which it hangs [m]
mass, inertia, length, damping = 1.0, 5e-4, 0.06, 2.5e-3  # of the pendulum: m [kg], J [kg·m²], l [m], c [N·m·s/rad]
toe, heel, root, top = 30e-3, 31.2e-3, 26e-3, 3.6e-3  # radii at the front and back of a tooth's top, its length [m]
pin, lock = 1e-3, 0.4e-3  # radius of the pins, how deep they lock [m]
g = 9.81
torque = weight * g * drum  # M [N·m]

pitch = 2 * np.pi / teeth
slope = np.arctan2(heel - toe, top)  # of the top
dropped = heel + pin * np.cos(slope)  # where the centre of a pin is when the back of a tooth leaves it
middle = (dropped + toe - lock) / 2  # where both are when the pendulum hangs
span = 1.75 * pitch  # from the middle to either pin: together three and a half teeth
pivot = np.array([0.0, middle / np.cos(span)])
pins = {side: middle * np.array([sign * np.sin(span), np.cos(span)]) for side, sign in (("left", -1), ("right", 1))}


def outline(front):
    """The wheel, anticlockwise; the front of one tooth is at this angle."""
    w = top / toe
    corners = [(root, 0.5 * w), (heel, w), (toe, 0.0), (root, 0.0)]  # radius, and angle behind the front
    turns = front + pitch * np.arange(teeth)
    points = [(r * np.cos(turn - back), r * np.sin(turn - back), 0) for turn in turns for r, back in corners]
    return gd.nurbs.Curve.polyline([*points, points[0]])


def clock(amplitude):
    """Pendulum to the right, its left pin locked."""
    front = np.pi / 2 + span - np.arcsin((pin + 2e-4) / middle)
    steel = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e6, damping=20.0))
    turn = amplitude / 2
    return gd.System(
        name="clock",
        gravity=(0, -g, 0),
        bodies={
            "wheel": gd.Body(mass=0.02, inertia=(wheel_inertia, wheel_inertia, wheel_inertia)),
            "weight": gd.Body(mass=weight, inertia=(1e-6, 1e-6, 1e-6), position=(-drum, -0.05, 0)),
            "pendulum": gd.Body(mass=mass, inertia=(inertia, inertia, inertia), position=(0, pivot[1] - length, 0)),
        },
        joints={
            "arbor": gd.Revolute("ground", "wheel", at=(0, 0, 0)),
            "line": gd.Prismatic("ground", "weight", at=(-drum, -0.05, 0), axis=(0, -1, 0)),
            "pivot": gd.Revolute("ground", "pendulum", at=(*pivot, 0)),
            **{
                side: gd.PointOnCurve(
                    "wheel", "pendulum", at=(*at, 0), curve=outline(front), extruded=(0, 0, 1), radius=pin,
                    side="right", model=steel,
                )
                for side, at in pins.items()
            },
        },
        couplings={"drum": gd.Rack("arbor", "line", radius=drum)},
        loads={"air": gd.JointTorque("pivot", f"-{damping}*pivot.angle_rate")},
        start={
            "pendulum": gd.BodyState(
                position=(length * np.sin(amplitude), pivot[1] - length * np.cos(amplitude), 0),
                orientation=(np.cos(turn), 0, 0, np.sin(turn)),
            ),
        },
    )  # fmt: skip


end, quiet = 14.0, 10.0  # from then on nothing is left of the start [s]
watch = {"tick": gd.Crossing(joint="pivot", value=0.0, direction="rising")}
solver = gd.Explicit(rtol=1e-6, atol=1e-9)
runs = {start: gd.simulate(clock(start), end, sample=2e-3, crossings=watch, solver=solver) for start in (0.06, 0.11)}

given = torque * (top + pin - pin * np.sin(slope)) / middle  # M Δφ: from the front of a tooth on a pin to its back
stiffness, about = mass * g * length, inertia + mass * length**2
by_hand = np.sqrt(2 * given / (np.pi * damping * np.sqrt(stiffness / about)))
for start, result in runs.items():
    data, events = result.data, result.events
    time = data.time.values
    swing, turned = (data.joint_position.sel(coordinate=f"{joint}.angle").values for joint in ("pivot", "arbor"))
    ticks = result.crossings.time.values
    passed = np.diff(np.interp(ticks, time, turned)) / pitch
    period = np.diff(ticks[ticks > quiet]).mean()
    amplitude = np.ptp(swing[time > quiet]) / 2
    free = 2 * np.pi * np.sqrt(about / stiffness) * (1 + amplitude**2 / 16)
    print(f"from {start} rad: {len(passed)} teeth passed in {ticks[-1] - ticks[0]:.2f} s; period {period:.4f} s (free "
          f"{free:.4f}), amplitude {amplitude:.4f} rad ({by_hand:.4f} by hand)")  # fmt: skip
    assert np.abs(passed - 1).max() < 1e-3  # one tooth in every period
    assert 0 < period / free - 1 < 0.01  # pushed on beyond its middle, it is late (Airy)
    assert abs(amplitude / by_hand - 1) < 0.05
    # the weight has lost what air and contacts took, and what the pendulum gained
    air = np.append(0, np.cumsum(np.diff(time) * (data.load_power.values[1:, 0] + data.load_power.values[:-1, 0]) / 2))
    balance = data.mechanical_energy.values + data.dissipated_energy.sum("joint").values - air
    assert np.ptp(balance) < 1e-3 * weight * g * drum * turned[-1]
tick = events[events.begin > quiet]
assert set(tick.joint[::2]) | set(tick.joint[1::2]) == {"left", "right"} and len(set(tick.joint[::2])) == 1  # in turn
drops = torque * (pitch / 2 - given / torque)  # half a tooth, less the push
assert np.abs(tick.energy_lost[:-1] / drops - 1).max() < 0.1

figure, axes = plt.subplot_mosaic([["look", "swing"], ["look", "wheel"]], figsize=(11, 5), layout="constrained")
wheel = clock(0.0).joints["left"].curve.points
axes["look"].fill(1e3 * wheel[:, 0], 1e3 * wheel[:, 1], "0.8", edgecolor="k")
for at in pins.values():
    axes["look"].plot(*(1e3 * np.array([pivot, at]).T), "C0", linewidth=4)
    axes["look"].add_patch(plt.Circle(1e3 * at, 1e3 * pin, color="C3", zorder=3))
axes["look"].set(aspect="equal", xlabel="[mm]", title="escape wheel, arms of the anchor and their pins")
for start, result in runs.items():
    swing, turned = (result.data.joint_position.sel(coordinate=f"{joint}.angle") for joint in ("pivot", "arbor"))
    axes["swing"].plot(result.data.time, swing, label=f"from {start} rad")
    axes["wheel"].plot(result.data.time, turned / pitch)
axes["swing"].axhline(by_hand, color="k", linestyle=":", label="amplitude by hand")
axes["swing"].set(ylabel="pendulum [rad]", ylim=(-0.12, 0.2))
axes["swing"].legend(loc="upper right")
axes["wheel"].set(xlabel="time [s]", ylabel="wheel [teeth]", xlim=(0, 4), ylim=(0, 8))
axes["wheel"].grid()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/clock_escapement.png")
