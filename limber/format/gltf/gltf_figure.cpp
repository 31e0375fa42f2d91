// A new glTF document for any figure.
//
// One node per segment, at the segment's origin: X_parent_node = in_parent · D_1(q_1) · … · in_child⁻¹. A skin over all
// segments of a root, with the inverse of X_world_segment at rest for each, carries the body.
#include "limber/format/gltf/gltf_figure.h"

#include <algorithm>

#include "limber/base/index.h"
#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/gltf/gltf_body.h"
#include "limber/format/gltf/gltf_bytes.h"
#include "limber/format/gltf/gltf_tracks.h"
#include "limber/format/text/json.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

constexpr int vertex_target = 34962;
constexpr std::size_t max_segments = 65535;  // indices of a vertex have 16 bits

// X_parent_segment, of all segments.
void local_frames(const Figure& figure, const VecX& theta, std::vector<Frame>& X) {
  VecX q;
  figure.angles(theta, q);
  for (std::size_t s = 0; s < X.size(); ++s) {
    const Joint& joint = figure.joints()[s];
    Frame at_joint = joint.in_parent;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = figure.freedoms()[at_index(i)];
      if (freedom.motion == Motion::rotate)
        at_joint.R = at_joint.R * rotation(freedom.axis, q[i]);
      else
        at_joint.p += q[i] * (at_joint.R * freedom.axis);
    }
    X[s] = at_joint * joint.in_child_inverse;
  }
}

struct Node {
  std::string name;
  Frame X = {};
  std::vector<int> children = {};
  int body = -1;  // mesh and skin
};

struct Body {
  int begin, end;                                           // segments
  int positions, normals, joints, weights, inverse_frames;  // accessors
};

struct Animation {
  std::string name;
  Tracks tracks;
};

class FigureWriter {
 public:
  FigureWriter(const Figure& figure, const std::vector<Clip>& clips, GltfForm form, const VecX& theta,
               const std::vector<SegmentObject>& objects)
      : figure_(figure), clips_(clips), form_(form), theta_(theta), objects_(objects) {}

  Expected<Written> write() {
    if (figure_.segments().size() > max_segments)
      return reject("figure '" + figure_.name() + "'", std::to_string(figure_.segments().size()) + " segments",
                    "at most " + std::to_string(max_segments) + " in a glTF file");
    make_nodes();
    make_bodies();
    make_animations();
    note_losses();
    std::string bytes = data_.take_bytes();
    std::string json = document(bytes);
    if (form_ == GltfForm::text) return Written{std::move(json), std::move(notes_)};
    Expected<std::string> glb = joined_glb(std::move(json), std::move(bytes), {});
    if (!glb) return std::unexpected(glb.error());
    return Written{std::move(*glb), std::move(notes_)};
  }

 private:
  // --- Content -----------------------------------------------------------------------------------

  void make_nodes() {
    const std::vector<Segment>& segments = figure_.segments();
    base_.resize(segments.size());
    local_frames(figure_, theta_, base_);
    for (std::size_t s = 0; s < segments.size(); ++s) {
      nodes_.push_back({unique_(segments[s].name, ""), base_[s]});
      std::vector<int>& siblings =
          segments[s].parent == no_parent ? roots_ : nodes_[at_index(segments[s].parent)].children;
      siblings.push_back(static_cast<int>(s));
    }
    std::vector<std::string> renamed;
    for (const Site& site : figure_.sites()) {
      const bool is_origin = site.frame.p == Vec3::Zero() && site.frame.R == Mat3::Identity();
      if (is_origin && site.name == segments[at_index(site.segment)].name) continue;
      nodes_[at_index(site.segment)].children.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back({unique_(site.name, ""), site.frame});
      if (nodes_.back().name != site.name) renamed.push_back(nodes_.back().name);
    }
    if (!renamed.empty())
      notes_.push_back({"sites with the name of a segment at a different place were renamed: " + listed(renamed)});
  }

  // One per root, as the joints of a skin must have a common root.
  void make_bodies() {
    const std::vector<Segment>& segments = figure_.segments();
    std::vector<Frame> X(segments.size());
    local_frames(figure_, figure_.rest().theta, X);
    for (std::size_t s = 0; s < segments.size(); ++s)
      if (const int parent = segments[s].parent; parent != no_parent) X[s] = X[at_index(parent)] * X[s];
    for (int root = 0; root < static_cast<int>(segments.size()); root = segments[at_index(root)].subtree_end) {
      bodies_.push_back(make_body(root, segments[at_index(root)].subtree_end, X));
      roots_.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back({unique_("body", ""), {}, {}, static_cast<int>(bodies_.size()) - 1});
    }
  }

  Body make_body(int begin, int end, const std::vector<Frame>& X) {
    const StickBody sticks = with_objects(stick_body(figure_, X, begin, end), figure_, X, begin, end, objects_);
    Floats positions, normals, weights, inverse_frames;
    std::vector<std::uint16_t> joints;
    for (std::size_t v = 0; v < sticks.positions.size(); ++v) {
      append(positions, sticks.positions[v]);
      append(normals, sticks.normals[v]);
      joints.insert(joints.end(), {static_cast<std::uint16_t>(sticks.segments[v] - begin), 0, 0, 0});
      weights.insert(weights.end(), {1.0f, 0.0f, 0.0f, 0.0f});
    }
    for (int s = begin; s < end; ++s) {
      const Frame inverse = X[at_index(s)].inverse();
      for (int c = 0; c < 4; ++c) {
        append(inverse_frames, c < 3 ? Vec3(inverse.R.col(c)) : inverse.p);
        inverse_frames.push_back(c < 3 ? 0.0f : 1.0f);
      }
    }
    Body body{begin, end, 0, 0, 0, 0, 0};
    body.positions = add_own_view(positions, "VEC3", 3, vertex_target, true);
    body.normals = add_own_view(normals, "VEC3", 3, vertex_target);
    data_.begin_view();
    body.joints = data_.add(joints, "VEC4", 4);
    data_.end_view(vertex_target);
    body.weights = add_own_view(weights, "VEC4", 4, vertex_target);
    body.inverse_frames = add_own_view(inverse_frames, "MAT4", 16, 0);
    return body;
  }

  int add_own_view(const Floats& values, const char* type, std::size_t width, int target, bool with_bounds = false) {
    data_.begin_view();
    const int accessor = data_.add(values, type, width, with_bounds);
    data_.end_view(target);
    return accessor;
  }

  void make_animations() {
    std::vector<Mover> movers;
    for (std::size_t s = 0; s < base_.size(); ++s) movers.push_back({static_cast<int>(s), base_[s]});
    UniqueNames unique;
    for (const Clip& clip : clips_) {
      if (clip.frames() == 0) {
        notes_.push_back({"clip '" + on_one_line(clip.name) + "' has no frames and is not written"});
        continue;
      }
      const Places places = [&](int frame, std::vector<Frame>& X) { local_frames(figure_, clip.poses.col(frame), X); };
      animations_.push_back({unique(clip.name, "clip"), add_tracks(data_, clip, movers, places, true)});
    }
  }

  void note_losses() {
    const FigureDescription& description = figure_.description();
    const auto note_if = [&](bool is, const char* what) {
      if (is) notes_.push_back({std::string("glTF cannot store ") + what});
    };
    const auto any_range = [&](auto test) {
      return std::ranges::any_of(figure_.parameters(), [&](const Parameter& p) { return test(p.range); });
    };
    note_if(any_range([](const Range& r) { return std::isfinite(r.lower) || std::isfinite(r.upper); }), "joint limits");
    note_if(any_range([](const Range& r) { return r.rigidity != 0.0 || r.stiffness != 1.0; }),
            "rigidity and stiffness");
    note_if(figure_.mass() > 0.0, "masses");
    note_if(!figure_.groups().empty(), "joint groups: their joints are written one by one");
    note_if(!figure_.limit_rows().empty(), "limits between joints");
    note_if(!description.mirror_pairs.empty(), "mirror pairs");
    const auto is_shown = [&](const SegmentDescription& s) {
      return s.object.empty() || std::ranges::find(objects_, s.name, &SegmentObject::segment) != objects_.end();
    };
    note_if(!std::ranges::all_of(description.segments, is_shown), "the names of object files");
  }

  // --- JSON --------------------------------------------------------------------------------------

  using Layout = JsonWriter::Layout;

  static void numbers(JsonWriter& out, const char* key, const auto& values) {
    out.key(key).begin_array(Layout::row);
    for (const double x : values) out.value(x);
    out.end();
  }
  static void indices(JsonWriter& out, const char* key, const std::vector<int>& values) {
    out.key(key).begin_array(Layout::row);
    for (const int i : values) out.integer(i);
    out.end();
  }
  static void number(JsonWriter& out, const char* key, auto value) {
    out.key(key).integer(static_cast<std::int64_t>(value));
  }

  std::string document(const std::string& bytes) const {
    JsonWriter out;
    out.begin_object();
    out.key("asset").begin_object(Layout::row).member("version", "2.0").member("generator", "Limber").end();
    number(out, "scene", 0);
    out.key("scenes").begin_array().begin_object();
    if (!figure_.name().empty()) out.member("name", figure_.name());
    indices(out, "nodes", roots_);
    out.end().end();
    write_nodes(out);
    write_bodies(out);
    if (!animations_.empty()) write_animations(out);
    write_data(out, bytes);
    out.end();
    return out.take();
  }

  void write_nodes(JsonWriter& out) const {
    out.key("nodes").begin_array();
    for (const Node& node : nodes_) {
      out.begin_object(Layout::row).member("name", node.name);
      if (node.X.p != Vec3::Zero()) out.member("translation", node.X.p);
      if (node.X.R != Mat3::Identity()) numbers(out, "rotation", quaternion(node.X.R));
      if (!node.children.empty()) indices(out, "children", node.children);
      if (node.body >= 0) {
        number(out, "mesh", node.body);
        number(out, "skin", node.body);
      }
      out.end();
    }
    out.end();
  }

  void write_bodies(JsonWriter& out) const {
    out.key("materials").begin_array().begin_object().member("name", "body");
    out.key("pbrMetallicRoughness").begin_object(Layout::row);
    numbers(out, "baseColorFactor", std::vector{0.8, 0.55, 0.35, 1.0});
    out.member("metallicFactor", 0.0).member("roughnessFactor", 0.8).end();
    out.end().end();
    out.key("meshes").begin_array();
    for (const Body& body : bodies_) {
      out.begin_object().key("primitives").begin_array().begin_object(Layout::row);
      out.key("attributes").begin_object();
      number(out, "POSITION", body.positions);
      number(out, "NORMAL", body.normals);
      number(out, "JOINTS_0", body.joints);
      number(out, "WEIGHTS_0", body.weights);
      out.end();
      number(out, "material", 0);
      out.end().end().end();
    }
    out.end();
    out.key("skins").begin_array();
    for (const Body& body : bodies_) {
      out.begin_object();
      number(out, "inverseBindMatrices", body.inverse_frames);
      number(out, "skeleton", body.begin);
      std::vector<int> joints;
      for (int s = body.begin; s < body.end; ++s) joints.push_back(s);
      indices(out, "joints", joints);
      out.end();
    }
    out.end();
  }

  void write_animations(JsonWriter& out) const {
    out.key("animations").begin_array();
    for (const Animation& animation : animations_) {
      out.begin_object().member("name", animation.name);
      out.key("channels").begin_array();
      int sampler = 0;
      for (const Track& track : animation.tracks.tracks) {
        out.begin_object(Layout::row);
        number(out, "sampler", sampler++);
        out.key("target").begin_object();
        number(out, "node", track.node);
        out.member("path", track.turns ? "rotation" : "translation").end().end();
      }
      out.end();
      out.key("samplers").begin_array();
      for (const Track& track : animation.tracks.tracks) {
        out.begin_object(Layout::row);
        number(out, "input", animation.tracks.times);
        out.member("interpolation", "LINEAR");
        number(out, "output", track.values);
        out.end();
      }
      out.end().end();
    }
    out.end();
  }

  void write_data(JsonWriter& out, const std::string& bytes) const {
    out.key("accessors").begin_array();
    for (const GltfData::Accessor& accessor : data_.accessors()) {
      out.begin_object(Layout::row);
      number(out, "bufferView", accessor.view);
      number(out, "byteOffset", accessor.offset);
      number(out, "componentType", accessor.component);
      number(out, "count", accessor.rows);
      out.member("type", accessor.type);
      if (!accessor.min.empty()) {
        numbers(out, "min", accessor.min);
        numbers(out, "max", accessor.max);
      }
      out.end();
    }
    out.end();
    out.key("bufferViews").begin_array();
    for (const GltfData::View& view : data_.views()) {
      out.begin_object(Layout::row);
      number(out, "buffer", 0);
      number(out, "byteOffset", view.offset);
      number(out, "byteLength", view.length);
      if (view.target != 0) number(out, "target", view.target);
      out.end();
    }
    out.end();
    out.key("buffers").begin_array().begin_object();
    number(out, "byteLength", bytes.size());
    if (form_ == GltfForm::text) out.member("uri", data_uri(bytes));
    out.end().end();
  }

  const Figure& figure_;
  const std::vector<Clip>& clips_;
  GltfForm form_;
  const VecX& theta_;
  const std::vector<SegmentObject>& objects_;
  GltfData data_{{}, 0, 0};
  UniqueNames unique_;
  std::vector<Frame> base_;  // X_parent_segment in the written pose
  std::vector<Node> nodes_;  // segments first
  std::vector<int> roots_;
  std::vector<Body> bodies_;
  std::vector<Animation> animations_;
  std::vector<Note> notes_;
};

}  // namespace

Expected<Written> write_gltf_figure(const Figure& figure, const std::vector<Clip>& clips, GltfForm form,
                                    const VecX& theta, const std::vector<SegmentObject>& objects) {
  return FigureWriter(figure, clips, form, theta, objects).write();
}

}  // namespace limber
