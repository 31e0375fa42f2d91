#include "limber/obstacle/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "limber/base/number.h"
#include "limber/obstacle/near_finder.h"

namespace limber {

namespace {

constexpr int shown_decimals = 4;  // of metres

std::string described(const std::string& first, double clearance, const std::string& inside,
                      const std::string& second) {
  const std::string distance = to_text(std::fabs(clearance), shown_decimals) + " m ";
  return first + " is " + distance + (clearance < 0.0 ? inside : "from") + " " + second;
}

const std::string& segment_name(const Figure& figure, int s) {
  return figure.segments()[static_cast<std::size_t>(s)].name;
}

// Keeps the deepest penetration per pair, and sorts.
class PenetrationList {
 public:
  void add(Penetration added) {
    for (Penetration& known : list_.list) {
      if (std::tie(added.segment, added.other_segment, added.obstacle) !=
          std::tie(known.segment, known.other_segment, known.obstacle))
        continue;
      if (added.clearance < known.clearance) known = std::move(added);
      return;
    }
    list_.list.push_back(std::move(added));
  }

  Penetrations sorted() {
    std::ranges::stable_sort(list_.list, {}, &Penetration::clearance);
    return std::move(list_);
  }

 private:
  Penetrations list_;
};

int segment_of(const std::vector<SegmentCapsule>& capsules, int k) {
  return capsules[static_cast<std::size_t>(k)].segment;
}

}  // namespace

Penetrations penetrations(const Figure& figure, const Kinematics& state, const std::vector<SegmentCapsule>& capsules,
                          const Obstacles& obstacles, const std::vector<CapsulePair>& pairs, double margin) {
  NearFinder finder(capsules, pairs);
  finder.place(state);
  std::vector<NearPair> near;
  finder.find(obstacles, margin, near);
  PenetrationList out;
  for (const NearPair& pair : near) {
    Penetration found{segment_of(capsules, pair.capsule), no_index, pair.obstacle, pair.clearance, pair, {}};
    const std::string& name = segment_name(figure, found.segment);
    if (pair.obstacle != no_index) {
      const std::string& obstacle = obstacles.list()[static_cast<std::size_t>(pair.obstacle)].name;
      found.text = described(name, pair.clearance, "inside", obstacle);
    } else {
      found.other_segment = segment_of(capsules, pair.other);
      found.text = described(name, pair.clearance, "into", segment_name(figure, found.other_segment));
    }
    out.add(std::move(found));
  }
  return out.sorted();
}

Penetrations penetrations(const PlacedFigure& first, const PlacedFigure& second, double margin) {
  NearFinder first_finder(first.capsules, {}), second_finder(second.capsules, {});
  first_finder.place(first.state);
  second_finder.place(second.state);
  std::vector<NearPair> near;
  first_finder.find(second_finder, margin, near);
  PenetrationList out;
  for (const NearPair& pair : near) {
    Penetration found{segment_of(first.capsules, pair.capsule),
                      segment_of(second.capsules, pair.other),
                      no_index,
                      pair.clearance,
                      pair,
                      {}};
    found.text = described(segment_name(first.figure, found.segment), pair.clearance, "into",
                           second.figure.name() + "'s " + segment_name(second.figure, found.other_segment));
    out.add(std::move(found));
  }
  return out.sorted();
}

}  // namespace limber
