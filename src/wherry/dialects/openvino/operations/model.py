"""Parameter, Const and Result, and Identity-16: what holds a model together."""

from __future__ import annotations

from wherry.dialects.openvino.row import Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import ELEMENT_TYPE, PARTIAL_SHAPE, SHAPE, SIZE
from wherry.ops import Identity

ROWS = (
    OpenVINORow(
        name="Parameter",
        since=1,
        last=17,
        rule="one input of the model, in the order of the file",
        attributes=(Attribute("shape", PARTIAL_SHAPE), Attribute("element_type", ELEMENT_TYPE)),
    ),
    OpenVINORow(
        name="Const",
        page="Constant",
        since=1,
        last=17,
        rule="size bytes at offset of the .bin file, which may be more than the tensor needs",
        attributes=(
            Attribute("element_type", ELEMENT_TYPE),
            Attribute("shape", SHAPE),
            Attribute("offset", SIZE),
            Attribute("size", SIZE),
        ),
    ),
    OpenVINORow(
        name="Result",
        since=1,
        last=17,
        rule="one output of the model, in the order of the file",
        inputs=(Input("data"),),
        outputs=0,
    ),
    OpenVINORow(
        name="Identity",
        since=16,
        rule="a copy",
        build=Identity,
        inputs=(Input("data"),),
    ),
)
