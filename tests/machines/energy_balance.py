"""Kinetic + potential + dissipated − supplied energy of a run, which is constant."""

import numpy as np
from scipy.integrate import cumulative_simpson


def unbalanced(result) -> float:
    """The range of that sum, of the energy exchanged [-]. Powers are integrated over the samples (Simpson's rule)."""
    data, supplied = result.data, 0.0
    for name, of in (("load_power", "load"), ("drive_power", "drive")):
        if name in data:
            supplied = supplied + data[name].sum(of).values
    total = data.mechanical_energy.values - np.append(
        0.0, cumulative_simpson(supplied * np.ones(len(data.time)), x=data.time.values)
    )
    if "dissipated_energy" in data:
        total = total + np.nansum(data.dissipated_energy.values, axis=1)
    if "switch_energy" in data:
        total = total + data.switch_energy.sum("switch").values
    exchanged = np.ptp(data.kinetic_energy.values) + np.ptp(data.potential_energy.values)
    rounding = 1e-9 * np.abs(data.mechanical_energy.values).max()  # what does not move exchanges none
    return float(np.ptp(total) / max(exchanged, rounding))
