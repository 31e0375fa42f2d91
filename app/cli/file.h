// Files of the command-line tool: read whole, written so that what has the name is always the old file or the new one,
// complete.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/file.h"

namespace limber::cli {

// Standard input for "-". Of anything but a regular file, only standard input is read: a device or a named pipe may
// never end.
Expected<std::string> read_file(const std::string& path);

// The path of a file that `document` names. It is in the document's folder or below, unless allow_outside() was called.
Expected<std::string> path_beside(const std::string& document, const std::string& name);
void allow_outside();

// A new file beside the old, brought to disk, then renamed over it. Keeps the old one's owner and permissions; follows
// a link. What is no regular file (a terminal, a pipe) is written to as it is. An interruption removes the new file.
Expected<void> write_file(const std::string& path, std::string_view text);
// Files that belong together. All are on disk before the first is renamed; if a rename fails, the old ones come back.
// Between the first rename and the last, old files have a second name, .limber-XXXXXX, which stays if the program is
// killed just there.
Expected<void> write_files(std::span<const WrittenFile> files);

// What messages call the file.
std::string shown(const std::string& path);

}  // namespace limber::cli
