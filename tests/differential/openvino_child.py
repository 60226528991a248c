"""Runs OpenVINO models in a process of its own, which a model may kill: requests come in and answers go out by pipe.

A request is a pickled (xml, weights, inputs, threads), with None for the inputs to have the model saved; an answer is
("ok", outputs), ("ok", (xml, weights)) or ("error", words). Tensors travel as (element type, shape, packed bytes),
strings as a list in place of the bytes.
"""

import os
import pickle
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.modules["openvino_telemetry"] = None  # it would fork this process, and the fork would keep the pipe open
import openvino as ov  # noqa: E402


def _tensor(kind, shape, content, keep):
    """Return a tensor over memory that `keep` holds: the tensor itself does not keep its array alive."""
    if kind == "string":
        tensor = ov.Tensor(ov.Type.string, ov.Shape(shape))
        tensor.str_data = np.array(content, dtype=str).reshape(shape)
        return tensor
    keep.append(np.frombuffer(content or bytes(8), np.uint8).copy())
    return ov.Tensor(keep[-1], ov.Shape(shape), getattr(ov.Type, kind))


def _content(tensor):
    kind = tensor.element_type.get_type_name()
    shape = tuple(tensor.shape)
    if kind == "string":
        return kind, shape, tensor.str_data.reshape(-1).tolist()
    if tensor.byte_size == 0:
        return kind, shape, b""
    return kind, shape, np.ascontiguousarray(tensor.data).reshape(-1).view(np.uint8).tobytes()


def _saved(model):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        return path.read_bytes(), path.with_suffix(".bin").read_bytes()


def _run(core, xml, weights, inputs, threads):
    model = core.read_model(xml, weights)
    if inputs is None:
        return _saved(model)
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads}
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    keep = []
    for number, tensor in enumerate(inputs):
        request.set_input_tensor(number, _tensor(*tensor, keep))
    request.start_async()
    request.wait()
    return [_content(request.get_output_tensor(number)) for number in range(len(model.outputs))]


def _exactly(file, count):
    data = b""
    while len(data) < count:
        part = file.read(count - len(data))
        if not part:
            sys.exit()
        data += part
    return data


def main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the runtime prints must not reach the pipe
    core = ov.Core()
    while True:
        (length,) = struct.unpack("<q", _exactly(sys.stdin.buffer, 8))
        request = pickle.loads(_exactly(sys.stdin.buffer, length))
        try:
            answer = ("ok", _run(core, *request))
        except Exception as error:
            answer = ("error", str(error))
        data = pickle.dumps(answer)
        answers.write(struct.pack("<q", len(data)) + data)
        answers.flush()


if __name__ == "__main__":
    main()
