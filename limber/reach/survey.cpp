#include "limber/reach/survey.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Cells per wave: enough for all cores, few enough for a quick stop.
constexpr std::size_t max_jobs = 16384;
// Minimum length of the box in coarsest cells.
constexpr double coarse_parts = 12.0;
constexpr double void_parts = 24.0;
constexpr int max_levels = 10;
// A start with every parameter this near to a tried one leads to the same result: radians, or relative to the figure's
// length.
constexpr double start_distance = 0.2;
// The bit of ReachCell::tried for starts all over the limits, after those of the neighbours.
constexpr int restart_bit = 26;

CellIndex halved(const CellIndex& at) { return {at[0] >> 1, at[1] >> 1, at[2] >> 1}; }

// The opposite direction, in the order of neighbour_directions().
int opposite(int direction) {
  if (direction < 6) return 5 - direction;
  return direction < 18 ? 23 - direction : 43 - direction;
}

}  // namespace

ReachSurvey::ReachSurvey(const Problem& problem, const ReachBounds& bounds, const ReachOptions& options, ReachMap& map)
    : problem_(problem),
      bounds_(bounds),
      options_(options),
      map_(map),
      check_(problem, problem.constraints().size() - 1, {map.tolerance, radians(options.met_degrees)}),
      solver_(problem, options, map.tolerance) {
  is_plain_ = !options.orientation;
  for (std::size_t c = 0; c + 1 < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (constraint.counts() && !constraint.soft && !constraint.pull()) is_plain_ = false;
  }
  for (const int j : map.variables)
    start_distances_.push_back(start_distance * (problem.figure().parameters()[static_cast<std::size_t>(j)].translates
                                                     ? problem.figure().length()
                                                     : 1.0));
  set_void_side();
  for (std::size_t id = 0; id < map.cells.size(); ++id)
    if (map.cells[id].is_leaf()) open_.insert(static_cast<int>(id));
}

void ReachSurvey::lay_out(const ReachBounds::Box& box) {
  const double longest = (box.max - box.min).maxCoeff();
  while (map_.levels < max_levels && map_.side(map_.levels + 1) * coarse_parts <= longest) ++map_.levels;
  const double side = map_.side(map_.levels);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    map_.first[k] = static_cast<std::int32_t>(std::floor(box.min[axis] / side));
    map_.count[k] = static_cast<std::int32_t>(std::floor(box.max[axis] / side)) - map_.first[k] + 1;
  }
  set_void_side();
  for (int z = 0; z < map_.count[2]; ++z)
    for (int y = 0; y < map_.count[1]; ++y)
      for (int x = 0; x < map_.count[0]; ++x) {
        ReachCell coarse;
        coarse.at = {map_.first[0] + x, map_.first[1] + y, map_.first[2] + z};
        coarse.level = map_.levels;
        map_.cells.push_back(coarse);
        begin(static_cast<int>(map_.cells.size()) - 1);
      }
}

void ReachSurvey::set_void_side() {
  const int longest = *std::max_element(map_.count.begin(), map_.count.end());
  void_side_ = longest * map_.side(map_.levels) / void_parts;
}

int ReachSurvey::parent_of(const ReachCell& of) const {
  return of.level == map_.levels ? -1 : map_.find(of.level + 1, halved(of.at));
}

// --- Waves -------------------------------------------------------------------------------------------------------

bool ReachSurvey::is_open(const ReachCell& of) const {
  return of.is_leaf() && of.state != Reach::reached && !(of.proved && of.state == Reach::not_reached);
}

// Whether the pose of a neighbour is close to that of another neighbour, which was tried already.
bool ReachSurvey::was_tried(const ReachCell& of, int other) const {
  const std::size_t n = map_.variables.size();
  const double* const a =
      map_.poses.data() + static_cast<std::size_t>(map_.cells[static_cast<std::size_t>(other)].pose) * n;
  for (std::size_t k = 0; k < neighbour_directions().size(); ++k) {
    if (!(of.tried >> k & 1U)) continue;
    const ReachCell& before = map_.cells[static_cast<std::size_t>(map_.neighbour(of, neighbour_directions()[k]))];
    if (before.state != Reach::reached) continue;  // divided since
    const double* const b = map_.poses.data() + static_cast<std::size_t>(before.pose) * n;
    std::size_t i = 0;
    while (i < n && std::fabs(a[i] - b[i]) <= start_distances_[i]) ++i;
    if (i == n) return true;
  }
  return false;
}

// The next untried start of this cell. False if there is none.
bool ReachSurvey::next_job(int id, Job& job) const {
  const ReachCell& of = map_.cells[static_cast<std::size_t>(id)];
  if (!is_open(of)) return false;
  const auto& directions = neighbour_directions();
  const bool is_new = of.solves == 0 && of.state == Reach::undecided;
  if (is_new && of.level < map_.levels) {
    job = {id, parent_of(of), -1};
    if (map_.cells[static_cast<std::size_t>(job.seed)].pose >= 0) return true;
  }
  for (int k = 0; k < static_cast<int>(directions.size()); ++k) {
    if (of.tried >> k & 1U) continue;
    const int other = map_.neighbour(of, directions[static_cast<std::size_t>(k)]);
    if (other < 0 || map_.cells[static_cast<std::size_t>(other)].state != Reach::reached) continue;
    if (was_tried(of, other)) continue;
    job = {id, other, k};
    return true;
  }
  job = {id, -1, restart_bit};
  return (is_new || of.level == map_.levels) && !(of.tried >> restart_bit & 1U);
}

// Starts from neighbours come first; starts all over the limits only when there are no others.
std::vector<ReachSurvey::Job> ReachSurvey::next_wave() {
  std::vector<Job> jobs, restarts;
  for (auto id = open_.begin(); id != open_.end() && jobs.size() < max_jobs;) {
    Job job;
    if (!next_job(*id, job)) {
      id = open_.erase(id);
      continue;
    }
    (job.seed < 0 ? restarts : jobs).push_back(job);
    ++id;
  }
  if (!jobs.empty()) return jobs;
  if (restarts.size() > max_jobs) restarts.resize(max_jobs);
  return restarts;
}

Expected<void> ReachSurvey::solve(const std::vector<Job>& jobs) {
  return solve(jobs, jobs.front().seed < 0 ? options_.restarts : 0);
}

Expected<void> ReachSurvey::solve(std::span<const Job> jobs, int restarts) {
  const std::size_t constraints = problem_.constraints().size();
  goals_.clear();
  ReachWave wave{{}, MatX(map_.base.size(), static_cast<Eigen::Index>(jobs.size())), restarts};
  for (std::size_t p = 0; p < jobs.size(); ++p) {
    wave.points.push_back(map_.centre(cell(jobs[p].cell)));
    solver_.add_goals_at(wave.points.back(), goals_);
    wave.starts.col(static_cast<Eigen::Index>(p)) = jobs[p].seed < 0 ? map_.base : map_.pose(cell(jobs[p].seed)).theta;
  }
  const Expected<ReachAnswers> done =
      options_.solve ? options_.solve(wave) : solver_.solve(goals_, std::move(wave.starts), restarts);
  if (!done) return std::unexpected(done.error());
  if (done->answers.size() != jobs.size() || done->poses.rows() != map_.base.size() ||
      done->poses.cols() != static_cast<Eigen::Index>(jobs.size()))
    return reject("options, solve", std::to_string(done->answers.size()) + " answers",
                  std::to_string(jobs.size()) + ", with a pose each");
  for (std::size_t p = 0; p < jobs.size(); ++p)
    take(jobs[p], done->poses.col(static_cast<Eigen::Index>(p)),
         std::span(goals_).subspan(p * constraints, constraints), done->answers[p]);
  progress_.solves += jobs.size();
  return {};
}

void ReachSurvey::keep(int id, const VecX& theta, const WitnessCheck::Result& result) {
  ReachCell& of = cell(id);
  const std::size_t n = map_.variables.size();
  const int parent = parent_of(of);
  if (of.pose < 0 || (parent >= 0 && of.pose == cell(parent).pose)) {
    of.pose = static_cast<std::int32_t>(map_.poses.size() / std::max<std::size_t>(1, n));
    map_.poses.resize(map_.poses.size() + n);
  }
  for (std::size_t i = 0; i < n; ++i) map_.poses[static_cast<std::size_t>(of.pose) * n + i] = theta[map_.variables[i]];
  of.distance = (result.handle - map_.centre(of)).norm();
  of.handle = result.handle;
  of.others_met = result.others_met;
  of.touched = !result.is_met && result.others_met && map_.contains(of, result.handle);
}

void ReachSurvey::take(const Job& job, const VecX& theta, std::span<const Goal> goals, const ReachAnswer& answer) {
  ReachCell& of = cell(job.cell);
  const WitnessCheck::Result result = check_(theta, goals);
  ++of.solves;
  if (job.bit >= 0) of.tried |= 1U << job.bit;
  if (result.is_met) {
    keep(job.cell, theta, result);
    of.state = Reach::reached;
    of.held_back_by = {};
    spread_from(job.cell);
    return;
  }
  if (answer.has_ended || of.proved) of.state = Reach::not_reached;
  const bool is_better =
      result.others_met != of.others_met ? result.others_met : result.metres < of.distance || of.pose < 0;
  if (!result.limits_kept || !is_better) return;
  keep(job.cell, theta, result);
  of.held_back_by = answer.held_back_by;
}

// The neighbours of a newly reached cell have a new start.
void ReachSurvey::spread_from(int id) {
  const ReachCell& of = map_.cells[static_cast<std::size_t>(id)];
  for (int k = 0; k < static_cast<int>(neighbour_directions().size()); ++k) {
    const int other = map_.neighbour(of, neighbour_directions()[static_cast<std::size_t>(k)]);
    if (other < 0) continue;
    // A previous try from there used the pose of this cell's parent.
    if (cell(other).level == of.level) cell(other).tried &= ~(1U << opposite(k));
  }
  open_around(id);
}

// All cells with jobs must be open, however fine: a wave must depend on the map alone.
void ReachSurvey::open_around(int id) {
  std::vector<int> pending;
  for (const CellIndex& direction : neighbour_directions())
    if (const int other = map_.neighbour(cell(id), direction); other >= 0) pending.push_back(other);
  while (!pending.empty()) {
    const int next = pending.back();
    pending.pop_back();
    if (is_open(cell(next))) open_.insert(next);
    if (cell(next).is_leaf()) continue;
    for (int child = 0; child < 8; ++child) pending.push_back(cell(next).first_child + child);
  }
}

Expected<void> ReachSurvey::run() {
  while (!map_.finished) {
    const std::vector<Job> jobs = next_wave();
    if (jobs.empty()) {
      map_.finished = !refine();
      continue;
    }
    if (const Expected<void> done = solve(jobs); !done) return done;
    ++progress_.wave;
    progress_.cells = map_.cells.size();
    progress_.open = open_.size();
    if (options_.after_wave && !options_.after_wave(progress_)) return {};
  }
  return {};
}

}  // namespace limber
