// Runs one input of a fuzz target; also used by ./test on the corpus.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limber::fuzz {

// The readers, by name: "scene", "script", the small files beside them, and the key of every file format.
std::vector<std::string> readers();

// Reads the bytes as that format. A rejection must have a reason; accepted content must have finite kinematics, survive
// a round trip through a written file, and run ten iterations of a solve. A motion script is run on the human instead.
// Returns the error, or an empty string.
std::string exercise(std::string_view reader, std::string_view bytes);

// The bytes with some damage: an end that is missing, parts that are gone, doubled or moved, numbers that are huge,
// tiny, negative or none, single bits. The same seed does the same damage.
std::string damaged(std::string bytes, std::uint64_t seed);

}  // namespace limber::fuzz
