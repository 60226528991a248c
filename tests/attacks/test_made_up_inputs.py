"""Inputs that `wherry run` makes up where none are given: types that no array can have."""

import numpy as np
import pytest

from tests.attacks import attack
from wherry.errors import InvalidValueError, ResourceLimitError
from wherry.models.model import made_up_input
from wherry.tensors import TensorType


@pytest.mark.parametrize(
    ("name", "sizes", "kind", "words"),
    [
        ("float32", (0, 2**63 - 1), InvalidValueError, "is larger than any array; give the input"),
        ("uint8", (2**32, 0, 2**32), InvalidValueError, "is larger than any array; give the input"),
        ("string", (2**62,), InvalidValueError, "is larger than any array; give the input"),
        ("float32", (2**50,), ResourceLimitError, "made-up values of the type float32"),
    ],
)
def test_types_that_no_array_can_have(name: str, sizes: tuple[int, ...], kind: type, words: str) -> None:
    rng = np.random.default_rng(1)
    assert words in attack.refused(lambda: made_up_input(TensorType(name, sizes), rng), kind)
