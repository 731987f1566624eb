"""Compiled loops of the finite elements: element matrices, sparsity and assembly. Flat arrays in, arrays out."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import compiled


@compiled
def gradients(nodes, quads, slopes, slope, area):
    """∂N/∂(x, y) and det J at the Gauss points, from ∂N/∂(ξ, η) there."""
    for e in range(quads.shape[0]):
        for g in range(4):
            x_xi = x_eta = y_xi = y_eta = 0.0
            for a in range(4):
                x, y = nodes[quads[e, a], 0], nodes[quads[e, a], 1]
                x_xi += slopes[g, a, 0] * x
                x_eta += slopes[g, a, 1] * x
                y_xi += slopes[g, a, 0] * y
                y_eta += slopes[g, a, 1] * y
            det = x_xi * y_eta - x_eta * y_xi
            area[e, g] = det
            for a in range(4):
                slope[e, g, a, 0] = (slopes[g, a, 0] * y_eta - slopes[g, a, 1] * y_xi) / det
                slope[e, g, a, 1] = (slopes[g, a, 1] * x_xi - slopes[g, a, 0] * x_eta) / det


@compiled
def stiffness(slope, area, elasticity, out):
    """K = Σ Bᵀ D B dA per element, D isotropic: the 2×2 block of each pair of nodes."""
    normal, lateral, shear = elasticity[0, 0], elasticity[0, 1], elasticity[2, 2]
    for e in range(out.shape[0]):
        for a in range(4):
            for b in range(a, 4):
                xx = xy = yx = yy = 0.0
                for g in range(4):
                    ax, ay = slope[e, g, a, 0], slope[e, g, a, 1]
                    bx, by = slope[e, g, b, 0] * area[e, g], slope[e, g, b, 1] * area[e, g]
                    xx += normal * ax * bx + shear * ay * by
                    xy += lateral * ax * by + shear * ay * bx
                    yx += lateral * ay * bx + shear * ax * by
                    yy += normal * ay * by + shear * ax * bx
                if a == b:  # symmetric to the last digit
                    yx = xy
                out[e, 2 * a, 2 * b] = xx
                out[e, 2 * a, 2 * b + 1] = xy
                out[e, 2 * a + 1, 2 * b] = yx
                out[e, 2 * a + 1, 2 * b + 1] = yy
                out[e, 2 * b, 2 * a] = xx
                out[e, 2 * b + 1, 2 * a] = xy
                out[e, 2 * b, 2 * a + 1] = yx
                out[e, 2 * b + 1, 2 * a + 1] = yy


@compiled
def neighbours(quads, first, elements, mark, start, nodes):
    """For each node its neighbours and itself, ascending: nodes[start[k] : start[k + 1]].

    The elements of node k are elements[first[k] : first[k + 1]]; `mark` starts at −1.
    """
    end = 0
    for k in range(start.shape[0] - 1):
        start[k] = end
        for at in range(first[k], first[k + 1]):
            for a in range(4):
                other = quads[elements[at], a]
                if mark[other] != k:
                    mark[other] = k
                    place = end
                    while place > start[k] and nodes[place - 1] > other:
                        nodes[place] = nodes[place - 1]
                        place -= 1
                    nodes[place] = other
                    end += 1
    start[start.shape[0] - 1] = end


@compiled
def places(quads, start, nodes, place):
    """place[e, a, b]: where the row node b stands in the column of node a."""
    for e in range(quads.shape[0]):
        for a in range(4):
            low = start[quads[e, a]]
            for b in range(4):
                at = low
                while nodes[at] != quads[e, b]:
                    at += 1
                place[e, a, b] = at - low


@compiled
def expand(start, nodes, indptr, indices):
    """The sparsity of nodes as that of unknowns, each node carrying the unknowns 2k and 2k + 1."""
    for k in range(start.shape[0] - 1):
        width = start[k + 1] - start[k]
        for column in range(2):
            at = 4 * start[k] + 2 * width * column
            indptr[2 * k + column] = at
            for p in range(width):
                indices[at + 2 * p] = 2 * nodes[start[k] + p]
                indices[at + 2 * p + 1] = 2 * nodes[start[k] + p] + 1
    indptr[indptr.shape[0] - 1] = 4 * start[start.shape[0] - 1]


@compiled
def scatter_stiffness(quads, start, place, matrices, data):
    """Add element matrices (m, 8, 8) to the values of the assembled one."""
    for e in range(quads.shape[0]):
        for a in range(4):
            k = quads[e, a]
            width = start[k + 1] - start[k]
            for b in range(4):
                at = 4 * start[k] + 2 * place[e, a, b]
                for column in range(2):
                    for row in range(2):
                        data[at + 2 * width * column + row] += matrices[e, 2 * b + row, 2 * a + column]


@compiled
def scatter_mass(quads, start, place, matrices, data):
    """Add element masses (m, 4, 4), the same in x and y, to the values of the assembled matrix."""
    for e in range(quads.shape[0]):
        for a in range(4):
            k = quads[e, a]
            width = start[k + 1] - start[k]
            for b in range(4):
                at = 4 * start[k] + 2 * place[e, a, b]
                data[at] += matrices[e, b, a]
                data[at + 2 * width + 1] += matrices[e, b, a]
