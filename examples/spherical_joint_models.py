"""
Five models of one spherical joint
==================================

The study of Silva, Marques, Silva and Flores, *Modelling spherical joints in multibody systems*: the same spatial
four-bar with an ideal, a dry (with and without friction), a lubricated and a bushed joint between coupler and rocker.
One argument changes; everything else stays. Draws the paper's figure 2 and what it does not show: the path of the ball
in its socket, the force in the joint, every impact, and how far runs part that start next to each other.
"""

from pathlib import Path

import gudgeon as gd
from gudgeon.studies.spherical_joint import run_study
from gudgeon.studies.spherical_joint_view import draw_study

# %%
# By hand: take the ideal mechanism and make its joint C real.

system = gd.examples.spatial_four_bar()
steel = gd.laws.sphere_in_socket(socket_radius=0.010, ball_radius=0.0099, youngs_modulus=207e9, poissons_ratio=0.3)
dry = gd.Dry(
    socket_radius=0.010,
    ball_radius=0.0099,
    contact=gd.laws.LankaraniNikravesh(stiffness=steel, restitution=0.9),
    friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3),
)
result = gd.simulate(system.with_model(C=dry), 0.1, sample=1e-4)
print(result)
print(result.events.head())
assert abs(result.events.begin[0] - 0.007927) < 1e-6  # tests/references/spatial_four_bar_real.json
assert abs(result.events.impact_speed[0] - 0.02523) < 1e-5

# %%
# All five, with ensembles of perturbed runs for the dry ones; sampled every 1e-5 s as in the paper's table 3.

study = run_study(2.0, sample=1e-5, runs=6)
for claim in study.claims:
    print(f"{'holds' if claim.holds else 'FAILS'}: {claim.statement}\n    {claim.numbers}")
assert all(claim.holds for claim in study.claims)
assert abs(study.cases["dry"].energy_lost[-1] - 9.523e-3) < 1e-5

Path("out").mkdir(exist_ok=True)
draw_study(study).savefig("out/spherical_joint_models.png", dpi=110)
