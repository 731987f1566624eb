"""What is computed at every sample of a run."""
