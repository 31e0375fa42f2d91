"""Limber and solvers of other Python packages on the same goals, judged by Pinocchio's forward kinematics. See README.md."""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

import limber

ROOT = Path(__file__).resolve().parents[3]
METRES, RADIANS, LIMITS = 1e-3, np.deg2rad(0.1), 1e-6
PATIENCE = 10  # iterations that may come no nearer


@dataclass
class Robot:
    """A robot, its places and the time for a pose."""

    name: str
    urdf: str
    tips: tuple[str, ...]
    seconds: float


ROBOTS = (
    Robot("panda", "panda.urdf", ("panda_hand_tcp",), 0.1),
    Robot("ur5", "ur5.urdf", ("tool0",), 0.1),
    Robot("iiwa14", "iiwa14.urdf", ("iiwa_link_ee",), 0.1),
    Robot("g1", "g1_29dof.urdf", ("left_ankle_roll_link", "right_ankle_roll_link", "left_rubber_hand", "right_rubber_hand"), 0.5),
)


class Case:
    """A robot in Pinocchio, which draws the goals and judges, and the text that all packages read."""

    def __init__(self, robot: Robot, count: int) -> None:
        self.robot = robot
        text = (ROOT / "data/urdf" / robot.urdf).read_text()
        text = re.sub(r"<(visual|collision)\b.*?</\1>|<(visual|collision)\b[^>]*/>", "", text, flags=re.DOTALL)
        text = re.sub(r"<mujoco>.*?</mujoco>", "", text, flags=re.DOTALL)  # of mink's own format, with its meshes
        text = re.sub(r"<mimic\b[^>]*/>", "", text)
        self.text = re.sub(r'(<joint name="panda_finger_joint\d" type=)"prismatic"', r'\1"fixed"', text)
        self.model = pin.buildModelFromXML(self.text)
        self.data = self.model.createData()
        self.names = list(self.model.names)[1:]
        self.frames = [self.model.getFrameId(tip) for tip in robot.tips]
        if max(self.frames) >= self.model.nframes:
            raise SystemExit(f"{robot.urdf}: no frame of the names {robot.tips}")
        self.lower, self.upper = self.model.lowerPositionLimit, self.model.upperPositionLimit
        rng = np.random.default_rng(1)
        self.middle = (self.lower + self.upper) / 2
        self.goals = [self.places(rng.uniform(self.lower, self.upper)) for _ in range(count)]
        self.starts = rng.uniform(self.lower, self.upper, (1000, len(self.lower)))

    def places(self, q: np.ndarray) -> list[np.ndarray]:
        pin.framesForwardKinematics(self.model, self.data, q)
        return [self.data.oMf[frame].homogeneous.copy() for frame in self.frames]

    def error(self, q: np.ndarray, goal: list[np.ndarray]) -> float:
        """At most 1 where the goal is met."""
        worst = 0.0
        for found, wanted in zip(self.places(q), goal, strict=True):
            turn = pin.log3(found[:3, :3].T @ wanted[:3, :3])
            worst = max(worst, np.linalg.norm(found[:3, 3] - wanted[:3, 3]) / METRES, np.linalg.norm(turn) / RADIANS)
        return worst

    def is_met(self, q: np.ndarray, goal: list[np.ndarray]) -> bool:
        inside = np.all(q >= self.lower - LIMITS) and np.all(q <= self.upper + LIMITS)
        return bool(inside and self.error(q, goal) <= 1.0)


Solve = Callable[[list[np.ndarray], float], np.ndarray]


def limber_solver(case: Case) -> Solve:
    path = ROOT / "build" / f"peer_{case.robot.name}.urdf"
    path.parent.mkdir(exist_ok=True)
    path.write_text(case.text)
    content = limber.read(path)
    figure = content.figure
    turn = np.eye(4)  # of Limber's world, Y up, to that of the file
    turn[:3, :3] = np.column_stack([content.in_file(axis) for axis in np.eye(3)])
    problem = limber.Problem(figure)
    handles = [figure.frame(tip) for tip in case.robot.tips]
    constraints = [problem.add(handle, limber.Placement(np.eye(4))) for handle in handles]
    solver = limber.Solver(problem)
    place = [figure.names.index(next(n for n in figure.names if n.split(".")[0] == name)) for name in case.names]
    middle = figure.rest()
    middle.theta[place] = case.middle
    # Limber's segment frames are those of the links, turned with the world.
    own = [turn @ middle.frame(tip) for tip in case.robot.tips]
    links = [np.linalg.inv(link) @ frame for frame, link in zip(own, case.places(case.middle), strict=True)]

    def solve(goal: list[np.ndarray], seconds: float) -> np.ndarray:
        for constraint, wanted, link in zip(constraints, goal, links, strict=True):
            constraint.goal = limber.Placement(turn.T @ wanted @ link)
        end = time.process_time() + seconds
        report = solver.solve(middle, until_met=True, met_mm=0.9, met_degrees=0.07)
        if not report.met:
            for start in case.starts:
                if report.met or time.process_time() >= end:
                    break
                own = figure.rest()
                own.theta[place] = start
                report = solver.solve(own, until_met=True, met_mm=0.9, met_degrees=0.07)
        return report.pose.theta[place]

    return solve


def stepping(case: Case, begin: Callable[[np.ndarray], None], aim: Callable[[list[np.ndarray]], None],
             step: Callable[[], np.ndarray]) -> Solve:
    """For solvers that take one step at a time: begins again where it comes no nearer."""

    def solve(goal: list[np.ndarray], seconds: float) -> np.ndarray:
        end = time.process_time() + seconds
        best, answer = np.inf, case.middle
        aim(goal)
        for start in [case.middle, *case.starts]:
            begin(start)
            nearest, since = np.inf, 0
            while since < PATIENCE and time.process_time() < end:
                q = step()
                error = case.error(q, goal)
                if error < best:
                    best, answer = error, q
                if best <= 0.9:
                    return answer
                nearest, since = (error, 0) if error < 0.99 * nearest else (nearest, since + 1)
            if time.process_time() >= end:
                break
        return answer

    return solve


def mink_solver(case: Case) -> Solve:
    import mink
    import mujoco

    tree = case.text.replace("</robot>", '<mujoco><compiler fusestatic="false" discardvisual="true" balanceinertia="true" '
                             'boundmass="0.001" boundinertia="1e-6" strippath="true"/></mujoco></robot>')
    model = mujoco.MjModel.from_xml_string(tree)
    configuration = mink.Configuration(model)
    names = [model.joint(k).name for k in range(model.njnt)]
    order = [names.index(name) for name in case.names]
    tasks = [mink.FrameTask(tip, "body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-2) for tip in case.robot.tips]
    limits = [mink.ConfigurationLimit(model)]

    def to_own(q: np.ndarray) -> np.ndarray:
        own = np.zeros(model.nq)
        own[order] = q
        return own

    def step() -> np.ndarray:
        velocity = mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-9, limits=limits)
        configuration.integrate_inplace(velocity, 1.0)
        return np.clip(configuration.q[order], case.lower, case.upper)

    def aim(goal: list[np.ndarray]) -> None:
        for task, wanted in zip(tasks, goal, strict=True):
            task.set_target(mink.SE3.from_matrix(wanted))

    return stepping(case, lambda q: configuration.update(to_own(q)), aim, step)


def pink_solver(case: Case) -> Solve:
    import pink

    tasks = [pink.FrameTask(tip, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-2) for tip in case.robot.tips]
    state: dict[str, Any] = {}

    def begin(q: np.ndarray) -> None:
        state["configuration"] = pink.Configuration(case.model, case.model.createData(), q)

    def step() -> np.ndarray:
        configuration = state["configuration"]
        limits = (pink.limits.ConfigurationLimit(case.model, config_limit_gain=1.0),)
        velocity = pink.solve_ik(configuration, tasks, 1.0, solver="daqp", damping=1e-9, limits=limits, safety_break=False)
        configuration.integrate_inplace(velocity, 1.0)
        return np.clip(configuration.q, case.lower, case.upper)

    def aim(goal: list[np.ndarray]) -> None:
        for task, wanted in zip(tasks, goal, strict=True):
            task.set_target(pin.SE3(wanted))

    return stepping(case, begin, aim, step)


def ikpy_solver(case: Case) -> Solve | None:
    if len(case.robot.tips) > 1:
        return None
    import warnings

    from ikpy.chain import Chain

    warnings.simplefilter("ignore")
    path = ROOT / "build" / f"peer_{case.robot.name}.urdf"
    chain = Chain.from_urdf_file(str(path), base_elements=way_to(case.text, case.robot.tips[0]), base_element_type="link")
    active = [link.name in case.names for link in chain.links]
    chain = Chain(chain.links, active_links_mask=active)
    place = [next(k for k, link in enumerate(chain.links) if link.name == name) for name in case.names]

    def solve(goal: list[np.ndarray], seconds: float) -> np.ndarray:
        end = time.process_time() + seconds
        best, answer = np.inf, case.middle
        for start in [case.middle, *case.starts]:
            own = np.zeros(len(chain.links))
            own[place] = np.clip(start, case.lower + 1e-9, case.upper - 1e-9)
            q = chain.inverse_kinematics_frame(goal[0], initial_position=own, orientation_mode="all")[place]
            error = case.error(q, goal)
            if error < best:
                best, answer = error, q
            if best <= 0.9 or time.process_time() >= end:
                return answer
        return answer

    return solve


def way_to(text: str, tip: str) -> list[str]:
    """The links and joints from the root to a link, in turn, as ikpy wants them."""
    joints = {
        child: (name, parent)
        for name, parent, child in re.findall(
            r'<joint\s+name="([^"]+)".*?<parent\s+link="([^"]+)".*?<child\s+link="([^"]+)"', text, flags=re.DOTALL
        )
    }
    way = [tip]
    while way[0] in joints:
        way[:0] = reversed(joints[way[0]])
    return way


@dataclass
class Score:
    """Of one package on one robot."""

    robot: str
    package: str
    count: int = 0
    met: int = 0
    total: float = 0.0
    times: list[float] = field(default_factory=list)  # of met goals, seconds

    def row(self) -> dict[str, Any]:
        times = sorted(self.times)
        return {
            "robot": self.robot,
            "package": self.package,
            "met": self.met / self.count,
            "median_us": 1e6 * times[len(times) // 2] if times else None,
            "per_solved_us": 1e6 * self.total / self.met if self.met else None,
        }


PACKAGES: dict[str, Callable[[Case], Solve | None]] = {
    "limber": limber_solver,
    "mink": mink_solver,
    "pink": pink_solver,
    "ikpy": ikpy_solver,
}


def scores(robots: tuple[Robot, ...], count: int, packages: list[str]) -> Iterator[Score]:
    for robot in robots:
        case = Case(robot, count)
        for package in packages:
            solve = PACKAGES[package](case)
            if solve is None:
                continue
            for goal in case.goals[:2]:
                solve(goal, robot.seconds)  # loads and compiles what comes late
            score = Score(robot.name, package)
            for goal in case.goals:
                begin = time.process_time()
                q = solve(goal, robot.seconds)
                took = time.process_time() - begin
                score.count += 1
                score.total += min(took, robot.seconds)
                if took <= robot.seconds * 1.05 and case.is_met(q, goal):
                    score.met += 1
                    score.times.append(took)
            row = score.row()
            print(f"{robot.name:8} {package:8} met {100 * row['met']:5.1f} %  median {row['median_us'] or 0:10.1f} us  "
                  f"per solved pose {row['per_solved_us'] or 0:10.1f} us", flush=True)
            yield score


def as_markdown(rows: list[dict[str, Any]]) -> str:
    own = {row["robot"]: row["per_solved_us"] for row in rows if row["package"] == "limber"}
    lines = ["| robot | package | met | median of met | time per solved pose | times Limber's |", "|---|---|---|---|---|---|"]
    for row in rows:
        ratio = row["per_solved_us"] / own[row["robot"]] if row["per_solved_us"] and row["robot"] in own else None
        lines.append(
            f"| {row['robot']} | {row['package']} | {100 * row['met']:.1f} % | {time_text(row['median_us'])} | "
            f"{time_text(row['per_solved_us'])} | {'' if ratio is None else f'{ratio:,.0f}'} |"
        )
    return "\n".join(lines) + "\n"


def time_text(us: float | None) -> str:
    if us is None:
        return "none"
    return f"{us:.1f} µs" if us < 1000 else f"{us / 1000:.1f} ms"


def plot(scores: list[Score], robot: str, seconds: float) -> str:
    """Share of goals met over time, on a logarithmic axis."""
    colours = {"limber": "#c0392b", "mink": "#2471a3", "pink": "#d68fb0", "ikpy": "#7d8a2e"}
    low, high, width, height = 1e-6, 1.0, 560, 220

    def x(t: float) -> float:
        return 50 + width * (np.log10(max(t, low)) - np.log10(low)) / (np.log10(high) - np.log10(low))

    parts = []
    for k in range(-6, 1):
        parts.append(f'<line x1="{x(10.0**k):.0f}" y1="10" x2="{x(10.0**k):.0f}" y2="{height + 10}" stroke="#ddd"/>'
                     f'<text x="{x(10.0**k):.0f}" y="{height + 26}" text-anchor="middle">'
                     f'{["1 µs", "10 µs", "0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s"][k + 6]}</text>')
    for share in (0, 0.5, 1):
        y = 10 + height * (1 - share)
        parts.append(f'<line x1="50" y1="{y}" x2="{width + 50}" y2="{y}" stroke="#ddd"/>'
                     f'<text x="44" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    parts.append(f'<line x1="{x(seconds):.0f}" y1="10" x2="{x(seconds):.0f}" y2="{height + 10}" stroke="#888" stroke-dasharray="4"/>')
    y_label = 40
    for score in scores:
        points, met = [(x(low), 10.0 + height)], 0
        for t in sorted(score.times):
            points.append((x(t), 10 + height * (1 - met / score.count)))
            met += 1
            points.append((x(t), 10 + height * (1 - met / score.count)))
        points.append((x(seconds), 10 + height * (1 - met / score.count)))
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        colour = colours[score.package]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{width + 62}" y="{y_label}" fill="{colour}" font-weight="600">{score.package}</text>')
        y_label += 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 130} {height + 60}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}'
            f'<text x="{50 + width / 2}" y="{height + 48}" text-anchor="middle">{robot}: goals met within this time</text></svg>')


def page(scores: list[Score], rows: list[dict[str, Any]]) -> str:
    cells = [line.strip("|").split("|") for line in as_markdown(rows).splitlines()]
    table = "".join("<tr>" + "".join(f"<td>{html.escape(cell.strip())}</td>" for cell in row) + "</tr>" for k, row in enumerate(cells) if k != 1)
    plots = "".join(plot([s for s in scores if s.robot == robot.name], robot.name, robot.seconds)
                    for robot in ROBOTS if any(s.robot == robot.name for s in scores))
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Solvers of the Python index</title>'
            f"<style>body{{font:15px sans-serif;max-width:60rem;margin:2rem auto}}td{{padding:.2rem 1rem .2rem 0}}svg{{width:100%}}</style>"
            f"<h1>Solvers of the Python index</h1><table>{table}</table>{plots}</html>\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the goals")
    parser.add_argument("--count", type=int, help="goals per robot")
    parser.add_argument("--package", action="append", choices=list(PACKAGES), help="only these")
    parser.add_argument("--robot", action="append", choices=[robot.name for robot in ROBOTS], help="only these")
    parser.add_argument("-o", "--output", type=Path, help="a page, .html; the table beside it, .md, and numbers, .json")
    given = parser.parse_args()
    robots = tuple(robot for robot in ROBOTS if not given.robot or robot.name in given.robot)
    count = given.count or (20 if given.quick else 200)
    all_scores = list(scores(robots, count, given.package or list(PACKAGES)))
    rows = [score.row() for score in all_scores]
    if given.output:
        given.output.write_text(page(all_scores, rows))
        given.output.with_suffix(".md").write_text(as_markdown(rows))
        given.output.with_suffix(".json").write_text(json.dumps(rows, indent=1))
        for robot in robots:
            mine = [s for s in all_scores if s.robot == robot.name]
            given.output.with_name(f"{given.output.stem}_{robot.name}.svg").write_text(plot(mine, robot.name, robot.seconds))
    else:
        sys.stdout.write("\n" + as_markdown(rows))


if __name__ == "__main__":
    main()
