"""OpenVINO's CPU plugin as a witness, in a child process that is started anew when a model kills it."""

from __future__ import annotations

import os
import pickle
import platform
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tests.dialects.openvino import ir
from tests.support.compare import assert_same_bits
from tests.support.own import own
from wherry import dtypes
from wherry.dialects.openvino.packing import pack, unpack
from wherry.dialects.openvino.reader import read
from wherry.errors import WherryError
from wherry.models.model import GraphModel
from wherry.runtimes.case import Case

_PATIENCE = 20.0
"""Seconds that one model may take, the start of the process included."""

_CHILD = Path(__file__).with_name("openvino_child.py")

MACHINES = ("x86_64", "AMD64")
"""What `platform.machine` says there; elsewhere OpenVINO has other kernels (ACL on AArch64), which nobody compared."""

INSTRUCTION_SET = "AVX2"
"""What the kernels may use, whatever the processor has: each set has kernels of its own, and these differ.

With AVX512_CORE_BF16 Select flushes subnormal bf16, with AVX512_CORE_FP16 other nodes keep the zeros of float8, with
SSE41 Gather and f16 take other ways. x86-64 processors have AVX2 since 2015, but for some of Intel's small ones.
"""

Tensor = tuple[str, np.ndarray]
"""The OpenVINO name of an element type, and the array that holds it."""


class RefusedError(Exception):
    """The runtime refused the model or its inputs, with words."""


class CrashedError(Exception):
    """The runtime killed its process, or never came to an end."""


def is_witness() -> bool:
    """Whether OpenVINO's results on this machine are those that the expected differences were seen with."""
    return platform.machine() in MACHINES


class OpenVINORuntime:
    """Runs model files on OpenVINO, by the same kernels on every processor, and in one thread unless told otherwise."""

    def __init__(self, instruction_set: str = INSTRUCTION_SET) -> None:
        self._instruction_set = instruction_set
        self._child: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._kill()
            self._child.communicate()
            self._child = None

    def run(self, xml: str | bytes, weights: bytes, inputs: list[Tensor], threads: int = 1) -> list[np.ndarray]:
        """Run a model on tensors. Raises RefusedError or CrashedError."""
        text = xml.encode() if isinstance(xml, str) else xml
        return [_array(*tensor) for tensor in self._ask((text, weights, [_packed(*one) for one in inputs], threads))]

    def run_case(self, case: Case) -> list[np.ndarray]:
        """Run a case with its threads and instruction set. Raises RefusedError or CrashedError."""
        if case.instruction_set in ("", self._instruction_set):
            return self.run(*files_of([case]), case.given, case.threads)
        other = OpenVINORuntime(case.instruction_set)
        try:
            return other.run_case(case)
        finally:
            other.close()

    def run_undamaged(self, case: Case) -> list[np.ndarray]:
        """Run a case, once more in a new process where the old one dies: a model before it may have damaged that."""
        try:
            return self.run_case(case)
        except CrashedError:
            return self.run_case(case)

    def run_together(self, cases: Sequence[Case]) -> list[list[np.ndarray]]:
        """Run cases side by side, those of known sizes in one model and the others in another; compiling costs most.

        Each case has one thread and the instruction set of this runtime.
        """
        results: dict[int, list[np.ndarray]] = {}
        for is_dynamic in (False, True):
            places = [place for place, case in enumerate(cases) if case.is_dynamic == is_dynamic]
            if places:
                together = [cases[place] for place in places]
                found = iter(self.run(*files_of(together), [tensor for case in together for tensor in case.given]))
                results.update({place: list(islice(found, cases[place].outputs)) for place in places})
        return [results[place] for place in range(len(cases))]

    def save(self, xml: str, weights: bytes) -> tuple[bytes, bytes]:
        """Return the .xml and .bin that OpenVINO itself writes of a model it has read."""
        return self._ask((xml.encode(), weights, None, 1))

    def _ask(self, request: object) -> Any:
        if self._child is None:
            command = [sys.executable, str(_CHILD)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            environment = {**os.environ, "ONEDNN_MAX_CPU_ISA": self._instruction_set}
            self._child = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
        data = pickle.dumps(request)
        watch = threading.Timer(_PATIENCE, self._kill)  # some models never end
        watch.start()
        try:
            self._child.stdin.write(struct.pack("<q", len(data)) + data)
            self._child.stdin.flush()
            head = self._child.stdout.read(8)
            answer = self._child.stdout.read(struct.unpack("<q", head)[0]) if len(head) == 8 else b""
        except BrokenPipeError:
            answer = b""
        finally:
            watch.cancel()
        if not answer:
            status = self._status()
            self.close()
            raise CrashedError(f"the process ended with {status}")
        kind, content = pickle.loads(answer)
        if kind == "error":
            raise RefusedError(content)
        return content

    def _kill(self) -> None:
        """Kill the child and all that it started: whatever holds the pipe keeps its reader waiting."""
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)

    def _status(self) -> int | str:
        """Return how the child ended; one that has closed its pipe, but damaged itself too much to end, is killed."""
        try:
            return self._child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return "no status"


def _packed(kind: str, value: np.ndarray) -> tuple[str, tuple[int, ...], Any]:
    dtype = dtypes.by_spelling("openvino")[kind]
    return kind, value.shape, value.reshape(-1).tolist() if dtype.is_string else pack(dtype, value)


def _array(kind: str, shape: tuple[int, ...], content: Any) -> np.ndarray:
    dtype = dtypes.by_spelling("openvino")[kind]
    if dtype.is_string:
        return np.array(content, object).reshape(shape)
    return unpack(dtype, np.frombuffer(content, np.uint8), shape)


def files_of(cases: Sequence[Case]) -> tuple[str, bytes]:
    """Return a model of all these nodes side by side as .xml and .bin; inputs and outputs follow each other by case."""
    layers, edges, weights, first = "", "", b"", 0
    for case in cases:
        node = first + len(case.inputs)
        for number, (kind, value) in enumerate(zip(case.kinds, case.inputs, strict=True)):
            if number in case.constants:
                blob = pack(dtypes.by_spelling("openvino")[kind], value) or b"\0"
                layers += ir.const(first + number, kind, _spelled(value.shape), len(weights), len(blob))
                weights += blob
            else:
                is_unknown = case.is_dynamic and number not in case.sized
                shape = _spelled("?" * value.ndim if is_unknown else value.shape)
                layers += ir.parameter(first + number, shape, kind, names=f"in{first + number}")
            edges += ir.edge(first + number, 0, node, number)
        data = " ".join(f'{name}="{value}"' for name, value in case.attributes.items())
        results = range(node + 1, node + 1 + case.outputs)
        ports = [ir.port(number - 1 - first, "FP32", f"out{number}") for number in results]
        version = f"opset{case.version}"
        layers += ir.layer(node, case.operator, data, range(node - first), ports, version=version)
        for number in results:
            layers += ir.result(number)
            edges += ir.edge(node, number - 1 - first, number, 0)
        first = node + 1 + case.outputs
    return ir.net(layers, edges), weights


def _spelled(sizes: Iterable[object]) -> str:
    return ",".join(map(str, sizes))


def loaded(case: Case, folder: Path) -> GraphModel:
    """Return a case as wherry reads it."""
    return loaded_together([case], folder)


def loaded_together(cases: Sequence[Case], folder: Path) -> GraphModel:
    """Return the model of several cases as wherry reads it."""
    xml, weights = files_of(cases)
    path = folder / "case.xml"
    path.write_text(xml)
    return read(path, weights)


def ours(case: Case, folder: Path) -> list[np.ndarray]:
    """Run a case here."""
    return list(own(loaded(case, folder)).run([value for _, value in case.given]).values())


def disagree(case: Case, runtime: OpenVINORuntime, folder: Path) -> bool:
    """Whether the two sides disagree on a case, or OpenVINO dies of it."""
    try:
        results = ours(case, folder)
    except WherryError:
        results = None
    try:
        theirs = runtime.run_undamaged(case)
    except CrashedError:
        return True
    except RefusedError:
        return results is not None
    if results is None:
        return True
    try:
        for mine, other in zip(results, theirs, strict=True):
            assert_same_bits(np.asarray(mine), other)
    except AssertionError:
        return True
    return False
