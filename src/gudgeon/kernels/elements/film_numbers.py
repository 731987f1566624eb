"""Where the numbers of a journal's film stand among those of its part."""

from __future__ import annotations

from gudgeon.kernels.dynamics.arrays import NUMBERS

RADIAL_PLAY = NUMBERS  # c [m]
HALF_LENGTH = NUMBERS + 1  # L/2 [m]
STRENGTH = NUMBERS + 2  # μ R L³/c³ [N·s/m]
SHEAR = NUMBERS + 3  # 2π μ R³ L/c [N·m·s]
FULLEST = NUMBERS + 4  # ε beyond which the film goes on as it is there [-]
FILM_KIND = NUMBERS + 5  # SHORT, FINITE or LONG (kinds.py)
LONG_SCALE = NUMBERS + 6  # 12π (R/L)² [-]
GAP_STATION = NUMBERS + 7  # λ_e L [m]
LEVER_STATION = NUMBERS + 8  # λ_a L [m]
THINNEST = NUMBERS + 9  # smallest film [m]
MIDDLE = NUMBERS + 10  # of the land, from P_i along the bore [m]
