"""What an opaque node of an ONNX file keeps, so that a runtime can be given a part of the model."""

from __future__ import annotations

from dataclasses import dataclass

from onnx import ModelProto, NodeProto, TensorProto


@dataclass(frozen=True)
class Source:
    """A node as its file has it, and what holds for all of the model: `header` is the model without its graph.

    The header has the IR version, the imported opsets, the functions, and what the model tells of itself. `proto` is a
    NodeProto, or a TensorProto for an initializer of an element type that wherry does not have.
    """

    proto: NodeProto | TensorProto
    header: ModelProto


def header_of(proto: ModelProto) -> ModelProto:
    """Return a model without its graph."""
    header = ModelProto(ir_version=proto.ir_version)
    header.opset_import.extend(proto.opset_import)
    header.functions.extend(proto.functions)
    header.metadata_props.extend(proto.metadata_props)
    for name in ("domain", "model_version", "doc_string"):
        if proto.HasField(name):
            setattr(header, name, getattr(proto, name))
    return header
