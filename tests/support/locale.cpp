// With LIMBER_LOCALE in the environment all tests run in that locale, which must write 0,5 for a half: numbers in files
// are the same everywhere. ./test does so.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>

namespace {

class DecimalComma : public testing::Environment {
  void SetUp() override {
    const char* name = std::getenv("LIMBER_LOCALE");
    if (!name) return;
    ASSERT_NE(std::setlocale(LC_ALL, name), nullptr) << "no locale " << name;
    ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  }
};

[[maybe_unused]] testing::Environment* const locale = testing::AddGlobalTestEnvironment(new DecimalComma);

}  // namespace
