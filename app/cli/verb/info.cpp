// limber info: what a file holds; with --positions, where every joint and tip is.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/names.h"
#include "limber/format/text/json.h"
#include "limber/kinematics/forward.h"

namespace limber::cli {

namespace {

struct InfoOptions {
  ContentOptions content;
  bool positions = false;
  bool json = false;
  std::optional<int> frame;
};

// A joint or tip of the figure, or a marker, in the world.
struct Spot {
  std::string name;
  const char* kind;  // "joint", "tip", "marker"
  Vec3 metres;
};

bool is_joint(const Figure& figure, const Site& site) {
  return (site.frame.p - figure.joints()[site.segment].in_child.p).norm() <= 1e-12 * figure.length() &&
         (site.name == figure.joints()[site.segment].name || site.name == figure.segments()[site.segment].name);
}

std::vector<Spot> spots_of(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  std::vector<Spot> spots;
  for (const Site& site : figure.sites())
    spots.push_back({site.name, is_joint(figure, site) ? "joint" : "tip", state.segments[site.segment] * site.frame.p});
  return spots;
}

std::vector<Spot> spots_of(const Markers& markers, int frame) {
  std::vector<Spot> spots;
  for (std::size_t m = 0; m < markers.names.size(); ++m)
    if (markers.seen(frame, static_cast<int>(m)))
      spots.push_back({markers.names[m], "marker", markers.position(frame, static_cast<int>(m))});
  return spots;
}

Eigen::AlignedBox3d box_of(const std::vector<Spot>& spots) {
  Eigen::AlignedBox3d box;
  for (const Spot& spot : spots) box.extend(spot.metres);
  return box;
}

std::string range_text(const Freedom& freedom) {
  if (freedom.lower == -infinity && freedom.upper == infinity) return "";
  const bool turns = freedom.motion == Motion::rotate;
  const auto shown_value = [&](double value) {
    return std::isfinite(value) ? to_text(std::round((turns ? degrees(value) : value) * 1e6) / 1e6)
                                : std::string(value < 0 ? "-∞" : "∞");
  };
  return "[" + shown_value(freedom.lower) + " " + shown_value(freedom.upper) + (turns ? "]°" : "]m");
}

bool has_limits(const Figure& figure) {
  return !figure.limit_rows().empty() || std::ranges::any_of(figure.freedoms(), [](const Freedom& freedom) {
    return std::isfinite(freedom.lower) || std::isfinite(freedom.upper);
  });
}

std::string short_name(const Figure& figure, const Freedom& freedom) {
  return freedom.name.substr(figure.joints()[freedom.joint].name.size() + 1);
}

void print_tree(const Figure& figure) {
  std::vector<int> depth(figure.segments().size(), 0);
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Segment& segment = figure.segments()[s];
    const Joint& joint = figure.joints()[s];
    if (segment.parent != no_parent) depth[s] = depth[static_cast<std::size_t>(segment.parent)] + 1;
    // A chain of thousands would make lines of thousands of blanks.
    std::string line(2 * static_cast<std::size_t>(std::min(depth[s], 40)) + 2, ' ');
    line += segment.name;
    if (joint.name != segment.name) line += " (" + joint.name + ")";
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
      line += "  " + short_name(figure, freedom) + range_text(freedom);
    }
    if (joint.freedom_begin == joint.freedom_end) line += "  rigid";
    std::printf("%s\n", line.c_str());
  }
}

std::string unit_text(const FileSpace& space) {
  std::string text = unit_name(space.metres_per_unit);
  if (space.metres_per_unit != 1.0 && !text.ends_with(" m")) text += " (" + to_text(space.metres_per_unit) + " m)";
  return text + (space.unit_is_stated ? "" : ", guessed");
}

std::string size_text(const Eigen::AlignedBox3d& box) {
  const Vec3 size = box.sizes();
  return to_text(size.x(), 3) + " × " + to_text(size.y(), 3) + " × " + to_text(size.z(), 3) + " m (wide, high, deep)";
}

void print_clip(const Clip& clip, std::size_t index, std::size_t count) {
  std::string line = count > 1 ? "  motion " + std::to_string(index) + ": " : "  motion: ";
  if (!clip.name.empty()) line += clip.name + ", ";
  line += std::to_string(clip.frames()) + (clip.frames() == 1 ? " frame" : " frames");
  line +=
      ", " + to_text(std::round(1e3 / clip.frame_time) / 1e3) + " per second, " + to_text(clip.duration(), 3) + " s";
  std::printf("%s\n", line.c_str());
}

// "bvh", or of a motion with a skeleton of its own "amc".
std::string format_name(const LoadedContent& content) { return content.skeleton.empty() ? content.format : "amc"; }

void print_names(const Figure& figure, const Roles& roles) {
  if (!figure.parts().empty()) {
    std::string list;
    for (const FigurePart& part : figure.parts()) list += (list.empty() ? "" : ", ") + part.name;
    std::printf("  figures: %s; a name within one begins with its own, such as %s\n", list.c_str(),
                figure.segments().front().name.c_str());
    return;
  }
  const CommonNames names = common_names(figure, roles);
  if (!names.sites.empty()) {
    std::string list;
    for (const SiteDescription& site : names.sites) list += " " + site.name;
    std::printf("  names: a person's; a scene may also use%s\n", list.c_str());
  } else if (figure.point("right_palm")) {
    std::printf("  names: the common ones are its own\n");
  } else {
    std::printf("  names: no person's: a scene can use only the names of the file\n");
  }
}

void print_whole(const std::string& file, const LoadedContent& content) {
  std::printf("%s: %s%s\n", shown(file).c_str(), format_name(content).c_str(),
              content.skeleton.empty() ? "" : (", with " + shown(content.skeleton)).c_str());
  std::printf("  unit: %s; %s up\n", unit_text(content.space).c_str(), content.space.up == Up::z ? "Z" : "Y");
  if (content.markers) {
    const Markers& markers = *content.markers;
    long missing = 0;
    for (int k = 0; k < markers.frames(); ++k)
      for (std::size_t m = 0; m < markers.names.size(); ++m) missing += !markers.seen(k, static_cast<int>(m));
    std::printf("  markers: %zu, %d frames from number %d, %s per second, %ld positions missing\n",
                markers.names.size(), markers.frames(), markers.first_frame, to_text(markers.rate).c_str(), missing);
    if (markers.frames() > 0 && !spots_of(markers, 0).empty())
      std::printf("  extent in frame 0: %s\n", size_text(box_of(spots_of(markers, 0))).c_str());
    std::string names;
    for (const std::string& name : markers.names) names += " " + name;
    std::printf(" %s\n", names.c_str());
  }
  if (content.figure) {
    const Figure& figure = *content.figure;
    std::printf("  figure: %zu segments, %zu degrees of freedom\n", figure.segments().size(), figure.freedoms().size());
    const std::vector<Spot> spots = spots_of(figure, figure.rest());
    if (!spots.empty()) std::printf("  extent at rest: %s\n", size_text(box_of(spots)).c_str());
    if (figure.mass() > 0.0) std::printf("  mass: %s kg\n", to_text(std::round(figure.mass() * 1e6) / 1e6).c_str());
    for (std::size_t k = 0; k < content.clips.size(); ++k) print_clip(content.clips[k], k, content.clips.size());
    if (content.clips.empty()) std::printf("  motion: none\n");
    if (!has_limits(figure)) std::printf("  joint limits: none in this file, and none are invented\n");
    for (const LimitRow& row : figure.limit_rows()) {
      std::string terms;
      for (std::size_t t = 0; t < row.parameters.size(); ++t)
        terms += (t ? " + " : "") + to_text(row.coefficients[t]) + " " +
                 figure.parameters()[static_cast<std::size_t>(row.parameters[t])].name;
      std::printf("  %s: %s %s %s\n", row.name.c_str(), terms.c_str(),
                  row.relation == Relation::equal ? "=" : "<=", to_text(row.bound).c_str());
    }
    print_names(figure, content.roles());
    print_tree(figure);
  }
  if (!content.notes.empty()) std::printf("  notes:\n");
  for (const Note& note : content.notes)
    std::printf("    %s%s\n",
                note.line > 0 ? (std::to_string(note.line) + ":" + std::to_string(note.column) + ": ").c_str() : "",
                note.text.c_str());
}

void write_space(JsonWriter& out, const FileSpace& space) {
  out.member("unit", unit_name(space.metres_per_unit));
  out.member("metres_per_unit", space.metres_per_unit);
  out.member("unit_is_stated", space.unit_is_stated);
  out.member("up", space.up == Up::z ? "z" : "y");
}

void write_notes(JsonWriter& out, const std::vector<Note>& notes) {
  out.key("notes").begin_array();
  for (const Note& note : notes) {
    out.begin_object(JsonWriter::Layout::row);
    if (note.line > 0) out.member("line", double(note.line)).member("column", double(note.column));
    out.member("text", note.text).end();
  }
  out.end();
}

void write_limit(JsonWriter& out, const char* key, double value, bool turns) {
  if (std::isfinite(value)) out.member(key, turns ? degrees(value) : value);
}

std::string whole_as_json(const std::string& file, const LoadedContent& content) {
  JsonWriter out;
  out.begin_object();
  out.member("file", shown(file)).member("format", format_name(content));
  if (!content.skeleton.empty()) out.member("skeleton", shown(content.skeleton));
  write_space(out, content.space);
  if (content.markers) {
    const Markers& markers = *content.markers;
    out.key("markers").begin_object();
    out.member("rate", markers.rate)
        .member("frames", double(markers.frames()))
        .member("first_frame", double(markers.first_frame));
    out.key("names").begin_array(JsonWriter::Layout::row);
    for (const std::string& name : markers.names) out.value(name);
    out.end().end();
  }
  if (content.figure) {
    const Figure& figure = *content.figure;
    out.member("figure", figure.name());
    out.member("degrees_of_freedom", double(figure.freedoms().size()));
    out.member("has_limits", has_limits(figure));
    out.member("mass_kg", figure.mass());
    if (const std::vector<Spot> spots = spots_of(figure, figure.rest()); !spots.empty())
      out.member("extent_at_rest_m", Vec3(box_of(spots).sizes()));
    out.key("segments").begin_array();
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const Segment& segment = figure.segments()[s];
      const Joint& joint = figure.joints()[s];
      out.begin_object(JsonWriter::Layout::row).member("name", segment.name).member("joint", joint.name);
      if (segment.parent != no_parent)
        out.member("parent", figure.segments()[static_cast<std::size_t>(segment.parent)].name);
      if (segment.mass > 0.0) out.member("mass_kg", segment.mass);
      out.key("freedoms").begin_array(JsonWriter::Layout::row);
      for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
        const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
        const bool turns = freedom.motion == Motion::rotate;
        out.begin_object(JsonWriter::Layout::row).member("name", short_name(figure, freedom));
        out.member("unit", turns ? "degrees" : "m").member("axis", freedom.axis);
        write_limit(out, "lower", freedom.lower, turns);
        write_limit(out, "upper", freedom.upper, turns);
        out.end();
      }
      out.end().end();
    }
    out.end();
    out.key("motions").begin_array();
    for (const Clip& clip : content.clips)
      out.begin_object(JsonWriter::Layout::row)
          .member("name", clip.name)
          .member("frames", double(clip.frames()))
          .member("frame_time", clip.frame_time)
          .member("duration", clip.duration())
          .end();
    out.end();
    const CommonNames names = common_names(figure, content.roles());
    out.member("body", std::string(name_of(names.plan)));
    out.key("common_names").begin_array(JsonWriter::Layout::row);
    for (const SiteDescription& site : names.sites) out.value(site.name);
    out.end();
  }
  write_notes(out, content.notes);
  out.end();
  return out.take();
}

std::string positions_as_json(const Content& content, const std::vector<Spot>& spots, const InfoOptions& options,
                              std::optional<double> time) {
  JsonWriter out;
  out.begin_object();
  out.member("file", shown(options.content.file));
  if (options.frame) out.member("frame", double(*options.frame));
  if (time) out.member("time", *time);
  write_space(out, content.space);
  out.member("metres_are", "right-handed, Y up");
  out.key("positions").begin_object();
  for (const Spot& spot : spots)
    out.key(spot.name)
        .begin_object(JsonWriter::Layout::row)
        .member("kind", spot.kind)
        .member("file", content.space.in_file(spot.metres))
        .member("metres", spot.metres)
        .end();
  out.end().end();
  return out.take();
}

void print_positions(const Content& content, const std::vector<Spot>& spots) {
  std::printf("# name, then x y z in the file's unit (%s), then x y z in metres with Y up\n",
              unit_name(content.space.metres_per_unit).c_str());
  for (const Spot& spot : spots) {
    std::string line = spot.name;
    for (const Vec3& x : {content.space.in_file(spot.metres), spot.metres})
      for (const double value : x) line += "\t" + to_text(value);
    std::printf("%s\n", line.c_str());
  }
}

int run(const InfoOptions& options) {
  if (options.frame && !options.positions)
    return complain(
        without_effect("--frame", "no --positions", "--positions, which prints where all is in that frame"));
  if (options.content.fps && options.positions && !options.frame)
    return complain(without_effect("--fps", "no --frame", "--frame with the number of one at that rate"));
  const std::expected<LoadedContent, Failure> content = load_content(options.content);
  if (!content) return complain(content.error());
  if (const std::optional<Failure> why = wrong_sampling(*content, options.content, options.frame))
    return complain(*why);
  if (!options.positions) {
    if (options.json)
      std::fputs(whole_as_json(options.content.file, *content).c_str(), stdout);
    else
      print_whole(options.content.file, *content);
    return all_met;
  }
  std::vector<Spot> spots;
  std::optional<double> time;
  if (content->figure) {
    const Expected<Pose> pose = pose_of(*content, options.content, options.frame);
    if (!pose) return complain(pose.error(), scene_is_wrong);
    spots = spots_of(*content->figure, *pose);
    const int clip = chosen_clip(*content, options.content);
    if (options.frame) time = *options.frame * content->clips[static_cast<std::size_t>(clip)].frame_time;
    if (content->asset) {
      const Expected<std::vector<Vec3>> exact =
          node_positions(*content, options.frame ? clip : no_clip, time.value_or(0.0));
      if (!exact) return complain(exact.error(), scene_is_wrong);
      const std::vector<Site>& sites = content->figure->sites();
      for (std::size_t k = 0; k < spots.size(); ++k)
        spots[k].metres = (*exact)[static_cast<std::size_t>(sites[k].segment)];
    }
  } else {
    const Expected<int> frame = marker_frame(*content, options.content, options.frame);
    if (!frame) return complain(frame.error(), scene_is_wrong);
    spots = spots_of(*content->markers, *frame);
    time = content->markers->rate > 0.0 ? std::optional(*frame / content->markers->rate) : std::nullopt;
  }
  if (options.json)
    std::fputs(positions_as_json(*content, spots, options, time).c_str(), stdout);
  else
    print_positions(*content, spots);
  return all_met;
}

}  // namespace

Verb add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* verb = app.add_subcommand("info", "Show what a file contains: figure, motions, markers");
  verb->add_option("FILE", options->content.file, "The file; - is standard input")->required();
  verb->add_option("MOTION", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_flag("--positions", options->positions,
                 "Print the position of every joint and tip, in the rest pose or in a frame");
  add_frame_option(*verb, options->frame, "The frame, counted from 0");
  verb->add_flag("--json", options->json, "Print JSON");
  add_part_option(*verb, options->content);
  add_content_options(*verb, options->content);
  add_roles_option(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_sampling_option(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber info walk.bvh\n"
      "  limber info 02.asf 02_01.amc --positions --frame 100 --json\n"
      "  limber info character.glb --clip Walk --positions --frame 12\n"
      "\n"
      "Exit status: 0 read, 2 the command line is wrong, 3 the file is wrong, 4 it cannot be opened,\n"
      "5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
