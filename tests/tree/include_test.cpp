// Folders form layers; includes point downward only.
//
// A file belongs to the unit with the longest name that its path (below limber/) begins with. It may include
// its own unit and the units of its row. Anything else is an error, so a new folder
// needs a row.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/tree.h"

namespace include_test {

const std::map<std::string, std::vector<std::string>> may_include = {
    {"base/", {}},
    {"figure/", {"base/"}},
    // Numerics only, compiled for several kinds of processors.
    {"lanes/", {"base/"}},
    // Lanes on a GPU: a library of its own, which batches load.
    {"cuda/", {"lanes/"}},
    {"kinematics/", {"figure/", "lanes/", "base/"}},
    // Which segment is which part of a body.
    {"roles/", {"kinematics/", "figure/", "base/"}},
    {"goal/", {"base/"}},
    {"program/", {"base/"}},
    // Obstacles and loads: geometry and statics, without a solver.
    {"obstacle/", {"body/", "kinematics/", "figure/", "base/"}},
    {"assess/", {"kinematics/", "figure/", "base/"}},
    {"problem/", {"obstacle/", "assess/", "goal/", "kinematics/", "figure/", "program/", "lanes/", "base/"}},
    // Gradient methods and residual methods know a program but no figure;
    // geometric methods know chains of joints.
    {"solver/gradient/", {"program/", "base/"}},
    {"solver/residual/", {"program/", "base/"}},
    {"solver/geometric/", {"problem/", "program/", "goal/", "kinematics/", "figure/", "base/"}},
    {"solver/",
     {"solver/gradient/", "solver/residual/", "solver/geometric/", "problem/", "program/", "goal/", "kinematics/",
      "figure/", "lanes/", "base/"}},
    // Batches: the lanes, and the solver for the remaining problems.
    {"batch/", {"solver/", "problem/", "program/", "goal/", "kinematics/", "figure/", "cuda/", "lanes/", "base/"}},
    // Reach: one batch per wave of cells.
    {"reach/",
     {"batch/", "solver/", "problem/", "program/", "goal/", "obstacle/", "assess/", "kinematics/", "figure/", "base/"}},
    // Posing: pulls of a figure, and the poses that it should take.
    {"posing/",
     {"solver/", "problem/", "program/", "goal/", "obstacle/", "body/", "assess/", "roles/", "kinematics/", "figure/",
      "lanes/", "base/"}},
    // The shape of a figure: bones and bodies.
    {"body/", {"kinematics/", "figure/", "base/"}},
    {"motion/", {"kinematics/", "figure/", "base/"}},
    // Tracking solves frame by frame.
    {"motion/track/", {"motion/", "solver/", "problem/", "program/", "goal/", "kinematics/", "figure/", "base/"}},
    // Constraints over time are solved, frame by frame or all at once.
    {"motion/timed/",
     {"motion/", "solver/", "problem/", "program/", "goal/", "obstacle/", "kinematics/", "figure/", "base/"}},
    {"motion/clean/", {"motion/timed/", "motion/", "problem/", "goal/", "kinematics/", "figure/", "base/"}},
    {"motion/retarget/",
     {"motion/clean/", "motion/timed/", "motion/", "solver/", "problem/", "program/", "goal/", "roles/", "kinematics/",
      "figure/", "base/"}},
    // File formats describe figures and motions, without a solver.
    {"format/text/", {"base/"}},
    {"format/content/", {"format/text/", "motion/", "figure/", "base/"}},
    {"format/figure/", {"format/text/", "roles/", "kinematics/", "figure/", "base/"}},
    {"format/acclaim/", {"format/content/", "format/text/", "motion/", "figure/", "base/"}},
    {"format/bvh/", {"format/content/", "format/text/", "motion/", "figure/", "base/"}},
    {"format/c3d/", {"format/content/", "format/text/", "motion/", "figure/", "base/"}},
    {"format/gltf/", {"format/content/", "format/text/", "motion/", "figure/", "base/"}},
    {"format/skeleton_script/", {"format/content/", "format/text/", "motion/", "figure/", "base/"}},
    {"format/polygon/", {"format/text/", "figure/", "base/"}},
    {"format/trc/", {"format/content/", "format/text/", "motion/", "base/"}},
    {"format/urdf/", {"format/content/", "format/text/", "figure/", "base/"}},
    {"format/",
     {"format/acclaim/", "format/bvh/", "format/c3d/", "format/content/", "format/figure/", "format/gltf/",
      "format/polygon/", "format/skeleton_script/", "format/text/", "format/trc/", "format/urdf/", "motion/", "roles/",
      "kinematics/", "figure/", "base/"}},
    // Documents describe problems and results.
    {"document/", {"reach/", "assess/", "motion/", "kinematics/", "figure/", "base/"}},
    {"document/marker_set/", {"document/", "format/text/", "motion/", "base/"}},
    {"document/strength/", {"document/", "format/text/", "assess/", "figure/", "base/"}},
    {"document/reach/",
     {"document/", "format/gltf/", "format/text/", "reach/", "problem/", "kinematics/", "figure/", "base/"}},
    {"document/report/",
     {"format/text/", "motion/timed/", "motion/", "solver/", "problem/", "program/", "goal/", "kinematics/", "figure/",
      "base/"}},
    {"document/scene/",
     {"document/strength/", "format/figure/", "format/text/", "solver/", "problem/", "program/", "goal/", "obstacle/",
      "assess/", "kinematics/", "figure/", "base/"}},
    {"document/motion_script/",
     {"document/scene/", "format/content/", "format/figure/", "format/text/", "motion/timed/", "motion/", "solver/",
      "problem/", "goal/", "kinematics/", "figure/", "base/"}},
    // A picture shows a solved problem.
    {"picture/", {"body/", "solver/", "problem/", "obstacle/", "program/", "goal/", "kinematics/", "figure/", "base/"}},
    {"picture/reach/", {"picture/", "reach/", "obstacle/", "kinematics/", "figure/", "base/"}},
    // The public entry point: it may include everything, and nothing below includes it.
    {"limber.h", {}},
};

// Nothing in the library prints, reads a clock or touches the network, and nothing but a batch starts a thread.
const std::vector<std::string> forbidden_headers = {
    "iostream",     "print",       "syncstream", "chrono",     "ctime",        "time.h",       "sys/time.h",
    "thread",       "future",      "pthread.h",  "netdb.h",    "sys/socket.h", "sys/select.h", "sys/un.h",
    "netinet/in.h", "arpa/inet.h", "poll.h",     "sys/poll.h", "unistd.h",
};
const std::regex forbidden_words(
    R"(\b(printf|fprintf|vprintf|vfprintf|puts|putchar|perror|cout|cerr|clog|stdout|stderr|clock_gettime)\b)");

// Paths that exist on one machine only.
const std::regex absolute_path(R"(/(bin|etc|home|mnt|opt|root|srv|tmp|usr|var|work|Users)/|\b[A-Za-z]:\\\\)");

// A description of an error, if any.
using Complaint = std::optional<std::string>;

// The unit of a path below limber/, or nothing for a path that no unit covers.
std::optional<std::string> unit_of(std::string_view path) {
  std::optional<std::string> longest;
  for (const auto& [unit, row] : may_include) {
    if (path.starts_with(unit) && (!longest || unit.size() > longest->size())) longest = unit;
  }
  return longest;
}

// The line's included name with its bracket or quote in front, such as `<vector` or `"limber/base/vector.h`.
std::optional<std::string> included_by(const std::string& line) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"][^>"]+)[>"])");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return match[1].str();
}

// `path` is the file's own, below limber/.
Complaint wrong_with_include(const std::string& path, const std::string& line) {
  const std::optional<std::string> included = included_by(line);
  if (!included) return std::nullopt;
  const std::string name = included->substr(1);
  const bool is_thread_of_batch = name == "thread" && path.starts_with("batch/");
  if (std::ranges::find(forbidden_headers, name) != forbidden_headers.end() && !is_thread_of_batch)
    return "the library has no use for " + name;

  constexpr std::string_view library = "limber/";
  if (!name.starts_with(library)) {
    if (included->front() == '"') return "write " + name + " from the root: \"limber/...\"";
    return std::nullopt;
  }
  const std::optional<std::string> from = unit_of(path);
  const std::optional<std::string> to = unit_of(std::string_view(name).substr(library.size()));
  if (!from) return path + " is in no unit of the table";
  if (!to) return name + " is in no unit of the table";
  if (*from == *to) return std::nullopt;
  if (*from == "limber.h") return std::nullopt;
  const std::vector<std::string>& row = may_include.at(*from);
  if (std::ranges::find(row, *to) == row.end()) return "upward: " + *from + " may not include " + *to;
  return std::nullopt;
}

// The text with its comments blanked; lines keep their numbers. A quoted string is kept whole, so that two
// slashes inside it begin no comment.
std::string without_comments(const std::string& text) {
  std::string code;
  enum { in_code, in_line, in_block, in_string } state = in_code;
  char quote = '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = std::string_view(text).substr(i, 2);
    const bool digit_separator = text[i] == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]));
    switch (state) {
      case in_code:
        if (two == "//") {
          state = in_line;
        } else if (two == "/*") {
          state = in_block;
          ++i;
        } else {
          if ((text[i] == '"' || text[i] == '\'') && !digit_separator) {
            state = in_string;
            quote = text[i];
          }
          code += text[i];
        }
        break;
      case in_line:
        if (text[i] == '\n') {
          state = in_code;
          code += '\n';
        }
        break;
      case in_block:
        if (text[i] == '\n') code += '\n';
        if (two == "*/") {
          state = in_code;
          ++i;
        }
        break;
      case in_string:
        code += text[i];
        if (text[i] == '\\' && i + 1 < text.size()) {
          code += text[++i];
        } else if (text[i] == quote || text[i] == '\n') {
          state = in_code;
        }
        break;
    }
  }
  return code;
}

Complaint wrong_with_code(const std::string& line) {
  std::smatch match;
  if (std::regex_search(line, match, forbidden_words)) return "the library does not print: " + match.str();
  return std::nullopt;
}

Complaint wrong_with_text(const std::string& line) {
  std::smatch match;
  if (std::regex_search(line, match, absolute_path)) return "a path of one machine: " + match.str();
  return std::nullopt;
}

std::filesystem::path library_folder() { return std::filesystem::path(limber::source_dir()) / "limber"; }
// The headers that users include; they belong to the unit of the folder of the same name.
std::filesystem::path public_folder() { return std::filesystem::path(limber::source_dir()) / "include" / "limber"; }

struct File {
  std::string path;  // Below limber/ or include/limber/, with forward slashes.
  std::string text;
  bool is_public = false;
};

std::vector<File> library_files() {
  std::vector<File> files;
  for (const std::filesystem::path& folder : {library_folder(), public_folder()}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(folder).generic_string(),
                       std::string(std::istreambuf_iterator<char>(stream), {}), folder == public_folder()});
    }
  }
  std::ranges::sort(files, {}, &File::path);
  return files;
}

// Calls check(line) for each line of the text and reports its errors, with file and line.
template <class Check>
void expect_no_complaint(const std::string& path, const std::string& text, Check check) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (const Complaint complaint = check(line))
      ADD_FAILURE() << "limber/" << path << ":" << number << ": " << *complaint;
  }
}

TEST(IncludeTree, HasOneRowForEveryFile) {
  const std::vector<File> files = library_files();
  EXPECT_FALSE(files.empty());
  for (const File& file : files)
    EXPECT_TRUE(unit_of(file.path)) << "limber/" << file.path << " is in no unit of the table";
}

TEST(IncludeTree, RefersToKnownUnitsAndHasNoCycle) {
  std::map<std::string, std::vector<std::string>> rest = may_include;
  for (const auto& [unit, row] : rest) {
    for (const std::string& below : row) EXPECT_TRUE(may_include.contains(below)) << unit << " names " << below;
  }
  // Repeatedly removes units without remaining dependencies.
  bool took_one = true;
  while (took_one) {
    took_one = false;
    for (auto it = rest.begin(); it != rest.end();) {
      const bool at_bottom = std::ranges::none_of(it->second, [&](const std::string& u) { return rest.contains(u); });
      it = at_bottom ? rest.erase(it) : std::next(it);
      took_one = took_one || at_bottom;
    }
  }
  EXPECT_TRUE(rest.empty()) << "a cycle goes through " << rest.begin()->first;
}

TEST(IncludeTree, PointsDownward) {
  for (const File& file : library_files()) {
    expect_no_complaint(file.path, file.text,
                        [&](const std::string& line) { return wrong_with_include(file.path, line); });
  }
}

TEST(IncludeTree, DetectsAnUpwardInclude) {
  EXPECT_TRUE(wrong_with_include("base/vector.h", "#include <limber/figure/figure.h>"));
  EXPECT_TRUE(wrong_with_include("goal/line.h", "  # include \"limber/figure/figure.h\"  // why"));
  EXPECT_TRUE(wrong_with_include("solver/gradient/bfgs.cpp", "#include <limber/solver/solve.h>"));
  EXPECT_TRUE(wrong_with_include("program/exit.h", "#include <limber/problem/problem.h>"));
  EXPECT_TRUE(wrong_with_include("solver/solve.cpp", "#include <limber/document/scene/scene.h>"));
  EXPECT_TRUE(wrong_with_include("format/bvh/bvh.cpp", "#include <limber/document/scene/scene.h>"));
  EXPECT_TRUE(wrong_with_include("format/bvh/bvh.cpp", "#include <limber/solver/solve.h>"));
  EXPECT_TRUE(wrong_with_include("figure/figure.cpp", "#include <limber/limber.h>"));
  EXPECT_TRUE(wrong_with_include("figure/figure.cpp", "#include \"figure.h\""));
  EXPECT_TRUE(wrong_with_include("attic/old.cpp", "#include <limber/base/vector.h>"));
}

TEST(IncludeTree, AcceptsADownwardInclude) {
  EXPECT_FALSE(wrong_with_include("base/vector.h", "#include <Eigen/Core>"));
  EXPECT_FALSE(wrong_with_include("base/number.cpp", "#include <limber/base/number.h>"));
  EXPECT_FALSE(wrong_with_include("goal/line.h", "#include \"limber/base/vector.h\""));
  EXPECT_FALSE(wrong_with_include("solver/gradient/bfgs.cpp", "#include <limber/program/exit.h>"));
  EXPECT_FALSE(wrong_with_include("solver/solve.cpp", "#include <limber/solver/gradient/bfgs.h>"));
  EXPECT_FALSE(wrong_with_include("document/scene/scene_read.cpp", "#include <limber/solver/solve.h>"));
  EXPECT_FALSE(wrong_with_include("limber.h", "#include <limber/document/scene/scene.h>"));
}

// Only public headers are installed, so they must not need others.
TEST(PublicHeaders, IncludeNoPrivateHeader) {
  int headers = 0;
  for (const File& file : library_files()) {
    if (!file.is_public) continue;
    ++headers;
    EXPECT_TRUE(file.path.ends_with(".h")) << file.path;
    expect_no_complaint(file.path, file.text, [&](const std::string& line) -> Complaint {
      const std::optional<std::string> included = included_by(line);
      if (!included || !included->substr(1).starts_with("limber/")) return std::nullopt;
      if (std::filesystem::exists(public_folder().parent_path() / included->substr(1))) return std::nullopt;
      return "a public header includes the private " + included->substr(1);
    });
  }
  EXPECT_GT(headers, 0);
}

TEST(Library, DoesNotPrint) {
  for (const File& file : library_files()) expect_no_complaint(file.path, without_comments(file.text), wrong_with_code);
}

TEST(Library, WouldBeCaughtIfItPrinted) {
  EXPECT_TRUE(wrong_with_include("base/number.h", "#include <iostream>"));
  EXPECT_TRUE(wrong_with_include("base/number.h", "#include <chrono>"));
  EXPECT_TRUE(wrong_with_include("base/number.h", "#include <sys/socket.h>"));
  EXPECT_TRUE(wrong_with_code("  std::printf(\"%d\", 1);"));
  EXPECT_TRUE(wrong_with_code("std::cerr << 1;"));
  EXPECT_FALSE(wrong_with_code("std::snprintf(text, sizeof text, \"%d\", 1);"));
  EXPECT_EQ(without_comments("a // printf\nb /* cout\n */ c \"// d\" 1'000 // e"), "a \nb \n c \"// d\" 1'000 ");
}

TEST(Library, NamesNoPathOfOneMachine) {
  for (const File& file : library_files()) expect_no_complaint(file.path, file.text, wrong_with_text);
  EXPECT_TRUE(wrong_with_text("open(\"/home/someone/figure.json\")"));
  EXPECT_FALSE(wrong_with_text("#include <limber/base/vector.h>  // a/b"));
}

TEST(Library, HasEveryPublicHeaderOnItsPage) {
  std::ifstream stream(std::filesystem::path(limber::source_dir()) / "doc" / "library.md");
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  for (const File& file : library_files())
    if (file.is_public && file.path != "limber.h")
      EXPECT_NE(page.find("`" + file.path + "`"), std::string::npos)
          << "no row for " << file.path << " in doc/library.md";
}

TEST(Library, HasAReadmeInEveryFolder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(library_folder())) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(std::filesystem::exists(entry.path() / "README.md"))
        << "no README.md in limber/" << entry.path().lexically_relative(library_folder()).generic_string();
  }
}

}  // namespace include_test
