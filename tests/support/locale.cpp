// With LIMBER_LOCALE in the environment all tests run in that locale, which must write ½ as 0,5: numbers in files
// must not depend on it. ./test does so.
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
