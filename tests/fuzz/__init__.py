"""Hostile input by the million: `make fuzz SECONDS=60` runs every target for so long, `make fuzz-NAME` one of them.

CI gives each target ten seconds, unguided, since guides take longer to start: `make --jobs=2 fuzz GUIDED= SECONDS=10`.

| target | an input is | what happens to it |
| --- | --- | --- |
| onnx | an .onnx file | `wherry.load`, a listing where nodes are opaque, then `use` |
| openvino | an .xml file, a zero byte, its .bin file | `wherry.load`, then `use` |
| dxdispatch | a .json file | `wherry.load`, then `use` |
| webnn | a .webnn.json file | `wherry.load`, then `use` |
| wire | an .onnx file | its tensors are taken out of the message, and put back |
| tensor | an ONNX TensorProto | decoded, encoded, decoded again |
| desc | JSON: an operator description, a feature level, buffers | `wherry.directml.execute` |
| core | choices | the cases of tests/core: kernels against naive loops, under sanitizers (tests/fuzz/core) |

`use` runs a model on made-up inputs within tight limits, compares with the reference, and takes it through a file.
A finding is an exception that is not one of ours, a hang, a crash, memory without end, or a wrong value. It is written
to build/fuzz/NAME; `python -m tests.fuzz NAME FILE` runs it again. Minimised, it becomes a file of corpus/NAME, which
test_corpora.py runs with all tests.

Inputs are mutated where they mean something: fields of messages, attributes of elements, members of objects
(mutate.py). Atheris (`wherry[fuzz]`) guides them by what they cover in wherry's Python; without it, as on machines for
which there is no wheel, an input counts as new by the words of its refusal. The kernels are guided by libFuzzer where
clang++ is installed, and get random choices otherwise. A seed gives the same inputs on every machine, of which a
faster one sees more.
"""
