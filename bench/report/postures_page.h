// doc/postures.md and its pictures: the postures of the papers, solved now, beside what the papers report.
#pragma once

#include <expected>
#include <string>

#include "bench/task/task.h"

namespace limber::bench {

// Writes DOC/postures.md and DOC/picture/*.svg. `instructions` is a file with what bench/instructions printed.
std::expected<void, Failure> write_postures_page(const std::string& data, const std::string& doc,
                                                 const std::string& instructions);

}  // namespace limber::bench
