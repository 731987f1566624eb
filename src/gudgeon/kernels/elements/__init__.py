"""What acts by forces: joints with their laws, sliders, pins, nodes of flexible bodies."""
