// Binary data that the glTF writers append: arrays of numbers, and clips as tracks of keys. Independent of JSON: each
// writer describes them in its own document.
//
// Rotations are quaternions x y z w of four floats, each in the hemisphere of the previous one, so that interpolation
// takes the shorter arc. Keys are at k · frame_time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "limber/base/vector.h"
#include "limber/motion/clip.h"

namespace limber {

using Floats = std::vector<float>;

// x y z w.
Eigen::Vector4d quaternion(const Mat3& R);
void append(Floats& to, const Vec3& v);
Floats floats(const auto& numbers) {
  Floats values;
  for (const double x : numbers) values.push_back(static_cast<float>(x));
  return values;
}

// Appends to the bytes of a buffer, and records the views and accessors.
class GltfData {
 public:
  struct View {
    std::size_t offset, length;
    int target;  // 0: none
  };
  struct Accessor {
    int view;
    std::size_t offset;  // in the view
    int component;
    std::size_t rows;
    const char* type;
    std::vector<double> min = {}, max = {};
  };

  // `views` and `accessors`: the counts already in the document.
  GltfData(std::string bytes, int views, int accessors)
      : bytes_(std::move(bytes)), first_view_(views), first_accessor_(accessors) {}

  // Everything added between these calls is one view.
  void begin_view();
  void end_view(int target = 0);
  // Returns the index of the new accessor. Bounds are per column.
  int add(const Floats& values, const char* type, std::size_t width, bool with_bounds = false);
  int add(const std::vector<std::uint16_t>& values, const char* type, std::size_t width);

  const std::vector<View>& views() const { return views_; }
  const std::vector<Accessor>& accessors() const { return accessors_; }
  std::string take_bytes() { return std::move(bytes_); }

 private:
  int describe(int component, const char* type, std::size_t rows);

  std::string bytes_;
  int first_view_, first_accessor_;
  std::size_t begin_ = 0;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
};

// A node that a clip may move, and its frame in its parent without the clip.
struct Mover {
  int node = 0;
  Frame base = {};
};

struct Track {
  int node = 0;
  bool turns = true;  // else it translates
  int values = 0;     // accessor
};

struct Tracks {
  int times = 0;  // accessor
  std::vector<Track> tracks = {};
};

// X_parent_node of all movers in a frame.
using Places = std::function<void(int frame, std::vector<Frame>& X)>;

// Tracks for the movers that leave their base frame. With `at_least_one` there is one even if nothing moves, as glTF
// forbids empty animations. The clip has frames, and there are movers.
Tracks add_tracks(GltfData& data, const Clip& clip, const std::vector<Mover>& movers, const Places& places,
                  bool at_least_one);

}  // namespace limber
