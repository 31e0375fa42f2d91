// What verbs that keep feet on the ground share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/verb.h"
#include "limber/format/file.h"
#include "limber/motion/clean/clean.h"

namespace limber::cli {

// Rows of the table before and after: how much the places slide while they stand.
void print_sliding(const SlidingReport& before, const SlidingReport& after);
nlohmann::ordered_json sliding_json(const SlidingReport& before, const SlidingReport& after);

// The demands that are not met: one line each, on standard output.
void print_unmet(const MotionReport& report, double frame_time);

// A page with both motions, the places that stand and when they do.
std::expected<void, Failure> write_page(const std::string& file, const Figure& figure, const Clip& clip,
                                        const Clip* before, const std::vector<Contact>& contacts,
                                        const std::string& title);

// A name that no motion can be written to; an empty one asks for nothing.
std::optional<Failure> wrong_output(const std::string& file);

// Writes the clip of the content to a file of any format, and what could not be carried over, unless quiet, to standard
// error.
std::expected<void, Failure> write_motion(const Content& content, const Clip& clip, const std::string& file,
                                          bool quiet = false);

}  // namespace limber::cli
