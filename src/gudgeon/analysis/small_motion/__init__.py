"""Small motions about a state: independent coordinates, forces in them, their derivatives, vibration modes."""
