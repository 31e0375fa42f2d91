"""The common body: the skeleton data/acclaim/02.asf, its handles, its kinematics and the inputs of the network.

Arrays have the batch as their last axis, so that every operation is one pass over contiguous numbers.
limber/posing/ computes the same in C++; tests/posing compares the two on stored samples.
"""

import pathlib

import jax.numpy as jnp
import numpy as np

METRES = 0.0254 / 0.45  # of one unit of length in 02.asf

# Parts that a goal can ask for, and the bone whose joint each is.
HANDLES = [
    ("pelvis", "root"), ("chest", "thorax"), ("neck", "lowerneck"), ("head", "head"),
    ("left_shoulder", "lhumerus"), ("right_shoulder", "rhumerus"), ("left_elbow", "lradius"),
    ("right_elbow", "rradius"), ("left_hand", "lhand"), ("right_hand", "rhand"), ("left_palm", "lfingers"),
    ("right_palm", "rfingers"), ("left_knee", "ltibia"), ("right_knee", "rtibia"), ("left_foot", "lfoot"),
    ("right_foot", "rfoot"), ("left_ball", "ltoes"), ("right_ball", "rtoes"),
]
NAMES = [name for name, _ in HANDLES]
# Pairs (left, right, weight) and single parts whose direction says which way the body faces.
FACING_PAIRS = [("left_shoulder", "right_shoulder", 4.0), ("left_elbow", "right_elbow", 1.0),
                ("left_hand", "right_hand", 0.5), ("left_knee", "right_knee", 1.0), ("left_foot", "right_foot", 1.0),
                ("left_ball", "right_ball", 1.0)]
FACING_PARTS = [("pelvis", 1.0), ("chest", 0.7), ("head", 0.3), ("left_foot", 0.2), ("right_foot", 0.2)]
# Bones whose lengths vary together.
LENGTHS = {"hips": ["hipjoint"], "thigh": ["femur"], "shin": ["tibia"], "foot": ["foot", "toes"],
           "trunk": ["lowerback", "upperback", "thorax"], "neck": ["lowerneck", "upperneck", "head"],
           "clavicle": ["clavicle"], "arm": ["humerus"], "forearm": ["radius", "wrist"],
           "hand": ["hand", "fingers", "thumb"]}
UNIT_OF_LENGTH = ["thigh", "shin", "trunk"]  # together they have the length of 02.asf
LENGTH_SPREAD = 0.05


# turn(axis, angle) = FIXED[axis] + cos TURNED[axis] + sin CROSSED[axis]
FIXED = np.array([np.diag(np.eye(3)[axis]) for axis in range(3)])
TURNED = np.eye(3) - FIXED
CROSSED = np.array([np.cross(np.eye(3)[axis], np.eye(3)).T for axis in range(3)])


def turn(axis, angle):
    """Rotation about coordinate axis 0, 1 or 2; `angle` an array; the result has shape (3, 3, *angle.shape)."""
    wide = lambda m: m.reshape(3, 3, *[1] * np.ndim(angle))
    return wide(FIXED[axis]) + wide(TURNED[axis]) * jnp.cos(angle) + wide(CROSSED[axis]) * jnp.sin(angle)


def times(a, b):
    """Products of matrices (…, 3, 3, B)."""
    return sum(a[..., :, k, None, :] * b[..., None, k, :, :] for k in range(3))


def apply(R, v):
    """Matrices (…, 3, 3, B) times vectors (…, 3, B)."""
    return sum(R[..., :, k, :] * v[..., None, k, :] for k in range(3))


def six(R):
    """The first two columns of a rotation."""
    return jnp.concatenate([R[:, 0], R[:, 1]])


def from_six(v):
    """The rotation whose first column is along v[:3] and whose second is nearest to v[3:]."""
    x = v[:3] / jnp.sqrt((v[:3] ** 2).sum(0) + 1e-12)
    y = v[3:] - (x * v[3:]).sum(0) * x
    y = y / jnp.sqrt((y**2).sum(0) + 1e-12)
    z = jnp.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])
    return jnp.stack([x, y, z], axis=1)


class Body:
    def __init__(self, asf):
        self.bones, self.parent = ["root"], [-1]
        self.direction, self.length, self.axis, self.freedoms = [np.zeros(3)], [0.0], [np.eye(3)], [[]]
        bone = None
        lines = [line.split() for line in pathlib.Path(asf).read_text().splitlines()]
        hierarchy = False
        for words in lines:
            if not words:
                continue
            if words[0] == ":hierarchy":
                hierarchy = True
            elif hierarchy and words[0] not in ("begin", "end"):
                for child in words[1:]:
                    self.parent[self.bones.index(child)] = self.bones.index(words[0])
            elif words[0] == "name" and len(self.bones) >= 1 and not hierarchy:
                bone = words[1]
                self.bones.append(bone)
                self.parent.append(-1)
                self.freedoms.append([])
            elif bone and words[0] == "direction":
                d = np.array([float(w) for w in words[1:4]])
                self.direction.append(d / np.linalg.norm(d))
            elif bone and words[0] == "length":
                self.length.append(float(words[1]) * METRES)
            elif bone and words[0] == "axis":
                a = np.radians([float(w) for w in words[1:4]])
                self.axis.append(np.array(turn(2, a[2]) @ turn(1, a[1]) @ turn(0, a[0])))
            elif bone and words[0] == "dof":
                self.freedoms[-1] = ["xyz".index(w[1]) for w in words[1:]]
        self.columns = [f"{b}.r{'xyz'[a]}" for b, axes in zip(self.bones, self.freedoms) for a in axes]
        self.group = []
        for b in self.bones:
            plain = b[1:] if b[0] in "lr" and b[1:] in sum(LENGTHS.values(), []) else b
            self.group.append(next((k for k, names in enumerate(LENGTHS.values()) if plain in names), -1))
        self.handle_bones = [self.bones.index(b) for _, b in HANDLES]
        self.tips = [k for k in range(len(self.bones)) if k not in self.parent]
        self.prepare()

    def group_lengths(self):
        """The length of each group on the left side, in metres."""
        return np.array([sum(self.length[b] for b in range(len(self.bones))
                             if self.group[b] == g and self.bones[b][0] != "r") for g in range(len(LENGTHS))])

    def prepare(self):
        """Tables for all bones at once, and the bones by depth."""
        n = len(self.bones)
        self.from_columns = np.full((n, 3), len(self.columns))  # one past the last: a turn by zero
        for k, column in enumerate(self.columns):
            bone, axis = column.split(".r")
            self.from_columns[self.bones.index(bone), "xyz".index(axis)] = k
        self.C = np.stack(self.axis).astype(np.float32)
        self.offset = np.stack([d * l for d, l in zip(self.direction, self.length)]).astype(np.float32)
        self.groups = np.maximum(self.group, 0)
        depth = [0] * n
        for b in range(1, n):
            depth[b] = depth[self.parent[b]] + 1
        self.levels = [[b for b in range(n) if depth[b] == d] for d in range(1, max(depth) + 1)]
        self.place = np.argsort(np.concatenate([[0], *self.levels]))  # of a bone, in the order of levels

    def forward(self, angles, R_root, p_root, scale):
        """Rotations (31, 3, 3, B), joint positions (31, 3, B) of all bones, and the ends of the last bones.

        angles (56, B) radians in the order of `columns`; scale (10, B): length of each group relative to 02.asf."""
        turns = jnp.concatenate([angles, jnp.zeros_like(angles[:1])])[self.from_columns]  # (31, 3, B)
        x, y, z = [jnp.moveaxis(turn(axis, turns[:, axis]), 2, 0) for axis in range(3)]
        M = times(z, times(y, x))  # Acclaim: M = Rz Ry Rx
        C = self.C[..., None]
        L = times(times(C, M), jnp.swapaxes(C, 1, 2))
        step = self.offset[..., None] * scale[self.groups][:, None]
        R, p, end = R_root[None], p_root[None], p_root[None]
        where = {0: 0}  # of a bone among those that are done
        for level in self.levels:
            above = np.array([where[self.parent[b]] for b in level])
            level_ = np.array(level)
            R_level = times(R[above], L[level_])
            p_level = end[above]
            for b in level:
                where[b] = len(where)
            R = jnp.concatenate([R, R_level])
            p = jnp.concatenate([p, p_level])
            end = jnp.concatenate([end, p_level + apply(R_level, step[level_])])
        return R[self.place], p[self.place], end[self.place][np.array(self.tips)]


def facing(p, has_p, R, has_R):
    """(cos, sin) of the turn about y of the body, estimated from what is given. p (18, 3, B), R (18, 3, 3, B)."""
    c = s = 0.0
    for left, right, weight in FACING_PAIRS:
        l, r = NAMES.index(left), NAMES.index(right)
        both = has_p[l] * has_p[r] * weight
        c = c + both * (p[l, 0] - p[r, 0])
        s = s - both * (p[l, 2] - p[r, 2])
    for part, weight in FACING_PARTS:
        k = NAMES.index(part)
        c = c + has_R[k] * weight * 0.5 * (R[k, 0, 0] + R[k, 2, 2])
        s = s + has_R[k] * weight * 0.5 * (R[k, 0, 2] - R[k, 2, 0])
    norm = jnp.sqrt(c * c + s * s)
    known = norm > 1e-6
    return jnp.where(known, c / jnp.where(known, norm, 1.0), 1.0), jnp.where(known, s / jnp.where(known, norm, 1.0), 0.0)


def yaw_matrix(c, s):
    one, zero = jnp.ones_like(c), jnp.zeros_like(c)
    return jnp.stack([jnp.stack(r) for r in [[c, zero, s], [zero, one, zero], [-s, zero, c]]])
