#include "limber/document/scene/scene_strength.h"

#include <utility>

#include "limber/document/strength/strength_json.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

// Of one constraint.
constexpr std::size_t max_loads = 64;

std::vector<SharedLoad> read_loads(const JsonValue& value, const Figure& figure) {
  std::vector<SharedLoad> loads;
  if (!value.array()) return loads;
  if (value.size() > max_loads) value.fail(value.described(), "at most " + std::to_string(max_loads) + " loads");
  for (const JsonValue one : value) {
    if (value.document().error() || !one.object({"at", "kg"})) return loads;
    SharedLoad load;
    load.mass = one["kg"].number();
    if (!(load.mass >= 0.0)) one["kg"].fail(one["kg"].described(), "kilograms, 0 or more");
    const JsonValue at = one["at"];
    if (!at.array()) return loads;
    if (at.size() == 0 || at.size() > max_loads)
      at.fail(at.described(), "1 to " + std::to_string(max_loads) + " places that carry it");
    for (const JsonValue place : at) {
      load.places.push_back(place.text());
      if (value.document().error()) return loads;
      if (const Expected<Handle> point = figure.point(load.places.back()); !point)
        place.fail(point.error().found, point.error().expected);
    }
    loads.push_back(std::move(load));
  }
  return loads;
}

Sex sex_of(const Scene& scene, const SceneStrength& strength) {
  if (strength.sex) return *strength.sex;
  const HumanOptions* const own = std::get_if<HumanOptions>(&scene.source);
  return own ? own->sex : Sex::male;
}

}  // namespace

Expected<StrengthLimit> strength_of(const Scene& scene, const SceneStrength& strength) {
  Expected<StaticLoadOptions> carried = carried_load(scene.figure, strength.loads, strength.carried_by);
  if (!carried) return std::unexpected(carried.error());
  return StrengthLimit{.carried = *std::move(carried),
                       .share = strength.share,
                       .table = strength.rows ? *strength.rows : human_strength(sex_of(scene, strength)),
                       .strength = {.percentile = strength.percentile}};
}

SceneStrength read_scene_strength(const JsonValue& value, const Scene& scene) {
  SceneStrength strength;
  if (value.is(JsonKind::boolean)) {
    if (!value.boolean()) value.fail(value.described(), "true, or an object");
    return strength;
  }
  if (!value.object({"loads", "share", "percentile", "sex", "carried_by", "rows"})) return strength;
  if (const JsonValue loads = value["loads"]) strength.loads = read_loads(loads, scene.figure);
  strength.share = value["share"].number_or(strength.share);
  if (!(strength.share > 0.0)) value["share"].fail(value["share"].described(), "a number above 0");
  strength.percentile = value["percentile"].number_or(strength.percentile);
  if (!(strength.percentile >= 5.0 && strength.percentile <= 95.0))
    value["percentile"].fail(value["percentile"].described(), "a number from 5 to 95");
  if (const JsonValue sex = value["sex"]) {
    const std::string text = sex.text();
    if (text != "male" && text != "female") sex.fail(sex.described(), "\"male\" or \"female\"");
    strength.sex = text == "female" ? Sex::female : Sex::male;
  }
  if (const JsonValue by = value["carried_by"]) {
    const std::string text = by.text();
    if (text != "feet" && text != "root") by.fail(by.described(), "\"feet\" or \"root\"");
    strength.carried_by = text == "feet" ? CarriedBy::feet : CarriedBy::root;
  }
  if (const JsonValue rows = value["rows"]) strength.rows = read_strength_rows(rows);
  if (strength.sex && strength.rows)
    value["sex"].fail_at_key("\"sex\" beside \"rows\"", "one of them: rows replace the published strength");
  return strength;
}

void write_scene_strength(JsonWriter& out, const SceneStrength& strength) {
  out.key("strength").begin_object(strength.rows ? Layout::block : Layout::row);
  if (!strength.loads.empty()) {
    out.key("loads").begin_array(Layout::row);
    for (const SharedLoad& load : strength.loads) {
      out.begin_object(Layout::row).key("at").begin_array(Layout::row);
      for (const std::string& place : load.places) out.value(place);
      out.end().member("kg", load.mass).end();
    }
    out.end();
  }
  out.member_unless("share", strength.share, 1.0).member_unless("percentile", strength.percentile, 50.0);
  if (strength.sex) out.member("sex", *strength.sex == Sex::female ? "female" : "male");
  if (strength.carried_by != CarriedBy::usual)
    out.member("carried_by", strength.carried_by == CarriedBy::feet ? "feet" : "root");
  if (strength.rows) {
    out.key("rows");
    write_strength_rows(out, *strength.rows);
  }
  out.end();
}

}  // namespace limber
