"""A contact law as a user writes it: a plain Python function; the same formula as ours, to compare the two."""


def contact(delta, ddelta, impact_speed):
    """Normal force [N] for penetration [m], its rate [m/s] and the impact speed [m/s]."""
    return 1.5088820474803735e11 * delta**1.5 * (1.0 + 0.75 * (1.0 - 0.9**2) * ddelta / impact_speed)
