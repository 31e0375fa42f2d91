#include <algorithm>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/learn.h"

namespace limber {

namespace {

// The mean and the samples near it settle within this many rounds.
constexpr int rounds = 5;
constexpr double right_angle_tolerance = 1e-9;
// Correlations are as many as their square.
constexpr std::size_t max_correlated = 1024;
constexpr double min_translation_spread = 1e-3;  // relative to the figure's length

// The equivalent angle nearest to `to`.
double nearest(double angle, double to) { return to + std::remainder(angle - to, 2.0 * pi); }

bool same_parameters(const Figure& a, const Figure& b) {
  return std::ranges::equal(a.parameters(), b.parameters(), {}, &Parameter::name, &Parameter::name);
}

bool is_root(const Figure& figure, const Parameter& parameter) {
  return std::ranges::any_of(parameter.drives,
                             [&](int i) { return figure.segments()[figure.freedoms()[i].joint].parent == no_parent; });
}

}  // namespace

PriorEstimate::PriorEstimate(const Figure& figure) : figure_(figure) {
  for (std::size_t j = 0; j < figure.parameters().size(); ++j)
    if (!is_root(figure, figure.parameters()[j])) learned_.push_back(static_cast<int>(j));
  for (const Joint& joint : figure.joints()) {
    std::vector<int> rotations;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = figure.freedoms()[i];
      if (freedom.motion == Motion::rotate &&
          figure.parameters()[figure.terms()[freedom.term_begin].parameter].group == no_group)
        rotations.push_back(i);
    }
    rotations_.push_back(std::move(rotations));
  }
}

Expected<void> PriorEstimate::add(const Figure& figure, const Clip& clip, double seconds) {
  if (!same_parameters(figure, figure_))
    return reject("motion '" + clip.name + "'", "a figure with joints other than those of '" + figure_.name() + "'",
                  "motions of figures with the same joints");
  if (clip.frames() > 0 && clip.poses.rows() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject("motion '" + clip.name + "'", "poses of " + std::to_string(clip.poses.rows()) + " parameters",
                  std::to_string(figure.parameters().size()) + ", as in the figure");
  if (!(clip.frame_time > 0.0) || !(seconds >= 0.0))
    return reject("motion '" + clip.name + "'",
                  "a frame time of " + to_text(clip.frame_time) + " s, one pose every " + to_text(seconds) + " s",
                  "a frame time above 0, and an interval of 0 or more");
  if (!clip.poses.allFinite())
    return reject("motion '" + clip.name + "'", "a pose that is not finite", "finite numbers");
  const int every = std::max(1, static_cast<int>(std::fmin(std::round(seconds / clip.frame_time), 1e6)));
  Kinematics state(figure);
  VecX q;
  const auto take = [&](const Pose& pose) {
    samples_.push_back(pose.theta);
    figure.angles(pose.theta, q);
    forward(figure, q, state);
    up_.push_back(state.segments.front().R.transpose() * Vec3::UnitY());
  };
  for (int k = 0; k < clip.frames(); k += every) {
    take(clip.pose(k));
    if (!figure.mirror().empty()) take(figure.mirrored(clip.pose(k)));
  }
  motion_ends_.push_back(poses());
  return {};
}

// Each angle within half a turn of the reference; for a joint with three axes the nearer of its two triples.
void PriorEstimate::bring_near(const VecX& reference, VecX& theta) const {
  for (const std::vector<int>& rotations : rotations_) {
    int parameter[3];
    double first[3], second[3];
    const int count = std::min(3, static_cast<int>(rotations.size()));
    for (int k = 0; k < count; ++k) {
      parameter[k] = figure_.terms()[figure_.freedoms()[rotations[k]].term_begin].parameter;
      first[k] = theta[parameter[k]] = nearest(theta[parameter[k]], reference[parameter[k]]);
    }
    if (rotations.size() != 3) continue;
    const Vec3 axes[] = {figure_.freedoms()[rotations[0]].axis, figure_.freedoms()[rotations[1]].axis,
                         figure_.freedoms()[rotations[2]].axis};
    if (std::fabs(axes[0].dot(axes[1])) > right_angle_tolerance ||
        std::fabs(axes[1].dot(axes[2])) > right_angle_tolerance ||
        std::fabs(axes[0].dot(axes[2])) > right_angle_tolerance)
      continue;
    // R_1(a) R_2(b) R_3(c) = R_1(a + π) R_2(π - b) R_3(c + π).
    double first_square = 0.0, second_square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double center = reference[parameter[k]];
      second[k] = nearest(k == 1 ? pi - first[k] : first[k] + pi, center);
      first_square += (first[k] - center) * (first[k] - center);
      second_square += (second[k] - center) * (second[k] - center);
    }
    for (int k = 0; k < 3 && second_square < first_square; ++k) theta[parameter[k]] = second[k];
  }
}

Expected<PriorDescription> PriorEstimate::prior(const PriorOptions& options) const {
  const std::string where = "prior of figure '" + figure_.name() + "'";
  if (poses() < 2) return reject(where, std::to_string(poses()) + " poses", "at least two");
  if (!(options.trust >= 0.0 && options.trust <= 1.0))
    return reject(where + ", trust", to_text(options.trust), "a fraction from 0 to 1");
  if (!(options.min_spread > 0.0) || !std::isfinite(options.min_spread))
    return reject(where + ", minimum spread", to_text(options.min_spread), "a finite number above 0");

  const bool correlates = options.correlation && options.trust > 0.0;
  if (correlates && learned_.size() > max_correlated)
    return reject(where, std::to_string(learned_.size()) + " parameters",
                  "at most " + std::to_string(max_correlated) + ", or independent ones, without correlation");

  // The weight of each pose; they sum to 1.
  VecX share = VecX::Constant(poses(), 1.0 / poses());
  if (options.equal_motion_weights) {
    int begin = 0;
    for (const int end : motion_ends_) {
      if (end > begin) share.segment(begin, end - begin).setConstant(1.0 / (end - begin));
      begin = end;
    }
    share /= share.sum();
  }
  std::vector<VecX> samples = samples_;
  VecX mean = VecX::Zero(static_cast<Eigen::Index>(figure_.parameters().size()));
  for (int round = 0; round < rounds; ++round) {
    VecX sum = VecX::Zero(mean.size());
    for (int k = 0; k < poses(); ++k) {
      bring_near(mean, samples[k]);
      sum += share[k] * samples[k];
    }
    mean = sum;
  }
  const auto terms = static_cast<Eigen::Index>(learned_.size());
  MatX covariance = MatX::Zero(correlates ? terms : 0, correlates ? terms : 0);
  VecX deviation(terms), variance = VecX::Zero(terms);
  for (int k = 0; k < poses(); ++k) {
    deviation = (samples[k] - mean)(learned_);
    variance += share[k] * deviation.cwiseAbs2();
    if (correlates) covariance += share[k] * deviation * deviation.transpose();
  }

  PriorDescription prior;
  VecX spread(terms);
  for (Eigen::Index k = 0; k < terms; ++k) {
    const Parameter& parameter = figure_.parameters()[learned_[k]];
    const double noise = parameter.translates ? min_translation_spread * figure_.length() : options.min_spread;
    spread[k] = std::sqrt(variance[k] + noise * noise);
    prior.terms.push_back({parameter.name, mean[learned_[k]], spread[k], parameter.translates});
  }
  if (correlates) {
    prior.correlation =
        options.trust * spread.cwiseInverse().asDiagonal() * covariance * spread.cwiseInverse().asDiagonal();
    prior.correlation.diagonal().setOnes();
  }
  Vec3 up = Vec3::Zero();
  for (int k = 0; k < poses(); ++k) up += share[k] * up_[k];
  if (!(up.norm() > 0.0)) return prior;
  prior.up_segment = figure_.segments().front().name;
  prior.up = up.normalized();
  double square = 0.0;
  for (int k = 0; k < poses(); ++k) square += share[k] * (up_[k] - prior.up).squaredNorm();
  prior.up_spread = std::sqrt(0.5 * square + options.min_spread * options.min_spread);
  return prior;
}

}  // namespace limber
