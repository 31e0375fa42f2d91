// The rows of all clearances of a problem (problem/problem.h), with the multipliers of the hard ones ("exact").
//
// The row of a contact is √(w / (ℓ² Σ w)) e for a clearance with a finite weight, and √ω (e + λ / ω) / ℓ for a hard
// clearance; problem/clearance_contacts.h defines ω, λ and e. Contacts are found once per pose, on first use.
#pragma once

#include <vector>

#include "limber/problem/clearance_contacts.h"
#include "limber/problem/drives.h"
#include "limber/problem/posed_linkage.h"
#include "limber/problem/row_layout.h"

namespace limber {

// ∂gap/∂φ_i of a contact in the pose of the links, times the slope of its row: calls add(i, value) for each drive that
// moves its bodies apart.
template <typename Add>
void add_gap_slopes(const ClearanceContact& contact, const PosedLinkage& links, const std::vector<Drive>& drives,
                    const Figure& figure, const Variables& variables, const VecX& theta, const Add& add) {
  const AttachedElement plus{Element::Kind::point, contact.link, {}},
      minus{Element::Kind::point, contact.other_link, {}};
  const Packed at = packed(contact.at), other_at = packed(contact.other_at), n = packed(contact.normal);
  for (const Drive& drive : drives) {
    Packed moved, other;
    links.column(plus, at, drive.link, moved);
    links.column(minus, other_at, drive.link, other);
    const double along = dot(n, moved - other);
    if (along == 0.0) continue;
    const double slope = drive_slope(figure, variables, drive, theta);
    add(drive.variable, contact.slope * variables.scale(drive.variable) * slope * along);
  }
}

class ContactRows {
 public:
  // Of the clearances that count. The problem must outlive this.
  ContactRows(const Problem& problem, const Variables& variables, PosedLinkage& links);

  // Max number of contacts of a constraint; 0 if it is not a clearance or does not count.
  int row_count(std::size_t constraint) const;
  bool has_exact() const { return has_exact_; }

  // Resets all multipliers to 0, and reads weights and obstacles.
  void start();
  // The links have moved: contacts must be found again.
  void new_pose();

  // The contacts that have rows, for a clearance that counts; else null.
  const ClearanceContacts* found(std::size_t constraint, const PosedLinkage& links);
  // ClearanceContacts::find_touches(), and their max number.
  const std::vector<ClearanceContact>& touches(std::size_t constraint, double reach, const PosedLinkage& links);
  int max_touches(std::size_t constraint) const;
  // ‖r‖² without the weight or multipliers.
  double value(std::size_t constraint, const PosedLinkage& links);

  // Adds to f, and applies ∂f/∂x to the links as forces: for all clearances, or for one.
  void add_value(const RowLayout& rows, PosedLinkage& links, double& value);
  void push(std::size_t constraint, const RowLayout& rows, PosedLinkage& links);
  void residual(const RowLayout& rows, const PosedLinkage& links, VecX& r);
  // Adds to J, which is 0 there.
  void jacobian(const RowLayout& rows, const Variables& variables, const PosedLinkage& links, const VecX& theta,
                MatX& J);

  // Updates the multipliers of the hard clearances to the contact forces of the pose; returns the max change, relative
  // to the figure's length.
  double follow(const PosedLinkage& links);
  // Without multipliers, but with an ω so large that no overlap remains.
  void push_hard();
  // The max of margin - gap over the hard clearances, in metres and at least 0.
  double shortfall(const PosedLinkage& links);
  // ω and all multipliers, to be set again; or none.
  Eigen::Index multiplier_count() const;
  void zero_multipliers(Eigen::Ref<VecX> multipliers) const;
  void multipliers(Eigen::Ref<VecX> multipliers) const;
  void set_multipliers(const Eigen::Ref<const VecX>& multipliers);

 private:
  struct Block {
    std::size_t constraint;
    ClearanceContacts contacts;
    bool is_exact = false;
    bool is_found = false;  // in the pose
  };
  const Block* block_of(std::size_t constraint) const;
  Block* block_of(std::size_t constraint);
  double extra_margin(const Block& block) const;
  ClearanceContacts& found(Block& block, const PosedLinkage& links);
  double row_scale(const Block& block, const RowLayout& rows) const;
  double push(Block& block, const RowLayout& rows, PosedLinkage& links);

  const Problem& problem_;
  std::vector<Block> blocks_;  // in the order of the problem
  std::vector<Drive> drives_;  // all of them: any link may touch
  bool has_exact_ = false;
  double penalty_ = 0.0;  // ω
};

}  // namespace limber
