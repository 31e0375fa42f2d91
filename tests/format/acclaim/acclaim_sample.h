// Real and synthetic Acclaim files.
#pragma once

#include <stdexcept>

#include "limber/format/acclaim/acclaim.h"
#include "tests/format/motion_sample.h"

namespace limber::acclaim_sample {

using testing::good;

struct Take {
  const char* asf;
  const char* amc;
};
inline constexpr Take takes[] = {{"01", "01_14"}, {"02", "02_01"}, {"02", "02_03"}, {"02", "02_04"},   {"05", "05_11"},
                                 {"07", "07_05"}, {"09", "09_06"}, {"49", "49_18"}, {"131", "131_04"}, {"02", "zeros"}};

inline std::string text_of(const std::string& name) { return read_sample(data_folder() / "acclaim" / name); }

inline Content read(std::string_view text, const ReadOptions& options = {}) {
  return good(read_asf(text, "f.asf", options));
}
inline Content skeleton(const Take& take) { return good(read_asf(text_of(std::string(take.asf) + ".asf"), take.asf)); }
inline ReadMotion motion(std::string_view text, const Content& content) {
  return good(read_amc(text, "f.amc", content));
}
inline ReadMotion motion(const Take& take, const Content& content) {
  return motion(text_of(std::string(take.amc) + ".amc"), content);
}

// Sites of two figures, by name.
using Pairs = std::vector<std::pair<std::string, std::string>>;

// How far apart they are over the frames of a clip, in metres, by the coordinate; frame k of b is `late` frames later.
inline double worst_distance(const Figure& a, const Clip& clip_a, const Figure& b, const Clip& clip_b,
                             const Pairs& pairs, int late = 0) {
  const auto site = [](const Figure& figure, const std::string& name) {
    const auto found = std::ranges::find(figure.sites(), name, &Site::name);
    if (found == figure.sites().end()) throw std::runtime_error("no site " + name);
    return *found;
  };
  std::vector<std::pair<Site, Site>> sites;
  for (const auto& [name_a, name_b] : pairs) sites.emplace_back(site(a, name_a), site(b, name_b));
  Kinematics state_a(a), state_b(b);
  VecX q_a, q_b;
  double worst = 0.0;
  for (int k = 0; k < clip_a.frames(); ++k) {
    a.angles(clip_a.poses.col(k), q_a);
    b.angles(clip_b.poses.col(k + late), q_b);
    forward(a, q_a, state_a);
    forward(b, q_b, state_b);
    for (const auto& [x, y] : sites)
      worst = std::fmax(
          worst,
          (state_a.segments[x.segment] * x.frame.p - state_b.segments[y.segment] * y.frame.p).cwiseAbs().maxCoeff());
  }
  return worst;
}

// One bone after the root, its lines given.
inline std::string small(const std::string& bone, const std::string& root = "order TX TY TZ RX RY RZ\naxis XYZ",
                         const std::string& units = "length 0.0254\nangle deg") {
  return ":version 1.10\n:name small\n:units\n" + units + "\n:root\n" + root + "\n:bonedata\nbegin\nid 1\nname arm\n" +
         bone + "\nend\nbegin\nid 2\nname hand\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend\n" +
         ":hierarchy\nbegin\nroot arm\narm hand\nend\n";
}
inline const std::string plain_arm = "direction 1 0 0\nlength 2\naxis 0 0 0 XYZ";

inline Mat3 turn(int axis, double angle_deg) { return rotation(Vec3::Unit(axis), radians(angle_deg)); }

}  // namespace limber::acclaim_sample
