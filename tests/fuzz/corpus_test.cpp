// Runs every reader on its fuzzing corpus.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/exercise.h"
#include "tests/format/sample.h"
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

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, ::testing::ValuesIn(fuzz::readers()),
                         [](const auto& one) { return one.param; });

}  // namespace corpus_test
}  // namespace limber
