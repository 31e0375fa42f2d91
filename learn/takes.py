"""Writes data/poses/cmu_takes.bin, the recorded motions of the benchmarks, from an archive of angles.

    python learn/takes.py cmu_takes.npz data/poses/cmu_takes.bin

The archive has, for every frame, `angles` in hundredths of a degree, the freedoms named in `columns`; `root_position`
in tenths of a millimetre; `root_rotation`, the rows of a matrix x 30,000; and `take`, an index into `takes`.
bench/task/takes.h describes the file that is written. Standard library and NumPy.
"""

import sys

import numpy as np


def nearest_rotation(rows):
    """The rotation nearest to a rounded one: the orthogonal factor of its polar decomposition."""
    u, _, v = np.linalg.svd(rows)
    return u @ v


def euler_hundredths(R):
    """a, b, c in hundredths of a degree with R = Rz(c) Ry(b) Rx(a), the order of the Acclaim root."""
    a = np.arctan2(R[:, 2, 1], R[:, 2, 2])
    b = -np.arcsin(np.clip(R[:, 2, 0], -1.0, 1.0))
    c = np.arctan2(R[:, 1, 0], R[:, 0, 0])
    return np.rint(np.degrees(np.stack([a, b, c], axis=1)) * 100.0).astype(np.int64)


def varint(value):
    """7 bits per byte, lowest first, the high bit set on all but the last; signs alternate: 0, -1, 1, -2, 2."""
    value = 2 * value if value >= 0 else -2 * value - 1
    out = bytearray()
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    out.append(value)
    return out


def main(source, target):
    data = np.load(source)
    R = nearest_rotation(data["root_rotation"].astype(float).reshape(-1, 3, 3))
    values = np.concatenate([data["root_position"], euler_hundredths(R), data["angles"]], axis=1).astype(np.int64)
    columns = ["root.tx", "root.ty", "root.tz", "root.rx", "root.ry", "root.rz", *data["columns"]]
    lines = ["limber takes 1", " ".join(columns)]
    body = bytearray()
    for k, name in enumerate(data["takes"]):
        frames = values[data["take"] == k]
        lines.append(f"{name} {len(frames)}")
        for difference in np.diff(frames, axis=0, prepend=0).flatten():
            body += varint(int(difference))
    with open(target, "wb") as out:
        out.write(("\n".join(lines) + "\n\n").encode() + bytes(body))


if __name__ == "__main__":
    main(*sys.argv[1:])
