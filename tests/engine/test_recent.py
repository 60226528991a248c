"""Recent: bounded, and what is used stays."""

from hypothesis import given
from hypothesis import strategies as st

from wherry.engine.recent import Recent


@given(st.integers(1, 8), st.lists(st.integers(0, 12), max_size=60))
def test_what_is_kept_is_bounded_and_right(size: int, keys: list[int]) -> None:
    store: Recent[int, int] = Recent(size)
    for key in keys:
        found = store.get(key)
        assert found is None or found == key * key
        if found is None:
            store.put(key, key * key)
        assert len(store) <= max(2, size)
        assert store.get(key) == key * key


def test_what_is_asked_for_stays() -> None:
    store: Recent[int, str] = Recent(8)
    store.put(0, "kept")
    for key in range(1, 100):
        store.put(key, "passing")
        assert store.get(0) == "kept"
    assert 1 not in store


def test_the_last_half_is_always_there() -> None:
    store: Recent[int, int] = Recent(256)
    for turn in range(4):
        for key in range(128):
            assert (store.get(key) is None) == (turn == 0)
            store.put(key, key)
