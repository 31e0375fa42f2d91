// Sines and cosines of many angles at once, without branches, so that the compiler can vectorize the loop.
//
// An angle is k quarter turns and a remainder r of at most an eighth of a turn. The quarter turn is split into three
// numbers, so that k times the first two is exact up to k = 2^19 (Cody and Waite 1980); larger angles and NaN go to
// std::sin and std::cos. The Taylor series in r are truncated below rounding error. Max error: about 2^-53.
#pragma once

namespace limber {

// The three arrays must not overlap.
void sines_and_cosines(const double* angles, int count, double* sines, double* cosines);

}  // namespace limber
