#include "limber/motion/timed/motion_contacts.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "limber/base/index.h"
#include "limber/problem/contact_rows.h"

namespace limber {

namespace {

// Contacts that are farther apart than this, in lengths of the figure, are not foreseen by a step.
constexpr double reach = 0.05;
// Stations between two frames are at least so far apart, in parts of the way.
constexpr double min_between = 0.01, same_station = 1e-4;
// Numbers of contacts per pair: two ends over a face, and two ends of a passage.
constexpr int rows_each = 2;

Problem with_clearances(Problem problem, const std::vector<Clearance>& clearances) {
  for (const Clearance& clearance : clearances) {
    const Expected<ConstraintId> added = problem.add_clearance(clearance);
    assert(added);
    (void)added;
  }
  return problem;
}

}  // namespace

MotionContacts::MotionContacts(const Problem& problem, const std::vector<Clearance>& clearances)
    : clearances_(clearances),
      problem_(with_clearances(problem, clearances)),
      variables_(problem_),
      links_(problem_, variables_),
      q_(VecX::Zero(static_cast<Eigen::Index>(problem.figure().freedoms().size()))) {
  const Figure& figure = problem_.figure();
  int id = 0;
  for (const Clearance& clearance : clearances_) {
    contacts_.emplace_back(clearance, links_);
    bodies_.emplace_back();
    for (const SegmentCapsule& at : clearance.capsules) {
      const LinkPlacement place = links_.placement(at.segment);
      bodies_.back().push_back(
          {place.link, place.in_link * at.capsule.a, place.in_link * at.capsule.b, at.capsule.radius});
    }
    first_id_.push_back(id);
    id += contacts_.back().pair_count() +
          rows_each * static_cast<int>(clearance.capsules.size() * clearance.obstacles.size());
  }
  drives_ = drives_of(figure, variables_, links_.linkage(), std::vector<char>(figure.segments().size(), 1));
}

void MotionContacts::start(int frames) {
  stations_.clear();
  for (int k = 0; k < frames; ++k) stations_.push_back({.frame = k});
  passages_.clear();
}

bool MotionContacts::add(int frame, double after) {
  for (Station& station : stations_) {
    if (station.frame != frame || station.after == 0.0 || std::fabs(station.after - after) >= min_between) continue;
    const bool is_other = std::fabs(station.after - after) > same_station;
    station.after = after;
    return is_other;
  }
  const auto later = std::ranges::find_if(stations_, [&](const Station& station) {
    return std::tie(station.frame, station.after) > std::tie(frame, after);
  });
  stations_.insert(later, {frame, after});
  return true;
}

void MotionContacts::forget_multipliers() {
  for (Station& station : stations_) station.multipliers.clear();
}

void MotionContacts::set_multiplier(int station, int id, double value) {
  auto& known = stations_[at_index(station)].multipliers;
  const auto at = std::ranges::find(known, id, &std::pair<int, double>::first);
  if (at != known.end())
    at->second = value;
  else if (value > 0.0)
    known.emplace_back(id, value);
}

const Passage* MotionContacts::passage_of(const Station& station, int clearance, int obstacle, int capsule) const {
  const double time = station.frame + station.after;
  for (const Passage& passage : passages_)
    if (passage.clearance == clearance && passage.obstacle == obstacle && passage.from <= time && time <= passage.to &&
        std::ranges::find(passage.capsules, capsule) != passage.capsules.end())
      return &passage;
  return nullptr;
}

void MotionContacts::push(int station, int id, double gap, double margin, MotionContactList& out) const {
  const double violation = (margin - gap) / problem_.figure().length() + safety;
  double multiplier = 0.0;
  for (const auto& [known, value] : stations_[at_index(station)].multipliers)
    if (known == id) multiplier = value;
  out.contacts.push_back({.station = station, .id = id, .violation = violation, .multiplier = multiplier});
}

// J of a contact: -1/ℓ times that of its gap.
void MotionContacts::add_row(const ClearanceContact& contact, const VecX& theta, MotionContactList& out) {
  const std::size_t begin = out.rows.size();
  out.rows.resize(begin + at_index(variables_.count()), 0.0);
  double* row = out.rows.data() + begin;
  const double scale = 1.0 / problem_.figure().length();
  add_gap_slopes(contact, links_, drives_, problem_.figure(), variables_, theta,
                 [&](int i, double slope) { row[i] -= scale * slope; });
}

void MotionContacts::find_passages(int station, const VecX& theta, MotionContactList& out) {
  const double time = stations_[at_index(station)].frame + stations_[at_index(station)].after;
  const double length = problem_.figure().length();
  for (const Passage& passage : passages_) {
    if (time < passage.from || time > passage.to) continue;
    const Clearance& clearance = clearances_[at_index(passage.clearance)];
    const int obstacles = static_cast<int>(clearance.obstacles.size());
    for (const int capsule : passage.capsules) {
      const Body& body = bodies_[at_index(passage.clearance)][at_index(capsule)];
      const PackedFrame& X = links_.state().frame(body.link);
      int id = first_id_[at_index(passage.clearance)] + contacts_[at_index(passage.clearance)].pair_count() +
               rows_each * (capsule * obstacles + passage.obstacle);
      for (const Vec3* end : {&body.a, &body.b}) {
        ClearanceContact contact;
        contact.at = unpacked(X.point(end->data()));
        contact.normal = passage.normal;
        contact.link = body.link;
        contact.other_link = -1;
        const double gap = passage.normal.dot(contact.at) - passage.offset - body.radius;
        if (body.link >= 0 && gap < clearance.margin + reach * length) {
          push(station, id, gap, clearance.margin, out);
          add_row(contact, theta, out);
        }
        ++id;
      }
    }
  }
}

void MotionContacts::find(int station, const VecX& theta, MotionContactList& out) {
  problem_.figure().angles(theta, q_);
  links_.place_bases(q_);
  links_.place(q_);
  if (!passages_.empty()) find_passages(station, theta, out);
  for (int c = 0; c < static_cast<int>(contacts_.size()); ++c) {
    contacts_[at_index(c)].find(links_.state(), reach * problem_.figure().length());
    const Clearance& clearance = clearances_[at_index(c)];
    const int obstacles = static_cast<int>(clearance.obstacles.size());
    const int with_obstacles = rows_each * static_cast<int>(clearance.capsules.size()) * obstacles;
    for (const ClearanceContact& contact : contacts_[at_index(c)].list()) {
      const int pair = contact.pair / rows_each;
      if (!passages_.empty() && contact.pair < with_obstacles &&
          passage_of(stations_[at_index(station)], c, pair % obstacles, pair / obstacles))
        continue;
      push(station, first_id_[at_index(c)] + contact.pair, contact.gap, clearance.margin, out);
      add_row(contact, theta, out);
    }
  }
}

}  // namespace limber
