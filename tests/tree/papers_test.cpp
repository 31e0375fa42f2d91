// doc/papers.md, the table from the papers to the code, names only what exists.
//
// Every cell is filled. Names stand in backquotes. A name with a slash is a path: of a file or folder, or of a header
// as it is included. What else a name is, its column decides: a word of the library's sources, a key of the scene
// format or a word of a motion script, a verb with its options, a word of the package or of the editor, a test. In the
// column of the editor, what stands in double quotes is a text that the user sees.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/tree.h"

namespace papers_test {

namespace fs = std::filesystem;

enum Column { paper, library, scene, command_line, javascript, editor, test, columns };

constexpr std::array<std::string_view, 4> papers = {"ZB94", "ZB89", "W93", "EE09"};

// A description of an error, if any.
using Complaint = std::optional<std::string>;

fs::path source(std::string_view path) { return fs::path(limber::source_dir()) / path; }

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

// Of all files with one of these endings in the folders; a path may also be a single file.
std::string all_text(const std::vector<std::string_view>& paths) {
  static const std::set<std::string> endings = {".h", ".cpp", ".ts", ".json", ".md"};
  std::string text;
  for (const std::string_view path : paths) {
    if (fs::is_regular_file(source(path))) {
      text += text_of(source(path));
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(source(path)))
      if (entry.is_regular_file() && endings.contains(entry.path().extension().string()))
        text += text_of(entry.path()) + "\n";
  }
  return text;
}

bool is_of_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > i && std::isdigit(static_cast<unsigned char>(text[i])) == 0) words.emplace_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

// "Suite.Name" of every test below tests/.
std::set<std::string> test_names() {
  static const std::set<std::string> macros = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST"};
  std::set<std::string> names;
  std::istringstream lines(all_text({"tests"}));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('T')) continue;
    const std::vector<std::string> words = words_of(line);
    if (words.size() >= 3 && macros.contains(words[0])) names.insert(words[1] + "." + words[2]);
  }
  return names;
}

struct Sources {
  std::array<std::string, columns> text = {
      "",
      all_text({"limber", "include", "bench", "binding/wasm/interface.h"}),
      all_text({"doc/scene.schema.json", "doc/motion_script.md"}),
      all_text({"app/cli", "bench", "include/limber/solver/options.h", "limber/document/report"}),
      all_text({"binding/js/src"}),
      all_text({"app/editor/src"}),
      "",
  };
  std::array<std::set<std::string>, columns> words;
  std::set<std::string> tests = test_names();

  Sources() {
    for (std::size_t c = 0; c < columns; ++c)
      for (std::string& word : words_of(text[c])) words[c].insert(std::move(word));
  }
};

const Sources& sources() {
  static const Sources all;
  return all;
}

bool is_path(const std::string& name) { return fs::exists(source(name)) || fs::exists(source("include/" + name)); }

std::vector<std::string> between(std::string_view text, char mark) {
  std::vector<std::string> found;
  for (std::size_t from = text.find(mark); from != std::string_view::npos; from = text.find(mark, from + 1)) {
    const std::size_t to = text.find(mark, from + 1);
    if (to == std::string_view::npos) break;
    found.emplace_back(text.substr(from + 1, to - from - 1));
    from = to;
  }
  return found;
}

// Flags of `limber solve` that are made of the table of options.
bool is_solver_option(std::string flag) {
  flag.erase(0, 2);
  std::ranges::replace(flag, '-', '_');
  return text_of(source("limber/solver/option_table.cpp")).contains('"' + flag + '"');
}

// `name` stands in backquotes in a cell of the column.
Complaint wrong_with_name(Column column, const std::string& name) {
  const Sources& all = sources();
  if (column == test && !name.contains('/'))
    return all.tests.contains(name) ? Complaint() : "no test is called " + name;
  const bool is_command = column == command_line && name.starts_with("limber ");
  std::istringstream parts(name);
  std::size_t k = 0;
  for (std::string part; parts >> part; ++k) {
    if (part.contains('/')) {
      if (!is_path(part)) return "there is no file " + part;
    } else if (is_command && k < 2) {
      if (k == 1 && !is_path("app/cli/verb/" + part + ".cpp")) return "there is no verb " + part;
    } else if (part.starts_with("--")) {
      if (!all.text[column].contains(part + '"') && !is_solver_option(part)) return "there is no option " + part;
    } else {
      for (const std::string& word : words_of(part))
        if (!all.words[column].contains(word)) return "the sources do not have the word " + word;
    }
  }
  return std::nullopt;
}

Complaint wrong_with_cell(Column column, const std::string& cell) {
  if (cell.empty()) return "an empty cell";
  if (std::ranges::count(cell, '`') % 2 != 0) return "a backquote without its other one";
  if (column == paper) return std::nullopt;
  for (const std::string& name : between(cell, '`'))
    if (const Complaint why = wrong_with_name(column, name)) return why;
  if (column == editor)
    for (const std::string& shown : between(cell, '"'))
      if (!sources().text[editor].contains(shown)) return "the editor does not show \"" + shown + "\"";
  return std::nullopt;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t from = 1; from < line.size();) {
    const std::size_t to = std::min(line.find('|', from), line.size());
    std::string_view cell = line.substr(from, to - from);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.emplace_back(cell);
    from = to + 1;
  }
  return cells;
}

Complaint wrong_with_row(const std::string& line) {
  const std::vector<std::string> cells = cells_of(line);
  if (cells.size() != columns) return std::to_string(cells.size()) + " cells, not " + std::to_string(columns);
  for (std::size_t c = 0; c < columns; ++c)
    if (const Complaint why = wrong_with_cell(static_cast<Column>(c), cells[c])) return cells[0] + ": " + *why;
  return std::nullopt;
}

TEST(PapersPage, NamesOnlyWhatExists) {
  std::istringstream lines(text_of(source("doc/papers.md")));
  std::array<int, papers.size()> rows = {};
  std::size_t now = papers.size();  // the paper of the table
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("## ")) {
      now = static_cast<std::size_t>(std::ranges::find(papers, line.substr(3)) - papers.begin());
      EXPECT_LT(now, papers.size()) << "doc/papers.md:" << number << ": " << line;
    }
    const bool is_row = now < papers.size() && line.starts_with("|") && !line.starts_with("|---") &&
                        !line.starts_with("| " + std::string(papers[now]) + " |");
    if (!is_row) continue;
    ++rows[now];
    if (const Complaint why = wrong_with_row(line)) ADD_FAILURE() << "doc/papers.md:" << number << ": " << *why;
  }
  for (std::size_t k = 0; k < papers.size(); ++k) EXPECT_GT(rows[k], 20) << papers[k];
}

TEST(PapersPage, WouldBeCaughtIfItNamedWhatDoesNotExist) {
  EXPECT_FALSE(wrong_with_cell(test, "`PapersPage.NamesOnlyWhatExists`, `tests/tree/papers_test.cpp`"));
  EXPECT_TRUE(wrong_with_cell(test, "`PapersPage.NamesNothing`"));
  EXPECT_TRUE(wrong_with_cell(test, "`tests/tree/no_test.cpp`"));
  EXPECT_TRUE(wrong_with_cell(test, "`PapersPage.NamesOnlyWhatExists"));
  EXPECT_TRUE(wrong_with_cell(test, ""));
  EXPECT_FALSE(wrong_with_cell(library, "`limber/goal/goal.h`: `Position`, `Problem::add_one_of`"));
  EXPECT_TRUE(wrong_with_cell(library, "`Problem::add_none_of`"));
  EXPECT_FALSE(wrong_with_cell(scene, "`aim_at`"));
  EXPECT_TRUE(wrong_with_cell(scene, "`aim_nowhere`"));
  EXPECT_FALSE(wrong_with_cell(command_line, "`limber solve example/scene/tube.json --method active-set-bfgs`"));
  EXPECT_TRUE(wrong_with_cell(command_line, "`limber dissolve`"));
  EXPECT_TRUE(wrong_with_cell(command_line, "`limber solve --meth`"));
  EXPECT_FALSE(wrong_with_cell(javascript, "`Posing.grab`"));
  EXPECT_TRUE(wrong_with_cell(javascript, "`Posing.throwAway`"));
  EXPECT_FALSE(wrong_with_cell(editor, "\"Solve until met\""));
  EXPECT_TRUE(wrong_with_cell(editor, "\"Solve until tired\""));
  EXPECT_TRUE(wrong_with_row("| one | two |"));
}

// doc/postures.md: every posture that has a picture has one row, of its own figure and task.
TEST(PosturesPage, HasOneRowPerPosture) {
  std::istringstream lines(text_of(source("doc/postures.md")));
  std::multiset<std::string> rows, headings;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ZB")) headings.insert(line.substr(3));
    if (!line.starts_with("| ZB")) continue;
    const std::size_t figure = line.find(" | "), task = line.find(" | ", figure + 1);
    ASSERT_NE(task, std::string::npos) << line;
    rows.insert(line.substr(2, figure - 2) + ": " + line.substr(figure + 3, task - figure - 3));
  }
  EXPECT_GE(headings.size(), 8u);
  EXPECT_EQ(rows, headings);
}

}  // namespace papers_test
