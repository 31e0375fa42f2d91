#include "limber/problem/assembly.h"

#include <algorithm>
#include <cassert>

namespace limber {

namespace {

// Marks the segments that an element hangs on. The centre of mass hangs on all.
void mark(const Figure& figure, const Element& element, std::vector<char>& needed) {
  if (element.kind == Element::Kind::mass_centre)
    std::fill(needed.begin(), needed.end(), 1);
  else
    for (int s = element.segment; s != no_parent; s = figure.segments()[s].parent) needed[s] = 1;
}

}  // namespace

Assembly::Assembly(const Problem& problem)
    : problem_(problem), structure_(problem.structure()), state_(problem.figure()), sweep_(problem.figure()) {
  const Figure& figure = problem.figure();
  for (const int j : problem.variables()) {
    const Parameter& parameter = figure.parameters()[j];
    const double scale = (1.0 - problem.rigidities()[j]) * (parameter.translates ? figure.length() : 1.0);
    if (!(scale > 0.0) || parameter.range.lower == parameter.range.upper) continue;
    parameters_.push_back(j);
    scales_.push_back(scale);
  }

  std::vector<char> needed(figure.segments().size(), 0);
  int most_rows = 0;
  for (const Constraint& constraint : problem.constraints()) {
    int rows = 0;
    held_.emplace_back(constraint.alternatives.size());
    for (const Alternative& alternative : constraint.alternatives) {
      const Handle& handle = alternative.handle;
      for (int k = 0; k < handle.count(); ++k) {
        mark(figure, handle.plus[k], needed);
        if (k < handle.minus_count) mark(figure, handle.minus[k], needed);
      }
      rows = std::max(rows, row_count(alternative.goal, handle.shape));
    }
    if (constraint.pull) rows = static_cast<int>(constraint.pull->root.rows());
    most_rows = std::max(most_rows, rows);
  }
  std::vector<char> moves(figure.segments().size(), 0);
  for (const int j : parameters_)
    for (const int i : figure.parameters()[j].drives) moves[figure.freedoms()[i].joint] = 1;
  for (std::size_t s = 0; s < needed.size(); ++s) {
    const int parent = figure.segments()[s].parent;
    if (parent != no_parent && moves[parent]) moves[s] = 1;
    if (!needed[s]) continue;
    segments_.push_back(static_cast<int>(s));
    if (moves[s]) moving_.push_back(static_cast<int>(s));
  }

  limits_ = Limits(variables());
  std::vector<int> variable_of(figure.parameters().size(), -1);
  for (int i = 0; i < variables(); ++i) {
    const Range& range = figure.parameters()[parameters_[i]].range;
    limits_.lower[i] = range.lower / scales_[i];
    limits_.upper[i] = range.upper / scales_[i];
    variable_of[parameters_[i]] = i;
  }
  for (std::size_t k = 0; k < figure.limit_rows().size(); ++k) {
    const LimitRow& row = figure.limit_rows()[k];
    std::vector<int> columns;
    std::vector<double> coefficients;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const int i = variable_of[row.parameters[t]];
      if (i < 0 || row.coefficients[t] == 0.0) continue;
      columns.push_back(i);
      coefficients.push_back(row.coefficients[t] * scales_[i]);
    }
    if (columns.empty()) continue;
    limits_.add_row(columns, coefficients, 0.0, row.relation == Relation::equal);
    limit_rows_.push_back(static_cast<int>(k));
  }

  theta_ = figure.rest().theta;
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
  gradient_q_ = VecX::Zero(q_.size());
  gradient_theta_.resize(theta_.size());
  r_.resize(most_rows);
  off_.resize(theta_.size());
  J_.resize(most_rows * 3 * max_elements);
  handle_J_.resize(3, q_.size());
  chosen_.assign(problem.constraints().size(), 0);
  make_blocks();
}

// The rows by level, and for each constraint the freedoms that move its handles.
void Assembly::make_blocks() {
  const Figure& figure = problem_.figure();
  std::vector<int> levels = {must_level, first_level};
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts()) levels.push_back(constraint.level());
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  int row = 0;
  for (const int level : levels) {
    for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
      const Constraint& constraint = problem_.constraints()[c];
      if (!constraint.counts() || constraint.level() != level) continue;
      Block block{c, row, 0, {}, {}};
      if (constraint.pull) {
        for (int i = 0; i < variables(); ++i)
          if (constraint.pull->stiffness[parameters_[i]] > 0.0) block.pulled.push_back(i);
        block.rows = static_cast<int>(block.pulled.size());
        if (constraint.pull->root.size() > 0) {
          block.pulled.clear();
          block.rows = static_cast<int>(constraint.pull->root.rows());
        }
        row += block.rows;
        blocks_.push_back(std::move(block));
        continue;
      }
      std::vector<char> moving(figure.segments().size(), 0);
      for (const Alternative& alternative : constraint.alternatives) {
        const Handle& handle = alternative.handle;
        block.rows = std::max(block.rows, row_count(alternative.goal, handle.shape));
        for (int k = 0; k < handle.count(); ++k) {
          mark(figure, handle.plus[k], moving);
          if (k < handle.minus_count) mark(figure, handle.minus[k], moving);
        }
      }
      for (int i = 0; i < variables(); ++i)
        for (const int freedom : figure.parameters()[parameters_[i]].drives) {
          if (!moving[figure.freedoms()[freedom].joint]) continue;
          for (int t = figure.freedoms()[freedom].term_begin; t < figure.freedoms()[freedom].term_end; ++t)
            if (figure.terms()[t].parameter == parameters_[i]) block.drives.push_back({i, freedom, t});
        }
      row += block.rows;
      blocks_.push_back(std::move(block));
    }
    level_ends_.push_back(row);
  }
}

void Assembly::start(const VecX& theta, VecX& phi) {
  const Figure& figure = problem_.figure();
  theta_ = theta;
  variables_of(theta, phi);

  // The bound of a row less what the other parameters take of it.
  for (std::size_t k = 0; k < limit_rows_.size(); ++k) {
    const LimitRow& row = figure.limit_rows()[limit_rows_[k]];
    double bound = row.bound, square = 0.0;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const auto at = std::lower_bound(parameters_.begin(), parameters_.end(), row.parameters[t]);
      if (at != parameters_.end() && *at == row.parameters[t]) {
        const double a = row.coefficients[t] * scales_[static_cast<std::size_t>(at - parameters_.begin())];
        square += a * a;
      } else {
        bound -= row.coefficients[t] * theta[row.parameters[t]];
      }
    }
    limits_.rows[k].bound = bound / std::sqrt(square);
  }

  double weights = 0.0;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && !constraint.must_hold()) weights += constraint.weight;
  scale_ = weights > 0.0 ? weights * figure.length() * figure.length() : 1.0;

  figure.angles(theta_, q_);
  forward(figure, q_, segments_, state_);
  for (std::size_t c = 0; c < held_.size(); ++c)
    for (std::size_t a = 0; a < held_[c].size(); ++a) {
      const Alternative& alternative = problem_.constraints()[c].alternatives[a];
      held_[c][a].fill(Vec3::Zero());
      if (std::holds_alternative<Hold>(alternative.goal))
        evaluate(figure, state_, alternative.handle, held_[c][a].data());
    }
}

void Assembly::variables_of(const VecX& theta, VecX& phi) const {
  phi.resize(variables());
  for (int i = 0; i < variables(); ++i)
    phi[i] = std::clamp(theta[parameters_[i]] / scales_[i], limits_.lower[i], limits_.upper[i]);
}

void Assembly::theta_of(const VecX& phi, VecX& theta) const {
  for (int i = 0; i < variables(); ++i) {
    const Range& range = problem_.figure().parameters()[parameters_[i]].range;
    // Exactly the limit where φ is at its own, whatever the scaling rounds to.
    const double value = phi[i] == limits_.lower[i]   ? range.lower
                         : phi[i] == limits_.upper[i] ? range.upper
                                                      : scales_[i] * phi[i];
    theta[parameters_[i]] = std::clamp(value, range.lower, range.upper);
  }
}

void Assembly::place(const VecX& phi) {
  set_theta(phi);
  problem_.figure().angles(theta_, q_);
  forward(problem_.figure(), q_, moving_, state_);
}

HandleValue Assembly::handle_value(std::size_t constraint, std::size_t alternative) {
  const Handle& handle = problem_.constraints()[constraint].alternatives[alternative].handle;
  evaluate(problem_.figure(), state_, handle, x_);
  for (int k = 0; k < handle.count(); ++k) x_[k] -= held_[constraint][alternative][k];
  return {handle.shape, x_};
}

// Leaves r and J of the alternative in the scratch; returns ‖r‖².
double Assembly::evaluate_alternative(std::size_t constraint, std::size_t alternative) {
  const Alternative& chosen = problem_.constraints()[constraint].alternatives[alternative];
  const HandleValue x = handle_value(constraint, alternative);
  Residual out = scratch(row_count(chosen.goal, x.shape), element_count(x.shape));
  evaluate(chosen.goal, x, out);
  // EE09 (6): rᵀ W r = ‖Lᵀ r‖², in place from the first row on.
  if (const MatX& root = problem_.constraints()[constraint].weighting_root; root.size() > 0)
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

// ZB94 (27): the alternative with the smallest value; the lowest index where two tie.
Assembly::Nearest Assembly::nearest_alternative(std::size_t constraint) {
  Nearest nearest{0, evaluate_alternative(constraint, 0)};
  const std::size_t count = problem_.constraints()[constraint].alternatives.size();
  for (std::size_t a = 1; a < count; ++a)
    if (const double square = evaluate_alternative(constraint, a); square < nearest.square) nearest = {a, square};
  if (count > 1) evaluate_alternative(constraint, nearest.alternative);
  return nearest;
}

// √k in metres a unit of θ.
double Assembly::pull_root(const PosePull& pull, int variable) const {
  const int j = parameters_[variable];
  const double metres = problem_.figure().parameters()[j].translates ? 1.0 : default_c;
  return metres * std::sqrt(pull.stiffness[j]);
}

// r = A (θ - t) of a pull with a matrix, in the scratch.
void Assembly::pull_residual(const PosePull& pull) {
  off_.noalias() = theta_ - pull.target;
  r_.head(pull.root.rows()).noalias() = pull.root * off_;
}

// Adds factor · ∂‖r‖²/∂φ of a pull and returns factor · ‖r‖².
double Assembly::add_pose_pull(const PosePull& pull, double factor, VecX& gradient) {
  if (pull.root.size() > 0) {
    pull_residual(pull);
    const auto r = r_.head(pull.root.rows());
    for (int i = 0; i < variables(); ++i)
      gradient[i] += 2.0 * factor * scales_[i] * pull.root.col(parameters_[i]).dot(r);
    return factor * r.squaredNorm();
  }
  double sum = 0.0;
  for (int i = 0; i < variables(); ++i) {
    const double root = pull_root(pull, i), r = root * (theta_[parameters_[i]] - pull.target[parameters_[i]]);
    sum += r * r;
    gradient[i] += 2.0 * factor * r * root * scales_[i];
  }
  return factor * sum;
}

// Pulls the constraint's handle by factor · ∂‖r‖²/∂x and returns factor · ‖r‖².
double Assembly::pull(std::size_t constraint, double factor) {
  const Nearest nearest = nearest_alternative(constraint);
  const Alternative& chosen = problem_.constraints()[constraint].alternatives[nearest.alternative];
  const int elements = chosen.handle.count();
  const Residual out = scratch(row_count(chosen.goal, chosen.handle.shape), elements);
  Vec3 c[max_elements];
  for (int k = 0; k < elements; ++k) c[k].noalias() = (2.0 * factor) * (out.J.middleCols<3>(3 * k).transpose() * out.r);
  sweep_.pull(state_, chosen.handle, c);
  return factor * nearest.square;
}

void Assembly::collect_gradient(VecX& gradient) {
  sweep_.gradient(problem_.figure(), state_, moving_, gradient_q_);
  problem_.figure().pull_back(theta_, gradient_q_, gradient_theta_);
  for (int i = 0; i < variables(); ++i) gradient[i] = scales_[i] * gradient_theta_[parameters_[i]];
}

double Assembly::operator()(const VecX& phi, VecX& gradient) {
  place(phi);
  sweep_.clear(segments_);
  double value = 0.0;
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c)
    if (const Constraint& constraint = problem_.constraints()[c];
        constraint.counts() && !constraint.must_hold() && !constraint.pull)
      value += pull(c, weight_of(constraint) / scale_);
  collect_gradient(gradient);
  for (const Block& block : blocks_)
    if (const Constraint& constraint = problem_.constraints()[block.constraint]; constraint.pull)
      value += add_pose_pull(*constraint.pull, weight_of(constraint) / scale_, gradient);
  return value;
}

void Assembly::gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient) {
  place(phi);
  sweep_.clear(segments_);
  const double root = row_scale(problem_.constraints()[constraint]);
  gradient.resize(variables());
  if (const std::optional<PosePull>& pose_pull = problem_.constraints()[constraint].pull) {
    gradient.setZero();
    add_pose_pull(*pose_pull, root * root, gradient);
    return;
  }
  pull(constraint, root * root);
  collect_gradient(gradient);
}

double Assembly::weight_of(const Constraint& constraint) const {
  return constraint.gives_way ? yield_ * constraint.weight : constraint.weight;
}

double Assembly::row_scale(const Constraint& constraint) const {
  return constraint.must_hold() ? 1.0 / problem_.figure().length() : std::sqrt(weight_of(constraint) / scale_);
}

bool Assembly::is_within(std::size_t constraint, int begin, int end) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.constraint == constraint && block.row >= begin && block.row + block.rows <= end;
  });
}

void Assembly::residual(const VecX& phi, VecX& r) {
  place(phi);
  r.resize(residuals());
  for (const Block& block : blocks_) {
    const Constraint& constraint = problem_.constraints()[block.constraint];
    if (constraint.pull && constraint.pull->root.size() > 0) {
      pull_residual(*constraint.pull);
      r.segment(block.row, block.rows) = row_scale(constraint) * r_.head(block.rows);
      continue;
    }
    if (constraint.pull) {
      for (int k = 0; k < block.rows; ++k) {
        const int i = block.pulled[k], j = parameters_[i];
        r[block.row + k] =
            row_scale(constraint) * pull_root(*constraint.pull, i) * (theta_[j] - constraint.pull->target[j]);
      }
      continue;
    }
    chosen_[block.constraint] = nearest_alternative(block.constraint).alternative;
    const Alternative& chosen = constraint.alternatives[chosen_[block.constraint]];
    const int rows = row_count(chosen.goal, chosen.handle.shape);
    r.segment(block.row, rows) = row_scale(constraint) * r_.head(rows);
    r.segment(block.row + rows, block.rows - rows).setZero();
  }
}

// How the elements of a handle move with one freedom, which must not have a centre of mass among them.
void Assembly::handle_column(const Handle& handle, int freedom, Vec3* column) const {
  const Figure& figure = problem_.figure();
  const int joint = figure.freedoms()[freedom].joint, end = figure.segments()[joint].subtree_end;
  const bool turns = figure.freedoms()[freedom].motion == Motion::rotate;
  const Vec3 &axis = state_.axes[freedom], &point = state_.points[freedom];
  const auto moved = [&](const Element& element) -> Vec3 {
    if (element.segment < joint || element.segment >= end) return Vec3::Zero();
    const Frame& X = state_.segments[element.segment];
    if (element.kind == Element::Kind::direction) return turns ? Vec3(axis.cross(X.R * element.local)) : Vec3::Zero();
    return turns ? Vec3(axis.cross(X * element.local - point)) : axis;
  };
  for (int k = 0; k < handle.count(); ++k) {
    column[k] = moved(handle.plus[k]);
    if (k < handle.minus_count) column[k] -= moved(handle.minus[k]);
  }
}

// ∂r/∂φ_i = ∂r/∂x · ∂x/∂q · ∂q/∂θ_j · s_i, over the freedoms that the variable drives.
void Assembly::jacobian(MatX& J) {
  J.setZero(residuals(), variables());
  for (const Block& block : blocks_) {
    const Constraint& constraint = problem_.constraints()[block.constraint];
    if (constraint.pull && constraint.pull->root.size() > 0) {
      for (int i = 0; i < variables(); ++i)
        J.col(i).segment(block.row, block.rows) =
            (row_scale(constraint) * scales_[i]) * constraint.pull->root.col(parameters_[i]);
      continue;
    }
    if (constraint.pull) {
      for (int k = 0; k < block.rows; ++k)
        J(block.row + k, block.pulled[k]) =
            row_scale(constraint) * pull_root(*constraint.pull, block.pulled[k]) * scales_[block.pulled[k]];
      continue;
    }
    const Alternative& chosen = constraint.alternatives[chosen_[block.constraint]];
    const Handle& handle = chosen.handle;
    evaluate_alternative(block.constraint, chosen_[block.constraint]);
    const Residual out = scratch(row_count(chosen.goal, handle.shape), handle.count());
    const bool has_mass_centre = handle.plus[0].kind == Element::Kind::mass_centre ||
                                 (handle.minus_count > 0 && handle.minus[0].kind == Element::Kind::mass_centre);
    if (has_mass_centre) limber::jacobian(problem_.figure(), state_, handle, handle_J_);
    const double scale = row_scale(constraint);
    for (const Drive& drive : block.drives) {
      Vec3 column[max_elements];
      if (has_mass_centre)
        for (int k = 0; k < handle.count(); ++k) column[k] = handle_J_.col(drive.freedom).segment<3>(3 * k);
      else
        handle_column(handle, drive.freedom, column);
      const double slope = problem_.figure().terms()[drive.term].curve(theta_[parameters_[drive.variable]]).slope;
      const double factor = scale * scales_[drive.variable] * slope;
      auto rows = J.col(drive.variable).segment(block.row, out.r.size());
      for (int k = 0; k < handle.count(); ++k) rows.noalias() += factor * (out.J.middleCols<3>(3 * k) * column[k]);
    }
  }
}

Distance Assembly::distance(std::size_t constraint) {
  if (problem_.constraints()[constraint].pull) return {};
  const std::size_t chosen = nearest_alternative(constraint).alternative;
  return limber::distance(problem_.constraints()[constraint].alternatives[chosen].goal,
                          handle_value(constraint, chosen));
}

double Assembly::value(std::size_t constraint) {
  const std::optional<PosePull>& pose_pull = problem_.constraints()[constraint].pull;
  if (!pose_pull) return nearest_alternative(constraint).square;
  if (pose_pull->root.size() > 0) {
    pull_residual(*pose_pull);
    return r_.head(pose_pull->root.rows()).squaredNorm();
  }
  double sum = 0.0;
  for (int i = 0; i < variables(); ++i) {
    const double r = pull_root(*pose_pull, i) * (theta_[parameters_[i]] - pose_pull->target[parameters_[i]]);
    sum += r * r;
  }
  return sum;
}

}  // namespace limber
