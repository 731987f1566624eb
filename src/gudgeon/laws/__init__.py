"""Laws: scalar functions for contact, friction and films, each with its formula, source and validity.

contact   `Hertz`, `KelvinVoigt`                                elastic; spring and damper
          `HuntCrossley`                                        damping of the material, or a restitution
          `LankaraniNikravesh`, `HerbertMcWhannell`, `LeeWang`  f = K δⁿ (1 + χ δ̇/δ̇⁽⁻⁾), small losses
          `Flores`, `Gonthier`, `HuGuo`, `ZhiyingQishao`        the same, all losses
          `GharibHurmuzlu`                                      the same, large losses
friction  `Coulomb`, `Threlfall`, `Ambrosio`                    one coefficient, smoothed at rest
          `BengisuAkay`, `Stribeck`                             static and kinetic coefficient, smoothed at rest
          `LuGre`                                               sticks: bristles, a state of the joint
          `DryFriction`                                         sticks: set-valued, for sliders in guides
film      `SqueezeFilm`                                         ball in a lubricated socket
line      `PinInBore`                                           force per length of a pin in its bore; the default
          `Johnson`, `Radzimovsky`, `ESDU78035`                 Hertz with a logarithm, void at large depths
          `Pereira`, `LiuZhangYang`                             explicit, fitted
          `Liner`, `SphereAsPin`                                a soft layer; a ball's stiffness, to reproduce papers
          `GreenwoodTripp`                                      asperities that touch where a film is thin

`sphere_in_socket`, `spheres` and `sphere_on_plane` give the stiffness of a contact, `elastic_layer` that per area for
`gd.SurfaceContact`, `flat_pad` that of the faces of `gd.DryBox`, `thrust_face` that of a collar, `contact_modulus` the
E* of two materials; `pin_in_bore` makes the line law of a pin from a drawing. `recovered_restitution` tells what a
contact law makes of a restitution, `loss_factor` what returns it exactly. The base classes `ContactLaw`, `FrictionLaw`,
`FilmLaw` and `LineLaw` show how to write others.

>>> import gudgeon as gd
>>> law = gd.laws.LankaraniNikravesh(stiffness=1.51e11, restitution=0.5)
>>> round(gd.laws.recovered_restitution(law), 3)
0.725
"""

from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw, LineLaw
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
from gudgeon.laws.line import PinInBore, contact_modulus, pin_in_bore, thrust_face
from gudgeon.laws.line_explicit import LiuZhangYang, Pereira, SphereAsPin
from gudgeon.laws.line_logarithmic import ESDU78035, Johnson, Radzimovsky
from gudgeon.laws.liner import Liner
from gudgeon.laws.pad import flat_pad
from gudgeon.laws.restitution import loss_factor, recovered_restitution
from gudgeon.laws.stiffness import sphere_in_socket, sphere_on_plane, spheres

__all__ = [
    "ESDU78035",
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
    "Johnson",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "LeeWang",
    "LineLaw",
    "Liner",
    "LiuZhangYang",
    "LuGre",
    "Pereira",
    "PinInBore",
    "Radzimovsky",
    "SphereAsPin",
    "SqueezeFilm",
    "Stribeck",
    "Threlfall",
    "ZhiyingQishao",
    "contact_modulus",
    "elastic_layer",
    "flat_pad",
    "loss_factor",
    "pin_in_bore",
    "recovered_restitution",
    "sphere_in_socket",
    "sphere_on_plane",
    "spheres",
    "thrust_face",
]
