#include "limber/motion/ground_motion.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double disc_spread = 0.35;   // relative to the speed: animated feet do not keep it exactly
constexpr double min_excess = 2.0;     // of the frames around v over those around 0
constexpr double min_frames = 0.15;    // of the frames of each side, around v
constexpr double max_travel = 0.25;    // of the figure, relative to the ground
constexpr double lowest_share = 0.05;  // of the heights: the lowest ones of a place are below
constexpr int max_candidates = 200;

struct LowFoot {
  int side;
  int frame;
  Vec3 u;
};

Vec3 level(const Vec3& x) { return {x.x(), 0.0, x.z()}; }

std::vector<LowFoot> low_feet(const std::vector<std::vector<std::vector<Vec3>>>& feet, const GroundSearch& search) {
  std::vector<LowFoot> out;
  for (std::size_t side = 0; side < feet.size(); ++side)
    for (const std::vector<Vec3>& x : feet[side]) {
      const int frames = static_cast<int>(x.size());
      std::vector<double> heights;
      heights.reserve(x.size());
      for (const Vec3& p : x) heights.push_back(p.y());
      const auto lowest = heights.begin() + static_cast<std::ptrdiff_t>(lowest_share * (frames - 1));
      std::nth_element(heights.begin(), lowest, heights.end());
      const double low = *lowest + search.low_height;
      const int half = std::max(1, static_cast<int>(std::lround(0.5 * search.window / search.frame_time)));
      for (int k = 0; k < frames; ++k) {
        if (x[static_cast<std::size_t>(k)].y() > low) continue;
        const int a = std::max(0, k - half), b = std::min(frames - 1, k + half);
        const Vec3 way = x[static_cast<std::size_t>(b)] - x[static_cast<std::size_t>(a)];
        out.push_back({static_cast<int>(side), k, level(way) / ((b - a) * search.frame_time)});
      }
    }
  return out;
}

}  // namespace

Vec3 ground_velocity(const std::vector<std::vector<std::vector<Vec3>>>& feet, const std::vector<Vec3>& middle,
                     const GroundSearch& search) {
  const auto frames = static_cast<int>(middle.size());
  if (frames < 3) return Vec3::Zero();
  const std::vector<LowFoot> low = low_feet(feet, search);
  const auto around = [&](const Vec3& v) {
    const double r = std::fmax(search.enter_speed, disc_spread * v.norm());
    std::vector<const LowFoot*> in;
    for (const LowFoot& foot : low)
      if ((foot.u - v).norm() <= r) in.push_back(&foot);
    return in;
  };
  Vec3 v = Vec3::Zero();
  std::size_t most = 0;
  const std::size_t step = std::max<std::size_t>(1, low.size() / max_candidates);
  for (std::size_t c = 0; c < low.size(); c += step)
    if (const std::size_t count = around(low[c].u).size(); count > most) {
      most = count;
      v = low[c].u;
    }
  std::vector<const LowFoot*> in = around(v);
  if (in.empty()) return Vec3::Zero();
  Vec3 mean = Vec3::Zero();
  for (const LowFoot* foot : in) mean += foot->u / static_cast<double>(in.size());
  in = around(mean);
  const double speed = mean.norm();
  if (speed <= 2.0 * search.enter_speed) return Vec3::Zero();  // the discs overlap
  if (static_cast<double>(in.size()) < min_excess * static_cast<double>(around(Vec3::Zero()).size()))
    return Vec3::Zero();
  for (int side = 0; side < static_cast<int>(feet.size()); ++side) {
    std::vector<char> stands(static_cast<std::size_t>(frames), 0);
    for (const LowFoot* foot : in)
      if (foot->side == side) stands[static_cast<std::size_t>(foot->frame)] = 1;
    if (static_cast<double>(std::ranges::count(stands, 1)) < min_frames * frames) return Vec3::Zero();
  }
  const double seconds = (frames - 1) * search.frame_time;
  const Vec3 travel = level(middle.back() - middle.front()) / seconds;
  return travel.norm() <= max_travel * speed ? mean : Vec3(Vec3::Zero());
}

}  // namespace limber
