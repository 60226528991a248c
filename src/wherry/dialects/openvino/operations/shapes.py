"""Pad, Tile, Broadcast, Transpose, Reshape, Squeeze and Unsqueeze."""

from __future__ import annotations

from dataclasses import replace

from wherry.dialects.openvino.operations.slice import vector
from wherry.dialects.openvino.row import INTEGER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import BOOLEAN, flag_of, word_of
from wherry.ops import (
    Alignment,
    BelowZero,
    Beyond,
    Empty,
    EmptyOrder,
    Expand,
    Lengths,
    MixedSigns,
    OtherSizes,
    Overcrop,
    Pad,
    Repeated,
    Reshape,
    Squeeze,
    Tile,
    Transpose,
    Undetermined,
    Unsqueeze,
)

_AXES = Input("axes", INTEGER_TYPES, ndim=(0, 1), field="axes")

_PAD = OpenVINORow(
    name="Pad",
    since=1,
    rule="pads 0 and more; negative ones, outside the contract, crop as in Pad-12, as the code does",
    build=Pad,
    inputs=(
        Input("data"),
        vector("pads_begin", "begins"),
        vector("pads_end", "ends"),
        Input("pad_value", ndim=(0, 0), field="value", is_kept=True, is_optional=True, same_type="data"),
    ),
    attributes=(Attribute("pad_mode", word_of("constant", "edge", "reflect", "symmetric"), field="mode"),),
    fixed={
        "axes": None,
        "mixed_signs": MixedSigns.ORIGINAL,
        "beyond": Beyond.REFUSE,
        "overcrop": Overcrop.EMPTY,
    },
)

_ALIGNMENTS = {
    "numpy": Alignment.ONE_WAY.value,
    "explicit": Alignment.EXPLICIT.value,
    "none": Alignment.EXPLICIT.value,
    "bidirectional": Alignment.TWO_WAY.value,
}
_BROADCAST = OpenVINORow(
    name="Broadcast",
    since=1,
    rule="numpy and explicit; data gives way to the target only",
    build=Expand,
    inputs=(
        Input("data"),
        vector("target_shape", "shape"),
        # Files of numpy mode have a scalar here, which means nothing.
        Input(
            "axes_mapping",
            INTEGER_TYPES,
            ndim=(0, 1),
            field="axes",
            is_optional=True,
            only_with=("mode", Alignment.EXPLICIT.value),
        ),
    ),
    attributes=(
        Attribute(
            "mode",
            word_of("numpy", "explicit", "none", ours=_ALIGNMENTS),
            default=Alignment.ONE_WAY.value,
            field="alignment",
        ),
    ),
    fixed={"start": -1},
)

_SQUEEZE = OpenVINORow(
    name="Squeeze",
    since=1,
    rule="no axes, or an empty list: all of size 1; a listed axis of another size stays; repeats count once",
    build=Squeeze,
    inputs=(Input("data"), replace(_AXES, is_optional=True)),
    fixed={"empty": Empty.ALL, "other_sizes": OtherSizes.KEEP, "repeated": Repeated.COLLAPSE},
)

ROWS = (
    _PAD,
    replace(
        _PAD,
        since=12,
        rule="negative pads crop; mirrors and edges are those of the uncropped data, one pass at most",
    ),
    OpenVINORow(
        name="Tile",
        since=1,
        rule="the shorter of sizes and repeats gets leading ones; negative repeats, outside the contract, are 0",
        build=Tile,
        inputs=(Input("data"), vector("repeats")),
        fixed={"axis": None, "lengths": Lengths.PAD, "negative": BelowZero.ZERO},
    ),
    _BROADCAST,
    replace(
        _BROADCAST,
        since=3,
        rule="as Broadcast-1; bidirectional: a target of 1, or with fewer axes, gives way to data",
        attributes=(
            replace(
                _BROADCAST.attributes[0],
                kind=word_of("numpy", "explicit", "none", "bidirectional", ours=_ALIGNMENTS),
            ),
        ),
    ),
    OpenVINORow(
        name="Transpose",
        since=1,
        rule="an empty order reverses the axes; entries count from the front",
        build=Transpose,
        inputs=(Input("arg"), vector("input_order", "perm")),
        fixed={"empty": EmptyOrder.REVERSE},
    ),
    OpenVINORow(
        name="Reshape",
        since=1,
        rule="special_zero: 0 copies the size of data; -1 beside a size of 0 is 1 where data is empty",
        build=Reshape,
        inputs=(Input("data"), vector("shape")),
        attributes=(Attribute("special_zero", flag_of("copy", "literal"), field="zero"),),
        fixed={"undetermined": Undetermined.ONE},
    ),
    _SQUEEZE,
    replace(
        _SQUEEZE,
        since=15,
        rule="as Squeeze-1; allow_axis_skip is about ranks that are not known, and changes no result",
        attributes=(Attribute("allow_axis_skip", BOOLEAN, default=False, is_hint=True),),
    ),
    OpenVINORow(
        name="Unsqueeze",
        since=1,
        rule="axes of the output; repeats count once; an empty list is refused",
        build=Unsqueeze,
        inputs=(Input("data"), replace(_AXES, entries=(1, None))),
        fixed={"repeated": Repeated.COLLAPSE},
    ),
)
