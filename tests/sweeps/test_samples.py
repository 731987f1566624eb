"""Samples fill what they should: layers of a Latin hypercube, boxes of Sobol' points, quantiles of distributions."""

import numpy as np
import pytest
from scipy.stats import norm, truncnorm, uniform

import gudgeon as gd

RANGES = {"gravity[2]": (-10.0, -9.0), "bodies.bob.mass": (1.0, 3.0)}


@pytest.mark.parametrize("method", ["random", "latin_hypercube", "sobol"])
def test_the_same_seed_gives_the_same_samples(method):
    draw = getattr(gd.Samples, method)
    one, two, other = (draw(RANGES, count=16, seed=seed) for seed in (3, 3, 4))
    assert one == two != other
    for path, (low, high) in RANGES.items():
        values = np.array(one.values[path])
        assert len(values) == one.count == 16 and values.min() >= low and values.max() <= high


def test_latin_hypercube_has_one_point_in_every_layer():
    samples = gd.Samples.latin_hypercube(RANGES, count=10, seed=1)
    for path, (low, high) in RANGES.items():
        layer = np.floor((np.array(samples.values[path]) - low) / (high - low) * 10)
        assert sorted(layer) == list(range(10))


def test_sobol_points_are_balanced_in_two_dimensions():
    """Of 2^m points every elementary box of volume 2^-m holds one: a (0, m, 2)-net (Sobol' 1967)."""
    samples = gd.Samples.sobol(RANGES, count=16, seed=5)
    unit = [(np.array(samples.values[p]) - low) / (high - low) for p, (low, high) in RANGES.items()]
    for split in range(5):
        boxes = {(int(x * 2**split), int(y * 2 ** (4 - split))) for x, y in zip(*unit, strict=True)}
        assert len(boxes) == 16


def test_distributions_are_met():
    """Quantiles of a Latin hypercube: the empirical distribution is within 1/count of F everywhere."""
    distribution = norm(loc=0.01, scale=5e-6)
    samples = gd.Samples.latin_hypercube({"r": gd.Distribution(distribution), "mu": (0.0, 0.2)}, count=200)
    u = np.sort(distribution.cdf(samples.values["r"]))
    assert np.all(np.abs(u - (np.arange(200) + 0.5) / 200) <= 0.5 / 200 + 1e-12)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: gd.Samples({"a": [1.0], "b": [1.0, 2.0]}), "a has 1, b has 2; give lists of one length"),
        (lambda: gd.Samples({}), "Samples: {} given"),
        (lambda: gd.Samples({"a": 3.0}), "a is 3.0; give a list of values"),
        (lambda: gd.Samples.random({"a": (2.0, 1.0)}, count=3), "a runs from 2 to 1; give (low, high)"),
        (lambda: gd.Samples.random({"a": 5.0}, count=3), "a is 5.0; give a range (low, high) or a gd.Distribution"),
        (lambda: gd.Samples.random(RANGES, count=0), "count is 0; give a whole number of runs"),
        (lambda: gd.Samples.sobol(RANGES, count=12), "count is 12; Sobol' points come in powers of two, give 16"),
        (lambda: gd.Distribution(norm), "give a frozen distribution such as"),
        (lambda: gd.Distribution(3.0), "Distribution: 3.0 given"),
        (
            lambda: gd.Distribution(norm(1.0, scale=-1)),
            "norm(1.0, scale=-1) has no median; give parameters that it can",
        ),
    ],
)
def test_mistakes(make, said):
    with pytest.raises(gd.ModelError) as caught:
        make()
    assert said in str(caught.value)


def test_a_range_is_the_uniform_distribution():
    low, high = RANGES["bodies.bob.mass"]
    one = gd.Samples.sobol({"m": (low, high)}, count=8).values["m"]
    two = gd.Samples.sobol({"m": gd.Distribution(uniform(low, high - low))}, count=8).values["m"]
    assert one == pytest.approx(two, rel=1e-15)
    assert gd.Distribution(truncnorm(-2, 2)).quantiles([1.0]) == pytest.approx(2.0)
