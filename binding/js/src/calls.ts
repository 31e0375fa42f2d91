// Written by generate.mjs from binding/wasm/interface.h, which says what each call does. Do not edit.
/* prettier-ignore */
export interface Calls {
  memory: WebAssembly.Memory;
  limber_allocate(bytes: number): number;
  limber_release(room: number): void;
  limber_text(): number;
  limber_text_size(): number;
  limber_drop(object: number): void;
  limber_objects(): number;
  limber_figure_read(json: number, size: number): number;
  limber_figure_describe(figure: number): number;
  limber_figure_parameters(figure: number): number;
  limber_figure_segments(figure: number): number;
  limber_figure_write(figure: number): number;
  limber_figure_rest(figure: number, theta: number): void;
  limber_figure_bound(figure: number, theta: number): void;
  limber_figure_mirror(figure: number, theta: number, mirrored: number): number;
  limber_figure_place(figure: number, theta: number, frames: number): void;
  limber_figure_axes(figure: number, theta: number, axes: number): void;
  limber_figure_mass_centre(figure: number, theta: number, point: number): void;
  limber_figure_feet_on_ground(figure: number, theta: number, json: number, size: number): number;
  limber_figure_posing(figure: number, theta: number): number;
  limber_figure_roles(figure: number): number;
  limber_figure_chain(figure: number, segment: number, mode: number): number;
  limber_figure_body(figure: number, detail: number): number;
  limber_figure_hung_from(figure: number, place: number, size: number): number;
  limber_figure_placed_as(figure: number, theta: number, hung: number, near: number, placed: number): number;
  limber_figure_limits_from(figure: number, clips: number, list: number, margin: number, outliers: number, withRoot: number): number;
  limber_figure_assess(figure: number, theta: number, json: number, size: number): number;
  limber_scene_new(figure: number, json: number, size: number): number;
  limber_scene_solve(scene: number, theta: number, iterations: number, restarts: number, untilMet: number, resumes: number): number;
  limber_scene_report(scene: number): number;
  limber_scene_iterations(scene: number): number;
  limber_scene_met(scene: number): number;
  limber_scene_add(scene: number, json: number, size: number): number;
  limber_scene_add_goal(scene: number, goal: number, json: number, size: number): number;
  limber_scene_remove(scene: number, constraint: number): number;
  limber_scene_set_weight(scene: number, constraint: number, weight: number): number;
  limber_scene_set_enabled(scene: number, constraint: number, enabled: number): number;
  limber_scene_jacobian(scene: number, theta: number): number;
  limber_scene_set_goal(scene: number, constraint: number, json: number, size: number): number;
  limber_scene_handle(scene: number, constraint: number, theta: number, elements: number): number;
  limber_scene_faces(scene: number, constraint: number): number;
  limber_posing_new(figure: number, how: number, howSize: number, scene: number, sceneSize: number, theta: number): number;
  limber_posing_grab(posing: number, place: number, size: number, asks: number, chain: number, from: number): number;
  limber_posing_grab_point(posing: number, segment: number, x: number, y: number, z: number, asks: number, chain: number, from: number): number;
  limber_posing_grab_parameter(posing: number, parameter: number): number;
  limber_posing_move(posing: number, grip: number, x: number, y: number, z: number): number;
  limber_posing_sight(posing: number, grip: number, x: number, y: number, z: number, vx: number, vy: number, vz: number): number;
  limber_posing_turn(posing: number, grip: number, R: number): number;
  limber_posing_set(posing: number, grip: number, value: number): number;
  limber_posing_set_goal(posing: number, json: number, size: number): number;
  limber_posing_ask(posing: number): number;
  limber_posing_release(posing: number, grip: number): number;
  limber_posing_frame(posing: number, theta: number, grips: number): number;
  limber_posing_answer(posing: number, theta: number): void;
  limber_posing_grips(posing: number): number;
  limber_posing_report(posing: number): number;
  limber_posing_step(posing: number): number;
  limber_reach_new(figure: number, scene: number, sceneSize: number, asked: number, askedSize: number, theta: number): number;
  limber_reach_go(reach: number, waves: number): number;
  limber_reach_progress(reach: number, numbers: number): number;
  limber_reach_summary(reach: number): number;
  limber_reach_surface(reach: number): number;
  limber_reach_write(reach: number, measure: number, name: number, size: number): number;
  limber_stature(female: number, percentile: number): number;
  limber_stature_percentile(female: number, stature: number): number;
  limber_stature_usual(female: number): number;
  limber_sequence_new(figure: number, keys: number, styles: number, poses: number): number;
  limber_sequence_keys(sequence: number): number;
  limber_sequence_read(sequence: number, styles: number, poses: number): void;
  limber_sequence_start(sequence: number): number;
  limber_sequence_end(sequence: number): number;
  limber_sequence_at(sequence: number, time: number, theta: number): void;
  limber_sequence_sample(sequence: number, frameTime: number): number;
  limber_sequence_of_clip(clip: number, every: number): number;
  limber_sequence_erase(sequence: number, first: number, count: number, move: number): number;
  limber_sequence_paste(sequence: number, keys: number, time: number, move: number): number;
  limber_sequence_copy(sequence: number, first: number, count: number): number;
  limber_sequence_stretch(sequence: number, first: number, count: number, factor: number, about: number): number;
  limber_sequence_slide(sequence: number, first: number, count: number, seconds: number, move: number): number;
  limber_sequence_reverse(sequence: number, first: number, count: number): number;
  limber_sequence_mirror(sequence: number, first: number, count: number): number;
  limber_sequence_reduce(sequence: number, radians: number, metres: number): number;
  limber_sequence_resample(sequence: number, seconds: number): number;
  limber_sequence_blend(sequence: number, other: number, weight: number): number;
  limber_sequence_cross_fade(sequence: number, next: number, seconds: number): number;
  limber_sequence_retime(sequence: number, knots: number, timing: number): number;
  limber_sequence_knots(sequence: number): number;
  limber_sequence_timing(sequence: number, timing: number): void;
  limber_sequence_rotate(sequence: number, rotations: number): number;
  limber_sequence_rotations(sequence: number): number;
  limber_sequence_channels(sequence: number): number;
  limber_sequence_set_styles(sequence: number, count: number, styles: number): number;
  limber_sequence_styles(sequence: number): number;
  limber_sequence_read_styles(sequence: number, styles: number): void;
  limber_clip_new(figure: number, frames: number, frameTime: number, poses: number): number;
  limber_clip_frames(clip: number): number;
  limber_clip_frame_time(clip: number): number;
  limber_clip_figure(clip: number): number;
  limber_clip_poses(clip: number): number;
  limber_clip_keep(clip: number, json: number, size: number, how: number, howSize: number): number;
  limber_clip_of_script(figure: number, json: number, size: number, script: number, scriptSize: number, how: number, howSize: number): number;
  limber_clip_placed_as(clip: number, hung: number): number;
  limber_clip_clean(clip: number): number;
  limber_clip_retarget(clip: number, figure: number): number;
  limber_tracker_new(figure: number, json: number, size: number): number;
  limber_tracker_of_markers(figure: number, content: number, json: number, size: number): number;
  limber_tracker_follow_markers(tracker: number, frame: number, theta: number, distances: number): number;
  limber_tracker_follow(tracker: number, reference: number, theta: number, distances: number): number;
  limber_file_give(name: number, nameSize: number, bytes: number, size: number): void;
  limber_files_forget(): void;
  limber_content_read(name: number, size: number): number;
  limber_content_figure(content: number): number;
  limber_content_clip(content: number, index: number): number;
  limber_content_body(content: number, figure: number, detail: number): number;
  limber_content_write(content: number, figure: number, clip: number, name: number, size: number): number;
  limber_written_name(index: number): number;
  limber_written_bytes(index: number): number;
  limber_constants(): number;
}

// How many numbers each takes.
export const arities: Record<string, number> = {
  limber_allocate: 1,
  limber_release: 1,
  limber_text: 0,
  limber_text_size: 0,
  limber_drop: 1,
  limber_objects: 0,
  limber_figure_read: 2,
  limber_figure_describe: 1,
  limber_figure_parameters: 1,
  limber_figure_segments: 1,
  limber_figure_write: 1,
  limber_figure_rest: 2,
  limber_figure_bound: 2,
  limber_figure_mirror: 3,
  limber_figure_place: 3,
  limber_figure_axes: 3,
  limber_figure_mass_centre: 3,
  limber_figure_feet_on_ground: 4,
  limber_figure_posing: 2,
  limber_figure_roles: 1,
  limber_figure_chain: 3,
  limber_figure_body: 2,
  limber_figure_hung_from: 3,
  limber_figure_placed_as: 5,
  limber_figure_limits_from: 6,
  limber_figure_assess: 4,
  limber_scene_new: 3,
  limber_scene_solve: 6,
  limber_scene_report: 1,
  limber_scene_iterations: 1,
  limber_scene_met: 1,
  limber_scene_add: 3,
  limber_scene_add_goal: 4,
  limber_scene_remove: 2,
  limber_scene_set_weight: 3,
  limber_scene_set_enabled: 3,
  limber_scene_jacobian: 2,
  limber_scene_set_goal: 4,
  limber_scene_handle: 4,
  limber_scene_faces: 2,
  limber_posing_new: 6,
  limber_posing_grab: 6,
  limber_posing_grab_point: 8,
  limber_posing_grab_parameter: 2,
  limber_posing_move: 5,
  limber_posing_sight: 8,
  limber_posing_turn: 3,
  limber_posing_set: 3,
  limber_posing_set_goal: 3,
  limber_posing_ask: 1,
  limber_posing_release: 2,
  limber_posing_frame: 3,
  limber_posing_answer: 2,
  limber_posing_grips: 1,
  limber_posing_report: 1,
  limber_posing_step: 1,
  limber_reach_new: 6,
  limber_reach_go: 2,
  limber_reach_progress: 2,
  limber_reach_summary: 1,
  limber_reach_surface: 1,
  limber_reach_write: 4,
  limber_stature: 2,
  limber_stature_percentile: 2,
  limber_stature_usual: 1,
  limber_sequence_new: 4,
  limber_sequence_keys: 1,
  limber_sequence_read: 3,
  limber_sequence_start: 1,
  limber_sequence_end: 1,
  limber_sequence_at: 3,
  limber_sequence_sample: 2,
  limber_sequence_of_clip: 2,
  limber_sequence_erase: 4,
  limber_sequence_paste: 4,
  limber_sequence_copy: 3,
  limber_sequence_stretch: 5,
  limber_sequence_slide: 5,
  limber_sequence_reverse: 3,
  limber_sequence_mirror: 3,
  limber_sequence_reduce: 3,
  limber_sequence_resample: 2,
  limber_sequence_blend: 3,
  limber_sequence_cross_fade: 3,
  limber_sequence_retime: 3,
  limber_sequence_knots: 1,
  limber_sequence_timing: 2,
  limber_sequence_rotate: 2,
  limber_sequence_rotations: 1,
  limber_sequence_channels: 1,
  limber_sequence_set_styles: 3,
  limber_sequence_styles: 1,
  limber_sequence_read_styles: 2,
  limber_clip_new: 4,
  limber_clip_frames: 1,
  limber_clip_frame_time: 1,
  limber_clip_figure: 1,
  limber_clip_poses: 1,
  limber_clip_keep: 5,
  limber_clip_of_script: 7,
  limber_clip_placed_as: 2,
  limber_clip_clean: 1,
  limber_clip_retarget: 2,
  limber_tracker_new: 3,
  limber_tracker_of_markers: 4,
  limber_tracker_follow_markers: 4,
  limber_tracker_follow: 4,
  limber_file_give: 4,
  limber_files_forget: 0,
  limber_content_read: 2,
  limber_content_figure: 1,
  limber_content_clip: 2,
  limber_content_body: 3,
  limber_content_write: 5,
  limber_written_name: 1,
  limber_written_bytes: 1,
  limber_constants: 0,
};
