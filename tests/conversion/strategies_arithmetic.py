"""Uses of operators that compute, to which rows of the table of rewrites apply."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, sizes
from tests.conversion.sites import Use, data, use
from wherry.ops import Binary, Compare, Extreme


def broadcast_at_an_axis(draw: Draw) -> Use:
    """Two tensors of one type: equal sizes, or the second at an axis of the first, of fewer elements than that has."""
    shape = sizes(draw, 1, 3, 1)
    first = data(*shape, dtype=np.int32)
    kind = draw(st.sampled_from(["none", "last", "axis"]))
    if kind == "none":
        return use(Extreme("maximum", broadcast="none"), first, first[::-1] + 1)
    axis = draw(st.integers(0, len(shape) - 1))
    if kind == "last":
        return use(Binary("subtract", broadcast="second"), first, data(*shape[axis:], dtype=np.int32))
    own = shape[axis : draw(st.integers(axis + 1, len(shape)))]
    function = draw(st.sampled_from([Binary("multiply", broadcast="second", axis=axis),
                                     Compare("less", broadcast="second", axis=axis)]))  # fmt: skip
    return use(function, first, data(*own, dtype=np.int32))
