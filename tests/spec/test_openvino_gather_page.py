"""The examples of the OpenVINO page "Gather", version Gather-8, with their numbers; each by function and by model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from tests.support.compare import assert_same_bits

FIVE = [1, 2, 3, 4, 5]
TWO_ROWS = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
ROWS_INDICES = [[0, 0, 4], [4, 0, 0]]
ROWS_OUTPUT = [[1, 1, 5], [10, 6, 6]]

# number on the page -> batch_dims, axis, indices, data, output
EXAMPLES = {
    1: (0, 0, [0, 0, 4], FIVE, [1, 1, 5]),
    2: (1, 1, ROWS_INDICES, TWO_ROWS, ROWS_OUTPUT),
    3: (
        2,
        2,
        [[[0, 0, 4], [4, 0, 0]], [[1, 2, 4], [4, 3, 2]]],
        [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]],
        [[[1, 1, 5], [10, 6, 6]], [[12, 13, 15], [20, 19, 18]]],
    ),
    4: (
        1,
        2,
        [[1, 2, 4], [4, 3, 2]],
        np.arange(1, 41).reshape(2, 1, 5, 4),
        [
            [[[5, 6, 7, 8], [9, 10, 11, 12], [17, 18, 19, 20]]],
            [[[37, 38, 39, 40], [33, 34, 35, 36], [29, 30, 31, 32]]],
        ],
    ),
    5: (-1, 1, ROWS_INDICES, TWO_ROWS, ROWS_OUTPUT),
    6: (0, 0, [0, -2, -1], FIVE, [1, 4, 5]),
    7: (0, 0, [3, 10, -20], FIVE, [4, 0, 0]),
}


@pytest.mark.parametrize("number", EXAMPLES)
@pytest.mark.parametrize("kind", ["float32", "int32", "uint8", "bool"])
def test_gather_page_example(number: int, kind: str) -> None:
    batch_dims, axis, indices, data, output = EXAMPLES[number]
    result = wh.openvino.gather(np.array(data).astype(kind), indices, axis, batch_dims=batch_dims)
    assert_same_bits(result, np.array(output).astype(kind))


@pytest.mark.parametrize("number", EXAMPLES)
def test_gather_page_example_as_a_model(number: int, tmp_path: Path) -> None:
    batch_dims, axis, indices, data, output = EXAMPLES[number]
    values, given = np.array(indices, "<i8"), np.array(data, np.float32)
    words = [",".join(map(str, array.shape)) for array in (given, values)]
    layers = (
        ir.parameter(0, words[0], names="data")
        + ir.const(1, "i64", words[1], 8, values.nbytes)
        + ir.const(2, "i64", "", 0, 8)
        + ir.layer(
            3, "Gather", f'batch_dims="{batch_dims}"', [0, 1, 2], [ir.port(3, "FP32", "output")], version="opset8"
        )
        + ir.result(4)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(1, 0, 3, 1) + ir.edge(2, 0, 3, 2) + ir.edge(3, 3, 4, 0)
    weights = axis.to_bytes(8, "little") + values.tobytes()
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), weights))
    assert_same_bits(model.run({"data": given})["output"], np.array(output, np.float32))


def test_gather_page_layer_sample(tmp_path: Path) -> None:
    """The page's own layer: no precision on its ports, and port 2 both as the axis and as the output."""
    layers = (
        ir.parameter(0, "2,64,128", names="data")
        + ir.parameter(1, "2,32,21", "i32", names="indices")
        + ir.const(2, "i64", "", 0, 8)
        + """<layer id="3" name="g" type="Gather" version="opset8">
            <data batch_dims="1" />
            <input>
                <port id="0"><dim>2</dim><dim>64</dim><dim>128</dim></port>
                <port id="1"><dim>2</dim><dim>32</dim><dim>21</dim></port>
                <port id="2"/>   <!--  axis = 1  -->
            </input>
            <output>
                <port id="2"><dim>2</dim><dim>32</dim><dim>21</dim><dim>128</dim></port>
            </output>
        </layer>"""
        + ir.result(4)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(1, 0, 3, 1) + ir.edge(2, 0, 3, 2) + ir.edge(3, 2, 4, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), (1).to_bytes(8, "little")))
    assert model.outputs["g"].shape == (2, 32, 21, 128)
    data, indices = np.random.default_rng(0).random((2, 64, 128)).astype("f4"), np.arange(1344).reshape(2, 32, 21) % 64
    expected = np.stack([data[batch][indices[batch]] for batch in range(2)])
    assert_same_bits(model.run([data, indices.astype("i4")])["g"], expected)
