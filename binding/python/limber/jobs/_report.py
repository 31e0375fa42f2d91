"""The page of a run: how many, how long, distances, the worst with their pictures, what failed and why. It needs no net."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import _limber
from .._files import read
from ._operations import Operation, named
from ._record import Manifest, Record, latest, write_whole

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
tr + tr td { border-top: 1px solid #e5e5e5; } .why { color: #a22; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0; } figcaption { font-weight: 600; } figure svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } tr + tr td { border-color: #383838; }
  .why { color: #f88; } figure svg { background: #fff; } }
"""


def write_report(folder: Path, summary: Any, operation: Operation) -> Path:
    """Writes report.html into the output folder, about everything that is in it."""
    records = sorted(latest(folder).values(), key=lambda record: record.name)
    text = page(folder, records, operation, summary)
    manifest = Manifest(folder, "report")  # the members of a job array may write it at the same time
    write_whole(folder, "report.html", text.encode(), manifest.parts / "report")
    manifest.close()
    return folder / "report.html"


def page(folder: Path, records: Sequence[Record], operation: Operation, summary: Any) -> str:
    """The page as HTML."""
    good = [record for record in records if record.ok]
    bad = [record for record in records if not record.ok]
    title = f"limber {operation.name}: {len(good)} of {len(records)} inputs"
    parts = [f"<h1>{html.escape(title)}</h1>", _counts(good, bad, summary)]
    if operation.measure and good:
        parts.append(_distances(good, *operation.measure))
    if bad:
        parts.append(_failures(bad))
    if operation.measure:
        parts.append(_worst(folder, summary.worst, *operation.measure))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _table(rows: Sequence[Sequence[str]], head: Sequence[str] = (), right: Sequence[int] = ()) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(f"<{tag}{' class=n' if k in right else ''}>{cell}</{tag}>" for k, cell in enumerate(row))

    lines = [f"<tr>{cells(head, 'th')}</tr>"] if head else []
    return "<table>" + "".join(lines + [f"<tr>{cells(row, 'td')}</tr>" for row in rows]) + "</table>"


def _hours(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.2f} h"


def _counts(good: Sequence[Record], bad: Sequence[Record], summary: Any) -> str:
    frames = sum(record.values.get("frames", 0) for record in good)
    duration = sum(record.values.get("duration", 0.0) for record in good)
    seconds = sum(record.seconds for record in [*good, *bad])
    rows = [
        ["inputs with a result", str(len(good))],
        ["failed", str(len(bad))],
        ["done by the last run", f"{summary.done} in {_hours(summary.elapsed or 0.0)}" if summary.elapsed else str(summary.done)],
        ["processor time", _hours(seconds)],
        ["output", f"{sum(file.size for record in good for file in record.outputs) / 1e6:.1f} MB"],
    ]
    if frames:
        rows[2:2] = [["frames", f"{frames:,}".replace(",", "\u202f")], ["motion", _hours(duration)]]
        rows.append(["processor time per frame", f"{1e6 * seconds / frames:.0f} µs"])
    retried = sum(record.attempts > 1 for record in [*good, *bad])
    if retried or summary.lost:
        rows.append(["done more than once, after a worker died or a disk was full", str(retried)])
    return _table(rows, right=[1])


def _number(x: float) -> str:
    return f"{x:.4g}"


def _distances(good: Sequence[Record], key: str, unit: str) -> str:
    values = sorted(
        float(record.values[key]) for record in good if isinstance(record.values.get(key), (int, float))
    )
    values = [value for value in values if math.isfinite(value)]
    if not values:
        return ""

    def at(share: float) -> float:
        return values[min(len(values) - 1, int(share * len(values)))]

    rows = [[_number(at(0.5)), _number(at(0.95)), _number(values[-1])]]
    name = html.escape(f"{key.replace('_', ' ')} ({unit})")
    return f"<h2>{name}</h2>" + _table(rows, ["median", "95 %", "largest"], [0, 1, 2]) + _histogram(values, unit)


def _histogram(values: Sequence[float], unit: str, bars: int = 40) -> str:
    low, high = values[0], values[-1]
    step = (high - low) / bars or 1.0
    counts = Counter(min(bars - 1, int((value - low) / step)) for value in values)
    most = max(counts.values())
    width, height = 800, 150
    shapes = [
        f'<rect x="{20 + k * width / bars:.1f}" y="{10 + height * (1 - n / most):.1f}" width="{width / bars - 2:.1f}" '
        f'height="{height * n / most:.1f}" fill="#4a7fb5"><title>{n} from {_number(low + k * step)} to '
        f"{_number(low + (k + 1) * step)} {unit}</title></rect>"
        for k, n in sorted(counts.items())
    ]
    text = 'font-family="system-ui, sans-serif" font-size="13" fill="#444"'
    return (
        f'<figure><svg viewBox="0 0 {width + 40} {height + 40}" role="img" aria-label="Distribution">{"".join(shapes)}'
        f'<line x1="20" y1="{height + 10}" x2="{width + 20}" y2="{height + 10}" stroke="#888"/>'
        f'<text x="20" y="{height + 28}" {text}>{_number(low)}</text>'
        f'<text x="{width + 20}" y="{height + 28}" text-anchor="end" {text}>{_number(high)} {html.escape(unit)}</text>'
        f'<text x="{width + 20}" y="22" text-anchor="end" {text}>up to {most} inputs per bar</text></svg></figure>'
    )


def _failures(bad: Sequence[Record], shown: int = 500) -> str:
    kinds = {"input": "wrong input", "killed": "its worker died", "system": "system"}
    rows = [
        [
            html.escape(record.name),
            kinds.get((record.error or {}).get("kind", ""), ""),
            f'<span class="why">{html.escape((record.error or {}).get("text", ""))}</span>',
        ]
        for record in bad[:shown]
    ]
    rest = f"<p>and {len(bad) - shown} more, in the manifests.</p>" if len(bad) > shown else ""
    return "<h2>Failed</h2>" + _table(rows, ["input", "kind", "why"]) + rest


def _worst(folder: Path, worst: Sequence[Record], key: str, unit: str) -> str:
    parts = []
    for record in worst:
        value = f"{_number(float(record.values[key]))} {unit}"
        parts.append(
            f"<figure><figcaption>{html.escape(record.name)}: {html.escape(value)}</figcaption>"
            f"{_picture(folder, record)}</figure>"
        )
    return "<h2>The worst</h2>" + "".join(parts) if parts else ""


def _picture(folder: Path, record: Record) -> str:
    """Of the first motion among its outputs."""
    for output in record.outputs:
        try:
            content = read(folder / output.name)
            if content.clips:
                clip = content.clip
                figure = named(clip.figure)
                return _limber.draw_strip(
                    _limber.Clip(figure, clip.angles, clip.frame_time, clip.name), count=min(8, len(clip)), width=960
                )
        except ValueError:  # a format without motions, or one that is written only
            continue
    return ""
