// Draws doc/size.svg, cost against size.
//
//   limber_size_plot NUMBERS SVG      NUMBERS is what `limber bench --task size --json NUMBERS` wrote;
//   bench/make_size_plot
//                                     runs both
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "plot.h"

namespace {

using namespace limber;
using Rows = nlohmann::json;

struct Column {
  const char* name;
  const char* key;
  const char* colour;
};

constexpr Column columns[] = {
    {"whole solve", "solve us", "#d1480c"},
    {"value and gradient", "gradient us", "#1d4ed8"},
    {"forward kinematics", "forward us", "#15803d"},
};

// The rows of one kind of figure; the uppermost curve says how many goals there are, where that changes.
bench::LogPanel panel(const std::string& title, const Rows& rows, const std::string& figure, bool tell_goals) {
  bench::LogPanel panel{title, {}};
  for (const Column& column : columns) {
    bench::Curve curve{column.name, column.colour, {}};
    for (const Rows& row : rows) {
      if (row.value("figure", "") != figure) continue;
      const int goals = row.value("goals", 0);
      curve.points.push_back({row.value("freedoms", 0.0), row.value(column.key, 0.0),
                              tell_goals && panel.curves.empty() ? std::to_string(goals) : ""});
    }
    panel.curves.push_back(curve);
  }
  return panel;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: limber_size_plot NUMBERS SVG\n";
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const Rows numbers = Rows::parse(std::string(std::istreambuf_iterator<char>(file), {}), nullptr, false);
  if (!numbers.is_object() || !numbers.contains("size") || numbers["size"].empty()) {
    std::cerr << argv[1] << ": found no rows of the task size; expected what limber bench --task size --json wrote\n";
    return 1;
  }
  const Rows& rows = numbers["size"];
  const std::string svg = bench::cost_svg(
      "degrees of freedom", "time",
      {panel("Chains, one goal", rows, "chain", false), panel("Trees, by the number of goals", rows, "tree", true)});
  if (!(std::ofstream(argv[2], std::ios::binary) << svg)) {
    std::cerr << "cannot write " << argv[2] << '\n';
    return 1;
  }
  return 0;
}
