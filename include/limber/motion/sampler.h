// The pose of a sequence at any time.
//
// Everything independent of time is precomputed: tangents, inner quadrangle points, quaternions, arc length tables. A
// query does not allocate and takes O(log keys + channels); threads may share one sampler.
//
// At the time of a key the pose is that of the key, bit for bit.
// Before the first key and after the last it is constant.
//
// Limits are respected. Between two keys a and b, at the eased fraction w, let L = a + w (b - a), which satisfies all
// limits if a and b do.
//
//   - Each parameter is clamped to its box.
//   - For parameters coupled by limit rows, x becomes L + s (x - L)
//     with the largest s <= 1 that satisfies the rows.
//     Each row gives the ratio of its slack at L to the part used by x.
//
// Both are continuous in time. Where the keys themselves violate a limit, the bound on their interval is widened to the
// values of the two keys.
//
// A rotation follows its quaternions, with angles near those of the keys. If the angles have limits and the path of the
// rotation does not connect the angles of the two keys (they are half a turn or more apart, or the path passes gimbal
// lock), the angles are interpolated one by one instead. Without limits the rotation continues, and the angles jump at
// the key to an equivalent triple.
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

  // Does not allocate if the pose has the right size.
  void at(double time, Pose& pose) const;
  Pose at(double time) const;

 private:
  // A rotation on an interval between keys.
  struct Turn {
    Squad path;
    Vec3 near, near_change;  // reference angles: near + u near_change
    Ball ball;
    int table = -1;
    bool bends = false;  // else a slerp along path.outer
  };
  // A position with constant speed on an interval.
  struct Glide {
    std::array<int, 3> parameters;
    int table;
  };
  // A single value with constant speed on an interval, through its extrema.
  struct Swing {
    int parameter;
    std::size_t corners;  // of `value`, both ends included
    std::array<double, 4> part, value;
  };
  // From one key to the next.
  struct Interval {
    Ease ease;
    std::size_t turn_end = 0, glide_end = 0, swing_end = 0;  // each list begins at the end of the previous interval's
  };
  struct Row {
    std::vector<int> parameters;
    std::vector<double> coefficients;
    double lower, upper, rounding;
  };
  // Rows coupled by shared parameters.
  struct RowGroup {
    std::vector<int> rows, parameters;
  };

  struct Maker;  // in sampler_make.cpp

  void turn(std::size_t interval, double w, VecX& theta) const;
  void turn_some(std::span<const Turn> turns, double w, VecX& theta) const;
  void glide(std::size_t interval, double w, VecX& theta) const;
  void keep_limits(std::size_t interval, double w, VecX& theta) const;

  double start_, end_;
  MonotoneCurve timing_;
  std::vector<double> times_;
  MatX values_;         // one column per key
  MatX c1_, c2_, c3_;   // one column per interval: value + w (c1 + w (c2 + w c3))
  VecX lower_, upper_;  // boxes
  std::vector<Row> rows_;
  std::vector<RowGroup> row_groups_;
  MatX row_values_;  // one column per key
  std::vector<Interval> intervals_;
  std::vector<Turn> turns_;
  std::vector<Glide> glides_;
  std::vector<Swing> swings_;
  std::vector<LengthTable> tables_;
};

}  // namespace limber
