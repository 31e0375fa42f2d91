// What the fuzz target does with its input, and what ./test does with the corpus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::fuzz {

// The readers, by name: "scene", "script", and the key of every file format.
std::vector<std::string> readers();

// Reads the bytes as that format. What is rejected must be rejected with a reason; what is read must have a finite
// kinematics, come back the same from a file that is written and read again, and go through ten iterations of a solve.
// A motion script is run on the human instead. Gives what is wrong, or nothing.
std::string exercise(std::string_view reader, std::string_view bytes);

}  // namespace limber::fuzz
