"""The short film with p ≥ 0 in closed form (Ocvirk; Childs, Moes, van Leeuwen 1977; Capone 1986).

Positive pressure is the half circle around v̂ = V/|V|. With t̂ = ẑ × v̂, a = ε·v̂, b = ε·t̂ the force on the journal is
F = −(μ R L³/c³)|V| (J_v v̂ + J_t t̂),

    s² = 1 − a² − b²,   K = ∫ dφ/(1 − a cos φ − b sin φ) = (2/s)(π/2 + atan(a/s)),   J_v = ½ K_aa,   J_t = ½ K_ab
"""

from __future__ import annotations

import numpy as np


def short_film(a, b) -> tuple[np.ndarray, np.ndarray]:
    """J_v and J_t.

    >>> from gudgeon.films.short_film import short_film
    >>> round(float(short_film(0.0, 0.0)[0]), 12)  # π/2
    1.570796326795
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    square = 1.0 - a * a - b * b
    s = np.sqrt(square)
    K = 2.0 / s * np.arctan2(s, -a)
    K_a, K_b = (2.0 + a * K) / square, b * (2.0 * a / (1.0 - b * b) + K) / square
    return 0.5 * (K + 3.0 * a * K_a) / square, 0.5 * (a * K_b + 2.0 * b * K_a) / square
