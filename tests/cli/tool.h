// The tool, called as its users call it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/tree.h"

namespace limber::test {

namespace fs = std::filesystem;

struct Answer {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline nlohmann::json parsed(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << text.substr(0, 200);
  return json;
}

// Each test in a folder of its own, which is the working folder of the tool.
class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "limber_cli_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"arm.json", "reach.json"})
      fs::copy_file(fs::path(source_dir()) / "example/scene" / name, folder_ / name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // `arguments` go through the shell.
  Answer limber(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" + tool_path() + "' " + arguments;
    const int status = std::system(
        ("{ " + command + "\n} >'" + (folder_ / ".out").string() + "' 2>'" + (folder_ / ".err").string() + "'")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder_ / ".out"), read(folder_ / ".err")};
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  fs::path folder_;
};

// A mistake is one or two lines on standard error and nothing on standard output.
inline void expect_mistake(const Answer& answer, int status, const std::string& begin) {
  EXPECT_EQ(answer.status, status) << answer.err;
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err.substr(0, begin.size()), begin);
  EXPECT_LE(std::count(answer.err.begin(), answer.err.end(), '\n'), 2) << answer.err;
  EXPECT_TRUE(answer.err.ends_with('\n'));
}

}  // namespace limber::test
