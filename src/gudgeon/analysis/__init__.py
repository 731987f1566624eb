"""What can be asked of a mechanism: simulate, assemble, kinematics, inverse dynamics, equilibrium, linearize."""
