#include "limber/posing/effort.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Standard deviation of the change of a joint within a third of a second to a second, as a share of its range. Measured
// on the training poses of data/SOURCES.md: 0.08 (wrist) to 0.21 (ankle), in the middle 0.13.
constexpr double change_per_range = 0.13;
// Of a joint without limits, radians: that of a joint with a range of 150 degrees.
constexpr double unlimited_change = change_per_range * 150.0 * pi / 180.0;
// A joint that is nearly rigid still has a finite stiffness, radians.
constexpr double min_change = 0.01;
// ℓ, relative to the figure's length: moving the whole body that far costs as much as the usual change of one joint.
// Chosen by eye on the forty pulls of doc/posing.md; the error of the recorded drags of the benchmark hardly depends on
// it.
constexpr double inertia_length = 0.014;

// How much stiffer joints are that are only used to keep the balance.
constexpr double idle_stiffness = 3.0;

// The distance from a segment's joint to the farthest place on it: its size where it has no mass.
double size_of(const Figure& figure, int segment) {
  double size = 0.0;
  for (const Site& site : figure.sites())
    if (site.segment == segment) size = std::fmax(size, site.frame.p.norm());
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (figure.segments()[s].parent == segment) size = std::fmax(size, figure.joints()[s].in_parent.p.norm());
  return size;
}

double usual_change(const Parameter& parameter, double length) {
  const double range = parameter.range.upper - parameter.range.lower;
  if (parameter.translates) return std::isfinite(range) ? std::fmax(change_per_range * range, 1e-3 * length) : length;
  return std::isfinite(range) ? std::fmax(change_per_range * range, min_change) : unlimited_change;
}

}  // namespace

PullByMatrix effort_from(const Figure& figure, const Pose& grab, const std::vector<bool>& idle, const VecX& stiffness) {
  const auto n = static_cast<Eigen::Index>(figure.parameters().size());
  MatX M = MatX::Zero(n, n);
  const std::vector<int> root = all_root_parameters(figure);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double change = usual_change(figure.parameters()[at], figure.length()) / (idle[at] ? idle_stiffness : 1.0);
    // A root is not held by muscles, but by its inertia alone.
    const bool is_root = std::ranges::find(root, static_cast<int>(j)) != root.end();
    M(j, j) = (is_root ? 1e-6 : 1.0) / (change * change);
  }
  std::vector<double> masses;
  double total = 0.0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    masses.push_back(figure.mass() > 0.0 ? figure.segments()[s].mass : size_of(figure, static_cast<int>(s)));
    total += masses.back();
  }
  const double ell = inertia_length * figure.length();
  const Kinematics state = forward(figure, grab);
  MatX J;
  VecX row, row_theta;
  for (std::size_t s = 0; s < masses.size(); ++s) {
    if (!(masses[s] > 0.0)) continue;
    Handle centre{"", Shape::point};
    centre.plus[0] = {Element::Kind::point, static_cast<int>(s), figure.segments()[s].mass_centre};
    jacobian(figure, state, centre, J);
    for (int k = 0; k < 3; ++k) {
      row = J.row(k);
      row_theta.setZero(n);
      figure.pull_back(grab.theta, row, row_theta);
      M.selfadjointView<Eigen::Lower>().rankUpdate(row_theta, masses[s] / (total * ell * ell));
    }
  }
  if (stiffness.size() == n) M.diagonal().array() *= 1.0 + stiffness.array();
  return {grab.theta, MatX(M.selfadjointView<Eigen::Lower>()).llt().matrixU()};
}

}  // namespace limber
