"""Contact pressure integrated over two surfaces: quadrature, the table of arrays, and the compiled function.

At a point p of the reference surface with normal n the line p + h n meets the corresponding surface at x, where its
normal is n_c. With δ = −h > 0 a law gives the pressure p(δ, δ̇), and

    g = n_c/(n_c·n)        ḣ = g·(v_c(x) − v_r(x))        df = p g dA on c, −df on r, both at x

so that the power of both forces is −p δ̇ dA: what is not dissipated is the energy ∫∫ p(δ, 0) dδ dA. |g| dA is the area
of c above dA; friction acts on it against the sliding velocity at x, across n_c.
"""
