#include "limber/motion/retarget/touch.h"

#include <algorithm>
#include <memory>

#include "limber/motion/clean/clean.h"

namespace limber {

namespace {

// Against the stiffness of the motion, which is 1e-4 per variable.
constexpr double ground_weight = 1.0, touch_weight = 1.0;
// A foot may sink so far, relative to the figure's length.
constexpr double max_sink = 1e-3;
// Palms nearer than this touch, of a person, in metres; and stay together up to the second one.
constexpr double palms_enter = 0.1, palms_leave = 0.14;
constexpr double min_touch = 0.06;  // seconds
constexpr const char* hand_places[] = {"palm", "fingertip", "wrist"};

Handle point_of(const Site& site) {
  Handle handle;
  handle.name = site.name;
  handle.plus[0].segment = site.segment;
  handle.plus[0].local = site.frame.p;
  return handle;
}

// The sites of the feet, each position once.
std::vector<Handle> soles_of(const Figure& figure) {
  std::vector<Handle> out;
  for (const char* ankle : {"left_ankle", "right_ankle"}) {
    const Expected<Handle> point = figure.point(ankle);
    if (!point) continue;
    const int first = point->plus[0].segment, end = figure.segments()[static_cast<std::size_t>(first)].subtree_end;
    for (const Site& site : figure.sites())
      if (site.segment >= first && site.segment < end &&
          std::ranges::none_of(
              out,
              [&](const Handle& known) {
                return known.plus[0].segment == site.segment && known.plus[0].local == site.frame.p;
              }))
        out.push_back(point_of(site));
  }
  return out;
}

// The ground of a body at rest: its lowest sole.
double ground_of_soles(const Figure& figure, const Kinematics& rest, double otherwise) {
  double y = infinity;
  for (const Handle& sole : soles_of(figure)) y = std::fmin(y, evaluate(figure, rest, sole.plus[0]).y());
  return std::isfinite(y) ? y : otherwise;
}

std::vector<std::vector<Vec3>> paths_of(const Figure& figure, const Clip& clip, const std::vector<Handle>& points) {
  std::vector<std::vector<Vec3>> out(points.size());
  Kinematics state(figure);
  VecX q;
  for (int k = 0; k < clip.frames(); ++k) {
    figure.angles(clip.poses.col(k), q);
    forward(figure, q, state);
    for (std::size_t p = 0; p < points.size(); ++p) out[p].push_back(evaluate(figure, state, points[p].plus[0]));
  }
  return out;
}

Expected<void> keep_above(const Figure& figure, double ground, const Clip& given, TimedProblem& problem) {
  const std::vector<Handle> soles = soles_of(figure);
  const std::vector<std::vector<Vec3>> paths = paths_of(figure, given, soles);
  for (std::size_t p = 0; p < soles.size(); ++p) {
    const double low = std::ranges::min(paths[p], {}, [](const Vec3& x) { return x.y(); }).y();
    if (ground - low <= max_sink * figure.length()) continue;
    const Expected<int> added = problem.add(soles[p], HalfSpace{{0.0, ground, 0.0}, Vec3::UnitY()}, Span{},
                                            {.weight = ground_weight, .name = soles[p].name});
    if (!added) return std::unexpected(added.error());
  }
  return {};
}

std::optional<SharedPlace> shared_hand(const BodyMatch& match, const std::string& side) {
  for (const char* name : hand_places) {
    const Expected<Handle> a = match.from.point(side + name), b = match.to.point(side + name);
    if (a && b) return SharedPlace{side + name, *a, *b};
  }
  return std::nullopt;
}

// Hands that rest on the ground, at as many times their size above it.
Expected<void> add_hands_on_ground(const TouchSource& source, const std::vector<SharedPlace>& hands, double ground_from,
                                   double ground_to, const Clip& given, TimedProblem& problem) {
  const BodyMatch& match = source.match;
  Expected<std::vector<std::string>> places = foot_places(match.from);
  if (!places || hands.empty() || source.clip.frames() < 2) return {};
  for (const SharedPlace& hand : hands) places->push_back(hand.name);
  const Expected<std::vector<Contact>> found = find_contacts(match.from, source.clip, *places, source.contact);
  if (!found) return std::unexpected(found.error());
  std::vector<Contact> contacts;
  for (Contact contact : *found) {
    const auto hand = std::ranges::find(hands, contact.place, &SharedPlace::name);
    contact.first = (contact.first + source.every - 1) / source.every;
    contact.last = std::min(contact.last / source.every, given.frames() - 1);
    if (hand == hands.end() || contact.last <= contact.first) continue;
    const double height = contact.at.y() - source.floor_from - source.slope.dot(contact.at);
    contact.start = contact.first * given.frame_time;
    contact.end = contact.last * given.frame_time;
    contact.velocity *= match.scale;
    Vec3 sum = Vec3::Zero();
    for (int k = contact.first; k <= contact.last; ++k)
      sum += value_of(match.to, forward(match.to, given.pose(k)), hand->to) -
             (k - contact.first) * given.frame_time * contact.velocity;
    contact.at = sum / (contact.last - contact.first + 1);
    contact.at.y() = ground_to + match.scale * (height + match.ground_from - ground_from);
    contacts.push_back(std::move(contact));
  }
  return lock_contacts(contacts, given, source.ease, problem, touch_weight);
}

// Palms that touch keep the recorded offset, scaled.
Expected<void> add_palms(const TouchSource& source, const std::vector<SharedPlace>& hands, const Clip& given,
                         TimedProblem& problem) {
  if (hands.size() != 2) return {};
  const BodyMatch& match = source.match;
  const double scale = match.from.length() / person_length;
  const std::vector<std::vector<Vec3>> x = paths_of(match.from, source.clip, {hands[0].from, hands[1].from});
  auto offset = std::make_shared<std::vector<Vec3>>();
  for (int k = 0; k < given.frames(); ++k) {
    const std::size_t at = static_cast<std::size_t>(k) * static_cast<std::size_t>(source.every);
    offset->push_back(match.scale * (x[0][at] - x[1][at]));
  }
  const auto distance = [&](int k) { return (*offset)[static_cast<std::size_t>(k)].norm() / match.scale; };
  const auto goal = [offset, h = given.frame_time](double time) {
    const auto last = static_cast<long>(offset->size()) - 1;
    return Goal(Position{(*offset)[static_cast<std::size_t>(std::clamp(std::lround(time / h), 0L, last))]});
  };
  for (int k = 0; k < given.frames();) {
    int end = k;
    bool entered = false;
    for (; end < given.frames() && distance(end) <= palms_leave * scale; ++end)
      entered = entered || distance(end) <= palms_enter * scale;
    if (entered && (end - 1 - k) * given.frame_time >= min_touch) {
      const Span span{k * given.frame_time, (end - 1) * given.frame_time, source.ease, source.ease};
      const Expected<int> added =
          problem.add(difference(hands[0].to, hands[1].to), goal, span, {.weight = touch_weight, .name = "palms"});
      if (!added) return std::unexpected(added.error());
    }
    k = end + 1;
  }
  return {};
}

}  // namespace

double height_above_ground(const Figure& figure, const Kinematics& rest, const Clip& clip) {
  double low = infinity;
  for (const std::vector<Vec3>& path : paths_of(figure, clip, soles_of(figure)))
    for (const Vec3& x : path) low = std::fmin(low, x.y());
  return low - ground_of_soles(figure, rest, 0.0);
}

Expected<void> add_touches(const TouchSource& source, const Clip& given, TimedProblem& problem) {
  const BodyMatch& match = source.match;
  const double ground_from = ground_of_soles(match.from, match.rest_from, match.ground_from),
               ground_to = ground_of_soles(match.to, match.rest_to, match.ground_to);
  std::vector<SharedPlace> hands;
  for (const char* side : {"left_", "right_"})
    if (std::optional<SharedPlace> hand = shared_hand(match, side)) hands.push_back(std::move(*hand));
  if (const Expected<void> added = keep_above(match.to, ground_to, given, problem); !added) return added;
  if (const Expected<void> added = add_hands_on_ground(source, hands, ground_from, ground_to, given, problem); !added)
    return added;
  return add_palms(source, hands, given, problem);
}

}  // namespace limber
