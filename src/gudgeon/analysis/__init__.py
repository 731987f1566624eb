"""What kinematics and inverse dynamics are made of: joint coordinates, one instant, the path, singular positions."""
