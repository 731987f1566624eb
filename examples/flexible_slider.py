"""
A flexible slider in a guide with play
======================================

The two examples of a published study of a frictional translational joint with a flexible slider and clearance: a
stick-slip oscillator and a slider-crank. The slider is a finite-element body whose surface nodes meet the guide, each
by itself, or a rigid block with four corners: one argument. Draws the paper's figures 7 to 11 and 13 to 17 and the
deformed sliders with their stress, prints its observations with the number behind each; --film adds an animation.
"""

import sys
from pathlib import Path

import gudgeon as gd
from gudgeon.fem import Material, Mesh, Rayleigh
from gudgeon.studies.slider import run_slider_study
from gudgeon.studies.slider_view import draw_crank, draw_oscillator, draw_sliders
from gudgeon.view.slider import SliderView

# %%
# By hand: a slider without play, then make its guide real.

system = gd.System(
    name="slider",
    gravity=(0, -9.81, 0),
    bodies={"slider": gd.Body(mass=0.1, inertia=(0.002, 0.003, 0.005))},
    joints={"guide": gd.Guide("ground", "slider", at=(0, 0, 0), axis=(1, 0, 0), normal=(0, 1, 0))},
    loads={"push": gd.Force("slider", ("0.4*t", 0, 0))},
)
friction = gd.laws.DryFriction(static=0.20, kinetic=0.15)
contact = gd.laws.KelvinVoigt(stiffness=1e4, damping=1e3)
models = {
    "no play": gd.Ideal(),
    "rigid": gd.RigidSlider(length=0.6, height=0.5, clearance=2.5e-3, contact=contact, friction=friction),
    "hard": gd.RigidSlider(
        length=0.6, height=0.5, clearance=2.5e-3, impact=gd.Newton(restitution_normal=0.0), friction=friction
    ),
    "flexible": gd.FlexibleSlider(
        mesh=Mesh.rectangle(0.6, 0.5, 4, 4),
        material=Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3),
        damping=Rayleigh(mass=0.010, stiffness=0.544),
        clearance=2.5e-3,
        contact=contact,
        friction=friction,
    ),
}
for name, model in models.items():
    result = gd.simulate(system.with_model(guide=model), 1.0, sample=1e-3)
    data = result.data
    moves = data.velocity.sel(body="slider", axis="x") > 5e-3
    begin = float(data.time[moves & (data.time > 0.01)][0])
    print(
        f"{name:8} {result.stats['solver']:12} moves from t = {begin:.3f} s, by {data.position[-1, 0, 0]:.4f} m in 1 s"
    )
    if name != "no play":
        load = float(data.guide_normal_force[-1].sum())
        assert abs(load - 0.981) < 2e-3  # its weight
        # the push exceeds kinetic friction at 0.368 s and static friction at 0.491 s; nodes of a flexible slider break
        # away one by one in between, the corners of a rigid one together
        assert 0.15 * 0.981 / 0.4 < begin < 0.20 * 0.981 / 0.4 + 0.03
        assert name == "flexible" or begin > 0.20 * 0.981 / 0.4

# %%
# Both examples, and what the paper observes.

study = run_slider_study()
for claim in study.claims:
    print(f"{'holds' if claim.holds else 'FAILS'}: {claim.statement}\n    {claim.numbers}")
assert all(claim.holds for claim in study.claims)
crank = study.crank["4 elements"].data.joint_position.sel(coordinate="O.angle")
settled = crank[crank.time >= 100.0]
assert abs(float(settled.min()) + 1.81838) < 1e-4  # an independent implementation, converged
assert abs(float(settled.max()) + 1.34667) < 1e-4

# %%
# The paper's own procedure: explicit steps, each node's friction by trial and error, on the same model.

example = gd.examples.slider_crank_flexible_slider()
explicit = gd.simulate(example, 2.0, solver=gd.Explicit(rtol=1e-5, atol=1e-7), sample=0.01)
stepping = gd.simulate(example, 2.0, solver=gd.TimeStepping(step=1e-3), sample=0.01)
apart = abs(explicit.data.joint_position - stepping.data.joint_position).sel(coordinate="O.angle").max()
print(
    f"explicit: {explicit.stats['steps']} steps for 2 s, TimeStepping: {stepping.stats['steps']}; "
    f"crank angles within {float(apart):.0e} rad"
)
assert apart < 1e-3

# %%
# Pictures.

Path("out").mkdir(exist_ok=True)
draw_oscillator(study).savefig("out/stick_slip_oscillator.png", dpi=100)
draw_crank(study).savefig("out/slider_crank.png", dpi=100)
draw_sliders(study).savefig("out/sliders.png", dpi=100)
if "--film" in sys.argv[1:]:
    print(SliderView(study.oscillator["flexible"]).film("out/stick_slip_oscillator.gif"))
