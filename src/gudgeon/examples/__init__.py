"""Mechanisms from the literature, ready to run.

>>> import gudgeon as gd
>>> gd.examples.spatial_four_bar().name
'spatial four-bar'
"""

from gudgeon.examples.four_bar import SPHERICAL_JOINTS, spatial_four_bar, spherical_joint_model
from gudgeon.examples.slider_crank import REVOLUTE_JOINTS, slider_crank_clearance
from gudgeon.examples.sliders import slider_crank_flexible_slider, slider_crank_hard_contact, stick_slip_oscillator

__all__ = [
    "REVOLUTE_JOINTS",
    "SPHERICAL_JOINTS",
    "slider_crank_clearance",
    "slider_crank_flexible_slider",
    "slider_crank_hard_contact",
    "spatial_four_bar",
    "spherical_joint_model",
    "stick_slip_oscillator",
]


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
