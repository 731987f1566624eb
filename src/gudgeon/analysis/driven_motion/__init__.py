"""A fully driven mechanism: one instant, its path through time, samples, singular positions, where it is stuck."""
