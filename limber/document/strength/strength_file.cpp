#include "limber/document/files.h"
#include "limber/document/strength/strength_json.h"
#include "limber/format/text/json.h"
#include "limber/format/text/unit.h"

namespace limber {

namespace {

constexpr const char* strength_tag = "strength 1";

void read_torque(const JsonValue& value, StrengthRow& row) {
  if (value.is(JsonKind::number)) {
    row.percentile_5 = row.percentile_50 = row.percentile_95 = value.number();
    return;
  }
  if (!value.array(3, "the 5th, 50th and 95th percentile, or one number")) return;
  double* const of[] = {&row.percentile_5, &row.percentile_50, &row.percentile_95};
  int k = 0;
  for (const JsonValue one : value) *of[k++] = one.number();
}

StrengthRow read_row(const JsonValue& value) {
  StrengthRow row;
  if (!value.object({"freedom", "direction", "torque", "of_size", "curve", "best_angle", "source"})) return row;
  row.freedom = value["freedom"].text();
  const std::string direction = value["direction"].text();
  if (direction != "+" && direction != "-") value["direction"].fail(value["direction"].described(), "\"+\" or \"-\"");
  row.direction = direction == "-" ? -1 : 1;
  read_torque(value["torque"], row);
  row.of_size = value["of_size"] && value["of_size"].boolean();
  row.curve = value["curve"].number_or(0.0);
  row.best_angle = radians(value["best_angle"].number_or(0.0));
  row.source = value["source"].text_or("");
  if (!value.document().error())
    if (const Expected<void> good = check_strength({row}, {}); !good) value.fail(good.error());
  return row;
}

}  // namespace

StrengthTable read_strength_rows(const JsonValue& rows) {
  StrengthTable table;
  if (rows.array())
    for (const JsonValue row : rows) table.push_back(read_row(row));
  return table;
}

void write_strength_rows(JsonWriter& out, const StrengthTable& table) {
  out.begin_array();
  for (const StrengthRow& row : table) {
    out.begin_object(JsonWriter::Layout::row)
        .member("freedom", row.freedom)
        .member("direction", row.direction > 0 ? "+" : "-")
        .key("torque")
        .begin_array(JsonWriter::Layout::row)
        .value(row.percentile_5)
        .value(row.percentile_50)
        .value(row.percentile_95)
        .end();
    out.member_unless("of_size", row.of_size, false)
        .member_unless("curve", row.curve, 0.0)
        .member_unless("best_angle", written_degrees(row.best_angle), 0.0)
        .member_unless("source", row.source, std::string());
    out.end();
  }
  out.end();
}

Expected<StrengthTable> read_strength(std::string_view text, const std::string& file_name) {
  JsonDocument document(text, file_name);
  const JsonValue root = document.root();
  StrengthTable table;
  if (!document.error() && root.object({"limber", "rows"})) {
    if (root["limber"].text() != strength_tag)
      root["limber"].fail(root["limber"].described(), std::string("\"") + strength_tag + "\"");
    table = read_strength_rows(root["rows"]);
  }
  if (document.error()) return std::unexpected(*document.error());
  return table;
}

std::string write_strength(const StrengthTable& table) {
  JsonWriter out;
  out.begin_object().member("limber", strength_tag).key("rows");
  write_strength_rows(out, table);
  return out.end().take();
}

}  // namespace limber
