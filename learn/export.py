"""Writes the trained network as limber/posing/weights.bin, with weights of 8 bits, and samples of it for the test.

    python learn/export.py OUT.npz limber/posing/weights.bin tests/posing/samples.bin

limber/posing/model.cpp reads it. Little-endian; a matrix by rows:

    "limber proposal 1\\n"
    bones: count; each: length of the name, name, parent, group, number of turns, their axes, C (9), b (3)
    mean, spread of the angles
    width, blocks, inputs, outputs
    layers: scale, bias, integers of 8 bits by rows; first, two per block, last
    kinds: count; each: spread of the root's position and rotation, lower triangle of the inverse factor of the
           covariance of the angles by rows
"""

import pathlib
import struct
import sys

import jax.numpy as jnp
import numpy as np

import network
from body import NAMES, Body

SHRINK = 0.3  # of the covariance, towards its diagonal
ANGLE_NOISE = np.radians(2.0)
POSITION_NOISE = 0.01


def integers(*values):
    return struct.pack(f"<{len(values)}i", *[int(v) for v in values])


def numbers(array):
    return np.asarray(array, "<f4").tobytes()


def quantized(W):
    """Integers and the scale per row whose rounding changes the row least, of a few."""
    best = None
    for part in np.linspace(0.7, 1.0, 13):
        scale = np.maximum(np.abs(W).max(1) * part / 127.0, 1e-12)
        q = np.clip(np.rint(W / scale[:, None]), -127, 127)
        error = ((q * scale[:, None] - W) ** 2).sum(1)
        if best is None:
            best = [q, scale, error]
        better = error < best[2]
        for old, new in zip(best, (q, scale, error)):
            old[better] = new[better]
    return best[0].astype(np.int8), best[1].astype(np.float32)


def factor(covariance):
    S = (1.0 - SHRINK) * covariance + SHRINK * np.diag(np.diag(covariance)) + ANGLE_NOISE**2 * np.eye(len(covariance))
    return np.linalg.inv(np.linalg.cholesky(S))  # A with A^T A = S^-1, lower triangular


def main(source, target, samples):
    data = np.load(source)
    body = Body(pathlib.Path(__file__).parent.parent / "data/acclaim/02.asf")
    out = bytearray(b"limber proposal 1\n")
    out += integers(len(body.bones))
    for k, name in enumerate(body.bones):
        text = name.encode()
        out += integers(len(text)) + text + integers(body.parent[k], body.group[k], len(body.freedoms[k]),
                                                     *body.freedoms[k])
        out += numbers(body.axis[k]) + numbers(body.direction[k] * body.length[k])
    out += numbers(data["mean"]) + numbers(data["spread"])
    width, blocks = int(data["width"]), int(data["blocks"])
    out += integers(width, blocks, network.INPUTS, network.OUTPUTS)
    rounded = {"blocks": []}

    def layer(name):
        q, scale = quantized(data["W_" + name])
        b = data["b_" + name]
        out.extend(numbers(scale) + numbers(b[:, 0]) + q.tobytes())
        return {"W": jnp.array(q * scale[:, None]), "b": jnp.array(b)}

    rounded["first"] = layer("first")
    for k in range(blocks):
        rounded["blocks"].append([layer(f"one_{k}"), layer(f"two_{k}")])
    rounded["last"] = layer("last")
    out += integers(len(data["covariance"]))
    for C in data["covariance"]:
        p = np.sqrt(np.trace(C[:3, :3]) / 3.0 + POSITION_NOISE**2)
        R = np.sqrt(np.trace(C[3:6, 3:6]) / 3.0 + ANGLE_NOISE**2)
        out += numbers([p, R]) + numbers(factor(C[6:, 6:])[np.tril_indices(network.ANGLES)])
    pathlib.Path(target).write_bytes(bytes(out))
    print(len(out), "bytes")
    write_samples(data, rounded, samples)


def write_samples(data, weights, path):
    """Random goals and starts, and what the rounded network proposes, for the test in C++: count; each:
    has_p, p, has_R, R (by rows), log lengths, has start, angles, R (18), p (18) of the start; angles, R, p proposed."""
    rng, n, h = np.random.default_rng(3), 24, len(NAMES)
    statistics = {"mean": jnp.array(data["mean"]), "spread": jnp.array(data["spread"])}

    def rotations(*shape):
        q = rng.standard_normal((*shape, 4))
        q /= np.linalg.norm(q, axis=-1, keepdims=True)
        w, x, y, z = np.moveaxis(q, -1, 0)
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])

    has_p = (rng.random((h, n)) < 0.5).astype(np.float32)
    has_R = (rng.random((h, n)) < 0.3).astype(np.float32)
    has_p[[0, NAMES.index("left_shoulder"), NAMES.index("right_shoulder")]] = 1.0  # they say where it faces
    has_start = (np.arange(n) % 2).astype(np.float32)
    p = rng.uniform(-1, 1, (h, 3, n)).astype(np.float32)
    R = np.transpose(rotations(h, n), (2, 0, 1, 3)).astype(np.float32)
    log_lengths = (0.05 * rng.standard_normal((10, n))).astype(np.float32)
    angles = rng.uniform(-1, 1, (network.ANGLES, n)).astype(np.float32)
    R_start, p_start = np.transpose(rotations(h, n), (2, 0, 1, 3)), rng.uniform(-1, 1, (h, 3, n)).astype(np.float32)
    # The start has its own frame at the identity: no turn about y, its root at the origin.
    root = R_start[0]
    turn = np.arctan2(root[0, 2] - root[2, 0], root[0, 0] + root[2, 2])
    c, s, zero, one = np.cos(turn), np.sin(turn), 0 * turn, 0 * turn + 1
    R_start[0] = np.einsum("ijn,jkn->ikn", np.array([[c, zero, -s], [zero, one, zero], [s, zero, c]]), root)
    R_start = R_start.astype(np.float32)
    p_start[0] = 0.0
    out = network.propose(weights, statistics, p, has_p, R, has_R, log_lengths, has_start, angles, R_start, p_start)
    body = bytearray(integers(n))
    for k in range(n):
        for array in (has_p, p, has_R, R, log_lengths, has_start, angles, R_start, p_start, *out):
            body += numbers(np.asarray(array)[..., k])
    pathlib.Path(path).write_bytes(bytes(body))


if __name__ == "__main__":
    main(*sys.argv[1:])
