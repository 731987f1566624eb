"""From a state to the bodies: rotations, poses, joint coordinates."""
