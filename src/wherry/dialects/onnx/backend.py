"""The onnx package's backend interface over wherry, so that its own test suite and tools can run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_entries, as_mapping, check_is
from wherry.arrays.anywhere import as_array
from wherry.dialects.onnx.reader import read_runnable
from wherry.dialects.onnx.schema import NEWEST_IR_VERSION, NEWEST_OPSET
from wherry.dialects.onnx.writer import value_info
from wherry.errors import InvalidValueError, UnsupportedError, WherryError, short
from wherry.models.model import GraphModel
from wherry.tensors import TensorType

try:
    from onnx import ModelProto, NodeProto, ValueInfoProto
    from onnx.backend import base
except ImportError as error:
    if error.name is None or not error.name.startswith(("onnx", "google")):
        raise
    raise errors.missing("onnx", "onnx", "the ONNX backend") from None

Array = NDArray[Any]


class BackendRep(base.BackendRep):
    """A model that is ready to run; what `Backend.prepare` returns."""

    def __init__(self, model: GraphModel) -> None:
        self.model = model
        self._names = base.namedtupledict("Outputs", list(model.outputs))

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Array, ...]:
        """Run the model; return its outputs in order, also found by name.

        Inputs come by name, or in order: first those that have no default, then the others.
        """
        _refuse_keywords(kwargs)
        if not isinstance(inputs, Mapping):
            if not isinstance(inputs, (list, tuple)):
                inputs = [inputs]
            order = sorted(self.model.inputs, key=lambda name: name in self.model.defaults)
            if len(inputs) > len(order):
                raise InvalidValueError(f"inputs has {len(inputs)} arrays, allowed {len(order)}", "ONNX backend")
            inputs = dict(zip(order, inputs, strict=False))
        return self._names(*self.model.run(inputs).values())


class Backend(base.Backend):
    """wherry as a backend of the onnx package: `prepare`, `run_model` and `run_node`.

    >>> import numpy as np, onnx
    >>> node = onnx.helper.make_node("Gather", ["data", "indices"], ["out"])
    >>> Backend.run_node(node, [np.array([10, 20, 30]), np.array([2, -1])])[0]
    array([30, 30])
    """

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether wherry has every operator of `model`, and the model is sound."""
        try:
            read_runnable(model)
        except WherryError:
            return False
        return cls.supports_device(device)

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> BackendRep:
        """Return `model` ready to run.

        Raises as `wherry.onnx.read` does, and UnsupportedError for another device or operators wherry does not have.
        """
        _refuse_keywords(kwargs)
        if not cls.supports_device(device):
            raise UnsupportedError(f"device is {short(device)}, allowed 'CPU'", "ONNX backend")
        return BackendRep(read_runnable(model))

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Any = None,
        **kwargs: Any,
    ) -> tuple[Array, ...]:
        """Run one node of the standard operators; return its outputs in order, also found by name.

        The keyword `opset_version` chooses the opset, otherwise the newest one that wherry knows. `outputs_info` (types
        of the outputs) is not needed: they follow from the inputs.
        """
        opset_version = kwargs.pop("opset_version", NEWEST_OPSET)
        _refuse_keywords(kwargs)
        check_is("node", node, NodeProto, "an onnx.NodeProto")
        names = list(dict.fromkeys(name for name in node.input if name))
        if not isinstance(inputs, Mapping):
            inputs = as_entries("inputs", inputs, "a mapping by name, or a sequence of arrays")
            if len(inputs) not in (len(names), sum(map(bool, node.input))):
                raise InvalidValueError(f"inputs has {len(inputs)} arrays, allowed {len(names)}: one for each of "
                                        f"{', '.join(names)}", "ONNX backend")  # fmt: skip
            reads = names if len(inputs) == len(names) else [name for name in node.input if name]
            inputs = dict(zip(reads, inputs, strict=True))
        for name in inputs:
            if name not in names:
                raise InvalidValueError(f"inputs has {short(name)}, allowed {', '.join(names)}", "ONNX backend")
        arrays = {name: as_array(value, f"input {name!r}") for name, value in as_mapping("inputs", inputs).items()}
        model = ModelProto(ir_version=NEWEST_IR_VERSION)
        model.opset_import.add(domain=node.domain, version=opset_version)
        model.graph.node.append(node)
        model.graph.input.extend(value_info(name, TensorType.of(array)) for name, array in arrays.items())
        model.graph.output.extend(ValueInfoProto(name=name) for name in node.output if name)
        return cls.prepare(model, device).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether wherry runs on `device`: the CPU only."""
        return isinstance(device, str) and device.split(":", maxsplit=1)[0].upper() == "CPU"


def _refuse_keywords(keywords: Mapping[str, Any]) -> None:
    if keywords:
        raise InvalidValueError(f"keywords are {', '.join(map(repr, keywords))}, allowed none", "ONNX backend")
