// The rows of all clearances of a problem (problem/problem.h), with the multipliers of the exact ones.
//
// A row is √(w / (ℓ² Σ w)) e for a contact of a clearance with a finite weight, and √ω e / ℓ for one of an exact
// clearance, with the penalty ω and e as problem/clearance_contacts.h defines them. Contacts are found once per pose,
// when they are first asked for.
#pragma once

#include <vector>

#include "limber/problem/clearance_contacts.h"
#include "limber/problem/drives.h"
#include "limber/problem/posed_linkage.h"
#include "limber/problem/row_layout.h"

namespace limber {

class ContactRows {
 public:
  // Of the clearances that count. The problem must outlive this.
  ContactRows(const Problem& problem, const Variables& variables, PosedLinkage& links);

  // The most contacts of a constraint at once; 0 for one that is no clearance or does not count.
  int row_count(std::size_t constraint) const;
  bool has_exact() const { return has_exact_; }

  // Forgets all multipliers, and takes weights and obstacles as they are now.
  void start();
  // The links have moved: contacts are to be found anew.
  void new_pose();

  // What has rows, of a constraint that is a clearance and counts; else null.
  const ClearanceContacts* found(std::size_t constraint, const PosedLinkage& links);
  // ClearanceContacts::find_touches(), and the most of them.
  const std::vector<ClearanceContact>& touches(std::size_t constraint, double reach, const PosedLinkage& links);
  int max_touches(std::size_t constraint) const;
  // ‖r‖² without the weight or multipliers.
  double value(std::size_t constraint, const PosedLinkage& links);

  // Adds to f, and pushes the links by ∂f/∂x: of all clearances, or of one.
  void add_value(const RowLayout& rows, PosedLinkage& links, double& value);
  void push(std::size_t constraint, const RowLayout& rows, PosedLinkage& links);
  void residual(const RowLayout& rows, const PosedLinkage& links, VecX& r);
  // Adds to J, which is 0 there.
  void jacobian(const RowLayout& rows, const Variables& variables, const PosedLinkage& links, const VecX& theta,
                MatX& J);

  // Multipliers of the exact clearances: they take the contact forces of the pose; gives the largest change, in lengths
  // of the figure.
  double follow(const PosedLinkage& links);
  // No multipliers, but so large an ω that no overlap remains.
  void push_hard();
  // The largest margin - gap of the exact clearances, in metres and at least 0.
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
