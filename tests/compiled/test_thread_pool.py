"""Threads share the pieces of a round, without the interpreter's lock."""

import contextlib
import gc
import threading

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from crafter.compiled import work_queue
from crafter.compiled.jit import compiled
from crafter.compiled.thread_pool import ThreadPool


@pytest.mark.parametrize("count", [0, 1, 2, 100])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_pool_does_every_piece_once(size, count):
    pool = ThreadPool(size)
    done, busy = [], set()

    def work(member):
        assert member in range(size)
        assert member not in busy
        busy.add(member)
        while left:
            with contextlib.suppress(IndexError):  # another one was faster
                done.append(left.pop())
        busy.remove(member)
        return False  # perhaps others are not done yet

    for _ in range(3):
        left = list(range(count))
        pool.run(work, count)
        assert not busy
        pool.close()  # the next run starts new threads
    assert sorted(done) == sorted(3 * list(range(count)))


def test_a_pool_waits_for_nobody_when_all_is_done():
    pool, begin, ended = ThreadPool(2), threading.Event(), threading.Event()

    def work(member):
        if member == 1:
            begin.wait(60)
            ended.set()
        return True

    pool.run(work, 2)
    assert not ended.is_set()
    begin.set()
    pool.close()
    assert ended.is_set()


def test_a_pool_reports_faults_and_goes_on():
    pool = ThreadPool(3)

    def work(member):
        if member == 2:
            raise RuntimeError("member 2")
        return False

    for _ in range(3):
        with pytest.raises(RuntimeError, match="member 2"):
            pool.run(work, 100)
    pool.close()


def test_threads_end_with_their_pool():
    pool = ThreadPool(4)
    pool.run(lambda member: False, 4)
    threads = [t for t in threading.enumerate() if t.name.startswith("crafter")]
    assert len(threads) >= 3
    own = pool._helpers._threads
    del pool
    gc.collect()
    for thread in own:
        thread.join(60)
    assert not any(thread.is_alive() for thread in own)


@compiled
def mark(counters, marks):
    """Marks pieces, one at a time, and returns whether all of them are marked."""
    while True:
        piece = work_queue.take(counters)
        if piece >= len(marks):
            return work_queue.wait(counters, len(marks))
        marks[piece] += 1
        work_queue.note(counters)
        work_queue.finish(counters)


def test_threads_take_every_piece_once():
    pool = ThreadPool(5)
    for count in (0, 1, 7, 10_000):
        counters, marks = work_queue.make_counters(), np.zeros(count, np.int64)
        pool.run(lambda _, c=counters, m=marks: mark(c, m), count)
        assert (marks == 1).all()
        assert work_queue.noted(counters) == (count > 0)
        assert mark(counters, marks)  # who comes late finds nothing to do
        assert (marks == 1).all()
    pool.close()


def test_a_thread_does_not_wait_for_ever():
    counters, marks = work_queue.make_counters(), np.zeros(3, np.int64)
    assert not work_queue.noted(counters)
    counters[0] = 1  # another thread took the first piece, and is not done
    assert not mark(counters, marks)
    assert marks.tolist() == [0, 1, 1]
