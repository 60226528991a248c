"""What the tests of DxDispatch models share."""

import json

import pytest

from wherry.dialects.directml import read


@pytest.fixture
def load(tmp_path):
    def loaded(model, **options):
        path = tmp_path / "model.json"
        path.write_text(model if isinstance(model, str) else json.dumps(model, indent=1))
        return read(path, **options)

    return loaded
