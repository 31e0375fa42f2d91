// Pictures of a motion, for the verb draw: the whole motion on one page, or a film.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/content.h"

namespace limber::cli {

struct MovingOptions {
  bool strip = false;
  bool gif = false;
  bool mp4 = false;
  std::optional<int> frames_shown = {};
  std::optional<int> ghosts = {};
  std::vector<std::string> trace = {};
  std::vector<std::string> contacts = {};
  std::string compare = {};
  std::vector<std::string> curves = {};

  bool film() const { return gif || mp4; }
  bool any() const { return strip || film() || !curves.empty(); }
};

void add_moving_options(CLI::App& verb, MovingOptions& options);

// Takes a film's kind from the name of the file if no flag states it, and rejects options that exclude each other.
std::optional<Failure> settle(MovingOptions& options, const std::string& output);

// The first option given that only a picture of a motion uses.
std::optional<std::string> given(const MovingOptions& options);

// The page or film as bytes, with the title on it.
std::expected<std::string, Failure> draw_moving(const MovingOptions& options, const ContentOptions& source,
                                                const LoadedContent& content, const std::string& title);

}  // namespace limber::cli
