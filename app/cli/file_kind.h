// What a file is that stands where another kind belongs, and which verbs take it: for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"

namespace limber::cli {

enum class KnownKind { scene, motion_script, side_file, content };

struct KnownFile {
  KnownKind kind;
  std::string what;      // "a pose prior"
  std::string taken_by;  // "--prior of limber solve and track reads it"
};

// Nothing if the file is of no kind that Limber reads.
std::optional<KnownFile> known_file(std::string_view text, const std::string& path);

// "walk.bvh: found a file in the format BVH; expected a scene in JSON. limber info, check, draw and convert read it".
Diagnostic misplaced(const KnownFile& file, const std::string& path, const std::string& expected);

}  // namespace limber::cli
