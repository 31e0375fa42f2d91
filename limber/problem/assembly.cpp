#include "limber/problem/assembly.h"

#include <algorithm>

namespace limber {

namespace {

// By constraint: the most rows that it can have.
std::vector<int> row_counts(const Problem& problem, const Variables& variables, const ContactRows& contacts,
                            const StrengthRows& strengths) {
  std::vector<int> counts;
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    counts.push_back(constraint.pull()        ? PullRows::row_count(*constraint.pull(), variables)
                     : constraint.clearance() ? contacts.row_count(c)
                     : constraint.strength()  ? strengths.row_count(c)
                                              : GoalRows::row_count(constraint));
  }
  return counts;
}

}  // namespace

Assembly::Assembly(const Problem& problem)
    : problem_(problem),
      structure_(problem.structure()),
      variables_(problem),
      links_(problem, variables_),
      contacts_(problem, variables_, links_),
      strengths_(problem, variables_),
      rows_(problem, row_counts(problem, variables_, contacts_, strengths_)),
      goals_(problem, rows_, variables_, links_),
      pins_(problem, rows_, goals_.handles(), variables_, links_),
      pulls_(problem, rows_, variables_),
      placed_(variables_.count()),
      theta_(problem.figure().rest().theta),
      q_(static_cast<Eigen::Index>(problem.figure().freedoms().size())) {}

void Assembly::start(const VecX& theta, VecX& phi) {
  theta_ = theta;
  variables_.phi_of(theta, phi);
  variables_.start(theta);
  rows_.start();
  contacts_.start();
  problem_.figure().angles(theta_, q_);
  links_.place_bases(q_);
  strengths_.start(q_);
  is_placed_ = false;
  if (goals_.handles().has_hold()) {
    links_.place(q_);
    goals_.hold(links_);
  }
  pins_.start(rows_, goals_.handles());
}

void Assembly::place(const VecX& phi) {
  if (is_placed_ && placed_ == phi) return;
  is_placed_ = true;
  contacts_.new_pose();
  goals_.new_pose();
  placed_ = phi;
  variables_.theta_of(phi, theta_);
  variables_.angles_of(theta_, q_);
  links_.place(q_);
  strengths_.place(q_);
}

void Assembly::set_soft_scale(double soft_scale) {
  rows_.set_soft_scale(soft_scale);
  pins_.weigh(rows_);
}

double Assembly::operator()(const VecX& phi, VecX& gradient) {
  place(phi);
  links_.clear_forces();
  double value = 0.0;
  pins_.add_value(links_, value);
  goals_.add_value(rows_, links_, value);
  contacts_.add_value(rows_, links_, value);
  variables_.pull_back(theta_, links_.collect(), gradient);
  pulls_.add_value(rows_, variables_, theta_, value, gradient);
  strengths_.add_value(rows_, theta_, value, gradient);
  return value;
}

void Assembly::residual(const VecX& phi, VecX& r) {
  place(phi);
  r.resize(residuals());
  pins_.residual(links_, r);
  goals_.residual(rows_, links_, r);
  contacts_.residual(rows_, links_, r);
  pulls_.residual(rows_, variables_, theta_, r);
  strengths_.residual(rows_, r);
}

void Assembly::jacobian(const VecX& phi, MatX& J) {
  place(phi);
  J.setZero(residuals(), variables());
  pins_.jacobian(variables_, links_, theta_, J);
  goals_.jacobian(rows_, variables_, links_, theta_, J);
  contacts_.jacobian(rows_, variables_, links_, theta_, J);
  pulls_.jacobian(rows_, variables_, theta_, J);
  strengths_.jacobian(rows_, theta_, J);
}

void Assembly::gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient) {
  place(phi);
  links_.clear_forces();
  const Constraint& at = problem_.constraints()[constraint];
  const double root = rows_.row_scale(constraint);
  gradient.resize(variables());
  if (const PosePull* pull = at.pull()) {
    gradient.setZero();
    pulls_.add_gradient(*pull, root * root, variables_, theta_, gradient);
    return;
  }
  if (at.strength()) {
    gradient.setZero();
    strengths_.add_gradient(constraint, rows_, theta_, gradient);
    return;
  }
  if (at.clearance())
    contacts_.push(constraint, rows_, links_);
  else
    goals_.pull(constraint, root * root, links_);
  variables_.pull_back(theta_, links_.collect(), gradient);
}

GoalError Assembly::error_of(std::size_t constraint) {
  const Constraint& at = problem_.constraints()[constraint];
  if (at.pull()) return {};
  if (at.strength()) return {std::nullopt, std::nullopt, strengths_.overload(constraint)};
  if (!at.clearance()) return goals_.error_of(constraint, links_);
  const ClearanceContacts* contacts = contacts_.found(constraint, links_);
  return {contacts ? contacts->shortfall() : 0.0, {}};
}

double Assembly::value(std::size_t constraint) {
  const Constraint& at = problem_.constraints()[constraint];
  if (const PosePull* pull = at.pull()) return pulls_.value(*pull, variables_, theta_);
  if (at.clearance()) return contacts_.value(constraint, links_);
  if (at.strength()) return strengths_.value(constraint);
  return goals_.value(constraint, links_);
}

double Assembly::follow_multipliers(const VecX& phi) {
  place(phi);
  return std::fmax(contacts_.follow(links_), strengths_.follow());
}

void Assembly::forget_multipliers() {
  contacts_.start();
  strengths_.forget_multipliers();
}

void Assembly::push_hard() {
  contacts_.push_hard();
  strengths_.push_hard();
}

void Assembly::zero_multipliers(VecX& all) const {
  all.resize(contacts_.multiplier_count() + strengths_.multiplier_count());
  contacts_.zero_multipliers(all.head(contacts_.multiplier_count()));
  strengths_.zero_multipliers(all.tail(strengths_.multiplier_count()));
}

void Assembly::multipliers(VecX& all) const {
  contacts_.multipliers(all.head(contacts_.multiplier_count()));
  strengths_.multipliers(all.tail(strengths_.multiplier_count()));
}

void Assembly::set_multipliers(const VecX& all) {
  contacts_.set_multipliers(all.head(contacts_.multiplier_count()));
  strengths_.set_multipliers(all.tail(strengths_.multiplier_count()));
}

double Assembly::shortfall(const VecX& phi) {
  place(phi);
  return std::fmax(contacts_.shortfall(links_), strengths_.shortfall());
}

void Assembly::pin_values(PackedFrame* bases, double* q, Packed* targets) const {
  const Linkage& linkage = links_.linkage();
  std::copy(links_.state().bases.begin(), links_.state().bases.end(), bases);
  for (std::size_t k = 0; k < linkage.links().size(); ++k) q[k] = q_[linkage.links()[k].freedom];
  pins_.targets(targets);
}

}  // namespace limber
