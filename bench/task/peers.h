// Solvers of other libraries, measured in the same run: the program limber_peers (bench/peers) measures them and
// returns rows for our tables. It is a separate program, so that the benchmark does not need their libraries.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/task/task.h"

namespace limber::bench {

inline constexpr std::string_view tasks_with_peers[] = {"arms", "human"};

bool has_peers(std::string_view task);

// An error if there is no such program.
Expected<void> check_peers(const std::string& program);

// Their rows of one task.
std::expected<std::vector<BenchRow>, Failure> peer_rows(const std::string& program, const std::string& task,
                                                        const TaskOptions& options);

}  // namespace limber::bench
