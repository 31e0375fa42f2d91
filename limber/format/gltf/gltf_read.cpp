// From a glTF document to a figure and its clips.
#include <algorithm>
#include <map>

#include "limber/base/number.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

// Max relative deviation of the scale above a joint from uniform; and the min deviation that is noted. Exporters write
// scales such as 0.9999998.
constexpr double uniform_tolerance = 1e-4;
constexpr double uniform_rounding = 3e-6;
// A translation whose keys are this close to the node's own, relative to the figure's length, is the exporter's
// rounding, and the joint gets no DOF for it.
constexpr double still_tolerance = 1e-6;
// Max memory of all clips: per byte of the file, plus a minimum.
constexpr std::size_t clip_bytes_per_byte = 16, min_clip_bytes = 24u << 20;
// Animations may share keys, so the number of keys read needs its own bound.
constexpr std::size_t min_time_looks = 1'000'000;

std::string name_of_figure(const std::string& file_name) {
  const std::string stem = motion_file::stem_of(file_name);
  return stem.empty() ? "figure" : stem;
}

// Most exporters name scenes "Scene".
bool is_specific(const std::string& scene_name) {
  return !scene_name.empty() && lower_case(scene_name).find("scene") == std::string::npos;
}

class FigureMaker {
 public:
  FigureMaker(GltfAsset& asset, const FileSpace& space, const std::string& file_name, std::vector<Note>& notes)
      : asset_(asset), space_(space), file_name_(file_name), notes_(notes) {}

  Expected<Figure> make() {
    if (Expected<void> done = offsets(); !done) return std::unexpected(done.error());
    find_shifts();
    choose_freedoms();
    if (Expected<void> done = check_scales(); !done) return std::unexpected(done.error());
    FigureDescription description;
    description.name = is_specific(asset_.scene_name) ? asset_.scene_name : name_of_figure(file_name_);
    moves_.assign(asset_.nodes.size(), false);
    for (const int n : asset_.order) describe(node(n), description);
    add_bones(description);
    Expected<Figure> figure = build_figure(std::move(description));
    if (!figure) {
      figure.error().where = file_name_ + ": " + figure.error().where;
      return figure;
    }
    for (std::size_t s = 0; s < asset_.order.size(); ++s)
      node(asset_.order[s]).parameter = figure->joints()[s].freedom_begin;
    return figure;
  }

 private:
  GltfNode& node(int n) { return asset_.nodes[static_cast<std::size_t>(n)]; }
  // E of the node, the factor of its children's offsets.
  Mat3 scale_below(const GltfNode& node) const { return node.R.transpose() * node.E_parent * node.R * node.K; }

  Expected<void> offsets() {
    std::vector<double> path_length(asset_.nodes.size(), 0.0);
    length_ = 0.0;
    for (const int n : asset_.order) {
      GltfNode& at = node(n);
      at.E_parent =
          at.parent == no_node ? Mat3(space_.metres_per_unit * Mat3::Identity()) : scale_below(node(at.parent));
      const Vec3 offset = at.E_parent * at.t;
      if (!at.E_parent.allFinite() || !offset.allFinite())
        return reject(where(at), "scales whose product overflows", "moderate scales");
      if (at.parent != no_node)
        path_length[static_cast<std::size_t>(n)] = path_length[static_cast<std::size_t>(at.parent)] + offset.norm();
      length_ = std::fmax(length_, path_length[static_cast<std::size_t>(n)]);
    }
    return {};
  }

  // Marks nodes that an animation moves from their own translation, or by a scale above them.
  void find_shifts() {
    for (const int n : asset_.order) {
      GltfNode& at = node(n);
      at.below_scale = at.parent != no_node && (node(at.parent).scaled || node(at.parent).below_scale);
      const bool is_regular = std::fabs(at.E_parent.determinant()) > std::numeric_limits<double>::min();
      at.carried = at.below_scale && is_regular && (at.E_parent * at.t).norm() > still_tolerance * length_;
    }
    for (const GltfAnimation& animation : asset_.animations)
      for (const GltfChannel& channel : animation.channels) {
        if (channel.path != GltfPath::translation) continue;
        GltfNode& at = node(channel.node);
        const Vec3 deviation = (channel.max - at.t).cwiseAbs().cwiseMax((channel.min - at.t).cwiseAbs());
        if (!((at.E_parent.cwiseAbs() * deviation).maxCoeff() <= still_tolerance * length_)) at.shifted = true;
      }
  }

  void choose_freedoms() {
    const auto animated = [](const GltfNode& at) { return at.turned || at.shifted; };
    const bool by_animation = std::ranges::any_of(asset_.order, [&](int n) { return animated(node(n)); });
    const bool no_reason = !asset_.has_skins && !by_animation && asset_.bones.empty();

    // The root of the skeleton: its topmost joint, or the topmost bone of a humanoid; else the root of the scene, if
    // something moves below it.
    const auto is_skeleton = [&](const GltfNode& at) { return asset_.has_skins ? at.is_skin_joint : at.is_bone; };
    const bool has_skeleton = asset_.has_skins || !asset_.bones.empty();
    const auto uniform_above = [](const GltfNode& at) { return nonuniformity(at.E_parent) <= uniform_tolerance; };
    int rigid_count = 0;
    std::vector<bool> below(asset_.nodes.size(), false), moving(asset_.nodes.size(), false);
    for (const int n : asset_.order) {
      GltfNode& at = node(n);
      const auto i = static_cast<std::size_t>(n);
      at.turns = animated(at) || at.is_skin_joint || at.is_bone || (no_reason && uniform_above(at));
      rigid_count += no_reason && !at.turns;
      below[i] = at.parent != no_node && (below[static_cast<std::size_t>(at.parent)] || is_skeleton(node(at.parent)));
      at.slides = at.shifted || at.carried || (has_skeleton && is_skeleton(at) && !below[i]);
    }
    if (rigid_count > 0)
      notes_.push_back({std::to_string(rigid_count) + " nodes below a non-uniform scale have no DOF"});
    for (auto n = asset_.order.rbegin(); n != asset_.order.rend(); ++n) {
      GltfNode& at = node(*n);
      const auto i = static_cast<std::size_t>(*n);
      moving[i] = moving[i] || at.turns;
      if (at.parent != no_node && moving[i]) moving[static_cast<std::size_t>(at.parent)] = true;
      if (!has_skeleton && at.parent == no_node && moving[i]) at.turns = at.slides = true;
    }
  }

  // Relative deviation of E from a multiple of the identity.
  static double nonuniformity(const Mat3& E) {
    const double e = E.trace() / 3.0;
    const double deviation = (E - e * Mat3::Identity()).cwiseAbs().maxCoeff();
    return std::fabs(e) > std::numeric_limits<double>::min() ? deviation / std::fabs(e) : infinity;
  }

  // Above a joint with children the scale must be nearly uniform, because rotation would shear. Above a joint that
  // translates it must not be singular. The matrix of a joint must be a translation, rotation and scale.
  Expected<void> check_scales() {
    double max_deviation = 0.0;
    std::string max_deviation_name;
    for (const int n : asset_.order) {
      const GltfNode& at = node(n);
      if (at.turns && at.has_matrix) {
        const double shear = (at.K - Mat3(at.K.diagonal().asDiagonal())).cwiseAbs().maxCoeff();
        if (!(shear <= uniform_tolerance * at.K.cwiseAbs().maxCoeff()))
          return reject(where(at), "a joint with a matrix that shears", "a translation, a rotation and a scale");
      }
      if (at.slides && !(std::fabs(at.E_parent.determinant()) > std::numeric_limits<double>::min()))
        return reject(where(at), "a translating joint below a scale of 0", "a nonzero scale");
      if (!at.turns || at.children.empty() || at.parent == no_node) continue;
      const double deviation = nonuniformity(at.E_parent);
      if (deviation > max_deviation) {
        max_deviation = deviation;
        max_deviation_name = node(at.parent).name;
      }
      if (deviation <= uniform_tolerance) continue;
      int source = at.parent;  // the topmost node with such a scale
      while (node(source).parent != no_node && nonuniformity(node(source).E_parent) > uniform_tolerance)
        source = node(source).parent;
      return reject(where(node(source)),
                    described(scale_below(node(source))) + " above the joint '" + on_one_line(at.name) + "'",
                    "the same scale along x, y and z, so that bones stay rigid");
    }
    if (max_deviation > uniform_rounding)
      notes_.push_back({"the scale of node '" + on_one_line(max_deviation_name) +
                        "' deviates from a uniform scale by " + to_text(max_deviation) +
                        ": positions below it have errors of that order"});
    return {};
  }

  std::string where(const GltfNode& at) const { return file_name_ + ": node '" + on_one_line(at.name) + "'"; }

  static std::string described(const Mat3& E) {
    const Vec3 d = E.diagonal();
    if (E.isZero(0.0)) return "a scale of 0";
    if (E.determinant() < 0.0) return "a scale that reflects";
    return "a non-uniform scale (" + to_text(d.x()) + ", " + to_text(d.y()) + ", " + to_text(d.z()) + ")";
  }

  void describe(const GltfNode& at, FigureDescription& description) {
    description.segments.push_back({at.name});
    JointDescription joint;
    joint.name = joint.child = at.name;
    joint.in_parent = {at.R, at.E_parent * at.t};
    if (at.parent == no_node)
      joint.in_parent = Frame{space_.R_inside_file(), Vec3::Zero()} * joint.in_parent;
    else
      joint.parent = node(at.parent).name;
    constexpr const char* shifts[] = {"tx", "ty", "tz"};
    constexpr const char* turns[] = {"rx", "ry", "rz"};
    const bool inner = at.parent != no_node && moves_[static_cast<std::size_t>(at.parent)];
    moves_[static_cast<std::size_t>(&at - asset_.nodes.data())] = inner || at.slides || at.turns;
    if (at.slides)
      for (int k = 0; k < 3; ++k)
        joint.freedoms.push_back(
            {shifts[k], Motion::translate, at.R.transpose() * Vec3::Unit(k), Range{.rigidity = inner ? 1.0 : 0.0}});
    if (at.turns)
      for (int k = 0; k < 3; ++k) joint.freedoms.push_back({turns[k], Motion::rotate, Vec3::Unit(k)});
    description.joints.push_back(std::move(joint));
    description.sites.push_back({at.name, at.name});
  }

  void add_bones(FigureDescription& description) {
    std::map<std::string, std::string, std::less<>> segment_by_site;
    for (const SiteDescription& site : description.sites) segment_by_site[site.name] = site.segment;
    for (const auto& [bone, n] : asset_.bones) {
      const auto [existing, added] = segment_by_site.emplace(bone, node(n).name);
      if (added)
        description.sites.push_back({bone, node(n).name});
      else if (existing->second != node(n).name)
        notes_.push_back({"the bone '" + on_one_line(bone) + "' is node '" + on_one_line(node(n).name) +
                          "', but another node has that name: use the node's name"});
    }
  }

  GltfAsset& asset_;
  std::vector<bool> moves_;  // by node: moves in the world
  const FileSpace& space_;
  const std::string& file_name_;
  std::vector<Note>& notes_;
  double length_ = 0.0;
};

}  // namespace

Expected<Content> read_gltf(std::string_view bytes, const std::string& file_name, const ReadOptions& options,
                            const FileLoader& load) {
  if (const std::optional<double> rate = options.frames_per_second; rate && !(*rate > 0.0 && std::isfinite(*rate)))
    return reject("frames per second", to_text(*rate), "a finite number above 0");
  if (const std::optional<double> unit = options.metres_per_unit; unit && !(*unit > 0.0 && std::isfinite(*unit)))
    return reject("metres per unit", to_text(*unit), "a finite number above 0");
  Content content;
  Expected<std::shared_ptr<GltfAsset>> asset = parse_gltf(bytes, file_name, load, content.notes);
  if (!asset) return std::unexpected(asset.error());
  GltfAsset& document = **asset;
  content.format = document.is_vrm ? "vrm" : document.is_binary ? "glb" : "gltf";
  content.space = {options.metres_per_unit.value_or(1.0), options.up.value_or(Up::y)};
  Expected<Figure> figure = FigureMaker(document, content.space, file_name, content.notes).make();
  if (!figure) return std::unexpected(figure.error());

  std::size_t remaining_looks = min_time_looks + document.size();
  std::size_t remaining_bytes = min_clip_bytes + clip_bytes_per_byte * document.size();
  const int parameters = static_cast<int>(figure->parameters().size());
  for (const GltfAnimation& animation : document.animations) {
    const double frame_time = options.frames_per_second
                                  ? 1.0 / *options.frames_per_second
                                  : own_frame_time(document, animation, remaining_looks, content.notes);
    Expected<Clip> clip = sampled(document, animation, parameters, frame_time, remaining_bytes);
    if (!clip) {
      clip.error().where = file_name + ": " + clip.error().where;
      return std::unexpected(clip.error());
    }
    content.clips.push_back(std::move(*clip));
  }
  content.figure = std::move(*figure);
  content.asset = std::move(*asset);
  return content;
}

}  // namespace limber
