"""Exudyn's ParameterVariation of the ideal four-bar: the inertia of the crank, on processes of multiprocessing.

The model and its solver are those of `exudyn_four_bar`, the fastest that was found there; the step is the one whose
error is about that of gudgeon with its usual tolerances.
"""

import time

import numpy as np
from exudyn.processing import ParameterVariation

from . import exudyn_four_bar, four_bar_data

STEP = 5e-5  # [s]
TIMES = np.linspace(0.0, 2.0, 201)


def end_of_rocker(parameters: dict) -> float:
    """Where the rocker's centre is after 2 s, along x [m]."""
    inertia = four_bar_data.CRANK_INERTIA
    four_bar_data.CRANK_INERTIA = (parameters["inertia"], *inertia[1:])
    try:
        positions, _ = exudyn_four_bar.run(STEP, TIMES)
    finally:
        four_bar_data.CRANK_INERTIA = inertia
    return float(positions[-1, 0])


def study(inertias: np.ndarray, workers: int) -> tuple[np.ndarray, float]:
    """The rocker at the end for every inertia of the crank [kg·m²], and the wall time [s]."""
    began = time.perf_counter()
    _, values = ParameterVariation(
        end_of_rocker,
        {"inertia": list(inertias)},
        useMultiProcessing=workers > 1,
        numberOfThreads=workers,
        showProgress=False,
    )
    return np.array(values), time.perf_counter() - began
