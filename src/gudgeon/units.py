"""The units of what a Dataset of a result holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr

UNITS = {
    "joint_position": ("coordinate_unit", ""),
    "joint_velocity": ("rate_unit", ""),
    "joint_acceleration": ("rate_unit", "^2"),
    "drive_effort": ("drive_unit", ""),
    "controller_state": ("state_unit", ""),
    "controller_output": ("output_unit", ""),
}  # where the units of single coordinates, rates and drives are, and what is to be added


def unit_of(data: xr.Dataset, variable: str, place: tuple[int, ...] = ()) -> str:
    """The unit of a variable, or of one coordinate or drive of it."""
    if variable in UNITS and place:
        units, power = UNITS[variable]
        if units in data.coords:
            return f"{data[units].values[place[0]]}{power}"
    return str(data[variable].attrs.get("units", "1"))
