#include "fuzz/exercise.h"

#include <algorithm>
#include <map>

#include "limber/base/number.h"
#include "limber/document/files.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/document/scene/scene.h"
#include "limber/figure/human.h"
#include "limber/format/figure/prior_file.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/format/polygon/polygon.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/solver/solve.h"
#include "tests/support/places.h"

namespace limber::fuzz {

namespace {

// Beyond this, in metres or radians, rounding is all that is left; what is written and read is not compared.
constexpr double sensible = 1e6;
constexpr double tolerance = 1e-5;
// A solve over more parameters would spend the fuzzer's time on linear algebra.
constexpr std::size_t max_parameters = 200;
constexpr std::size_t max_sites = 2000;
constexpr int max_frames = 100;
constexpr std::size_t max_demands = 100;

// The skeleton for motions: a root and two bones.
constexpr std::string_view skeleton =
    ":version 1.10\n:name two\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:root\n   order TX TY TZ RX RY RZ\n"
    "   axis XYZ\n   position 0 0 0\n   orientation 0 0 0\n:bonedata\n  begin\n     id 1\n     name a\n"
    "     direction 0 1 0\n     length 2\n     axis 0 0 20 XYZ\n    dof rx ry rz\n    limits (-160.0 20.0)\n"
    "           (-70.0 70.0)\n           (-60.0 70.0)\n  end\n  begin\n     id 2\n     name b\n     direction 1 0 0\n"
    "     length 1\n     axis 0 0 0 XYZ\n    dof rx\n    limits (-10.0 170.0)\n  end\n:hierarchy\n  begin\n    root a\n"
    "    a b\n  end\n";

// A file name of that format.
std::string file_of(const FileFormat& format) {
  return "f" + std::string(format.extensions.substr(0, format.extensions.find(' ')));
}

bool has_control_character(std::string_view name) {
  return std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool is_sensible(const Figure& figure, const Pose& pose, const Places& positions) {
  return figure.length() < sensible && pose.theta.allFinite() &&
         (pose.theta.size() == 0 || pose.theta.cwiseAbs().maxCoeff() < sensible) &&
         std::ranges::all_of(
             positions, [](const auto& entry) { return entry.second.cwiseAbs().maxCoeff() < sensible; });
}

std::string pose_wrong(const Figure& figure, const Pose& pose, const char* which) {
  if (pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()))
    return std::string(which) + ": a pose of another size than the figure's";
  if (!pose.theta.allFinite()) return std::string(which) + ": a pose that is not finite";
  return "";
}

// Reads again what is written of the content, and compares where everything is.
std::string round_trip_wrong(const Content& content, const std::string& file) {
  const FileFormat& format = format_of(*kind_of_name(file));
  if (!format.writes || (format.holds == FileHolds::motion && content.clips.empty())) return "";
  const Expected<WrittenFiles> written = write_content(content, content.clips, file);
  if (!written) return "what was read cannot be written: " + written.error().text();
  std::optional<Content> again;
  for (const WrittenFile& one : written->files) {
    ReadOptions options;
    options.metres_per_unit = content.space.metres_per_unit;
    options.up = content.space.up;
    if (format.kind == FileKind::gltf || format.kind == FileKind::glb) options = {};
    Expected<Content> read = read_content(one.bytes, one.name, options, {}, again ? &*again : nullptr);
    if (!read) return "what was written cannot be read: " + read.error().text();
    again = std::move(*read);
  }
  const auto compare = [&](const Pose& a, const Pose& b, const std::string& which) -> std::string {
    const Places before = places(*content.figure, a), after = places(*again->figure, b);
    if (!is_sensible(*content.figure, a, before)) return "";
    for (const auto& [name, position] : before) {
      if (has_control_character(name)) continue;  // writers clean such names
      const auto found = after.find(name);
      // BVH names joints only; the writer says so of a tip with a name of its own.
      if (found == after.end() && format.kind == FileKind::bvh &&
          std::ranges::find(content.figure->joints(), name, &Joint::name) == content.figure->joints().end())
        continue;
      if (found == after.end()) return which + ": '" + name + "' is lost";
      const double scale = std::fmax(1e-3, std::fmax(content.figure->length(), position.norm()));
      if (!((found->second - position).norm() <= tolerance * scale))
        return which + ": '" + name + "' has moved by " + to_text((found->second - position).norm()) + " m";
    }
    return "";
  };
  if (content.clips.empty() || format.motions == FileMotions::none)
    return compare(content.figure->rest(), again->figure->rest(), "rest");
  for (std::size_t c = 0; c < content.clips.size(); ++c) {
    if (c >= again->clips.size()) return "a motion is lost";
    const Clip &a = content.clips[c], &b = again->clips[c];
    if (a.frames() != b.frames())
      return "a motion has " + std::to_string(b.frames()) + " frames, not " + std::to_string(a.frames());
    for (const int k : {0, a.frames() / 2, a.frames() - 1})
      if (k >= 0 && k < a.frames())
        if (std::string wrong = compare(a.pose(k), b.pose(k), "frame " + std::to_string(k)); !wrong.empty())
          return wrong;
    if (format.motions == FileMotions::one) break;
  }
  return "";
}

// Ten iterations towards a point a little away from the last tip.
std::string solve_wrong(const Figure& figure) {
  if (figure.sites().empty() || figure.parameters().empty() || figure.parameters().size() > max_parameters) return "";
  const std::string& place = figure.sites().back().name;
  const Places start = places(figure, figure.rest());
  if (!is_sensible(figure, figure.rest(), start)) return "";
  Problem problem(figure);
  const Vec3 target = start.at(place) + 0.1 * figure.length() * Vec3(0.6, 0.0, 0.8);
  if (const auto added = problem.add(figure.point(place), Position{target}); !added)
    return "no goal for a site: " + added.error().text();
  Pose pose = figure.rest();
  const Report report = solve(problem, pose, {.iterations = 10});
  if (report.exit == Exit::rejected || report.exit == Exit::not_finite)
    return std::string("a solve ended ") + name_of(report.exit);
  return pose_wrong(figure, pose, "after a solve");
}

std::string content_wrong(const Content& content, const std::string& file) {
  if (!content.figure && !content.markers) return "neither a figure nor markers";
  for (const Note& note : content.notes)
    if (note.text.empty()) return "an empty note";
  if (content.markers) {
    const Markers& markers = *content.markers;
    if (markers.positions.rows() != static_cast<Eigen::Index>(3 * markers.names.size())) return "markers without names";
    for (int k = 0; k < std::min(markers.frames(), 3); ++k)
      for (std::size_t m = 0; m < markers.names.size(); ++m)
        if (markers.seen(k, static_cast<int>(m)) && !markers.position(k, static_cast<int>(m)).allFinite())
          return "a marker that is not finite";
  }
  if (!content.figure) return "";
  const Figure& figure = *content.figure;
  if (std::string wrong = pose_wrong(figure, figure.rest(), "rest"); !wrong.empty()) return wrong;
  for (const Clip& clip : content.clips) {
    if (!(clip.frame_time > 0.0) || !std::isfinite(clip.frame_time)) return "a frame time that is not above 0";
    for (const int k : {0, clip.frames() / 2, clip.frames() - 1})
      if (k >= 0 && k < clip.frames())
        if (std::string wrong = pose_wrong(figure, clip.pose(k), "frame"); !wrong.empty()) return wrong;
  }
  if (figure.sites().size() > max_sites) return "";
  if (const Expected<Figure> named = with_common_names(figure); !named)
    return "common names spoil the figure: " + named.error().text();
  if (std::string wrong = round_trip_wrong(content, file); !wrong.empty()) return wrong;
  return solve_wrong(figure);
}

std::string rejection_wrong(const Diagnostic& error) {
  return error.found.empty() || error.where.empty() ? "a rejection without a reason or a place" : "";
}

std::string scene_wrong(std::string_view bytes) {
  Expected<Scene> scene = read_scene(bytes, "f.json");
  if (!scene) return rejection_wrong(scene.error());
  const std::string text = write_scene(*scene);
  const Expected<Scene> again = read_scene(text, "again.json");
  if (!again) return "what was written cannot be read: " + again.error().text();
  if (write_scene(*again) != text) return "what was read again is written otherwise";
  const Expected<Problem> problem = problem_of(*scene);
  if (!problem) return "a scene without a problem: " + problem.error().text();
  if (scene->figure.parameters().size() > max_parameters) return "";
  scene->options.iterations = std::min(scene->options.iterations, 10);
  solve(*problem, scene->pose, scene->options);
  return pose_wrong(scene->figure, scene->pose, "after a solve");
}

bool keeps_boxes(const Figure& figure, const Pose& pose) {
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double theta = pose.theta[static_cast<Eigen::Index>(j)];
    if (!(theta >= range.lower && theta <= range.upper)) return false;
  }
  return true;
}

std::string script_wrong(std::string_view bytes) {
  const Expected<MotionScript> script = read_motion_script(bytes, "f.script");
  if (!script) return rejection_wrong(script.error());
  static const Scene scene(human(), HumanOptions{});
  const Expected<ScriptedMotion> motion = scripted_motion(*script, scene);
  if (!motion) return rejection_wrong(motion.error());
  const Clip& given = motion->given;
  if (given.frames() < 1 || !(given.frame_time > 0.0)) return "a motion without a frame";
  for (const int k : {0, given.frames() / 2, given.frames() - 1})
    if (std::string wrong = pose_wrong(scene.figure, given.pose(k), "frame"); !wrong.empty()) return wrong;
  if (given.frames() > max_frames || motion->problem.demands().size() > max_demands) return "";
  const Expected<SolvedMotion> solved = solve_motion(motion->problem, given, {.iterations = 3});
  if (!solved) return rejection_wrong(solved.error());
  for (int k = 0; k < solved->clip.frames(); ++k) {
    if (std::string wrong = pose_wrong(scene.figure, solved->clip.pose(k), "solved"); !wrong.empty()) return wrong;
    if (!keeps_boxes(scene.figure, solved->clip.pose(k))) return "a solved pose beyond its limits";
  }
  return "";
}

// A file that belongs to others: what was read is written, read again and written alike.
template <class Read, class Write>
std::string side_file_wrong(std::string_view bytes, const Read& read, const Write& write) {
  const auto first = read(bytes, "f");
  if (!first) return rejection_wrong(first.error());
  const std::string text = write(*first);
  const auto again = read(text, "again");
  if (!again) return "what was written cannot be read: " + again.error().text();
  return write(*again) == text ? "" : "what was read again is written otherwise";
}

std::string polygons_wrong(std::string_view bytes) {
  const Expected<SegmentObject> object = read_polygons(bytes, "f", 1.0);
  if (!object) return rejection_wrong(object.error());
  for (const Vec3& vertex : object->vertices)
    if (!vertex.allFinite()) return "a vertex that is not finite";
  return "";
}

struct SideFile {
  std::string_view name;
  std::string (*wrong)(std::string_view bytes);
};
constexpr SideFile side_files[] = {
    {"scene", scene_wrong},
    {"script", script_wrong},
    {"prior", [](std::string_view bytes) { return side_file_wrong(bytes, read_prior, write_prior); }},
    {"markers", [](std::string_view bytes) { return side_file_wrong(bytes, read_marker_set, write_marker_set); }},
    {"strength", [](std::string_view bytes) { return side_file_wrong(bytes, read_strength, write_strength); }},
    {"reach", [](std::string_view bytes) { return side_file_wrong(bytes, read_reach_map, write_reach_map); }},
    {"polygon", polygons_wrong},
};

}  // namespace

std::vector<std::string> readers() {
  std::vector<std::string> names;
  for (const SideFile& file : side_files) names.emplace_back(file.name);
  for (const FileFormat& format : file_formats()) names.emplace_back(format.key);
  return names;
}

std::string exercise(std::string_view reader, std::string_view bytes) {
  for (const SideFile& file : side_files)
    if (reader == file.name) return file.wrong(bytes);
  static const std::vector<FileFormat> formats = file_formats();
  const auto format = std::ranges::find(formats, reader, &FileFormat::key);
  if (format == formats.end()) return "no reader of that name";
  static const Expected<Content> two_bones = read_content(skeleton, "two.asf");
  const std::string file = file_of(*format);
  const Expected<Content> content = read_content(bytes, file, {}, {}, &*two_bones);
  return content ? content_wrong(*content, file) : rejection_wrong(content.error());
}

}  // namespace limber::fuzz
