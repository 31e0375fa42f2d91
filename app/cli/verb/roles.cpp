// limber roles: which bone of a figure is which part of a body.
#include "limber/roles/roles.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/format/roles_file.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/picture.h"
#include "limber/solver/solve.h"

namespace limber::cli {

namespace {

struct RolesArguments {
  ContentOptions content;
  std::string output, picture;
  bool json = false;
};

int whole_percent(double share) { return static_cast<int>(std::lround(100.0 * share)); }

double confidence_of(const Roles& roles, const RolePart& part) {
  return part.side == Side::middle ? part.confidence : part.confidence * roles.side_confidence;
}

const std::string& bone_of(const Figure& figure, const RolePart& part) {
  return figure.segments()[static_cast<std::size_t>(part.first)].name;
}

void print_roles(const std::string& file, const Figure& figure, const Roles& roles) {
  if (roles.plan == BodyPlan::unknown) {
    std::printf("%s: no body that is recognised\n", file.c_str());
    return;
  }
  std::printf("%s: %s, %d %%; left and right, %d %%\n", file.c_str(), std::string(name_of(roles.plan)).c_str(),
              whole_percent(roles.plan_confidence), whole_percent(roles.side_confidence));
  for (const RolePart& part : roles.parts) {
    const double sure = confidence_of(roles, part);
    std::printf("  %-16s %-32s %3d %%%s\n", name_of(part).c_str(), bone_of(figure, part).c_str(), whole_percent(sure),
                sure < sure_confidence ? "  unsure" : "");
  }
  std::string missing;
  for (const std::string& name : missing_roles(roles)) missing += (missing.empty() ? "" : " ") + name;
  if (!missing.empty()) std::printf("  not found: %s\n", missing.c_str());
  for (const AsideReason reason : {AsideReason::above, AsideReason::control, AsideReason::helper, AsideReason::face,
                                   AsideReason::toe, AsideReason::tip}) {
    std::string names;
    for (const RoleAside& aside : roles.aside)
      if (aside.reason == reason) names += " " + figure.segments()[static_cast<std::size_t>(aside.segment)].name;
    if (!names.empty()) std::printf("  set aside, %s:%s\n", std::string(name_of(reason)).c_str(), names.c_str());
  }
}

// Every part of the trunk and the limbs as a mark with its name; grey where it is unsure.
Expected<std::string> draw_roles(const Figure& figure, const Roles& roles, const std::string& title) {
  Problem problem(figure);
  const Kinematics rest = forward(figure, figure.rest());
  for (const RolePart& part : roles.parts) {
    if (part.order > 0 || (part.role >= Role::thumb && part.role <= Role::little)) continue;
    const std::string& bone = bone_of(figure, part);
    const Expected<Handle> handle = figure.point(bone);
    if (!handle) return std::unexpected(handle.error());
    Vec3 x[max_elements];
    evaluate(figure, rest, *handle, x);
    const Expected<ConstraintId> added = problem.add(*handle, Position{x[0]}, {.name = name_of(part) + ": " + bone});
    if (!added) return std::unexpected(added.error());
    if (confidence_of(roles, part) >= sure_confidence) continue;
    if (const Expected<void> off = problem.set_enabled(*added, false); !off) return std::unexpected(off.error());
  }
  Pose pose = figure.rest();
  const Report report = solve(problem, pose, {.iterations = 0, .restarts = 0});
  PictureOptions how{.title = title};
  if (roles.plan != BodyPlan::unknown) how.left = roles.left;
  return draw_svg(problem, figure.rest(), report, how);
}

int run_roles(const RolesArguments& arguments) {
  const std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  const std::string file = shown(arguments.content.file);
  if (!content->figure) return complain({file, "no figure", "a file with one"}, scene_is_wrong);
  const Figure& figure = *content->figure;
  const Roles roles = roles_of(figure);
  if (arguments.json)
    std::printf("%s\n", write_roles(figure, roles).c_str());
  else
    print_roles(file, figure, roles);
  std::vector<WrittenFile> files;
  if (!arguments.output.empty()) files.push_back({arguments.output, write_roles(figure, roles)});
  if (!arguments.picture.empty()) {
    Expected<std::string> picture = draw_roles(figure, roles, file);
    if (!picture) return complain(picture.error(), scene_is_wrong);
    files.push_back({arguments.picture, *std::move(picture)});
  }
  if (const Expected<void> done = write_files(files); !done) return complain(done.error(), file_trouble);
  return roles.plan == BodyPlan::unknown ? not_all_met : all_met;
}

}  // namespace

Verb add_roles(CLI::App& app) {
  auto options = std::make_shared<RolesArguments>();
  CLI::App* verb = app.add_subcommand("roles", "Show which bone of a figure is which part of a body");
  verb->add_option("FILE", options->content.file, "A file with a figure; - is standard input")->required();
  add_content_options(*verb, options->content);
  verb->add_flag("--json", options->json, "Print the parts as JSON");
  verb->add_option("-o,--output", options->output, "Write them to a JSON file, which can be edited");
  verb->add_option("--picture", options->picture, "Draw the figure with its parts, as SVG");
  verb->footer(
      "Examples:\n"
      "  limber roles character.glb\n"
      "  limber roles character.glb --picture roles.svg -o roles.json\n"
      "\n"
      "Parts are recognised by shape: the tree, lengths, rest positions, symmetry, axes and limits; names are a hint.\n"
      "A part below 70 % is unsure.\n"
      "\n"
      "Exit status: 0 a body, 1 none, others as limber --help says.");
  return [options] { return run_roles(*options); };
}

}  // namespace limber::cli
