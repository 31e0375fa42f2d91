#include "limber/format/figure/prior_file.h"

#include "limber/format/text/unit.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

constexpr const char* prior_tag = "prior 1";

PriorTerm read_prior_term(const JsonValue& value) {
  PriorTerm term;
  if (!value.object({"parameter", "mean", "spread", "unit"})) return term;
  term.parameter = value["parameter"].text();
  if (value["unit"]) {
    term.translates = value["unit"].text() == "m";
    if (!term.translates) value["unit"].fail(value["unit"].described(), "\"m\", or nothing for degrees");
  }
  const Unit unit = term.translates ? Unit::metres : Unit::degrees;
  term.mean = inside(value["mean"].number(), unit);
  term.spread = inside(value["spread"].number(), unit);
  return term;
}

MatX read_correlation(const JsonValue& value, std::size_t terms) {
  const auto n = static_cast<Eigen::Index>(terms);
  MatX correlation = MatX::Identity(n, n);
  if (!value.array(terms, "one row per term")) return correlation;
  Eigen::Index row = 0;
  for (const JsonValue line : value) {
    if (!line.array(static_cast<std::size_t>(row), "one number per preceding term")) return correlation;
    Eigen::Index column = 0;
    for (const JsonValue element : line) {
      correlation(row, column) = correlation(column, row) = element.number();
      ++column;
    }
    ++row;
  }
  return correlation;
}

}  // namespace

PriorDescription read_prior_value(const JsonValue& value) {
  PriorDescription prior;
  if (!value.object({"terms", "correlation", "up"})) return prior;
  if (value["terms"] && value["terms"].array())
    for (const JsonValue term : value["terms"]) prior.terms.push_back(read_prior_term(term));
  if (value["correlation"]) prior.correlation = read_correlation(value["correlation"], prior.terms.size());
  if (const JsonValue up = value["up"]; up && up.object({"segment", "direction", "spread"})) {
    prior.up_segment = up["segment"].text();
    prior.up = up["direction"].direction();
    prior.up_spread = radians(up["spread"].number());
  }
  return prior;
}

void write_prior_value(JsonWriter& out, const PriorDescription& prior) {
  out.begin_object().key("terms").begin_array();
  for (const PriorTerm& term : prior.terms) {
    const auto written = [&](double x) { return term.translates ? x : written_degrees(x); };
    out.begin_object(Layout::row)
        .member("parameter", term.parameter)
        .member("mean", written(term.mean))
        .member("spread", written(term.spread));
    if (term.translates) out.member("unit", "m");
    out.end();
  }
  out.end();
  if (prior.correlation.size() > 0) {
    out.key("correlation").begin_array();
    for (Eigen::Index row = 0; row < prior.correlation.rows(); ++row) {
      out.begin_array(Layout::row);
      for (Eigen::Index column = 0; column < row; ++column) out.value(prior.correlation(row, column));
      out.end();
    }
    out.end();
  }
  if (!prior.up_segment.empty())
    out.key("up")
        .begin_object(Layout::row)
        .member("segment", prior.up_segment)
        .key("direction")
        .direction(prior.up)
        .member("spread", written_degrees(prior.up_spread))
        .end();
  out.end();
}

Expected<PriorDescription> read_prior(std::string_view text, const std::string& file_name) {
  JsonDocument document(text, file_name);
  const JsonValue root = document.root();
  PriorDescription prior;
  if (!document.error() && root.object({"limber", "prior"})) {
    if (root["limber"].text() != prior_tag)
      root["limber"].fail(root["limber"].described(), std::string("\"") + prior_tag + "\"");
    prior = read_prior_value(root["prior"]);
  }
  if (document.error()) return std::unexpected(*document.error());
  return prior;
}

std::string write_prior(const PriorDescription& prior) {
  JsonWriter out;
  out.begin_object().member("limber", prior_tag).key("prior");
  write_prior_value(out, prior);
  return out.end().take();
}

}  // namespace limber
