// Files of the command-line tool: read whole, written so that what has the name is always the old file or the new one,
// complete.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"

namespace limber::cli {

// Standard input for "-".
Expected<std::string> read_file(const std::string& path);

// A new file beside the old, brought to disk, then renamed over it. Keeps the old one's permissions; follows
// a link. What is no regular file (a terminal, a pipe) is written to as it is.
Expected<void> write_file(const std::string& path, std::string_view text);

// What messages call the file.
std::string shown(const std::string& path);

}  // namespace limber::cli
