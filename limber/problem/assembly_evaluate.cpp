#include <algorithm>

#include "limber/problem/assembly.h"

namespace limber {

void Assembly::place(const VecX& phi) {
  if (is_placed_ && placed_ == phi) return;
  is_placed_ = true;
  std::fill(is_found_.begin(), is_found_.end(), 0);
  placed_ = phi;
  theta_of(phi, theta_);
  if (freedoms_.empty())
    problem_.figure().angles(theta_, q_);
  else
    for (int i = 0; i < variables(); ++i) q_[freedoms_[i]] = theta_[parameters_[i]];
  forward(linkage_, q_, state_);
  add_up_loads();
}

// So that the centre of mass of all that hangs on a link is a difference.
void Assembly::add_up_loads() {
  if (loads_.empty()) return;
  moment_before_[0] = Packed{};
  for (std::size_t k = 0; k < loads_.size(); ++k)
    moment_before_[k + 1] =
        moment_before_[k] + loads_[k].mass * state_.frame(loads_[k].link).point(loads_[k].centre.data());
}

void Assembly::evaluate(const AttachedElement& attached, Packed& x) const {
  switch (attached.kind) {
    case Element::Kind::point:
      x = state_.frame(attached.link).point(attached.local.data());
      return;
    case Element::Kind::direction:
      x = state_.frame(attached.link).direction(attached.local.data());
      return;
    case Element::Kind::mass_centre:
      break;
  }
  x = (1.0 / problem_.figure().mass()) * moment_before_.back();
}

// An element, which is at x, is pulled by c.
void Assembly::pull(const AttachedElement& attached, const Packed& x, const Packed& c) {
  if (attached.kind == Element::Kind::point) return pull_point(attached.link, x, c, state_);
  if (attached.kind == Element::Kind::direction) return pull_direction(attached.link, x, c, state_);
  for (const Load& load : loads_) {
    const Packed centre = state_.frame(load.link).point(load.centre.data());
    pull_point(load.link, centre, (load.mass / problem_.figure().mass()) * c, state_);
  }
}

HandleValue Assembly::handle_value(std::size_t constraint, std::size_t alternative) {
  const Handle& handle = problem_.constraints()[constraint].alternatives[alternative].handle;
  const AttachedHandle& attached = handles_[constraint][alternative];
  for (int k = 0; k < handle.count(); ++k) {
    Packed x;
    evaluate(attached.plus[k], x);
    x_[k] = unpacked(x) - attached.held[k];
    if (k >= handle.minus_count) continue;
    evaluate(attached.minus[k], x);
    x_[k] -= unpacked(x);
  }
  return {handle.shape, x_};
}

// Leaves r and J of the alternative in the scratch; returns ‖r‖².
double Assembly::evaluate_alternative(std::size_t constraint, std::size_t alternative) {
  const Alternative& chosen = problem_.constraints()[constraint].alternatives[alternative];
  const HandleValue x = handle_value(constraint, alternative);
  Residual out = scratch(row_count(chosen.goal, x.shape), element_count(x.shape));
  limber::evaluate(chosen.goal, x, out);
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

// θ_j - t_j and its derivative by θ_j, or what stands in its place.
Assembly::Deviation Assembly::pull_error(const PosePull& pull, int variable) const {
  const int j = parameters_[variable];
  if (!pull.comfort) return {theta_[j] - pull.target[j], 1.0};
  const JointComfort::Discomfort d = pull.comfort->at(j, theta_[j]);
  return {d.value, d.slope};
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
    const auto [off, slope] = pull_error(pull, i);
    const double root = pull_root(pull, i), r = root * off;
    sum += r * r;
    gradient[i] += 2.0 * factor * r * root * slope * scales_[i];
  }
  return factor * sum;
}

// Pulls the constraint's handle by factor · ∂‖r‖²/∂x and returns factor · ‖r‖².
double Assembly::pull(std::size_t constraint, double factor) {
  const Nearest nearest = nearest_alternative(constraint);
  const Alternative& chosen = problem_.constraints()[constraint].alternatives[nearest.alternative];
  const AttachedHandle& attached = handles_[constraint][nearest.alternative];
  const int elements = chosen.handle.count();
  const Residual out = scratch(row_count(chosen.goal, chosen.handle.shape), elements);
  for (int k = 0; k < elements; ++k) {
    const Packed c = packed((2.0 * factor) * (out.J.middleCols<3>(3 * k).transpose() * out.r));
    Packed x;
    evaluate(attached.plus[k], x);
    pull(attached.plus[k], x, c);
    if (k < chosen.handle.minus_count) {
      evaluate(attached.minus[k], x);
      pull(attached.minus[k], x, -c);
    }
  }
  return factor * nearest.square;
}

// The same for one pin, with the factor and the square of its scale as one number.
double Assembly::pull_pin(const Pin& pin, double square_scale) {
  Packed plus, minus;
  evaluate(pin.plus, plus);
  Packed off = plus - pin.target;
  if (pin.is_difference) {
    evaluate(pin.minus, minus);
    off -= minus;
  }
  const Packed c = (2.0 * square_scale) * off;
  pull(pin.plus, plus, c);
  if (pin.is_difference) pull(pin.minus, minus, -c);
  return square_scale * dot(off, off);
}

void Assembly::collect_gradient(VecX& gradient) {
  collect(linkage_, state_, gradient_q_);
  if (!freedoms_.empty()) {
    for (int i = 0; i < variables(); ++i) gradient[i] = scales_[i] * gradient_q_[freedoms_[i]];
    return;
  }
  problem_.figure().pull_back(theta_, gradient_q_, gradient_theta_);
  for (int i = 0; i < variables(); ++i) gradient[i] = scales_[i] * gradient_theta_[parameters_[i]];
}

double Assembly::operator()(const VecX& phi, VecX& gradient) {
  place(phi);
  clear_forces(state_);
  double value = 0.0;
  for (const Pin& pin : pins_)
    if (pin.square_scale > 0.0) value += pull_pin(pin, pin.square_scale);
  for (const std::size_t c : unpinned_)
    if (const Constraint& constraint = problem_.constraints()[c]; !constraint.must_hold())
      value += pull(c, weight_of(constraint) / scale_);
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k) value += pull_contacts(k);
  collect_gradient(gradient);
  for (const Block& block : blocks_)
    if (const Constraint& constraint = problem_.constraints()[block.constraint]; constraint.pull)
      value += add_pose_pull(*constraint.pull, weight_of(constraint) / scale_, gradient);
  return value;
}

void Assembly::gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient) {
  place(phi);
  clear_forces(state_);
  const double root = row_scale(problem_.constraints()[constraint]);
  gradient.resize(variables());
  if (const std::optional<PosePull>& pose_pull = problem_.constraints()[constraint].pull) {
    gradient.setZero();
    add_pose_pull(*pose_pull, root * root, gradient);
    return;
  }
  if (problem_.constraints()[constraint].clearance)
    pull_contacts(contacts_index(constraint));
  else
    pull(constraint, root * root);
  collect_gradient(gradient);
}

double Assembly::weight_of(const Constraint& constraint) const {
  return constraint.soft ? soft_scale_ * constraint.weight : constraint.weight;
}

double Assembly::row_scale(const Constraint& constraint) const {
  return constraint.must_hold() ? 1.0 / problem_.figure().length() : std::sqrt(weight_of(constraint) / scale_);
}

Assembly::RowRange Assembly::rows_of(std::size_t constraint) const {
  for (const Block& block : blocks_)
    if (block.constraint == constraint) return {block.row, block.rows};
  return {};
}

bool Assembly::is_within(std::size_t constraint, int begin, int end) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.constraint == constraint && block.row >= begin && block.row + block.rows <= end;
  });
}

void Assembly::residual(const VecX& phi, VecX& r) {
  place(phi);
  r.resize(residuals());
  for (const Pin& pin : pins_) {
    Packed off, minus;
    evaluate(pin.plus, off);
    off -= pin.target;
    if (pin.is_difference) {
      evaluate(pin.minus, minus);
      off -= minus;
    }
    for (int axis = 0; axis < 3; ++axis) r[pin.row + axis] = pin.row_scale * off[axis];
  }
  for (const Block& block : blocks_) {
    if (block.is_pinned) continue;
    const Constraint& constraint = problem_.constraints()[block.constraint];
    if (constraint.clearance) {
      contact_residual(block, r);
      continue;
    }
    if (constraint.pull && constraint.pull->root.size() > 0) {
      pull_residual(*constraint.pull);
      r.segment(block.row, block.rows) = row_scale(constraint) * r_.head(block.rows);
      continue;
    }
    if (constraint.pull) {
      for (int k = 0; k < block.rows; ++k) {
        const int i = block.pulled[k];
        r[block.row + k] =
            row_scale(constraint) * pull_root(*constraint.pull, i) * pull_error(*constraint.pull, i).value;
      }
      continue;
    }
    const Alternative& chosen = constraint.alternatives[nearest_alternative(block.constraint).alternative];
    const int rows = row_count(chosen.goal, chosen.handle.shape);
    r.segment(block.row, rows) = row_scale(constraint) * r_.head(rows);
    r.segment(block.row + rows, block.rows - rows).setZero();
  }
}

// How an element, which is at x, moves with the freedom of a link.
void Assembly::column(const AttachedElement& attached, const Packed& x, int link, Packed& column) const {
  const Link& at = linkage_.links()[link];
  const PackedFrame& X = state_.frames[link];
  column = Packed{};
  if (attached.kind == Element::Kind::mass_centre) {
    const auto from = static_cast<std::size_t>(first_load_[static_cast<std::size_t>(link)]);
    const auto to = static_cast<std::size_t>(first_load_[static_cast<std::size_t>(at.subtree_end)]);
    const double mass = mass_before_[to] - mass_before_[from], part = 1.0 / problem_.figure().mass();
    column = at.turns ? cross(X.z, part * (moment_before_[to] - moment_before_[from]) - (part * mass) * X.p)
                      : (part * mass) * X.z;
    return;
  }
  if (attached.link < link || attached.link >= at.subtree_end) return;
  if (attached.kind == Element::Kind::direction) {
    if (at.turns) column = cross(X.z, x);
  } else if (at.turns) {
    column = cross(X.z, x - X.p);
  } else {
    column = X.z;
  }
}

void Assembly::pin_jacobian(const Block& block, MatX& J) const {
  const std::size_t first = static_cast<std::size_t>(
      std::find_if(pins_.begin(), pins_.end(), [&](const Pin& pin) { return pin.row == block.row; }) - pins_.begin());
  for (std::size_t k = first; k < pins_.size() && pins_[k].constraint == block.constraint; ++k) {
    const Pin& pin = pins_[k];
    Packed plus, minus = {}, moved, other;
    evaluate(pin.plus, plus);
    if (pin.is_difference) evaluate(pin.minus, minus);
    for (const Drive& drive : block.drives) {
      column(pin.plus, plus, drive.link, moved);
      if (pin.is_difference) {
        column(pin.minus, minus, drive.link, other);
        moved -= other;
      }
      const double slope = freedoms_.empty()
                               ? problem_.figure().terms()[drive.term].curve(theta_[parameters_[drive.variable]]).slope
                               : 1.0;
      const double factor = pin.row_scale * scales_[drive.variable] * slope;
      double* rows = &J(pin.row, drive.variable);
      for (int axis = 0; axis < 3; ++axis) rows[axis] += factor * moved[axis];
    }
  }
}

// ∂r/∂φ_i = ∂r/∂x · ∂x/∂q · ∂q/∂θ_j · s_i, over the freedoms that the variable drives.
void Assembly::jacobian(const VecX& phi, MatX& J) {
  place(phi);
  J.setZero(residuals(), variables());
  for (const Block& block : blocks_) {
    const Constraint& constraint = problem_.constraints()[block.constraint];
    if (block.is_pinned) {
      pin_jacobian(block, J);
      continue;
    }
    if (constraint.clearance) {
      contact_jacobian(block, J);
      continue;
    }
    if (constraint.pull && constraint.pull->root.size() > 0) {
      for (int i = 0; i < variables(); ++i)
        J.col(i).segment(block.row, block.rows) =
            (row_scale(constraint) * scales_[i]) * constraint.pull->root.col(parameters_[i]);
      continue;
    }
    if (constraint.pull) {
      for (int k = 0; k < block.rows; ++k) {
        const int i = block.pulled[k];
        J(block.row + k, i) =
            row_scale(constraint) * pull_root(*constraint.pull, i) * pull_error(*constraint.pull, i).slope * scales_[i];
      }
      continue;
    }
    const std::size_t a = constraint.alternatives.size() > 1 ? nearest_alternative(block.constraint).alternative : 0;
    const Alternative& chosen = constraint.alternatives[a];
    const AttachedHandle& attached = handles_[block.constraint][a];
    const int elements = chosen.handle.count();
    evaluate_alternative(block.constraint, a);
    const Residual out = scratch(row_count(chosen.goal, chosen.handle.shape), elements);
    Packed plus[max_elements], minus[max_elements];
    for (int k = 0; k < elements; ++k) {
      evaluate(attached.plus[k], plus[k]);
      if (k < chosen.handle.minus_count) evaluate(attached.minus[k], minus[k]);
    }
    const double scale = row_scale(constraint);
    for (const Drive& drive : block.drives) {
      const double slope = problem_.figure().terms()[drive.term].curve(theta_[parameters_[drive.variable]]).slope;
      const double factor = scale * scales_[drive.variable] * slope;
      auto rows = J.col(drive.variable).segment(block.row, out.r.size());
      for (int k = 0; k < elements; ++k) {
        Packed moved, other;
        column(attached.plus[k], plus[k], drive.link, moved);
        if (k < chosen.handle.minus_count) {
          column(attached.minus[k], minus[k], drive.link, other);
          moved -= other;
        }
        rows.noalias() += factor * (out.J.middleCols<3>(3 * k) * unpacked(moved));
      }
    }
  }
}

GoalError Assembly::distance(std::size_t constraint) {
  if (problem_.constraints()[constraint].pull) return {};
  if (problem_.constraints()[constraint].clearance) {
    const ClearanceContacts* contacts = contacts_of(constraint);
    return {contacts ? contacts->shortfall() : 0.0, {}};
  }
  const std::size_t chosen = nearest_alternative(constraint).alternative;
  return error_of(problem_.constraints()[constraint].alternatives[chosen].goal, handle_value(constraint, chosen));
}

double Assembly::value(std::size_t constraint) {
  const std::optional<PosePull>& pose_pull = problem_.constraints()[constraint].pull;
  if (problem_.constraints()[constraint].clearance) {
    double sum = 0.0;
    if (const ClearanceContacts* contacts = contacts_of(constraint))
      for (const ClearanceContact& contact : contacts->list())
        if (const double off = contacts->clearance().margin - contact.gap; off > 0.0) sum += off * off;
    return sum;
  }
  if (!pose_pull) return nearest_alternative(constraint).square;
  if (pose_pull->root.size() > 0) {
    pull_residual(*pose_pull);
    return r_.head(pose_pull->root.rows()).squaredNorm();
  }
  double sum = 0.0;
  for (int i = 0; i < variables(); ++i) {
    const double r = pull_root(*pose_pull, i) * pull_error(*pose_pull, i).value;
    sum += r * r;
  }
  return sum;
}

}  // namespace limber
