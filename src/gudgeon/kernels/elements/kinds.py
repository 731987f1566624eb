"""What models tell elements by a number of `Part.numbers`. No numba here, so that importing it is quick."""

# pairs of shapes that meet (shapes_touch.py)
ON_PLANE, ROUND, IN_TUBE, ON_BOX, RIM_ON_PLANE = 0.0, 1.0, 2.0, 3.0, 4.0

# films of journals, by their length (film_coefficients.py)
SHORT, FINITE, LONG = 0.0, 1.0, 2.0
