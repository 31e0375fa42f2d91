#include "limber/problem/clearance_contacts.h"

#include <algorithm>

#include "limber/obstacle/line_segment.h"

namespace limber {

namespace {

// Max number of contacts listed at once. If the whole body overlaps, the deepest are kept.
constexpr int max_contacts = 32;
// Tolerance for a normal to count as that of a face.
constexpr double face_normal = 1e-9;
// Max square of n': a line counts as lying on a face up to an angle of 45 degrees.
constexpr double max_slope = 2.0;
// Max number of rows for one obstacle and one capsule.
constexpr int rows_each = 2;

// One end of the part of a line over a face: its parameter on the line, and n', the derivative of its height with
// respect to that parameter. If the rim of the face cuts the line, across an axis e, the end moves with the cut:
//
//   n' = n - (n · u) / (e · u) e
struct OverFace {
  double t = 0.0;
  Vec3 slope = Vec3::Zero();
};

// If a capsule lies on a flat face, the nearest point jumps from one end to the other as the capsule tilts, and a step
// that uses only one end tilts it into the face. So both ends of the part over the face are used. False if the nearest
// feature is not a flat face, or the line is steeper than 45 degrees.
bool lies_over(const LineSegment& line, const Gap& found, const Obstacle& obstacle, OverFace& first, OverFace& last) {
  first = {0.0, found.normal};
  last = {1.0, found.normal};
  if (std::holds_alternative<HalfSpaceShape>(obstacle.shape)) return true;
  const BoxShape* box = std::get_if<BoxShape>(&obstacle.shape);
  if (!box) return false;
  const Mat3& R = obstacle.X_world_shape.R;
  const Vec3 n = R.transpose() * found.normal;
  const Vec3 a = R.transpose() * (line.a - obstacle.X_world_shape.p);
  const Vec3 u = R.transpose() * (line.b - line.a);
  Eigen::Index face = 0;
  if (n.cwiseAbs().maxCoeff(&face) < 1.0 - face_normal) return false;
  const double rise = found.normal.dot(line.b - line.a);
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    if (axis == face) continue;
    for (const double side : {1.0, -1.0}) {
      // side (a + t u) <= half
      const double speed = side * u[axis], room = box->half[axis] - side * a[axis];
      if (speed == 0.0 && room < 0.0) return false;
      if (speed == 0.0) continue;
      const OverFace cut{room / speed, found.normal - rise / u[axis] * R.col(axis)};
      if (speed > 0.0 && cut.t < last.t) last = cut;
      if (speed < 0.0 && cut.t > first.t) first = cut;
    }
  }
  return first.t < last.t && first.slope.squaredNorm() <= max_slope && last.slope.squaredNorm() <= max_slope;
}

}  // namespace

ClearanceContacts::ClearanceContacts(const Clearance& clearance, PosedLinkage& links) : clearance_(clearance) {
  for (const SegmentCapsule& at : clearance.capsules) {
    const LinkPlacement carried = links.placement(at.segment);
    Core core;
    core.link = carried.link;
    core.a = carried.in_link * at.capsule.a;
    core.b = carried.in_link * at.capsule.b;
    core.radius = at.capsule.radius;
    core.reach = 0.5 * (core.b - core.a).norm() + core.radius;
    cores_.push_back(core);
  }
  around_.resize(clearance.obstacles.size());
  const std::size_t pairs = rows_each * clearance.capsules.size() * clearance.obstacles.size() + clearance.pairs.size();
  shifts_ = VecX::Zero(static_cast<Eigen::Index>(pairs));
  max_count_ = static_cast<int>(std::min<std::size_t>(pairs, max_contacts));
  list_.reserve(pairs);
  touches_.reserve(pairs);
  start();
}

void ClearanceContacts::start() {
  for (std::size_t o = 0; o < around_.size(); ++o) around_[o] = bounds_of(clearance_.obstacles[o]);
  shifts_.setZero();
  max_shift_ = 0.0;
}

void ClearanceContacts::set_shifts(const Eigen::Ref<const VecX>& shifts) {
  shifts_ = shifts;
  max_shift_ = shifts.size() > 0 ? shifts.maxCoeff() : 0.0;
}

bool ClearanceContacts::is_near(const Core& core, const BoundingBox& box, double within) const {
  for (int axis = 0; axis < 3; ++axis)
    if (core.centre[axis] + core.reach + within < box.low[axis] ||
        core.centre[axis] - core.reach - within > box.high[axis])
      return false;
  return true;
}

void ClearanceContacts::take(ClearanceContact contact, double extra) {
  const double margin = clearance_.margin;
  shortfall_ = std::fmax(shortfall_, margin - contact.gap);
  contact.over = margin + extra - contact.gap + shifts_[contact.pair];
  if (contact.over > 0.0) list_.push_back(contact);
}

void ClearanceContacts::find_obstacles(Which which, double extra) {
  const double within = clearance_.margin + extra + max_shift_;
  const int obstacles = static_cast<int>(clearance_.obstacles.size());
  for (int c = 0; c < static_cast<int>(cores_.size()); ++c) {
    const Core& core = cores_[static_cast<std::size_t>(c)];
    if ((core.link >= 0) != (which == Which::moving)) continue;
    for (int o = 0; o < obstacles; ++o) {
      if (!is_near(core, around_[static_cast<std::size_t>(o)], within)) continue;
      const Gap found = gap(core.at, clearance_.obstacles[static_cast<std::size_t>(o)]);
      ClearanceContact contact;
      contact.pair = rows_each * (c * obstacles + o);
      contact.gap = found.distance - core.radius;
      contact.normal = found.normal;
      contact.slope = found.slope;
      contact.link = core.link;
      contact.at = found.on_line;
      contact.other_at = found.on_shape;
      OverFace ends[2];
      if (!lies_over(core.at, found, clearance_.obstacles[static_cast<std::size_t>(o)], ends[0], ends[1])) {
        take(contact, extra);
        continue;
      }
      for (const OverFace& end : ends) {
        contact.at = core.at.at(end.t);
        contact.gap = found.normal.dot(contact.at - found.on_shape) - core.radius;
        contact.slope = end.slope.norm();
        contact.normal = end.slope / contact.slope;
        take(contact, extra);
        ++contact.pair;
      }
    }
  }
}

void ClearanceContacts::find_pairs(Which which, double extra) {
  const double within = clearance_.margin + extra + max_shift_;
  const int first = rows_each * static_cast<int>(cores_.size() * clearance_.obstacles.size());
  for (int p = 0; p < static_cast<int>(clearance_.pairs.size()); ++p) {
    const CapsulePair& pair = clearance_.pairs[static_cast<std::size_t>(p)];
    const Core &core = cores_[static_cast<std::size_t>(pair.first)],
               &other = cores_[static_cast<std::size_t>(pair.second)];
    if ((core.link >= 0 || other.link >= 0) != (which == Which::moving)) continue;
    const double far = core.reach + other.reach + within - pair.slack;
    if ((core.centre - other.centre).squaredNorm() > far * far) continue;
    const LineSegmentGap found = gap(core.at, other.at);
    ClearanceContact contact;
    contact.pair = first + p;
    contact.gap = found.distance - core.radius - other.radius + pair.slack;
    contact.normal = found.normal;
    contact.link = core.link;
    contact.other_link = other.link;
    contact.at = found.on_first;
    contact.other_at = found.on_second;
    take(contact, extra);
  }
}

void ClearanceContacts::place(const LinkageState& state) {
  for (Core& core : cores_) {
    const PackedFrame& X = state.frame(core.link);
    core.at = {unpacked(X.point(core.a.data())), unpacked(X.point(core.b.data()))};
    core.centre = 0.5 * (core.at.a + core.at.b);
  }
}

const std::vector<ClearanceContact>& ClearanceContacts::find_touches(const LinkageState& state, double extra,
                                                                     double reach) {
  place(state);
  list_.swap(touches_);
  list_.clear();
  const double moving = shortfall_;
  find_obstacles(Which::moving, reach);
  find_obstacles(Which::still, reach);
  find_pairs(Which::moving, extra);
  find_pairs(Which::still, 0.0);
  shortfall_ = moving;
  // A contact with a multiplier above 0 may still be outside the margin.
  std::erase_if(list_, [&](const ClearanceContact& contact) { return contact.gap >= clearance_.margin + reach; });
  list_.swap(touches_);
  return touches_;
}

void ClearanceContacts::find(const LinkageState& state, double extra) {
  place(state);
  list_.clear();
  shortfall_ = 0.0;
  find_obstacles(Which::moving, extra);
  find_pairs(Which::moving, extra);
  if (static_cast<int>(list_.size()) <= max_count_) return;
  const auto deeper = [](const ClearanceContact& a, const ClearanceContact& b) {
    return a.over != b.over ? a.over > b.over : a.pair < b.pair;
  };
  std::nth_element(list_.begin(), list_.begin() + max_count_, list_.end(), deeper);
  list_.resize(static_cast<std::size_t>(max_count_));
  std::sort(list_.begin(), list_.end(),
            [](const ClearanceContact& a, const ClearanceContact& b) { return a.pair < b.pair; });
}

// λ' = max(0, λ + ω e), so λ' / ω is `over` of the listed contacts, and 0 for all others.
double ClearanceContacts::follow(double factor) {
  double change = 0.0;
  max_shift_ = 0.0;
  auto at = list_.begin();
  for (int p = 0; p < pair_count(); ++p) {
    while (at != list_.end() && at->pair < p) ++at;
    const double next = at != list_.end() && at->pair == p ? at->over : 0.0;
    change = std::fmax(change, std::fabs(next - shifts_[p]));
    shifts_[p] = next / factor;
    max_shift_ = std::fmax(max_shift_, shifts_[p]);
  }
  return change;
}

}  // namespace limber
