// One HTML page with plots and tables of all measurements. It opens from disk and makes no network requests.
#pragma once

#include <string>
#include <vector>

#include "bench/task/table.h"

namespace limber::bench {

std::string report_page(const std::vector<Table>& tables, bool quick);

}  // namespace limber::bench
