"""Exudyn: the standard slider-crank with a dry gudgeon pin as a user function of a connector, generalized-α.

Rod and slider are rigid bodies (the crank pin is prescribed by a user function of a marker on the ground's node, the
slider by a prismatic joint); the pin is an `ObjectConnectorRigidBodySpringDamper` whose force and torque are a Python
function: gudgeon's line law and friction. Exudyn has no journal with clearance of its own in this version (its contact
circles know neither a hollow bore nor a line law).
"""

import math
import time

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import RigidBodyInertia

from . import journal_slider_crank as data

NAME = "Exudyn (user function, generalized-α)"
LADDER = (2e-6, 1e-6, 5e-7)  # time step [s]


class Pin:
    """The law, and the energy it has lost."""

    def __init__(self):
        self.power = 0.0

    def wrench(self, e, v, wz):
        """Force on the pin (marker 1), and torque about the bore's centre, which its guide takes from the slider.

        The connector's forces act at the two centres, its torques are opposite; its velocity is that of the centres in
        the rod's axes. The slider does not turn, so that all levers are from the bore's centre.
        """
        away = math.hypot(e[0], e[1])
        depth = away - data.CLEARANCE
        if depth <= 0.0:
            self.power = 0.0
            return 0.0, 0.0, 0.0
        nx, ny = e[0] / away, e[1] / away
        lever = 0.5 * (data.BORE + data.PIN + away)
        ux, uy = v[0] - wz * lever * ny, v[1] + wz * lever * nx
        rate, slip = nx * ux + ny * uy, -ny * ux + nx * uy
        elastic = data.LENGTH * math.pi * data.MODULUS * depth
        elastic /= data.A + data.B * math.log(1.0 + data.C * data.CLEARANCE / depth)
        normal = max(elastic * (1.0 + data.DAMPING * rate), 0.0)
        friction = data.MU * normal * math.tanh(slip / data.SLIDING_SPEED)
        self.power = (normal - elastic) * rate + friction * slip
        return -normal * nx + friction * ny, -normal * ny - friction * nx, -friction * lever


def run(step: float) -> tuple[float, float]:
    """Energy lost in the first revolution [J], and the CPU time [s]."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    pin = Pin()
    ground = mbs.AddObject(item.ObjectGround())
    far = data.CRANK + data.ROD
    crank = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=1.0, inertiaTensor=np.diag([1e-3] * 3)),
        referencePosition=[0, 0, 0],
        initialAngularVelocity=[0, 0, data.SPEED],
    )
    rod = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=data.ROD_MASS, inertiaTensor=np.diag([2e-5, 2.5e-4, data.ROD_INERTIA])),
        referencePosition=[data.CRANK + data.ROD / 2, 0, 0],
        initialVelocity=[0, 0.5 * data.CRANK * data.SPEED, 0],
        initialAngularVelocity=[0, 0, -data.CRANK * data.SPEED / data.ROD],
    )
    slider = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=data.SLIDER_MASS, inertiaTensor=np.diag([1e-4] * 3)),
        referencePosition=[far, 0, 0],
    )

    def marker(body, point):
        return mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=point))

    def held(a, b, axes):
        mbs.AddObject(item.GenericJoint(markerNumbers=[a, b], constrainedAxes=axes))

    on_ground, on_crank = marker(ground, [0, 0, 0]), marker(crank, [0, 0, 0])

    def turn(mbs, t, number, offsets):
        return [0, 0, 0, 0, 0, data.SPEED * t]

    def turn_rate(mbs, t, number, offsets):
        return [0, 0, 0, 0, 0, data.SPEED]

    mbs.AddObject(
        item.GenericJoint(
            markerNumbers=[on_ground, on_crank],
            constrainedAxes=[1] * 6,
            offsetUserFunction=turn,
            offsetUserFunction_t=turn_rate,
        )
    )
    held(marker(crank, [data.CRANK, 0, 0]), marker(rod, [-data.ROD / 2, 0, 0]), [1, 1, 1, 1, 1, 0])
    held(marker(ground, [far, 0, 0]), marker(slider, [0, 0, 0]), [0, 1, 1, 1, 1, 1])

    def push(mbs, t, number, displacement, rotation, velocity, angular, K, D, R0, R1, offset):
        fx, fy, tz = pin.wrench(displacement, velocity, angular[2])
        return [-fx, -fy, 0.0, 0.0, 0.0, -tz]

    mbs.AddObject(
        item.RigidBodySpringDamper(
            markerNumbers=[marker(rod, [data.ROD / 2, 0, 0]), marker(slider, [0, 0, 0])],
            stiffness=np.eye(6),
            damping=np.eye(6),
            springForceTorqueUserFunction=push,
        )
    )
    lost = [0.0]

    def after(mbs, t):
        lost[0] += pin.power * step
        return True

    mbs.SetPreStepUserFunction(after)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.endTime = data.REVOLUTION
    settings.timeIntegration.numberOfSteps = round(data.REVOLUTION / step)
    settings.timeIntegration.newton.useModifiedNewton = True
    began = time.process_time()
    mbs.SolveDynamic(settings)
    return lost[0], time.process_time() - began
