#include "binding/wasm/exchange.h"
#include "limber/assess/assessment.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

constexpr double max_share = 1000.0;  // the max share of its strength that is reported for a joint

using Layout = JsonWriter::Layout;

const std::string& name_of_parameter(const Figure& figure, int parameter) {
  return figure.parameters()[static_cast<std::size_t>(parameter)].name;
}

std::vector<SharedLoad> read_loads(const JsonValue& list) {
  std::vector<SharedLoad> loads;
  if (!list || !list.array()) return loads;
  for (const JsonValue one : list) {
    if (!one.object({"at", "kg"}) || !one["at"].array()) continue;
    SharedLoad load{{}, one["kg"].number()};
    for (const JsonValue place : one["at"]) load.places.push_back(place.text());
    loads.push_back(std::move(load));
  }
  return loads;
}

// One of the words, by its place among them.
int word_of(const JsonValue& value, std::initializer_list<std::string_view> words) {
  if (!value) return 0;
  const std::string text = value.text();
  int k = 0;
  std::string expected;
  for (const std::string_view word : words) {
    if (text == word) return k;
    expected += (k++ > 0 ? ", " : "") + std::string(word);
  }
  value.fail("'" + text + "'", expected);
  return 0;
}

Expected<AssessmentOptions> read_options(std::string_view text) {
  JsonDocument document(text, "assessment");
  const JsonValue root = document.root();
  AssessmentOptions options;
  if (root.object({"loads", "carried_by", "sex", "percentile", "held", "repeated", "shock", "sitting", "arm_supported",
                   "coupling"})) {
    const auto is = [&](const char* key) { return root[key] && root[key].boolean(); };
    options.loads = read_loads(root["loads"]);
    options.carried_by = static_cast<CarriedBy>(word_of(root["carried_by"], {"usual", "feet", "root"}));
    options.table = human_strength(word_of(root["sex"], {"male", "female"}) == 1 ? Sex::female : Sex::male);
    options.strength.percentile = root["percentile"].number_or(options.strength.percentile);
    options.circumstances = {is("held"), is("repeated"), is("shock"), is("sitting"), is("arm_supported"), {}};
    options.circumstances.coupling =
        static_cast<Coupling>(word_of(root["coupling"], {"good", "fair", "poor", "unacceptable"}));
  }
  if (document.error()) return std::unexpected(*document.error());
  return options;
}

// A joint without strength at its angle uses more than all of it.
double capped(double share) { return std::fmin(share, max_share); }

// Numbers that are not finite are null: JSON has none of them.
void write_joints(JsonWriter& out, const Figure& figure, const Assessment& found) {
  out.key("joints").begin_array();
  for (const JointRow& row : found.rows) {
    out.begin_object(Layout::row).key("parameter").integer(row.parameter);
    out.member("name", name_of_parameter(figure, row.parameter)).key("freedom").integer(row.load.freedom);
    out.member("angle", row.angle).member("comfort", row.comfort).member("torque", row.load.torque);
    out.member("strength", row.load.strength);
    out.member("share", row.load.row >= 0 ? capped(row.load.share) : infinity);
    out.member("at_stop", row.load.at_stop).end();
  }
  out.end();
}

// A freedom, and the parameter that shows it.
void write_freedom(JsonWriter& out, const Assessment& found, int freedom) {
  out.key("freedom").integer(freedom).key("parameter").integer(parameter_that_shows(found.rows, freedom));
}

void write_values(JsonWriter& out, const char* key, const std::vector<double>& values) {
  out.key(key).begin_array(Layout::row);
  for (const double value : values) out.value(capped(value));
  out.end();
}

void write_score(JsonWriter& out, const char* key, int score, int level, std::string_view meaning) {
  out.key(key).begin_object(Layout::row).key("score").integer(score).key("action_level").integer(level);
  out.member("meaning", meaning).end();
}

void write_scores(JsonWriter& out, const char* key, const Scores& scores) {
  out.key(key).begin_object();
  write_score(out, "rula", scores.rula.grand, scores.rula.action_level, rula_meaning(scores.rula.action_level));
  write_score(out, "reba", scores.reba.score, scores.reba.action_level, reba_meaning(scores.reba.action_level));
  out.end();
}

void write_load(JsonWriter& out, const StaticLoad& load) {
  out.member("centre", load.centre).member("outside", load.outside).key("reactions").begin_array();
  for (const Reaction& reaction : load.reactions)
    out.begin_object(Layout::row)
        .member("foot", reaction.foot)
        .key("segment")
        .integer(reaction.segment)
        .member("newtons", reaction.force)
        .member("at", reaction.at)
        .end();
  out.end();
}

std::string as_text(const Figure& figure, const Assessment& found) {
  JsonWriter out;
  out.begin_object().member("body_kg", found.body_mass).member("load_kg", found.load_mass);
  write_load(out, found.load);
  out.member("discomfort", found.discomfort);
  write_joints(out, figure, found);
  write_values(out, "discomfort_by_segment", found.discomfort_heat);
  write_values(out, "share_by_segment", found.share_heat);
  if (const JointLoad* const first = first_to_give(found.joints)) {
    out.key("first").begin_object(Layout::row);
    write_freedom(out, found, first->freedom);
    out.member("share", capped(first->share)).end();
  }
  out.key("max_load").begin_object(Layout::row).key("at").begin_array(Layout::row);
  for (const std::string& place : found.carriers) out.value(place);
  out.end().member("kg", found.max_load.mass);
  write_freedom(out, found, found.max_load.freedom);
  out.end();
  if (found.left) write_scores(out, "left", *found.left);
  if (found.right) write_scores(out, "right", *found.right);
  out.member("no_scores", found.no_scores).end();
  return out.take();
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_figure_assess(int number, const double* theta, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  const Expected<AssessmentOptions> options = read_options(text_at(json, size));
  if (!options) return rejected(options.error());
  const Expected<Assessment> found = assess(*figure, {wasm::pose_at(*figure, theta)}, *options);
  return found ? set_text(as_text(*figure, *found)) : rejected(found.error());
}
