"""A run as data for the viewer: what there is to draw, how it moves, what can be plotted.

`arrays`    numbers in one compressed block        `kept`      which samples are kept, and what is said of it
`frames`    points of joints in body axes          `parts`     solids that bodies are drawn of
`links`     bodies drawn from their joints         `joints`    hubs, balls and sockets, blocks and rails
`details`   springs, loads, insets                 `fields`    flexible bodies and gaps, in colours
`scene`     all of it together
"""
