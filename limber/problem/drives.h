// Which variables move which links, for the columns of a Jacobian:
//
//   ∂x/∂φ_i = Σ ∂x/∂q_k · ∂q_k/∂θ_j · s_i    over the degrees of freedom k that the variable's parameter j drives
#pragma once

#include <vector>

#include "limber/kinematics/linkage.h"
#include "limber/problem/variables.h"

namespace limber {

// A variable that drives a degree of freedom: the freedom's link, and the term of the figure that connects them.
struct Drive {
  int variable;
  int link;
  int term;
};

// Marks the segments that a handle is attached to, with all their parents; for a centre of mass, all
// that it is of.
void mark_segments(const Figure& figure, const Handle& handle, std::vector<char>& marked);
void mark_segments(const Figure& figure, int segment, std::vector<char>& marked);

// The drives of the joints of all marked segments.
std::vector<Drive> drives_of(const Figure& figure, const Variables& variables, const Linkage& linkage,
                             const std::vector<char>& marked);

// ∂q_k/∂θ_j of a drive.
inline double drive_slope(const Figure& figure, const Variables& variables, const Drive& drive, const VecX& theta) {
  return figure.terms()[drive.term].curve(theta[variables.parameter(drive.variable)]).slope;
}

}  // namespace limber
