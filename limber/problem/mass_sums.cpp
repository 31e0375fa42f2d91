#include "limber/problem/mass_sums.h"

#include <algorithm>

namespace limber {

MassSums::MassSums(const Figure& figure, const Element& of, Linkage& linkage)
    : begin_(of.segment), end_(of.segment_end) {
  const auto [begin, end] = mass_range(figure, of);
  for (int s = begin; s < end; ++s) {
    const Segment& segment = figure.segments()[static_cast<std::size_t>(s)];
    if (!(segment.mass > 0.0)) continue;
    mass_ += segment.mass;
    const LinkPlacement at = linkage.placement(s);
    const Vec3 moment = segment.mass * (at.in_link * segment.mass_centre);
    const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const Load& l) { return l.link == at.link; });
    if (load == loads_.end()) {
      loads_.push_back({at.link, segment.mass, moment});
    } else {
      load->mass += segment.mass;
      load->centre += moment;
    }
  }
  for (Load& load : loads_) load.centre /= load.mass;
  std::sort(loads_.begin(), loads_.end(), [](const Load& a, const Load& b) { return a.link < b.link; });
  for (int link = 0; link <= static_cast<int>(linkage.links().size()); ++link)
    first_load_.push_back(static_cast<int>(
        std::count_if(loads_.begin(), loads_.end(), [&](const Load& load) { return load.link < link; })));
  mass_before_.assign(loads_.size() + 1, 0.0);
  for (std::size_t k = 0; k < loads_.size(); ++k) mass_before_[k + 1] = mass_before_[k] + loads_[k].mass;
  moment_before_.resize(loads_.size() + 1);
}

void MassSums::pull(const Packed& c, LinkageState& state) const {
  for (const Load& load : loads_) {
    const Packed centre = state.frame(load.link).point(load.centre.data());
    pull_point(load.link, centre, (load.mass / mass_) * c, state);
  }
}

}  // namespace limber
