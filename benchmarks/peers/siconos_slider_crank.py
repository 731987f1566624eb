"""Simulate the hard-contact slider-crank of Flores, Leine and Glocker (2010) with Siconos' Moreau-Jean time stepping.

To be run by an interpreter that has Siconos (Debian: ``python3-siconos``, i.e. the system's python3) and a C compiler
in the path.  The model functions are compiled C, called by Siconos through its plugin mechanism as in its own C++
example; Python only turns the time loop, unless ``--inner-loop`` leaves that to Siconos too (then only the end state is
reported).  One line of JSON is printed: the settings, CPU seconds of the time loop alone and the states at the sample
times (the nearest time steps).

Conventions are those of the reference: q = (theta1, theta2, theta3) absolute angles in rad, corners 1 (-a, +b),
2 (+a, +b), 3 (-a, -b), 4 (+a, -b) of the slider, walls at y = +-(b + c).  SI units.

    python3 siconos_slider_crank.py --step 1e-5 --end 0.2 --samples 50 --case published
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

PARAMETERS = {  # m, kg, kg m^2, m/s^2
    "l1": 0.1530,
    "l2": 0.3060,
    "a": 0.05,
    "b": 0.025,
    "c": 0.001,
    "m1": 0.038,
    "m2": 0.038,
    "m3": 0.076,
    "J1": 7.4e-5,
    "J2": 5.9e-4,
    "J3": 2.7e-6,
    "gravity": 9.81,
}
CASES = {"published": (150.0, -75.0, 0.0), "tutorial": (150.0, -75.0, -0.01)}  # initial speeds, rad/s; all angles 0

MODEL = """
#include <math.h>
#define K ((0.5*m2 + m3)*l1*l2)
#define ARGS unsigned int n, double *q, double *v, double *out, unsigned int nz, double *z
void mass(unsigned int n, double *q, double *m, unsigned int nz, double *z) {
  double c = K*cos(q[0] - q[1]);
  m[0] = J1 + (0.25*m1 + m2 + m3)*l1*l1; m[1] = c; m[2] = 0;
  m[3] = c; m[4] = J2 + (0.25*m2 + m3)*l2*l2; m[5] = 0;
  m[6] = 0; m[7] = 0; m[8] = J3;
}
void gyr(ARGS) {
  double s = K*sin(q[0] - q[1]);
  out[0] = s*v[1]*v[1]; out[1] = -s*v[0]*v[0]; out[2] = 0;
}
void gyr_q(ARGS) {
  double c = K*cos(q[0] - q[1]);
  for (int i = 0; i < 9; ++i) out[i] = 0;
  out[0] = c*v[1]*v[1]; out[1] = -c*v[0]*v[0]; out[3] = -out[0]; out[4] = -out[1];
}
void gyr_v(ARGS) {
  double s = K*sin(q[0] - q[1]);
  for (int i = 0; i < 9; ++i) out[i] = 0;
  out[1] = -2*s*v[0]; out[3] = 2*s*v[1];
}
void weight(double t, ARGS) {
  out[0] = (0.5*m1 + m2 + m3)*gravity*l1*cos(q[0]); out[1] = (0.5*m2 + m3)*gravity*l2*cos(q[1]); out[2] = 0;
}
void weight_q(double t, ARGS) {
  for (int i = 0; i < 9; ++i) out[i] = 0;
  out[0] = -(0.5*m1 + m2 + m3)*gravity*l1*sin(q[0]); out[4] = -(0.5*m2 + m3)*gravity*l2*sin(q[1]);
}
void weight_v(double t, ARGS) { for (int i = 0; i < 9; ++i) out[i] = 0; }

/* corner (x, e) in units of (a, b): gap and x coordinate, and their gradients (2x3, columnwise) */
static void gap(double x, double e, const double *q, double *y) {
  double s3 = sin(q[2]), c3 = cos(q[2]);
  y[0] = b + c - e*(l1*sin(q[0]) + l2*sin(q[1]) + x*a*s3 + e*b*c3);
  y[1] = l1*cos(q[0]) + l2*cos(q[1]) + x*a*c3 - e*b*s3;
}
static void grad(double x, double e, const double *q, double *w) {
  double s3 = sin(q[2]), c3 = cos(q[2]);
  w[0] = -e*l1*cos(q[0]); w[1] = -l1*sin(q[0]);
  w[2] = -e*l2*cos(q[1]); w[3] = -l2*sin(q[1]);
  w[4] = -e*x*a*c3 + b*s3; w[5] = -x*a*s3 - e*b*c3;
}
#define CORNER(k, x, e) \\
  void g##k(unsigned int n, double *q, unsigned int m, double *y, unsigned int nz, double *z) { gap(x, e, q, y); } \\
  void w##k(unsigned int n, double *q, unsigned int m, double *w, unsigned int nz, double *z) { grad(x, e, q, w); }
CORNER(1, -1, 1)
CORNER(2, 1, 1)
CORNER(3, -1, -1)
CORNER(4, 1, -1)
"""


def build_plugin(folder):
    """Compile the model functions; returns the plugin's path without its suffix."""
    constants = "".join(f"static const double {k} = {v!r};\n" for k, v in PARAMETERS.items())
    source = os.path.join(folder, "slider_crank.c")
    with open(source, "w", encoding="utf-8") as stream:
        stream.write(constants + MODEL)
    target = os.path.join(folder, "slider_crank.so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", target, source, "-lm"], check=True)
    return target[:-3]


def build(plugin, speeds, step, end, args):
    """Siconos' system and simulation."""
    import siconos.kernel as sk
    import siconos.numerics as sn

    body = sk.LagrangianDS([0.0, 0.0, 0.0], list(speeds), plugin + ":mass")
    body.setComputeFGyrFunction(plugin, "gyr")
    body.setComputeJacobianFGyrqFunction(plugin, "gyr_q")
    body.setComputeJacobianFGyrqDotFunction(plugin, "gyr_v")
    body.setComputeFIntFunction(plugin, "weight")
    body.setComputeJacobianFIntqFunction(plugin, "weight_q")
    body.setComputeJacobianFIntqDotFunction(plugin, "weight_v")
    system = sk.NonSmoothDynamicalSystem(0.0, end)
    system.insertDynamicalSystem(body)
    keep = []
    for k in range(1, 5):
        law = sk.NewtonImpactFrictionNSL(args.e_n, 0.0, args.mu, 2)
        relation = sk.LagrangianScleronomousR(f"{plugin}:g{k}", f"{plugin}:w{k}")
        contact = sk.Interaction(law, relation)
        system.link(contact, body)
        keep.append((law, relation, contact))
    integrator = sk.MoreauJeanOSI(args.theta)
    problem = sk.FrictionContact(2, getattr(sn, "SICONOS_FRICTION_2D_" + args.solver))
    options = problem.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1000
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, step))
    simulation.insertIntegrator(integrator)
    simulation.insertNonSmoothProblem(problem, sk.SICONOS_OSNSP_TS_VELOCITY)
    simulation.setNewtonTolerance(1e-10)
    simulation.setNewtonMaxIteration(200)
    return body, simulation, (system, integrator, problem, keep)


def simulate(args):
    """Run once and return the record to print."""
    count = round(args.end / args.step)
    wanted = [round(k * count / args.samples) for k in range(1, args.samples + 1)]
    states = []
    with tempfile.TemporaryDirectory() as folder:
        # half a step more than asked for: Siconos stops one step early when the end is hit by rounding
        body, simulation, _keep = build(
            build_plugin(folder), CASES[args.case], args.step, (count + 0.5) * args.step, args
        )
        q, v = body.q(), body.velocity()
        if args.inner_loop:
            start = time.process_time()
            simulation.run()
            cpu = time.process_time() - start
            states.append([simulation.startingTime(), *map(float, q), *map(float, v)])
        else:
            advance, process = simulation.advanceToEvent, simulation.processEvents
            done = 0
            start = time.process_time()
            for target in wanted:
                for _ in range(target - done):
                    advance()
                    process()
                done = target
                states.append([done * args.step, *map(float, q), *map(float, v)])
            cpu = time.process_time() - start
    record = {
        "code": "siconos",
        "case": args.case,
        "step": args.step,
        "steps": count,
        "theta": args.theta,
        "solver": args.solver,
        "cpu_seconds": cpu,
        "columns": ["t", "theta1", "theta2", "theta3", "omega1", "omega2", "omega3"],
        "states": states,
    }
    return record


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--case", choices=sorted(CASES), default="published")
    parser.add_argument("--step", type=float, default=1e-5, help="time step, s")
    parser.add_argument("--end", type=float, default=0.2, help="end time, s")
    parser.add_argument("--samples", type=int, default=50, help="number of equidistant sample times")
    parser.add_argument("--e-n", type=float, default=0.4, help="normal restitution")
    parser.add_argument("--mu", type=float, default=0.01, help="friction coefficient")
    parser.add_argument("--theta", type=float, default=0.5, help="theta of the Moreau-Jean scheme")
    parser.add_argument("--solver", default="ENUM", choices=("ENUM", "NSGS", "LEMKE", "CPG"), help="contact solver")
    parser.add_argument("--inner-loop", action="store_true", help="let Siconos turn the time loop; end state only")
    args = parser.parse_args()
    out = os.dup(1)  # Siconos writes to stdout: keep that apart from the JSON
    os.dup2(2, 1)
    record = simulate(args)
    sys.stdout.flush()
    os.dup2(out, 1)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
