"""IFToMM A05: a governor with stiff spring-dampers on a rotating shaft."""

import numpy as np

import gudgeon as gd
from references import load

REFERENCE = load("iftomm_A05_flyball_governor")


def box(density, x, y, z):
    """Mass and principal inertias of a box [kg, kg·m²]."""
    mass = density * x * y * z
    return mass, np.array([y * y + z * z, x * x + z * z, x * x + y * y]) * mass / 12.0


def governor() -> gd.System:
    """Shaft along z; rods hinged at (±0.05, 0, 1), 30 degrees below the horizontal, with 5 kg at their ends."""
    p = REFERENCE["parameters"]
    omega, alpha = p["omega0"], np.radians(p["alpha_deg_below_horizontal"])
    spin = np.array([0.0, 0.0, omega])
    shaft_mass, shaft_inertia = box(p["density"], 0.01, 0.01, 1.0)
    slider_mass, slider_inertia = box(p["density"], 0.1, 0.1, 0.1)
    rod_mass, rod_inertia = box(p["density"], 1.0, 0.01, 0.01)
    ball = p["point_mass_at_rod_end"]
    mass = rod_mass + ball
    centre = (0.5 * rod_mass + ball) / mass  # from the hinge along the rod
    steiner = rod_mass * (centre - 0.5) ** 2 + ball * (1.0 - centre) ** 2
    inertia = rod_inertia + np.array([0.0, steiner, steiner])

    bodies = {
        "shaft": gd.Body(shaft_mass, shaft_inertia, (0, 0, 0.5), velocity=(0, 0, 0), angular_velocity=spin),
        "slider": gd.Body(slider_mass, slider_inertia, (0, 0, 0.5), velocity=(0, 0, 0), angular_velocity=spin),
    }
    joints = {
        "bearing": gd.Revolute("ground", "shaft", at=(0, 0, 0)),
        "sleeve": gd.Prismatic("shaft", "slider", at=(0, 0, 0.5)),
    }
    loads = {}
    for name, side in (("right", 1.0), ("left", -1.0)):
        hinge = np.array([0.05 * side, 0.0, 1.0])
        along = np.array([np.cos(alpha) * side, 0.0, -np.sin(alpha)])
        half = 0.5 * (alpha if side > 0 else np.pi - alpha)  # body x along the rod: turn about +y
        position = hinge + centre * along
        bodies[name] = gd.Body(
            mass,
            inertia,
            position,
            (np.cos(half), 0.0, np.sin(half), 0.0),
            velocity=np.cross(spin, position),
            angular_velocity=spin,
        )
        joints[name] = gd.Revolute("shaft", name, at=hinge, axis=(0, 1, 0))
        loads[name] = gd.SpringDamper(
            "slider",
            name,
            at_first=(0.05 * side, 0, 0),
            at_second=(0.5 - centre, 0, 0),
            stiffness=p["K"],
            damping=p["C"],
            length=p["l0"],
        )
    return gd.System(name="governor", gravity=(0, 0, -9.81), bodies=bodies, joints=joints, loads=loads)


def test_follows_the_published_motion():
    expected = np.array(REFERENCE["reference"]["samples"])
    result = gd.simulate(governor(), 10.0, sample=expected[:, 0], solver=gd.Explicit(rtol=1e-8, atol=1e-10))
    height = result.data.position.sel(body="slider", axis="z").values
    assert np.abs(height - expected[:, 1]).max() < 1e-5
    quaternion = result.data.orientation.sel(body="shaft").values
    angle = np.unwrap(2.0 * np.arctan2(quaternion[:, 3], quaternion[:, 0]))
    assert np.abs(np.angle(np.exp(1j * (angle - expected[:, 3])))).max() < 1e-4


def test_highest_point():
    result = gd.simulate(governor(), 0.6, sample=1e-4)
    height = result.data.position.sel(body="slider", axis="z").values
    assert abs(height.max() - REFERENCE["reference"]["s_max"]) < 1e-6
    assert abs(result.data.time.values[np.argmax(height)] - REFERENCE["reference"]["t_s_max"]) < 2e-4
