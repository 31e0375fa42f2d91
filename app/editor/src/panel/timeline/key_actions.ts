// The actions on keys and on intervals of constraints.
import type { Key } from "limber";
import type { App } from "../../state/app.js";
import type { KeyRange } from "../../state/selection.js";
import { changeConstraint, setKeys } from "../../command/commands.js";
import { frameTime, keyAt, onFrame, spanOf } from "../../document/document.js";
import {
  copyKeys,
  duplicateKeys,
  eraseKeys,
  mirrorKeys,
  onFrames,
  reverseKeys,
  slideKeys,
  stretchKeys,
  timesOf,
} from "../../command/key_commands.js";
import { figureMark } from "../../document/figure_mark.js";
import { subjectOf } from "../../engine/engine.js";
import type { Action } from "../../ui/actions.js";
import { reasonOf } from "../../state/attempt.js";
import { editKeys, pasteAt, setKeyAt, targetKeys } from "../../state/key_edits.js";

const timelineHasFocus = () => document.getElementById("timeline")!.contains(document.activeElement);

const amount = ({ count }: KeyRange) => (count === 1 ? "key" : `${count} keys`);

function clipboardActions(app: App): Action[] {
  let copied: { keys: readonly Key[]; mark: string } | undefined;
  const all = (keys: readonly Key[]): KeyRange => ({ first: 0, count: keys.length });
  const copy = () => {
    const range = targetKeys(app);
    const keys = range ? copyKeys(app.doc.keys, range) : [{ time: app.time, pose: Array.from(app.pose) }];
    copied = { keys, mark: figureMark(app.figure) };
  };
  const paste = (title: string, { mirrored = false, move = false } = {}) => {
    if (!copied) return;
    if (copied.mark !== figureMark(app.figure)) return app.say("info", title, "the copied keys are of another figure");
    try {
      const { keys } = copied;
      pasteAt(app, title, mirrored ? mirrorKeys(app.rig, keys, all(keys)) : keys, app.time, move);
    } catch (error) {
      app.say("info", title, reasonOf(error));
    }
  };
  const erase = (title: string) => {
    const range = targetKeys(app)!;
    if (editKeys(app, `${title} ${amount(range)}`, (doc) => eraseKeys(app.rig, doc.keys, range))) app.selectKeys(undefined);
  };
  const hasTarget = () => targetKeys(app) !== undefined;
  // While a constraint or an obstacle is selected, only selected keys are deleted, and only with the focus in the timeline.
  const canDelete = () =>
    app.selection.kind === "constraint" || app.selection.kind === "obstacle"
      ? app.keyRange !== undefined && timelineHasFocus()
      : app.keyRange !== undefined || (hasTarget() && timelineHasFocus());
  return [
    {
      id: "key.delete",
      title: "Delete keys",
      group: "Keys",
      keys: ["Delete", "Backspace"],
      within: "#timeline",
      enabled: canDelete,
      run: () => erase("Delete"),
    },
    { id: "key.copy", apart: true, title: "Copy keys", group: "Keys", keys: ["Ctrl+C"], run: copy },
    { id: "key.cut", title: "Cut keys", group: "Keys", keys: ["Ctrl+X"], enabled: hasTarget, run: () => (copy(), erase("Cut")) },
    {
      id: "key.paste",
      title: "Paste keys at the playhead",
      group: "Keys",
      keys: ["Ctrl+V"],
      enabled: () => copied !== undefined,
      run: () => paste("Paste"),
    },
    {
      id: "key.paste_mirrored",
      title: "Paste mirrored",
      group: "Keys",
      keys: ["Ctrl+Shift+V"],
      enabled: () => copied !== undefined,
      run: () => paste("Paste mirrored", { mirrored: true }),
    },
    {
      id: "key.insert",
      title: "Insert: paste and move later keys",
      group: "Keys",
      keys: ["Ctrl+I"],
      enabled: () => copied !== undefined,
      run: () => paste("Insert", { move: true }),
    },
    {
      id: "key.duplicate",
      title: "Duplicate keys",
      group: "Keys",
      keys: ["Ctrl+D"],
      enabled: hasTarget,
      run: () => {
        let after: KeyRange | undefined;
        editKeys(
          app,
          "Duplicate",
          (doc) => {
            const { keys, range } = duplicateKeys(app.rig, doc, targetKeys(app)!);
            after = range;
            return keys;
          },
          () => after,
        );
      },
    },
  ];
}

function rangeActions(app: App): Action[] {
  const hasTarget = () => targetKeys(app) !== undefined;
  const hasSeveral = () => (app.keyRange?.count ?? 0) > 1;
  const slide = (frames: number, move: boolean) =>
    editKeys(app, "Slide keys", (doc) => slideKeys(app.rig, doc.keys, targetKeys(app)!, frames * frameTime(doc), move));
  const stretch = (title: string, factor: number) =>
    editKeys(app, title, (doc) => stretchKeys(app.rig, doc.keys, app.keyRange!, factor, timesOf(doc.keys, app.keyRange!).from));
  return [
    {
      id: "key.slide_later",
      apart: true,
      title: "Slide keys a frame later",
      group: "Keys",
      keys: ["Ctrl+ArrowRight"],
      enabled: hasTarget,
      run: () => void slide(1, false),
    },
    {
      id: "key.slide_earlier",
      title: "Slide keys a frame earlier",
      group: "Keys",
      keys: ["Ctrl+ArrowLeft"],
      enabled: hasTarget,
      run: () => void slide(-1, false),
    },
    {
      id: "key.slide_all_later",
      title: "Slide keys and all after them later",
      group: "Keys",
      keys: ["Ctrl+Shift+ArrowRight"],
      enabled: hasTarget,
      run: () => void slide(1, true),
    },
    {
      id: "key.slide_all_earlier",
      title: "Slide keys and all after them earlier",
      group: "Keys",
      keys: ["Ctrl+Shift+ArrowLeft"],
      enabled: hasTarget,
      run: () => void slide(-1, true),
    },
    {
      id: "key.stretch",
      title: "Stretch selected keys to double",
      group: "Keys",
      keys: ["Ctrl+ArrowUp"],
      enabled: hasSeveral,
      run: () => void stretch("Stretch", 2),
    },
    {
      id: "key.shrink",
      title: "Shrink selected keys to half",
      group: "Keys",
      keys: ["Ctrl+ArrowDown"],
      enabled: hasSeveral,
      run: () => void stretch("Shrink", 0.5),
    },
    {
      id: "key.reverse",
      title: "Reverse selected keys",
      group: "Keys",
      keys: ["Shift+R"],
      enabled: hasSeveral,
      run: () => void editKeys(app, "Reverse", (doc) => reverseKeys(app.rig, doc.keys, app.keyRange!)),
    },
    {
      id: "key.mirror",
      title: "Mirror keys left to right",
      group: "Keys",
      keys: ["Shift+M"],
      enabled: () => hasTarget() && app.figure.info.mirrors,
      run: () => void editKeys(app, "Mirror keys", (doc) => mirrorKeys(app.rig, doc.keys, targetKeys(app)!)),
    },
    {
      id: "key.reduce",
      title: "Reduce keys of the whole motion",
      group: "Keys",
      enabled: () => app.doc.keys.length > 2,
      run: () => void reduce(app),
    },
  ];
}

const tolerance = { degrees: 1, metres: 0.005 };

// The fewest keys that follow the motion.
async function reduce(app: App): Promise<void> {
  const { doc } = app;
  const clip = app.clip();
  const poses = clip.poses();
  clip.drop();
  try {
    const { keys } = await app.engine.run("reduce", { subject: subjectOf(doc), frameTime: frameTime(doc), poses, ...tolerance });
    if (app.doc !== doc) return;
    if (keys.length >= doc.keys.length)
      return app.say(
        "info",
        "Reduce keys",
        `${doc.keys.length} keys are as few as follow this motion within ${tolerance.degrees}° and ${tolerance.metres * 1000} mm`,
      );
    const moved = keys.map((key) => ({ ...key, time: key.time + app.start }));
    app.selectKeys(undefined);
    app.store.run("Reduce keys", (now) => setKeys(now, onFrames(moved, now.frameRate)));
    app.say(
      "info",
      "Reduce keys",
      `${keys.length} of ${doc.keys.length} keys follow the motion within ${tolerance.degrees}° and ${tolerance.metres * 1000} mm`,
    );
  } catch (error) {
    app.say("error", "Reduce keys", reasonOf(error));
  }
}

function selectActions(app: App): Action[] {
  // Moves to the next key and adds it to the selection.
  const extend = (by: 1 | -1) => {
    const { keys } = app.doc;
    const at = keyAt(app.doc, app.time);
    const range = app.keyRange ?? (at < 0 ? undefined : { first: at, count: 1 });
    if (!range) return;
    const first = by < 0 ? Math.max(0, range.first - 1) : range.first;
    const end = by > 0 ? Math.min(keys.length, range.first + range.count + 1) : range.first + range.count;
    app.selectKeys({ first, count: end - first });
    app.setTime(keys[by < 0 ? first : end - 1]!.time);
  };
  return [
    {
      id: "key.select",
      apart: true,
      title: "Select the key at the playhead",
      group: "Keys",
      keys: ["Enter"],
      enabled: () => document.activeElement?.classList.contains("tl-body") === true && keyAt(app.doc, app.time) >= 0,
      run: () => app.selectKeys({ first: keyAt(app.doc, app.time), count: 1 }),
    },
    {
      id: "key.select_all",
      title: "Select all keys",
      group: "Keys",
      keys: ["Ctrl+A"],
      enabled: () => timelineHasFocus() && app.doc.keys.length > 0,
      run: () => app.selectKeys({ first: 0, count: app.doc.keys.length }),
    },
    {
      id: "key.extend_back",
      title: "Select back to the previous key",
      group: "Keys",
      keys: ["<"],
      enabled: () => app.doc.keys.length > 0,
      run: () => extend(-1),
    },
    {
      id: "key.extend_on",
      title: "Select on to the next key",
      group: "Keys",
      keys: [">"],
      enabled: () => app.doc.keys.length > 0,
      run: () => extend(1),
    },
    {
      id: "key.select_none",
      title: "Select no keys",
      group: "Keys",
      keys: ["Escape"],
      enabled: () => app.keyRange !== undefined && timelineHasFocus(),
      run: () => app.selectKeys(undefined),
    },
  ];
}

// The interval of the selected constraint.
function spanActions(app: App): Action[] {
  const selected = () =>
    app.selection.kind === "constraint"
      ? app.doc.constraints.find(({ id }) => app.selection.kind === "constraint" && id === app.selection.id)
      : undefined;
  const isSelected = () => selected() !== undefined;
  const bound = (title: string, end: "from" | "to") => {
    const constraint = selected()!;
    const time = onFrame(app.doc, app.time);
    const span = { ...spanOf(constraint), [end]: time };
    if (span.from > span.to) return app.say("info", title, "the constraint would end before it begins");
    app.store.run(title, (doc) => changeConstraint(doc, constraint.id, { span }));
  };
  return [
    {
      id: "span.begin",
      apart: true,
      title: "Constraint begins at the playhead",
      group: "Constrain",
      keys: ["["],
      enabled: isSelected,
      run: () => bound("Constraint begins", "from"),
    },
    {
      id: "span.end",
      title: "Constraint ends at the playhead",
      group: "Constrain",
      keys: ["]"],
      enabled: isSelected,
      run: () => bound("Constraint ends", "to"),
    },
    {
      id: "span.always",
      title: "Constraint is always active",
      group: "Constrain",
      enabled: () => selected()?.span !== undefined,
      run: () =>
        app.store.run("Constraint is always active", (doc) => changeConstraint(doc, selected()!.id, { span: undefined })),
    },
  ];
}

export function addKeyActions(app: App): void {
  app.actions.add(
    {
      id: "key.set",
      title: "Set key from the shown pose",
      group: "Keys",
      keys: ["K"],
      run: () => setKeyAt(app, keyAt(app.doc, app.time) < 0 ? "Set key" : "Replace key", app.pose, app.time),
    },
    ...clipboardActions(app),
    ...rangeActions(app),
    ...selectActions(app),
    ...spanActions(app),
  );
}
