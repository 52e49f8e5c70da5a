"""Threads share the games of a round without holding the GIL."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from crafter.compiled import work_queue
from crafter.compiled.jit import compiled
from crafter.compiled.thread_pool import ThreadPool


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


@compiled
def mark(round_, marks):
    """Marks places with the task done there; returns whether all of them are marked."""
    cursor = np.zeros(2, np.int64)
    while True:
        place = work_queue.next_place(round_, cursor, len(marks))
        if place < 0:
            return work_queue.wait_for_all(round_, len(marks))
        marks[place] += 1 + work_queue.task(round_, place)
        work_queue.note(round_)


def test_threads_take_every_game_once():
    pool = ThreadPool(5)
    for resets, steps, looks in ((0, 0, 0), (1, 0, 0), (0, 7, 40), (33, 8000, 5)):
        count = resets + steps + looks
        made, marks = work_queue.make_round(resets, steps), np.zeros(count, np.int64)
        pieces = work_queue.count_pieces(count, resets)
        pool.run(lambda _, r=made, m=marks: mark(r, m), pieces)
        expected = [1] * resets + [2] * steps + [3] * looks
        assert marks.tolist() == expected
        assert work_queue.noted(made) == (count > 0)
        assert mark(made, marks)  # latecomers find nothing to do
        assert marks.tolist() == expected
    pool.close()


def test_a_thread_does_not_wait_for_ever():
    made, marks = work_queue.make_round(resets=3), np.zeros(3, np.int64)
    assert not work_queue.noted(made)
    made[0] = 1  # another thread took the first piece and has not finished
    assert not mark(made, marks)
    assert marks.tolist() == [0, 1, 1]
