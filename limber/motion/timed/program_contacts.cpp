// The rows of contacts in the program of a motion.
#include "limber/base/index.h"
#include "limber/motion/timed/program.h"

namespace limber {

namespace {

// The largest multiplier of a contact, in units of the objective per length of the figure: a demand of weight 1 that is
// off by a whole length pulls with 1.
constexpr double max_multiplier = 100.0;
// A contact is exact enough if at least half of its safety remains.
constexpr double accuracy = 0.5 * MotionContacts::safety;

}  // namespace

const VecX& MotionProgram::theta_at(const MotionContacts::Station& station, const MatX& phi) {
  theta_ = given_.poses.col(station.frame);
  x_ = phi.col(station.frame);
  assembly().theta_of(x_, theta_);
  if (station.after == 0.0) return theta_;
  next_theta_ = given_.poses.col(station.frame + 1);
  x_ = phi.col(station.frame + 1);
  assembly().theta_of(x_, next_theta_);
  theta_ = (1.0 - station.after) * theta_ + station.after * next_theta_;
  return theta_;
}

// √W J of both frames.
void MotionProgram::add_row(const MotionContact& contact, Eigen::Map<const VecX> J, BandRows& rows) const {
  const auto& [frame, after, multipliers] = contacts_->stations()[at_index(contact.station)];
  const bool is_between = after > 0.0;
  if (rows.is_full(frame) || (is_between && rows.is_full(frame + 1))) return;
  const double root = std::sqrt(penalty_);
  const int row = rows.count(frame);
  Eigen::Map<VecX>(rows.add(frame), n_) = (1.0 - after) * root * J;
  if (!is_between) return;
  const int next_row = rows.count(frame + 1);
  Eigen::Map<VecX>(rows.add(frame + 1), n_) = after * root * J;
  rows.link({frame, row, next_row});
}

double MotionProgram::add_contacts(const MatX& phi, BandRows& rows, MatX& gradient, MotionContactList& found) {
  found.clear();
  rows.unlink();
  double merit = 0.0;
  const int stations = static_cast<int>(contacts_->stations().size());
  for (int s = 0; s < stations; ++s) {
    const MotionContacts::Station& station = contacts_->stations()[at_index(s)];
    const bool is_between = station.after > 0.0;
    // Kept frames do not move, whatever they touch.
    if (kept_[at(station.frame)] && (!is_between || kept_[at(station.frame + 1)])) continue;
    std::size_t c = found.contacts.size();
    contacts_->find(s, theta_at(station, phi), found);
    for (; c < found.contacts.size(); ++c) {
      MotionContact& contact = found.contacts[c];
      const double compared = row_merit(false, contact.violation, contact.multiplier, compared_penalty_);
      merit += compared;
      penalty_merit_ += row_merit(false, contact.violation, contact.multiplier, penalty_) - compared;
      // One that hard demands hold in place is reported, and is not waited for.
      if (contact.multiplier < max_multiplier) max_error_ = std::fmax(max_error_, contact.violation - accuracy);
      const double force = contact.multiplier + penalty_ * contact.violation;
      contact.has_row = force > 0.0;
      if (!contact.has_row) continue;
      const double capped = std::fmin(force, std::fmax(max_multiplier, contact.multiplier));
      const double updated = is_near_minimum_ ? capped + penalty_ * contact.violation : force;
      const Eigen::Map<const VecX> J = found.row(c, n_);
      const double next = std::fmax(0.0, updated);
      gradient.col(station.frame) += (1.0 - station.after) * next * J;
      if (is_between) gradient.col(station.frame + 1) += station.after * next * J;
      add_row(contact, J, rows);
    }
  }
  return merit;
}

// Gives rows to the contacts that the step would run into; false if there is none. They are pulled by W v < 0, so that
// the step ends where they touch.
bool MotionProgram::enter_contacts(MotionContactList& found, BandRows& rows) {
  bool entered = false;
  for (std::size_t c = 0; c < found.contacts.size(); ++c) {
    MotionContact& contact = found.contacts[c];
    if (contact.has_row) continue;
    const MotionContacts::Station& station = contacts_->stations()[at_index(contact.station)];
    const Eigen::Map<const VecX> J = found.row(c, n_);
    double after = contact.violation - (1.0 - station.after) * J.dot(step_.col(station.frame));
    if (station.after > 0.0) after -= station.after * J.dot(step_.col(station.frame + 1));
    if (contact.multiplier + penalty_ * after <= 0.0) continue;
    contact.has_row = contact.is_entered = entered = true;
    const double force = contact.multiplier + penalty_ * contact.violation;
    model_gradient_.col(station.frame) += (1.0 - station.after) * force * J;
    if (station.after > 0.0) model_gradient_.col(station.frame + 1) += station.after * force * J;
    entered_merit_ += 0.5 * force * force / penalty_;
    add_row(contact, J, rows);
  }
  return entered;
}

// λ becomes max(0, λ + W v), with its upper bound.
void MotionProgram::accept_contacts() {
  for (MotionContact& contact : found_.contacts) {
    const double old = contact.multiplier;
    const double force = std::fmax(0.0, old + penalty_ * contact.violation);
    contact.multiplier = std::fmin(force, std::fmax(max_multiplier, old));
    if (contact.multiplier == old) continue;
    merit_ += row_merit(false, contact.violation, contact.multiplier, penalty_) -
              row_merit(false, contact.violation, old, penalty_);
    contacts_->set_multiplier(contact.station, contact.id, contact.multiplier);
  }
}

double MotionProgram::shortfall() const {
  double out = -infinity;
  for (const MotionContact& contact : found_.contacts)
    out = std::fmax(out, (contact.violation - MotionContacts::safety) * schedule_.problem().figure().length());
  return out;
}

}  // namespace limber
