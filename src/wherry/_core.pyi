"""Moves of tensor data over strided memory. Arrays are NumPy arrays; strides may be any."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

def gather(
    data: ArrayLike,
    indices: ArrayLike,
    axis: int = 0,
    *,
    batch_dims: int = 0,
    out_of_range: Literal["raise", "clamp", "zero", "wrap"] = "raise",
    negative: Literal["from_end", "invalid"] = "from_end",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]: ...
def gather_into(
    data: NDArray[Any], indices: NDArray[np.integer[Any]], out: NDArray[Any], out_of_range: int, negative: int
) -> None: ...
def scatter_into(
    target: NDArray[Any],
    indices: NDArray[np.integer[Any]],
    updates: NDArray[Any],
    reduction: int,
    out_of_range: int,
    negative: int,
    element: int,
    nan: int,
) -> None: ...
def copy(src: NDArray[Any], dst: NDArray[Any]) -> None: ...
def fill(dst: NDArray[Any], value: NDArray[Any]) -> None: ...
def select(condition: NDArray[Any], x: NDArray[Any], y: NDArray[Any], out: NDArray[Any]) -> None: ...
def convert(data: NDArray[Any], out: NDArray[Any], from_element: int, to_element: int) -> None: ...
def fill_diagonals(
    out: NDArray[Any], data: NDArray[Any] | None, value: NDArray[Any], begin: int, end: int, inverted: bool
) -> None: ...
def sequence(out: NDArray[Any], start: bytes, delta: bytes, element: int) -> None: ...
def check_indices(indices: NDArray[np.integer[Any]], size: int, negative: int) -> tuple[int, int] | None: ...
def memory_of(array: NDArray[Any]) -> NDArray[Any]: ...
def view(vector: NDArray[Any], sizes: Sequence[int], strides: Sequence[int], offset: int) -> NDArray[Any]: ...
def set_num_threads(n: int) -> None: ...
def get_num_threads() -> int: ...
def isa() -> str: ...

class Program:
    """The moves of a plan, checked once."""

    def __init__(
        self,
        inputs: list[tuple[Any, ...]],
        outputs: list[tuple[Any, ...]],
        temporaries: list[int],
        constants: list[NDArray[Any]],
        steps: list[tuple[Any, ...]],
    ) -> None: ...
    def run(self, arrays: object, outputs: object = None) -> dict[str, NDArray[Any]] | None: ...
