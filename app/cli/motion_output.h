// The result of a verb that changes a motion: foot sliding before and after, a page of both motions, the motion's file.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/content.h"
#include "app/cli/verb.h"
#include "limber/format/file.h"
#include "limber/motion/clean/clean.h"

namespace limber::cli {

// How much the places slide during their contacts, before and after: one row per place.
void print_sliding(const SlidingReport& before, const SlidingReport& after);
nlohmann::ordered_json sliding_json(const SlidingReport& before, const SlidingReport& after);

// The constraints that are not met: one line each, on standard output.
void print_unmet(const MotionReport& report, double frame_time);

// The motions that a verb works on: the one asked for, else all, or the first if the output has room for one; then a
// note on standard error says so.
std::vector<const Clip*> wanted_clips(const LoadedContent& content, const ContentOptions& options,
                                      const std::string& output);

// A failure if no motion can be written to a file of that name; an empty name is fine.
std::optional<Failure> wrong_output(const std::string& file);

// The files of a verb that writes a motion and a page of it. Written together: all of them, or none.
class MotionOutput {
 public:
  // The clips of the content in a file of any format. No file if the name is empty.
  std::expected<void, Failure> add_motions(const std::string& file, const Content& content,
                                           const std::vector<Clip>& clips);
  // A page with both motions and the contacts. No file if the name is empty.
  std::expected<void, Failure> add_page(const std::string& file, const Figure& figure, const Clip& clip,
                                        const Clip* before, const std::vector<Contact>& contacts,
                                        const std::string& title);
  // Notes on what the format of the motion cannot hold go to standard error, unless quiet.
  std::expected<void, Failure> write(bool quiet = false) const;

 private:
  std::vector<WrittenFile> files_;
  std::string motion_;
  std::vector<Note> notes_;
};

}  // namespace limber::cli
