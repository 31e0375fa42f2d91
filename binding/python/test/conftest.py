"""What the tests share: the tree, the tool, figures, and forward kinematics in NumPy alone."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pytest

import limber

ROOT = Path(__file__).resolve().parents[3]
os.chdir(ROOT)

# What takes minutes, or more packages: ./test --full.
collect_ignore = [] if os.environ.get("LIMBER_FULL") else ["full"]

hypothesis.settings.register_profile(
    "limber", deadline=None, derandomize=True, max_examples=40, database=None, print_blob=True
)
hypothesis.settings.load_profile("limber")


@pytest.fixture(scope="session")
def human() -> limber.Figure:
    return limber.human()


@pytest.fixture(scope="session")
def arm() -> limber.Figure:
    return limber.read(ROOT / "data/urdf/panda.urdf").figure


@pytest.fixture(scope="session")
def tool() -> str:
    """The command-line tool that came with the package."""
    found = shutil.which("limber", path=str(Path(sys.executable).parent))
    assert found, "the package has put no tool beside this Python"
    return found


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def forward(figure: limber.Figure, theta: np.ndarray) -> dict[str, np.ndarray]:
    """Where every segment is, by X_parent_child = in_parent D_1 … D_k in_child⁻¹. For figures without joint groups."""
    values = dict(zip(figure.names, theta, strict=True))
    frames: dict[str, np.ndarray] = {"": np.eye(4)}
    joints = {joint.child: joint for joint in figure.description.joints}

    def place(segment: str) -> np.ndarray:
        if segment not in frames:
            joint = joints.get(segment)
            if joint is None:
                frames[segment] = np.eye(4)
            else:
                X = place(joint.parent) @ joint.in_parent
                for freedom in joint.freedoms:
                    D = np.eye(4)
                    value = values[f"{joint.name}.{freedom.name}"]
                    axis = freedom.axis / np.linalg.norm(freedom.axis)
                    if freedom.motion == "rotate":
                        D[:3, :3] = rotation(axis, value)
                    else:
                        D[:3, 3] = value * axis
                    X = X @ D
                frames[segment] = X @ np.linalg.inv(joint.in_child)
        return frames[segment]

    for name in figure.segments:
        place(name)
    return frames


def site_of(figure: limber.Figure, frames: dict[str, np.ndarray], name: str) -> np.ndarray:
    site = next(site for site in figure.description.sites if site.name == name)
    return frames[site.segment] @ site.frame
