// Other solvers, measured in the same run: the program limber_peers (bench/peers) does it and hands back rows for our
// tables. It is a program of its own, so that the tool needs none of their libraries.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/bench/task.h"

namespace limber::cli {

inline constexpr std::string_view tasks_with_peers[] = {"arms", "human"};

bool has_peers(std::string_view task);

// limber_peers beside the tool itself; nothing where it was not built.
std::optional<std::string> peers_beside_tool();
// Whether there is such a program.
Expected<void> check_peers(const std::string& program);

// Their rows of one task.
std::expected<std::vector<BenchRow>, Failure> peer_rows(const std::string& program, const std::string& task,
                                                        const TaskOptions& options);

}  // namespace limber::cli
