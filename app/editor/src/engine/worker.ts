// The worker: runs long solves off the main thread.
import { loadLimber, Rejection, Sequence, type Clip, type Content, type Figure, type Limber, type Reach } from "limber";
import { fromBase64 } from "../document/base64.js";
import { checkDocument, docOfScene } from "./scene.js";
import type { Answer, JobName, Jobs, ReachQuestion, RejectionValue, Request, Subject } from "./jobs.js";

// The first message is the compiled module; requests follow.
let loading: Promise<Limber> | undefined;

// The figure of the last subject is kept: most jobs use the same one.
let kept: { text: string; figure: Figure } | undefined;

function figureOf(limber: Limber, subject: Subject): Figure {
  const text = JSON.stringify(subject);
  if (kept?.text === text) return kept.figure;
  kept?.figure.drop();
  kept = undefined;
  limber.forgetFiles();
  for (const [name, bytes] of Object.entries(subject.files)) limber.giveFile(name, fromBase64(bytes));
  const figure = limber.figure(subject.figure);
  kept = { text, figure };
  return figure;
}

const framesOf = (keys: readonly { time: number }[], start: number, frameTime: number) =>
  keys
    .map(({ time }) => (time - start) / frameTime)
    .filter((frame) => Math.abs(frame - Math.round(frame)) < 1e-6)
    .map(Math.round);

const jobs: {
  [J in JobName]: (limber: Limber, input: Jobs[J]["in"], progress: (done: number, of: number) => void) => Jobs[J]["out"];
} = {
  solve(limber, { subject, scene, pose }) {
    const posed = limber.scene(figureOf(limber, subject), scene);
    const answer = Float64Array.from(pose);
    posed.solve(answer);
    const report = posed.report();
    posed.drop();
    return { pose: answer, report };
  },

  keep(limber, { subject, scene, spans, keys, rotations, frameTime }) {
    const sequence = Sequence.of(figureOf(limber, subject), keys, { rotations });
    const given = sequence.sample(frameTime);
    const start = sequence.start;
    const { clip, report } = given.keep(
      scene,
      spans.map((span) => ({ ...span, from: span.from - start, to: span.to - start })),
      framesOf(keys, start, frameTime),
    );
    const poses = clip.poses();
    for (const one of [clip, given, sequence]) one.drop();
    return { poses, frameTime, start, report };
  },

  clean(limber, { subject, frameTime, poses }) {
    const given = limber.clip(figureOf(limber, subject), frameTime, poses);
    const { clip, report } = given.clean();
    const answer = clip.poses();
    clip.drop();
    given.drop();
    return { poses: answer, report };
  },

  retarget(limber, { from, clip: index, file, to }) {
    const target = figureOf(limber, to);
    for (const [name, bytes] of Object.entries(from.files)) limber.giveFile(name, fromBase64(bytes));
    const content = limber.read(file);
    const source = content.figure();
    const given = content.clip(source, index);
    const { clip, report } = given.retarget(target);
    const answer = { poses: clip.poses(), frameTime: clip.frameTime, report };
    for (const one of [clip, given, source, content]) one.drop();
    return answer;
  },

  compare(limber, { subject, poses, options }, progress) {
    const figure = figureOf(limber, subject);
    const tracker = limber.tracker(figure, options);
    const n = figure.parameters;
    const frames = poses.length / n;
    const answer = new Float64Array(poses.length);
    const mean = new Float64Array(frames);
    const max = new Float64Array(frames);
    const milliseconds = new Float64Array(frames);
    const pose = figure.bounded(poses.subarray(0, n));
    for (let k = 0; k < frames; ++k) {
      const begun = performance.now();
      const off = tracker.follow(poses.subarray(n * k, n * (k + 1)), pose);
      milliseconds[k] = performance.now() - begun;
      mean[k] = off.mean;
      max[k] = off.largest;
      answer.set(pose, n * k);
      if (k % 50 === 49) progress(k + 1, frames);
    }
    tracker.drop();
    return { poses: answer, mean, max, milliseconds };
  },

  reduce(limber, { subject, frameTime, poses, degrees, metres }) {
    const clip: Clip = limber.clip(figureOf(limber, subject), frameTime, poses);
    const dense = Sequence.ofClip(clip);
    const few = dense.reduce(degrees, metres);
    const keys = few.keys();
    for (const one of [few, dense, clip]) one.drop();
    return { keys };
  },

  read(limber, { files, name }) {
    const content = contentOf(limber, files, name);
    const figure = content.info.figure ? content.figure() : undefined;
    const rest = figure ? [...figure.rest()] : [];
    const { info } = content;
    figure?.drop();
    content.drop();
    return { info, rest };
  },

  motion(limber, { files, name, clip: index }) {
    const content = contentOf(limber, files, name);
    const figure = content.figure();
    const clip = content.clip(figure, index);
    const answer = { poses: clip.poses(), frameTime: clip.frameTime };
    for (const one of [clip, figure, content]) one.drop();
    return answer;
  },

  scene(limber, { files, name, text }) {
    give(limber, files);
    return { doc: docOfScene(limber, name, text, files) };
  },

  reach(limber, question, progress) {
    const reach = reachOf(limber, question, progress);
    return { surface: reach.surface(), numbers: reach.numbers() };
  },

  reachFile(limber, { name, measure, ...question }, progress) {
    return { bytes: reachOf(limber, question, progress).file(name, measure) };
  },

  check(limber, { doc }) {
    give(limber, doc.files);
    checkDocument(limber, doc);
    return { doc };
  },
};

const wavesAtOnce = 3; // between two progress reports: each call has a small overhead

// The last map is kept, to be written as a file.
let mapped: { text: string; reach: Reach } | undefined;

function reachOf(limber: Limber, question: ReachQuestion, progress: (done: number, of: number) => void): Reach {
  const text = JSON.stringify(question);
  if (mapped?.text === text) return mapped.reach;
  mapped?.reach.drop();
  mapped = undefined;
  const reach = limber.reach(figureOf(limber, question.subject), question.scene, question.pose, question.options);
  try {
    while (!reach.go(wavesAtOnce)) {
      const { cells, open } = reach.progress();
      progress(cells - open, cells);
    }
  } catch (error) {
    reach.drop();
    throw error;
  }
  mapped = { text, reach };
  return reach;
}

function give(limber: Limber, files: Subject["files"]): void {
  kept?.figure.drop();
  kept = undefined;
  limber.forgetFiles();
  for (const [name, bytes] of Object.entries(files)) limber.giveFile(name, fromBase64(bytes));
}

function contentOf(limber: Limber, files: Subject["files"], name: string): Content {
  give(limber, files);
  return limber.read(name);
}

function failure(error: unknown): { error: string; rejection?: RejectionValue; trapped?: boolean } {
  if (error instanceof Rejection) {
    const { where, found, expected, line, column } = error;
    return { error: error.message, rejection: { where, found, expected, line, column } };
  }
  return { error: error instanceof Error ? error.message : String(error), trapped: error instanceof WebAssembly.RuntimeError };
}

const answer = (message: Answer) => postMessage(message);

onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
  if (data instanceof WebAssembly.Module) {
    loading = loadLimber(data);
    return;
  }
  const { id, job, input } = data;
  try {
    const limber = await loading!;
    const run = jobs[job] as (limber: Limber, input: unknown, progress: (done: number, of: number) => void) => unknown;
    answer({ id, output: run(limber, input, (done, of) => answer({ id, done, of })) });
  } catch (error) {
    answer({ id, ...failure(error) });
  }
};
