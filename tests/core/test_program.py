"""Programs: what is checked when they are made, and when they answer None instead of running."""

from typing import Any

import numpy as np
import pytest

from wherry import _core

F4, I8 = np.dtype("f4"), np.dtype("i8")
X = ("x", F4, [4], [4], 0, 16)
I = ("i", I8, [2], [8], 0, 16)  # noqa: E741
Y = ("y", F4, [2], [4], 0, 8)
OUT, IDX, DATA = (2, 0, [2], [4]), (1, 0, [2, 1], [8, 8]), (0, 0, [2, 4], [0, 4])
GATHER = ("gather", OUT, DATA, IDX, 4, I8, 0, 0)
CHECK = ("check", (1, 0, [2], [8]), I8, 4, 0)


def program(*steps: tuple[Any, ...], inputs: Any = (X, I), outputs: Any = (Y,)) -> _core.Program:
    return _core.Program(list(inputs), list(outputs), [], [], list(steps))


def arrays(**others: Any) -> dict[str, Any]:
    return {"x": np.arange(4, dtype="f4"), "i": np.array([2, -1])} | others


def test_it_runs() -> None:
    assert program(CHECK, GATHER).run(arrays())["y"].tolist() == [2, 3]


@pytest.mark.parametrize(
    "given",
    [
        arrays(i=np.array([2, 4])),
        arrays(i=np.array([2])),
        arrays(i=np.array([2, 1], "i4")),
        arrays(i=np.array([[2, 1]])),
        arrays(i=np.arange(4)[::2]),
        arrays(i=[2, 1]),
        arrays(x=np.arange(5, dtype="f4")),
        arrays(x=np.arange(4, dtype="i4")),
        arrays(x=np.arange(4, dtype=">f4")),
        arrays(x=np.zeros(17, "u1")[1:].view("f4")),
        arrays(z=1),
        {"x": np.arange(4, dtype="f4")},
        {},
        [np.arange(4, dtype="f4"), np.array([2, 1])],
        None,
    ],
    ids=str,
)
def test_other_arrays_and_bad_indices_give_none(given: Any) -> None:
    assert program(CHECK, GATHER).run(given) is None


@pytest.mark.parametrize(
    "step",
    [
        ("gather", (3, 0, [2], [4]), DATA, IDX, 4, I8, 0, 0),
        ("gather", (-1, 0, [2], [4]), DATA, IDX, 4, I8, 0, 0),
        ("gather", (2, 4, [2], [4]), DATA, IDX, 4, I8, 0, 0),
        ("gather", (2, 0, [3], [4]), DATA, IDX, 4, I8, 0, 0),
        ("gather", OUT, (0, 0, [2, 5], [0, 4]), IDX, 4, I8, 0, 0),
        ("gather", OUT, (0, 0, [2, 4], [0, 5]), IDX, 4, I8, 0, 0),
        ("gather", OUT, (0, 0, [2, 4], [0, -4]), IDX, 4, I8, 0, 0),
        ("gather", OUT, (0, 0, [2, 4], [0, 2**62]), IDX, 4, I8, 0, 0),
        ("gather", OUT, (0, 0, [2], [0]), IDX, 4, I8, 0, 0),
        ("gather", OUT, DATA, (1, 0, [2, 2], [8, 8]), 4, I8, 0, 0),
        ("gather", OUT, DATA, (1, 8, [2, 1], [8, 8]), 4, I8, 0, 0),
        ("gather", OUT, DATA, (1, 0, [2, 1], [8, 8]), 8, I8, 0, 0),
        ("gather", OUT, DATA, IDX, 4, I8, 4, 0),
        ("gather", OUT, DATA, IDX, 4, I8, 0, 2),
        ("gather", OUT, DATA, IDX, 4, F4, 0, 0),
        ("gather", OUT, (0, 0, [2, 0], [0, 4]), IDX, 4, I8, 1, 0),
        ("copy", OUT, (0, 12, [2], [4]), 4),
        ("copy", OUT, (0, 0, [3], [4]), 4),
        ("copy", OUT, (0, 0, [2, 1], [4, 4]), 4),
        ("copy", OUT, (0, 0, [-2], [4]), 4),
        ("fill", (2, 4, [2], [4]), b"abcd"),
        ("check", (1, 8, [2], [8]), I8, 4, 0),
        ("check", (1, 0, [2], [8]), I8, -4, 0),
        ("scatter", (0, 4, [2, 4], [0, 4]), IDX, OUT, 4, I8, 0, 0, 0, -1, 0),
        ("scatter", DATA, IDX, OUT, 4, I8, 9, 0, 0, 10, 0),
        ("scatter", DATA, IDX, OUT, 4, I8, 1, 0, 0, 11, 0),
        ("select", OUT, (1, 15, [2], [1]), (0, 0, [2], [4]), (0, 8, [2], [4]), 4),
        ("select", OUT, (1, 0, [2], [1]), (0, 0, [2], [4]), (0, 12, [2], [4]), 4),
        ("select", OUT, (1, 0, [2], [1]), (0, 0, [2], [4]), (0, 0, [3], [4]), 4),
        ("select", (2, 4, [2], [4]), (1, 0, [2], [1]), (0, 0, [2], [4]), (0, 0, [2], [4]), 4),
        ("convert", OUT, (0, 4, [4], [4]), 10, 2),
        ("convert", (2, 0, [2], [8]), (0, 0, [2], [4]), 10, 11),
        ("convert", OUT, (0, 0, [3], [4]), 10, 7),
        ("convert", OUT, (0, 0, [2], [4]), 10, 10),
        ("convert", OUT, (0, 0, [2], [4]), 2, 15),
        ("convert", OUT, (0, 0, [2], [4]), -1, 2),
        ("diagonals", (2, 0, [1, 2], [8, 4]), (0, 12, [1, 2], [8, 4]), b"abcd", 0, 1, False),
        ("diagonals", (2, 4, [1, 2], [8, 4]), None, b"abcd", 0, 1, False),
        ("diagonals", (2, 0, [1, 2], [8, 4]), (0, 0, [2, 1], [8, 4]), b"abcd", 0, 1, False),
        ("diagonals", (2, 0, [1, 2], [8, 4]), None, b"abcd", -2, 1, False),
        ("diagonals", (2, 0, [1, 2], [8, 4]), None, b"abcd", 0, 3, False),
        ("diagonals", (2, 0, [1, 2], [8, 4]), None, b"abcd", 1, 0, True),
        ("diagonals", OUT, None, b"abcd", 0, 1, False),
        ("range", (2, 4, [2], [4]), b"abcd", b"abcd", 2),
        ("range", (2, 0, [1, 2], [8, 4]), b"abcd", b"abcd", 2),
        ("range", OUT, b"abc", b"abcd", 2),
        ("range", OUT, b"abcd", b"abcde", 2),
        ("range", OUT, b"abcdefgh", b"abcdefgh", 13),
        ("range", OUT, b"ab", b"ab", 8),
        ("move",),
    ],
    ids=str,
)
def test_a_step_that_would_leave_its_buffers_is_refused(step: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError)):
        program(step)


@pytest.mark.parametrize(
    "array",
    [
        ("x", F4, [4], [4], 0, 20),
        ("x", F4, [4], [4], 4, 16),
        ("x", F4, [4], [-4], 0, 16),
        ("x", F4, [4, 1], [4], 0, 16),
        ("x", "f4", [4], [4], 0, 16),
        ("x", F4, [0], [4], 0, 4),
    ],
    ids=str,
)
def test_an_array_of_another_extent_is_refused(array: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError)):
        program(inputs=[array])


def test_indices_that_change_meanwhile_do_no_harm() -> None:
    assert program(GATHER).run(arrays(i=np.array([2, 9]))) is None


def test_copies_of_one_output_run_together_and_in_order() -> None:
    """Boxes side by side are cut into slices; a later copy to the same place still comes last."""
    data = np.arange(600 * 900, dtype="f4").reshape(600, 900)
    strides, back = [3600, 4], [3600, -4]
    steps = [
        ("copy", (1, 0, [600, 300], strides), (0, 0, [600, 300], strides), 4),
        ("copy", (1, 1200, [600, 3], strides), (0, 1208, [600, 3], back), 4),
        ("copy", (1, 1212, [600, 597], strides), (0, 1212, [600, 597], strides), 4),
        ("copy", (1, 3600, [1, 900], strides), (0, 0, [1, 900], strides), 4),
    ]
    array = (F4, [600, 900], strides, 0, data.nbytes)
    out = program(*steps, inputs=[("x", *array)], outputs=[("y", *array)]).run({"x": data})["y"]
    expected = data.copy()
    expected[:, 300:303] = data[:, 302:299:-1]
    expected[1] = data[0]
    assert np.array_equal(out, expected)
