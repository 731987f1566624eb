"""Motions for drives, as expressions in t: moves from rest to rest, and start-ups to a speed.

    trapezoid    constant acceleration, constant speed, constant deceleration: the acceleration jumps
    s_curve      the same with a limited jerk: seven pieces of third order, acceleration continuous
    cycloid      x = X (τ − sin 2πτ/2π), τ = t/T: acceleration continuous and zero at both ends
    ramp         speed 0 → V by the cycloid over T, then constant: x = V T (τ²/2 − (1 − cos 2πτ)/4π²), then V (t − T/2)

Each gives a text that `gd.Drive` takes and differentiates exactly, and that a model file keeps. Before `begin` it is
zero, afterwards it stays where it ends, or goes on with its speed.

Source: Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and Robots (2008), chapters 2 and 3.

>>> import gudgeon as gd
>>> lift = gd.Drive("shaft", gd.motion.cycloid(3.0, duration=2.0))
"""

from __future__ import annotations

import math

from gudgeon.checks import number
from gudgeon.errors import ModelError

Piece = tuple[float, tuple[float, ...]]  # when it ends [s]; coefficients of powers of the time since it began


def _positive(owner: str, **values: float) -> list[float]:
    found = [number(owner, name, value) for name, value in values.items()]
    for name, value in zip(values, found, strict=True):
        if not value > 0.0:
            raise ModelError(f"{owner}: {name} is {value:g}; it must be positive")
    return found


def _distance(owner: str, to: float) -> float:
    to = number(owner, "to", to)
    if to == 0.0:
        raise ModelError(f"{owner}: to is 0; give the displacement or angle to move by")
    return to


def _written(pieces: list[Piece], last: tuple[float, ...], begin: float) -> str:
    """Nested conditionals: 0 before `begin`, then the pieces one after the other, then `last`."""
    text, start = f"{_polynomial(last, pieces[-1][0])}", pieces[-1][0]
    for k in range(len(pieces) - 1, -1, -1):
        start = pieces[k - 1][0] if k else begin
        text = f"{_polynomial(pieces[k][1], start)} if t < {_digits(pieces[k][0])} else {text}"
    return f"0 if t < {begin!r} else {text}"


def _digits(x: float) -> str:
    """Fourteen digits: seven pieces then fit into one expression."""
    return repr(float(f"{x:.14g}"))


def _polynomial(coefficients: tuple[float, ...], since: float) -> str:
    """c₀ + u (c₁ + u (c₂ + …)), u = t − since."""
    u = "t" if since == 0.0 else f"(t-{_digits(since)})"
    kept = list(coefficients)
    while len(kept) > 1 and kept[-1] == 0.0:
        kept.pop()
    text = _digits(kept[-1])
    for c in reversed(kept[:-1]):
        text = f"{u}*{text}" if c == 0.0 else f"{_digits(c)}+{u}*{text}"
        text = f"({text})"
    return text


def _from_jerks(jerks: list[tuple[float, float]], begin: float, scale: float = 1.0) -> tuple[list[Piece], float]:
    """Pieces of third order from (duration, jerk), starting at rest; and where they end."""
    x = v = a = 0.0
    t, pieces = begin, []
    for duration, jerk in jerks:
        if duration > 0.0:
            t += duration
            pieces.append((t, (x, v, a / 2.0, jerk / 6.0)))
            x += duration * (v + duration * (a / 2.0 + duration * jerk / 6.0))
            v += duration * (a + duration * jerk / 2.0)
            a += duration * jerk
    factor = scale / x
    return [(end, tuple(factor * c for c in part)) for end, part in pieces], x


def trapezoid(to: float, *, velocity: float, acceleration: float, begin: float = 0.0) -> str:
    """A move by `to` [m or rad] with at most this velocity and this acceleration; as fast as they allow.

    >>> import gudgeon as gd
    >>> gd.motion.trapezoid(1.0, velocity=1.0, acceleration=1.0)
    '0 if t < 0.0 else (t*(t*0.5)) if t < 1.0 else (0.5+(t-1.0)*(1.0+(t-1.0)*-0.5)) if t < 2.0 else 1.0'
    """
    owner = "motion.trapezoid"
    to, begin = _distance(owner, to), number(owner, "begin", begin)
    v, a = _positive(owner, velocity=velocity, acceleration=acceleration)
    length, sign = abs(to), math.copysign(1.0, to)
    v = min(v, math.sqrt(length * a))  # the speed is not reached on a short way
    rise, cruise = v / a, max(0.0, length / v - v / a)
    first, second = begin + rise, begin + rise + cruise
    pieces: list[Piece] = [(first, (0.0, 0.0, 0.5 * sign * a))]
    before = 0.5 * sign * a * rise * rise
    if cruise > 0.0:
        pieces.append((second, (before, sign * v)))
    pieces.append((second + rise, (to - before, sign * v, -0.5 * sign * a)))
    return _written(pieces, (to,), begin)


def s_curve(to: float, *, velocity: float, acceleration: float, jerk: float, begin: float = 0.0) -> str:
    """A move by `to` with at most this velocity, acceleration and jerk [m/s³ or rad/s³]; as fast as they allow.

    >>> import gudgeon as gd
    >>> drive = gd.Drive("slide", gd.motion.s_curve(0.5, velocity=1.0, acceleration=4.0, jerk=40.0))
    """
    owner = "motion.s_curve"
    to, begin = _distance(owner, to), number(owner, "begin", begin)
    v, a, j = _positive(owner, velocity=velocity, acceleration=acceleration, jerk=jerk)
    length = abs(to)
    a = min(a, math.sqrt(v * j))
    if length < v * (v / a + a / j):  # the speed is not reached
        v = 0.5 * a * (-a / j + math.sqrt((a / j) ** 2 + 4.0 * length / a))
        if v < a * a / j:  # nor the acceleration
            a = (0.5 * length * j * j) ** (1.0 / 3.0)
            v = a * a / j
    up = a / j
    held, cruise = max(0.0, v / a - up), max(0.0, length / v - v / a - up)
    jerks = [(up, j), (held, 0.0), (up, -j), (cruise, 0.0), (up, -j), (held, 0.0), (up, j)]
    pieces, _ = _from_jerks(jerks, begin, to)
    return _written(pieces, (to,), begin)


def cycloid(to: float, *, duration: float, begin: float = 0.0) -> str:
    """A move by `to` within `duration` [s], with the cycloid: at most 2 to/T, acceleration at most 2π to/T².

    >>> import gudgeon as gd
    >>> gd.motion.cycloid(2.0, duration=0.5, begin=1.0)
    '0 if t < 1.0 else 2.0*((t-1.0)/0.5 - sin(2*pi*(t-1.0)/0.5)/(2*pi)) if t < 1.5 else 2.0'
    """
    owner = "motion.cycloid"
    to, begin = _distance(owner, to), number(owner, "begin", begin)
    (T,) = _positive(owner, duration=duration)
    u = f"(t-{begin!r})/{T!r}"
    return f"0 if t < {begin!r} else {to!r}*({u} - sin(2*pi*{u})/(2*pi)) if t < {begin + T!r} else {to!r}"


def ramp(speed: float, *, duration: float, begin: float = 0.0) -> str:
    """A start-up from rest to a speed [m/s or rad/s] within `duration` [s], which then stays.

    >>> import gudgeon as gd
    >>> crank = gd.Drive("main", gd.motion.ramp(314.0, duration=0.2))
    """
    owner = "motion.ramp"
    speed, begin = number(owner, "speed", speed), number(owner, "begin", begin)
    if speed == 0.0:
        raise ModelError(f"{owner}: speed is 0; give the speed to reach")
    (T,) = _positive(owner, duration=duration)
    u = f"((t-{begin!r})/{T!r})"
    rising = f"{speed * T!r}*({u}**2/2 - (1 - cos(2*pi*{u}))/(4*pi**2))"
    return f"0 if t < {begin!r} else {rising} if t < {begin + T!r} else {speed!r}*(t-{begin + 0.5 * T!r})"
