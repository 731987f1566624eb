"""Physical quantities as types: the numbers are in these SI units, here and everywhere.

A field of type `Length` is a float in metres. Model files read from the type in which unit a number is and of which
dimension a text such as "9.9 mm" has to be.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from gudgeon.checks import Vec3


class Unit(NamedTuple):
    """The SI unit of a field. `N/m^exponent`: the power is another field; of a coordinate: that of an angle first."""

    name: str
    displacement: str = ""  # instead, where the coordinate is a displacement

    def per_area(self) -> Unit:
        """The unit where a force is a pressure.

        >>> Unit("N·s/m").per_area().name, Unit("s/m").per_area().name
        ('Pa·s/m', 's/m')
        """
        return Unit(f"Pa{self.name[1:]}") if self.name[:1] == "N" else self


class PerArea:
    """Marks a law whose force is per area."""


Time = Annotated[float, Unit("s")]
Rate = Annotated[float, Unit("1/s")]
Length = Annotated[float, Unit("m")]
Curvature = Annotated[float, Unit("1/m")]
Speed = Annotated[float, Unit("m/s")]
Slowness = Annotated[float, Unit("s/m")]
Angle = Annotated[float, Unit("rad")]
Mass = Annotated[float, Unit("kg")]
Density = Annotated[float, Unit("kg/m³")]
Expansion = Annotated[float, Unit("1/K")]
Pressure = Annotated[float, Unit("Pa")]
Viscosity = Annotated[float, Unit("Pa·s")]
Stiffness = Annotated[float, Unit("N/m")]
HertzStiffness = Annotated[float, Unit("N/m^exponent")]
Damping = Annotated[float, Unit("N·s/m")]
TiltStiffness = Annotated[float, Unit("N·m/rad")]
TiltDamping = Annotated[float, Unit("N·m·s/rad")]

Point = Annotated[Vec3, Unit("m")]
Velocity = Annotated[Vec3, Unit("m/s")]
Acceleration = Annotated[Vec3, Unit("m/s²")]
AngularVelocity = Annotated[Vec3, Unit("rad/s")]
