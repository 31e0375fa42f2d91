// The penalty ω of inequalities that must hold (clearance_contacts.h, strength_rows.h), against goals whose weights add
// up to 1.
#pragma once

namespace limber::penalty {

// Of the first round, and of all later ones.
inline constexpr double first = 1e2;
inline constexpr double last = 1e4;
// Where there is no time for multipliers.
inline constexpr double hard = 1e8;
// Such inequalities aim at this much more than they ask, in lengths of the figure, so that what multipliers leave is no
// violation.
inline constexpr double safety = 2e-5;

}  // namespace limber::penalty
