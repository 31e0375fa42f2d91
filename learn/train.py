"""Trains the network that proposes poses.

    python learn/train.py cmu_poses.npz OUT.npz [--minutes 60 | --steps N] [--width 288] [--blocks 4] [--batch 512]
                          [--dropout 0.08] [--decay 0.2] [--seed 1] [--device cpu|gpu]

README.md says what it learns from and what it reached. Now and then the weights (a moving average) and the error
covariances are written to OUT.npz, so that it may be stopped at any time.
"""

import argparse
import functools
import pathlib
import time

import jax
import jax.numpy as jnp
import numpy as np

import network
from body import LENGTH_SPREAD, LENGTHS, NAMES, UNIT_OF_LENGTH, Body, apply, times, yaw_matrix

# People of the benchmarks: nothing is learned, chosen or measured here on their poses.
HELD_OUT = "06 12 13 15 23 40 49 56 60 74 79 85 86 114 118 124 139 143".split()
# Of the others every tenth is left out as well: on them settings are chosen and the errors' covariances measured.
CHOOSING_EVERY = 10
STEPS_PER_CALL = 50
ENDS = ["head", "left_hand", "right_hand", "left_foot", "right_foot"]
# Kinds of goal sets, each with an error covariance of its own: with or without a start; how much is known.
KINDS = ["ends", "ends, pelvis", "ends turned", "ends, pelvis turned", "any", "drag"]
SHARES = [0.12, 0.12, 0.12, 0.1, 0.16, 0.38]


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

    def __init__(self, path, body, choosing):
        data = np.load(path)
        assert list(data["columns"]) == body.columns
        subject = np.array([t.split("_")[0] for t in data["takes"]])[data["take"]]
        learned = sorted(set(subject) - set(HELD_OUT))
        keep = np.isin(subject, learned[::CHOOSING_EVERY] if choosing else learned)
        keep &= choosing | ~np.isin(subject, learned[::CHOOSING_EVERY])
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
        # The row 0 is of a pose and itself.
        self.pair_turn = np.zeros((4, n), np.float32)
        self.pair_shift = np.zeros((4, n, 2), np.float32)
        self.pair_pins = np.zeros((4, n, 2), bool)
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
MOVED = 0.04  # metres; what moves less is hardly ever dragged
NEVER = -30.0  # of log odds
FEET = (("left_foot", "left_ball"), ("right_foot", "right_ball"))
index = NAMES.index


def tables(poses):
    """The arrays that samples are drawn from, with the batch as the last axis."""
    last = lambda a: jnp.asarray(np.moveaxis(a, 0, -1))
    return {"angles": last(poses.angles), "R": last(poses.R), "height": jnp.asarray(poses.height),
            "cumulative": jnp.asarray(poses.cumulative, jnp.float32), "turn": jnp.asarray(poses.pair_turn),
            "shift": jnp.asarray(poses.pair_shift), "pins": jnp.asarray(poses.pair_pins)}


def draw(key, table, n):
    i = jnp.searchsorted(table["cumulative"], jax.random.uniform(key, (n,)))
    return jnp.minimum(i, len(table["height"]) - 1)


def pairs_of(key, table, n):
    """Starts, how many thirds of a second later their goals are, and which feet stand until then."""
    keys = jax.random.split(key, 7)
    ahead = jax.random.choice(keys[0], 4, (n,), p=jnp.array([0.06, 0.3, 0.32, 0.32]))
    i = draw(keys[1], table, n)
    for k in range(2, 6):  # another one where no foot stands
        pinned = table["pins"][ahead, i].any(1) | (ahead == 0)
        i = jnp.where(pinned, i, draw(keys[k], table, n))
    pins = table["pins"][ahead, i]
    ahead = jnp.where(pins.any(1), ahead, 0)
    return i, ahead, jnp.where(ahead[:, None] > 0, pins, jax.random.bernoulli(keys[6], 0.7, (n, 2))).T


def asked(key, kind, n, pins, moved):
    """Which positions and rotations are given, (18, n) each. Of a drag: pins (2, n), how far each part moves (18, n)."""
    keys = jax.random.split(key, 8)
    ends = np.array([index(e) for e in ENDS])
    has_p = jnp.zeros((len(NAMES), n), bool)
    has_R = has_p
    if kind < 4:
        has_p = has_p.at[ends].set(True)
        if kind in (1, 3):
            has_p = has_p.at[index("pelvis")].set(True)
        if kind in (2, 3):
            has_R = has_R.at[ends].set(True)
    elif kind == 4:
        has_p = jax.random.uniform(keys[0], has_p.shape) < jax.random.uniform(keys[1], (n,), minval=0.1, maxval=0.8)
        has_p = has_p.at[ends].set(has_p[ends] | jax.random.bernoulli(keys[2], 0.5, (5, n)))
        turned = jax.random.uniform(keys[3], (n,), maxval=0.6) * jax.random.bernoulli(keys[4], 0.6, (n,))
        has_R = (jax.random.uniform(keys[5], has_R.shape) < turned) & has_p
        for name in ("pelvis", "left_foot", "right_foot"):  # something to hold on to
            has_p = has_p.at[index(name)].set(has_p[index(name)] | (has_p.sum(0) < 3))
    else:
        count = jax.random.choice(keys[0], jnp.array([1, 2, 3]), (n,), p=jnp.array([0.5, 0.3, 0.2]))
        odds = jnp.log(jnp.array([DRAGGED[name] for name in NAMES], jnp.float32))[:, None]
        order = odds + jax.random.gumbel(keys[1], has_p.shape) + jnp.where(moved < MOVED, 0.2 * NEVER, 0.0)
        for side, names in enumerate(FEET):
            for name in names:
                order = order.at[index(name)].add(jnp.where(pins[side], NEVER, 0.0))
        rank = jnp.argsort(jnp.argsort(-order, axis=0), axis=0)
        has_p = rank < count
        has_R = has_p & jax.random.bernoulli(keys[2], 0.2, (n,))
        flat, toes = jax.random.bernoulli(keys[3], 0.75, (n,)), jax.random.bernoulli(keys[4], 0.3, (n,))
        for side, (foot, ball) in enumerate(FEET):
            has_p = has_p.at[index(foot)].set(has_p[index(foot)] | pins[side])
            has_R = has_R.at[index(foot)].set(has_R[index(foot)] | (pins[side] & flat))
            has_p = has_p.at[index(ball)].set(has_p[index(ball)] | (pins[side] & toes))
    return has_p.astype(jnp.float32), has_R.astype(jnp.float32)


def normalized(scale, lengths):
    """The lengths with trunk and legs together as long as those of the common body."""
    unit = [list(LENGTHS).index(n) for n in UNIT_OF_LENGTH]
    total = sum(lengths[i] for i in unit)
    return scale * total / sum(lengths[i] * scale[i] for i in unit)


def mirrored(angles, R, swap, sign, flip):
    """A pose, its left and right swapped where `flip`."""
    other = jnp.array([-1.0, 1.0, 1.0])
    return (jnp.where(flip, angles[swap] * sign[:, None], angles),
            jnp.where(flip, R * (other[:, None] * other)[..., None], R))


def samples(key, table, body, swap, sign, shares, jitter=True):
    """A batch of goals, starts and the poses they are from; `shares`: how many of each kind."""
    keys = jax.random.split(key, 6)
    n, drags = sum(shares), shares[5]
    start = draw(keys[0], table, n - drags)
    ahead, pins = jnp.zeros(n - drags, int), jnp.zeros((2, n - drags), bool)
    if drags:
        i, a, pins_of_drags = pairs_of(keys[1], table, drags)
        start, ahead = jnp.concatenate([start, i]), jnp.concatenate([ahead, a])
        pins = jnp.concatenate([pins, pins_of_drags], axis=1)
    goal = start + ahead
    flip = jax.random.bernoulli(keys[2], 0.5 if jitter else 0.0, (n,))
    side = jnp.where(flip, -1.0, 1.0)
    pins = jnp.where(flip, pins[::-1], pins)
    scale = jnp.exp(LENGTH_SPREAD * jax.random.normal(keys[3], (len(LENGTHS), n)))
    exact = jax.random.bernoulli(keys[4], 0.25 if jitter else 1.0, (n,))
    scale = normalized(jnp.where(exact, 1.0, scale), body.group_lengths())
    a_start, R_start = mirrored(table["angles"][:, start], table["R"][..., start], swap, sign, flip)
    a_goal, R_goal = mirrored(table["angles"][:, goal], table["R"][..., goal], swap, sign, flip)
    turn, shift = side * table["turn"][ahead, start], table["shift"][ahead, start]
    R_goal = times(yaw_matrix(jnp.cos(turn), jnp.sin(turn)), R_goal)
    p_goal = jnp.stack([side * shift[:, 0], table["height"][goal] - table["height"][start], shift[:, 1]])
    R, p, tips = body.forward(a_goal, R_goal, p_goal, scale)
    Rs, ps, _ = body.forward(a_start, R_start, jnp.zeros((3, n)), scale)
    bones = np.array(body.handle_bones)
    # With other lengths the standing feet of the two poses are apart again: the goal is shifted by their mean distance.
    gap = sum(pins[s] * (ps[bones[index(f)]] - p[bones[index(f)]]) for s, (f, _) in enumerate(FEET))
    gap = gap / jnp.maximum(pins.sum(0), 1.0)
    p, tips = p + gap, tips + gap
    moved = jnp.sqrt(((p[bones] - ps[bones]) ** 2).sum(1))
    has, at = [], 0
    for kind, count in enumerate(shares):
        part = slice(at, at + count)
        has.append(asked(jax.random.fold_in(keys[5], kind), kind, count, pins[:, part], moved[:, part]))
        at += count
    has_p, has_R = (jnp.concatenate(x, axis=1) for x in zip(*has))
    has_start = jnp.repeat(jnp.array([0.0, 1.0]), np.array([n - drags, drags]), total_repeat_length=n)
    return {"p": p, "tips": tips, "R": R[bones], "R_root": R_goal, "angles": a_goal, "has_p": has_p, "has_R": has_R,
            "scale": scale, "has_start": has_start, "a_start": a_start, "R_start": Rs[bones], "p_start": ps[bones]}


# --- Loss --------------------------------------------------------------------------------------------------------

SAME = [1, 6, 11, 17, 24]  # bones that begin where another one does


def errors(weights, statistics, body, s, dropout=None):
    bones = np.array(body.handle_bones)
    angles, R_root, p_root = network.propose(weights, statistics, s["p"][bones], s["has_p"], s["R"], s["has_R"],
                                             jnp.log(s["scale"]), s["has_start"], s["a_start"], s["R_start"],
                                             s["p_start"], dropout)
    _, p_is, tips_is = body.forward(angles, R_root, p_root, s["scale"])
    keep = np.array([b for b in range(len(body.bones)) if b not in SAME])
    away = jnp.concatenate([s["p"][keep] - p_is[keep], s["tips"] - tips_is])
    distance = jnp.sqrt((away**2).sum(1) + 1e-6)
    da = jnp.arctan2(jnp.sin(angles - s["angles"]), jnp.cos(angles - s["angles"]))
    dR = jnp.sqrt(((R_root - s["R_root"]) ** 2).sum((0, 1)) + 1e-6)
    return distance, da, dR, p_root - s["p"][0], R_root


def loss_of(weights, statistics, body, sample, dropout):
    distance, da, dR, *_ = errors(weights, statistics, body, sample, dropout)
    return distance.mean() + 0.02 * (jnp.abs(da).mean() + dR.mean())


def measure(weights, statistics, body, sample):
    """The mean error, and the covariance of what is proposed less what was recorded: the root's position and rotation,
    in its proposed frame, and the angles."""
    distance, da, _, dp, R = errors(weights, statistics, body, sample)
    back = jnp.swapaxes(R, 0, 1)
    E = times(R, jnp.swapaxes(sample["R_root"], 0, 1))
    turn = 0.5 * jnp.stack([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])
    e = jnp.concatenate([apply(back, dp), apply(back, turn), da])  # in the root's own frame
    return distance.mean(), e @ e.T / e.shape[1]


def flat(weights):
    out = {"W_first": weights["first"]["W"], "b_first": weights["first"]["b"], "W_last": weights["last"]["W"],
           "b_last": weights["last"]["b"]}
    for k, pair in enumerate(weights["blocks"]):
        for name, layer in zip(("one", "two"), pair):
            out[f"W_{name}_{k}"], out[f"b_{name}_{k}"] = layer["W"], layer["b"]
    return {k: np.asarray(v) for k, v in out.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("poses")
    parser.add_argument("out")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--steps", type=int, default=0, help="instead of --minutes: reproducible on the same machine")
    parser.add_argument("--width", type=int, default=288)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--dropout", type=float, default=0.08)
    parser.add_argument("--decay", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=float, default=3.0, help="minutes between two reports")
    parser.add_argument("--device", default="cpu")
    o = parser.parse_args()
    jax.config.update("jax_platforms", {"cpu": "cpu", "gpu": "cuda"}[o.device])
    jax.config.update("jax_default_prng_impl", "rbg")  # quicker, as reproducible on one machine
    body = Body(pathlib.Path(__file__).parent.parent / "data/acclaim/02.asf")
    poses, others = Poses(o.poses, body, False), Poses(o.poses, body, True)
    statistics = {"mean": jnp.array(poses.mean), "spread": jnp.array(poses.spread)}
    print(len(poses.angles), "poses to learn from,", len(others.angles), "to choose by", flush=True)
    weights = jax.tree.map(jnp.asarray, network.initial(np.random.default_rng(o.seed), o.width, o.blocks))
    print(sum(w.size for w in jax.tree.leaves(weights)), "weights", flush=True)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = (weights, zeros, zeros, weights)
    shares = [round(o.batch * s) for s in SHARES[:-1]]
    shares.append(o.batch - sum(shares))
    swap, sign = poses.swap, jnp.asarray(poses.sign)
    key = jax.random.key(o.seed)

    def step(state, k, table, rate):
        w, m, v, average = state
        draw_key, drop_key = jax.random.split(jax.random.fold_in(key, k))
        sample = samples(draw_key, table, body, swap, sign, shares)
        loss, g = jax.value_and_grad(loss_of)(w, statistics, body, sample, (drop_key, o.dropout))
        size = jnp.sqrt(sum((x**2).sum() for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1.0, 0.5 / (size + 1e-9)), g)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        done = k.astype(jnp.float32) + 1.0
        first, second = 1.0 - 0.9**done, 1.0 - 0.99**done
        w = jax.tree.map(lambda w, m, v: w - rate * (m / first / (jnp.sqrt(v / second) + 1e-8) + o.decay * w *
                                                     (w.shape[-1] > 1)), w, m, v)
        keep = jnp.minimum(0.9995, done / (done + 9.0))
        average = jax.tree.map(lambda a, w: keep * a + (1.0 - keep) * w, average, w)
        return (w, m, v, average), loss

    @jax.jit
    def steps(state, first, table, rate):
        return jax.lax.scan(lambda s, k: step(s, k, table, rate), state, first + jnp.arange(STEPS_PER_CALL))

    table, table_of_others = tables(poses), tables(others)

    @functools.partial(jax.jit, static_argnums=1)
    def measured(w, kind, table, key):  # a key that is an argument: else all that is drawn is folded when it is compiled
        share = [8192 * (k == kind) for k in range(len(KINDS))]
        return measure(w, statistics, body, samples(key, table, body, swap, sign, share, jitter=False))

    def save(w):
        results = [measured(w, kind, table_of_others, jax.random.key(7)) for kind in range(len(KINDS))]
        np.savez(o.out, mean=poses.mean, spread=poses.spread, covariance=np.stack([np.asarray(c) for _, c in results]),
                 width=o.width, blocks=o.blocks, **flat(w))
        return ", ".join(f"{name} {100 * float(e):.2f}" for name, (e, _) in zip(KINDS, results))

    begin = reported = time.time()
    k, loss = 0, 0.0
    while True:
        minutes = (time.time() - begin) / 60.0
        done = k / o.steps if o.steps else minutes / o.minutes
        if done >= 1.0:
            break
        rate = o.rate * min(1.0, (k + 1) / 300.0) * max(0.003, 0.5 + 0.5 * np.cos(np.pi * done))
        state, losses = steps(state, k, table, rate)
        loss = float(losses.mean())
        k += STEPS_PER_CALL
        if time.time() - reported > 60.0 * o.report:
            reported = time.time()
            print(f"{minutes:6.1f} min, step {k}, loss {100 * loss:.2f} cm; {save(state[3])}", flush=True)
    print(f"{(time.time() - begin) / 60.0:.1f} min, step {k}, loss {100 * loss:.2f} cm; {save(state[3])}", flush=True)


if __name__ == "__main__":
    main()
