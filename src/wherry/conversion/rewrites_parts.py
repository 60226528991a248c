"""Rewrites that cut tensors into parts and join these, or lay windows over them."""

from __future__ import annotations

import math

from wherry.conversion.draft import Edit, Rewrite
from wherry.ops import ExtractImagePatches, Im2Col, Pad, Reshape, Transpose, Zero


def _columns_as_patches(edit: Edit) -> str | None:
    """Windows over a padded image, their channels counted the other way round."""
    operator: Im2Col = edit.operator
    if len(operator.block_shape) != 2:
        return None
    name, sizes = edit.inputs[0], edit.shape()
    begins, ends = (0, 0, *(operator.begins or ())), (0, 0, *(operator.ends or ()))
    if any((*begins, *ends)):
        name = edit.add(Pad(begins, ends), name)
    counts = operator.counts(sizes[2:])
    windows = ExtractImagePatches(operator.block_shape, operator.strides or (), operator.dilations or ())
    places = math.prod(operator.block_shape)
    cut = edit.add(Reshape((sizes[0], places, sizes[1], math.prod(counts)), Zero.LITERAL), edit.add(windows, name))
    return edit.add(Reshape(edit.shape(edit.node.outputs[0]), Zero.LITERAL), edit.add(Transpose((0, 2, 1, 3)), cut))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Im2Col,), "an image of two axes, sizes are known",
            "Pad, ExtractImagePatches, Reshape, Transpose, Reshape", "channels are counted the other way round",
            _columns_as_patches, ("openvino",)),
)  # fmt: skip
"""The rows for parts and windows, tried in this order."""
