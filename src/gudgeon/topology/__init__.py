"""How the bodies of a mechanism hang together: its graph, a spanning tree, the joints that close loops."""
