"""
The spatial four-bar with ideal joints
======================================

Two revolute and two spherical joints, released from rest: how far the rocker swings, what the joints carry, and whether
energy is conserved. The same mechanism is the test bed of all joint models of gudgeon.
"""

from pathlib import Path

import numpy as np

import gudgeon as gd

system = gd.examples.spatial_four_bar()
print(gd.assemble(system))

result = gd.simulate(system, 2.0, sample=1e-3, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
data = result.data

rocker = data.position.sel(body="rocker")
stroke = float(rocker.sel(axis="x").max() - rocker.sel(axis="x").min())
force = np.linalg.norm(data.reaction_force.sel(joint="C"), axis=1)
drift = float(abs(data.mechanical_energy - data.mechanical_energy[0]).max())
print(f"{result.stats['steps']} steps, {1e3 * result.stats['seconds_computing']:.1f} ms")
print(f"the rocker swings {1e3 * stroke:.3f} mm in x; joint C carries up to {force.max():.2f} N")
print(f"energy drift {drift:.0e} J")

Path("out").mkdir(exist_ok=True)
result.plot().savefig("out/spatial_four_bar.png", dpi=120)
result.save("out/spatial_four_bar.nc")

# the reference motion of tests/benchmarks/test_spatial_four_bar.py
assert abs(stroke - 0.0504) < 1e-4
assert drift < 1e-10
