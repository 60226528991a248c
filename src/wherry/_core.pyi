"""Moves of tensor data over strided memory. Arrays are NumPy arrays; strides may be any."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Method = TypeVar("_Method", bound=Callable[..., Any])

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
def convert(data: NDArray[Any], out: NDArray[Any], from_element: int, to_element: int, saturates: int = 0) -> None: ...
def translate(
    data: NDArray[Any],
    out: NDArray[Any],
    table: bytes,
    code_width: int,
    from_element: int | None,
    code_element: int,
    saturates: int,
) -> None: ...
def round(data: NDArray[Any], out: NDArray[Any], from_element: int, format: bytes) -> None: ...
def calculate(
    first: NDArray[Any], second: NDArray[Any] | bytes, out: NDArray[Any], function: int, element: int
) -> None: ...
def divide(
    dividend: NDArray[Any],
    divisor: NDArray[Any],
    out: NDArray[Any],
    element: int,
    is_remainder: bool,
    floors: bool,
    takes_zero: bool,
    wraps: bool,
) -> None: ...
def add(target: NDArray[Any], source: NDArray[Any] | None, element: int) -> None: ...
def fill_diagonals(
    out: NDArray[Any], data: NDArray[Any] | None, value: NDArray[Any], begin: int, end: int, inverted: bool
) -> None: ...
def range(out: NDArray[Any], start: bytes, delta: bytes, element: int) -> None: ...
def check_indices(indices: NDArray[np.integer[Any]], size: int, negative: int) -> tuple[int, int] | None: ...
def nonzero(data: NDArray[Any], mask: int, dtype: np.dtype[Any]) -> NDArray[Any]: ...
def strings(begins: NDArray[Any], ends: NDArray[Any], symbols: NDArray[np.uint8]) -> NDArray[Any] | None: ...
def broadcast(array: NDArray[Any], sizes: tuple[int, ...]) -> NDArray[Any] | None: ...
def hold_strings(results: object) -> bool:
    """Whether an array, or each array of a list or tuple, has no objects but strings."""

def integers(value: object) -> NDArray[Any] | None: ...
def memory_of(array: NDArray[Any]) -> NDArray[Any]: ...
def parts(array: NDArray[Any], axis: int, bounds: list[int]) -> list[NDArray[Any]]: ...
def split(array: object, sections_or_sizes: object, axis: object) -> list[NDArray[Any]] | None: ...
def unique(
    data: NDArray[Any], element: int, nan_differ: bool, ascending: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(first places, inverse, counts) of the different elements of a vector, in ascending order or that of places."""

def unique_strings(data: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the same of a vector of strings of Python, in ascending order; None if it has other objects."""

def view(vector: NDArray[Any], sizes: Sequence[int], strides: Sequence[int], offset: int) -> NDArray[Any]: ...
def asks_first(attribute: str) -> Callable[[_Method], _Method]: ...
def watch_limits() -> None: ...
def set_num_threads(n: int) -> None: ...
def get_num_threads() -> int: ...
def range_times(call: Callable[[], object]) -> tuple[float, list[tuple[int, float, list[float]]]]: ...
def keep_memory(most: int) -> int: ...
def kept_memory() -> int: ...
def isa() -> str: ...
def isas() -> list[str]: ...
def machine() -> dict[str, int]: ...
def write_results(results: Sequence[NDArray[Any]], out: object) -> bool: ...

class Program:
    """The moves of a plan, checked once."""

    def __init__(
        self,
        inputs: list[tuple[Any, ...]],
        outputs: list[tuple[Any, ...]],
        temporaries: list[int],
        constants: list[NDArray[Any]],
        steps: list[tuple[Any, ...]],
        values: list[bytes | None] = ...,
    ) -> None: ...
    def run(self, arrays: object, outputs: object = None) -> dict[str, NDArray[Any]] | None: ...

class Declared:
    """The declared inputs of a model."""

    def __init__(self, inputs: list[tuple[Any, ...]], most: int, defaults: dict[str, NDArray[Any]] = ...) -> None: ...
    def take(self, arrays: object) -> tuple[list[NDArray[Any]], int | None] | None: ...

class EagerRun:
    """A graph node by node on arrays, without a plan."""

    def __init__(
        self,
        declared: Declared,
        constants: list[NDArray[Any]],
        tensors: int,
        steps: list[tuple[Callable[..., Any], list[int], list[int], bool, bool]],
        outputs: list[tuple[str, int, bool]],
        most_bytes: int,
        most_values: int,
        runs: int,
        most_waits: int,
        seen: int,
    ) -> None: ...
    def run(self, arrays: object) -> dict[str, NDArray[Any]] | None:
        """Outputs by name; None where the planner is to decide, or refuse."""

    def plans_what_comes_again(self, does: bool) -> None: ...
    def taken(self) -> list[NDArray[Any]] | None: ...
    def forget(self) -> None: ...

class RecentCalls:
    """The programs of calls that ran last, up to `most`, by their arguments."""

    def __init__(self, most: int, strings_alone: bool = False) -> None: ...
    def answers(
        self,
        function: _Function,
        passing: Passing | None = None,
        results: type[list[Any] | tuple[Any, ...]] | None = None,
    ) -> _Function: ...
    def run(
        self, arguments: object, out: NDArray[Any] | None = None
    ) -> tuple[NDArray[Any], ...] | list[NDArray[Any]] | None: ...
    def keep(
        self,
        arguments: object,
        program: Program | Callable[..., object],
        inputs: list[NDArray[Any]],
        tensors: list[tuple[str, tuple[int, ...], bool]] = ...,
        is_found_again: bool = False,
        keeps_made: bool = False,
        takes_arrays: bool = False,
        out: NDArray[Any] | None = None,
    ) -> None: ...
    def keep_for_any_sizes(
        self,
        arguments: object,
        function: Callable[..., object],
        inputs: list[NDArray[Any]],
        makes_view: bool,
        refuses_empty: bool = False,
        values: list[int] = ...,
    ) -> bool: ...
    def lacks_for_any_sizes(self, arguments: object) -> bool: ...
    def __len__(self) -> int: ...

class Passing:
    """What a function passes on of its parameters."""

    def __init__(
        self,
        names: tuple[str, ...],
        positional: int,
        defaults: dict[str, object],
        places: tuple[object, ...],
        given: tuple[object, ...],
    ) -> None: ...

class RecentPrograms:
    """The programs of one model that ran last, up to `most`."""

    def __init__(self, most: int, defaults: dict[str, NDArray[Any]] = ...) -> None: ...
    def run(self, arrays: object, outputs: object = None) -> dict[str, NDArray[Any]] | None: ...
    def set_eager(self, eager: EagerRun | None) -> None: ...
    def keep(self, program: Program, limits: object = None) -> None: ...
    def __len__(self) -> int: ...

class Copies:
    """Outputs that are the same at each call."""

    def __init__(self, results: dict[str, NDArray[Any]]) -> None: ...
    def __call__(self, arrays: object, written: dict[str, NDArray[Any]] | None = None) -> dict[str, NDArray[Any]]:
        """Copies of them by their names: new ones, or in the arrays that are to be written."""

class Direct:
    """A function of arrays of any sizes."""

    def __call__(self, *arrays: NDArray[Any]) -> Any:
        """The output, which may be a view of an input; None where a plan is to decide."""

class Gathering(Direct):
    """A gather along one axis."""

    def __init__(self, axis: int, batch_dims: int, out_of_range: str, negative: str) -> None: ...

class GatheringTuples(Direct):
    """Slices of data at tuples of indices."""

    def __init__(self, least: int, out_of_range: int, negative: int, general: Callable[..., Any]) -> None: ...

class FindingNonZero(Direct):
    """The coordinates of the elements of an array that are not 0."""

    def __init__(self, mask: int, dtype: np.dtype[Any]) -> None: ...

class Compressing(Direct):
    """The slices of an array where a vector of bools, the input `place`, is true."""

    def __init__(self, place: int, axis: int | None) -> None: ...

class FindingUnique(Direct):
    """The different elements of an array of any sizes: values, first places, inverse and counts."""

    def __init__(self, element: int, nan_differ: bool, ascending: bool) -> None: ...

class Transposing(Direct):
    """The axes of an array in another order."""

    def __init__(self, perm: list[int]) -> None: ...

class Reshaping(Direct):
    """Data in the sizes of an input."""

    def __init__(self, sizes: int, copies: bool, refuses: bool) -> None: ...

class Expanding(Direct):
    """Data repeated to the sizes of an input."""

    def __init__(self, sizes: int, two_way: bool) -> None: ...

class Slicing(Direct):
    """A part of data, by bounds that are known or inputs."""

    def __init__(
        self,
        starts: int | list[int],
        ends: int | list[int],
        axes: int | list[int] | None,
        steps: int | list[int] | None,
        from_front: bool,
    ) -> None: ...

class Ranging(Direct):
    """Numbers at equal distances, by inputs at these positions."""

    def __init__(self, start: int, limit: int, delta: int, element: int) -> None: ...

class Reducing(Direct):
    """Sums, products or extremes along axes of arrays of any sizes."""

    def __init__(
        self, axes: list[int] | None, keeps_axes: bool, function: int, element: int, of_none: bytes
    ) -> None: ...

class NonZero:
    """The elements of an array that are not zero."""

    def __init__(self, data: NDArray[Any], mask: int) -> None: ...
    @property
    def count(self) -> int: ...
    def positions(self) -> NDArray[np.int64]: ...
    def coordinates(self, out: NDArray[Any]) -> None: ...
