"""GatherTree by its formula: OpenVINO GatherTree-1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import GatherTree


def formula(operator: GatherTree, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """Each beam is traced back from its last step; steps after the first end_token are end_token.

    Raises IndexError for a parent that is no beam.
    """
    steps, parents, lengths, end = inputs
    (out,) = outputs
    count, batch, beams = steps.shape
    for b, w in np.ndindex(batch, beams):
        out[:, b, w] = end[()]
        length = min(count, int(lengths[b]))
        beam = w
        for t in range(length - 1, -1, -1):
            if t < length - 1:
                parent = float(parents[t + 1, b, beam])
                if not -1 < parent < beams:
                    raise IndexError(parent)
                beam = int(parent)
            out[t, b, w] = steps[t, b, beam]
        ended = False
        for t in range(length):
            if ended:
                out[t, b, w] = end[()]
            ended = ended or bool(out[t, b, w] == end[()])
