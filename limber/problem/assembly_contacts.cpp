// The rows of clearances (problem/clearance.h): √ω e / ℓ for those that are exact, √(w / (ℓ² Σw)) e for others.
#include <algorithm>

#include "limber/problem/assembly.h"

namespace limber {

namespace {

// ω, of the first round and of all later ones: against goals whose weights add up to 1.
constexpr double first_push = 1e2;
constexpr double last_push = 1e4;
// Where there is no time for multipliers.
constexpr double hard_push = 1e8;
// Exact clearances aim at this much more than their margin, in lengths of the figure, so that what multipliers leave is
// no overlap.
constexpr double safe = 2e-5;

}  // namespace

void Assembly::attach_contacts() {
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    if (!constraint.clearance || !constraint.counts()) continue;
    contacts_.emplace_back(*constraint.clearance, linkage_);
    contact_constraints_.push_back(c);
    is_found_.push_back(0);
    if (!std::isfinite(constraint.weight)) ++exact_contacts_;
  }
}

int Assembly::contacts_index(std::size_t constraint) const {
  const auto at = std::find(contact_constraints_.begin(), contact_constraints_.end(), constraint);
  return at == contact_constraints_.end() ? -1 : static_cast<int>(at - contact_constraints_.begin());
}

bool Assembly::is_exact(int contacts) const {
  return !std::isfinite(problem_.constraints()[contact_constraints_[static_cast<std::size_t>(contacts)]].weight);
}

double Assembly::penalty_growth(int contacts) const {
  return is_exact(contacts) ? safe * problem_.figure().length() : 0.0;
}

ClearanceContacts& Assembly::found(int contacts) {
  ClearanceContacts& out = contacts_[static_cast<std::size_t>(contacts)];
  if (!is_found_[static_cast<std::size_t>(contacts)]) out.find(state_, penalty_growth(contacts));
  is_found_[static_cast<std::size_t>(contacts)] = 1;
  return out;
}

double Assembly::contact_scale(int contacts) const {
  if (is_exact(contacts)) return std::sqrt(push_) / problem_.figure().length();
  return row_scale(problem_.constraints()[contact_constraints_[static_cast<std::size_t>(contacts)]]);
}

const ClearanceContacts* Assembly::contacts_of(std::size_t constraint) {
  const int contacts = contacts_index(constraint);
  return contacts < 0 ? nullptr : &found(contacts);
}

int Assembly::max_touches(std::size_t constraint) const {
  const int contacts = contacts_index(constraint);
  return contacts < 0 ? 0 : contacts_[static_cast<std::size_t>(contacts)].pair_count();
}

const std::vector<ClearanceContact>& Assembly::touches_of(std::size_t constraint, double reach) {
  static const std::vector<ClearanceContact> none;
  const int contacts = contacts_index(constraint);
  if (contacts < 0) return none;
  return contacts_[static_cast<std::size_t>(contacts)].find_touches(state_, penalty_growth(contacts), reach);
}

// Pushes by ∂f/∂x, and returns its part of f. ∂e/∂at = -slope n.
double Assembly::pull_contacts(int contacts) {
  const double scale = contact_scale(contacts), factor = scale * scale;
  double sum = 0.0;
  for (const ClearanceContact& contact : found(contacts).list()) {
    sum += contact.over * contact.over;
    const Packed c = packed((-2.0 * factor * contact.over * contact.slope) * contact.normal);
    pull_point(contact.link, packed(contact.at), c, state_);
    pull_point(contact.other_link, packed(contact.other_at), -c, state_);
  }
  return factor * sum;
}

void Assembly::contact_residual(const Block& block, VecX& r) {
  const double scale = contact_scale(block.contacts);
  const std::vector<ClearanceContact>& list = found(block.contacts).list();
  for (int k = 0; k < block.rows; ++k)
    r[block.row + k] = k < static_cast<int>(list.size()) ? scale * list[static_cast<std::size_t>(k)].over : 0.0;
}

void Assembly::contact_jacobian(const Block& block, MatX& J) {
  const double scale = contact_scale(block.contacts);
  const std::vector<ClearanceContact>& list = found(block.contacts).list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const ClearanceContact& contact = list[k];
    const AttachedElement plus{Element::Kind::point, contact.link, {}},
        minus{Element::Kind::point, contact.other_link, {}};
    const Packed at = packed(contact.at), other_at = packed(contact.other_at), n = packed(contact.normal);
    for (const Drive& drive : block.drives) {
      Packed moved, other;
      column(plus, at, drive.link, moved);
      column(minus, other_at, drive.link, other);
      const double along = dot(n, moved - other);
      if (along == 0.0) continue;
      const double slope = problem_.figure().terms()[drive.term].curve(theta_[parameters_[drive.variable]]).slope;
      J(block.row + static_cast<int>(k), drive.variable) -=
          scale * contact.slope * scales_[drive.variable] * slope * along;
    }
  }
}

void Assembly::forget_contacts() {
  push_ = first_push;
  for (ClearanceContacts& contacts : contacts_) contacts.start();
  std::fill(is_found_.begin(), is_found_.end(), 0);
}

double Assembly::follow_contacts(const VecX& phi) {
  place(phi);
  double change = 0.0;
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k)
    if (is_exact(k)) change = std::fmax(change, found(k).follow(last_push / push_));
  std::fill(is_found_.begin(), is_found_.end(), 0);
  push_ = last_push;
  return change / problem_.figure().length();
}

void Assembly::push_hard() {
  forget_contacts();
  push_ = hard_push;
}

double Assembly::shortfall(const VecX& phi) {
  place(phi);
  double most = 0.0;
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k)
    if (is_exact(k)) most = std::fmax(most, found(k).shortfall());
  return most;
}

void Assembly::no_contact_forces(VecX& forces) const {
  Eigen::Index count = 1;
  for (const ClearanceContacts& contacts : contacts_) count += contacts.pair_count();
  forces.setZero(count);
  forces[0] = last_push;
}

void Assembly::contact_forces(VecX& forces) const {
  forces[0] = push_;
  Eigen::Index at = 1;
  for (const ClearanceContacts& contacts : contacts_) {
    forces.segment(at, contacts.pair_count()) = contacts.shifts();
    at += contacts.pair_count();
  }
}

void Assembly::set_contact_forces(const VecX& forces) {
  push_ = forces[0];
  Eigen::Index at = 1;
  for (ClearanceContacts& contacts : contacts_) {
    contacts.set_shifts(forces.segment(at, contacts.pair_count()));
    at += contacts.pair_count();
  }
  std::fill(is_found_.begin(), is_found_.end(), 0);
}

}  // namespace limber
