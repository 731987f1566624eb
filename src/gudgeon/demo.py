"""The demonstration behind `gudgeon demo`: five models of one spherical joint, and what they do to a mechanism."""

from __future__ import annotations

import time
from pathlib import Path

from gudgeon.errors import ModelError, SimulationError


def run(out: Path, duration: float = 2.0) -> None:
    """Run the study, print what happened, write `spherical_joint_models.png` and `dry.nc` into `out`."""
    from gudgeon.compilation import compile_kernels
    from gudgeon.examples import spatial_four_bar
    from gudgeon.simulation import simulate
    from gudgeon.study import run_study
    from gudgeon.view.joint_study import draw_study

    compile_kernels()
    print("The spatial four-bar of Silva, Marques, Silva, Flores; joint C between coupler and rocker is")
    try:
        began = time.perf_counter()
        study = run_study(duration)
        seconds = time.perf_counter() - began
        dry = simulate(spatial_four_bar("dry"), duration, sample=duration / 2000)
    except (ModelError, SimulationError) as error:
        raise SystemExit(f"gudgeon: {error}") from None
    for joint, case in study.cases.items():
        stats, contacts = case.stats, f", {len(case.events)} contacts" if len(case.events) else ""
        print(
            f"  {joint:13} {duration:g} s in {1e3 * stats['seconds_computing']:6.1f} ms with {stats['solver']}, "
            f"{stats['steps']} steps{contacts}; {1e3 * case.energy_lost[-1]:.4g} mJ lost"
        )
    runs = sum(len(ensemble.position) for ensemble in study.ensembles.values())
    print(f"and {runs} perturbed runs more: a single frictionless run means nothing. All in {seconds:.1f} s.\n")
    print("What the paper claims, and the numbers here:")
    for claim in study.claims:
        print(f"  {'holds' if claim.holds else 'FAILS'}: {claim.statement}\n         {claim.numbers}")

    out.mkdir(parents=True, exist_ok=True)
    draw_study(study).savefig(out / "spherical_joint_models.png", dpi=110)
    dry.save(out / "dry.nc")
    print(f"\npicture and data: {out / 'spherical_joint_models.png'}, {out / 'dry.nc'}")
