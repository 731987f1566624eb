"""The constraint equations of "Multibody Dynamics, Connecting Joints", parts I and II, one function per equation.

Their notation. B1 is the parent of a joint, B2 the child; G1, G2 their centres of mass; Q2 the joint's point of
B1, O2 its point of B2; q = G1→Q2, s = Q2→O2, r = O2→G2, so that p_G2 = p_G1 + q + s + r. [R] maps world to body
components (the transpose of A). ω̂ is the angular velocity of B2 relative to B1. A trailing underscore stands for the
prime: components in the axes of the body that carries the vector.

Each function returns the equation's terms; a term is a tuple of factors (numbers, matrices, vectors), multiplied from
left to right. Their sum vanishes. Signs, primes, dots and tildes are read from the private-use characters that the
extraction of the texts left behind (U+F02D minus, F02B plus, F0A2 prime, F026 dot, F025 tilde or arrow); all numbered
equations turn out to be printed correctly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

Terms = list[tuple]


def skew(a: np.ndarray) -> np.ndarray:
    """ã, with ã b = a × b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def value(terms: Terms) -> np.ndarray:
    """The sum of the terms."""
    return np.sum([reduce(np.dot, factors) for factors in terms], axis=0)


def size(terms: Terms) -> float:
    """The largest term, each measured by the norms of its factors: a term may vanish, its factors may not."""
    return max(float(np.prod([np.linalg.norm(x, 2) if np.ndim(x) else abs(x) for x in term])) for term in terms)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The two bodies of a joint at one instant."""

    R1: np.ndarray  # world to B1 [-]
    R2: np.ndarray
    p1: np.ndarray  # of G1, world [m]
    p2: np.ndarray
    v1: np.ndarray  # [m/s]
    v2: np.ndarray
    a1: np.ndarray  # [m/s²]
    a2: np.ndarray
    w1: np.ndarray  # world [rad/s]
    w2: np.ndarray
    dw1: np.ndarray  # world [rad/s²]
    dw2: np.ndarray
    q_: np.ndarray  # [m]
    r_: np.ndarray
    f1_: np.ndarray  # perpendicular to h1 [-]
    g1_: np.ndarray
    h1_: np.ndarray  # the hinge's axis, or the first axis of the universal joint [-]
    f2_: np.ndarray
    g2_: np.ndarray
    h2_: np.ndarray  # the hinge's axis, or the second axis of the universal joint [-]
    b1_: np.ndarray  # perpendicular to the slide [-]
    c1_: np.ndarray

    def __getattr__(self, name: str) -> np.ndarray:
        """World components (`q`, `h2` from `q_`, `h2_`) and body components (`w1_`, `dw2_` from `w1`, `dw2`)."""
        if name in ("q", "f1", "g1", "h1", "b1", "c1"):
            return self.R1.T @ getattr(self, name + "_")
        if name in ("r", "f2", "g2", "h2"):
            return self.R2.T @ getattr(self, name + "_")
        if name in ("w1_", "dw1_"):  # d/dt(Rω) = Rω̇ because ω × ω = 0
            return self.R1 @ getattr(self, name[:-1])
        if name in ("w2_", "dw2_"):
            return self.R2 @ getattr(self, name[:-1])
        raise AttributeError(name)

    @property
    def w_hat(self) -> np.ndarray:
        """ω̂, world components."""
        return self.w2 - self.w1

    @property
    def w_hat_1(self) -> np.ndarray:
        """ω̂ in B1."""
        return self.R1 @ self.w_hat

    @property
    def w_hat_2(self) -> np.ndarray:
        """ω̂ in B2."""
        return self.R2 @ self.w_hat

    @property
    def dw_hat_1(self) -> np.ndarray:
        """The rates of the components of ω̂ in B1."""
        return self.R1 @ (self.dw2 - self.dw1 - np.cross(self.w1, self.w_hat))

    @property
    def dw_hat_2(self) -> np.ndarray:
        """The rates of the components of ω̂ in B2."""
        return self.R2 @ (self.dw2 - self.dw1 - np.cross(self.w2, self.w_hat))


# Part I: spherical joint


def seed001_eq1(m: Pair) -> Terms:
    """{p_G2} − {p_G1} − [R1]ᵀ{q'} − [R2]ᵀ{r'} = 0."""
    return [(m.p2,), (-1, m.p1), (-1, m.R1.T, m.q_), (-1, m.R2.T, m.r_)]


def seed001_eq1_rate(m: Pair) -> Terms:
    """Not numbered, world components: {v_G2} − {v_G1} + [q̃]{ω1} + [r̃]{ω2} = 0."""
    return [(m.v2,), (-1, m.v1), (skew(m.q), m.w1), (skew(m.r), m.w2)]


def seed001_eq1_rate_body(m: Pair) -> Terms:
    """Not numbered, body components: {v_G2} − {v_G1} + [R1]ᵀ[q̃']{ω1'} + [R2]ᵀ[r̃']{ω2'} = 0."""
    return [(m.v2,), (-1, m.v1), (m.R1.T, skew(m.q_), m.w1_), (m.R2.T, skew(m.r_), m.w2_)]


def seed001_eq2(m: Pair) -> Terms:
    """{a_G2} − {a_G1} + [q̃]{ω̇1} + [q̃˙]{ω1} + [r̃]{ω̇2} + [r̃˙]{ω2} = 0."""
    dq, dr = np.cross(m.w1, m.q), np.cross(m.w2, m.r)
    acceleration = [(m.a2,), (-1, m.a1)]
    return [*acceleration, (skew(m.q), m.dw1), (skew(dq), m.w1), (skew(m.r), m.dw2), (skew(dr), m.w2)]


def seed001_eq3(m: Pair) -> Terms:
    """{a_G2} − {a_G1} + [R1]ᵀ[q̃']{ω̇1'} + [R1]ᵀ[ω̃1'][q̃']{ω1'} + [R2]ᵀ[r̃']{ω̇2'} + [R2]ᵀ[ω̃2'][r̃']{ω2'} = 0."""
    return [
        (m.a2,),
        (-1, m.a1),
        (m.R1.T, skew(m.q_), m.dw1_),
        (m.R1.T, skew(m.w1_), skew(m.q_), m.w1_),
        (m.R2.T, skew(m.r_), m.dw2_),
        (m.R2.T, skew(m.w2_), skew(m.r_), m.w2_),
    ]


def seed001_eq4(m: Pair) -> Terms:
    """{s'} = 0, s' = [R1]({p_G2} − {p_G1}) − {q'} − [R1]{r}, components in B1."""
    return [(m.R1, m.p2 - m.p1), (-1, m.q_), (-1, m.R1, m.r)]


def seed001_eq4_rate(m: Pair) -> Terms:
    """{ṡ'} = 0."""
    apart, r1 = m.p2 - m.p1, m.R1 @ m.r
    return [(m.R1, m.v2), (-1, m.R1, m.v1), (-1, m.R1, skew(m.w1), apart), (-1, skew(m.w_hat_1), r1)]


def seed001_eq4_acceleration(m: Pair) -> Terms:
    """{s̈'} = 0."""
    apart, r1, turn, spin = m.p2 - m.p1, m.R1 @ m.r, skew(m.w1), skew(m.w_hat_1)
    return [
        (m.R1, m.a2),
        (-1, m.R1, m.a1),
        (-1, m.R1, skew(m.dw1), apart),
        (-2, m.R1, turn, m.v2 - m.v1),
        (m.R1, turn, turn, apart),
        (-1, skew(m.dw_hat_1), r1),
        (-1, spin, spin, r1),
    ]


# Part I: hinge


def seed001_alignment(m: Pair) -> Terms:
    """Not numbered, "initial conditions are used to ensure the alignment": h1 × h2 = 0."""
    return [(skew(m.h1), m.h2)]


def seed001_eq5(m: Pair) -> Terms:
    """f1·(ω2 − ω1) = 0."""
    return [(m.f1, m.w2), (-1, m.f1, m.w1)]


def seed001_eq5_second(m: Pair) -> Terms:
    """f2·(ω2 − ω1) = 0."""
    return [(m.f2, m.w2), (-1, m.f2, m.w1)]


def seed001_eq6(m: Pair) -> Terms:
    """g1·(ω2 − ω1) = 0."""
    return [(m.g1, m.w2), (-1, m.g1, m.w1)]


def seed001_eq6_second(m: Pair) -> Terms:
    """g2·(ω2 − ω1) = 0."""
    return [(m.g2, m.w2), (-1, m.g2, m.w1)]


def _hinge_world(m: Pair, f_: np.ndarray) -> Terms:
    return [(f_, m.R1, m.dw2 - m.dw1), (f_, m.R1, skew(m.w1).T, m.w2 - m.w1)]


def seed001_eq7(m: Pair) -> Terms:
    """{f1'}ᵀ[R1]({ω̇2} − {ω̇1}) + {f1'}ᵀ[R1][ω̃1]ᵀ({ω2} − {ω1}) = 0."""
    return _hinge_world(m, m.f1_)


def seed001_eq8(m: Pair) -> Terms:
    """{g1'}ᵀ[R1]({ω̇2} − {ω̇1}) + {g1'}ᵀ[R1][ω̃1]ᵀ({ω2} − {ω1}) = 0."""
    return _hinge_world(m, m.g1_)


def _hinge_body(m: Pair, f_: np.ndarray) -> Terms:
    turned = m.R1 @ m.R2.T
    coupling = turned @ skew(m.w2_) - skew(m.w1_) @ turned
    return [(f_, turned @ m.dw2_ - m.dw1_), (f_, coupling, m.w2_)]


def seed001_eq9(m: Pair) -> Terms:
    """{f1'}ᵀ([R1][R2]ᵀ{ω̇2'} − {ω̇1'}) + {f1'}ᵀ([R1][R2]ᵀ[ω̃2'] − [ω̃1'][R1][R2]ᵀ){ω2'} = 0."""
    return _hinge_body(m, m.f1_)


def seed001_eq10(m: Pair) -> Terms:
    """{g1'}ᵀ([R1][R2]ᵀ{ω̇2'} − {ω̇1'}) + {g1'}ᵀ([R1][R2]ᵀ[ω̃2'] − [ω̃1'][R1][R2]ᵀ){ω2'} = 0."""
    return _hinge_body(m, m.g1_)


def seed001_eq11(m: Pair) -> Terms:
    """f1·ω̂ = 0."""
    return [(m.f1, m.w_hat)]


def seed001_eq11_second(m: Pair) -> Terms:
    """f2·ω̂ = 0."""
    return [(m.f2, m.w_hat)]


def seed001_eq12(m: Pair) -> Terms:
    """g1·ω̂ = 0."""
    return [(m.g1, m.w_hat)]


def seed001_eq12_second(m: Pair) -> Terms:
    """g2·ω̂ = 0."""
    return [(m.g2, m.w_hat)]


def seed001_eq13(m: Pair) -> Terms:
    """{f1'}ᵀ{ω̂˙} = 0, components in B1 (printed without a prime, which elsewhere means world components)."""
    return [(m.f1_, m.dw_hat_1)]


def seed001_eq14(m: Pair) -> Terms:
    """{g1'}ᵀ{ω̂˙} = 0, components in B1 (printed without a prime, as (13))."""
    return [(m.g1_, m.dw_hat_1)]


def seed001_eq15(m: Pair) -> Terms:
    """{f2'}ᵀ{ω̂˙'} = 0, components in B2."""
    return [(m.f2_, m.dw_hat_2)]


def seed001_eq16(m: Pair) -> Terms:
    """{g2'}ᵀ{ω̂˙'} = 0, components in B2."""
    return [(m.g2_, m.dw_hat_2)]


# Part II: universal joint


def seed003_perpendicular(m: Pair) -> Terms:
    """Not numbered: h1·h2 keeps its initial value, here 0."""
    return [(m.h1, m.h2)]


def seed003_eq1(m: Pair) -> Terms:
    """(h1 × h2)·ω̂ = 0."""
    return [(np.cross(m.h1, m.h2), m.w_hat)]


def seed003_eq1_second(m: Pair) -> Terms:
    """(h2 × h1)·ω̂ = 0."""
    return [(np.cross(m.h2, m.h1), m.w_hat)]


def seed003_eq1_matrix(m: Pair) -> Terms:
    """Not numbered, world components: {h2'}ᵀ[R2][h̃1]({ω1} − {ω2}) = 0."""
    return [(m.h2_, m.R2, skew(m.h1), m.w1), (-1, m.h2_, m.R2, skew(m.h1), m.w2)]


def seed003_eq2(m: Pair) -> Terms:
    """{h2'}ᵀ[R2][h̃1]({ω̇1} − {ω̇2}) + {h2'}ᵀ([R2][h̃˙1] − [R2][ω̃2][h̃1])({ω1} − {ω2}) = 0, {ḣ1} = [ω̃1][R1]ᵀ{h1'}."""
    dh1 = skew(m.w1) @ m.R1.T @ m.h1_
    coupling = m.R2 @ skew(dh1) - m.R2 @ skew(m.w2) @ skew(m.h1)
    return [(m.h2_, m.R2, skew(m.h1), m.dw1 - m.dw2), (m.h2_, coupling, m.w1 - m.w2)]


def seed003_eq3(m: Pair) -> Terms:
    """{h1'}ᵀ[R1][R2]ᵀ[h̃2']{ω2'} + {h2'}ᵀ[R2][R1]ᵀ[h̃1']{ω1'} = 0."""
    return [(m.h1_, m.R1, m.R2.T, skew(m.h2_), m.w2_), (m.h2_, m.R2, m.R1.T, skew(m.h1_), m.w1_)]


def _universal_body(m: Pair) -> Terms:
    return [(m.h1_, m.R1, m.R2.T, skew(m.h2_), m.dw2_), (m.h2_, m.R2, m.R1.T, skew(m.h1_), m.dw1_)]


def seed003_eq4(m: Pair) -> Terms:
    """{h1'}ᵀ[R1][R2]ᵀ[h̃2']{ω̇2'} + {h2'}ᵀ[R2][R1]ᵀ[h̃1']{ω̇1'}
    + {h1'}ᵀ([ω̃1']ᵀ[R1][R2]ᵀ + [R1][R2]ᵀ[ω̃2'])[h̃2']{ω2'} + {h2'}ᵀ([ω̃2']ᵀ[R2][R1]ᵀ + [R2][R1]ᵀ[ω̃1'])[h̃1']{ω1'} = 0.
    """
    first = skew(m.w1_).T @ m.R1 @ m.R2.T + m.R1 @ m.R2.T @ skew(m.w2_)
    second = skew(m.w2_).T @ m.R2 @ m.R1.T + m.R2 @ m.R1.T @ skew(m.w1_)
    coupling = [(m.h1_, first, skew(m.h2_), m.w2_), (m.h2_, second, skew(m.h1_), m.w1_)]
    return [*_universal_body(m), *coupling]


def seed003_eq5(m: Pair) -> Terms:
    """(4) with ([R2][R1]ᵀ[ω̃1'])ᵀ for [ω̃1']ᵀ[R1][R2]ᵀ and ([R1][R2]ᵀ[ω̃2'])ᵀ for [ω̃2']ᵀ[R2][R1]ᵀ."""
    first = (m.R2 @ m.R1.T @ skew(m.w1_)).T + m.R1 @ m.R2.T @ skew(m.w2_)
    second = (m.R1 @ m.R2.T @ skew(m.w2_)).T + m.R2 @ m.R1.T @ skew(m.w1_)
    coupling = [(m.h1_, first, skew(m.h2_), m.w2_), (m.h2_, second, skew(m.h1_), m.w1_)]
    return [*_universal_body(m), *coupling]


def seed003_eq6(m: Pair) -> Terms:
    """(h2 × h1)·ω̂ = h2·(h1 × ω̂) = 0; the second form."""
    return [(m.h2, skew(m.h1), m.w_hat)]


def seed003_eq7(m: Pair) -> Terms:
    """{h2'}ᵀ[R2][R1]ᵀ[h̃1']{ω̂} = 0, components in B1 (printed without a prime, as 001 (13))."""
    return [(m.h2_, m.R2, m.R1.T, skew(m.h1_), m.w_hat_1)]


def seed003_eq7_rate(m: Pair) -> Terms:
    """(7) differentiated, as the seed proposes."""
    turned = m.R2 @ m.R1.T
    rate = turned @ skew(m.w1_) - skew(m.w2_) @ turned
    return [(m.h2_, turned, skew(m.h1_), m.dw_hat_1), (m.h2_, rate, skew(m.h1_), m.w_hat_1)]


def seed003_eq8(m: Pair) -> Terms:
    """{h1'}ᵀ[R1][R2]ᵀ[h̃2']{ω̂'} = 0, components in B2."""
    return [(m.h1_, m.R1, m.R2.T, skew(m.h2_), m.w_hat_2)]


def seed003_eq8_rate(m: Pair) -> Terms:
    """(8) differentiated, as the seed proposes."""
    turned = m.R1 @ m.R2.T
    rate = turned @ skew(m.w2_) - skew(m.w1_) @ turned
    return [(m.h1_, turned, skew(m.h2_), m.dw_hat_2), (m.h1_, rate, skew(m.h2_), m.w_hat_2)]


# Part II: two angles and one translation


def seed003_eq9(m: Pair) -> Terms:
    """b1·s = 0 with s = p_G2 − p_G1 − q − r."""
    return [(m.b1, x) for x in (m.p2, -m.p1, -m.q, -m.r)]


def seed003_eq9_second(m: Pair) -> Terms:
    """c1·s = 0."""
    return [(m.c1, x) for x in (m.p2, -m.p1, -m.q, -m.r)]


def seed003_eq10(m: Pair) -> Terms:
    """{b1'}ᵀ[R1]({p_G2} − {p_G1} − [R1]ᵀ{q'} − [R2]ᵀ{r'}) = 0."""
    return [(m.b1_, m.R1, *factors) for factors in seed001_eq1(m)]


def seed003_eq11(m: Pair) -> Terms:
    """{c1'}ᵀ[R1]({p_G2} − {p_G1} − [R1]ᵀ{q'} − [R2]ᵀ{r'}) = 0."""
    return [(m.c1_, m.R1, *factors) for factors in seed001_eq1(m)]


def seed003_eq12(m: Pair) -> Terms:
    """{b1'}ᵀ{s'} = 0, components in B1."""
    return [(m.b1_, value(seed001_eq4(m)))]


def seed003_eq13(m: Pair) -> Terms:
    """{c1'}ᵀ{s'} = 0, components in B1."""
    return [(m.c1_, value(seed001_eq4(m)))]


def seed003_eq12_rate(m: Pair) -> Terms:
    """(10) or (12) differentiated once: {b1'}ᵀ{ṡ'} = 0."""
    return [(m.b1_, value(seed001_eq4_rate(m)))]


def seed003_eq13_rate(m: Pair) -> Terms:
    """(11) or (13) differentiated once: {c1'}ᵀ{ṡ'} = 0."""
    return [(m.c1_, value(seed001_eq4_rate(m)))]


def seed003_eq12_acceleration(m: Pair) -> Terms:
    """(10) or (12) differentiated twice, "into the form of second order differential equations": {b1'}ᵀ{s̈'} = 0."""
    return [(m.b1_, *factors) for factors in seed001_eq4_acceleration(m)]


def seed003_eq13_acceleration(m: Pair) -> Terms:
    """(11) or (13) differentiated twice: {c1'}ᵀ{s̈'} = 0."""
    return [(m.c1_, *factors) for factors in seed001_eq4_acceleration(m)]


Equation = Callable[[Pair], Terms]

POINTS: tuple[Equation, ...] = (
    seed001_eq1,
    seed001_eq1_rate,
    seed001_eq1_rate_body,
    seed001_eq2,
    seed001_eq3,
    seed001_eq4,
    seed001_eq4_rate,
    seed001_eq4_acceleration,
)
HINGE: tuple[Equation, ...] = (
    seed001_alignment,
    seed001_eq5,
    seed001_eq5_second,
    seed001_eq6,
    seed001_eq6_second,
    seed001_eq7,
    seed001_eq8,
    seed001_eq9,
    seed001_eq10,
    seed001_eq11,
    seed001_eq11_second,
    seed001_eq12,
    seed001_eq12_second,
    seed001_eq13,
    seed001_eq14,
    seed001_eq15,
    seed001_eq16,
)
UNIVERSAL: tuple[Equation, ...] = (
    seed003_perpendicular,
    seed003_eq1,
    seed003_eq1_second,
    seed003_eq1_matrix,
    seed003_eq2,
    seed003_eq3,
    seed003_eq4,
    seed003_eq5,
    seed003_eq6,
    seed003_eq7,
    seed003_eq7_rate,
    seed003_eq8,
    seed003_eq8_rate,
)
SLIDE: tuple[Equation, ...] = (
    seed003_eq9,
    seed003_eq9_second,
    seed003_eq10,
    seed003_eq11,
    seed003_eq12,
    seed003_eq13,
    seed003_eq12_rate,
    seed003_eq13_rate,
    seed003_eq12_acceleration,
    seed003_eq13_acceleration,
)
