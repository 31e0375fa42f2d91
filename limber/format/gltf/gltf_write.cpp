// Writing glTF: the original document with a new pose and new animations.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/gltf/gltf_bytes.h"
#include "limber/format/gltf/gltf_figure.h"
#include "limber/format/gltf/gltf_tracks.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

// Of a clip: beyond this, successive keys k · frame_time may round to the same float.
constexpr int max_frames = 1 << 23;

Json numbers(const auto& values) {
  Json array = Json::array();
  for (const double x : values) array.push_back(x);
  return array;
}

Expected<void> check_clip(const Clip& clip, const Figure& figure) {
  const std::string where = "clip '" + on_one_line(clip.name) + "'";
  if (clip.poses.rows() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject(where, std::to_string(clip.poses.rows()) + " values per frame",
                  std::to_string(figure.parameters().size()) + ", one per parameter of the figure");
  if (!(clip.frame_time > 0.0) || !std::isfinite(clip.frame_time))
    return reject(where, to_text(clip.frame_time) + " s per frame", "a finite time above 0");
  if (clip.poses.cols() > max_frames)
    return reject(where, std::to_string(clip.poses.cols()) + " frames", "at most " + std::to_string(max_frames));
  if (!clip.poses.allFinite()) return reject(where, "a value that is not finite", "finite numbers");
  return {};
}

class AssetWriter {
 public:
  AssetWriter(const GltfAsset& asset, const std::vector<Clip>& clips, GltfForm form, const VecX& theta)
      : asset_(asset), clips_(clips), form_(form), theta_(theta) {}

  Expected<Written> write() {
    compare_clips();
    if (!asset_.external_images.empty())
      notes_.push_back(
          {std::to_string(asset_.external_images.size()) +
           " images are in separate files, which must be next to the new file: " + listed(asset_.external_images)});
    const bool same_form = asset_.is_binary == (form_ == GltfForm::binary);
    const bool all_embedded = std::ranges::all_of(asset_.buffers, &GltfBuffer::embedded);
    if (same_animations_ && same_form && all_embedded && theta_.isZero(0.0)) return unchanged_document();

    document_ = Json::parse(asset_.json, nullptr, false);
    choose_buffers();
    for (const int n : asset_.order) pose_node(n);
    if (!same_animations_ || !moved_.empty()) write_animations();
    return finish();
  }

 private:
  Expected<Written> finished(std::string json, std::string chunk) {
    if (form_ == GltfForm::text) {
      if (!asset_.other_chunks.empty()) notes_.emplace_back("the other chunks of the GLB are not written in text form");
      return Written{std::move(json), std::move(notes_)};
    }
    Expected<std::string> bytes = joined_glb(std::move(json), std::move(chunk), asset_.other_chunks);
    if (!bytes) return std::unexpected(bytes.error());
    return Written{std::move(*bytes), std::move(notes_)};
  }

  Expected<Written> unchanged_document() {
    std::string chunk;
    for (const GltfBuffer& buffer : asset_.buffers)
      if (buffer.is_chunk) chunk = *buffer.bytes;
    return finished(asset_.json, std::move(chunk));
  }

  // Matches clips with animations by name, and finds which are unchanged.
  void compare_clips() {
    std::set<int> taken;
    same_animations_ = clips_.size() == asset_.animations.size();
    for (const Clip& clip : clips_) {
      int found = none;
      for (int a = 0; a < static_cast<int>(asset_.animations.size()) && found == none; ++a)
        if (asset_.animations[at_index(a)].name == clip.name && taken.insert(a).second) found = a;
      const bool is_same = found != none && is_sampled_from(clip, asset_, asset_.animations[at_index(found)]);
      same_animations_ = same_animations_ && is_same && found == static_cast<int>(original_.size());
      original_.push_back(found);
      unchanged_.push_back(is_same);
    }
    std::vector<std::string> removed;
    for (int a = 0; a < static_cast<int>(asset_.animations.size()); ++a)
      if (!taken.contains(a)) removed.push_back(asset_.animations[at_index(a)].name);
    if (!removed.empty())
      notes_.push_back({std::to_string(removed.size()) +
                        " animations of the file are not among the clips and are not written: " + listed(removed)});
  }

  // The node's frame in its parent, in the units of the file, below the scale E; gltf_asset.h.
  static Frame placed(const GltfNode& node, const VecX& theta, const Mat3* E = nullptr) {
    Frame X{node.R, node.t};
    const Vec3 shift = node.slides ? Vec3(theta.segment<3>(node.parameter)) : Vec3(Vec3::Zero());
    if (node.slides && !E) X.p += node.E_parent.inverse() * shift;
    if (node.slides && E && std::fabs(E->determinant()) > std::numeric_limits<double>::min())
      X.p = E->inverse() * (node.E_parent * node.t + shift);
    if (node.turns) X.R = node.R * euler_rotation(euler_xyz, theta.segment<3>(node.parameter + (node.slides ? 3 : 0)));
    return X;
  }

  // Above each node, with the rotations of a pose.
  std::vector<Mat3> scales_of(const GltfAnimation& animation, double t, const VecX& theta) const {
    std::vector<Mat3> R;
    R.reserve(asset_.nodes.size());
    for (const GltfNode& node : asset_.nodes) R.push_back(placed(node, theta).R);
    return scales_above(asset_, animation, t, R);
  }

  void pose_node(int n) {
    const GltfNode& node = asset_.nodes[at_index(n)];
    const bool shifted = node.slides && !theta_.segment<3>(node.parameter).isZero(0.0);
    const bool turned = node.turns && !theta_.segment<3>(node.parameter + (node.slides ? 3 : 0)).isZero(0.0);
    if (turned) moved_.push_back({n, true});
    if (shifted) moved_.push_back({n, false});
    if (!shifted && !turned) return;
    if (node.has_matrix) return write_parts(n);
    const Frame X = placed(node, theta_);
    if (shifted) document_["nodes"][at_index(n)]["translation"] = numbers(X.p);
    if (turned) document_["nodes"][at_index(n)]["rotation"] = numbers(quaternion(X.R));
  }

  // Replaces the matrix, because glTF does not allow animating it.
  void write_parts(int n) {
    const Frame X = placed(asset_.nodes[at_index(n)], theta_);
    Json& node = document_["nodes"][at_index(n)];
    node.erase("matrix");
    node["translation"] = numbers(X.p);
    node["rotation"] = numbers(quaternion(X.R));
    node["scale"] = numbers(Vec3(asset_.nodes[at_index(n)].K.diagonal()));
  }

  void write_animations() {
    std::vector<Mover> movers;
    for (const int n : asset_.order)
      if (const GltfNode& node = asset_.nodes[at_index(n)]; node.turns || node.slides)
        movers.push_back({n, placed(node, theta_)});
    GltfData data(std::move(buffers_[at_index(target_)]), count("bufferViews"), count("accessors"));
    make_hold_keys(data);
    Json animations = Json::array();
    std::vector<std::string> kept;
    for (std::size_t c = 0; c < clips_.size(); ++c) {
      const Clip& clip = clips_[c];
      if (unchanged_[c]) {
        animations.push_back(document_["animations"][at_index(original_[c])]);
        add_hold_channels(asset_.animations[at_index(original_[c])], animations.back());
        continue;
      }
      if (clip.frames() == 0 || movers.empty()) {
        notes_.push_back({"clip '" + on_one_line(clip.name) + "' moves nothing and is not written"});
        continue;
      }
      Json animation = {{"name", clip.name}};
      if (original_[c] != none) animation = document_["animations"][at_index(original_[c])];
      animation["channels"] = animation["samplers"] = Json::array();
      if (original_[c] != none) keep_channels(document_["animations"][at_index(original_[c])], animation);
      if (!animation["channels"].empty()) kept.push_back(clip.name);
      // Its scale channels stay.
      const GltfAnimation* const scaling = original_[c] != none && asset_.animations[at_index(original_[c])].scales
                                               ? &asset_.animations[at_index(original_[c])]
                                               : nullptr;
      const Places places = [&](int frame, std::vector<Frame>& X) {
        const VecX theta = clip.poses.col(frame);
        const std::vector<Mat3> E = scaling ? scales_of(*scaling, frame * clip.frame_time, theta) : std::vector<Mat3>{};
        for (std::size_t m = 0; m < movers.size(); ++m) {
          const GltfNode& node = asset_.nodes[at_index(movers[m].node)];
          X[m] = placed(node, theta, scaling && node.below_scale ? &E[at_index(movers[m].node)] : nullptr);
        }
      };
      write_tracks(add_tracks(data, clip, movers, places, animation["channels"].empty()), animation);
      animations.push_back(std::move(animation));
    }
    write_data(data);
    if (animations.empty())
      document_.erase("animations");
    else
      document_["animations"] = std::move(animations);
    if (!kept.empty())
      notes_.push_back(
          {"in a changed animation, channels of other targets than joints (scales, morph targets) are "
           "was: " +
           listed(kept)});
  }

  static bool animates(const GltfAnimation& animation, const Track& track) {
    const GltfPath path = track.turns ? GltfPath::rotation : GltfPath::translation;
    return std::ranges::any_of(animation.channels,
                               [&](const GltfChannel& c) { return c.node == track.node && c.path == path; });
  }

  // Nodes moved by the new pose but not by an animation keep their original position while it plays. One key per node
  // serves all animations.
  void make_hold_keys(GltfData& data) {
    std::vector<Track*> to_hold;
    for (Track& moved : moved_) {
      bool needed = false;
      for (std::size_t c = 0; c < clips_.size() && !needed; ++c)
        needed = unchanged_[c] && !animates(asset_.animations[at_index(original_[c])], moved);
      if (needed) to_hold.push_back(&moved);
    }
    if (to_hold.empty()) return;
    data.begin_view();
    hold_time_ = data.add(Floats{0.0f}, "SCALAR", 1, true);
    for (Track* track : to_hold) {
      const GltfNode& node = asset_.nodes[at_index(track->node)];
      track->values =
          track->turns ? data.add(floats(quaternion(node.R)), "VEC4", 4) : data.add(floats(node.t), "VEC3", 3);
    }
    data.end_view();
  }
  void add_hold_channels(const GltfAnimation& animation, Json& described) {
    Tracks tracks{hold_time_};
    for (const Track& moved : moved_)
      if (!animates(animation, moved)) tracks.tracks.push_back(moved);
    write_tracks(tracks, described);
  }

  int count(const char* key) const { return document_.contains(key) ? static_cast<int>(document_[key].size()) : 0; }

  // The channels that a clip does not cover.
  void keep_channels(const Json& before, Json& animation) const {
    for (const Json& channel : before["channels"]) {
      const Json& target = channel["target"];
      if (target.contains("node")) {
        const GltfNode& node = asset_.nodes[target["node"].get<std::size_t>()];
        const std::string path = target["path"].get<std::string>();
        if ((path == "rotation" && node.turns) || (path == "translation" && node.slides)) continue;
      }
      Json copy = channel;
      copy["sampler"] = animation["samplers"].size();
      animation["samplers"].push_back(before["samplers"][channel["sampler"].get<std::size_t>()]);
      animation["channels"].push_back(std::move(copy));
    }
  }

  void write_tracks(const Tracks& tracks, Json& animation) {
    for (const Track& track : tracks.tracks) {
      const char* path = track.turns ? "rotation" : "translation";
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size()}, {"target", {{"node", track.node}, {"path", path}}}});
      animation["samplers"].push_back({{"input", tracks.times}, {"interpolation", "LINEAR"}, {"output", track.values}});
      if (document_["nodes"][at_index(track.node)].contains("matrix")) write_parts(track.node);
    }
  }

  void write_data(GltfData& data) {
    for (const GltfData::View& view : data.views())
      document_["bufferViews"].push_back(
          {{"buffer", target_}, {"byteOffset", view.offset}, {"byteLength", view.length}});
    for (const GltfData::Accessor& accessor : data.accessors()) {
      Json described = {{"bufferView", accessor.view},
                        {"byteOffset", accessor.offset},
                        {"componentType", accessor.component},
                        {"count", accessor.rows},
                        {"type", accessor.type}};
      if (!accessor.min.empty()) {
        described["min"] = numbers(accessor.min);
        described["max"] = numbers(accessor.max);
      }
      document_["accessors"].push_back(std::move(described));
    }
    buffers_[at_index(target_)] = data.take_bytes();
  }

  // Merges the buffers if only plain views refer to them. New data goes to the first buffer with bytes, or to a new
  // one.
  void choose_buffers() {
    bool plain = asset_.buffers.size() > 1;
    for (const GltfBuffer& buffer : asset_.buffers) {
      buffers_.push_back(buffer.bytes ? *buffer.bytes : std::string());
      plain = plain && buffer.bytes;
    }
    if (plain && document_.contains("bufferViews"))
      for (const Json& view : document_["bufferViews"]) plain = plain && !view.contains("extensions");
    if (plain) merge_buffers();
    while (target_ < static_cast<int>(buffers_.size()) && buffers_[at_index(target_)].empty()) ++target_;
    if (target_ == static_cast<int>(buffers_.size())) buffers_.emplace_back();
  }

  void merge_buffers() {
    std::string whole;
    std::map<const std::string*, std::size_t> begins;  // buffers from the same file are kept once
    std::vector<std::size_t> begin_of;
    for (const GltfBuffer& buffer : asset_.buffers) {
      const auto [known, added] = begins.emplace(buffer.bytes.get(), 0);
      if (added) {
        pad_to_four(whole);
        known->second = whole.size();
        whole += *buffer.bytes;
      }
      begin_of.push_back(known->second);
    }
    if (document_.contains("bufferViews"))
      for (Json& view : document_["bufferViews"]) {
        const std::size_t offset = view.contains("byteOffset") ? view["byteOffset"].get<std::size_t>() : 0;
        view["byteOffset"] = begin_of[view["buffer"].get<std::size_t>()] + offset;
        view["buffer"] = 0;
      }
    Json first = document_["buffers"][0];
    document_["buffers"] = Json::array({std::move(first)});
    buffers_ = {std::move(whole)};
  }

  Expected<Written> finish() {
    std::string chunk;
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      if (buffers_[b].empty()) continue;  // a placeholder for compressed data, or no new data
      Json& buffer = document_["buffers"][b];
      buffer["byteLength"] = buffers_[b].size();
      if (b == 0 && form_ == GltfForm::binary) {
        buffer.erase("uri");
        chunk = std::move(buffers_[b]);
      } else {
        buffer["uri"] = data_uri(buffers_[b]);
      }
    }
    // Invalid UTF-8 in names becomes U+FFFD.
    const int indent = form_ == GltfForm::text ? 2 : -1;
    std::string json = document_.dump(indent, ' ', false, Json::error_handler_t::replace);
    if (form_ == GltfForm::text) json += '\n';
    return finished(std::move(json), std::move(chunk));
  }

  static constexpr int none = -1;

  const GltfAsset& asset_;
  const std::vector<Clip>& clips_;
  GltfForm form_;
  const VecX& theta_;
  std::vector<int> original_;     // by clip: the animation with its name
  std::vector<bool> unchanged_;   // by clip: equal to that animation
  std::vector<Track> moved_;      // moved by the pose, with the key of the original value if a clip needs it
  int hold_time_ = 0;             // accessor: time 0
  bool same_animations_ = false;  // the clips equal the animations, in the same order
  Json document_;
  std::vector<std::string> buffers_;
  int target_ = 0;  // the buffer for new data
  std::vector<Note> notes_;
};

}  // namespace

Expected<Written> write_gltf(const Content& content, const std::vector<Clip>& clips, GltfForm form,
                             const WriteOptions& options, const Pose* pose) {
  if (!content.figure) return reject("content", "no figure", "a figure: glTF cannot store markers alone");
  const Figure& figure = *content.figure;
  for (const Clip& clip : clips)
    if (Expected<void> fine = check_clip(clip, figure); !fine) return std::unexpected(fine.error());
  if (pose && (pose->theta.size() != static_cast<Eigen::Index>(figure.parameters().size()) || !pose->theta.allFinite()))
    return reject("pose", std::to_string(pose->theta.size()) + " values",
                  std::to_string(figure.parameters().size()) + " finite values, one per parameter of the figure");
  if (content.asset && !fits(*content.asset, figure))
    return reject("content", "a figure whose segments or freedoms differ from its glTF document",
                  "the figure that was read, or no document");
  const VecX zero = VecX::Zero(static_cast<Eigen::Index>(figure.parameters().size()));
  Expected<Written> written =
      content.asset ? AssetWriter(*content.asset, clips, form, pose ? pose->theta : zero).write()
                    : write_gltf_figure(figure, clips, form, pose ? pose->theta : figure.rest().theta, content.objects);
  if (!written) return written;
  if (options.metres_per_unit.value_or(1.0) != 1.0) written->notes.push_back({"glTF is always in metres"});
  if (options.up.value_or(Up::y) != Up::y) written->notes.push_back({"glTF always has Y up"});
  if (content.markers) written->notes.push_back({"glTF cannot store markers"});
  return written;
}

}  // namespace limber
