#include "limber/motion/retarget/match.h"

#include <algorithm>

#include "limber/base/number.h"

namespace limber {

namespace {

struct Bone {
  const char* place;
  const char* from;
  bool from_rest = false;
  double turn_weight = 0.0;  // of the turn about the bone, against a place; 0: it is not carried over
};

// The turn of thighs, shanks and arms follows from the bend of knees and elbows, except where those are straight: there
// a small weight decides. Nothing else decides how a hand is turned.
constexpr double limb_turn = 2e-4, hand_turn = 1e-3;

constexpr const char* first_place = "pelvis";
constexpr Bone bones_of_bodies[] = {
    {"left_hip", first_place, true},
    {"left_knee", "left_hip", false, limb_turn},
    {"left_ankle", "left_knee", false, limb_turn},
    {"right_hip", first_place, true},
    {"right_knee", "right_hip", false, limb_turn},
    {"right_ankle", "right_knee", false, limb_turn},
    {"left_shoulder", first_place, true},
    {"left_elbow", "left_shoulder", false, limb_turn},
    {"left_wrist", "left_elbow", false, limb_turn},
    {"left_fingertip", "left_wrist", false, hand_turn},
    {"right_shoulder", first_place, true},
    {"right_elbow", "right_shoulder", false, limb_turn},
    {"right_wrist", "right_elbow", false, limb_turn},
    {"right_fingertip", "right_wrist", false, hand_turn},
    {"head_top", "left_shoulder", true},
};
constexpr std::size_t min_places = 6;
// Without these a motion cannot be carried over: the limbs would be guessed.
constexpr const char* needed[] = {"left_knee", "right_knee", "left_elbow", "right_elbow"};
// Which turn as a whole: both bodies face forward at rest and have their soles on the ground, so the directions of feet
// are relative to rest, whatever the height of an ankle.
struct Facing {
  const char* place;
  double weight;  // of forward and of up
};
constexpr Facing facing_places[] = {{first_place, 0.05}, {"chest", 0.01},    {"head", 0.05},     {"left_foot", 0.1},
                                    {"right_foot", 0.1}, {"left_toe", 0.01}, {"right_toe", 0.01}};
// At rest, the forward direction across a bone, unless the bone itself points there.
constexpr double max_forward = 0.9;
// Of a joint's centre, relative to the figure's length.
constexpr double same_place = 1e-6;

std::optional<SharedPlace> shared_point(const Figure& from, const Figure& to, const std::string& name) {
  const Expected<Handle> a = from.point(name), b = to.point(name);
  return a && b ? std::optional(SharedPlace{name, *a, *b}) : std::nullopt;
}

// Hip to knee to ankle of the left leg, straightened: rest poses differ in stance.
std::optional<double> leg_length(const Figure& figure, const Kinematics& rest) {
  const Expected<Handle> hip = figure.point("left_hip"), knee = figure.point("left_knee"),
                         ankle = figure.point("left_ankle");
  if (!hip || !knee || !ankle) return std::nullopt;
  const Vec3 middle = value_of(figure, rest, *knee);
  return (value_of(figure, rest, *hip) - middle).norm() + (value_of(figure, rest, *ankle) - middle).norm();
}

// Height of the ground under a figure at rest.
double lowest(const Figure& figure, const Kinematics& rest) {
  double y = infinity;
  for (const Site& site : figure.sites())
    y = std::fmin(y, (rest.segments[static_cast<std::size_t>(site.segment)] * site.frame.p).y());
  return y;
}

// The segment that turns about a bone with its flesh: the one that carries the bone's end. The place of a joint may be
// on either of its segments, and robots have several joints where a bone begins, some of which do not turn with it.
int segment_of(const Figure& figure, const Kinematics& rest, const Handle& begin, const Handle& end) {
  const int first = begin.plus[0].segment, last = end.plus[0].segment;
  const auto at = static_cast<std::size_t>(last);
  const Vec3 centre = rest.segments[at] * figure.joints()[at].in_child.p;
  const bool is_behind = (value_of(figure, rest, end) - centre).norm() <= same_place * figure.length();
  const int carrier = figure.segments()[at].parent;
  return is_behind && carrier >= first ? carrier : last;
}

// The rotation about the vertical from the facing of one body at rest to that of the other.
Mat3 facing_of(const BodyMatch& match) {
  const std::optional<SharedPlace> left = shared_point(match.from, match.to, "left_hip"),
                                   right = shared_point(match.from, match.to, "right_hip");
  if (!left || !right) return Mat3::Identity();
  Vec3 a = value_of(match.to, match.rest_to, left->to) - value_of(match.to, match.rest_to, right->to);
  Vec3 b = value_of(match.from, match.rest_from, left->from) - value_of(match.from, match.rest_from, right->from);
  a.y() = b.y() = 0.0;
  return rotation(Vec3::UnitY(), std::atan2(a.cross(b).y(), a.dot(b)));
}

class Matcher {
 public:
  explicit Matcher(BodyMatch& match) : match_(match), facing_(facing_of(match)) {}

  void add_bones() {
    const bool has_first = place(first_place).has_value();
    for (const Bone& bone : bones_of_bodies) {
      if (!shared_point(match_.from, match_.to, bone.place)) continue;
      const std::optional<std::size_t> begin = has_first ? place(bone.from) : std::nullopt;
      if (!begin) continue;
      const std::size_t end = *place(bone.place);
      const std::string_view name = bone.place;
      if (name == "left_hip" || name == "right_hip") match_.hips.push_back(match_.bones.size());
      match_.bones.push_back({end, *begin, bone.from_rest, at_rest_from(end) - at_rest_from(*begin),
                              facing_ * (at_rest_to(end) - at_rest_to(*begin))});
      if (bone.turn_weight > 0.0) add_turn(bone.turn_weight);
    }
    if (match_.hips.size() != 2) match_.hips.clear();
  }

  void add_facings() {
    const Vec3 forward = forward_of(match_.from, match_.rest_from);
    for (const Facing& facing : facing_places) {
      const std::optional<SharedPlace> shared = shared_point(match_.from, match_.to, facing.place);
      if (!shared) continue;
      const int from = shared->from.plus[0].segment, to = shared->to.plus[0].segment;
      for (const Vec3& direction : {forward, Vec3(Vec3::UnitY())})
        add_direction(from, to, direction, direction, facing.weight);
    }
  }

 private:
  std::optional<std::size_t> place(const std::string& name) {
    if (const std::optional<std::size_t> known = match_.find(name)) return known;
    std::optional<SharedPlace> shared = shared_point(match_.from, match_.to, name);
    if (!shared) return std::nullopt;
    match_.places.push_back(std::move(*shared));
    return match_.places.size() - 1;
  }
  Vec3 at_rest_from(std::size_t p) const { return value_of(match_.from, match_.rest_from, match_.places[p].from); }
  Vec3 at_rest_to(std::size_t p) const { return value_of(match_.to, match_.rest_to, match_.places[p].to); }

  // Across the last bone.
  void add_turn(double weight) {
    const SharedBone& bone = match_.bones.back();
    if (!(bone.rest_from.norm() > 0.0 && bone.rest_to.norm() > 0.0)) return;
    const SharedPlace &begin = match_.places[bone.begin], &end = match_.places[bone.place];
    const Vec3 along = bone.rest_to.normalized(), forward = forward_of(match_.from, match_.rest_from);
    const Vec3 helper = std::fabs(forward.dot(along)) < max_forward ? forward : Vec3(Vec3::UnitY());
    const Vec3 across = (helper - helper.dot(along) * along).normalized();
    add_direction(segment_of(match_.from, match_.rest_from, begin.from, end.from),
                  segment_of(match_.to, match_.rest_to, begin.to, end.to), turn_between(along, bone.rest_from) * across,
                  across, weight);
  }

  // `of_from` and `of_to` correspond at rest; of_to as if both bodies faced the same way.
  void add_direction(int segment_from, int segment_to, const Vec3& of_from, const Vec3& of_to, double weight) {
    Element element;
    element.kind = Element::Kind::direction;
    element.segment = segment_to;
    const Mat3& R_rest = match_.rest_to.segments[static_cast<std::size_t>(segment_to)].R;
    element.local = R_rest.transpose() * (facing_.transpose() * of_to);
    match_.directions.push_back({segment_from, element, of_from, weight});
  }

  // Across the hips.
  static Vec3 forward_of(const Figure& figure, const Kinematics& rest) {
    const Expected<Handle> left = figure.point("left_hip"), right = figure.point("right_hip");
    if (!left || !right) return Vec3::UnitZ();
    Vec3 across = value_of(figure, rest, *left) - value_of(figure, rest, *right);
    across.y() = 0.0;
    return across.norm() > 0.0 ? Vec3(across.normalized().cross(Vec3::UnitY())) : Vec3(Vec3::UnitZ());
  }

  BodyMatch& match_;
  Mat3 facing_;
};

void find_sizes(BodyMatch& match) {
  match.ground_from = lowest(match.from, match.rest_from);
  match.ground_to = lowest(match.to, match.rest_to);
  match.scale = match.to.length() / match.from.length();
  const std::optional<double> a = leg_length(match.from, match.rest_from), b = leg_length(match.to, match.rest_to);
  if (!a || !b || !(*a > 0.0 && *b > 0.0)) return;
  match.scale = *b / *a;
  match.ground_from = value_of(match.from, match.rest_from, *match.from.point("left_ankle")).y();
  match.ground_to = value_of(match.to, match.rest_to, *match.to.point("left_ankle")).y();
}

}  // namespace

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

std::optional<std::size_t> BodyMatch::find(std::string_view name) const {
  const auto known = std::ranges::find(places, name, &SharedPlace::name);
  return known == places.end() ? std::nullopt : std::optional(static_cast<std::size_t>(known - places.begin()));
}

Expected<BodyMatch> BodyMatch::of(const Figure& from, const Figure& to) {
  BodyMatch match{from, to, forward(from, from.rest()), forward(to, to.rest()), {}, {}, {}, {}};
  Matcher matcher(match);
  matcher.add_bones();
  matcher.add_facings();
  if (match.places.size() < min_places)
    return reject("figures '" + from.name() + "' and '" + to.name() + "'",
                  std::to_string(match.places.size()) + " places in common",
                  "at least " + std::to_string(min_places) + ": pelvis, left_hip, left_knee …");
  for (const char* name : needed)
    for (const Figure* figure : {&from, &to})
      if (!figure->point(name))
        return reject("figure '" + figure->name() + "'", "no place '" + std::string(name) + "'",
                      "knees and elbows that are recognised or named; `limber roles` shows which are");
  find_sizes(match);
  return match;
}

}  // namespace limber
