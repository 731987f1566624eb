"""Exudyn: two 1D rotors and one rigid coupler, two spherical joints, implicit trapezoidal rule at index 2.

Crank and rocker turn about pins fixed in space, which `ObjectRotationalMass1D` does with one coordinate
each (inertia about the pin, weight as a force at the centre of mass); the coupler is a rigid body with
Euler parameters. 9 coordinates, 7 constraint rows. Modified Newton refreshes its Jacobian above a
contraction of 0.02 (default 0.5: more iterations, +40 %).

Tried and slower or less accurate (this choice: second order, about 14 µs a step, 0.34 s at an error of
1e-6):
- three rigid bodies with revolute and spherical joints: same accuracy, 60–90 µs a step;
- a kinematic tree (5 coordinates) closed by one spherical joint: errors half as large, but 130 µs a step;
- coupler with Tait–Bryan angles: same; with a rotation vector (Lie group): +25 %;
- generalized-α: 2.7 times the error at the same step; Newmark at index 2: the same as this;
- Newton tolerance 1e-7 instead of 1e-8: up to 25 % faster, but the error stagnates at 1e-6; sparse solvers
  +30 %;
- the explicit solvers (ODE23, DOPRI5, RK44, RK67) take no joints, only coordinate constraints. With springs
  of stiffness k in place of the balls the error is about 1e4/k [N/m], whichever solver. The cheapest, ODE23
  with automatic steps, needs 0.5 s at k = 1e7 (error 7e-4) and 1.6 s at 1e8 (4e-5); 1e-6 was not reached.
"""

import time

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import RigidBodyInertia

from . import four_bar_data as four_bar

NAME = "Exudyn (trapezoidal, index 2)"
LADDER = (1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5, 2.5e-5)  # time step [s]

Z_TO_X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # a 1D rotor turns about its local z
Z_TO_Y = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


def build(mbs) -> int:
    """Add the mechanism to an empty system and return the sensor of the rocker's centre of mass."""

    def rotor(inertia, pin, frame):
        node = mbs.AddNode(item.Node1D(referenceCoordinates=[0.0]))
        return mbs.AddObject(
            item.ObjectRotationalMass1D(
                inertia=inertia, nodeNumber=node, referencePosition=pin, referenceRotation=frame
            )
        )

    def marker(body, point):
        return mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=point))

    crank = rotor(four_bar.CRANK_INERTIA[0], four_bar.A, Z_TO_X)
    lever = four_bar.ROCKER_LENGTH / 2
    rocker = rotor(four_bar.ROCKER_INERTIA[0] + four_bar.ROCKER_MASS * lever**2, four_bar.D, Z_TO_Y)
    coupler = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=four_bar.COUPLER_MASS, inertiaTensor=np.diag(four_bar.COUPLER_INERTIA)),
        referencePosition=four_bar.COUPLER_CENTRE,
        referenceRotationMatrix=four_bar.COUPLER_FRAME,
        gravity=four_bar.GRAVITY,
        nodeType=exu.NodeType.RotationEulerParameters,
    )
    centre = marker(rocker, Z_TO_Y.T @ (four_bar.ROCKER_CENTRE - four_bar.D))
    mbs.AddLoad(item.LoadForceVector(markerNumber=centre, loadVector=four_bar.ROCKER_MASS * four_bar.GRAVITY))
    half = four_bar.COUPLER_LENGTH / 2
    at_B = [marker(crank, Z_TO_X.T @ (four_bar.B0 - four_bar.A)), marker(coupler, [0.0, half, 0.0])]
    at_C = [marker(rocker, Z_TO_Y.T @ (four_bar.C0 - four_bar.D)), marker(coupler, [0.0, -half, 0.0])]
    mbs.AddObject(item.ObjectJointSpherical(markerNumbers=at_B))
    mbs.AddObject(item.ObjectJointSpherical(markerNumbers=at_C))
    return mbs.AddSensor(
        item.SensorMarker(
            markerNumber=centre,
            storeInternal=True,
            writeToFile=False,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )


def run(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rocker's centre at `times`, evenly spaced from 0, (n, 3) [m], and the CPU time [s]."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    sensor = build(mbs)
    mbs.Assemble()
    spacing = times[1] - times[0]
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = spacing
    integration = settings.timeIntegration
    integration.endTime = times[-1]
    integration.numberOfSteps = (len(times) - 1) * int(np.ceil(spacing / accuracy - 1e-9))
    integration.adaptiveStep = False
    integration.verboseMode = 0
    integration.newton.useModifiedNewton = True
    integration.newton.modifiedNewtonContractivity = 0.02
    start = time.process_time()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.TrapezoidalIndex2, showHints=False)
    seconds = time.process_time() - start
    stored = mbs.GetSensorStoredData(sensor)
    if stored.shape[0] != len(times) or not np.allclose(stored[:, 0], times, rtol=0.0, atol=1e-9):
        raise RuntimeError(f"Exudyn stored {stored.shape[0]} samples, {len(times)} were asked for")
    return stored[:, 1:4], seconds
