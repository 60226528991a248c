"""Small calls of every public function, as the example in its docstring makes them, that come again and again."""

from __future__ import annotations

import ast
import inspect
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

import wherry as wh

TURN, TURNS = 1e-3, 20
"""Seconds of a turn, of which a function has so many."""

LIMIT = 1500
"""Nanoseconds that a call may take."""

Call = Callable[[], Any]


def modules() -> dict[str, ModuleType]:
    """The modules that have functions on arrays, by their names."""
    return {"wh": wh, "wh.onnx": wh.onnx, "wh.openvino": wh.openvino, "wh.webnn": wh.webnn}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions on arrays, those of the dialects' modules `functions` among them."""
    for prefix, module in modules().items():
        names = ["gather", "concat", "split", "copy"] if module is wh else module.functions.__all__
        for name in names:
            yield f"{prefix}.{name}", getattr(module, name)


def example(name: str, function: Callable[..., Any]) -> Call | None:
    """The first call of a function in its docstring, with arrays for lists; None where there is none by itself."""
    space = {"wh": wh, "np": np}
    for line in (function.__doc__ or "").splitlines():
        if not line.strip().startswith(">>> "):
            continue
        try:
            tree = ast.parse(line.strip()[4:])
        except SyntaxError:
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                return _called(function, node, space)
        exec(compile(tree, name, "exec"), space)
    return None


def _called(function: Callable[..., Any], node: ast.Call, space: dict[str, Any]) -> Call:
    signature = inspect.signature(function)
    given = [_evaluated(each, space) for each in node.args]
    named = {str(each.arg): _evaluated(each.value, space) for each in node.keywords}
    bound = signature.bind(*given, **named)
    for name, value in bound.arguments.items():
        kind = str(signature.parameters[name].annotation)
        if kind.startswith("ArrayLike") and signature.parameters[name].kind is not inspect.Parameter.VAR_POSITIONAL:
            bound.arguments[name] = None if value is None else np.asarray(value)
        elif "ArrayLike" in kind and isinstance(value, (list, tuple)):
            bound.arguments[name] = type(value)(np.asarray(each) for each in value)
        elif name == "indices" and isinstance(value, list):  # of wherry.gather, which is written in C
            bound.arguments[name] = np.asarray(value)
    return partial(function, *bound.args, **bound.kwargs)


def into(call: Call) -> Call | None:
    """The same call with `out`: an array like its result, or a list of one for each; None where it takes none."""
    assert isinstance(call, partial)
    signature = inspect.signature(call.func)
    given = signature.bind(*call.args, **call.keywords).arguments
    if "out" not in signature.parameters or given.get("out") is not None:
        return None
    result = call()
    out = np.empty_like(result) if isinstance(result, np.ndarray) else list(map(np.empty_like, result))
    return partial(call, out=out)


def _evaluated(node: ast.expr, space: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "example", "eval"), space)


def gather_by_directml() -> Call:
    """A gather of DirectML's, described once and executed on the same buffers."""
    from wherry import directml

    data, indices, out = np.arange(4, dtype=np.float32), np.array([1, 3], np.uint32), np.zeros(2, np.float32)
    tensors = [directml.BufferTensorDesc(kind, [1, 1, 1, size])
               for kind, size in (("FLOAT32", 4), ("UINT32", 2), ("FLOAT32", 2))]  # fmt: skip
    desc = directml.GatherOperatorDesc(*tensors, 3, 1)
    bindings = {"InputTensor": data, "IndicesTensor": indices, "OutputTensor": out}
    return lambda: directml.execute(desc, bindings)


def calls() -> Iterator[tuple[str, Call | None]]:
    """Every function with a call of it, and one that gives `out`, where it takes one."""
    for name, function in functions():
        call = example(name, function)
        yield name, call
        given = None if call is None else into(call)
        if given is not None:
            yield f"{name}, out", given
    yield "wh.directml.execute", gather_by_directml()


def count_in_turn(call: Call) -> int:
    """How many calls a turn takes, after so many that the call is kept."""
    for _ in range(5):  # a call is kept when it comes again
        call()
    start = time.perf_counter()
    call()
    return max(1, int(TURN / max(time.perf_counter() - start, 1e-7)))


def nanoseconds(given: dict[str, Call]) -> dict[str, float]:
    """What one call of each takes in its fastest turn: all take turns, so that a slow second meets no call in each."""
    counts = {name: count_in_turn(call) for name, call in given.items()}
    least = dict.fromkeys(given, float("inf"))
    for _ in range(TURNS):
        for name, call in given.items():
            count = counts[name]
            start = time.perf_counter()
            for _ in range(count):
                call()
            least[name] = min(least[name], (time.perf_counter() - start) / count * 1e9)
    return least


def yardsticks() -> dict[str, Call]:
    """Calls that tell how fast the interpreter and NumPy are here, in the same turns."""
    data, indices = np.arange(4, dtype=np.float32), np.array([1, 3])
    return {
        "an empty function": lambda: None,
        "np.take": partial(np.take, data, indices),
        "np.empty": partial(np.empty, 4),
    }


def lines(pattern: str = "") -> Iterator[str]:
    """The table, who takes longer than allowed, and what NumPy takes here."""
    given = {name: call for name, call in calls() if pattern in name and call is not None}
    if not given:
        return
    beside = yardsticks()
    found = nanoseconds(given | beside)
    yield "| function | ns |"
    yield "| --- | ---: |"
    for name in given:
        yield f"| {name} | {found[name]:.0f} |"
    slow = sum(found[name] > LIMIT for name in given)
    median = statistics.median(found[name] for name in given)
    yield ""
    yield f"{len(given)} functions; median {median:.0f} ns, over {LIMIT} ns: {slow}"
    yield "Beside them: " + ", ".join(f"{name} {found[name]:.0f} ns" for name in beside)
