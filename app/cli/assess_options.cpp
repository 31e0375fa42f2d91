#include "app/cli/assess_options.h"

#include <algorithm>
#include <cmath>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/base/number.h"
#include "limber/document/files.h"

namespace limber::cli {

namespace {

Sex sex_of(const AssessOptions& options, const Scene& scene) {
  if (!options.sex.empty()) return options.sex == "female" ? Sex::female : Sex::male;
  const HumanOptions* const own = std::get_if<HumanOptions>(&scene.source);
  return own ? own->sex : Sex::male;
}

Coupling coupling_of(const std::string& name) {
  if (name == "fair") return Coupling::fair;
  if (name == "poor") return Coupling::poor;
  return name == "unacceptable" ? Coupling::unacceptable : Coupling::good;
}

}  // namespace

std::optional<SharedLoad> load_argument(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string number = text.substr(colon + 1);
  if (number.ends_with("kg")) number.resize(number.size() - 2);
  const std::optional<double> mass = to_number(number);
  if (!mass || !(*mass >= 0.0) || !std::isfinite(*mass)) return std::nullopt;
  SharedLoad load{{}, *mass};
  for (std::size_t begin = 0; begin <= colon;) {
    const std::size_t end = std::min(text.find('+', begin), colon);
    if (end == begin) return std::nullopt;
    load.places.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return load;
}

std::expected<StrengthTable, Failure> strength_table(const AssessOptions& options, const Scene& scene) {
  if (options.strength.empty()) return human_strength(sex_of(options, scene));
  const Expected<std::string> text = read_file(options.strength);
  if (!text) return std::unexpected(Failure{text.error(), file_trouble});
  Expected<StrengthTable> table = read_strength(*text, shown(options.strength));
  if (!table) return std::unexpected(Failure{table.error(), scene_is_wrong});
  return std::move(*table);
}

AssessmentOptions assessment_options(const AssessOptions& options, StrengthTable table) {
  AssessmentOptions with;
  for (const std::string& text : options.load_texts) with.loads.push_back(*load_argument(text));
  if (!options.carried_by.empty()) with.carried_by = options.carried_by == "feet" ? CarriedBy::feet : CarriedBy::root;
  with.table = std::move(table);
  with.strength.percentile = options.percentile;
  with.circumstances = options.circumstances;
  with.circumstances.coupling = coupling_of(options.coupling);
  return with;
}

}  // namespace limber::cli
