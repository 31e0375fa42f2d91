#include "limber/motion/clean/clean.h"

#include <algorithm>
#include <optional>

#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Tolerance of the distance between contacts on one segment, relative to the figure's length.
constexpr double distance_tolerance = 1e-9;
constexpr int max_sweeps = 1000;

// The distance between two places that are rigidly connected; else nothing.
std::optional<double> fixed_distance(const Figure& figure, const std::string& a, const std::string& b) {
  const Expected<Handle> first = figure.point(a), second = figure.point(b);
  if (!first || !second) return std::nullopt;
  const Element &x = first->plus[0], &y = second->plus[0];
  if (x.segment == y.segment) return (x.local - y.local).norm();
  // The centre of a joint without translations is also fixed to the parent segment.
  const auto from_parent = [&](const Element& child, const Element& parent) -> std::optional<double> {
    if (figure.segments()[child.segment].parent != parent.segment) return std::nullopt;
    const Joint& joint = figure.joints()[child.segment];
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
      if (figure.freedoms()[i].motion == Motion::translate) return std::nullopt;
    const bool is_centre = (joint.in_child.p - child.local).norm() <= distance_tolerance * figure.length();
    return is_centre ? std::optional((joint.in_parent.p - parent.local).norm()) : std::nullopt;
  };
  if (const std::optional<double> distance = from_parent(x, y)) return distance;
  return from_parent(y, x);
}

}  // namespace

std::vector<Contact> made_consistent(const Figure& figure, std::vector<Contact> contacts) {
  struct Pair {
    Contact &first, &second;
    double distance;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (std::size_t b = a + 1; b < contacts.size(); ++b) {
      Contact &first = contacts[a], &second = contacts[b];
      if (first.place == second.place || first.last < second.first || second.last < first.first) continue;
      if (const std::optional<double> distance = fixed_distance(figure, first.place, second.place))
        pairs.push_back({first, second, *distance});
    }
  // Both contacts of a pair move by half the error; repeated, since that may disturb other pairs.
  bool all_fit = false;
  for (int sweep = 0; sweep < max_sweeps && !all_fit; ++sweep) {
    all_fit = true;
    for (const Pair& pair : pairs) {
      const Vec3 difference = pair.second.at - pair.first.at;
      const double error = pair.distance - difference.norm();
      if (std::fabs(error) <= distance_tolerance * figure.length() || !(difference.norm() > 0.0)) continue;
      const Vec3 half = 0.5 * error * difference.normalized();
      pair.first.at -= half;
      pair.second.at += half;
      all_fit = false;
    }
  }
  return contacts;
}

Expected<void> lock_contacts(const std::vector<Contact>& contacts, double ease, TimedProblem& problem) {
  for (const Contact& contact : contacts) {
    Span span{contact.start, contact.end, ease, ease};
    for (const Contact& other : contacts) {
      if (other.place != contact.place || &other == &contact) continue;
      if (other.end <= contact.start) span.ease_in = std::fmin(span.ease_in, 0.5 * (contact.start - other.end));
      if (other.start >= contact.end) span.ease_out = std::fmin(span.ease_out, 0.5 * (other.start - contact.end));
    }
    const Expected<int> added = problem.add(problem.figure().point(contact.place), Position{contact.at}, span,
                                            {.weight = must, .name = contact.place});
    if (!added) return std::unexpected(added.error());
  }
  return {};
}

Expected<Cleaned> clean_feet(const Figure& figure, const Clip& clip, const CleanOptions& options) {
  Expected<std::vector<Contact>> found = find_contacts(figure, clip, options.places, options.contacts);
  if (!found) return std::unexpected(found.error());
  Cleaned out{clip, made_consistent(figure, std::move(*found)), {}, {}, {}};
  const Expected<SlidingReport> before = sliding(figure, clip, out.contacts);
  if (!before) return std::unexpected(before.error());
  out.before = *before;
  if (out.contacts.empty()) return out;
  TimedProblem problem(figure);
  if (const Expected<void> locked = lock_contacts(out.contacts, options.ease, problem); !locked)
    return std::unexpected(locked.error());
  Expected<SolvedMotion> solved = solve_motion(problem, clip, options.motion);
  if (!solved) return std::unexpected(solved.error());
  out.clip = std::move(solved->clip);
  out.report = std::move(solved->report);
  const Expected<SlidingReport> after = sliding(figure, out.clip, out.contacts);
  if (!after) return std::unexpected(after.error());
  out.after = *after;
  return out;
}

}  // namespace limber
