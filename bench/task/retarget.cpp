// Every recorded motion of the data on every character of the data.
//
// Motions are those of Acclaim and BVH files with a person of at least min_frames frames, and the walks and runs of
// characters in glTF files, which are on the spot. Characters are human() and all figures of persons, one per skeleton.
#include "limber/motion/retarget/retarget.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "bench/task/retarget_measure.h"
#include "bench/task/task.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/format/text/text.h"
#include "limber/picture/strip.h"

namespace limber::bench {

namespace {

constexpr int min_frames = 10;
constexpr int strip_frames = 12, strip_width = 1800;
constexpr double title_of_row = 4.0;  // pixels between two rows of a sheet
constexpr const char* needed_places[] = {"left_knee", "right_knee", "left_elbow", "right_elbow"};

struct SourceMotion {
  std::string name;
  Figure figure;
  Clip clip;
};
struct Character {
  std::string name;
  Figure figure;
};

bool is_person(const Figure& figure) {
  return std::ranges::all_of(needed_places, [&](const char* name) { return figure.point(name).has_value(); });
}

// Whether any place moves by more than a thousandth of the figure.
bool moves(const Figure& figure, const Clip& clip) {
  const Kinematics first = forward(figure, clip.pose(0));
  for (int k = 1; k < clip.frames(); ++k) {
    const Kinematics state = forward(figure, clip.pose(k));
    for (std::size_t s = 0; s < state.segments.size(); ++s)
      if ((state.segments[s].p - first.segments[s].p).norm() > 1e-3 * figure.length()) return true;
  }
  return false;
}

bool is_a_walk(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower.find("walk") != std::string::npos || lower.find("run") != std::string::npos;
}

// The motions of a file, and its figure as a character.
std::expected<void, Failure> add_file(const std::string& path, std::set<std::string>& skeletons,
                                      std::vector<SourceMotion>& motions, std::vector<Character>& characters) {
  cli::ContentOptions options;
  options.file = path;
  const std::expected<cli::LoadedContent, Failure> content = cli::load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->figure) return {};
  const std::filesystem::path file(path);
  const Expected<Figure> own = with_common_names(*content->figure);
  if (!own) return std::unexpected(Failure{own.error(), cli::internal});
  if (!is_person(*own)) return {};
  const bool animated = file.extension() == ".glb" || file.extension() == ".gltf" || file.extension() == ".vrm";
  const std::string stem = file.stem().string();
  for (const Clip& clip : content->clips)
    if (clip.frames() >= min_frames && moves(*own, clip) &&
        (!animated || content->clips.size() == 1 || is_a_walk(clip.name)))
      motions.push_back({animated ? stem + " " + clip.name : stem, *own, clip});
  std::string skeleton;
  for (const Segment& segment : own->segments()) skeleton += segment.name + "\n";
  if (!skeletons.insert(skeleton).second) return {};
  const Expected<Figure> free = with_free_root(*content->figure);
  if (!free) return std::unexpected(Failure{free.error(), cli::internal});
  const Expected<Figure> body = with_common_names(*free);
  if (!body) return std::unexpected(Failure{body.error(), cli::internal});
  characters.push_back({stem, *body});
  return {};
}

// A file for each motion, and each skeleton without one.
std::vector<std::string> files_of(const std::string& data) {
  std::vector<std::string> paths;
  for (const char* kind : {"acclaim", "bvh", "gltf", "urdf"}) {
    std::error_code none;
    std::vector<std::string> own, names;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / kind, none))
      names.push_back(entry.path().filename().string());
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / kind, none))
      if (const std::string ending = entry.path().extension().string();
          (ending == ".amc" && skeleton_of(entry.path().filename().string(), names)) || ending == ".bvh" ||
          ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".urdf")
        own.push_back(entry.path().string());
    std::ranges::sort(own);
    paths.insert(paths.end(), own.begin(), own.end());
  }
  return paths;
}

// --- Pictures

// One page above the other; their ids must differ.
class MotionSheet {
 public:
  void add(const std::string& page) {
    const std::string row = "r" + std::to_string(++rows_) + "-";
    std::string own = page;
    for (const char* mark : {"id=\"", "url(#"})
      for (std::size_t at = own.find(mark); at != std::string::npos; at = own.find(mark, at + 1))
        own.insert(at + std::string_view(mark).size(), row);
    const double height = number_after(own, "height=\"");
    own.insert(4, " y=\"" + std::to_string(height_) + "\"");  // after "<svg"
    height_ += height + title_of_row;
    width_ = std::fmax(width_, number_after(own, "width=\""));
    pages_ += own;
  }
  std::string take() const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width_) + "\" height=\"" +
           std::to_string(height_) + "\">\n" + pages_ + "</svg>\n";
  }

 private:
  static double number_after(const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? 0.0 : std::strtod(text.c_str() + at + mark.size(), nullptr);
  }

  int rows_ = 0;
  double width_ = 0.0, height_ = 0.0;
  std::string pages_;
};

std::expected<void, Failure> draw_row(const std::string& title, const Figure& figure, const Clip& clip,
                                      MotionSheet& sheet) {
  StripOptions options;
  options.width = strip_width;
  options.count = std::min(strip_frames, clip.frames());
  options.columns = strip_frames;
  options.ghosts = 0;
  options.title = title;
  options.frames_only = true;
  const Expected<std::string> page = draw_strip(figure, clip.poses, clip.frame_time, options);
  if (!page) return std::unexpected(Failure{page.error(), cli::internal});
  sheet.add(*page);
  return {};
}

std::string file_name(const std::string& motion) {
  std::string name = "retarget_" + motion + ".svg";
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_'; }, '_');
  return name;
}

// --- Rows

BenchRow row_of(const SourceMotion& motion, const Character& character, int frames) {
  return {{"motion", motion.name},  {"character", character.name},
          {"frames", frames},       {"directions deg", nullptr},
          {"worst bone", nullptr},  {"worst deg", nullptr},
          {"speed ratio", nullptr}, {"fastest", nullptr},
          {"at s", nullptr},        {"deg/s", nullptr},
          {"jump deg", nullptr},    {"recorded jump deg", nullptr},
          {"contacts", nullptr},    {"slide mm", nullptr},
          {"below mm", nullptr},    {"body below mm", nullptr},
          {"met", nullptr},         {"alike", nullptr},
          {"us", nullptr}};
}

void fill(const RetargetMeasure& measure, double frame_time, BenchRow& row) {
  row["directions deg"] = measure.directions_deg;
  row["worst bone"] = measure.worst_bone;
  row["worst deg"] = measure.worst_direction_deg;
  if (const LimbTurning* const limb = measure.fastest()) {
    row["speed ratio"] = limb->ratio();
    row["fastest"] = limb->joint;
    row["at s"] = limb->frame * frame_time;
    row["deg/s"] = limb->deg_s;
    row["jump deg"] = limb->jump_deg;
    row["recorded jump deg"] = limb->recorded_jump_deg;
  }
  row["contacts"] = measure.contacts;
  row["slide mm"] = 1e3 * measure.slide;
  row["below mm"] = 1e3 * measure.below;
  row["body below mm"] = 1e3 * measure.body_below;
}

std::expected<void, Failure> add_pair(const SourceMotion& motion, const Character& character, bool pictures,
                                      Table& table, MotionSheet& sheet) {
  const std::clock_t start = std::clock();  // of the processor
  const Expected<Retargeted> out = retarget(motion.figure, motion.clip, character.figure);
  const double time = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (!out) return std::unexpected(Failure{out.error(), cli::internal});
  BenchRow row = row_of(motion, character, out->clip.frames());
  const Expected<Clip> recorded = cut(motion.clip, out->skipped, motion.clip.frames() - 1);
  if (!recorded) return std::unexpected(Failure{recorded.error(), cli::internal});
  const Expected<RetargetMeasure> measure =
      measure_retarget(motion.figure, *recorded, character.figure, out->clip, out->scale);
  if (!measure) return std::unexpected(Failure{measure.error(), cli::internal});
  fill(*measure, out->clip.frame_time, row);
  row["met"] = out->report.met() ? "yes" : "no";
  row["alike"] = out->is_alike() ? "yes" : "no";
  row["us"] = time / out->clip.frames();
  table.rows.push_back(std::move(row));
  if (!pictures) return {};
  return draw_row(motion.name + " on " + character.name, character.figure, out->clip, sheet);
}

}  // namespace

std::expected<Table, Failure> bench_retarget(const TaskOptions& task) {
  Table table{"retarget", "recorded motions on every character; angles in degrees, us per frame"};
  std::set<std::string> skeletons;
  std::vector<SourceMotion> motions;
  std::vector<Character> characters = {{"human", human()}};
  for (const std::string& path : files_of(task.data))
    if (const auto done = add_file(path, skeletons, motions, characters); !done) return std::unexpected(done.error());
  if (motions.empty())
    return std::unexpected(
        Failure{{task.data, "no motion of a person", "acclaim/, bvh/ or gltf/ with one"}, cli::file_trouble});
  if (task.quick) {
    motions.erase(motions.begin() + std::min<std::ptrdiff_t>(std::ssize(motions), 2), motions.end());
    characters.erase(characters.begin() + std::min<std::ptrdiff_t>(std::ssize(characters), 3), characters.end());
  }
  for (const SourceMotion& motion : motions) {
    MotionSheet sheet;
    if (task.pictures)
      if (const auto done = draw_row(motion.name, motion.figure, motion.clip, sheet); !done)
        return std::unexpected(done.error());
    for (const Character& character : characters)
      if (const auto done = add_pair(motion, character, task.pictures, table, sheet); !done)
        return std::unexpected(done.error());
    if (task.pictures) table.pictures.push_back({file_name(motion.name), sheet.take()});
  }
  return table;
}

}  // namespace limber::bench
