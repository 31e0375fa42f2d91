// From the JSON of a glTF document to its nodes, skins and animations.                        glTF 2.0, section 5
#include "limber/format/gltf/gltf_asset.h"

#include <algorithm>
#include <set>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/format/gltf/gltf_bytes.h"
#include "limber/format/gltf/gltf_data.h"

namespace limber {

namespace {

// Quaternions are normalized. A larger error of the length, beyond that of the coarsest encoding, is noted.
constexpr double unit_tolerance = 0.02;
// For a matrix: error of the last row, and min sine of the angle between columns.
constexpr double matrix_tolerance = 1e-6;

// Max number of names in a note.
constexpr std::size_t max_listed_names = 3;

class AssetReader {
 public:
  AssetReader(JsonDocument& document, GltfAsset& asset, std::vector<Note>& notes)
      : document_(document), asset_(asset), notes_(notes) {}

  // Each step relies on the checks of the previous ones.
  void read(const std::string_view* binary, const FileLoader& load) {
    head();
    if (!document_.error()) read_data(document_, binary, load, asset_, notes_);
    if (!document_.error()) nodes();
    if (!document_.error()) tree();
    if (!document_.error()) scene();
    if (!document_.error()) skins();
    if (!document_.error()) humanoid();
    if (!document_.error()) read_animations(document_, asset_, notes_);
    if (!document_.error()) images();
  }

 private:
  void note(const JsonValue& at, std::string text) { add_note(notes_, at, std::move(text)); }
  std::string quoted(int node) const { return "'" + on_one_line(asset_.nodes[at_index(node)].name) + "'"; }

  void head() {
    const JsonValue root = document_.root();
    if (!root.object() || !root["asset"].object()) return;
    const JsonValue version = root["asset"]["version"];
    if (const std::string text = version.text(); !document_.error() && !text.starts_with("2."))
      return version.fail("glTF version " + in_quotes(text), "2.0");
    const JsonValue min_version = root["asset"]["minVersion"];
    if (const std::string text = min_version.text_or("2.0"); !document_.error() && text != "2.0")
      return min_version.fail("a document that needs glTF version " + in_quotes(text), "2.0");
    extensions();
  }

  // Extensions that affect neither the position nor the motion of a node. Extensions that are used but not required are
  // harmless.
  void extensions() {
    constexpr std::string_view harmless[] = {"KHR_draco_mesh_compression",
                                             "KHR_mesh_quantization",
                                             "KHR_materials_",
                                             "KHR_texture_",
                                             "KHR_lights_",
                                             "KHR_audio",
                                             "KHR_xmp",
                                             "EXT_texture_",
                                             "EXT_mesh",
                                             "KHR_meshopt",
                                             "EXT_lights_",
                                             "MSFT_texture",
                                             "VRM",
                                             "KHR_gaussian"};
    constexpr std::size_t max_extensions = 1000;
    if (const JsonValue required = document_.root()["extensionsRequired"]; required.size() > max_extensions)
      return required.fail(std::to_string(required.size()) + " extensions",
                           "at most " + std::to_string(max_extensions));
    std::vector<std::string> unknown;
    for (const JsonValue& extension : elements(document_.root(), "extensionsRequired"))
      if (const std::string name = extension.text();
          std::ranges::none_of(harmless, [&](std::string_view prefix) { return name.starts_with(prefix); }))
        unknown.push_back(name);
    if (!unknown.empty())
      note(document_.root()["extensionsRequired"],
           "the file requires unknown extensions, so positions may differ: " + listed(unknown));
  }

  // --- Nodes -------------------------------------------------------------------------------------

  void nodes() {
    const std::vector<JsonValue> values = elements(document_.root(), "nodes");
    if (document_.error()) return;
    if (values.empty()) return document_.root().fail("no nodes", "at least one: a skeleton is made of nodes");
    if (values.size() > static_cast<std::size_t>(max_joints))
      return document_.root()["nodes"].fail(std::to_string(values.size()) + " nodes",
                                            "at most " + std::to_string(max_joints));
    const std::size_t meshes = document_.root()["meshes"].size(), skins = document_.root()["skins"].size();
    UniqueNames unique;
    std::vector<std::string> renamed;
    std::optional<JsonValue> first_renamed;
    for (std::size_t n = 0; n < values.size() && !document_.error(); ++n) {
      const JsonValue& value = values[n];
      GltfNode node;
      if (!value.object()) return;
      const std::string name = value["name"].text_or("");
      node.name = unique(name, "node_" + std::to_string(n));
      if (!name.empty() && name != node.name) {
        if (renamed.empty()) first_renamed = value["name"];
        renamed.push_back(node.name);
      }
      if (const JsonValue children = value["children"]; children && children.array())
        for (const JsonValue child : children) node.children.push_back(index_of(child, values.size(), "node"));
      if (value["mesh"]) index_of(value["mesh"], meshes, "mesh");
      if (value["skin"]) index_of(value["skin"], skins, "skin");
      place(value, node);
      asset_.nodes.push_back(std::move(node));
    }
    if (!renamed.empty()) note(*first_renamed, "nodes with duplicate names were renamed: " + listed(renamed));
    node_values_ = values;
  }

  void place(const JsonValue& value, GltfNode& node) {
    const JsonValue matrix = value["matrix"], t = value["translation"], q = value["rotation"], s = value["scale"];
    if (matrix) {
      if (t || q || s) return matrix.fail("a matrix and a translation, rotation or scale", "only one of them");
      return place_by_matrix(matrix, node);
    }
    if (t) node.t = t.vector();
    if (s) node.K = s.vector().asDiagonal();
    if (!q || !q.array(4, "four numbers: [x, y, z, w]")) return;
    Eigen::Vector4d xyzw;
    int k = 0;
    for (const JsonValue number : q) xyzw[k++] = number.number();
    const double length = xyzw.norm();
    if (!(length > min_quaternion) || !std::isfinite(length))
      return q.fail("a quaternion of length " + to_text(length), "one of length 1");
    if (std::fabs(length - 1.0) > unit_tolerance)
      note(q, "a rotation of length " + to_text(length) + " was normalized");
    node.R = Eigen::Quaterniond(Eigen::Vector4d(xyzw / length)).toRotationMatrix();
  }

  // R has the orthonormalized columns of the matrix, and K is the remainder. Without shear K is diagonal; callers that
  // need that check it.
  void place_by_matrix(const JsonValue& value, GltfNode& node) {
    if (!value.array(16, "sixteen numbers")) return;
    Eigen::Matrix4d M;
    int k = 0;
    for (const JsonValue number : value) {
      M(k % 4, k / 4) = number.number();
      ++k;
    }
    node.has_matrix = true;
    node.t = M.topRightCorner<3, 1>();
    const Mat3 L = M.topLeftCorner<3, 3>();
    const Eigen::RowVector4d last(0, 0, 0, 1);
    if (!((M.row(3) - last).cwiseAbs().maxCoeff() <= matrix_tolerance))
      return value.fail("a matrix whose last row is not 0 0 0 1", "a matrix of a translation, rotation and scale");
    const double x = L.col(0).norm(), y = L.col(1).norm();
    if (x > 0.0 && y > 0.0 && (L.col(0) / x).cross(L.col(1) / y).norm() > matrix_tolerance)
      node.R = rotation_from_xy(L.col(0) / x, L.col(1) / y);
    node.K = node.R.transpose() * L;
  }

  // One parent per node, and no cycles.
  void tree() {
    for (std::size_t n = 0; n < asset_.nodes.size(); ++n) {
      int position = 0;
      for (const int child : asset_.nodes[n].children) {
        GltfNode& child_node = asset_.nodes[at_index(child)];
        if (child_node.parent != no_node) {
          auto element = node_values_[n]["children"].begin();
          while (position-- > 0) ++element;
          return (*element).fail("node " + std::to_string(child) + ", which is already a child of node " +
                                     std::to_string(child_node.parent),
                                 "one parent per node");
        }
        child_node.parent = static_cast<int>(n);
        ++position;
      }
    }
    std::vector<int> roots;
    for (std::size_t n = 0; n < asset_.nodes.size(); ++n)
      if (asset_.nodes[n].parent == no_node) roots.push_back(static_cast<int>(n));
    std::vector<bool> reached(asset_.nodes.size(), false);
    for (const int n : depth_first(roots)) reached[at_index(n)] = true;
    for (std::size_t n = 0; n < asset_.nodes.size(); ++n)
      if (!reached[n])
        return node_values_[n].fail("node " + std::to_string(n) + ", which is its own ancestor", "a tree of nodes");
  }

  std::vector<int> depth_first(const std::vector<int>& roots) const {
    std::vector<int> order, stack(roots.rbegin(), roots.rend());
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      order.push_back(n);
      const std::vector<int>& children = asset_.nodes[at_index(n)].children;
      stack.insert(stack.end(), children.rbegin(), children.rend());
    }
    return order;
  }

  // The nodes of the default scene; else of all scenes; else all nodes.
  void scene() {
    const JsonValue root = document_.root();
    std::vector<JsonValue> scenes = elements(root, "scenes");
    if (root["scene"]) {
      const int index = index_of(root["scene"], scenes.size(), "scene");
      if (document_.error()) return;
      scenes = {scenes[at_index(index)]};
    }
    std::vector<int> roots;
    std::vector<bool> listed_as_root(asset_.nodes.size(), false);
    for (const JsonValue& scene : scenes) {
      if (!scene.object()) return;
      if (asset_.scene_name.empty()) asset_.scene_name = scene["name"].text_or("");
      if (scene["nodes"] && !scene["nodes"].array()) return;
      for (const JsonValue value : scene["nodes"]) {
        const int n = index_of(value, asset_.nodes.size(), "node");
        if (document_.error()) return;
        if (const int parent = asset_.nodes[at_index(n)].parent; parent != no_node)
          return value.fail("node " + std::to_string(n) + ", a child of node " + std::to_string(parent),
                            "a node without a parent");
        if (listed_as_root[at_index(n)]) {
          if (scenes.size() > 1) continue;
          return value.fail("node " + std::to_string(n) + " twice", "each node once");
        }
        listed_as_root[at_index(n)] = true;
        roots.push_back(n);
      }
    }
    if (scenes.empty())
      for (std::size_t n = 0; n < asset_.nodes.size(); ++n)
        if (asset_.nodes[n].parent == no_node) roots.push_back(static_cast<int>(n));
    if (roots.empty()) return root["scenes"].fail("a scene without nodes", "at least one");
    asset_.order = depth_first(roots);
    for (const int n : asset_.order) asset_.nodes[at_index(n)].in_figure = true;
    if (const std::size_t others = asset_.nodes.size() - asset_.order.size(); others > 0)
      note(root["scenes"], std::to_string(others) +
                               " nodes are not in the default scene: they are kept in the file but are " +
                               "not part of the figure");
  }

  void skins() {
    const std::vector<JsonValue> skins = elements(document_.root(), "skins");
    for (const JsonValue& skin : skins) {
      if (!skin.object()) return;
      if (skin["inverseBindMatrices"]) index_of(skin["inverseBindMatrices"], asset_.accessors.size(), "accessor");
      if (skin["skeleton"]) index_of(skin["skeleton"], asset_.nodes.size(), "node");
      const JsonValue joints = skin["joints"];
      if (!joints.array()) return;
      if (joints.size() == 0) joints.fail("a skin without joints", "at least one");
      for (const JsonValue joint : joints) {
        const int n = index_of(joint, asset_.nodes.size(), "node");
        if (document_.error()) return;
        asset_.nodes[at_index(n)].is_skin_joint = true;
        asset_.has_skins = asset_.has_skins || asset_.nodes[at_index(n)].in_figure;
      }
    }
  }

  void images() {
    for (const JsonValue& image : elements(document_.root(), "images"))
      if (const JsonValue uri = image["uri"]; uri.is(JsonKind::text) && !uri.long_text().starts_with("data:"))
        asset_.external_images.emplace_back(uri.long_text());
  }

  void humanoid() {
    const JsonValue extensions = document_.root()["extensions"];
    if (const JsonValue old = extensions["VRM"]) note(old, "the humanoid map of VRM 0.x is not read, only VRM 1.0");
    const JsonValue vrm = extensions["VRMC_vrm"];
    if (!vrm) return;
    asset_.is_vrm = true;
    const JsonValue bones = vrm["humanoid"]["humanBones"];
    if (!bones) return note(vrm, "a VRM without a humanoid map");
    if (!bones.object()) return;
    for (const JsonValue bone : bones) {
      if (!bone.object()) return;
      const int n = index_of(bone["node"], asset_.nodes.size(), "node");
      if (document_.error()) return;
      if (!asset_.nodes[at_index(n)].in_figure) {
        note(bone, "the bone " + in_quotes(bone.key()) + " is node " + quoted(n) + ", which is not in the scene");
        continue;
      }
      asset_.nodes[at_index(n)].is_bone = true;
      asset_.bones.emplace_back(bone.key(), n);
    }
  }

  JsonDocument& document_;
  GltfAsset& asset_;
  std::vector<Note>& notes_;
  std::vector<JsonValue> node_values_;
};

}  // namespace

std::size_t GltfAsset::size() const {
  std::size_t size = json.size();
  std::set<const std::string*> counted = {nullptr};
  for (const GltfBuffer& buffer : buffers)
    if (counted.insert(buffer.bytes.get()).second) size += buffer.bytes->size();
  return size;
}

Expected<std::shared_ptr<GltfAsset>> parse_gltf(std::string_view bytes, const std::string& file_name,
                                                const FileLoader& load, std::vector<Note>& notes) {
  auto asset = std::make_shared<GltfAsset>();
  std::optional<std::string_view> binary;
  asset->is_binary = is_glb(bytes);
  if (asset->is_binary) {
    Expected<Glb> glb = split_glb(bytes, file_name);
    if (!glb) return std::unexpected(glb.error());
    notes.insert(notes.end(), glb->notes.begin(), glb->notes.end());
    asset->other_chunks = glb->others;
    binary = glb->binary;
    bytes = glb->json;
  }
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  asset->json = *text;
  JsonDocument document(asset->json, file_name);
  if (!document.error()) AssetReader(document, *asset, notes).read(binary ? &*binary : nullptr, load);
  if (document.error()) return std::unexpected(*document.error());
  return asset;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), max_listed_names); ++k)
    text += (k == 0 ? "'" : ", '") + on_one_line(names[k]) + "'";
  if (names.size() > max_listed_names) text += " and " + std::to_string(names.size() - max_listed_names) + " more";
  return text;
}

std::vector<std::pair<std::string, std::string>> vrm_bones(const GltfAsset& asset) {
  std::vector<std::pair<std::string, std::string>> bones;
  for (const auto& [bone, node] : asset.bones)
    bones.emplace_back(bone, asset.nodes[static_cast<std::size_t>(node)].name);
  return bones;
}

}  // namespace limber
