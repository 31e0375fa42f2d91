// A motion script: a few lines that say what a figure does, and when.                                        W93 7.2.1
//
//   Expected<MotionScript> script = read_motion_script(text, "walk.script");
//   Expected<ScriptedMotion> motion = scripted_motion(*script, scene);
//   Expected<SolvedMotion> solved = solve_motion(motion->problem, motion->given);
//
// A script has keys, which make a rough motion, and demands, each with the time in which it is active: "from
// strike until strike + 0.1 place left_heel at (0.09, 0, 0.65)". doc/motion_script.md has the grammar.
//
// A MotionScript keeps what was written, with times computed and blocks not yet repeated; it knows no figure.
// scripted_motion() looks names up in the figure of a scene and repeats the blocks. In pass k of a block all times are
// k · every later, points lie k · shift further, and in every second pass of a mirrored block all is first exchanged
// with its image across the figure's plane of symmetry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "limber/document/scene/scene.h"
#include "limber/format/content/content.h"
#include "limber/motion/clip.h"
#include "limber/motion/path.h"
#include "limber/motion/sequence.h"
#include "limber/motion/timed/timed_problem.h"

namespace limber {

inline constexpr int no_block = -1;

// A name as it was written, and where.
struct ScriptName {
  std::string text = {};
  Place place = {};

  bool empty() const { return text.empty(); }
};

// repeat COUNT every SECONDS shift (x, y, z) mirrored
struct ScriptBlock {
  int passes = 1;
  double every = 0.0;  // seconds
  Vec3 shift = Vec3::Zero();
  bool mirrored = false;
  Place place = {};
};

// How a value changes from one key to the next that names it.
//
//   step     constant, then a jump
//   linear   at constant speed
//   spline   a cubic that overshoots no key (Fritsch and Carlson 1980), at rest at the first key and the last
//   slerp    at constant speed; three rotations that meet at a point turn about one axis
//   curve    through the keys with tension, continuity and bias; such rotations on a quaternion spline
//
// Slerp and curve are those of sequences, with the channels of Rotations::of_balls (motion/sequence.h).
enum class KeyPath { step, linear, spline, slerp, curve };

struct ScriptValue {
  ScriptName parameter;
  double value = 0.0;  // as written: degrees, or metres
};

// Values at a time. A key affects only the parameters that it names.
struct ScriptKey {
  double time = 0.0;
  KeyPath path = KeyPath::spline;  // of the interval that begins here
  Bend bend = {};                  // how a curve passes the key
  bool evenly = false;             // a curve at constant speed to the next key
  Ease ease = {};                  // in seconds, of that interval
  bool whole_pose = false;         // all that is not named below is as in the scene's pose
  std::vector<ScriptValue> values = {};
  std::optional<Vec3> travel = {};     // metres from where the scene has the root
  std::optional<double> heading = {};  // degrees to the left from where the scene has the root
  // "guest.travel (x, y, z)", of one of several figures; "guest.heading" is among the values.
  std::vector<std::pair<ScriptName, Vec3>> travels = {};
  Place place = {};
  int block = no_block;
};

// A handle moves along a curve through points, by arc length (motion/path.h).
struct ScriptPath {
  std::vector<Vec3> points = {};
  // The part of the length, 0 to 1, that is covered at some times; none: by `evenly`.
  std::vector<SpeedProfile::Key> progress = {};
  bool straight = false;  // with corners, else a spline
  bool evenly = false;    // at constant speed, else easing out of the first point and into the last
  // The orientation of the place meanwhile; nothing: free.
  std::optional<SceneOrientation> turned = {};
};

// The goal that moves along the path during the span. Rejected: a curve or times that are none (motion/path.h).
Expected<GoalAt> moving_along(const ScriptPath& path, const Span& span);

// The centre of mass over feet, where these are in the keys when the demand begins (problem/balance.h).
struct ScriptBalance {
  std::vector<ScriptName> feet = {};
  double margin = 0.0;
};

// A constraint on a place, and when it is active. Handle and goal are those of scenes (document/scene/scene.h).
struct ScriptDemand {
  Span span = {};
  SceneHandle handle = {};
  std::variant<SceneGoal, ScriptPath, ScriptBalance> goal = SceneHold{};
  // What may be done instead; of these, only handle, goal, name and places count.
  std::vector<ScriptDemand> others = {};
  double weight = 1.0;       // or limber::must
  ScriptName chain = {};     // where the chain begins; empty: all the way to the world
  std::string name = {};     // for the report: "hold left_heel"
  Place place = {};          // of the statement
  Place place_of_name = {};  // of the handle's place, and of the other one of a difference
  Place place_of_other = {};
  int block = no_block;
};

// stiff NAME NUMBER: how stiffly a parameter keeps to the keys (TimedProblem::set_stiffness). The name may be "travel",
// for all three translations of the root, or "heading".
struct ScriptStiffness {
  ScriptName parameter;
  double stiffness = 1.0;
};

struct MotionScript {
  std::string file_name = {};
  double rate = 30.0;  // frames per second
  std::optional<double> length = {};
  Place place_of_length = {};
  // At a time the keys' motion of another time is shown: the double interpolant of motion/sequence.h. None: as written.
  std::vector<TimingKnot> timing = {};
  std::vector<ScriptStiffness> stiffnesses = {};
  std::vector<ScriptBlock> blocks = {};
  std::vector<ScriptKey> keys = {};
  std::vector<ScriptDemand> demands = {};

  // Seconds: as written, else the last time of a demand and of a key in any pass, or of the timing in place of keys.
  double duration() const;
};

// These bound time and memory for any script; repeated blocks count each time.
inline constexpr double min_script_rate = 1e-3, max_script_rate = 1000.0;  // frames per second
inline constexpr std::size_t max_script_demands = 1024;                    // alternatives count each
inline constexpr std::size_t max_script_alternatives = 16;
inline constexpr std::size_t max_script_values = 65536;  // at keys, or in points of paths
inline constexpr double max_script_numbers = 0x1p20;     // frames times parameters
inline constexpr double max_script_goals = 0x1p22;       // frames times demands

// Rejects, with "walk.script:12:8": lines that are no statement, unknown or reversed times, and scripts beyond the
// bounds.
Expected<MotionScript> read_motion_script(std::string_view bytes, const std::string& file_name);

struct ScriptedMotion {
  Clip given;                    // by the keys alone
  TimedProblem problem;          // the scene's constraints all the time, then the script's
  std::vector<Note> notes = {};  // parts of the scene that a motion does not have
  // Clearance constraints of every frame, for clear_motion() (motion/timed/solve_motion.h) after the solve.
  std::vector<Clearance> clearances = {};
};

// Rejects, with line and column: names that the figure does not have, a mirrored block for a figure without mirror
// pairs, travel for a root that cannot translate; of the scene: strength limits, priorities, soft constraints, and a
// clearance with a finite weight.
Expected<ScriptedMotion> scripted_motion(const MotionScript& script, const Scene& scene);

// Adds a constraint of a scene, its balance over the feet of that pose, or its alternatives, during a span. Rejected: a
// pull, a clearance or a strength limit, and what TimedProblem::add rejects.
Expected<int> add_over_time(const Scene& scene, const SceneConstraint& constraint, const Pose& standing,
                            const Span& span, ConstraintOptions options, TimedProblem& problem);

// The given motion alone.
Expected<Clip> keyed_motion(const MotionScript& script, const Scene& scene);

// --- For the files of this folder --------------------------------------------------------------------------------

// One pass of a block: its delay, and where points and vectors go.
struct ScriptPass {
  double later = 0.0;
  Vec3 shift = Vec3::Zero();
  bool mirrored = false;
  Vec3 normal = Vec3::UnitX();  // of the plane of symmetry, through the origin

  Vec3 vector(const Vec3& v) const { return mirrored ? Vec3(v - 2.0 * normal.dot(v) * normal) : v; }
  Vec3 point(const Vec3& p) const { return vector(p) + shift; }
};
// The passes of a block; for no_block, one that changes nothing. Rejected: mirrored ones of several figures that do not
// share a plane of symmetry.
Expected<std::vector<ScriptPass>> passes_of(const MotionScript& script, int block, const Figure& figure);

// The root parameters that move a figure through the world: three translations, then, if any, a turn about the
// vertical.
struct ScriptCarrier {
  int slides[3] = {};                 // parameters
  Mat3 per_slide = Mat3::Identity();  // metres of travel per slide, in columns
  int turn = -1;                      // -1: it has none
  double turn_sign = 1.0;
  std::string travel = "travel", heading = "heading";  // their names: "guest.travel" of one of several figures
};
// Of the figure, or of each of several that have one.
std::vector<ScriptCarrier> carriers_of(const Figure& figure);

// A rejection at a place of the script.
std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, std::string found,
                                      std::string expected);
std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, const Diagnostic& why);

}  // namespace limber
