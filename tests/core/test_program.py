"""Programs: what is checked when they are made, and when they answer None instead of running."""

from typing import Any

import numpy as np
import pytest

from wherry import _core
from wherry.limits import Limits, current, limited

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
        ("convert", OUT, (0, 4, [4], [4]), 10, 2, 0),
        ("convert", (2, 0, [2], [8]), (0, 0, [2], [4]), 10, 11, 0),
        ("convert", OUT, (0, 0, [3], [4]), 10, 7, 0),
        ("convert", OUT, (0, 0, [2], [4]), 10, 10, 0),
        ("convert", OUT, (0, 0, [2], [4]), 2, 15, 0),
        ("convert", OUT, (0, 0, [2], [4]), -1, 2, 0),
        ("convert", OUT, (0, 0, [2], [4]), 10, 2, 2),
        ("convert", OUT, (0, 0, [2], [4]), 10, 2),
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


def deciding(value: bytes, x: Any = X) -> _core.Program:
    """Return the program of a copy for one value of `i` only."""
    return _core.Program([x, I], [Y], [], [], [("copy", OUT, (0, 0, [2], [4]), 4)], [None, value])


def test_a_program_runs_on_the_values_that_it_was_made_for() -> None:
    made = deciding(np.array([2, -1]).tobytes())
    assert made.run(arrays())["y"].tolist() == [0, 1]
    assert made.run(arrays(i=np.array([2, 1]))) is None
    values = np.array([2, 1])
    assert made.run(arrays(i=values)) is None
    values[1] = -1
    assert made.run(arrays(i=values)) is not None


@pytest.mark.parametrize(
    "values", [[None], [None, b"1"], [None, b"1" * 17], [None, 7], [None, None, None], [b"", None]]
)
def test_values_of_another_size_are_refused(values: Any) -> None:
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        _core.Program([X, I], [Y], [], [], [], values)


def test_values_that_do_not_lie_together_are_refused() -> None:
    scattered = ("i", I8, [2], [16], 0, 24)
    with pytest.raises(ValueError, match="a value has another number of bytes"):
        _core.Program([X, scattered], [Y], [], [], [], [None, bytes(24)])


def test_the_recent_programs_are_found_by_arrays_and_values() -> None:
    recent = _core.RecentPrograms(2)
    assert recent.run(arrays()) is None
    wide = ("x", F4, [5], [4], 0, 20)
    first, second, third = (deciding(np.array([n, n]).tobytes(), x) for n, x in ((1, X), (2, X), (2, wide)))
    for made in (first, second, first):
        recent.keep(made)
    assert len(recent) == 2
    assert recent.run(arrays(i=np.array([1, 1]))) is not None
    assert recent.run(arrays(i=np.array([2, 2]))) is not None  # now the newest
    recent.keep(third)
    assert len(recent) == 2
    assert recent.run(arrays(i=np.array([1, 1]))) is None
    assert recent.run(arrays(i=np.array([2, 2]))) is not None
    assert recent.run(arrays(i=np.array([2, 2]), x=np.zeros(5, "f4"))) is not None
    for given in (arrays(z=1), {}, None, [1], arrays(i=[2, 2]), {"x": np.zeros(4, "f4"), "j": np.array([2, 2])}):
        assert recent.run(given) is None


def test_recent_programs_of_other_inputs_are_not_mistaken() -> None:
    recent = _core.RecentPrograms(4)
    recent.keep(deciding(np.array([1, 1]).tobytes()))
    recent.keep(_core.Program([X], [Y], [], [], [("fill", (1, 0, [2], [4]), b"abcd")]))
    assert recent.run({"x": np.zeros(4, "f4")}) is not None
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        recent.keep(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one"):
        _core.RecentPrograms(0)


def test_recent_programs_run_under_their_limits_alone() -> None:
    recent, tight = _core.RecentPrograms(2), Limits(bytes=1)
    recent.keep(deciding(np.array([1, 1]).tobytes()), current())
    with limited(tight):
        assert recent.run(arrays(i=np.array([1, 1]))) is None
        recent.keep(deciding(np.array([2, 2]).tobytes()), tight)
        assert len(recent) == 1
        assert recent.run(arrays(i=np.array([2, 2]))) is not None
    assert recent.run(arrays(i=np.array([2, 2]))) is None


def test_what_is_not_given_has_its_default() -> None:
    recent = _core.RecentPrograms(2, {"i": np.array([1, 1])})
    recent.keep(deciding(np.array([1, 1]).tobytes()))
    x = np.arange(4, dtype="f4")
    for given in ({"x": x}, {"x": x, "i": np.array([1, 1])}):
        assert recent.run(given)["y"].tolist() == [0, 1]
    for given in ({"x": x, "i": np.array([2, 1])}, {"i": np.array([1, 1])}, {"x": x, "j": x}, {}):
        assert recent.run(given) is None


class Hostile(str):
    """A key that drops all programs while it is compared."""

    recent: Any

    def __eq__(self, other: object) -> bool:
        for n in range(40):
            self.recent.keep(deciding(np.array([n, n]).tobytes()))
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        return hash("x")


def test_keys_that_change_what_is_kept_do_no_harm() -> None:
    recent = Hostile.recent = _core.RecentPrograms(2)
    recent.keep(deciding(np.array([1, 1]).tobytes()))
    given = {Hostile("x"): np.arange(4, dtype="f4"), "i": np.array([39, 39])}
    assert recent.run(given)["y"].tolist() == [0, 1]


DECLARED = [("a", F4, [2, -1], False), ("n", I8, [-1], True), ("b", F4, None, False)]


def declared(**others: Any) -> dict[str, Any]:
    return {"a": np.zeros((2, 3), "f4"), "n": np.array([1, 2]), "b": np.zeros(1, "f4")} | others


def test_declared_inputs_are_taken_with_a_number_for_sizes_and_values() -> None:
    inputs = _core.Declared(DECLARED, 64)
    taken, number = inputs.take(declared())
    assert [array.shape for array in taken] == [(2, 3), (2,), (1,)]
    same = inputs.take(dict(reversed(declared(a=np.ones((2, 3), "f4")).items())))
    assert same is not None
    assert same[1] == number
    for other in (
        {"a": np.zeros((2, 4), "f4")}, {"n": np.array([1, 3])}, {"n": np.array([1])}, {"b": np.zeros((1, 1), "f4")},
        {"b": np.zeros((), "f4")}, {"n": np.array([2, 1])},
    ):  # fmt: skip
        assert inputs.take(declared(**other))[1] != number
    for scattered in (np.arange(9), np.array([1, 0, 2])[::2]):
        assert inputs.take(declared(n=scattered))[1] is None


@pytest.mark.parametrize(
    "given",
    [declared(a=np.zeros((3, 3), "f4")), declared(a=np.zeros(2, "f4")), declared(a=np.zeros((2, 3))), declared(n=[1]),
     declared(n=np.zeros((1, 1), "i8")), declared(n=np.zeros(1, ">i8")), declared(z=1), {}, None, [1, 2, 3],
     {"a": np.zeros((2, 3), "f4"), "n": np.array([1])}],
    ids=str,
)  # fmt: skip
def test_arrays_that_are_not_as_declared_are_not_taken(given: Any) -> None:
    assert _core.Declared(DECLARED, 64).take(given) is None


def test_declarations_that_are_none_are_refused() -> None:
    for wrong in ([("a", "f4", [2], False)], [("a", F4, ["N"], False)], [("a", F4, [2])]):
        with pytest.raises((ValueError, TypeError, RuntimeError, IndexError)):
            _core.Declared(wrong, 64)
