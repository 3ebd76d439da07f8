"""Small products run in one thread, and the number of threads of before comes back."""

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from graphtalk.search.threads import one_thread


def threads() -> set[int]:
    """How many threads each BLAS library that is loaded uses."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_one_thread_inside_and_the_old_number_after() -> None:
    with threadpool_limits(2, "blas"):
        before = threads()
        with one_thread():
            assert threads() <= {1}
            with one_thread():
                assert threads() <= {1}
            assert threads() <= {1}
        assert threads() == before


def test_an_error_inside_gives_the_threads_back() -> None:
    with threadpool_limits(2, "blas"):
        before = threads()
        with pytest.raises(KeyError), one_thread():
            raise KeyError
        assert threads() == before
