"""Studies of many runs: what is varied, who runs it, and the store that keeps every finished run."""
