// Runs every reader on its fuzzing corpus.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "fuzz/exercise.h"
#include "tests/format/sample.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace corpus_test {

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, IsReadOrRejected) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "fuzz" / "corpus" / GetParam();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(fuzz::exercise(GetParam(), read_sample(entry.path())), "") << entry.path().filename();
    ++files;
  }
  EXPECT_GT(files, 0) << "no input for this reader";
}

TEST_P(Corpus, IsReadOrRejectedWithDamage) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "fuzz" / "corpus" / GetParam();
  const int count = law::law_count(20);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string bytes = read_sample(entry.path());
    for (int k = 0; k < count; ++k)
      ASSERT_EQ(fuzz::exercise(GetParam(), fuzz::damaged(bytes, static_cast<std::uint64_t>(k))), "")
          << entry.path().filename() << ", damage " << k;
  }
}

// The inputs made by hand are those that their script makes.
TEST(HostileCorpus, IsMadeByItsScript) {
  std::string pattern = (std::filesystem::temp_directory_path() / "limber_hostile_XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path fresh = pattern, kept = std::filesystem::path(source_dir()) / "fuzz" / "corpus";
  ASSERT_EQ(std::system(("'" + source_dir() + "/fuzz/hostile' '" + pattern + "'").c_str()), 0);
  const std::vector<std::string> readers = fuzz::readers();
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fresh)) {
    if (!entry.is_regular_file()) continue;
    const std::filesystem::path name = entry.path().lexically_relative(fresh);
    EXPECT_EQ(read_sample(entry.path()), read_sample(kept / name)) << name;
    EXPECT_NE(std::ranges::find(readers, name.begin()->string()), readers.end()) << name;
    ++files;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kept))
    files -= entry.path().filename().string().starts_with("hostile-") ? 1 : 0;
  EXPECT_EQ(files, 0) << "hostile files that the script does not make";
  std::filesystem::remove_all(fresh);
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, ::testing::ValuesIn(fuzz::readers()),
                         [](const auto& one) { return one.param; });

}  // namespace corpus_test
}  // namespace limber
