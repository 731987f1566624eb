"""The demonstration behind `gudgeon demo`: the ideal spatial four-bar, with the numbers that show it is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gudgeon.errors import ModelError, SimulationError


def run(out: Path, duration: float = 2.0) -> None:
    """Simulate, print what happened, write `four_bar.png` and `four_bar.nc` into `out`."""
    import gudgeon as gd

    try:
        system = gd.examples.spatial_four_bar()
        print(gd.assemble(system))
        result = gd.simulate(system, duration, sample=duration / 2000, solver=gd.Explicit(rtol=1e-9, atol=1e-11))
    except (ModelError, SimulationError) as error:
        raise SystemExit(f"gudgeon: {error}") from None
    check = gd.simulate(system, duration, sample=duration / 20, solver=gd.Sundials(rtol=1e-10, atol=1e-12))

    data, stats = result.data, result.stats
    rocker = data.position.sel(body="rocker").values
    span = rocker.max(axis=0) - rocker.min(axis=0)
    energy = data.mechanical_energy.values
    force = np.linalg.norm(data.reaction_force.values, axis=2)
    joint = str(data.joint.values[int(np.argmax(force.max(axis=0)))])
    apart = np.abs(data.position.values[::100] - check.data.position.values).max()
    print(f"simulated           {duration:g} s in {1e3 * stats['seconds_computing']:.1f} ms ({stats['steps']} steps)")
    print(f"rocker swings       {1e3 * span[0]:.2f} mm in x, {1e3 * span[2]:.2f} mm in z")
    print(f"largest joint force {force.max():.3f} N, at joint {joint}")
    drift, moved = np.abs(energy - energy[0]).max(), data.kinetic_energy.values.max()
    print(f"energy drift        {drift:.1e} J of {moved:.3g} J moved")
    print(f"joints stay closed  to {data.constraint_residual.values.max():.1e} m or rad")
    print(f"CVODE agrees        to {apart:.1e} m")

    out.mkdir(parents=True, exist_ok=True)
    result.plot().savefig(out / "four_bar.png", dpi=120)
    result.save(out / "four_bar.nc")
    print(f"picture and data    {out / 'four_bar.png'}, {out / 'four_bar.nc'}")
