"""Second, independent implementation of the two examples of docs/sliders.md (flexible slider in a guide with play).

    M ü + C u̇ + K u = Q + Q_N + Q_τ + Q_FR,   C = α M + β K                                     (5, 6)
    F_N = max(K_c δ + D δ̇, 0) for δ >= 0, else 0                                                (1)
    |v| >= v0: F_τ = −μ_k F_N sgn v;   |v| < v0: the F_τ that makes u̇ constant, within ±μ_s F_N   (13)
    F_R = k_R (r_R − r_n) on the pin node, −F_R on the end of the rod                           (4)

Nothing is imported from gudgeon. Two integrators that share only the matrices:

`explicit`  the paper's own procedure, node by node, with fixed-step RK4.
`implicit`  backward Euler (order=1) or BDF2 with an Euler step after each change of contact state (order=2);
            M + hC + h²K inverted once, contact + pin + friction solved by Gauss–Seidel with true sticking (v = 0).
            With `rigid=True` the slider is a rigid body (x, y, φ) with four corner points and the same laws.

Conventions. Nodes row by row from the top left, numbered from 0 (the paper's node 1 is 0); u[2i], u[2i+1] are x and
y displacements of node i from the centred slider; y up; guides at ±(height/2 + clearance). θ1, θ2 absolute angles of
crank and rod, anticlockwise from x. Friction forces are forces on the slider along x. "Friction sum" adds them over all
surface nodes.

`python tests/reference_flexible_slider.py` writes tests/references/flexible_slider.json anew (about ten minutes).
"""

import json
import math
from pathlib import Path

import numpy as np
from numba import njit

# index of the scalar parameters in `p`
KC, DC, MUS, MUK, V0, CLR, KR, G, AMP, OMG, L1, L2, M1, M2, KSP, X0, ALPHA, BETA = range(18)


def q4(width, height, young, poisson, thickness=1.0):
    """Stiffness of a plane-stress rectangle; nodes anticlockwise from the lower left, 2×2 Gauss points."""
    E = young / (1 - poisson**2) * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])
    corner = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    k = np.zeros((8, 8))
    for r in (-(3**-0.5), 3**-0.5):
        for s in (-(3**-0.5), 3**-0.5):
            nx = corner[:, 0] * (1 + corner[:, 1] * s) / 4 * 2 / width
            ny = corner[:, 1] * (1 + corner[:, 0] * r) / 4 * 2 / height
            B = np.zeros((3, 8))
            B[0, 0::2], B[1, 1::2], B[2, 0::2], B[2, 1::2] = nx, ny, ny, nx
            k += B.T @ E @ B * width * height / 4 * thickness
    return k


class Slider:
    """Mesh, matrices and parameters of one example (all SI)."""

    def __init__(self, nx, ny, width, height, density, p, pin=None, push=(), spring=(), young=1000.0, poisson=0.3):
        self.nx, self.ny, self.p, self.pin = nx, ny, p, -1 if pin is None else pin
        n = (nx + 1) * (ny + 1)
        self.K, self.mass, self.xy = np.zeros((2 * n, 2 * n)), np.zeros(n), np.zeros((n, 2))
        ke = q4(width / nx, height / ny, young, poisson)
        for r in range(ny + 1):
            for c in range(nx + 1):
                self.xy[r * (nx + 1) + c] = -width / 2 + c * width / nx, height / 2 - r * height / ny
        for r in range(ny):
            for c in range(nx):
                low, up = (r + 1) * (nx + 1) + c, r * (nx + 1) + c
                nodes = np.array([low, low + 1, up + 1, up])
                dof = np.stack([2 * nodes, 2 * nodes + 1], 1).ravel()
                self.K[np.ix_(dof, dof)] += ke
                self.mass[nodes] += density * width * height / (nx * ny) / 4  # lumped
        self.surface = np.r_[np.arange(nx + 1), np.arange(ny * (nx + 1), n)]  # upper row, then lower row
        self.side = np.r_[np.ones(nx + 1), -np.ones(nx + 1)]  # +1 upper guide, −1 lower guide
        self.push = np.array(push, dtype=np.int64)  # nodes that share the applied force
        self.spring = np.array(spring, dtype=np.int64)  # nodes that share the spring
        self.m = np.repeat(self.mass, 2)
        self.width, self.height = width, height
        self.band = max(abs(i - j) for i, j in np.argwhere(self.K))  # half bandwidth


def oscillator(v0=1e-5):
    """Example 1: 5×5 elements; force 0.05 m above the bottom edge on the right, spring at mid-height on the left.

    Both on two nodes each. The spring pulls with k times the mean displacement of its two nodes, half on each.
    """
    p = np.zeros(18)
    p[[KC, DC, MUS, MUK, V0, CLR, G, AMP, OMG, KSP, ALPHA, BETA]] = (
        1e4,
        1e3,
        0.20,
        0.15,
        v0,
        2.5e-3,
        9.81,
        1.5,
        math.pi / 10,
        1.0,
        0.010,
        0.544,
    )
    return Slider(5, 5, 0.6, 0.5, 1 / 3, p, push=(29, 35), spring=(12, 18))


def slider_crank(nx=2, ny=2, v0=1e-5):
    """Example 2: nx×ny elements, both even; the pin is the centre node."""
    p = np.array(
        [1e4, 1e3, 0.04, 0.03, v0, 2.5e-3, 1e5, 9.81, 6.0, math.pi / 6, 1.8, 2.0, 2.0, 1.0, 0.0, 3.8, 0.010, 0.544]
    )
    return Slider(nx, ny, 0.5, 0.3, 20 / 3, p, pin=(ny // 2) * (nx + 1) + nx // 2)


# ------------------------------------------------------------------------------------------ (a) the paper's procedure
@njit(cache=True)
def rhs(t, y, dy, p, m, K, band, surface, side, pin, push, spring, FN, FT):
    """State y = [u, θ1, θ2, u̇, θ̇1, θ̇2]; FN, FT return the contact forces per surface node. Returns r_R − r_n."""
    N = m.size
    for i in range(N):
        dy[N + 2 + i] = -m[i] * (p[ALPHA] * y[N + 2 + i] + (p[G] if i % 2 else 0.0))
        dy[i] = y[N + 2 + i]
    for j in range(N):  # − K (u + β u̇), K symmetric and banded, by columns
        e, lo = y[j] + p[BETA] * y[N + 2 + j], max(0, j - band)
        row = K[j, lo : min(N, j + band + 1)]
        f = dy[N + 2 + lo : N + 2 + lo + row.size]
        for i in range(row.size):
            f[i] -= row[i] * e
    dy[N], dy[N + 1] = y[2 * N + 2], y[2 * N + 3]
    dy[2 * N + 2] = dy[2 * N + 3] = 0.0
    drive = p[AMP] * math.sin(p[OMG] * t)
    for i in push:
        dy[N + 2 + 2 * i] += drive / push.size
    if spring.size:
        mean = 0.0
        for i in spring:
            mean += y[2 * i] / spring.size
        for i in spring:
            dy[N + 2 + 2 * i] -= p[KSP] * mean / spring.size
    gx = gy = 0.0
    if pin >= 0:
        s1, c1, s2, c2 = math.sin(y[N]), math.cos(y[N]), math.sin(y[N + 1]), math.cos(y[N + 1])
        w1, w2 = y[2 * N + 2], y[2 * N + 3]
        gx = p[L1] * c1 + p[L2] * c2 - p[X0] - y[2 * pin]
        gy = p[L1] * s1 + p[L2] * s2 - y[2 * pin + 1]
        fx, fy = p[KR] * gx, p[KR] * gy
        dy[N + 2 + 2 * pin] += fx
        dy[N + 3 + 2 * pin] += fy
        c12, s12 = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2
        h = 0.5 * p[M2] * p[L1] * p[L2]
        a11, a22, a12 = (p[M1] / 3 + p[M2]) * p[L1] ** 2, p[M2] / 3 * p[L2] ** 2, h * c12
        b1 = drive - (0.5 * p[M1] + p[M2]) * p[G] * p[L1] * c1 - h * s12 * w2 * w2 + p[L1] * (s1 * fx - c1 * fy)
        b2 = -0.5 * p[M2] * p[G] * p[L2] * c2 + h * s12 * w1 * w1 + p[L2] * (s2 * fx - c2 * fy)
        det = a11 * a22 - a12 * a12
        dy[2 * N + 2], dy[2 * N + 3] = (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det
    for k in range(surface.size):
        i = surface[k]
        delta, rate = side[k] * y[2 * i + 1] - p[CLR], side[k] * y[N + 3 + 2 * i]
        FN[k] = max(p[KC] * delta + p[DC] * rate, 0.0) if delta >= 0.0 else 0.0
        v = y[N + 2 + 2 * i]
        if abs(v) >= p[V0]:
            FT[k] = -p[MUK] * FN[k] if v > 0 else p[MUK] * FN[k]
        else:
            FT[k] = min(max(-dy[N + 2 + 2 * i], -p[MUS] * FN[k]), p[MUS] * FN[k])
        dy[N + 2 + 2 * i] += FT[k]
        dy[N + 3 + 2 * i] -= side[k] * FN[k]
    for i in range(N):
        dy[N + 2 + i] /= m[i]
    return gx, gy


@njit(cache=True)
def note(t, FN, FT, v, stuck_below, gx, gy, since, ext, events, count, pending):
    """Extremes of the run (row 0 whole run, row 1 from `since` on) and instants when 'all that touch stick' changes.

    ext columns: min, max friction sum; max |gap x|, |gap y|; max over columns of F_upper·F_lower; max upper normal
    force; max upper normal force at inner nodes; time of max and min friction sum.
    """
    n = FN.size // 2
    total, both, top, inner, touching, stuck = 0.0, 0.0, 0.0, 0.0, 0, 0
    for k in range(2 * n):
        total += FT[k]
        if FN[k] > 0:
            touching += 1
            stuck += abs(v[k]) < stuck_below
    for k in range(n):
        both, top = max(both, FN[k] * FN[k + n]), max(top, FN[k])
        if 0 < k < n - 1:
            inner = max(inner, FN[k])
    for r in range(2 if t >= since else 1):
        if total < ext[r, 0]:
            ext[r, 0], ext[r, 8] = total, t
        if total > ext[r, 1]:
            ext[r, 1], ext[r, 7] = total, t
        ext[r, 2], ext[r, 3] = max(ext[r, 2], abs(gx)), max(ext[r, 3], abs(gy))
        ext[r, 4], ext[r, 5], ext[r, 6] = max(ext[r, 4], both), max(ext[r, 5], top), max(ext[r, 6], inner)
    now = 1 if touching > 0 and stuck == touching else 0
    if now != pending and count < events.shape[0]:
        events[count, 0], events[count, 1] = t, now
        count += 1
    return count, now


@njit(cache=True)
def rk4(y, t_end, h, every, since, p, m, K, band, surface, side, pin, push, spring):
    """Fixed steps; samples every `every` steps: [t, y, FN, FT]."""
    N, n = m.size, surface.size
    steps = round(t_end / h)
    out = np.zeros((steps // every + 1, 1 + y.size + 2 * n))
    ext, events, count, state = np.zeros((2, 9)), np.zeros((20000, 2)), 0, 0
    k1, k2, k3, k4, z = np.zeros_like(y), np.zeros_like(y), np.zeros_like(y), np.zeros_like(y), np.zeros_like(y)
    FN, FT, A, B, vs = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for s in range(steps + 1):
        t = s * h
        gx, gy = rhs(t, y, k1, p, m, K, band, surface, side, pin, push, spring, FN, FT)
        for k in range(n):
            vs[k] = y[N + 2 + 2 * surface[k]]
        count, state = note(t, FN, FT, vs, p[V0], gx, gy, since, ext, events, count, state)
        if s % every == 0:
            r = s // every
            out[r, 0] = t
            out[r, 1 : 1 + y.size] = y
            out[r, 1 + y.size : 1 + y.size + n] = FN
            out[r, 1 + y.size + n :] = FT
        if s == steps:
            break
        for i in range(y.size):
            z[i] = y[i] + 0.5 * h * k1[i]
        rhs(t + 0.5 * h, z, k2, p, m, K, band, surface, side, pin, push, spring, A, B)
        for i in range(y.size):
            z[i] = y[i] + 0.5 * h * k2[i]
        rhs(t + 0.5 * h, z, k3, p, m, K, band, surface, side, pin, push, spring, A, B)
        for i in range(y.size):
            z[i] = y[i] + h * k3[i]
        rhs(t + h, z, k4, p, m, K, band, surface, side, pin, push, spring, A, B)
        for i in range(y.size):
            y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])
    return out, ext, events[:count]


class Run:
    """Samples by name: t, u, v (samples × dofs), theta, omega, FN, FT; `extremes` and `events` from every step."""

    def __init__(self, s, out, ext, events, size):
        N, n = size, (out.shape[1] - 1 - 2 * size - 4) // 2
        self.t, y = out[:, 0], out[:, 1 : 2 * N + 5]
        self.u, self.theta, self.v, self.omega = y[:, :N], y[:, N : N + 2], y[:, N + 2 : 2 * N + 2], y[:, 2 * N + 2 :]
        self.FN, self.FT = out[:, 2 * N + 5 : 2 * N + 5 + n], out[:, 2 * N + 5 + n :]
        names = (
            "friction_min",
            "friction_max",
            "gap_x",
            "gap_y",
            "complementarity",
            "upper_force",
            "upper_inner_force",
            "t_friction_max",
            "t_friction_min",
        )
        self.extremes = [dict(zip(names, map(float, row), strict=True)) for row in ext]
        self.events, self.final = events, y[-1].copy()

    def at(self, times, series):
        return np.array([series[np.argmin(abs(self.t - t))] for t in np.atleast_1d(times)])


def start(s, kick=0.0):
    """At rest, centred, straight; `kick` displaces the slider along x [m] and turns the crank [rad]."""
    y = np.zeros(2 * len(s.m) + 4)
    y[0 : len(s.m) : 2] += kick
    y[len(s.m)] += kick
    return y


def explicit(s, t_end, h, dt=0.01, since=0.0, kick=0.0):
    """The paper's procedure with RK4 steps `h`, sampled every `dt`; second row of `extremes` from t = `since` on."""
    t_end, since = float(t_end), float(since)
    every = round(dt / h)
    out, ext, ev = rk4(
        start(s, kick), t_end, h, every, since, s.p, s.m, s.K, s.band, s.surface, s.side, s.pin, s.push, s.spring
    )
    return Run(s, out, ext, ev, len(s.m))


# ---------------------------------------------------------------------------------------- (b) implicit, true sticking
@njit(cache=True)
def step(
    t,
    h,
    S,
    W,
    Gm,
    M,
    K,
    load,
    pushed,
    pinrow,
    uh,
    vh,
    thh,
    wh,
    w_guess,
    vprev,
    was_stuck,
    side,
    p,
    F,
    stuck,
    u,
    v,
    th,
    w,
):
    """One implicit step u = uh + h v, v = vh + h M⁻¹(...): solves for the forces F of contacts and pin (2 per row).

    Rows of Gm: (x, y) of each contact point, then (x, y) of the pin. W = Gm S Gmᵀ, S = (M + hC + h²K)⁻¹.
    """
    n, dim, nr = side.size, vh.size, W.shape[0]
    b = np.zeros(dim)
    drive = p[AMP] * math.sin(p[OMG] * t)
    for i in range(dim):
        a = M[i] * vh[i] + h * (load[i] + drive * pushed[i])
        for j in range(dim):
            a -= h * K[i, j] * uh[j]
        b[i] = a
    free = np.zeros(dim)
    for i in range(dim):
        for j in range(dim):
            free[i] += S[i, j] * b[j]
    c0, d0 = np.zeros(nr), np.zeros(nr)  # velocity without row forces and old position of each row
    for r in range(nr):
        for j in range(dim):
            c0[r] += Gm[r, j] * free[j]
            d0[r] += Gm[r, j] * uh[j]
    pin = pinrow >= 0
    loose = np.zeros(n, np.int64)  # nodes that broke away in this step stay loose after 40 sweeps
    sweeps = 0
    w[0], w[1] = w_guess[0], w_guess[1]
    for _outer in range(30):
        A00 = A01 = A11 = g0x = g0y = 0.0
        i11 = i12 = i22 = j11 = j12 = j21 = j22 = f1 = f2 = 0.0
        if pin:
            t1, t2 = thh[0] + h * w[0], thh[1] + h * w[1]
            s1, c1, s2, c2 = math.sin(t1), math.cos(t1), math.sin(t2), math.cos(t2)
            j11, j12, j21, j22 = -p[L1] * s1, -p[L2] * s2, p[L1] * c1, p[L2] * c2
            q = 0.5 * p[M2] * p[L1] * p[L2]
            a11, a22, a12 = (p[M1] / 3 + p[M2]) * p[L1] ** 2, p[M2] / 3 * p[L2] ** 2, q * math.cos(t1 - t2)
            det = a11 * a22 - a12 * a12
            i11, i12, i22 = a22 / det, -a12 / det, a11 / det
            e1 = drive - (0.5 * p[M1] + p[M2]) * p[G] * p[L1] * c1 - q * math.sin(t1 - t2) * w[1] ** 2
            e2 = -0.5 * p[M2] * p[G] * p[L2] * c2 + q * math.sin(t1 - t2) * w[0] ** 2
            f1, f2 = wh[0] + h * (i11 * e1 + i12 * e2), wh[1] + h * (i12 * e1 + i22 * e2)
            b11, b12 = i11 * j11 + i12 * j12, i11 * j21 + i12 * j22  # columns of Mr⁻¹ Jᵀ
            b21, b22 = i12 * j11 + i22 * j12, i12 * j21 + i22 * j22
            A00, A01, A11 = j11 * b11 + j12 * b21, j11 * b12 + j12 * b22, j21 * b12 + j22 * b22
            g0x = p[L1] * c1 + p[L2] * c2 - p[X0] + h * (j11 * (f1 - w[0]) + j12 * (f2 - w[1]))
            g0y = p[L1] * s1 + p[L2] * s2 + h * (j21 * (f1 - w[0]) + j22 * (f2 - w[1]))
        for sweep in range(2000):
            change = 0.0
            sweeps += 1
            for k in range(n):
                rx, ry = 2 * k, 2 * k + 1
                a = c0[ry]  # normal
                for r in range(nr):
                    if r != ry:
                        a += h * W[ry, r] * F[r]
                a *= side[k]
                d = side[k] * d0[ry] - p[CLR]
                old, N = F[ry], 0.0
                if d + h * a >= 0.0:
                    N = max((p[KC] * d + (p[KC] * h + p[DC]) * a) / (1 + (p[KC] * h + p[DC]) * h * W[ry, ry]), 0.0)
                    if d + h * (a - h * W[ry, ry] * N) < 0.0:  # filled graph at δ = 0
                        N = (d + h * a) / (h * h * W[ry, ry])
                F[ry] = -side[k] * N
                change = max(change, abs(F[ry] - old))
                a = c0[rx]  # tangential
                for r in range(nr):
                    if r != rx:
                        a += h * W[rx, r] * F[r]
                old = F[rx]
                hold = -a / (h * W[rx, rx])
                slip = 0.0
                if not was_stuck[k]:
                    s = 1.0 if vprev[k] > 0 else -1.0
                    if s * a - p[MUK] * N * h * W[rx, rx] > 0.0:
                        slip = s
                if slip == 0.0 and (abs(hold) > p[MUS] * N or (loose[k] and abs(hold) > p[MUK] * N)):
                    slip = 1.0 if a > 0 else -1.0
                    if sweep > 40:
                        loose[k] = 1
                stuck[k] = slip == 0.0 and N > 0.0
                F[rx] = hold if slip == 0.0 else -slip * p[MUK] * N
                change = max(change, abs(F[rx] - old))
            if pin:
                x, y = c0[pinrow], c0[pinrow + 1]
                for r in range(nr):
                    if r < pinrow:
                        x += h * W[pinrow, r] * F[r]
                        y += h * W[pinrow + 1, r] * F[r]
                gx, gy = g0x - d0[pinrow] - h * x, g0y - d0[pinrow + 1] - h * y
                m00 = 1 / p[KR] + h * h * (A00 + W[pinrow, pinrow])
                m01 = h * h * (A01 + W[pinrow, pinrow + 1])
                m11 = 1 / p[KR] + h * h * (A11 + W[pinrow + 1, pinrow + 1])
                det = m00 * m11 - m01 * m01
                fx, fy = (m11 * gx - m01 * gy) / det, (m00 * gy - m01 * gx) / det
                change = max(change, max(abs(fx - F[pinrow]), abs(fy - F[pinrow + 1])))
                F[pinrow], F[pinrow + 1] = fx, fy
            if change < 1e-11:
                break
        if not pin:
            break
        fx, fy = F[pinrow], F[pinrow + 1]
        w1 = f1 - h * (i11 * (j11 * fx + j21 * fy) + i12 * (j12 * fx + j22 * fy))
        w2 = f2 - h * (i12 * (j11 * fx + j21 * fy) + i22 * (j12 * fx + j22 * fy))
        miss = max(abs(w1 - w[0]), abs(w2 - w[1]))
        w[0], w[1] = w1, w2
        if miss < 1e-11:
            break
    for i in range(dim):
        b[i] = 0.0
        for r in range(nr):
            b[i] += Gm[r, i] * F[r]
    for i in range(dim):
        v[i] = free[i]
        for j in range(dim):
            v[i] += h * S[i, j] * b[j]
        u[i] = uh[i] + h * v[i]
    th[0], th[1] = thh[0] + h * w[0], thh[1] + h * w[1]
    return sweeps


@njit(cache=True)
def march(steps, h, order, every, since, u, v, th, w, S1, W1, S2, W2, Gm, M, K, load, pushed, pinrow, side, p):
    dim, n, nr = u.size, side.size, W1.shape[0]
    size = 2 * dim + 4
    out = np.zeros((steps // every + 1, 1 + size + 2 * n))
    ext, events, count, state = np.zeros((2, 9)), np.zeros((20000, 2)), 0, 0
    F, stuck, was = np.zeros(nr), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    up, vp, thp, wp = u.copy(), v.copy(), th.copy(), w.copy()
    un, vn, thn, wn = u.copy(), v.copy(), th.copy(), w.copy()
    vs, FN, FT, touching = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    calm, total, eulers = False, 0, 0
    out[0, 1 : 1 + dim], out[0, 1 + dim : 3 + dim] = u, th
    for s in range(1, steps + 1):
        for k in range(n):
            vs[k] = 0.0
            for j in range(dim):
                vs[k] += Gm[2 * k, j] * v[j]
            was[k] = stuck[k]
        if order == 2 and calm:
            total += step(
                s * h,
                2 * h / 3,
                S2,
                W2,
                Gm,
                M,
                K,
                load,
                pushed,
                pinrow,
                (4 * u - up) / 3,
                (4 * v - vp) / 3,
                (4 * th - thp) / 3,
                (4 * w - wp) / 3,
                2 * w - wp,
                vs,
                was,
                side,
                p,
                F,
                stuck,
                un,
                vn,
                thn,
                wn,
            )
        else:
            eulers += 1
            total += step(
                s * h,
                h,
                S1,
                W1,
                Gm,
                M,
                K,
                load,
                pushed,
                pinrow,
                u,
                v,
                th,
                w,
                w,
                vs,
                was,
                side,
                p,
                F,
                stuck,
                un,
                vn,
                thn,
                wn,
            )
        up[:], vp[:], thp[:], wp[:] = u, v, th, w
        u[:], v[:], th[:], w[:] = un, vn, thn, wn
        calm = True
        for k in range(n):
            FN[k], FT[k] = abs(F[2 * k + 1]), F[2 * k]
            vk = 0.0
            for j in range(dim):
                vk += Gm[2 * k, j] * v[j]
            if stuck[k] != was[k] or (FN[k] > 0) != touching[k] or (not stuck[k] and vs[k] * vk < 0):
                calm = False
            touching[k] = FN[k] > 0
            vs[k] = 0.0 if stuck[k] else 1.0
        gx = gy = 0.0
        if pinrow >= 0:
            gx, gy = F[pinrow] / p[KR], F[pinrow + 1] / p[KR]
        count, state = note(s * h, FN, FT, vs, 0.5, gx, gy, since, ext, events, count, state)
        if s % every == 0:
            r = s // every
            out[r, 0] = s * h
            out[r, 1 : 1 + dim], out[r, 1 + dim : 3 + dim] = u, th
            out[r, 3 + dim : 3 + 2 * dim], out[r, 3 + 2 * dim : 5 + 2 * dim] = v, w
            out[r, 1 + size : 1 + size + n], out[r, 1 + size + n :] = FN, FT
    return out, ext, events[:count], total, eulers


def implicit(s, t_end, h, order=2, dt=0.01, since=0.0, kick=0.0, rigid=False):
    """Implicit steps `h` of order 1 or 2 with true sticking; `sweeps` of Gauss–Seidel, `eulers`: Euler steps."""
    t_end, since = float(t_end), float(since)
    p = s.p
    if rigid:  # x, y, φ about the centre; points: four corners and the pin
        mass = s.mass.sum()
        M = np.array([mass, mass, mass * (s.width**2 + s.height**2) / 12])
        K, C, load = np.zeros((3, 3)), np.zeros((3, 3)), np.array([0, -mass * p[G], 0])
        corners = [0, s.nx, s.ny * (s.nx + 1), (s.ny + 1) * (s.nx + 1) - 1]
        points, side = s.xy[corners + ([s.pin] if s.pin >= 0 else [])], np.array([1.0, 1, -1, -1])
        Gm = np.array([row for x, y in points for row in ((1, 0, -y), (0, 1, x))], float)
        pushed = np.array([1.0, 0, s.height / 2 - 0.05]) * (len(s.push) > 0)
        K[0, 0] = p[KSP]
    else:
        M, side, K = s.m, s.side, s.K.copy()
        C = p[ALPHA] * np.diag(M) + p[BETA] * s.K
        g = np.zeros(len(M))
        g[2 * s.spring] = 1 / max(1, len(s.spring))
        K += p[KSP] * np.outer(g, g)
        load, pushed = np.zeros(len(M)), np.zeros(len(M))
        load[1::2] = -M[1::2] * p[G]
        pushed[2 * s.push] = 1 / max(1, len(s.push))
        nodes = np.r_[s.surface, [s.pin] if s.pin >= 0 else []].astype(int)
        Gm = np.eye(len(M))[np.stack([2 * nodes, 2 * nodes + 1], 1).ravel()]

    def inverse(q):
        return np.linalg.inv(np.diag(M) + q * C + q * q * K)

    S1, S2 = inverse(h), inverse(2 * h / 3)
    u, th = np.zeros(len(M)), np.array([kick, 0.0])
    u[0 :: 2 if not rigid else 3] = kick
    out, ext, ev, sweeps, eulers = march(
        round(t_end / h),
        h,
        order,
        round(dt / h),
        since,
        u,
        np.zeros(len(M)),
        th,
        np.zeros(2),
        S1,
        Gm @ S1 @ Gm.T,
        S2,
        Gm @ S2 @ Gm.T,
        np.ascontiguousarray(Gm),
        np.asarray(M, float),
        K,
        load.astype(float),
        pushed,
        2 * len(side) if s.pin >= 0 else -1,
        side,
        p,
    )
    run = Run(s, out, ext, ev, len(M))
    run.sweeps, run.eulers = sweeps, eulers
    return run


# ------------------------------------------------------------------------------------------ the numbers that tests use
CRANK_TIMES, OSCILLATOR_TIMES = (5, 10, 20, 50, 100, 150, 200), (5, 10, 15, 20, 25, 30, 35, 40)


def peak(theta, sign):
    """The largest (sign = 1) or smallest value of a sampled series, refined by a parabola."""
    i = max(1, int(np.argmax(sign * theta[:-1])))
    a, b, c = sign * theta[i - 1 : i + 2]
    return float(sign * (b + (a - c) ** 2 / (8 * (2 * b - a - c)) if 2 * b - a - c > 0 else sign * theta[i]))


def of_slider_crank(run):
    """What the tests compare of 200 s of example 2."""
    theta, settled = run.theta[:, 0], run.theta[run.t >= 100.0, 0]
    first, late = run.extremes
    upper = run.FN[:, : run.FN.shape[1] // 2].max(axis=1) > 0.0
    return {
        "theta1": run.at(CRANK_TIMES, theta).tolist(),
        "omega1": run.at(CRANK_TIMES, run.omega[:, 0]).tolist(),
        "range_from_100s": [peak(settled, -1), peak(settled, 1)],
        "friction_sum_from_100s": [late["friction_min"], late["friction_max"]],
        "pin_gap": [first["gap_x"], first["gap_y"]],
        "pin_gap_from_100s": [late["gap_x"], late["gap_y"]],
        "last_upper_contact": float(run.t[upper].max()),
    }


def of_oscillator(run, rigid):
    """What the tests compare of 40 s of example 1; displacement and velocity are means of the four corners."""
    corners = [0] if rigid else [0, 10, 60, 70]
    late = run.extremes[1]
    return {
        "u": run.at(OSCILLATOR_TIMES, run.u[:, corners].mean(axis=1)).tolist(),
        "v": run.at(OSCILLATOR_TIMES, run.v[:, corners].mean(axis=1)).tolist(),
        "friction_sum_from_1s": [late["friction_min"], late["friction_max"]],
        "upper_inner_force_from_1s": late["upper_inner_force"],
        "complementarity": run.extremes[0]["complementarity"],
    }


def main():
    """Write the stored numbers; step sizes are those of the finest runs of two independent integrators."""
    crank = {"times": CRANK_TIMES}
    for name, nx in (("4_elements", 2), ("8_elements", 4)):
        crank[name] = {
            "true_stick": of_slider_crank(implicit(slider_crank(nx), 200, 6.25e-5, since=100)),
            "seed": of_slider_crank(explicit(slider_crank(nx), 200, 1.25e-5, since=100)),
        }
    crank["rigid"] = {"true_stick": of_slider_crank(implicit(slider_crank(), 200, 2.5e-4, since=100, rigid=True))}
    options = {"dt": 0.002, "since": 1}
    swings = {
        "times": OSCILLATOR_TIMES,
        "true_stick": of_oscillator(implicit(oscillator(), 40, 5e-5, **options), False),
        "seed": of_oscillator(explicit(oscillator(), 40, 1e-6, **options), False),
        "rigid": of_oscillator(implicit(oscillator(), 40, 2e-4, rigid=True, **options), True),
    }
    source = (
        "tests/reference_flexible_slider.py; SI units; 'true_stick' BDF2, 'seed' RK4 with eq (13) and v0 = 1e-5 m/s"
    )
    target = Path(__file__).parent / "references" / "flexible_slider.json"
    target.write_text(json.dumps({"source": source, "slider_crank": crank, "oscillator": swings}, indent=1) + "\n")


if __name__ == "__main__":
    main()
