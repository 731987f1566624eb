"""What acts by forces: joints with their laws, points at walls, pins, nodes of flexible bodies."""
