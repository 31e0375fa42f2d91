#include "limber/problem/strength_rows.h"

#include <algorithm>
#include <cmath>

#include "limber/problem/penalty.h"

namespace limber {

namespace {

// A permitted torque below this, in parts of the figure's weight times its length, is a strength of nothing: e is then
// relative to this.
constexpr double min_scale = 1e-4;

// b(q), and its derivative: how much of a torque the muscles must provide near the end of the range that would hold it.
struct StopRamp {
  double value = 1.0;
  double slope = 0.0;

  StopRamp(const Freedom& freedom, double angle, bool up) {
    const double u = (up ? angle - freedom.lower : freedom.upper - angle) / stop_tolerance;
    if (!(u < 1.0)) return;
    const double t = std::fmax(0.0, u);
    value = t * t * (3.0 - 2.0 * t);
    slope = (up ? 6.0 : -6.0) * t * (1.0 - t) / stop_tolerance;
  }
};

}  // namespace

StrengthRows::StrengthRows(const Problem& problem, const Variables& variables)
    : problem_(problem),
      variables_(variables),
      state_(problem.figure()),
      length_(overload_length * problem.figure().length()) {
  const Figure& figure = problem.figure();
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (!constraint.strength() || !constraint.counts()) continue;
    const StrengthLimit& limit = *constraint.strength();
    Expected<StaticTorques> torques = StaticTorques::make(figure, limit.carried);
    if (!torques) continue;  // add_strength() has rejected it
    blocks_.push_back({c, *std::move(torques), Strengths(figure, limit.table, limit.strength), {}});
    make_joints(blocks_.back());
  }
  if (blocks_.empty()) return;
  for (int i = 0; i < variables.count(); ++i) {
    const int parameter = variables.parameter(i);
    for (const int at : figure.parameters()[static_cast<std::size_t>(parameter)].drives) {
      const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(at)];
      for (int t = freedom.term_begin; t < freedom.term_end; ++t)
        if (figure.terms()[static_cast<std::size_t>(t)].parameter == parameter) drives_.push_back({i, at, t});
    }
  }
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
}

const StrengthLimit& StrengthRows::limit(const Block& block) const {
  return *problem_.constraints()[block.constraint].strength();
}

void StrengthRows::make_joints(Block& block) const {
  const Figure& figure = problem_.figure();
  const double share = limit(block).share;
  const double least = min_scale * limit(block).carried.gravity * block.torques.mass() * figure.length();
  for (const int i : muscle_freedoms(figure)) {
    MuscleJoint joint{i, {}};
    for (const bool up : {true, false}) {
      Direction& direction = joint.directions[up ? 0 : 1];
      direction.row = block.strengths.row(i, up);
      direction.sign = up ? 1.0 : -1.0;
      if (direction.row >= 0) direction.scale = std::fmax(share * block.strengths.peak(direction.row), least);
      if (!(direction.scale > 0.0)) direction.row = -1;  // nothing weighs anything
    }
    if (joint.directions[0].row >= 0 || joint.directions[1].row >= 0) block.joints.push_back(joint);
  }
}

const StrengthRows::Block* StrengthRows::block_of(std::size_t constraint) const {
  const auto at = std::ranges::find(blocks_, constraint, &Block::constraint);
  return at == blocks_.end() ? nullptr : &*at;
}

int StrengthRows::row_count(std::size_t constraint) const {
  const Block* block = block_of(constraint);
  return block ? static_cast<int>(block->joints.size()) : 0;
}

void StrengthRows::start(const VecX& q) {
  has_hard_ = false;
  forget_multipliers();
  if (blocks_.empty()) return;
  forward(problem_.figure(), q, state_);
  for (Block& block : blocks_) {
    block.is_hard = !std::isfinite(problem_.constraints()[block.constraint].weight);
    has_hard_ = has_hard_ || block.is_hard;
    block.torques.touch(state_);
  }
  place(q);
}

void StrengthRows::place(const VecX& q) {
  if (blocks_.empty()) return;
  q_ = q;
  forward(problem_.figure(), q_, state_);
  for (Block& block : blocks_) {
    block.torques.update(state_);
    block.has_derivatives = false;
    for (MuscleJoint& joint : block.joints)
      for (Direction& direction : joint.directions) direction.e = evaluate(block, joint, direction);
  }
}

double StrengthRows::evaluate(const Block& block, const MuscleJoint& joint, const Direction& direction) const {
  if (direction.row < 0) return -1.0;
  const double q = q_[joint.freedom];
  const Freedom& freedom = problem_.figure().freedoms()[static_cast<std::size_t>(joint.freedom)];
  const double b = StopRamp(freedom, q, direction.sign > 0.0).value;
  const double needed = b * direction.sign * block.torques.holding(joint.freedom);
  return (needed - limit(block).share * block.strengths.strength(direction.row, q)) / direction.scale;
}

// What a row is made of: above 0 where it pushes.
double StrengthRows::metres(const Block& block, const Direction& direction) const {
  const double extra = block.is_hard ? penalty::safety * problem_.figure().length() : 0.0;
  return length_ * direction.e + extra + direction.shift;
}

const StrengthRows::Direction* StrengthRows::pushed(const Block& block, const MuscleJoint& joint) const {
  const Direction& up = joint.directions[0];
  const Direction& down = joint.directions[1];
  const double of_up = up.row >= 0 ? metres(block, up) : 0.0;
  const double of_down = down.row >= 0 ? metres(block, down) : 0.0;
  if (!(std::fmax(of_up, of_down) > 0.0)) return nullptr;
  return of_up >= of_down ? &up : &down;
}

double StrengthRows::overload(std::size_t constraint) const {
  double max = 0.0;
  if (const Block* block = block_of(constraint))
    for (const MuscleJoint& joint : block->joints)
      for (const Direction& direction : joint.directions) max = std::fmax(max, direction.e);
  return max;
}

double StrengthRows::value(std::size_t constraint) const {
  double sum = 0.0;
  if (const Block* block = block_of(constraint))
    for (const MuscleJoint& joint : block->joints)
      for (const Direction& direction : joint.directions)
        if (const double r = length_ * direction.e; r > 0.0) sum += r * r;
  return sum;
}

void StrengthRows::name_joints(std::size_t constraint, std::vector<JointLoad>& joints) const {
  joints.clear();
  const Block* block = block_of(constraint);
  if (!block) return;
  const bool overloaded = overload(constraint) > 0.0;
  for (const MuscleJoint& joint : block->joints) {
    if (overloaded && !(std::fmax(joint.directions[0].e, joint.directions[1].e) > 0.0)) continue;
    const JointLoad load = joint_load(problem_.figure(), block->strengths, joint.freedom, q_[joint.freedom],
                                      block->torques.holding(joint.freedom));
    if (load.row >= 0) joints.push_back(load);
  }
  std::ranges::sort(joints, [](const JointLoad& a, const JointLoad& b) {
    return a.share != b.share ? a.share > b.share : a.freedom < b.freedom;
  });
}

double StrengthRows::row_scale(const Block& block, const RowLayout& rows) const {
  return block.is_hard ? std::sqrt(penalty_) / problem_.figure().length() : rows.row_scale(block.constraint);
}

// Calls add(variable, ∂(L e)/∂φ) for every drive.
template <class Add>
void StrengthRows::add_slopes(Block& block, const MuscleJoint& joint, const Direction& direction, const VecX& theta,
                              Add&& add) {
  if (!block.has_derivatives) block.torques.update_derivatives();
  block.has_derivatives = true;
  const Figure& figure = problem_.figure();
  const double q = q_[joint.freedom];
  const StopRamp b(figure.freedoms()[static_cast<std::size_t>(joint.freedom)], q, direction.sign > 0.0);
  const double own = b.slope * direction.sign * block.torques.holding(joint.freedom) -
                     limit(block).share * block.strengths.slope(direction.row, q);
  for (const FreedomDrive& drive : drives_) {
    double slope = b.value * direction.sign * block.torques.derivative(joint.freedom, drive.freedom);
    if (drive.freedom == joint.freedom) slope += own;
    if (slope == 0.0) continue;
    const double by_theta =
        figure.terms()[static_cast<std::size_t>(drive.term)].curve(theta[variables_.parameter(drive.variable)]).slope;
    add(drive.variable, length_ / direction.scale * slope * by_theta * variables_.scale(drive.variable));
  }
}

double StrengthRows::add_block(Block& block, const RowLayout& rows, const VecX& theta, VecX& gradient) {
  const double scale = row_scale(block, rows), factor = scale * scale;
  double sum = 0.0;
  for (const MuscleJoint& joint : block.joints) {
    const Direction* direction = pushed(block, joint);
    if (!direction) continue;
    const double r = metres(block, *direction);
    sum += r * r;
    add_slopes(block, joint, *direction, theta,
               [&](int variable, double slope) { gradient[variable] += 2.0 * factor * r * slope; });
  }
  return factor * sum;
}

void StrengthRows::add_value(const RowLayout& rows, const VecX& theta, double& value, VecX& gradient) {
  for (Block& block : blocks_) value += add_block(block, rows, theta, gradient);
}

void StrengthRows::add_gradient(std::size_t constraint, const RowLayout& rows, const VecX& theta, VecX& gradient) {
  for (Block& block : blocks_)
    if (block.constraint == constraint) add_block(block, rows, theta, gradient);
}

void StrengthRows::residual(const RowLayout& rows, VecX& r) const {
  for (const Block& block : blocks_) {
    const double scale = row_scale(block, rows);
    int row = rows.of(block.constraint).begin;
    for (const MuscleJoint& joint : block.joints) {
      const Direction* direction = pushed(block, joint);
      r[row++] = direction ? scale * metres(block, *direction) : 0.0;
    }
  }
}

void StrengthRows::jacobian(const RowLayout& rows, const VecX& theta, MatX& J) {
  for (Block& block : blocks_) {
    const double scale = row_scale(block, rows);
    int row = rows.of(block.constraint).begin;
    for (const MuscleJoint& joint : block.joints) {
      if (const Direction* direction = pushed(block, joint))
        add_slopes(block, joint, *direction, theta,
                   [&](int variable, double slope) { J(row, variable) += scale * slope; });
      ++row;
    }
  }
}

// λ' = max(0, λ + ω L e), of the direction that pushes; then ω grows.
double StrengthRows::follow() {
  const double factor = penalty::last / penalty_;
  double change = 0.0;
  for (Block& block : blocks_) {
    if (!block.is_hard) continue;
    for (MuscleJoint& joint : block.joints) {
      const Direction* const push = pushed(block, joint);
      for (Direction& direction : joint.directions) {
        const double next = &direction == push ? metres(block, direction) : 0.0;
        change = std::fmax(change, std::fabs(next - direction.shift));
        direction.shift = next / factor;
      }
    }
  }
  penalty_ = penalty::last;
  return change / problem_.figure().length();
}

void StrengthRows::forget_multipliers() {
  for (Block& block : blocks_)
    for (MuscleJoint& joint : block.joints)
      for (Direction& direction : joint.directions) direction.shift = 0.0;
  penalty_ = penalty::first;
}

void StrengthRows::push_hard() {
  forget_multipliers();
  penalty_ = penalty::hard;
}

double StrengthRows::shortfall() const {
  double max = 0.0;
  for (const Block& block : blocks_)
    if (block.is_hard) max = std::fmax(max, length_ * overload(block.constraint));
  return max;
}

Eigen::Index StrengthRows::multiplier_count() const {
  Eigen::Index count = 1;
  for (const Block& block : blocks_) count += 2 * static_cast<Eigen::Index>(block.joints.size());
  return count;
}

void StrengthRows::zero_multipliers(Eigen::Ref<VecX> multipliers) const {
  multipliers.setZero();
  multipliers[0] = penalty::last;
}

void StrengthRows::multipliers(Eigen::Ref<VecX> multipliers) const {
  multipliers[0] = penalty_;
  Eigen::Index at = 1;
  for (const Block& block : blocks_)
    for (const MuscleJoint& joint : block.joints)
      for (const Direction& direction : joint.directions) multipliers[at++] = direction.shift;
}

void StrengthRows::set_multipliers(const Eigen::Ref<const VecX>& multipliers) {
  penalty_ = multipliers[0];
  Eigen::Index at = 1;
  for (Block& block : blocks_)
    for (MuscleJoint& joint : block.joints)
      for (Direction& direction : joint.directions) direction.shift = multipliers[at++];
}

}  // namespace limber
