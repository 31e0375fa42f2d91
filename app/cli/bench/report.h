// One page with plots and tables of everything measured: opens from disk and asks the network for nothing.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench/table.h"

namespace limber::cli {

std::string report_page(const std::vector<Table>& tables, bool quick);

}  // namespace limber::cli
