"""Jobs on a Ray cluster of three nodes of this machine, on loopback: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
import test_jobs
from conftest import ROOT
from ray.cluster_utils import Cluster
from test_jobs import digest

import limber
from limber.jobs._executors import connect

TAKES = 500
# Where the workers find the functions of test_jobs.
os.environ["RAY_raylet_start_wait_time_s"] = "120"  # where processors have other work
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(test_jobs.__file__).parent), os.environ.get("PYTHONPATH", "")])
NODE: dict[str, Any] = {"node_ip_address": "127.0.0.1", "object_store_memory": 100_000_000, "include_dashboard": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head without processors, so that no task is lost with it, and two nodes that work."""
    cluster = Cluster(initialize_head=True, head_node_args=NODE | {"num_cpus": 0})
    for _ in range(2):
        cluster.add_node(num_cpus=1, **NODE)
    connect(cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cut from the recorded motions."""
    folder = tmp_path_factory.mktemp("many")
    clips = [limber.read(path).clip for path in sorted((ROOT / "data/acclaim").glob("*_*.amc"))]
    for k in range(TAKES):
        clip = clips[k % len(clips)]
        first = (37 * k) % (len(clip) - 10)
        path = folder / f"{k % 7}" / f"{k:03}.bvh"
        path.parent.mkdir(exist_ok=True)
        limber.write(path, clip.cut(first, first + 3 + k % 5))
    return folder


def test_ray_a_pool_and_shards_give_the_same_bytes(cluster: Cluster, takes: Path, tmp_path: Path) -> None:
    def retarget(name: str, **who: Any) -> dict[str, str]:
        assert limber.jobs.retarget_all(takes, tmp_path / name, to="human", report=False, **who).ok
        return digest(tmp_path / name)

    pool = retarget("pool", workers=2)
    assert len(pool) == TAKES
    assert retarget("ray", executor=cluster.address) == pool
    for k in range(3):
        retarget("shards", shard=(k, 3), workers=2)
    assert digest(tmp_path / "shards") == pool


def test_a_map_cut_over_a_cluster_is_the_same(cluster: Cluster, tmp_path: Path) -> None:
    body = {"body": limber.human(root="fixed")}
    assert limber.jobs.reach_maps(body, tmp_path / "here", workers=0, resolution=0.06).ok
    assert limber.jobs.reach_maps(body, tmp_path / "ray", executor=cluster.address, cut=True, resolution=0.06).ok
    assert digest(tmp_path / "ray") == digest(tmp_path / "here")


def slow_takes(folder: Path, takes: Path, count: int) -> Path:
    folder.mkdir()
    for k in range(count):
        shutil.copy(takes / "0/000.bvh", folder / f"{k:03}.bvh")
    return folder


def test_a_node_that_is_lost_costs_nothing(cluster: Cluster, takes: Path, tmp_path: Path) -> None:
    given = slow_takes(tmp_path / "in", takes, 80)
    out, log = tmp_path / "out", tmp_path / "log"
    node = cluster.add_node(num_cpus=1, **NODE)
    cluster.wait_for_nodes()

    def kill() -> None:
        while not out.exists() or len(list(out.glob("*.json"))) < 10:
            time.sleep(0.05)
        cluster.remove_node(node, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    summary = limber.jobs.run(
        test_jobs.slowly, given, out, arguments={"log": str(log)}, executor=cluster.address, task_seconds=0.3
    )
    killer.join()
    assert summary.ok and summary.done == 80 and summary.lost > 0
    assert len(digest(out)) == 80
    names = log.read_text().splitlines()
    assert len(set(names)) == 80 and len(names) <= 81, "more than what was in the hands of the node was done twice"


def test_a_driver_that_is_killed_goes_on(cluster: Cluster, takes: Path, tmp_path: Path) -> None:
    given = slow_takes(tmp_path / "in", takes, 60)
    out, log = tmp_path / "out", tmp_path / "log"
    code = (
        f"import sys; sys.path.insert(0, {str(Path(test_jobs.__file__).parent)!r}); import limber, test_jobs; "
        f"limber.jobs.run(test_jobs.slowly, {str(given)!r}, {str(out)!r}, arguments={{'log': {str(log)!r}}}, "
        f"executor={cluster.address!r})"
    )
    driver = subprocess.Popen([sys.executable, "-c", code])
    while driver.poll() is None and len(list(out.glob("*.json"))) < 15:
        time.sleep(0.05)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    time.sleep(3.0)  # Ray ends its workers
    recorded = len(list(limber.jobs.records(out)))
    assert 15 <= recorded < 60
    rest = limber.jobs.run(test_jobs.slowly, given, out, arguments={"log": str(log)}, executor=cluster.address)
    assert (rest.kept, rest.done) == (recorded, 60 - recorded)
    names = log.read_text().splitlines()
    assert len(set(names)) == 60 and len(names) <= 64
    assert len(digest(out)) == 60


def test_what_kills_its_worker_is_named_and_one_percent_is_broken(cluster: Cluster, takes: Path, tmp_path: Path) -> None:
    arguments = {"always": "000.bvh", "once": "001.bvh", "seen": str(tmp_path / "seen")}
    summary = limber.jobs.run(test_jobs.die, takes / "0", tmp_path / "dead", arguments=arguments, executor="ray")
    assert summary.failed == 1 and summary.errors[0][0] == "000.bvh" and summary.lost >= 3
    given = tmp_path / "in"
    shutil.copytree(takes, given)
    broken = sorted(path for path in given.rglob("*.bvh"))[::100]
    for path in broken:
        path.write_bytes(path.read_bytes()[:200])
    some = limber.jobs.convert_all(given, tmp_path / "out", executor="ray")
    assert (some.done, some.failed) == (TAKES - len(broken), len(broken))
    assert {name for name, _ in some.errors} == {path.relative_to(given).as_posix() for path in broken}


def test_a_cluster_that_begins_here_listens_on_loopback_alone() -> None:
    code = """
import glob, os, ray
from limber.jobs._executors import connect
def listening():
    own = set()
    for path in glob.glob("/proc/net/tcp*"):
        for line in open(path).read().splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            if state == "0A":
                own.add(address)
    return own
before = listening()
connect("local")
ray.get(ray.remote(lambda: 1).remote())
print(*(listening() - before))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300).stdout
    hosts = {address.partition(":")[0] for address in shown.split()}
    assert hosts, "nothing listens: the test looks at the wrong place"
    loopback = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    assert hosts <= loopback, hosts
