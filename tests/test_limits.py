"""Limits: what holds by default, what load, run and `limited` change, and what the words of a refusal are."""

import threading
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

import wherry as wh
from tests.dialects.onnx.models import model as onnx_model
from wherry import limits
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError

EXAMPLES = Path(__file__).parents[1] / "examples"


def tiled(repeats: int) -> wh.Model:
    """Return a model that tiles a vector of 100 float32."""
    node = helper.make_node("Tile", ["x", "repeats"], ["y"], name="again")
    constants = {"repeats": np.array([repeats])}
    return wh.onnx.read_proto(onnx_model([node], {"x": np.zeros(100, np.float32)}, ["y"], constants=constants))


X = {"x": np.arange(100, dtype=np.float32)}


def test_a_refusal_is_a_memory_error_and_names_node_bytes_and_limit() -> None:
    with pytest.raises(MemoryError) as caught:
        tiled(100).run(X, limits=wh.Limits(bytes=1000))
    assert isinstance(caught.value, ResourceLimitError)
    assert str(caught.value) == ("ONNX Tile-13 'again': the results take 40000 bytes, allowed 1000; raise Limits.bytes")


def test_the_limits_of_a_run_hold_for_that_run() -> None:
    model = tiled(100)
    assert model.run(X)["y"].shape == (10000,)
    for _ in range(3):  # a model that ran keeps its plan: the limit holds nevertheless
        with pytest.raises(ResourceLimitError):
            model.run(X, limits=wh.Limits(bytes=1000))
        assert model.run(X, limits=wh.Limits(bytes=10**6))["y"].shape == (10000,)
        assert model.run(X)["y"].shape == (10000,)


def test_the_limits_of_load_hold_for_all_runs_that_say_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "tile.onnx"
    wh.save(tiled(100), path)
    model = wh.load(path, limits=wh.Limits(bytes=1000))
    with pytest.raises(ResourceLimitError):
        print(model.plan)
    for _ in range(2):
        with pytest.raises(ResourceLimitError):
            model.run(X)
        assert model.run(X, limits=wh.Limits())["y"].shape == (10000,)


def test_a_converted_model_keeps_the_limits(tmp_path: Path) -> None:
    path = tmp_path / "tile.onnx"
    wh.save(tiled(100), path)
    converted = wh.convert(wh.load(path, limits=wh.Limits(bytes=1000)), "openvino")
    with pytest.raises(ResourceLimitError):
        converted.run(X)


@pytest.mark.parametrize("name", ["lookup.onnx", "table.xml", "table.json"])
def test_every_format_takes_limits(name: str) -> None:
    model, given = wh.load(EXAMPLES / name), {}
    if model.dialect != "directml":
        given = made_up(model)
    with pytest.raises(ResourceLimitError):
        model.run(given, limits=wh.Limits(bytes=0))
    assert model.run(given)

    def loaded() -> None:
        wh.load(EXAMPLES / name, limits=wh.Limits(bytes=0)).run(given)

    with pytest.raises(ResourceLimitError):
        loaded()


def made_up(model: wh.Model) -> dict[str, np.ndarray]:
    from wherry.models.model import made_up_input

    rng = np.random.default_rng(0)
    return {name: made_up_input(model.inputs[name], rng) for name in model.needed_inputs}


def test_limited_holds_inside_for_functions_also_for_calls_that_come_again() -> None:
    data, indices = np.zeros((10, 10)), np.arange(10)
    for _ in range(3):
        assert wh.gather(data, indices).nbytes == wh.onnx.transpose(data).nbytes == 800
        with wh.limited(wh.Limits(bytes=799)):
            for call in (lambda: wh.gather(data, indices), lambda: wh.onnx.transpose(data)):
                with pytest.raises(ResourceLimitError, match="take 800 bytes, allowed 799"):
                    call()
        with wh.limited(wh.Limits(bytes=800)):
            assert wh.gather(data, indices).nbytes == wh.onnx.transpose(data).nbytes == 800


def test_limited_holds_for_models_and_ends() -> None:
    model = tiled(100)
    for _ in range(2):
        with wh.limited(wh.Limits(bytes=1000)), pytest.raises(ResourceLimitError):
            model.run(X)
        assert model.run(X)


def test_limited_holds_in_its_own_thread_only() -> None:
    found: list[int] = []
    with wh.limited(wh.Limits(bytes=10)):
        other = threading.Thread(target=lambda: found.append(wh.gather(np.zeros(9), np.arange(9)).size))
        other.start()
        other.join()
    assert found == [9]


def test_out_is_not_allocated_and_yet_limited() -> None:
    """A result that is written in place needs no memory; what is written is still counted for a function."""
    out = np.ones((10, 10))
    with wh.limited(wh.Limits(bytes=100)), pytest.raises(ResourceLimitError):
        wh.onnx.transpose(np.zeros((10, 10)), out=out)
    assert (out == 1).all()


def test_values_are_limited() -> None:
    with pytest.raises(ResourceLimitError, match=r"ONNX Reshape-25: the entries of shape are 1048577, allowed 1048576"):
        wh.onnx.reshape(np.zeros(3), np.ones(2**20 + 1, np.int64))
    with wh.limited(wh.Limits(values=2)), pytest.raises(ResourceLimitError, match="are 3, allowed 2"):
        wh.onnx.reshape(np.zeros(3), [1, 3, 1])


def test_the_default_grows_with_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "machine_memory", lambda: 2**40)
    given = 2**30
    limits.check_bytes(16 * given, "the results", given)
    with pytest.raises(ResourceLimitError, match=f"allowed {16 * given}"):
        limits.check_bytes(16 * given + 1, "the results", given)
    with pytest.raises(ResourceLimitError, match=f"allowed {2**31 - 1}"):
        limits.check_bytes(2**31, "the results")
    limits.check_bytes(2**38, "the results", of_function=True)
    with pytest.raises(ResourceLimitError, match=f"allowed {2**38}"):
        limits.check_bytes(2**38 + 1, "the results", of_function=True)


def test_the_default_is_never_more_than_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "machine_memory", lambda: 2**28)
    with pytest.raises(ResourceLimitError, match=f"allowed {2**28}"):
        limits.check_bytes(2**29, "the results", 2**28)


def test_the_machines_memory_is_that_of_its_control_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = limits.machine_memory.__wrapped__
    group, absent = tmp_path / "memory.max", tmp_path / "absent"
    monkeypatch.setattr(limits, "_CGROUP_FILES", (str(group), str(absent)))
    group.write_text("max\n")
    whole = read()
    assert whole > 2**28
    group.write_text("268435456\n")
    assert read() == 2**28


def test_memory_is_that_between_the_lowest_and_the_highest_byte() -> None:
    array = np.arange(100, dtype=np.int32)
    assert limits.memory_nbytes(array) == 400
    assert limits.memory_nbytes(array[::-3]) == 400
    assert limits.memory_nbytes(array[:0]) == 0
    assert limits.memory_nbytes(np.broadcast_to(array, (10**9, 100))) == 400


@pytest.mark.parametrize("bad", [-1, 1.5, "1", [1]])
def test_limits_are_counts(bad: object) -> None:
    for field in ("bytes", "values"):
        with pytest.raises((InvalidTypeError, InvalidValueError), match=field):
            wh.Limits(**{field: bad})


def test_only_limits_limit() -> None:
    with pytest.raises(InvalidTypeError, match=r"limits is a int, allowed a wherry\.Limits"), wh.limited(10):
        pass
    with pytest.raises(InvalidTypeError):
        tiled(1).run(X, limits=10)
