"""Trains the network that proposes poses.

    python learn/train.py cmu_poses.npz OUT.npz [--minutes 60] [--width 192] [--blocks 4] [--batch 512] [--seed 1]
                          [--device cpu|gpu] [--resume]

README.md says what it learns from and what it reached. Every few minutes the weights (a moving average) and the error
covariances are written to OUT.npz, so that it may be stopped at any time.
"""

import argparse
import pathlib
import time

import jax
import jax.numpy as jnp
import numpy as np

import network
from body import LENGTH_SPREAD, LENGTHS, NAMES, UNIT_OF_LENGTH, Body, times, yaw_matrix

HELD_OUT = "06 12 13 15 23 40 49 56 60 74 79 85 86 114 118 124 139 143".split()
EVERY_MINUTES = 3.0
ENDS = ["head", "left_hand", "right_hand", "left_foot", "right_foot"]
# Kinds of goal sets, each with an error covariance of its own: with or without a start; how much is known.
KINDS = ["ends", "ends, pelvis", "ends turned", "ends, pelvis turned", "any", "drag"]


# --- Poses -------------------------------------------------------------------------------------------------------

def side_swap(columns):
    """Index of the mirrored column, and the sign of its value."""
    index, sign = [], []
    for c in columns:
        other = {"l": "r", "r": "l"}[c[0]] + c[1:] if c[0] in "lr" and "r" + c[1:] in columns and "l" + c[1:] in columns else c
        index.append(columns.index(other))
        sign.append(1.0 if c.endswith("rx") else -1.0)
    return np.array(index), np.array(sign, np.float32)


def tilt(up):
    """The rotation of the root, without turn about y, that has the world's up direction `up` in its frame.

    Any rotation with R^T y = up, then turned about y until it faces along z: c = R00 + R22, s = R02 - R20."""
    up = up / np.linalg.norm(up, axis=1, keepdims=True)
    y = np.array([0.0, 1.0, 0.0])
    axis = np.cross(up, y)
    c = up[:, 1]
    K = np.zeros((len(up), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    K -= np.transpose(K, (0, 2, 1))
    R = np.eye(3) + K + K @ K / np.maximum(1.0 + c, 1e-6)[:, None, None]  # Rodrigues from up to y
    return without_turn(R)[0]


def without_turn(R):
    """R with its turn about y taken out, and that turn."""
    angle = np.arctan2(R[:, 0, 2] - R[:, 2, 0], R[:, 0, 0] + R[:, 2, 2])
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros(len(R)), np.ones(len(R))
    back = np.stack([np.stack([c, zero, -s], 1), np.stack([zero, one, zero], 1), np.stack([s, zero, c], 1)], 1)
    return back @ R, angle


class Poses:
    """The poses, their statistics, and pairs of poses of one take placed in one world by the feet that stand."""

    def __init__(self, path, body, held_out):
        data = np.load(path)
        assert list(data["columns"]) == body.columns
        subject = np.array([t.split("_")[0] for t in data["takes"]])[data["take"]]
        keep = np.isin(subject, HELD_OUT) == held_out
        self.angles = np.radians(data["angles"][keep] / 100.0).astype(np.float32)
        self.R = tilt(data["up"][keep] / 30000.0).astype(np.float32)
        self.height = (data["pelvis_height"][keep] * 1e-4).astype(np.float32)
        self.take = data["take"][keep]
        _, person, count = np.unique(subject[keep], return_inverse=True, return_counts=True)
        weight = 1.0 / np.sqrt(count[person])
        self.cumulative = np.cumsum(weight) / weight.sum()
        self.swap, self.sign = side_swap(body.columns)
        mirrored = self.angles[:, self.swap] * self.sign
        w = (weight / weight.sum())[:, None]
        self.mean = (0.5 * (self.angles + mirrored) * w).sum(0)
        deviation = lambda a: ((a - self.mean) ** 2 * w).sum(0)
        self.spread = np.sqrt(0.5 * (deviation(self.angles) + deviation(mirrored)) + 0.02**2)
        self.pairs(body)

    def pairs(self, body):
        feet = [NAMES.index(n) for n in ("left_foot", "left_ball", "right_foot", "right_ball")]
        bones = [body.handle_bones[f] for f in feet]
        forward = jax.jit(lambda a, R, p: body.forward(a, R, p, jnp.ones((len(LENGTHS), a.shape[1])))[1][np.array(bones)])
        n, points = len(self.angles), []
        for k in range(0, n, 8192):
            part = slice(k, k + 8192)
            p = np.zeros((3, len(self.angles[part])), np.float32)
            p[1] = self.height[part]
            points.append(np.asarray(forward(self.angles[part].T, np.moveaxis(self.R[part], 0, -1), p)))
        x = np.moveaxis(np.concatenate(points, axis=2), 2, 0)  # (n, 4, 3)
        floor = np.array([np.percentile(x[self.take == t][:, :, 1].min(1), 5) if (self.take == t).any() else 0.0
                          for t in range(self.take.max() + 1)])[self.take]
        self.pair_turn, self.pair_shift, self.pair_pins = {}, {}, {}
        for ahead in (1, 2, 3):
            i = np.arange(n)
            j = np.minimum(i + ahead, n - 1)
            same = (self.take[i] == self.take[j]) & (i + ahead < n)
            a, b = x[i], x[j]
            low = (a[:, [1, 3], 1] < floor[:, None] + 0.05) & (b[:, [1, 3], 1] < floor[:, None] + 0.05)
            level = np.abs(a[:, :, 1] - b[:, :, 1]).reshape(n, 2, 2).max(2) < 0.025
            stands = low & level & same[:, None]
            both = stands.all(1)
            turn_both, shift_both, error = fit(a, b, np.ones((n, 4)))
            both &= error < 0.03
            # One foot: the one that changed its height less.
            change = np.abs(a[:, :, 1] - b[:, :, 1]).reshape(n, 2, 2).max(2) + 10.0 * ~stands
            left = change[:, 0] <= change[:, 1]
            w = np.repeat(np.stack([left, ~left], 1), 2, axis=1).astype(float)
            turn_one, shift_one, _ = fit(a, b, w)
            one = stands.any(1) & ~both
            pins = np.where(both[:, None], True, np.stack([left, ~left], 1) & one[:, None])
            self.pair_turn[ahead] = np.where(both, turn_both, turn_one).astype(np.float32)
            self.pair_shift[ahead] = np.where(both[:, None], shift_both, shift_one).astype(np.float32)
            self.pair_pins[ahead] = pins
            print(f"pairs {ahead / 3:.2f} s apart: {both.mean():.2f} on both feet, {one.mean():.2f} on one", flush=True)


def fit(a, b, w):
    """The turn about y and the horizontal shift that bring points b onto a, and the greatest remaining distance."""
    w = w / w.sum(1, keepdims=True)
    centre_a, centre_b = (a * w[..., None]).sum(1), (b * w[..., None]).sum(1)
    u, v = a - centre_a[:, None], b - centre_b[:, None]
    c = (w * (u[..., 0] * v[..., 0] + u[..., 2] * v[..., 2])).sum(1)
    s = (w * (u[..., 0] * v[..., 2] - u[..., 2] * v[..., 0])).sum(1)
    angle = np.arctan2(s, c)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    turned = lambda p: (c * p[..., 0] + s * p[..., 2], -s * p[..., 0] + c * p[..., 2])
    x, z = turned(v)
    error = np.sqrt((u[..., 0] - x) ** 2 + (u[..., 2] - z) ** 2).max(1)
    x, z = turned(centre_b[:, None])
    shift = np.stack([centre_a[:, 0] - x[:, 0], centre_a[:, 2] - z[:, 0]], 1)
    return angle, shift, error


# --- Samples -----------------------------------------------------------------------------------------------------

DRAGGED = {"left_hand": 3, "right_hand": 3, "left_palm": 1, "right_palm": 1, "head": 2, "pelvis": 3, "chest": 2,
           "neck": 1, "left_elbow": 1, "right_elbow": 1, "left_shoulder": 1, "right_shoulder": 1, "left_knee": 1,
           "right_knee": 1, "left_foot": 2, "right_foot": 2, "left_ball": 1, "right_ball": 1}


class Sampler:
    def __init__(self, poses, seed):
        self.poses, self.rng = poses, np.random.default_rng(seed)
        self.drag_odds = np.array([DRAGGED[n] for n in NAMES], float)
        self.drag_odds /= self.drag_odds.sum()

    def goals(self, kind, n, pins):
        """Which positions and rotations are given, (18, n) each."""
        rng, index = self.rng, NAMES.index
        has_p, has_R = np.zeros((len(NAMES), n), np.float32), np.zeros((len(NAMES), n), np.float32)
        ends = [index(e) for e in ENDS]
        if kind < 4:
            has_p[ends] = 1.0
            if kind in (1, 3):
                has_p[index("pelvis")] = 1.0
            if kind in (2, 3):
                has_R[ends] = 1.0
        elif kind == 4:
            odds = rng.uniform(0.1, 0.8, n)
            has_p = (rng.random(has_p.shape) < odds).astype(np.float32)
            has_p[ends] = np.maximum(has_p[ends], rng.random((5, n)) < 0.5)
            has_R = (rng.random(has_R.shape) < rng.uniform(0.0, 0.6, n)) * (rng.random(n) < 0.6) * has_p
            for name in ("pelvis", "left_foot", "right_foot"):  # something to hold on to
                has_p[index(name)] = np.maximum(has_p[index(name)], has_p.sum(0) < 3)
        else:
            count = rng.choice([1, 2, 3], n, p=[0.6, 0.25, 0.15])
            turned = rng.random(n) < 0.2
            order = np.log(self.drag_odds)[:, None] + rng.gumbel(size=has_p.shape)
            blocked = np.zeros(has_p.shape, bool)
            for side, names in enumerate((("left_foot", "left_ball"), ("right_foot", "right_ball"))):
                for name in names:
                    blocked[index(name)] = pins[side]
            order[blocked] = -np.inf
            rank = np.argsort(np.argsort(-order, axis=0), axis=0)
            has_p = (rank < count).astype(np.float32)
            has_R = has_p * turned
            flat = rng.random(n) < 0.75
            toes = rng.random(n) < 0.3
            for side, (foot, ball) in enumerate((("left_foot", "left_ball"), ("right_foot", "right_ball"))):
                has_p[index(foot)] = np.maximum(has_p[index(foot)], pins[side])
                has_R[index(foot)] = np.maximum(has_R[index(foot)], pins[side] * flat)
                has_p[index(ball)] = np.maximum(has_p[index(ball)], pins[side] * toes)
        return has_p.astype(np.float32), has_R.astype(np.float32)

    def poses_with_pins(self, ahead):
        """Poses from which a foot stands until the pose `ahead`, where one is found in a few attempts."""
        P = self.poses
        draw = lambda: np.searchsorted(P.cumulative, self.rng.random(len(ahead))).clip(0, len(P.angles) - 1)
        i = draw()
        for _ in range(4 if ahead.any() else 0):
            other = draw()
            for a in (1, 2, 3):
                m = (ahead == a) & ~P.pair_pins[a][i].any(1)
                i[m] = other[m]
        return i

    def batch(self, shares):
        """`shares`: how many samples of each kind."""
        P, rng = self.poses, self.rng
        parts = []
        for kind, n in enumerate(shares):
            if n == 0:
                continue
            ahead = rng.choice([0, 1, 2, 3], n, p=[0.1, 0.3, 0.3, 0.3]) if kind == 5 else np.zeros(n, int)
            i = self.poses_with_pins(ahead)
            j = i.copy()
            angle, shift = np.zeros(n, np.float32), np.zeros((n, 2), np.float32)
            pins = np.zeros((n, 2), bool)
            for a in (1, 2, 3):
                m = ahead == a
                pins[m] = P.pair_pins[a][i[m]]
                m &= pins.any(1)
                j[m], angle[m], shift[m] = i[m] + a, P.pair_turn[a][i[m]], P.pair_shift[a][i[m]]
            still = j == i
            pins[still] = rng.random((still.sum(), 2)) < 0.7
            has_p, has_R = self.goals(kind, n, pins.T)
            parts.append({"start": i, "goal": j, "turn": angle, "shift": shift, "has_p": has_p.T, "has_R": has_R.T,
                          "kind": np.full(n, kind)})
        all_ = {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}
        n = len(all_["goal"])
        scale = np.exp(LENGTH_SPREAD * rng.standard_normal((len(LENGTHS), n))).astype(np.float32)
        scale[:, rng.random(n) < 0.25] = 1.0
        mirror = rng.random(n) < 0.5

        def pose(k):
            a, R = P.angles[k].copy(), P.R[k].copy()
            a[mirror] = (a[mirror][:, P.swap]) * P.sign
            flip = np.diag([-1.0, 1, 1]).astype(np.float32)
            R[mirror] = flip @ R[mirror] @ flip
            return a.T, np.moveaxis(R, 0, -1)

        a_start, R_start = pose(all_["start"])
        a_goal, R_goal = pose(all_["goal"])
        sign = np.where(mirror, -1.0, 1.0).astype(np.float32)
        has_p, has_R = all_["has_p"].T.copy(), all_["has_R"].T.copy()
        other = [NAMES.index(n.replace("left", "@").replace("right", "left").replace("@", "right")) for n in NAMES]
        has_p[:, mirror], has_R[:, mirror] = has_p[other][:, mirror], has_R[other][:, mirror]
        p_start = np.zeros((3, n), np.float32)
        p_goal = np.stack([sign * all_["shift"][:, 0], P.height[all_["goal"]] - P.height[all_["start"]],
                           all_["shift"][:, 1]])
        return {"a_start": a_start, "R_start": R_start, "p_start": p_start, "a_goal": a_goal, "R_goal": R_goal,
                "p_goal": p_goal, "turn": sign * all_["turn"], "has_p": has_p, "has_R": has_R, "scale": scale,
                "has_start": (all_["kind"] == 5).astype(np.float32), "kind": all_["kind"]}


# --- Loss --------------------------------------------------------------------------------------------------------

def normalized(scale, lengths):
    """The lengths with trunk and legs together as long as those of the common body."""
    index = [list(LENGTHS).index(n) for n in UNIT_OF_LENGTH]
    total = sum(lengths[i] for i in index)
    return scale * total / sum(lengths[i] * scale[i] for i in index)


def errors(weights, statistics, body, sample):
    lengths = body.group_lengths()
    scale = normalized(sample["scale"], lengths)
    bones = np.array(body.handle_bones)
    R_goal = times(yaw_matrix(jnp.cos(sample["turn"]), jnp.sin(sample["turn"])), sample["R_goal"])
    R, p, tips = body.forward(sample["a_goal"], R_goal, sample["p_goal"], scale)
    R_start, p_start, _ = body.forward(sample["a_start"], sample["R_start"], sample["p_start"], scale)
    # With other lengths the standing feet of the two poses are apart again: the goal is shifted by their mean distance.
    feet = [NAMES.index("left_foot"), NAMES.index("right_foot")]
    pinned = [sample["has_p"][f] * sample["has_R"][f] * sample["has_start"] for f in feet]
    gap = sum(w * (p_start[bones[f]] - p[bones[f]]) for w, f in zip(pinned, feet)) / jnp.maximum(sum(pinned), 1.0)
    p, tips = p + gap, tips + gap
    angles, R_root, p_root = network.propose(weights, statistics, p[bones], sample["has_p"], R[bones], sample["has_R"],
                                             jnp.log(scale), sample["has_start"], sample["a_start"],
                                             R_start[bones], p_start[bones])
    _, p_is, tips_is = body.forward(angles, R_root, p_root, scale)
    keep = np.array([b for b in range(len(body.bones)) if b not in SAME])
    away = jnp.concatenate([p[keep] - p_is[keep], tips - tips_is])
    distance = jnp.sqrt((away**2).sum(1) + 1e-6)
    da = jnp.arctan2(jnp.sin(angles - sample["a_goal"]), jnp.cos(angles - sample["a_goal"]))
    dR = jnp.sqrt(((R_root - R_goal) ** 2).sum((0, 1)) + 1e-6)
    return distance, da, dR, p_root - p[0], R_root, R_goal


SAME = [1, 6, 11, 17, 24]  # bones that begin where another one does


def loss_of(weights, statistics, body, sample):
    distance, da, dR, *_ = errors(weights, statistics, body, sample)
    return distance.mean() + 0.02 * (jnp.abs(da).mean() + dR.mean()), distance


def read(path):
    data = np.load(path)
    layer = lambda name: {"W": data["W_" + name], "b": data["b_" + name]}
    return {"first": layer("first"), "last": layer("last"),
            "blocks": [[layer(f"one_{k}"), layer(f"two_{k}")] for k in range(int(data["blocks"]))]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("poses")
    parser.add_argument("out")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--from", dest="begin_with", help="weights to continue from, of the same shape")
    parser.add_argument("--steps", type=int, default=0, help="instead of --minutes: reproducible to the bit")
    o = parser.parse_args()
    jax.config.update("jax_platforms", {"cpu": "cpu", "gpu": "cuda"}[o.device])
    body = Body(pathlib.Path(__file__).parent.parent / "data/acclaim/02.asf")
    poses, others = Poses(o.poses, body, False), Poses(o.poses, body, True)
    statistics = {"mean": jnp.array(poses.mean), "spread": jnp.array(poses.spread)}
    print(len(poses.angles), "poses to learn from,", len(others.angles), "to validate", flush=True)
    shares = [round(o.batch * s) for s in (0.12, 0.12, 0.12, 0.1, 0.16)]
    shares.append(o.batch - sum(shares))
    weights = network.initial(np.random.default_rng(o.seed), o.width, o.blocks)
    if o.begin_with:
        weights = read(o.begin_with)
    print(sum(w.size for w in jax.tree.leaves(weights)), "weights", flush=True)
    zeros = jax.tree.map(np.zeros_like, weights)
    state = (weights, zeros, zeros, weights)

    @jax.jit
    def step(state, sample, rate, k):
        w, m, v, average = state
        (loss, _), g = jax.value_and_grad(loss_of, has_aux=True)(w, statistics, body, sample)
        size = jnp.sqrt(sum((x**2).sum() for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1.0, 0.5 / (size + 1e-9)), g)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        first, second = 1.0 - 0.9 ** (k + 1.0), 1.0 - 0.99 ** (k + 1.0)
        w = jax.tree.map(lambda w, m, v: w - rate * (m / first / (jnp.sqrt(v / second) + 1e-8) + 0.01 * w *
                                                     (w.shape[-1] > 1)), w, m, v)
        keep = jnp.minimum(0.999, (k + 1.0) / (k + 10.0))
        average = jax.tree.map(lambda a, w: keep * a + (1.0 - keep) * w, average, w)
        return (w, m, v, average), loss

    look = jax.jit(lambda w, sample: errors(w, statistics, body, sample))

    def validate(w):
        sampler, text, covariance = Sampler(others, 7), [], []
        for kind, name in enumerate(KINDS):
            sets = []
            for _ in range(2):
                share = [0] * len(KINDS)
                share[kind] = 2048
                sample = sampler.batch(share)
                sample["scale"][:] = 1.0
                distance, da, _, dp, R, R_goal = look(w, sample)
                E = jnp.einsum("ikB,jkB->ijB", R_goal, R)  # world: R_goal = E R
                turn_error = 0.5 * jnp.stack([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])
                turn_error = jnp.einsum("kiB,kB->iB", R, turn_error)  # in the root's own frame
                dp = jnp.einsum("kiB,kB->iB", R, dp)
                sets.append((np.asarray(distance), np.concatenate([dp, turn_error, da])))
            text.append(f"{name} {100 * np.mean([d.mean() for d, _ in sets]):.2f}")
            e = np.concatenate([x for _, x in sets], axis=1)
            covariance.append(e @ e.T / e.shape[1])
        return ", ".join(text), np.stack(covariance)

    def save(w):
        text, covariance = validate(w)
        flat = {"mean": poses.mean, "spread": poses.spread, "covariance": covariance, "width": o.width,
                "blocks": o.blocks, "W_first": w["first"]["W"], "b_first": w["first"]["b"],
                "W_last": w["last"]["W"], "b_last": w["last"]["b"]}
        for k, pair in enumerate(w["blocks"]):
            for n, layer in zip(("one", "two"), pair):
                flat[f"W_{n}_{k}"], flat[f"b_{n}_{k}"] = layer["W"], layer["b"]
        np.savez(o.out, **{k: np.asarray(v) for k, v in flat.items()})
        return text

    sampler, begin, saved, k, mean_loss = Sampler(poses, o.seed), time.time(), time.time(), 0, 0.0
    while True:
        minutes = (time.time() - begin) / 60.0
        done = k / o.steps if o.steps else minutes / o.minutes
        if done >= 1.0:
            break
        rate = o.rate * min(1.0, (k + 1) / 300.0) * max(0.003, 0.5 + 0.5 * np.cos(np.pi * done))
        state, loss = step(state, sampler.batch(shares), rate, float(k))
        mean_loss += 0.01 * (float(loss) - mean_loss) if k > 100 else (float(loss) - mean_loss) / (k + 1)
        k += 1
        if time.time() - saved > 60.0 * EVERY_MINUTES:
            saved = time.time()
            print(f"{minutes:6.1f} min, step {k}, loss {100 * mean_loss:.2f} cm; {save(state[3])}", flush=True)
    print(f"{(time.time() - begin) / 60.0:.1f} min, step {k}, loss {100 * mean_loss:.2f} cm; {save(state[3])}", flush=True)


if __name__ == "__main__":
    main()
