#include "limber/motion/retarget/retarget.h"

#include <algorithm>
#include <cassert>

#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/parts.h"
#include "limber/motion/retarget/match.h"
#include "limber/motion/retarget/touch.h"
#include "limber/motion/timed/program.h"
#include "limber/solver/align.h"
#include "limber/solver/solve.h"

namespace limber {

namespace {

constexpr double floor_stride = 0.25;  // ℓ of contacts.h, in metres
// Weight of staying near the previous frame, against a place. What the goals leave open, such as the bend of a spine
// between pelvis and chest, goes back to rest with this time constant, in seconds: else it would drift.
constexpr double stay = 1e-4;
constexpr double forget_time = 0.5;

// Fixes bone lengths: nothing but the root may translate.
Expected<void> keep_bones(TimedProblem& problem) {
  const std::vector<Parameter>& parameters = problem.figure().parameters();
  const std::vector<int> root = root_parameters(problem.figure());
  for (std::size_t j = 0; j < parameters.size(); ++j)
    if (parameters[j].translates && std::find(root.begin(), root.end(), static_cast<int>(j)) == root.end())
      if (const Expected<void> fixed = problem.set_rigidity(parameters[j].name, 1.0); !fixed) return fixed;
  return {};
}

Expected<void> checked(const Figure& from, const Clip& clip, const RetargetOptions& options) {
  const std::string motion = clip.name.empty() ? "motion" : "motion '" + clip.name + "'";
  if (clip.frames() == 0) return reject(motion, "no frame", "at least one");
  if (clip.poses.rows() != static_cast<Eigen::Index>(from.parameters().size()))
    return reject(motion, std::to_string(clip.poses.rows()) + " numbers per frame",
                  std::to_string(from.parameters().size()) + ", as for figure '" + from.name() + "'");
  if (!clip.poses.allFinite()) return reject(motion, "a number that is not finite", "finite numbers");
  if (!(clip.frame_time > 0.0 && std::isfinite(clip.frame_time)))
    return reject(motion, to_text(clip.frame_time) + " s per frame", "a number above 0");
  if (options.every < 1) return reject("every", std::to_string(options.every), "1 or more");
  if (options.iterations < 0) return reject("iterations", std::to_string(options.iterations), "0 or more");
  return {};
}

class Carrier {
 public:
  Carrier(BodyMatch match, const Clip& clip, const RetargetOptions& options)
      : match_(std::move(match)), clip_(clip), options_(options), state_(match_.from), problem_(match_.to) {}

  Expected<Retargeted> run();

 private:
  const Figure& from() const { return match_.from; }
  const Figure& to() const { return match_.to; }
  Expected<void> find_contacts_of_source();
  void fit_floor();
  Expected<void> add_goals();
  Vec3 recorded(const SharedBone& bone) const;
  Vec3 wanted(const SharedBone& bone) const;
  Vec3 at_rest_to(const Handle& handle) const { return value_of(to(), match_.rest_to, handle); }
  void set_goals(int frame);
  void relax(VecX& theta) const;
  Expected<void> follow(Clip& out);
  std::vector<Contact> contacts_on(const Clip& clip) const;
  double rise_to_ground(const Clip& clip) const;
  Expected<void> touch(Retargeted& out);
  void measure_limbs(Retargeted& out);

  const BodyMatch match_;
  const Clip& clip_;
  const RetargetOptions& options_;
  Kinematics state_;
  VecX q_;
  Mat3 pelvis_turn_ = Mat3::Identity();  // of the recorded body, relative to rest
  Vec3 slope_ = Vec3::Zero();            // of the recorded floor, by x and z
  double floor_from_ = 0.0;              // height floor_from_ + slope_ · x of the recorded body maps to floor_to_
  double floor_to_ = 0.0;
  std::vector<Contact> contacts_;  // of the recorded body, in its frames
  std::vector<Vec3> goals_;        // places, then directions
  TimedProblem problem_;
  bool is_cancelled_ = false;
};

// The recorded contacts, and the floor under them.
Expected<void> Carrier::find_contacts_of_source() {
  const Expected<std::vector<std::string>> places = foot_places(from());
  if (!places || clip_.frames() < 2) return {};
  Expected<std::vector<Contact>> found = find_contacts(from(), clip_, *places, options_.contact);
  if (!found) return std::unexpected(found.error());
  contacts_ = std::move(*found);
  if (!contacts_.empty()) fit_floor();
  return {};
}

// A plane through the contacts, each less its height at rest: min Σ (y - g - a x - b z)² + n ℓ² (a² + b²), as in
// contacts.h.
void Carrier::fit_floor() {
  const double stride = floor_stride / person_length * from().length();
  const auto n = static_cast<double>(contacts_.size());
  Vec3 mean = Vec3::Zero();
  std::vector<Vec3> points;
  for (const Contact& contact : contacts_) {
    points.push_back(contact.at);
    points.back().y() -= value_of(from(), match_.rest_from, *from().point(contact.place)).y();
    mean += points.back() / n;
  }
  Eigen::Matrix2d A = n * stride * stride * Eigen::Matrix2d::Identity();
  Eigen::Vector2d r = Eigen::Vector2d::Zero();
  for (const Vec3& x : points) {
    const Eigen::Vector2d along(x.x() - mean.x(), x.z() - mean.z());
    A += along * along.transpose();
    r += (x.y() - mean.y()) * along;
  }
  const Eigen::Vector2d slope = A.inverse() * r;
  slope_ = {slope.x(), 0.0, slope.y()};
  floor_from_ += mean.y() - slope_.dot(mean);
}

Expected<void> Carrier::add_goals() {
  const std::size_t places = match_.places.size();
  goals_.assign(places + match_.directions.size(), Vec3::UnitX());
  for (std::size_t p = 0; p < places; ++p) {
    const auto goal = [this, p](double) { return Goal(Position{goals_[p]}); };
    const Expected<int> added = problem_.add(match_.places[p].to, goal, {}, {.name = match_.places[p].name});
    if (!added) return std::unexpected(added.error());
  }
  for (std::size_t d = 0; d < match_.directions.size(); ++d) {
    const auto goal = [this, places, d](double) { return Goal(Direction{goals_[places + d]}); };
    Handle handle;
    handle.shape = Shape::direction;
    handle.plus[0] = match_.directions[d].to;
    const Expected<int> added = problem_.add(handle, goal, {}, {.weight = match_.directions[d].weight});
    if (!added) return std::unexpected(added.error());
  }
  return keep_bones(problem_);
}

Vec3 Carrier::recorded(const SharedBone& bone) const {
  return value_of(from(), state_, match_.places[bone.place].from) -
         value_of(from(), state_, match_.places[bone.begin].from);
}

// The bone of the new body. Bones relative to rest rotate with the pelvis first and then by the shortest rotation,
// which alone would be ambiguous between bodies of other proportions once the body has turned around.
Vec3 Carrier::wanted(const SharedBone& bone) const {
  if (!bone.from_rest) return bone.rest_to.norm() * recorded(bone).normalized();
  return turn_between(pelvis_turn_ * bone.rest_from, recorded(bone)) * (pelvis_turn_ * bone.rest_to);
}

// The midpoint of the hips, or else the pelvis, follows the recorded one; all other goals are relative to it.
void Carrier::set_goals(int frame) {
  from().angles(clip_.poses.col(frame), q_);
  forward(from(), q_, state_);
  const auto turn_of = [&](int segment) {
    const auto s = static_cast<std::size_t>(segment);
    return Mat3(state_.segments[s].R * match_.rest_from.segments[s].R.transpose());
  };
  pelvis_turn_ = turn_of(match_.places[0].from.plus[0].segment);
  Vec3 x = value_of(from(), state_, match_.places[0].from), to_hips = Vec3::Zero();
  for (const std::size_t hip : match_.hips) {
    x += recorded(match_.bones[hip]) / static_cast<double>(match_.hips.size());
    to_hips += wanted(match_.bones[hip]) / static_cast<double>(match_.hips.size());
  }
  const Vec3 floor_from(0.0, floor_from_ + slope_.dot(x), 0.0), floor_to(0.0, floor_to_, 0.0);
  goals_[0] = floor_to + match_.scale * (x - floor_from) - to_hips;
  for (const SharedBone& bone : match_.bones) goals_[bone.place] = goals_[bone.begin] + wanted(bone);
  std::size_t next = match_.places.size();
  for (const SharedDirection& shared : match_.directions) goals_[next++] = turn_of(shared.segment_from) * shared.rest;
}

// Towards rest, but for the root.
void Carrier::relax(VecX& theta) const {
  const double share = -std::expm1(-clip_.frame_time * options_.every / forget_time);
  const std::vector<int> root = root_parameters(to());
  const VecX before = theta;
  theta += share * (to().rest().theta - theta);
  for (const int j : root) theta[j] = before[j];
}

// Frame by frame, each from the previous one.
Expected<void> Carrier::follow(Clip& out) {
  MotionProgram program(problem_, stay, 0.0);
  Clip frame{"", out.frame_time, to().rest().theta};
  for (int k = 0; k < out.frames(); ++k) {
    set_goals(k * options_.every);
    if (k == 0) {
      Problem placed = problem_.problem();
      for (std::size_t d = 0; d < problem_.demands().size(); ++d)
        if (const Expected<void> set = placed.set_goal(problem_.demands()[d].slot, problem_.demands()[d].moving(0.0));
            !set)
          return set;
      VecX theta = to().rest().theta;
      RootAlignment(to()).align(placed, theta);
      // The first frame is far from rest: solve it separately. A restart farther away than the first might twist it.
      Pose first{theta};
      solve(placed, first, {.restarts = 1});
      frame.poses = first.theta;
    }
    VecX near = frame.poses.col(0);
    relax(near);
    frame.poses.col(0) = near;
    if (const Expected<void> ready = program.set_given(frame, 0.0); !ready) return ready;
    MotionReport report;
    program.solve(options_.iterations, 0.0, {}, report);
    program.write(0.0, 0.0, frame, report);
    out.poses.col(k) = frame.poses.col(0);
    if (options_.observer && !options_.observer(k + 1, out.frames())) {
      is_cancelled_ = true;
      for (int next = k + 1; next < out.frames(); ++next) out.poses.col(next) = out.poses.col(k);
      return {};
    }
  }
  return {};
}

// Maps each recorded contact to the corresponding place of the new body.
std::vector<Contact> Carrier::contacts_on(const Clip& clip) const {
  const Expected<std::vector<std::string>> places = foot_places(to());
  if (!places) return {};
  const auto is_front = [](const std::string& place) { return place.ends_with("ball") || place.ends_with("toe"); };
  std::vector<Contact> out;
  for (const Contact& source : contacts_) {
    const auto side = source.place.substr(0, source.place.find('_') + 1);
    const auto place = std::ranges::find_if(*places, [&](const std::string& name) {
      return name.starts_with(side) && is_front(name) == is_front(source.place);
    });
    if (place == places->end()) continue;
    Contact contact = source;
    contact.place = *place;
    contact.first = (source.first + options_.every - 1) / options_.every;
    contact.last = source.last / options_.every;
    if (contact.last <= contact.first) continue;
    contact.start = contact.first * clip.frame_time;
    contact.end = contact.last * clip.frame_time;
    contact.velocity = match_.scale * source.velocity;
    const Handle handle = *to().point(*place);
    Vec3 sum = Vec3::Zero();
    for (int k = contact.first; k <= contact.last; ++k)
      sum += value_of(to(), forward(to(), clip.pose(k)), handle) -
             (k - contact.first) * clip.frame_time * contact.velocity;
    contact.at = sum / (contact.last - contact.first + 1);
    contact.at.y() = at_rest_to(handle).y();
    out.push_back(std::move(contact));
  }
  return made_consistent(to(), std::move(out));
}

// Without contacts nothing says how high the recorded ground is. Then the lowest sole of the motion is on the ground,
// unless the recorded feet are known and higher: the body may be in the air.
double Carrier::rise_to_ground(const Clip& clip) const {
  if (!options_.contacts || !contacts_.empty() || is_cancelled_) return 0.0;
  const double rise = -height_above_ground(to(), match_.rest_to, clip);
  const bool has_feet = foot_places(from()).has_value();
  return std::isfinite(rise) && (rise > 0.0 || !has_feet) ? rise : 0.0;
}

// Locks the feet while they stand, and adds the other touches.
Expected<void> Carrier::touch(Retargeted& out) {
  if (!options_.contacts || contacts_.empty()) return {};
  out.contacts = contacts_on(out.clip);
  TimedProblem problem(to());
  if (const Expected<void> fixed = keep_bones(problem); !fixed) return fixed;
  if (const Expected<void> locked = lock_contacts(out.contacts, out.clip, options_.ease, problem); !locked)
    return locked;
  const std::size_t locks = problem.demands().size();
  const TouchSource source{match_, clip_, options_.every, options_.ease, options_.contact, floor_from_, slope_};
  if (const Expected<void> added = add_touches(source, out.clip, problem); !added) return added;
  if (problem.demands().empty()) return {};
  const Expected<SlidingReport> before = sliding(to(), out.clip, out.contacts);
  if (!before) return std::unexpected(before.error());
  Expected<SolvedMotion> solved = solve_motion(problem, out.clip, {.exact = CleanOptions{}.motion.exact});
  if (!solved) return std::unexpected(solved.error());
  out.clip = std::move(solved->clip);
  out.report = std::move(solved->report);
  out.report.demands.resize(locks);  // what is soft need not be met
  const Expected<SlidingReport> after = sliding(to(), out.clip, out.contacts);
  if (!after) return std::unexpected(after.error());
  out.before = *before;
  out.after = *after;
  return {};
}

void Carrier::measure_limbs(Retargeted& out) {
  std::vector<std::size_t> limbs;
  for (std::size_t b = 0; b < match_.bones.size(); ++b)
    if (match_.is_limb(match_.bones[b])) limbs.push_back(b);
  for (const std::size_t b : limbs) out.limbs.push_back({match_.places[match_.bones[b].place].name});
  Kinematics state(to());
  for (int k = 0; k < out.clip.frames(); ++k) {
    set_goals(k * options_.every);
    to().angles(out.clip.poses.col(k), q_);
    forward(to(), q_, state);
    for (std::size_t i = 0; i < limbs.size(); ++i) {
      const SharedBone& bone = match_.bones[limbs[i]];
      const Vec3 goal = goals_[bone.place] - goals_[bone.begin];
      const Vec3 actual =
          value_of(to(), state, match_.places[bone.place].to) - value_of(to(), state, match_.places[bone.begin].to);
      const double off = degrees(std::atan2(goal.cross(actual).norm(), goal.dot(actual)));
      out.limbs[i].mean_deg += off / out.clip.frames();
      out.limbs[i].max_deg = std::fmax(out.limbs[i].max_deg, off);
    }
  }
  for (const LimbDeviation& limb : out.limbs)
    out.mean_deviation_deg += limb.mean_deg / static_cast<double>(out.limbs.size());
}

Expected<Retargeted> Carrier::run() {
  floor_from_ = match_.ground_from;
  floor_to_ = match_.ground_to;
  if (const Expected<void> found = find_contacts_of_source(); !found) return std::unexpected(found.error());
  if (const Expected<void> added = add_goals(); !added) return std::unexpected(added.error());
  const int frames = (clip_.frames() - 1) / options_.every + 1;
  Retargeted out;
  out.scale = match_.scale;
  out.clip = {clip_.name, clip_.frame_time * options_.every,
              MatX(static_cast<Eigen::Index>(to().parameters().size()), frames)};
  if (const Expected<void> done = follow(out.clip); !done) return std::unexpected(done.error());
  if (const double rise = rise_to_ground(out.clip); rise != 0.0) {
    floor_to_ += rise;
    if (const Expected<void> done = follow(out.clip); !done) return std::unexpected(done.error());
  }
  if (!is_cancelled_)
    if (const Expected<void> done = touch(out); !done) return std::unexpected(done.error());
  measure_limbs(out);
  return out;
}

}  // namespace

Expected<Retargeted> retarget(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options) {
  if (const Expected<void> valid = checked(from, clip, options); !valid) return std::unexpected(valid.error());
  Expected<BodyMatch> match = BodyMatch::of(from, to);
  if (!match) return std::unexpected(match.error());
  const int skipped = still_start(from, clip);
  const Expected<Clip> moving = cut(clip, skipped, clip.frames() - 1);
  if (!moving) return std::unexpected(moving.error());
  Expected<Retargeted> out = Carrier(std::move(*match), *moving, options).run();
  if (out) out->skipped = skipped;
  return out;
}

bool Retargeted::is_alike() const {
  return std::ranges::all_of(limbs, [](const LimbDeviation& limb) { return limb.mean_deg <= max_limb_deviation_deg; });
}

Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options) {
  Expected<Retargeted> out = retarget(from, clip, to, options);
  if (!out) return std::unexpected(out.error());
  return std::move(out->clip);
}

}  // namespace limber
