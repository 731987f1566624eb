"""What engineers have, as numbers for a model: fits, oils, materials, roughness. Pure Python, no state.

>>> import gudgeon as gd
>>> gd.fits.radial_clearance("H7/g6", 0.020)
RadialClearance(smallest=3.5e-06, mean=1.2e-05, largest=2.05e-05)
>>> round(gd.oils.viscosity("ISO VG 46", 40), 4)
0.0414
"""

from gudgeon.inputs import fits, oils, roughness
from gudgeon.inputs.material import Material, materials

__all__ = ["Material", "fits", "materials", "oils", "roughness"]
