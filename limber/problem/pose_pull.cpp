#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/base/number.h"
#include "limber/problem/check_pull.h"
#include "limber/problem/problem.h"

namespace limber {

PullByStiffness towards(const Figure& figure, const Pose& pose) {
  PullByStiffness pull{pose.theta, VecX::Ones(pose.theta.size())};
  for (std::size_t j = 0; j < figure.parameters().size(); ++j)
    for (const int freedom : figure.parameters()[j].drives)
      if (figure.segments()[figure.freedoms()[freedom].joint].parent == no_parent)
        pull.stiffness[static_cast<Eigen::Index>(j)] = 0.0;
  return pull;
}

PullByStiffness stiffly_towards(const Pose& pose, const VecX& stiffness) {
  return {pose.theta, VecX::Ones(pose.theta.size()) + stiffness};
}

PullByStiffness towards_middle(const Figure& figure) {
  PullByStiffness pull{figure.rest().theta, VecX::Zero(static_cast<Eigen::Index>(figure.parameters().size()))};
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double half = 0.5 * (range.upper - range.lower);
    if (!std::isfinite(half) || !(half > 0.0)) continue;
    pull.target[static_cast<Eigen::Index>(j)] = range.lower + half;
    pull.stiffness[static_cast<Eigen::Index>(j)] = 1.0 / (half * half);
  }
  return pull;
}

PullToComfort towards_comfort(const Figure& figure, JointComfort comfort) {
  VecX stiffness = VecX::Zero(static_cast<Eigen::Index>(figure.parameters().size()));
  for (int j = 0; j < std::min(comfort.parameters(), static_cast<int>(stiffness.size())); ++j)
    if (comfort.counts(j)) stiffness[j] = 1.0;
  return {std::move(comfort), std::move(stiffness)};
}

PullToComfort towards_comfort(const Figure& figure) {
  return towards_comfort(figure, JointComfort::make(figure).value_or(JointComfort()));
}

namespace {

// Each part by itself.
PullByMatrix towards_usual_parts(const Figure& figure) {
  PullByMatrix whole{figure.rest().theta, MatX::Zero(0, static_cast<Eigen::Index>(figure.parameters().size()))};
  for (const FigurePart& part : figure.parts()) {
    const PullByMatrix own = towards_usual(part.figure);
    const Eigen::Index row = whole.root.rows();
    whole.root.conservativeResizeLike(MatX::Zero(row + own.root.rows(), whole.root.cols()));
    whole.root.block(row, part.parameter_begin, own.root.rows(), own.root.cols()) = own.root;
    whole.target.segment(part.parameter_begin, own.target.size()) = own.target;
  }
  return whole;
}

}  // namespace

// With spreads D and correlation C = L Lᵀ, (θ - t)ᵀ (D C D)⁻¹ (θ - t) = ‖L⁻¹ D⁻¹ (θ - t)‖².
PullByMatrix towards_usual(const Figure& figure) {
  if (!figure.parts().empty()) return towards_usual_parts(figure);
  const PriorDescription& prior = figure.description().prior;
  const auto terms = static_cast<Eigen::Index>(prior.terms.size());
  const double metres = metres_per_spread * figure.length();
  PullByMatrix pull{figure.rest().theta, MatX::Zero(terms, static_cast<Eigen::Index>(figure.parameters().size()))};
  MatX inverse = MatX::Identity(terms, terms);
  if (prior.correlation.size() > 0) Eigen::LLT<MatX>(prior.correlation).matrixL().solveInPlace(inverse);
  for (Eigen::Index k = 0; k < terms; ++k) {
    const PriorTerm& term = prior.terms[static_cast<std::size_t>(k)];
    const int j = figure.find_parameter(term.parameter).value_or(0);
    pull.target[j] = term.mean;
    pull.root.col(j) = (metres / term.spread) * inverse.col(k);
  }
  return pull;
}

namespace {

// The error in a pull, if any.
class PullCheck {
 public:
  PullCheck(const Figure& figure, std::string where)
      : figure_(figure), where_(std::move(where)), count_(static_cast<Eigen::Index>(figure.parameters().size())) {}

  std::optional<Diagnostic> operator()(const PullByStiffness& pull) const {
    if (pull.target.size() != count_ || pull.stiffness.size() != count_)
      return wrong_size(std::to_string(pull.target.size()) + " values and " + std::to_string(pull.stiffness.size()) +
                        " stiffnesses");
    for (Eigen::Index j = 0; j < count_; ++j)
      if (!std::isfinite(pull.target[j]) || !is_stiffness(pull.stiffness[j]))
        return wrong_parameter(j, "value " + to_text(pull.target[j]) + ", stiffness " + to_text(pull.stiffness[j]));
    return std::nullopt;
  }

  std::optional<Diagnostic> operator()(const PullByMatrix& pull) const {
    if (pull.root.cols() != count_ || !pull.root.allFinite())
      return Diagnostic{where_,
                        "a matrix of " + std::to_string(pull.root.cols()) + " columns, or one that is not finite",
                        std::to_string(count_) + " columns, one per parameter of the figure"};
    if (pull.target.size() != count_) return wrong_size(std::to_string(pull.target.size()) + " values");
    for (Eigen::Index j = 0; j < count_; ++j)
      if (!std::isfinite(pull.target[j])) return wrong_parameter(j, "value " + to_text(pull.target[j]));
    return std::nullopt;
  }

  std::optional<Diagnostic> operator()(const PullToComfort& pull) const {
    if (pull.comfort.parameters() != count_)
      return Diagnostic{where_ + ", comfort", "that of " + std::to_string(pull.comfort.parameters()) + " parameters",
                        std::to_string(count_) + " parameters"};
    if (pull.stiffness.size() != count_) return wrong_size(std::to_string(pull.stiffness.size()) + " stiffnesses");
    for (Eigen::Index j = 0; j < count_; ++j)
      if (!is_stiffness(pull.stiffness[j])) return wrong_parameter(j, "stiffness " + to_text(pull.stiffness[j]));
    return std::nullopt;
  }

 private:
  static bool is_stiffness(double k) { return std::isfinite(k) && k >= 0.0; }
  Diagnostic wrong_size(std::string found) const {
    return {where_, std::move(found), std::to_string(count_) + " each, one per parameter of the figure"};
  }
  Diagnostic wrong_parameter(Eigen::Index j, std::string found) const {
    return {where_ + ", parameter '" + figure_.parameters()[static_cast<std::size_t>(j)].name + "'", std::move(found),
            "finite numbers, the stiffness 0 or more"};
  }

  const Figure& figure_;
  std::string where_;
  Eigen::Index count_;
};

}  // namespace

std::optional<Diagnostic> wrong_with(const PosePull& pull, const Figure& figure, const std::string& where) {
  return std::visit(PullCheck(figure, where), pull);
}

}  // namespace limber
