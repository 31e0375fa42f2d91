// A glTF document with all data it refers to: its text, the bytes of its buffers, and its parsed nodes, skins and
// animations. All indices and offsets have been checked.
//
// The scale of a node acts on its subtree. A segment is rigid, so scales become part of the offsets: let the node's
// matrix be T(t) R K, with a rotation R and a remainder K (usually a diagonal scale). Then, in the pose of the file,
// the node's linear map into the world is Q E with the product Q of the rotations, and
//
//   E = (Rᵀ E_parent R) K,   offset of a child in the segment = E t_child.
//
// If E is a multiple of the identity this holds in every pose. If it is nearly so (see gltf_read.cpp), it is exact in
// the pose of the file with an error of that order in others. Otherwise no joint is allowed below.
//
// An animation may change K over time. The offsets E(t) t_child of all nodes below then move, so their joints have
// translations, and a clip holds
//
//   θ(t) = E(t) t_child(t) - E t_child,      exactly, whatever the scale.
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
  std::shared_ptr<const std::string> bytes = {};  // at least `length`; none for a placeholder of compressed data
  bool embedded = true;                           // in the document
  bool is_chunk = false;                          // the binary chunk of a GLB
};

enum class GltfComponent { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };

// An accessor: rows of numbers in a buffer. A sparse accessor replaces some rows.
struct GltfAccessor {
  GltfComponent component = GltfComponent::float32;
  int width = 1;  // numbers per row
  bool normalized = false;
  std::size_t rows = 0;
  std::size_t stride = 0;
  const char* bytes = nullptr;  // of row 0; none: all zero
  bool readable = true;         // false: its buffer has no bytes
  std::size_t replaced = 0;     // number of replaced rows
  const char* replaced_rows = nullptr;
  GltfComponent replaced_rows_component = GltfComponent::uint32;
  const char* replaced_values = nullptr;
  std::size_t row_size = 0;

  std::size_t replaced_row(std::size_t k) const;
  // Whether the replaced rows are increasing and below `rows`; at() relies on it.
  bool replaces_in_order() const;
  // Normalized integers are mapped to [0, 1] or [-1, 1].
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
  bool has_matrix = false;  // instead of translation, rotation and scale

  // Reasons for DOF.
  bool is_skin_joint = false;
  bool is_bone = false;  // of a humanoid map
  bool turned = false;   // by an animation
  bool shifted = false;
  bool scaled = false;       // by an animation
  bool below_scale = false;  // a node above it is
  bool carried = false;      // and moves it

  // In the figure.
  bool in_figure = false;
  Mat3 E_parent = Mat3::Identity();
  bool slides = false;  // has tx, ty, tz
  bool turns = false;   // has rx, ry, rz
  int parameter = -1;   // index of the first one
};

enum class GltfPath { translation, rotation, scale, weights };
enum class GltfInterpolation { step, linear, cubic_spline };

struct GltfChannel {
  int node = 0;
  GltfPath path = GltfPath::rotation;
  GltfInterpolation interpolation = GltfInterpolation::linear;
  int times = 0, values = 0;                    // accessors
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();  // of its keys; not for rotations
};

struct GltfAnimation {
  std::string name = {};  // of its clip: unique
  std::vector<GltfChannel> channels = {};
  double duration = 0.0;  // the time of its last key
  bool scales = false;    // changes the scale of a node of the figure
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
  std::vector<std::string> external_images = {};  // in separate files

  std::size_t size() const;  // bytes, of text and buffers
};

// The document with everything but the figure. Adds to `notes`.
Expected<std::shared_ptr<GltfAsset>> parse_gltf(std::string_view bytes, const std::string& file_name,
                                                const FileLoader& load, std::vector<Note>& notes);

// The value of a channel at time t: x y z, or x y z w of a unit quaternion.
Eigen::Vector4d value_at(const GltfAsset& asset, const GltfChannel& channel, double t);

// E(t) above each node, with the scales of the animation at time t and these rotations; by node.
std::vector<Mat3> scales_above(const GltfAsset& asset, const GltfAnimation& animation, double t,
                               const std::vector<Mat3>& R);

// θ of an animation at time t. On input, θ of a slightly earlier time, for continuity of the angles.
void pose_at(const GltfAsset& asset, const GltfAnimation& animation, double t, VecX& theta);

// The frame time in seconds, from the keys; noted if they are not on a uniform grid. Reads at most `remaining_looks`
// keys and subtracts them.
double own_frame_time(const GltfAsset& asset, const GltfAnimation& animation, std::size_t& remaining_looks,
                      std::vector<Note>& notes);

// The frames of an animation from time 0 to its last key. Uses at most `remaining_bytes` and subtracts them.
Expected<Clip> sampled(const GltfAsset& asset, const GltfAnimation& animation, int parameters, double frame_time,
                       std::size_t& remaining_bytes);

// Whether the clip equals the result of `sampled` exactly.
bool is_sampled_from(const Clip& clip, const GltfAsset& asset, const GltfAnimation& animation);

// Names for a note: "'a', 'b', 'c' and 4 more".
std::string listed(const std::vector<std::string>& names);

// Whether the figure is the one read with the asset, apart from limits and the like.
bool fits(const GltfAsset& asset, const Figure& figure);

}  // namespace limber
