// A glTF document with all that it refers to: its text, the bytes of its buffers, and, taken out of the text, what
// moves: nodes, skins, animations. Every index and every offset was checked when it was read.
//
// The scale of a node acts on what hangs below it. A segment is rigid, so the scales become part of the offsets: let
// the node's own matrix be T(t) R K, with a rotation R and whatever else K (a diagonal scale, as a rule). Then, as the
// file stands, the matrix of the node in the world is Q E with the product Q of the rotations, and
//
//   E = (Rᵀ E_parent R) K,   offset of a child in the segment = E t_child.
//
// Where E is a multiple of the identity this holds in every pose. Where it is nearly so (see gltf_read.cpp) it is exact
// in the pose of the file and off by as much in others. Where it is not, no joint may hang below.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/format/gltf/gltf.h"

namespace limber {

struct GltfBuffer {
  std::size_t length = 0;
  std::shared_ptr<const std::string> bytes = {};  // at least `length`; none for one that stands in for compressed data
  bool embedded = true;                           // in the document itself
  bool is_chunk = false;                          // the binary chunk of a GLB
};

enum class GltfComponent { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };

// An accessor: rows of numbers in a buffer. Some rows may be given anew (a sparse accessor).
struct GltfAccessor {
  GltfComponent component = GltfComponent::float32;
  int width = 1;  // numbers a row
  bool normalized = false;
  std::size_t rows = 0;
  std::size_t stride = 0;
  const char* bytes = nullptr;  // of row 0; none: all zero
  bool readable = true;         // false: its buffer has no bytes
  std::size_t replaced = 0;     // rows given anew
  const char* replaced_rows = nullptr;
  GltfComponent replaced_rows_component = GltfComponent::uint32;
  const char* replaced_values = nullptr;
  std::size_t row_size = 0;

  std::size_t replaced_row(std::size_t k) const;
  // Do they rise, and stay below `rows`? at() takes it for granted.
  bool replaces_in_order() const;
  // Normalized integers become numbers from 0 or -1 to 1.
  double at(std::size_t row, int column) const;
};

inline constexpr int no_node = -1;

struct GltfNode {
  std::string name = {};  // of its segment: unique
  int parent = no_node;
  std::vector<int> children = {};
  Vec3 t = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  Mat3 K = Mat3::Identity();
  bool has_matrix = false;  // in place of translation, rotation and scale

  // Why it may move.
  bool is_skin_joint = false;
  bool is_bone = false;  // of a humanoid map
  bool turned = false;   // by an animation
  bool shifted = false;

  // In the figure.
  bool in_figure = false;
  Mat3 E_parent = Mat3::Identity();
  bool slides = false;  // has tx, ty, tz
  bool turns = false;   // has rx, ry, rz
  int parameter = -1;   // the first of them
};

enum class GltfPath { translation, rotation, scale, weights };
enum class GltfInterpolation { step, linear, cubic_spline };

struct GltfChannel {
  int node = 0;
  GltfPath path = GltfPath::rotation;
  GltfInterpolation interpolation = GltfInterpolation::linear;
  int times = 0, values = 0;                       // accessors
  Vec3 least = Vec3::Zero(), most = Vec3::Zero();  // of its keys, but for rotations
};

struct GltfAnimation {
  std::string name = {};  // of its clip: unique
  std::vector<GltfChannel> channels = {};
  double duration = 0.0;  // the time of its last key
};

class GltfAsset {
 public:
  std::string json = {};
  bool is_binary = false;
  std::string other_chunks = {};
  std::vector<GltfBuffer> buffers = {};
  std::vector<GltfAccessor> accessors = {};
  std::vector<GltfNode> nodes = {};
  std::vector<int> order = {};  // the nodes of the figure, depth first: node order[s] is segment s
  std::string scene_name = {};
  bool has_skins = false;
  std::vector<GltfAnimation> animations = {};
  std::vector<std::pair<std::string, int>> bones = {};  // of a humanoid map: name, node
  bool is_vrm = false;
  std::vector<std::string> outside_images = {};  // those in files of their own

  std::size_t size() const;  // bytes, of text and buffers
};

// The document with everything but the figure. What is odd goes into `notes`.
Expected<std::shared_ptr<GltfAsset>> parse_gltf(std::string_view bytes, const std::string& file_name,
                                                const FileLoader& load, std::vector<Note>& notes);

// The value of a channel at time t: x y z, or x y z w of a unit quaternion.
Eigen::Vector4d value_at(const GltfAsset& asset, const GltfChannel& channel, double t);

// θ of an animation at time t. On the way in, θ is that of a moment before: angles go on from there.
void pose_at(const GltfAsset& asset, const GltfAnimation& animation, double t, VecX& theta);

// Seconds from frame to frame. Where the keys lie on no even grid there is a note. It may look at so many keys, and
// takes from that.
double own_frame_time(const GltfAsset& asset, const GltfAnimation& animation, std::size_t& remaining_looks,
                      std::vector<Note>& notes);

// The frames of an animation, from time 0 to its last key. They may take `remaining_bytes`, and take from it.
Expected<Clip> sampled(const GltfAsset& asset, const GltfAnimation& animation, int parameters, double frame_time,
                       std::size_t& remaining_bytes);

// Is the clip what `sampled` gives, to the last bit?
bool is_sampled_from(const Clip& clip, const GltfAsset& asset, const GltfAnimation& animation);

// Names for a note: "'a', 'b', 'c' and 4 more".
std::string listed(const std::vector<std::string>& names);

// Is the figure still the one that was read with the asset, apart from limits and the like?
bool fits(const GltfAsset& asset, const Figure& figure);

}  // namespace limber
