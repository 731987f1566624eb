"""
How a gudgeon pin wears
=======================

A slider-crank turns at 5000 rpm; its gudgeon pin has a radial clearance of 0.1 mm and runs dry. Archard's law says
what a turn rubs off bore and pin, k p |v| per time. The worn shape changes the gap, the gap the motion and its impacts,
these the wear: `gd.wear` follows that over half an hour (150 000 turns) in a few runs of two turns, with error control.
"""

import sys
from pathlib import Path

import numpy as np

import gudgeon as gd

FINE = "--fine" in sys.argv  # as in the documentation: an hour of turns, some minutes
TURN = 60.0 / 5000.0  # [s]
TURNS = 3e5 if FINE else 1.5e5
SOFT, HARD = 2e-15, 1e-15  # wear of bore and pin per pressure and way: coefficient over hardness [1/Pa]
RADIUS = 0.010  # of the bore [m]

# %%
# The pin of the example has a force per length that depends on one depth. A worn bore has no single depth: the same pin
# with pressure over the arc that touches, as stiff as before under a typical force of 3 kN.

crank = gd.examples.slider_crank_clearance("dry", clearance=1e-4)
pin = gd.WornJournal.like(crank.joints["pin"].model, force=3000.0)
crank = crank.with_model(pin=pin)

# %%
# Worn for many turns. The runs in between are kept in a file; a call that is interrupted goes on from there.

out = Path("out")
out.mkdir(exist_ok=True)
accuracy = {"tolerance": 0.05, "average": 2} if FINE else {"tolerance": 0.2, "angles": 72}
worn = gd.wear(
    crank,
    TURN,
    {"pin": (SOFT, HARD)},
    cycles=TURNS,
    **accuracy,
    store=out / f"wear_{TURNS:.0f}.nc",
    coordinates="absolute",
)
data = worn.data
print(f"{TURNS:g} turns, {worn.runs} runs of the mechanism")
print("   turns   bore [µm]   pin [µm]   worn away [mm³]   largest force [N]")
for row in range(data.sizes["cycles"]):
    at = data.isel(cycles=row)
    depth = [1e6 * float(at[name].max()) for name in ("pin.bore", "pin.pin")]
    volume = 1e9 * float(at["pin.bore.volume"] + at["pin.pin.volume"])
    force = float(at["pin.peak_force"])
    print(f"{float(at.cycles):8.0f}   {depth[0]:9.2f}   {depth[1]:8.2f}   {volume:15.3f}   {force:17.0f}")

worn.plot("pin").savefig(out / "wear.png", dpi=110)
gd.simulate(worn.system, 2 * TURN, sample=TURN / 4000).plot_joint("pin", between=(TURN, 2 * TURN)).savefig(
    out / "worn_pin.png", dpi=110
)

# %%
# What is worn away is what was rubbed, and each surface has lost its part of it.

volume = {name: float(data[f"pin.{name}.volume"][-1]) for name in ("bore", "pin")}
for name in ("bore", "pin"):
    assert abs(float(data[f"pin.{name}.rubbed"][-1]) / volume[name] - 1.0) < 1e-3
assert abs(volume["bore"] / volume["pin"] / (SOFT / HARD) - 1.0) < 1e-3

# %%
# The same from the ideal joint, which knows no contact: the force that it carries times the way that it slides.

ideal = gd.simulate(gd.examples.slider_crank_clearance("ideal"), TURN, sample=TURN / 2000).data
force = np.linalg.norm(ideal.reaction_force.sel(joint="pin").values, axis=1)
spin = ideal.angular_velocity.sel(axis="z")
way = RADIUS * np.abs((spin.sel(body="slider") - spin.sel(body="rod")).values)
expected = SOFT * TURNS * np.trapezoid(force * way, ideal.time.values)
print(f"bore: {1e9 * volume['bore']:.2f} mm³, by the forces of the ideal joint {1e9 * expected:.2f} mm³")
assert abs(volume["bore"] / expected - 1.0) < 0.1

# %%
# The rod pulls and pushes along its length: two marks, opposite to each other, nothing across.

depth = data["pin.bore"].values[-1, 0]
angle = data["pin.bore.angle"].values
along, across = np.abs(np.cos(angle)) > 0.95, np.abs(np.sin(angle)) > 0.95
assert depth[along].min() > 0.3 * depth.max() and depth[across].max() < 0.05 * depth.max()
assert float(data["pin.peak_force"][-1]) > 1.3 * float(data["pin.peak_force"][0])  # worn, it knocks harder
