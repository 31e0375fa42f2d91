"""The network: what goes in, the layers, what comes out. Arrays have the batch as their last axis.

    inputs    per handle: has position, position (3), has rotation, rotation (6), zero where not given;
              10 log lengths; has start, the start's angles (56), root rotation (6), handle positions (3 each);
              per handle the change from the start that is asked: of its position (3) and rotation (3)
    layers    x := W0 inputs + b0;   per block  x := x + W2 f(W1 norm(x) + b1) + b2;   out := W3 norm(x) + b3
              norm(x) = (x - mean) / sqrt(variance + 1e-5);   f(x) = x / (1 + exp(-x))
    outputs   changes of 56 angles, in standard deviations; of the root's rotation (6) and position (3), from the start
              if there is one, else from the mean pose

All in a frame of the body: with a start, that of its root without tilt; else the mean of the given positions, turned
to where the given parts face (body.facing).
"""

import jax
import jax.numpy as jnp
import numpy as np

from body import LENGTH_SPREAD, NAMES, apply, facing, from_six, six, times, yaw_matrix

HANDLE_COUNT = len(NAMES)
ANGLES = 56
INPUTS = 11 * HANDLE_COUNT + 10 + 1 + ANGLES + 6 + 3 * HANDLE_COUNT + 6 * HANDLE_COUNT
OUTPUTS = ANGLES + 6 + 3
ANGLE_SCALE = 0.5  # radians per unit of an input
MAX_LENGTH = 2.5  # of the input for a length: hardly any sample has more
CHANGE_SCALE = 0.2  # metres per unit of an input
TURN_SCALE = 0.5  # sines of angles per unit of an input
POSITION_SCALE = 0.3  # metres per unit of an output


def initial(rng, width, blocks):
    def layer(out, into, gain=1.0):
        return {"W": (gain / np.sqrt(into) * rng.standard_normal((out, into))).astype(np.float32),
                "b": np.zeros((out, 1), np.float32)}
    # Few inputs are given at a time, so the first layer starts larger.
    return {"first": layer(width, INPUTS, 2.0), "last": layer(OUTPUTS, width, 0.1),
            "blocks": [[layer(width, width, 1.4), layer(width, width, 0.7)] for _ in range(blocks)]}


def norm(x):
    mean = x.mean(0)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(0) + 1e-5)


def evaluate(weights, x, dropout=None):
    """`dropout`, while it learns: a key and the share of the values inside blocks that are left out."""
    x = weights["first"]["W"] @ x + weights["first"]["b"]
    for k, (one, two) in enumerate(weights["blocks"]):
        h = jax.nn.silu(one["W"] @ norm(x) + one["b"])
        if dropout and dropout[1] > 0.0:
            keep = jax.random.bernoulli(jax.random.fold_in(dropout[0], k), 1.0 - dropout[1], h.shape)
            h = jnp.where(keep, h / (1.0 - dropout[1]), 0.0)
        x = x + two["W"] @ h + two["b"]
    return weights["last"]["W"] @ norm(x) + weights["last"]["b"]


def inputs(p, has_p, R, has_R, log_lengths, has_start, angles, mean, R_start, p_start):
    """Everything in the frame of the body. has_start (B); of the start: angles (56, B), and the rotations
    R_start (18, 3, 3, B) and positions p_start (18, 3, B) of its handles, the first of which is the root."""
    rotations = jnp.concatenate([R[:, :, 0], R[:, :, 1]], axis=1)  # (18, 6, B)
    handles = jnp.concatenate([has_p[:, None], p * has_p[:, None], has_R[:, None], rotations * has_R[:, None]], axis=1)
    E = times(R, jnp.swapaxes(R_start, 1, 2))
    turn = 0.5 * jnp.stack([E[:, 2, 1] - E[:, 1, 2], E[:, 0, 2] - E[:, 2, 0], E[:, 1, 0] - E[:, 0, 1]], axis=1)
    change = jnp.concatenate([(p - p_start) * has_p[:, None] / CHANGE_SCALE, turn * has_R[:, None] / TURN_SCALE], axis=1)
    flat = lambda x: x.reshape(-1, x.shape[-1])
    start = jnp.concatenate([(angles - mean) / ANGLE_SCALE, six(R_start[0]), flat(p_start), flat(change)])
    return jnp.concatenate([handles.reshape(-1, handles.shape[-1]), jnp.clip(log_lengths / LENGTH_SPREAD, -MAX_LENGTH, MAX_LENGTH), has_start[None],
                            start * has_start])


def body_frame(p, has_p, R, has_R, has_start):
    """cos, sin and origin (3, B) of the frame of the body; the given start has its own at the identity."""
    c, s = facing(p, has_p, R, has_R)
    centre = (p * has_p[:, None]).sum(0) / jnp.maximum(has_p.sum(0), 1.0)
    return jnp.where(has_start > 0, 1.0, c), jnp.where(has_start > 0, 0.0, s), jnp.where(has_start > 0, 0.0, centre)


def propose(weights, statistics, p, has_p, R, has_R, log_lengths, has_start, angles, R_start, p_start, dropout=None):
    """Angles (56, B), rotation (3, 3, B) and position (3, B) of the root, in the frame of p and R."""
    c, s, origin = body_frame(p, has_p, R, has_R, has_start)
    Y = yaw_matrix(c, s)
    back = jnp.swapaxes(Y, 0, 1)
    p_body = apply(back[None], p - origin)
    R_body = times(back[None], R)
    mean, spread = statistics["mean"][:, None], statistics["spread"][:, None]
    out = evaluate(weights, inputs(p_body, has_p, R_body, has_R, log_lengths, has_start, angles, mean, R_start, p_start),
                   dropout)
    base = jnp.where(has_start > 0, angles, mean)
    identity = jnp.array([1.0, 0, 0, 0, 1, 0])[:, None]
    root = from_six(jnp.where(has_start > 0, six(R_start[0]), identity) + out[ANGLES:ANGLES + 6])
    base_p = jnp.where(has_start > 0, p_start[0], 0.0)
    position = base_p + POSITION_SCALE * out[ANGLES + 6:]
    return base + spread * out[:ANGLES], times(Y, root), apply(Y, position) + origin
