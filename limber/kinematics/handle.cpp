#include <tuple>

#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// The segments of a centre of mass.
struct MassRange {
  int begin = 0, end = 0;
  double mass = 0.0;

  MassRange(const Figure& figure, const Element& element) {
    std::tie(begin, end) = mass_range(figure, element);
    for (int s = begin; s < end; ++s) mass += figure.segments()[s].mass;
  }
};

}  // namespace

Vec3 evaluate(const Figure& figure, const Kinematics& state, const Element& element) {
  switch (element.kind) {
    case Element::Kind::point:
      return state.segments[element.segment] * element.local;
    case Element::Kind::direction:
      return state.segments[element.segment].R * element.local;
    case Element::Kind::mass_centre:
      break;
  }
  const MassRange range(figure, element);
  Vec3 sum = Vec3::Zero();
  for (int s = range.begin; s < range.end; ++s) {
    const Segment& segment = figure.segments()[s];
    if (segment.mass > 0.0) sum += segment.mass * (state.segments[s] * segment.mass_centre);
  }
  return sum / range.mass;
}

void evaluate(const Figure& figure, const Kinematics& state, const Handle& handle, Vec3* x) {
  for (int k = 0; k < handle.count(); ++k) {
    x[k] = evaluate(figure, state, handle.plus[k]);
    if (k < handle.minus_count) x[k] -= evaluate(figure, state, handle.minus[k]);
  }
}

namespace {

// Adds `scale` times the columns of a point or direction that is fixed to `segment`.
void add_columns(const Figure& figure, const Kinematics& state, int segment, bool is_point, const Vec3& x, double scale,
                 Eigen::Ref<MatX> rows) {
  for (int s = segment; s != no_parent; s = figure.segments()[s].parent)
    for (int i = figure.joints()[s].freedom_begin; i < figure.joints()[s].freedom_end; ++i) {
      if (figure.freedoms()[i].motion == Motion::rotate)
        rows.col(i) += scale * state.axes[i].cross(is_point ? Vec3(x - state.points[i]) : x);
      else if (is_point)
        rows.col(i) += scale * state.axes[i];
    }
}

void add_columns(const Figure& figure, const Kinematics& state, const Element& element, double scale,
                 Eigen::Ref<MatX> rows) {
  if (element.kind != Element::Kind::mass_centre) {
    const bool is_point = element.kind == Element::Kind::point;
    return add_columns(figure, state, element.segment, is_point, evaluate(figure, state, element), scale, rows);
  }
  const MassRange range(figure, element);
  for (int s = range.begin; s < range.end; ++s) {
    const Segment& segment = figure.segments()[s];
    if (segment.mass > 0.0)
      add_columns(figure, state, s, true, state.segments[s] * segment.mass_centre, scale * segment.mass / range.mass,
                  rows);
  }
}

}  // namespace

void jacobian(const Figure& figure, const Kinematics& state, const Handle& handle, MatX& J) {
  J.setZero(3 * handle.count(), static_cast<Eigen::Index>(figure.freedoms().size()));
  for (int k = 0; k < handle.count(); ++k) {
    add_columns(figure, state, handle.plus[k], 1.0, J.middleRows(3 * k, 3));
    if (k < handle.minus_count) add_columns(figure, state, handle.minus[k], -1.0, J.middleRows(3 * k, 3));
  }
}

Sweep::Sweep(const Figure& figure)
    : force_(figure.segments().size(), Vec3::Zero()), torque_(figure.segments().size(), Vec3::Zero()) {}

void Sweep::clear(const std::vector<int>& which) {
  for (const int s : which) {
    force_[s].setZero();
    torque_[s].setZero();
  }
  on_mass_centres_.clear();
}

void Sweep::pull(const Kinematics& state, const Element& element, const Vec3& c) {
  switch (element.kind) {
    case Element::Kind::point:
      force_[element.segment] += c;
      torque_[element.segment] += (state.segments[element.segment] * element.local).cross(c);
      return;
    case Element::Kind::direction:
      torque_[element.segment] += (state.segments[element.segment].R * element.local).cross(c);
      return;
    case Element::Kind::mass_centre:
      on_mass_centres_.emplace_back(element, c);
      return;
  }
}

void Sweep::pull(const Kinematics& state, const Handle& handle, const Vec3* c) {
  for (int k = 0; k < handle.count(); ++k) {
    pull(state, handle.plus[k], c[k]);
    if (k < handle.minus_count) pull(state, handle.minus[k], -c[k]);
  }
}

void Sweep::gradient(const Figure& figure, const Kinematics& state, const std::vector<int>& which, VecX& gradient_q) {
  const std::vector<Segment>& segments = figure.segments();
  const std::vector<Joint>& joints = figure.joints();
  const std::vector<Freedom>& freedoms = figure.freedoms();
  for (const auto& [centre, c] : on_mass_centres_) {
    const MassRange range(figure, centre);
    const Vec3 per_mass = c / range.mass;
    for (const int s : which) {
      if (segments[s].mass <= 0.0 || s < range.begin || s >= range.end) continue;
      const Vec3 f = segments[s].mass * per_mass;
      force_[s] += f;
      torque_[s] += (state.segments[s] * segments[s].mass_centre).cross(f);
    }
  }
  for (auto at = which.rbegin(); at != which.rend(); ++at) {
    const int s = *at;
    const Joint& joint = joints[s];
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Vec3& u = state.axes[i];
      gradient_q[i] = freedoms[i].motion == Motion::rotate ? u.dot(torque_[s] - state.points[i].cross(force_[s]))
                                                           : u.dot(force_[s]);
    }
    if (const int parent = segments[s].parent; parent != no_parent) {
      force_[parent] += force_[s];
      torque_[parent] += torque_[s];
    }
  }
}

}  // namespace limber
