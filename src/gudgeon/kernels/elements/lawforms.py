"""The forms in which compiled code calls a law; see laws.py. No numba here, so that importing it is quick."""

NO_LAW = 0
PLAIN = 1  # f(x, y)
PLAIN_WITH_SPEED = 2  # f(x, y, impact speed)
WITH_PARAMETERS = 3  # f(x, y, p)
WITH_SPEED_AND_PARAMETERS = 4  # f(x, y, impact speed, p)
# the same with the largest speed of the contact so far, y itself included
PLAIN_WITH_LARGEST_SPEED = 5
WITH_LARGEST_SPEED_AND_PARAMETERS = 6
LARGEST = {PLAIN_WITH_SPEED: PLAIN_WITH_LARGEST_SPEED, WITH_SPEED_AND_PARAMETERS: WITH_LARGEST_SPEED_AND_PARAMETERS}
