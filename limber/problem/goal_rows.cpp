#include "limber/problem/goal_rows.h"

#include <algorithm>

#include "limber/problem/pins.h"

namespace limber {

namespace {

// Of the figure's length: rounding of a place that is not farther away than a few figures.
constexpr double place_rounding = 1e-14;

}  // namespace

int GoalRows::row_count(const Constraint& constraint) {
  int rows = 0;
  for (const Alternative& alternative : constraint.alternatives())
    rows = std::max(rows, limber::row_count(alternative.goal, alternative.handle.shape));
  return rows;
}

GoalRows::GoalRows(const Problem& problem, const RowLayout& rows, const Variables& variables, PosedLinkage& links)
    : problem_(problem), handles_(problem, links) {
  const Figure& figure = problem.figure();
  met_square_ = place_rounding * place_rounding * figure.length() * figure.length();
  int max_rows = 0;
  for (const Constraint& constraint : problem.constraints()) max_rows = std::max(max_rows, row_count(constraint));
  r_.resize(max_rows);
  J_.resize(max_rows * 3 * max_elements);
  for (const std::size_t c : rows.order()) {
    const Constraint& constraint = problem.constraints()[c];
    if (constraint.alternatives().empty() || Pins::are_rows_of(constraint)) continue;
    std::vector<char> marked(figure.segments().size(), 0);
    for (const Alternative& alternative : constraint.alternatives()) mark_segments(figure, alternative.handle, marked);
    blocks_.push_back({c, drives_of(figure, variables, links.linkage(), marked)});
  }
}

// Writes r and J of the alternative to the scratch; returns ‖r‖².
double GoalRows::evaluate(std::size_t constraint, std::size_t alternative, const PosedLinkage& links) {
  const Constraint& at = problem_.constraints()[constraint];
  const Alternative& chosen = at.alternatives()[alternative];
  const HandleValue x = handles_.value(constraint, alternative, links);
  Residual out = scratch(limber::row_count(chosen.goal, x.shape), element_count(x.shape));
  limber::evaluate(chosen.goal, x, out);
  // EE09 (6): rᵀ W r = ‖Lᵀ r‖², in place from the first row on.
  if (const MatX& root = at.weighting_root; root.size() > 0)
    for (Eigen::Index i = 0; i < root.rows(); ++i) {
      out.r[i] *= root(i, i);
      out.J.row(i) *= root(i, i);
      for (Eigen::Index k = i + 1; k < root.rows(); ++k) {
        out.r[i] += root(i, k) * out.r[k];
        out.J.row(i) += root(i, k) * out.J.row(k);
      }
    }
  return out.r.squaredNorm();
}

// ZB94 (27): the alternative with the min value; of equal ones, the lowest index. Its r and J are in the scratch. Those
// that are met are equal: rounding must not choose.
GoalRows::Nearest GoalRows::nearest(std::size_t constraint, const PosedLinkage& links) {
  Nearest nearest{0, evaluate(constraint, 0, links)};
  const std::size_t count = problem_.constraints()[constraint].alternatives().size();
  for (std::size_t a = 1; a < count && nearest.square > met_square_; ++a)
    if (const double square = evaluate(constraint, a, links); square < nearest.square) nearest = {a, square};
  if (count > 1) evaluate(constraint, nearest.alternative, links);
  return nearest;
}

GoalError GoalRows::error_of(std::size_t constraint, const PosedLinkage& links) {
  const std::size_t chosen = nearest(constraint, links).alternative;
  return limber::error_of(problem_.constraints()[constraint].alternatives()[chosen].goal,
                          handles_.value(constraint, chosen, links));
}

double GoalRows::pull(std::size_t constraint, double factor, PosedLinkage& links) {
  const Nearest nearest = this->nearest(constraint, links);
  const Alternative& chosen = problem_.constraints()[constraint].alternatives()[nearest.alternative];
  const AttachedHandle& attached = handles_.of(constraint, nearest.alternative);
  const int elements = chosen.handle.count();
  const Residual out = scratch(limber::row_count(chosen.goal, chosen.handle.shape), elements);
  for (int k = 0; k < elements; ++k) {
    const Packed c = packed((2.0 * factor) * (out.J.middleCols<3>(3 * k).transpose() * out.r));
    Packed x;
    links.evaluate(attached.plus[k], x);
    links.pull(attached.plus[k], x, c);
    if (k < chosen.handle.minus_count) {
      links.evaluate(attached.minus[k], x);
      links.pull(attached.minus[k], x, -c);
    }
  }
  return factor * nearest.square;
}

void GoalRows::add_value(const RowLayout& rows, PosedLinkage& links, double& value) {
  for (const Block& block : blocks_)
    if (!problem_.constraints()[block.constraint].must_hold())
      value += pull(block.constraint, rows.square_scale(block.constraint), links);
}

void GoalRows::choose(Block& block, const PosedLinkage& links) {
  block.chosen = nearest(block.constraint, links).alternative;
  block.chosen_at = pose_;
}

void GoalRows::residual(const RowLayout& rows, const PosedLinkage& links, VecX& r) {
  for (Block& block : blocks_) {
    choose(block, links);
    const Alternative& chosen = problem_.constraints()[block.constraint].alternatives()[block.chosen];
    const RowRange& range = rows.of(block.constraint);
    const int count = limber::row_count(chosen.goal, chosen.handle.shape);
    r.segment(range.begin, count) = rows.row_scale(block.constraint) * r_.head(count);
    r.segment(range.begin + count, range.count - count).setZero();
  }
}

// ∂r/∂φ_i = ∂r/∂x · ∂x/∂q · ∂q/∂θ_j · s_i, over the degrees of freedom that the variable drives.
void GoalRows::jacobian(const RowLayout& rows, const Variables& variables, const PosedLinkage& links, const VecX& theta,
                        MatX& J) {
  for (Block& block : blocks_) {
    if (block.chosen_at != pose_) choose(block, links);
    const Alternative& chosen = problem_.constraints()[block.constraint].alternatives()[block.chosen];
    const AttachedHandle& attached = handles_.of(block.constraint, block.chosen);
    const int elements = chosen.handle.count();
    evaluate(block.constraint, block.chosen, links);
    const Residual out = scratch(limber::row_count(chosen.goal, chosen.handle.shape), elements);
    Packed plus[max_elements], minus[max_elements];
    for (int k = 0; k < elements; ++k) {
      links.evaluate(attached.plus[k], plus[k]);
      if (k < chosen.handle.minus_count) links.evaluate(attached.minus[k], minus[k]);
    }
    if (out.J.isZero(0.0)) continue;  // as inside a region
    const double scale = rows.row_scale(block.constraint);
    for (const Drive& drive : block.drives) {
      const double slope = drive_slope(problem_.figure(), variables, drive, theta);
      const double factor = scale * variables.scale(drive.variable) * slope;
      auto out_rows = J.col(drive.variable).segment(rows.of(block.constraint).begin, out.r.size());
      for (int k = 0; k < elements; ++k) {
        Packed moved, other;
        links.column(attached.plus[k], plus[k], drive.link, moved);
        if (k < chosen.handle.minus_count) {
          links.column(attached.minus[k], minus[k], drive.link, other);
          moved -= other;
        }
        out_rows.noalias() += factor * (out.J.middleCols<3>(3 * k) * unpacked(moved));
      }
    }
  }
}

}  // namespace limber
