// The mirror image of the common body: left and right change places across x = 0.
#pragma once

#include <array>
#include <vector>

#include "limber/posing/model.h"

namespace limber {

class BodyMirror {
 public:
  explicit BodyMirror(const CommonBody& body);

  // `to` must be another object. Nothing allocates once `to` has the size.
  void mirror(const PartGoals& from, PartGoals& to) const;
  void mirror(const CommonPose& from, CommonPose& to) const;
  void mirror(const CommonStart& from, CommonStart& to) const;

 private:
  std::vector<int> column_;  // by angle: that of the other side, and the sign that it takes
  std::vector<double> sign_;
  std::array<std::size_t, handle_part_count> part_ = {};
};

}  // namespace limber
