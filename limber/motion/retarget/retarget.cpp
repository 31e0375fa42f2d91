#include "limber/motion/retarget/retarget.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/program.h"
#include "limber/solver/align.h"
#include "limber/solver/solve.h"

namespace limber {

namespace {

// A place, and the place where its bone starts, which comes earlier in the list. Trunk and head are upright in every
// rest pose, but the height of the pelvis differs between bodies: their bones rotate relative to rest. Limbs differ in
// their rest poses; their bones take the recorded directions.
struct Bone {
  const char* place;
  const char* from;
  bool from_rest = false;
};

constexpr const char* first_place = "pelvis";
constexpr Bone bones[] = {
    {"left_hip", first_place, true},       {"left_knee", "left_hip"},
    {"left_ankle", "left_knee"},           {"left_toe", "left_ankle"},
    {"right_hip", first_place, true},      {"right_knee", "right_hip"},
    {"right_ankle", "right_knee"},         {"right_toe", "right_ankle"},
    {"left_shoulder", first_place, true},  {"left_elbow", "left_shoulder"},
    {"left_wrist", "left_elbow"},          {"left_fingertip", "left_wrist"},
    {"right_shoulder", first_place, true}, {"right_elbow", "right_shoulder"},
    {"right_wrist", "right_elbow"},        {"right_fingertip", "right_wrist"},
    {"head_top", "left_shoulder", true},
};
constexpr std::size_t min_places = 6;
// Without these a motion cannot be carried over: the limbs would be guessed.
constexpr const char* needed[] = {"left_knee", "right_knee", "left_elbow", "right_elbow"};
// Places that point forward in every rest pose.
constexpr const char* pointing[] = {first_place, "eyes", "left_foot", "right_foot"};
constexpr double pointing_weight = 0.3;
constexpr double floor_stride = 0.25;  // ℓ of contacts.h, in metres
// Weight of staying near the previous frame, against a place.
constexpr double stay = 1e-4;

// The shortest rotation between the directions of two vectors; identity if they are parallel.
Mat3 turn_between(const Vec3& a, const Vec3& b) {
  const Vec3 axis = a.cross(b);
  const double sine = axis.norm();
  return sine > 0.0 ? rotation(axis / sine, std::atan2(sine, a.dot(b))) : Mat3(Mat3::Identity());
}

Vec3 value_of(const Figure& figure, const Kinematics& state, const Handle& handle) {
  Vec3 x[max_elements];
  evaluate(figure, state, handle, x);
  return x[0];
}

// Hip to knee to ankle of the left leg, straightened: rest poses differ in stance.
std::optional<double> leg_length(const Figure& figure, const Kinematics& rest) {
  const Expected<Handle> hip = figure.point("left_hip"), knee = figure.point("left_knee"),
                         ankle = figure.point("left_ankle");
  if (!hip || !knee || !ankle) return std::nullopt;
  const Vec3 middle = value_of(figure, rest, *knee);
  return (value_of(figure, rest, *hip) - middle).norm() + (value_of(figure, rest, *ankle) - middle).norm();
}

// A place of both bodies.
struct Shared {
  Handle from, to;
};

std::optional<Shared> shared_point(const Figure& from, const Figure& to, const char* name) {
  const Expected<Handle> a = from.point(name), b = to.point(name);
  return a && b ? std::optional(Shared{*a, *b}) : std::nullopt;
}

// Height of the ground under a figure at rest.
double lowest(const Figure& figure, const Kinematics& rest) {
  double y = infinity;
  for (const Site& site : figure.sites()) y = std::fmin(y, (rest.segments[site.segment] * site.frame.p).y());
  return y;
}

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
  Carrier(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options)
      : from_(from),
        clip_(clip),
        to_(to),
        options_(options),
        rest_from_(forward(from, from.rest())),
        rest_to_(forward(to, to.rest())),
        state_(from),
        problem_(to) {}

  Expected<Retargeted> run();

 private:
  // A bone of both bodies; places by index.
  struct SharedBone {
    std::size_t place, begin;
    bool from_rest;
    Vec3 rest_from, rest_to;  // rest_to rotated so that both bodies face the same way at rest
  };

  Expected<void> find_places();
  void find_scale();
  Expected<void> find_contacts_of_source();
  void fit_floor();
  Expected<void> add_goals();
  Vec3 recorded(const SharedBone& bone) const;
  Vec3 wanted(const SharedBone& bone) const;
  void set_goals(int frame);
  Expected<void> follow(Clip& out);
  Expected<void> lock_feet(Retargeted& out);
  double mean_deviation_deg(const Clip& out);

  const Figure& from_;
  const Clip& clip_;
  const Figure& to_;
  const RetargetOptions& options_;
  const Kinematics rest_from_, rest_to_;
  Kinematics state_;
  VecX q_;
  Mat3 pelvis_turn_ = Mat3::Identity();  // of the recorded body, relative to rest
  std::vector<std::string> names_;
  std::vector<Shared> places_;
  std::vector<SharedBone> bones_;
  std::vector<Shared> pointing_;
  std::vector<std::size_t> hips_;  // indices into bones_: both, or none
  double scale_ = 1.0;
  Vec3 slope_ = Vec3::Zero();  // of the recorded floor, by x and z
  double floor_from_ = 0.0;    // height floor_from_ + slope_ · x of the recorded body maps to floor_to_
  double floor_to_ = 0.0;
  std::vector<Contact> contacts_;  // of the recorded body, in its frames
  std::vector<Vec3> goals_;        // places, then directions
  TimedProblem problem_;
  bool is_cancelled_ = false;
};

Expected<void> Carrier::find_places() {
  const auto place = [&](const char* name) -> std::optional<std::size_t> {
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
    const std::optional<Shared> shared = shared_point(from_, to_, name);
    if (!shared) return std::nullopt;
    names_.emplace_back(name);
    places_.push_back(*shared);
    return names_.size() - 1;
  };
  // The rotation about the vertical that makes both bodies face the same way.
  Mat3 facing = Mat3::Identity();
  const std::optional<Shared> left = shared_point(from_, to_, "left_hip"),
                              right = shared_point(from_, to_, "right_hip");
  if (left && right) {
    Vec3 a = value_of(to_, rest_to_, left->to) - value_of(to_, rest_to_, right->to);
    Vec3 b = value_of(from_, rest_from_, left->from) - value_of(from_, rest_from_, right->from);
    a.y() = b.y() = 0.0;
    facing = rotation(Vec3::UnitY(), std::atan2(a.cross(b).y(), a.dot(b)));
  }
  const bool has_first = place(first_place).has_value();
  for (const Bone& bone : bones) {
    if (!shared_point(from_, to_, bone.place)) continue;
    const std::optional<std::size_t> begin = has_first ? place(bone.from) : std::nullopt;
    if (!begin) continue;
    const std::optional<std::size_t> end = place(bone.place);
    const auto at_rest = [&](std::size_t p, bool is_new) {
      return is_new ? value_of(to_, rest_to_, places_[p].to) : value_of(from_, rest_from_, places_[p].from);
    };
    if (left && right && (bone.place == std::string_view("left_hip") || bone.place == std::string_view("right_hip")))
      hips_.push_back(bones_.size());
    bones_.push_back({*end, *begin, bone.from_rest, at_rest(*end, false) - at_rest(*begin, false),
                      facing * (at_rest(*end, true) - at_rest(*begin, true))});
  }
  if (names_.size() < min_places)
    return reject("figures '" + from_.name() + "' and '" + to_.name() + "'",
                  std::to_string(names_.size()) + " places in common",
                  "at least " + std::to_string(min_places) + ": pelvis, left_hip, left_knee …");
  for (const char* name : needed)
    for (const Figure* figure : {&from_, &to_})
      if (!figure->point(name))
        return reject("figure '" + figure->name() + "'", "no place '" + std::string(name) + "'",
                      "knees and elbows that are recognised or named; `limber roles` shows which are");
  for (const char* name : pointing) {
    const Expected<Handle> a = from_.direction(name), b = to_.direction(name);
    if (a && b) pointing_.push_back({*a, *b});
  }
  goals_.assign(places_.size() + pointing_.size(), Vec3::UnitX());
  return {};
}

// Travel scales with leg length; heights are relative to the ankles at rest.
void Carrier::find_scale() {
  floor_from_ = lowest(from_, rest_from_);
  floor_to_ = lowest(to_, rest_to_);
  scale_ = to_.length() / from_.length();
  const std::optional<double> a = leg_length(from_, rest_from_), b = leg_length(to_, rest_to_);
  if (!a || !b || !(*a > 0.0 && *b > 0.0)) return;
  scale_ = *b / *a;
  floor_from_ = value_of(from_, rest_from_, *from_.point("left_ankle")).y();
  floor_to_ = value_of(to_, rest_to_, *to_.point("left_ankle")).y();
}

// The recorded contacts, and the floor under them.
Expected<void> Carrier::find_contacts_of_source() {
  const Expected<std::vector<std::string>> places = foot_places(from_);
  if (!places || clip_.frames() < 2) return {};
  Expected<std::vector<Contact>> found = find_contacts(from_, clip_, *places, options_.contact);
  if (!found) return std::unexpected(found.error());
  contacts_ = std::move(*found);
  if (!contacts_.empty()) fit_floor();
  return {};
}

// A plane through the contacts, each less its height at rest: min Σ (y - g - a x - b z)² + n ℓ² (a² + b²), as in
// contacts.h.
void Carrier::fit_floor() {
  const double stride = floor_stride / person_length * from_.length();
  const auto n = static_cast<double>(contacts_.size());
  Vec3 mean = Vec3::Zero();
  std::vector<Vec3> points;
  for (const Contact& contact : contacts_) {
    points.push_back(contact.at);
    points.back().y() -= value_of(from_, rest_from_, *from_.point(contact.place)).y();
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
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const auto goal = [this, p](double) { return Goal(Position{goals_[p]}); };
    const Expected<int> added = problem_.add(places_[p].to, goal, {}, {.name = names_[p]});
    if (!added) return std::unexpected(added.error());
  }
  for (std::size_t d = 0; d < pointing_.size(); ++d) {
    const auto goal = [this, d](double) { return Goal(Direction{goals_[places_.size() + d]}); };
    const Expected<int> added = problem_.add(pointing_[d].to, goal, {}, {.weight = pointing_weight});
    if (!added) return std::unexpected(added.error());
  }
  return keep_bones(problem_);
}

Vec3 Carrier::recorded(const SharedBone& bone) const {
  return value_of(from_, state_, places_[bone.place].from) - value_of(from_, state_, places_[bone.begin].from);
}

// The bone of the new body. Bones relative to rest rotate with the pelvis first and then by the shortest rotation,
// which alone would be ambiguous between bodies of other proportions once the body has turned around.
Vec3 Carrier::wanted(const SharedBone& bone) const {
  if (!bone.from_rest) return bone.rest_to.norm() * recorded(bone).normalized();
  return turn_between(pelvis_turn_ * bone.rest_from, recorded(bone)) * (pelvis_turn_ * bone.rest_to);
}

// The midpoint of the hips, or else the pelvis, follows the recorded one; all other goals are relative to it.
void Carrier::set_goals(int frame) {
  from_.angles(clip_.poses.col(frame), q_);
  forward(from_, q_, state_);
  const auto pelvis = static_cast<std::size_t>(places_[0].from.plus[0].segment);
  pelvis_turn_ = state_.segments[pelvis].R * rest_from_.segments[pelvis].R.transpose();
  Vec3 x = value_of(from_, state_, places_[0].from), to_hips = Vec3::Zero();
  for (const std::size_t hip : hips_) {
    x += recorded(bones_[hip]) / static_cast<double>(hips_.size());
    to_hips += wanted(bones_[hip]) / static_cast<double>(hips_.size());
  }
  const Vec3 floor_from(0.0, floor_from_ + slope_.dot(x), 0.0), floor_to(0.0, floor_to_, 0.0);
  goals_[0] = floor_to + scale_ * (x - floor_from) - to_hips;
  for (const SharedBone& bone : bones_) goals_[bone.place] = goals_[bone.begin] + wanted(bone);
  for (std::size_t d = 0; d < pointing_.size(); ++d)
    goals_[places_.size() + d] = value_of(from_, state_, pointing_[d].from);
}

// Frame by frame, each from the previous one.
Expected<void> Carrier::follow(Clip& out) {
  MotionProgram program(problem_, stay, 0.0);
  Clip frame{"", out.frame_time, to_.rest().theta};
  for (int k = 0; k < out.frames(); ++k) {
    set_goals(k * options_.every);
    if (k == 0) {
      Problem placed = problem_.problem();
      for (std::size_t d = 0; d < problem_.demands().size(); ++d)
        if (const Expected<void> set = placed.set_goal(problem_.demands()[d].slot, problem_.demands()[d].moving(0.0));
            !set)
          return set;
      VecX theta = to_.rest().theta;
      RootAlignment(to_).align(placed, theta);
      // The first frame is far from rest: solve it separately. A restart farther away than the first might twist it.
      Pose first{theta};
      solve(placed, first, {.restarts = 1});
      frame.poses = first.theta;
    }
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

// Maps each recorded contact to the corresponding place of the new body, and locks it.
Expected<void> Carrier::lock_feet(Retargeted& out) {
  const Expected<std::vector<std::string>> places_from = foot_places(from_), places_to = foot_places(to_);
  if (!options_.contacts || !places_from || !places_to) return {};
  const auto is_front = [](const std::string& place) { return place.ends_with("ball") || place.ends_with("toe"); };
  for (const Contact& source : contacts_) {
    const auto side = source.place.substr(0, source.place.find('_') + 1);
    const auto place = std::find_if(places_to->begin(), places_to->end(), [&](const std::string& name) {
      return name.starts_with(side) && is_front(name) == is_front(source.place);
    });
    if (place == places_to->end()) continue;
    Contact contact = source;
    contact.place = *place;
    contact.first = (source.first + options_.every - 1) / options_.every;
    contact.last = source.last / options_.every;
    if (contact.last <= contact.first) continue;
    contact.start = contact.first * out.clip.frame_time;
    contact.end = contact.last * out.clip.frame_time;
    const Handle handle = *to_.point(*place);
    Vec3 sum = Vec3::Zero();
    for (int k = contact.first; k <= contact.last; ++k) sum += value_of(to_, forward(to_, out.clip.pose(k)), handle);
    contact.at = sum / (contact.last - contact.first + 1);
    contact.at.y() = value_of(to_, rest_to_, handle).y();
    out.contacts.push_back(contact);
  }
  if (out.contacts.empty()) return {};
  out.contacts = made_consistent(to_, std::move(out.contacts));
  TimedProblem problem(to_);
  if (const Expected<void> fixed = keep_bones(problem); !fixed) return fixed;
  if (const Expected<void> locked = lock_contacts(out.contacts, out.clip, options_.ease, problem); !locked)
    return locked;
  const Expected<SlidingReport> before = sliding(to_, out.clip, out.contacts);
  Expected<SolvedMotion> solved = solve_motion(problem, out.clip, {.exact = CleanOptions{}.motion.exact});
  if (!before) return std::unexpected(before.error());
  if (!solved) return std::unexpected(solved.error());
  out.clip = std::move(solved->clip);
  out.report = std::move(solved->report);
  const Expected<SlidingReport> after = sliding(to_, out.clip, out.contacts);
  if (!after) return std::unexpected(after.error());
  out.before = *before;
  out.after = *after;
  return {};
}

// Of the limb bones.
double Carrier::mean_deviation_deg(const Clip& out) {
  double sum = 0.0;
  int count = 0;
  Kinematics state(to_);
  for (int k = 0; k < out.frames(); ++k) {
    set_goals(k * options_.every);
    to_.angles(out.poses.col(k), q_);
    forward(to_, q_, state);
    for (const SharedBone& bone : bones_) {
      const Vec3 goal = goals_[bone.place] - goals_[bone.begin];
      const Vec3 actual = value_of(to_, state, places_[bone.place].to) - value_of(to_, state, places_[bone.begin].to);
      if (bone.from_rest || !(goal.norm() > 0.0) || !(actual.norm() > 0.0)) continue;
      sum += degrees(std::atan2(goal.cross(actual).norm(), goal.dot(actual)));
      ++count;
    }
  }
  return count > 0 ? sum / count : 0.0;
}

Expected<Retargeted> Carrier::run() {
  if (const Expected<void> found = find_places(); !found) return std::unexpected(found.error());
  find_scale();
  if (const Expected<void> found = find_contacts_of_source(); !found) return std::unexpected(found.error());
  if (const Expected<void> added = add_goals(); !added) return std::unexpected(added.error());
  const int frames = (clip_.frames() - 1) / options_.every + 1;
  Retargeted out;
  out.scale = scale_;
  out.clip = {clip_.name, clip_.frame_time * options_.every,
              MatX(static_cast<Eigen::Index>(to_.parameters().size()), frames)};
  if (const Expected<void> done = follow(out.clip); !done) return std::unexpected(done.error());
  if (!is_cancelled_)
    if (const Expected<void> done = lock_feet(out); !done) return std::unexpected(done.error());
  out.mean_deviation_deg = mean_deviation_deg(out.clip);
  return out;
}

}  // namespace

Expected<Retargeted> retarget(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options) {
  if (const Expected<void> valid = checked(from, clip, options); !valid) return std::unexpected(valid.error());
  return Carrier(from, clip, to, options).run();
}

Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options) {
  Expected<Retargeted> out = retarget(from, clip, to, options);
  if (!out) return std::unexpected(out.error());
  return std::move(out->clip);
}

}  // namespace limber
