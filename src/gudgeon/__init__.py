"""gudgeon: multibody mechanisms whose joints are real.

>>> import gudgeon as gd
>>> result = gd.simulate(gd.examples.spatial_four_bar(), 2.0)  # doctest: +SKIP
"""

from gudgeon.public_names import public_names as _public_names

__version__ = "0.1.0"
__all__, __getattr__, __dir__ = _public_names(__name__, __file__)  # listed in __init__.pyi
