// Natural poses: recorded motions of people of whom nothing was learned. Goals say where head, hands and feet are, with
// or without the pelvis, each with or without the orientation of the ends; the error is the distance of all other
// joints from where they were recorded.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/task.h"
#include "limber/kinematics/forward.h"
#include "limber/posing/proposal.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

// Where goals stay unmet.
constexpr int restarts = 100, iterations = 10'000;
constexpr int quick_stride = 22;           // of takes
constexpr double same_pose_metres = 0.01;  // two solves of a frame differ if a joint is farther away

enum class Way { minimum_change, mean_pose, prior, proposal_alone, proposal };
struct NamedWay {
  Way way;
  const char* name;
};
constexpr NamedWay ways[] = {{Way::minimum_change, "minimum change"},
                             {Way::mean_pose, "mean pose"},
                             {Way::prior, "prior"},
                             {Way::proposal_alone, "proposal alone"},
                             {Way::proposal, "proposal and solve"}};

struct Given {
  bool pelvis = false, turned = false;
  std::string name() const { return std::string(pelvis ? "ends, pelvis" : "ends") + (turned ? ", orientations" : ""); }
};
constexpr Given given_sets[] = {{false, false}, {true, false}, {false, true}, {true, true}};

// Segments with an origin of their own that is not one of the given places.
std::vector<int> joints_not_given(const Figure& figure, const std::vector<Handle>& given) {
  const Kinematics rest = forward(figure, figure.rest());
  std::vector<Vec3> taken;
  taken.reserve(given.size() + figure.segments().size());
  for (const Handle& handle : given) taken.push_back(evaluate(figure, rest, handle.plus[0]));
  std::vector<int> joints;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Vec3& p = rest.segments[s].p;
    if (std::ranges::any_of(taken, [&](const Vec3& other) { return (other - p).norm() < 1e-6; })) continue;
    taken.push_back(p);
    joints.push_back(static_cast<int>(s));
  }
  return joints;
}

// Soft, towards the mean of what was learned, each angle by its own spread.
PullByStiffness towards_mean(const Figure& figure, const PoseModel& model) {
  PullByStiffness pull{figure.rest().theta, VecX::Zero(figure.rest().theta.size())};
  const double a = metres_per_spread * figure.length();
  for (std::size_t k = 0; k < model.body().columns.size(); ++k)
    if (const Expected<int> j = figure.find_parameter(model.body().columns[k])) {
      const double spread = model.spread()[static_cast<Eigen::Index>(k)];
      pull.target[*j] = model.mean()[static_cast<Eigen::Index>(k)];
      pull.stiffness[*j] = a * a / (spread * spread);
    }
  return pull;
}

// One way of solving frames of one figure.
class FrameSolver {
 public:
  static Expected<std::unique_ptr<FrameSolver>> make(const Figure& figure, Way way, const Given& given) {
    auto solver = std::make_unique<FrameSolver>(figure, way);
    for (const std::string& place : cli::places_of({"head", "hands", "feet"}))
      if (Expected<void> added = solver->add(given.turned ? figure.frame(place) : figure.point(place)); !added)
        return std::unexpected(added.error());
    if (given.pelvis)
      if (Expected<void> added = solver->add(figure.point("pelvis")); !added) return std::unexpected(added.error());
    if (Expected<void> pulled = solver->add_pulls(figure); !pulled) return std::unexpected(pulled.error());
    solver->solver_.emplace(solver->problem_);
    return solver;
  }
  FrameSolver(const Figure& figure, Way way) : way_(way), problem_(figure) {}

  const std::vector<Handle>& handles() const { return handles_; }

  // Sets the goals from a pose of which all segments are known.
  Expected<void> aim(const Kinematics& recorded) {
    for (std::size_t k = 0; k < handles_.size(); ++k) {
      Vec3 x[max_elements];
      evaluate(problem_.figure(), recorded, handles_[k], x);
      const bool turned = handles_[k].shape == Shape::frame;
      if (Expected<void> set =
              problem_.set_goal(ids_[k], turned ? Goal(Placement{x[0], {x[1], x[2]}}) : Goal(Position{x[0]}));
          !set)
        return set;
      const auto segment = static_cast<std::size_t>(handles_[k].plus[0].segment);
      asked_[k].p_world = x[0];
      if (turned) asked_[k].R_world_segment = recorded.segments[segment].R;
    }
    return {};
  }

  // From this pose, or from the way's own start.
  bool solve(Pose& pose, bool own_start) {
    if (proposer_) {
      proposer_->propose(asked_, nullptr);
      if (own_start) pose = proposer_->pose();
      complete(pose);
      if (way_ == Way::proposal_alone) return false;
      if (!proposer_->aim(problem_)) return false;
    }
    return solver_->solve(pose, {.iterations = iterations, .restarts = restarts}).met();
  }

 private:
  // Joints that no goal moves, such as a thumb, take their proposed angles.
  void complete(Pose& pose) const {
    VecX theta = proposer_->pose().theta;
    for (const int j : problem_.variables()) theta[j] = pose.theta[j];
    pose.theta = theta;
  }

  Expected<void> add(const Expected<Handle>& handle) {
    if (!handle) return std::unexpected(handle.error());
    const Goal goal = handle->shape == Shape::frame ? Goal(Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}})
                                                    : Goal(Position{});
    const Expected<ConstraintId> id = problem_.add(handle, goal);
    if (!id) return std::unexpected(id.error());
    handles_.push_back(*handle);
    ids_.push_back(*id);
    AskedPoint point;
    point.segment = handle->plus[0].segment;
    point.local = handle->plus[0].local;
    asked_.push_back(point);
    return {};
  }

  Expected<void> add_pulls(const Figure& figure) {
    if (way_ == Way::prior) return problem_.add_prior();
    if (way_ == Way::minimum_change) return {};
    const Expected<PoseModel>& model = PoseModel::embedded();
    if (!model) return std::unexpected(model.error());
    if (way_ == Way::mean_pose) {
      const Expected<ConstraintId> id = problem_.add_pull(towards_mean(figure, *model), {.soft = true});
      return id ? Expected<void>{} : std::unexpected(id.error());
    }
    Expected<Proposer> proposer = Proposer::make(figure);
    if (!proposer) return std::unexpected(proposer.error());
    proposer_.emplace(std::move(*proposer));
    // The weights depend on what is asked.
    if (Expected<void> aimed = aim(forward(figure, figure.rest())); !aimed) return aimed;
    proposer_->propose(asked_, nullptr);
    return proposer_->add_to(problem_);
  }

  Way way_;
  Problem problem_;
  std::vector<Handle> handles_;
  std::vector<ConstraintId> ids_;
  std::vector<AskedPoint> asked_;
  std::optional<Proposer> proposer_;
  std::optional<Solver> solver_;
};

// Over all frames of all takes.
struct Sum {
  std::vector<double> cm, us;
  int frames = 0, met = 0, differ = 0;
  double shaking = 0.0, recorded_shaking = 0.0;  // second differences of all joints not given

  BenchRow row(const Way way, const std::string& given) const {
    const bool solves = way != Way::proposal_alone;
    BenchRow row = {{"way", name_of(way)},
                    {"given", given},
                    {"error cm", mean_of(cm)},
                    {"p95 error cm", quantile(cm, 0.95)},
                    {"goals met %", nullptr},
                    {"warm differs %", nullptr},
                    {"jitter", shaking / recorded_shaking},
                    {"mean us", mean_of(us)},
                    {"median us", quantile(us, 0.5)}};
    if (solves) row["goals met %"] = 100.0 * met / frames;
    if (solves) row["warm differs %"] = 100.0 * differ / frames;
    return row;
  }
  static const char* name_of(Way way) { return std::ranges::find(ways, way, &NamedWay::way)->name; }
};

using Places = std::vector<Vec3>;

double shaking(const Places& before, const Places& now, const Places& after) {
  double sum = 0.0;
  for (std::size_t k = 0; k < now.size(); ++k) sum += (before[k] - 2.0 * now[k] + after[k]).norm();
  return sum;
}

// Solves a take frame by frame, each frame from the last one and on its own. Without a proposal, a frame on its own
// begins at rest, which is what is measured with a prior; without a prior the frame before is needed.
Expected<void> measure(const Figure& figure, const Clip& take, Way way, FrameSolver& solver, Sum& sum) {
  const std::vector<int> joints = joints_not_given(figure, solver.handles());
  Kinematics was(figure), is(figure);
  VecX q;
  const auto places = [&](const Pose& pose, Kinematics& state) {
    figure.angles(pose.theta, q);
    forward(figure, q, state);
    Places all;
    for (const int s : joints) all.push_back(state.segments[static_cast<std::size_t>(s)].p);
    return all;
  };
  std::vector<Places> recorded, solved;
  Pose warm = figure.rest();
  for (int k = 0; k < take.frames(); ++k) {
    recorded.push_back(places(take.pose(k), was));
    if (Expected<void> aimed = solver.aim(was); !aimed) return aimed;
    Pose cold = figure.rest();
    const auto start = Clock::now();
    bool met = solver.solve(cold, true);
    double us = microseconds_since(start);
    if (way != Way::proposal_alone) {
      const auto again = Clock::now();
      const bool warm_met = solver.solve(warm, k == 0);
      if (way == Way::minimum_change) {
        us = microseconds_since(again);
        met = warm_met;
      }
    }
    const Places cold_places = places(cold, is), warm_places = places(warm, is);
    double difference = 0.0;
    for (std::size_t j = 0; j < joints.size(); ++j)
      difference = std::max(difference, (cold_places[j] - warm_places[j]).norm());
    solved.push_back(way == Way::minimum_change ? warm_places : cold_places);
    for (std::size_t j = 0; j < joints.size(); ++j)
      sum.cm.push_back(100.0 * (solved.back()[j] - recorded.back()[j]).norm());
    sum.us.push_back(us);
    sum.met += met;
    sum.differ += difference > same_pose_metres;
    ++sum.frames;
  }
  for (std::size_t k = 1; k + 1 < solved.size(); ++k) {
    sum.shaking += shaking(solved[k - 1], solved[k], solved[k + 1]);
    sum.recorded_shaking += shaking(recorded[k - 1], recorded[k], recorded[k + 1]);
  }
  return {};
}

// The mean over the goal sets of each number.
BenchRow mean_row(const std::vector<BenchRow>& rows) {
  BenchRow mean = rows.front();
  mean["given"] = "mean";
  for (auto& [key, value] : mean.items()) {
    if (!value.is_number()) continue;
    double sum = 0.0;
    for (const BenchRow& row : rows) sum += row[key].get<double>();
    value = sum / static_cast<double>(rows.size());
  }
  return mean;
}

}  // namespace

std::expected<Table, Failure> bench_natural(const TaskOptions& task) {
  Table table{"natural", "distance of the joints that are not given from their recorded positions; motions at 30 Hz"};
  const std::expected<Takes, Failure> takes = recorded_takes(task.data);
  if (!takes) return std::unexpected(takes.error());
  for (const NamedWay& way : ways) {
    std::vector<BenchRow> rows;
    for (const Given& given : given_sets) {
      Expected<std::unique_ptr<FrameSolver>> solver = FrameSolver::make(takes->figure, way.way, given);
      if (!solver) return std::unexpected(Failure{solver.error(), cli::internal});
      Sum sum;
      for (std::size_t k = 0; k < takes->clips.size(); k += task.quick ? quick_stride : 1)
        if (const Expected<void> done = measure(takes->figure, takes->clips[k], way.way, **solver, sum); !done)
          return std::unexpected(Failure{done.error(), cli::internal});
      rows.push_back(sum.row(way.way, given.name()));
    }
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
    table.rows.push_back(mean_row(rows));
  }
  return table;
}

}  // namespace limber::bench
