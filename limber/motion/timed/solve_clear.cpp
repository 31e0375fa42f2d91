#include <algorithm>
#include <tuple>

#include "limber/base/index.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/frame_program.h"
#include "limber/motion/timed/passages.h"
#include "limber/motion/timed/program.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

namespace {

// Of constraints that only extend the chains.
constexpr double chain_weight = 1e-9;
// Between two frames, a clearance may be short of its margin by this much, in lengths of the figure.
constexpr double between_tolerance = 1e-6;
// Ways around the obstacles, and exchanges of stations for each: more than the minimum only while there are new ones or
// they help.
constexpr int max_ways = 4, min_exchanges = 3, max_exchanges = 9;
constexpr int max_passage_iterations = 25, max_contact_iterations = 40;
// Changes below this are rounding, in radians or metres.
constexpr double unchanged = 1e-9;
// Overlaps for which the demands that contradict them are looked for.
constexpr int max_explained = 16;
constexpr std::size_t max_tries = 3;  // of consecutive ones
// In smoothing times: contacts that are farther apart are cleared one after the other; and how far around them frames
// may change, at first and if that was not enough.
constexpr double part_gap = 2.0, part_margins[] = {4.0, 12.0};

// Everything that carries a capsule may move, as in clear_motion(): demands that are never active extend the chains.
Expected<TimedProblem> with_all_moving(TimedProblem problem, const std::vector<Clearance>& clearances) {
  const Figure figure = problem.figure();
  std::vector<char> is_moved(figure.parameters().size(), 0);
  for (const int j : problem.problem().variables()) is_moved[at_index(j)] = 1;
  std::vector<int> segments;
  for (const Clearance& clearance : clearances)
    for (const SegmentCapsule& capsule : clearance.capsules) segments.push_back(capsule.segment);
  std::ranges::sort(segments, std::greater());  // from the leaves to the root
  for (const int s : segments) {
    const Expected<Handle> place = figure.point(figure.segments()[at_index(s)].name);
    if (!place) continue;
    const std::vector<int> chain = chain_of(figure, *place, no_parent);
    if (std::ranges::all_of(chain, [&](int j) { return is_moved[at_index(j)] != 0; })) continue;
    for (const int j : chain) is_moved[at_index(j)] = 1;
    const Expected<int> added = problem.add(*place, Hold{}, Span{infinity, infinity}, {.weight = chain_weight});
    if (!added) return std::unexpected(added.error());
  }
  return problem;
}

Expected<void> are_valid(const Figure& figure, const std::vector<Clearance>& clearances) {
  Problem problem(figure);
  for (const Clearance& clearance : clearances)
    if (const Expected<ConstraintId> id = problem.add_clearance(clearance); !id) return std::unexpected(id.error());
  return {};
}

// The penetrations of all clearances in a pose, deepest first.
Penetrations overlaps_of(const Figure& figure, const std::vector<Clearance>& clearances,
                         const std::vector<Obstacles>& obstacles, const VecX& theta) {
  const Kinematics state = forward(figure, Pose{theta});
  Penetrations all;
  int before = 0;
  for (std::size_t c = 0; c < clearances.size(); ++c) {
    const Clearance& clearance = clearances[c];
    for (Penetration& found :
         penetrations(figure, state, clearance.capsules, obstacles[c], clearance.pairs, clearance.margin).list) {
      if (found.obstacle != no_index) found.obstacle += before;
      all.list.push_back(std::move(found));
    }
    before += static_cast<int>(clearance.obstacles.size());
  }
  std::ranges::stable_sort(all.list, {}, &Penetration::clearance);
  return all;
}

class ClearSolve {
 public:
  // `holds` is the motion that Hold goals are taken from, which begins at 0 s; `given` begins at `begin`.
  ClearSolve(const TimedProblem& problem, const TimedProblem& wide, const Clip& given, const Clip& holds, double begin,
             const std::vector<Clearance>& clearances, MotionOptions options, SolvedMotion solved)
      : problem_(problem),
        wide_(wide),
        given_(given),
        holds_(holds),
        begin_(begin),
        clearances_(clearances),
        options_(std::move(options)),
        solved_(std::move(solved)),
        sweep_(problem.figure(), clearances) {
    for (const Clearance& clearance : clearances) obstacles_.emplace_back(clearance.obstacles);
  }

  Expected<ClearedMotion> run() {
    tolerance_ = between_tolerance * problem_.figure().length();
    best_ = examined(solved_.clip, solved_.report);
    const bool is_clear = best_.contacts.empty() && best_.overlaps.empty();
    if (!is_clear && options_.iterations > 0 && solved_.report.exit != Exit::cancelled) {
      const std::vector<double> times = times_of(best_);
      if (const Expected<void> done = clear_each(); !done) return std::unexpected(done.error());
      if (!best_.is_clear())
        if (const Expected<void> done = clear_parts(times); !done) return std::unexpected(done.error());
    }
    tolerance_ = between_tolerance * problem_.figure().length();
    if (!is_clear && !best_.overlaps.empty()) best_ = examined(std::move(best_.clip), std::move(best_.report));
    ClearedMotion out{std::move(best_.clip), std::move(best_.report)};
    out.overlaps = std::move(best_.overlaps);
    out.report.iterations += iterations_;
    out.report.contradictions = solved_.report.contradictions;
    for (int k = 0; k < given_.frames(); ++k) out.changed += out.clip.poses.col(k) != solved_.clip.poses.col(k);
    if (!is_clear) explain(out);
    return out;
  }

 private:
  struct Result {
    Clip clip;
    MotionReport report;
    std::vector<TimedContact> contacts;
    std::vector<FrameOverlap> overlaps;
    int broken = 0;  // demands that hold without clearances

    double depth() const {
      double min = infinity;
      for (const FrameOverlap& overlap : overlaps) min = std::fmin(min, overlap.found.min_clearance());
      return -min;
    }
    bool is_clear() const { return broken == 0 && overlaps.empty(); }
    bool operator<(const Result& other) const {
      const auto key = [](const Result& result) {
        return std::tuple(result.broken, result.overlaps.size(), result.depth(), result.report.exit != Exit::converged);
      };
      return key(*this) < key(other);
    }
  };

  // Frames from the first to the last.
  struct Part {
    int first = 0, last = 0;

    int frames() const { return last - first + 1; }
  };

  // When something is too near, in frames, ascending.
  static std::vector<double> times_of(const Result& result) {
    std::vector<double> times;
    times.reserve(result.contacts.size() + result.overlaps.size());
    for (const TimedContact& contact : result.contacts) times.push_back(contact.time);
    for (const FrameOverlap& overlap : result.overlaps) times.push_back(overlap.frame + overlap.after);
    std::ranges::sort(times);
    return times;
  }

  // The frames around some times. Fewer than `margin` frames are not left over at an end of the motion.
  Part part_around(double first, double last, double margin) const {
    const int end = given_.frames() - 1;
    const int from = static_cast<int>(first - margin), to = static_cast<int>(std::ceil(last + margin));
    return {from < margin ? 0 : from, to > end - margin ? end : to};
  }

  // The cost of a solve grows with the frames, and its iterations with what is to be exchanged in it. So contacts that
  // are far apart in time are cleared one after the other, each in the frames around it: the cost of a motion is that
  // of its contacts.
  Expected<void> clear_parts(const std::vector<double>& times) {
    const double frames_per_time = options_.smooth_time / given_.frame_time;
    Clip clip = solved_.clip;
    Exit exit = Exit::converged;
    for (std::size_t first = 0, end = 0; first < times.size() && !is_cancelled_; first = end) {
      for (end = first + 1; end < times.size() && times[end] - times[end - 1] <= part_gap * frames_per_time;) ++end;
      for (const double margin : part_margins) {
        const Part part = part_around(times[first], times[end - 1], margin * frames_per_time);
        if (part.frames() == given_.frames()) return clear();
        const Expected<bool> is_clear = clear_part(part, clip, exit);
        if (!is_clear) return std::unexpected(is_clear.error());
        if (*is_clear) break;
      }
    }
    Expected<MotionReport> report = report_of(clip, begin_);
    if (!report) return std::unexpected(report.error());
    report->iterations = solved_.report.iterations;
    report->exit = is_cancelled_ ? Exit::cancelled : exit;
    take(examined(std::move(clip), std::move(*report)));
    return {};
  }

  // Clears the frames of the part; two at each of its ends stay, so that nothing has a corner there.
  Expected<bool> clear_part(const Part& part, Clip& clip, Exit& exit) {
    Clip before{clip.name, clip.frame_time, clip.poses.middleCols(part.first, part.frames())};
    MotionOptions options = options_;
    options.kept.clear();
    for (const int k : options_.kept)
      if (part.first <= k && k <= part.last) options.kept.push_back(k - part.first);
    if (part.first > 0) options.kept.insert(options.kept.end(), {0, 1});
    if (part.last + 1 < given_.frames())
      options.kept.insert(options.kept.end(), {part.frames() - 2, part.frames() - 1});
    const double begin = begin_ + part.first * given_.frame_time;
    Expected<MotionReport> report = report_of(before, begin);
    if (!report) return std::unexpected(report.error());
    const Clip given = before;
    ClearSolve solve(problem_, wide_, given, holds_, begin, clearances_, std::move(options),
                     {std::move(before), std::move(*report)});
    solve.tolerance_ = tolerance_;
    solve.best_ = solve.examined(solve.solved_.clip, solve.solved_.report);
    if (solve.best_.is_clear()) return true;
    if (each_.frames() > 0)
      solve.each_ = {clip.name, clip.frame_time, each_.poses.middleCols(part.first, part.frames())};
    if (const Expected<void> done = solve.clear(); !done) return std::unexpected(done.error());
    iterations_ += solve.iterations_;
    is_cancelled_ = is_cancelled_ || solve.is_cancelled_;
    clip.poses.middleCols(part.first, part.frames()) = solve.best_.clip.poses;
    if (solve.best_.report.exit != Exit::converged) exit = solve.best_.report.exit;
    return solve.best_.is_clear();
  }

  // How a motion that begins then meets the demands.
  Expected<MotionReport> report_of(const Clip& clip, double begin) const {
    MotionProgram program(wide_, options_.guide, options_.smooth_time);
    program.schedule().hold(holds_, Schedule::HoldAt::span_start);
    if (const Expected<void> ready = program.set_given(clip, begin); !ready) return std::unexpected(ready.error());
    Clip same;
    MotionReport report;
    program.write(options_.met_metres, options_.met_degrees, same, report);
    report.demands.resize(problem_.demands().size());
    return report;
  }

  bool is_kept(int k) const { return std::ranges::find(options_.kept, k) != options_.kept.end(); }

  std::vector<TimedContact> contacts_of(const Clip& clip) {
    std::vector<TimedContact> out;
    std::vector<SweepContact> found;
    for (int k = 0; k == 0 || k + 1 < clip.frames(); ++k) {
      found.clear();
      const int next = std::min(k + 1, clip.frames() - 1);
      sweep_.between(clip.poses.col(k), clip.poses.col(next), tolerance_, found);
      for (const SweepContact& contact : found) out.push_back({k + contact.after, contact});
    }
    return out;
  }

  // With everything that is too near, found independently of the solve.
  Result examined(Clip clip, MotionReport report) {
    Result out{std::move(clip), std::move(report), {}, {}};
    out.contacts = contacts_of(out.clip);
    for (std::size_t d = 0; d < problem_.demands().size(); ++d)
      out.broken += solved_.report.demands[d].met && !out.report.demands[d].met;
    auto contact = out.contacts.begin();
    for (int k = 0; k < out.clip.frames(); ++k) {
      Penetrations found = overlaps_of(problem_.figure(), clearances_, obstacles_, out.clip.poses.col(k));
      if (!found.empty()) out.overlaps.push_back({k, std::move(found)});
      const TimedContact* deepest = nullptr;
      for (; contact != out.contacts.end() && contact->time < k + 1; ++contact)
        if (contact->contact.is_minimum && (!deepest || contact->contact.gap < deepest->contact.gap))
          deepest = &*contact;
      if (!deepest) continue;
      const double after = deepest->contact.after;
      const VecX theta = (1.0 - after) * out.clip.poses.col(k) + after * out.clip.poses.col(k + 1);
      Penetrations between = overlaps_of(problem_.figure(), clearances_, obstacles_, theta);
      if (!between.empty()) out.overlaps.push_back({k, std::move(between), after});
    }
    return out;
  }

  // Frame by frame: a hundredth of the cost, and enough where nothing is crossed between two frames. Not for keys,
  // which it would move.
  Expected<void> clear_each() {
    if (!options_.kept.empty()) return {};
    const ClearMotionOptions each{.guide = options_.guide,
                                  .met_metres = options_.met_metres,
                                  .met_degrees = options_.met_degrees,
                                  .hold_reference = &given_};
    Expected<ClearedMotion> cleared = clear_motion(problem_, solved_.clip, clearances_, each);
    if (!cleared) return std::unexpected(cleared.error());
    each_ = std::move(cleared->clip);
    take(examined(each_, std::move(cleared->report)));
    return {};
  }

  Expected<void> clear() {
    tolerance_ = 0.0;
    MotionContacts contacts(wide_.problem(), clearances_);
    contacts.start(given_.frames());
    MotionProgram program(wide_, options_.guide, options_.smooth_time);
    program.schedule().hold(holds_, Schedule::HoldAt::span_start);
    program.set_contacts(&contacts);
    if (const Expected<void> ready = program.set_given(given_, begin_, options_.kept); !ready) return ready;
    Passages passages(clearances_);
    std::vector<TimedContact> in_the_way = best_.contacts;
    for (int way = 0; way < max_ways && !is_cancelled_; ++way) {
      // The last way is the contacts alone.
      const bool has_passages = way + 1 < max_ways && passages.take(in_the_way);
      begin_at(solved_.clip, contacts, program);
      add_stations(best_.contacts, contacts);
      if (has_passages) contacts.set_passages(passages.list());
      solve(program, max_passage_iterations, MotionProgram::Accuracy::rough, MotionProgram::Begin::anew);
      contacts.set_passages({});
      in_the_way = exchange(contacts, program);
      if (best_.is_clear()) return {};
      if (!has_passages) break;
    }
    if (is_cancelled_ || each_.frames() == 0) return {};
    begin_at(each_, contacts, program);
    exchange(contacts, program);
    return {};
  }

  void begin_at(const Clip& clip, MotionContacts& contacts, MotionProgram& program) const {
    contacts.start(given_.frames());
    for (int k = 0; k < given_.frames(); ++k)
      if (!is_kept(k)) program.set_pose(k, clip.poses.col(k));
  }

  static int add_stations(const std::vector<TimedContact>& found, MotionContacts& contacts) {
    int added = 0;
    for (const auto& [time, contact] : found)
      if (contact.is_minimum) added += contacts.add(static_cast<int>(time), contact.after);
    return added;
  }

  void solve(MotionProgram& program, int max_iterations, MotionProgram::Accuracy accuracy, MotionProgram::Begin begin) {
    report_ = {};
    program.solve(std::min(max_iterations, options_.iterations), options_.exact, options_.observer, report_, accuracy,
                  begin);
    iterations_ += report_.iterations;
    is_cancelled_ = is_cancelled_ || report_.exit == Exit::cancelled;
  }

  // Solves, and adds stations where something is too near between frames, until nothing is. Returns what is too near in
  // the end.
  std::vector<TimedContact> exchange(MotionContacts& contacts, MotionProgram& program) {
    std::vector<TimedContact> found = contacts_of(written(program).clip);
    double previous_depth = infinity;
    for (int k = 0; k < max_exchanges && !is_cancelled_; ++k) {
      const int added = add_stations(found, contacts);
      if (k > 1 && added == 0 && report_.exit != Exit::iteration_limit) break;
      solve(program, max_contact_iterations, MotionProgram::Accuracy::full,
            k == 0 ? MotionProgram::Begin::sliding : MotionProgram::Begin::there);
      Result result = written(program);
      found = result.contacts;
      const bool is_done = k > 0 && result.is_clear() && result.report.exit != Exit::iteration_limit;
      const double depth = result.is_clear() ? -infinity : result.depth();
      take(std::move(result));
      if (is_done || (k >= min_exchanges && added == 0 && !(depth < previous_depth))) break;
      previous_depth = depth;
    }
    return found;
  }

  Result written(MotionProgram& program) {
    Clip clip;
    MotionReport report = report_;
    program.write(options_.met_metres, options_.met_degrees, clip, report);
    report.demands.resize(problem_.demands().size());
    report.iterations = solved_.report.iterations;
    for (int k = 0; k < clip.frames(); ++k)
      if ((clip.poses.col(k) - solved_.clip.poses.col(k)).cwiseAbs().maxCoeff() <= unchanged)
        clip.poses.col(k) = solved_.clip.poses.col(k);
    return examined(std::move(clip), std::move(report));
  }

  void take(Result result) {
    if (result < best_) best_ = std::move(result);
  }

  // Which demands contradict the overlaps that remain: for the deepest of consecutive frames.
  void explain(ClearedMotion& out) const {
    MotionContacts contacts(wide_.problem(), clearances_);
    contacts.start(1);
    FrameProgram frames(wide_, given_, options_, &contacts);
    const auto deeper = [&](const FrameOverlap* a, const FrameOverlap* b) {
      return a->found.min_clearance() < b->found.min_clearance();
    };
    int explained = 0;
    for (std::size_t first = 0, end = 0; first < out.overlaps.size() && explained < max_explained; first = end) {
      std::vector<FrameOverlap*> list = {&out.overlaps[first]};
      for (end = first + 1; end < out.overlaps.size() && out.overlaps[end].frame <= out.overlaps[end - 1].frame + 1;
           ++end)
        list.push_back(&out.overlaps[end]);
      std::ranges::stable_sort(list, deeper);
      // The deepest may be just beyond the time of the demand that is the reason.
      for (std::size_t k = 0; k < std::min(list.size(), max_tries); ++k, ++explained) {
        FrameOverlap& overlap = *list[k];
        if (is_kept(overlap.frame) && overlap.after == 0.0) continue;
        overlap.demands = frames.contradiction(overlap.frame + overlap.after, out.clip.poses.col(overlap.frame));
        if (!overlap.demands.empty()) break;
      }
    }
  }

  const TimedProblem& problem_;
  const TimedProblem& wide_;  // with chains that reach every capsule
  const Clip& given_;
  const Clip& holds_;
  const double begin_;
  const std::vector<Clearance>& clearances_;
  const MotionOptions options_;
  const SolvedMotion solved_;  // without clearances
  MotionSweep sweep_;
  std::vector<Obstacles> obstacles_;
  Result best_;
  Clip each_;               // frame by frame
  double tolerance_ = 0.0;  // of the sweep
  MotionReport report_;
  int iterations_ = 0;
  bool is_cancelled_ = false;
};

}  // namespace

Expected<ClearedMotion> solve_clear_motion(const TimedProblem& problem, const Clip& given,
                                           const std::vector<Clearance>& clearances, const MotionOptions& options) {
  if (const Expected<void> valid = are_valid(problem.figure(), clearances); !valid)
    return std::unexpected(valid.error());
  Expected<SolvedMotion> solved = solve_motion(problem, given, options);
  if (!solved) return std::unexpected(solved.error());
  TimedProblem chosen = problem;
  for (std::size_t d = 0; d < solved->report.demands.size(); ++d)
    if (solved->report.demands[d].taken) chosen.take(static_cast<int>(d));
  const Expected<TimedProblem> wide = with_all_moving(chosen, clearances);
  if (!wide) return std::unexpected(wide.error());
  return ClearSolve(chosen, *wide, given, given, 0.0, clearances, options, *std::move(solved)).run();
}

}  // namespace limber
