"""Running one description on packed arrays."""

import dataclasses

import numpy as np

from wherry.dialects.directml import BufferTensorDesc, execute


def tensor(array, **members):
    return BufferTensorDesc(array.dtype, array.shape, **members)


def run(kind, inputs, outputs, *members, feature_level="6.4", **named):
    """Run a description: `inputs` by member, `outputs` by member as (type, sizes); return the output arrays.

    None as an input is an optional tensor that is missing. `members` are those after the tensors.
    """
    arrays = {name: value if value is None else np.ascontiguousarray(value) for name, value in inputs.items()}
    results = {name: np.zeros(sizes, dtype) for name, (dtype, sizes) in outputs.items()}
    tensors = {name: array if array is None else tensor(array) for name, array in {**arrays, **results}.items()}
    fields = [name for name in (entry.name for entry in dataclasses.fields(kind)) if name not in tensors]
    desc = kind(**tensors, **dict(zip(fields, members, strict=False)), **named)
    bound = {name: array for name, array in {**arrays, **results}.items() if array is not None}
    execute(desc, bound, feature_level=feature_level)
    values = tuple(results.values())
    return values[0] if len(values) == 1 else values
