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
        source="Operation specifications, Parameter-1",
        attributes=(Attribute("shape", PARTIAL_SHAPE), Attribute("element_type", ELEMENT_TYPE)),
    ),
    OpenVINORow(
        name="Const",
        since=1,
        last=17,
        rule="size bytes at offset of the .bin file, which may be more than the tensor needs",
        source="Operation specifications, Constant-1",
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
        source="Operation specifications, Result-1",
        inputs=(Input("data"),),
        outputs=0,
    ),
    OpenVINORow(
        name="Identity",
        since=16,
        last=16,
        rule="a copy",
        source="Operation specifications, Identity-16",
        build=Identity,
        inputs=(Input("data"),),
    ),
)
