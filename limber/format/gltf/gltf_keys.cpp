// The animations of a glTF document: reads channels and validates their keys.
#include <algorithm>
#include <map>
#include <set>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/format/gltf/gltf_data.h"

namespace limber {

namespace {

// Relative tolerance of a scale compared with the node's own.
constexpr double scale_tolerance = 1e-4;
// Max count of numbers read for the keys of all animations: per byte of the file, plus a minimum.
constexpr std::size_t looks_per_byte = 2, min_looks = 1'000'000;

class AnimationReader {
 public:
  AnimationReader(JsonDocument& document, GltfAsset& asset, std::vector<Note>& notes)
      : document_(document), asset_(asset), notes_(notes) {}

  void read() {
    const std::vector<JsonValue> values = elements(document_.root(), "animations");
    remaining_looks_ = min_looks + looks_per_byte * asset_.size();
    seen_.resize(asset_.accessors.size());
    for (std::size_t a = 0; a < values.size() && !document_.error(); ++a) read_animation(values[a], a);
    const JsonValue all = document_.root()["animations"];
    if (!with_weights_.empty())
      note(all, "morph targets are also animated by " + listed(with_weights_) + ": they are kept in the file");
    if (!with_pointers_.empty())
      note(all,
           "targets other than nodes are also animated by " + listed(with_pointers_) + ": they are kept in the file");
  }

 private:
  struct Sampler {
    GltfInterpolation interpolation = GltfInterpolation::linear;
    int times = 0, values = 0;  // accessors
    JsonValue value;
  };

  void note(const JsonValue& value, std::string text) { add_note(notes_, value, std::move(text)); }

  void read_animation(const JsonValue& value, std::size_t number) {
    if (!value.object() || !value["samplers"].array() || !value["channels"].array()) return;
    GltfAnimation animation;
    animation.name = unique_(value["name"].text_or(""), "animation_" + std::to_string(number));
    if (value["channels"].size() == 0) value["channels"].fail("an animation without channels", "at least one");
    std::vector<Sampler> samplers;
    for (const JsonValue sampler : value["samplers"]) {
      samplers.push_back(read_sampler(sampler));
      if (document_.error()) return;
    }
    targets_.clear();
    scaled_.clear();
    with_weight_ = with_pointer_ = false;
    for (const JsonValue channel : value["channels"]) {
      read_channel(channel, samplers, animation);
      if (document_.error()) return;
    }
    if (!scaled_.empty())
      note(value, "animation '" + on_one_line(animation.name) + "' changes the scale of " + listed(scaled_) +
                      ": the clip has the positions of what they carry, and the size stays in the file");
    if (with_weight_) with_weights_.push_back(animation.name);
    if (with_pointer_) with_pointers_.push_back(animation.name);
    asset_.animations.push_back(std::move(animation));
  }

  void read_channel(const JsonValue& value, const std::vector<Sampler>& samplers, GltfAnimation& animation) {
    const JsonValue target = value["target"];
    if (!value.object() || !target.object()) return;
    const int s = index_of(value["sampler"], samplers.size(), "sampler");
    if (document_.error()) return;
    const Sampler& sampler = samplers[at_index(s)];
    animation.duration = std::fmax(animation.duration, checked_times(sampler));
    if (!target["node"]) {  // the target is given by an extension
      with_pointer_ = true;
      return;
    }
    GltfChannel channel{index_of(target["node"], asset_.nodes.size(), "node"), read_path(target["path"]),
                        sampler.interpolation, sampler.times, sampler.values};
    if (document_.error()) return;
    if (!targets_.insert({channel.node, channel.path}).second)
      return target.fail(
          "a second channel of the " + target["path"].text() + " of node " + std::to_string(channel.node),
          "one channel per node and path");
    if (channel.path == GltfPath::weights) {
      with_weight_ = true;
      return;
    }
    check_values(sampler, channel);
    GltfNode& node = asset_.nodes[at_index(channel.node)];
    if (document_.error() || !node.in_figure) return;
    if (channel.path == GltfPath::rotation) node.turned = true;
    if (channel.path == GltfPath::scale) {
      const Vec3 s0 = node.K.diagonal();
      const Vec3 deviation = (channel.max - s0).cwiseAbs().cwiseMax((channel.min - s0).cwiseAbs());
      if (!(deviation.maxCoeff() <= scale_tolerance * s0.cwiseAbs().maxCoeff())) {
        scaled_.push_back(node.name);
        node.scaled = animation.scales = true;
      }
    }
    animation.channels.push_back(channel);
  }

  Sampler read_sampler(const JsonValue& value) {
    Sampler sampler{.value = value};
    if (!value.object()) return sampler;
    sampler.times = index_of(value["input"], asset_.accessors.size(), "accessor");
    sampler.values = index_of(value["output"], asset_.accessors.size(), "accessor");
    const std::string name = value["interpolation"].text_or("LINEAR");
    if (name == "STEP")
      sampler.interpolation = GltfInterpolation::step;
    else if (name == "CUBICSPLINE")
      sampler.interpolation = GltfInterpolation::cubic_spline;
    else if (name != "LINEAR")
      value["interpolation"].fail(value["interpolation"].described(), "\"LINEAR\", \"STEP\" or \"CUBICSPLINE\"");
    return sampler;
  }

  GltfPath read_path(const JsonValue& value) {
    const std::string name = value.text();
    if (name == "translation") return GltfPath::translation;
    if (name == "scale") return GltfPath::scale;
    if (name == "weights") return GltfPath::weights;
    if (name != "rotation") value.fail(value.described(), "\"translation\", \"rotation\", \"scale\" or \"weights\"");
    return GltfPath::rotation;
  }

  // Accessors may overlap, so their total size is not bounded by the file.
  bool can_read(const GltfAccessor& accessor, const JsonValue& value) {
    if (!accessor.readable) {
      value.fail("keys in a buffer without bytes",
                 "keys that are not compressed (EXT_meshopt_compression is read in meshes only)");
      return false;
    }
    const std::size_t looks = accessor.rows * static_cast<std::size_t>(accessor.width) + accessor.replaced;
    if (looks > remaining_looks_) {
      value.fail("keys that read the same bytes too often", "accessors with separate bytes");
      return false;
    }
    remaining_looks_ -= looks;
    if (!accessor.replaces_in_order()) value.fail("a sparse accessor with indices out of order", "increasing indices");
    return !document_.error();
  }

  // Results per accessor, so that each is read once.
  struct Seen {
    std::optional<double> last_time = {};
    std::map<int, std::pair<Vec3, Vec3>> bounds = {};  // of the values, by path and interpolation
  };

  // The time of the last key.
  double checked_times(const Sampler& sampler) {
    const GltfAccessor& times = asset_.accessors[at_index(sampler.times)];
    Seen& seen = seen_[at_index(sampler.times)];
    if (seen.last_time) return *seen.last_time;
    const JsonValue input = sampler.value["input"];
    if (times.width != 1 || times.component != GltfComponent::float32) {
      input.fail("key times in accessor " + std::to_string(sampler.times) + " that are not floats",
                 "\"SCALAR\" with component type 5126");
      return 0.0;
    }
    if (!can_read(times, input)) return 0.0;
    double before = -1.0;
    for (std::size_t k = 0; k < times.rows; ++k) {
      const double t = times.at(k, 0);
      if (!std::isfinite(t) || (k == 0 ? t < 0.0 : t <= before)) {
        input.fail("key " + std::to_string(k) + " at time " + to_text(t) +
                       (k > 0 ? " after one at " + to_text(before) : std::string()),
                   "finite, increasing times from 0");
        return 0.0;
      }
      before = t;
    }
    seen.last_time = before;
    return before;
  }

  void check_values(const Sampler& sampler, GltfChannel& channel) {
    const GltfAccessor& values = asset_.accessors[at_index(sampler.values)];
    const JsonValue output = sampler.value["output"];
    const bool turns = channel.path == GltfPath::rotation;
    const bool cubic = sampler.interpolation == GltfInterpolation::cubic_spline;
    const bool encoded = turns && values.normalized && values.component != GltfComponent::uint32;
    if (values.width != (turns ? 4 : 3) || !(values.component == GltfComponent::float32 || encoded))
      return output.fail("values in accessor " + std::to_string(sampler.values) + " of another type",
                         turns ? "\"VEC4\" of floats or normalized integers" : "\"VEC3\" of floats");
    const std::size_t keys = asset_.accessors[at_index(sampler.times)].rows;
    if (values.rows != (cubic ? 3 : 1) * keys)
      return output.fail(std::to_string(values.rows) + " values for " + std::to_string(keys) + " key times",
                         cubic ? "three per key: tangent, value, tangent" : "one per key");
    const int kind = 2 * static_cast<int>(channel.path) + (cubic ? 1 : 0);
    std::map<int, std::pair<Vec3, Vec3>>& known = seen_[at_index(sampler.values)].bounds;
    auto bounds = known.find(kind);
    if (bounds == known.end()) {
      if (!can_read(values, output)) return;
      Vec3 min = Vec3::Constant(infinity), max = Vec3::Constant(-infinity);
      double max_tangent = 0.0;
      for (std::size_t row = 0; row < values.rows; ++row) {
        const bool tangent = cubic && row % 3 != 1;
        Eigen::Vector4d v = Eigen::Vector4d::Zero();
        for (int c = 0; c < values.width; ++c) v[c] = values.at(row, c);
        const double length = v.norm();
        if (!std::isfinite(length) || (turns && !tangent && length < min_quaternion))
          return output.fail("a value of key " + std::to_string(row / (cubic ? 3 : 1)) + " that is " +
                                 (std::isfinite(length) ? "a quaternion of length 0" : "not finite"),
                             turns ? "unit quaternions" : "finite numbers");
        if (tangent) {
          max_tangent = std::fmax(max_tangent, length);
        } else {
          min = min.cwiseMin(v.head<3>());
          max = max.cwiseMax(v.head<3>());
        }
      }
      // Between its keys a spline may exceed them, by less than the max tangent times the duration.
      if (max_tangent > 0.0) {
        const Vec3 margin = Vec3::Constant(max_tangent * *seen_[at_index(sampler.times)].last_time);
        min -= margin;
        max += margin;
      }
      bounds = known.emplace(kind, std::pair(min, max)).first;
    }
    std::tie(channel.min, channel.max) = bounds->second;
  }

  JsonDocument& document_;
  GltfAsset& asset_;
  std::vector<Note>& notes_;
  UniqueNames unique_;
  std::vector<Seen> seen_;  // by accessor
  std::size_t remaining_looks_ = 0;
  std::vector<std::string> with_weights_, with_pointers_;  // animations

  // Of the current animation.
  std::set<std::pair<int, GltfPath>> targets_;
  std::vector<std::string> scaled_;
  bool with_weight_ = false, with_pointer_ = false;
};

}  // namespace

void read_animations(JsonDocument& document, GltfAsset& asset, std::vector<Note>& notes) {
  AnimationReader(document, asset, notes).read();
}

}  // namespace limber
