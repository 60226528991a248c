"""Shape inference of the onnx package as a program of its own: a model on stdin, the model with types on stdout.

Arguments: the seconds of processor time and the bytes of memory that inferring may take. Nothing is imported from
wherry, so that the program starts fast.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType


def main(seconds: float, memory: int) -> None:
    """Infer; end with no output where onnx refuses the model."""
    answer = os.dup(1)
    os.dup2(2, 1)  # what onnx prints is no part of the answer
    infer = _inference()
    content = sys.stdin.buffer.read()
    _limit(seconds, memory)
    inferred = infer(content)
    if len(inferred) <= memory:
        with open(answer, "wb") as file:
            file.write(inferred)


def _inference() -> Callable[[bytes], bytes]:
    """Return the package's inference, found without the rest of the package, whose import takes ten times as long.

    A package that has it elsewhere is imported whole.
    """
    found = importlib.util.find_spec("onnx")
    package = sys.modules["onnx"] = ModuleType("onnx")
    package.__path__ = list(found.submodule_search_locations or ()) if found else []
    try:
        from onnx.onnx_cpp2py_export import shape_inference

        return partial(shape_inference.infer_shapes, data_prop=True)
    except (ImportError, AttributeError):
        del sys.modules["onnx"]
        from onnx import shape_inference as public

        return lambda content: public.infer_shapes(content, data_prop=True).SerializeToString()


def _limit(seconds: float, memory: int) -> None:
    """Let the system end this process when it takes more; the parent's clock does where a system cannot."""
    try:
        import resource
        import signal
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        memory += pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
