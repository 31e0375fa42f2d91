// Sines and cosines of many angles at once, without a branch in the loop, so that the compiler takes several a step.
//
// An angle is a whole number k of quarter turns and a rest r within an eighth of a turn. The quarter turn is kept as
// three numbers, so that k times the first two is exact up to k = 2^19 (Cody and Waite 1980); beyond, and for what is
// not a number, std::sin and std::cos do it. On r the series of Taylor end within rounding. Largest error: 2^-53 about.
#pragma once

namespace limber {

// The three lists must not overlap.
void sines_and_cosines(const double* angles, int count, double* sines, double* cosines);

}  // namespace limber
