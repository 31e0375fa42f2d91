// The legend: letters and numbers of the views.
#pragma once

#include <string>
#include <vector>

#include "limber/picture/canvas.h"
#include "limber/picture/mark.h"
#include "limber/picture/view.h"
#include "limber/problem/problem.h"
#include "limber/solver/report.h"

namespace limber::picture {

// Number of limits listed per constraint, the strongest first.
inline constexpr std::size_t limits_shown = 5;

void draw_legend(const Problem& problem, const Report& report, const std::vector<LimitMark>& limits, const Rect& panel,
                 Canvas& canvas);

}  // namespace limber::picture
