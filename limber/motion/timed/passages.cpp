#include "limber/motion/timed/passages.h"

#include <algorithm>
#include <numbers>

#include "limber/base/index.h"
#include "limber/obstacle/hull.h"

namespace limber {

namespace {

// Contacts with an obstacle that are no more than this apart are one window, in frames.
constexpr double max_pause = 4.0;
// Directions that are examined, and the least angle between one that failed and the next.
constexpr int direction_count = 400, max_directions = 4;
constexpr double other_direction = 0.5;  // its cosine

// max over y in O of d · y; infinite where there is no other side, or where it is not convex: what enters a box that is
// a mesh should not go around it.
double support(const Obstacle& obstacle, const Vec3& d) {
  const Frame& X = obstacle.X_world_shape;
  const Vec3 local = X.R.transpose() * d;
  const double centre = d.dot(X.p);
  if (const BallShape* ball = std::get_if<BallShape>(&obstacle.shape)) return centre + ball->radius;
  if (const Capsule* capsule = std::get_if<Capsule>(&obstacle.shape))
    return centre + std::fmax(local.dot(capsule->a), local.dot(capsule->b)) + capsule->radius;
  if (const BoxShape* box = std::get_if<BoxShape>(&obstacle.shape)) return centre + local.cwiseAbs().dot(box->half);
  if (const Polyhedron* polyhedron = std::get_if<Polyhedron>(&obstacle.shape)) {
    double max = -infinity;
    for (const Vec3& corner : polyhedron->hull().corners) max = std::fmax(max, local.dot(corner));
    return centre + max;
  }
  return infinity;
}

// Evenly spread over the sphere (Fibonacci lattice).
Vec3 direction(int k) {
  const double y = 1.0 - (2.0 * k + 1.0) / direction_count, r = std::sqrt(1.0 - y * y);
  const double turn = 2.0 * pi * k / std::numbers::phi;
  return {r * std::cos(turn), y, r * std::sin(turn)};
}

}  // namespace

std::vector<Passages::Window> Passages::windows_of(const std::vector<TimedContact>& contacts) const {
  std::vector<Window> out;
  for (const auto& [time, contact] : contacts) {
    const auto& [clearance, capsule, obstacle, pair] = contact.pair;
    if (obstacle == no_index) continue;
    if (!std::isfinite(support(clearances_[at_index(clearance)].obstacles[at_index(obstacle)], Vec3::UnitY())))
      continue;
    Window added{clearance, obstacle, time, time, {{capsule, contact.core}}, {}};
    for (auto known = out.begin(); known != out.end();) {
      if (known->clearance != clearance || known->obstacle != obstacle || known->from > time + max_pause ||
          known->to < time - max_pause) {
        ++known;
        continue;
      }
      added.from = std::fmin(added.from, known->from);
      added.to = std::fmax(added.to, known->to);
      added.places.insert(added.places.end(), known->places.begin(), known->places.end());
      known = out.erase(known);
    }
    out.push_back(std::move(added));
  }
  return out;
}

// The next direction of a window; false if there is none.
bool Passages::choose(Window& window) const {
  if (static_cast<int>(window.tried.size()) >= max_directions) return false;
  const Clearance& clearance = clearances_[at_index(window.clearance)];
  const Obstacle& obstacle = clearance.obstacles[at_index(window.obstacle)];
  double best = infinity;
  Vec3 found = Vec3::Zero();
  const auto examine = [&](const Vec3& d) {
    if (std::ranges::any_of(window.tried, [&](const Vec3& tried) { return tried.dot(d) > other_direction; })) return;
    const double height = support(obstacle, d) + clearance.margin;
    double needed = -infinity;
    for (const Place& place : window.places)
      needed = std::fmax(needed, height + clearance.capsules[at_index(place.capsule)].capsule.radius -
                                     std::fmin(d.dot(place.core.a), d.dot(place.core.b)));
    if (needed >= best) return;
    best = needed;
    found = d;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) examine(side * obstacle.X_world_shape.R.col(axis));
  for (int k = 0; k < direction_count; ++k) examine(direction(k));
  if (!std::isfinite(best)) return false;
  window.tried.push_back(found);
  return true;
}

bool Passages::take(const std::vector<TimedContact>& contacts) {
  bool changed = false;
  for (Window& found : windows_of(contacts)) {
    const auto known = std::ranges::find_if(windows_, [&](const Window& window) {
      return window.clearance == found.clearance && window.obstacle == found.obstacle &&
             window.from <= found.to + max_pause && found.from <= window.to + max_pause;
    });
    if (known == windows_.end()) {
      if (choose(found)) {
        windows_.push_back(std::move(found));
        changed = true;
      }
      continue;
    }
    known->from = std::fmin(known->from, found.from);
    known->to = std::fmax(known->to, found.to);
    known->places.insert(known->places.end(), found.places.begin(), found.places.end());
    changed = choose(*known) || changed;
  }
  list_.clear();
  for (const Window& window : windows_) {
    const Obstacle& obstacle = clearances_[at_index(window.clearance)].obstacles[at_index(window.obstacle)];
    Passage passage{window.clearance,
                    window.obstacle,
                    {},
                    std::floor(window.from),
                    std::ceil(window.to),
                    window.tried.back(),
                    support(obstacle, window.tried.back())};
    for (const Place& place : window.places)
      if (std::ranges::find(passage.capsules, place.capsule) == passage.capsules.end())
        passage.capsules.push_back(place.capsule);
    list_.push_back(std::move(passage));
  }
  return changed;
}

}  // namespace limber
