// A sequence made ready to be asked for its pose at any time.
//
// All that does not depend on the time is computed once: tangents, inner points of quadrangles, rotations as
// quaternions, tables of lengths. A query is constant, asks for no memory and takes O(log keys + channels); several
// threads may share one sampler.
//
// At the time of a key the pose is that of the key, bit for bit; before the first and after the last it is theirs.
//
// Limits are kept. Between two keys a and b, at the part w of the way after easing, let L = a + w (b - a), which is
// within all limits where a and b are.
//
//   - Each parameter is brought within its box.
//   - Of parameters that limit rows hold together, x becomes L + s (x - L) with the largest s <= 1 for which
//     the rows hold, each by the ratio of its slack at L to how much of it x uses.
//
// Both are continuous in time. What the keys themselves break is not held against what is between them: the bound of a
// parameter or of a row on a stretch is the wider one of the figure's and of the values that the two keys have there.
//
// A rotation turns as its quaternions do, and its angles are those near the keys'. Where the angles have limits and the
// way of the rotation does not lead from the one key's angles to the other's (they are half a turn or more apart, or
// the way comes by gimbal lock), the angles are interpolated one by one instead. Without limits the rotation goes on
// and the angles jump at the key by what makes no difference to it.
#pragma once

#include <span>
#include <vector>

#include "limber/motion/sequence.h"

namespace limber {

class Sampler {
 public:
  explicit Sampler(const Sequence& sequence);

  double start() const { return start_; }
  double end() const { return end_; }

  // A pose of the right size asks for no memory.
  void at(double time, Pose& pose) const;
  Pose at(double time) const;

 private:
  // A rotation on a stretch.
  struct Turn {
    Squad path;
    Vec3 near, near_way;  // the angles to be near to: near + u near_way
    Ball ball;
    int table = -1;
    bool bends = false;  // else along path.outer alone
  };
  // A position at an even speed on a stretch.
  struct Glide {
    std::array<int, 3> parameters;
    int table;
  };
  // A single value at an even speed on a stretch, through its extrema.
  struct Swing {
    int parameter;
    std::size_t corners;  // of `value`, with the two ends
    std::array<double, 4> part, value;
  };
  struct Stretch {
    Ease ease;
    std::size_t turn_end = 0, glide_end = 0, swing_end = 0;  // they begin where those of the stretch before end
  };
  struct Row {
    std::vector<int> parameters;
    std::vector<double> coefficients;
    double lower, upper, rounding;
  };
  // Rows that share parameters.
  struct Knit {
    std::vector<int> rows, parameters;
  };

  struct Maker;  // in sampler_make.cpp

  void turn(std::size_t stretch, double w, VecX& theta) const;
  void turn_some(std::span<const Turn> turns, double w, VecX& theta) const;
  void glide(std::size_t stretch, double w, VecX& theta) const;
  void keep_limits(std::size_t stretch, double w, VecX& theta) const;

  double start_, end_;
  MonotoneCurve timing_;
  std::vector<double> times_;
  MatX values_;         // a column a key
  MatX c1_, c2_, c3_;   // a column a stretch: value + w (c1 + w (c2 + w c3))
  VecX lower_, upper_;  // boxes
  std::vector<Row> rows_;
  std::vector<Knit> knits_;
  MatX row_values_;  // a column a key
  std::vector<Stretch> stretches_;
  std::vector<Turn> turns_;
  std::vector<Glide> glides_;
  std::vector<Swing> swings_;
  std::vector<LengthTable> tables_;
};

}  // namespace limber
