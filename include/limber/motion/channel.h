// The channels of a figure: parameters that are interpolated together.
//
//   rotation   the three rotations of a joint, if they form a Ball (ball.h)
//   position   the three translations of a joint, consecutive and each its own parameter
//   single     any other parameter
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/motion/ball.h"

namespace limber {

enum class ChannelKind { single, position, rotation };

struct Channel {
  std::string name;  // of the parameter; "joint position", "joint rotation"
  ChannelKind kind = ChannelKind::single;
  std::array<int, 3> parameters = {};
  Ball ball = {};                // of a rotation
  Mat3 axes = Mat3::Identity();  // of a position: the columns are the directions of its translations
  bool metres = false;           // else radians

  int size() const { return kind == ChannelKind::single ? 1 : 3; }
};

// Ordered by first parameter; each parameter is in exactly one channel.
std::vector<Channel> channels_of(const Figure& figure);

Expected<int> find_channel(const std::vector<Channel>& channels, std::string_view name);

// Distance between two poses in a channel: the angle between rotations, the distance between positions, the difference
// between values.
double distance(const Channel& channel, const VecX& a, const VecX& b);

// Sets the channel of `to` to the interpolation from a to b at u, 0 <= u <= 1. Rotations take the shortest rotation,
// with angles near those of a and b.
void blend(const Channel& channel, const VecX& a, const VecX& b, double u, VecX& to);

}  // namespace limber
