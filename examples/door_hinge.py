"""
A door in a hinge with play
===========================

A door of 25 kg hangs on two knuckles, 1.6 m apart, whose pins have play: one `Revolute` with two lands. It sags: its
weight tilts it until the pin touches the upper knuckle on one side and the lower one on the other, at their outer ends.
Statics give the tilt ψ in closed form but for one root, with f′ the force per length of a pin in its bore:

    F (s − 2 z̄) = m g b/2,   F = ∫₀^δ f′ dδ/ψ,   s/2 tan ψ + R_j/cos ψ = R_i + δ

F on each knuckle, s the distance of their outer ends, δ the depth there, z̄ = (1/Fψ²) ∫₀^δ f′ (δ − x) dx how far
inside the force acts. The sag of the free edge is b ψ, nearly 2 b c/s: all play, hardly any elasticity. Then the door
swings, and friction in the knuckles brakes it by μ R_j 2F/√(1 + μ²); and it is lifted and let go, which its hinge
feels.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import quad
from scipy.optimize import brentq

import gudgeon as gd

width, height, mass, g = 0.8, 2.0, 25.0, 9.81  # [m], [m], [kg], [m/s²]
apart, knuckle, radius, mu = 1.6, 0.04, 0.006, 0.1  # knuckles' distance and length, bore [m], friction
span = apart + knuckle  # of their outer ends [m]


def door(clearance):
    """The door, with a weak spring that keeps it from turning away."""
    half = 0.5 * knuckle
    hinge = gd.Dry.journal(
        diameter=2 * radius,
        clearance=clearance,  # radial [m]
        lands=((-0.5 * apart - half, -0.5 * apart + half), (0.5 * apart - half, 0.5 * apart + half)),
        friction=gd.laws.Coulomb(coefficient=mu, velocity_tolerance=2e-4),
        restitution=0.5,
        reference_speed=0.05,  # as fast as it falls through its play [m/s]
        pin_on="parent",  # the frame has the pins
    )
    body = gd.Body(
        mass=mass,
        inertia=(mass * height**2 / 12, mass * (height**2 + width**2) / 12, mass * width**2 / 12),
        position=(0.5 * width, 0, 0),
    )
    return gd.System(
        name="door",
        gravity=(0, 0, -g),
        bodies={"door": body},
        joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0), model=hinge)},
        loads={"closer": gd.JointSpring("hinge", stiffness=0.1)},
    )


def tilt_of_statics(model):
    """ψ, F and δ of the closed form [rad], [N], [m]."""
    law, R_i, R_j = model.contact, model.bore_radius, model.pin_radius

    def line(x):
        return law.line_force(x, 0.0, 1.0, law.parameters)

    def depth(psi):
        return 0.5 * span * np.tan(psi) + R_j / np.cos(psi) - R_i

    def excess(psi):
        delta = depth(psi)
        force = quad(line, 0.0, delta)[0] / psi
        inside = quad(lambda x: line(x) * (delta - x), 0.0, delta)[0] / (force * psi**2)
        return force * (span - 2.0 * inside) - 0.5 * mass * g * width, force

    touching = brentq(depth, 1e-9, 0.1)
    psi = brentq(lambda psi: excess(psi)[0], touching * (1 + 1e-5), touching * 1.5)
    return psi, excess(psi)[1], depth(psi)


def tilt_of(state):
    """Of the door's edge against the vertical [rad], from its orientation."""
    _, x, y, _ = state.bodies["door"].orientation
    return float(np.arccos(1.0 - 2.0 * (x * x + y * y)))


plays = np.array([0.05, 0.1, 0.25, 0.5]) * 1e-3  # radial [m]
sags, expected = [], []
for play in plays:
    system = door(play)
    rest = gd.equilibrium(system).state
    psi, force, delta = tilt_of_statics(system.joints["hinge"].model)
    sags.append(width * tilt_of(rest))
    expected.append(width * psi)
    told = f"statics {1e3 * expected[-1]:.4f} mm, play alone {2e3 * width * play / span:.4f} mm"
    print(f"radial play {1e3 * play:.2f} mm: the door sags {1e3 * sags[-1]:.4f} mm; {told}")
print(f"each knuckle carries {force:.1f} N over {1e3 * delta / psi:.2f} mm of its length, {1e6 * delta:.2f} µm deep")

# it swings: from rest in its play, with 1 rad/s; no spring
swinging = system.replace(loads={})
pose, omega = rest.bodies["door"], 1.0
pose = gd.BodyState(
    position=pose.position,
    orientation=pose.orientation,
    velocity=np.cross((0, 0, omega), pose.position),
    angular_velocity=(0, 0, omega),
)
swing = gd.simulate(swinging.replace(start={"door": pose}), 0.5, sample=0.005)
braking = mu / np.hypot(1.0, mu) * swinging.joints["hinge"].model.pin_radius * 2 * force  # [N·m]
felt = float(swing.data.friction_torque.sum("part").mean())
print(f"friction brakes it by {1e3 * felt:.2f} mN·m; closed form {1e3 * braking:.2f} mN·m")

# it is lifted into the middle of its play, and let go
dropped = gd.simulate(door(0.25e-3).replace(loads={}), 0.1, sample=5e-4)
hits = dropped.events[dropped.events.joint == "hinge"]
hardest = hits.loc[hits.peak_force.idxmax()]
where = {"land": "lower knuckle", "land 2": "upper knuckle"}
print(f"let go: {len(hits)} contacts, the hardest {hardest.peak_force:.0f} N, {where[hardest.contact]}")

figure = Figure(figsize=(12.0, 4.6), layout="constrained")
picture, sag, forces = figure.subplots(1, 3, width_ratios=(0.75, 1.0, 1.3))
corners = np.array([(0, -1), (width, -1), (width, 1), (0, 1), (0, -1)])
for turned, style in ((0.0, {"color": "gray", "linestyle": "--"}), (100 * sags[2] / width, {"color": "#22262c"})):
    c, s = np.cos(turned), np.sin(turned)
    picture.plot(c * corners[:, 0] + s * corners[:, 1], -s * corners[:, 0] + c * corners[:, 1], **style)
for place in (-0.5 * apart, 0.5 * apart):
    picture.plot([-0.02, -0.02], [place - 0.5 * knuckle, place + 0.5 * knuckle], color="#1f6fb4", linewidth=7)
picture.set_aspect("equal")
picture.axis("off")
picture.set_title("sag, 100 times too large", loc="left")
sag.plot(1e3 * plays, 1e3 * np.array(expected), color="gray", label="statics")
sag.plot(1e3 * plays, 1e3 * np.array(sags), "o", color="#1f6fb4", label="gd.equilibrium")
sag.set_xlabel("radial play [mm]")
sag.set_title("sag of the free edge [mm]", loc="left")
sag.legend()
for contact, name in where.items():
    of_knuckle, marker = hits[hits.contact == contact], "o" if contact == "land" else "^"
    forces.semilogy(1e3 * of_knuckle.begin, of_knuckle.peak_force, marker, markersize=4, label=name)
forces.axhline(force, color="gray", linestyle="--", label="at rest")
forces.set_xlabel("time [ms]")
forces.set_title("lifted and let go: peak force of every contact [N]", loc="left")
forces.legend(fontsize="small")
for axes in (sag, forces):
    axes.grid(alpha=0.3)
Path("out").mkdir(exist_ok=True)
figure.savefig("out/door_hinge.png", dpi=110)

assert np.allclose(sags, expected, rtol=2e-4)
assert abs(felt / braking - 1.0) < 0.01
assert hardest.peak_force > 5.0 * force
