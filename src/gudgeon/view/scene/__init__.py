"""A run as data for the viewer: what there is to draw, how it moves, what can be plotted.

`arrays`    numbers in one compressed block        `kept`      which samples are kept, and what is said of it
`frames`    points of joints in body axes          `parts`     solids that bodies are drawn of
`links`     bodies drawn from their joints         `joints`    hubs, balls and sockets, blocks and rails
`gears`     wheels that mesh                       `details`   springs, loads, contacts, insets
`fields`    stresses and gaps, in colours          `suggested` what is plotted at first
`scene`     all of it together
"""
