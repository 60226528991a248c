"""What the lists of OpenVINO's differences are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.differential.conditions import Condition, named
from tests.differential.difference import Difference
from tests.differential.openvino_cases import array
from tests.differential.openvino_runtime import OpenVINOCase

VERSION = "2026.4.1"
SOURCE = "https://github.com/openvinotoolkit/openvino/blob/master/src"
NODES = f"{SOURCE}/plugins/intel_cpu/src/nodes"


def model(operator: str, version: int, *tensors: tuple[str, Any], **rest: Any) -> OpenVINOCase:
    """Return a model of element types and values."""
    arrays = tuple(array(kind, value) for kind, value in tensors)
    return OpenVINOCase(operator, version, arrays, kinds=tuple(kind for kind, _ in tensors), **rest)


def of(*names: str) -> Callable[[Callable[[OpenVINOCase], bool]], Callable[[OpenVINOCase], bool]]:
    """Return what makes a predicate false of any other operation."""
    return lambda applies: lambda case: case.operator in names and applies(case)


def has_subnormal(data: np.ndarray) -> bool:
    """Whether a number is too small for a float32 with a full significand."""
    bits = data.astype(np.float32).view(np.uint32) & np.uint32(0x7FFFFFFF)
    return bool(((bits > 0) & (bits < 0x800000)).any())


def difference(
    name: str, reason: str, link: str, when: Condition | Callable[..., bool], example: OpenVINOCase, **more: Any
) -> Difference:
    """Return an entry of the version that all of them were seen with."""
    condition = named(f"OpenVINO: {name}")(when) if callable(when) else when
    return Difference(name, "openvino", VERSION, reason, link, condition, example, **more)
