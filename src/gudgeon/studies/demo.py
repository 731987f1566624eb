"""The demonstrations behind `gudgeon demo`: five models of one spherical joint; sliders in a guide with play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.errors import FileError
from gudgeon.files.disk import make_folder, write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result
    from gudgeon.studies.spherical_joint import Claim


Say = Callable[..., None]  # a line for people, and what it says as data


def run(out: Path, duration: float, say: Say) -> None:
    """Run the study, print what happened, write picture, data and page into `out`."""
    from gudgeon.analysis.simulate import simulate
    from gudgeon.examples.four_bar import spatial_four_bar
    from gudgeon.studies.spherical_joint import run_study
    from gudgeon.studies.spherical_joint_view import draw_study

    make_folder("demo", out)
    say("The spatial four-bar of Silva, Marques, Silva, Flores; joint C between coupler and rocker is")
    began = time.perf_counter()
    study = run_study(duration)
    seconds = time.perf_counter() - began
    dry = simulate(spatial_four_bar("dry"), duration, sample=duration / 2000)
    for joint, case in study.cases.items():
        stats, contacts = case.stats, f", {len(case.events)} contacts" if len(case.events) else ""
        say(
            f"  {joint:13} {duration:g} s in {1e3 * stats['seconds_computing']:6.1f} ms with {stats['solver']}, "
            f"{stats['steps']} steps{contacts}; {1e3 * case.energy_lost[-1]:.4g} mJ lost"
        )
    runs = sum(len(ensemble.position) for ensemble in study.ensembles.values())
    say(f"and {runs} perturbed runs more: a single frictionless run means nothing. All in {seconds:.1f} s.\n")
    say("What the paper claims, and the numbers here:")
    tell_claims(say, study.claims)

    _draw(draw_study(study), out / "spherical_joint_models.png")
    files = [str(out / "spherical_joint_models.png"), str(dry.save(out / "dry.nc"))]
    say(f"\npicture and data: {', '.join(files)}", files=files)
    ideal = simulate(spatial_four_bar(), duration, sample=duration / 2000)
    show(say, {"ideal": ideal, "dry": dry}, out / "four-bar.html")


def show(say: Say, results: dict[str, Result], path: Path) -> None:
    """Write the moving picture, and say how to open it; without the viewer say what is missing."""
    from gudgeon.view.page.page import write_view

    try:
        page = write_view(results, path)
    except FileError as error:
        say(f"no moving picture: {error}", page=None)
        return
    say(f"moving picture: {page}; open it in a browser: {page.resolve().as_uri()}", page=str(page))


def run_sliders(out: Path, duration: float, say: Say) -> None:
    """Run both examples of the slider study, print the observations, write three pictures and `slider_crank.nc`."""
    from gudgeon.studies.slider import run_slider_study
    from gudgeon.studies.slider_view import draw_crank, draw_oscillator, draw_sliders

    make_folder("demo", out)
    say("A slider in a guide with play, as finite elements and as a rigid block:")
    study = run_slider_study(duration)
    for example, results in (("stick-slip oscillator", study.oscillator), ("slider-crank", study.crank)):
        for name, result in results.items():
            stats = result.stats
            say(
                f"  {example + ', ' + name:34} {stats['end_time']:g} s in {stats['seconds_computing']:5.2f} s with "
                f"{stats['solver']}, {stats['steps']} steps of {1e3 * stats['step']:g} ms"
            )
    say("\nWhat the paper observes, and the numbers here:")
    tell_claims(say, study.claims)

    pictures = {"stick_slip_oscillator": draw_oscillator, "slider_crank": draw_crank, "sliders": draw_sliders}
    for name, draw in pictures.items():
        _draw(draw(study), out / f"{name}.png")
    files = [str(out / f"{name}.png") for name in pictures]
    files.append(str(study.crank["4 elements"].save(out / "slider_crank.nc")))
    say(f"\npictures and data: {', '.join(files)}", files=files)


def run_many(out: Path, duration: float, say: Say) -> None:
    """Run the dry four-bar over clearance and friction; write the store `study.zarr` and the picture `study.png`."""
    import numpy as np

    from gudgeon.examples.four_bar import spatial_four_bar
    from gudgeon.responses.study_map import study_map
    from gudgeon.sweeps.open_study import study_status
    from gudgeon.sweeps.sweep import sweep

    make_folder("demo", out)
    say("The dry four-bar over the radius of its ball (the socket has 10 mm) and friction; a process for every core:")
    grid = {
        "joints.C.model.ball_radius": np.linspace(0.00985, 0.00995, 6),
        "joints.C.model.friction.coefficient": np.linspace(0.0, 0.2, 5),
    }
    began = time.perf_counter()
    data = sweep(spatial_four_bar("dry"), grid, duration, store=out / "study.zarr")
    found = study_status(data)
    say(f"  {found.done} of {found.count} runs done in {time.perf_counter() - began:.1f} s, {found.failed} failed")
    _draw(study_map(data, "energy_lost"), out / "study.png")
    files = [str(out / "study.zarr"), str(out / "study.png")]
    say(f"the same command again has nothing to run. Store and picture: {', '.join(files)}", files=files)


def tell_claims(say: Say, claims: Iterable[Claim]) -> None:
    """Each statement, whether it holds, and the numbers behind it."""
    claims = list(claims)
    for claim in claims:
        say(f"  {'holds' if claim.holds else 'FAILS'}: {claim.statement}\n         {claim.numbers}")
    say(claims=[{"statement": c.statement, "holds": bool(c.holds), "numbers": c.numbers} for c in claims])


def _draw(figure: Figure, path: Path) -> None:
    content = BytesIO()
    figure.savefig(content, format="png", dpi=110)
    write_file("demo", path, content.getvalue())
