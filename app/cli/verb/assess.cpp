// limber assess: what a pose demands of a body: comfort, torques against strength, RULA and REBA.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/assess_options.h"
#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/picture/picture.h"

namespace limber::cli {

namespace {

// ------------------------------------------------------------------------------------------------ the command line

std::string no_load(const std::string& text) {
  return load_argument(text) ? "" : "found '" + text + "'; expected a place and a mass, such as right_palm:10kg";
}

// ------------------------------------------------------------------------------------------------------- as a text

// Torques below this are negligible, N m.
constexpr double slight_torque = 1.0;

bool is_worth_a_line(const JointRow& row) { return row.comfort < 1.0 || std::fabs(row.load.torque) >= slight_torque; }

// With that many decimals, and never "-0.0".
std::string plain(double value, int digits) {
  std::string text = to_text(value, digits);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string percent(double share) { return to_text(100.0 * share, 0) + " %"; }

// The parameter that shows a freedom, and the freedom's own name where it has another.
std::string shown_freedom(const Figure& figure, const std::vector<JointRow>& rows, int freedom) {
  const std::string& own = figure.freedoms()[static_cast<std::size_t>(freedom)].name;
  const int parameter = parameter_that_shows(rows, freedom);
  if (parameter < 0) return own;
  const std::string& name = figure.parameters()[static_cast<std::size_t>(parameter)].name;
  return name == own ? name : name + " (at " + own + ")";
}

void print_load(const Assessment& found, const std::vector<SharedLoad>& loads) {
  std::string line = "body " + to_text(found.body_mass, 1) + " kg";
  for (const SharedLoad& load : loads) {
    std::string places;
    for (const std::string& place : load.places) places += (places.empty() ? "" : " and ") + place;
    line += ", " + to_text(load.mass) + " kg at " + places;
  }
  if (found.load.reactions.empty()) line += "; carried by the root";
  for (const Reaction& reaction : found.load.reactions)
    line += std::string(&reaction == &found.load.reactions.front() ? "; on " : ", ") + reaction.foot + " " +
            percent(reaction.force / (found.carried.gravity * found.load.mass));
  std::printf("%s\n", line.c_str());
  if (!(found.body_mass > 0.0)) std::printf("the figure has no masses: only loads count\n");
  if (found.load.outside > 0.0)
    std::printf("would fall: the centre of mass is %s cm outside the feet\n",
                to_text(100.0 * found.load.outside, 1).c_str());
}

void print_rows(const Figure& figure, const Assessment& found, bool all) {
  std::printf("\n%-26s %8s %8s %9s %9s %7s\n", "joint", "angle", "comfort", "torque", "strength", "share");
  std::printf("%-26s %8s %8s %9s %9s %7s\n", "", "degrees", "0 to 1", "N m", "N m", "");
  int left_out = 0;
  for (const JointRow& row : found.rows) {
    if (!all && !is_worth_a_line(row)) {
      ++left_out;
      continue;
    }
    const bool known = row.load.row >= 0;
    std::printf(
        "%-26s %8s %8s %9s %9s %7s\n", figure.parameters()[static_cast<std::size_t>(row.parameter)].name.c_str(),
        plain(degrees(row.angle), 1).c_str(), to_text(row.comfort, 2).c_str(), plain(row.load.torque, 1).c_str(),
        known              ? to_text(row.load.strength, 0).c_str()
        : row.load.at_stop ? "at limit"
                           : "-",
        known ? percent(row.load.share).c_str() : "-");
  }
  if (left_out > 0) std::printf("and %d more, comfortable and with less than 1 N m; --all shows them\n", left_out);
}

void print_verdict(const Figure& figure, const Assessment& found) {
  std::printf("\ncomfort of the whole pose: %s\n", to_text(1.0 - found.discomfort, 2).c_str());
  if (const JointLoad* first = first_to_give(found.joints))
    std::printf("%s: %s, %s of its strength\n", first->share > 1.0 ? "fails" : "first to fail",
                shown_freedom(figure, found.rows, first->freedom).c_str(), percent(first->share).c_str());
  if (found.carriers.empty() || found.max_load.freedom < 0) return;
  std::string places;
  for (const std::string& place : found.carriers) places += (places.empty() ? "" : " and ") + place;
  std::printf("max load at %s: %s kg, then %s fails\n", places.c_str(), to_text(found.max_load.mass, 1).c_str(),
              shown_freedom(figure, found.rows, found.max_load.freedom).c_str());
}

void print_rula(const char* side, const RulaScore& s) {
  std::printf("RULA %-5s %2d  %s\n", side, s.grand, std::string(rula_meaning(s.action_level)).c_str());
  std::printf("  arm: upper %d, lower %d, wrist %d, twist %d: table A %d, muscles %d, force %d: C %d\n", s.upper_arm,
              s.lower_arm, s.wrist, s.wrist_twist, s.table_a, s.muscle_use, s.force, s.c);
  std::printf("  body: neck %d, trunk %d, legs %d: table B %d, muscles %d, force %d: D %d\n", s.neck, s.trunk, s.legs,
              s.table_b, s.muscle_use, s.force, s.d);
}

void print_reba(const char* side, const RebaScore& s) {
  std::printf("REBA %-5s %2d  %s\n", side, s.score, std::string(reba_meaning(s.action_level)).c_str());
  std::printf("  body: trunk %d, neck %d, legs %d: table A %d, load %d: A %d\n", s.trunk, s.neck, s.legs, s.table_a,
              s.load, s.a);
  std::printf("  arm: upper %d, lower %d, wrist %d: table B %d, grip %d: B %d; table C %d, activity %d\n", s.upper_arm,
              s.lower_arm, s.wrist, s.table_b, s.coupling, s.b, s.c, s.activity);
}

void print_scores(const Assessment& found) {
  if (!found.left || !found.right) {
    std::printf("no RULA and REBA: %s\n", found.no_scores.c_str());
    return;
  }
  print_rula("left", found.left->rula);
  print_rula("right", found.right->rula);
  print_reba("left", found.left->reba);
  print_reba("right", found.right->reba);
}

// --------------------------------------------------------------------------------------------------------- as JSON

using AssessJson = nlohmann::ordered_json;

AssessJson finite_or_null(double value) { return std::isfinite(value) ? AssessJson(value) : AssessJson(nullptr); }

AssessJson joints_as_json(const Figure& figure, const Assessment& found, const StrengthTable& table) {
  AssessJson list = AssessJson::array();
  for (const JointRow& row : found.rows) {
    AssessJson one;
    one["parameter"] = figure.parameters()[static_cast<std::size_t>(row.parameter)].name;
    one["degrees"] = degrees(row.angle);
    one["comfort"] = row.comfort;
    one["freedom"] = figure.freedoms()[static_cast<std::size_t>(row.load.freedom)].name;
    one["torque"] = row.load.torque;
    one["strength"] = finite_or_null(row.load.strength);
    one["share"] = row.load.row >= 0 ? finite_or_null(row.load.share) : AssessJson(nullptr);
    if (row.load.at_stop) one["at_stop"] = true;
    if (row.load.row >= 0) one["source"] = table[static_cast<std::size_t>(row.load.row)].source;
    list.push_back(std::move(one));
  }
  return list;
}

AssessJson as_json(const RulaScore& s) {
  return {{"score", s.grand},
          {"action_level", s.action_level},
          {"upper_arm", s.upper_arm},
          {"lower_arm", s.lower_arm},
          {"wrist", s.wrist},
          {"wrist_twist", s.wrist_twist},
          {"neck", s.neck},
          {"trunk", s.trunk},
          {"legs", s.legs},
          {"table_a", s.table_a},
          {"table_b", s.table_b},
          {"muscle_use", s.muscle_use},
          {"force", s.force},
          {"c", s.c},
          {"d", s.d}};
}

AssessJson as_json(const RebaScore& s) {
  return {{"score", s.score},
          {"action_level", s.action_level},
          {"trunk", s.trunk},
          {"neck", s.neck},
          {"legs", s.legs},
          {"upper_arm", s.upper_arm},
          {"lower_arm", s.lower_arm},
          {"wrist", s.wrist},
          {"table_a", s.table_a},
          {"table_b", s.table_b},
          {"load", s.load},
          {"coupling", s.coupling},
          {"activity", s.activity},
          {"a", s.a},
          {"b", s.b},
          {"c", s.c}};
}

std::string as_json(const Scene& scene, const Assessment& found, const StrengthTable& table, bool met) {
  const Figure& figure = scene.figure;
  AssessJson json;
  if (!scene.title.empty()) json["title"] = scene.title;
  json["met"] = met;
  json["body_kg"] = found.body_mass;
  json["load_kg"] = found.load_mass;
  json["outside_m"] = found.load.outside;
  json["reactions"] = AssessJson::array();
  for (const Reaction& reaction : found.load.reactions)
    json["reactions"].push_back({{"foot", reaction.foot},
                                 {"newtons", reaction.force},
                                 {"at", {reaction.at.x(), reaction.at.y(), reaction.at.z()}}});
  json["comfort"] = 1.0 - found.discomfort;
  json["joints"] = joints_as_json(figure, found, table);
  const JointLoad* const first = first_to_give(found.joints);
  json["first_to_give"] =
      first ? AssessJson(figure.freedoms()[static_cast<std::size_t>(first->freedom)].name) : AssessJson(nullptr);
  json["first_share"] = first ? finite_or_null(first->share) : AssessJson(nullptr);
  json["max_load"] = {{"at", found.carriers}, {"kg", finite_or_null(found.max_load.mass)}};
  if (found.max_load.freedom >= 0)
    json["max_load"]["gives"] = figure.freedoms()[static_cast<std::size_t>(found.max_load.freedom)].name;
  for (const auto& [name, scores] : {std::pair{"left", &found.left}, {"right", &found.right}})
    if (*scores) {
      json["rula"][name] = as_json((*scores)->rula);
      json["reba"][name] = as_json((*scores)->reba);
    }
  return json.dump(2, ' ', false, AssessJson::error_handler_t::replace) + "\n";
}

// --------------------------------------------------------------------------------------------------------- the verb

int draw(const AssessOptions& options, const Loaded& loaded, const Report& report, const Assessment& found) {
  const bool by_load = options.colour == "load";
  PictureOptions how;
  how.title = loaded.scene.title;
  how.heat = by_load ? found.share_heat : found.discomfort_heat;
  how.heat_name = by_load ? "share of strength" : "discomfort";
  const std::string picture = draw_svg(loaded.problem, loaded.scene.pose, report, how);
  if (options.output == "-") {
    std::fputs(picture.c_str(), stdout);
    return all_met;
  }
  const Expected<void> done = write_file(options.output, picture);
  return done ? static_cast<int>(all_met) : complain(done.error(), file_trouble);
}

// One of several figures by itself, solved among the others.
std::optional<Failure> keep_one(const AssessOptions& options, Loaded& loaded) {
  if (options.figure.empty())
    return without_effect("SCENE", shown(options.scene) + ", a scene of several figures",
                          "--figure with the name of the one to assess");
  std::expected<PartAlone, Failure> alone = part_alone(loaded.scene, options.scene, options.figure);
  if (!alone) return alone.error();
  FigureSource source = InlineFigure{};
  if (const JoinedFigures* joined = std::get_if<JoinedFigures>(&loaded.scene.source))
    for (const SourcedPart& part : joined->parts)
      if (part.name == options.figure) source = part.source;
  Scene scene(alone->figure, std::move(source));
  scene.title = loaded.scene.title;
  scene.pose = alone->pose;
  loaded = Loaded{std::move(scene), Problem(alone->figure)};
  return std::nullopt;
}

int run(const AssessOptions& options) {
  const Expected<std::string> text = read_file(options.scene);
  if (!text) return complain(text.error(), file_trouble);
  const bool has_several = has_several_figures(*text);
  std::expected<Loaded, Failure> loaded = load_scene(*text, options.scene, has_several ? "" : options.figure);
  if (!loaded) return complain(loaded.error());
  // Even without iterations the report measures the errors.
  if (options.as_it_is) loaded->scene.options.iterations = 0;
  const std::expected<Report, Failure> report = solve_scene(*loaded, options.scene);
  if (!report) return complain(report.error());
  if (has_several)
    if (const std::optional<Failure> why = keep_one(options, *loaded)) return complain(*why);
  std::expected<StrengthTable, Failure> table = strength_table(options, loaded->scene);
  if (!table) return complain(table.error());
  const AssessmentOptions with = assessment_options(options, std::move(*table));
  const Expected<Assessment> found = assess(loaded->scene.figure, loaded->scene.pose, with);
  if (!found) return complain(found.error(), usage);
  if (!options.output.empty())
    if (const int status = draw(options, *loaded, *report, *found); status != all_met) return status;
  if (options.json) {
    std::fputs(as_json(loaded->scene, *found, with.table, report->met()).c_str(), stdout);
  } else if (options.output != "-") {
    const Figure& figure = loaded->scene.figure;
    if (!loaded->scene.title.empty()) std::printf("%s\n", loaded->scene.title.c_str());
    if (!report->met()) std::printf("not all constraints are met; limber solve reports which\n");
    print_load(*found, with.loads);
    print_rows(figure, *found, options.all);
    print_verdict(figure, *found);
    print_scores(*found);
  }
  return report->met() || options.as_it_is ? all_met : not_all_met;
}

}  // namespace

Verb add_assess(CLI::App& app) {
  auto options = std::make_shared<AssessOptions>();
  CLI::App* verb =
      app.add_subcommand("assess", "Assess a posture: comfort, joint torques against strength, RULA and REBA");
  verb->add_option("SCENE", options->scene, "The scene, a JSON file; - is standard input")->required();
  verb->add_option("--figure", options->figure,
                   "Use the figure of this file instead of the scene's own; of several figures, assess this one");
  verb->add_flag("--as-it-is", options->as_it_is, "Assess the scene's pose unchanged; default: solve the scene first");
  verb->add_option("--load", options->load_texts,
                   "A mass at a place, such as right_palm:10kg; left_palm+right_palm:10kg is shared equally")
      ->check(no_load);
  verb->add_option("--carried-by", options->carried_by, "What supports the body: the feet, or the root, as on a seat")
      ->check(CLI::IsMember({"feet", "root"}));
  verb->add_option("--percentile", options->percentile, "Percentile of strength, 5 to 95; 50 is the median")
      ->check(CLI::Range(5.0, 95.0));
  verb->add_option("--sex", options->sex, "Strength of men or women, instead of the scene's")
      ->check(CLI::IsMember({"male", "female"}));
  verb->add_option("--strength", options->strength, "Your own table of strength; see doc/assess.md");
  verb->add_flag("--held", options->circumstances.held, "RULA, REBA: the posture is held longer than a minute");
  verb->add_flag("--repeated", options->circumstances.repeated,
                 "RULA, REBA: the action is repeated more than four times per minute");
  verb->add_flag("--shock", options->circumstances.shock, "RULA, REBA: the force comes with a jolt");
  verb->add_flag("--sitting", options->circumstances.sitting,
                 "RULA, REBA: seated with a backrest; the root supports the body");
  verb->add_flag("--arm-supported", options->circumstances.arm_supported, "RULA, REBA: the arm rests on something");
  verb->add_option("--coupling", options->coupling, "REBA: quality of the grip")
      ->check(CLI::IsMember({"good", "fair", "poor", "unacceptable"}));
  verb->add_option("-o,--output", options->output, "Draw the body in colours, as SVG; - is standard output");
  verb->add_option("--colour", options->colour, "What the colours show: load (share of strength) or comfort")
      ->check(CLI::IsMember({"load", "comfort"}));
  verb->add_flag("--all", options->all, "Print all joints, including comfortable ones without load");
  verb->add_flag("--json", options->json, "Print JSON, with all joints");
  verb->footer(
      "Examples:\n"
      "  limber assess hold_box.json --load left_palm+right_palm:10kg\n"
      "  limber assess bend_down.json --percentile 25 --sex female\n"
      "  limber assess hold_box.json --load left_palm+right_palm:10kg -o load.svg\n"
      "  limber assess posed.json --as-it-is --colour comfort -o comfort.svg\n"
      "\n"
      "doc/assess.md explains what is computed, and the sources of the numbers.\n"
      "\n"
      "Exit status: 0 assessed, 1 assessed but not all constraints of the scene are met, 2 the command line is wrong,\n"
      "3 the scene or the table is wrong, 4 a file cannot be opened or written, 5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
