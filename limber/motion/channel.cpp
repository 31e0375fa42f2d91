#include "limber/motion/channel.h"

#include <algorithm>

#include "limber/base/spelling.h"
#include "limber/motion/spline.h"

namespace limber {

namespace {

std::optional<Channel> position_of(const Figure& figure, const Joint& joint) {
  Channel channel{joint.name + " position", ChannelKind::position, {}, {}, Mat3::Zero(), true};
  int translations = 0, last = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    if (freedom.motion == Motion::rotate) continue;
    const int parameter = figure.terms()[freedom.term_begin].parameter;
    if (translations == 3 || (translations > 0 && last + 1 != i) || figure.parameters()[parameter].group != no_group)
      return std::nullopt;
    channel.parameters[translations] = parameter;
    channel.axes.col(translations++) = freedom.axis;
    last = i;
  }
  return translations == 3 ? std::optional(channel) : std::nullopt;
}

Vec3 values(const Channel& channel, const VecX& theta) {
  return {theta[channel.parameters[0]], theta[channel.parameters[1]], theta[channel.parameters[2]]};
}

}  // namespace

std::vector<Channel> channels_of(const Figure& figure, Rotations rotations) {
  std::vector<Channel> channels;
  std::vector<bool> taken(figure.parameters().size(), false);
  const auto take = [&](const Channel& channel) {
    for (int k = 0; k < channel.size(); ++k) taken[channel.parameters[k]] = true;
    channels.push_back(channel);
  };
  for (const Joint& joint : figure.joints())
    if (const std::optional<Channel> position = position_of(figure, joint)) take(*position);
  for (const auto& [name, ball] : balls_of(figure, rotations))
    take({name + " rotation", ChannelKind::rotation, ball.parameters, ball, Mat3::Identity(), false});
  for (std::size_t j = 0; j < taken.size(); ++j) {
    if (taken[j]) continue;
    const Parameter& parameter = figure.parameters()[j];
    const int index = static_cast<int>(j);
    channels.push_back(
        {parameter.name, ChannelKind::single, {index, index, index}, {}, Mat3::Identity(), parameter.translates});
  }
  const auto first = [](const Channel& channel) { return *std::ranges::min_element(channel.parameters); };
  std::ranges::stable_sort(channels, {}, first);
  return channels;
}

Expected<int> find_channel(const std::vector<Channel>& channels, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].name == name) return static_cast<int>(k);
    known.push_back(channels[k].name);
  }
  return reject("", "'" + std::string(name) + "'", with_nearest("a channel", name, known));
}

double distance(const Channel& channel, const VecX& a, const VecX& b) {
  switch (channel.kind) {
    case ChannelKind::single:
      return std::fabs(a[channel.parameters[0]] - b[channel.parameters[0]]);
    case ChannelKind::position:
      return (channel.axes * (values(channel, a) - values(channel, b))).norm();
    case ChannelKind::rotation: {
      const Quaternion p = channel.ball.rotation(a), q = on_side_of(p, channel.ball.rotation(b));
      return 4.0 * std::asin(std::fmin(1.0, 0.5 * (p.coeffs() - q.coeffs()).norm()));
    }
  }
  return 0.0;
}

void blend(const Channel& channel, const VecX& a, const VecX& b, double u, VecX& to) {
  if (channel.kind == ChannelKind::rotation) {
    const Ball& ball = channel.ball;
    const Vec3 x = ball.angles(a), y = ball.angles(b);
    if (x != y) {
      const Quaternion p = ball.rotation(x), q = on_side_of(p, ball.rotation(y));
      ball.set_angles(to, ball.angles(slerp(p, q, u), (1.0 - u) * x + u * y));
      return;
    }
  }
  for (int k = 0; k < channel.size(); ++k) {
    const int j = channel.parameters[k];
    to[j] = a[j] == b[j] ? a[j] : (1.0 - u) * a[j] + u * b[j];
  }
}

}  // namespace limber
