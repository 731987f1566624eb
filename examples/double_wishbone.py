"""
A double wishbone suspension
============================

A quarter of a car: the chassis, which only heaves, two wishbones, the knuckle with its wheel, a tie rod, spring and
damper; the tyre is a spring on a road with a bump. The geometry of the wheel over its travel, the position of rest, and
the two natural frequencies are computed again by hand, from the lengths of the links alone. On the road the wishbones
sit in rubber.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import eigh
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import gudgeon as gd

# x forwards, y outwards, z up, from the ground below the middle of the wheel's axle [m]
points = {
    "lower front": (0.16, 0.34, 0.21), "lower rear": (-0.20, 0.35, 0.22), "lower ball": (0.01, 0.70, 0.19),
    "upper front": (0.12, 0.43, 0.46), "upper rear": (-0.13, 0.44, 0.45), "upper ball": (-0.02, 0.66, 0.49),
    "rod inner": (0.12, 0.37, 0.27), "rod outer": (0.13, 0.69, 0.25), "hub": (0.0, 0.74, 0.31),
    "spring lower": (0.0, 0.55, 0.20), "spring upper": (0.0, 0.46, 0.62), "chassis": (0.0, 0.0, 0.55),
}  # fmt: skip
P = {name: np.array(place) for name, place in points.items()}
mass = {"chassis": 350.0, "lower": 6.0, "upper": 3.0, "knuckle": 38.0, "rod": 0.8}  # [kg]
spin = {"lower": 0.12, "upper": 0.05, "knuckle": 1.1}  # about every axis [kg·m²]
stiffness, damping, free = 52e3, 2.6e3, 0.552  # of spring and damper [N/m, N·s/m], length without load [m]
tyre, radius, g = 210e3, 0.33, 9.81  # [N/m], without load [m]
P["lower"], P["upper"], P["rod"] = (
    (P["lower front"] + P["lower rear"] + P["lower ball"]) / 3,
    (P["upper front"] + P["upper rear"] + P["upper ball"]) / 3,
    (P["rod inner"] + P["rod outer"]) / 2,
)
P["knuckle"] = P["hub"]  # centres of mass
length = np.linalg.norm(P["rod outer"] - P["rod inner"])
along = {arm: P[f"{arm} front"] - P[f"{arm} rear"] for arm in ("lower", "upper")}  # axes of the wishbones
rod = Rotation.align_vectors([P["rod outer"] - P["rod inner"]], [(0, 0, 1)])[0]
slender = mass["rod"] * length**2 / 12


def body(name):
    return gd.Body(mass=mass[name], inertia=(spin[name],) * 3, position=tuple(P[name]))


car = gd.System(
    name="double wishbone",
    gravity=(0, 0, -g),
    bodies={
        "chassis": gd.Body(mass=mass["chassis"], inertia=(50, 50, 50), position=points["chassis"]),
        "lower": body("lower"),
        "upper": body("upper"),
        "knuckle": body("knuckle"),
        "rod": gd.Body(mass=mass["rod"], inertia=(slender, slender, 1e-5), position=tuple(P["rod"]), orientation=rod),
    },
    joints={
        "heave": gd.Prismatic("ground", "chassis", at=points["chassis"], axis=(0, 0, 1)),
        **{arm: gd.Revolute("chassis", arm, at=tuple(P[f"{arm} rear"] + along[arm] / 2), axis=tuple(along[arm]))
           for arm in ("lower", "upper")},
        "lower ball": gd.Spherical("lower", "knuckle", at=points["lower ball"]),
        "upper ball": gd.Spherical("upper", "knuckle", at=points["upper ball"]),
        "rod inner": gd.Universal(
            "chassis", "rod", at=points["rod inner"], axis_parent=(1, 0, 0), axis_child=(0, 0, 1)
        ),
        "rod outer": gd.Spherical("rod", "knuckle", at=points["rod outer"]),
    },
    markers={"hub": gd.Marker("knuckle")},
    loads={
        "strut": gd.SpringDamper(
            "chassis", "lower", at_first=tuple(P["spring upper"] - P["chassis"]),
            at_second=tuple(P["spring lower"] - P["lower"]), stiffness=stiffness, damping=damping, length=free,
        ),
        "tyre": gd.Force("knuckle", (0, 0, f"{tyre}*max(road + {radius} - hub.z, 0)")),
    },
    signals={"road": 0.0},
)  # fmt: skip


# by hand: where everything is, from the turn of the lower wishbone; x are three numbers that turn the knuckle, and the
# turn of the upper wishbone, so that the upper ball is where both have it and the tie rod keeps its length
def place(turn):
    low = Rotation.from_rotvec(turn * along["lower"] / np.linalg.norm(along["lower"]))

    def carried(arm, turned, name):
        return P[f"{arm} rear"] + turned.apply(P[name] - P[f"{arm} rear"])

    def parts(x):
        high = Rotation.from_rotvec(x[3] * along["upper"] / np.linalg.norm(along["upper"]))
        ball = carried("lower", low, "lower ball")
        return (
            Rotation.from_rotvec(x[:3]),
            high,
            lambda name: ball + Rotation.from_rotvec(x[:3]).apply(P[name] - P["lower ball"]),
        )

    def misfit(x):
        _, high, on_knuckle = parts(x)
        apart = on_knuckle("upper ball") - carried("upper", high, "upper ball")
        return [*apart, np.linalg.norm(on_knuckle("rod outer") - P["rod inner"]) - length]

    x = root(misfit, np.zeros(4), method="lm", tol=1e-15).x
    knuckle, high, on_knuckle = parts(x)
    return {
        "turns": {"lower": low, "upper": high, "knuckle": knuckle}, "hub": on_knuckle("hub"),
        "lower": carried("lower", low, "lower"), "upper": carried("upper", high, "upper"),
        "rod outer": on_knuckle("rod outer"), "spring lower": carried("lower", low, "spring lower"),
    }  # fmt: skip


def camber_and_toe(knuckle):
    """Of the wheel's axle, which points along y at first [degrees]."""
    axle = knuckle.apply((0, 1, 0))
    return np.degrees([-np.arcsin(axle[2]), -np.arctan2(axle[0], axle[1])])


# the wheel over its travel, the chassis held
held = car.replace(
    drives={"held": gd.Drive("heave", 0.0), "travel": gd.Drive("lower", "0.25*sin(2*pi*t)")}, loads={}, signals={}
)
travel = gd.kinematics(held, 0.75, sample=0.025).data
seen, expected = [], []
for k, turn in enumerate(travel.joint_position.sel(coordinate="lower.angle").values):
    found = place(turn)
    expected.append([*camber_and_toe(found["turns"]["knuckle"]), *found["hub"]])
    turned = Rotation.from_quat(travel.orientation.sel(body="knuckle")[k], scalar_first=True)
    seen.append([*camber_and_toe(turned), *travel.position.sel(body="knuckle")[k].values])
seen, expected = np.array(seen), np.array(expected)
print(f"camber, toe and hub by hand are at most {np.abs(seen - expected).max():.1e} off; over {np.ptp(seen[:, 4]):.3f} "
      f"m of travel camber goes from {seen[:, 0].min():.2f} to {seen[:, 0].max():.2f} degrees")  # fmt: skip
assert np.abs(seen - expected).max() < 1e-9


# rest, and small motions about it: T and V of (heave, turn of the lower wishbone), differentiated
def potential(q):
    now = place(q[1])
    up = np.array([0, 0, q[0]])
    strut = np.linalg.norm(now["spring lower"] - P["spring upper"])
    heights = mass["chassis"] * q[0] + sum(mass[arm] * (now[arm] + up)[2] for arm in ("lower", "upper"))
    heights += mass["knuckle"] * (now["hub"] + up)[2] + mass["rod"] * ((P["rod inner"] + now["rod outer"]) / 2 + up)[2]
    return g * heights + stiffness / 2 * (strut - free) ** 2 + tyre / 2 * (radius - (now["hub"] + up)[2]) ** 2


def masses(q, h=1e-5):
    """M(q): the rates of all places and turns are differences."""
    one, two = place(q[1] - h), place(q[1] + h)
    M, up = np.zeros((2, 2)), np.array([0, 0, 1.0])

    def add(m, rate, other=None):
        J = np.array([up, rate]) if other is None else np.array([up, other])
        M[:] += m * np.array([up, rate]) @ J.T

    add(mass["chassis"], 0 * up)
    for name in ("lower", "upper", "knuckle"):
        where = "hub" if name == "knuckle" else name
        add(mass[name], (two[where] - one[where]) / (2 * h))
        rate = (two["turns"][name] * one["turns"][name].inv()).as_rotvec() / (2 * h)
        M[1, 1] += spin[name] * rate @ rate
    outer, inner = (two["rod outer"] - one["rod outer"]) / (2 * h), 0 * up  # a slender rod: m/6 (u² + u w + w²)
    for a, b, share in ((inner, inner, 1 / 3), (outer, outer, 1 / 3), (inner, outer, 1 / 6), (outer, inner, 1 / 6)):
        add(share * mass["rod"], a, b)
    return M


def differences(q, h=1e-4):
    """Gradient and Hessian of V."""
    e = h * np.eye(2)
    slope = [(potential(q + d) - potential(q - d)) / (2 * h) for d in e]
    bend = [
        [(potential(q + a + b) - potential(q + a - b) - potential(q - a + b) + potential(q - a - b)) / (4 * h * h)
         for b in e] for a in e
    ]  # fmt: skip
    return np.array(slope), np.array(bend)


q = np.zeros(2)
for _ in range(8):
    slope, bend = differences(q)
    q = q - np.linalg.solve(bend, slope)
by_hand = np.sqrt(eigh(differences(q)[1], masses(q), eigvals_only=True)) / (2 * np.pi)
rest = gd.equilibrium(car)
ideal = gd.linearize(rest)
heave = float(gd.simulate(rest.system, 1e-3).data.joint_position.sel(coordinate="heave.displacement")[0])
undamped = np.sqrt(eigh(ideal.stiffness, ideal.mass, eigvals_only=True)) / (2 * np.pi)
print(f"rests {1e3 * heave:.3f} mm higher ({1e3 * q[0]:.3f} by hand); body {undamped[0]:.4f} Hz ({by_hand[0]:.4f}), "
      f"wheel {undamped[1]:.4f} Hz ({by_hand[1]:.4f})")  # fmt: skip
assert abs(heave - q[0]) < 1e-6
assert np.allclose(undamped, by_hand, rtol=1e-5)

# on the road, in rubber: a bump of 50 mm over 1.5 m at 10 m/s, then it rings as small motions say
rubber = gd.Bushing(stiffness=4e6, tilt_stiffness=6e4, damping_time=1e-3)
s = np.linspace(-0.2, 1.7, 39)  # [m]
height = np.where((s > 0) & (s < 1.5), 0.025 * (1 - np.cos(2 * np.pi * s / 1.5)), 0.0)
bump = gd.Table(s / 10 + 0.1, height, kind="spline", outside="hold")
bushed = gd.equilibrium(rest.system.with_model(lower=rubber, upper=rubber))
modes = gd.linearize(bushed)
body_mode = modes.eigenvalues[np.argmin(np.abs(np.abs(modes.eigenvalues) - 2 * np.pi * by_hand[0]))]
result = gd.simulate(bushed.system.replace(signals={"road": bump}), 4.0, sample=1e-3)
data = result.data
time, heaved = data.time.values, data.joint_position.sel(coordinate="heave.displacement").values
heaved = heaved - heaved[0]


late = time > 1.2  # the wheel has come to rest: z̈ = −a ż − b z, a and b from all samples
rate = data.joint_velocity.sel(rate="heave.displacement").values
(a, b), *_ = np.linalg.lstsq(-np.stack([rate, heaved], axis=1)[late], np.gradient(rate, time)[late])
rings = complex(-a / 2, np.sqrt(b - a**2 / 4))
print(f"after the bump the body rings with {rings:.4f} 1/s; small motions: {body_mode:.4f}")
assert abs(rings - complex(body_mode.real, abs(body_mode.imag))) < 5e-3 * abs(rings)
hub = data.position.sel(body="knuckle", axis="z").values
assert hub.max() - hub[0] > 0.03 and abs(heaved[-1]) < 1e-3

figure, (side, curve, road) = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
for links in (("lower front", "lower ball"), ("upper front", "upper ball"), ("rod inner", "rod outer"),
              ("spring lower", "spring upper"), ("lower ball", "upper ball")):  # fmt: skip
    side.plot(*np.array([P[name][1:] for name in links]).T, "o-")
side.add_patch(plt.Rectangle((0.64, P["hub"][2] - radius), 0.2, 2 * radius, color="0.9", zorder=0))
side.set(aspect="equal", xlabel="y [m]", ylabel="z [m]", title="from the front")
curve.plot(1e3 * (seen[:, 4] - seen[0, 4]), seen[:, :2], label=["camber", "toe"])
curve.plot(1e3 * (expected[:, 4] - expected[0, 4]), expected[:, :2], "k:", label=["by hand", None])
curve.set(xlabel="travel of the wheel [mm]", ylabel="[degrees]")
curve.legend()
road.plot(time, 1e3 * data.signal_value.sel(signal="road"), "0.5", label="road")
road.plot(time, 1e3 * (hub - hub[0]), label="wheel")
road.plot(time, 1e3 * heaved, label="body")
road.set(xlabel="time [s]", ylabel="[mm]", xlim=(0, 3))
road.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/double_wishbone.png")
