// A scene: a figure or several (figure/join.h), its pose, its constraints, and options of the solver. One JSON
// document; doc/scene.md has every field.
//
//   Expected<Scene> scene = read_scene(text, "reach.json");
//   Expected<Problem> problem = problem_of(*scene);
//   Report report = solve(*problem, scene->pose, scene->options);
//   text = write_scene(*scene);
//
// A scene keeps what a person wrote: places by name, a box as a box, importance in degrees per metre.
// problem_of() turns that into handles and goals. Text in and text out; files are the caller's.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "limber/assess/assessment.h"
#include "limber/format/figure/figure_file.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"

namespace limber {

struct SceneHandle {
  enum class Kind { point, direction, ray, frame, mass_centre, difference };
  Kind kind = Kind::frame;
  // A site, segment or joint; of a centre of mass: one of several figures, or nothing for the whole.
  std::string place = {};
  Vec3 local = Vec3::UnitX();        // of a direction, at the place
  std::vector<SceneHandle> of = {};  // of a difference: two, not differences themselves
};

inline constexpr double default_degrees_per_metre = 100.0;

struct SceneDirection {
  Vec3 v = Vec3::UnitX();
  double degrees_per_metre = default_degrees_per_metre;
};

// A missing direction is free; one must be given.
struct SceneOrientation {
  std::optional<Vec3> x;
  std::optional<Vec3> y;
  double degrees_per_metre = default_degrees_per_metre;
  std::optional<double> degrees_per_metre_y = {};  // of y, where it counts otherwise than x              ZB94 (9)
};

struct ScenePlacement {
  Vec3 p = Vec3::Zero();
  SceneOrientation orientation = {};
  double w_p = 0.5;  // share of the position; the orientation has the rest
};

struct SceneAimAt {
  Vec3 p = Vec3::Zero();
  double degrees_per_metre = default_degrees_per_metre;
};

struct SceneSphere {
  Vec3 centre = Vec3::Zero();
  double radius = 1.0;
};

// Edges along the axes of its frame, centre at its origin.
struct SceneBox {
  Frame frame = {};
  Vec3 size = Vec3::Ones();
};

struct ScenePolyhedron {
  std::vector<Face> faces = {};
};

struct SceneRegion {
  enum class Side { inside, outside };
  Side side = Side::inside;
  std::variant<SceneSphere, Capsule, SceneBox, ScenePolyhedron> region = {};
};

// The difference is zero.
struct SceneCoincide {
  double degrees_per_metre = default_degrees_per_metre;
};

struct SceneHold {
  double degrees_per_metre = default_degrees_per_metre;
};

using SceneGoal = std::variant<Position, SceneDirection, SceneOrientation, ScenePlacement, SceneAimAt, Line, Plane,
                               HalfSpace, Distance, SceneRegion, SceneCoincide, SceneHold>;

struct SceneAlternative {
  SceneHandle handle;
  SceneGoal goal;
};

// The centre of mass over these feet, as they stand in the scene's pose (problem/balance.h).
struct SceneBalance {
  std::vector<std::string> feet = {};
  double margin = 0.0;
};

// A regulariser: a pull towards the rest pose, the middle of the limits, the scene's pose, comfort (assess/comfort.h),
// or another pose.
struct ScenePull {
  enum class Towards { rest, middle, start, comfort, pose };
  Towards towards = Towards::rest;
  // Of another pose, by parameter, in radians or metres; all others are at rest.
  std::vector<std::pair<std::string, double>> pose = {};
};

// Obstacles (obstacle/obstacle.h), each in a frame of its own.
struct SceneFloor {};  // all below the frame's plane y = 0
struct SceneBall {
  double radius = 1.0;
};
struct SceneBlock {
  Vec3 size = Vec3::Ones();
};
struct SceneHull {
  std::vector<Vec3> points = {};
};
struct SceneMesh {
  std::vector<Vec3> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};
};
// Another figure, in a pose of its own (obstacle/body.h).
struct SceneBody {
  std::shared_ptr<const SourcedFigure> figure = {};
  // By parameter, in radians or metres; all others are at rest.
  std::vector<std::pair<std::string, double>> pose = {};
};
struct SceneObstacle {
  std::string name = {};
  std::variant<SceneFloor, SceneBall, Capsule, SceneBlock, SceneHull, SceneMesh, SceneBody> shape = {};
  Frame frame = {};
};

// The figure keeps clear of obstacles and of itself (problem/problem.h).
struct SceneClearance {
  std::optional<std::vector<std::string>> of = {};  // obstacles by name; nothing: all
  bool self = false;
  // Pairs of bodies that keep clear of each other: of several figures by name, or of segments with all below them.
  std::vector<std::pair<std::string, std::string>> between = {};
  double margin = 0.0;
  // Empty: computed from the figure's lengths and masses. Of several figures, only those are replaced that have some.
  std::vector<SegmentCapsule> capsules = {};
};

// Joint torques are kept within a share of the strength (problem/problem.h, assess/strength.h).
struct SceneStrength {
  std::vector<SharedLoad> loads = {};
  double share = 1.0;
  double percentile = 50.0;
  std::optional<Sex> sex = {};  // of the published strength; nothing: that of the figure
  CarriedBy carried_by = CarriedBy::usual;
  std::optional<StrengthTable> rows = {};  // in place of the published strength
};

using SceneGoals = std::vector<SceneAlternative>;  // one, or several of which one must be met

struct SceneConstraint {
  std::string name = {};  // empty: made from `what`
  std::variant<SceneGoals, SceneBalance, ScenePull, SceneClearance, SceneStrength> what = {};
  double weight = 1.0;         // or limber::must
  int priority = first_level;  // 1 comes before 2, and so on
  std::string from = {};       // the first joint of the chain; empty: all the way to the world
  bool enabled = true;
  bool soft = false;    // its weight decreases until the others are met
  MatX weighting = {};  // W of EE09 (6), over the rows of its goal; empty: the identity

  // Its handle and goal, where that is all it has.
  const SceneAlternative* sole_goal() const {
    const SceneGoals* goals = std::get_if<SceneGoals>(&what);
    return goals && goals->size() == 1 ? &goals->front() : nullptr;
  }
};

struct Scene {
  std::string title = {};
  Figure figure;
  FigureSource source = InlineFigure{};
  // The place from which the figure of the source is hung (kinematics/forward.h); empty: its own root. An inline figure
  // is written as it is hung.
  std::string root = {};
  Pose pose;
  std::vector<std::pair<std::string, double>> rigidities = {};   // by parameter, besides the figure's own
  std::vector<std::pair<std::string, double>> stiffnesses = {};  // by parameter; default 0
  std::vector<SceneObstacle> obstacles = {};
  std::vector<SceneConstraint> constraints = {};
  double natural = 0.0;  // weight of the figure's prior; 0: none
  Options options = {};
  // Parameters of the scene's own figure that the one posed in its place does not have: pose, rigidity and stiffness
  // leave them out.
  std::vector<std::string> left_out = {};

  // At rest, without constraints. `how` must be the source of the figure.
  explicit Scene(Figure f, FigureSource how = InlineFigure{})
      : figure(std::move(f)), source(std::move(how)), pose(figure.rest()) {}
};

// A problem has a dense matrix over its parameters and looks at every chain; these keep time and memory in
// proportion to the file. A scene with more is rejected. A balance counts as a goal for every place on the ground, a
// pull as one for every parameter.
inline constexpr std::size_t max_scene_parameters = 1536;
inline constexpr std::size_t max_scene_variables = 1024;   // parameters that constraints move
inline constexpr std::size_t max_scene_slopes = 0x100000;  // numbers in errors times these parameters
inline constexpr std::size_t max_scene_alternatives = 4096;
inline constexpr std::size_t max_scene_feet = 64;  // of one balance
inline constexpr std::size_t max_scene_obstacles = 256;
inline constexpr std::size_t max_scene_body_parts = 1024;  // capsules of all figures that are obstacles

// `file_name` stands before line and column in a rejection: "reach.json:12:8: /constraints/0/goal/position".
// A scene that is read makes a problem: problem_of() accepts it.
// `load` gives the figure where the scene names a file; `instead` is posed in place of the scene's own figure.
Expected<Scene> read_scene(std::string_view text, const std::string& file_name, const FigureLoader& load = {},
                           const SourcedFigure* instead = nullptr);

// The scene with its figure hung from another segment, in the same place. The problem may be rejected: constraints and
// rigidities may name a joint or parameter of the old root.
Expected<Scene> hung_from(const Scene& scene, std::string_view place);

// read_scene() gives the same scene again: numbers to the last bit where they came from a file or are
// lengths; angles that came from elsewhere to the last but one.
std::string write_scene(const Scene& scene);

// The constraints in the order of the scene, also those not enabled; then those of the figure's prior; last, if any
// stiffness is set, the pull towards the scene's pose.
Expected<Problem> problem_of(const Scene& scene);

// The weight of that pull: a goal that only a stiff joint can meet is still met within a millimetre or so.
inline constexpr double stiffness_weight = 3e-5;
inline constexpr double max_stiffness = 1000.0;
// By parameter of the figure.
VecX stiffness_of(const Scene& scene);

// Parts of that.
Expected<Handle> handle_of(const Figure& figure, const SceneHandle& handle);
Goal goal_of(const SceneGoal& goal);
PosePull pull_of(const Scene& scene, const ScenePull& pull);
// One, or for a figure one per capsule.
Expected<std::vector<Obstacle>> obstacles_of(const SceneObstacle& obstacle);
Expected<Clearance> clearance_of(const Scene& scene, const SceneClearance& clearance);
Expected<StrengthLimit> strength_of(const Scene& scene, const SceneStrength& strength);
Expected<ConstraintId> add_constraint(Problem& problem, const Scene& scene, const SceneConstraint& constraint);

}  // namespace limber
