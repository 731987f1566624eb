"""The demonstrations behind `gudgeon demo`: five models of one spherical joint; sliders in a guide with play."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.errors import FileError
from gudgeon.files.disk import make_folder

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.studies.spherical_joint import Claim


def run(out: Path, duration: float = 2.0) -> None:
    """Run the study, print what happened, write picture, data and page into `out`."""
    from gudgeon.analysis.simulate import simulate
    from gudgeon.examples.four_bar import spatial_four_bar
    from gudgeon.studies.spherical_joint import run_study
    from gudgeon.studies.spherical_joint_view import draw_study

    make_folder("demo", out)
    print("The spatial four-bar of Silva, Marques, Silva, Flores; joint C between coupler and rocker is")
    began = time.perf_counter()
    study = run_study(duration)
    seconds = time.perf_counter() - began
    dry = simulate(spatial_four_bar("dry"), duration, sample=duration / 2000)
    for joint, case in study.cases.items():
        stats, contacts = case.stats, f", {len(case.events)} contacts" if len(case.events) else ""
        print(
            f"  {joint:13} {duration:g} s in {1e3 * stats['seconds_computing']:6.1f} ms with {stats['solver']}, "
            f"{stats['steps']} steps{contacts}; {1e3 * case.energy_lost[-1]:.4g} mJ lost"
        )
    runs = sum(len(ensemble.position) for ensemble in study.ensembles.values())
    print(f"and {runs} perturbed runs more: a single frictionless run means nothing. All in {seconds:.1f} s.\n")
    print("What the paper claims, and the numbers here:")
    print_claims(study.claims)

    draw_study(study).savefig(out / "spherical_joint_models.png", dpi=110)
    dry.save(out / "dry.nc")
    print(f"\npicture and data: {out / 'spherical_joint_models.png'}, {out / 'dry.nc'}")
    show({"ideal": simulate(spatial_four_bar(), duration, sample=duration / 2000), "dry": dry}, out / "four-bar.html")


def show(results: dict[str, Result], path: Path) -> None:
    """Write the moving picture, and say how to open it; without the viewer say what is missing."""
    from gudgeon.view.page.page import write_view

    try:
        page = write_view(results, path)
    except FileError as error:
        print(f"no moving picture: {error}")
        return
    print(f"moving picture: {page}; open it in a browser: {page.resolve().as_uri()}")


def run_sliders(out: Path, duration: float = 200.0) -> None:
    """Run both examples of the slider study, print the observations, write three pictures and `slider_crank.nc`."""
    from gudgeon.studies.slider import run_slider_study
    from gudgeon.studies.slider_view import draw_crank, draw_oscillator, draw_sliders

    make_folder("demo", out)
    print("A slider in a guide with play, as finite elements and as a rigid block:")
    study = run_slider_study(duration)
    for example, results in (("stick-slip oscillator", study.oscillator), ("slider-crank", study.crank)):
        for name, result in results.items():
            stats = result.stats
            print(
                f"  {example + ', ' + name:34} {stats['end_time']:g} s in {stats['seconds_computing']:5.2f} s with "
                f"{stats['solver']}, {stats['steps']} steps of {1e3 * stats['step']:g} ms"
            )
    print("\nWhat the paper observes, and the numbers here:")
    print_claims(study.claims)

    pictures = {"stick_slip_oscillator": draw_oscillator, "slider_crank": draw_crank, "sliders": draw_sliders}
    for name, draw in pictures.items():
        draw(study).savefig(out / f"{name}.png", dpi=100)
    study.crank["4 elements"].save(out / "slider_crank.nc")
    print(f"\npictures and data: {', '.join(str(out / f'{name}.png') for name in pictures)}, {out / 'slider_crank.nc'}")


def print_claims(claims: Iterable[Claim]) -> None:
    """Each statement, whether it holds, and the numbers behind it."""
    for claim in claims:
        print(f"  {'holds' if claim.holds else 'FAILS'}: {claim.statement}\n         {claim.numbers}")
