"""Laws: scalar functions for contact, friction and films, each with its formula, source and validity.

contact   `Hertz`, `KelvinVoigt`                                elastic; spring and damper
          `HuntCrossley`                                        damping of the material, or a restitution
          `LankaraniNikravesh`, `HerbertMcWhannell`, `LeeWang`  f = K δⁿ (1 + χ δ̇/δ̇⁽⁻⁾), small losses
          `Flores`, `Gonthier`, `HuGuo`, `ZhiyingQishao`        the same, all losses
          `GharibHurmuzlu`                                      the same, large losses
line      `GreenwoodTripp`                                      rough pin in its bore, below its film
friction  `Coulomb`, `Threlfall`, `Ambrosio`                    one coefficient, smoothed at rest
          `BengisuAkay`, `Stribeck`                             static and kinetic coefficient, smoothed at rest
          `LuGre`                                               sticks: bristles, a state of the joint
          `DryFriction`                                         sticks: set-valued, for sliders in guides
film      `SqueezeFilm`                                         ball in a lubricated socket

`sphere_in_socket`, `spheres` and `sphere_on_plane` give the stiffness of a contact, `elastic_layer` that per area for
`gd.SurfaceContact`, `recovered_restitution` what a contact law makes of the restitution it was given. The base classes
`ContactLaw`, `FrictionLaw` and `FilmLaw` show how to write one's own.

>>> import gudgeon as gd
>>> law = gd.laws.LankaraniNikravesh(stiffness=1.51e11, restitution=0.5)
>>> round(gd.laws.recovered_restitution(law), 3)
0.725
"""

from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw
from gudgeon.laws.contact import (
    Flores,
    GharibHurmuzlu,
    Gonthier,
    HerbertMcWhannell,
    Hertz,
    HuGuo,
    HuntCrossley,
    KelvinVoigt,
    LankaraniNikravesh,
    LeeWang,
    ZhiyingQishao,
)
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.film import SqueezeFilm
from gudgeon.laws.friction import Ambrosio, BengisuAkay, Coulomb, LuGre, Stribeck, Threlfall
from gudgeon.laws.greenwood_tripp import GreenwoodTripp
from gudgeon.laws.layer import elastic_layer
from gudgeon.laws.restitution import recovered_restitution
from gudgeon.laws.stiffness import sphere_in_socket, sphere_on_plane, spheres

__all__ = [
    "Ambrosio",
    "BengisuAkay",
    "ContactLaw",
    "Coulomb",
    "DryFriction",
    "FilmLaw",
    "Flores",
    "FrictionLaw",
    "GharibHurmuzlu",
    "Gonthier",
    "GreenwoodTripp",
    "HerbertMcWhannell",
    "Hertz",
    "HuGuo",
    "HuntCrossley",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "LeeWang",
    "LuGre",
    "SqueezeFilm",
    "Stribeck",
    "Threlfall",
    "ZhiyingQishao",
    "elastic_layer",
    "recovered_restitution",
    "sphere_in_socket",
    "sphere_on_plane",
    "spheres",
]
