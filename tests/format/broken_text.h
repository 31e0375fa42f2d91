// A table of broken files and their expected errors.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "limber/base/diagnostic.h"

namespace limber {

struct BrokenText {
  std::string text;   // of a file named "f"
  std::string place;  // "line:column"
  std::string words;  // of the message
};

inline void expect_error(const Diagnostic& error, const BrokenText& broken) {
  const std::string shown = broken.text.substr(0, 400);
  if (!broken.place.empty()) {
    EXPECT_EQ(std::to_string(error.line) + ":" + std::to_string(error.column), broken.place) << shown;
    EXPECT_TRUE(error.where.starts_with("f:" + broken.place)) << error.where;
  }
  EXPECT_NE(error.text().find(broken.words), std::string::npos) << error.text() << "\n" << shown;
  EXPECT_FALSE(error.expected.empty()) << error.text();
  EXPECT_LT(error.text().size(), 500u);
}

}  // namespace limber
