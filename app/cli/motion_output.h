// The result of a verb that changes a motion: foot sliding before and after, a page of both motions, the motion's file.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/verb.h"
#include "limber/format/file.h"
#include "limber/motion/clean/clean.h"

namespace limber::cli {

// How much the places slide during their contacts, before and after: one row per place.
void print_sliding(const SlidingReport& before, const SlidingReport& after);
nlohmann::ordered_json sliding_json(const SlidingReport& before, const SlidingReport& after);

// The constraints that are not met: one line each, on standard output.
void print_unmet(const MotionReport& report, double frame_time);

// A page with both motions and the contacts.
std::expected<void, Failure> write_page(const std::string& file, const Figure& figure, const Clip& clip,
                                        const Clip* before, const std::vector<Contact>& contacts,
                                        const std::string& title);

// A failure if no motion can be written to a file of that name; an empty name is fine.
std::optional<Failure> wrong_output(const std::string& file);

// Writes the clip of the content to a file of any format; notes on what the format cannot hold go to standard error,
// unless quiet.
std::expected<void, Failure> write_motion(const Content& content, const Clip& clip, const std::string& file,
                                          bool quiet = false);

}  // namespace limber::cli
