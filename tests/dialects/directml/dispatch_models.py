"""Small DxDispatch models that several tests use, and words to write them with."""

import copy


def resource(values, data_type="FLOAT32", **members):
    return {"initialValuesDataType": data_type, "initialValues": values, **members}


def desc(*sizes, data_type="FLOAT32", **members):
    return {"DataType": data_type, "Sizes": list(sizes), **members}


def zeros(count, data_type="FLOAT32"):
    return resource({"valueCount": count, "value": 0}, data_type)


def dispatch(name, **bindings):
    return {"type": "dispatch", "dispatchable": name, "bindings": bindings}


def show(name, **members):
    return {"type": "print", "resource": name, **members}


GATHER = {
    "resources": {"data": resource([11, 12, 13, 14]), "pick": resource([3, -3, 0], "INT32"), "result": zeros(3)},
    "dispatchables": {
        "take": {
            "type": "GATHER",
            "desc": {
                "InputTensor": desc(4),
                "IndicesTensor": desc(3, data_type="INT32"),
                "OutputTensor": desc(3),
                "Axis": 0,
                "IndexDimensions": 1,
            },
        }
    },
    "commands": [dispatch("take", InputTensor="data", IndicesTensor="pick", OutputTensor="result"), show("result")],
}

JOIN = {
    "$schema": "./_schema.json",
    "resources": {
        "A": resource({"valueCount": 10, "valueStart": 1, "valueDelta": 1}),
        "B": resource({"valueCount": 3, "valueStart": 100, "valueDelta": 15}),
        "Out": zeros(10),
    },
    "dispatchables": {
        "join": {
            "type": "DML_OPERATOR_JOIN",
            "desc": {
                "Axis": 0,
                "InputCount": 3,
                "InputTensors": [desc(3), desc(2), desc(5)],
                "OutputTensor": desc(10),
            },
        }
    },
    "commands": [
        dispatch(
            "join",
            InputTensors=[
                {"name": "A", "elementCount": 3, "elementOffset": 0},
                "B",
                {"name": "A", "elementCount": 5, "elementOffset": 4},
            ],
            OutputTensor="Out",
        ),
        show("Out"),
    ],
}

SPLIT = {
    "resources": {"A": resource([1, 2, 3, 4, 5, 6]), "Out1": zeros(2), "Out2": zeros(2), "Out3": zeros(2)},
    "dispatchables": {
        "split": {
            "type": "SPLIT",
            "desc": {"Axis": 0, "InputTensor": desc(6), "OutputCount": 3, "OutputTensors": [desc(2)] * 3},
        }
    },
    "commands": [
        dispatch("split", InputTensor="A", OutputTensors=["Out1", "Out2", "Out3"]),
        show("Out1"),
        show("Out2"),
        show("Out3"),
    ],
}

IDENTITY = {
    "resources": {"A": resource([1, 2, 3]), "Out": zeros(3)},
    "dispatchables": {
        "identity": {
            "type": "ELEMENT_WISE_IDENTITY",
            "desc": {"InputTensor": desc(3), "OutputTensor": desc(3), "ScaleBias": {"Scale": 2, "Bias": 10}},
        }
    },
    "commands": [dispatch("identity", InputTensor="A", OutputTensor="Out"), show("Out")],
}


def changed(model, *path, value):
    """A copy of a model with one value replaced (or added)."""
    result = copy.deepcopy(model)
    *inner, last = path
    place = result
    for part in inner:
        place = place[part]
    place[last] = value
    return result
