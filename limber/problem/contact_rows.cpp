#include "limber/problem/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "limber/problem/penalty.h"

namespace limber {

ContactRows::ContactRows(const Problem& problem, const Variables& variables, PosedLinkage& links) : problem_(problem) {
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (!constraint.clearance() || !constraint.counts()) continue;
    blocks_.push_back({c, ClearanceContacts(*constraint.clearance(), links)});
  }
  const Figure& figure = problem.figure();
  if (!blocks_.empty())
    drives_ = drives_of(figure, variables, links.linkage(), std::vector<char>(figure.segments().size(), 1));
  start();
}

const ContactRows::Block* ContactRows::block_of(std::size_t constraint) const {
  const auto at = std::ranges::find(blocks_, constraint, &Block::constraint);
  return at == blocks_.end() ? nullptr : &*at;
}

ContactRows::Block* ContactRows::block_of(std::size_t constraint) {
  const auto at = std::ranges::find(blocks_, constraint, &Block::constraint);
  return at == blocks_.end() ? nullptr : &*at;
}

int ContactRows::row_count(std::size_t constraint) const {
  const Block* block = block_of(constraint);
  return block ? block->contacts.max_count() : 0;
}

void ContactRows::start() {
  penalty_ = penalty::first;
  has_exact_ = false;
  for (Block& block : blocks_) {
    block.is_exact = !std::isfinite(problem_.constraints()[block.constraint].weight);
    has_exact_ = has_exact_ || block.is_exact;
    block.contacts.start();
  }
  new_pose();
}

void ContactRows::new_pose() {
  for (Block& block : blocks_) block.is_found = false;
}

double ContactRows::extra_margin(const Block& block) const {
  return block.is_exact ? penalty::safety * problem_.figure().length() : 0.0;
}

ClearanceContacts& ContactRows::found(Block& block, const PosedLinkage& links) {
  if (!block.is_found) block.contacts.find(links.state(), extra_margin(block));
  block.is_found = true;
  return block.contacts;
}

const ClearanceContacts* ContactRows::found(std::size_t constraint, const PosedLinkage& links) {
  Block* block = block_of(constraint);
  return block ? &found(*block, links) : nullptr;
}

const std::vector<ClearanceContact>& ContactRows::touches(std::size_t constraint, double reach,
                                                          const PosedLinkage& links) {
  static const std::vector<ClearanceContact> none;
  Block* block = block_of(constraint);
  return block ? block->contacts.find_touches(links.state(), extra_margin(*block), reach) : none;
}

int ContactRows::max_touches(std::size_t constraint) const {
  const Block* block = block_of(constraint);
  return block ? block->contacts.pair_count() : 0;
}

double ContactRows::value(std::size_t constraint, const PosedLinkage& links) {
  Block* block = block_of(constraint);
  if (!block) return 0.0;
  double sum = 0.0;
  for (const ClearanceContact& contact : found(*block, links).list())
    if (const double off = block->contacts.clearance().margin - contact.gap; off > 0.0) sum += off * off;
  return sum;
}

double ContactRows::row_scale(const Block& block, const RowLayout& rows) const {
  return block.is_exact ? std::sqrt(penalty_) / problem_.figure().length() : rows.row_scale(block.constraint);
}

// Applies ∂f/∂x as forces, and returns the contribution to f. ∂e/∂at = -slope n.
double ContactRows::push(Block& block, const RowLayout& rows, PosedLinkage& links) {
  const double scale = row_scale(block, rows), factor = scale * scale;
  double sum = 0.0;
  for (const ClearanceContact& contact : found(block, links).list()) {
    sum += contact.over * contact.over;
    const Packed c = packed((-2.0 * factor * contact.over * contact.slope) * contact.normal);
    links.pull({Element::Kind::point, contact.link, {}}, packed(contact.at), c);
    links.pull({Element::Kind::point, contact.other_link, {}}, packed(contact.other_at), -c);
  }
  return factor * sum;
}

void ContactRows::add_value(const RowLayout& rows, PosedLinkage& links, double& value) {
  for (Block& block : blocks_) value += push(block, rows, links);
}

void ContactRows::push(std::size_t constraint, const RowLayout& rows, PosedLinkage& links) {
  if (Block* block = block_of(constraint)) push(*block, rows, links);
}

void ContactRows::residual(const RowLayout& rows, const PosedLinkage& links, VecX& r) {
  for (Block& block : blocks_) {
    const double scale = row_scale(block, rows);
    const RowRange& range = rows.of(block.constraint);
    const std::vector<ClearanceContact>& list = found(block, links).list();
    for (int k = 0; k < range.count; ++k)
      r[range.begin + k] = k < static_cast<int>(list.size()) ? scale * list[static_cast<std::size_t>(k)].over : 0.0;
  }
}

void ContactRows::jacobian(const RowLayout& rows, const Variables& variables, const PosedLinkage& links,
                           const VecX& theta, MatX& J) {
  for (Block& block : blocks_) {
    const double scale = row_scale(block, rows);
    int row = rows.of(block.constraint).begin;
    for (const ClearanceContact& contact : found(block, links).list()) {
      add_gap_slopes(contact, links, drives_, problem_.figure(), variables, theta,
                     [&](int i, double slope) { J(row, i) -= scale * slope; });
      ++row;
    }
  }
}

double ContactRows::follow(const PosedLinkage& links) {
  double change = 0.0;
  for (Block& block : blocks_)
    if (block.is_exact) change = std::fmax(change, found(block, links).follow(penalty::last / penalty_));
  new_pose();
  penalty_ = penalty::last;
  return change / problem_.figure().length();
}

void ContactRows::push_hard() {
  start();
  penalty_ = penalty::hard;
}

double ContactRows::shortfall(const PosedLinkage& links) {
  double max_shortfall = 0.0;
  for (Block& block : blocks_)
    if (block.is_exact) max_shortfall = std::fmax(max_shortfall, found(block, links).shortfall());
  return max_shortfall;
}

Eigen::Index ContactRows::multiplier_count() const {
  Eigen::Index count = 1;
  for (const Block& block : blocks_) count += block.contacts.pair_count();
  return count;
}

void ContactRows::zero_multipliers(Eigen::Ref<VecX> multipliers) const {
  multipliers.setZero();
  multipliers[0] = penalty::last;
}

void ContactRows::multipliers(Eigen::Ref<VecX> multipliers) const {
  multipliers[0] = penalty_;
  Eigen::Index at = 1;
  for (const Block& block : blocks_) {
    multipliers.segment(at, block.contacts.pair_count()) = block.contacts.shifts();
    at += block.contacts.pair_count();
  }
}

void ContactRows::set_multipliers(const Eigen::Ref<const VecX>& multipliers) {
  penalty_ = multipliers[0];
  Eigen::Index at = 1;
  for (Block& block : blocks_) {
    block.contacts.set_shifts(multipliers.segment(at, block.contacts.pair_count()));
    at += block.contacts.pair_count();
  }
  new_pose();
}

}  // namespace limber
