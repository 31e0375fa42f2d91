"""Threads, signals and memory."""

from __future__ import annotations

import _thread
import gc
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import limber


def reaching(figure: limber.Figure) -> limber.Problem:
    problem = limber.Problem(figure)
    problem.add(figure.point("right_palm"), limber.Position([-0.2, 1.1, 0.5]), chain_from="waist")
    return problem


def test_one_problem_is_solved_by_several_threads(human: limber.Figure) -> None:
    problem = reaching(human)
    alone = limber.solve(problem).pose
    with ThreadPoolExecutor(4) as pool:
        poses = list(pool.map(lambda _: limber.solve(problem).pose, range(40)))
    assert all(pose == alone for pose in poses)


def test_a_problem_in_use_refuses_changes(human: limber.Figure) -> None:
    problem = reaching(human)
    refused: list[str] = []

    def change(*_: object) -> None:
        for call in (
            lambda: problem.set_rigidity("right_elbow.flexion", 1.0),
            lambda: problem.constraints[0].remove(),
            lambda: setattr(problem.constraints[0], "weight", 2.0),
        ):
            try:
                call()
            except limber.Error as error:
                refused.append(error.expected)

    report = limber.solve(problem, observer=change)
    assert len(refused) == 3 * report.iterations and "no other call" in refused[0]
    problem.set_rigidity("right_elbow.flexion", 1.0)
    solver = limber.Solver(problem)

    def again(*_: object) -> None:
        solver.solve()

    with pytest.raises(limber.Error, match="one at a time"):
        solver.solve(observer=again)
    assert solver.solve().met


def test_the_interpreter_is_free_during_a_call(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    goal = problem.add(human.point("right_palm"), limber.Position([0, 5, 0]), chain_from="waist")
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    limber.solve_batch(problem, {goal: np.full((300, 3), 5.0)}, restarts=30, threads=1)  # one call
    during = counted[0] - before
    done.set()
    thread.join()
    assert during >= 5, f"the other thread ran {during} times"


@pytest.mark.parametrize("what", ["solve", "batch"])
def test_ctrl_c_ends_a_long_call(what: str, human: limber.Figure) -> None:
    problem = limber.Problem(human)
    goal = problem.add(human.point("right_palm"), limber.Position([0, 5, 0]), chain_from="waist")
    problem.add_clearance([limber.Obstacle.ball("ball", [0, 1.5, 0.3], 0.2)], self_collision=True)
    solver = limber.Solver(problem)
    sent = [0.0]

    def interrupt() -> None:
        sent[0] = time.process_time()  # of processors, which others use too
        _thread.interrupt_main(signal.SIGINT)

    timer = threading.Timer(0.2, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        if what == "solve":
            solver.solve(iterations=10**9, restarts=10**6)
        else:
            limber.solve_batch(problem, {goal: np.full((5000, 3), 5.0)}, restarts=1000, threads=1)
    took = time.process_time() - sent[0]
    timer.join()
    assert 0.0 <= took < 0.3, f"it took {took} s"
    goal.goal = limber.Position([-0.2, 1.0, 0.4])
    assert solver.solve(iterations=100).pose.theta.any()


def test_memory_does_not_grow(human: limber.Figure) -> None:
    def resident() -> int:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * 4096

    problem = reaching(human)
    solver, start = limber.Solver(problem), human.rest()
    hand = problem.constraints[0]

    def many(count: int) -> None:
        for k in range(count):
            hand.goal = limber.Position([-0.2, 1.0 + 1e-6 * k, 0.5])
            report = solver.solve(start, iterations=3)
            assert report.pose.theta[0] == 0.0 and report[hand].metres is not None
            problem.add(human.point("left_palm"), limber.CustomGoal(lambda x: (x, np.eye(3)), rows=3)).remove()

    many(1000)
    gc.collect()
    before = resident()
    many(5000)
    gc.collect()
    assert resident() - before < 2_000_000


def test_it_is_imported_quickly_and_leaks_nothing_at_the_end() -> None:
    code = "import limber; f = limber.human(); p = limber.Problem(f); c = p.add(f.point('head'), limber.hold()); r = limber.solve(p)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
