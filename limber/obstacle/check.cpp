#include "limber/obstacle/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "limber/base/number.h"
#include "limber/obstacle/near_finder.h"

namespace limber {

namespace {

constexpr int shown_digits = 4;  // of metres

std::string said(const std::string& one, double clearance, const std::string& inside, const std::string& other) {
  const std::string way = to_text(std::fabs(clearance), shown_digits) + " m ";
  return one + " is " + way + (clearance < 0.0 ? inside : "from") + " " + other;
}

const std::string& segment_name(const Figure& figure, int s) {
  return figure.segments()[static_cast<std::size_t>(s)].name;
}

// Keeps the deepest of each pair, and sorts.
class PenetrationList {
 public:
  void add(Penetration one) {
    for (Penetration& other : list_.list) {
      if (std::tie(one.segment, one.other_segment, one.obstacle) !=
          std::tie(other.segment, other.other_segment, other.obstacle))
        continue;
      if (one.clearance < other.clearance) other = std::move(one);
      return;
    }
    list_.list.push_back(std::move(one));
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
  for (const NearPair& one : near) {
    Penetration found{segment_of(capsules, one.capsule), no_index, one.obstacle, one.clearance, one, {}};
    const std::string& name = segment_name(figure, found.segment);
    if (one.obstacle != no_index) {
      const std::string& obstacle = obstacles.list()[static_cast<std::size_t>(one.obstacle)].name;
      found.text = said(name, one.clearance, "inside", obstacle);
    } else {
      found.other_segment = segment_of(capsules, one.other);
      found.text = said(name, one.clearance, "into", segment_name(figure, found.other_segment));
    }
    out.add(std::move(found));
  }
  return out.sorted();
}

Penetrations penetrations(const PlacedFigure& one, const PlacedFigure& other, double margin) {
  NearFinder first(one.capsules, {}), second(other.capsules, {});
  first.place(one.state);
  second.place(other.state);
  std::vector<NearPair> near;
  first.find(second, margin, near);
  PenetrationList out;
  for (const NearPair& where : near) {
    Penetration found{segment_of(one.capsules, where.capsule),
                      segment_of(other.capsules, where.other),
                      no_index,
                      where.clearance,
                      where,
                      {}};
    found.text = said(segment_name(one.figure, found.segment), where.clearance, "into",
                      other.figure.name() + "'s " + segment_name(other.figure, found.other_segment));
    out.add(std::move(found));
  }
  return out.sorted();
}

}  // namespace limber
