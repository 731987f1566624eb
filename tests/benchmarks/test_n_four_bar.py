"""IFToMM A02: N four-bars in a row, released to pass their singular position (all links in line) again and again.

In that position the mechanism has N + 1 degrees of freedom for an instant; the motion must not jump to another branch.
In space every four-bar is overconstrained: 3 redundant rows each.
"""

import numpy as np
import pytest

import gudgeon as gd
from references import load

REFERENCE = load("iftomm_A02_N_four_bar")


def n_four_bar(count: int) -> gd.System:
    """Cranks of 1 m hinged at (k, 0), standing upright, joined by couplers of 1 m; all turn at −1 rad/s."""
    rod = (1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0)  # only the value about z matters
    bodies, joints = {}, {}
    for k in range(count + 1):
        bodies[f"crank {k}"] = gd.Body(1.0, rod, (k, 0.5, 0), velocity=(0.5, 0, 0), angular_velocity=(0, 0, -1))
        joints[f"pin {k}"] = gd.Revolute("ground", f"crank {k}", at=(k, 0, 0))
    for k in range(count):
        bodies[f"coupler {k}"] = gd.Body(1.0, rod, (k + 0.5, 1, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 0))
        joints[f"left {k}"] = gd.Revolute(f"crank {k}", f"coupler {k}", at=(k, 1, 0))
        joints[f"right {k}"] = gd.Revolute(f"coupler {k}", f"crank {k + 1}", at=(k + 1, 1, 0))
    return gd.System(name=f"{count} four-bars", gravity=(0, -9.81, 0), bodies=bodies, joints=joints)


@pytest.mark.parametrize("count", [2, 40])
@pytest.mark.parametrize("stabilization", ["baumgarte", "projection"])
def test_passes_its_singular_positions(count, stabilization):
    system = n_four_bar(count)
    expected = np.array(REFERENCE["reference"][f"N{count}"])
    result = gd.simulate(
        system,
        10.0,
        sample=expected[:, 0],
        solver=gd.Explicit(rtol=1e-9, atol=1e-11),
        stabilization=stabilization,
    )
    crank = result.data.sel(body="crank 0")
    tip = 2.0 * crank.position.values[:, :2]
    tip_velocity = 2.0 * crank.velocity.values[:, :2]
    assert np.abs(tip - expected[:, 1:3]).max() < 1e-5  # the tolerances of the source
    assert np.abs(tip_velocity - expected[:, 3:5]).max() < 1e-4
    energy = result.data.mechanical_energy.values
    assert np.abs(energy - energy[0]).max() < 1e-6 * count


def test_counts_freedoms_and_redundant_rows():
    assembly = gd.assemble(n_four_bar(2))
    assert assembly.degrees_of_freedom == 1
    assert assembly.redundant_rows == 6
    assert float(0.5 * 3 * (1.0 / 3.0) + 0.5 * 2) == pytest.approx(REFERENCE["reference"]["energy0_kinetic"])
