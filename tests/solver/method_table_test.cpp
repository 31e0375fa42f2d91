// The table of methods is the one list of them: the schema of scenes and the pages of doc/method have every row.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "limber/solver/options.h"
#include "tests/support/tree.h"

namespace limber {
namespace method_table_test {

const std::filesystem::path doc = std::filesystem::path(source_dir()) / "doc";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MethodTable, IsInTheOrderOfTheMethods) {
  for (std::size_t k = 0; k < std::size(method_table); ++k) {
    EXPECT_EQ(method_table[k].method, static_cast<Method>(k)) << method_table[k].name;
    EXPECT_EQ(method_of(method_table[k].name), method_table[k].method);
  }
}

TEST(MethodTable, IsTheListOfTheSceneSchema) {
  const nlohmann::json schema = nlohmann::json::parse(text_of(doc / "scene.schema.json"), nullptr, false);
  std::vector<std::string> names;
  for (const MethodRow& row : method_table) names.emplace_back(row.name);
  EXPECT_EQ(schema["$defs"]["method"]["enum"].get<std::vector<std::string>>(), names);
}

// The cells of the row of doc/method/README.md that names the method.
std::vector<std::string> documented(std::string_view name) {
  std::istringstream lines(text_of(doc / "method" / "README.md"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.find("`" + std::string(name) + "`") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');)
      cells.push_back(cell.size() > 1 ? cell.substr(1, cell.size() - 2) : cell);
    return cells;
  }
  return {};
}

TEST(MethodTable, IsTheTableOfThePages) {
  for (const MethodRow& row : method_table) {
    if (row.method == Method::automatic) continue;  // the text below the table explains it
    SCOPED_TRACE(row.name);
    const std::vector<std::string> cells = documented(row.name);
    ASSERT_EQ(cells.size(), 7U) << "no row in doc/method/README.md";
    const std::size_t begin = cells[0].find("](") + 2;
    EXPECT_TRUE(std::filesystem::exists(doc / "method" / cells[0].substr(begin, cells[0].find(')') - begin)));
    EXPECT_EQ(cells[3] != "in rounds", row.linear_limits) << cells[3];
    EXPECT_EQ(cells[4] != "in rounds", row.locks) << cells[4];
    EXPECT_EQ(cells[5] != "no", row.levels) << cells[5];
    EXPECT_EQ(cells[6].starts_with("descent"), row.descends) << cells[6];
  }
}

}  // namespace method_table_test
}  // namespace limber
