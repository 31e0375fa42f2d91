// A motion script: a few lines that say what a figure does, and when.                                        W93 7.2.1
//
//   Expected<MotionScript> script = read_motion_script(text, "walk.script");
//   Expected<ScriptedMotion> motion = scripted_motion(*script, scene);
//   Expected<SolvedMotion> solved = solve_motion(motion->problem, motion->given);
//
// A script has keys, of which a rough motion is made, and demands, each with the time while it is in force: "from
// strike until strike + 0.1 place left_heel at (0.09, 0, 0.65)". doc/motion_script.md has the grammar.
//
// A MotionScript keeps what was written, with times worked out and blocks not yet repeated; it knows no figure.
// scripted_motion() looks names up in the figure of a scene and repeats the blocks. In pass k of a block all times are
// k · every later, points lie k · shift further, and in every second pass of a mirrored block all is first exchanged
// with its image across the figure's plane of symmetry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "limber/document/scene/scene.h"
#include "limber/format/content/content.h"
#include "limber/motion/clip.h"
#include "limber/motion/ease.h"
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

// How a value goes from one key to the next that names it.
//
//   step     it stays, and jumps
//   linear   evenly
//   spline   a cubic that overshoots no key (Fritsch and Carlson 1980), at rest at the first key and the last
enum class KeyPath { step, linear, spline };

struct ScriptValue {
  ScriptName parameter;
  double value = 0.0;  // as written: degrees, or metres
};

// Values at a time. A key says nothing of what it does not name.
struct ScriptKey {
  double time = 0.0;
  KeyPath path = KeyPath::spline;  // of the way that begins here
  Ease ease = {};                  // in seconds, of that way
  bool whole_pose = false;         // all that is not named below is as in the scene's pose
  std::vector<ScriptValue> values = {};
  std::optional<Vec3> travel = {};     // metres from where the scene has the root
  std::optional<double> heading = {};  // degrees to the left from where the scene has the root
  Place place = {};
  int block = no_block;
};

// A handle is led along points, by the way travelled (motion/space_curve.h).
struct ScriptPath {
  std::vector<Vec3> points = {};
  bool straight = false;  // with corners, else a spline
  bool evenly = false;    // at one speed, else gently out of the first point and into the last
  // Where the place points meanwhile; nothing where that is left open.
  std::optional<SceneOrientation> turned = {};
};

// What is asked of a place, and when. Handle and goal are those of scenes (format/scene.h).
struct ScriptDemand {
  Span span = {};
  SceneHandle handle = {};
  std::variant<SceneGoal, ScriptPath> goal = SceneHold{};
  double weight = 1.0;       // or limber::must
  ScriptName chain = {};     // where the chain begins; empty: all the way to the world
  std::string name = {};     // for the report: "hold left_heel"
  Place place = {};          // of the statement
  Place place_of_name = {};  // of the handle's place, and of the other one of a difference
  Place place_of_other = {};
  int block = no_block;
};

// stiff NAME NUMBER: how stiffly a parameter keeps to the keys (TimedProblem::set_stiffness). The name may be "travel",
// for all three ways that the root slides, or "heading".
struct ScriptStiffness {
  ScriptName parameter;
  double stiffness = 1.0;
};

struct MotionScript {
  std::string file_name = {};
  double rate = 30.0;  // frames a second
  std::optional<double> length = {};
  Place place_of_length = {};
  std::vector<ScriptStiffness> stiffnesses = {};
  std::vector<ScriptBlock> blocks = {};
  std::vector<ScriptKey> keys = {};
  std::vector<ScriptDemand> demands = {};

  // Seconds: as written, else the last time of a key or a demand in any pass.
  double duration() const;
};

// These keep time and memory in bounds, whatever a script says; with blocks repeated.
inline constexpr double min_script_rate = 1e-3, max_script_rate = 1000.0;  // frames a second
inline constexpr std::size_t max_script_demands = 1024;
inline constexpr std::size_t max_script_values = 65536;  // at keys, or in points of ways
inline constexpr double max_script_numbers = 0x1p20;     // frames times parameters

// Rejected with "walk.script:12:8": what is no statement, times that are not known yet or run backwards, and what
// exceeds the bounds.
Expected<MotionScript> read_motion_script(std::string_view bytes, const std::string& file_name);

struct ScriptedMotion {
  Clip given;                    // what the keys say
  TimedProblem problem;          // what is asked: the scene's constraints all the time, then the script's
  std::vector<Note> notes = {};  // parts of the scene that a motion does not have
  // What every frame keeps clear of: clear_motion() (motion/timed/clear_motion.h) sees to it, of what is solved.
  std::vector<Clearance> clearances = {};
};

// Rejected, with line and column: names that the figure does not have, a mirrored block for one without mirror pairs,
// travel for one whose root cannot; of the scene: alternatives, balance, priorities, what gives way, and a clearance
// that need not hold.
Expected<ScriptedMotion> scripted_motion(const MotionScript& script, const Scene& scene);

// The given motion alone.
Expected<Clip> keyed_motion(const MotionScript& script, const Scene& scene);

// --- For the files of this folder --------------------------------------------------------------------------------

// One pass of a block: how what was written is to be taken.
struct ScriptPass {
  double later = 0.0;
  Vec3 shift = Vec3::Zero();
  bool mirrored = false;
  Vec3 normal = Vec3::UnitX();  // of the plane of symmetry, through the origin

  Vec3 vector(const Vec3& v) const { return mirrored ? Vec3(v - 2.0 * normal.dot(v) * normal) : v; }
  Vec3 point(const Vec3& p) const { return vector(p) + shift; }
};
// The passes of a block; for no_block, one that changes nothing.
std::vector<ScriptPass> passes_of(const MotionScript& script, int block, const Figure& figure);

// What carries a figure through the world: three slides, then, if it is so, a turn about the vertical.
struct ScriptCarrier {
  int slides[3] = {};                 // parameters
  Mat3 per_slide = Mat3::Identity();  // metres of travel by each slide, in columns
  int turn = -1;                      // -1: it has none
  double turn_sign = 1.0;
};
std::optional<ScriptCarrier> carrier_of(const Figure& figure);

// A rejection at a place of the script.
std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, std::string found,
                                      std::string expected);
std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, const Diagnostic& why);

}  // namespace limber
