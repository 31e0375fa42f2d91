// What of a pose is interpolated together: the channels of a figure.
//
//   rotation   the three turns of a joint, where they are one rotation that can be taken apart again (ball.h)
//   position   the three shifts of a joint, with no turn between them, that are parameters of their own
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
  Mat3 axes = Mat3::Identity();  // of a position: the columns are the directions of its shifts
  bool metres = false;           // else radians

  int size() const { return kind == ChannelKind::single ? 1 : 3; }
};

// In the order of their first parameters; each parameter is in one channel.
std::vector<Channel> channels_of(const Figure& figure);

Expected<int> find_channel(const std::vector<Channel>& channels, std::string_view name);

// How far apart two poses are in a channel: the angle between the rotations, the distance of the positions, the
// difference of the values.
double distance(const Channel& channel, const VecX& a, const VecX& b);

// The channel of `to` becomes the part `u` of the way from a to b: rotations take the shortest turn, at angles near
// those of a and b.
void blend(const Channel& channel, const VecX& a, const VecX& b, double u, VecX& to);

}  // namespace limber
