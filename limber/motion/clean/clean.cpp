#include "limber/motion/clean/clean.h"

#include <algorithm>
#include <optional>

#include "limber/kinematics/handle.h"

namespace limber {

namespace {

// Contacts of fixed places fit where their distance is off by no more, in lengths of the figure.
constexpr double fits = 1e-9;
constexpr int max_sweeps = 1000;

// The distance between two places that are fixed to one segment; nothing for others.
std::optional<double> fixed_distance(const Figure& figure, const std::string& a, const std::string& b) {
  const Expected<Handle> one = figure.point(a), two = figure.point(b);
  if (!one || !two) return std::nullopt;
  const Element &x = one->plus[0], &y = two->plus[0];
  if (x.segment == y.segment) return (x.local - y.local).norm();
  // A joint that only turns is fixed to the segment that carries it.
  const auto carried = [&](const Element& joint, const Element& on) -> std::optional<double> {
    if (figure.segments()[joint.segment].parent != on.segment) return std::nullopt;
    const Joint& at = figure.joints()[joint.segment];
    for (int i = at.freedom_begin; i < at.freedom_end; ++i)
      if (figure.freedoms()[i].motion == Motion::translate) return std::nullopt;
    const bool is_centre = (at.in_child.p - joint.local).norm() <= 1e-9 * figure.length();
    return is_centre ? std::optional((at.in_parent.p - on.local).norm()) : std::nullopt;
  };
  if (const std::optional<double> distance = carried(x, y)) return distance;
  return carried(y, x);
}

}  // namespace

std::vector<Contact> made_consistent(const Figure& figure, std::vector<Contact> contacts) {
  struct Pair {
    Contact &one, &two;
    double distance;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (std::size_t b = a + 1; b < contacts.size(); ++b) {
      Contact &one = contacts[a], &two = contacts[b];
      if (one.place == two.place || one.last < two.first || two.last < one.first) continue;
      if (const std::optional<double> distance = fixed_distance(figure, one.place, two.place))
        pairs.push_back({one, two, *distance});
    }
  // Both of a pair give way by half, and again where that put another pair apart.
  bool all_fit = false;
  for (int sweep = 0; sweep < max_sweeps && !all_fit; ++sweep) {
    all_fit = true;
    for (const Pair& pair : pairs) {
      const Vec3 apart = pair.two.at - pair.one.at;
      const double off = pair.distance - apart.norm();
      if (std::fabs(off) <= fits * figure.length() || !(apart.norm() > 0.0)) continue;
      const Vec3 half = 0.5 * off * apart.normalized();
      pair.one.at -= half;
      pair.two.at += half;
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
