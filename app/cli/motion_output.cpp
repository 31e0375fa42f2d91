#include "app/cli/motion_output.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/base/number.h"
#include "limber/picture/strip.h"

namespace limber::cli {

namespace {

constexpr int page_frames = 8, page_ghosts = 1;

void print_place(const std::string& name, const Sliding& before, const Sliding& after) {
  const auto cm = [](double metres) { return to_text(100.0 * metres, 2); };
  std::printf("%-18s %8d   %9s %9s   %9s %9s   %9s %9s\n", name.c_str(), before.contacts, cm(before.mean_speed).c_str(),
              cm(after.mean_speed).c_str(), cm(before.mean_distance).c_str(), cm(after.mean_distance).c_str(),
              cm(before.max_drift).c_str(), cm(after.max_drift).c_str());
}

nlohmann::ordered_json as_json(const Sliding& before, const Sliding& after) {
  nlohmann::ordered_json json;
  json["contacts"] = before.contacts;
  json["seconds"] = before.seconds;
  json["mean_speed_cm_s"] = {100.0 * before.mean_speed, 100.0 * after.mean_speed};
  json["mean_way_cm"] = {100.0 * before.mean_distance, 100.0 * after.mean_distance};
  json["max_drift_cm"] = {100.0 * before.max_drift, 100.0 * after.max_drift};
  return json;
}

}  // namespace

void print_sliding(const SlidingReport& before, const SlidingReport& after) {
  std::printf("%-18s %8s   %19s   %19s   %19s\n", "sliding", "contacts", "speed, cm/s", "path per contact, cm",
              "max drift, cm");
  std::printf("%-18s %8s   %9s %9s   %9s %9s   %9s %9s\n", "", "", "before", "after", "before", "after", "before",
              "after");
  for (std::size_t p = 0; p < before.places.size() && p < after.places.size(); ++p)
    print_place(before.places[p].name, before.places[p].sliding, after.places[p].sliding);
  print_place("all", before.all, after.all);
}

nlohmann::ordered_json sliding_json(const SlidingReport& before, const SlidingReport& after) {
  nlohmann::ordered_json json;
  json["all"] = as_json(before.all, after.all);
  for (std::size_t p = 0; p < before.places.size() && p < after.places.size(); ++p)
    json[before.places[p].name] = as_json(before.places[p].sliding, after.places[p].sliding);
  return json;
}

void print_unmet(const MotionReport& report, double frame_time) {
  for (const DemandReport& demand : report.demands)
    if (!demand.met)
      std::printf("not held: %s, off by %s mm at %s s\n", demand.name.c_str(),
                  to_text(1000.0 * demand.error.metres.value_or(0.0), 2).c_str(),
                  to_text(demand.worst * frame_time, 3).c_str());
}

std::expected<void, Failure> MotionOutput::add_page(const std::string& file, const Figure& figure, const Clip& clip,
                                                    const Clip* before, const std::vector<Contact>& contacts,
                                                    const std::string& title) {
  if (file.empty()) return {};
  StripOptions options;
  options.title = title;
  options.count = page_frames;
  options.ghosts = page_ghosts;
  for (const Contact& contact : contacts) {
    if (std::find(options.places.begin(), options.places.end(), contact.place) == options.places.end()) {
      // A page has room for these; several figures have more feet.
      if (options.places.size() >= static_cast<std::size_t>(max_strip_places)) continue;
      options.places.push_back(contact.place);
    }
    options.contacts.push_back({contact.place, contact.start, contact.end});
  }
  if (before) {
    options.compare = &before->poses;
    options.compare_frame_time = before->frame_time;
    options.compare_name = "before";
  }
  Expected<std::string> page = draw_strip(figure, clip.poses, clip.frame_time, options);
  if (!page) return std::unexpected(Failure{page.error(), scene_is_wrong});
  files_.push_back({file, std::move(*page)});
  return {};
}

std::optional<Failure> wrong_output(const std::string& file) {
  if (file.empty()) return std::nullopt;
  const std::optional<FileKind> kind = kind_of_name(file);
  if (!kind || !format_of(*kind).writes) return Failure{write_content({}, {}, file).error(), usage};
  if (format_of(*kind).motions == FileMotions::none)
    return without_effect("--output", file + ", which holds no motion", "a format that does, such as .bvh");
  return std::nullopt;
}

std::vector<const Clip*> wanted_clips(const LoadedContent& content, const ContentOptions& options,
                                      const std::string& output) {
  if (!options.clip.empty()) return {&content.clips[static_cast<std::size_t>(chosen_clip(content, options))]};
  std::vector<const Clip*> clips;
  clips.reserve(content.clips.size());
  for (const Clip& clip : content.clips) clips.push_back(&clip);
  const std::optional<FileKind> kind = output.empty() ? std::nullopt : kind_of_name(output);
  if (!kind || format_of(*kind).motions != FileMotions::one || clips.size() < 2) return clips;
  std::fprintf(stderr, "%s: note: has room for one motion: '%s', of %zu; --clip chooses another\n", output.c_str(),
               clips.front()->name.c_str(), clips.size());
  return {clips.front()};
}

std::expected<void, Failure> MotionOutput::add_motions(const std::string& file, const Content& content,
                                                       const std::vector<Clip>& clips) {
  if (file.empty()) return {};
  Expected<WrittenFiles> written = write_content(content, clips, file);
  if (!written) return std::unexpected(Failure{written.error(), scene_is_wrong});
  if (const std::expected<void, Failure> alone = spare_others(file, *written); !alone)
    return std::unexpected(alone.error());
  motion_ = file;
  notes_ = std::move(written->notes);
  for (WrittenFile& one : written->files) files_.push_back(std::move(one));
  return {};
}

std::expected<void, Failure> MotionOutput::write(bool quiet) const {
  if (const Expected<void> done = write_files(files_); !done)
    return std::unexpected(Failure{done.error(), file_trouble});
  if (!quiet) print_notes(motion_, notes_, stderr);
  return {};
}

}  // namespace limber::cli
