#include "limber/motion/clean/clean.h"

#include <algorithm>
#include <optional>

#include "limber/kinematics/forward.h"
#include "limber/motion/parts.h"

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

// The goal of a contact: its position on the ground; while eased, the place in the motion, moved by as much as at the
// near end.
class EasedPlace {
 public:
  EasedPlace(const Figure& figure, const Clip& clip, const Element& place, const Contact& contact, const Span& span)
      : contact_(contact), frame_time_(clip.frame_time) {
    const int last_frame = clip.frames() - 1;
    const auto frames_of = [&](double seconds) {
      return static_cast<int>(std::ceil(std::clamp(seconds / frame_time_, 0.0, static_cast<double>(last_frame))));
    };
    const auto path = [&](int begin, int end) {
      std::vector<Vec3> x;
      for (int k = begin; k <= end; ++k) x.push_back(evaluate(figure, forward(figure, clip.pose(k)), place));
      return x;
    };
    before_ = path(std::max(0, contact.first - frames_of(span.ease_in)), contact.first);
    after_ = path(contact.last, std::min(last_frame, contact.last + frames_of(span.ease_out)));
  }

  Goal operator()(double time) const {
    const int frame = static_cast<int>(std::lround(time / frame_time_));
    const auto early = static_cast<std::size_t>(std::max(0, contact_.first - frame));
    const auto late = static_cast<std::size_t>(std::max(0, frame - contact_.last));
    Vec3 p = contact_.at_time(std::clamp(time, contact_.start, contact_.end));
    if (early > 0) p += before_[before_.size() - 1 - std::min(early, before_.size() - 1)] - before_.back();
    if (late > 0) p += after_[std::min(late, after_.size() - 1)] - after_.front();
    return Position{p};
  }

 private:
  Contact contact_;
  double frame_time_;
  std::vector<Vec3> before_, after_;  // frames of the easing, with the near end of the contact
};

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
      const double time = std::fmax(pair.first.start, pair.second.start);
      const Vec3 difference = pair.second.at_time(time) - pair.first.at_time(time);
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

Expected<void> lock_contacts(const std::vector<Contact>& contacts, const Clip& clip, double ease, TimedProblem& problem,
                             double weight) {
  const Figure& figure = problem.figure();
  for (const Contact& contact : contacts) {
    Span span{contact.start, contact.end, ease, ease};
    for (const Contact& other : contacts) {
      if (other.place != contact.place || &other == &contact) continue;
      if (other.end <= contact.start) span.ease_in = std::fmin(span.ease_in, 0.5 * (contact.start - other.end));
      if (other.start >= contact.end) span.ease_out = std::fmin(span.ease_out, 0.5 * (other.start - contact.end));
    }
    const Expected<Handle> place = figure.point(contact.place);
    if (!place) return std::unexpected(place.error());
    if (contact.first < 0 || contact.last < contact.first || contact.last >= clip.frames())
      return reject("contact of '" + contact.place + "'",
                    "frames " + std::to_string(contact.first) + " to " + std::to_string(contact.last),
                    "frames from 0 to " + std::to_string(clip.frames() - 1));
    const Expected<int> added = problem.add(place, EasedPlace(figure, clip, place->plus[0], contact, span), span,
                                            {.weight = weight, .name = contact.place});
    if (!added) return std::unexpected(added.error());
  }
  return {};
}

namespace {

std::vector<Contact> split(const std::vector<Contact>& contacts, const std::vector<ClipPart>& parts,
                           double frame_time) {
  std::vector<Contact> out;
  for (const Contact& contact : contacts)
    for (const ClipPart& part : parts) {
      Contact piece = contact;
      piece.first = std::max(contact.first, part.first);
      piece.last = std::min(contact.last, part.last);
      if (piece.last <= piece.first) continue;
      piece.start = piece.first * frame_time;
      piece.at = contact.at_time(piece.start);
      piece.end = piece.last * frame_time;
      out.push_back(std::move(piece));
    }
  return out;
}

// Locks the contacts of one part and solves it; the frames of the others stay.
Expected<void> clean_part(const Figure& figure, const ClipPart& part, const CleanOptions& options, Cleaned& out) {
  const double frame_time = out.clip.frame_time;
  std::vector<Contact> contacts;
  for (Contact contact : out.contacts) {
    if (contact.first < part.first || contact.last > part.last) continue;
    contact.first -= part.first;
    contact.last -= part.first;
    contact.start = contact.first * frame_time;
    contact.end = contact.last * frame_time;
    contacts.push_back(std::move(contact));
  }
  if (contacts.empty()) return {};
  const Clip given{out.clip.name, frame_time, out.clip.poses.middleCols(part.first, part.last - part.first + 1)};
  TimedProblem problem(figure);
  if (Expected<void> locked = lock_contacts(contacts, given, options.ease, problem); !locked) return locked;
  Expected<SolvedMotion> solved = solve_motion(problem, given, options.motion);
  if (!solved) return std::unexpected(solved.error());
  out.clip.poses.middleCols(part.first, given.frames()) = solved->clip.poses;
  MotionReport& report = solved->report;
  if (report.exit != Exit::converged) out.report.exit = report.exit;
  out.report.iterations += report.iterations;
  out.report.variables = report.variables;
  for (DemandReport& demand : report.demands) {
    if (demand.worst >= 0) demand.worst += part.first;
    out.report.demands.push_back(std::move(demand));
  }
  return {};
}

}  // namespace

Expected<Cleaned> clean_feet(const Figure& figure, const Clip& clip, const CleanOptions& options) {
  const Expected<std::vector<Contact>> found = find_contacts(figure, clip, options.places, options.contacts);
  if (!found) return std::unexpected(found.error());
  const std::vector<ClipPart> parts = parts_of(figure, clip);
  Cleaned out{clip, made_consistent(figure, split(*found, parts, clip.frame_time)), {}, {}, {}};
  const Expected<SlidingReport> before = sliding(figure, clip, out.contacts);
  if (!before) return std::unexpected(before.error());
  out.before = *before;
  if (out.contacts.empty()) return out;
  for (const ClipPart& part : parts)
    if (const Expected<void> done = clean_part(figure, part, options, out); !done) return std::unexpected(done.error());
  const Expected<SlidingReport> after = sliding(figure, out.clip, out.contacts);
  if (!after) return std::unexpected(after.error());
  out.after = *after;
  return out;
}

}  // namespace limber
