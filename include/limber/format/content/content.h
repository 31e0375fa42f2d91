// The content of a file of any format: a figure, its motions, markers; the unit and axes of its numbers; notes. Every
// reader returns a Content, every writer takes one.
//
// Internal numbers are in metres, Y up. A reader converts and records how in Content::space; a writer converts back. A
// reader adds no limits, and gives every joint and every tip a site of its name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"
#include "limber/motion/clip.h"
#include "limber/motion/markers.h"

namespace limber {

enum class Up { y, z };

// x_inside = metres_per_unit · R_inside_file · x_file.
struct FileSpace {
  double metres_per_unit = 1.0;
  Up up = Up::y;
  bool unit_is_stated = true;  // by the file or the caller; else guessed

  // Z up to Y up is a quarter turn about x: z becomes y, y becomes -z.
  Mat3 R_inside_file() const;
  Vec3 inside(const Vec3& x_file) const { return metres_per_unit * (R_inside_file() * x_file); }
  Vec3 in_file(const Vec3& x) const { return R_inside_file().transpose() * x / metres_per_unit; }
};

// "m", "cm", "mm", "in", "ft", or the number of metres.
std::string unit_name(double metres_per_unit);
// The inverse of unit_name.
std::optional<double> unit_of_name(std::string_view name);

// Something that a reader ignored or guessed, or that a writer could not write.
struct Note {
  std::string text;
  int line = 0;  // in a text file, from 1; 0 if unknown
  int column = 0;
};

class GltfAsset;

struct Content {
  std::string format = {};  // "bvh"
  FileSpace space = {};
  std::optional<Figure> figure = {};
  std::vector<Clip> clips = {};  // of the figure
  std::optional<Markers> markers = {};
  std::vector<Note> notes = {};
  std::vector<SegmentObject> objects = {};      // the polygon files of segments that could be read
  std::shared_ptr<const GltfAsset> asset = {};  // the whole glTF document, to preserve meshes
  std::vector<int> row_order = {};              // Acclaim: all parameters, in the order of a motion's numbers
};

// BVH: whether position channels add to the OFFSET or replace it.
enum class RootOffset { automatic, added, replaced };

// Overrides for what a file states or leaves open.
struct ReadOptions {
  std::optional<double> metres_per_unit = {};
  std::optional<Up> up = {};
  RootOffset root_offset = RootOffset::automatic;
  std::optional<double> frames_per_second = {};  // glTF: sampling rate; default: from its keys
};

struct WriteOptions {
  std::optional<double> metres_per_unit = {};  // default: that of the format or the content
  std::optional<Up> up = {};
};

struct Written {
  std::string bytes;
  std::vector<Note> notes = {};  // what could not be written
};

// A larger count is taken as an error. Bounds the memory of a figure.
inline constexpr int max_joints = 10'000;

// Makes names unique: the first "a" stays, the second becomes "a_2". An empty name becomes `unnamed`.
class UniqueNames {
 public:
  std::string operator()(std::string_view name, std::string_view unnamed);

 private:
  std::map<std::string, int, std::less<>> copies_;
};

// Returns the bytes of a file that the document refers to. The name is relative to the document's folder and stays
// within it. Only the caller opens files.
using FileLoader = std::function<Expected<std::string>(const std::string& name)>;

}  // namespace limber
