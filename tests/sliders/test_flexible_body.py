"""Flexible bodies in a System: inertia, free motion, statics and vibration against `gudgeon.fem` and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

import gudgeon as gd
from gudgeon.fem import Material, Mesh, Rayleigh

LENGTH, HEIGHT = 0.5, 0.3  # [m]
RUBBER = Material(youngs_modulus=1e5, poissons_ratio=0.3, density=10.0)


def plate(**changes) -> gd.FlexibleBody:
    return gd.FlexibleBody(**{"mesh": Mesh.rectangle(LENGTH, HEIGHT, 4, 2), "material": RUBBER, **changes})


def alone(body: gd.FlexibleBody, **changes) -> gd.System:
    return gd.System(**{"gravity": (0.0, -9.81, 0.0), "bodies": {"plate": body}, **changes})


def simulate(system: gd.System, duration: float, step: float = 1e-3, **options) -> gd.Result:
    return gd.simulate(system, duration, solver=gd.TimeStepping(step=step), **options)


def test_mass_and_inertia():
    """A plate of 1.5 kg; the inertia of lumped nodes tends to m (L² + H²)/12."""
    fine = plate(mesh=Mesh.rectangle(LENGTH, HEIGHT, 40, 24))
    assert fine.mass == pytest.approx(10.0 * LENGTH * HEIGHT, rel=1e-12)
    principal = np.diag(fine.inertia)
    assert principal == pytest.approx(1.5 * np.array([HEIGHT**2, LENGTH**2, LENGTH**2 + HEIGHT**2]) / 12.0, rel=4e-3)


def test_it_falls_freely_without_strain():
    body = plate(velocity=(1.0, 2.0, 0.0))
    data = simulate(alone(body), 0.5, sample=0.1).data
    t = data.time.values
    expected = np.stack([t, 2.0 * t - 0.5 * 9.81 * t**2, 0.0 * t], axis=1)
    assert data.position.sel(body="plate").values == pytest.approx(expected, abs=1e-9)
    strain = data.node_displacement.values - data.node_displacement.values.mean(axis=1, keepdims=True)
    assert np.abs(strain).max() < 1e-12


def test_free_vibration():
    """The first elastic mode with Rayleigh's damping: u = e^(−ζωt) cos ω_d t, ζ = (a/ω + b ω)/2."""
    damping = Rayleigh(mass=0.5, stiffness=2e-4)
    body = plate(damping=damping)
    model = body.plane_model
    mass = np.repeat(model.node_masses, 2)
    squares, shapes = eigh(model.K.toarray(), np.diag(mass))
    omega, shape = float(np.sqrt(squares[3])), shapes[:, 3]  # three rigid motions first
    assert squares[2] < 1e-6 * squares[3]
    ratio = 0.5 * (0.5 / omega + 2e-4 * omega)
    pull = body.mesh.nodes - model.centre_of_mass
    ends = [int(np.argmin(pull[:, 0] - 1e-3 * pull[:, 1])), int(np.argmax(pull[:, 0] + 1e-3 * pull[:, 1]))]
    # forces that hold until t = 0.02 s excite it; then the modal coordinate swings freely
    loads = {
        f"end {k}": gd.Force("plate", (f"{sign} if t < 0.02 else 0", 0.0, 0.0), at=(*pull[node], 0.0))
        for k, (node, sign) in enumerate(zip(ends, (-5.0, 5.0), strict=True))
    }
    times = 0.03 + np.linspace(0.0, 0.5, 26) * 2.0 * np.pi / omega
    data = simulate(
        alone(body, gravity=(0.0, 0.0, 0.0), loads=loads), float(times[-1]) + 1e-3, step=2e-5, sample=times
    ).data
    u = data.node_displacement.values.reshape(len(times), -1) @ (mass * shape)
    v = data.node_velocity.values.reshape(len(times), -1) @ (mass * shape)
    s, wd = times - times[0], omega * np.sqrt(1.0 - ratio**2)
    decay = np.exp(-ratio * omega * s)
    expected = decay * (u[0] * np.cos(wd * s) + (v[0] + ratio * omega * u[0]) / wd * np.sin(wd * s))
    assert np.abs(u).max() > 1e-6
    assert u == pytest.approx(expected, abs=2e-3 * np.abs(u).max())


def test_statics_of_a_plate_on_its_guide():
    """Pulled at both ends by a constant stress it gets longer by F L/(E H); its weight rests on the guide."""
    body = plate(damping=Rayleigh(mass=20.0, stiffness=1e-2))
    contact = gd.laws.KelvinVoigt(stiffness=1e5, damping=1e3)
    guide = gd.Guide("ground", "plate", at=(0, 0, 0), model=gd.FlexibleSlider(clearance=1e-3, contact=contact))
    ends = [np.isclose(body.rest[:, 0], x) for x in (-0.25, 0.25)]
    lengths = []
    for pull in (0.0, 3.0):
        loads = {
            f"{x} {y}": gd.Force("plate", (np.sign(x) * share * pull, 0.0, 0.0), at=(x, y, 0.0))
            for x in (-0.25, 0.25)
            for y, share in ((-0.15, 0.25), (0.0, 0.5), (0.15, 0.25))
        }
        data = simulate(alone(body, loads=loads, joints={"guide": guide}), 3.0, sample=[3.0]).data.isel(time=0)
        x = data.node_displacement.sel(plane="x").values
        lengths.append(x[ends[1]].mean() - x[ends[0]].mean())
        assert data.guide_normal_force.sum("surface_point").values == pytest.approx(1.5 * 9.81, rel=1e-6)
        assert np.abs(data.node_velocity.values).max() < 1e-6
    assert lengths[1] - lengths[0] == pytest.approx(3.0 * LENGTH / (1e5 * HEIGHT), rel=1e-2)


def test_a_body_described_as_flexible_and_one_made_flexible_by_its_guide():
    """`FlexibleBody` with a guide, or a `Body` whose guide says FlexibleSlider(mesh, material): the same."""
    common = {"clearance": 1e-3, "contact": gd.laws.KelvinVoigt(stiffness=1e5, damping=1e2)}
    body = plate()
    own = {"mesh": body.mesh, "material": RUBBER}
    rigid = gd.Body(mass=body.mass, inertia=body.inertia)
    runs = []
    for described, model in (
        (body, gd.FlexibleSlider(**common)),
        (rigid, gd.FlexibleSlider(**common, **own)),
        (body, gd.FlexibleSlider(**common, **own)),
    ):
        system = alone(described, joints={"guide": gd.Guide("ground", "plate", at=(0, 0, 0), model=model)})
        runs.append(simulate(system, 0.1, sample=0.01).data)
    for other in runs[1:]:
        assert np.array_equal(runs[0].node_displacement.values, other.node_displacement.values)
    assert runs[0].guide_normal_force.values.max() > 1.0


def test_energy_of_an_undamped_plate_is_not_created():
    """Bouncing in its guide without damping: implicit steps take energy, contacts give none."""
    model = gd.FlexibleSlider(clearance=1e-2, contact=gd.laws.KelvinVoigt(stiffness=1e4, damping=0.0))
    system = alone(plate(), joints={"guide": gd.Guide("ground", "plate", at=(0, 0, 0), model=model)})
    data = simulate(system, 0.3, step=1e-4, sample=5e-3).data
    touching = data.guide_normal_force.values.sum(axis=1) > 0.0
    assert touching.sum() > 5
    flying = data.mechanical_energy.values[~touching]
    assert np.diff(flying).max() < 1e-4
    assert np.ptp(flying) < 0.05
