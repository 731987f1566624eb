"""Maps: one number of every run over two parameters of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


def study_map(data: xr.Dataset, output: str, *, logarithmic: bool = False) -> Figure:
    """The picture of an output of a study over its two parameters; the mean over the members of an ensemble.

    >>> gd.study_map(data, "energy_lost").savefig("map.png")  # doctest: +SKIP
    """
    from gudgeon.view.responses import field

    if output not in data:
        raise ModelError(f"study_map: no output {output!r}; {did_you_mean(output, map(str, data.data_vars))}")
    values = data[output].mean("member") if "member" in data[output].dims else data[output]
    if values.ndim != 2:
        raise ModelError(f"study_map: {output!r} has the dimensions {values.dims}; a map has two parameters")
    one, two = map(str, values.dims)
    labels = [f"{name} [{data[name].attrs.get('units', '1')}]" for name in (one, two, output)]
    grid = values.coords[one].values, values.coords[two].values
    return field(*grid, values.values, (labels[0], labels[1], labels[2]), logarithmic)
