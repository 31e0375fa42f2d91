// doc/size.svg: cost against size.
#pragma once

#include <expected>
#include <string>

#include "bench/task/task.h"

namespace limber::bench {

// `numbers` is what `limber bench --task size --json NUMBERS` wrote.
std::expected<void, Failure> write_size_plot(const std::string& numbers, const std::string& svg);

}  // namespace limber::bench
