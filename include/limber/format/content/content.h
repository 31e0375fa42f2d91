// What a file holds, whatever its format: a figure, motions of it, markers; in which space its numbers stand; what was
// odd about it. Every reader gives a Content, every writer takes one.
//
// Inside are metres, Y up. A reader converts on the way in and says how in Content::space; a writer converts on the
// way out. A reader invents no limits, and gives every joint and every tip a site of its name.
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
  bool unit_is_stated = true;  // by the file or the caller; else it was guessed

  // Z up becomes Y up by a quarter turn about x: x stays, z becomes y, y becomes -z.
  Mat3 R_inside_file() const;
  Vec3 inside(const Vec3& x_file) const { return metres_per_unit * (R_inside_file() * x_file); }
  Vec3 in_file(const Vec3& x) const { return R_inside_file().transpose() * x / metres_per_unit; }
};

// "m", "cm", "mm", "in", "ft", or the number of metres.
std::string unit_name(double metres_per_unit);
// The metres of such a name, or of a number of metres.
std::optional<double> unit_of_name(std::string_view name);

// Something that a reader did not understand but could go on after, or that a writer could not carry over.
struct Note {
  std::string text;
  int line = 0;  // in a text file, from 1; 0 where there is none
  int column = 0;
};

class GltfAsset;  // gltf.h

struct Content {
  std::string format = {};  // "bvh"
  FileSpace space = {};
  std::optional<Figure> figure = {};
  std::vector<Clip> clips = {};  // of the figure
  std::optional<Markers> markers = {};
  std::vector<Note> notes = {};
  std::shared_ptr<const GltfAsset> asset = {};  // the whole glTF document, so that meshes come back
  std::vector<int> row_order = {};              // Acclaim: all parameters, in the order of a motion's numbers
};

// What a reader takes for granted, in place of what the file says or leaves open.
enum class RootOffset { automatic, added, replaced };

struct ReadOptions {
  std::optional<double> metres_per_unit = {};
  std::optional<Up> up = {};
  RootOffset root_offset = RootOffset::automatic;  // BVH: bvh.h
  std::optional<double> frames_per_second = {};    // glTF: sampled so; else by its own keys
};

struct WriteOptions {
  std::optional<double> metres_per_unit = {};  // else what the format asks for, or the content's own
  std::optional<Up> up = {};
};

struct Written {
  std::string bytes;
  std::vector<Note> notes = {};  // what could not be carried over
};

// More joints than this are some mistake. It also bounds the memory of a figure.
inline constexpr int max_joints = 10'000;

// Names of a file made unique: the first "a" stays, the second becomes "a_2". The empty name becomes `unnamed`.
class UniqueNames {
 public:
  std::string operator()(std::string_view name, std::string_view unnamed);

 private:
  std::map<std::string, int, std::less<>> copies_;
};

// Gives the bytes of a file that the document refers to. The name is relative to the document's folder, and stays
// within it. The caller opens files, the library does not.
using FileLoader = std::function<Expected<std::string>(const std::string& name)>;

}  // namespace limber
