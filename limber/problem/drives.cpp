#include "limber/problem/drives.h"

#include <algorithm>

namespace limber {

void mark_segments(const Figure& figure, int segment, std::vector<char>& marked) {
  for (int s = segment; s != no_parent; s = figure.segments()[s].parent) marked[s] = 1;
}

void mark_segments(const Figure& figure, const Handle& handle, std::vector<char>& marked) {
  const auto mark = [&](const Element& element) {
    if (element.kind != Element::Kind::mass_centre) return mark_segments(figure, element.segment, marked);
    const auto [begin, end] = mass_range(figure, element);
    std::fill(marked.begin() + begin, marked.begin() + end, 1);
  };
  for (int k = 0; k < handle.count(); ++k) {
    mark(handle.plus[k]);
    if (k < handle.minus_count) mark(handle.minus[k]);
  }
}

std::vector<Drive> drives_of(const Figure& figure, const Variables& variables, const Linkage& linkage,
                             const std::vector<char>& marked) {
  std::vector<int> link_of(figure.freedoms().size(), -1);
  for (std::size_t k = 0; k < linkage.links().size(); ++k)
    link_of[static_cast<std::size_t>(linkage.links()[k].freedom)] = static_cast<int>(k);
  std::vector<Drive> drives;
  for (int i = 0; i < variables.count(); ++i) {
    const int parameter = variables.parameter(i);
    for (const int at : figure.parameters()[parameter].drives) {
      const Freedom& freedom = figure.freedoms()[at];
      if (!marked[freedom.joint] || link_of[at] < 0) continue;
      for (int t = freedom.term_begin; t < freedom.term_end; ++t)
        if (figure.terms()[t].parameter == parameter) drives.push_back({i, link_of[at], t});
    }
  }
  return drives;
}

}  // namespace limber
