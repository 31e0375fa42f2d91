"""A robot arm from URDF: one goal with an orientation, then 100,000 goals at once."""

import time
from pathlib import Path

import numpy as np

import limber

here = Path(__file__).resolve().parents[2]
arm = limber.read(here / "data/urdf/panda.urdf").figure
tip = "panda_hand_tcp"

# A frame of the tool, from a pose that the arm can take.
middle = (arm.lower + arm.upper) / 2
frame = arm.pose(middle + 0.2).frame(tip)
problem = limber.Problem(arm)
problem.add(arm.frame(tip), limber.Placement(frame))
report = limber.solve(problem, middle)
print(report)

# Goals everywhere in the reach, as one array.
rng = np.random.default_rng(1)
targets = arm.evaluate(arm.point(tip), rng.uniform(arm.lower, arm.upper, (100_000, len(arm.names))))
points = limber.Problem(arm)
points.add(arm.point(tip), limber.Position([0, 0, 0]))
start = time.perf_counter()
batch = limber.solve_batch(points, targets)
seconds = time.perf_counter() - start
print(f"{batch}: {1e6 * seconds / len(batch):.2f} µs per goal")
errors = np.linalg.norm(arm.evaluate(arm.point(tip), batch.poses) - targets, axis=1)
assert report.met and batch.met.mean() > 0.999 and errors[batch.met].max() < 1e-3
