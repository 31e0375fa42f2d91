#include <algorithm>
#include <cassert>

#include "limber/base/number.h"
#include "limber/motion/learn.h"

namespace limber {

LimitEstimate::LimitEstimate(const Figure& figure) : figure_(figure), samples_(figure.parameters().size()) {}

void LimitEstimate::add(const Clip& clip) {
  assert(clip.frames() == 0 || clip.poses.rows() == static_cast<Eigen::Index>(samples_.size()));
  for (std::size_t j = 0; j < samples_.size(); ++j)
    for (int k = 0; k < clip.frames(); ++k) samples_[j].push_back(clip.poses(static_cast<Eigen::Index>(j), k));
  poses_ += clip.frames();
}

Expected<Figure> LimitEstimate::figure(const LimitOptions& options) const {
  if (poses_ == 0) return reject("limits of '" + figure_.name() + "'", "no pose", "a motion with at least one frame");
  if (!(options.margin >= 0.0) || !std::isfinite(options.margin))
    return reject("margin", to_text(options.margin), "a finite number, 0 or more");
  if (!(options.outliers >= 0.0 && options.outliers < 0.5))
    return reject("outliers", to_text(options.outliers), "a fraction from 0 to below 0.5");
  FigureDescription description = figure_.description();
  for (JointDescription& joint : description.joints) {
    if (joint.parent.empty() && !options.with_root) continue;
    for (FreedomDescription& freedom : joint.freedoms) {
      const Expected<int> j = figure_.find_parameter(joint.name + "." + freedom.name);
      if (!j) continue;  // driven by a group
      std::vector<double> sorted = samples_[static_cast<std::size_t>(*j)];
      std::sort(sorted.begin(), sorted.end());
      const auto dropped = static_cast<std::size_t>(options.outliers * static_cast<double>(sorted.size()));
      const double min = sorted[dropped], max = sorted[sorted.size() - 1 - dropped];
      const double margin = options.margin * (max - min);
      freedom.range.lower = min - margin;
      freedom.range.upper = max + margin;
      freedom.range.rest = std::clamp(freedom.range.rest, freedom.range.lower, freedom.range.upper);
    }
  }
  return build_figure(std::move(description));
}

}  // namespace limber
