// The trajectory curves of a motion: the values of chosen parameters over time, as one self-contained SVG.   W93 2.2.1
//
// One plot per parameter, each at its own scale, over a common time axis. Angles are in degrees, translations in
// metres. Limits within the scale of a plot are drawn as lines.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

struct CurvesOptions {
  int width = 960;                  // pixels, at least 320
  const MatX* compare = nullptr;    // a second motion of the figure, drawn dashed
  double compare_frame_time = 0.0;  // 0: the same
  std::string title = {};           // empty: the figure's name
};

inline constexpr int max_curves = 24;

// `names` are parameters, or joints and groups, which stand for all of theirs. One column of `poses` per frame.
// Rejected: unknown names, more parameters than fit, and what draw_strip() rejects of poses and times.
Expected<std::string> draw_curves(const Figure& figure, const MatX& poses, double frame_time,
                                  const std::vector<std::string>& names, const CurvesOptions& options = {});

}  // namespace limber
