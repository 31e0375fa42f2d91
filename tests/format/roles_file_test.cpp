// Parts of a body in a file: what was written is read, and a person may correct it.
#include "limber/format/roles_file.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "tests/support/figures.h"

namespace limber {
namespace roles_file_test {

std::string name_at(const Figure& figure, const RolePart* part) {
  return part ? figure.segments()[static_cast<std::size_t>(part->first)].name : "";
}

TEST(RolesFile, ReadsWhatItWrote) {
  const Figure figure = human();
  const Roles roles = roles_of(figure);
  const Roles again = testing::good(read_roles(figure, write_roles(figure, roles), "roles.json"));
  ASSERT_EQ(again.parts.size(), roles.parts.size());
  for (const RolePart& part : roles.parts) {
    const RolePart* same = again.find(part.role, part.side, part.order);
    ASSERT_TRUE(same) << name_of(part);
    EXPECT_EQ(same->first, part.first);
    EXPECT_EQ(same->confidence, 1.0);
  }
  EXPECT_LT((again.left - roles.left).norm(), 1e-12);
}

TEST(RolesFile, CorrectsAPart) {
  const Figure figure = human();
  const std::string text = R"({"limber": "roles 1", "parts": {"left_knee": "left_foot", "neck": ""}})";
  const Roles roles = testing::good(read_roles(figure, text, "roles.json"));
  EXPECT_EQ(name_at(figure, roles.find(Role::knee, Side::left)), "left_foot");
  EXPECT_EQ(roles.find(Role::neck), nullptr);
  EXPECT_EQ(name_at(figure, roles.find(Role::knee, Side::right)), "right_shank");
}

TEST(RolesFile, SwapsTheSides) {
  const Figure figure = human();
  const Roles before = roles_of(figure);
  std::string parts;
  for (const RolePart& part : before.parts) {
    RolePart other = part;
    if (part.side != Side::middle) other.side = part.side == Side::left ? Side::right : Side::left;
    parts += (parts.empty() ? "\"" : ", \"") + name_of(other) + "\": \"" + name_at(figure, &part) + "\"";
  }
  const Roles roles = testing::good(read_roles(figure, R"({"limber": "roles 1", "parts": {)" + parts + "}}", ""));
  EXPECT_LT((roles.left + before.left).norm(), 1e-12);
  EXPECT_LT((roles.forward + before.forward).norm(), 1e-12);
}

TEST(RolesFile, NamesWhatIsWrong) {
  const Figure figure = human();
  const auto error = [&](const std::string& text) {
    const Expected<Roles> roles = read_roles(figure, text, "roles.json");
    return roles ? "" : roles.error().text();
  };
  EXPECT_NE(error(R"({"limber": "roles 1", "parts": {"left_knie": "left_shank"}})").find("left_knie"),
            std::string::npos);
  EXPECT_NE(error(R"({"limber": "roles 1", "parts": {"left_knee": "left_shnk"}})").find("left_shank"),
            std::string::npos);
  EXPECT_NE(error(R"({"limber": "scene 1"})").find("roles 1"), std::string::npos);
}

}  // namespace roles_file_test
}  // namespace limber
