// The interface of the WebAssembly module: functions over numbers, objects by number, flat arrays.
//
// Objects. A function that makes one returns its number, 1 or more; 0 means rejected. limber_drop() deletes an object.
// Texts go in as two arguments, the address of the UTF-8 bytes and their count; limber_allocate() returns memory for
// them. Returned texts are at limber_text(), with limber_text_size() bytes, valid until the next call that writes one.
// A function below whose comment says "text:" writes its result there; a function that rejects writes the diagnostic,
//
//   {"where": …, "found": …, "expected": …, "line": …, "column": …, "text": …}
//
// Arrays are doubles at an address. `theta` is the pose, one number per parameter of the figure, in radians and metres.
// Frames are twelve numbers: the x, y and z axis and the origin.
//
// binding/js/generate.mjs reads the lines between "begin" and "end" and generates the TypeScript declarations.
// A declaration may continue on the next line after a comma.
#pragma once

#pragma GCC visibility push(default)
// --- begin
extern "C" {
// Memory for texts and arrays of the caller.
void* limber_allocate(int bytes);
void limber_release(void* room);
const char* limber_text();
int limber_text_size();
void limber_drop(int object);
int limber_objects();

// Figures. `json` is a document for read_figure(); a file that it names must have been given (limber_file_give).
int limber_figure_read(const char* json, int size);
// text: names, limits, tree, sites, groups, and how they belong together
int limber_figure_describe(int figure);
int limber_figure_parameters(int figure);
int limber_figure_segments(int figure);
// text: "figure 1" document
int limber_figure_write(int figure);
void limber_figure_rest(int figure, double* theta);
void limber_figure_bound(int figure, double* theta);
int limber_figure_mirror(int figure, const double* theta, double* mirrored);
// One frame per segment.
void limber_figure_place(int figure, const double* theta, double* frames);
// Six numbers per freedom: its axis and a point on it.
void limber_figure_axes(int figure, const double* theta, double* axes);
void limber_figure_mass_centre(int figure, const double* theta, double* point);
// `json` is an array of feet by name. text: those that stand on the ground
int limber_figure_feet_on_ground(int figure, const double* theta, const char* json, int size);
// Sets the text: what is pinned and balanced in a pose if nothing is stated, {"pins": […], "feet": […]}.
int limber_figure_posing(int figure, const double* theta);
// Sets the text: the parts of a body, as `limber roles --json` prints them.
int limber_figure_roles(int figure);
// The joint where a chain to the segment begins, W93 6.2: 0 the part alone, 1 from the nearest branch.
int limber_figure_chain(int figure, int segment, int mode);
// text, not in UTF-8: counts of vertices and triangles as two int32; then by vertex its segment, int32; three floats of
// position, three of normal; by triangle three int32 of vertices, one of part, one of material.
int limber_figure_body(int figure, int detail);

// The figure with the segment of a place as its root, and the pose in which that one is where this one is; of
// equivalent angles of the new root, those closest to `near`.
int limber_figure_hung_from(int figure, const char* place, int size);
int limber_figure_placed_as(int figure, const double* theta, int hung, const double* near, double* placed);
// The figure with limits estimated from clips of it.
int limber_figure_limits_from(int figure, int clips, const double* list, double margin, double outliers, int with_root);

// Posture assessment. `json` is {"loads": [{"at": […], "kg": …}], "carried_by": …, "sex": …, "percentile": …,
// "sitting": …, "held": …, "repeated": …, "shock": …, "arm_supported": …, "coupling": …}; all keys are optional.
// text: comfort, torques, scores
int limber_figure_assess(int figure, const double* theta, const char* json, int size);

// A scene that is solved repeatedly. `json` is a "scene 1" document; its figure is ignored, and the given one is used.
int limber_scene_new(int figure, const char* json, int size);
// Returns a limber::Exit. `iterations` and `restarts` are maxima; with restarts below 0, those of the scene or the
// default apply. theta holds the start, and then the result.
int limber_scene_solve(int scene, double* theta, int iterations, int restarts, int until_met, int resumes);
// text: the report of the last solve
int limber_scene_report(int scene);
int limber_scene_iterations(int scene);
int limber_scene_met(int scene);
// Constraints have numbers: those of the scene their index in its list, from 0; added ones the numbers that follow,
// less those of the scene's stiffness and prior. A number is never used twice. These two return it plus 1; `json` is a
// scene with one constraint, or {"points": […], "rows": …, "weight": …, "from": …, "name": …, "priority": …}, a goal
// that the host evaluates (host.h) under the number `goal`.
int limber_scene_add(int scene, const char* json, int size);
int limber_scene_add_goal(int scene, int goal, const char* json, int size);
int limber_scene_remove(int scene, int constraint);
int limber_scene_set_weight(int scene, int constraint, double weight);
int limber_scene_set_enabled(int scene, int constraint, int enabled);
// text: the Jacobian of the goals in a pose, {"constraints": [by row], "parameters": [by column], "rows": [[…]],
// "singular_values": […], "rank": …, "condition": … or null}
int limber_scene_jacobian(int scene, const double* theta);
// Replaces the goal of a constraint by that of the constraint in the text.
int limber_scene_set_goal(int scene, int constraint, const char* json, int size);
// The handle of a constraint in a pose: three numbers per point or direction. Returns the number of these.
int limber_scene_handle(int scene, int constraint, const double* theta, double* elements);
// text: the faces of the region that a constraint must stay inside, such as the support polygon of a balance; six
// numbers per face, a point and the outward normal. Empty for other constraints.
int limber_scene_faces(int scene, int constraint);
// Posing by pulling (include/limber/posing/posing.h), from the pose theta. `how` is {"pins": [{"place": …, "turns": …,
// "lifts": …}, …], "locks": […], "feet": […], "balance_margin": …, "method": …, "eases": …, "natural": …, "looks": …,
// "moves": …}; all keys are optional. `moves` is the index of the constraint of the scene whose goal will change.
// `scene`, a "scene 1" document or nothing, is what else holds: its figure, options and `natural` are ignored, its pins
// that are met in the pose are pins, and its balance over `feet` is that one.
int limber_posing_new(int figure, const char* how, int how_size, const char* scene, int scene_size,
                      const double* theta);
// Takes hold of a place by name, or of a point of a segment, where it is shown. `asks` is 1 for a position, 2 for an
// orientation, 4 for a line of sight in place of a position, or a sum; `chain` 0 the whole body, 1 the limb, 2 the
// part; `from` is the joint where the chain begins instead, or -1. Returns the number of the grip plus 1.
int limber_posing_grab(int posing, const char* place, int size, int asks, int chain, int from);
int limber_posing_grab_point(int posing, int segment, double x, double y, double z, int asks, int chain, int from);
// Takes hold of a parameter, which is then set to a value. Returns the number of the grip plus 1.
int limber_posing_grab_parameter(int posing, int parameter);
// Goals; nothing is solved until the next frame. A line of sight is a point and a unit vector, R a rotation, by
// columns.
int limber_posing_move(int posing, int grip, double x, double y, double z);
int limber_posing_sight(int posing, int grip, double x, double y, double z, double vx, double vy, double vz);
int limber_posing_turn(int posing, int grip, const double* R);
int limber_posing_set(int posing, int grip, double value);
// The goal of the constraint that `moves`, by a scene with that constraint alone.
int limber_posing_set_goal(int posing, const char* json, int size);
// The next frame solves even if no goal has moved, for what is not met at first.
int limber_posing_ask(int posing);
int limber_posing_release(int posing, int grip);
// Solves for the current goals; writes the pose to show, and per grip nine numbers: its number, where its point is in
// the answer, where it is asked, its errors in metres and radians. Returns 1 if the pose is the answer, and 2 more if
// all is met.
int limber_posing_frame(int posing, double* theta, double* grips);
void limber_posing_answer(int posing, double* theta);
int limber_posing_grips(int posing);
// text: the report of the last frame: the constraints of the scene in its order, then the grips, with "drag". A
// constraint that does not hold for the grips is not counted.
int limber_posing_report(int posing);
// text: null, or {"foot": …, "by": […], "metres": …}: Posing::suggest_step().
int limber_posing_step(int posing);

// Reach maps. `scene` is as for limber_scene_new; all of its constraints hold at every point. `asked` is
// {"handle": …, "from": …, "resolution": …, "tolerance": …, "orientation": …, "least": […], "most": […]}; only the
// first key is required, see doc/reach.md. `least` and `most` are the min and max corner of the box to map.
int limber_reach_new(int figure, const char* scene, int scene_size, const char* asked, int asked_size,
                     const double* theta);
// Runs at most this many more waves of cells. 1: there is more to do; 2: finished.
int limber_reach_go(int reach, int waves);
// Three numbers: cells, open cells (not finished yet), solves.
int limber_reach_progress(int reach, double* numbers);
// text: the numbers of the map, as in `limber reach --json`, and the names of constraints that were ignored
int limber_reach_summary(int reach);
// text, not in UTF-8: counts of vertices, triangles, witnesses and moving parameters as four int32; the witness poses,
// one double per moving parameter; the indices of these parameters, int32; by vertex three floats of position, three of
// normal, one of the distance of the pose from its limits, one of its comfort; by vertex its witness, int32; by
// triangle three int32 of vertices.
int limber_reach_surface(int reach);
// text, not in UTF-8: the surface as a file of that name, .glb or .ply, coloured by 0 limits, 1 comfort.
int limber_reach_write(int reach, int measure, const char* name, int size);
// Stature in metres of a percentile from 0 to 100; the inverse; and the default stature of the human.
double limber_stature(int female, double percentile);
double limber_stature_percentile(int female, double stature);
double limber_stature_usual(int female);

// Keys. A key has eight numbers: time, ease in, ease out, interpolation (0 step, 1 linear, 2 spline), even, tension,
// continuity, bias.
int limber_sequence_new(int figure, int keys, const double* styles, const double* poses);
int limber_sequence_keys(int sequence);
void limber_sequence_read(int sequence, double* styles, double* poses);
double limber_sequence_start(int sequence);
double limber_sequence_end(int sequence);
void limber_sequence_at(int sequence, double time, double* theta);
// The sequence as a clip at a constant frame rate.
int limber_sequence_sample(int sequence, double frame_time);
int limber_sequence_of_clip(int clip, int every);
// Edits; each makes a new sequence. A range is a first key and a count; with `move` 1, later keys move along.
int limber_sequence_erase(int sequence, int first, int count, int move);
int limber_sequence_paste(int sequence, int keys, double time, int move);
int limber_sequence_copy(int sequence, int first, int count);
int limber_sequence_stretch(int sequence, int first, int count, double factor, double about);
int limber_sequence_slide(int sequence, int first, int count, double seconds, int move);
int limber_sequence_reverse(int sequence, int first, int count);
int limber_sequence_mirror(int sequence, int first, int count);
int limber_sequence_reduce(int sequence, double radians, double metres);
int limber_sequence_resample(int sequence, double seconds);
// By `weight` towards the other at the same time; over into the next, with an overlap of so many seconds.
int limber_sequence_blend(int sequence, int other, double weight);
int limber_sequence_cross_fade(int sequence, int next, double seconds);
// The timing curve: two numbers a knot, time and the time of the keys. No knot: none.
int limber_sequence_retime(int sequence, int knots, const double* timing);
int limber_sequence_knots(int sequence);
void limber_sequence_timing(int sequence, double* timing);
// Rotations are 0 of joints, 1 of balls (Rotations in motion/channel.h).
int limber_sequence_rotate(int sequence, int rotations);
int limber_sequence_rotations(int sequence);
// The channels. text: JSON, [{"name", "kind", "parameters"}]
int limber_sequence_channels(int sequence);
// Styles of channels at keys, where they are not those of the key: seven numbers each, key, channel, interpolation,
// even, tension, continuity, bias.
int limber_sequence_set_styles(int sequence, int count, const double* styles);
int limber_sequence_styles(int sequence);
void limber_sequence_read_styles(int sequence, double* styles);

// Clips: poses at a constant frame rate, frame after frame.
int limber_clip_new(int figure, int frames, double frame_time, const double* poses);
int limber_clip_frames(int clip);
double limber_clip_frame_time(int clip);
int limber_clip_figure(int clip);
const double* limber_clip_poses(int clip);
// The clip with the constraints of a scene enforced, all frames together or, with `each`, frame by frame. `how` is
// {"spans": […], "kept": […], "iterations": …, "each": …}: per constraint its span {"from", "to", "ease_in",
// "ease_out"} in seconds, all optional, and optionally the way that its goal moves along meanwhile, {"points": […],
// "progress":
// [[time, part], …], "straight": …, "evenly": …}; frames that do not change. text: the report, with the names of
// constraints that do not count in a motion
int limber_clip_keep(int clip, const char* json, int size, const char* how, int how_size);
// The motion of a script (doc/motion_script.md) on a figure, in a scene; `how` as above, without spans and kept frames.
// text: the report
int limber_clip_of_script(int figure, const char* json, int size, const char* script, int script_size, const char* how,
                          int how_size);
// The same motion of the figure hung from another segment.
int limber_clip_placed_as(int clip, int hung);
// Removes foot sliding. text: the report
int limber_clip_clean(int clip);
// Transfers the clip to another figure. text: the report
int limber_clip_retarget(int clip, int figure);

// A figure that follows places of a reference pose. `json` is {"places": […], "method": …, "iterations": …,
// "root_given": …, "orientations": …}.
int limber_tracker_new(int figure, const char* json, int size);
// The same for the markers of a content, fixed to the figure by `json`, {"markers": [{"marker", "place", "at",
// "weight"}, …], …}; without it, to the sites that have their names. text: the number of frames, their rate
int limber_tracker_of_markers(int figure, int content, const char* json, int size);
// Follows a frame of the markers from theta; `distances` as below, of the markers that were seen.
int limber_tracker_follow_markers(int tracker, int frame, double* theta, double* distances);
// Solves from theta; writes two numbers: the mean and the max distance, in metres.
int limber_tracker_follow(int tracker, const double* reference, double* theta, double* distances);

// Files. A given file is stored under its name until the next limber_files_forget().
void limber_file_give(const char* name, int name_size, const char* bytes, int size);
void limber_files_forget();
// The content of a given file; the ASF of an AMC file and the buffers of a glTF file are found among the given ones.
// text: a description of the content
int limber_content_read(const char* name, int size);
int limber_content_figure(int content);
int limber_content_clip(int content, int index);
// As limber_figure_body, for its figure or one with the same segments, with the polygon files that the file names for
// them. text: empty if there are none
int limber_content_body(int content, int figure, int detail);
// Writes a clip of a figure in the format of the name. `content` is the content that the figure came from, to preserve
// its skin, or 0. Returns the number of written files; the next calls return each of them by index.
int limber_content_write(int content, int figure, int clip, const char* name, int size);
int limber_written_name(int index);
int limber_written_bytes(int index);

// text: constant tables, such as the names of methods and the common names of places.
int limber_constants();
}
// --- end
#pragma GCC visibility pop
