// Figures, poses and recorded motion for the tests of sequences.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/motion/sampler.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber::motion_sample {

struct Recorded {
  Figure figure;
  Clip clip;
};

// CMU 02_01: a walk of 343 frames that exceeds the limits of its figure.
inline Recorded recorded_walk() {
  const auto file = [](const char* name) {
    return read_sample(std::filesystem::path(source_dir()) / "data" / "acclaim" / name);
  };
  const Content skeleton = testing::good(read_content(file("02.asf"), "02.asf"));
  const Content content = testing::good(read_content(file("02_01.amc"), "02_01.amc", {}, {}, &skeleton));
  return {*content.figure, content.clips[0]};
}

// The maximum violation of the limit rows, relative to the largest number in the row.
inline double worst_row(const Figure& figure, const VecX& theta) {
  double worst = 0.0;
  for (const LimitRow& row : figure.limit_rows()) {
    double value = -row.bound, scale = std::fabs(row.bound);
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      value += row.coefficients[t] * theta[row.parameters[t]];
      scale = std::fmax(scale, std::fabs(row.coefficients[t] * theta[row.parameters[t]]));
    }
    if (row.relation == Relation::equal) value = std::fabs(value);
    worst = std::fmax(worst, value / std::fmax(scale, 1e-300));
  }
  return worst;
}

// A pose within all limits: a random one, moved towards the rest pose until the rows are satisfied.
inline Pose feasible_pose(const Figure& figure, Random& random, double reach = 1.5) {
  const Pose far = testing::random_pose(figure, random, reach);
  const VecX rest = figure.rest().theta;
  for (double part = 1.0; part > 0.01; part *= 0.95) {
    Pose pose{rest + part * (far.theta - rest)};
    if (worst_row(figure, pose.theta) <= 0.0) return pose;
  }
  return figure.rest();
}

inline Style random_style(Random& random) {
  Style style;
  style.interpolation = static_cast<Interpolation>(random.integer(0, 2));
  style.even = random.chance(0.3);
  style.bend.tension = random.between(-1.0, 1.0);
  style.bend.continuity = random.between(-1.0, 1.0);
  style.bend.bias = random.between(-1.0, 1.0);
  return style;
}

// Keys with every kind of style, at uneven times.
inline std::vector<Key> random_keys(const Figure& figure, Random& random, int count) {
  const std::size_t channels = channels_of(figure).size();
  std::vector<Key> keys;
  double time = random.between(-2.0, 2.0);
  for (int k = 0; k < count; ++k) {
    Key key{time, feasible_pose(figure, random)};
    time += random.between(0.1, 1.5);
    key.ease.in = random.chance(0.5) ? random.between(0.0, 0.5) : 0.0;
    key.ease.out = random.chance(0.5) ? random.between(0.0, 0.5) : 0.0;
    key.style = random_style(random);
    if (random.chance(0.5))
      for (std::size_t c = 0; c < channels; ++c) key.styles.push_back(random_style(random));
    keys.push_back(std::move(key));
  }
  return keys;
}

// Keys with one style, at uneven times.
inline std::vector<Key> plain_keys(const Figure& figure, Random& random, int count, const Style& style = {}) {
  std::vector<Key> keys;
  double time = random.between(-2.0, 2.0);
  for (int k = 0; k < count; ++k) {
    keys.push_back({time, feasible_pose(figure, random), {}, style});
    time += random.between(0.2, 1.5);
  }
  return keys;
}

// Human, the recorded figure and random trees.
inline std::vector<Figure> some_figures(int trees = 5) {
  std::vector<Figure> figures = {human(), recorded_walk().figure, testing::good(simple_human())};
  Random random(901);
  for (int k = 0; k < trees; ++k) figures.push_back(testing::built(testing::random_tree(random)));
  return figures;
}

// The quaternion of a rotation, or the values of another channel.
inline VecX channel_value(const Channel& channel, const VecX& theta) {
  if (channel.kind == ChannelKind::rotation) return channel.ball.rotation(theta).coeffs();
  VecX value(channel.size());
  for (int t = 0; t < channel.size(); ++t) value[t] = theta[channel.parameters[static_cast<std::size_t>(t)]];
  return value;
}

}  // namespace limber::motion_sample
