"""gudgeon: multibody mechanisms whose joints are real.

>>> import gudgeon as gd
>>> result = gd.simulate(gd.examples.spatial_four_bar(), 2.0)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon import examples, io, laws, nurbs
    from gudgeon.analysis.inverse_dynamics import inverse_dynamics
    from gudgeon.analysis.kinematics import kinematics
    from gudgeon.assembly import Assembly, assemble
    from gudgeon.body import Body, BodyState
    from gudgeon.crossings import Crossing
    from gudgeon.drives import Drive
    from gudgeon.equilibria import Equilibrium, equilibrium
    from gudgeon.errors import FileError, ModelError, SimulationError, SimulationInterrupted
    from gudgeon.flexible_body import FlexibleBody
    from gudgeon.formulation import Absolute, Relative
    from gudgeon.gap_histories import gap_history
    from gudgeon.guide import Guide
    from gudgeon.interface import Interface
    from gudgeon.joints import (
        Cylindrical,
        Free,
        Prismatic,
        Revolute,
        Rigid,
        Spherical,
        Universal,
        UniversalPrismatic,
    )
    from gudgeon.linearization import Linearization, linearize
    from gudgeon.loads import Force, JointSpring, SpringDamper, Torque
    from gudgeon.models.bushing import Bushing
    from gudgeon.models.dry import Dry
    from gudgeon.models.flexible_slider import FlexibleSlider
    from gudgeon.models.ideal import Ideal
    from gudgeon.models.impact import Newton, Poisson, Stronge
    from gudgeon.models.lubricated import Lubricated
    from gudgeon.models.penalty_pin import PenaltyPin
    from gudgeon.models.rigid_slider import RigidSlider
    from gudgeon.models.surface_contact import SurfaceContact
    from gudgeon.result import Result, load
    from gudgeon.simulation import simulate
    from gudgeon.solvers.explicit import Explicit
    from gudgeon.solvers.implicit import Implicit
    from gudgeon.solvers.sundials import Sundials
    from gudgeon.solvers.time_stepping import TimeStepping
    from gudgeon.stabilization import Baumgarte, Projection
    from gudgeon.state import State
    from gudgeon.system import System
    from gudgeon.topology import Topology

__version__ = "0.1.0"

# where each public name lives; imported when first used, so that `import gudgeon` is instant
_HOME = {
    "examples": "gudgeon.examples",
    "laws": "gudgeon.laws",
    "nurbs": "gudgeon.nurbs",
    "io": "gudgeon.io",
    "Assembly": "gudgeon.assembly",
    "assemble": "gudgeon.assembly",
    "Body": "gudgeon.body",
    "BodyState": "gudgeon.body",
    "Crossing": "gudgeon.crossings",
    "Drive": "gudgeon.drives",
    "Equilibrium": "gudgeon.equilibria",
    "equilibrium": "gudgeon.equilibria",
    "FileError": "gudgeon.errors",
    "ModelError": "gudgeon.errors",
    "SimulationError": "gudgeon.errors",
    "SimulationInterrupted": "gudgeon.errors",
    "Absolute": "gudgeon.formulation",
    "Relative": "gudgeon.formulation",
    "Interface": "gudgeon.interface",
    "gap_history": "gudgeon.gap_histories",
    "Cylindrical": "gudgeon.joints",
    "Free": "gudgeon.joints",
    "Prismatic": "gudgeon.joints",
    "Revolute": "gudgeon.joints",
    "Rigid": "gudgeon.joints",
    "Spherical": "gudgeon.joints",
    "Universal": "gudgeon.joints",
    "UniversalPrismatic": "gudgeon.joints",
    "inverse_dynamics": "gudgeon.analysis.inverse_dynamics",
    "kinematics": "gudgeon.analysis.kinematics",
    "Linearization": "gudgeon.linearization",
    "linearize": "gudgeon.linearization",
    "Force": "gudgeon.loads",
    "JointSpring": "gudgeon.loads",
    "SpringDamper": "gudgeon.loads",
    "Torque": "gudgeon.loads",
    "FlexibleBody": "gudgeon.flexible_body",
    "Guide": "gudgeon.guide",
    "Bushing": "gudgeon.models.bushing",
    "Dry": "gudgeon.models.dry",
    "Ideal": "gudgeon.models.ideal",
    "Lubricated": "gudgeon.models.lubricated",
    "FlexibleSlider": "gudgeon.models.flexible_slider",
    "Newton": "gudgeon.models.impact",
    "Poisson": "gudgeon.models.impact",
    "Stronge": "gudgeon.models.impact",
    "PenaltyPin": "gudgeon.models.penalty_pin",
    "RigidSlider": "gudgeon.models.rigid_slider",
    "SurfaceContact": "gudgeon.models.surface_contact",
    "Result": "gudgeon.result",
    "load": "gudgeon.result",
    "simulate": "gudgeon.simulation",
    "Explicit": "gudgeon.solvers.explicit",
    "Implicit": "gudgeon.solvers.implicit",
    "Sundials": "gudgeon.solvers.sundials",
    "TimeStepping": "gudgeon.solvers.time_stepping",
    "Baumgarte": "gudgeon.stabilization",
    "Projection": "gudgeon.stabilization",
    "State": "gudgeon.state",
    "System": "gudgeon.system",
    "Topology": "gudgeon.topology",
}

__all__ = [  # noqa: RUF022 (the order of use)
    "System",
    "Body",
    "BodyState",
    "State",
    "Rigid",
    "Revolute",
    "Prismatic",
    "Cylindrical",
    "Universal",
    "Spherical",
    "UniversalPrismatic",
    "Guide",
    "Free",
    "Ideal",
    "Dry",
    "Lubricated",
    "Bushing",
    "RigidSlider",
    "FlexibleSlider",
    "FlexibleBody",
    "Newton",
    "Poisson",
    "Stronge",
    "PenaltyPin",
    "SurfaceContact",
    "laws",
    "Force",
    "Torque",
    "SpringDamper",
    "JointSpring",
    "Drive",
    "Crossing",
    "Topology",
    "assemble",
    "Assembly",
    "simulate",
    "Absolute",
    "Relative",
    "kinematics",
    "inverse_dynamics",
    "Implicit",
    "Explicit",
    "Sundials",
    "TimeStepping",
    "Baumgarte",
    "Projection",
    "Result",
    "load",
    "equilibrium",
    "Equilibrium",
    "linearize",
    "Linearization",
    "Interface",
    "gap_history",
    "nurbs",
    "io",
    "ModelError",
    "FileError",
    "SimulationError",
    "SimulationInterrupted",
    "examples",
]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module 'gudgeon' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_HOME[name])
    value = module if module.__name__ == f"gudgeon.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
