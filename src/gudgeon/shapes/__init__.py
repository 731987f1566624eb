"""What bodies look like, and what that says of their mass: boxes, cylinders, spheres, STL meshes, STEP solids."""
