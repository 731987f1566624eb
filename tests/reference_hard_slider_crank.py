"""Event-driven reference for the hard-contact slider-crank with translational clearance.

The mechanism is the one of Flores, Leine and Glocker (Multibody Syst Dyn 23, 165-190, 2010): a rigid crank, a rigid
rod and a slider whose four corners move between two parallel rigid walls with clearance.  Contacts are unilateral,
impacts follow Newton's law of restitution with Coulomb friction, persistent contacts slide or stick with Coulomb
friction.  Nothing here is regularised: between events the motion is a smooth ODE (DOP853), events are located by root
finding and polished by re-integration, and every impact or contact transition is solved by going through all contact
states of the small complementarity problem.

Conventions (those of the Siconos example ``SliderCrank``)
    q = (theta1, theta2, theta3): absolute angles from the x axis (rad, counter-clockwise) of crank, rod and slider;
    crank pivot at the origin, walls y = +-d/2 with d = 2 (b + c), gravity along -y, no drive.
    slider centre (= rod end) x = l1 cos th1 + l2 cos th2, y = l1 sin th1 + l2 sin th2.
    corners in slider axes (xi, eta): 1 (-a, +b), 2 (+a, +b), 3 (-a, -b), 4 (+a, -b);
    corner position xc = x + xi cos th3 - eta sin th3, yc = y + xi sin th3 + eta cos th3;
    gaps g1, g2 = d/2 - yc (upper wall), g3, g4 = d/2 + yc (lower wall); tangential velocity gammaT = d(xc)/dt.

Impact law, for all closed contacts together (post-impact "+", pre-impact "-")
    0 <= LambdaN  _|_  gammaN+ + eN gammaN- >= 0,      -LambdaT in mu LambdaN Sgn(gammaT+ + eT gammaT-),  eT = 0.

`python tests/reference_hard_slider_crank.py` writes tests/references/hard_slider_crank.json anew. SI units throughout.
"""

import itertools
import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from scipy.integrate import DOP853
from scipy.optimize import brentq

SOURCE = (
    "siconos/siconos-tutorials examples/mechanics/SliderCrank: SCConst.h (commit 9593e971), "
    "SliderCrankPlugin/SliderCrankPlugin.cpp (0e0b8c44), SliderCrankMoreauJeanOSI.cpp (20c96640, eN=0.4, mu=0.01, "
    "omega3=-0.01); omega3=0: siconos/siconos examples/Mechanics/SliderCrank/SliderCrankMoreauJeanOSI.cpp (0c3debc9) "
    "and the .ref files; all after Flores, Leine, Glocker, Multibody Syst Dyn 23 (2010) 165-190, Table 1"
)


@dataclass(frozen=True)
class Parameters:
    """Slider-crank of Flores, Leine and Glocker (2010), Table 1."""

    l1: float = 0.1530  # crank length, m
    l2: float = 0.3060  # rod length, m
    a: float = 0.05  # half length of the slider, m
    b: float = 0.025  # half height of the slider, m
    c: float = 0.001  # clearance on each side, m (wall distance d = 2 (b + c))
    m1: float = 0.038  # masses of crank, rod, slider, kg
    m2: float = 0.038
    m3: float = 0.076
    J1: float = 7.4e-5  # moments of inertia about the centres of mass, kg m^2
    J2: float = 5.9e-4
    J3: float = 2.7e-6
    gravity: float = 9.81  # m/s^2, along -y
    e_N: float = 0.4  # normal restitution (Newton)
    e_T: float = 0.0  # tangential restitution (only 0 is implemented)
    mu: float = 0.01  # Coulomb friction


@dataclass(frozen=True)
class Tolerances:
    """Numerical thresholds of the event-driven scheme."""

    rtol: float = 1e-12
    atol: float = 1e-14
    max_step: float = 2e-4  # s
    gap: float = 1e-14  # m: contacts closer than this at an impact take part in it
    velocity: float = 3e-6  # m/s: slower impacts are inelastic (end of an accumulation; rebounds below rounding)
    force: float = 1e-9  # N: contacts with less normal force than this at a detachment detach together
    samples: int = 8  # points per integration step at which event functions are looked at


class SliderCrank:
    """Equations of motion and contact kinematics in minimal coordinates."""

    xi = (-1.0, 1.0, -1.0, 1.0)
    eta = (1.0, 1.0, -1.0, -1.0)

    def __init__(self, par=None):
        self.par = p = par or Parameters()
        if p.e_T != 0.0:
            raise ValueError("only e_T = 0 is implemented")
        self.m11 = p.J1 + (0.25 * p.m1 + p.m2 + p.m3) * p.l1**2
        self.m22 = p.J2 + (0.25 * p.m2 + p.m3) * p.l2**2
        self.k = (0.5 * p.m2 + p.m3) * p.l1 * p.l2
        self.w1 = (0.5 * p.m1 + p.m2 + p.m3) * p.gravity * p.l1
        self.w2 = (0.5 * p.m2 + p.m3) * p.gravity * p.l2

    def mass_inverse(self, q):
        """Inverse of the 3x3 mass matrix."""
        m12 = self.k * math.cos(q[1] - q[0])
        det = self.m11 * self.m22 - m12 * m12
        return np.array(
            [[self.m22 / det, -m12 / det, 0.0], [-m12 / det, self.m11 / det, 0.0], [0.0, 0.0, 1.0 / self.par.J3]]
        )

    def free_acceleration(self, q, v):
        """Acceleration without contact forces, as three floats."""
        s, co = math.sin(q[0] - q[1]), math.cos(q[0] - q[1])
        m12 = self.k * co
        f1 = -self.k * s * v[1] * v[1] - self.w1 * math.cos(q[0])
        f2 = self.k * s * v[0] * v[0] - self.w2 * math.cos(q[1])
        det = self.m11 * self.m22 - m12 * m12
        return (self.m22 * f1 - m12 * f2) / det, (self.m11 * f2 - m12 * f1) / det, 0.0

    def energy(self, q, v):
        """Total mechanical energy, J (zero at rest with all centres at y = 0)."""
        kin = 0.5 * (self.m11 * v[0] ** 2 + self.m22 * v[1] ** 2 + self.par.J3 * v[2] ** 2)
        kin += self.k * math.cos(q[0] - q[1]) * v[0] * v[1]
        return kin + self.w1 * math.sin(q[0]) + self.w2 * math.sin(q[1])

    def gap(self, q, i):
        """Normal gap of corner i (0-based)."""
        p = self.par
        y = p.l1 * math.sin(q[0]) + p.l2 * math.sin(q[1])
        # written around c so that the rounding error stays near 1e-18 m
        return p.c - self.eta[i] * (y + self.xi[i] * p.a * math.sin(q[2])) + 2.0 * p.b * math.sin(0.5 * q[2]) ** 2

    def normal(self, q, i):
        """Gradient of the gap of corner i."""
        p, s = self.par, -self.eta[i]
        s3, c3 = math.sin(q[2]), math.cos(q[2])
        return np.array([s * p.l1 * math.cos(q[0]), s * p.l2 * math.cos(q[1]), s * self.xi[i] * p.a * c3 + p.b * s3])

    def tangent(self, q, i):
        """Gradient of the x coordinate of corner i."""
        p = self.par
        s3, c3 = math.sin(q[2]), math.cos(q[2])
        return np.array(
            [-p.l1 * math.sin(q[0]), -p.l2 * math.sin(q[1]), -self.xi[i] * p.a * s3 - self.eta[i] * p.b * c3]
        )

    def normal_rest(self, q, v, i):
        """Velocity terms of the gap's second derivative."""
        p, s = self.par, -self.eta[i]
        s3, c3 = math.sin(q[2]), math.cos(q[2])
        return (
            -s * (p.l1 * math.sin(q[0]) * v[0] ** 2 + p.l2 * math.sin(q[1]) * v[1] ** 2)
            + (-s * self.xi[i] * p.a * s3 + p.b * c3) * v[2] ** 2
        )

    def tangent_rest(self, q, v, i):
        """Velocity terms of the second derivative of the corner's x coordinate."""
        p = self.par
        s3, c3 = math.sin(q[2]), math.cos(q[2])
        return (
            -p.l1 * math.cos(q[0]) * v[0] ** 2
            - p.l2 * math.cos(q[1]) * v[1] ** 2
            + (-self.xi[i] * p.a * c3 + self.eta[i] * p.b * s3) * v[2] ** 2
        )


def solve_contacts(minv, free, contacts, mu, eps):
    """Solve a planar frictional complementarity problem by going through all contact states.

    ``free`` is the velocity (or acceleration) without contact reactions.  Each contact is a tuple (normal gradient,
    tangent gradient, offset added to the normal rate, offset added to the tangential rate, fixed slip direction or
    None).  Returns (rate with reactions, normal reactions, tangential reactions, states); a state is "open", +1, -1
    (slip direction) or 0 (stick).
    """
    n = len(contacts)
    choices = [([0, 1, -1] if c[4] is None else [c[4]]) + ["open"] for c in contacts]
    best = None
    for states in itertools.product(*choices):
        columns, rows, rhs = [], [], []
        for (wn, wt, bn, bt, _), st in zip(contacts, states, strict=True):
            if st == "open":
                continue
            rows.append(wn)
            rhs.append(-(wn @ free + bn))
            columns.append(wn if st == 0 else wn - mu * st * wt)
            if st == 0:
                rows.append(wt)
                rhs.append(-(wt @ free + bt))
                columns.append(wt)
        if columns:
            cols = minv @ np.array(columns).T
            matrix = np.array(rows) @ cols
            if 0 in states:  # at a dead centre (and for two sticking corners) these equations are dependent
                sol = np.linalg.lstsq(matrix, np.array(rhs), rcond=1e-12)[0]
                if np.abs(matrix @ sol - rhs).max() > 1e-9 * max(1.0, np.abs(rhs).max()):
                    continue  # sticking is kinematically impossible
            else:
                sol = np.linalg.solve(matrix, rhs)
            rate = free + cols @ sol
        else:
            sol, rate = np.zeros(0), free.copy()
        lam_n, lam_t, k, bad = np.zeros(n), np.zeros(n), 0, 0.0
        for j, ((wn, wt, bn, bt, fixed), st) in enumerate(zip(contacts, states, strict=True)):
            if st == "open":
                bad = max(bad, -(wn @ rate + bn))
                continue
            lam_n[j] = sol[k]
            lam_t[j] = sol[k + 1] if st == 0 else -mu * st * sol[k]
            k += 2 if st == 0 else 1
            bad = max(bad, -lam_n[j])
            if st == 0:
                bad = max(bad, abs(lam_t[j]) - mu * lam_n[j])
            elif fixed is None:
                bad = max(bad, -st * (wt @ rate + bt))
        if bad <= eps:
            return rate, lam_n, lam_t, states
        if best is None or bad < best[0]:
            best = (bad, states)
    raise RuntimeError(f"no consistent contact state; the nearest is {best}")


@dataclass
class Run:
    """Result of a simulation."""

    events: list = field(default_factory=list)
    samples: list = field(default_factory=list)
    energy: list = field(default_factory=list)


class EventDriven:
    """Event-driven integration of the slider-crank."""

    def __init__(self, model=None, tol=None):
        self.model = model or SliderCrank()
        self.tol = tol or Tolerances()

    # -- smooth phases -------------------------------------------------------------------------------------------
    def _reactions(self, q, v, phase):
        """Acceleration and contact forces in a phase {corner: slip direction or 0 for stick}."""
        m, mu = self.model, self.model.par.mu
        free = np.array(m.free_acceleration(q, v))
        if not phase:
            return free, {}
        minv = m.mass_inverse(q)
        columns, rows, rhs, owner = [], [], [], []
        for i, s in phase.items():
            wn, wt = m.normal(q, i), m.tangent(q, i)
            rows.append(wn)
            rhs.append(-(wn @ free + m.normal_rest(q, v, i)))
            columns.append(wn if s == 0 else wn - mu * s * wt)
            owner.append(i)
            if s == 0:
                rows.append(wt)
                rhs.append(-(wt @ free + m.tangent_rest(q, v, i)))
                columns.append(wt)
                owner.append(i)
        cols = minv @ np.array(columns).T
        matrix = np.array(rows) @ cols
        many_sticks = list(phase.values()).count(0) > 1
        lam = np.linalg.lstsq(matrix, rhs, rcond=1e-12)[0] if many_sticks else np.linalg.solve(matrix, rhs)
        forces = {}
        for i, value in zip(owner, lam, strict=True):
            forces.setdefault(i, []).append(value)
        return free + cols @ lam, forces

    def _rhs(self, phase):
        m = self.model
        if not phase:

            def rhs(_, y):
                return np.array([y[3], y[4], y[5], *m.free_acceleration(y, y[3:])])

        else:

            def rhs(_, y):
                return np.concatenate([y[3:], self._reactions(y[:3], y[3:], phase)[0]])

        return rhs

    def _event_functions(self, phase):
        """List of (kind, corner, function of the state); an event is a crossing from positive to negative."""
        m, mu = self.model, self.model.par.mu
        out = []
        for i in range(4):
            if i not in phase:
                out.append(("impact", i, lambda y, i=i: m.gap(y, i)))
                continue
            s = phase[i]
            out.append(("detach", i, lambda y, i=i: self._reactions(y[:3], y[3:], phase)[1][i][0]))
            if s:
                out.append(("reverse", i, lambda y, i=i, s=s: s * (m.tangent(y, i) @ y[3:])))
            else:

                def cone(y, i=i):
                    f = self._reactions(y[:3], y[3:], phase)[1][i]
                    return mu * f[0] - abs(f[1])

                out.append(("slip", i, cone))
        return out

    def _integrate(self, phase, t0, y0, t1):
        """End state of a phase at t1, without looking for events."""
        if t1 == t0:
            return y0
        solver = DOP853(
            self._rhs(phase), t0, y0, t1, rtol=self.tol.rtol, atol=self.tol.atol, max_step=self.tol.max_step
        )
        while solver.status == "running":
            solver.step()
        if solver.status == "failed":
            raise RuntimeError("integration failed")
        return solver.y

    def _polish(self, phase, t0, y0, root, fun):
        """Refine an event time found on the dense output by re-integration from the start of the step."""
        t, dt = root, max(1e-9, 1e-6 * (root - t0))
        y = self._integrate(phase, t0, y0, t)
        rate = self._rhs(phase)
        for _ in range(3):
            f = fun(y)
            slope = (fun(y + dt * rate(t, y)) - fun(y - dt * rate(t, y))) / (2.0 * dt)
            if slope >= 0.0:
                break
            step = f / slope
            t_new = t - step
            if not t0 <= t_new or abs(step) > 1e-7 or abs(step) < 2e-16 * t:
                break
            t = t_new
            y = self._integrate(phase, t0, y0, t)
        return t, y

    def _first_event(self, phase, functions, t0, y0, t1, dense):
        """First event of a step as (time, kind, corner, function), or None."""
        m = self.model
        grid = np.linspace(t0, t1, self.tol.samples + 1)
        states = [y0] + [dense(t) for t in grid[1:]]
        first = None
        for kind, i, fun in functions:
            for ta, tb, ya, yb in zip(grid[:-1], grid[1:], states[:-1], states[1:], strict=True):
                if first and ta >= first[0]:
                    break
                fa, fb = fun(ya), fun(yb)
                lo = ta
                if kind == "impact":

                    def rate(t, i=i):
                        y = dense(t)
                        return m.normal(y, i) @ y[3:]

                    ra, rb = m.normal(ya, i) @ ya[3:], m.normal(yb, i) @ yb[3:]
                    if fb >= 0.0:
                        if not (ra < 0.0 < rb) or min(fa, fb) > 1e-6:
                            continue
                        hi = brentq(rate, ta, tb, xtol=1e-18)  # the gap has a minimum inside: a dip below zero?
                        if fun(dense(hi)) >= -self.tol.gap:
                            continue
                    else:
                        hi = tb
                        if ra > 0.0:
                            lo = brentq(rate, ta, tb, xtol=1e-18) if rb < 0.0 else tb  # apex of a small rebound
                        if fun(dense(lo)) <= 0.0:
                            if fa <= self.tol.gap and fb > -self.tol.gap:
                                continue  # a contact just released, at rounding level
                            if ra <= 0.0 and ta == grid[0] and i not in phase and fa <= self.tol.gap:
                                raise RuntimeError(f"corner {i + 1} sinks in after its release at t = {ta}")
                            hi = lo
                else:
                    if fb >= 0.0:
                        continue
                    if fa <= 0.0:
                        if ta == grid[0] and kind == "reverse":
                            continue  # just reversed: the sign is still at rounding level
                        hi = ta
                    else:
                        hi = tb
                if hi == lo or fun(dense(lo)) <= 0.0:
                    root = lo
                else:
                    root = brentq(lambda t, fun=fun: fun(dense(t)), lo, hi, xtol=1e-18, rtol=1e-15)
                if first is None or root < first[0]:
                    first = (root, kind, i, fun)
                break
        return first

    # -- transitions ---------------------------------------------------------------------------------------------
    def _impact(self, q, v, log):
        """Impacts at the present configuration until no closed contact approaches; returns the new velocity."""
        m, mu, tol = self.model, self.model.par.mu, self.tol
        for _ in range(1000):
            rates = {i: m.normal(q, i) @ v for i in range(4) if m.gap(q, i) <= tol.gap}
            hit = [i for i, r in rates.items() if r <= tol.velocity]
            if not hit or min(rates[i] for i in hit) >= -1e-13:
                return v
            contacts = []
            for i in hit:
                e = m.par.e_N if rates[i] < -tol.velocity else 0.0
                contacts.append((m.normal(q, i), m.tangent(q, i), e * rates[i], 0.0, None))
            v_new, lam_n, lam_t, _ = solve_contacts(m.mass_inverse(q), v, contacts, mu, 1e-12)
            log.append(
                {
                    "kind": "impact",
                    "corners": [i + 1 for i in hit],
                    "normal_velocity_before": [float(rates[i]) for i in hit],
                    "normal_velocity_after": [float(m.normal(q, i) @ v_new) for i in hit],
                    "normal_impulse": lam_n.tolist(),
                    "tangential_impulse": lam_t.tolist(),
                    "energy_before": m.energy(q, v),
                    "energy_after": m.energy(q, v_new),
                    "elastic": bool(min(rates[i] for i in hit) < -tol.velocity),
                }
            )
            v = v_new
        raise RuntimeError("impacts do not settle")

    def _new_phase(self, q, v, released=()):
        """Contacts that persist after an event, with their slip directions."""
        m, tol = self.model, self.tol
        closed = [
            i
            for i in range(4)
            if i not in released and m.gap(q, i) <= tol.gap and abs(m.normal(q, i) @ v) <= tol.velocity
        ]
        if not closed:
            return {}
        contacts = []
        for i in closed:
            slip = m.tangent(q, i) @ v
            fixed = None if abs(slip) < 1e-9 else int(math.copysign(1, slip))
            contacts.append((m.normal(q, i), m.tangent(q, i), m.normal_rest(q, v, i), m.tangent_rest(q, v, i), fixed))
        free = np.array(m.free_acceleration(q, v))
        _, _, _, states = solve_contacts(m.mass_inverse(q), free, contacts, m.par.mu, 1e-7)
        return {i: st for i, st in zip(closed, states, strict=True) if st != "open"}

    def _project(self, y, phase):
        """Put gaps and gap rates of persistent contacts to zero.

        This removes drift (rounding and integration error) and, at the end of an accumulation of impacts, the rest of
        the rebound below the velocity tolerance: the sum of all further impulses is the one that stops the gap rates.
        """
        m, mu = self.model, self.model.par.mu
        q, v = y[:3].copy(), y[3:].copy()
        if phase:
            for _ in range(2):
                w = np.array([m.normal(q, i) for i in phase])
                cols = m.mass_inverse(q) @ w.T
                q -= cols @ np.linalg.solve(w @ cols, [m.gap(q, i) for i in phase])
            w = np.array([m.normal(q, i) for i in phase])
            cols = m.mass_inverse(q) @ np.array([m.normal(q, i) - mu * s * m.tangent(q, i) for i, s in phase.items()]).T
            v -= cols @ np.linalg.solve(w @ cols, w @ v)
        return np.concatenate([q, v])

    # -- driver --------------------------------------------------------------------------------------------------
    def run(self, q0, v0, times, max_events=200000):
        """Simulate from t = 0 and return states at ``times`` (increasing) with the event log."""
        m, out = self.model, Run()
        t, y = 0.0, np.array([*q0, *v0], dtype=float)
        phase = self._new_phase(y[:3], y[3:])

        def note(kind, **more):
            out.events.append({"t": t, "kind": kind, **more, "phase": {i + 1: s for i, s in phase.items()}})

        for t_end in times:
            while t < t_end:
                functions = self._event_functions(phase)
                solver = DOP853(
                    self._rhs(phase), t, y, t_end, rtol=self.tol.rtol, atol=self.tol.atol, max_step=self.tol.max_step
                )
                found = None
                while solver.status == "running" and found is None:
                    t_old, y_old = solver.t, solver.y.copy()
                    message = solver.step()
                    if solver.status == "failed":
                        raise RuntimeError(message)
                    found = self._first_event(phase, functions, t_old, y_old, solver.t, solver.dense_output())
                if found is None:
                    t, y = t_end, self._project(solver.y, phase)
                    break
                root, kind, corner, fun = found
                t, y = self._polish(phase, t_old, y_old, root, fun)
                t = float(t)
                y = self._project(y, phase)
                if kind == "impact":
                    if m.gap(y, corner) > self.tol.gap:
                        raise RuntimeError(f"event at t = {t} is off by {m.gap(y, corner)} m")
                    log = []
                    y[3:] = self._impact(y[:3], y[3:], log)
                    phase = self._new_phase(y[:3], y[3:])
                    for entry in log:
                        entry = dict(entry)
                        note(entry.pop("kind"), **entry)
                elif kind == "detach":
                    forces = self._reactions(y[:3], y[3:], phase)[1]
                    gone = [i for i, f in forces.items() if i == corner or f[0] < self.tol.force]
                    phase = self._new_phase(y[:3], y[3:], released=gone)
                    note("detach", corners=[i + 1 for i in gone])
                else:
                    phase = self._new_phase(y[:3], y[3:])
                    note(kind, corners=[corner + 1])
                y = self._project(y, phase)
                out.energy.append((t, m.energy(y[:3], y[3:])))
                if len(out.events) > max_events:
                    raise RuntimeError(f"more than {max_events} events before t = {t}")
            out.samples.append((t, *map(float, y)))
            out.energy.append((t, m.energy(y[:3], y[3:])))
        return out


CASES = {
    # omega3 = 0 (the published start): corners 1+2 and 3+4 always strike together, the slider never turns
    "published": (0.0, 0.0, 0.0, 150.0, -75.0, 0.0),
    # the start of the current Siconos tutorial: corners strike one after another
    "tutorial": (0.0, 0.0, 0.0, 150.0, -75.0, -0.01),
}


def simulate(case, t_end, samples, par=None, tol=None, change=(0.0,) * 6):
    """Run a case with an optional change of the initial state; returns a :class:`Run`."""
    start = np.array(CASES[case]) + np.array(change)
    times = np.linspace(0.0, t_end, samples + 1)[1:]
    return EventDriven(SliderCrank(par), tol).run(start[:3], start[3:], [float(t) for t in times])


def difference(first, second):
    """Largest differences of crank angle (rad) and crank speed (rad/s) between two runs up to each sample time."""
    a, b = np.array(first.samples), np.array(second.samples)
    gap = np.maximum.accumulate(np.abs(a - b), axis=0)
    return [{"t": float(t), "angle": float(g[1]), "speed": float(g[4])} for t, g in zip(a[:, 0], gap, strict=True)]


def report(case, t_end, samples):
    """Reference data of a case as a dictionary fit for JSON, with an estimate of its accuracy."""
    run = simulate(case, t_end, samples)
    other = simulate(case, t_end, samples, tol=Tolerances(rtol=1e-11, max_step=1e-4))
    energy = np.array(run.energy)
    keep = ("t", "corners", "normal_velocity_before", "normal_velocity_after", "energy_before", "energy_after")
    impacts = [e for e in run.events if e["kind"] == "impact"]
    return {
        "initial_state": dict(
            zip(("theta1", "theta2", "theta3", "omega1", "omega2", "omega3"), CASES[case], strict=True)
        ),
        "accuracy": difference(run, other)[-1],
        "counts": {k: sum(e["kind"] == k for e in run.events) for k in ("impact", "detach", "reverse", "slip")},
        "largest_energy_increase": float(np.diff(energy[:, 1]).max()),
        "first_impacts": [{name: event[name] for name in keep} for event in impacts[:24]],
        "detachments": [e["t"] for e in run.events if e["kind"] == "detach"],
        "samples": {
            "t": [row[0] for row in run.samples],
            "theta1": [row[1] for row in run.samples],
            "omega1": [row[4] for row in run.samples],
            "energy": [SliderCrank().energy(row[1:4], row[4:7]) for row in run.samples],
        },
    }


def main():
    """Write the stored numbers."""
    data = {
        "source": f"tests/reference_hard_slider_crank.py, for {SOURCE}",
        "units": "m, kg, s, rad, N, J",
        "parameters": asdict(Parameters()),
        "cases": {case: report(case, 0.2, 50) for case in CASES},
    }
    target = Path(__file__).parent / "references" / "hard_slider_crank.json"
    target.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
