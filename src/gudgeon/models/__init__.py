"""Joint models: the physics at a joint. One model, one file."""
