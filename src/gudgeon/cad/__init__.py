"""What `gudgeon.io.step` and `gudgeon.io.iges` share: CAD faces as NURBS surfaces, read by OpenCASCADE next door.

`faces`        Face and Faces, what a reader returns
`read`         checks of the file, the child process with its limits, errors that name file, entity, rule and fix
`worker`       what runs in the child process; `document`, `face_data`, `nets`, `rows`, `loops` are its parts
`parameters`   from OpenCASCADE's parameters to those of the NURBS
"""
