// The parsed BVH file before interpretation (bvh.h): its joints, and a matrix of its numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/format/content/content.h"
#include "limber/format/text/text.h"

namespace limber {

inline constexpr int max_joint_channels = 9;

struct BvhNode {
  static constexpr int no_parent = -1;
  static constexpr int positions =
      3;  // channels below 3 are positions along x, y, z, the others rotations about x, y, z

  std::string name;
  int parent = no_parent;
  std::size_t at = 0;  // offset of its name in the text
  Vec3 offset = Vec3::Zero();
  bool has_offset = false, has_channels = false;
  std::vector<int> channels = {};  // in the order of the file
  int first_row = 0;               // of the matrix: positions first, then rotations
  bool replaced = false;           // OFFSET by the positions

  bool is_root() const { return parent == no_parent; }
  // 1 for the axes with a position channel, else 0.
  Vec3 has_position() const;
  // The OFFSET in those components, the ones with two interpretations.
  Vec3 channel_offset() const { return offset.cwiseProduct(has_position()); }
  // Where the joint is in its parent, with these positions.
  Vec3 in_parent(const Vec3& position) const {
    return (replaced ? Vec3(offset - channel_offset()) : offset) + position;
  }
  // The channels in the order of the joint's freedoms: positions first.
  std::vector<int> freedoms() const;
};

struct BvhTip {
  int node = 0;
  std::string name = {};
  Vec3 offset = Vec3::Zero();
};

struct BvhText {
  std::vector<BvhNode> nodes;  // in the order of the file, which is that of the figure's segments
  std::vector<BvhTip> tips;
  double frame_time = Clip{}.frame_time;
  MatX values;  // as in the file; the rows in the order of the figure's parameters
  std::vector<Note> notes;

  std::size_t frames() const { return static_cast<std::size_t>(values.cols()); }
  // The position channels of a joint in a frame; 0 for missing ones.
  Vec3 position(const BvhNode& node, std::size_t frame) const;
};

// `in` is the reader of `text`.
Expected<BvhText> read_bvh_text(std::string_view text, TextReader& in);

}  // namespace limber
