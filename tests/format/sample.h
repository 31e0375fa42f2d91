// Scenes for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "limber/document/scene/scene.h"
#include "tests/support/tree.h"

namespace limber {

inline std::string read_sample(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::filesystem::path> sample_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "example" / "scene"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

// A figure with every kind of thing: freedoms that turn and shift, a group with lines and curves between
// both, rows over angles, over lengths and over both, frames that turn, a mirror.
inline FigureDescription crane() {
  FigureDescription d;
  d.name = "crane \"é\"";
  d.segments = {{"cart", 10.0, {0.1, 0.2, 0.3}, "cart.pol", Vec3(1, 2, 3).asDiagonal()},
                {"left_arm", 1.0},
                {"right_arm", 1.0},
                {"hook"},
                {"tail"}};
  d.joints = {
      {"drive", "", "cart", {}, {}, {{"slide", Motion::translate, Vec3::UnitX(), {-2.0, 2.0, 0.25, 0.5, 3.0}}}},
      {"left",
       "cart",
       "left_arm",
       at({0.3, 1, 0}),
       {},
       {{"swing", Motion::rotate, Vec3(1, 2, 3), {radians(-30.0), radians(77.7)}}}},
      {"right",
       "cart",
       "right_arm",
       at({-0.3, 1, 0}),
       {},
       {{"swing", Motion::rotate, Vec3(1, -2, -3), {radians(-30.0), radians(77.7)}}}},
      {"rope",
       "left_arm",
       "hook",
       {rotation(Vec3(0.6, 0.8, 0), 0.7), {0, -0.5, 0}},
       at({0, 0.1, 0}),
       {{"let", Motion::translate, -Vec3::UnitY()},
        {"twist", Motion::rotate, Vec3::UnitY()},
        {"spin", Motion::rotate, Vec3::UnitZ()}}},
      {"tail", "cart", "tail", {}, {}, {}},
  };
  d.sites = {{"tip", "hook", {rotation(Vec3::UnitZ(), 1.1), {0.01, -0.02, 0.03}}}, {"eye", "cart"}};
  d.groups = {{"winch",
               {{"turn", {radians(-90.0), radians(90.0), radians(1.5)}}, {"pull", {-1.0, 1.0}}},
               {{"rope", "twist", {{"turn", Curve::linear(0.3)}, {"pull", Curve::linear(radians(7.0))}}},
                {"rope",
                 "let",
                 {{"pull", Curve::smooth({{-1.0, -0.1}, {0.0, 0.0}, {1.0, 0.3}})}, {"turn", Curve::linear(0.01)}}}}}};
  d.limits = {{"angles", {{"left.swing", 1.0}, {"right.swing", -0.5}}, Relation::at_most, radians(40.0)},
              {"lengths", {{"drive.slide", 2.0}}, Relation::at_most, 3.5},
              {"both", {{"drive.slide", 1.0}, {"left.swing", degrees(0.01)}}, Relation::at_most, 2.0}};
  return d;
}

inline Figure built(FigureDescription description) {
  Expected<Figure> figure = build_figure(std::move(description));
  if (!figure) ADD_FAILURE() << figure.error().text();
  return *figure;
}

}  // namespace limber
