"""Exudyn: the four-bar with a dry spherical joint at C as a ball in a hollow sphere, generalized-α, two step sizes.

Bodies as in exudyn_four_bar.py (two 1D rotors, one rigid coupler on an ideal ball at B); C is an
`ObjectContactSphereSphere` with `isHollowSphere1`, Hertz exponent 1.5 and its Hunt–Crossley model.

What differs from gudgeon's model:
- restitution: nothing. Exudyn's damping factor 3/2 (1 − e)/δ̇⁽⁻⁾ equals Lankarani–Nikravesh's 3/4 (1 − c_r²)/δ̇⁽⁻⁾ at
  e = 0.905 for c_r = 0.9. But δ̇⁽⁻⁾ is the speed at the end of the first step inside, not at the onset, and the force
  is not clipped at 0 (it never would be here);
- friction: μ f_n min(v/v₁, 1), a kink at v₁ instead of tanh(v/v₁): 1.0e-4 of the stroke over 2 s. The error of its own
  is therefore measured against `dry_linear` of tests/references/spatial_four_bar_real.json: the same motion, this law;
- both act at the middle between the two surfaces, as in the reference.

The implicit solver has no error control: its adaptive steps only answer failed Newton iterations. Nearly all of the
error arises in the 30 bounces of the first 0.08 s, so the steps are ten times smaller up to 0.1 s, a gift to Exudyn,
which cannot find that out itself (with one step size: five times the CPU time at the same error). First order, about
14 µs a step; 2 s of motion at an error of 1e-6 against its own law take 6 s.

Settings: modified Newton that refreshes its Jacobian above a contraction of 0.02 (default 0.5: +50 %); no recommended
step sizes at the contact (with them: errors twice as large, samples off by a step); a smallest step of 1e-12 s (the
default of 1e-8 stops at the first impact).

Tried and no better: trapezoidal rule at index 2, spectral radius 1 or 0.5 (default 0.9): same; full Newton: twice the
time; Newton tolerance 1e-10: fails; a kinematic tree of 5 coordinates without constraints, which the explicit solvers
take: RK44 45 µs a step for half the error, RK67 77 µs for no less; DOPRI5 with automatic steps gets lost at the
contact.
"""

import time

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import RigidBodyInertia

from . import four_bar_data as four_bar
from .exudyn_four_bar import Z_TO_X, Z_TO_Y

NAME = "Exudyn (hollow sphere, generalized-α)"
LADDER = (1e-4, 5e-5, 2e-5, 1e-5, 5e-6)  # time step after the bounces, a tenth of it before [s]

BOUNCES_UNTIL = 0.1  # [s]
SOCKET, BALL = 0.010, 0.0099  # radii [m]
STIFFNESS = 1.5088820474803735e11  # Hertz [N/m^1.5]
RESTITUTION = 0.905  # see above
SLOWEST_IMPACT = 1e-4  # [m/s]
FRICTION, SLIDING_SPEED = 0.1, 1e-3  # [-], [m/s]


def build(mbs) -> int:
    """Add the mechanism to an empty system and return the sensor of the rocker's centre of mass."""

    def rotor(inertia, pin, frame):
        node = mbs.AddNode(item.Node1D(referenceCoordinates=[0.0]))
        return mbs.AddObject(
            item.ObjectRotationalMass1D(
                inertia=inertia, nodeNumber=node, referencePosition=pin, referenceRotation=frame
            )
        )

    def marker(body, point, kind=item.MarkerBodyPosition):
        return mbs.AddMarker(kind(bodyNumber=body, localPosition=point))

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
    mbs.AddObject(item.ObjectJointSpherical(markerNumbers=at_B))
    ball = marker(rocker, Z_TO_Y.T @ (four_bar.C0 - four_bar.D), item.MarkerBodyRigid)
    socket = marker(coupler, [0.0, -half, 0.0], item.MarkerBodyRigid)
    memory = mbs.AddNode(
        item.NodeGenericData(initialCoordinates=[SOCKET - BALL, 0.0, 0.0, 0.0], numberOfDataCoordinates=4)
    )
    mbs.AddObject(
        item.ObjectContactSphereSphere(
            markerNumbers=[ball, socket],
            nodeNumber=memory,
            spheresRadii=[BALL, SOCKET],
            isHollowSphere1=True,
            dynamicFriction=FRICTION,
            frictionProportionalZone=SLIDING_SPEED,
            contactStiffness=STIFFNESS,
            contactStiffnessExponent=1.5,
            impactModel=1,
            restitutionCoefficient=RESTITUTION,
            minimumImpactVelocity=SLOWEST_IMPACT,
        )
    )
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
    integration.verboseMode = 0
    integration.minimumStepSize = 1e-12
    integration.discontinuous.useRecommendedStepSize = False
    integration.newton.useModifiedNewton = True
    integration.newton.modifiedNewtonContractivity = 0.02

    bouncing = min(int(np.ceil(BOUNCES_UNTIL / spacing - 1e-9)), len(times) - 1)  # samples
    seconds, stored = 0.0, []
    for first, last, step in ((0, bouncing, 0.1 * accuracy), (bouncing, len(times) - 1, accuracy)):
        if last > first:
            integration.startTime, integration.endTime = times[first], times[last]
            integration.numberOfSteps = (last - first) * int(np.ceil(spacing / step - 1e-9))
            start = time.process_time()
            mbs.SolveDynamic(
                settings,
                solverType=exu.DynamicSolverType.GeneralizedAlpha,
                updateInitialValues=True,
                showHints=False,
            )
            seconds += time.process_time() - start
            stored.append(mbs.GetSensorStoredData(sensor)[first - last - (first == 0) :])
    samples = np.concatenate(stored)
    if samples.shape[0] != len(times) or not np.allclose(samples[:, 0], times, rtol=0.0, atol=1e-9):
        raise RuntimeError(f"Exudyn stored {samples.shape[0]} samples, {len(times)} were asked for")
    return samples[:, 1:4], seconds
