// A pose prior (figure/description.h) as JSON: in a figure under "prior", or in a separate file, {"limber": "prior 1",
// "prior": …}. doc/scene.md has every field.
//
// Angles are in degrees, translations in metres with "unit": "m". The correlation is its lower triangle without the
// diagonal.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/figure/description.h"
#include "limber/format/text/json.h"

namespace limber {

// `file_name` is for messages.
Expected<PriorDescription> read_prior(std::string_view text, const std::string& file_name);
std::string write_prior(const PriorDescription& prior);

// --- For the files of this folder

PriorDescription read_prior_value(const JsonValue& value);
void write_prior_value(JsonWriter& out, const PriorDescription& prior);

}  // namespace limber
