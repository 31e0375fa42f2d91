#include "limber/base/number.h"
#include "limber/document/files.h"
#include "limber/format/text/json.h"
#include "limber/format/text/unit.h"

namespace limber {

namespace {

constexpr const char* marker_set_tag = "markers 1";

Attachment read_attachment(const JsonValue& value) {
  Attachment attachment{.marker = std::string(value.key()), .place = ""};
  if (!value.object({"place", "at", "weight", "spread"})) return attachment;
  attachment.place = value["place"].text();
  if (value["at"]) attachment.at = value["at"].vector();
  attachment.weight = value["weight"].number_or(1.0);
  if (!(attachment.weight >= 0.0)) value["weight"].fail(value["weight"].described(), "a non-negative weight");
  if (value["spread"]) attachment.spread = value["spread"].number();
  return attachment;
}

}  // namespace

Expected<MarkerSet> read_marker_set(std::string_view text, const std::string& file_name) {
  JsonDocument document(text, file_name);
  const JsonValue root = document.root();
  MarkerSet set;
  if (!document.error() && root.object({"limber", "turn_deg", "markers"})) {
    if (root["limber"].text() != marker_set_tag)
      root["limber"].fail(root["limber"].described(), std::string("\"") + marker_set_tag + "\"");
    set.turn = radians(root["turn_deg"].number_or(0.0));
    if (root["markers"].object())
      for (const JsonValue value : root["markers"]) set.markers.push_back(read_attachment(value));
  }
  if (document.error()) return std::unexpected(*document.error());
  return set;
}

std::string write_marker_set(const MarkerSet& set) {
  JsonWriter out;
  out.begin_object().member("limber", marker_set_tag).member_unless("turn_deg", written_degrees(set.turn), 0.0);
  out.key("markers").begin_object();
  for (const Attachment& attachment : set.markers) {
    out.key(attachment.marker).begin_object(JsonWriter::Layout::row);
    out.member("place", attachment.place);
    if (!attachment.at.isZero(0.0)) out.member("at", attachment.at);
    out.member_unless("weight", attachment.weight, 1.0);
    if (attachment.spread) out.member("spread", *attachment.spread);
    out.end();
  }
  out.end().end();
  return out.take();
}

}  // namespace limber
